//! What several facts exclude together: classes of results that no case with a class of an operand has.
//!
//! As in `unreachable`, an entry that is hit all the same is reported as loudly as a bin that is missed.

use assay_isa::{Instruction, Readings};

/// Why no case of a mode with an operand of a class has a result of a class, if none has. Operand and result are
/// given by name and class, and each of the classes is possible by itself.
pub(super) fn flow(
    mode: &Instruction,
    readings: &Readings,
    (operand, class): (&str, &str),
    (result, becomes): (&str, &str),
) -> Option<&'static str> {
    let _ = (mode, readings, operand, class, result, becomes);
    None
}

/// Why no case of a mode in which two operands are one register has a result of a class, if none has.
pub(super) fn same(mode: &Instruction, readings: &Readings, becomes: &str) -> Option<&'static str> {
    let _ = (mode, readings, becomes);
    None
}
