//! Tests special values of the float and bit optypes, with tables. The rules of IEEE 754 for sums
//! and products are included. MUFU is tested in `functions`.

use crate::support::{assert_writes, result};

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
    // The scaling does not overflow or underflow before the product is rounded.
    assert_eq!(result("FMUL.M8", &[MAX, 0x3e00_0000]), MAX);
    assert_eq!(result("FMUL.D8", &[TINY, 0x4100_0000]), TINY);
    // .FTZ tests the operand before it is scaled.
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

const QNAN: u32 = 0x7fc0_0000;
const NEG_TINY: u32 = 0x8000_0001;

#[test]
#[rustfmt::skip]
fn minima_and_maxima() {
    // The two operands, the minimum (pp true) and the maximum.
    let table: &[(&str, u32, u32, u32, u32)] = &[
        ("FMNMX", ONE, 0x4000_0000, ONE, 0x4000_0000), ("FMNMX", NEG_1, 0xc000_0000, 0xc000_0000, NEG_1), ("FMNMX", NEG_1, ONE, NEG_1, ONE),
        ("FMNMX", 0, NEG_0, NEG_0, 0), ("FMNMX", NEG_0, NEG_0, NEG_0, NEG_0), ("FMNMX", TINY, 0, 0, TINY), ("FMNMX", NEG_TINY, NEG_0, NEG_TINY, NEG_0),
        ("FMNMX", INF, MAX, MAX, INF), ("FMNMX", NEG_INF, INF, NEG_INF, INF), ("FMNMX", NEG_INF, 0xff7f_ffff, NEG_INF, 0xff7f_ffff),
        ("FMNMX", QNAN, ONE, ONE, ONE), ("FMNMX", 0xff80_0001, NEG_INF, NEG_INF, NEG_INF), ("FMNMX", 0x7f80_0001, NEG_TINY, NEG_TINY, NEG_TINY),
        ("FMNMX", QNAN, 0xffc0_1234, NAN, NAN), ("FMNMX.NAN", QNAN, ONE, NAN, NAN), ("FMNMX.NAN", 0xff80_0001, QNAN, NAN, NAN), ("FMNMX.NAN", INF, ONE, ONE, INF),
        ("FMNMX.FTZ", TINY, NEG_TINY, NEG_0, 0), ("FMNMX.FTZ", NEG_TINY, QNAN, NEG_0, NEG_0), ("FMNMX.FTZ", 0x0080_0000, 0x007f_ffff, 0, 0x0080_0000),
        ("FMNMX.FTZ.NAN", TINY, QNAN, NAN, NAN),
    ];
    for (text, a, b, least, greatest) in table {
        for (a, b) in [(a, b), (b, a)] {
            assert_eq!(result(text, &[*a, *b, 1]), *least, "{text} {a:#x} {b:#x} minimum");
            assert_eq!(result(text, &[*a, *b, 0]), *greatest, "{text} {a:#x} {b:#x} maximum");
        }
    }
}

