//! Tests the errata's witnesses, special values, and which instructions the implementations do not
//! support.

use crate::support::{answers, departing, instruction, on, readings};
use assay_crosscheck::{ApFloat, CoreMath, HostCpu};
use assay_isa::{Answer, EncodingTable, Erratum, Readings, Subject};
use assay_testing::skip;

const INF: u32 = 0x7f80_0000;
const QNAN: u32 = 0x7fff_ffff;
const NEG: u32 = 0x8000_0000;

/// Returns the implementations that support a form: APFloat, and the host if it can. If this CPU
/// lacks an instruction that the form needs, reports the skip. A form that no CPU executes is not
/// reported.
fn implementations(form: &str, readings: Readings) -> Vec<Box<dyn Subject>> {
    let numbers = EncodingTable::provisional().clone();
    let mut implementations: Vec<Box<dyn Subject>> = vec![Box::new(ApFloat::new(numbers.clone(), readings))];
    let capabilities = HostCpu::describe();
    if capabilities.optypes.iter().any(|optype| form.starts_with(optype)) {
        implementations.push(Box::new(HostCpu::new(numbers, readings)));
    } else if capabilities.missing.iter().any(|(optype, _)| form.starts_with(optype)) {
        skip("host-cpu", &format!("a row of {form}; host CPU: {capabilities}"));
    }
    implementations
}

