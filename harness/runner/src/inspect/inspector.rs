//! Runs one case on several implementations, and judges their answers.

use std::borrow::Cow;
use std::collections::BTreeMap;

use assay_engine::compare::comparator::{PRECISION, check_shape};
use assay_engine::compare::judge::{Verdict, Verdicts, judge, real, rules};
use assay_engine::run::replay_subject::{RecordedCases, ReplaySubject};
use assay_engine::triage::explain::supposition;
use assay_engine::triage::readings::{judge_as, with_reading};
use assay_isa::format::{F32, Format};
use assay_isa::truth::{Enclosure, TruthValues, Unrounded};
use assay_isa::{
    Answer, BackendError, Batch, Effects, EncodingTable, Erratum, Event, Instruction, Location, Oracle, Real,
    Subject, Truths,
};
use assay_vectors::{Actual, Allowed, Contract, Expected, Profile, Rerun, WrittenValue, gather};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::context::Context;
use crate::subjects::{SubjectName, crosschecks};

/// The text in place of a verdict when another subject replaces the oracle.
const OPINION: &str = "an opinion, taken for the truth";

/// Name of an answer that a user gives.
const ANSWER: &str = "actual";

/// Number of shown digits of a true value that is a real number.
const DIGITS: usize = 25;

/// The answer of an implementation to a case.
#[derive(Clone, Debug, PartialEq)]
pub enum CaseAnswer {
    /// The written locations, and the event.
    Effect(Vec<(Location, u32)>, Option<Event>),
    /// The specification leaves the result open, because of this erratum.
    Undefined(String),
    /// The implementation does not support the instruction.
    Unsupported,
}

impl Serialize for CaseAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (writes, event) = match self {
            CaseAnswer::Unsupported => return serializer.serialize_str("unsupported"),
            CaseAnswer::Undefined(erratum) => return serializer.collect_map([("undefined", erratum)]),
            CaseAnswer::Effect(writes, event) => (writes, event),
        };
        let mut map = serializer.serialize_map(None)?;
        for (location, value) in writes {
            map.serialize_entry(&location.to_string(), &WrittenValue::at(*location, *value))?;
        }
        match event {
            Some(Event::Fault(fault)) => map.serialize_entry("fault", fault.name())?,
            Some(Event::Executed(action)) => map.serialize_entry("executed", &action.to_string())?,
            Some(Event::Failed(failure)) => map.serialize_entry("failed", failure.name())?,
            None => {}
        }
        map.end()
    }
}

impl JsonSchema for CaseAnswer {
    fn schema_name() -> Cow<'static, str> {
        "Answer".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Actual::json_schema(generator)
    }
}

/// An implementation's answer and the verdict on it.
pub struct JudgedAnswer {
    /// Name of the implementation.
    pub implementation: String,
    /// The answer.
    pub answer: CaseAnswer,
    /// The verdict in words. For a subject in the oracle's place, the note that its answer is an
    /// opinion. `None` for the oracle.
    pub verdict: Option<String>,
    /// Whether the answer diverged.
    pub diverged: bool,
    /// Signed error of the answer, if the truth is a real number.
    pub error: Option<real::Error>,
}

/// The answers of all implementations to a case.
pub struct Judgement {
    /// The subjects first, the oracle last.
    pub answers: Vec<JudgedAnswer>,
    /// The truth in decimal, if it is a real number.
    pub value: Option<String>,
}

impl Judgement {
    /// Returns the verdict on the first subject.
    pub fn verdict(&self) -> &str {
        self.answers.first().and_then(|a| a.verdict.as_deref()).unwrap_or("unsupported")
    }

    /// Whether no implementation diverged.
    pub fn is_consistent(&self) -> bool {
        !self.answers.iter().any(|a| a.diverged)
    }

    /// Returns the subject or the oracle if it does not support the case, so that nothing was
    /// compared.
    pub fn declined_by(&self) -> Option<&str> {
        let compared = [self.answers.first(), self.answers.last()];
        let declined = compared.into_iter().flatten().find(|it| it.answer == CaseAnswer::Unsupported);
        declined.map(|it| it.implementation.as_str())
    }
}

/// A real number that is rounded into a location.
pub struct Exact {
    /// The location.
    pub location: Location,
    /// The format to which the number is rounded.
    pub format: Format,
    /// The number.
    pub value: Enclosure,
    /// Whether the location can hold several packed results.
    pub is_packed: bool,
}

