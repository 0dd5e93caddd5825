//! Witnesses of the errata about POPC, FLO, BREV, BMSK and SGXT.

use assay_isa::{Answer, Erratum, Instruction};

use super::super::{RD, ask, bits, check, instruction, readings, written};
use super::prove;

const ONES: u32 = u32::MAX;

#[test]
fn e023_signed_immediate() {
    // The form, the amount (an immediate is part of the instruction), the position, and the results
    // for an unsigned and for a signed amount.
    let rows = [
        ("BMSK_RI", 0xffff_ffff, 0, ONES, 0x7fff_ffff),
        ("BMSK_RI", 0x8000_0000, 0, ONES, 0),
        ("BMSK_RI", 0x8000_0004, 8, 0xffff_ff00, 0x0000_0f00),
        ("BMSK_RI", 0xffff_ffff, 32, 0, 0),
        ("BMSK_RI", 0x7fff_ffff, 0, ONES, ONES),
        ("BMSK_RI.WRAP", 0xffff_ffff, 0, 0x7fff_ffff, 0x7fff_ffff),
    ];
    for (text, amount, position, unsigned, signed) in rows {
        let mut bmsk = instruction(text);
        bmsk.set("vb", amount);
        for (settings, expected) in [
            (&["E023=1"][..], unsigned),
            (&["E023=2"], signed),
            (&["E023=2", "E057=1"], prose(text, amount, position)),
        ] {
            let (_, truths) = ask(&readings(settings), &bmsk, &[position]);
            let actual = written(&truths, RD, 0);
            assert_eq!(actual, Some(expected), "{text} {amount:#x} {settings:?}");
        }
    }
    prove("E023", &[("BMSK_RR", &[0, ONES], &[ONES; 2])]);
}

/// Returns BMSK's result by the prose (E057 = 1). E023 does not affect it.
fn prose(text: &str, amount: u32, position: u32) -> u32 {
    let register = text.replace("_RI", "_RR");
    bits(&readings(&["E057=1"]), &register, &[position, amount])
}

#[test]
fn e049_the_loop_that_does_not_end() {
    let complemented = || {
        let mut popc = instruction("POPC_R");
        popc.set("rb.bitnot", 1);
        popc
    };
    let rows: [(Instruction, u32, bool, u32); 4] = [
        (instruction("POPC_R"), 1, true, 1),
        (instruction("POPC_R"), 0, false, 0),
        (complemented(), 0, true, 32),
        (complemented(), ONES, false, 0),
    ];
    for (popc, input, undefined, count) in rows {
        let (answer, truths) = ask(&readings(&["E049=1"]), &popc, &[input]);
        let expected: &[_] = if undefined { &[(0, Erratum(49))] } else { &[] };
        assert_eq!((answer, truths.undefined()), (Answer::Known, expected), "{input:#x}");
        let (_, truths) = ask(&readings(&["E049=2"]), &popc, &[input]);
        assert!(truths.undefined().is_empty());
        assert_eq!(written(&truths, RD, 0), Some(count), "{input:#x}");
    }
}

#[test]
fn e050_after_the_special_case_of_zero() {
    prove(
        "E050",
        &[("FLO_R.U32", &[0], &[ONES; 2]), ("FLO_R.U32.SH", &[1], &[31; 2]), ("FLO_R.S32", &[0], &[ONES; 2])],
    );
    // A zero operand with the code's complement (E051 = 1), and with the code's subtraction (E053 =
    // 1).
    check(&readings(&["E050=1", "E051=1"]), &[("FLO_R.S32", &[0], 31)]);
    check(&readings(&["E050=2", "E051=1"]), &[("FLO_R.S32", &[0], ONES)]);
    check(&readings(&["E050=1", "E053=1"]), &[("FLO_R.U32.SH", &[0], 32)]);
    check(&readings(&["E050=2", "E053=1"]), &[("FLO_R.U32.SH", &[0], ONES)]);
}

#[test]
fn e051_which_operands_are_complemented() {
    prove(
        "E051",
        &[
            ("FLO_R.S32", &[1], &[31, 0]),
            ("FLO_R.S32", &[0x7fff_ffff], &[31, 30]),
            ("FLO_R.S32", &[0xffff_fffc], &[1, 1]),
            ("FLO_R.U32", &[1], &[0, 0]),
        ],
    );
}

