//! Tests a witness of every erratum with several readings in the model, under each setting.

use crate::support::sample::{self, Random};
use crate::support::{Values, assert_writes, effects, readings, run, under};
use assay_isa::codec::encode;
use assay_isa::location::PT;
use assay_isa::{Batch, EncodingTable, Erratum, Instruction, Operand, Reading, Source};
use assay_model::model;

#[test]
#[rustfmt::skip]
fn settings_differ_at_their_witness() {
    let table: &[(&str, &str, &[u32], &[u32])] = &[
        // Erratum, instruction, operands, results under settings 1, 2, …
        ("E036", "MUFU.RCP", &[0x7fc0_0000], &[0xffff_ffff, 0x7fff_ffff]),
        ("E036", "MUFU.RCP.SAT", &[0x7fc0_0000], &[0, 0]),
        ("E040", "MUFU.RCP.F64", &[0x7ff8_0000], &[0x0000_0000, 0x7fff_ffff]),
        ("E040", "MUFU.RCP.F64", &[0xfff0_0000], &[0x0000_0000, 0x8000_0000]),
        ("E040", "MUFU.RCP.F64", &[0x8000_0001], &[0x0000_0000, 0xfff0_0000]),
        ("E042", "MUFU.RCP", &[0x0040_0000], &[0x7f00_0000, 0x7f80_0000]),
        ("E042", "MUFU.RCP", &[0x8040_0000], &[0xff00_0000, 0xff80_0000]),
        ("E042", "MUFU.RCP", &[0xff00_0000], &[0x8040_0000, 0x8000_0000]),
        ("E042", "MUFU.RCP.F64", &[0x7fe0_0000], &[0x0000_0000, 0x0000_0000]),
        ("E169", "FADD", &[0x3f80_0000, 0x3380_0000], &[0x3f80_0001, 0x3f80_0000]),
        ("E169", "FMUL", &[0x3f80_0001, 0x3fc0_0000], &[0x3fc0_0002, 0x3fc0_0002]),
        ("E169", "FMUL", &[0x3f80_0003, 0x3fc0_0000], &[0x3fc0_0005, 0x3fc0_0004]),
        ("E169", "FFMA", &[0x3f80_0000, 0xbf80_0000, 0xb380_0000], &[0xbf80_0001, 0xbf80_0000]),
        ("E170", "FADD.SAT", &[0x8000_0000, 0x8000_0000], &[0x8000_0000, 0]),
        ("E170", "FMUL.SAT", &[0x8000_0000, 0x3f80_0000], &[0x8000_0000, 0]),
        ("E170", "FFMA.SAT", &[0x8000_0000, 0x3f80_0000, 0x8000_0000], &[0x8000_0000, 0]),
        ("E170", "FADD.SAT", &[0xbf80_0000, 0x8000_0000], &[0, 0]),
        ("E172", "FADD.RM", &[0x3f80_0000, 0xbf80_0000], &[0x0000_0000, 0x8000_0000]),
        ("E172", "FADD", &[0x8000_0000, 0x8000_0000], &[0x0000_0000, 0x8000_0000]),
        ("E172", "FFMA.RM", &[0x3f80_0000, 0x3f80_0000, 0xbf80_0000], &[0x0000_0000, 0x8000_0000]),
        ("E172", "FFMA", &[0x8000_0000, 0x3f80_0000, 0x8000_0000], &[0x0000_0000, 0x8000_0000]),
        ("E172", "FFMA", &[0x8000_0001, 0x0000_0001, 0x0000_0000], &[0x8000_0000, 0x8000_0000]),
        ("E173", "FMUL.FTZ.RN", &[0x00ff_ffff, 0x3f00_0000], &[0x0080_0000, 0x0000_0000]),
        ("E173", "FMUL.FTZ", &[0x3f7f_ffff, 0x0080_0000], &[0x0080_0000, 0x0000_0000]),
        ("E173", "FMUL.FTZ", &[0x2000_0001, 0x1fff_fffe], &[0x0080_0000, 0x0080_0000]),
        ("E173", "FMUL.FTZ.RP", &[0xbf7f_ffff, 0x0080_0000], &[0x8000_0000, 0x8000_0000]),
        ("E173", "FFMA.FTZ", &[0xbf7f_ffff, 0x0080_0000, 0], &[0x8080_0000, 0x8000_0000]),
        ("E173", "FMUL", &[0x00ff_ffff, 0x3f00_0000], &[0x0080_0000, 0x0080_0000]),
        ("E176", "FMUL.M8", &[0x7f00_0000, 0x3a80_0000], &[0x7b80_0000, 0x7f80_0000, 0x7f80_0000]),
        ("E176", "FMUL.M8.RZ", &[0x7f00_0000, 0x3f80_0000], &[0x7f7f_ffff, 0x7f7f_ffff, 0x7f7f_ffff]),
        ("E176", "FMUL.FTZ.D8", &[0x0100_0000, 0x4380_0000], &[0x0380_0000, 0x0380_0000, 0x0000_0000]),
        ("E176", "FMUL.D2.RP", &[0x0000_0001, 0x4000_0000], &[0x0000_0001, 0x0000_0002, 0x0000_0002]),
        ("E178", "FFMA.RP", &[0x3f80_0000, 0x3f80_0000, 0x3380_0000], &[0x3f80_0000, 0x3f80_0001]),
        ("E179", "FFMA.FTZ", &[0x3f80_0000, 0x0080_0000, 0x007f_ffff], &[0x00ff_ffff, 0x0080_0000]),
        ("E180", "FFMA", &[0x3f80_0800, 0x3f80_0800, 0xbf80_1000], &[0x0000_0000, 0x3380_0000]),
        ("E180", "FFMA", &[0x7f00_0000, 0x4000_0000, 0xff80_0000], &[0x7fff_ffff, 0xff80_0000]),
        ("E180", "FFMA.RP", &[0x3f80_0800, 0x3f80_0800, 0xbf80_1000], &[0x3400_0000, 0x3380_0000]),
        ("E023", "BMSK", &[0, 0xffff_ffff], &[0xffff_ffff, 0xffff_ffff]),
        ("E049", "POPC", &[0], &[0, 0]),
        ("E050", "FLO", &[0], &[0xffff_ffff, 0xffff_ffff]),
        ("E051", "FLO", &[0x0000_0001], &[0x1f, 0]),
        ("E051", "FLO", &[0xffff_fffc], &[1, 1]),
        ("E051", "FLO.U32", &[0x0000_0001], &[0, 0]),
        ("E052", "FLO", &[0x8000_0000], &[0x1f, 0x1e]),
        ("E052", "FLO", &[0xffff_fffc], &[2, 1]),
        ("E052", "FLO", &[0xffff_ffff], &[0, 0xffff_ffff]),
        ("E052", "FLO", &[0], &[0xffff_ffff, 0xffff_ffff]),
        ("E052", "FLO.U32", &[0xffff_fffc], &[31, 31]),
        ("E053", "FLO.SH", &[0xffff_ffff], &[0x20, 0xffff_ffff]),
        ("E053", "FLO.SH", &[0], &[0xffff_ffff, 0xffff_ffff]),
        ("E053", "FLO", &[0xffff_ffff], &[0xffff_ffff, 0xffff_ffff]),
        ("E056", "BREV", &[0x0000_0001], &[0xffff_fffe, 0x8000_0000]),
        ("E056", "BREV", &[0x1234_5678], &[0xedcb_a987, 0x1e6a_2c48]),
        ("E057", "BMSK", &[4, 8], &[0x0000_1ff0, 0x0000_0ff0]),
        ("E057", "BMSK", &[5, 0], &[0x0000_0020, 0]),
        ("E057", "BMSK", &[31, 0], &[0x8000_0000, 0]),
        ("E057", "BMSK", &[32, 0], &[0, 0]),
        ("E057", "BMSK", &[0xffff_ffff, 0xffff_ffff], &[0, 0]),
        ("E057", "BMSK", &[0, 0xffff_ffff], &[0xffff_ffff, 0xffff_ffff]),
        ("E057", "BMSK", &[0, 31], &[0xffff_ffff, 0x7fff_ffff]),
        ("E057", "BMSK.WRAP", &[36, 32], &[0x10, 0]),
        ("E057", "BMSK.WRAP", &[31, 31], &[0x8000_0000, 0x8000_0000]),
        ("E058", "BMSK", &[4, 8], &[0x0000_0ff0, 0x0000_0ff0]),
        ("E062", "SGXT.WRAP", &[0x1234_5678, 32], &[0x1234_5678, 0]),
        ("E062", "SGXT.WRAP.U32", &[0x1234_5678, 32], &[0x1234_5678, 0]),
        ("E062", "SGXT.WRAP", &[0x1234_5678, 64], &[0, 0]),
        ("E062", "SGXT.WRAP", &[0x1234_5678, 36], &[0xffff_fff8, 0xffff_fff8]),
        ("E063", "SGXT", &[0x1234_5678, 40], &[0, 0x1234_5678]),
        ("E063", "SGXT.U32", &[0x1234_5678, 40], &[0x1234_5678, 0x1234_5678]),
        ("E063", "SGXT", &[0x1234_5678, 31], &[0x1234_5678, 0x1234_5678]),
        ("E183", "FMNMX.FTZ", &[0x7fc0_0000, 0x0000_0001, 1], &[0x0000_0001, 0]),
        ("E183", "FMNMX.FTZ", &[0x8000_0001, 0xffc0_0000, 0], &[0x8000_0001, 0x8000_0000]),
        ("E183", "FMNMX.FTZ", &[0x0000_0001, 0x3f80_0000, 1], &[0, 0]),
        ("E183", "FMNMX.FTZ.NAN", &[0x7fc0_0000, 0x0000_0001, 1], &[0x7fff_ffff, 0x7fff_ffff]),
        ("E184", "FMNMX", &[0x8000_0000, 0x0000_0000, 1], &[0x0000_0000, 0x8000_0000]),
        ("E184", "FMNMX", &[0x0000_0000, 0x8000_0000, 0], &[0x8000_0000, 0x0000_0000]),
        ("E184", "FMNMX", &[0x0000_0000, 0x8000_0000, 1], &[0x8000_0000, 0x8000_0000]),
        ("E184", "FMNMX", &[0xbf80_0000, 0xc000_0000, 0], &[0xbf80_0000, 0xbf80_0000]),
        ("C009", "FMNMX", &[0x7fc0_0001, 0x3f80_0000, 1], &[0x3f80_0000, 0x7fff_ffff, 0x7fc0_0001, 0x3f80_0000, 0x3f80_0000]),
        ("C009", "FMNMX", &[0x3f80_0000, 0x7f80_0001, 1], &[0x3f80_0000, 0x7fff_ffff, 0x3f80_0000, 0x7f80_0001, 0x7f80_0001]),
        ("C009", "FMNMX", &[0x7fc0_0001, 0xff80_0002, 0], &[0x7fff_ffff, 0x7fff_ffff, 0x7fc0_0001, 0xff80_0002, 0x7fc0_0001]),
        ("C009", "FMNMX.NAN", &[0x7fc0_0001, 0x3f80_0000, 1], &[0x7fff_ffff, 0x7fff_ffff, 0x7fff_ffff, 0x7fff_ffff, 0x7fff_ffff]),
        ("C010", "FADD.FTZ", &[0x0040_0000, 0x0040_0000], &[0, 0, 0x0080_0000]),
        ("C010", "FADD.FTZ", &[0x0080_0001, 0x8080_0000], &[0, 1, 0]),
        ("C010", "FFMA.FTZ", &[0x3f80_0000, 0x0080_0000, 0x0040_0000], &[0x0080_0000, 0x0080_0000, 0x00c0_0000]),
        ("C010", "FMUL.FTZ", &[0x8080_0000, 0x3f00_0000], &[0x8000_0000, 0x8040_0000, 0x8000_0000]),
        ("C010", "FMNMX.FTZ", &[0x0000_0001, 0x3f80_0000, 1], &[0, 0, 0]),
        ("C011", "FMUL.FTZ", &[0x8080_0000, 0x3f00_0000], &[0x8000_0000, 0]),
        ("C011", "FADD.FTZ", &[0x8080_0001, 0x0080_0000], &[0x8000_0000, 0]),
        ("C011", "FADD.FTZ", &[0x8000_0000, 0x8000_0000], &[0x8000_0000, 0x8000_0000]),
        ("C011", "FMUL.FTZ", &[0x8080_0000, 0x2000_0000], &[0x8000_0000, 0x8000_0000]),
        ("E185", "FSEL", &[0xffc1_2345, 0, 1], &[0xffc1_2345, 0x7fff_ffff]),
        ("E185", "FSEL.FTZ", &[0, 0x7f80_0001, 0], &[0x7f80_0001, 0x7fff_ffff]),
        ("E185", "FSEL", &[0x7f80_0000, 0xffc1_2345, 1], &[0x7f80_0000, 0x7f80_0000]),
        ("E186", "FSETP.NE.AND", &[0x7fc0_0000, 0x3f80_0000, 1], &[1, 0]),
        ("E186", "FSETP.NEU.AND", &[0x7fc0_0000, 0x3f80_0000, 1], &[1, 1]),
        ("E186", "FSETP.LTU.AND", &[0x7fc0_0000, 0x3f80_0000, 1], &[0, 1]),
        ("E186", "FSETP.EQU.AND", &[0x3f80_0000, 0x7f80_0001, 1], &[0, 1]),
        ("E186", "FSETP.NAN.AND", &[0x3f80_0000, 0x7f80_0001, 1], &[1, 1]),
        ("E186", "FSET.NE.AND", &[0x7fc0_0000, 0x7fc0_0000, 1], &[0xffff_ffff, 0]),
        ("E186", "FSET.GEU.AND.BF", &[0x7fc0_0000, 0x7fc0_0000, 1], &[0, 0x3f80_0000]),
        ("E186", "FSET.NUM.OR", &[0x7fc0_0000, 0, 0], &[0, 0]),
        ("E189", "FCHK", &[0x3f80_0000, 0xbf80_0000], &[1, 0]),
        ("E189", "FCHK", &[0x3f80_0000, 0x7e80_0000], &[0, 1]),
    ];
    for (erratum, text, operands, results) in table {
        for (setting, expected) in (1..).zip(*results) {
            let reading = format!("{erratum}={setting}");
            let found = under(&[&reading], text, operands);
            assert_eq!(found, *expected, "{text} {operands:08x?} under {reading}: {found:#010x}");
        }
    }
}

