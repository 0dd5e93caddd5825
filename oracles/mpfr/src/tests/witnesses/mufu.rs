//! Witnesses of the errata about MUFU. A result is the bits of a row, or else the nearest number of
//! the format.

use assay_isa::format::Format;
use assay_isa::truth::{Enclosure, Estimates};
use assay_isa::{Erratum, FastOracle, Location, Real};
use rug::{Float, Integer};

use super::{ask, instruction, prove, readings};
use crate::MpfrOracle;
use crate::tests::batch;
use crate::tests::mufu::mufu;

/// Returns the number of a format nearest to an enclosed number, ties to even. The format must be
/// able to represent the nearest number.
fn round(format: Format, near: Enclosure) -> u32 {
    // One more bit, below the requested ones, records that digits were cut off, so that the value
    // is rounded only once.
    let significand = near.significand << 1 | u128::from(!near.exact);
    let value = Float::with_val(128, Integer::from(significand)) << (near.exponent - 1);
    let exponent = near.significand.ilog2() as i32 + near.exponent;
    let unit = exponent.max(format.emin()) - format.fraction_bits as i32;
    // The leading bit of a normal significand adds one to the exponent field.
    let significand = (value >> unit).round_even().to_u32_saturating().unwrap();
    let magnitude = significand + (((unit - format.grid()) as u32) << format.fraction_bits);
    if near.negative { magnitude | format.sign_mask() } else { magnitude }
}

/// Returns the correctly rounded result word for one input. A packed type has one result per half.
/// Results are clamped if `saturate` is set, and flushed if `flush` is set.
fn nearest(settings: &[&str], suffixes: &str, input: u32) -> u32 {
    let column = mufu(&readings(settings), suffixes, &[input]);
    let format = column.format;
    let result = |real: &Real| match real {
        Real::Bits(bits) => *bits,
        Real::SignedZero { negative: true } if !column.saturate => format.sign_mask(),
        Real::Zero | Real::SignedZero { .. } => 0,
        Real::Near(near) if column.saturate && near.negative => 0,
        Real::Near(near) => match round(format, *near) {
            bits if column.saturate => bits.min(format.one()),
            bits => bits,
        },
    };
    let flushed =
        |bits: u32| if column.flush && format.is_subnormal(bits) { bits & format.sign_mask() } else { bits };
    let shifts = (0..).step_by(format.width() as usize);
    column.values.iter().zip(shifts).fold(0, |word, (real, shift)| word | flushed(result(real)) << shift)
}

/// Compares the oracle with rows of suffixes, operand, and the nearest result under each setting of
/// a switch.
fn prove_nearest<const SETTINGS: usize>(erratum: &str, rows: &[(&str, u32, [u32; SETTINGS])]) {
    for setting in 1..=SETTINGS {
        for (suffixes, input, expected) in rows {
            let switch = format!("{erratum}={setting}");
            let actual = nearest(&[&switch], suffixes, *input);
            assert_eq!(actual, expected[setting - 1], "{suffixes} {input:#x}, {switch}: {actual:#010x}");
        }
    }
}

#[test]
fn e033_swapped_names() {
    prove_nearest(
        "E033",
        &[
            ("COS.F32", 0x3f80_0000, [0x3f57_6aa4, 0x3f0a_5140]),
            ("SIN.F32", 0x3f80_0000, [0x3f0a_5140, 0x3f57_6aa4]),
            ("COS.F32", 0x8000_0000, [0x8000_0000, 0x3f80_0000]),
            ("SIN.F32", 0x8000_0000, [0x3f80_0000, 0x8000_0000]),
        ],
    );
}

