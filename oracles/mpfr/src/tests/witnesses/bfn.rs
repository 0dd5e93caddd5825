//! Witnesses of the errata about BFN.

use super::super::readings;
use super::super::text::{outcome, prove, prove_beside};

/// Returns the values of channels 0 to n - 1 of V1, as text. All channels are dispatched.
fn channels(n: u32, value: impl Fn(u32) -> u32) -> String {
    (0..n).fold("EM=0xffffffff".to_owned(), |text, i| text + &format!(" V1.chan{i}={:#x}", value(i)))
}

/// Returns the text of writes to these channels of V0.
fn written(channels: impl IntoIterator<Item = u32>, value: impl Fn(u32) -> u32) -> String {
    let writes = channels.into_iter().map(|i| format!("V0.chan{i}={:#x}", value(i)));
    writes.collect::<Vec<String>>().join(" ")
}

#[test]
fn e081_the_loop() {
    let inputs = channels(8, |i| i + 1);
    let [three, eight] = [3, 8].map(|n| written(0..n, |i| i + 1));
    prove("E081", &[("BFN.xaa.UD (8) V0 V1 0x0000 0x0000", &inputs, &[&three, &eight])]);
    prove("E081", &[("BFN.xaa.UD (M2, 8) V0 V1 0x0000 0x0000", &inputs, &["E081", &eight])]);
    prove("E081", &[("BFN.xaa.UD (1) V0 V1 0x0000 0x0000", "EM=1 V1.chan0=7", &["", "V0.chan0=0x7"])]);
}

#[test]
fn e083_order_of_the_inputs() {
    let inputs = "EM=1 V1.chan0=0xaaaa0000 V2.chan0=0xcccc0000 V3.chan0=0xf0f0ffff";
    for (table, expected) in
        [(0xf0, 0xf0f0_ffffu32), (0xcc, 0xcccc_0000), (0xaa, 0xaaaa_0000), (0x80, 0x8080_0000)]
    {
        let text = format!("BFN.x{table:02x}.UD (1) V0 V1 V2 V3");
        assert_eq!(outcome(&readings(&[]), &text, inputs), format!("V0.chan0={expected:#x}"));
    }
    let inputs = "EM=1 V1.chan0=0xaaaaaaaa V2.chan0=0xcccccccc V3.chan0=0xf0f0f0f0";
    let actual = outcome(&readings(&[]), "BFN.x10.D (1) V0 V1 V2 V3", inputs);
    assert_eq!(actual, "V0.chan0=0x10101010");
}

#[test]
fn e084_e085_enabled_channels() {
    prove(
        "E084",
        &[
            (
                "(F1) BFN.xff.UD (1) V0 V1 V1 V1",
                "EM=1 F1=0xfffffffe V1.chan0=0",
                &["", "V0.chan0=0xffffffff"],
            ),
            (
                "(!F1) BFN.xff.UD (1) V0 V1 V1 V1",
                "EM=1 F1=0xfffffffe V1.chan0=0",
                &["V0.chan0=0xffffffff"; 2],
            ),
            ("BFN.xff.UD (1) V0 V1 V1 V1", "EM=2 V1.chan0=0", &[""; 2]),
            ("BFN.xff.UD (M1_NM, 1) V0 V1 V1 V1", "V1.chan0=0", &["V0.chan0=0xffffffff"; 2]),
        ],
    );
    // M3 begins at channel 8, or under E085 = 2 at channel 16.
    let inputs = channels(8, |i| i).replace("EM=0xffffffff", "EM=0x30500");
    let [eighth, sixteenth] = [[0, 2], [0, 1]].map(|elements| written(elements, |i| i));
    prove("E085", &[("BFN.xaa.UD (M3, 8) V0 V1 V1 V1", &inputs, &[&eighth, &sixteenth])]);
    let inputs = channels(16, |_| 0);
    let all = written(0..16, |_| 0);
    prove("E085", &[("BFN.xaa.UD (M3, 16) V0 V1 V1 V1", &inputs, &[&all, "E085"])]);
    prove_beside(
        &["E084=2"],
        "E085",
        &[("(F0) BFN.xaa.UD (M5_NM, 16) V0 V1 V1 V1", &format!("{inputs} F0=0"), &[&all, "E085"])],
    );
}

#[test]
fn e086_e087_types_and_literals() {
    let outcomes: [(&str, [&str; 3]); 4] = [
        ("D", ["V0.chan0=0x8000", "V0.chan0=0xffff8000", "V0.chan0=0xffff8000"]),
        ("UD", ["V0.chan0=0x8000", "V0.chan0=0xffff8000", "V0.chan0=0x8000"]),
        ("W", ["V0.chan0=0x8000"; 3]),
        ("UW", ["V0.chan0=0x8000"; 3]),
    ];
    for (ty, outcomes) in outcomes {
        let text = format!("BFN.xaa.{ty} (1) V0 0x8000 0x0000 0x0000");
        prove("E087", &[(&text, "EM=1", &outcomes)]);
    }
    prove("E087", &[("BFN.xff.W (1) V0 V1 V1 V1", "EM=1 V1.chan0=0x12345678", &["V0.chan0=0xffff"; 3])]);
    prove("E087", &[("BFN.xaa.UW (1) V0 V1 V1 V1", "EM=1 V1.chan0=0x12345678", &["V0.chan0=0x5678"; 3])]);
}