#[test]
#[rustfmt::skip]
fn comparisons() {
    // The outcome of less, equal, greater, unordered.
    let table: &[(&str, [u32; 4])] = &[
        ("EQ", [0, 1, 0, 0]), ("NE", [1, 0, 1, 0]), ("LT", [1, 0, 0, 0]), ("LE", [1, 1, 0, 0]), ("GT", [0, 0, 1, 0]), ("GE", [0, 1, 1, 0]),
        ("EQU", [0, 1, 0, 1]), ("NEU", [1, 0, 1, 1]), ("LTU", [1, 0, 0, 1]), ("LEU", [1, 1, 0, 1]), ("GTU", [0, 0, 1, 1]), ("GEU", [0, 1, 1, 1]),
        ("NAN", [0, 0, 0, 1]), ("NUM", [1, 1, 1, 0]),
    ];
    let less = &[(NEG_1, ONE), (NEG_1, 0xbf7f_ffff), (NEG_INF, 0xff7f_ffff), (MAX, INF), (NEG_TINY, NEG_0), (NEG_0, TINY), (0, TINY), (NEG_INF, INF)][..];
    let equal = &[(0, NEG_0), (NEG_0, 0), (INF, INF), (NEG_1, NEG_1), (TINY, TINY)][..];
    let unordered = &[(QNAN, ONE), (NEG_INF, 0x7f80_0001), (0xffff_ffff, QNAN), (QNAN, QNAN)][..];
    for (comparison, outcomes) in table {
        for (pairs, swapped, outcome) in [(less, false, 0), (equal, false, 1), (less, true, 2), (unordered, false, 3), (unordered, true, 3)] {
            for (a, b) in pairs {
                let (a, b) = if swapped { (*b, *a) } else { (*a, *b) };
                let t = outcomes[outcome];
                assert_eq!(result(&format!("FSETP.{comparison}.AND"), &[a, b, 1]), t, "{comparison} {a:#x} {b:#x}");
                assert_eq!(result(&format!("FSET.{comparison}.OR"), &[a, b, 0]), t * 0xffff_ffff, "{comparison} {a:#x} {b:#x}");
                assert_eq!(result(&format!("FSET.{comparison}.XOR.BF"), &[a, b, 1]), (1 - t) * ONE, "{comparison} {a:#x} {b:#x}");
            }
        }
    }
    assert_eq!(result("FSETP.EQ.AND", &[TINY, NEG_TINY, 1]), 0);
    assert_eq!(result("FSETP.FTZ.EQ.AND", &[TINY, NEG_TINY, 1]), 1);
    assert_eq!(result("FSET.FTZ.LT.AND", &[0x007f_ffff, 0x0080_0000, 1]), 0xffff_ffff);
}

#[test]
#[rustfmt::skip]
fn truth_values_are_combined() {
    // Result of the comparison, input predicate, then both outputs.
    for (operation, table) in [
        ("AND", [(1, 0, 0, 0), (1, 1, 1, 0), (0, 0, 0, 0), (0, 1, 0, 1)]),
        ("OR", [(1, 0, 1, 0), (1, 1, 1, 1), (0, 0, 0, 1), (0, 1, 1, 1)]),
        ("XOR", [(1, 0, 1, 0), (1, 1, 0, 1), (0, 0, 0, 1), (0, 1, 1, 0)]),
    ] {
        for (t, pp, pu, pv) in table {
            let text = format!("FSETP.EQ.{operation} P1, P2, R1, R2, P3");
            assert_writes(&[], &text, &[("R1", 1 - t), ("P3", pp)], &[("P1", pu), ("P2", pv)]);
        }
    }
}

#[test]
#[rustfmt::skip]
fn selections() {
    for bits in [0, NEG_0, TINY, NEG_TINY, ONE, INF, NEG_INF, NAN, 0x7f80_0001, 0xffc1_2345] {
        assert_eq!(result("FSEL", &[bits, 0x1234_5678, 1]), bits);
        assert_eq!(result("FSEL", &[0x1234_5678, bits, 0]), bits);
        let flushed = if bits & 0x7f80_0000 == 0 { bits & NEG_0 } else { bits };
        assert_eq!(result("FSEL.FTZ", &[bits, 0x1234_5678, 1]), flushed);
        assert_eq!(result("FSEL.FTZ", &[0x1234_5678, bits, 0]), flushed);
    }
    // Prefixes act on a NaN too.
    assert_writes(&[], "FSEL R0, -R1, R2, PT", &[("R1", 0x7f80_0001)], &[("R0", 0xff80_0001)]);
    assert_writes(&[], "FSEL R0, R1, -|R2|, !PT", &[("R2", 0x7f80_0001)], &[("R0", 0xff80_0001)]);
}

#[test]
fn division_checks() {
    /// Returns a number with an unbiased exponent. −127 gives a subnormal, and 128 a NaN.
    fn power(exponent: i32) -> u32 {
        ((exponent + 127) as u32) << 23 | 0x1234
    }
    // Tests both sides of each bound. The other exponent is one for which no other bound applies.
    for (ea, eb, slow) in [
        (-103, 0, 1),
        (-102, 0, 0),
        (127, 1, 0),
        (128, 120, 1),
        (-100, -126, 1),
        (-100, -125, 0),
        (100, 124, 0),
        (100, 125, 1),
        (-50, 75, 1),
        (-50, 74, 0),
        (50, -77, 1),
        (50, -76, 0),
        (-127, 0, 1),
        (0, -127, 1),
        (0, 128, 1),
        (0, 0, 0),
    ] {
        for signs in [0, NEG_0] {
            let found = result("FCHK", &[power(ea) ^ signs, power(eb)]);
            assert_eq!(found, slow, "{ea} {eb} {signs:#x}");
        }
    }
}

