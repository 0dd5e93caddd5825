//! Special values, by table: IEEE 754's rules for sums and products, and the rows of MUFU.RCP.

mod common;

use common::{result, result_under};

const INF: u32 = 0x7f80_0000;
const NEG_INF: u32 = 0xff80_0000;
const NAN: u32 = 0x7fff_ffff;
const NEG_0: u32 = 0x8000_0000;
const ONE: u32 = 0x3f80_0000;
const NEG_1: u32 = 0xbf80_0000;
const MAX: u32 = 0x7f7f_ffff;
const TINY: u32 = 0x0000_0001;

#[test]
#[rustfmt::skip]
fn sums() {
    let table: &[(&str, u32, u32, u32)] = &[
        ("FADD", INF, NEG_INF, NAN), ("FADD", INF, INF, INF), ("FADD", NEG_INF, MAX, NEG_INF), ("FADD", MAX, NEG_INF, NEG_INF),
        ("FADD", 0xffc0_1234, ONE, NAN), ("FADD", ONE, 0x7f80_0001, NAN), ("FADD", INF, 0xff80_0001, NAN),
        ("FADD", 0, NEG_0, 0), ("FADD.RM", 0, NEG_0, NEG_0), ("FADD.RP", NEG_0, 0, 0), ("FADD.RZ", NEG_0, NEG_0, NEG_0),
        ("FADD.RM", 0, 0, 0), ("FADD", NEG_0, TINY, TINY), ("FADD", MAX, MAX, INF), ("FADD.RZ", MAX, MAX, MAX),
        ("FADD.RM", MAX, MAX, MAX), ("FADD.RP", 0xff7f_ffff, 0xff7f_ffff, 0xff7f_ffff), ("FADD.RM", 0xff7f_ffff, 0xff7f_ffff, NEG_INF),
        ("FADD.RP", ONE, TINY, 0x3f80_0001), ("FADD.RM", ONE, 0x8000_0001, 0x3f7f_ffff), ("FADD.RP", MAX, TINY, INF),
        ("FADD.FTZ", 0x8000_0001, 0x8000_0001, NEG_0), ("FADD.FTZ", 0x0080_0001, 0x8080_0000, 0), ("FADD", 0x0080_0001, 0x8080_0000, TINY),
        ("FADD.FTZ", 0x8080_0001, 0x0080_0000, NEG_0), ("FADD", 0x007f_ffff, TINY, 0x0080_0000),
        ("FADD.SAT", INF, ONE, ONE), ("FADD.SAT", NEG_INF, ONE, 0), ("FADD.SAT", INF, NEG_INF, 0), ("FADD.SAT", 0xffc0_0000, 0, 0),
        ("FADD.SAT", 0x3f00_0000, 0, 0x3f00_0000), ("FADD.SAT", ONE, TINY, ONE), ("FADD.SAT", TINY, 0, TINY), ("FADD.SAT.FTZ", 0x0080_0001, 0x8080_0000, 0),
        ("FADD.SAT.RM", ONE, NEG_1, 0),
    ];
    for (text, a, b, expected) in table {
        assert_eq!(result(text, &[*a, *b]), *expected, "{text} {a:#x} {b:#x}");
        assert_eq!(result(text, &[*b, *a]), *expected, "{text} {b:#x} {a:#x}");
    }
}

