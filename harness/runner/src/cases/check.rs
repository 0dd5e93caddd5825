//! Compares a recorded case with a subject and with the oracle.

use assay_engine::compare::judge::Verdict;
use assay_isa::effect::{Failure, Lanes};
use assay_isa::{BackendError, Effects, Event, Instruction, Location, Readings};
use assay_vectors::{Case, Expected, Profile};

use crate::cases::suites::{SuiteFile, case_profile, with_readings};
use crate::context::Context;
use crate::error::RunError;
use crate::inspect::inspector::{CaseAnswer, Inspector, JudgedAnswer, Judgement};
use crate::inspect::values::errata;
use crate::subjects::SubjectName;

/// Whether the answers to a case match its expectation.
pub enum CheckResult {
    /// The subject gives the expected result, and the oracle accepts the expectation.
    Yes,
    /// The subject gives the expected result. The oracle cannot judge the expectation, because no
    /// bound of the contract applies to it.
    Unjudged,
    /// The case fails, for this reason.
    No(String),
    /// The subject or the oracle does not implement the instruction.
    Unsupported,
    /// The case has no expectation, and the oracle does not refuse the answer of the subject.
    NothingExpected,
}

/// The outcome of a case of a suite.
pub enum CheckedCase {
    /// The case was compared with the subject.
    Held(CheckResult),
    /// The case fails only because its expectation is for other readings, or for the contract of
    /// another profile. The value names them, such as `E173=1`.
    OtherReadings(Vec<String>),
    /// The subject lists the optype of the instruction, and answered `unsupported`.
    Undeclared(Instruction),
    /// The subject is a trace, and the case was not recorded.
    Missing,
}

/// A case that was executed.
pub struct Execution {
    /// The instruction of the case.
    pub instruction: Instruction,
    /// The readings in force.
    pub readings: Readings,
    /// The answers of the subject and of the oracle, in this order.
    pub judgement: Judgement,
    /// Whether the answers match the expectation of the case.
    pub held: CheckResult,
}

/// Executes a case of a suite on the subject and in the oracle, and compares both with the expectation.
///
/// A subject that is part of assay executes under the readings of the case. A device cannot change
/// its readings: it is judged by the current profile and the readings of the command line. So a
/// failing case for other readings is left out, unless the oracle accepts its expectation under the
/// current readings too. A device whose answer is wrong under both fails the case.
pub fn check(
    context: &Context,
    suite: &SuiteFile,
    case: &Case,
    subject: SubjectName,
) -> Result<CheckedCase, RunError> {
    let own = with_readings(suite.own_profile(context)?, case.readings.iter())?;
    let in_force = if subject.follows_readings() {
        case_profile(context, &suite.profile(context)?, case)?
    } else {
        context.profile.clone()
    };
    let execution = hold_under(context, &in_force, case, subject.clone())?;
    let Execution { instruction, judgement, .. } = &execution;
    let is_declined = judgement.answers.first().is_some_and(|a| a.answer == CaseAnswer::Unsupported);
    if is_declined && subject.is_trace() {
        return Ok(CheckedCase::Missing);
    }
    if is_declined && subject.lists(instruction) {
        return Ok(CheckedCase::Undeclared(execution.instruction));
    }
    let differing = differing(&execution.instruction, &own, &in_force);
    // The device follows the readings of the case, or those in force.
    let meets_case = case.expect.is_some() && subject_problem(case, judgement).is_none();
    let is_right = judgement.answers.first().is_some_and(|answer| meets_case || !answer.diverged);
    let is_of_others = matches!(execution.held, CheckResult::No(_))
        && is_right
        && !differing.is_empty()
        && !stands(context, &in_force, case)?
        && stands(context, &own, case)?;
    Ok(if is_of_others { CheckedCase::OtherReadings(differing) } else { CheckedCase::Held(execution.held) })
}

/// Executes a case on the subject and in the oracle, and compares both with the expectation. The
/// profile is that of the suite, with the readings of the case and of the command line.
pub fn hold(
    context: &Context,
    suite: &Profile,
    case: &Case,
    subject: SubjectName,
) -> Result<Execution, RunError> {
    hold_under(context, &case_profile(context, suite, case)?, case, subject)
}

/// Returns the readings of a case's own profile that affect its instruction and differ from the
/// readings in force. If no readings differ but the contracts for the instruction do, names the
/// contract.
fn differing(instruction: &Instruction, own: &Profile, in_force: &Profile) -> Vec<String> {
    let readings = errata(instruction, &in_force.readings);
    let mut differing = errata(instruction, &own.readings);
    differing.retain(|reading| !readings.contains(reading));
    if differing.is_empty() && own.contract_for(instruction) != in_force.contract_for(instruction) {
        differing.push(format!("the contract of {}", own.name));
    }
    differing
}

