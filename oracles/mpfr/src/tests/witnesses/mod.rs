//! Tests the witness of each erratum under each of its settings. The witnesses about registers and
//! guards are in `overwritten` and `operands`.

use assay_isa::{Answer, Erratum};

mod bfn;
mod compare;
mod integer;
mod mufu;
mod patterns;
mod system;
mod uniform;

use super::{RD, ask, check, instruction, readings, written};

/// The instruction, its inputs, and its result under each setting. Setting 1 comes first.
type Witness<'a> = (&'a str, &'a [u32], &'a [u32]);

fn prove(erratum: &str, witnesses: &[Witness]) {
    let settings = witnesses.iter().map(|(_, _, results)| results.len()).max().unwrap_or(0);
    for setting in 1..=settings {
        let readings = readings(&[&format!("{erratum}={setting}")]);
        for (text, inputs, results) in witnesses {
            check(&readings, &[(text, inputs, results[setting - 1])]);
        }
    }
}

#[test]
fn e169_ties() {
    prove(
        "E169",
        &[
            ("FADD_RR", &[0x3f80_0000, 0x3380_0000], &[0x3f80_0001, 0x3f80_0000]),
            ("FADD_RR", &[0xbf80_0000, 0xb380_0000], &[0xbf80_0001, 0xbf80_0000]),
            // Sums above and below a tie, then ties.
            ("FADD_RR", &[0x3f80_0000, 0x3380_0001], &[0x3f80_0001; 2]),
            ("FADD_RR", &[0x3f80_0000, 0x337f_ffff], &[0x3f80_0000; 2]),
            ("FADD_RR", &[0x3f80_0001, 0x3380_0000], &[0x3f80_0002; 2]),
            ("FMUL_RR", &[0x3f80_0001, 0x3fc0_0000], &[0x3fc0_0002; 2]),
            ("FMUL_RR", &[0x3f80_0003, 0x3fc0_0000], &[0x3fc0_0005, 0x3fc0_0004]),
            ("FFMA_RRR", &[0x3f80_0000, 0x3f80_0000, 0x3380_0000], &[0x3f80_0001, 0x3f80_0000]),
            // Products between two numbers of the subnormal grid, and about half of the least
            // subnormal: a tie, and just below it. One product is rounded up to the least normal
            // number.
            ("FMUL_RR", &[0x0080_0001, 0x3f00_0000], &[0x0040_0001, 0x0040_0000]),
            ("FMUL_RR", &[0x8000_0001, 0x3f00_0000], &[0x8000_0001, 0x8000_0000]),
            ("FMUL_RR", &[0x8000_0001, 0x3eff_ffff], &[0x8000_0000; 2]),
            ("FMUL_RR", &[0x00ff_ffff, 0x3f00_0000], &[0x0080_0000; 2]),
            // Sums at the border of overflow.
            ("FADD_RR", &[0x7f7f_ffff, 0x7300_0000], &[0x7f80_0000; 2]),
            ("FADD_RR", &[0xff7f_ffff, 0xf2ff_ffff], &[0xff7f_ffff; 2]),
            // Only .RN has ties.
            ("FADD_RR.RZ", &[0x3f80_0000, 0x3380_0000], &[0x3f80_0000; 2]),
            ("FADD_RR.RM", &[0x3f80_0000, 0x3380_0000], &[0x3f80_0000; 2]),
        ],
    );
}

#[test]
fn e170_saturated_negative_zero() {
    prove(
        "E170",
        &[
            ("FADD_RR.SAT", &[0x8000_0000, 0x8000_0000], &[0x8000_0000, 0]),
            ("FMUL_RR.SAT", &[0x8000_0000, 0x3f80_0000], &[0x8000_0000, 0]),
            ("FFMA_RRR.SAT", &[0x8000_0000, 0x3f80_0000, 0x8000_0000], &[0x8000_0000, 0]),
            ("FMUL_RR.SAT", &[0x8000_0001, 0x3f00_0000], &[0x8000_0000, 0]),
            // A negative result is clamped to +0 before it could be flushed to -0.
            ("FMUL_RR.SAT.FTZ", &[0x8080_0000, 0x3f00_0000], &[0, 0]),
            ("FADD_RR", &[0x8000_0000, 0x8000_0000], &[0x8000_0000; 2]),
        ],
    );
}

