//! The command lines of `assay eval` that show a case.

use assay_isa::Location;
use assay_isa::shown::argument;

/// Returns the command that evaluates an instruction on values in every implementation.
pub fn eval_command(asm: &str, values: impl Iterator<Item = (Location, u32)>) -> String {
    let values = values.map(|(location, bits)| format!(" {}", argument(&assignment(location, bits))));
    format!("assay eval {}{}", argument(asm), values.collect::<String>())
}

/// Returns the value of a location as `assay eval` reads it, such as `R1=0x3f800000`.
pub fn assignment(location: Location, bits: u32) -> String {
    if location.is_predicate() {
        format!("{location}={}", bits != 0)
    } else {
        format!("{location}={bits:#010x}")
    }
}
