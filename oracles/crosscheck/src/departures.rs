//! The departures of the readings: settings that differ from `intended` and can affect an
//! instruction.
//!
//! An implementation starts from this list. It removes the errata that it follows, and the errata
//! that cannot change its result. An unknown erratum stays on the list. So if a switch is added
//! later, the implementation becomes unsupported instead of ignoring the switch. E008, E011 and
//! E012 concern every instruction, so this module decides whether they apply.

use assay_isa::readings::SWITCHES;
use assay_isa::tables::types::{FPFtz, IType};
use assay_isa::{Erratum, Instruction, Location, Readings, Source};

/// Returns the errata whose setting differs from that of `intended` and can affect an instruction.
pub(crate) fn departures<'a>(
    readings: &'a Readings,
    instruction: &'a Instruction,
) -> impl Iterator<Item = Erratum> + 'a {
    let named = SWITCHES.iter().filter(|s| s.optypes.contains(&instruction.optype()));
    let departing = named.filter(|s| setting(readings, s.erratum) != s.intended).map(|s| s.erratum);
    departing.filter(|erratum| reaches(*erratum, instruction))
}

/// Returns the setting of an erratum. Returns 0 if the erratum has no switch.
fn setting(readings: &Readings, erratum: Erratum) -> u8 {
    readings.setting(erratum).unwrap_or(0)
}

fn reaches(erratum: Erratum, instruction: &Instruction) -> bool {
    match erratum.0 {
        8 => can_be_skipped(instruction),
        11 => is_read_again(instruction),
        12 => assigns_to_sources(instruction) && reads_a_register(instruction),
        _ => true,
    }
}

/// Returns whether the guard is not plain PT. Plain PT is always true.
fn can_be_skipped(instruction: &Instruction) -> bool {
    let guard = instruction.guard();
    guard.not || guard.source.location().is_some()
}

/// Returns whether a source may be read again after its register was written. FSETP reads `pp`
/// again for `pv`, and FLO reads its operand again for the search.
fn is_read_again(instruction: &Instruction) -> bool {
    let mut outputs = instruction.outputs().map(|operand| operand.source.location());
    let first: Option<Location> = outputs.next().flatten();
    let written_early = first.is_some() && instruction.inputs().any(|i| i.source.location() == first);
    written_early && outputs.all(|second| second.is_some())
}

/// Returns whether the specification's code assigns to its operands, to flush or complement them.
fn assigns_to_sources(instruction: &Instruction) -> bool {
    instruction.modifier("ftz") == Some(FPFtz::FTZ) || instruction.modifier("itype") == Some(IType::S32)
}

fn reads_a_register(instruction: &Instruction) -> bool {
    let is_register = |source: Source| matches!(source, Source::Reg(_) | Source::UReg(_));
    instruction.inputs().any(|i| is_register(i.source) && i.source.location().is_some())
}