/// The form, its modifiers, its operands and its result.
type Row = (&'static str, &'static [(&'static str, &'static str)], &'static [u32], u32);

fn hold(rows: &[Row]) {
    for (form, names, operands, expected) in rows {
        let instruction = instruction(form, &[], names);
        for mut implementation in implementations(form, Readings::INTENDED) {
            let result = on(&mut *implementation, &instruction, operands);
            let shown = format!("{} {form} {names:?} {operands:08x?}: {result:08x?}", implementation.name());
            assert_eq!(result, Ok(*expected), "{shown}, not {expected:08x}");
        }
    }
}

#[test]
fn witnesses_under_intended() {
    hold(&[
        // E169: a tie goes to even.
        ("FADD_RR", &[], &[0x3f80_0000, 0x3380_0000], 0x3f80_0000),
        // E170: .SAT replaces -0 by +0.
        ("FADD_RR", &[("sat", "SAT")], &[NEG, NEG], 0),
        ("FMUL_RR", &[("sat", "SAT")], &[NEG, 0x3f80_0000], 0),
        // E172: an exact zero is negative when rounding toward -Inf.
        ("FADD_RR", &[("rnd", "RM")], &[0x3f80_0000, 0xbf80_0000], NEG),
        ("FADD_RR", &[], &[0x3f80_0000, 0xbf80_0000], 0),
        // E173: a result that rounding made normal is not flushed.
        ("FMUL_RR", &[("ftz", "FTZ")], &[0x00ff_ffff, 0x3f00_0000], 0x0080_0000),
        ("FMUL_RR", &[("ftz", "FTZ")], &[0x3f7f_ffff, 0x0080_0000], 0x0080_0000),
        ("FMUL_RR", &[("ftz", "FTZ")], &[0x2000_0001, 0x1fff_fffe], 0x0080_0000),
        // E176: the scale is exact.
        ("FMUL_RR", &[("scl", "M8")], &[0x7f00_0000, 0x3a80_0000], 0x7b80_0000),
        ("FMUL_RR", &[("scl", "D8"), ("ftz", "FTZ")], &[0x0100_0000, 0x4380_0000], 0x0380_0000),
        // E177 to E180: FFMA is fused, rounds once in its rounding mode, and flushes every input.
        ("FFMA_RRR", &[], &[0x4000_0000, 0x4040_0000, 0x3f80_0000], 0x40e0_0000),
        ("FFMA_RRR", &[("rnd", "RP")], &[0x3f80_0000, 0x3f80_0000, 0x3380_0000], 0x3f80_0001),
        ("FFMA_RRR", &[("ftz", "FTZ")], &[0x3f80_0000, 0x0080_0000, 0x007f_ffff], 0x0080_0000),
        ("FFMA_RRR", &[], &[0x3f80_0800, 0x3f80_0800, 0xbf80_1000], 0x3380_0000),
    ]);
}

#[test]
fn special_values() {
    hold(&[
        ("FADD_RR", &[], &[INF, INF | NEG], QNAN),
        ("FADD_RR", &[], &[INF, 0xff7f_ffff], INF),
        ("FADD_RR", &[], &[0x7f80_0001, 0], QNAN),
        ("FADD_RR", &[("sat", "SAT")], &[0xffc0_0000, 0], 0),
        ("FADD_RR", &[("sat", "SAT")], &[INF | NEG, 0], 0),
        ("FADD_RR", &[("sat", "SAT")], &[INF, 0], 0x3f80_0000),
        ("FADD_RR", &[], &[NEG, NEG], NEG),
        ("FADD_RR", &[("rnd", "RM")], &[0, NEG], NEG),
        ("FADD_RR", &[("rnd", "RZ")], &[0x7f7f_ffff, 0x7f7f_ffff], 0x7f7f_ffff),
        ("FADD_RR", &[("rnd", "RM")], &[0xff7f_ffff, 0xff7f_ffff], INF | NEG),
        ("FADD_RR", &[], &[0x0040_0000, 0x0040_0000], 0x0080_0000),
        ("FADD_RR", &[("ftz", "FTZ")], &[0x0040_0000, 0x8040_0000], 0),
        ("FADD_RR", &[("ftz", "FTZ")], &[0x8040_0000, 0x8040_0000], NEG),
        ("FADD_RR", &[("ftz", "FTZ")], &[0x8080_0001, 0x0080_0000], NEG),
        ("FADD_RR", &[("ftz", "FTZ"), ("sat", "SAT")], &[0x8080_0001, 0x0080_0000], 0),
        ("FMUL_RR", &[], &[0, INF], QNAN),
        ("FMUL_RR", &[("scl", "M8")], &[0, INF], QNAN),
        ("FMUL_RR", &[("scl", "D8")], &[INF, 0x8000_0001], INF | NEG),
        ("FMUL_RR", &[("ftz", "FTZ")], &[INF, 0x8000_0001], QNAN),
        ("FMUL_RR", &[("scl", "D2"), ("rnd", "RP")], &[1, 0x3f80_0000], 1),
        ("FMUL_RR", &[("scl", "D2")], &[1, 0x3f80_0000], 0),
        ("FMUL_RR", &[("scl", "M2")], &[0x007f_ffff, 0x3f80_0000], 0x00ff_fffe),
        ("FMUL_RR", &[("scl", "M2"), ("rnd", "RZ")], &[0xff7f_ffff, 0x3f80_0000], 0xff7f_ffff),
        ("FFMA_RRR", &[], &[0, INF, 0x7fc0_0000], QNAN),
        ("FFMA_RRR", &[], &[INF, 0x3f80_0000, INF | NEG], QNAN),
        ("FFMA_RRR", &[], &[0x7f7f_ffff, 0x4000_0000, 0xff7f_ffff], 0x7f7f_ffff),
        ("FFMA_RRR", &[("rnd", "RM")], &[0x3f80_0000, 0x3f80_0000, 0xbf80_0000], NEG),
        ("FFMA_RRR", &[], &[1, 0x8000_0001, 0], NEG),
    ]);
}

#[test]
fn every_scale() {
    const THREE: u32 = 0x4040_0000;
    let scales = [("NoScale", 0), ("D2", -1), ("D4", -2), ("D8", -3), ("M2", 1), ("M4", 2), ("M8", 3i32)];
    for (scale, exponent) in scales {
        let instruction = instruction("FMUL_RR", &[], &[("scl", scale)]);
        for mut implementation in implementations("FMUL_RR", Readings::INTENDED) {
            let expected = THREE.wrapping_add_signed(exponent << 23);
            assert_eq!(
                on(&mut *implementation, &instruction, &[THREE, 0x3f80_0000]),
                Ok(expected),
                "{scale}"
            );
        }
    }
}

#[test]
fn departures_that_are_followed() {
    let tie = instruction("FADD_RR", &[], &[]);
    let numbers = EncodingTable::provisional();
    let mut away = ApFloat::new(numbers.clone(), readings(&[(169, 1)]));
    assert_eq!(on(&mut away, &tie, &[0x3f80_0000, 0x3380_0000]), Ok(0x3f80_0001));
    let saturated = instruction("FMUL_RR", &[], &[("sat", "SAT")]);
    for mut implementation in implementations("FMUL", readings(&[(170, 1)])) {
        assert_eq!(
            on(&mut *implementation, &saturated, &[NEG, 0x3f80_0000]),
            Ok(NEG),
            "{}",
            implementation.name()
        );
        assert_eq!(
            on(&mut *implementation, &saturated, &[1, 0x8000_0001]),
            Ok(NEG),
            "{}",
            implementation.name()
        );
        assert_eq!(
            on(&mut *implementation, &saturated, &[0xbf80_0000, 0x3f80_0000]),
            Ok(0),
            "{}",
            implementation.name()
        );
    }
    let flushed = instruction("FMUL_RR", &[], &[("ftz", "FTZ")]);
    let mut tiny = ApFloat::new(numbers.clone(), readings(&[(173, 2)]));
    assert_eq!(on(&mut tiny, &flushed, &[0x3f7f_ffff, 0x0080_0000]), Ok(0));
    assert_eq!(on(&mut tiny, &flushed, &[0x2000_0001, 0x1fff_fffe]), Ok(0x0080_0000));
    assert_eq!(on(&mut tiny, &flushed, &[0x8080_0000, 0x3f7f_ffff]), Ok(NEG));
}

/// The errata about every instruction also affect these instructions, if they have a guard or flush
/// a register.
#[test]
fn departures_of_every_instruction() {
    const FTZ: &[(&str, &str)] = &[("ftz", "FTZ")];
    const RCP: &[(&str, &str)] = &[("mufuop", "RCP")];
    type Case = (u16, &'static str, &'static [(&'static str, u32)], &'static [(&'static str, &'static str)]);
    let silencing: &[Case] = &[
        (8, "FADD_RI", &[("pg", 2)], &[]),
        (8, "FFMA_RRR", &[("pg.not", 1)], &[]),
        (8, "MUFU_I", &[("pg", 2)], RCP),
        (12, "FADD_RI", &[], FTZ),
        (12, "FFMA_RUR", &[("ra", 255), ("urb", 4), ("rc", 255)], FTZ),
    ];
    let harmless: &[Case] = &[
        (8, "FADD_RI", &[], FTZ),
        (8, "MUFU_I", &[], RCP),
        (12, "FMUL_RI", &[], &[]),
        (12, "FMUL_RC", &[("ra", 255), ("vb", 0x160)], FTZ),
        (11, "FADD_RR", &[("ra", 0)], &[]),
    ];
    for (cases, expected) in [(silencing, false), (harmless, true)] {
        for (erratum, form, fields, names) in cases {
            let (instruction, readings) = (instruction(form, fields, names), departing(*erratum));
            let mut implementations = implementations(form, readings);
            if form.starts_with("MUFU") {
                implementations =
                    vec![Box::new(CoreMath::new(EncodingTable::provisional().clone(), readings))];
            }
            for mut implementation in implementations {
                let result = answers(&mut *implementation, &instruction);
                assert_eq!(result, expected, "{} E{erratum:03} {instruction:?}", implementation.name());
            }
        }
    }
}

/// Tests where a setting other than `intended` makes an implementation unsupported.
#[test]
fn departures_that_are_not_followed() {
    const C010: u16 = Erratum::convention(10).0;
    const C011: u16 = Erratum::convention(11).0;
    type Case = (u16, u8, &'static str, &'static [(&'static str, &'static str)], bool, bool);
    let cases: &[Case] = &[
        (169, 1, "FADD_RR", &[], true, false),
        (169, 1, "FADD_RR", &[("rnd", "RZ")], true, true),
        (172, 1, "FADD_RR", &[], false, false),
        (172, 1, "FMUL_RR", &[], true, true),
        (173, 2, "FFMA_RRR", &[("ftz", "FTZ")], true, false),
        (173, 2, "FFMA_RRR", &[], true, true),
        (176, 2, "FMUL_RR", &[("scl", "D2")], false, false),
        (176, 3, "FMUL_RR", &[], true, true),
        (177, 1, "FFMA_RRR", &[], false, false),
        (178, 1, "FFMA_RRR", &[("rnd", "RP")], false, false),
        (178, 1, "FFMA_RRR", &[], true, true),
        (179, 1, "FFMA_RRR", &[("ftz", "FTZ")], false, false),
        (179, 1, "FFMA_RRR", &[], true, true),
        (180, 1, "FFMA_RRR", &[], false, false),
        (C010, 2, "FADD_RR", &[("ftz", "FTZ")], false, false),
        (C010, 3, "FMUL_RR", &[], true, true),
        (C011, 2, "FFMA_RRR", &[("ftz", "FTZ")], false, false),
        (C011, 2, "FADD_RR", &[], true, true),
    ];
    for (erratum, setting, form, names, soft, hard) in cases {
        let instruction = instruction(form, &[], names);
        for (mut implementation, answers) in
            implementations(form, readings(&[(*erratum, *setting)])).into_iter().zip([soft, hard])
        {
            let result = on(&mut *implementation, &instruction, &[0; 3]);
            let expected = if *answers { Ok(0) } else { Err(Answer::Unsupported) };
            assert_eq!(result, expected, "{} E{erratum}={setting} {form} {names:?}", implementation.name());
        }
    }
}

#[test]
fn each_voice_leaves_the_others_instructions_alone() {
    let numbers = EncodingTable::provisional();
    let mufu = instruction("MUFU_R", &[], &[("mufuop", "RCP"), ("dtype", "F32")]);
    for mut implementation in implementations("FADD_RR", Readings::INTENDED) {
        assert_eq!(on(&mut *implementation, &mufu, &[0]), Err(Answer::Unsupported));
    }
    let mut core_math = CoreMath::new(numbers.clone(), Readings::INTENDED);
    let add = instruction("FADD_RR", &[], &[]);
    assert_eq!(on(&mut core_math, &add, &[0, 0]), Err(Answer::Unsupported));
    for (function, dtype) in [("TANH", "F16_V2"), ("TANH", "F16"), ("EX2", "BF16")] {
        let other = instruction("MUFU_R", &[], &[("mufuop", function), ("dtype", dtype)]);
        assert_eq!(on(&mut core_math, &other, &[0]), Err(Answer::Unsupported), "{function}.{dtype}");
    }
}

#[test]
fn names_are_stable_and_all_has_each_once() {
    let all = assay_crosscheck::all(EncodingTable::provisional(), Readings::INTENDED);
    assert_eq!(all.iter().map(|v| v.name()).collect::<Vec<_>>(), ["apfloat", "host", "core-math"]);
}
