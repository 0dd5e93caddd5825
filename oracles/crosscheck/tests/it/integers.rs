//! Tests POPC, FLO, BREV, BMSK and SGXT on the host's integer instructions: witnesses, every form
//! compared with the definitions, and which readings are unsupported.

use crate::support::{answers, departing, everything, holds, instruction, lanes_of, on, readings};
use assay_crosscheck::{ApFloat, HostCpu};
use assay_isa::tables::types::{CWMode, FLOSH, IType};
use assay_isa::{Answer, Effects, EncodingTable, Instruction, Location, Readings, Subject, catalog};
use assay_testing::skip;
use proptest::prelude::*;

const NONE: u32 = u32::MAX;

fn host(settings: &[(u16, u8)]) -> HostCpu {
    HostCpu::new(EncodingTable::provisional().clone(), readings(settings))
}

/// Returns whether this machine supports an optype. Otherwise reports what was skipped.
fn executes(optype: &str) -> bool {
    let capabilities = HostCpu::describe();
    let executes = capabilities.optypes.contains(&optype);
    if !executes {
        skip("host-cpu", &format!("{optype}; host CPU: {capabilities}"));
    }
    executes
}

type Names = &'static [(&'static str, &'static str)];

#[test]
fn witnesses_and_special_values() {
    const U32: Names = &[("itype", "U32")];
    const SH: Names = &[("sh", "SH")];
    const USH: Names = &[("itype", "U32"), ("sh", "SH")];
    const WRAP: Names = &[("cwmode", "WRAP")];
    const UWRAP: Names = &[("cwmode", "WRAP"), ("itype", "U32")];
    const PATTERN: u32 = 0x1234_5678;
    let rows: &[(&str, Names, &[u32], u32)] = &[
        // E049.
        ("POPC_R", &[], &[1], 1),
        ("POPC_R", &[], &[0], 0),
        ("POPC_R", &[], &[u32::MAX], 32),
        ("POPC_R", &[], &[PATTERN], 13),
        // E050 to E053.
        ("FLO_R", &[], &[0], NONE),
        ("FLO_R", USH, &[0], NONE),
        ("FLO_R", SH, &[0], NONE),
        ("FLO_R", &[], &[1], 0),
        ("FLO_R", &[], &[0x8000_0000], 0x1e),
        ("FLO_R", &[], &[0xffff_fffc], 1),
        ("FLO_R", &[], &[u32::MAX], NONE),
        ("FLO_R", SH, &[u32::MAX], NONE),
        ("FLO_R", U32, &[u32::MAX], 31),
        ("FLO_R", USH, &[u32::MAX], 0),
        ("FLO_R", USH, &[1], 31),
        ("FLO_R", SH, &[0x8000_0000], 1),
        // E056.
        ("BREV_R", &[], &[1], 0xffff_fffe),
        ("BREV_R", &[], &[PATTERN], 0xedcb_a987),
        // E057, E059.
        ("BMSK_RR", &[], &[4, 8], 0xff0),
        ("BMSK_RR", &[], &[5, 0], 0),
        ("BMSK_RR", WRAP, &[31, 31], 0x8000_0000),
        ("BMSK_RR", &[], &[0, u32::MAX], u32::MAX),
        ("BMSK_RR", &[], &[0, 32], u32::MAX),
        ("BMSK_RR", WRAP, &[0, 32], 0),
        ("BMSK_RR", &[], &[32, 1], 0),
        ("BMSK_RR", WRAP, &[32, 1], 1),
        ("BMSK_RR", &[], &[u32::MAX, u32::MAX], 0),
        ("BMSK_RR", WRAP, &[u32::MAX, u32::MAX], 0x8000_0000),
        // E062, E063.
        ("SGXT_RR", WRAP, &[PATTERN, 32], 0),
        ("SGXT_RR", &[], &[PATTERN, 40], PATTERN),
        ("SGXT_RR", &[], &[0x8000_0001, 32], 0x8000_0001),
        ("SGXT_RR", WRAP, &[PATTERN, 36], 0xffff_fff8),
        ("SGXT_RR", UWRAP, &[PATTERN, 36], 8),
        ("SGXT_RR", &[], &[PATTERN, 0], 0),
        ("SGXT_RR", U32, &[PATTERN, u32::MAX], PATTERN),
        ("SGXT_RR", &[], &[4, 3], 0xffff_fffc),
        ("SGXT_RR", &[], &[1, 1], u32::MAX),
        ("SGXT_RR", U32, &[0xffff_8000, 16], 0x8000),
    ];
    for (form, names, operands, expected) in rows {
        let instruction = instruction(form, &[], names);
        if executes(instruction.optype()) {
            let result = on(&mut host(&[]), &instruction, operands);
            assert_eq!(result, Ok(*expected), "{form} {names:?} {operands:08x?}");
        }
    }
}