impl Exact {
    /// Returns the numbers of the format on either side of the value, each with its error.
    pub fn neighbours(&self) -> Vec<(u32, real::Error)> {
        let mut patterns = real::neighbours(self.format, &self.value).to_vec();
        patterns.dedup();
        patterns.into_iter().map(|bits| (bits, real::error(self.format, bits, &self.value))).collect()
    }

    /// Returns the number in decimal.
    pub fn decimal(&self) -> String {
        assay_mpfr::decimal(&self.value, DIGITS)
    }
}

/// Runs single cases on several implementations, on one thread.
pub struct Inspector {
    subjects: Vec<(String, Box<dyn Subject>)>,
    oracle: Box<dyn Oracle>,
    /// Name of the subject in the oracle's place, whose answer is an opinion.
    opinion: Option<String>,
    profile: Profile,
    /// Truth of the last case.
    pub truths: Truths,
    effects: Effects,
    verdicts: Verdicts,
}

impl Inspector {
    /// Returns an inspector of the given subject, the model, the cross-checks, and the oracle or a
    /// subject in its place.
    pub fn new(
        subject: SubjectName,
        against: Option<SubjectName>,
        numbers: &EncodingTable,
        profile: &Profile,
    ) -> Inspector {
        Inspector::pair(subject, against, numbers, profile).with_crosschecks(numbers)
    }

    /// Returns an inspector of the recorded effect of a case, the model, the cross-checks and the
    /// oracle.
    pub fn recorded(recorded: ReplaySubject, numbers: &EncodingTable, profile: &Profile) -> Inspector {
        let mut inspector = Inspector::pair(SubjectName::MODEL, None, numbers, profile);
        inspector.subjects = vec![(recorded.name().to_owned(), Box::new(recorded))];
        inspector.with_crosschecks(numbers)
    }

    /// Returns an inspector of an answer that the user gives, the model, the cross-checks and the
    /// oracle.
    pub fn answered(answer: &Actual, batch: &Batch, numbers: &EncodingTable, profile: &Profile) -> Inspector {
        let mut effects = Effects::default();
        gather([answer].into_iter(), &mut effects);
        let recorded =
            ReplaySubject::new(ANSWER.to_owned(), [RecordedCases { batch: batch.clone(), effects }]);
        Inspector::recorded(recorded, numbers, profile)
    }

    /// Adds a subject after the present subjects.
    pub fn and(mut self, subject: SubjectName, numbers: &EncodingTable) -> Inspector {
        self.subjects.push((subject.to_string(), subject.subject(numbers, &self.profile)));
        self
    }

    /// Adds the model, unless it is the subject, and the implementations that support only some
    /// instructions.
    fn with_crosschecks(mut self, numbers: &EncodingTable) -> Inspector {
        let model = SubjectName::MODEL.to_string();
        if self.subjects.iter().all(|(name, _)| *name != model) {
            self.subjects.push((model, SubjectName::MODEL.subject(numbers, &self.profile)));
        }
        for implementation in crosschecks(numbers, self.profile.readings) {
            if self.subjects.iter().all(|(name, _)| name != implementation.name()) {
                self.subjects.push((implementation.name().to_owned(), implementation));
            }
        }
        self
    }

    /// Returns an inspector of one subject, and the oracle or a subject in its place.
    pub fn pair(
        subject: SubjectName,
        against: Option<SubjectName>,
        numbers: &EncodingTable,
        profile: &Profile,
    ) -> Inspector {
        Inspector {
            subjects: vec![(subject.to_string(), subject.subject(numbers, profile))],
            oracle: SubjectName::oracle(against.as_ref(), numbers, profile),
            opinion: against.map(|implementation| implementation.to_string()),
            profile: profile.clone(),
            truths: Truths::default(),
            effects: Effects::default(),
            verdicts: Verdicts::default(),
        }
    }

    /// Runs a case of one lane on every implementation.
    pub fn run(&mut self, instruction: &Instruction, batch: &Batch) -> Result<Judgement, BackendError> {
        self.run_in(instruction, batch, None)
    }

