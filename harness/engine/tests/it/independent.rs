//! Tests the findings on the independent device, which was written from the documents alone. Its
//! author also chose its faults.
//!
//! `assay` was not tuned to single faults of this device. So similar shares of faults should be
//! found on other independently written devices.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use assay_engine::compare::comparator::Setup;
use assay_engine::generate::Scope;
use assay_engine::generate::domain::Domain;
use assay_engine::run::Shard;
use assay_engine::run::campaign::{Campaign, Limit};
use assay_engine::run::sweep::{Function, Sweep};
use assay_engine::run::{RunHooks, RunProgress};
use assay_engine::stats::tally::Tally;
use assay_engine::triage::Bug;
use assay_independent::{Device, Family, Fault, FaultInfo, Reach};
use assay_isa::{EncodingTable, Subject, asm};
use assay_mutation::independent::IndependentSubject;
use rayon::prelude::*;

use crate::support::{bugs_of, intended, oracle};

/// The result of a campaign on a device.
pub struct Report {
    diverged: u64,
    pub bugs: Vec<Bug>,
    seconds: f64,
}

impl Report {
    fn signatures(&self) -> BTreeSet<&str> {
        self.bugs.iter().map(|bug| bug.signature.as_str()).collect()
    }
}

/// The device with a fault.
pub fn subject_of(fault: Option<Fault>) -> Box<dyn Subject> {
    Box::new(IndependentSubject::new(fault, EncodingTable::provisional().clone()))
}

/// Whether a fault affects this optype, or the handling of batches, which affects all optypes.
pub fn is_own(info: &FaultInfo, optype: &str) -> bool {
    info.optypes.split(' ').any(|own| own == optype) || info.family == Family::Batch
}

/// Runs a campaign of `cases` over the optypes of a selection.
pub fn campaign(fault: Option<Fault>, cases: u64, selects: impl Fn(&str) -> bool) -> Report {
    let began = Instant::now();
    let profile = intended();
    let subject = || subject_of(fault);
    let numbers = EncodingTable::provisional();
    let setup = Setup { numbers, profile: &profile, subject: &subject, oracle: &oracle };
    let supported = Device::modes();
    let scope = Scope::filtered(|mode| supported.contains(&mode.optype()) && selects(mode.optype()));
    let campaign =
        Campaign { setup, scope: &scope, seed: 1, limit: Limit::Cases(cases), shard: Shard::WHOLE };
    let (stop, mut progress) = (AtomicBool::new(false), |_: &Tally| ());
    let hooks = RunHooks::new(&stop, &mut progress);
    let tally = campaign.run(hooks).unwrap().tally;
    let bugs = bugs_of(&campaign, &tally);
    let seconds = began.elapsed().as_secs_f64();
    Report { diverged: tally.verdicts.diverged, bugs, seconds }
}

/// Counts of the faults that showed, and of their findings.
struct Shares {
    shown: usize,
    one: usize,
    most: usize,
    table: String,
}

/// Runs a campaign for each fault, and returns a table of the results.
fn shares_of(faults: &[&FaultInfo], cases: u64, selects: impl Fn(&FaultInfo, &str) -> bool + Sync) -> Shares {
    let run =
        |info: &&FaultInfo| (info.name, campaign(Some(info.fault), cases, |optype| selects(info, optype)));
    let reports: Vec<_> = faults.par_iter().map(run).collect();
    let mut shares = Shares { shown: 0, one: 0, most: 0, table: String::new() };
    for (name, report) in reports {
        let (signatures, Report { diverged, seconds, .. }) = (report.signatures(), &report);
        shares.shown += usize::from(*diverged > 0);
        shares.one += usize::from(signatures.len() == 1);
        shares.most = shares.most.max(signatures.len());
        let findings = signatures.len();
        let said = signatures.into_iter().take(6).collect::<Vec<_>>().join(" ; ");
        writeln!(shares.table, "{name}\t{diverged}\t{seconds:.1}\t{findings}\t{said}").unwrap();
    }
    shares
}

#[test]
fn the_sound_device_has_no_finding() {
    let report = campaign(None, 1_000_000, |_| true);
    assert_eq!((report.diverged, report.signatures()), (0, BTreeSet::new()));
}

