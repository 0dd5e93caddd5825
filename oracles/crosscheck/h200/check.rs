//! Compares `mufu_h200.rs` with digests of the measured results.
//!
//! `rustc -O --edition 2021 check.rs && ./check digests.txt` compares all inputs. `./check digests.txt RCP.F32`
//! compares one function, and `RCP.F32:127` one block of it.

use std::{env, fs, process, thread};

#[path = "mufu_h200.rs"]
mod mufu_h200;

/// A function, by its name in the file of digests.
type Function = (&'static str, fn(u32) -> u32);

const FUNCTIONS: [Function; 14] = [
    ("COS.F32", mufu_h200::cos),
    ("SIN.F32", mufu_h200::sin),
    ("EX2.F32", mufu_h200::ex2),
    ("LG2.F32", mufu_h200::lg2),
    ("RCP.F32", mufu_h200::rcp),
    ("RSQ.F32", mufu_h200::rsq),
    ("SQRT.F32", mufu_h200::sqrt),
    ("TANH.F32", mufu_h200::tanh),
    ("RCP.F64", mufu_h200::rcp64h),
    ("RSQ.F64", mufu_h200::rsq64h),
    ("EX2.F16", mufu_h200::ex2_f16),
    ("TANH.F16", mufu_h200::tanh_f16),
    ("EX2.BF16", mufu_h200::ex2_bf16),
    ("TANH.BF16", mufu_h200::tanh_bf16),
];

/// Returns the digest of the results for `count` inputs from `first` on. `digests.txt` explains it.
fn digest(function: fn(u32) -> u32, first: u32, count: u32) -> u64 {
    let mut sum = 0u64;
    for x in (0..count).map(|nth| first + nth) {
        let z = (u64::from(x) << 32 | u64::from(function(x))).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        sum = sum.wrapping_add(z ^ z >> 31);
    }
    sum
}

/// Compares the selected blocks of a function. Returns the number of compared and of wrong blocks.
fn check((name, function): Function, digests: &str, selected: &[String]) -> (usize, usize) {
    let rows =
        digests.lines().skip_while(|line| *line != name).skip(1).take_while(|line| !line.contains('.'));
    let expected: Vec<u64> = rows
        .flat_map(str::split_whitespace)
        .map(|digest| u64::from_str_radix(digest, 16).expect("a digest"))
        .collect();
    let count = if expected.len() == 1 { 1 << 16 } else { 1 << 23 };
    let is_selected = |block: usize| {
        selected.is_empty() || selected.iter().any(|it| it == name || *it == format!("{name}:{block}"))
    };
    let blocks = expected.iter().enumerate().filter(|(block, _)| is_selected(*block));
    let is_right = blocks.map(|(block, expected)| {
        let first = block as u32 * count;
        let is_right = digest(function, first, count) == *expected;
        if !is_right {
            println!("{name}: a result for the inputs from {first:08x} on is not the measured one");
        }
        is_right
    });
    is_right.fold((0, 0), |(all, wrong), is_right| (all + 1, wrong + usize::from(!is_right)))
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let Some((file, selected)) = arguments.split_first() else {
        eprintln!("usage: check digests.txt [FUNCTION | FUNCTION:BLOCK]...");
        process::exit(2);
    };
    let digests = fs::read_to_string(file).unwrap_or_else(|error| {
        eprintln!("{file}: {error}");
        process::exit(2);
    });
    let counts: Vec<(usize, usize)> = thread::scope(|scope| {
        let digests = &digests;
        let check = |function| scope.spawn(move || check(function, digests, selected));
        let threads: Vec<_> = FUNCTIONS.into_iter().map(check).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    let (all, wrong) = counts.into_iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
    println!("{all} blocks compared, {wrong} wrong");
    process::exit(i32::from(wrong > 0 || all == 0));
}
