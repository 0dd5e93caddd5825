//! Tests special values under the intended readings. The special values of float arithmetic follow
//! IEEE 754, sections 6 and 7. Those of the other optypes follow the documents.

use assay_isa::Readings;

use super::check;

const ZERO: u32 = 0;
const MINUS_ZERO: u32 = 0x8000_0000;
const ONE: u32 = 0x3f80_0000;
const MINUS_ONE: u32 = 0xbf80_0000;
const LARGEST: u32 = 0x7f7f_ffff;
const INF: u32 = 0x7f80_0000;
const MINUS_INF: u32 = 0xff80_0000;
const NAN: u32 = 0x7fff_ffff;
/// A signalling NaN with a payload and a sign.
const ANY_NAN: u32 = 0xff81_2345;

#[test]
fn sums() {
    check(
        &Readings::INTENDED,
        &[
            ("FADD_RR", &[INF, MINUS_INF], NAN),
            ("FADD_RR", &[INF, INF], INF),
            ("FADD_RR", &[MINUS_INF, LARGEST], MINUS_INF),
            ("FADD_RR", &[ANY_NAN, ONE], NAN),
            ("FADD_RR", &[MINUS_INF, ANY_NAN], NAN),
            ("FADD_RR", &[ZERO, MINUS_ZERO], ZERO),
            ("FADD_RR.RP", &[ZERO, MINUS_ZERO], ZERO),
            ("FADD_RR.RZ", &[ONE, MINUS_ONE], ZERO),
            ("FADD_RR.RM", &[ZERO, ZERO], ZERO),
            ("FADD_RR.RM", &[ONE, MINUS_ONE], MINUS_ZERO),
            ("FADD_RR", &[MINUS_ZERO, MINUS_ZERO], MINUS_ZERO),
            ("FADD_RR", &[MINUS_ZERO, 1], 1),
            ("FADD_RR", &[0x007f_ffff, 1], 0x0080_0000),
        ],
    );
}

#[test]
fn products() {
    check(
        &Readings::INTENDED,
        &[
            ("FMUL_RR", &[ZERO, INF], NAN),
            ("FMUL_RR", &[MINUS_INF, MINUS_ZERO], NAN),
            ("FMUL_RR", &[MINUS_INF, LARGEST], MINUS_INF),
            ("FMUL_RR", &[MINUS_INF, MINUS_ONE], INF),
            ("FMUL_RR", &[ANY_NAN, ZERO], NAN),
            ("FMUL_RR", &[MINUS_ZERO, ONE], MINUS_ZERO),
            ("FMUL_RR", &[MINUS_ZERO, MINUS_ONE], ZERO),
            ("FMUL_RR.D8", &[INF, ONE], INF),
            ("FMUL_RR.FTZ", &[1, INF], NAN),
            ("FMUL_RR", &[1, INF], INF),
            ("FMUL_RR.FTZ", &[0x8000_0001, LARGEST], MINUS_ZERO),
        ],
    );
}

#[test]
fn fused() {
    check(
        &Readings::INTENDED,
        &[
            ("FFMA_RRR", &[ZERO, INF, ONE], NAN),
            ("FFMA_RRR", &[ZERO, INF, ANY_NAN], NAN),
            ("FFMA_RRR", &[ONE, INF, MINUS_INF], NAN),
            ("FFMA_RRR", &[ONE, INF, INF], INF),
            ("FFMA_RRR", &[LARGEST, LARGEST, MINUS_INF], MINUS_INF),
            ("FFMA_RRR", &[ONE, ANY_NAN, ONE], NAN),
            ("FFMA_RRR", &[ZERO, MINUS_ONE, ZERO], ZERO),
            ("FFMA_RRR.RM", &[ZERO, MINUS_ONE, ZERO], MINUS_ZERO),
            ("FFMA_RRR", &[MINUS_ONE, ZERO, MINUS_ZERO], MINUS_ZERO),
            ("FFMA_RRR.RM", &[ONE, ONE, MINUS_ONE], MINUS_ZERO),
            // The exact product is far below or above the range of F32.
            ("FFMA_RRR.RP", &[1, 1, ONE], 0x3f80_0001),
            ("FFMA_RRR.RM", &[1, 0x8000_0001, ONE], 0x3f7f_ffff),
            ("FFMA_RRR", &[LARGEST, 0x4000_0000, 0xff7f_ffff], LARGEST),
        ],
    );
}