#[test]
fn e034_cosine_of_a_zero() {
    prove_nearest(
        "E034",
        &[
            ("COS.F32", 0x0000_0000, [0x0000_0000, 0x3f80_0000]),
            ("COS.F32", 0x8000_0000, [0x8000_0000, 0x3f80_0000]),
            ("COS.F32.SAT", 0x8000_0000, [0x0000_0000, 0x3f80_0000]),
            ("COS.F32", 0x0000_0001, [0x3f80_0000; 2]),
            ("SIN.F32", 0x8000_0000, [0x8000_0000; 2]),
        ],
    );
    // E034 is about the cosine, even under the name SIN, and about numbers that are flushed to
    // zero.
    for (switches, suffixes, input, expected) in [
        (["E034=1", "E033=1"], "SIN.F32", 0x8000_0000, 0x8000_0000),
        (["E034=2", "E033=1"], "COS.F32", 0x8000_0000, 0x8000_0000),
        (["E034=1", "E042=2"], "COS.F32", 0x8000_0001, 0x8000_0000),
        (["E034=2", "E042=2"], "COS.F32", 0x8000_0001, 0x3f80_0000),
        (["E034=1", "E042=3"], "COS.F32", 0x8000_0001, 0x8000_0000),
        (["E034=1", "E035=2"], "COS.F32", 0x8000_0000, 0x8000_0000),
    ] {
        assert_eq!(nearest(&switches, suffixes, input), expected, "{switches:?} {suffixes}");
    }
}

#[test]
fn e035_unit_of_angles() {
    prove_nearest(
        "E035",
        &[
            ("SIN.F32", 0x3e80_0000, [0x3e7d_5777, 0x3f80_0000]),
            ("COS.F32", 0x3e00_0000, [0x3f7e_00ab, 0x3f35_04f3]),
            ("COS.F32", 0x3f00_0000, [0x3f60_a940, 0xbf80_0000]),
        ],
    );
    // The sine of multiples of half a turn, and the cosine of odd quarter turns, are exactly zero,
    // though they have no row.
    let turns = readings(&["E035=2"]);
    for bits in [0x3f00_0000, 0xbf00_0000, 0x3f80_0000, 0xbfc0_0000, 0x4b80_0001, 0x7f7f_ffff] {
        // IEEE 754-2019, sinPi: the zero has the sign of the argument.
        let zero = Real::SignedZero { negative: bits >> 31 == 1 };
        assert_eq!(mufu(&turns, "SIN.F32", &[bits]).values, [zero], "{bits:#x}");
    }
    for bits in [0x3e80_0000, 0xbe80_0000, 0x3f40_0000, 0x40a8_0000] {
        assert_eq!(mufu(&turns, "COS.F32", &[bits]).values, [Real::Zero], "{bits:#x}");
    }
}

/// The sine's arguments in turns are ±½, ±1, 1½, 2^22 + ½, -(2^24 + 2) and the largest number. The
/// cosine's are odd quarters.
#[test]
fn c007_zeros_of_turns() {
    let table: [(&str, &[(u32, bool)]); 2] = [
        (
            "SIN.F32",
            &[
                (0x3f00_0000, true),
                (0xbf00_0000, false),
                (0x3f80_0000, false),
                (0xbf80_0000, true),
                (0x3fc0_0000, true),
                (0x4a80_0001, true),
                (0xcb80_0001, true),
                (0x7f7f_ffff, false),
            ],
        ),
        ("COS.F32", &[(0x3e80_0000, true), (0xbe80_0000, true), (0x3f40_0000, false), (0x40a8_0000, true)]),
    ];
    let of_next = readings(&["E035=2", "C007=2"]);
    for (suffixes, zeros) in table {
        let arguments: Vec<u32> = zeros.iter().map(|(bits, _)| *bits).collect();
        let expected: Vec<_> =
            zeros.iter().map(|(_, negative)| Real::SignedZero { negative: *negative }).collect();
        assert_eq!(mufu(&of_next, suffixes, &arguments).values, expected, "{suffixes}");
        let mut estimates = Estimates::default();
        let instruction = instruction(&format!("MUFU_R.{suffixes}"));
        let batch = batch(&[(Location::R(1), &arguments)]);
        assert!(MpfrOracle::new(of_next).estimate(&instruction, &batch, &mut estimates).unwrap());
        let signs = zeros.iter().map(|(_, negative)| if *negative { -0.0_f64 } else { 0.0 }.to_bits());
        assert!(
            estimates.bases.iter().map(|base| base.to_bits()).eq(signs),
            "{suffixes}: {:?}",
            estimates.bases
        );
        assert!(estimates.traits.signed_zeros, "{suffixes}");
    }
    // The zero of log₂ 1 has no sign, and the sine of a zero is that zero.
    assert_eq!(mufu(&of_next, "LG2.F32", &[0x3f80_0000]).values, [Real::Zero]);
    assert_eq!(mufu(&of_next, "SIN.F32", &[0x8000_0000]).values, [Real::Bits(0x8000_0000)]);
}