#[test]
fn e052_absolute_value_or_complement() {
    prove(
        "E052",
        &[
            ("FLO_R.S32", &[0x8000_0000], &[31, 30]),
            ("FLO_R.S32", &[0xffff_fffc], &[2, 1]),
            ("FLO_R.S32", &[ONES], &[0, ONES]),
            ("FLO_R.S32", &[5], &[2, 2]),
            ("FLO_R.S32.SH", &[0x8000_0000], &[0, 1]),
            ("FLO_R.U32", &[0x8000_0000], &[31, 31]),
        ],
    );
    check(&readings(&["E051=1", "E052=1"]), &[("FLO_R.S32", &[1], 0)]);
}

#[test]
fn e053_shift_where_there_is_no_bit() {
    prove(
        "E053",
        &[
            ("FLO_R.S32.SH", &[ONES], &[32, ONES]),
            ("FLO_R.S32", &[ONES], &[ONES; 2]),
            ("FLO_R.U32.SH", &[0], &[ONES; 2]),
            ("FLO_R.U32.SH", &[1], &[31; 2]),
        ],
    );
}

#[test]
fn e056_complement_or_reversal() {
    prove(
        "E056",
        &[
            ("BREV_R", &[1], &[0xffff_fffe, 0x8000_0000]),
            ("BREV_R", &[0x1234_5678], &[0xedcb_a987, 0x1e6a_2c48]),
        ],
    );
}

#[test]
fn e057_number_of_ones() {
    prove(
        "E057",
        &[
            ("BMSK_RR", &[4, 8], &[0x0000_1ff0, 0x0000_0ff0]),
            ("BMSK_RR", &[5, 0], &[0x0000_0020, 0]),
            ("BMSK_RR", &[0, 31], &[ONES, 0x7fff_ffff]),
            ("BMSK_RR", &[0, 32], &[ONES, ONES]),
            ("BMSK_RR", &[32, 1], &[0, 0]),
            ("BMSK_RR", &[31, ONES], &[0x8000_0000; 2]),
            ("BMSK_RR", &[ONES, ONES], &[0, 0]),
            ("BMSK_RR.WRAP", &[32, 32], &[1, 0]),
            // E059: the shift beyond the width does not change the result.
            ("BMSK_RR.WRAP", &[31, 31], &[0x8000_0000; 2]),
            ("BMSK_RR.WRAP", &[36, 40], &[0x0000_1ff0, 0x0000_0ff0]),
        ],
    );
}

#[test]
fn e058_name_of_the_second_register() {
    for (form, named) in [("BMSK_RR", true), ("BMSK_RU", true), ("BMSK_RI", false), ("BMSK_RC", false)] {
        for (settings, defined) in
            [(&["E058=1"][..], true), (&["E058=2"], named), (&["E058=2", "E057=1"], true)]
        {
            let (answer, truths) = ask(&readings(settings), &instruction(form), &[0, 8]);
            let expected: &[_] = if defined { &[] } else { &[(0, Erratum(58))] };
            assert_eq!((answer, truths.undefined()), (Answer::Known, expected), "{form} {settings:?}");
            assert_eq!(truths.columns().len(), usize::from(defined));
        }
    }
}

#[test]
fn e062_wrapped_width_of_32() {
    prove(
        "E062",
        &[
            ("SGXT_RR.WRAP.S32", &[0x1234_5678, 32], &[0x1234_5678, 0]),
            ("SGXT_RR.WRAP.U32", &[0x8234_5678, 32], &[0x8234_5678, 0]),
            ("SGXT_RR.WRAP.S32", &[0x1234_5678, 64], &[0; 2]),
            ("SGXT_RR.WRAP.U32", &[0x1234_5678, 36], &[8; 2]),
            ("SGXT_RR.CLAMP.S32", &[0x1234_5678, 32], &[0x1234_5678; 2]),
        ],
    );
}

#[test]
fn e063_shift_by_32() {
    prove(
        "E063",
        &[
            ("SGXT_RR.CLAMP.S32", &[0x1234_5678, 40], &[0, 0x1234_5678]),
            ("SGXT_RR.CLAMP.S32", &[0x8234_5678, 32], &[0, 0x8234_5678]),
            ("SGXT_RR.CLAMP.U32", &[0x1234_5678, 40], &[0x1234_5678; 2]),
            ("SGXT_RR.CLAMP.S32", &[0xffff_ffff, 31], &[ONES; 2]),
        ],
    );
    check(&readings(&["E062=1", "E063=1"]), &[("SGXT_RR.WRAP.S32", &[0x1234_5678, 32], 0)]);
}
