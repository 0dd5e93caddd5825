//! Tests a run with planted faults of every layer.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use assay_engine::compare::comparator::Setup;
use assay_engine::generate::Scope;
use assay_isa::{EncodingTable, Oracle, Readings, Subject};
use assay_mpfr::MpfrOracle;
use assay_mutation::{Detection, Mutant, MutantOutcome, MutationRun, Selection, sum_up};
use assay_records::commands::mutants::MutantStatus;
use assay_vectors::Profile;

/// Runs the faults with these names. Returns the mutants, their outcomes, and the greatest number
/// of finished mutants that the run reported.
fn outcomes(names: &[&str], cases: u64, stop: bool) -> (Vec<Mutant>, Option<Vec<MutantOutcome>>, u64) {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let mutants = Selection { names: &names, ..Selection::default() }.mutants().unwrap();
    let (numbers, profile) = (EncodingTable::provisional(), Profile::load("intended").unwrap());
    let subject = || -> Box<dyn Subject> { assay_model::model(numbers.clone(), Readings::INTENDED) };
    let oracle = || -> Box<dyn Oracle> { Box::new(MpfrOracle::new(Readings::INTENDED)) };
    let setup = Setup { numbers, profile: &profile, subject: &subject, oracle: &oracle };
    let (stop, done) = (AtomicBool::new(stop), AtomicU64::new(0));
    let progress = |now: u64| {
        done.fetch_max(now, Ordering::Relaxed);
    };
    let scope = Scope::everything();
    let run = MutationRun { setup, scope, seed: 1, cases, stop: &stop, progress: &progress };
    let outcomes = run.run(&mutants).unwrap();
    (mutants, outcomes, done.into_inner())
}

#[test]
fn faults_of_every_layer_are_caught_and_a_mutant_fares_alone_as_in_company() {
    let names = ["batch-*", "fadd-tie-to-odd", "ffma-rrr-*-written-shifted", "ffma-rrr-*-parsed-*"];
    // A fault that shows from the thousandth batch on needs more than half a million cases.
    let (mutants, all, done) = outcomes(&names, 1_000_000, false);
    let all = all.expect("it is not stopped");
    assert_eq!((all.len() as u64, done), (mutants.len() as u64, mutants.len() as u64));
    let report = sum_up(&mutants, &all, 0.0);
    assert!(report.holds(), "{:?}", report.survivors);
    assert_eq!(report.families.len(), 4);
    let place = mutants.iter().position(|m| m.name == "batch-last-lane-spoilt").unwrap();
    let (_, alone, _) = outcomes(&["batch-last-lane-spoilt"], 1_000_000, false);
    let case = |outcome: &MutantOutcome| outcome.contract.map(|Detection { check, case, .. }| (check, case));
    assert_eq!(case(&alone.unwrap()[0]), case(&all[place]));
}

#[test]
fn a_fault_that_no_case_shows_survives_and_a_run_that_is_stopped_has_no_outcome() {
    let (mutants, all, _) = outcomes(&["batch-late"], 32, false);
    let report = sum_up(&mutants, all.as_deref().unwrap(), 0.0);
    assert_eq!((report.holds(), report.mutants[0].status), (false, MutantStatus::Survived));
    assert!(outcomes(&["batch-late"], 32, true).1.is_none());
}