/// Computes an instruction bit by bit, as the specification words it.
fn defined(instruction: &Instruction, a: u32, b: u32) -> u32 {
    let bit = |x: u32, i: u32| x >> i & 1;
    let gathered = |f: &dyn Fn(u32) -> bool| (0..32).map(|i| u32::from(f(i)) << i).sum::<u32>();
    let wrap = instruction.modifier("cwmode") == Some(CWMode::WRAP);
    let signed = instruction.modifier("itype") == Some(IType::S32);
    let [position, width] = [a, b].map(|x| u64::from(if wrap { x % 32 } else { x }));
    match instruction.optype() {
        "POPC" => (0..32).map(|i| bit(a, i)).sum(),
        "FLO" => {
            // FLO finds the highest bit that differs from the sign.
            let ignored = if signed { bit(a, 31) } else { 0 };
            match (0..32).rev().find(|i| bit(a, *i) != ignored) {
                None => NONE,
                Some(i) if instruction.modifier("sh") == Some(FLOSH::SH) => 31 - i,
                Some(i) => i,
            }
        }
        "BREV" => u32::MAX - a,
        "BMSK" => gathered(&|i| (position..position + width).contains(&u64::from(i))),
        "SGXT" if width == 0 => 0,
        "SGXT" => {
            let top = width.min(32) as u32 - 1;
            gathered(&|i| if i <= top { bit(a, i) == 1 } else { signed && bit(a, top) == 1 })
        }
        optype => panic!("{optype} is no integer optype"),
    }
}

fn lanes() -> impl Strategy<Value = Vec<[u32; 3]>> {
    let run = (0u32..32, 0u32..32, any::<bool>());
    let run = run
        .prop_map(|(high, low, not)| (1u32 << high).wrapping_sub(1 << low) ^ u32::from(not).wrapping_neg());
    let word = move || prop_oneof![any::<u32>(), run.clone(), 0u32..70, (0u32..32).prop_map(|i| 1 << i)];
    let lane = [word(), word()].prop_map(|[a, b]| [a, b, 0]);
    proptest::collection::vec(lane, 64)
}

#[test]
fn every_form_is_as_defined() {
    let optypes = [("POPC", 7), ("FLO", 4 * 7), ("BREV", 4), ("BMSK", 2 * 4), ("SGXT", 4 * 4)];
    for (optype, count) in optypes.into_iter().filter(|(optype, _)| executes(optype)) {
        let all = everything(optype);
        assert_eq!(all.len(), count, "{optype}");
        holds(200, lanes(), |lanes| {
            all.iter().try_for_each(|instruction| {
                let mut instruction = instruction.clone();
                let batch = lanes_of(&mut instruction, &lanes);
                let mut effects = Effects::default();
                assert_eq!(host(&[]).execute(&batch, &mut effects).unwrap(), Answer::Known);
                (0..lanes.len()).try_for_each(|lane| {
                    let words = instruction.inputs().zip(lanes[lane]).zip(lanes[0]);
                    let words = words.map(|((input, value), first)| {
                        let value = if input.source.location().is_none() { first } else { value };
                        if input.bitnot { !value } else { value }
                    });
                    let words: Vec<u32> = words.chain([0]).collect();
                    let expected = defined(&instruction, words[0], words[1]);
                    let result = effects.value(Location::R(0), lane);
                    let shown = || format!("{instruction:?} {words:08x?}: {result:08x?}, not {expected:08x}");
                    (result == Some(expected)).then_some(()).ok_or_else(shown)
                })
            })
        });
    }
}

