//! Tests the properties of the fuzz targets: inputs reach their judge, sound code passes, and
//! planted defects are caught. The bytes come from the campaign's generator, so the test is
//! deterministic.

use arbitrary::{Arbitrary, Unstructured};
use assay_engine::compare::comparator::{Comparator, Setup};
use assay_engine::generate::{AnyCase, LANES, stream};
use assay_engine::triage::shrink::evaluate;
use assay_faults::{FAULTS, Fault};
use assay_fuzzing::coded;
use assay_fuzzing::mutate::mutate;
use assay_fuzzing::{
    Codec, Files, Reached, Violation, assembler, case_file, decode, differential, documents, hold_line,
    hold_suite, hold_text, hold_word, texts, words,
};
use assay_isa::asm::{self, AsmError, Problem};
use assay_isa::codec;
use assay_isa::location::PT;
use assay_isa::{EncodingTable, Instruction};
use assay_vectors::{Case, Suite, VectorError, parse_line, read_suite_str, suite_to_string};
use rayon::prelude::*;

use crate::support::{intended, model, mutant, oracle};

/// Returns byte strings of 0 to 599 bytes.
fn inputs(count: usize) -> impl Iterator<Item = Vec<u8>> {
    let mut buffer = Vec::new();
    (0..count).map(move |index| {
        if index % 32 == 0 {
            stream::fill(11, index as u64 / 32, stream::bytes_of(LANES), &mut buffer);
        }
        buffer[index % 32 * 600..][..index * 7 % 600].to_vec()
    })
}

/// Returns the share of inputs that reach the judge. Panics on a violation.
fn share<T>(inputs: impl IntoIterator<Item = T>, hold: impl Fn(T) -> Result<Reached, Violation>) -> f64 {
    let reached: Vec<Reached> =
        inputs.into_iter().map(|i| hold(i).unwrap_or_else(|e| panic!("{e}"))).collect();
    assert!(!reached.is_empty());
    reached.iter().filter(|r| **r == Reached::Judged).count() as f64 / reached.len() as f64
}

fn assert_between(share: f64, least: f64, most: f64) {
    assert!(share >= least && share <= most, "{share} is not in {least}..={most}");
}