#[test]
fn the_immediate_of_a_mask_can_be_signed() {
    // E023 affects .CLAMP only, and only if the amount is read as in the code (E057 = 2).
    for (changes, mask) in
        [(&["E023=1"][..], 0xffff_ffff), (&["E023=2"], 0x7fff_ffff), (&["E023=2", "E057=1"], 0xffff_ffff)]
    {
        assert_writes(changes, "BMSK R0, R1, 0xffffffff", &[], &[("R0", mask)]);
    }
    assert_writes(&["E023=2"], "BMSK R0, R1, 0x7fffffff", &[], &[("R0", 0xffff_ffff)]);
    assert_writes(&["E023=2"], "BMSK.WRAP R0, R1, 0xffffffff", &[], &[("R0", 0x7fff_ffff)]);
    assert_writes(&["E023=2"], "BMSK R0, R1, R2", &[("R2", 0xffff_ffff)], &[("R0", 0xffff_ffff)]);
}

#[test]
#[rustfmt::skip]
fn undefined_lanes_are_reported() {
    let table: &[(&[&str], &str, Values, Option<u16>)] = &[
        (&["E177=1"], "FFMA R0, R1, R2, R3", &[("R1", 0x4000_0000)], Some(177)),
        (&["E177=2"], "FFMA R0, R1, R2, R3", &[("R1", 0x4000_0000)], None),
        (&["E177=1"], "@P0 FFMA R0, R1, R2, R3", &[], None),
        (&["E177=1", "E008=2"], "@P0 FFMA R0, R1, R2, R3", &[], Some(177)),
        (&["E177=1", "E012=1"], "FFMA.FTZ R0, R1, R2, R3", &[("R1", 1)], Some(177)),
        (&["E040=1"], "MUFU.RCP.F64 R0, R1", &[("R1", 0x4000_0000)], Some(40)),
        (&["E040=1"], "MUFU.RCP.F64 R0, R1", &[("R1", 0x8010_0000)], Some(40)),
        (&["E040=1"], "MUFU.RCP.F64 R0, R1", &[("R1", 0x000f_ffff)], None),
        (&["E040=1"], "MUFU.RCP.F64 R0, R1", &[("R1", 0x7ff0_0000)], None),
        (&["E040=1"], "MUFU.RCP.F32 R0, R1", &[("R1", 0x4000_0000)], None),
        (&["E040=1"], "@P0 MUFU.RCP.F64 R0, R1", &[("R1", 0x4000_0000)], None),
        (&["E049=1"], "POPC R0, R1", &[("R1", 1)], Some(49)),
        (&["E049=1"], "POPC R0, R1", &[("R1", 0)], None),
        (&["E049=1"], "POPC R0, ~R1", &[("R1", 0)], Some(49)),
        (&["E049=1"], "POPC R0, ~R1", &[("R1", 0xffff_ffff)], None),
        (&["E049=1"], "@!P0 POPC R0, R1", &[("R1", 1), ("P0", 1)], None),
        (&["E049=1", "E008=2"], "@!P0 POPC R0, R1", &[("R1", 1), ("P0", 1)], Some(49)),
        (&["E058=2"], "BMSK R0, R1, 8", &[], Some(58)),
        (&["E058=2"], "BMSK R0, R1, c[0][0x160]", &[], Some(58)),
        (&["E058=2"], "BMSK R0, R1, UR4", &[], None),
        (&["E058=2"], "BMSK R0, R1, R2", &[], None),
        (&["E058=2", "E057=1"], "BMSK R0, R1, 8", &[], None),
        (&["E058=2"], "@P0 BMSK R0, R1, 8", &[], None),
    ];
    for (changes, text, inputs, erratum) in table {
        let effects = effects(changes, text, inputs);
        let expected: Vec<_> = erratum.iter().map(|number| (0, Erratum(*number))).collect();
        assert_eq!(effects.undefined(), expected, "{text} of {inputs:08x?} under {changes:?}");
        assert!(erratum.is_none() || effects.lane(0).next().is_none(), "{text} under {changes:?}");
    }
}

