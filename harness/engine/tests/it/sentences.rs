//! Tests that what a finding states is true. Its explanation, its condition and its scope are
//! compared with cases of another seed.
//!
//! The device has one fault, so every wrong result is due to that fault. An explanation states what
//! the device does in each case of the optypes in which it has shown. A condition also states that
//! the device is right in all other cases.

use std::fmt;

use arbitrary::Unstructured;
use assay_engine::compare::comparator::{Comparator, Setup};
use assay_engine::compare::judge::Verdict;
use assay_engine::generate::{Scope, from_stream};
use assay_engine::triage::Bug;
use assay_engine::triage::explain::{Evidence, evidence_in};
use assay_engine::triage::probe::Probe;
use assay_engine::triage::signature::Symptom;
use assay_independent::{Fault, FaultInfo};
use assay_isa::{Batch, EncodingTable, Instruction, asm};
use rayon::prelude::*;

use crate::independent::{Report, campaign, is_own, subject_of};
use crate::support::{intended, oracle, oracle_under};

/// Number of lanes of a drawn batch, and maximum number of batches.
const LANES: usize = 64;
const BATCHES: u64 = 2000;
/// Drawing stops after this number of cases that the finding covers, and the same number of cases
/// that it excludes.
const CASES: u64 = 1000;
/// The seed of the cases. No campaign uses it.
const SEED: u64 = 77;

/// Counts of the drawn cases, by what they show about a finding.
#[derive(Default)]
struct CasesFor {
    /// Cases in which the device is wrong in the way that the finding states.
    as_said: u64,
    /// Cases that the finding does not cover, and in which the device is right.
    excluded: u64,
    /// Cases that refute the finding. `first` is the first of these cases, as text.
    refuting: u64,
    first: Option<String>,
    /// Cases in which the device is wrong, and which no finding mentions.
    unsaid: u64,
}

impl CasesFor {
    fn refute(&mut self, cases: u64, what: &str, (instruction, batch, lane): (&Instruction, &Batch, usize)) {
        self.refuting += cases;
        let inputs = || batch.lane(lane).map(|(at, value)| format!("{at}={value:#x}")).collect::<Vec<_>>();
        let text = || format!("{what}: {} {}", asm::print(instruction), inputs().join(" "));
        if cases > 0 {
            self.first.get_or_insert_with(text);
        }
    }

    fn is_enough(&self) -> bool {
        self.as_said >= CASES && self.excluded >= CASES
    }
}

impl fmt::Display for CasesFor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CasesFor { as_said, excluded, refuting, unsaid, .. } = self;
        write!(f, "{as_said} as said, {excluded} excluded, {unsaid} unsaid, {refuting} refuting")?;
        self.first.as_ref().map_or(Ok(()), |first| write!(f, ", such as {first}"))
    }
}

/// Compares one finding with drawn cases. A wrong case that another finding accounts for does not
/// refute this finding.
fn examine(bug: &Bug, all: &[Bug], info: &FaultInfo) -> CasesFor {
    let (profile, numbers) = (intended(), EncodingTable::provisional());
    let subject = || subject_of(Some(info.fault));
    let setup = Setup { numbers, profile: &profile, subject: &subject, oracle: &oracle };
    let scope = Scope::filtered(|mode| bug.optypes.contains(mode.optype()));
    let (mut comparator, mut bytes, mut batch) = (Comparator::new(&setup), Vec::new(), Batch::default());
    let mut counts = CasesFor::default();
    for index in 0..BATCHES {
        if counts.is_enough() {
            break;
        }
        let pick = |u: &mut Unstructured<'_>| scope.instruction(u);
        let Ok(instruction) = from_stream((SEED, index), numbers, LANES, &mut bytes, &mut batch, pick) else {
            continue;
        };
        let mut told = |bug: &Bug, instruction: &Instruction, batch: &Batch| {
            // A finding may have several explanations. For each case, the explanation that fits
            // best counts.
            let explained = bug.explanations().into_iter();
            let of_optype = explained.filter(|known| known.optypes.contains(instruction.optype()));
            let evidence = of_optype.filter_map(|known| {
                let case = (instruction, batch);
                evidence_in(&setup, &mut comparator, &oracle_under, &known.explanation, case)
                    .expect("it is executed")
            });
            evidence.max_by_key(|it| (it.explained, it.elsewhere, it.refuted, it.unexplained))
        };
        for lane in 0..batch.len() {
            let case = batch.part(lane..lane + 1);
            let Evidence { explained, unexplained, refuted, elsewhere } = match told(bug, &instruction, &case)
            {
                Some(evidence) => evidence,
                None => condition_of(bug, &setup, &instruction, &case),
            };
            let wrong = unexplained + elsewhere;
            let by_others = wrong > 0
                && all.iter().filter(|other| other.signature != bug.signature).any(|other| {
                    let explained = told(other, &instruction, &case).is_some_and(|it| it.explained > 0);
                    explained || other.conditions.iter().any(|it| it.holds(&instruction, &case, 0))
                });
            counts.as_said += explained as u64;
            counts.excluded += u64::from(explained + wrong + refuted == 0);
            let place = (&instruction, &batch, lane);
            counts.refute(refuted as u64, "right", place);
            // An explanation does not state that all other cases are right, but a condition does.
            let is_denied = unexplained > 0 || bug.explanation.is_none();
            match (by_others, is_denied) {
                (true, _) => {}
                (false, true) => counts.refute(wrong as u64, "wrong otherwise", place),
                (false, false) => counts.unsaid += wrong as u64,
            }
        }
    }
    counts
}