/// Runs a test with a comparator. The subject is the model, with a fault if one is given.
fn on_bench<T>(fault: Option<Fault>, run: impl FnOnce(&Setup<'_>, &mut Comparator) -> T) -> T {
    let profile = intended();
    let subject = || fault.map_or_else(model, mutant);
    let setup = Setup {
        numbers: EncodingTable::provisional(),
        profile: &profile,
        subject: &subject,
        oracle: &oracle,
    };
    run(&setup, &mut Comparator::new(&setup))
}

fn cases(count: usize) -> Vec<AnyCase> {
    inputs(count).map(|data| AnyCase::arbitrary(&mut Unstructured::new(&data)).unwrap()).collect()
}

#[test]
fn cases_reach_the_judge_and_the_model_holds() {
    on_bench(None, |setup, comparator| {
        let mut counts = std::collections::BTreeMap::new();
        for case in cases(8000) {
            let reached = differential(comparator, setup.profile, &case).unwrap_or_else(|e| panic!("{e}"));
            *counts.entry(reached).or_insert(0) += 1;
        }
        assert!(counts[&Reached::Judged] > 5600, "{counts:?}");
        assert_eq!(counts.get(&Reached::Unsupported), None, "{counts:?}");
    });
}

/// Mutates as libFuzzer does: only inputs that reach the judge are mutated further.
#[test]
fn changed_cases_reach_the_judge_and_the_model_holds() {
    const CHANGES: u32 = 20_000;
    on_bench(None, |setup, comparator| {
        let mut corpus: Vec<Vec<u8>> = vec![Vec::new()];
        let mut wasted = std::collections::BTreeMap::new();
        for seed in 0..CHANGES {
            let data = mutate(&corpus[seed as usize % corpus.len()], seed);
            let case = coded::case(&data).unwrap();
            match differential(comparator, setup.profile, &case).unwrap_or_else(|e| panic!("{e}")) {
                Reached::Judged => corpus.push(data),
                reached => *wasted.entry((reached, case.instruction.optype())).or_insert(0) += 1,
            }
        }
        let share = f64::from(wasted.values().sum::<u32>()) / f64::from(CHANGES);
        assert!(share < 0.05, "{share} of the inputs are wasted: {wasted:?}");
    });
}

#[test]
fn planted_faults_are_caught_and_their_cases_replay() {
    let cases = cases(16_000);
    // 16,000 cases seldom read a given row of a MUFU table, so these faults are left out.
    let faults: Vec<_> = FAULTS.iter().filter(|info| !matches!(info.fault, Fault::RomBit(..))).collect();
    let caught = faults.par_iter().filter(|info| {
        on_bench(Some(info.fault), |setup, comparator| {
            let mut of_optype = cases.iter().filter(|case| case.instruction.optype() == info.optype);
            let violation = of_optype.find_map(|case| differential(comparator, setup.profile, case).err());
            let (asm, line) = match violation {
                Some(Violation::Diverged { asm, line, .. }) => (asm, line),
                // A misread field can turn a legal word into an illegal one.
                Some(Violation::Backend { .. }) if matches!(info.fault, Fault::Field(_)) => return true,
                other => {
                    assert!(other.is_none(), "{}: {other:?}", info.name);
                    return false;
                }
            };
            let (instruction, batch) = parse_line(&line).unwrap().batch(setup.numbers).unwrap();
            assert_eq!(asm::print(&instruction), asm);
            assert!(
                evaluate(setup, comparator, &instruction, &batch).unwrap().is_some(),
                "{}: {line}",
                info.name
            );
            true
        })
    });
    let caught = caught.count();
    assert!(caught * 10 >= faults.len() * 8, "{caught} of {} faults", faults.len());
}

/// Returns the words, texts or documents at index `kind`, over many inputs.
fn of_kind<T>(kind: usize, make: impl Fn(&[u8]) -> Vec<T>) -> Vec<T> {
    inputs(4000).filter_map(|data| make(&data).into_iter().nth(kind)).collect()
}

#[test]
fn words_reach_the_judge() {
    let hold = |word| hold_word(word, &Codec::ISA);
    assert_between(share(of_kind(0, words), hold), 0.0, 0.01);
    assert_between(share(of_kind(1, words), hold), 0.1, 0.85);
    assert_between(share(of_kind(2, words), hold), 0.3, 0.9);
    assert_between(share(inputs(4000), |data| decode(&data, &Codec::ISA)), 0.3, 1.0);
}

#[test]
fn texts_reach_the_judge() {
    let hold = |text: String| hold_text(&text, &Codec::ISA);
    assert_between(share(of_kind(0, texts), hold), 0.0, 0.001);
    assert_between(share(of_kind(1, texts), hold), 0.2, 0.9);
    assert_between(share(inputs(4000), |data| assembler(&data, &Codec::ISA)), 0.2, 1.0);
}

#[test]
fn documents_reach_the_judge() {
    let suites = |data: &[u8]| documents(data)[0].clone();
    let lines = |data: &[u8]| documents(data)[1].clone();
    let hold = |text: String| hold_suite(&text, &Files::VECTORS);
    assert_between(share(of_kind(0, suites), hold), 0.0, 0.001);
    assert_between(share(of_kind(1, suites), hold), 1.0, 1.0);
    assert_between(share(of_kind(2, suites), hold), 0.2, 0.95);
    let hold = |text: String| hold_line(&text, &Files::VECTORS);
    assert_between(share(of_kind(1, lines), hold), 0.2, 0.95);
    assert_between(share(inputs(2000), |data| case_file(&data, &Files::VECTORS)), 0.9, 1.0);
}

/// Returns the first violation among 4000 inputs.
fn violation(hold: impl Fn(&[u8]) -> Result<Reached, Violation>) -> String {
    let found = inputs(4000).find_map(|data| hold(&data).err());
    found.expect("the planted defect is found").to_string()
}

#[test]
fn defects_of_the_codec_are_caught() {
    let forgets_schedule =
        |i: &Instruction, numbers: &EncodingTable| codec::encode(i, numbers) & !(0xffff << 112);
    let forgets_abs = |i: &Instruction| asm::print(i).replace('|', "");
    let ignores_negation = |word: u128, numbers: &EncodingTable| codec::decode(word & !(1 << 15), numbers);
    let defects: [(Codec, &str, &str); 3] = [
        (
            Codec { encode: &forgets_schedule, ..Codec::ISA },
            "decoding and encoding does not return",
            "encoding and decoding does not return",
        ),
        (
            Codec { decode: &ignores_negation, ..Codec::ISA },
            "decoding and encoding does not return",
            "encoding and decoding does not return",
        ),
        (
            Codec { print: &forgets_abs, ..Codec::ISA },
            "printing and parsing does not return",
            "parsing, printing and parsing does not return",
        ),
    ];
    for (codec, of_words, of_texts) in defects {
        let found = violation(|data| decode(data, &codec));
        assert!(found.contains(of_words), "{found}");
        let found = violation(|data| assembler(data, &codec));
        assert!(found.contains(of_texts), "{found}");
    }
    let found = violation(|data| decode(data, &Codec { parse: &without_guard, ..Codec::ISA }));
    assert!(found.contains("in a refusal"), "{found}");
}

/// Parses as the assembler does, but refuses guarded instructions with an error that points beyond
/// the text.
fn without_guard(text: &str) -> Result<Instruction, AsmError> {
    let instruction = asm::parse(text)?;
    if instruction.get("pg") == Some(u32::from(PT)) {
        return Ok(instruction);
    }
    let problem = Problem::Expected("no guard");
    Err(AsmError { span: text.len()..text.len() + 1, problem, remedy: "remove it".into() })
}

#[test]
fn spans_outside_the_text_are_caught() {
    let found = violation(|data| assembler(data, &Codec { parse: &without_guard, ..Codec::ISA }));
    assert!(found.contains("is no part of"), "{found}");
    let inside_a_character =
        |_: &str| Err(AsmError { span: 0..1, problem: Problem::Expected("nothing"), remedy: "none".into() });
    let found = hold_text("é", &Codec { parse: &inside_a_character, ..Codec::ISA }).unwrap_err();
    assert!(matches!(found, Violation::Span { .. }), "{found}");
}

#[test]
fn defects_of_the_case_format_are_caught() {
    fn forgetful(suite: &Suite) -> Result<String, VectorError> {
        let mut suite = suite.clone();
        suite.cases.iter_mut().for_each(|case| case.skip = None);
        suite_to_string(&suite)
    }
    // Refuses to read the written form of a suite.
    fn fickle(name: &str, text: &str) -> Result<Suite, VectorError> {
        read_suite_str(name, if name == "written" { "" } else { text })
    }
    let defects: [(Files, &str); 4] = [
        (Files { write: forgetful, ..Files::VECTORS }, "a suite does not return"),
        (Files { read: fickle, ..Files::VECTORS }, "a suite ends in a refusal"),
        (Files { write_line: |case| case.to_line() + "\n", ..Files::VECTORS }, "more than one line"),
        (
            Files { write_line: |case| Case { event: None, ..case.clone() }.to_line(), ..Files::VECTORS },
            "a line does not return",
        ),
    ];
    for (files, message) in defects {
        let found = violation(|data| case_file(data, &files));
        assert!(found.contains(message), "{found}");
    }
}