#[test]
#[rustfmt::skip]
fn products() {
    let table: &[(&str, u32, u32, u32)] = &[
        ("FMUL", 0, INF, NAN), ("FMUL", NEG_INF, NEG_0, NAN), ("FMUL", INF, NEG_INF, NEG_INF), ("FMUL", NEG_INF, TINY, NEG_INF),
        ("FMUL", 0x7fa0_0000, ONE, NAN), ("FMUL", 0xffc0_0000, INF, NAN), ("FMUL", 0, NEG_1, NEG_0), ("FMUL.RM", 0, ONE, 0),
        ("FMUL", MAX, 0x4000_0000, INF), ("FMUL.RZ", MAX, 0xc000_0000, 0xff7f_ffff), ("FMUL.RP", MAX, 0xc000_0000, 0xff7f_ffff),
        ("FMUL", TINY, 0x3f00_0000, 0), ("FMUL.RP", TINY, 0x3f00_0000, TINY), ("FMUL", TINY, 0x3f00_0001, TINY), ("FMUL", TINY, TINY, 0),
        ("FMUL.RP", TINY, TINY, TINY), ("FMUL.RM", TINY, 0x8000_0001, 0x8000_0001), ("FMUL.RZ", TINY, 0x8000_0001, NEG_0),
        ("FMUL.FTZ", TINY, INF, NAN), ("FMUL", TINY, INF, INF), ("FMUL.FTZ", 0x8000_0001, MAX, NEG_0),
        ("FMUL.FTZ", 0x0080_0000, 0xbf00_0000, NEG_0), ("FMUL.SAT", 0, INF, 0), ("FMUL.SAT", INF, INF, ONE), ("FMUL.SAT", NEG_0, ONE, 0),
        ("FMUL", 0x007f_ffff, 0x7f00_0000, 0x3fff_fffe),
    ];
    for (text, a, b, expected) in table {
        assert_eq!(result(text, &[*a, *b]), *expected, "{text} {a:#x} {b:#x}");
        assert_eq!(result(text, &[*b, *a]), *expected, "{text} {b:#x} {a:#x}");
    }
}

#[test]
fn scaling_is_part_of_the_product() {
    for (scale, result_of_one) in [
        ("D2", 0x3f00_0000),
        ("D4", 0x3e80_0000),
        ("D8", 0x3e00_0000),
        ("M2", 0x4000_0000),
        ("M4", 0x4080_0000),
        ("M8", 0x4100_0000),
    ] {
        let text = format!("FMUL.{scale}");
        assert_eq!(result(&text, &[ONE, ONE]), result_of_one);
        for special in [INF, NEG_INF, NEG_0, 0] {
            assert_eq!(result(&text, &[special, ONE]), special, "{text}");
        }
        assert_eq!(result(&text, &[INF, 0]), NAN);
    }
    // Neither an intermediate overflow nor an intermediate underflow.
    assert_eq!(result("FMUL.M8", &[MAX, 0x3e00_0000]), MAX);
    assert_eq!(result("FMUL.D8", &[TINY, 0x4100_0000]), TINY);
    // .FTZ looks at the operand before it is scaled.
    assert_eq!(result("FMUL.FTZ.M8", &[0x007f_ffff, ONE]), 0);
}

#[test]
#[rustfmt::skip]
fn sums_of_products() {
    let table: &[(&str, u32, u32, u32, u32)] = &[
        ("FFMA", INF, 0, ONE, NAN), ("FFMA", 0, NEG_INF, 0x7fc0_0000, NAN), ("FFMA", INF, ONE, NEG_INF, NAN), ("FFMA", INF, NEG_1, NEG_INF, NEG_INF),
        ("FFMA", MAX, MAX, NEG_INF, NEG_INF), ("FFMA", ONE, ONE, 0xff80_0001, NAN), ("FFMA", INF, TINY, 0xff7f_ffff, INF),
        ("FFMA", 0, ONE, NEG_0, 0), ("FFMA", 0, NEG_1, NEG_0, NEG_0), ("FFMA.RM", 0, ONE, NEG_0, NEG_0), ("FFMA.RM", ONE, ONE, NEG_1, NEG_0),
        ("FFMA.RM", 0, NEG_1, 0, NEG_0), ("FFMA", 0, MAX, TINY, TINY), ("FFMA", 0, MAX, MAX, MAX), ("FFMA.RP", 0, MAX, 0x3f80_0001, 0x3f80_0001),
        ("FFMA", TINY, TINY, 0, 0), ("FFMA", TINY, 0x8000_0001, 0, NEG_0), ("FFMA.RP", TINY, TINY, MAX, INF), ("FFMA.RM", TINY, 0x8000_0001, 0, 0x8000_0001),
        ("FFMA.RZ", TINY, 0x8000_0001, ONE, 0x3f7f_ffff), ("FFMA", MAX, 0x4000_0000, 0xff7f_ffff, MAX), ("FFMA", MAX, ONE, MAX, INF), ("FFMA.RZ", MAX, ONE, MAX, MAX),
        ("FFMA", 0x3f80_0001, 0x3f80_0001, 0xbf80_0002, 0x2880_0000), ("FFMA.FTZ", TINY, MAX, TINY, 0), ("FFMA.FTZ", ONE, 0x0080_0001, 0x8080_0000, 0),
        ("FFMA.SAT", INF, 0, 0, 0), ("FFMA.SAT", ONE, ONE, ONE, ONE), ("FFMA.SAT", ONE, NEG_1, NEG_1, 0), ("FFMA.SAT", INF, ONE, 0, ONE),
        ("FFMA.RZ", 0x3f80_0000, 0x8000_0001, 0x0080_0000, 0x007f_ffff),
    ];
    for (text, a, b, c, expected) in table {
        assert_eq!(result(text, &[*a, *b, *c]), *expected, "{text} {a:#x} {b:#x} {c:#x}");
        assert_eq!(result(text, &[*b, *a, *c]), *expected, "{text} {b:#x} {a:#x} {c:#x}");
    }
}

