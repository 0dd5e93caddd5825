//! Berkeley SoftFloat 3 in its SSE variant, through `softfloat-wrapper`.

use crate::{Implementation, NOTHING, enter, rounding};
use softfloat_wrapper::{F32, Float, RoundingMode};

fn direction() -> RoundingMode {
    match rounding() {
        1 => RoundingMode::TowardNegative,
        2 => RoundingMode::TowardPositive,
        3 => RoundingMode::TowardZero,
        _ => RoundingMode::TiesToEven,
    }
}

extern "C" fn add(a: u32, b: u32) -> u32 {
    F32::from_bits(a).add(F32::from_bits(b), direction()).to_bits()
}

extern "C" fn mul(a: u32, b: u32) -> u32 {
    F32::from_bits(a).mul(F32::from_bits(b), direction()).to_bits()
}

extern "C" fn fma(a: u32, b: u32, c: u32) -> u32 {
    F32::from_bits(a).fused_mul_add(F32::from_bits(b), F32::from_bits(c), direction()).to_bits()
}

extern "C" fn less(a: u32, b: u32) -> u32 {
    F32::from_bits(a).lt_quiet(F32::from_bits(b)).into()
}

extern "C" fn equal(a: u32, b: u32) -> u32 {
    F32::from_bits(a).eq(F32::from_bits(b)).into()
}

extern "C" fn sqrt(a: u32) -> u32 {
    F32::from_bits(a).sqrt(RoundingMode::TiesToEven).to_bits()
}

#[unsafe(no_mangle)]
static the_implementation: Implementation = Implementation {
    name: c"softfloat3".as_ptr(),
    modes: modes!(
        c"FADD_RR" c"FMUL_RR" c"!FMUL*.[DM][248]*" c"FFMA_RRR" c"FSETP_RR" c"!F*.SAT*" c"!F*.FTZ*" c"MUFU_R.SQRT.F32"
    ),
    enter: Some(enter),
    add: Some(add),
    mul: Some(mul),
    fma: Some(fma),
    less: Some(less),
    equal: Some(equal),
    function: [None, None, None, None, None, None, Some(sqrt), None],
    ..NOTHING
};