#[test]
fn e172_sign_of_an_exact_zero() {
    prove(
        "E172",
        &[
            ("FADD_RR.RM", &[0x3f80_0000, 0xbf80_0000], &[0, 0x8000_0000]),
            ("FADD_RR.RM", &[0x8000_0000, 0], &[0, 0x8000_0000]),
            ("FADD_RR", &[0x8000_0000, 0x8000_0000], &[0, 0x8000_0000]),
            ("FADD_RR", &[0x3f80_0000, 0xbf80_0000], &[0, 0]),
            ("FFMA_RRR.RM", &[0x3f80_0000, 0x3f80_0000, 0xbf80_0000], &[0, 0x8000_0000]),
            ("FFMA_RRR", &[0x8000_0000, 0x3f80_0000, 0x8000_0000], &[0, 0x8000_0000]),
            // Results to which E172 does not apply, since they are no exact sum of zero: an inexact
            // zero, and a product.
            ("FFMA_RRR", &[0x8000_0001, 0x0000_0001, 0x8000_0000], &[0x8000_0000; 2]),
            ("FMUL_RR", &[0x8000_0000, 0x3f80_0000], &[0x8000_0000; 2]),
        ],
    );
}

#[test]
fn e173_flushed_results() {
    prove(
        "E173",
        &[
            ("FMUL_RR.FTZ", &[0x00ff_ffff, 0x3f00_0000], &[0x0080_0000, 0]),
            ("FMUL_RR.FTZ", &[0x3f7f_ffff, 0x0080_0000], &[0x0080_0000, 0]),
            ("FMUL_RR.FTZ", &[0xbf7f_ffff, 0x0080_0000], &[0x8080_0000, 0x8000_0000]),
            ("FMUL_RR.FTZ", &[0x2000_0001, 0x1fff_fffe], &[0x0080_0000; 2]),
            ("FMUL_RR.FTZ.RP", &[0x2000_0001, 0x1fff_fffe], &[0x0080_0000; 2]),
            ("FMUL_RR.FTZ.RZ", &[0x2000_0001, 0x1fff_fffe], &[0; 2]),
            ("FFMA_RRR.FTZ", &[0x00ff_ffff, 0x3f00_0000, 0], &[0x0080_0000, 0]),
            ("FMUL_RR.FTZ.SAT", &[0x00ff_ffff, 0x3f00_0000], &[0x0080_0000, 0]),
            ("FMUL_RR.FTZ", &[0x0080_0000, 0x3f80_0000], &[0x0080_0000; 2]),
            ("FMUL_RR.FTZ", &[0x8080_0000, 0x3f00_0000], &[0x8000_0000; 2]),
            ("FMUL_RR", &[0x00ff_ffff, 0x3f00_0000], &[0x0080_0000; 2]),
        ],
    );
}

#[test]
fn e173_with_ties_away() {
    let tiny = readings(&["E169=1", "E173=2"]);
    check(
        &tiny,
        &[
            ("FMUL_RR.FTZ", &[0x3f7f_ffff, 0x0080_0000], 0),
            // 2^-126 · (1 - 2^-46) rounds up with an unbounded exponent, so it is not tiny.
            ("FMUL_RR.FTZ", &[0x2000_0001, 0x1fff_fffe], 0x0080_0000),
        ],
    );
}