#[test]
fn overflow_and_underflow_by_direction() {
    let rows = [
        ("", INF, MINUS_INF),
        (".RP", INF, 0xff7f_ffff),
        (".RM", LARGEST, MINUS_INF),
        (".RZ", LARGEST, 0xff7f_ffff),
    ];
    for (rnd, positive, negative) in rows {
        let (add, mul) = (format!("FADD_RR{rnd}"), format!("FMUL_RR{rnd}"));
        let fma = format!("FFMA_RRR{rnd}");
        check(
            &Readings::INTENDED,
            &[
                (&add, &[LARGEST, LARGEST], positive),
                (&mul, &[LARGEST, 0xff7f_ffff], negative),
                (&fma, &[LARGEST, LARGEST, MINUS_ONE], positive),
                (&fma, &[LARGEST, 0xff7f_ffff, ONE], negative),
            ],
        );
    }
    for (rnd, positive, negative) in
        [("", 0, MINUS_ZERO), (".RP", 1, MINUS_ZERO), (".RM", 0, 0x8000_0001), (".RZ", 0, MINUS_ZERO)]
    {
        let mul = format!("FMUL_RR{rnd}");
        check(
            &Readings::INTENDED,
            &[(&mul, &[1, 0x3f00_0000], positive), (&mul, &[1, 0x8000_0001], negative)],
        );
    }
}

#[test]
fn saturation_and_flushing() {
    check(
        &Readings::INTENDED,
        &[
            ("FADD_RR.SAT", &[INF, MINUS_INF], ZERO),
            ("FADD_RR.SAT", &[INF, ONE], ONE),
            ("FADD_RR.SAT", &[MINUS_INF, ONE], ZERO),
            ("FADD_RR.SAT", &[ONE, 0x3400_0000], ONE),
            ("FADD_RR.SAT", &[0x3f00_0000, 0x3e80_0000], 0x3f40_0000),
            ("FADD_RR.SAT", &[MINUS_ONE, 0x3f00_0000], ZERO),
            ("FADD_RR.FTZ", &[0x807f_ffff, MINUS_ZERO], MINUS_ZERO),
            ("FADD_RR.FTZ", &[0x0080_0000, 0x8080_0001], MINUS_ZERO),
            ("FADD_RR", &[0x0080_0000, 0x8080_0001], 0x8000_0001),
            ("FMUL_RR.FTZ.SAT", &[0x0080_0000, 0x3f00_0000], ZERO),
            ("FADD_RR.FTZ", &[ANY_NAN, ONE], NAN),
        ],
    );
}

#[test]
fn scales() {
    for (scale, factor) in [
        ("D2", 0x3f00_0000),
        ("D4", 0x3e80_0000),
        ("D8", 0x3e00_0000),
        ("NoScale", ONE),
        ("M2", 0x4000_0000),
        ("M4", 0x4080_0000),
        ("M8", 0x4100_0000),
    ] {
        check(&Readings::INTENDED, &[(&format!("FMUL_RR.{scale}"), &[ONE, ONE], factor)]);
    }
}

#[test]
fn minimum_and_maximum() {
    let subnormal = 0x0000_0001;
    // The modifier, the operands, the minimum and the maximum.
    let rows = [
        ("", ONE, MINUS_ONE, MINUS_ONE, ONE),
        ("", ZERO, MINUS_ZERO, MINUS_ZERO, ZERO),
        ("", MINUS_ZERO, ZERO, MINUS_ZERO, ZERO),
        ("", MINUS_INF, LARGEST, MINUS_INF, LARGEST),
        ("", INF, INF, INF, INF),
        ("", 0x8000_0002, 0x8000_0001, 0x8000_0002, 0x8000_0001),
        ("", ANY_NAN, ONE, ONE, ONE),
        ("", MINUS_ZERO, ANY_NAN, MINUS_ZERO, MINUS_ZERO),
        ("", ANY_NAN, 0x7fc0_0000, NAN, NAN),
        (".NAN", ANY_NAN, ONE, NAN, NAN),
        (".NAN", ONE, ANY_NAN, NAN, NAN),
        (".NAN", ONE, MINUS_ONE, MINUS_ONE, ONE),
        (".FTZ", subnormal, MINUS_ZERO, MINUS_ZERO, ZERO),
        (".FTZ", subnormal, MINUS_ONE, MINUS_ONE, ZERO),
        (".FTZ", ANY_NAN, subnormal, ZERO, ZERO),
        ("", subnormal, ZERO, ZERO, subnormal),
    ];
    for (modifiers, a, b, minimum, maximum) in rows {
        let fmnmx = format!("FMNMX_RR{modifiers}");
        let rows: [(&str, &[u32], u32); 2] = [(&fmnmx, &[a, b, 1], minimum), (&fmnmx, &[a, b, 0], maximum)];
        check(&Readings::INTENDED, &rows);
    }
}

