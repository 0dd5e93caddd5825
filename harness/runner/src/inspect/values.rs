//! The readings that touch an instruction.

use std::collections::BTreeMap;

use assay_isa::readings::SWITCHES;
use assay_isa::{Instruction, Readings};

/// Returns the readings that touch an instruction, such as `E173=1`.
pub fn errata(instruction: &Instruction, readings: &Readings) -> Vec<String> {
    let touching = SWITCHES.iter().filter(|s| s.optypes.contains(&instruction.optype()));
    let settings: BTreeMap<_, _> = readings.iter().collect();
    touching.map(|s| format!("{}={}", s.erratum, settings[&s.erratum])).collect()
}
