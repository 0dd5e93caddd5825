//! Measures the speed of other implementations at tasks of `assay`, for the rows of other
//! implementations in the table of `docs/performance.md`.
//!
//! `cargo run --release --manifest-path harness/lab/third-party/rust/Cargo.toml --features peers --example peers` prints a line for each:
//! the name, a tab, the number of cases, a tab, and the seconds on one core.

use std::hint::black_box;
use std::time::Instant;

use rug::{Assign, Float};
use softfloat_wrapper::{F32, Float as _, RoundingMode};

/// Number of cases for a row.
const CASES: u64 = 2_000_000;

/// A measured function: its name, the function in `libm`, and the function in MPFR.
type Function = (&'static str, fn(f32) -> f32, fn(&mut Float));

/// The functions of MUFU that `libm` has.
const FUNCTIONS: [Function; 6] = [
    ("exp2f", libm::exp2f, |x| x.exp2_mut()),
    ("log2f", libm::log2f, |x| x.log2_mut()),
    ("sinf", libm::sinf, |x| x.sin_mut()),
    ("cosf", libm::cosf, |x| x.cos_mut()),
    ("tanhf", libm::tanhf, |x| x.tanh_mut()),
    ("sqrtf", libm::sqrtf, |x| x.sqrt_mut()),
];

fn main() {
    row("SoftFloat 3e, f32_mulAdd alone", CASES * 10, |case| {
        let [a, b, c] = [0, 1, 2].map(|operand| F32::from_bits(bits(3 * case + operand)));
        u64::from(a.fused_mul_add(b, c, RoundingMode::TiesToEven).to_bits())
    });
    let mut sum = Float::new(24);
    let mut operands = [0, 1, 2].map(|_| Float::new(24));
    row("MPFR, fma alone", CASES, |case| {
        for (place, operand) in (0..).zip(&mut operands) {
            operand.assign(number(3 * case + place));
        }
        let [a, b, c] = &operands;
        sum.assign(a.mul_add_ref(b, c));
        u64::from(sum.to_f32().to_bits())
    });
    for (name, function, exact) in FUNCTIONS {
        let mut truth = Float::new(64);
        row(&format!("a loop over inputs, libm's {name} and MPFR"), CASES, |case| {
            let x = number(case);
            truth.assign(x);
            exact(&mut truth);
            let nearest = truth.to_f32();
            // For two numbers of one sign, the distance of the bit patterns is the distance in ulp.
            u64::from(function(x).to_bits().abs_diff(nearest.to_bits()))
        });
    }
}

/// Runs a case `cases` times, and prints the row.
fn row(name: &str, cases: u64, mut case: impl FnMut(u64) -> u64) {
    let began = Instant::now();
    let sum = (0..cases).fold(0_u64, |sum, number| sum.wrapping_add(case(number)));
    black_box(sum);
    println!("{name}\t{cases}\t{:.3}", began.elapsed().as_secs_f64());
}

/// Returns pseudo-random bits for a number: SplitMix64 (Steele, Lea and Flood, "Fast Splittable
/// Pseudorandom Number Generators", 2014).
fn bits(number: u64) -> u32 {
    let x = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((x ^ x >> 31) >> 32) as u32
}

/// Returns a positive number in [2^-63, 2^65). All binades are equally likely. 2^x overflows for
/// nearly half of them.
fn number(number: u64) -> f32 {
    f32::from_bits((bits(number) & 0x3fff_ffff) + 0x2000_0000)
}
