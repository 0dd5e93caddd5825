//! Tests MUFU with tables: the special rows of every pair of function and type, halves and packed
//! operands, prefixes, `.SAT`, and every reading that affects MUFU.

use crate::support::{effects, result, result_under, under};
use assay_isa::Erratum;

const INF: u32 = 0x7f80_0000;
const NEG_INF: u32 = 0xff80_0000;
const NAN: u32 = 0x7fff_ffff;
const NEG_0: u32 = 0x8000_0000;
const ONE: u32 = 0x3f80_0000;
const NEG_1: u32 = 0xbf80_0000;
const TINY: u32 = 0x0000_0001;
const NEG_TINY: u32 = 0x8000_0001;
const LEAST: u32 = 0x0080_0000;

/// Operands with their results.
type Rows = &'static [(u32, u32)];

/// Operands and results of F32, apart from NaN.
#[rustfmt::skip]
const SINGLE: &[(&str, Rows)] = &[
    ("COS", &[(0, ONE), (NEG_0, ONE), (INF, NAN), (NEG_INF, NAN), (TINY, ONE), (NEG_TINY, ONE)]),
    ("SIN", &[(0, 0), (NEG_0, NEG_0), (INF, NAN), (NEG_INF, NAN), (TINY, TINY), (NEG_TINY, NEG_TINY)]),
    ("EX2", &[(0, ONE), (NEG_0, ONE), (INF, INF), (NEG_INF, 0), (TINY, ONE), (ONE, 0x4000_0000), (NEG_1, 0x3f00_0000),
        (0x4300_0000, INF), (0x7f7f_ffff, INF), (0xff7f_ffff, 0), (0xc302_0000, 0x0008_0000), (0xc315_0000, TINY)]),
    ("LG2", &[(0, NEG_INF), (NEG_0, NEG_INF), (INF, INF), (NEG_INF, NAN), (NEG_TINY, NAN), (NEG_1, NAN), (0xff7f_ffff, NAN),
        (TINY, 0xc315_0000), (ONE, 0), (0x4100_0000, 0x4040_0000)]),
    ("RCP", &[(0, INF), (NEG_0, NEG_INF), (INF, 0), (NEG_INF, NEG_0), (TINY, INF), (NEG_TINY, NEG_INF), (0x0020_0000, INF),
        (0x0040_0000, 0x7f00_0000), (0x7f00_0000, 0x0040_0000), (0x4000_0000, 0x3f00_0000), (0xc000_0000, 0xbf00_0000), (LEAST, 0x7e80_0000)]),
    ("RSQ", &[(0, INF), (NEG_0, NEG_INF), (INF, 0), (NEG_INF, NAN), (NEG_TINY, NAN), (NEG_1, NAN), (ONE, ONE),
        (0x4080_0000, 0x3f00_0000), (0x0008_0000, 0x6000_0000)]),
    ("SQRT", &[(0, 0), (NEG_0, NEG_0), (INF, INF), (NEG_INF, NAN), (NEG_TINY, NAN), (NEG_1, NAN), (ONE, ONE),
        (0x4080_0000, 0x4000_0000), (0x0008_0000, 0x1f00_0000)]),
    ("TANH", &[(0, 0), (NEG_0, NEG_0), (INF, ONE), (NEG_INF, NEG_1), (TINY, TINY), (NEG_TINY, NEG_TINY), (0x7f7f_ffff, ONE)]),
];
const NANS: [u32; 5] = [NAN, 0x7f80_0001, 0xff80_0001, 0x7fc0_0000, 0xffff_ffff];

fn saturated(bits: u32) -> u32 {
    if bits > INF { 0 } else { bits.min(ONE) }
}