#[test]
#[rustfmt::skip]
fn sources_can_be_overwritten() {
    // E012: the instruction, its inputs, and the values that it writes under setting 1.
    let table: &[(&[&str], &str, Values, Values)] = &[
        (&[], "FADD.FTZ R0, R1, R2", &[("R1", 1)], &[("R1", 0), ("R0", 0)]),
        (&[], "FADD R0, R1, R2", &[("R1", 1)], &[("R0", 1)]),
        (&[], "FADD.FTZ R0, -R1, |R2|", &[("R1", 1), ("R2", 0x8000_0001)], &[("R1", 0x8000_0000), ("R2", 0), ("R0", 0)]),
        (&[], "FADD.FTZ R0, -R1, R1", &[("R1", 1)], &[("R1", 0), ("R0", 0)]),
        (&[], "FADD.FTZ R0, R1, -R1", &[("R1", 1)], &[("R1", 0x8000_0000), ("R0", 0)]),
        (&[], "FADD.FTZ R1, R1, 1", &[("R1", 1)], &[("R1", 0x3f80_0000)]),
        (&[], "FADD.FTZ R0, R1, UR2", &[("UR2", 1)], &[("UR2", 0), ("R0", 0)]),
        (&[], "FADD.FTZ R0, R1, c[0][0x160]", &[("c[0][0x160]", 1)], &[("R0", 0)]),
        (&[], "FADD.FTZ RZ, R1, R2", &[("R1", 1)], &[("R1", 0)]),
        (&[], "@P0 FADD.FTZ R0, R1, R2", &[("R1", 1)], &[]),
        (&["E008=2"], "@P0 FADD.FTZ R0, R1, R2", &[("R1", 1)], &[("R1", 0), ("R0", 0)]),
        (&["E176=3"], "FMUL.FTZ.D8 R0, R1, R2", &[("R1", 0x0080_0000), ("R2", 2)], &[("R2", 0), ("R0", 0)]),
        (&["E179=1"], "FFMA.FTZ R0, R1, R2, R3", &[("R3", 1)], &[("R0", 0)]),
        (&[], "FFMA.FTZ R0, R1, R2, -R3", &[("R2", 2), ("R3", 1)], &[("R2", 0), ("R3", 0x8000_0000), ("R0", 0)]),
        (&[], "FMNMX.FTZ R0, R1, R2, PT", &[("R1", 1), ("R2", 0x7fc0_0000)], &[("R1", 0), ("R0", 0)]),
        (&["E183=1"], "FMNMX.FTZ R0, R1, R2, PT", &[("R1", 1), ("R2", 0x7fc0_0000)], &[("R0", 1)]),
        (&["E183=1"], "FMNMX.FTZ R0, R1, R2, PT", &[("R1", 1), ("R2", 0x8000_0002)], &[("R1", 0), ("R2", 0x8000_0000), ("R0", 0x8000_0000)]),
        (&[], "FSETP.FTZ.EQ.AND P0, R1, R2", &[("R1", 1), ("R2", 2)], &[("R1", 0), ("R2", 0), ("P0", 1)]),
        (&[], "FSET.FTZ.GT.OR.BF R0, -R1, 1, PT", &[("R1", 1)], &[("R1", 0x8000_0000), ("R0", 0x3f80_0000)]),
        (&[], "FSEL.FTZ R0, R1, R2, PT", &[("R1", 1), ("R2", 2)], &[("R1", 0), ("R2", 0), ("R0", 0)]),
        (&[], "FCHK P0, R1, R2", &[("R1", 1)], &[("P0", 1)]),
        (&[], "FLO R0, R1", &[("R1", 0xffff_fffc)], &[("R1", 3), ("R0", 1)]),
        (&[], "FLO R0, ~R1", &[("R1", 3)], &[("R1", 3), ("R0", 1)]),
        (&[], "FLO R0, R1", &[("R1", 4)], &[("R0", 2)]),
        (&[], "FLO R0, UR1", &[("UR1", 0x8000_0000)], &[("UR1", 0x7fff_ffff), ("R0", 30)]),
        (&[], "FLO.U32 R0, R1", &[("R1", 0xffff_fffc)], &[("R0", 31)]),
        (&[], "FLO R1, R1", &[("R1", 0xffff_fffc)], &[("R1", 1)]),
        (&["E051=1"], "FLO R0, R1", &[("R1", 4)], &[("R1", 0xffff_fffb), ("R0", 31)]),
        (&["E051=1"], "FLO R0, R1", &[("R1", 0)], &[("R0", 0xffff_ffff)]),
        (&["E051=1", "E050=1"], "FLO R0, R1", &[("R1", 0)], &[("R1", 0xffff_ffff), ("R0", 31)]),
        (&["E052=1"], "FLO R0, R1", &[("R1", 0xffff_fffc)], &[("R0", 2)]),
    ];
    for (others, text, inputs, expected) in table {
        let changes = [&["E012=1"], *others].concat();
        assert_writes(&changes, text, inputs, expected);
    }
    assert_writes(&["E012=2"], "FADD.FTZ R0, R1, R2", &[("R1", 1)], &[("R0", 0)]);
}