/// Returns what a case shows about a finding without an explanation: whether it agrees with the
/// finding's conditions, and with the error that the signature names.
fn condition_of(bug: &Bug, setup: &Setup<'_>, instruction: &Instruction, case: &Batch) -> Evidence {
    let mut evidence = Evidence::default();
    if !bug.optypes.contains(instruction.optype()) {
        return evidence;
    }
    let mut comparator = Comparator::new(setup);
    let probe = Probe::new(setup, &mut comparator, instruction, case).expect("it is executed");
    let Some(probe) = probe else { return evidence };
    let Verdict::Diverged(divergence) = &probe.verdicts[0] else { return evidence };
    let mut of_optype = bug.conditions.iter().filter(|it| it.optype == instruction.optype()).peekable();
    let is_bounded = of_optype.peek().is_some();
    let is_covered = of_optype.any(|condition| condition.holds(instruction, case, 0));
    let is_of_output = bug.symptom.is_some_and(|it| it.output == Symptom::of(instruction, divergence).output);
    let claimed = bug.claimed_error().filter(|_| is_of_output);
    match claimed.is_none_or(|claimed| probe.shows(0, claimed)) {
        true if is_covered => evidence.explained = 1,
        true if !is_bounded => {}
        _ => evidence.elsewhere = 1,
    }
    evidence
}

/// Tests the findings of campaigns on some faults. Returns one line with the counts of cases for
/// each finding. The second list has only the findings that a case refutes.
fn explained(faults: &[&FaultInfo], cases: u64) -> (Vec<String>, Vec<String>) {
    let of_fault = |info: &&FaultInfo| {
        let Report { bugs, .. } = campaign(Some(info.fault), cases, |optype| is_own(info, optype));
        let line = |bug: &Bug| {
            let counts = examine(bug, &bugs, info);
            let conditions: Vec<String> = bug.conditions.iter().map(ToString::to_string).collect();
            let said = [vec![bug.signature.clone()], conditions].concat().join("; only where ");
            (format!("{}: {said}: {counts}", info.name), counts.refuting > 0)
        };
        bugs.iter().map(line).collect::<Vec<_>>()
    };
    let lines: Vec<(String, bool)> = faults.par_iter().flat_map_iter(of_fault).collect();
    let false_ones = lines.iter().filter(|(_, is_false)| *is_false).map(|(line, _)| line.clone()).collect();
    (lines.into_iter().map(|(line, _)| line).collect(), false_ones)
}

/// Returns every `step`th fault, starting at `seed` modulo `step`. If the environment variable
/// `FAULTS` is set, returns the faults that it names.
fn drawn(seed: usize, step: usize) -> Vec<&'static FaultInfo> {
    match std::env::var("FAULTS") {
        Ok(only) => Fault::ALL.iter().filter(|info| only.split(',').any(|name| name == info.name)).collect(),
        Err(_) => Fault::ALL.iter().skip(seed % step).step_by(step).collect(),
    }
}

#[test]
#[ignore = "ten minutes: `just independent`"]
fn no_sentence_of_sixty_findings_is_false() {
    let number =
        |name: &str, default| std::env::var(name).map_or(default, |text| text.parse().expect("a number"));
    let (lines, false_ones) =
        explained(&drawn(number("SEED", 3), number("EVERY", 5)), number("CASES", 3_000_000) as u64);
    println!("{}", lines.join("\n"));
    println!("{} findings, {} say what is false", lines.len(), false_ones.len());
    assert!(lines.len() >= 60 && false_ones.is_empty(), "{}", false_ones.join("\n"));
}