#[test]
fn rows_of_single_precision() {
    for (function, rows) in SINGLE {
        let nans = NANS.map(|nan| (nan, NAN));
        for (x, expected) in rows.iter().copied().chain(nans) {
            let text = format!("MUFU.{function}.F32");
            let found = result(&text, &[x]);
            assert_eq!(found, expected, "{text} {x:#010x} gives {found:#010x}");
            assert_eq!(result(&(text + ".SAT"), &[x]), saturated(expected), "{function}.SAT {x:#010x}");
            let prefixed = |prefix: &str, x| {
                let fields = [("mufuop", *function), (prefix, "True")];
                result_under(&[], "MUFU_R", &fields, &[x])
            };
            assert_eq!(prefixed("rb.neg", x ^ NEG_0), expected, "{function} {x:#010x}");
            if x & NEG_0 == 0 {
                assert_eq!(prefixed("rb.abs", x), expected, "{function} {x:#010x}");
                assert_eq!(prefixed("rb.abs", x | NEG_0), expected, "{function} {x:#010x}");
            }
            let fields = [("mufuop", *function)];
            assert_eq!(result_under(&[], "MUFU_I", &fields, &[x]), expected, "{function} {x:#010x}");
        }
    }
    let negative = [("mufuop", "RCP"), ("rb.neg", "True"), ("rb.abs", "True")];
    assert_eq!(result_under(&[], "MUFU_R", &negative, &[ONE]), NEG_1);
    assert_eq!(result_under(&[], "MUFU_R", &negative, &[NEG_1]), NEG_1);
}

#[test]
#[rustfmt::skip]
fn rows_of_high_words() {
    const INF: u32 = 0x7ff0_0000;
    const NEG_INF: u32 = 0xfff0_0000;
    let table: &[(&str, Rows)] = &[
        ("RCP", &[(0, INF), (NEG_0, NEG_INF), (1, INF), (0x000f_ffff, INF), (0x8000_0001, NEG_INF), (0x800f_ffff, NEG_INF),
            (INF, 0), (NEG_INF, NEG_0), (0x4000_0000, 0x3fe0_0000), (0xc000_0000, 0xbfe0_0000), (0x0010_0000, 0x7fd0_0000),
            (0x7fd0_0000, 0x0010_0000), (0x7fd0_0001, 0), (0xffe0_0000, NEG_0), (0x7fef_ffff, 0)]),
        ("RSQ", &[(0, INF), (NEG_0, NEG_INF), (1, INF), (0x000f_ffff, INF), (0x8000_0001, NEG_INF), (0x800f_ffff, NEG_INF),
            (INF, 0), (NEG_INF, NAN), (0x8010_0000, NAN), (0xbff0_0000, NAN), (0xffef_ffff, NAN), (0x4010_0000, 0x3fe0_0000),
            (0x3ff0_0000, 0x3ff0_0000), (0x0010_0000, 0x5fe0_0000)]),
    ];
    for (function, rows) in table {
        let nans = [0x7ff0_0001, 0xfff0_0001, 0x7ff8_0000, NAN, 0xffff_ffff].map(|nan| (nan, NAN));
        for (x, expected) in rows.iter().copied().chain(nans) {
            let text = format!("MUFU.{function}.F64");
            let found = result(&text, &[x]);
            assert_eq!(found, expected, "{text} {x:#010x} gives {found:#010x}");
            // An immediate is the high word (E045). Prefixes act on the sign of the high word.
            let fields = [("mufuop", *function), ("dtype", "F64")];
            assert_eq!(result_under(&[], "MUFU_I", &fields, &[x]), expected, "{text} {x:#010x}");
            let fields = [fields[0], fields[1], ("rb.neg", "True")];
            assert_eq!(result_under(&[], "MUFU_R", &fields, &[x ^ NEG_0]), expected, "{text} {x:#010x}");
        }
    }
}