#[test]
#[rustfmt::skip]
fn a_destination_can_be_read_again() {
    // E011: the instruction, its inputs, and the values that it writes under settings 1 and 2.
    let one = 0x3f80_0000;
    let table: &[(&[&str], &str, Values, [Values; 2])] = &[
        (&[], "FLO.U32 R1, R1", &[("R1", 1)], [&[("R1", 31)], &[("R1", 0)]]),
        (&[], "FLO.U32.SH R1, R1", &[("R1", 1)], [&[("R1", 0)], &[("R1", 31)]]),
        (&[], "FLO R1, R1", &[("R1", 0xffff_fffc)], [&[("R1", 31)], &[("R1", 1)]]),
        (&[], "FLO.U32 R1, ~R1", &[("R1", 1)], [&[("R1", 0xffff_ffff)], &[("R1", 31)]]),
        (&["E053=1"], "FLO.U32.SH R1, ~R1", &[("R1", 1)], [&[("R1", 32)], &[("R1", 0)]]),
        (&[], "FLO.U32 R1, R1", &[("R1", 0)], [&[("R1", 0xffff_ffff)], &[("R1", 0xffff_ffff)]]),
        (&["E050=1"], "FLO.U32 R1, R1", &[("R1", 0)], [&[("R1", 31)], &[("R1", 0xffff_ffff)]]),
        (&["E012=1"], "FLO R1, R1", &[("R1", 0x8000_0000)], [&[("R1", 31)], &[("R1", 30)]]),
        (&[], "FLO.U32 R2, R1", &[("R1", 1)], [&[("R2", 0)], &[("R2", 0)]]),
        (&[], "FLO.U32 R1, UR1", &[("UR1", 1)], [&[("R1", 0)], &[("R1", 0)]]),
        (&[], "FLO.U32 RZ, RZ", &[], [&[], &[]]),
        (&[], "FSETP.LT.AND P0, P1, R1, R2, P0", &[("R1", one), ("P0", 1)], [&[("P0", 0), ("P1", 0)], &[("P0", 0), ("P1", 1)]]),
        (&[], "FSETP.LT.AND P0, P1, R1, R2, !P0", &[("R1", one)], [&[("P0", 0), ("P1", 1)], &[("P0", 0), ("P1", 1)]]),
        (&[], "FSETP.GT.XOR P0, P1, R1, R2, !P0", &[("R1", one), ("P0", 1)], [&[("P0", 1), ("P1", 0)], &[("P0", 1), ("P1", 0)]]),
        (&[], "FSETP.GT.XOR P0, P1, R1, R2, !P0", &[("R1", one)], [&[("P0", 0), ("P1", 1)], &[("P0", 0), ("P1", 1)]]),
        (&[], "FSETP.GT.XOR P0, P1, R1, R2, P0", &[("R1", one), ("P0", 1)], [&[("P0", 0), ("P1", 0)], &[("P0", 0), ("P1", 1)]]),
        (&[], "FSETP.LT.AND P0, P1, R1, R2, P1", &[("R1", one), ("P1", 1)], [&[("P0", 0), ("P1", 1)], &[("P0", 0), ("P1", 1)]]),
        (&[], "FSETP.LT.AND P0, P0, R1, R2, P0", &[("R1", one), ("P0", 1)], [&[("P0", 0)], &[("P0", 1)]]),
        (&[], "FSETP.LT.AND PT, P1, R1, R2, PT", &[("R1", one)], [&[("P1", 1)], &[("P1", 1)]]),
    ];
    for (others, text, inputs, expected) in table {
        for (setting, expected) in ["E011=1", "E011=2"].into_iter().zip(*expected) {
            assert_writes(&[&[setting], *others].concat(), text, inputs, expected);
        }
    }
}

