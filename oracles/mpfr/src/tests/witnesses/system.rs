//! Witnesses of MISC and IB.

use super::uniform::prove;

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
