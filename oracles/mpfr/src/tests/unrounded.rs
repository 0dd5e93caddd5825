//! Compares the real numbers before rounding with exact fractions.

use assay_isa::row::FieldType;
use assay_isa::truth::Enclosure;
use assay_isa::{FastOracle, Instruction, Location, Readings, Unrounded};
use proptest::prelude::*;
use rug::ops::Pow;
use rug::{Integer, Rational};

use super::cases::pattern;
use super::{batch, instruction, readings};
use crate::MpfrOracle;

/// Returns the number of the only lane of an instruction on R1, R2 and R3.
fn unrounded(
    readings: &Readings,
    instruction: &Instruction,
    precision: u32,
    operands: [u32; 3],
) -> Option<Unrounded> {
    let [a, b, c] = operands.map(|bits| [bits]);
    let batch = batch(&[(Location::R(1), &a), (Location::R(2), &b), (Location::R(3), &c)]);
    let mut exact = vec![Unrounded::Special; 9];
    let known = MpfrOracle::new(*readings).unrounded(instruction, &batch, precision, &mut exact).unwrap();
    known.then(|| {
        assert_eq!(exact.len(), 1);
        exact[0]
    })
}

/// Returns the exact result. Returns `None` if the number is zero, or if an operand is infinite or
/// a NaN.
fn by_fractions(instruction: &Instruction, operands: [u32; 3]) -> Option<Rational> {
    let inputs: Vec<_> = instruction.inputs().collect();
    let number = |place: usize| {
        let value = f32::from_bits(operands[place]);
        let value = if inputs[place].abs { value.abs() } else { value };
        let value = if inputs[place].neg { -value } else { value };
        Rational::from_f32(if instruction.flag("ftz") && value.is_subnormal() { 0.0 } else { value })
    };
    let scale = ["NoScale", "D2", "D4", "D8", "M2", "M4", "M8"].iter().zip([0, -1, -2, -3, 1, 2, 3]);
    let power = match instruction.form().field("scl").map(|field| field.ty) {
        Some(FieldType::Enum(e)) => {
            let name = e.values[instruction.get("scl")? as usize];
            scale.into_iter().find(|(n, _)| **n == name)?.1
        }
        _ => 0,
    };
    let result = match instruction.optype() {
        "FADD" => number(0)? + number(1)?,
        "FMUL" => number(0)? * number(1)? * Rational::from(2).pow(power),
        _ => number(0)? * number(1)? + number(2)?,
    };
    (result != 0).then_some(result)
}

fn encloses(near: Enclosure, x: &Rational, precision: u32) {
    assert_eq!(128 - near.significand.leading_zeros(), precision, "the top bit of the precision is set");
    assert_eq!(near.negative, *x < 0);
    let unit = Rational::from(2).pow(near.exponent);
    let low = Rational::from(&unit * Integer::from(near.significand));
    let high = Rational::from(&low + &unit);
    let size = Rational::from(x.abs_ref());
    assert_eq!(low == size, near.exact, "{near:?} of {x}");
    assert!(low <= size && size < high, "{near:?} does not enclose {x}");
}

fn agrees(instruction: &Instruction, precision: u32, operands: [u32; 3]) {
    let actual = unrounded(&Readings::INTENDED, instruction, precision, operands);
    match (actual.unwrap(), by_fractions(instruction, operands)) {
        (Unrounded::Special, None) => {}
        (Unrounded::Number(near), Some(x)) => encloses(near, &x, precision),
        (actual, expected) => panic!("{instruction:?} {operands:x?}: {actual:?}, not {expected:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn encloses_the_exact_result(
        form in prop::sample::select(&["FADD_RR", "FMUL_RR", "FFMA_RRR"][..]),
        flags: [bool; 6],
        scale in 0u32..7,
        precision in 1u32..=120,
        (a, b, c) in (pattern(), pattern(), pattern()),
        near in -2i32..=2,
        cancels: bool,
    ) {
        let mut instruction = instruction(form);
        for (field, flag) in ["ftz", "sat", "ra.neg", "ra.abs", "rb.neg", "rb.abs"].iter().zip(flags) {
            instruction.set(field, flag.into());
        }
        if form == "FMUL_RR" {
            instruction.set("scl", scale);
        }
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        let operands = match (cancels, form) {
            (true, "FADD_RR") => [a, (-x).to_bits().wrapping_add_signed(near), c],
            (true, "FFMA_RRR") => [a, b, (-(x * y)).to_bits().wrapping_add_signed(near)],
            _ => [a, b, c],
        };
        agrees(&instruction, precision, operands);
    }
}

#[test]
fn special_lanes_have_no_number() {
    const ONE: u32 = 0x3f80_0000;
    const INF: u32 = 0x7f80_0000;
    let rows = [
        ("FADD_RR", [ONE, 0xbf80_0000, 0], false),
        ("FADD_RR", [INF, ONE, 0], false),
        ("FADD_RR", [0x7fc0_0000, ONE, 0], false),
        ("FADD_RR.FTZ", [1, 1, 0], false),
        ("FADD_RR", [1, 1, 0], true),
        ("FMUL_RR", [0, ONE, 0], false),
        ("FMUL_RR", [1, 1, 0], true),
        ("FMUL_RR", [0, INF, 0], false),
        ("FMUL_RR.M8", [0x7f7f_ffff, 0x7f7f_ffff, 0], true),
        ("FFMA_RRR", [ONE, ONE, INF], false),
        ("FFMA_RRR", [ONE, ONE, 0xbf80_0000], false),
        ("FFMA_RRR.FTZ", [ONE, 0, 1], false),
        ("FFMA_RRR", [0x7f7f_ffff, 0x7f7f_ffff, 1], true),
    ];
    for (text, operands, number) in rows {
        let actual = unrounded(&Readings::INTENDED, &instruction(text), 64, operands);
        assert_eq!(matches!(actual, Some(Unrounded::Number(_))), number, "{text} {operands:x?}");
        agrees(&instruction(text), 120, operands);
    }
}

#[test]
fn saturation_and_rounding_do_not_show() {
    let operands = [0x4040_0000, 0x4040_0000, 0x0000_0001];
    for text in ["FADD_RR", "FMUL_RR", "FFMA_RRR"] {
        let plain = unrounded(&Readings::INTENDED, &instruction(text), 100, operands);
        let modified = instruction(&format!("{text}.SAT.RP"));
        assert_eq!(unrounded(&Readings::INTENDED, &modified, 100, operands), plain, "{text}");
    }
}

#[test]
fn only_arithmetic_as_intended_has_a_number() {
    let ask = |settings: &[&str], text: &str| {
        unrounded(&readings(settings), &instruction(text), 64, [0x3f80_0000; 3]).is_some()
    };
    for setting in [
        "E169=1", "E170=1", "E172=1", "E173=2", "E176=2", "E177=1", "E178=1", "E179=1", "E180=1", "C003=2",
        "C010=2", "C010=3",
    ] {
        assert!(!ask(&[setting], "FFMA_RRR"), "{setting}");
    }
    assert!(ask(&["E012=1", "E008=2", "E186=1", "C001=2", "C009=2", "C011=2"], "FFMA_RRR"));
    for text in ["POPC_R", "FCHK_RR", "MUFU_R.RCP.F32"] {
        assert!(!ask(&[], text), "{text}");
    }
}
