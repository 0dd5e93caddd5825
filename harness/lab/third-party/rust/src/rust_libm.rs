//! `libm`: the mathematical functions of Rust's `core` without a C library.

use crate::{Implementation, NOTHING};

fn of(function: fn(f32) -> f32, bits: u32) -> u32 {
    function(f32::from_bits(bits)).to_bits()
}

extern "C" fn fma(a: u32, b: u32, c: u32) -> u32 {
    libm::fmaf(f32::from_bits(a), f32::from_bits(b), f32::from_bits(c)).to_bits()
}

extern "C" fn minimum_number(a: u32, b: u32) -> u32 {
    libm::fminf(f32::from_bits(a), f32::from_bits(b)).to_bits()
}

extern "C" fn maximum_number(a: u32, b: u32) -> u32 {
    libm::fmaxf(f32::from_bits(a), f32::from_bits(b)).to_bits()
}

extern "C" fn cos(a: u32) -> u32 {
    of(libm::cosf, a)
}

extern "C" fn sin(a: u32) -> u32 {
    of(libm::sinf, a)
}

extern "C" fn ex2(a: u32) -> u32 {
    of(libm::exp2f, a)
}

extern "C" fn lg2(a: u32) -> u32 {
    of(libm::log2f, a)
}

extern "C" fn sqrt(a: u32) -> u32 {
    of(libm::sqrtf, a)
}

extern "C" fn tanh(a: u32) -> u32 {
    of(libm::tanhf, a)
}

#[unsafe(no_mangle)]
static the_implementation: Implementation = Implementation {
    name: c"rust-libm".as_ptr(),
    modes: modes!(
        c"FFMA_RRR" c"!F*.R[MPZ]*" c"!F*.SAT*" c"FMNMX_RR" c"!FMNMX*.NAN*" c"!F*.FTZ*" c"MUFU_R.COS.F32" c"MUFU_R.SIN.F32" c"MUFU_R.EX2.F32"
        c"MUFU_R.LG2.F32" c"MUFU_R.SQRT.F32" c"MUFU_R.TANH.F32"
    ),
    fma: Some(fma),
    minimum_number: Some(minimum_number),
    maximum_number: Some(maximum_number),
    function: [Some(cos), Some(sin), Some(ex2), Some(lg2), None, None, Some(sqrt), Some(tanh)],
    any_nan: 1,
    ..NOTHING
};
