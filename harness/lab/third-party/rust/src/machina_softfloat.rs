//! `machina-softfloat`: the floats of an emulator.

use crate::{Implementation, NOTHING, enter, rounding};
use ::machina_softfloat::{Float32, FloatEnv, RoundMode, ops};

fn environment() -> FloatEnv {
    FloatEnv::new(match rounding() {
        1 => RoundMode::Down,
        2 => RoundMode::Up,
        3 => RoundMode::ToZero,
        _ => RoundMode::NearEven,
    })
}

fn float(bits: u32) -> Float32 {
    Float32::from_bits(bits)
}

extern "C" fn add(a: u32, b: u32) -> u32 {
    ops::add::add(float(a), float(b), &mut environment()).to_bits()
}

extern "C" fn mul(a: u32, b: u32) -> u32 {
    ops::mul::mul(float(a), float(b), &mut environment()).to_bits()
}

extern "C" fn fma(a: u32, b: u32, c: u32) -> u32 {
    ops::fma::fma(float(a), float(b), float(c), &mut environment()).to_bits()
}

extern "C" fn minimum_number(a: u32, b: u32) -> u32 {
    ops::minmax::min(float(a), float(b), &mut environment()).to_bits()
}

extern "C" fn maximum_number(a: u32, b: u32) -> u32 {
    ops::minmax::max(float(a), float(b), &mut environment()).to_bits()
}

extern "C" fn less(a: u32, b: u32) -> u32 {
    ops::compare::lt(float(a), float(b), &mut environment()).into()
}

extern "C" fn equal(a: u32, b: u32) -> u32 {
    ops::compare::eq(float(a), float(b), &mut environment()).into()
}

extern "C" fn sqrt(a: u32) -> u32 {
    ops::sqrt::sqrt(float(a), &mut environment()).to_bits()
}

#[unsafe(no_mangle)]
static the_implementation: Implementation = Implementation {
    name: c"machina-softfloat".as_ptr(),
    modes: modes!(
        c"FADD_RR" c"FMUL_RR" c"!FMUL*.[DM][248]*" c"FFMA_RRR" c"FSETP_RR" c"FMNMX_RR" c"!FMNMX*.NAN*" c"!F*.SAT*"
        c"!F*.FTZ*" c"MUFU_R.SQRT.F32"
    ),
    enter: Some(enter),
    add: Some(add),
    mul: Some(mul),
    fma: Some(fma),
    minimum_number: Some(minimum_number),
    maximum_number: Some(maximum_number),
    less: Some(less),
    equal: Some(equal),
    function: [None, None, None, None, None, None, Some(sqrt), None],
    any_nan: 1,
    ..NOTHING
};