#[test]
fn comparisons() {
    // The operands, and the ordered comparisons that are true for them.
    let rows: [(u32, u32, &[&str]); 6] = [
        (MINUS_ZERO, ZERO, &["EQ", "LE", "GE", "NUM"]),
        (ONE, MINUS_ONE, &["NE", "GT", "GE", "NUM"]),
        (MINUS_INF, 0xff7f_ffff, &["NE", "LT", "LE", "NUM"]),
        (INF, INF, &["EQ", "LE", "GE", "NUM"]),
        (0, 1, &["NE", "LT", "LE", "NUM"]),
        (ANY_NAN, ONE, &["NAN"]),
    ];
    for (a, b, truths) in rows {
        for comparison in ["EQ", "NE", "LT", "LE", "GT", "GE", "NAN", "NUM"] {
            let holds = truths.contains(&comparison);
            let text = format!("FSET_RR.{comparison}.AND");
            check(&Readings::INTENDED, &[(&text, &[a, b, 1], if holds { u32::MAX } else { 0 })]);
        }
    }
    check(
        &Readings::INTENDED,
        &[
            ("FSET_RR.EQ.AND", &[0, 1, 1], 0),
            ("FSET_RR.FTZ.EQ.AND", &[0, 0x8000_0001, 1], u32::MAX),
            ("FSET_RR.EQ.OR.BF", &[0, 1, 1], ONE),
            ("FSET_RR.EQ.OR.BF", &[0, 1, 0], 0),
            ("FSET_RR.EQ.XOR", &[1, 1, 1], 0),
            ("FSET_RR.EQ.XOR", &[1, 1, 0], u32::MAX),
        ],
    );
}

#[test]
fn selections() {
    check(
        &Readings::INTENDED,
        &[
            ("FSEL_RR", &[ONE, INF, 1], ONE),
            ("FSEL_RR", &[ONE, INF, 0], INF),
            ("FSEL_RR", &[1, INF, 1], 1),
            ("FSEL_RR.FTZ", &[0x8000_0001, INF, 1], MINUS_ZERO),
            ("FSEL_RR.FTZ", &[ANY_NAN, INF, 1], ANY_NAN),
        ],
    );
}

#[test]
fn divisions_that_need_the_slow_path() {
    // Returns a power of two. For the exponent -127 the exponent field is 0, and for 128 it is all
    // ones.
    let power = |exponent: i32| ((exponent + 127) as u32) << 23;
    for (ea, eb, slow) in [
        (0, 0, false),
        (-103, -100, true),
        (-102, -100, false),
        (127, 100, false),
        (128, 100, true),
        (0, -126, true),
        (0, -125, false),
        (0, 124, false),
        (0, 125, true),
        (-20, 105, true),
        (-20, 104, false),
        (60, -67, true),
        (60, -66, false),
        (-127, 0, true),
        (0, -127, true),
        (0, 128, true),
    ] {
        let sign = MINUS_ZERO;
        for (a, b) in
            [(power(ea), power(eb)), (power(ea) | sign, power(eb)), (power(ea), power(eb) | 7 | sign)]
        {
            check(&Readings::INTENDED, &[("FCHK_RR", &[a, b], slow.into())]);
        }
    }
}

#[test]
fn bits() {
    const ONES: u32 = u32::MAX;
    check(
        &Readings::INTENDED,
        &[
            ("POPC_R", &[0], 0),
            ("POPC_R", &[ONES], 32),
            ("POPC_R", &[0x8000_0001], 2),
            ("FLO_R", &[0], ONES),
            ("FLO_R.SH", &[0], ONES),
            ("FLO_R", &[ONES], ONES),
            ("FLO_R.SH", &[ONES], ONES),
            ("FLO_R", &[0x7fff_ffff], 30),
            ("FLO_R", &[0x8000_0000], 30),
            ("FLO_R.U32", &[0x8000_0000], 31),
            ("FLO_R.U32.SH", &[0x8000_0000], 0),
            ("BREV_R", &[0], ONES),
            ("BMSK_RR", &[0, 0], 0),
            ("BMSK_RR", &[31, 1], 0x8000_0000),
            ("BMSK_RR", &[32, 1], 0),
            ("BMSK_RR", &[4, ONES], 0xffff_fff0),
            ("BMSK_RR", &[ONES, 33], 0),
            ("BMSK_RR.WRAP", &[33, 33], 2),
            ("BMSK_RR.WRAP", &[ONES, ONES], 0x8000_0000),
            ("SGXT_RR", &[0xf, 0], 0),
            ("SGXT_RR", &[1, 1], ONES),
            ("SGXT_RR", &[7, 3], ONES),
            ("SGXT_RR", &[3, 3], 3),
            ("SGXT_RR.U32", &[ONES, 3], 7),
            ("SGXT_RR", &[0x8000_0000, 32], 0x8000_0000),
            ("SGXT_RR", &[0x8000_0000, ONES], 0x8000_0000),
            ("SGXT_RR.WRAP", &[0xff, 33], ONES),
            ("SGXT_RR.WRAP", &[ONES, 32], 0),
        ],
    );
}
