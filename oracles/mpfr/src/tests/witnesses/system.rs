//! Witnesses of the errata about MISC and IB, and about locations of the uniform datapath that a
//! value selects.

use super::super::text::prove;

#[test]
fn e066_pairs_of_special_registers() {
    let clock = "SR_CLOCKLO=2 SR_CLOCKHI=1";
    prove("E066", &[("CS2R R[0:1], SR_CLOCKLO", clock, &["E066", "R0=0x2 R1=0x1"])]);
    prove("E066", &[("CS2R R[0:1], SRZ", "", &["E066", "R0=0x0 R1=0x0"])]);
    prove(
        "E066",
        &[
            ("S2R R0, SR_CLOCKLO", clock, &["R0=0x2"; 2]),
            ("S2UR UR2, SR_CTAID", "SR_CTAID.X=7", &["UR2=0x7"; 2]),
        ],
    );
    prove("E066", &[("S2R RZ, SR_CLOCKLO", clock, &[""; 2]), ("S2R R3, SRZ", "", &["R3=0x0"; 2])]);
}

#[test]
fn e071_addresses() {
    prove(
        "E071",
        &[
            ("SETREG 0xffff, R0", "R0=5", &["G[0xffff]=0x5", "E071"]),
            ("SETREG R13, R0", "R13=0xffffffff R0=5", &["G[0xffffffff]=0x5", "E071"]),
            ("SETREG UR13, RZ", "UR13=8", &["G[0x8]=0x0", "E071"]),
            ("GETREG R0, 0xffff", "G[0xffff]=6", &["R0=0x6", "E071"]),
            ("GETREG R0, R0", "R0=0x10 G[0x10]=6 G[0xf]=7", &["R0=0x6", "E071"]),
            ("GETREG RZ, URZ", "", &["", "E071"]),
            ("@!PT SETREG R13, R0", "R13=0 R0=5", &[""; 2]),
        ],
    );
}

#[test]
fn e075_to_e078_events() {
    prove("E075", &[("PMTRIG 0x1234", "", &["PMTRIG 0x1234", "E075"])]);
    prove(
        "E076",
        &[
            ("SWITCH 0x5", "", &["SWITCH 0x5", "E076"]),
            ("SWITCH R3", "R3=0x89abcdef", &["SWITCH 0x89abcdef", "E076"]),
            ("SWITCH c[0x0][0x8]", "c[0][0x8]=3", &["SWITCH 0x3", "E076"]),
            ("@P0 SWITCH 0x5", "P0=0", &[""; 2]),
        ],
    );
    prove(
        "E077",
        &[("NOP", "", &["NOP", "E077"]), ("IBBAR", "", &["IBBAR", "E077"]), ("@!PT NOP", "", &[""; 2])],
    );
    prove("E078", &[("DEPBAR 0x7, 0xff", "", &["DEPBAR 0x7, 0xff", "E078"])]);
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
            // Loads at the end of the bank. Some would read beyond it.
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
