//! `micromath`: small and fast approximations for microcontrollers.

use crate::{Implementation, NOTHING};
use ::micromath::F32;

fn of(function: fn(F32) -> F32, bits: u32) -> u32 {
    function(F32(f32::from_bits(bits))).0.to_bits()
}

extern "C" fn cos(a: u32) -> u32 {
    of(F32::cos, a)
}

extern "C" fn sin(a: u32) -> u32 {
    of(F32::sin, a)
}

extern "C" fn lg2(a: u32) -> u32 {
    of(F32::log2, a)
}

extern "C" fn rcp(a: u32) -> u32 {
    of(F32::inv, a)
}

extern "C" fn rsq(a: u32) -> u32 {
    of(F32::invsqrt, a)
}

extern "C" fn sqrt(a: u32) -> u32 {
    of(F32::sqrt, a)
}

#[unsafe(no_mangle)]
static the_implementation: Implementation = Implementation {
    name: c"micromath".as_ptr(),
    modes: modes!(
        c"MUFU_R.COS.F32" c"MUFU_R.SIN.F32" c"MUFU_R.LG2.F32" c"MUFU_R.RCP.F32" c"MUFU_R.RSQ.F32" c"MUFU_R.SQRT.F32"
    ),
    function: [Some(cos), Some(sin), None, Some(lg2), Some(rcp), Some(rsq), Some(sqrt), None],
    ..NOTHING
};