#[test]
#[rustfmt::skip]
fn reciprocals() {
    let table: &[(&str, u32, u32)] = &[
        ("MUFU.RCP", NEG_INF, NEG_0), ("MUFU.RCP", NEG_0, NEG_INF), ("MUFU.RCP", 0, INF), ("MUFU.RCP", INF, 0), ("MUFU.RCP", 0xff80_0001, NAN),
        ("MUFU.RCP", ONE, ONE), ("MUFU.RCP", 0xc000_0000, 0xbf00_0000), ("MUFU.RCP", 0x0080_0000, 0x7e80_0000), ("MUFU.RCP", 0x7f00_0000, 0x0040_0000),
        ("MUFU.RCP", TINY, INF), ("MUFU.RCP", 0x8000_0001, NEG_INF), ("MUFU.RCP", 0x0020_0000, INF),
        ("MUFU.RCP.SAT", 0x3f00_0000, ONE), ("MUFU.RCP.SAT", 0x4000_0000, 0x3f00_0000), ("MUFU.RCP.SAT", NAN, 0), ("MUFU.RCP.SAT", NEG_INF, 0),
        ("MUFU.RCP.SAT", NEG_1, 0), ("MUFU.RCP.SAT", 0, ONE), ("MUFU.RCP.SAT", NEG_0, 0),
        ("MUFU.RCP.F64", 0xfff0_0000, NEG_0), ("MUFU.RCP.F64", 0x8000_0001, 0xfff0_0000), ("MUFU.RCP.F64", NEG_0, 0xfff0_0000),
        ("MUFU.RCP.F64", 0, 0x7ff0_0000), ("MUFU.RCP.F64", 0x000f_ffff, 0x7ff0_0000), ("MUFU.RCP.F64", 0x7ff0_0000, 0),
        ("MUFU.RCP.F64", 0x7ff0_0001, NAN), ("MUFU.RCP.F64", 0xfff8_0000, NAN), ("MUFU.RCP.F64", 0x4000_0000, 0x3fe0_0000),
        ("MUFU.RCP.F64", 0xffe0_0000, NEG_0), ("MUFU.RCP.F64", 0x7fd0_0000, 0x0010_0000), ("MUFU.RCP.F64", 0x0010_0000, 0x7fd0_0000),
    ];
    for (text, x, expected) in table {
        let found = result(text, &[*x]);
        assert_eq!(found, *expected, "{text} {x:#010x} gives {found:#010x}");
    }
    // Prefixes act on the sign of the high word, and an immediate is the high word (E045).
    let f64 = [("mufuop", "RCP"), ("dtype", "F64")];
    let negated = [f64[0], f64[1], ("rb.neg", "True"), ("rb.abs", "True")];
    assert_eq!(result_under(&[], "MUFU_R", &negated, &[0x4000_0000]), 0xbfe0_0000);
    assert_eq!(result_under(&[], "MUFU_R", &negated, &[0xc000_0000]), 0xbfe0_0000);
    assert_eq!(result_under(&[], "MUFU_I", &f64, &[0xc000_0000]), 0xbfe0_0000);
}
