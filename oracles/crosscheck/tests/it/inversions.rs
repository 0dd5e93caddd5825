//! Tests the `inversions` of the profile `sm90`: how far the results of an H200 move against the
//! direction of a monotonic function.
//!
//! The figure of a function is the largest such move, over all pairs of arguments of one sign. A
//! move is counted in steps between neighbouring numbers of the format. A sweep compares
//! neighbouring arguments, and a sweep with `--tier quick` compares arguments that are 255 patterns
//! apart. The figure is valid for both kinds of sweep. The ignored test takes every input:
//! `cargo test --profile arith -p assay-crosscheck inversions -- --ignored`.

use crate::h200::{for_each, mufu};
use assay_isa::format::{BF16, F16, F32, F64_HIGH, Format};

/// A function, its direction for positive arguments, and its largest inversion.
struct Function {
    name: &'static str,
    format: Format,
    rises: bool,
    /// Whether the results for negative arguments are numbers.
    is_total: bool,
    steps: u64,
    /// The patterns to test. The range contains the largest inversion, or many of the table's
    /// segments.
    selected: std::ops::Range<u64>,
}

const FUNCTIONS: [Function; 12] = [
    Function::new("RCP.F32", F32, false, true, 0, 0x3f80_0000..0x4000_0000),
    Function::new("RSQ.F32", F32, false, false, 0, 0x3f80_0000..0x4080_0000),
    Function::new("SQRT.F32", F32, true, false, 1, 0x0080_0000..0x0100_0000),
    Function::new("EX2.F32", F32, true, true, 0, 0x3f00_0000..0x3f80_0000),
    Function::new("LG2.F32", F32, true, false, 0, 0x3f80_0000..0x4000_0000),
    Function::new("TANH.F32", F32, true, true, 114, 0x3e00_0000..0x3f00_0000),
    Function::new("RCP.F64", F64_HIGH, false, true, 0, 0x3ff0_0000..0x4000_0000),
    Function::new("RSQ.F64", F64_HIGH, false, false, 0, 0x3ff0_0000..0x4010_0000),
    Function::new("EX2.F16", F16, true, true, 0, 0..0x1_0000),
    Function::new("TANH.F16", F16, true, true, 0, 0..0x1_0000),
    Function::new("EX2.BF16", BF16, true, true, 0, 0..0x1_0000),
    Function::new("TANH.BF16", BF16, true, true, 0, 0..0x1_0000),
];

impl Function {
    const fn new(
        name: &'static str,
        format: Format,
        rises: bool,
        is_total: bool,
        steps: u64,
        selected: std::ops::Range<u64>,
    ) -> Function {
        Function { name, format, rises, is_total, steps, selected }
    }

    /// Returns the largest inversion over all pairs of the arguments, which have one sign. Also
    /// returns the later argument of the pair with the largest inversion.
    fn largest(&self, arguments: std::ops::Range<u64>) -> (u64, u32) {
        let Function { format, rises, .. } = *self;
        let is_negative = format.is_negative(arguments.start as u32);
        // Ascending patterns of negative numbers are descending numbers. So a rising function falls
        // along these patterns, and a falling function rises.
        let direction = if rises == is_negative { -1 } else { 1 };
        let (mut most, mut largest) = (None::<i64>, (0, 0));
        for_each(&mufu(self.name), arguments, |x, y| {
            let is_number = format.exponent_field(x) > 0 && format.is_finite(x) && !format.is_nan(y);
            if !is_number {
                return;
            }
            let place = direction * place(format, y);
            let before = *most.get_or_insert(place);
            most = Some(before.max(place));
            largest = largest.max(((before - place).max(0).unsigned_abs(), x));
        });
        largest
    }
}

/// Returns the position of a number among all numbers of its format.
fn place(format: Format, bits: u32) -> i64 {
    let magnitude = i64::from(bits & !format.sign_mask());
    if format.is_negative(bits) { -magnitude } else { magnitude }
}

#[test]
fn selected_inversions_are_those_of_the_profile() {
    for function in &FUNCTIONS {
        let signs = [0, u64::from(function.format.sign_mask())];
        for sign in signs.into_iter().filter(|sign| function.is_total || *sign == 0) {
            let half = u64::from(function.format.sign_mask());
            let end = function.selected.end.min(half);
            let (steps, at) = function.largest(function.selected.start + sign..end + sign);
            assert_eq!(steps, function.steps, "{} up to {at:08x}", function.name);
        }
    }
}

#[test]
#[ignore = "2^32 inputs of eight functions: `just as-measured`"]
fn inversions_of_all_inputs_are_those_of_the_profile() {
    for function in &FUNCTIONS {
        let half = u64::from(function.format.sign_mask());
        for sign in [0, half].into_iter().filter(|sign| function.is_total || *sign == 0) {
            let (steps, at) = function.largest(sign..half + sign);
            println!("{} {}: {steps} up to {at:08x}", function.name, if sign == 0 { "+" } else { "-" });
            assert_eq!(steps, function.steps, "{} up to {at:08x}", function.name);
        }
    }
}