#[test]
fn a_complement_reaches_what_has_no_storage() {
    if executes("POPC") {
        for (form, fields) in
            [("POPC_R", [("rb", 255), ("rb.bitnot", 1)]), ("POPC_U", [("urb", 63), ("urb.bitnot", 1)])]
        {
            assert_eq!(on(&mut host(&[]), &instruction(form, &fields, &[]), &[]), Ok(32), "{form}");
        }
    }
}

#[test]
fn bit_reversal_is_followed() {
    let brev = instruction("BREV_R", &[], &[]);
    if executes("BREV") {
        for (x, y) in [(1, 0x8000_0000), (0x1234_5678, 0x1e6a_2c48), (0, 0)] {
            assert_eq!(on(&mut host(&[(56, 2)]), &brev, &[x]), Ok(y));
        }
    }
}

/// Returns FLO's result under settings of E050 to E053, as `docs/readings.md` defines them.
fn flo(a: u32, signed: bool, shift: bool, [e050, e051, e052, e053]: [u8; 4]) -> u32 {
    if a == 0 && e050 == 2 {
        return NONE;
    }
    let searched = match (signed, e052) {
        (true, 1) => (a as i32).unsigned_abs(),
        (true, _) if e051 == 1 || (a as i32) < 0 => !a,
        _ => a,
    };
    match (0..32).rev().find(|i| searched >> i & 1 == 1) {
        None if shift && e053 == 1 => 32,
        None => NONE,
        Some(i) if shift => 31 - i,
        Some(i) => i,
    }
}

/// Under every reading, the host's FLO must be right or unsupported. FLO must be supported if only
/// one setting differs from `intended` and that setting changes no result. FLO.U32.SH under E053
/// may be unsupported, since its result then depends on E050.
#[test]
fn flo_is_right_or_silent() {
    if !executes("FLO") {
        return;
    }
    const VALUES: [u32; 8] = [0, 1, 6, 0x4000_0000, 0x8000_0000, 0x8000_0001, 0xffff_fffc, u32::MAX];
    for set in 0..16u8 {
        let settings = [0, 1, 2, 3].map(|i| 1 + (set >> i & 1));
        let readings = [50u16, 51, 52, 53].into_iter().zip(settings).collect::<Vec<_>>();
        for (itype, sh) in [("S32", "NoSH"), ("S32", "SH"), ("U32", "NoSH"), ("U32", "SH")] {
            let instruction = instruction("FLO_R", &[], &[("itype", itype), ("sh", sh)]);
            let under = |settings| VALUES.map(|a| flo(a, itype == "S32", sh == "SH", settings));
            let answers = VALUES.map(|a| on(&mut host(&readings), &instruction, &[a]));
            let case = format!("{readings:?} {itype} {sh}");
            if answers[0] == Err(Answer::Unsupported) {
                let alone = settings.iter().filter(|s| **s == 1).count() == 1;
                let idle = under(settings) == under([2; 4]) && (itype, sh) != ("U32", "SH");
                assert!(!(alone && idle), "{case} is needlessly unsupported");
            } else {
                assert_eq!(answers, under(settings).map(Ok), "{case}");
            }
        }
    }
}