#[test]
fn e036_quiet_nan_of_f32() {
    prove(
        "E036",
        &[
            ("MUFU_R.RCP.F32", &[0x7fc0_0000], &[0xffff_ffff, 0x7fff_ffff]),
            ("MUFU_R.SIN.F32", &[0x7f80_0000], &[0xffff_ffff, 0x7fff_ffff]),
            ("MUFU_R.LG2.F32", &[0xff80_0001], &[0xffff_ffff, 0x7fff_ffff]),
            ("MUFU_R.SQRT.F32", &[0xbf80_0000], &[0xffff_ffff, 0x7fff_ffff]),
            ("MUFU_R.RCP.F32.SAT", &[0x7fc0_0000], &[0, 0]),
            ("MUFU_R.RSQ.F64", &[0x7ff8_0000], &[0x7fff_ffff; 2]),
            ("MUFU_R.TANH.F16", &[0x7e00], &[0x7fff; 2]),
            ("MUFU_R.EX2.BF16_V2", &[0x7f80_ffff], &[0x7f80_7fff; 2]),
        ],
    );
}

#[test]
fn e037_nan_in_one_half() {
    prove(
        "E037",
        &[
            ("MUFU_R.TANH.F16_V2", &[0x7e00_0000], &[0x7fff_7fff, 0x7fff_0000]),
            ("MUFU_R.TANH.F16_V2", &[0x0000_fe00], &[0x7fff_7fff, 0x0000_7fff]),
            ("MUFU_R.EX2.BF16_V2", &[0x7f81_0000], &[0x7fff_7fff, 0x7fff_3f80]),
            ("MUFU_R.EX2.F16_V2", &[0x7c00_0000], &[0x7c00_3c00; 2]),
            ("MUFU_R.TANH.F16", &[0x7e00_0000], &[0; 2]),
            ("MUFU_R.TANH.F16.H1", &[0x7e00_0000], &[0x7fff; 2]),
        ],
    );
    // The other half of the operand need not have a row. Other lanes are not affected.
    let lanes = mufu(&readings(&["E037=1"]), "TANH.F16_V2", &[0x7e00_3800, 0x0000_8000]);
    assert_eq!(lanes.values, [0x7fff, 0x7fff, 0x8000, 0].map(Real::Bits));
}

/// Returns the errata that leave the only lane of an instruction on R1 undefined.
fn undefined(settings: &[&str], suffixes: &str, input: u32) -> Vec<Erratum> {
    let (_, truths) = ask(&readings(settings), &instruction(&format!("MUFU_R.{suffixes}")), &[input]);
    truths.undefined().iter().map(|(_, erratum)| *erratum).collect()
}