/// Operands and results of EX2 and TANH in 16 bits.
#[rustfmt::skip]
const HALVES: &[(&str, &str, Rows)] = &[
    ("EX2", "F16", &[(0, 0x3c00), (0x8000, 0x3c00), (0x7c00, 0x7c00), (0xfc00, 0), (0x7c01, 0x7fff), (0xffff, 0x7fff),
        (1, 0x3c00), (0x3c00, 0x4000), (0xbc00, 0x3800), (0x4c00, 0x7c00), (0xcb80, 0x0200), (0xce00, 1), (0xd000, 0), (0x7bff, 0x7c00)]),
    ("EX2", "BF16", &[(0, 0x3f80), (0x8000, 0x3f80), (0x7f80, 0x7f80), (0xff80, 0), (0x7f81, 0x7fff), (0xffff, 0x7fff),
        (1, 0x3f80), (0x3f80, 0x4000), (0xbf80, 0x3f00), (0x4300, 0x7f80), (0xc300, 0x0020), (0xc305, 1), (0x7f7f, 0x7f80)]),
    ("TANH", "F16", &[(0, 0), (0x8000, 0x8000), (0x7c00, 0x3c00), (0xfc00, 0xbc00), (0x7e00, 0x7fff), (0xfc01, 0x7fff),
        (1, 1), (0x83ff, 0x83ff), (0x0400, 0x0400), (0x3c00, 0x3a18), (0xbc00, 0xba18), (0x7bff, 0x3c00)]),
    ("TANH", "BF16", &[(0, 0), (0x8000, 0x8000), (0x7f80, 0x3f80), (0xff80, 0xbf80), (0x7fc0, 0x7fff), (0xff81, 0x7fff),
        (1, 1), (0x807f, 0x807f), (0x0080, 0x0080), (0x3f80, 0x3f43), (0xff7f, 0xbf80)]),
];

#[test]
fn rows_of_one_half() {
    for (function, dtype, rows) in HALVES {
        for (x, expected) in *rows {
            for (half, operand) in [("H0", 0x3c12_0000 | x), ("H1", x << 16 | 0x4321)] {
                let fields = [("mufuop", *function), ("dtype", *dtype), ("rb.hsel", half)];
                let found = result_under(&[], "MUFU_R", &fields, &[operand]);
                assert_eq!(found, *expected, "{function}.{dtype} {x:#06x} in {half} gives {found:#010x}");
            }
            // An immediate has no suffix, so its low half is used (E044).
            let fields = [("mufuop", *function), ("dtype", *dtype)];
            assert_eq!(result_under(&[], "MUFU_I", &fields, &[0x4321_0000 | x]), *expected);
            let fields = [fields[0], fields[1], ("urb.hsel", "H1")];
            assert_eq!(result_under(&[], "MUFU_U", &fields, &[x << 16]), *expected);
        }
    }
}

#[test]
fn rows_of_two_halves() {
    for (function, dtype, rows) in HALVES {
        for (low, of_low) in *rows {
            for (high, of_high) in *rows {
                let text = format!("MUFU.{function}.{dtype}_V2");
                let found = result(&text, &[high << 16 | low]);
                assert_eq!(
                    found,
                    of_high << 16 | of_low,
                    "{text} {high:#06x} {low:#06x} gives {found:#010x}"
                );
                let spoilt = *of_low == 0x7fff || *of_high == 0x7fff;
                let expected = if spoilt { 0x7fff_7fff } else { found };
                assert_eq!(under(&["E037=1"], &text, &[high << 16 | low]), expected, "{text}");
                assert_eq!(under(&["E042=2"], &text, &[high << 16 | low]), found, "{text}");
                let flush = |x: u32| if x & 0x7f80 == 0 { x & 0x8000 } else { x };
                let flushes = text == "MUFU.EX2.BF16_V2";
                let flushed = if flushes { flush(found >> 16) << 16 | flush(found & 0xffff) } else { found };
                assert_eq!(under(&["E042=3"], &text, &[high << 16 | low]), flushed, "{text}");
            }
        }
    }
}