/// Tests where a setting other than `intended` makes the host unsupported.
#[test]
fn departures() {
    type Case = (u16, &'static str, &'static [(&'static str, u32)], Names, bool);
    const U32: (&str, &str) = ("itype", "U32");
    const WRAP: (&str, &str) = ("cwmode", "WRAP");
    const BEYOND: &[(&str, u32)] = &[("vb", 0x8000_0000)];
    let cases: &[Case] = &[
        (8, "POPC_I", &[], &[], true),
        (8, "POPC_I", &[("pg", 0)], &[], false),
        (8, "BREV_R", &[("pg.not", 1)], &[], false),
        (11, "FLO_R", &[], &[], true),
        (11, "FLO_R", &[("rb", 0)], &[U32], false),
        (11, "FLO_R", &[("rd", 255), ("rb", 255)], &[], true),
        (11, "FLO_U", &[("rd", 4), ("urb", 4)], &[], true),
        (11, "POPC_R", &[("rb", 0)], &[], true),
        (12, "FLO_R", &[], &[], false),
        (12, "FLO_R", &[], &[U32], true),
        (12, "FLO_U", &[], &[], false),
        (12, "FLO_U", &[("urb", 63)], &[], true),
        (12, "FLO_I", &[], &[], true),
        (12, "FLO_C", &[], &[], true),
        (12, "SGXT_RR", &[], &[], true),
        (23, "BMSK_RI", BEYOND, &[], false),
        (23, "BMSK_RI", BEYOND, &[WRAP], true),
        (23, "BMSK_RI", &[("vb", 0x7fff_ffff)], &[], true),
        (23, "BMSK_RR", &[], &[], true),
        (49, "POPC_R", &[], &[], false),
        (57, "BMSK_RR", &[], &[], false),
        (58, "BMSK_RI", &[], &[], false),
        (58, "BMSK_RC", &[], &[], false),
        (58, "BMSK_RR", &[], &[], true),
        (58, "BMSK_RU", &[], &[], true),
        (62, "SGXT_RR", &[], &[], true),
        (62, "SGXT_RR", &[], &[WRAP], false),
        (63, "SGXT_RR", &[], &[], false),
        (63, "SGXT_RR", &[], &[U32], true),
        (63, "SGXT_RR", &[], &[WRAP], true),
    ];
    for (erratum, form, fields, names, expected) in cases {
        let instruction = instruction(form, fields, names);
        if executes(instruction.optype()) {
            let mut host = HostCpu::new(EncodingTable::provisional().clone(), departing(*erratum));
            let result = answers(&mut host, &instruction);
            assert_eq!(result, *expected, "E{erratum:03} {form} {fields:?} {names:?}");
        }
    }
}

#[test]
fn apfloat_has_no_integers() {
    for optype in ["POPC", "FLO", "BREV", "BMSK", "SGXT"] {
        let mut apfloat = ApFloat::new(EncodingTable::provisional().clone(), Readings::INTENDED);
        let mut instruction = everything(optype).remove(0);
        let batch = lanes_of(&mut instruction, &[[0; 3]]);
        assert_eq!(apfloat.execute(&batch, &mut Effects::default()).unwrap(), Answer::Unsupported);
    }
}

/// Every optype of FALU and XU, except MUFU and FCHK, is either supported by the host or listed as
/// missing.
#[test]
fn capabilities_cover_the_catalog() {
    let capabilities = HostCpu::describe();
    let mut named: Vec<_> = capabilities.missing.iter().map(|(optype, _)| *optype).collect();
    named.extend(&capabilities.optypes);
    named.sort_unstable();
    let units =
        catalog().forms.iter().filter(|form| ["FALU", "F_ARITH", "XU"].contains(&form.optype.group.name));
    let mut all: Vec<_> = units.map(|form| form.optype.name).collect();
    all.retain(|optype| !["MUFU", "FCHK"].contains(optype));
    all.sort_unstable();
    all.dedup();
    assert_eq!(named, all);
    assert!(capabilities.optypes.iter().all(|optype| capabilities.to_string().contains(optype)));
}
