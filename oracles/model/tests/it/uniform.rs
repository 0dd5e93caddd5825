//! Tests UDP, MISC, IB and BFN: a witness of every erratum under each setting, undefined lanes,
//! events, faults and locations.

use crate::support::{Values, assert_writes, effects};
use assay_isa::effect::{Action, Fault};
use assay_isa::{Erratum, Event};

/// An erratum and other changed readings, an instruction, its inputs, and the values that it writes
/// under the settings 1, 2, … of the erratum.
type Row = (&'static str, &'static str, Values<'static>, &'static [Values<'static>]);

fn check(rows: &[Row]) {
    for (changes, text, inputs, results) in rows {
        let (erratum, others) = changes.split_once(' ').unwrap_or((changes, ""));
        let others: Vec<&str> = others.split_whitespace().collect();
        for (setting, expected) in (1..).zip(*results) {
            let reading = format!("{erratum}={setting}");
            assert_writes(&[&[reading.as_str()], &others[..]].concat(), text, inputs, expected);
        }
    }
}

#[test]
#[rustfmt::skip]
fn settings_differ_at_their_witness() {
    check(&[
        ("E011", "UIADD.X UR0, UP0, UR0, UR1", &[("UR0", 0xffff_ffff), ("UR1", 2)], &[&[("UR0", 1), ("UP0", 0)], &[("UR0", 1), ("UP0", 1)]]),
        ("E011", "UIADD.X UR1, UP0, UR0, ~UR1", &[("UR0", 0xffff_fff0), ("UR1", 0x20)], &[&[("UR1", 0xffff_ffcf), ("UP0", 1)], &[("UR1", 0xffff_ffcf), ("UP0", 1)]]),
        ("E011", "UIADD.X UR1, UP0, UR0, ~UR1", &[("UR0", 0x10), ("UR1", 0xffff_ffff)], &[&[("UR1", 0x10), ("UP0", 0)], &[("UR1", 0x10), ("UP0", 0)]]),
        ("E011", "UIADD.X UR1, UP0, UR0, ~UR1", &[("UR0", 0x10), ("UR1", 0xf)], &[&[("UR1", 0), ("UP0", 1)], &[("UR1", 0), ("UP0", 1)]]),
        ("E011", "UIADD.X UR1, UP0, UR0, ~UR1", &[("UR0", 0x20), ("UR1", 0xf)], &[&[("UR1", 0x10), ("UP0", 1)], &[("UR1", 0x10), ("UP0", 1)]]),
        ("E011", "UIADD.X UR1, UP0, UR0, ~UR1", &[("UR0", 0x80), ("UR1", 0xffff_ff80)], &[&[("UR1", 0xff), ("UP0", 0)], &[("UR1", 0xff), ("UP0", 0)]]),
        ("E011", "UIMAD.U32 UR4, UP0, UR2, UR3, UR4", &[("UR2", 1), ("UR3", 0xffff_ffff), ("UR4", 1)], &[&[("UR4", 0), ("UP0", 0)], &[("UR4", 0), ("UP0", 1)]]),
        ("E011", "UIMAD.WIDE.U32 UR[4:5], UP0, UR2, UR3, UR[4:5]", &[("UR2", 1), ("UR3", 1), ("UR4", !0), ("UR5", !0)], &[&[("UR4", 0), ("UR5", 0), ("UP0", 0)], &[("UR4", 0), ("UR5", 0), ("UP0", 1)]]),
        ("E011", "UISETP.LT.AND UP0, UP1, UR1, UR2, UP0", &[("UR1", 1), ("UP0", 1)], &[&[("UP0", 0), ("UP1", 0)], &[("UP0", 0), ("UP1", 1)]]),
        ("E011", "UISETP.LT.AND UP0, UP1, UR1, UR2, !UP0", &[("UR1", 1)], &[&[("UP0", 0), ("UP1", 1)], &[("UP0", 0), ("UP1", 1)]]),
        ("E011", "UISETP.LT.AND.X UP0, UP1, UR1, UR2, UPT, UP0", &[("UP0", 1)], &[&[("UP0", 1), ("UP1", 0)], &[("UP0", 1), ("UP1", 0)]]),
        ("E011", "UISETP.LT.XOR.X UP0, UP1, UR1, UR2, UPT, UP0", &[("UP0", 1)], &[&[("UP0", 0), ("UP1", 0)], &[("UP0", 0), ("UP1", 1)]]),
        ("E011", "UISETP.LT.XOR.X UP0, UP1, UR1, UR2, UPT, UP0", &[("UP0", 1), ("UR1", 1)], &[&[("UP0", 1), ("UP1", 0)], &[("UP0", 1), ("UP1", 0)]]),
        ("E011", "UFLO.U32 UR1, UR1", &[("UR1", 1)], &[&[("UR1", 31)], &[("UR1", 0)]]),
        ("E012", "UFLO UR0, UR1", &[("UR1", 0xffff_fffc)], &[&[("UR1", 3), ("UR0", 1)], &[("UR0", 1)]]),
        ("E023", "UBMSK UR0, UR1, 0xffffffff", &[], &[&[("UR0", 0xffff_ffff)], &[("UR0", 0x7fff_ffff)]]),
        ("E049", "UPOPC UR0, UR1", &[], &[&[("UR0", 0)], &[("UR0", 0)]]),
        ("E050", "UFLO UR0, UR1", &[], &[&[("UR0", 0xffff_ffff)], &[("UR0", 0xffff_ffff)]]),
        ("E050 E051=1", "UFLO UR0, UR1", &[], &[&[("UR0", 0x1f)], &[("UR0", 0xffff_ffff)]]),
        ("E050 E053=1", "UFLO.U32.SH UR0, UR1", &[], &[&[("UR0", 0x20)], &[("UR0", 0xffff_ffff)]]),
        ("E051", "UFLO UR0, UR1", &[("UR1", 1)], &[&[("UR0", 0x1f)], &[("UR0", 0)]]),
        ("E052", "UFLO UR0, UR1", &[("UR1", 0x8000_0000)], &[&[("UR0", 0x1f)], &[("UR0", 0x1e)]]),
        ("E052", "UFLO UR0, UR1", &[("UR1", 0xffff_fffc)], &[&[("UR0", 2)], &[("UR0", 1)]]),
        ("E053 E050=1", "UFLO.U32.SH UR1, URZ", &[], &[&[("UR1", 0x20)], &[("UR1", 0xffff_ffff)]]),
        ("E056", "UBREV UR0, UR1", &[("UR1", 0x1234_5678)], &[&[("UR0", 0xedcb_a987)], &[("UR0", 0x1e6a_2c48)]]),
        ("E057", "UBMSK UR0, UR1, UR2", &[("UR1", 4), ("UR2", 8)], &[&[("UR0", 0x1ff0)], &[("UR0", 0xff0)]]),
        ("E057", "UBMSK UR0, UR1, UR2", &[("UR1", 5)], &[&[("UR0", 0x20)], &[("UR0", 0)]]),
        ("E062", "USGXT.WRAP UR0, UR1, UR2", &[("UR1", 0x1234_5678), ("UR2", 32)], &[&[("UR0", 0x1234_5678)], &[("UR0", 0)]]),
        ("E063", "USGXT UR0, UR1, UR2", &[("UR1", 0x1234_5678), ("UR2", 40)], &[&[("UR0", 0)], &[("UR0", 0x1234_5678)]]),
        ("E092", "ULDC.S16 UR0, c[0][URZ+0x10]", &[("c[0][0x10]", 0x8001)], &[&[("UR0", 0xffff_ffff)], &[("UR0", 0xffff_8001)]]),
        ("E092", "ULDC.U16 UR0, c[0][URZ+0x10]", &[("c[0][0x10]", 0x8001)], &[&[("UR0", 1)], &[("UR0", 0x8001)]]),
        ("E093", "ULDC.128 UR[0:3], c[0][URZ]", &[("c[0][0x0]", 0x1111_1111), ("c[0][0x4]", 0x2222_2222), ("c[0][0x8]", 0x3333_3333), ("c[0][0xc]", 0x4444_4444)],
            &[&[("UR0", 0x1111_1111)], &[("UR0", 0x1111_1111), ("UR1", 0x2222_2222), ("UR2", 0x3333_3333), ("UR3", 0x4444_4444)]]),
        ("E098", "UIADD.X UR0, UP0, UR1, UR2", &[("UR1", 0xffff_ffff), ("UR2", 1)], &[&[("UR0", 0), ("UP0", 0)], &[("UR0", 0), ("UP0", 1)]]),
        ("E099", "UIADD.X UR0, UP0, UR1, ~UR2", &[("UR1", 5), ("UR2", 3)], &[&[("UR0", 2), ("UP0", 1)], &[("UR0", 1), ("UP0", 1)]]),
        ("E100", "UIADD.X UR0, UP0, UR1, -0x1", &[("UR1", 5)], &[&[("UR0", 4), ("UP0", 0)], &[("UR0", 4), ("UP0", 1)]]),
        ("E100", "UIMAD.U32 UR0, UP0, UR1, UR2, -0x1", &[("UR1", 5), ("UR2", 1)], &[&[("UR0", 4), ("UP0", 0)], &[("UR0", 4), ("UP0", 1)]]),
        ("E102", "UIMAD.U32 UR0, UP0, UR2, 0x114514, UR4", &[("UR2", 1), ("UR4", 0xffee_baec)], &[&[("UR0", 0), ("UP0", 0)], &[("UR0", 0), ("UP0", 1)]]),
        ("E103", "UIMAD UR0, UP0, UR2, UR3, -UR4", &[("UR2", 0x4000_0000), ("UR3", 20)], &[&[("UR0", 0), ("UP0", 0)], &[("UR0", 0), ("UP0", 0)], &[("UR0", 0), ("UP0", 1)]]),
        ("E103", "UIMAD UR0, UP0, UR2, UR3, -UR4", &[("UR2", 7), ("UR3", 1), ("UR4", 2)], &[&[("UR0", 5), ("UP0", 0)], &[("UR0", 5), ("UP0", 1)], &[("UR0", 5), ("UP0", 1)]]),
        ("E103", "UIMAD.WIDE UR[0:1], UP0, UR2, UR3, -UR[4:5]", &[("UR2", 7), ("UR3", 1)], &[&[("UR0", 7), ("UR1", 0), ("UP0", 0)], &[("UR0", 7), ("UR1", 0), ("UP0", 0)], &[("UR0", 7), ("UR1", 0), ("UP0", 1)]]),
        ("E103", "UIMAD.WIDE UR[0:1], UP0, UR2, UR3, -UR[4:5]", &[("UR2", 7), ("UR3", 1), ("UR4", 2)], &[&[("UR0", 5), ("UR1", 0), ("UP0", 0)], &[("UR0", 5), ("UR1", 0), ("UP0", 1)], &[("UR0", 5), ("UR1", 0), ("UP0", 1)]]),
        ("E104", "UIMAD.HI.X.U32 UR0, UP0, UR1, UR2, UR3", &[("UR1", 0x8000_0000), ("UR2", 10), ("UR3", 1)], &[&[("UR0", 2), ("UP0", 0)], &[("UR0", 6), ("UP0", 0)]]),
        ("E104", "UIMAD.HI.X UR0, UP0, UR1, UR2, UR3", &[("UR1", 0x8000_0000), ("UR2", 1), ("UR3", 0xffff_fff0)], &[&[("UR0", 0xffff_ffff), ("UP0", 1)], &[("UR0", 0xffff_ffef), ("UP0", 1)]]),
        ("E105", "UIMAD.HI.X.U32 UR0, UP0, UR1, UR2, ~UR3", &[("UR1", 0x8000_0000), ("UR2", 10), ("UR3", 1)], &[&[("UR0", 4), ("UP0", 1)], &[("UR0", 3), ("UP0", 1)]]),
        ("E105", "UIMAD.WIDE.X UR[0:1], UP0, UR2, UR3, ~UR[4:5]", &[("UR2", 5), ("UR3", 1), ("UR4", 1)], &[&[("UR0", 4), ("UR1", 0), ("UP0", 1)], &[("UR0", 3), ("UR1", 0), ("UP0", 1)]]),
        ("E111", "UIMAD.WIDE.U32 UR[0:1], UR2, UR3, c[0][0x160]", &[("UR2", 0x1_0000), ("UR3", 0x1_0000)], &[&[("UR0", 0)], &[("UR0", 0), ("UR1", 1)]]),
        ("E111", "UIMAD.WIDE.U32 UR[0:1], UP0, UR2, UR3, c[0][0x160]", &[("UR2", 1), ("UR3", 1), ("c[0][0x160]", !0), ("c[0][0x164]", !0)], &[&[("UR0", 0), ("UP0", 0)], &[("UR0", 0), ("UR1", 0), ("UP0", 1)]]),
        ("E112", "UIMAD.WIDE.X.U32 UR[0:1], UP0, UR2, UR3, UR[4:5], UP1", &[("UR4", !0), ("UR5", !0), ("UP1", 1)], &[&[("UR0", 0), ("UR1", 0), ("UP0", 0)], &[("UR0", 0), ("UR1", 0), ("UP0", 1)]]),
        ("E113", "UIMAD.WIDE UR[0:1], UP0, UR2, UR3, UR[4:5]", &[("UR2", !0), ("UR3", 1), ("UR4", 1)], &[&[("UR0", 0), ("UR1", 0), ("UP0", 0)], &[("UR0", 0), ("UR1", 0), ("UP0", 1)]]),
        ("E114", "UIMAD.WIDE UR[0:1], UP0, UR2, UR3, UR[4:5]", &[("UR2", 2), ("UR3", 2), ("UR4", 1)], &[&[("UR0", 0), ("UR1", 0), ("UP0", 1)], &[("UR0", 5), ("UR1", 0), ("UP0", 0)]]),
        ("E114", "UIMAD.WIDE UR[0:1], UP0, UR2, UR3, UR[4:5]", &[("UR4", 1)], &[&[("UR0", 0), ("UR1", 0), ("UP0", 1)], &[("UR0", 1), ("UR1", 0), ("UP0", 0)]]),
        ("E114 E112=1", "UIMAD.WIDE UR[0:1], UP0, UR2, UR3, UR[4:5]", &[("UR4", 1)], &[&[("UR0", 0), ("UR1", 0), ("UP0", 0)], &[("UR0", 1), ("UR1", 0), ("UP0", 0)]]),
        ("E118", "UIMUL.HI.U32 UR0, UR1, -UR2", &[("UR1", 2), ("UR2", 1)], &[&[("UR0", 1)], &[("UR0", 0xffff_ffff)]]),
        ("E119", "ULEA UR0, UP0, UR1, UR2, 31", &[("UR1", 1), ("UR2", 0x8000_0000)], &[&[("UR0", 0), ("UP0", 0)], &[("UR0", 0), ("UP0", 1)]]),
        ("E120", "ULEA UR0, UR1, UR2, 4", &[("UR1", 1), ("UR2", 0x100)], &[&[("UR0", 0x10)], &[("UR0", 0x110)]]),
        ("E120", "ULEA UR0, UP0, UR1, UR2, 1", &[("UR1", 0x8000_0000), ("UR2", 1)], &[&[("UR0", 0), ("UP0", 1)], &[("UR0", 1), ("UP0", 0)]]),
        ("E120", "ULEA.HI.X.SX32 UR0, UP0, UR1, UR2, 0, UP1", &[("UR1", 0x8000_0000), ("UR2", 4), ("UP1", 1)], &[&[("UR0", 4), ("UP0", 1)], &[("UR0", 4), ("UP0", 1)]]),
        ("E126", "ULEA.HI.X.SX32 UR0, ~UR1, UR2, 0", &[], &[&[("UR0", 0)], &[("UR0", 0xffff_ffff)]]),
        ("E126", "ULEA.HI.X UR0, ~UR1, UR2, UR3, 0", &[("UR3", 1)], &[&[("UR0", 0xffff_ffff)], &[("UR0", 0xffff_fffe)]]),
        ("E127", "ULEA UR0, UP0, -UR1, UR2, 0", &[("UR2", 0x10)], &[&[("UR0", 0x10), ("UP0", 0)], &[("UR0", 0x10), ("UP0", 1)]]),
        ("E127 E120=1", "ULEA UR0, UP0, -UR1, UR2, 0", &[("UR1", 1), ("UR2", 0x11)], &[&[("UR0", 0x10), ("UP0", 0)], &[("UR0", 0x10), ("UP0", 0)]]),
        ("E129", "UIABS UR0, UR1", &[("UR1", 0x8000_0000)], &[&[("UR0", 0x8000_0000)], &[("UR0", 0x7fff_ffff)]]),
        ("E134", "UIMNMX UR0, UR1, UR2, UPT", &[("UR1", 2), ("UR2", 1)], &[&[("UR0", 1)], &[("UR0", 1)]]),
        ("E135", "UP2UR.B1 UR0, UPR, UR1, 0xff", &[("UR0", 0x1111_1111), ("UR1", 0xaabb_ccdd), ("UP1", 1), ("UP3", 1), ("UP4", 1), ("UP6", 1)],
            &[&[("UR0", 0x1111_da11)], &[("UR0", 0xaabb_dadd)], &[("UR0", 0x0000_da00)]]),
        ("E139", "UR2UP UPR, UR0.B0, 0xf", &[("UP0", 1), ("UP1", 1), ("UP2", 1), ("UP3", 1), ("UP4", 1), ("UP5", 1), ("UP6", 1)], &[
            &[("UP0", 0), ("UP1", 0), ("UP2", 0), ("UP3", 0), ("UP4", 0), ("UP5", 0), ("UP6", 0)],
            &[("UP0", 0), ("UP1", 0), ("UP2", 0), ("UP3", 0), ("UP4", 1), ("UP5", 1), ("UP6", 1)]]),
        ("E148", "UPLOP3 UP0, UP1, UP2, UP3, 0x10", &[("UP1", 1)], &[&[("UP0", 1)], &[("UP0", 0)]]),
        ("E148", "ULOP3.POR UR0, UR1, UR2, UR3, 0xf0, UPT", &[("UR1", 0xaaaa_0000), ("UR2", 0xcccc_0000), ("UR3", 0xf0f0_ffff)], &[&[("UR0", 0xaaaa_0000)], &[("UR0", 0xf0f0_ffff)]]),
        ("E151", "USHF.L.WRAP.U32 UR0, UR1, UR2, UR3", &[("UR1", 0x1234_5678), ("UR2", 32)], &[&[("UR0", 0)], &[("UR0", 0x1234_5678)]]),
        ("E152", "USHF.R UR0, UR1, 4, UR3", &[("UR1", 0x8000_0000)], &[&[("UR0", 0x0800_0000)], &[("UR0", 0xf800_0000)]]),
        ("E153", "USHF.L.U64 UR0, UR1, 64, UR3", &[("UR1", 0x1234_5678)], &[&[("UR0", 0x1234_5678)], &[("UR0", 0)]]),
        ("E157", "UPRMT UR0, UR1, UR2, 0xfedc", &[("UR1", 0x0302_0100), ("UR2", 0x8706_0504)], &[&[("UR0", 0x8706_0504)], &[("UR0", 0xff00_0000)]]),
        ("E158", "UPRMT.F4E UR0, UR1, UR2, 1", &[("UR1", 0x0302_0100), ("UR2", 0x0706_0504)], &[&[("UR0", 0x0101_0101)], &[("UR0", 0x0403_0201)]]),
        ("E159", "UPRMT UR0, UR1, UR2, 0x7654", &[("UR1", 0x8000_0000)], &[&[("UR0", 0xffff_ffff)], &[("UR0", 0)]]),
        ("E160", "UPRMT UR0, UR1, UR2, UR3", &[("UR1", 0x0302_0100), ("UR2", 0x0000_7654), ("UR3", 0x8706_0504)], &[&[("UR0", 0x0076_0054)], &[("UR0", 0x8706_0504)]]),
        ("E165", "GETUGPR UR1, UR[UR2+0x2]", &[("UR2", 62), ("UR0", 5)], &[&[], &[("UR1", 5)]]),
        ("E165", "SETUGPR UR[UR2+0x2], UR1", &[("UR2", 62), ("UR1", 5)], &[&[], &[("UR0", 5)]]),
        ("E168", "UF2FP UR0, UR1, UR2, UR3", &[("UR1", 0x3f80_0000), ("UR2", 0x4000_0000)], &[&[("UR0", 0x3c00_4000)]]),
        ("E081", "BFN.xff.UD (8) V0 V1 V2 V3", &[("EM", !0)], &[
            &[("V0.chan0", !0), ("V0.chan1", !0), ("V0.chan2", !0)],
            &[("V0.chan0", !0), ("V0.chan1", !0), ("V0.chan2", !0), ("V0.chan3", !0), ("V0.chan4", !0), ("V0.chan5", !0), ("V0.chan6", !0), ("V0.chan7", !0)]]),
        ("E084", "(F0) BFN.xff.UD (1) V0 V1 V2 V3", &[("EM", 1)], &[&[], &[("V0.chan0", !0)]]),
        ("E085", "BFN.xff.UD (M3, 1) V0 V1 V2 V3", &[("EM", 0x100)], &[&[("V0.chan0", !0)], &[]]),
        ("E085", "BFN.xff.UD (M3, 1) V0 V1 V2 V3", &[("EM", 4)], &[&[], &[("V0.chan0", !0)]]),
        ("E085", "BFN.xff.UD (M3, 8) V0 V1 V2 V3", &[("EM", 0x0001_8000)], &[&[("V0.chan7", !0)], &[("V0.chan0", !0)]]),
        ("E087", "BFN.xaa.D (1) V0 0x8000 V2 V3", &[("EM", 1)], &[&[("V0.chan0", 0x8000)], &[("V0.chan0", 0xffff_8000)], &[("V0.chan0", 0xffff_8000)]]),
        ("E087", "BFN.xaa.UD (1) V0 0x8000 V2 V3", &[("EM", 1)], &[&[("V0.chan0", 0x8000)], &[("V0.chan0", 0xffff_8000)], &[("V0.chan0", 0x8000)]]),
        ("E087", "BFN.xaa.W (1) V0 0x8000 V2 V3", &[("EM", 1)], &[&[("V0.chan0", 0x8000)], &[("V0.chan0", 0x8000)], &[("V0.chan0", 0x8000)]]),
    ]);
}

#[test]
#[rustfmt::skip]
fn undefined_lanes_are_reported() {
    let all: Values = &[("F0", 1), ("EM", 1)];
    let table: &[(&str, &str, Values, Option<u16>)] = &[
        ("E013=1", "ULOP3 UR0, UR1, UR2, UR3, 0x80, !UPT", &[], Some(13)),
        ("E013=1", "UPLOP3 UP0, UP1, UP2, UP3, 0x80", &[], Some(13)),
        ("E013=1", "UPRMT UR0, UR1, UR2, UR3", &[], Some(13)),
        ("E013=1", "@UP0 UPRMT UR0, UR1, UR2, UR3", &[], None),
        ("E013=1", "UMOV UR0, UR1", &[], None),
        ("E049=1", "UPOPC UR0, ~UR1", &[], Some(49)),
        ("E049=1", "UPOPC UR0, UR1", &[], None),
        ("E058=2", "UBMSK UR0, UR1, 8", &[], Some(58)),
        ("E058=2", "UBMSK UR0, UR1, c[0][0x160]", &[], Some(58)),
        ("E058=2", "UBMSK UR0, UR1, UR2", &[], None),
        ("E066=1", "CS2R R[0:1], SR_CLOCKLO", &[], Some(66)),
        ("E066=1", "CS2R R[0:1], SRZ", &[], Some(66)),
        ("E066=1", "S2R R0, SR_CLOCKLO", &[], None),
        ("E071=2", "SETREG 0x10, R0", &[], Some(71)),
        ("E071=2", "GETREG R0, 0x10", &[], Some(71)),
        ("E075=2", "PMTRIG 0x1234", &[], Some(75)),
        ("E075=2", "@P0 PMTRIG 0x1234", &[], None),
        ("E075=2", "@!P0 PMTRIG 0x1234", &[], Some(75)),
        ("E076=2", "SWITCH R1", &[], Some(76)),
        ("E077=2", "NOP", &[], Some(77)),
        ("E077=2", "IBBAR", &[], Some(77)),
        ("E078=2", "DEPBAR 0x1, 0x2", &[], Some(78)),
        ("E078=2", "NOP", &[], None),
        ("E081=1", "BFN.xff.UD (M2, 8) V0 V1 V2 V3", &[], Some(81)),
        ("E081=1", "BFN.xff.UD (M2, 16) V0 V1 V2 V3", &[], Some(81)),
        ("E081=1", "BFN.xff.UD (M1, 32) V0 V1 V2 V3", &[], None),
        ("E085=2", "BFN.xff.UD (M5, 8) V0 V1 V2 V3", &[], Some(85)),
        ("E085=2", "BFN.xff.UD (M4, 8) V0 V1 V2 V3", &[], None),
        ("E085=1", "(F0) BFN.xff.UD (M5, 8) V0 V1 V2 V3", all, None),
        ("E134=1", "UIMNMX UR0, UR1, UR2, UPT", &[("UR1", 0xffff_ffff), ("UR2", 1)], Some(134)),
        ("E134=1", "UIMNMX UR0, -UR1, UR2, UPT", &[("UR1", 0xffff_ffff), ("UR2", 2)], None),
        ("E134=1", "UIMNMX UR0, -UR1, UR2, UPT", &[("UR1", 1), ("UR2", 2)], Some(134)),
        ("E149=1", "USHF.L UR0, UR1, UR2, UR3", &[], Some(149)),
        ("E168=2", "UF2FP UR0, UR1, UR2, UR3", &[], Some(168)),
    ];
    for (change, text, inputs, erratum) in table {
        let effects = effects(&[change], text, inputs);
        let expected: Vec<_> = erratum.iter().map(|number| (0, Erratum(*number))).collect();
        assert_eq!(effects.undefined(), expected, "{text} of {inputs:x?} under {change}");
        let silent = effects.lane(0).next().is_none() && effects.events().is_empty();
        assert!(erratum.is_none() || silent, "{text} under {change}");
    }
}

#[test]
#[rustfmt::skip]
fn events() {
    let action = |action| Some(Event::Executed(action));
    let fault = |fault| Some(Event::Fault(fault));
    let table: &[(&[&str], &str, Values, Option<Event>)] = &[
        (&[], "NOP", &[], action(Action::Nop)),
        (&[], "@P0 NOP", &[], None),
        (&[], "@!PT NOP", &[], None),
        (&["E008=2"], "@!PT NOP", &[], action(Action::Nop)),
        (&[], "IBBAR", &[], action(Action::InstructionBarrier)),
        (&[], "PMTRIG 0xffff", &[], action(Action::Trigger(0xffff))),
        (&[], "SWITCH 0x80000001", &[], action(Action::Switch(0x8000_0001))),
        (&[], "SWITCH R1", &[("R1", 7)], action(Action::Switch(7))),
        (&[], "SWITCH c[1][0x4]", &[("c[1][0x4]", 9)], action(Action::Switch(9))),
        (&[], "SWITCH RZ", &[], action(Action::Switch(0))),
        (&[], "DEPBAR 0x7, 0xff", &[], action(Action::DependencyBarrier { scoreboard: 7, count: 255 })),
        (&[], "ULDC.64 UR[0:1], c[0][UR2+0x4]", &[], fault(Fault::Misaligned)),
        (&[], "ULDC UR0, c[0][UR2+0x4]", &[("UR2", 1)], fault(Fault::Misaligned)),
        (&[], "ULDC UR0, c[0][UR2+0x4]", &[("UR2", 0x1_fffc)], fault(Fault::BeyondBank)),
        (&[], "ULDC UR0, c[0][UR2-0x4]", &[], fault(Fault::BeyondBank)),
        (&[], "ULDC URZ, c[0][UR2-0x4]", &[], fault(Fault::BeyondBank)),
        (&[], "@UP0 ULDC UR0, c[0][UR2-0x4]", &[], None),
        (&["E096=1"], "ULDC UR0, c[0][UR2]", &[("UR2", 0x1_fffd)], fault(Fault::BeyondBank)),
        (&["E096=3"], "ULDC UR0, c[0][UR2]", &[("UR2", 0x2_0001)], fault(Fault::BeyondBank)),
        (&["E093=1"], "ULDC.128 UR[0:3], c[0][UR2]", &[("UR2", 6)], fault(Fault::Misaligned)),
        (&["E092=1"], "ULDC.S16 UR0, c[0][UR2]", &[("UR2", 1), ("c[0][0x0]", 0)], None),
        (&[], "GETUGPR UR0, UR[UR2-0x1]", &[], fault(Fault::RegisterIndex)),
        (&[], "SETUGPR UR[UR2+0x1], UR0", &[("UR2", 63)], fault(Fault::RegisterIndex)),
        (&[], "SETUGPR UR[UR2], UR0", &[("UR2", 63)], None),
    ];
    for (changes, text, inputs, expected) in table {
        let effects = effects(changes, text, inputs);
        assert_eq!(effects.event_of(0).copied(), *expected, "{text} of {inputs:x?} under {changes:?}");
        assert!(expected.is_none() || effects.lane(0).next().is_none(), "{text} wrote");
    }
}

#[test]
#[rustfmt::skip]
fn places_by_value() {
    let table: &[(&[&str], &str, Values, Values)] = &[
        (&[], "ULDC UR0, c[0][URZ+0x160]", &[("c[0][0x160]", 5)], &[("UR0", 5)]),
        (&[], "ULDC UR0, c[1][UR2-0x8]", &[("UR2", 0xc), ("c[1][0x4]", 5)], &[("UR0", 5)]),
        (&[], "ULDC.64 UR[0:1], c[0][UR2]", &[("UR2", 8), ("c[0][0x8]", 5), ("c[0][0xc]", 6)], &[("UR0", 5), ("UR1", 6)]),
        (&[], "ULDC.S8 UR0, c[0][UR2]", &[("UR2", 3), ("c[0][0x0]", 0x8012_3456)], &[("UR0", 0xffff_ff80)]),
        (&[], "ULDC.U8 UR0, c[0][UR2]", &[("UR2", 2), ("c[0][0x0]", 0x80f2_3456)], &[("UR0", 0xf2)]),
        (&[], "ULDC.S16 UR0, c[0][UR2]", &[("UR2", 2), ("c[0][0x0]", 0x8012_3456)], &[("UR0", 0xffff_8012)]),
        (&["E096=1"], "ULDC.U16 UR0, c[0][UR2]", &[("UR2", 3), ("c[0][0x0]", 0x1200_0000), ("c[0][0x4]", 0x34)], &[("UR0", 0x3412)]),
        (&["E096=1"], "ULDC UR0, c[0][UR2]", &[("UR2", 1), ("c[0][0x0]", 0x4433_2211), ("c[0][0x4]", 0x55)], &[("UR0", 0x5544_3322)]),
        (&["E096=3"], "ULDC UR0, c[0][UR2]", &[("UR2", 7), ("c[0][0x4]", 0x4433_2211)], &[("UR0", 0x4433_2211)]),
        (&["E093=1"], "ULDC.128 UR[0:3], c[0][UR2]", &[("UR2", 4), ("c[0][0x4]", 9)], &[("UR0", 9)]),
        (&["E092=1"], "ULDC.U16 UR0, c[0][UR2]", &[("UR2", 3), ("c[0][0x0]", 0x0100_0000)], &[("UR0", 1)]),
        (&[], "ULDC URZ, c[0][UR2]", &[("UR2", 4)], &[]),
        (&[], "GETUGPR UR0, UR[UR2+0x1]", &[("UR2", 4), ("UR5", 9)], &[("UR0", 9)]),
        (&[], "GETUGPR UR0, UR[UR2]", &[("UR2", 2)], &[("UR0", 2)]),
        (&[], "GETUGPR UR0, UR[UR2]", &[("UR2", 63)], &[("UR0", 0)]),
        (&[], "GETUGPR UR0, UR[URZ+0x3]", &[("UR3", 8)], &[("UR0", 8)]),
        (&["E165=2"], "GETUGPR UR0, UR[UR2-0x1]", &[], &[("UR0", 0)]),
        (&[], "SETUGPR UR[UR2-0x1], UR0", &[("UR2", 5), ("UR0", 9)], &[("UR4", 9)]),
        (&[], "SETUGPR UR[UR2], URZ", &[("UR2", 5)], &[("UR5", 0)]),
        (&[], "SETUGPR UR[URZ+0x3f], UR0", &[], &[]),
        (&[], "GETREG R0, 0xffff", &[("G[0xffff]", 9)], &[("R0", 9)]),
        (&[], "GETREG R0, R7", &[("R7", 0xffff_fffe), ("G[0xfffffffe]", 9)], &[("R0", 9)]),
        (&[], "GETREG R0, UR7", &[("UR7", 3), ("G[0x3]", 9)], &[("R0", 9)]),
        (&[], "GETREG R0, RZ", &[("G[0x0]", 9)], &[("R0", 9)]),
        (&[], "SETREG 0xffff, R0", &[("R0", 9)], &[("G[0xffff]", 9)]),
        (&[], "SETREG R13, R0", &[("R13", 5), ("R0", 9)], &[("G[0x5]", 9)]),
        (&[], "SETREG UR13, RZ", &[("UR13", 5)], &[("G[0x5]", 0)]),
        (&[], "S2R R1, SR_LANEID", &[("SR_LANEID", 9)], &[("R1", 9)]),
        (&[], "S2R R1, SRZ", &[], &[("R1", 0)]),
        (&[], "S2UR UR1, SR_CTAID.X", &[("SR_CTAID.X", 9)], &[("UR1", 9)]),
        (&[], "CS2R R[0:1], SR_CLOCKLO", &[("SR_CLOCKLO", 2), ("SR_CLOCKHI", 1)], &[("R0", 2), ("R1", 1)]),
        (&[], "CS2R R[2:3], SR_PM3", &[("SR_PM3", 2), ("SR_PM_HI3", 1)], &[("R2", 2), ("R3", 1)]),
        (&[], "CS2R R[0:1], SRZ", &[], &[("R0", 0), ("R1", 0)]),
        (&[], "UMOV UR0, 0x114514", &[], &[("UR0", 0x11_4514)]),
        (&[], "UMOV.64 UR[0:1], UR[2:3]", &[("UR2", 5), ("UR3", 6)], &[("UR0", 5), ("UR1", 6)]),
        (&[], "UMOV.64 UR[0:1], URZ", &[], &[("UR0", 0), ("UR1", 0)]),
        (&[], "UMOV.64 UR[0:1], c[0][0x160]", &[("c[0][0x160]", 5), ("c[0][0x164]", 6)], &[("UR0", 5), ("UR1", 6)]),
        (&[], "USEL UR0, UR1, UR2, !UP0", &[("UR1", 1), ("UR2", 2)], &[("UR0", 1)]),
        (&[], "UIABS UR0, 0xffffffff", &[], &[("UR0", 1)]),
        (&[], "UIMNMX UR0, -UR1, UR2, UPT", &[("UR1", 1)], &[("UR0", 0xffff_ffff)]),
        (&[], "UIMNMX.U32 UR0, UR1, UR2, UPT", &[("UR1", 0xffff_ffff), ("UR2", 1)], &[("UR0", 1)]),
        (&[], "UIADD UR0, UR1, -0x114514", &[], &[("UR0", 0xffee_baec)]),
        (&[], "UIADD UR0, -UR1, -UR2", &[("UR1", 1), ("UR2", 2)], &[("UR0", 0xffff_fffd)]),
        (&[], "UP2UR UR0, UPR, URZ, 0xff", &[], &[("UR0", 0x80)]),
        (&["C008=2"], "UP2UR UR0, UPR, URZ, 0xff", &[("UP6", 1)], &[("UR0", 0x40)]),
        (&["C008=2"], "UP2UR UR0, UPR, UR1, 0x0", &[("UR1", 0x80)], &[("UR0", 0x80)]),
        (&[], "UPRMT.B4E UR0, UR1, UR2, 1", &[("UR1", 0x0302_0100), ("UR2", 0x0706_0504)], &[("UR0", 0x0607_0001)]),
    ];
    for (changes, text, inputs, expected) in table {
        assert_writes(changes, text, inputs, expected);
    }
}
