//! `simple-soft-float`: a slow and simple reference in exact arithmetic.

use crate::{Implementation, NOTHING, enter, rounding};
use ::simple_soft_float::{F32, RoundingMode};
use std::cmp::Ordering;

fn direction() -> Option<RoundingMode> {
    Some(match rounding() {
        1 => RoundingMode::TowardNegative,
        2 => RoundingMode::TowardPositive,
        3 => RoundingMode::TowardZero,
        _ => RoundingMode::TiesToEven,
    })
}

extern "C" fn add(a: u32, b: u32) -> u32 {
    F32::from_bits(a).add(&F32::from_bits(b), direction(), None).into_bits()
}

extern "C" fn mul(a: u32, b: u32) -> u32 {
    F32::from_bits(a).mul(&F32::from_bits(b), direction(), None).into_bits()
}

extern "C" fn fma(a: u32, b: u32, c: u32) -> u32 {
    F32::from_bits(a).fused_mul_add(&F32::from_bits(b), &F32::from_bits(c), direction(), None).into_bits()
}

extern "C" fn less(a: u32, b: u32) -> u32 {
    (F32::from_bits(a).compare_quiet(&F32::from_bits(b), None) == Some(Ordering::Less)).into()
}

extern "C" fn equal(a: u32, b: u32) -> u32 {
    (F32::from_bits(a).compare_quiet(&F32::from_bits(b), None) == Some(Ordering::Equal)).into()
}

extern "C" fn sqrt(a: u32) -> u32 {
    F32::from_bits(a).sqrt(Some(RoundingMode::TiesToEven), None).into_bits()
}

extern "C" fn rsq(a: u32) -> u32 {
    F32::from_bits(a).rsqrt(Some(RoundingMode::TiesToEven), None).into_bits()
}

#[unsafe(no_mangle)]
static the_implementation: Implementation = Implementation {
    name: c"simple-soft-float".as_ptr(),
    modes: modes!(
        c"FADD_RR" c"FMUL_RR" c"!FMUL*.[DM][248]*" c"FFMA_RRR" c"FSETP_RR" c"!F*.SAT*" c"!F*.FTZ*" c"MUFU_R.SQRT.F32"
        c"MUFU_R.RSQ.F32"
    ),
    enter: Some(enter),
    add: Some(add),
    mul: Some(mul),
    fma: Some(fma),
    less: Some(less),
    equal: Some(equal),
    function: [None, None, None, None, None, Some(rsq), Some(sqrt), None],
    ..NOTHING
};
