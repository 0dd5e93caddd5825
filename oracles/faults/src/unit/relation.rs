//! Faults in how FSETP and FSET find two floats to be related: the unit sees two others that are related so.

use crate::Fault;
use crate::binary32::{ONE, QUIET, SIGN, is_nan};

/// A NaN.
const NAN: u32 = crate::binary32::NAN;

/// Returns two operands that are related as the fault finds `a` and `b` to be.
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

/// The place of a float, or of a NaN that is taken for one, on the number line. Both zeros have one place.
fn place(fault: Fault, bits: u32) -> i32 {
    let negative = bits as i32 >> 31;
    let place = match fault {
        Fault::FsetpIntegerOrder => bits as i32,
        _ => (bits & !SIGN) as i32 ^ negative,
    };
    let merges = !matches!(fault, Fault::FsetpZeroOrder | Fault::FsetZeroOrder);
    place.wrapping_add((bits >> 31 & u32::from(merges)) as i32)
}