#[test]
fn a_guard_can_be_ignored() {
    // E008, with a guard that is never true.
    let mut random = Random(8);
    for optype in Reading::E008.switch().optypes.iter() {
        let place = |o: Operand| o.locations().next().is_some() || matches!(o.source, Source::URegAt { .. });
        let discards = |i: &Instruction| i.outputs().next().is_some() && !i.outputs().any(place);
        let mut instruction = sample::instruction(&mut random, optype);
        while discards(&instruction) {
            instruction = sample::instruction(&mut random, optype);
        }
        let guard = instruction.form().guard();
        instruction.set(guard, PT.into());
        instruction.set(&format!("{guard}.not"), 0);
        let always = sample::batch(&mut random, &instruction, 16);
        instruction.set(&format!("{guard}.not"), 1);
        let word = encode(&instruction, EncodingTable::provisional());
        let mut never = Batch::new(word, always.locations(), 16);
        for (column, location) in always.locations().iter().enumerate() {
            never.column_mut(column).copy_from_slice(always.column(*location).unwrap());
        }
        let under = |reading, batch| {
            run(model(EncodingTable::provisional().clone(), readings(&[reading])).as_mut(), batch)
        };
        let silent = under("E008=1", &never);
        assert_eq!((silent.columns(), silent.events()), (&[][..], &[][..]), "{optype}");
        let expected = under("E008=1", &always);
        assert!(!expected.columns().is_empty() || !expected.events().is_empty(), "{optype} does nothing");
        assert_eq!(under("E008=2", &never), expected, "{optype}");
    }
}