#[test]
fn e176_scaled_operand() {
    prove(
        "E176",
        &[
            ("FMUL_RR.M8", &[0x7f00_0000, 0x3a80_0000], &[0x7b80_0000, 0x7f80_0000, 0x7f80_0000]),
            ("FMUL_RR.M8.RZ", &[0x7f00_0000, 0x3a80_0000], &[0x7b80_0000, 0x7a7f_ffff, 0x7a7f_ffff]),
            ("FMUL_RR.M8", &[0x7f00_0000, 0], &[0, 0x7fff_ffff, 0x7fff_ffff]),
            ("FMUL_RR.FTZ.D8", &[0x0100_0000, 0x4380_0000], &[0x0380_0000, 0x0380_0000, 0]),
            ("FMUL_RR.D8", &[0x0100_0000, 0x4380_0000], &[0x0380_0000; 3]),
            // The scaled operand is rounded in the instruction's direction. 0x00800001 / 8 is
            // inexact.
            ("FMUL_RR.D8.RP", &[0x0080_0001, 0x4100_0000], &[0x0080_0001, 0x0080_0008, 0x0080_0008]),
            ("FMUL_RR.D8.RM", &[0x0080_0001, 0x4100_0000], &[0x0080_0001, 0x0080_0000, 0x0080_0000]),
            ("FMUL_RR", &[0x0000_0001, 0x3f80_0000], &[0x0000_0001; 3]),
        ],
    );
}

#[test]
fn e176_rounds_the_scaled_operand_with_ties_as_e169_has_them() {
    let row: (&str, &[u32]) = ("FMUL_RR.D2", &[0x0000_0001, 0x3f80_0000]);
    check(&readings(&["E176=2"]), &[(row.0, row.1, 0)]);
    check(&readings(&["E176=2", "E169=1"]), &[(row.0, row.1, 1)]);
}

#[test]
fn e177_undefined_name() {
    let inputs = [0x4000_0000, 0x4040_0000, 0x3f80_0000];
    let (answer, truths) = ask(&readings(&["E177=1"]), &instruction("FFMA_RRR"), &inputs);
    assert_eq!((answer, truths.undefined()), (Answer::Known, &[(0, Erratum(177))][..]));
    assert!(truths.columns().is_empty());
    check(&readings(&["E177=2"]), &[("FFMA_RRR", &inputs, 0x40e0_0000)]);
    check(&readings(&["E177=1"]), &[("FMUL_RR", &inputs, 0x40c0_0000)]);
}

#[test]
fn e178_rounding_of_ffma() {
    prove(
        "E178",
        &[
            ("FFMA_RRR.RP", &[0x3f80_0000, 0x3f80_0000, 0x3380_0000], &[0x3f80_0000, 0x3f80_0001]),
            ("FFMA_RRR.RZ", &[0x3f80_0000, 0x3f80_0000, 0x33c0_0000], &[0x3f80_0001, 0x3f80_0000]),
            ("FADD_RR.RP", &[0x3f80_0000, 0x3380_0000], &[0x3f80_0001; 2]),
        ],
    );
}

#[test]
fn e179_flushed_addend() {
    prove(
        "E179",
        &[
            ("FFMA_RRR.FTZ", &[0x3f80_0000, 0x0080_0000, 0x007f_ffff], &[0x00ff_ffff, 0x0080_0000]),
            ("FFMA_RRR", &[0x3f80_0000, 0x0080_0000, 0x007f_ffff], &[0x00ff_ffff; 2]),
            ("FFMA_RRR.FTZ", &[0x007f_ffff, 0x4000_0000, 0x0080_0000], &[0x0080_0000; 2]),
        ],
    );
}

#[test]
fn e180_rounded_product() {
    prove(
        "E180",
        &[
            ("FFMA_RRR", &[0x3f80_0800, 0x3f80_0800, 0xbf80_1000], &[0, 0x3380_0000]),
            ("FFMA_RRR.RP", &[0x3f80_0800, 0x3f80_0800, 0xbf80_1000], &[0x3400_0000, 0x3380_0000]),
            ("FFMA_RRR", &[0x7f00_0000, 0x4000_0000, 0xff7f_ffff], &[0x7f80_0000, 0x7380_0000]),
            ("FFMA_RRR", &[0x0000_0001, 0x3f00_0000, 0x0000_0001], &[0x0000_0001, 0x0000_0002]),
        ],
    );
}