/// Whether the oracle accepts the expectation of a case under a profile.
fn stands(context: &Context, profile: &Profile, case: &Case) -> Result<bool, RunError> {
    let (instruction, batch) = case.batch(&context.numbers)?;
    let mut inspector = Inspector::pair(SubjectName::MODEL, None, &context.numbers, profile);
    let judgement = inspector.run(&instruction, &batch)?;
    let [_, oracle] = &judgement.answers[..] else { unreachable!("a pair gives two answers") };
    Ok(matches!(
        accepted(case, &instruction, &oracle.answer, &mut inspector),
        CheckResult::Yes | CheckResult::Unjudged
    ))
}

/// Executes a case under a profile.
fn hold_under(
    context: &Context,
    profile: &Profile,
    case: &Case,
    subject: SubjectName,
) -> Result<Execution, RunError> {
    let (instruction, batch) = case.batch(&context.numbers)?;
    let is_device = !subject.follows_readings();
    let mut inspector = Inspector::pair(subject, None, &context.numbers, profile);
    let rerun = case.rerun(&context.numbers)?;
    let judgement = inspector.run_in(&instruction, &batch, rerun.as_ref()).map_err(|error| match error {
        BackendError::MissingLocation(place) => {
            let name = &case.name;
            RunError::input(format!("case {name}: `inputs` lacks {place}, which one of its values leads to"))
        }
        error => error.into(),
    })?;
    let held = verdict(case, &instruction, &judgement, is_device, &mut inspector);
    Ok(Execution { instruction, readings: profile.readings, judgement, held })
}

/// Returns the words for an answer that the oracle refuses.
fn refused(subject: &JudgedAnswer) -> String {
    let (name, verdict) = (&subject.implementation, subject.verdict.as_deref().unwrap_or_default());
    format!("{name}: the oracle refuses its answer: {verdict}")
}

/// Returns how a device failed, if its answer is a failure.
fn failure(answer: &CaseAnswer) -> Option<Failure> {
    match answer {
        CaseAnswer::Effect(_, Some(Event::Failed(failure))) => Some(*failure),
        _ => None,
    }
}

fn verdict(
    case: &Case,
    instruction: &Instruction,
    judgement: &Judgement,
    is_device: bool,
    inspector: &mut Inspector,
) -> CheckResult {
    let [subject, oracle] = &judgement.answers[..] else { unreachable!("a pair gives two answers") };
    if [subject, oracle].iter().any(|a| a.answer == CaseAnswer::Unsupported) {
        return CheckResult::Unsupported;
    }
    if let Some(erratum) = case.undefined {
        let undefined = CaseAnswer::Undefined(erratum.to_string());
        // A device may write any value there. Other effects diverge.
        let is_open = subject.answer == undefined || is_device;
        return if subject.diverged {
            CheckResult::No(refused(subject))
        } else if is_open && oracle.answer == undefined {
            CheckResult::Yes
        } else {
            CheckResult::No(format!("{erratum} should leave it undefined"))
        };
    }
    if let Some(failure) = failure(&subject.answer) {
        return CheckResult::No(format!("{}: {}", subject.implementation, failure.name()));
    }
    if case.expect.is_some()
        && let Some(problem) = subject_problem(case, judgement)
    {
        return CheckResult::No(format!("{}: {problem}", subject.implementation));
    }
    // The oracle judges the answer too, for two reasons. An expectation may allow wrong values
    // between the ends of its spans. A finding under a bound has no expectation.
    if subject.diverged {
        return CheckResult::No(refused(subject));
    }
    if case.expect.is_none() {
        return CheckResult::NothingExpected;
    }
    accepted(case, instruction, &oracle.answer, inspector)
}

/// Whether the oracle accepts the expectation of a case. `inspector` must have run this case last.
pub(crate) fn accepted(
    case: &Case,
    instruction: &Instruction,
    oracle: &CaseAnswer,
    inspector: &mut Inspector,
) -> CheckResult {
    match (oracle, case.undefined) {
        (CaseAnswer::Undefined(erratum), Some(expected)) if *erratum == expected.to_string() => {
            return CheckResult::Yes;
        }
        (_, Some(expected)) => {
            return CheckResult::No(format!("the oracle does not leave it undefined by {expected}"));
        }
        (CaseAnswer::Undefined(erratum), None) => {
            return CheckResult::No(format!("the oracle leaves it undefined by {erratum}"));
        }
        _ => {}
    }
    let mut held = CheckResult::Yes;
    for effects in expected_effects(case) {
        match inspector.accepts(instruction, &effects) {
            Verdict::Diverged(divergence) => {
                let kind = divergence.kind.name();
                let answer = serde_json::to_string(oracle).unwrap_or_default();
                return CheckResult::No(format!(
                    "the oracle refuses the expectation ({kind}); its answer is {answer}"
                ));
            }
            Verdict::Exact | Verdict::Within(_) => {}
            Verdict::Unjudged(_) => held = CheckResult::Unjudged,
            Verdict::Undefined(_) | Verdict::Unsupported => return CheckResult::Unsupported,
        }
    }
    held
}

