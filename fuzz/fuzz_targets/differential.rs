//! Compares the model with the MPFR oracle on one case, under the `intended` profile.
//!
//! `ASSAY_SUBJECT=mutant:FAULT` replaces the model by a model with a planted fault. So one can test
//! that a crash becomes a finding. An input that does not reach the judge is not added to the
//! corpus, because its variants seldom reach it either.

#![no_main]

use std::sync::{LazyLock, Mutex};

use assay_engine::compare::comparator::{Comparator, Setup};
use assay_faults::Fault;
use assay_fuzzing::coded;
use assay_isa::{EncodingTable, Subject};
use assay_mpfr::MpfrOracle;
use assay_vectors::Profile;
use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target};

/// The comparator for all inputs. Creating the implementations takes longer than running them.
static TABLE: LazyLock<Mutex<(Profile, Comparator)>> = LazyLock::new(|| {
    let profile = Profile::load("intended").expect("the profile is built in");
    let (numbers, readings) = (EncodingTable::provisional(), profile.readings);
    let fault = fault();
    let subject = || -> Box<dyn Subject> {
        match fault {
            None => assay_model::model(numbers.clone(), readings),
            Some(fault) => assay_faults::mutant(numbers.clone(), readings, fault),
        }
    };
    let oracle = || -> Box<dyn assay_isa::Oracle> { Box::new(MpfrOracle::new(readings)) };
    let comparator =
        Comparator::new(&Setup { numbers, profile: &profile, subject: &subject, oracle: &oracle });
    Mutex::new((profile, comparator))
});

/// Returns the fault that the environment variable `ASSAY_SUBJECT` names. `None` for `model`.
fn fault() -> Option<Fault> {
    let subject = std::env::var("ASSAY_SUBJECT").unwrap_or_else(|_| "model".into());
    let fault = match subject.split_once(':') {
        None if subject == "model" => return None,
        Some(("mutant", fault)) => fault.parse().ok(),
        _ => None,
    };
    Some(fault.unwrap_or_else(|| panic!("ASSAY_SUBJECT is `{subject}`; write model or mutant:FAULT")))
}

fuzz_target!(init: assay_fuzz::survive_deep_stacks(), |data: &[u8]| -> Corpus {
    let Ok(case) = coded::case(data) else { return Corpus::Reject };
    let mut table = TABLE.lock().expect("libFuzzer ends at the first panic");
    let (profile, comparator) = &mut *table;
    match assay_fuzz::hold(assay_fuzzing::differential(comparator, profile, &case)) {
        true => Corpus::Keep,
        false => Corpus::Reject,
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    assay_fuzz::change(data, size, max_size, seed, coded::WORD)
});
