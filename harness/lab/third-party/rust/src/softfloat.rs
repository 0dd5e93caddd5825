//! `softfloat`: floats for constant expressions, rounded to nearest.

use crate::{Implementation, NOTHING};
use ::softfloat::F32;
use std::cmp::Ordering;

extern "C" fn add(a: u32, b: u32) -> u32 {
    F32::from_bits(a).add(F32::from_bits(b)).to_bits()
}

extern "C" fn mul(a: u32, b: u32) -> u32 {
    F32::from_bits(a).mul(F32::from_bits(b)).to_bits()
}

extern "C" fn less(a: u32, b: u32) -> u32 {
    (F32::from_bits(a).cmp(F32::from_bits(b)) == Some(Ordering::Less)).into()
}

extern "C" fn equal(a: u32, b: u32) -> u32 {
    (F32::from_bits(a).cmp(F32::from_bits(b)) == Some(Ordering::Equal)).into()
}

extern "C" fn sqrt(a: u32) -> u32 {
    F32::from_bits(a).sqrt().to_bits()
}

extern "C" fn sin(a: u32) -> u32 {
    F32::from_bits(a).sin().to_bits()
}

extern "C" fn cos(a: u32) -> u32 {
    F32::from_bits(a).cos().to_bits()
}

#[unsafe(no_mangle)]
static the_implementation: Implementation = Implementation {
    name: c"softfloat".as_ptr(),
    modes: modes!(
        c"FADD_RR" c"FMUL_RR" c"!FMUL*.[DM][248]*" c"!F*.R[MPZ]*" c"!F*.SAT*" c"FSETP_RR" c"!F*.FTZ*" c"MUFU_R.SQRT.F32" c"MUFU_R.SIN.F32" c"MUFU_R.COS.F32"
    ),
    add: Some(add),
    mul: Some(mul),
    less: Some(less),
    equal: Some(equal),
    function: [Some(cos), Some(sin), None, None, None, None, Some(sqrt), None],
    any_nan: 1,
    ..NOTHING
};
