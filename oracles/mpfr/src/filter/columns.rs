//! The kernels over columns, compiled for several instruction sets. The best one for the CPU is
//! chosen at run time.
//!
//! `multiversion` compiles one source for AVX-512, AVX2 and the baseline, and the compiler
//! vectorises these plain loops. Additions, products, quotients, roots and bit operations give the
//! same bits on all of these instruction sets. Rust never fuses a product and a sum.

use assay_isa::format::F32;
use multiversion::multiversion;

use super::Kernel;
use super::elementary::{
    logarithm, power, power_near_one, reciprocal, reciprocal_root, root, tangent, tangent_near_argument,
    tangent_near_one,
};
use super::trigonometric::{
    cosine, cosine_near_one, cosine_of_turns, cosine_of_turns_near_one, sine, sine_near_argument,
    sine_of_turns, window_of,
};

/// Computes base and delta of every argument by one kernel, with the widest instruction set of this
/// CPU.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
pub fn run(kernel: Kernel, arguments: &[u32], bases: &mut [f64], deltas: &mut [f64]) {
    every(kernel, arguments, bases, deltas);
}

/// Computes base and delta of every argument by one kernel, with the baseline instructions of the
/// architecture.
#[inline(never)]
pub fn run_on_baseline(kernel: Kernel, arguments: &[u32], bases: &mut [f64], deltas: &mut [f64]) {
    every(kernel, arguments, bases, deltas);
}

#[inline(always)]
fn every(kernel: Kernel, arguments: &[u32], bases: &mut [f64], deltas: &mut [f64]) {
    let columns = (arguments, bases, deltas);
    match kernel {
        Kernel::Reciprocal => numbers(columns, reciprocal),
        Kernel::Root => numbers(columns, root),
        Kernel::ReciprocalRoot => numbers(columns, reciprocal_root),
        Kernel::Power => numbers(columns, power),
        Kernel::PowerNearOne => numbers(columns, power_near_one),
        Kernel::Logarithm => numbers(columns, logarithm),
        Kernel::Tangent => numbers(columns, tangent),
        Kernel::TangentNearArgument => numbers(columns, tangent_near_argument),
        Kernel::TangentNearOne => numbers(columns, tangent_near_one),
        Kernel::SineNearArgument => numbers(columns, sine_near_argument),
        Kernel::SineOfTurns => numbers(columns, sine_of_turns),
        Kernel::CosineNearOne => numbers(columns, cosine_near_one),
        Kernel::CosineOfTurns => numbers(columns, cosine_of_turns),
        Kernel::CosineOfTurnsNearOne => numbers(columns, cosine_of_turns_near_one),
        Kernel::Sine => angles(columns, sine),
        Kernel::Cosine => angles(columns, cosine),
    }
}

/// Arguments, bases and deltas.
type Columns<'a> = (&'a [u32], &'a mut [f64], &'a mut [f64]);

#[inline(always)]
fn numbers(columns: Columns, kernel: impl Fn(f64) -> (f64, f64)) {
    lanes(columns, |bits| kernel(f64::from(f32::from_bits(bits))));
}

/// Evaluates a kernel of radians. If all arguments have the same exponent, the window for that
/// exponent is loaded only once.
#[inline(always)]
fn angles(columns: Columns, kernel: impl Fn(u32, [u64; 4]) -> (f64, f64)) {
    let arguments = columns.0;
    let Some(&first) = arguments.first() else { return };
    let differences = arguments.iter().fold(0, |bits, argument| bits | (argument ^ first));
    if differences & F32.infinity() == 0 {
        let window = window_of(first);
        lanes(columns, |bits| kernel(bits, window));
    } else {
        lanes(columns, |bits| kernel(bits, window_of(bits)));
    }
}

#[inline(always)]
fn lanes((arguments, bases, deltas): Columns, lane: impl Fn(u32) -> (f64, f64)) {
    for ((bits, base), delta) in arguments.iter().zip(bases).zip(deltas) {
        (*base, *delta) = lane(*bits);
    }
}
