//! Special values of FADD, FMUL and FFMA as IEEE 754 section 6 and 7 have them, in the readings intended.

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
/// Signalling, with a payload and a sign.
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
            // The product alone is far outside F32 both ways.
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
