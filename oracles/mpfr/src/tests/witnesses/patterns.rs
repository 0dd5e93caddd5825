//! Witnesses of the errata about the uniform datapath: logic, shifts, permutations, predicates, and
//! the optypes that XU has too.

use super::super::text::prove;

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
        "C008",
        &[
            ("UP2UR UR0, UPR, URZ, 0xff", &inputs, &["UR0=0xda", "UR0=0x5a"]),
            ("UP2UR.B2 UR0, UPR, UR1, 0x80", &inputs, &["UR0=0xaabbccdd", "UR0=0xaa3bccdd"]),
            ("UP2UR UR0, UPR, UR1, 0x7f", &inputs, &["UR0=0xaabbccda", "UR0=0xaabbccda"]),
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
    // A discarded result still determines the predicate.
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
fn e168_uf2fp() {
    prove(
        "E168",
        &[
            ("UF2FP UR0, UR1, UR2, UR3", "UR1=0x3f800000 UR2=0x40000000 UR3=5", &["UR0=0x3c004000", "E168"]),
            // Ties to even, overflow, the largest subnormal numbers, NaN, -0.
            ("UF2FP UR0, UR1, UR2, URZ", "UR1=0x3f801000 UR2=0x3f803000", &["UR0=0x3c003c02", "E168"]),
            ("UF2FP UR0, UR1, UR2, URZ", "UR1=0x477fefff UR2=0xc77ff000", &["UR0=0x7bfffc00", "E168"]),
            ("UF2FP UR0, UR1, UR2, URZ", "UR1=0x33000000 UR2=0xb3000001", &["UR0=0x8001", "E168"]),
            ("UF2FP UR0, UR1, UR2, URZ", "UR1=0x387fffff UR2=0x387fc000", &["UR0=0x40003ff", "E168"]),
            ("UF2FP UR0, UR1, UR2, URZ", "UR1=0x387fe000 UR2=0x38406000", &["UR0=0x4000302", "E168"]),
            ("UF2FP UR0, UR1, UR2, URZ", "UR1=0xff800001 UR2=0x80000000", &["UR0=0x7fff8000", "E168"]),
            ("UF2FP UR0, UR1, UR2, URZ", "UR1=0xff800000 UR2=0x7f7fffff", &["UR0=0xfc007c00", "E168"]),
        ],
    );
}

#[test]
fn c006_uf2fp_nan() {
    prove(
        "C006",
        &[
            (
                "UF2FP UR0, UR1, UR2, URZ",
                "UR1=0xff812345 UR2=0x7fc00001",
                &["UR0=0x7fff7fff", "UR0=0x7e007e00", "UR0=0xfe097e00"],
            ),
            ("UF2FP UR0, UR1, UR2, URZ", "UR1=0x3f800000 UR2=0xff800000", &["UR0=0x3c00fc00"; 3]),
        ],
    );
}
