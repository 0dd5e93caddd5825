//! Collects the data that a page shows about an erratum: its text, its setting in each profile, the
//! results of its cases, and the assembler's results for its example texts.

use assay_engine::compare::shown_value::show;
use assay_isa::readings::Switch;
use assay_isa::{Instruction, Location, asm, catalog};
use assay_reports::errata::{Answer, Choice, Entry, Execution, Group, Trial, TrialResult, Value};
use assay_runner::cases::witness::{self, Witness, Witnesses};
use assay_runner::inspect::inspector::CaseAnswer;
use assay_vectors::errata::{Defect, Evident};
use assay_vectors::{Basis, Profile};

use crate::context::Context;
use crate::failure::Failure;

/// Executes the witnesses of an erratum, and returns the erratum with their results.
pub fn entry<'a>(
    context: &Context,
    defect: &'a Defect,
    profiles: &[Profile],
    witnesses: &Witnesses,
) -> Result<Entry<'a>, Failure> {
    let groups = witnesses.groups(context, defect.id)?;
    Ok(Entry {
        defect,
        choices: defect.switch().map_or(Vec::new(), |switch| choices(switch, profiles)),
        groups: groups.iter().map(|witnesses| group(defect, witnesses)).collect(),
        trials: defect.witness.as_ref().map_or(Vec::new(), trials),
    })
}

/// Returns a profile's setting of a switch, and the evidence for this setting.
pub fn choice<'a>(profile: &'a Profile, switch: &Switch) -> (u8, &'a Basis) {
    let setting = profile.readings.setting(switch.erratum);
    (setting.expect("a profile sets every switch"), &profile.basis[&switch.erratum])
}

fn choices(switch: &Switch, profiles: &[Profile]) -> Vec<Choice> {
    let of = |profile: &Profile| {
        let (setting, basis) = choice(profile, switch);
        let (evidence, note) = (basis.evidence, basis.note.clone());
        Choice { profile: profile.name.clone(), setting, evidence, note }
    };
    profiles.iter().map(of).collect()
}

fn group(defect: &Defect, witnesses: &witness::Group) -> Group {
    let first = &witnesses[0];
    let instruction = &first.execution.instruction;
    Group {
        instruction: asm::print(instruction),
        inputs: first.case.inputs.iter().map(|(l, bits)| value(instruction, *l, *bits)).collect(),
        others: first.other_readings(defect.id),
        executions: witnesses.iter().map(execution).collect(),
    }
}

fn execution(witness: &Witness) -> Execution {
    let instruction = &witness.execution.instruction;
    let answers = witness.execution.judgement.answers.iter();
    Execution {
        setting: witness.setting,
        case: witness.case.name.clone(),
        answers: answers.map(|a| (a.implementation.clone(), answer(instruction, &a.answer))).collect(),
        problem: witness.problem(),
    }
}

fn answer(instruction: &Instruction, spoken: &CaseAnswer) -> Answer {
    match spoken {
        CaseAnswer::Unsupported => Answer::Unsupported,
        CaseAnswer::Undefined(erratum) => Answer::Undefined(erratum.clone()),
        CaseAnswer::Effect(writes, event) => {
            let writes = writes.iter().map(|(location, bits)| value(instruction, *location, *bits));
            Answer::Effect(writes.collect(), event.as_ref().map(|event| format!("{event:?}")))
        }
    }
}

fn value(instruction: &Instruction, location: Location, bits: u32) -> Value {
    let shown = show(instruction, location, bits);
    let (bits, meaning) = shown.split_once("  ").unwrap_or((&shown, ""));
    Value { location: location.to_string(), bits: bits.to_owned(), meaning: meaning.to_owned() }
}

/// Assembles the texts that an erratum says must be accepted or refused.
fn trials(witness: &Evident) -> Vec<Trial> {
    let accepted = witness.accepted.iter().map(|text| (text, true));
    let refused = witness.refused.iter().map(|text| (text, false));
    let tried =
        |(text, wanted): (&String, bool)| Trial { text: text.clone(), wanted, outcome: outcome(text) };
    accepted.chain(refused).map(tried).collect()
}

fn outcome(text: &str) -> TrialResult {
    let mnemonic = text.split(['.', ' ']).next().unwrap_or_default();
    if catalog().forms_of(mnemonic).next().is_none() {
        return TrialResult::Unknown;
    }
    match asm::parse(text) {
        Ok(instruction) => TrialResult::Accepted(asm::print(&instruction)),
        Err(error) => TrialResult::Refused(error.problem.to_string()),
    }
}