/// Two optypes share the device's adder. If the adder loses a carry, this is one finding for both
/// optypes.
#[test]
fn a_fault_of_a_unit_that_optypes_share_is_one_finding() {
    let info = Fault::ALL.iter().find(|info| info.name == "carry-out-lost").unwrap();
    let report = campaign(Some(info.fault), 500_000, |optype| ["FADD", "FFMA"].contains(&optype));
    assert_eq!(report.signatures(), ["FADD and FFMA, in what they share | wrong value"].into());
}

/// If the decoder misreads an operand of every optype, this is one finding with the listed
/// signature.
#[test]
fn a_fault_of_the_decoder_is_one_finding() {
    for (name, signature) in [
        (
            "uniform-reads-general",
            "FADD and FSETP | a uniform register is read as the general one of its number",
        ),
        ("true-reads-false", "several | PT reads as false"),
    ] {
        let info = Fault::ALL.iter().find(|info| info.name == name).unwrap();
        let report =
            campaign(Some(info.fault), 500_000, |optype| info.optypes.split(' ').any(|own| own == optype));
        assert_eq!(report.signatures(), [signature].into());
    }
}

/// Returns the number of divergences in a sweep over all 2^32 inputs of a function of MUFU.
fn swept(fault: Option<Fault>, function: &str) -> u64 {
    let profile = intended();
    let subject = || subject_of(fault);
    let setup = Setup {
        numbers: EncodingTable::provisional(),
        profile: &profile,
        subject: &subject,
        oracle: &oracle,
    };
    let instruction = asm::parse(&format!("MUFU.{function}.F32 R0, R1")).unwrap();
    let functions = [Function { instruction, domain: Domain::Line { stride: 1, listed: Vec::new() } }];
    let (stop, mut progress) = (AtomicBool::new(false), |_: &Tally| ());
    let hooks = RunHooks::new(&stop, &mut progress);
    let done = Sweep { setup, functions: &functions, shard: Shard::WHOLE }
        .run(RunProgress::default(), hooks)
        .unwrap();
    assert_eq!(done.tally.cases, 1 << 32);
    done.tally.verdicts.diverged
}

/// The stage `every-input` of the default nightly run makes these sweeps.
#[test]
#[ignore = "ten minutes: `just independent`"]
fn a_fault_of_a_single_input_is_caught_by_a_sweep() {
    for info in Fault::ALL.iter().filter(|info| info.reach == Reach::Sweep) {
        let (began, function) = (Instant::now(), info.about.split(' ').next().unwrap());
        let diverged = swept(Some(info.fault), function);
        println!("{}\t{diverged}\t{:.1}\tMUFU.{function}", info.name, began.elapsed().as_secs_f64());
        assert!(diverged > 0, "{}", info.name);
        assert_eq!(swept(None, function), 0, "MUFU.{function} of the sound device");
    }
}

/// Prints a table of all faults. Each fault is tested in a campaign over all optypes that the
/// device implements.
#[test]
#[ignore = "an hour: `just independent`"]
fn every_fault_of_the_independent_device() {
    let cases = std::env::var("CASES").map_or(20_000_000, |text| text.parse().expect("a number of cases"));
    let every = std::env::var("EVERY").map_or(1, |text| text.parse().expect("a number of faults"));
    let only = std::env::var("FAULTS").unwrap_or_default();
    let is_chosen = |info: &&FaultInfo| only.is_empty() || only.split(',').any(|name| name == info.name);
    let faults: Vec<&FaultInfo> = Fault::ALL.iter().filter(is_chosen).step_by(every).collect();
    let own_only = std::env::var_os("OWN").is_some();
    let shares = shares_of(&faults, cases, |info, optype| !own_only || is_own(info, optype));
    println!("{}", shares.table);
    println!(
        "{} faults, {} shown, {} one finding, at most {}",
        faults.len(),
        shares.shown,
        shares.one,
        shares.most
    );
    let sweeps = faults.iter().filter(|info| info.reach == Reach::Sweep).count();
    assert!(shares.shown + sweeps >= faults.len() * 9 / 10);
}