#[test]
#[rustfmt::skip]
fn bits() {
    let table: &[(&str, &[u32], u32)] = &[
        ("POPC", &[0], 0), ("POPC", &[u32::MAX], 32), ("POPC", &[NEG_0], 1), ("POPC", &[0x8080_8080], 4), ("POPC", &[0xf0f0_1248], 12),
        ("FLO", &[0], u32::MAX), ("FLO", &[1], 0), ("FLO", &[u32::MAX], u32::MAX), ("FLO", &[NEG_0], 30), ("FLO", &[0x7fff_ffff], 30), ("FLO", &[0xffff_fffe], 0),
        ("FLO.SH", &[0], u32::MAX), ("FLO.SH", &[1], 31), ("FLO.SH", &[u32::MAX], u32::MAX), ("FLO.SH", &[NEG_0], 1),
        ("FLO.U32", &[0], u32::MAX), ("FLO.U32", &[1], 0), ("FLO.U32", &[u32::MAX], 31), ("FLO.U32", &[0x0001_8000], 16),
        ("FLO.SH.U32", &[0], u32::MAX), ("FLO.SH.U32", &[1], 31), ("FLO.SH.U32", &[NEG_0], 0),
        ("BREV", &[0], u32::MAX), ("BREV", &[u32::MAX], 0), ("BREV", &[0x1234_5678], 0xedcb_a987),
        ("BMSK", &[0, 0], 0), ("BMSK", &[0, 31], 0x7fff_ffff), ("BMSK", &[0, 32], u32::MAX), ("BMSK", &[0, 33], u32::MAX), ("BMSK", &[0, u32::MAX], u32::MAX),
        ("BMSK", &[31, 1], NEG_0), ("BMSK", &[31, 2], NEG_0), ("BMSK", &[32, 1], 0), ("BMSK", &[u32::MAX, u32::MAX], 0), ("BMSK", &[16, 16], 0xffff_0000), ("BMSK", &[8, 64], 0xffff_ff00),
        ("BMSK.WRAP", &[0, 32], 0), ("BMSK.WRAP", &[32, 33], 1), ("BMSK.WRAP", &[63, 31], NEG_0), ("BMSK.WRAP", &[4, 8], 0xff0), ("BMSK.WRAP", &[u32::MAX, u32::MAX], NEG_0),
        ("SGXT", &[u32::MAX, 0], 0), ("SGXT", &[5, 3], 0xffff_fffd), ("SGXT", &[3, 3], 3), ("SGXT", &[1, 1], u32::MAX), ("SGXT", &[0xffff_fff0, 4], 0), ("SGXT", &[NEG_0, 32], NEG_0),
        ("SGXT", &[0x1234_5678, 31], 0x1234_5678), ("SGXT", &[0x4000_0000, 31], 0xc000_0000), ("SGXT", &[NEG_0, 31], 0), ("SGXT", &[NEG_0, u32::MAX], NEG_0), ("SGXT", &[0x80, 33], 0x80),
        ("SGXT.U32", &[u32::MAX, 0], 0), ("SGXT.U32", &[5, 3], 5), ("SGXT.U32", &[u32::MAX, 31], 0x7fff_ffff), ("SGXT.U32", &[u32::MAX, 32], u32::MAX), ("SGXT.U32", &[u32::MAX, NEG_0], u32::MAX),
        ("SGXT.WRAP", &[u32::MAX, 32], 0), ("SGXT.WRAP", &[5, 35], 0xffff_fffd), ("SGXT.WRAP", &[NEG_0, 31], 0), ("SGXT.WRAP.U32", &[u32::MAX, u32::MAX], 0x7fff_ffff), ("SGXT.WRAP.U32", &[7, 64], 0),
    ];
    for (text, operands, expected) in table {
        let found = result(text, operands);
        assert_eq!(found, *expected, "{text} {operands:08x?} gives {found:#010x}");
    }
}
