//! Compares comparisons and integer optypes with their references, under all modifiers and readings.

use assay_isa::row::FieldType;
use assay_isa::{Answer, Instruction, Location, Oracle, Readings, Truths};
use proptest::prelude::*;
use proptest::sample::Index;

use super::agreement::{LANDMARKS, any_readings, pattern};
use super::{batch, instruction, readings, written};
use crate::MpfrOracle;
use crate::reference::{LaneOutcome, compare, integer};

const FORMS: [&str; 15] = [
    "FMNMX_RR", "FSETP_RR", "FSET_RR", "FSEL_RR", "FCHK_RR", "POPC_R", "FLO_R", "BREV_R", "BMSK_RR",
    "SGXT_RR", "UPOPC_U", "UFLO_U", "UBREV_U", "UBMSK_UU", "USGXT_UU",
];

/// A form with such modifiers, from R1, R2 and P3 to R0, or to P0 and P1; or from UR1 and UR2 to UR0.
fn with(form: &str, modifiers: &[Index], not: bool) -> Instruction {
    let mut instruction = instruction(form);
    for (name, modifier) in instruction.form().optype.syntax.iter().zip(modifiers) {
        let Some(FieldType::Enum(e)) = instruction.form().field(name).map(|field| field.ty) else {
            panic!("{name} is no modifier")
        };
        instruction.set(name, modifier.index(e.values.len()) as u32);
    }
    if instruction.get("pp").is_some() {
        instruction.set("pp.not", not.into());
    }
    if instruction.get("pv").is_some() {
        instruction.set("pv", 1);
    }
    instruction
}

fn reference(
    instruction: &Instruction,
    readings: &Readings,
    operands: [u32; 2],
    predicate: bool,
) -> Option<LaneOutcome> {
    if instruction.optype().starts_with('F') && instruction.optype() != "FLO" {
        return Some(compare::evaluate(
            instruction,
            readings,
            operands,
            predicate != instruction.flag("pp.not"),
        ));
    }
    integer::evaluate(instruction, readings, operands)
}

fn agree(instruction: &Instruction, readings: &Readings, lanes: &[([u32; 2], bool)]) {
    let column = |i: usize| lanes.iter().map(|(operands, _)| operands[i]).collect::<Vec<u32>>();
    let (first, second) = (column(0), column(1));
    let predicates: Vec<u32> = lanes.iter().map(|(_, predicate)| u32::from(*predicate)).collect();
    let operands: Vec<Location> =
        instruction.inputs().filter_map(|operand| operand.source.location()).collect();
    let columns = [&first, &second, &predicates].map(|column| &column[..]);
    let batch = batch(&operands.iter().copied().zip(columns).collect::<Vec<_>>());
    let mut truths = Truths::default();
    let answer = MpfrOracle::new(*readings).truth(instruction, &batch, 64, &mut truths);
    assert_eq!(answer.unwrap(), Answer::Known);
    let overwrites = readings.iter().any(|(erratum, setting)| (erratum.0, setting) == (12, 1));
    for (lane, (values, predicate)) in lanes.iter().enumerate() {
        let what = || format!("{instruction:?} {values:x?} {predicate} {readings:?}");
        let undefined = truths.undefined().iter().any(|(l, _)| *l == lane);
        let Some(outcome) = reference(instruction, readings, *values, *predicate) else {
            assert!(undefined, "{}", what());
            continue;
        };
        assert!(!undefined, "{}", what());
        for (location, value) in instruction.writes().into_iter().zip(outcome.outputs) {
            assert_eq!(written(&truths, location, lane), Some(value), "{location} of {}", what());
        }
        for (location, value) in operands.iter().copied().zip(outcome.assigned) {
            let value = value.filter(|_| overwrites);
            assert_eq!(written(&truths, location, lane), value, "{location} of {}", what());
        }
    }
}