    /// Runs a case of one lane on every implementation. With `rerun`, the subjects execute the case
    /// in one lane of a larger batch, after other batches.
    pub fn run_in(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        rerun: Option<&Rerun>,
    ) -> Result<Judgement, BackendError> {
        let known = self.oracle.truth(instruction, batch, PRECISION, &mut self.truths)?;
        let contract = self.contract(instruction);
        let mut answers = Vec::new();
        for (name, subject) in &mut self.subjects {
            let status = match rerun {
                Some(rerun) => execute_lane(subject.as_mut(), rerun, &mut self.effects)?,
                None => subject.execute(batch, &mut self.effects)?,
            };
            if status != Answer::Known {
                self.effects.reset(batch.len());
            }
            let answer = case_answer(status, self.effects.undefined(), || effect(&self.effects));
            let verdict = match (known, status) {
                (_, Answer::Unsupported) | (Answer::Unsupported, _) => {
                    VerdictText::text("unsupported".into())
                }
                _ => {
                    judge(&contract, instruction, &self.truths, &self.effects, &mut self.verdicts);
                    VerdictText::verdict(self.verdicts.of(0))
                }
            };
            let VerdictText { text, diverged, error } = verdict;
            answers.push(JudgedAnswer {
                implementation: name.clone(),
                answer,
                verdict: Some(text),
                diverged,
                error,
            });
        }
        let answer = case_answer(known, self.truths.undefined(), || truth(&self.truths));
        let verdict = self.opinion.is_some().then(|| OPINION.to_owned());
        let oracle = self.opinion.clone().unwrap_or_else(|| self.oracle.name().to_owned());
        answers.push(JudgedAnswer { implementation: oracle, answer, verdict, diverged: false, error: None });
        let has_value = known == Answer::Known && self.truths.undefined().is_empty();
        Ok(Judgement { answers, value: has_value.then(|| value(&self.truths)).flatten() })
    }

    /// Returns the contract of an instruction.
    pub fn contract(&self, instruction: &Instruction) -> Contract {
        self.profile.contract_for(instruction)
    }

    /// Returns the name of the first implementation.
    pub fn subject(&self) -> &str {
        &self.subjects[0].0
    }

    /// Executes the case on the first implementation again. Returns the settings of errata that
    /// each make the result right, if only this setting is changed. Empty if the result is right
    /// under the current settings.
    pub fn right_under(
        &mut self,
        context: &Context,
        instruction: &Instruction,
        batch: &Batch,
    ) -> Result<Vec<(Erratum, u8)>, BackendError> {
        let mut right = Vec::new();
        self.subjects[0].1.execute(batch, &mut self.effects)?;
        let readings = self.profile.readings;
        let holds = |profile: &Profile| -> Result<bool, BackendError> {
            let mut oracle = context.oracle_under(profile.readings, None);
            let judged = judge_as(oracle.as_mut(), profile, instruction, batch, &self.effects)?;
            Ok(judged.is_some_and(|verdicts| verdicts.of(0).holds()))
        };
        if holds(&self.profile)? {
            return Ok(right);
        }
        for (erratum, setting) in supposition::settings(instruction, &readings) {
            if holds(&with_reading(&self.profile, erratum, setting))? {
                right.push((erratum, setting));
            }
        }
        Ok(right)
    }

    /// Returns the real numbers that the last case rounds or approximates.
    pub fn reals(&mut self, instruction: &Instruction, batch: &Batch) -> Result<Vec<Exact>, BackendError> {
        let mut exact = Vec::new();
        let mut reals = Vec::new();
        for truth in self.truths.columns().iter().filter(|truth| truth.written.contains(0)) {
            if let TruthValues::Reals { format, packed, values, .. } = &truth.values {
                let near = values[..*packed].iter().filter_map(|value| match value {
                    Real::Near(y) => Some(*y),
                    _ => None,
                });
                reals.extend(near.map(|value| Exact {
                    location: truth.location,
                    format: *format,
                    value,
                    is_packed: *packed > 1,
                }));
            }
        }
        if self.oracle.unrounded(instruction, batch, PRECISION, &mut exact)?
            && let (Some(Unrounded::Number(value)), Some(truth)) =
                (exact.first(), self.truths.columns().first())
        {
            reals.push(Exact { location: truth.location, format: F32, value: *value, is_packed: false });
        }
        Ok(reals)
    }

    /// Judges an effect by the truth of the last case.
    pub fn accepts(&mut self, instruction: &Instruction, effects: &Effects) -> Verdict {
        let contract = self.profile.contract_for(instruction);
        judge(&contract, instruction, &self.truths, effects, &mut self.verdicts);
        self.verdicts.of(0)
    }
}

