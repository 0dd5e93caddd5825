//! Tests the constructed operands that are hard to round on the model and the oracle. Also tests
//! the committed vectors, which are a selection of these operands.

use std::collections::BTreeMap;
use std::path::PathBuf;

use assay_engine::compare::comparator::{Comparator, PRECISION, Setup};
use assay_engine::compare::judge::allowed::allowed;
use assay_engine::generate::domain::swept;
use assay_engine::generate::hard_to_round::functions::NEAREST;
use assay_engine::generate::hard_to_round::{HardCase, HardClass, Promise, cases};
use assay_isa::hints::Operation;
use assay_isa::truth::TruthValues;
use assay_isa::{Batch, EncodingTable, Instruction, Oracle, Readings, Truths, asm, codec};
use assay_mpfr::MpfrOracle;
use assay_mpfr::filter::certificate::{FUNCTIONS, committed, pattern};
use assay_vectors::{Allowed, Expected, Origin, Profile, Provenance, Suite, suite_to_string, write_suite};

use crate::support::{intended, model};

const OPTYPES: [&str; 3] = ["FADD", "FMUL", "FFMA"];

/// Returns the instruction of a mode, with registers as operands.
fn instruction(optype: &str, modifiers: &str) -> Instruction {
    let operands = if optype == "FFMA" { "R0, R0, R0, R0" } else { "R0, R0, R0" };
    swept(&asm::parse(&format!("{optype}{modifiers} {operands}")).expect("a legal instruction"))
}

/// Returns the results of cases. Fails unless the model agrees with MPFR, which computes every lane
/// here without the filter.
fn results(instruction: &Instruction, cases: &[HardCase]) -> (Batch, Vec<u32>) {
    let oracle = || -> Box<dyn Oracle> { Box::new(MpfrOracle::unfiltered(Readings::INTENDED)) };
    let profile = intended();
    let setup =
        Setup { numbers: EncodingTable::provisional(), profile: &profile, subject: &model, oracle: &oracle };
    let mut comparator = Comparator::new(&setup);
    let mut batch = Batch::new(codec::encode(instruction, setup.numbers), &instruction.reads(), cases.len());
    for column in 0..instruction.reads().len() {
        let values = cases.iter().map(|case| case.operands[column]);
        batch.column_mut(column).iter_mut().zip(values).for_each(|(lane, value)| *lane = value);
    }
    let outcome = comparator
        .run(&profile.contract_for(instruction), instruction, &batch)
        .expect("both implementations answer");
    let judged = outcome.judged().expect("both know the instruction");
    let diverged = &judged.verdicts.diverged;
    assert!(diverged.is_empty(), "{}: {diverged:?}", asm::print(instruction));
    let TruthValues::Bits(values) = &judged.truths.columns()[0].values else { panic!("bits are known") };
    let values = values.clone();
    (batch, values)
}

/// Returns the modes of the vectors: every rounding, with .FTZ and without.
fn modes() -> impl Iterator<Item = String> {
    let roundings = ["", ".RZ", ".RM", ".RP"];
    ["", ".FTZ"].into_iter().flat_map(move |flush| roundings.map(|rounding| format!("{flush}{rounding}")))
}

/// The operation of an optype.
fn operation(optype: &str) -> Operation {
    let row = assay_isa::catalog().optype_named(optype).expect("an optype of the tables");
    row.hints.operation().expect("a sum or a product of floats")
}

/// Returns a suite with one case for each class of hard cases in each mode. The modes take their
/// cases from different places in the class.
fn suite(optype: &str) -> Suite {
    let mut classes: BTreeMap<HardClass, Vec<HardCase>> = BTreeMap::new();
    for case in cases(operation(optype)).filter(|case| case.scale == 0) {
        classes.entry(case.class).or_default().push(case);
    }
    let count = modes().count();
    let vectors = modes().enumerate().flat_map(|(i, mode)| {
        let instruction = instruction(optype, &mode);
        let chosen: Vec<HardCase> = classes.values().map(|cases| cases[i * cases.len() / count]).collect();
        let (batch, values) = results(&instruction, &chosen);
        let lanes = chosen.into_iter().zip(values).enumerate();
        let vectors = lanes.map(|(lane, (case, value))| assay_vectors::Case {
            name: format!("{}{}", case.class.name(), mode.to_lowercase()),
            expect: Some(Expected([(instruction.writes()[0], Allowed::one(value))].into())),
            provenance: Some(Provenance {
                detail: Some(detail(case.promise)),
                ..Provenance::new(Origin::Oracle)
            }),
            ..assay_vectors::Case::from_lane(&instruction, &batch, lane)
        });
        vectors.collect::<Vec<_>>()
    });
    Suite {
        version: 1,
        suite: format!("{}-hard", optype.to_lowercase()),
        about: format!("constructed operands of {optype}: every class of hard cases in every rounding"),
        profile: None,
        cases: vectors.collect(),
    }
}

fn detail(promise: Promise) -> String {
    match promise {
        Promise::Number => "exactly a number".to_owned(),
        Promise::Tie => "exactly a tie".to_owned(),
        Promise::NearNumber(bits) => format!("within 2^-{bits} ulp of a number"),
        Promise::NearTie(bits) => format!("within 2^-{bits} ulp of a tie"),
        Promise::Leaves(bits) => format!("a number of {bits} bits is left"),
    }
}