/// Operands that are unrelated, equal but for the sign, close together, or a value and an amount.
fn operands() -> impl Strategy<Value = ([u32; 2], bool)> {
    (pattern(), pattern(), any::<bool>(), 0u8..6).prop_map(|(a, b, predicate, kind)| {
        let pair = match kind {
            0 => [a, a ^ 1 << 31],
            1 => [a, a ^ (b & 1)],
            2 => [a, b & 63],
            3 => [a & 63, b & 63],
            // One bit, or all above one.
            4 => [1 << (a & 31), u32::MAX << (b & 31)],
            _ => [a, b],
        };
        (pair, predicate)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn under_any_readings(
        form in prop::sample::select(&FORMS[..]),
        modifiers in prop::collection::vec(any::<Index>(), 4),
        not: bool,
        readings in any_readings(),
        lanes in prop::collection::vec(operands(), 16),
    ) {
        agree(&with(form, &modifiers, not), &readings, &lanes);
    }

    #[test]
    fn under_the_readings_intended(
        form in prop::sample::select(&FORMS[..]),
        modifiers in prop::collection::vec(any::<Index>(), 4),
        not: bool,
        lanes in prop::collection::vec(operands(), 16),
    ) {
        agree(&with(form, &modifiers, not), &Readings::INTENDED, &lanes);
    }
}

/// Every mode of every optype at every pair of special values.
#[test]
fn at_every_pair_of_landmarks() {
    let signed = LANDMARKS.iter().flat_map(|bits| [*bits, bits | 1 << 31]);
    let amounts = [2, 30, 31, 32, 33, 63, 64, u32::MAX - 31, u32::MAX];
    let patterns: Vec<u32> = signed.chain([0x7f80_0001, 0xffc0_0000]).chain(amounts).collect();
    let pairs = patterns.iter().flat_map(|a| patterns.iter().map(move |b| [*a, *b]));
    let lanes: Vec<_> = pairs.flat_map(|pair| [(pair, false), (pair, true)]).collect();
    for form in FORMS {
        let fields = instruction(form).form().optype.syntax;
        let counts: Vec<u32> = fields.iter().map(|name| count(form, name)).collect();
        for mode in 0..counts.iter().product() {
            let mut instruction = with(form, &[], false);
            let mut rest = mode;
            for (name, count) in fields.iter().zip(&counts) {
                instruction.set(name, rest % count);
                rest /= count;
            }
            agree(&instruction, &Readings::INTENDED, &lanes);
        }
    }
}

/// FMNMX at NaN of each kind and at zeros, under every choice of a NaN and of a zero.
#[test]
fn at_every_nan_and_zero() {
    const PATTERNS: [u32; 9] =
        [0, 0x8000_0000, 1, 0x8000_0001, 0x7f80_0000, 0x7f80_0001, 0xffbf_ffff, 0x7fc0_0002, u32::MAX];
    let pairs = PATTERNS.iter().flat_map(|a| PATTERNS.iter().map(move |b| [*a, *b]));
    let lanes: Vec<_> = pairs.flat_map(|pair| [(pair, false), (pair, true)]).collect();
    let switches =
        [("C001", 3), ("C002", 3), ("C004", 2), ("C005", 2), ("C009", 5), ("E183", 2), ("E184", 2)];
    for number in 0..switches.iter().map(|(_, settings)| settings).product::<usize>() {
        let mut rest = number;
        let settings = switches.map(|(switch, settings)| {
            let setting = rest % settings + 1;
            rest /= settings;
            format!("{switch}={setting}")
        });
        let followed = readings(&settings.each_ref().map(|setting| &setting[..]));
        for text in ["FMNMX_RR", "FMNMX_RR.FTZ", "FMNMX_RR.NAN", "FMNMX_RR.FTZ.NAN"] {
            agree(&instruction(text), &followed, &lanes);
        }
    }
}

fn count(form: &str, modifier: &str) -> u32 {
    match instruction(form).form().field(modifier).map(|field| field.ty) {
        Some(FieldType::Enum(e)) => e.values.len() as u32,
        other => panic!("{modifier} is {other:?}"),
    }
}

#[test]
fn every_optype_has_a_definition() {
    let by_real_numbers = |optype: &str| {
        let form = assay_isa::catalog().forms_of(optype).next().expect("an optype has a form");
        optype == "MUFU" || crate::plan::Operation::of(&Instruction::new(form)).is_some()
    };
    for optype in assay_isa::catalog().optypes() {
        let name = optype.name;
        assert!(by_real_numbers(name) || crate::definition(name).is_some(), "{name} has no definition");
    }
}
