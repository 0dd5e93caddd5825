//! Tests that triage recognises a subject that follows other readings or conventions than the
//! profile, and does not mistake a faulty subject for one.

use arbitrary::Unstructured;
use assay_engine::compare::comparator::{Comparator, Setup};
use assay_engine::generate::{LANES, Scope, from_stream};
use assay_engine::stats::tally::Tally;
use assay_engine::triage::explain::settings::{SettingsThatExplain, settings_that_explain};
use assay_faults::Fault;
use assay_isa::readings::SWITCHES;
use assay_isa::{Batch, EncodingTable, Erratum, Readings, Subject};
use assay_vectors::Profile;
use rayon::prelude::*;

use crate::support::{intended, mutant, oracle_under};

/// Number of batches of a campaign.
const BATCHES: u64 = 200;

/// Runs a campaign over some optypes under the profile `intended`. Returns the settings that
/// explain the subject's divergences, if any.
fn told(optypes: &[&str], subject: &(dyn Fn() -> Box<dyn Subject> + Sync)) -> Option<SettingsThatExplain> {
    told_under(&intended(), optypes, subject)
}

/// Like [`told`], but under a given profile.
fn told_under(
    profile: &Profile,
    optypes: &[&str],
    subject: &(dyn Fn() -> Box<dyn Subject> + Sync),
) -> Option<SettingsThatExplain> {
    let oracle = || oracle_under(profile.readings);
    let setup = Setup { numbers: EncodingTable::provisional(), profile, subject, oracle: &oracle };
    let scope = Scope::filtered(|mode| optypes.contains(&mode.optype()));
    let mut comparator = Comparator::new(&setup);
    let (mut tally, mut bytes, mut batch) = (Tally::default(), Vec::new(), Batch::default());
    for index in 0..BATCHES {
        let pick = |u: &mut Unstructured<'_>| scope.instruction(u);
        let drawn = from_stream((3, index), setup.numbers, LANES, &mut bytes, &mut batch, pick).unwrap();
        let contract = profile.contract_for(&drawn);
        let judged = comparator.run(&contract, &drawn, &batch).unwrap().judged().unwrap();
        let first = index * LANES as u64;
        tally.count_judged(&drawn, &contract, (&batch, judged), |lane| first + lane as u64);
    }
    settings_that_explain(&setup, &oracle_under, &tally).unwrap()
}

fn model(settings: &[&str]) -> Box<dyn Subject> {
    model_under(Readings::INTENDED, settings)
}

fn model_under(mut readings: Readings, settings: &[&str]) -> Box<dyn Subject> {
    for text in settings {
        readings.set_from_text(text).unwrap();
    }
    assay_model::model(EncodingTable::provisional().clone(), readings)
}

fn names(told: &SettingsThatExplain) -> Vec<String> {
    let mut names: Vec<String> = told.settings.iter().map(|(e, setting)| format!("{e}={setting}")).collect();
    names.sort();
    names
}

#[test]
fn every_setting_of_a_convention_is_told() {
    let conventions = SWITCHES.iter().filter(|switch| switch.erratum.is_convention());
    let settings = conventions.flat_map(|switch| (2..=switch.settings.len()).map(move |n| (switch, n)));
    let each: Vec<_> = settings.collect();
    assert!(each.len() >= 9, "{}", each.len());
    each.into_par_iter().for_each(|(switch, setting)| {
        let text = format!("{}={setting}", switch.erratum);
        // SIN and COS have exact zeros only if arguments are in turns, as under `sm90`.
        let is_of_turns = switch.erratum == Erratum::convention(7);
        let mut profile = if is_of_turns { Profile::load("sm90").unwrap() } else { intended() };
        profile.set_reading(&format!("{}=1", switch.erratum)).unwrap();
        let subject = || model_under(profile.readings, &[&text]);
        let told = told_under(&profile, &switch.optypes, &subject);
        let told = told.unwrap_or_else(|| panic!("{text}: nothing"));
        assert_eq!((names(&told), told.vanishing), (vec![text], told.asked));
    });
}

/// The settings of an x86 processor. Each single setting explains only a part of the divergences.
#[test]
fn several_settings_are_told_together() {
    let settings = ["C001=2", "C002=3", "C005=2"];
    let told = told(&["FADD", "FMUL", "FFMA", "FMNMX"], &|| model(&settings)).expect("settings");
    assert_eq!((names(&told), told.vanishing), (settings.map(str::to_owned).to_vec(), told.asked));
}

#[test]
fn a_fault_that_no_setting_accounts_for_is_no_reading() {
    let faults = [
        Fault::FaddTieToOdd,
        Fault::FmnmxSenseReversed,
        Fault::FmulZeroSign,
        Fault::FaddCancellationSign,
        Fault::Uf2fpNanInfinite,
    ];
    for fault in faults {
        let subject = || mutant(fault);
        let told = told(&["FADD", "FMUL", "FFMA", "FMNMX", "UF2FP"], &subject);
        assert_eq!(told, None, "{fault:?}");
    }
}
