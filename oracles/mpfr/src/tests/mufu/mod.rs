//! MUFU: the columns of its results, the layout of its operands, and which pairs of function and
//! type exist.

use assay_isa::enumeration::Modifier;
use assay_isa::format::{BF16, F16, F32, F64_HIGH, Format};
use assay_isa::tables::types::{MUFUDType, MUFUOp};
use assay_isa::truth::{Enclosure, TruthValues};
use assay_isa::{Answer, Instruction, Location, Oracle, Readings, Real, Truths};
use proptest::prelude::*;

use super::cases::{any_readings, pattern};
use super::{ask, batch, instruction, readings};
use crate::MpfrOracle;

mod enclosures;
mod functions;
mod rows;

/// The pairs of function and type that the document defines.
pub const PAIRS: [&str; 18] = [
    "COS.F32",
    "SIN.F32",
    "EX2.F32",
    "EX2.F16",
    "EX2.F16_V2",
    "EX2.BF16",
    "EX2.BF16_V2",
    "LG2.F32",
    "RCP.F32",
    "RCP.F64",
    "RSQ.F32",
    "RSQ.F64",
    "SQRT.F32",
    "TANH.F32",
    "TANH.F16",
    "TANH.F16_V2",
    "TANH.BF16",
    "TANH.BF16_V2",
];

/// The results in a column of real numbers.
#[derive(Debug, PartialEq)]
pub struct Column {
    pub format: Format,
    packed: usize,
    pub flush: bool,
    pub saturate: bool,
    arguments: Vec<u32>,
    pub values: Vec<Real>,
}

/// Returns the only column of an instruction on R1.
pub fn column(oracle: &mut MpfrOracle, instruction: &Instruction, precision: u32, inputs: &[u32]) -> Column {
    let mut truths = Truths::default();
    let answer = oracle.truth(instruction, &batch(&[(Location::R(1), inputs)]), precision, &mut truths);
    assert_eq!(answer.unwrap(), Answer::Known);
    match &truths.columns()[0].values {
        TruthValues::Bits(_) => panic!("MUFU approximates real numbers"),
        TruthValues::Reals { format, packed, flush, saturate, arguments, values } => Column {
            format: *format,
            packed: *packed,
            flush: *flush,
            saturate: *saturate,
            arguments: arguments.clone(),
            values: values.clone(),
        },
    }
}

/// Returns the column of `MUFU_R` with these suffixes, to 96 bits.
pub fn mufu(readings: &Readings, suffixes: &str, inputs: &[u32]) -> Column {
    let instruction = instruction(&format!("MUFU_R.{suffixes}"));
    column(&mut MpfrOracle::new(*readings), &instruction, 96, inputs)
}

/// Returns 2^exponent or -2^exponent, to `bits` bits.
pub fn power(negative: bool, exponent: i32, bits: u32) -> Real {
    let last = bits - 1;
    let near = Enclosure { negative, significand: 1 << last, exponent: exponent - last as i32, exact: true };
    Real::Near(near)
}

#[test]
fn eighteen_pairs_are_known_and_no_others() {
    for function in MUFUOp::ENUM.values {
        for dtype in MUFUDType::ENUM.values {
            let pair = format!("{function}.{dtype}");
            let mut instruction = instruction(&format!("MUFU_R.{function}"));
            instruction.set("dtype", MUFUDType::ENUM.index_of(dtype).unwrap());
            let (answer, truths) = ask(&Readings::INTENDED, &instruction, &[0]);
            let known = PAIRS.contains(&pair.as_str());
            let expected = if known { (Answer::Known, 1) } else { (Answer::Unsupported, 0) };
            assert_eq!((answer, truths.columns().len()), expected, "{pair}");
        }
    }
}

#[test]
fn formats_and_numbers_of_results() {
    for pair in PAIRS {
        let (_, dtype) = pair.split_once('.').unwrap();
        let expected = match dtype {
            "F32" => (F32, 1),
            "F64" => (F64_HIGH, 1),
            "F16" => (F16, 1),
            "F16_V2" => (F16, 2),
            "BF16" => (BF16, 1),
            _ => (BF16, 2),
        };
        let column = mufu(&Readings::INTENDED, pair, &[0; 3]);
        assert_eq!((column.format, column.packed), expected, "{pair}");
        assert_eq!(column.arguments.len(), 3 * column.packed, "{pair}");
        assert_eq!(column.values.len(), 3 * column.packed, "{pair}");
    }
}

#[test]
fn results_are_flushed_and_clamped_where_the_readings_and_sat_say_so() {
    for pair in PAIRS {
        for setting in 1..=3 {
            let flushes = match pair {
                "TANH.F32" => false,
                "EX2.BF16" | "EX2.BF16_V2" => setting == 3,
                _ => pair.ends_with(".F64") || pair.ends_with(".F32") && setting >= 2,
            };
            let readings = readings(&[&format!("E042={setting}")]);
            let column = mufu(&readings, pair, &[0]);
            assert_eq!((column.flush, column.saturate), (flushes, false), "{pair} E042={setting}");
            if pair.ends_with(".F32") {
                let column = mufu(&readings, &format!("{pair}.SAT"), &[0]);
                assert_eq!((column.flush, column.saturate), (flushes, true), "{pair}.SAT E042={setting}");
            }
        }
    }
}