/// Returns a suite of the MUFU arguments whose true values are nearest to a rounding boundary. The
/// suite accepts results less than 1 ulp from the true value.
///
/// Under the published bounds, a vector of TANH would accept 12,287 patterns, and so would prove
/// nothing about a hard argument. Profile `faithful` accepts two or three. The suite does not
/// demand the model's own pattern, because an equally accurate unit with other tables may return
/// another pattern.
fn mufu_suite() -> Suite {
    let profile = Profile::load("faithful").expect("a built-in profile");
    let mut oracle = MpfrOracle::unfiltered(Readings::INTENDED);
    let mut cases = Vec::new();
    for (certificate, function, nearest) in NEAREST {
        // Under the readings of the profile, angles are in radians, so the arguments in turns do
        // not apply.
        if certificate.ends_with("turns") {
            continue;
        }
        let instruction = swept(&asm::parse(&format!("MUFU.{function:?}.F32 R0, R0")).expect("legal"));
        let contract = profile.contract_for(&instruction);
        let word = codec::encode(&instruction, EncodingTable::provisional());
        for (place, bits) in (1..).zip(nearest) {
            let mut batch = Batch::new(word, &instruction.reads(), 1);
            batch.column_mut(0)[0] = bits;
            let mut truths = Truths::default();
            oracle.truth(&instruction, &batch, PRECISION, &mut truths).expect("MPFR answers");
            let expected = allowed(&contract, &truths, 0).expect("a bound holds everywhere");
            cases.push(assay_vectors::Case {
                name: format!("{certificate}-{place}"),
                expect: Some(expected),
                provenance: Some(Provenance {
                    detail: Some(format!("of all arguments number {place} by nearness to a boundary")),
                    ..Provenance::new(Origin::Oracle)
                }),
                ..assay_vectors::Case::from_lane(&instruction, &batch, 0)
            });
        }
    }
    Suite {
        version: 1,
        suite: "mufu-hard".to_owned(),
        about: "arguments of MUFU in F32 next to a boundary of rounding, each result less than 1 ulp off"
            .to_owned(),
        profile: Some(profile.name),
        cases,
    }
}

/// Every suite of hard cases.
fn suites() -> impl Iterator<Item = Suite> {
    OPTYPES.into_iter().map(suite).chain(std::iter::once_with(mufu_suite))
}

fn path(suite: &Suite) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors/data");
    folder.join(format!("{}.yaml", suite.suite))
}

#[test]
fn the_nearest_arguments_are_those_of_the_certificates() {
    assert_eq!(NEAREST.len(), FUNCTIONS.len());
    for (name, _, nearest) in NEAREST {
        let certificate = committed(name).expect("every function is certified");
        let written = certificate.nearest.iter().map(|(argument, _)| argument.clone());
        assert!(written.eq(nearest.map(pattern)), "{name}");
    }
}

#[test]
fn the_vectors_are_those_that_are_constructed() {
    for suite in suites() {
        let text = std::fs::read_to_string(path(&suite)).expect("the suite is there");
        let constructed = suite_to_string(&suite).expect("the suite is whole");
        assert!(
            text == constructed,
            "{}: cargo test -p assay-engine --test it hard:: -- --ignored writes it anew",
            suite.suite
        );
    }
}

/// Maximum number of patterns that a hard vector may accept. A vector that demands bits accepts one
/// pattern. A vector of an approximation accepts the patterns less than 1 ulp from the true value.
/// These are the two neighbours, and a third if the true value is just above a power of two,
/// because patterns are denser below it.
const MOST_PATTERNS: u64 = 3;

#[test]
fn every_hard_vector_can_fail() {
    let mut vectors = BTreeMap::new();
    for suite in suites() {
        for case in &suite.cases {
            let Expected(expected) = case.expect.as_ref().expect("a hard vector expects something");
            for (location, allowed) in expected {
                let patterns: u64 = allowed.as_spans().iter().map(|s| u64::from(s.high - s.low) + 1).sum();
                let name = format!("{} {}", suite.suite, case.name);
                assert!(
                    (1..=MOST_PATTERNS).contains(&patterns),
                    "{name}: {location} may be {patterns} patterns"
                );
                *vectors.entry((suite.suite.clone(), patterns)).or_insert(0) += 1;
            }
        }
    }
    // Each row: the suite, a number of accepted patterns, and the number of vectors that accept
    // this many patterns.
    let counts = [("fadd", 1, 72), ("ffma", 1, 104), ("fmul", 1, 64), ("mufu", 2, 127), ("mufu", 3, 1)];
    let expected = counts.map(|(suite, patterns, vectors)| ((format!("{suite}-hard"), patterns), vectors));
    assert_eq!(vectors, expected.into());
}

#[test]
#[ignore = "writes the vectors"]
fn write_the_vectors() {
    for suite in suites() {
        write_suite(&path(&suite), &suite).expect("the folder can be written");
    }
}

#[test]
fn both_voices_agree_on_every_case_in_every_mode() {
    for optype in OPTYPES {
        let all: Vec<HardCase> = cases(operation(optype)).collect();
        for mode in modes() {
            results(&instruction(optype, &mode), &all);
            results(&instruction(optype, &format!("{mode}.SAT")), &all);
        }
    }
}
