//! Tests the document's tables of special values, for each function and type, under the intended
//! readings. Also tests `.SAT`.

use assay_isa::format::{BF16, F16, Format};
use assay_isa::{Readings, Real};

use super::mufu;
use crate::tests::{check, readings};

const INF: u32 = 0x7f80_0000;
const MINUS: u32 = 0x8000_0000;
const ONE: u32 = 0x3f80_0000;
const NAN: u32 = 0x7fff_ffff;

/// Negative numbers: the normal ones of greatest and least magnitude, and the subnormal ones of
/// greatest and least magnitude.
const NEGATIVE: [u32; 4] = [0xff7f_ffff, 0x8080_0000, 0x807f_ffff, 0x8000_0001];

type Table<'a> = (&'a str, &'a [(u32, u32)]);

const F32: [Table; 8] = [
    ("COS", &[(INF, NAN), (MINUS | INF, NAN), (0, ONE), (MINUS, ONE)]),
    ("SIN", &[(INF, NAN), (MINUS | INF, NAN), (0, 0), (MINUS, MINUS)]),
    ("EX2", &[(INF, INF), (MINUS | INF, 0), (0, ONE), (MINUS, ONE)]),
    ("LG2", &[(INF, INF), (MINUS | INF, NAN), (0, MINUS | INF), (MINUS, MINUS | INF)]),
    ("RCP", &[(INF, 0), (MINUS | INF, MINUS), (0, INF), (MINUS, MINUS | INF)]),
    ("RSQ", &[(INF, 0), (MINUS | INF, NAN), (0, INF), (MINUS, MINUS | INF)]),
    ("SQRT", &[(INF, INF), (MINUS | INF, NAN), (0, 0), (MINUS, MINUS)]),
    ("TANH", &[(INF, ONE), (MINUS | INF, MINUS | ONE), (0, 0), (MINUS, MINUS)]),
];

/// Returns a result clamped to [+0, 1].
fn clamped(row: u32) -> u32 {
    match row {
        INF | ONE => ONE,
        NAN | 0 => 0,
        negative => {
            assert!(negative & MINUS != 0, "{negative:#x} is no row");
            0
        }
    }
}

#[test]
fn f32() {
    for (function, rows) in F32 {
        let nans = [0x7f80_0001, 0x7fc0_0000, 0xffff_ffff].map(|nan| (nan, NAN));
        let refused = ["LG2", "RSQ", "SQRT"].contains(&function);
        let negative = NEGATIVE.iter().filter(|_| refused).map(|bits| (*bits, NAN));
        for (input, expected) in rows.iter().copied().chain(nans).chain(negative) {
            let (plain, sat) = (format!("MUFU_R.{function}.F32"), format!("MUFU_R.{function}.F32.SAT"));
            check(&Readings::INTENDED, &[(&plain, &[input], expected), (&sat, &[input], clamped(expected))]);
        }
    }
}

#[test]
fn numbers_of_f32_have_no_row() {
    for (function, _) in F32 {
        let refuses = ["LG2", "RSQ", "SQRT"].contains(&function);
        let negative = NEGATIVE.iter().filter(|_| !refuses);
        for bits in NEGATIVE.iter().map(|bits| bits ^ MINUS).chain(negative.copied()) {
            let column = mufu(&Readings::INTENDED, &format!("{function}.F32"), &[bits]);
            assert!(matches!(column.values[0], Real::Near(_)), "{function} {bits:#x} {:?}", column.values);
        }
    }
}

#[test]
fn f64() {
    let rows: [(&str, &[(u32, u32)]); 2] = [
        ("RCP", &[(0xfff0_0000, MINUS), (0x800f_ffff, 0xfff0_0000), (0x8000_0001, 0xfff0_0000)]),
        ("RSQ", &[(0xfff0_0000, NAN), (0x800f_ffff, 0xfff0_0000), (0x8000_0001, 0xfff0_0000)]),
    ];
    let shared = [
        (0x8000_0000, 0xfff0_0000),
        (0x0000_0000, 0x7ff0_0000),
        (0x0000_0001, 0x7ff0_0000),
        (0x000f_ffff, 0x7ff0_0000),
        (0x7ff0_0000, 0x0000_0000),
        (0x7ff0_0001, NAN),
        (0xffff_ffff, NAN),
    ];
    for (function, rows) in rows {
        for (input, expected) in rows.iter().copied().chain(shared) {
            for setting in ["E042=1", "E042=2", "E042=3"] {
                check(&readings(&[setting]), &[(&format!("MUFU_R.{function}.F64"), &[input], expected)]);
            }
        }
    }
    check(&Readings::INTENDED, &[("MUFU_R.RSQ.F64", &[0x8010_0000], NAN)]);
    check(&Readings::INTENDED, &[("MUFU_R.RSQ.F64", &[0xffef_ffff], NAN)]);
}

/// Returns the rows of a function in a 16-bit format, as operand and result.
fn short(function: &str, format: Format) -> Vec<(u32, u32)> {
    let (minus, one, infinity) = (0x8000, format.one(), format.infinity());
    let mut rows = match function {
        "EX2" => vec![(0, one), (minus, one), (infinity, infinity), (minus | infinity, 0)],
        _ => vec![(0, 0), (minus, minus), (infinity, one), (minus | infinity, minus | one)],
    };
    rows.extend([infinity + 1, 0x7fff, 0xffff].map(|nan| (nan, 0x7fff)));
    rows
}

#[test]
fn formats_of_16_bits() {
    for (format, packed) in [(F16, "F16_V2"), (BF16, "BF16_V2")] {
        for function in ["EX2", "TANH"] {
            let (single, double) =
                (format!("MUFU_R.{function}.{}", format.name), format!("MUFU_R.{function}.{packed}"));
            let high = format!("{single}.H1");
            let rows = short(function, format);
            for (input, expected) in &rows {
                // The operand's other half does not matter, and the result's upper half is 0.
                check(&Readings::INTENDED, &[(&single, &[0x7fff_0000 | input], *expected)]);
                check(&Readings::INTENDED, &[(&high, &[input << 16 | 0x7fff], *expected)]);
                for (other, beside) in &rows {
                    let (input, expected) = (other << 16 | input, beside << 16 | expected);
                    check(&Readings::INTENDED, &[(&double, &[input], expected)]);
                }
            }
        }
    }
}

/// No 16-bit number has a row, except subnormal operands of EX2.BF16 where E042 flushes them.
#[test]
fn numbers_of_16_bits_have_no_row() {
    for format in [F16, BF16] {
        let is_number = |bits: &u32| format.is_finite(*bits) && bits & !format.sign_mask() != 0;
        let numbers: Vec<u32> = (0..=format.mask()).filter(is_number).collect();
        for function in ["EX2", "TANH"] {
            let suffixes = format!("{function}.{}", format.name);
            for setting in ["E042=1", "E042=2", "E042=3"] {
                let flushes = suffixes == "EX2.BF16" && setting == "E042=3";
                let values = mufu(&readings(&[setting]), &suffixes, &numbers).values;
                for (bits, value) in numbers.iter().zip(values) {
                    let sound = match value {
                        Real::Bits(row) => flushes && format.is_subnormal(*bits) && row == format.one(),
                        Real::Zero | Real::SignedZero { .. } => false,
                        Real::Near(_) => !(flushes && format.is_subnormal(*bits)),
                    };
                    assert!(sound, "{suffixes} {bits:#06x} {setting}: {value:?}");
                }
            }
        }
    }
}