#[test]
fn c001_nan_operands() {
    const NAN: u32 = 0x7fff_ffff;
    prove(
        "C001",
        &[
            ("FADD_RR", &[0x7fc0_0001, 0xff80_0002], &[NAN, 0x7fc0_0001, 0xffc0_0002]),
            ("FADD_RR.SAT", &[0x7fc0_0001, 0xff80_0002], &[0; 3]),
            ("FMUL_RR.D2", &[0x3f80_0000, 0xff80_0002], &[NAN, 0xffc0_0002, 0xffc0_0002]),
            ("FFMA_RRR", &[0x7fc0_0001, 0x7fc0_0002, 0x7fc0_0003], &[NAN, 0x7fc0_0001, 0x7fc0_0003]),
            ("FFMA_RRR", &[0x7f80_0000, 0x8000_0000, 0x7fc0_0003], &[NAN, 0x7fc0_0003, NAN]),
            ("FFMA_RRR", &[0x7f80_0000, 0x8000_0000, 0x7f80_0003], &[NAN, 0x7fc0_0003, 0x7fc0_0003]),
            ("FFMA_RRR.FTZ", &[0x8000_0001, 0x7f80_0000, 0xffc0_0003], &[NAN, 0xffc0_0003, NAN]),
            ("FMNMX_RR", &[0x7fc0_0001, 0xff80_0002, 1], &[NAN, 0x7fc0_0001, 0xffc0_0002]),
            ("FMNMX_RR.NAN", &[0x3f80_0000, 0xffc0_0002, 1], &[NAN, 0xffc0_0002, 0xffc0_0002]),
        ],
    );
    // Prefixes are applied before the NaN is chosen.
    let mut sum = instruction("FADD_RR");
    sum.set("ra.neg", 1);
    for (setting, expected) in [("C001=1", NAN), ("C001=2", 0xffc0_0001), ("C001=3", 0xffc0_0001)] {
        let (_, truths) = ask(&readings(&[setting]), &sum, &[0x7f80_0001, 0]);
        assert_eq!(written(&truths, RD, 0), Some(expected), "{setting}");
    }
}

#[test]
fn c002_nan_of_no_operand() {
    const PATTERNS: &[u32] = &[0x7fff_ffff, 0x7fc0_0000, 0xffc0_0000];
    prove(
        "C002",
        &[
            ("FADD_RR", &[0x7f80_0000, 0xff80_0000], PATTERNS),
            ("FMUL_RR", &[0x7f80_0000, 0], PATTERNS),
            ("FFMA_RRR", &[0x7f80_0000, 0, 0x3f80_0000], PATTERNS),
            ("FADD_RR", &[0x7fc0_0001, 0], PATTERNS),
            ("FADD_RR.SAT", &[0x7f80_0000, 0xff80_0000], &[0; 3]),
        ],
    );
}

#[test]
fn c010_sides_of_ftz() {
    prove(
        "C010",
        &[
            ("FADD_RR.FTZ", &[0x0040_0000, 0x0040_0000], &[0, 0, 0x0080_0000]),
            ("FADD_RR.FTZ", &[0x0080_0001, 0x8080_0000], &[0, 1, 0]),
            ("FADD_RR", &[0x0080_0001, 0x8080_0000], &[1; 3]),
            ("FMUL_RR.FTZ", &[0x0000_0001, 0x7f80_0000], &[0x7fff_ffff, 0x7fff_ffff, 0x7f80_0000]),
            ("FMUL_RR.FTZ", &[0x8080_0000, 0x3f00_0000], &[1 << 31, 0x8040_0000, 1 << 31]),
            // The first operand is flushed before it is scaled.
            ("FMUL_RR.FTZ.M2", &[0x0040_0000, 0x3f80_0000], &[0, 0, 0x0080_0000]),
            ("FFMA_RRR.FTZ", &[0x3f80_0000, 0x0080_0000, 0x0040_0000], &[0x80_0000, 0x80_0000, 0xc0_0000]),
            ("FMNMX_RR.FTZ", &[0x0000_0001, 0x3f80_0000, 1], &[0; 3]),
        ],
    );
}

