//! Every erratum that the model can read in several ways, at its witness, under each setting.

mod common;

use assay_isa::{Answer, Effects, Erratum, Numbers};
use assay_model::model;
use common::{case, instruction, readings, under};

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
        ("E040", "MUFU.RCP.F64", &[0x4000_0000], &[0x3fe0_0000, 0x3fe0_0000]),
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
fn an_undefined_product_is_reported() {
    let batch = case(instruction("FFMA_RRR", &[]), &[0x4000_0000, 0x4040_0000, 0x3f80_0000]);
    let mut literal = model(Numbers::provisional().clone(), readings(&["E177=1"]));
    let mut effects = Effects::default();
    assert_eq!(literal.execute(&batch, &mut effects).unwrap(), Answer::Known);
    assert_eq!(effects.undefined(), [(0, Erratum(177))]);
    assert!(effects.columns().is_empty());
    assert_eq!(under(&["E177=2"], "FFMA", &[0x4000_0000, 0x4040_0000, 0x3f80_0000]), 0x40e0_0000);
}

#[test]
fn readings_combine() {
    // Neither the product nor the sum heeds .RP: the tie between them goes to even, and cancels.
    let both = &["E178=1", "E180=1"];
    assert_eq!(under(both, "FFMA.RP", &[0x3f80_0800, 0x3f80_0800, 0xbf80_1000]), 0);
    assert_eq!(under(both, "FFMA.RP", &[0x3f80_0000, 0x3f80_0000, 0x3380_0000]), 0x3f80_0000);
    assert_eq!(
        under(&["E178=1", "E169=1"], "FFMA.RZ", &[0x3f80_0000, 0x3f80_0000, 0x3380_0000]),
        0x3f80_0001
    );
    // Saturation acts before the flush, so a negative tiny result is +0 even where -0 would stay.
    let tiny = &["E170=1", "E173=2"];
    assert_eq!(under(tiny, "FMUL.FTZ.SAT", &[0xbf7f_ffff, 0x0080_0000]), 0);
}
