//! Faults in the comparison of two floats by FSETP and FSET. The unit gets two replacement floats
//! that compare as the fault requires.

use crate::Fault;
use crate::binary32::{ONE, QUIET, SIGN, is_nan};

/// A NaN.
const NAN: u32 = crate::binary32::NAN;

/// Returns two floats whose correct comparison equals the faulty comparison of `a` and `b`.
pub(crate) fn seen(fault: Fault, a: u32, b: u32) -> [u32; 2] {
    let is_unseen = |bits: u32| fault == Fault::FsetSignallingUnseen && bits & QUIET == 0;
    let nan_a = is_nan(a) && !is_unseen(a);
    let nan_b = is_nan(b) && !is_unseen(b) && fault != Fault::FsetpSecondNanUnseen;
    let (x, y) = (place(fault, a), place(fault, b));
    match () {
        () if nan_a || nan_b => [NAN, 0],
        () if x < y => [0, ONE],
        () if x > y => [ONE, 0],
        () => [0, 0],
    }
}

/// Returns the position of a float on the number line. A NaN that the fault treats as a number has
/// a position too. Both zeros have the same position, except under the faults that order zeros.
fn place(fault: Fault, bits: u32) -> i32 {
    let negative = bits as i32 >> 31;
    let place = match fault {
        Fault::FsetpIntegerOrder => bits as i32,
        _ => (bits & !SIGN) as i32 ^ negative,
    };
    let merges = !matches!(fault, Fault::FsetpZeroOrder | Fault::FsetZeroOrder);
    place.wrapping_add((bits >> 31 & u32::from(merges)) as i32)
}
