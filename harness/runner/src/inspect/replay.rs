//! Replays a recorded case: executes it, judges it, and assigns the blame.

use assay_engine::run::replay_subject::{RecordedCases, ReplaySubject};
use assay_engine::triage::circumstance::Circumstance;
use assay_isa::effect::Lanes;
use assay_isa::{Batch, Effects, Instruction};
use assay_vectors::{Case, Finding, Profile};

use super::again;
use super::blame::Blame;
use super::explained::admitted;
use super::inspector::{CaseAnswer, Exact, Inspector, Judgement};
use super::participants::{Participants, ReplayedSubject};
use crate::cases::check::{CheckResult, accepted};
use crate::cases::suites::case_profile;
use crate::context::Context;
use crate::error::RunError;
use crate::subjects::SubjectName;

/// A case that was executed again.
pub struct Replayed {
    /// The instruction.
    pub instruction: Instruction,
    /// Its inputs, as a batch of one lane.
    pub batch: Batch,
    /// The profile with the readings of the case and of the user.
    pub profile: Profile,
    /// Name of the subject.
    pub subject: String,
    /// The answers of all implementations.
    pub judgement: Judgement,
    /// If a subject takes the oracle's place: the name of that subject, and the oracle's judgement
    /// of both subjects.
    pub truth: Option<(String, Judgement)>,
    /// The real numbers that are rounded.
    pub reals: Vec<Exact>,
    /// The bounds by which the case is judged, with the values that they allow. Empty if a subject
    /// takes the oracle's place.
    pub admitted: Vec<String>,
    /// The circumstance in which the case shows its recorded effect, if the finding depends on a
    /// circumstance.
    pub again: Option<Circumstance>,
    /// Why the expectation of the case contradicts the oracle, if it does.
    pub contradiction: Option<String>,
    /// The blame for a divergence.
    pub blame: Blame,
}

impl Replayed {
    /// Returns the subject or the oracle if it does not support the case, so that nothing was
    /// compared.
    pub fn declined_by(&self) -> Option<&str> {
        self.judgement.declined_by()
    }

    /// Whether the case was executed, no implementation diverged, the oracle accepts the
    /// expectation, and a transient effect did not show again.
    pub fn is_consistent(&self) -> bool {
        self.declined_by().is_none()
            && self.judgement.is_consistent()
            && self.contradiction.is_none()
            && self.again.as_ref().is_none_or(|again| *again == Circumstance::Never)
    }
}

/// Executes a case of a suite again, under the profile of the suite. `given` is the subject that the user named.
pub fn replay(
    context: &Context,
    suite: &Profile,
    case: &Case,
    named: &Participants,
    given: Option<&SubjectName>,
) -> Result<Replayed, RunError> {
    let profile = case_profile(context, suite, case)?;
    let (instruction, batch) = case.batch(&context.numbers)?;
    let mut inspector = inspector(context, &profile, case, &batch, named);
    let rerun = case.rerun(&context.numbers)?;
    let judgement = inspector.run_in(&instruction, &batch, rerun.as_ref())?;
    let is_silent = judgement.answers.first().is_some_and(|answer| answer.answer == CaseAnswer::Unsupported);
    if let (Some(SubjectName::Trace(recording)), true) = (given, is_silent) {
        let (name, path) = (&case.name, recording.path().display());
        return Err(RunError::input(format!("case {name} is not in {path}, so its effects cannot be shown")));
    }
    let admitted = match named.against {
        None => admitted(&inspector, &instruction),
        Some(_) => Vec::new(),
    };
    let contradiction = contradiction(&mut inspector, case, &instruction, &judgement);
    let reals = inspector.reals(&instruction, &batch)?;
    // A trace or a finding has effects only for its recorded cases, so it cannot execute others.
    let implementation = match &named.subject {
        ReplayedSubject::Recorded | ReplayedSubject::Backend(SubjectName::Trace(_)) => None,
        ReplayedSubject::Backend(implementation) => Some(implementation.clone()),
    };
    let posed = (&instruction, &batch);
    let again = again::circumstance(context, &profile, implementation.as_ref(), case, posed, &judgement)?;
    // A finding with shapes or conditions gets no explanation: other cases of the run refuted all
    // explanations of this case.
    let is_unexplained =
        case.finding.as_ref().is_some_and(|it| !it.shapes.is_empty() || !it.conditions.is_empty());
    let implementation = implementation.filter(|_| !is_unexplained);
    let blame =
        Blame::find(context, &profile, &mut inspector, implementation, &instruction, &batch, &judgement)?;
    let subject = inspector.subject().to_owned();
    let truth = truth(context, &profile, named, &instruction, &batch)?;
    Ok(Replayed {
        instruction,
        batch,
        profile,
        subject,
        judgement,
        truth,
        reals,
        admitted,
        again,
        contradiction,
        blame,
    })
}

/// Returns why the expectation of a case contradicts the oracle, if it does. `inspector` must have
/// judged the case last.
fn contradiction(
    inspector: &mut Inspector,
    case: &Case,
    instruction: &Instruction,
    judgement: &Judgement,
) -> Option<String> {
    let oracle = judgement.answers.last()?;
    // A subject in the oracle's place gives only an opinion.
    let has_expectation = case.expect.is_some() || case.undefined.is_some();
    if !has_expectation || oracle.verdict.is_some() || oracle.answer == CaseAnswer::Unsupported {
        return None;
    }
    match accepted(case, instruction, &oracle.answer, inspector) {
        CheckResult::No(problem) => Some(problem),
        _ => None,
    }
}

/// Returns the inspector for a case and its participants.
fn inspector(
    context: &Context,
    profile: &Profile,
    case: &Case,
    batch: &Batch,
    named: &Participants,
) -> Inspector {
    let numbers = &context.numbers;
    match (&named.subject, &case.finding) {
        // A finding from a trace does not need the trace: it contains the recorded effect.
        (ReplayedSubject::Recorded, Some(finding)) => {
            Inspector::recorded(recorded(finding, batch), numbers, profile)
        }
        (ReplayedSubject::Recorded, None) => {
            Inspector::new(SubjectName::MODEL, named.against.clone(), numbers, profile)
        }
        (ReplayedSubject::Backend(implementation), _) => {
            Inspector::new(implementation.clone(), named.against.clone(), numbers, profile)
        }
    }
}

/// Returns a subject that repeats the effect in a finding.
pub(super) fn recorded(finding: &Finding, batch: &Batch) -> ReplaySubject {
    let mut effects = Effects::default();
    effects.reset(1);
    for (location, value) in finding.actual.iter().flat_map(|values| &values.0) {
        effects.write(*location, Lanes::All)[0] = *value;
    }
    finding.event.iter().for_each(|event| effects.event(0, *event));
    ReplaySubject::new(finding.subject.clone(), [RecordedCases { batch: batch.clone(), effects }])
}

/// Returns the name of the subject in the oracle's place, and the oracle's judgement of both
/// subjects. `None` if there is no such subject, or if the subject is a recorded effect.
fn truth(
    context: &Context,
    profile: &Profile,
    named: &Participants,
    instruction: &Instruction,
    batch: &Batch,
) -> Result<Option<(String, Judgement)>, RunError> {
    let (ReplayedSubject::Backend(subject), Some(opinion)) = (&named.subject, &named.against) else {
        return Ok(None);
    };
    let numbers = &context.numbers;
    let mut inspector =
        Inspector::pair(subject.clone(), None, numbers, profile).and(opinion.clone(), numbers);
    Ok(Some((opinion.to_string(), inspector.run(instruction, batch)?)))
}
