//! Adapters to crates that are tested as subjects. Each adapter is a table of functions as in
//! `../c/implementation.h`, which `../c/adapter.c` calls.
//!
//! A feature selects the crate. Functions take and return the bits of floats.

use std::ffi::c_char;
use std::sync::atomic::{AtomicU32, Ordering};

/// An operation on one float.
pub type Unary = extern "C" fn(u32) -> u32;
/// An operation on two floats.
pub type Binary = extern "C" fn(u32, u32) -> u32;
/// An operation on three floats.
pub type Ternary = extern "C" fn(u32, u32, u32) -> u32;

/// The struct `implementation` of `../c/implementation.h`, field by field.
#[repr(C)]
pub struct Implementation {
    name: *const c_char,
    version: *const c_char,
    modes: *const *const c_char,
    enter: Option<extern "C" fn(u32, u32)>,
    leave: Option<extern "C" fn()>,
    add: Option<Binary>,
    mul: Option<Binary>,
    fma: Option<Ternary>,
    minimum_number: Option<Binary>,
    maximum_number: Option<Binary>,
    minimum: Option<Binary>,
    maximum: Option<Binary>,
    less: Option<Binary>,
    equal: Option<Binary>,
    /// The functions COS, SIN, EX2, LG2, RCP, RSQ, SQRT and TANH, in this order.
    function: [Option<Unary>; 8],
    popc: Option<Unary>,
    brev: Option<Unary>,
    shift_right: Option<Ternary>,
    shift_left: Option<Ternary>,
    any_nan: u32,
}

// SAFETY: all pointers point to constants.
unsafe impl Sync for Implementation {}

const NOTHING: Implementation = Implementation {
    name: c"".as_ptr(),
    version: c"".as_ptr(),
    modes: std::ptr::null(),
    enter: None,
    leave: None,
    add: None,
    mul: None,
    fma: None,
    minimum_number: None,
    maximum_number: None,
    minimum: None,
    maximum: None,
    less: None,
    equal: None,
    function: [None; 8],
    popc: None,
    brev: None,
    shift_right: None,
    shift_left: None,
    any_nan: 0,
};

/// A list of mode patterns. A null pointer ends the list.
#[repr(transparent)]
pub struct Modes<const N: usize>([*const c_char; N]);

// SAFETY: all pointers point to constants.
unsafe impl<const N: usize> Sync for Modes<N> {}

macro_rules! modes {
    ($($mode:literal)*) => {{
        static MODES: crate::Modes<{ [$($mode),*].len() + 1 }> = crate::Modes([$($mode.as_ptr(),)* std::ptr::null()]);
        (&raw const MODES).cast()
    }};
}
#[allow(unused_imports, reason = "without a feature there is no implementation")]
use modes;

static ROUNDING: AtomicU32 = AtomicU32::new(0);

extern "C" fn enter(rounding: u32, _ftz: u32) {
    ROUNDING.store(rounding, Ordering::Relaxed);
}

/// Returns the rounding direction of the batch: 0 to nearest, 1 down, 2 up, 3 toward zero.
#[allow(dead_code, reason = "implementations that only round to nearest do not ask for it")]
fn rounding() -> u32 {
    ROUNDING.load(Ordering::Relaxed)
}

#[cfg(feature = "machina-softfloat")]
mod machina_softfloat;
#[cfg(feature = "micromath")]
mod micromath;
#[cfg(feature = "rust-libm")]
mod rust_libm;
#[cfg(feature = "rustc-apfloat")]
mod rustc_apfloat;
#[cfg(feature = "simple-soft-float")]
mod simple_soft_float;
#[cfg(feature = "softfloat")]
mod softfloat;
#[cfg(feature = "softfloat3")]
mod softfloat3;
