//! Compares the speed of each MUFU filter with the speed of MPFR on the same inputs, in every
//! binade of normal numbers.
//!
//! `cargo run --release -p assay-mpfr --example filter`

use std::hint::black_box;
use std::time::Instant;

use assay_isa::format::F32;
use assay_isa::{Batch, Erratum, Location, Oracle, Readings, Truths, asm};
use assay_mpfr::MpfrOracle;
use assay_mpfr::filter::certificate::FUNCTIONS;
use assay_mpfr::filter::certify::has_both_signs;
use assay_mpfr::filter::estimate;

/// Number of inputs that the filter computes in each binade.
const COLUMN: usize = 4096;
/// Number of inputs that MPFR computes in each binade.
const ASKED: usize = 128;
/// Significant bits that a judge requests from MPFR.
const PRECISION: u32 = 96;

fn main() {
    let heads = ["M inputs/s", "ns", "slowest", "at 2^", "MPFR ns", "times"];
    println!("{:12}{}", "filter", heads.map(|head| format!("{head:>12}")).concat());
    for (name, function) in FUNCTIONS {
        let text = format!("MUFU.{}.F32 R0, R1", name.trim_end_matches("-turns").to_uppercase());
        let instruction = asm::parse(&text).expect("it is an instruction");
        let angle = if name.ends_with("-turns") { 2 } else { 1 };
        let mut readings = Readings::INTENDED;
        readings.set(Erratum(35), angle).expect("it has two settings");
        let mut oracle = MpfrOracle::unfiltered(readings);
        let (mut filter, mut mpfr, mut binades) = (0.0, 0.0, 0.0);
        let mut slowest = (0.0, 0);
        let signs = if has_both_signs(function) { vec![0, F32.sign_mask()] } else { vec![0] };
        for field in 1..255_u32 {
            for sign in &signs {
                let first = sign | field << F32.fraction_bits | 0x12_3000;
                let arguments: Vec<u32> = (first..).take(COLUMN).collect();
                let (mut bases, mut deltas) = (vec![0.0; COLUMN], vec![0.0; COLUMN]);
                let ns =
                    best(20, COLUMN, || estimate(function, black_box(&arguments), &mut bases, &mut deltas));
                if ns > slowest.0 {
                    slowest = (ns, field as i32 - F32.bias());
                }
                let mut batch = Batch::new(0, &[Location::R(1)], ASKED);
                batch.column_mut(0).copy_from_slice(&arguments[..ASKED]);
                let mut truths = Truths::default();
                mpfr += best(3, ASKED, || {
                    let known = oracle.truth(&instruction, black_box(&batch), PRECISION, &mut truths);
                    known.expect("MPFR answers");
                });
                (filter, binades) = (filter + ns, binades + 1.0);
            }
        }
        let [filter, mpfr] = [filter, mpfr].map(|sum| sum / binades);
        println!(
            "{name:12}{:12.0}{filter:12.2}{:12.2}{:12}{mpfr:12.0}{:12.0}",
            1e3 / filter,
            slowest.0,
            slowest.1,
            mpfr / filter
        );
    }
}

/// Returns the nanoseconds per input in the fastest of several rounds.
fn best(rounds: u32, inputs: usize, mut round: impl FnMut()) -> f64 {
    let times = (0..rounds).map(|_| {
        let start = Instant::now();
        round();
        start.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min) * 1e9 / inputs as f64
}