#[test]
fn e040_half_of_a_special_value() {
    prove(
        "E040",
        &[
            ("MUFU_R.RCP.F64", &[0x7ff8_0000], &[0, 0x7fff_ffff]),
            ("MUFU_R.RCP.F64", &[0xfff0_0000], &[0, 0x8000_0000]),
            ("MUFU_R.RCP.F64", &[0x8000_0000], &[0, 0xfff0_0000]),
            ("MUFU_R.RCP.F64", &[0x0000_0001], &[0, 0x7ff0_0000]),
            ("MUFU_R.RSQ.F64", &[0x8000_0001], &[0, 0xfff0_0000]),
            ("MUFU_R.RSQ.F64", &[0xc010_0000], &[0, 0x7fff_ffff]),
            ("MUFU_R.RCP.F32", &[0x8000_0000], &[0xff80_0000; 2]),
            ("MUFU_R.RSQ.F32", &[0x8000_0000], &[0xff80_0000; 2]),
        ],
    );
}

#[test]
fn e040_numbers_have_no_low_half() {
    for function in ["RCP.F64", "RSQ.F64"] {
        for (input, is_row) in [(0x4000_0000, false), (0x0010_0000, false), (0x000f_ffff, true), (0, true)] {
            let expected = if is_row { vec![] } else { vec![Erratum(40)] };
            assert_eq!(undefined(&["E040=1"], function, input), expected, "{function} {input:#x}");
            assert!(undefined(&["E040=2"], function, input).is_empty());
        }
    }
    assert!(undefined(&["E040=1"], "RCP.F32", 0x4000_0000).is_empty(), "F32 has no halves");
}

#[test]
fn e041_negative_numbers() {
    for input in [0xc010_0000, 0x8010_0000, 0xffef_ffff] {
        assert_eq!(undefined(&["E041=1"], "RSQ.F64", input), [Erratum(41)], "{input:#x}");
        assert_eq!(undefined(&["E041=1", "E040=1"], "RSQ.F64", input), [Erratum(41)], "{input:#x}");
        assert_eq!(nearest(&["E041=2"], "RSQ.F64", input), 0x7fff_ffff, "{input:#x}");
        assert!(undefined(&["E041=1"], "RSQ.F32", input).is_empty());
        assert!(undefined(&["E041=1"], "RCP.F64", input).is_empty());
    }
    for input in [0x8000_0000, 0x800f_ffff, 0xfff0_0000, 0x7ff8_0000, 0xfff8_0000, 0x4010_0000] {
        assert!(undefined(&["E041=1"], "RSQ.F64", input).is_empty(), "{input:#x}");
    }
}

#[test]
fn e042_subnormals_of_f32() {
    prove_nearest(
        "E042",
        &[
            ("RSQ.F32", 0x8000_0001, [0x7fff_ffff, 0xff80_0000, 0xff80_0000]),
            ("RSQ.F32", 0x0000_0001, [0x64b5_04f3, 0x7f80_0000, 0x7f80_0000]),
            ("SQRT.F32", 0x8000_0001, [0x7fff_ffff, 0x8000_0000, 0x8000_0000]),
            ("LG2.F32", 0x0000_0001, [0xc315_0000, 0xff80_0000, 0xff80_0000]),
            ("LG2.F32", 0x807f_ffff, [0x7fff_ffff, 0xff80_0000, 0xff80_0000]),
            ("RCP.F32", 0x0040_0000, [0x7f00_0000, 0x7f80_0000, 0x7f80_0000]),
            ("RCP.F32", 0x8040_0000, [0xff00_0000, 0xff80_0000, 0xff80_0000]),
            ("RCP.F32.SAT", 0x8040_0000, [0; 3]),
            ("RSQ.F32.SAT", 0x8000_0001, [0; 3]),
            ("EX2.F32", 0x8000_0001, [0x3f80_0000; 3]),
            ("SIN.F32", 0x8000_0001, [0x8000_0001, 0x8000_0000, 0x8000_0000]),
            ("SIN.F32.SAT", 0x0000_0001, [0x0000_0001, 0, 0]),
            ("COS.F32", 0x8000_0001, [0x3f80_0000; 3]),
            ("TANH.F32", 0x8040_0001, [0x8040_0001; 3]),
            ("TANH.F32", 0x007f_ffff, [0x007f_ffff; 3]),
            ("TANH.F32.SAT", 0x007f_ffff, [0x007f_ffff; 3]),
            // Results: 2^-126, 2^-127, 2^-130 and -2^-127.
            ("EX2.F32", 0xc2fc_0000, [0x0080_0000; 3]),
            ("EX2.F32", 0xc2fe_0000, [0x0040_0000, 0, 0]),
            ("EX2.F32", 0xc302_0000, [0x0008_0000, 0, 0]),
            ("EX2.F32.SAT", 0xc302_0000, [0x0008_0000, 0, 0]),
            ("RCP.F32", 0xff00_0000, [0x8040_0000, 0x8000_0000, 0x8000_0000]),
        ],
    );
    for setting in ["E042=2", "E042=3"] {
        for (suffixes, input, row) in [
            ("TANH.F32", 0x8040_0001, 0x8040_0001),
            ("TANH.F32", 0x0000_0001, 0x0000_0001),
            ("TANH.F32.SAT", 0x0000_0001, 0x0000_0001),
            ("TANH.F32.SAT", 0x8000_0001, 0x0000_0000),
            ("EX2.F32", 0x0000_0001, 0x3f80_0000),
            ("RCP.F64", 0x0000_0001, 0x7ff0_0000),
        ] {
            let column = mufu(&readings(&[setting]), suffixes, &[input]);
            assert_eq!(column.values, [Real::Bits(row)], "{suffixes} {input:#x}, {setting}");
        }
    }
}

