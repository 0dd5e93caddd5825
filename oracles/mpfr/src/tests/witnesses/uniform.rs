//! Witnesses of UDP.

use super::super::readings;
use super::super::text::outcome;

/// Instruction, values, and what comes of them under each setting, the first numbered 1.
type Row<'a> = (&'a str, &'a str, &'a [&'a str]);

/// Holds rows against the oracle under each setting of an erratum, the others being as given.
pub fn prove_beside(others: &[&str], erratum: &str, rows: &[Row]) {
    for (text, inputs, outcomes) in rows {
        for (setting, expected) in (1..).zip(*outcomes) {
            let own = format!("{erratum}={setting}");
            let settings = [others, &[&own]].concat();
            let actual = outcome(&readings(&settings), text, inputs);
            assert_eq!(actual, *expected, "{text} of {inputs} under {settings:?}");
        }
    }
}

pub fn prove(erratum: &str, rows: &[Row]) {
    prove_beside(&[], erratum, rows);
}

#[test]
fn e008_guard() {
    prove(
        "E008",
        &[
            ("@UP1 UMOV UR0, 0x7", "UP1=0", &["", "UR0=0x7"]),
            ("@!UP1 UMOV UR0, 0x7", "UP1=0", &["UR0=0x7"; 2]),
        ],
    );
}

#[test]
fn e011_read_again() {
    prove(
        "E011",
        &[
            ("UIADD.X UR0, UP0, UR0, UR1", "UR0=0xffffffff UR1=2", &["UR0=0x1 UP0=0x0", "UR0=0x1 UP0=0x1"]),
            ("UIADD.X UR0, UP0, UR1, ~UR0", "UR0=0 UR1=2", &["UR0=0x1 UP0=0x1", "UR0=0x1 UP0=0x1"]),
            (
                "UIADD.X UR0, UP0, UR1, ~UR0",
                "UR0=0xfffffffe UR1=0x80000000",
                &["UR0=0x80000001 UP0=0x0", "UR0=0x80000001 UP0=0x0"],
            ),
            // The carry in is read once.
            ("UIADD.X UR0, UP0, UR1, UR2, UP0", "UR1=0xffffffff UR2=0 UP0=1", &["UR0=0x0 UP0=0x1"; 2]),
            (
                "UIMAD.U32 UR4, UP0, UR1, UR2, UR4",
                "UR1=1 UR2=0xffffffff UR4=2",
                &["UR4=0x1 UP0=0x1", "UR4=0x1 UP0=0x1"],
            ),
            (
                "UIMAD.U32 UR4, UP0, UR1, UR2, UR4",
                "UR1=1 UR2=0xfffffffe UR4=2",
                &["UR4=0x0 UP0=0x0", "UR4=0x0 UP0=0x1"],
            ),
            // The factors are not read again.
            ("UIMAD.U32 UR1, UP0, UR1, UR2, UR4", "UR1=1 UR2=0xfffffffe UR4=2", &["UR1=0x0 UP0=0x1"; 2]),
            (
                "UIMAD.WIDE.U32 UR[4:5], UP0, UR1, UR2, UR[4:5]",
                "UR1=1 UR2=2 UR4=0xfffffffe UR5=0xffffffff",
                &["UR4=0x0 UR5=0x0 UP0=0x0", "UR4=0x0 UR5=0x0 UP0=0x1"],
            ),
            // 1 < 0 is false: upu is false, and upv true AND upp.
            ("UISETP.LT.AND UP0, UP1, UR1, URZ, UP0", "UR1=1 UP0=1", &["UP0=0x0 UP1=0x0", "UP0=0x0 UP1=0x1"]),
            ("UISETP.LT.AND UP0, UP1, UR1, URZ, !UP0", "UR1=1 UP0=0", &["UP0=0x0 UP1=0x1"; 2]),
            ("UISETP.LT.OR.X UP0, UP1, UR1, UR1, UPT, UP0", "UR1=1 UP0=0", &["UP0=0x1 UP1=0x1"; 2]),
            (
                "UISETP.LT.XOR.X UP0, UP1, UR1, UR1, UPT, UP0",
                "UR1=1 UP0=0",
                &["UP0=0x1 UP1=0x1", "UP0=0x1 UP1=0x0"],
            ),
            ("UISETP.LT.XOR.X UP0, UP0, UR1, UR1, UPT, UP0", "UR1=1 UP0=0", &["UP0=0x1", "UP0=0x0"]),
            ("UFLO.U32 UR1, UR1", "UR1=1", &["UR1=0x1f", "UR1=0x0"]),
        ],
    );
}

#[test]
fn e012_complement_of_uflo() {
    prove("E012", &[("UFLO UR0, UR1", "UR1=0xfffffff0", &["UR0=0x3 UR1=0xf", "UR0=0x3"])]);
}

#[test]
fn e013_missing_documents() {
    prove(
        "E013",
        &[
            (
                "ULOP3 UR0, UR1, UR2, UR3, 0xf0, !UPT",
                "UR1=0xffff0000 UR2=0 UR3=0xff00ff",
                &["E013", "UR0=0xffff0000"],
            ),
            ("UPLOP3 UP0, UP1, UP2, UP3, 0xf0", "UP1=1 UP2=0 UP3=0", &["E013", "UP0=0x1"]),
            ("UPRMT UR0, UR1, UR2, 0x3210", "UR1=5 UR2=0", &["E013", "UR0=0x5"]),
        ],
    );
}

#[test]
fn e049_to_e063_like_xu() {
    prove("E023", &[("UBMSK UR0, UR1, 0xffffffff", "UR1=0", &["UR0=0xffffffff", "UR0=0x7fffffff"])]);
    prove(
        "E049",
        &[
            ("UPOPC UR0, ~UR1", "UR1=0xfffffffe", &["E049", "UR0=0x1"]),
            ("UPOPC UR0, 0x0", "", &["UR0=0x0"; 2]),
        ],
    );
    prove(
        "E050",
        &[
            ("UFLO.U32.SH UR1, UR2", "UR2=0", &["UR1=0xffffffff"; 2]),
            ("UFLO UR1, UR2", "UR2=0", &["UR1=0xffffffff"; 2]),
        ],
    );
    prove("E051", &[("UFLO UR0, UR1", "UR1=1", &["UR0=0x1f", "UR0=0x0"])]);
    prove("E052", &[("UFLO UR0, UR1", "UR1=0xfffffff0", &["UR0=0x4", "UR0=0x3"])]);
    prove("E053", &[("UFLO.SH UR0, UR1", "UR1=0xffffffff", &["UR0=0x20", "UR0=0xffffffff"])]);
    prove("E056", &[("UBREV UR0, UR1", "UR1=1", &["UR0=0xfffffffe", "UR0=0x80000000"])]);
    prove("E057", &[("UBMSK UR0, UR1, 0x3", "UR1=4", &["UR0=0xf0", "UR0=0x70"])]);
    prove(
        "E058",
        &[
            ("UBMSK UR0, UR1, 0x3", "UR1=4", &["UR0=0x70", "E058"]),
            ("UBMSK UR0, UR1, UR2", "UR1=4 UR2=3", &["UR0=0x70"; 2]),
        ],
    );
    prove("E058", &[("UBMSK UR0, UR1, c[0x0][0x8]", "UR1=4 c[0][0x8]=3", &["UR0=0x70", "E058"])]);
    prove("E062", &[("USGXT.WRAP UR0, UR1, 0x20", "UR1=0x89abcdef", &["UR0=0x89abcdef", "UR0=0x0"])]);
    prove("E063", &[("USGXT UR0, UR1, 0x20", "UR1=0x89abcdef", &["UR0=0x0", "UR0=0x89abcdef"])]);
}

#[test]
fn e092_e093_e096_uldc() {
    let bank = "c[0][0x20]=0x11111111 c[0][0x24]=0x22222222 c[0][0x28]=0x33333333 c[0][0x2c]=0x44444444";
    prove(
        "E092",
        &[
            ("ULDC.S16 UR0, c[0x0][0x8]", "c[0][0x8]=0x8001", &["UR0=0xffffffff", "UR0=0xffff8001"]),
            ("ULDC.U16 UR0, c[0x0][0x8]", "c[0][0x8]=0x8001", &["UR0=0x1", "UR0=0x8001"]),
            ("ULDC.S16 UR0, c[0x0][0xb]", "c[0][0x8]=0xfe000000", &["UR0=0x0", "misaligned address"]),
        ],
    );
    prove(
        "E093",
        &[
            (
                "ULDC.128 UR[0:3], c[0x0][0x20]",
                bank,
                &["UR0=0x11111111", "UR0=0x11111111 UR1=0x22222222 UR2=0x33333333 UR3=0x44444444"],
            ),
            ("ULDC.128 UR[0:3], c[0x0][0x24]", bank, &["UR0=0x22222222", "misaligned address"]),
        ],
    );
    prove(
        "E096",
        &[
            (
                "ULDC UR0, c[0x0][UR7+0x25]",
                &format!("UR7=0 {bank}"),
                &["UR0=0x33222222", "misaligned address", "UR0=0x22222222"],
            ),
            (
                "ULDC.S16 UR0, c[0x0][UR7-0x1]",
                "UR7=8 c[0][0x4]=0x80123456 c[0][0x8]=0x000000ff",
                &["UR0=0xffffff80", "misaligned address", "UR0=0xffff8012"],
            ),
            // The end of the bank, reached or not.
            (
                "ULDC UR0, c[0x0][UR7-0x1]",
                "UR7=0x1fffe c[0][0x1fffc]=0x5",
                &["address beyond the constant bank", "misaligned address", "UR0=0x5"],
            ),
            ("ULDC UR0, c[0x0][UR7]", "UR7=0x20000", &["address beyond the constant bank"; 3]),
            (
                "ULDC UR0, c[0x0][UR7]",
                "UR7=0x1fffd c[0][0x1fffc]=6",
                &["address beyond the constant bank", "misaligned address", "UR0=0x6"],
            ),
            ("ULDC.U8 UR0, c[0x3][UR7]", "UR7=0x1ffff c[3][0x1fffc]=0x81000000", &["UR0=0x81"; 3]),
            (
                "ULDC.64 UR[0:1], c[0x0][UR7]",
                &format!("UR7=0x24 {bank}"),
                &["UR0=0x22222222 UR1=0x33333333", "misaligned address", "UR0=0x11111111 UR1=0x22222222"],
            ),
        ],
    );
}

#[test]
fn e098_to_e100_uiadd() {
    prove(
        "E098",
        &[("UIADD.X UR0, UP0, UR1, UR2", "UR1=0xffffffff UR2=1", &["UR0=0x0 UP0=0x0", "UR0=0x0 UP0=0x1"])],
    );
    prove(
        "E099",
        &[
            ("UIADD.X UR0, UP0, UR1, ~UR2", "UR1=5 UR2=3", &["UR0=0x2 UP0=0x1", "UR0=0x1 UP0=0x1"]),
            ("UIADD.X UR0, UP0, ~UR1, UR2", "UR1=0 UR2=3", &["UR0=0x3 UP0=0x0", "UR0=0x2 UP0=0x1"]),
            ("UIADD UR0, UR1, -UR2", "UR1=5 UR2=3", &["UR0=0x2"; 2]),
        ],
    );
    prove("E100", &[("UIADD.X UR0, UP0, UR1, -0x1", "UR1=5", &["UR0=0x4 UP0=0x0", "UR0=0x4 UP0=0x1"])]);
    prove("E100", &[("UIADD.X UR0, UP0, UR1, UR2", "UR1=5 UR2=0xffffffff", &["UR0=0x4 UP0=0x1"; 2])]);
}

#[test]
fn e102_to_e105_uimad() {
    prove(
        "E100",
        &[("UIMAD.U32 UR0, UP0, UR1, UR2, -0x1", "UR1=5 UR2=1", &["UR0=0x4 UP0=0x0", "UR0=0x4 UP0=0x1"])],
    );
    prove(
        "E100",
        &[(
            "UIMAD.HI.X UR0, UP0, UR1, UR2, -0x1",
            "UR1=0x10000 UR2=0x50000",
            &["UR0=0x4 UP0=0x0", "UR0=0x4 UP0=0x1"],
        )],
    );
    prove(
        "E102",
        &[
            (
                "UIMAD.U32 UR0, UP0, UR2, 0x114514, UR4",
                "UR2=1 UR4=0xffeebaec",
                &["UR0=0x0 UP0=0x0", "UR0=0x0 UP0=0x1"],
            ),
            (
                "UIMAD.HI.X.U32 UR0, UP0, UR1, UR2, UR4, UPT",
                "UR1=0 UR2=1 UR4=0xffffffff",
                &["UR0=0x0 UP0=0x0", "UR0=0x0 UP0=0x1"],
            ),
        ],
    );
    prove(
        "E103",
        &[
            (
                "UIMAD UR0, UP0, UR2, UR3, -UR4",
                "UR2=0x40000000 UR3=20 UR4=0",
                &["UR0=0x0 UP0=0x0", "UR0=0x0 UP0=0x0", "UR0=0x0 UP0=0x1"],
            ),
            (
                "UIMAD UR0, UP0, UR2, UR3, -UR4",
                "UR2=3 UR3=2 UR4=5",
                &["UR0=0x1 UP0=0x0", "UR0=0x1 UP0=0x1", "UR0=0x1 UP0=0x1"],
            ),
            (
                "UIMAD.WIDE UR[0:1], UP0, UR2, UR3, -UR[4:5]",
                "UR2=0x40000000 UR3=20 UR4=0 UR5=0",
                &["UR0=0x0 UR1=0x5 UP0=0x0", "UR0=0x0 UR1=0x5 UP0=0x0", "UR0=0x0 UR1=0x5 UP0=0x1"],
            ),
        ],
    );
    prove(
        "E104",
        &[
            (
                "UIMAD.HI.X UR0, UP0, UR1, UR2, UR3",
                "UR1=0x10000 UR2=0x50000 UR3=1",
                &["UR0=0x2 UP0=0x0", "UR0=0x6 UP0=0x0"],
            ),
            (
                "UIMAD.HI.X UR0, UR1, UR2, UR3",
                "UR1=0x80000000 UR2=1 UR3=1000",
                &["UR0=0xffffffff", "UR0=0x3e7"],
            ),
            (
                "UIMAD.HI.X.U32 UR0, UR1, UR2, UR3",
                "UR1=0x80000000 UR2=2 UR3=0xffffffff",
                &["UR0=0x0", "UR0=0x0"],
            ),
        ],
    );
    prove(
        "E105",
        &[
            ("UIMAD.HI.X UR0, UR1, UR2, ~UR3", "UR1=0x10000 UR2=0x50000 UR3=1", &["UR0=0x4", "UR0=0x3"]),
            (
                "UIMAD.WIDE.X UR[0:1], UP0, UR2, UR3, ~UR[4:5]",
                "UR2=7 UR3=1 UR4=2 UR5=0",
                &["UR0=0x5 UR1=0x0 UP0=0x1", "UR0=0x4 UR1=0x0 UP0=0x1"],
            ),
        ],
    );
}

#[test]
fn e111_to_e118_wide_products() {
    prove(
        "E111",
        &[(
            "UIMAD.WIDE.U32 UR[0:1], UR2, UR3, c[0x0][0x8]",
            "UR2=0x10000 UR3=0x10000 c[0][0x8]=3 c[0][0xc]=5",
            &["UR0=0x3", "UR0=0x3 UR1=0x6"],
        )],
    );
    let ones = "UR2=0 UR3=0 UR4=0xffffffff UR5=0xffffffff";
    prove(
        "E112",
        &[(
            "UIMAD.WIDE.X.U32 UR[0:1], UP0, UR2, UR3, UR[4:5], UPT",
            ones,
            &["UR0=0x0 UR1=0x0 UP0=0x0", "UR0=0x0 UR1=0x0 UP0=0x1"],
        )],
    );
    let minus_one = "UR2=0xffffffff UR3=1 UR4=1 UR5=0";
    prove(
        "E113",
        &[(
            "UIMAD.WIDE UR[0:1], UP0, UR2, UR3, UR[4:5]",
            minus_one,
            &["UR0=0x0 UR1=0x0 UP0=0x0", "UR0=0x0 UR1=0x0 UP0=0x1"],
        )],
    );
    prove(
        "E114",
        &[(
            "UIMAD.WIDE UR[0:1], UP0, UR2, UR3, UR[4:5]",
            "UR2=1 UR3=4 UR4=1 UR5=0",
            &["UR0=0x0 UR1=0x0 UP0=0x1", "UR0=0x5 UR1=0x0 UP0=0x0"],
        )],
    );
    let one = "UR2=1 UR3=1 UR4=0 UR5=0";
    prove_beside(
        &["E114=1"],
        "E112",
        &[(
            "UIMAD.WIDE UR[0:1], UP0, UR2, UR3, UR[4:5]",
            one,
            &["UR0=0x0 UR1=0x0 UP0=0x0", "UR0=0x0 UR1=0x0 UP0=0x1"],
        )],
    );
    prove("E118", &[("UIMUL.HI.U32 UR0, UR1, -UR2", "UR1=2 UR2=1", &["UR0=0x1", "UR0=0xffffffff"])]);
    prove("E118", &[("UIMUL UR0, UR1, -UR2", "UR1=2 UR2=1", &["UR0=0xfffffffe"; 2])]);
}

#[test]
fn e119_to_e127_ulea() {
    prove(
        "E119",
        &[("ULEA UR0, UP0, UR1, UR2, 0x1f", "UR1=1 UR2=0x80000000", &["UR0=0x0 UP0=0x0", "UR0=0x0 UP0=0x1"])],
    );
    prove(
        "E120",
        &[("ULEA UR0, UP0, UR1, UR2, 0x4", "UR1=1 UR2=0x100", &["UR0=0x10 UP0=0x0", "UR0=0x110 UP0=0x0"])],
    );
    // Bit 32 of the shifted operand is in the mask as soon as something is added to it.
    prove(
        "E120",
        &[(
            "ULEA UR0, UP0, UR1, UR2, 0x4",
            "UR1=0x10000010 UR2=0x1000",
            &["UR0=0x100 UP0=0x1", "UR0=0x1100 UP0=0x0"],
        )],
    );
    prove("E126", &[("ULEA.HI.X.SX32 UR0, ~UR1, UR2, 0x0", "UR1=0 UR2=0", &["UR0=0x0", "UR0=0xffffffff"])]);
    prove(
        "E126",
        &[("ULEA.HI.X UR0, ~UR1, UR2, UR3, 0x4", "UR1=0 UR2=0 UR3=1", &["UR0=0xfffffff0", "UR0=0xffffffef"])],
    );
    prove(
        "E127",
        &[
            ("ULEA UR0, UP0, -UR1, UR2, 0x0", "UR1=0 UR2=0x10", &["UR0=0x10 UP0=0x0", "UR0=0x10 UP0=0x1"]),
            ("ULEA UR0, UP0, -UR1, UR2, 0x4", "UR1=1 UR2=0x10", &["UR0=0x0 UP0=0x1", "UR0=0x0 UP0=0x1"]),
        ],
    );
}

#[test]
fn e129_to_e139_extremes_and_predicates() {
    prove(
        "E129",
        &[
            ("UIABS UR0, UR1", "UR1=0x80000000", &["UR0=0x80000000", "UR0=0x7fffffff"]),
            ("UIABS UR0, 0xffffffff", "", &["UR0=0x1"; 2]),
        ],
    );
    prove(
        "E134",
        &[
            ("UIMNMX UR0, UR1, UR2, UPT", "UR1=0xffffffff UR2=1", &["E134", "UR0=0xffffffff"]),
            ("UIMNMX.U32 UR0, UR1, UR2, UPT", "UR1=0xffffffff UR2=1", &["E134", "UR0=0x1"]),
            ("UIMNMX UR0, -UR1, UR2, UPT", "UR1=1 UR2=0", &["E134", "UR0=0xffffffff"]),
            ("UIMNMX UR0, UR1, UR2, !UPT", "UR1=3 UR2=1", &["UR0=0x3"; 2]),
        ],
    );
    let predicates = "UP0=0 UP1=1 UP2=0 UP3=1 UP4=1 UP5=0 UP6=1";
    let inputs = format!("{predicates} UR0=0x11111111 UR1=0xaabbccdd");
    prove(
        "E135",
        &[
            ("UP2UR.B1 UR0, UPR, UR1, 0xff", &inputs, &["UR0=0x1111da11", "UR0=0xaabbdadd", "UR0=0xda00"]),
            ("UP2UR.B1 UR0, UPR, UR1, 0x7f", &inputs, &["UR0=0x1111da11", "UR0=0xaabbdadd", "UR0=0xda00"]),
            (
                "UP2UR.B3 UR0, UPR, UR1, 0xf00",
                &inputs,
                &["UR0=0xaa111111", "UR0=0xaabbccdd", "UR0=0xaa000000"],
            ),
        ],
    );
    prove(
        "E139",
        &[
            (
                "UR2UP UPR, UR0, 0xf",
                "UR0=0 UP0=1 UP1=1 UP2=1 UP3=1 UP4=1 UP5=1 UP6=1",
                &[
                    "UP0=0x0 UP1=0x0 UP2=0x0 UP3=0x0 UP4=0x0 UP5=0x0 UP6=0x0",
                    "UP0=0x0 UP1=0x0 UP2=0x0 UP3=0x0 UP4=0x1 UP5=0x1 UP6=0x1",
                ],
            ),
            (
                "UR2UP UPR, UR0.B2, 0x81",
                &format!("UR0=0x550000 {predicates}"),
                &[
                    "UP0=0x1 UP1=0x0 UP2=0x0 UP3=0x0 UP4=0x0 UP5=0x0 UP6=0x0",
                    "UP0=0x1 UP1=0x1 UP2=0x0 UP3=0x1 UP4=0x1 UP5=0x0 UP6=0x1",
                ],
            ),
        ],
    );
}

#[test]
fn e148_tables() {
    let inputs = "UR1=0xaaaa0000 UR2=0xcccc0000 UR3=0xf0f0ffff";
    prove("E148", &[("ULOP3 UR0, UR1, UR2, UR3, 0xf0, !UPT", inputs, &["UR0=0xaaaa0000", "UR0=0xf0f0ffff"])]);
    prove("E148", &[("UPLOP3 UP0, UP1, UP2, UP3, 0x10", "UP1=1 UP2=0 UP3=0", &["UP0=0x1", "UP0=0x0"])]);
    prove("E148", &[("UPLOP3 UP0, !UP1, !UP2, UPT, 0x10", "UP1=1 UP2=1", &["UP0=0x0", "UP0=0x1"])]);
    // The discarded result decides all the same.
    prove("E148", &[("ULOP3.PAND UP1, URZ, UR1, UR2, UR3, 0xf0, UPT", inputs, &["UP1=0x1"; 2])]);
}

#[test]
fn e149_to_e153_ushf() {
    prove(
        "E149",
        &[
            ("USHF.L.U32 UR0, UR1, 0x28, UR2", "UR1=1 UR2=0", &["E149", "UR0=0x0"]),
            ("USHF.L.WRAP.U32 UR0, UR1, 0x28, UR2", "UR1=1 UR2=0", &["E149", "UR0=0x100"]),
            ("USHF.R.WRAP.U32 UR0, UR1, 0x28, UR2", "UR1=0xffffffff UR2=0", &["E149", "UR0=0xffffff"]),
        ],
    );
    prove(
        "E151",
        &[(
            "USHF.L.WRAP.U32 UR0, UR1, UR3, UR2",
            "UR1=0x12345678 UR2=0 UR3=32",
            &["UR0=0x0", "UR0=0x12345678"],
        )],
    );
    prove(
        "E151",
        &[(
            "USHF.R.WRAP.U64 UR0, UR1, UR3, UR2",
            "UR1=0x12345678 UR2=9 UR3=64",
            &["UR0=0x0", "UR0=0x12345678"],
        )],
    );
    prove(
        "E152",
        &[
            ("USHF.R UR0, UR1, 0x4, UR2", "UR1=0x80000000 UR2=0", &["UR0=0x8000000", "UR0=0xf8000000"]),
            ("USHF.R.HI UR0, UR1, 0x4, UR2", "UR1=0x7 UR2=0x80000000", &["UR0=0xf8000000", "UR0=0x0"]),
            ("USHF.R.S64 UR0, UR1, 0x4, UR2", "UR1=0x80000000 UR2=0", &["UR0=0x8000000"; 2]),
        ],
    );
    prove(
        "E153",
        &[("USHF.L.U64 UR0, UR1, UR3, UR2", "UR1=0x12345678 UR2=0 UR3=64", &["UR0=0x12345678", "UR0=0x0"])],
    );
    prove(
        "E153",
        &[(
            "USHF.R.HI.S64 UR0, UR1, UR3, UR2",
            "UR1=0x12345678 UR2=0x80000000 UR3=99",
            &["UR0=0xffffffff"; 2],
        )],
    );
}

#[test]
fn e157_to_e160_uprmt() {
    let bytes = "UR1=0x3020100 UR2=0x87060504";
    prove("E157", &[("UPRMT UR0, UR1, UR2, 0xfedc", bytes, &["UR0=0x87060504", "UR0=0xff000000"])]);
    prove(
        "E158",
        &[
            ("UPRMT.F4E UR0, UR1, UR2, 0x1", bytes, &["UR0=0x1010101", "UR0=0x4030201"]),
            ("UPRMT.B4E UR0, UR1, UR2, 0x1", bytes, &["UR0=0x1010101", "UR0=0x6870001"]),
            ("UPRMT.RC8 UR0, UR1, UR2, 0xfe", bytes, &["UR0=0x2020202"; 2]),
            ("UPRMT.ECL UR0, UR1, UR2, 0x2", bytes, &["UR0=0x2020202", "UR0=0x3020202"]),
            ("UPRMT.ECR UR0, UR1, UR2, 0x2", bytes, &["UR0=0x2020202", "UR0=0x2020100"]),
            ("UPRMT.RC16 UR0, UR1, UR2, 0x3", bytes, &["UR0=0x3030303", "UR0=0x3020302"]),
        ],
    );
    prove("E159", &[("UPRMT UR0, UR1, UR2, 0x7654", "UR1=0x80000000 UR2=0", &["UR0=0xffffffff", "UR0=0x0"])]);
    prove(
        "E160",
        &[(
            "UPRMT UR0, UR1, UR2, UR3",
            "UR1=0x3020100 UR2=0x7654 UR3=0x87060504",
            &["UR0=0x760054", "UR0=0x87060504"],
        )],
    );
}

#[test]
fn e165_indices() {
    prove(
        "E165",
        &[
            ("GETUGPR UR5, UR[UR2+0x2]", "UR2=62 UR0=7", &["uniform register index out of range", "UR5=0x7"]),
            ("GETUGPR UR5, UR[UR2-0x1]", "UR2=0", &["uniform register index out of range", "UR5=0x0"]),
            ("GETUGPR UR5, UR[UR2+0x1]", "UR2=62", &["UR5=0x0"; 2]),
            ("GETUGPR UR5, UR[UR2]", "UR2=2", &["UR5=0x2"; 2]),
            ("SETUGPR UR[UR2+0x2], UR1", "UR2=62 UR1=9", &["uniform register index out of range", "UR0=0x9"]),
            ("SETUGPR UR[UR2], UR1", "UR2=63 UR1=9", &[""; 2]),
            ("SETUGPR UR[UR2-0x40], UR1", "UR2=0x44 UR1=9", &["UR4=0x9"; 2]),
        ],
    );
}

#[test]
fn e168_uf2fp() {
    prove(
        "E168",
        &[
            ("UF2FP UR0, UR1, UR2, UR3", "UR1=0x3f800000 UR2=0x40000000 UR3=5", &["UR0=0x3c004000", "E168"]),
            // Ties to even, overflow, the edge of the subnormals, NaN, -0.
            ("UF2FP UR0, UR1, UR2, URZ", "UR1=0x3f801000 UR2=0x3f803000", &["UR0=0x3c003c02", "E168"]),
            ("UF2FP UR0, UR1, UR2, URZ", "UR1=0x477fefff UR2=0xc77ff000", &["UR0=0x7bfffc00", "E168"]),
            ("UF2FP UR0, UR1, UR2, URZ", "UR1=0x33000000 UR2=0xb3000001", &["UR0=0x8001", "E168"]),
            ("UF2FP UR0, UR1, UR2, URZ", "UR1=0x387fffff UR2=0x387fc000", &["UR0=0x40003ff", "E168"]),
            ("UF2FP UR0, UR1, UR2, URZ", "UR1=0xff800001 UR2=0x80000000", &["UR0=0x7fff8000", "E168"]),
            ("UF2FP UR0, UR1, UR2, URZ", "UR1=0xff800000 UR2=0x7f7fffff", &["UR0=0xfc007c00", "E168"]),
        ],
    );
}
