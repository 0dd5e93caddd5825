//! Finds which planted faults the recorded cases detect, and which faults pass all cases.
//!
//! Continuous integration often runs only the recorded cases. So a fault that passes all recorded
//! cases shows a gap in them, even if a campaign finds the fault.

use std::collections::BTreeMap;
use std::path::PathBuf;

use assay_faults::Fault;
use assay_isa::{Answer, Batch, Effects, EncodingTable, Readings, Subject};
use assay_vectors::Case;
use rayon::prelude::*;

use super::check::difference;
use super::suites::{case_profile, suites};
use crate::context::Context;
use crate::error::RunError;

/// How many recorded cases detect a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownFault {
    /// The fault.
    pub fault: Fault,
    /// Number of cases that run the fault's optype.
    pub cases: u64,
    /// Number of these cases that fail.
    pub failed: u64,
}

/// A recorded case that the model without a fault passes.
struct RecordedCase {
    readings: Readings,
    batch: Batch,
    case: Case,
}

/// Runs recorded cases on the model with each fault in turn. The cases are in `paths`. If `paths`
/// is empty, the cases that the program carries are run.
///
/// # Errors
///
/// A suite cannot be read.
pub fn shown_faults(
    context: &Context,
    paths: &[PathBuf],
    faults: &[Fault],
) -> Result<Vec<ShownFault>, RunError> {
    let cases = recorded(context, paths)?;
    let shown = |fault: &Fault| {
        let own = cases.get(fault.info().optype).map(Vec::as_slice).unwrap_or_default();
        let plant = |readings| assay_faults::mutant(context.numbers.clone(), readings, *fault);
        let failed = failed(own, plant).filter(|failed| *failed).count() as u64;
        ShownFault { fault: *fault, cases: own.len() as u64, failed }
    };
    Ok(faults.par_iter().map(shown).collect())
}

/// Returns the recorded cases by optype. Leaves out each case that the model without a fault fails,
/// because with it every fault would seem detected.
fn recorded(
    context: &Context,
    paths: &[PathBuf],
) -> Result<BTreeMap<&'static str, Vec<RecordedCase>>, RunError> {
    let mut cases: BTreeMap<&'static str, Vec<RecordedCase>> = BTreeMap::new();
    for file in suites(paths)? {
        let profile = file.profile(context)?;
        for case in file.suite.cases.iter().filter(|case| case.skip.is_none()) {
            let readings = case_profile(context, &profile, case)?.readings;
            let (instruction, batch) = case.batch(&context.numbers)?;
            let one = RecordedCase { readings, batch, case: case.clone() };
            let list = cases.entry(instruction.optype()).or_default();
            list.push(one);
        }
    }
    for list in cases.values_mut() {
        let sound = |readings| model(&context.numbers, readings);
        let mut failed = failed(list, sound).collect::<Vec<_>>().into_iter();
        list.retain(|_| failed.next() == Some(false));
    }
    Ok(cases)
}

fn model(numbers: &EncodingTable, readings: Readings) -> Box<dyn Subject> {
    assay_session::backends::model(numbers, readings)
}

/// Returns for each case whether it fails on a subject. The subject is made with the readings of
/// the case.
fn failed(
    cases: &[RecordedCase],
    subject: impl Fn(Readings) -> Box<dyn Subject>,
) -> impl Iterator<Item = bool> {
    let mut subjects: Vec<(Readings, Box<dyn Subject>)> = Vec::new();
    let mut effects = Effects::default();
    cases.iter().map(move |one| {
        let known = subjects.iter().position(|(readings, _)| *readings == one.readings);
        let place = known.unwrap_or_else(|| {
            subjects.push((one.readings, subject(one.readings)));
            subjects.len() - 1
        });
        let answer = subjects[place].1.execute(&one.batch, &mut effects);
        !(matches!(answer, Ok(Answer::Known)) && holds(&one.case, &effects))
    })
}

/// Whether an effect matches the expectation of a case. True if the case has no expectation.
fn holds(case: &Case, effects: &Effects) -> bool {
    let undefined = effects.undefined().first().map(|(_, erratum)| *erratum);
    match &case.expect {
        _ if case.undefined.is_some() => undefined == case.undefined,
        None => true,
        Some(_) if undefined.is_some() => false,
        Some(expected) => {
            let writes: Vec<_> = effects.lane(0).collect();
            difference(expected, &case.event, &writes, &effects.event_of(0).copied()).is_none()
        }
    }
}

#[cfg(test)]
mod tests {
    use assay_faults::{FAULTS, FaultInfo};

    use super::*;
    use crate::reporter::Silent;

    fn context() -> Context {
        let numbers = EncodingTable::provisional().clone();
        Context::new(None, &[], numbers, &Silent).expect("the default profile")
    }

    /// Whether a fault is detectable and lies in the computation of a unit, not in an instruction
    /// field or a table bit.
    fn is_of_a_unit(info: &FaultInfo) -> bool {
        !matches!(info.fault, Fault::Field(_) | Fault::RomBit(..)) && info.equivalent().is_none()
    }

    /// Faults that no recorded case detects. Their results stay within the bounds of the contract,
    /// or they show only at inputs where a bound allows too many values to list.
    const MISSED: [&str; 2] = ["tanh-small-square-dropped", "tanh-large-square-dropped"];

    #[test]
    fn recorded_cases_show_each_fault_of_a_unit_but_those_that_are_known_to_be_missed() {
        let faults: Vec<Fault> =
            FAULTS.iter().filter(|info| is_of_a_unit(info)).map(|info| info.fault).collect();
        assert!(faults.len() > 1000, "{} faults", faults.len());
        let shown = shown_faults(&context(), &[], &faults).expect("the program's own suites");
        let missed: Vec<&str> =
            shown.iter().filter(|one| one.failed == 0).map(|one| one.fault.info().name).collect();
        assert_eq!(missed, MISSED);
        assert!(shown.iter().all(|one| one.failed < one.cases), "a case of another function holds");
    }

    #[test]
    fn a_suite_that_lacks_a_case_misses_its_fault() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("one.yaml");
        let suite = "version: 1\nsuite: one\nabout: one case\ncases:\n- name: eq\n  \
                     asm: FADD R0, R1, R2\n  inputs: {R1: 0x3f800000, R2: 0x3f800000}\n  \
                     expect: {R0: 0x40000000}\n  provenance: {source: document, ref: FADD, detail: \"1 + 1\"}\n";
        std::fs::write(&path, suite).expect("a file");
        let faults = ["fadd-tie-to-odd", "fadd-input-2-idle-set"].map(|name| name.parse().expect(name));
        let shown = shown_faults(&context(), &[path], &faults).expect("a suite");
        assert_eq!(shown.iter().map(|one| (one.cases, one.failed)).collect::<Vec<_>>(), [(1, 0), (1, 0)]);
    }
}
