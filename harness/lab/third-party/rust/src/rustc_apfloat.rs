//! `rustc_apfloat`: the Rust port of LLVM's APFloat.

use crate::{Implementation, NOTHING, enter, rounding};
use ::rustc_apfloat::{Float, Round, ieee::Single};
use std::cmp::Ordering;
use std::panic;
use std::sync::Once;

fn single(bits: u32) -> Single {
    Single::from_bits(bits.into())
}

fn direction() -> Round {
    match rounding() {
        1 => Round::TowardNegative,
        2 => Round::TowardPositive,
        3 => Round::TowardZero,
        _ => Round::NearestTiesToEven,
    }
}

#[allow(clippy::cast_possible_truncation, reason = "a single has 32 bits")]
fn bits(value: Single) -> u32 {
    value.to_bits() as u32
}

extern "C" fn add(a: u32, b: u32) -> u32 {
    bits(single(a).add_r(single(b), direction()).value)
}

extern "C" fn mul(a: u32, b: u32) -> u32 {
    bits(single(a).mul_r(single(b), direction()).value)
}

/// Returns a result in place of a call that panicked. An older release panics on some sums. The
/// returned result is always wrong: a NaN if all operands are finite, and otherwise a number.
fn no_result(operands: [u32; 3]) -> u32 {
    if operands.into_iter().all(|bits| f32::from_bits(bits).is_finite()) { 0x7fc0_dead } else { 0x0000_dead }
}

extern "C" fn fma(a: u32, b: u32, c: u32) -> u32 {
    static QUIET: Once = Once::new();
    // Each lane that panics becomes a finding. The message is always the same, so it is not
    // printed.
    QUIET.call_once(|| panic::set_hook(Box::new(|_| ())));
    let sum = || bits(single(a).mul_add_r(single(b), single(c), direction()).value);
    panic::catch_unwind(sum).unwrap_or_else(|_| no_result([a, b, c]))
}

extern "C" fn minimum_number(a: u32, b: u32) -> u32 {
    bits(single(a).min(single(b)))
}

extern "C" fn maximum_number(a: u32, b: u32) -> u32 {
    bits(single(a).max(single(b)))
}

extern "C" fn less(a: u32, b: u32) -> u32 {
    (single(a).partial_cmp(&single(b)) == Some(Ordering::Less)).into()
}

extern "C" fn equal(a: u32, b: u32) -> u32 {
    (single(a).partial_cmp(&single(b)) == Some(Ordering::Equal)).into()
}

#[unsafe(no_mangle)]
static the_implementation: Implementation = Implementation {
    name: c"rustc-apfloat".as_ptr(),
    modes: modes!(c"FADD_RR" c"FMUL_RR" c"!FMUL*.[DM][248]*" c"FFMA_RRR" c"FSETP_RR" c"FMNMX_RR" c"!FMNMX*.NAN*" c"!F*.SAT*" c"!F*.FTZ*"),
    enter: Some(enter),
    add: Some(add),
    mul: Some(mul),
    fma: Some(fma),
    minimum_number: Some(minimum_number),
    maximum_number: Some(maximum_number),
    less: Some(less),
    equal: Some(equal),
    any_nan: 1,
    ..NOTHING
};