#[test]
fn readings_combine() {
    // Neither the product nor the sum uses .RP. The product is a tie and rounds to even, so the sum
    // is 0.
    let both = &["E178=1", "E180=1"];
    assert_eq!(under(both, "FFMA.RP", &[0x3f80_0800, 0x3f80_0800, 0xbf80_1000]), 0);
    assert_eq!(under(both, "FFMA.RP", &[0x3f80_0000, 0x3f80_0000, 0x3380_0000]), 0x3f80_0000);
    assert_eq!(
        under(&["E178=1", "E169=1"], "FFMA.RZ", &[0x3f80_0000, 0x3f80_0000, 0x3380_0000]),
        0x3f80_0001
    );
    assert_writes(&["E049=1", "E008=2"], "@!PT POPC R0, R1", &[], &[("R0", 0)]);
    assert_writes(&["E057=1", "E058=2"], "BMSK R0, R1, 8", &[("R1", 4)], &[("R0", 0x1ff0)]);
    assert_writes(&["E062=1", "E063=1"], "SGXT.WRAP R0, R1, 32", &[("R1", 1)], &[("R0", 0)]);
    assert_writes(&["E050=1", "E053=1"], "FLO.U32.SH R0, R1", &[], &[("R0", 32)]);
    assert_writes(&["E050=1", "E051=1"], "FLO R0, R1", &[], &[("R0", 31)]);
    assert_writes(&["E050=1", "E052=1"], "FLO.SH R0, R1", &[], &[("R0", 0xffff_ffff)]);
    assert_writes(&["E183=1", "E184=1"], "FMNMX.FTZ R0, R1, R2, PT", &[("R1", 0x8000_0001)], &[("R0", 0)]);
    // Saturation acts before the flush. So a negative tiny result becomes +0, even under E170 = 1,
    // where .SAT keeps -0.
    let tiny = &["E170=1", "E173=2"];
    assert_eq!(under(tiny, "FMUL.FTZ.SAT", &[0xbf7f_ffff, 0x0080_0000]), 0);
}