/// Executes batches in order, and then the batch with the judged lane. Leaves only the effects of
/// that lane in `effects`. If the device fails in any other lane, the judged lane gets that failure.
/// An earlier batch that the subject does not support is left out.
fn execute_lane(
    subject: &mut dyn Subject,
    Rerun { before, batch, lane }: &Rerun,
    effects: &mut Effects,
) -> Result<Answer, BackendError> {
    let failure = |effects: &Effects| {
        effects.events().iter().map(|(_, event)| *event).find(|event| matches!(event, Event::Failed(_)))
    };
    let mut failed = None;
    for batch in before {
        if subject.execute(batch, effects)? == Answer::Known {
            failed = failed.or_else(|| failure(effects));
        }
    }
    let answer = subject.execute(batch, effects)?;
    if answer == Answer::Known {
        check_shape(subject.name(), effects, batch)?;
        failed = failed.or_else(|| failure(effects));
        *effects = RecordedCases::of_lane(batch, effects, *lane).effects;
        failed.filter(|_| failure(effects).is_none()).into_iter().for_each(|event| effects.event(0, event));
    }
    Ok(answer)
}

/// A verdict in words.
struct VerdictText {
    text: String,
    diverged: bool,
    error: Option<real::Error>,
}

impl VerdictText {
    fn text(text: String) -> VerdictText {
        VerdictText { text, diverged: false, error: None }
    }

    fn verdict(verdict: Verdict) -> VerdictText {
        match verdict {
            Verdict::Exact => VerdictText::text("exact".into()),
            Verdict::Unjudged(error) => {
                VerdictText { error: Some(error), ..VerdictText::text("unjudged".into()) }
            }
            Verdict::Within(error) => {
                VerdictText { error: Some(error), ..VerdictText::text("within".into()) }
            }
            Verdict::Diverged(divergence) => VerdictText {
                text: format!("diverged: {}", divergence.kind.name()),
                diverged: true,
                error: divergence.error,
            },
            Verdict::Undefined(erratum) => VerdictText::text(format!("undefined ({erratum})")),
            Verdict::Unsupported => VerdictText::text("unsupported".into()),
        }
    }
}

fn case_answer(
    answer: Answer,
    undefined: &[(usize, Erratum)],
    effect: impl Fn() -> (Vec<(Location, u32)>, Option<Event>),
) -> CaseAnswer {
    match (answer, undefined) {
        (Answer::Unsupported, _) => CaseAnswer::Unsupported,
        (Answer::Known, [(_, erratum), ..]) => CaseAnswer::Undefined(erratum.to_string()),
        (Answer::Known, []) => {
            let (writes, event) = effect();
            CaseAnswer::Effect(writes, event)
        }
    }
}

fn effect(effects: &Effects) -> (Vec<(Location, u32)>, Option<Event>) {
    let writes: BTreeMap<Location, u32> = effects.lane(0).collect();
    (writes.into_iter().collect(), effects.event_of(0).cloned())
}

/// Returns the truth as bits. Real numbers are correctly rounded.
fn truth(truths: &Truths) -> (Vec<(Location, u32)>, Option<Event>) {
    let written = truths.columns().iter().filter(|t| t.written.contains(0));
    let writes = written.map(|truth| (truth.location, rules::nearest(truth)[0]));
    (writes.collect(), truths.event_of(0).cloned())
}

/// Returns the real numbers of the truth in decimal, the low half of a packed result first. `None`
/// if the truth consists of exact bits.
fn value(truths: &Truths) -> Option<String> {
    let digits = |value: &Real| match value {
        Real::Near(y) => assay_mpfr::decimal(y, DIGITS),
        Real::SignedZero { negative: true } => "-0".to_owned(),
        Real::Zero | Real::SignedZero { .. } => "0".to_owned(),
        Real::Bits(bits) => format!("{bits:#06x}"),
    };
    truths.columns().iter().filter(|t| t.written.contains(0)).find_map(|truth| match &truth.values {
        TruthValues::Reals { packed, values, .. } => {
            let lane = &values[..*packed];
            let is_number = lane.iter().any(|value| !matches!(value, Real::Bits(_)));
            is_number.then(|| lane.iter().map(digits).collect::<Vec<_>>().join(", "))
        }
        TruthValues::Bits(_) => None,
    })
}

/// Returns the expectation of a case if exact bits decide. `None` if a bound decides.
pub fn expectation(truths: &Truths) -> Option<Expected> {
    let mut expected = BTreeMap::new();
    for truth in truths.columns().iter().filter(|t| t.written.contains(0)) {
        if let TruthValues::Reals { packed, values, .. } = &truth.values
            && values[..*packed].iter().any(|value| !matches!(value, Real::Bits(_)))
        {
            return None;
        }
        expected.insert(truth.location, Allowed::one(rules::nearest(truth)[0]));
    }
    Some(Expected(expected))
}