#[test]
fn e042_subnormals_of_16_bits() {
    prove_nearest(
        "E042",
        &[
            // 2^-126 is normal; 2^-126.5, 2^-127, 2^-133 and 2^-134, half of the least number, are not.
            ("EX2.BF16", 0xc2fc, [0x0080; 3]),
            ("EX2.BF16", 0xc2fd, [0x005b, 0x005b, 0]),
            ("EX2.BF16", 0xc2fe, [0x0040, 0x0040, 0]),
            ("EX2.BF16", 0xc305, [0x0001, 0x0001, 0]),
            ("EX2.BF16", 0xc306, [0; 3]),
            ("EX2.BF16.H1", 0xc2fe_c2fc, [0x0040, 0x0040, 0]),
            ("EX2.BF16", 0x0001, [0x3f80; 3]),
            ("EX2.BF16", 0x807f, [0x3f80; 3]),
            // Each half is flushed independently.
            ("EX2.BF16_V2", 0xc2fe_c2fc, [0x0040_0080, 0x0040_0080, 0x0000_0080]),
            ("EX2.BF16_V2", 0xc2fc_c305, [0x0080_0001, 0x0080_0001, 0x0080_0000]),
            ("EX2.BF16_V2", 0x8001_c2fd, [0x3f80_005b, 0x3f80_005b, 0x3f80_0000]),
            ("EX2.BF16_V2", 0x7fff_c2fe, [0x7fff_0040, 0x7fff_0040, 0x7fff_0000]),
            // F16 is never flushed, nor is TANH.BF16.
            ("TANH.BF16", 0x0001, [0x0001; 3]),
            ("TANH.BF16", 0x807f, [0x807f; 3]),
            ("TANH.BF16_V2", 0x8001_007f, [0x8001_007f; 3]),
            ("EX2.F16", 0xcb80, [0x0200; 3]),
            ("EX2.F16", 0x8001, [0x3c00; 3]),
            ("EX2.F16_V2", 0xce00_cb80, [0x0001_0200; 3]),
            ("TANH.F16", 0x8001, [0x8001; 3]),
            ("TANH.F16_V2", 0x03ff_8001, [0x03ff_8001; 3]),
        ],
    );
    // If one half is NaN, both results become NaN, even if the other half was flushed.
    assert_eq!(nearest(&["E037=1", "E042=3"], "EX2.BF16_V2", 0x7fff_c2fe), 0x7fff_7fff);
}