#[test]
#[rustfmt::skip]
fn witnesses_of_every_reading() {
    // The results under the first two settings. Setting 3 of E042 gives the same results as setting
    // 2, except for EX2.BF16.
    let table: &[(&str, &str, u32, [u32; 2])] = &[
        ("E033", "COS", NEG_0, [NEG_0, ONE]), ("E033", "SIN", 0, [ONE, 0]),
        ("E034", "COS", NEG_0, [NEG_0, ONE]), ("E034", "COS", 0, [0, ONE]), ("E034", "SIN", NEG_0, [NEG_0, NEG_0]), ("E034", "COS", INF, [NAN, NAN]),
        ("E034", "COS.SAT", NEG_0, [0, ONE]), ("E034", "COS", TINY, [ONE, ONE]),
        ("E035", "COS", NEG_0, [ONE, ONE]), ("E035", "SIN", NEG_INF, [NAN, NAN]),
        ("E036", "RCP", NAN, [0xffff_ffff, NAN]), ("E036", "RSQ", NEG_1, [0xffff_ffff, NAN]), ("E036", "RCP.SAT", NAN, [0, 0]),
        ("E036", "RCP.F64", NAN, [NAN, NAN]), ("E036", "TANH.F16", 0x7e00, [0x7fff, 0x7fff]),
        ("E037", "TANH.F16_V2", 0x7e00_0000, [0x7fff_7fff, 0x7fff_0000]), ("E037", "EX2.BF16_V2", 0x7f80_ff81, [0x7fff_7fff, 0x7f80_7fff]),
        ("E037", "TANH.F16", 0x7e00_0000, [0, 0]),
        ("E040", "RCP.F64", NAN, [0, NAN]), ("E040", "RCP.F64", 0, [0, 0x7ff0_0000]), ("E040", "RSQ.F64", 0xc010_0000, [0, NAN]),
        ("E041", "RSQ.F64", 0xfff0_0000, [NAN, NAN]), ("E041", "RSQ.F64", 0x8000_0001, [0xfff0_0000, 0xfff0_0000]),
        ("E042", "RSQ", NEG_TINY, [NAN, NEG_INF]), ("E042", "SQRT", NEG_TINY, [NAN, NEG_0]), ("E042", "LG2", TINY, [0xc315_0000, NEG_INF]),
        ("E042", "LG2", NEG_TINY, [NAN, NEG_INF]), ("E042", "RCP", 0x0040_0000, [0x7f00_0000, INF]), ("E042", "RCP", 0xff00_0000, [0x8040_0000, NEG_0]),
        ("E042", "EX2", 0xc302_0000, [0x0008_0000, 0]), ("E042", "SIN", 0x8040_0000, [0x8040_0000, NEG_0]), ("E042", "COS", TINY, [ONE, ONE]),
        ("E042", "TANH", 0x8040_0000, [0x8040_0000, 0x8040_0000]), ("E042", "TANH.SAT", 0x8040_0000, [0, 0]), ("E042", "TANH.SAT", 0x0040_0000, [0x0040_0000, 0x0040_0000]),
        ("E042", "RCP.F64", 0x7fe0_0000, [0, 0]), ("E042", "TANH.BF16", 0x0040, [0x0040, 0x0040]), ("E042", "EX2.F16", 0xcb80, [0x0200, 0x0200]),
    ];
    for (erratum, text, x, results) in table {
        for (setting, expected) in (1..).zip(results) {
            let (reading, text) = (format!("{erratum}={setting}"), format!("MUFU.{text}"));
            let found = under(&[&reading], &text, &[*x]);
            assert_eq!(found, *expected, "{text} {x:#010x} under {reading}: {found:#010x}");
        }
        if *erratum == "E042" {
            assert_eq!(under(&["E042=3"], &format!("MUFU.{text}"), &[*x]), results[1], "{text} {x:#010x}");
        }
    }
    let powers: &[(u32, [u32; 3])] = &[
        (0xc2fc, [0x0080; 3]), (0xc2fd, [0x005b, 0x005b, 0]), (0xc2fe, [0x0040, 0x0040, 0]), (0xc305, [1, 1, 0]), (0xc307, [0; 3]),
        (0x0001, [0x3f80; 3]), (0x807f, [0x3f80; 3]),
    ];
    for (x, results) in powers {
        for (setting, expected) in (1..).zip(results) {
            let reading = format!("E042={setting}");
            assert_eq!(under(&[&reading], "MUFU.EX2.BF16", &[*x]), *expected, "{x:#06x} under {reading}");
            let both = under(&[&reading], "MUFU.EX2.BF16_V2", &[x << 16]);
            assert_eq!(both, expected << 16 | 0x3f80, "{x:#06x} in the high half under {reading}");
        }
    }
}