#[test]
fn arguments_are_halves_lane_by_lane() {
    let inputs = [0x3c00_4000, 0x8001_7c00];
    for (suffixes, arguments) in [
        ("EX2.F16", &[0x4000, 0x7c00][..]),
        ("EX2.F16.H1", &[0x3c00, 0x8001]),
        ("TANH.BF16", &[0x4000, 0x7c00]),
        ("TANH.BF16.H1", &[0x3c00, 0x8001]),
        ("TANH.F16_V2", &[0x4000, 0x3c00, 0x7c00, 0x8001]),
        ("EX2.BF16_V2", &[0x4000, 0x3c00, 0x7c00, 0x8001]),
        ("SIN.F32", &inputs),
        ("RCP.F64", &inputs),
    ] {
        assert_eq!(mufu(&Readings::INTENDED, suffixes, &inputs).arguments, arguments, "{suffixes}");
    }
}

#[test]
fn arguments_have_their_prefixes_and_are_not_flushed() {
    for dtype in ["F32", "F64"] {
        for (neg, abs, expected) in
            [(0, 0, 0x8000_0001), (1, 0, 0x0000_0001), (0, 1, 0x0000_0001), (1, 1, 0x8000_0001)]
        {
            let mut instruction = instruction(&format!("MUFU_R.RCP.{dtype}"));
            instruction.set("rb.neg", neg);
            instruction.set("rb.abs", abs);
            for setting in ["E042=2", "E042=3"] {
                let mut oracle = MpfrOracle::new(readings(&[setting]));
                let column = column(&mut oracle, &instruction, 64, &[0x8000_0001]);
                assert_eq!(column.arguments, [expected], "{dtype} {setting}");
            }
        }
    }
    assert_eq!(mufu(&readings(&["E042=3"]), "EX2.BF16_V2", &[0x8001_007f]).arguments, [0x007f, 0x8001]);
}

#[test]
fn a_literal_of_16_bits_is_the_lower_half() {
    for (dtype, expected) in [("F16", &[0x4000][..]), ("BF16", &[0x4000]), ("F16_V2", &[0x4000, 0x3c00])] {
        let mut literal = instruction(&format!("MUFU_I.EX2.{dtype}"));
        literal.set("vb", 0x3c00_4000);
        let mut oracle = MpfrOracle::default();
        assert_eq!(column(&mut oracle, &literal, 64, &[0]).arguments, expected, "{dtype}");
    }
}

#[test]
fn each_half_has_its_own_value() {
    let column = mufu(&Readings::INTENDED, "EX2.F16_V2", &[0x4000_3c00, 0x7c00_c000]);
    let expected = [power(false, 1, 96), power(false, 2, 96), power(false, -2, 96), Real::Bits(0x7c00)];
    assert_eq!(column.values, expected);
}

#[test]
fn a_false_guard_and_rz_write_nothing() {
    let mut guarded = instruction("MUFU_R.EX2.F16_V2");
    guarded.set("pg", 2);
    let mut truths = Truths::default();
    let batch = batch(&[(Location::P(2), &[1, 0]), (Location::R(1), &[0, 0])]);
    MpfrOracle::default().truth(&guarded, &batch, 96, &mut truths).unwrap();
    let written = &truths.columns()[0].written;
    assert_eq!([0, 1].map(|lane| written.contains(lane)), [true, false]);
    guarded.set("rd", 255);
    MpfrOracle::default().truth(&guarded, &batch, 96, &mut truths).unwrap();
    assert!(truths.columns().is_empty());
}

proptest! {
    /// Under any readings and for any operands, every result has a truth. A special result is no
    /// wider than the format, and a real number has as many bits as requested.
    #[test]
    fn every_result_has_a_truth(
        readings in any_readings(),
        pair in prop::sample::select(&PAIRS[..]),
        precision in 1u32..=120,
        inputs in prop::collection::vec(pattern(), 8),
    ) {
        let instruction = instruction(&format!("MUFU_R.{pair}"));
        let column = column(&mut MpfrOracle::new(readings), &instruction, precision, &inputs);
        prop_assert_eq!(column.values.len(), inputs.len() * column.packed);
        for real in column.values {
            let sound = match real {
                Real::Bits(bits) => bits & !column.format.mask() == 0,
                Real::Zero | Real::SignedZero { .. } => true,
                Real::Near(near) => near.significand.ilog2() + 1 == precision,
            };
            prop_assert!(sound, "{} {:?}", pair, real);
        }
    }
}