/// Describes how the subject's effect differs from the expectation, if so.
fn subject_problem(case: &Case, judgement: &Judgement) -> Option<String> {
    let expected = case.expect.as_ref()?;
    match &judgement.answers[0].answer {
        CaseAnswer::Effect(writes, event) => difference(expected, &case.event, writes, event),
        _ => Some("gives no answer".into()),
    }
}

/// Describes all differences between the actual writes and event and those that a case expects.
/// `None` if there is no difference.
pub(super) fn difference(
    expected: &Expected,
    expected_event: &Option<Event>,
    writes: &[(Location, u32)],
    event: &Option<Event>,
) -> Option<String> {
    let wrong = writes.iter().filter_map(|(location, value)| match expected.get(location) {
        None => Some(format!("writes {location}, which must stay as it is")),
        Some(allowed) if allowed.contains(*value) => None,
        Some(allowed) => Some(format!("writes {value:#010x} to {location}, expected {allowed}")),
    });
    let missing = expected.keys().filter(|location| !writes.iter().any(|(l, _)| l == *location));
    let missing = missing.map(|location| format!("does not write {location}"));
    let event = (event != expected_event).then(|| format!("reports {event:?}, expected {expected_event:?}"));
    let all: Vec<String> = wrong.chain(missing).chain(event).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// Returns some effects that the expectation allows. Each end of each span of allowed values occurs
/// in at least one of them.
fn expected_effects(case: &Case) -> Vec<Effects> {
    let Some(expected) = &case.expect else { return Vec::new() };
    let rounds = expected.values().map(|allowed| allowed.ends().len()).max().unwrap_or(1);
    let effect = |round: usize| {
        let mut effects = Effects::default();
        effects.reset(1);
        for (location, allowed) in expected.iter() {
            let (location, values): (Location, _) = (*location, allowed.ends());
            effects.write(location, Lanes::All)[0] = values[round.min(values.len() - 1)];
        }
        if let Some(event) = &case.event {
            effects.event(0, *event);
        }
        effects
    };
    (0..rounds).map(effect).collect()
}

#[cfg(test)]
mod tests {
    use assay_isa::EncodingTable;
    use assay_vectors::Actual;

    use super::*;

    fn result(case: &str, answer: &str) -> CheckResult {
        let case: Case = serde_json::from_str(case).expect(case);
        let answer: Actual = serde_json::from_str(answer).expect(answer);
        let (numbers, profile) =
            (EncodingTable::provisional(), Profile::load("intended").expect("a profile"));
        let (instruction, batch) = case.batch(numbers).expect("a case");
        let mut inspector = Inspector::answered(&answer, &batch, numbers, &profile);
        let mut judgement = inspector.run(&instruction, &batch).expect("answers");
        // Keeps only the subject and the oracle.
        judgement.answers.drain(1..judgement.answers.len() - 1);
        verdict(&case, &instruction, &judgement, false, &mut inspector)
    }

    #[test]
    fn every_difference_is_named() {
        let expected: Expected =
            serde_json::from_str(r#"{"R0": 1, "P0": true, "R3": 2}"#).expect("an expectation");
        let location = |text: &str| text.parse::<Location>().expect("a location");
        let writes = [(location("R0"), 2), (location("P0"), 0), (location("R9"), 1)];
        let text = difference(&expected, &None, &writes, &None).expect("a difference");
        for part in ["to R0", "to P0", "writes R9", "does not write R3"] {
            assert!(text.contains(part), "{text}");
        }
    }

    /// For log2(1), both zeros are right, and all patterns between them are wrong. Without an
    /// expectation the bound decides.
    #[test]
    fn an_answer_that_the_oracle_refuses_is_wrong_whatever_the_case_allows() {
        for expect in [r#","expect":{"R0":"0x00000000..0x80000000"}"#, ""] {
            let case = format!(r#"{{"asm":"MUFU.LG2.F32 R0, R1","inputs":{{"R1":"0x3f800000"}}{expect}}}"#);
            let CheckResult::No(problem) = result(&case, r#"{"R0":"0x40a00000"}"#) else {
                panic!("{case}: 5 passed for log2(1)");
            };
            assert!(problem.contains("the oracle refuses its answer"), "{problem}");
            let right = result(&case, r#"{"R0":"0x00000000"}"#);
            assert!(matches!(right, CheckResult::Yes | CheckResult::NothingExpected), "{case}");
        }
    }
}