#[test]
#[rustfmt::skip]
fn names_and_units() {
    // Cosines and sines of numbers without a special row. Results may differ from these by a few
    // units in the last place.
    let table: &[(&[&str], &str, u32, u32)] = &[
        (&[], "COS", ONE, 0x3f0a_5140), (&["E033=1"], "COS", ONE, 0x3f57_6aa4), (&["E033=1"], "SIN", ONE, 0x3f0a_5140),
        (&[], "SIN", 0xbf80_0000, 0xbf57_6aa4), (&[], "SIN", 0x3e80_0000, 0x3e7d_5777), (&["E035=2"], "SIN", 0x3e80_0000, ONE),
        (&["E035=2"], "COS", 0x3f00_0000, NEG_1), (&["E035=2", "E033=1"], "COS", 0x3e80_0000, ONE), (&["E035=2"], "SIN", 0x3f00_0000, 0),
        (&["E035=2"], "SIN", 0xbf00_0000, NEG_0), (&["E035=2", "C007=2"], "SIN", 0x3f00_0000, NEG_0), (&["E035=2", "C007=2"], "SIN", 0xbf00_0000, 0),
        (&["E035=2", "C007=2"], "SIN", ONE, 0), (&["E035=2", "C007=2"], "COS", 0x3e80_0000, NEG_0), (&["E035=2"], "COS", 0xbe80_0000, 0),
        (&["E035=2", "C007=2"], "COS", 0x3f40_0000, 0), (&["E035=2", "C007=2"], "COS", 0xbe80_0000, NEG_0),
        (&["E033=1", "E034=1"], "SIN", NEG_0, NEG_0), (&["E033=1", "E034=1"], "COS", NEG_0, NEG_0), (&["E033=1"], "SIN", NEG_0, ONE),
    ];
    for (changes, function, x, expected) in table {
        let found = under(changes, &format!("MUFU.{function}"), &[*x]);
        assert!(found.abs_diff(*expected) < 8, "{function} {x:#010x} under {changes:?} gives {found:#010x}");
    }
}

#[test]
#[rustfmt::skip]
fn lanes_without_a_value() {
    // The readings, the function, the operand, and the erratum that leaves it undefined.
    let table: &[(&[&str], &str, u32, Option<u16>)] = &[
        (&["E040=1"], "RCP.F64 R0, R1", 0x4000_0000, Some(40)), (&["E040=1"], "RSQ.F64 R0, R1", 0x4000_0000, Some(40)),
        (&["E040=1"], "RSQ.F64 R0, R1", 0xc000_0000, None), (&["E040=1", "E041=1"], "RSQ.F64 R0, R1", 0xc000_0000, Some(40)),
        (&["E040=1"], "RSQ.F64 R0, R1", 0x800f_ffff, None), (&["E040=1"], "RSQ.F64 R0, R1", 0x7ff0_0000, None),
        (&["E041=1"], "RSQ.F64 R0, R1", 0x8010_0000, Some(41)), (&["E041=1"], "RSQ.F64 R0, R1", 0x0010_0000, None),
        (&["E041=1"], "RSQ.F64 R0, R1", 0x800f_ffff, None), (&["E041=1"], "RSQ.F64 R0, R1", 0xfff0_0000, None),
        (&["E041=1"], "RSQ.F64 R0, -R1", 0x4000_0000, Some(41)), (&["E041=1"], "RSQ.F64 R0, |R1|", 0xc000_0000, None),
        (&["E041=1"], "RCP.F64 R0, R1", 0xc000_0000, None), (&["E041=1", "E040=1"], "RSQ.F32 R0, R1", NEG_1, None),
        (&[], "RSQ.F64 R0, R1", 0xc000_0000, None),
    ];
    for (changes, text, x, erratum) in table {
        let effects = effects(changes, &format!("MUFU.{text}"), &[("R1", *x)]);
        let expected: Vec<_> = erratum.iter().map(|number| (0, Erratum(*number))).collect();
        assert_eq!(effects.undefined(), expected, "{text} of {x:#010x} under {changes:?}");
    }
}
