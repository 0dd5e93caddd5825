//! Tests of subjects in place of the oracle, with implementations whose answers are prepared.

use super::*;
use crate::compare::tests::prepared::{
    PreparedOracle, PreparedSubject, R0, R1, UNDEFINED, batch, effects, taken,
};

fn bits(truths: &Truths) -> Vec<(Location, Vec<u32>, Lanes)> {
    let bits = |truth: &Truth| match &truth.values {
        TruthValues::Bits(values) => (truth.location, values.clone(), truth.written.clone()),
        TruthValues::Reals { .. } => panic!("a subject gives bits"),
    };
    truths.columns().iter().map(bits).collect()
}

#[test]
fn a_subject_answers_as_itself() {
    for declares_modes in [false, true] {
        let subject = PreparedSubject { declares_modes, ..PreparedSubject::new(effects::<1>(&[])) };
        let calls = subject.calls.clone();
        let mut oracle = SubjectAsOracle::new(Box::new(subject));
        assert_eq!((oracle.name(), oracle.declares_modes()), ("prepared subject", declares_modes));
        oracle.start_fresh();
        assert_eq!(taken(&calls), ["start fresh"]);
    }
}

/// If several columns name a location, the last one that writes a lane counts.
#[test]
fn the_truth_has_one_column_a_location() {
    let columns = [
        (R0, [1, 2], Lanes::All),
        (R1, [3, 4], Lanes::Some(vec![false, true])),
        (R0, [8, 9], Lanes::Some(vec![false, true])),
        (R1, [5, 6], Lanes::Some(vec![false, false])),
    ];
    let mut oracle = SubjectAsOracle::new(Box::new(PreparedSubject::new(effects(&columns))));
    let (instruction, batch) = batch(&[0, 0]);
    let mut truths = Truths::default();
    assert_eq!(oracle.truth(&instruction, &batch, PRECISION, &mut truths).unwrap(), Answer::Known);
    let expected = [(R0, vec![1, 9], Lanes::All), (R1, vec![0, 4], Lanes::Some(vec![false, true]))];
    assert_eq!(bits(&truths), expected);
}

/// The answers of a reference must have as many lanes as the batch. The answers of a subject must,
/// too.
#[test]
fn an_answer_for_other_lanes_is_a_failure() {
    let (instruction, batch) = batch(&[0, 0]);
    let mut beyond = effects(&[(R0, [1, 2], Lanes::All)]);
    beyond.undefine(2, Erratum(35));
    for effects in [effects(&[(R0, [1], Lanes::All)]), effects(&[(R0, [1, 2, 3], Lanes::All)]), beyond] {
        let subject = || Box::new(PreparedSubject::new(effects.clone()));
        let specification = Box::new(PreparedOracle::default());
        for mut oracle in [SubjectAsOracle::new(subject()), SubjectAsOracle::under(subject(), specification)]
        {
            let answer = oracle.truth(&instruction, &batch, PRECISION, &mut Truths::default());
            assert!(matches!(answer, Err(BackendError::Failed { .. })), "{answer:?}");
        }
    }
}

/// The subject calls lanes 0, 2 and 3 undefined, and the oracle lanes 0, 1 and 3.
#[test]
fn a_lane_is_undefined_if_subject_and_oracle_call_it_so() {
    let (instruction, batch) = batch(&[UNDEFINED, UNDEFINED, 5, UNDEFINED]);
    let called = [(0, Erratum(35)), (2, Erratum(49)), (3, Erratum(13))];
    let subject = || {
        let mut effects = effects(&[(R0, [1, 2, 3, 4], Lanes::All)]);
        called.iter().for_each(|(lane, erratum)| effects.undefine(*lane, *erratum));
        Box::new(PreparedSubject::new(effects))
    };
    let under = |answer| {
        let oracle = PreparedOracle { answer, ..PreparedOracle::default() };
        SubjectAsOracle::under(subject(), Box::new(oracle))
    };
    let failed = |lane: usize| (lane, Event::Failed(Failure::CalledUndefined));
    for (mut oracle, undefined, events) in [
        (SubjectAsOracle::new(subject()), called.to_vec(), vec![]),
        (under(Answer::Known), vec![called[0], called[2]], vec![failed(2)]),
        (under(Answer::Unsupported), vec![], vec![failed(0), failed(2), failed(3)]),
    ] {
        let mut truths = Truths::default();
        oracle.truth(&instruction, &batch, PRECISION, &mut truths).unwrap();
        assert_eq!((truths.undefined(), truths.events()), (&*undefined, &*events));
    }
}

#[test]
fn the_oracle_is_asked_only_about_lanes_that_are_called_undefined() {
    let (instruction, batch) = batch(&[1, UNDEFINED]);
    for (called, expected) in [(None, vec![]), (Some(1), vec!["truth 1"])] {
        let mut effects = effects(&[(R0, [1, 2], Lanes::All)]);
        called.into_iter().for_each(|lane| effects.undefine(lane, Erratum(13)));
        let oracle = PreparedOracle::default();
        let calls = oracle.calls.clone();
        let mut oracle = SubjectAsOracle::under(Box::new(PreparedSubject::new(effects)), Box::new(oracle));
        oracle.truth(&instruction, &batch, PRECISION, &mut Truths::default()).unwrap();
        assert_eq!(taken(&calls), expected);
    }
}

#[test]
fn the_reference_answers_where_the_contract_demands_its_bits() {
    let text = "version: 1\nname: t\nabout: t\nextends: intended\ncontracts:\n\
                - {instruction: MUFU.RCP, exact: model}\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.yaml");
    std::fs::write(&path, text).unwrap();
    let by_model = Profile::load(path.to_str().unwrap()).unwrap();
    let by_truth = Profile::load("intended").unwrap();
    let (instruction, batch) = batch(&[5, 6]);
    // A subject in place of the oracle has no fast path.
    for (profile, has_fast, values) in [(by_model, false, [1, 2]), (by_truth, true, [5, 6])] {
        let oracle = PreparedOracle::default();
        let subject = PreparedSubject::new(effects(&[(R0, [1, 2], Lanes::All)]));
        let (of_oracle, of_subject) = (oracle.calls.clone(), subject.calls.clone());
        let mut chosen = ByContract::new(Box::new(oracle), Box::new(subject), profile);
        assert_eq!(chosen.name(), "prepared oracle");
        assert_eq!(chosen.fast(&instruction).is_some(), has_fast);
        let mut truths = Truths::default();
        chosen.truth(&instruction, &batch, PRECISION, &mut truths).unwrap();
        assert_eq!(bits(&truths), [(R0, values.to_vec(), Lanes::All)]);
        taken(&of_oracle);
        taken(&of_subject);
        chosen.start_fresh();
        assert_eq!(
            (taken(&of_oracle), taken(&of_subject)),
            (vec!["start fresh".to_owned()], vec!["start fresh".to_owned()])
        );
    }
}
