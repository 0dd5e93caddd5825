//! Witnesses of the errata about the uniform datapath: guard, order of reads, sums, products and
//! addresses.

use super::super::text::{prove, prove_beside};

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
            // The carry in is not read again after the write.
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
            // The factors are not read again after the write.
            ("UIMAD.U32 UR1, UP0, UR1, UR2, UR4", "UR1=1 UR2=0xfffffffe UR4=2", &["UR1=0x0 UP0=0x1"; 2]),
            (
                "UIMAD.WIDE.U32 UR[4:5], UP0, UR1, UR2, UR[4:5]",
                "UR1=1 UR2=2 UR4=0xfffffffe UR5=0xffffffff",
                &["UR4=0x0 UR5=0x0 UP0=0x0", "UR4=0x0 UR5=0x0 UP0=0x1"],
            ),
            // 1 < 0 is false. So upu gets false, and upv gets true AND upp.
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
    // Under E120 = 1 the mask is 2^32 - 1 plus the base. So with a nonzero base, the mask includes
    // bit 32 of the shifted operand.
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