#[test]
fn c011_sign_of_a_flushed_result() {
    prove(
        "C011",
        &[
            ("FADD_RR.FTZ", &[0x8080_0001, 0x0080_0000], &[1 << 31, 0]),
            ("FMUL_RR.FTZ", &[0x8080_0000, 0x3f00_0000], &[1 << 31, 0]),
            ("FFMA_RRR.FTZ", &[0x8080_0000, 0x3f00_0000, 1 << 31], &[1 << 31, 0]),
            ("FMUL_RR", &[0x8080_0000, 0x3f00_0000], &[0x8040_0000; 2]),
            // These zeros are not made by flushing the result.
            ("FADD_RR.FTZ", &[1 << 31, 1 << 31], &[1 << 31; 2]),
            ("FMUL_RR.FTZ", &[0x8000_0001, 0x3f80_0000], &[1 << 31; 2]),
            ("FMUL_RR.FTZ", &[0x8080_0000, 0x2000_0000], &[1 << 31; 2]),
        ],
    );
    // Under these readings, a result that rounds to zero counts as tiny, so it is flushed.
    for earlier in ["E173=2", "C003=2"] {
        let operands = [0x8080_0000, 0x2000_0000];
        check(&readings(&["C011=1", earlier]), &[("FMUL_RR.FTZ", &operands, 1 << 31)]);
        check(&readings(&["C011=2", earlier]), &[("FMUL_RR.FTZ", &operands, 0)]);
    }
}

#[test]
fn c003_tiny_before_rounding() {
    prove(
        "C003",
        &[
            ("FMUL_RR.FTZ", &[0x00ff_ffff, 0x3f00_0000], &[0x0080_0000, 0]),
            ("FMUL_RR.FTZ", &[0x2000_0001, 0x9fff_fffe], &[0x8080_0000, 0x8000_0000]),
            ("FMUL_RR.FTZ.RP", &[0x2000_0001, 0x1fff_fffe], &[0x0080_0000, 0]),
            ("FMUL_RR.FTZ.RZ", &[0x2000_0001, 0x1fff_fffe], &[0; 2]),
            ("FMUL_RR.FTZ.RZ", &[0x0080_0000, 0x3f80_0000], &[0x0080_0000; 2]),
            ("FFMA_RRR.FTZ", &[0x2000_0001, 0x1fff_fffe, 0x0080_0000], &[0x0100_0000; 2]),
            ("FFMA_RRR.FTZ", &[0x00ff_ffff, 0x3f00_0000, 0], &[0x0080_0000, 0]),
            ("FMUL_RR", &[0x00ff_ffff, 0x3f00_0000], &[0x0080_0000; 2]),
            ("FMUL_RR.FTZ.D2", &[0x00ff_ffff, 0x3f80_0000], &[0x0080_0000, 0]),
        ],
    );
    // For a number that was rounded in an earlier step, the value after that step decides. In this
    // case the first rounding gave the least normal number, so the result is not tiny.
    for scaled in ["E176=2", "E176=3"] {
        let rows: [(&str, &[u32], u32); 1] = [("FMUL_RR.FTZ.D2", &[0x00ff_ffff, 0x3f80_0000], 0x0080_0000)];
        check(&readings(&["C003=2", scaled]), &rows);
    }
    let rows: [(&str, &[u32], u32); 1] = [("FFMA_RRR.FTZ", &[0x00ff_ffff, 0x3f00_0000, 0], 0x0080_0000)];
    check(&readings(&["C003=2", "E180=1"]), &rows);
}
