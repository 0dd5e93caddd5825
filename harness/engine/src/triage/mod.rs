//! Turns divergences into bugs: shrinks each divergence, explains it by a simple supposition if
//! possible, and groups it by signature.
//!
//! | module | job |
//! |---|---|
//! | `examine` | finds the bug of each divergence that a run kept |
//! | `shrink` | the simplest instruction and values that still show a divergence |
//! | `circumstance` | the lanes, neighbours, batches or threads with which a divergence shows |
//! | `condition` | what distinguishes the failing cases of a bug from passing cases |
//! | `explain` | the simple rules that predict what a faulty subject does, and the settings that it may follow |
//! | `group` | bugs of one cause become one finding |
//! | `batches` | batches of the run, drawn again |
//! | `probe` | cases around a case |
//! | `readings` | verdicts under other readings |
//! | `swept` | failing inputs from all over the inputs of a swept function |
//! | `signature` | what makes two divergences one bug |

pub mod batches;
pub mod circumstance;
pub mod condition;
mod examine;
pub mod explain;
mod group;
pub mod probe;
pub mod readings;
pub mod shrink;
pub mod signature;
mod swept;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use assay_isa::{BackendError, Batch, Instruction};
use assay_vectors::FoundAt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compare::comparator::Setup;
use crate::compare::observation::Observation;
use crate::stats::divergences::{Divergences, KeptDivergences, ValueKey};
use crate::stats::finding::ObservedDivergence;
use crate::stats::tally::Tally;
use batches::RedrawnBatches;
use circumstance::ShownCircumstance;
use condition::{Case, Condition, ConditionTrial, FoundCondition, KnownExplanation};
use examine::Triager;
use explain::Explanation;
use readings::Oracles;
use signature::{CLASSES, Symptom, WRONG_VALUE};

/// Maximum number of evaluations for the raw keys of a run. Evaluations for the first divergences
/// are not included.
pub const KEY_BUDGET: usize = 200_000;

/// Time after which no further raw key is examined and no case is made smaller. Only a slow device
/// reaches this limit. The remaining divergences are then counted as not examined. A nightly run
/// stops a stage whose triage takes ten minutes.
const TIME: Duration = Duration::from_secs(480);

/// Maximum number of times that a condition is searched again because drawn cases contradict it.
/// For each search and optype, at most [`OUTSIDE`] contradicting cases are added.
const WIDENED: usize = 3;
const OUTSIDE: usize = 64;

/// A bug, with the first case that shows it, simplified.
#[derive(Clone, Debug)]
pub struct Bug {
    /// The text that distinguishes the bug from others.
    pub signature: String,
    /// Index of the case in the run.
    pub index: u64,
    /// The optypes in which the bug has shown.
    pub optypes: BTreeSet<&'static str>,
    /// The instruction.
    pub instruction: Instruction,
    /// The inputs of the case: a batch of one lane.
    pub batch: Batch,
    /// The faulty behaviour of the subject, if a simple rule predicts it.
    pub explanation: Option<Explanation>,
    /// The explanations of the bug's cases, with their optypes, if the bug was merged from several
    /// bugs.
    pub explained: Vec<KnownExplanation>,
    /// The description of the bug without an explanation, if its case always shows.
    unexplained: Option<Unexplained>,
    /// The observed effect of the case. `None` if the run did not store it and the case does not
    /// show again.
    pub seen: Option<Observation>,
    /// When the case shows, and which batches bring it back.
    pub shown: ShownCircumstance,
    /// Where the run found the case.
    pub place: Option<FoundAt>,
    /// Number of divergences of the run that are counted for this bug. If the example of a raw key
    /// shows the bug, all divergences of the key count.
    pub cases: u64,
    /// The functions and value keys of these divergences. If an explanation already predicted the
    /// example of a key bit by bit, the key is left out. The key of a shape begins with the shape's
    /// signature.
    pub keys: BTreeSet<String>,
    /// The symptom of the smallest case, if the case has no explanation and always shows.
    pub symptom: Option<Symptom>,
    /// The symptom, if the bug has no explanation, the case always shows it, and no operands need
    /// to share a register.
    pub wrong: Option<Symptom>,
    /// The ways in which the bug shows, if `wrong` is present.
    pub shapes: Vec<BugCase>,
    /// The conditions of the failing cases of each optype, if the bug has no explanation.
    pub conditions: Vec<Condition>,
    /// The divergences that showed the bug. Each is the first of its raw key.
    pub found: Vec<ObservedDivergence>,
}

/// The description of a bug without an explanation.
#[derive(Clone, Debug)]
struct Unexplained {
    signature: String,
    symptom: Symptom,
    /// The symptom, if no operands need to share a register.
    wrong: Option<Symptom>,
}

impl Bug {
    /// Returns the explanations of the bug's cases, with their optypes.
    pub fn explanations(&self) -> Vec<KnownExplanation> {
        let own = self.explanation.iter().filter(|_| self.explained.is_empty());
        let own = own.map(|it| KnownExplanation { explanation: it.clone(), optypes: self.optypes.clone() });
        self.explained.iter().cloned().chain(own).collect()
    }

    /// Returns the error class that the signature gives for all wrong results. `None` unless it is
    /// a special class and the bug has no explanation.
    pub fn claimed_error(&self) -> Option<&'static str> {
        let names = CLASSES.iter().map(|kind| kind.name());
        let mut claimed = names.filter(|name| {
            let before = self.signature.strip_suffix(name);
            before.is_some_and(|before| before.ends_with("| ") || before.ends_with(": "))
        });
        claimed.next().filter(|_| self.explanation.is_none())
    }

    /// Removes the explanation, and restores the description without one.
    fn leave_unexplained(&mut self) {
        let Some(Unexplained { signature, symptom, wrong }) = &self.unexplained else { return };
        self.signature.clone_from(signature);
        (self.explanation, self.symptom, self.wrong) = (None, Some(*symptom), *wrong);
    }

    /// Returns the smallest case of the bug.
    fn case(&self) -> Case<'_> {
        (&self.instruction, &self.batch)
    }
}

/// A shape of a bug: one of the ways in which it shows, with a smallest case.
#[derive(Clone, Debug)]
pub struct BugCase {
    /// The modifiers, the classes of the operands, and the symptom.
    pub signature: String,
    /// The instruction.
    pub instruction: Instruction,
    /// The inputs of the case: a batch of one lane.
    pub batch: Batch,
}

/// The bugs of a run, and the number of divergences that were not examined.
#[derive(Clone, Debug, Default)]
pub struct Triaged {
    /// The bugs, in the order of their indices.
    pub bugs: Vec<Bug>,
    /// The divergences that are counted for no bug.
    pub unexamined: Unexamined,
}

/// Divergences that no finding covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unexamined {
    /// Number of kept raw keys that were not examined, because the limit of evaluations or of time
    /// was reached.
    pub keys: u64,
    /// Number of divergences of these keys.
    pub cases: u64,
    /// Number of divergences whose raw keys the run did not keep.
    pub beyond_keys: u64,
}

impl Unexamined {
    /// Returns the number of all divergences that were not examined.
    pub fn total(&self) -> u64 {
        self.cases + self.beyond_keys
    }
}

/// An error that prevents the examination of a kept divergence.
#[derive(Debug, thiserror::Error)]
pub enum TriageError {
    /// The divergence does not name an instruction and all of its inputs.
    #[error(
        "the divergence of case {index}, word {word:#034x}, cannot be read back; was the result file edited?"
    )]
    Unreadable {
        /// Index of the case.
        index: u64,
        /// The instruction word of the divergence.
        word: u128,
    },
    /// An implementation failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

/// Examines the divergences that a run kept: the first of each function and kind, and the first of
/// each raw key. Returns one bug for each signature. `batches` draws the batches of the run again.
pub fn bugs(
    setup: &Setup<'_>,
    oracles: Oracles<'_>,
    tally: &Tally,
    batches: RedrawnBatches<'_>,
) -> Result<Triaged, TriageError> {
    let mut examiner = Triager::new(setup, oracles, batches);
    let mut firsts: Vec<_> = tally.findings.values().flatten().collect();
    firsts.sort();
    firsts.into_iter().try_for_each(|found| examiner.examine_first(found))?;
    let beyond_keys = tally.divergences.values().map(Divergences::beyond).sum();
    let mut unexamined = Unexamined { beyond_keys, ..Unexamined::default() };
    for (function, values, kept) in in_turn(tally) {
        if !examiner.examine_key((function, values), kept)? {
            unexamined.keys += 1;
            unexamined.cases += kept.count;
        }
    }
    let is_over = examiner.is_over();
    let mut bugs = group::findings(setup, oracles, examiner.into_bugs())?;
    if is_over {
        return Ok(Triaged { bugs, unexamined });
    }
    let swept = match swept::failing(setup, tally) {
        Err(TriageError::Backend(BackendError::Gone { .. })) => return Ok(Triaged { bugs, unexamined }),
        swept => swept?,
    };
    find_conditions(setup, oracles, &mut bugs, |_| true)?;
    widen_conditions(setup, oracles, &mut bugs, &swept)?;
    let mut bugs = group::by_condition(bugs);
    // Bugs that were merged need a common condition for all of their cases.
    let has_several = |bug: &Bug| bug.conditions.len() > bug.optypes.len();
    find_conditions(setup, oracles, &mut bugs, has_several)?;
    widen_conditions(setup, oracles, &mut bugs, &swept)?;
    Ok(Triaged { bugs, unexamined })
}

/// Finds the conditions of each unexplained finding that always shows, for each optype. Removes
/// from the finding cases that do not fail as the finding does, or that have a known explanation.
/// Stops if the device is dead.
fn find_conditions(
    setup: &Setup<'_>,
    oracles: Oracles<'_>,
    bugs: &mut [Bug],
    is_asked: impl Fn(&Bug) -> bool,
) -> Result<(), TriageError> {
    let known = group::explanations(bugs);
    let mut trial = ConditionTrial::new(setup, oracles, &known);
    for bug in bugs.iter_mut().filter(|bug| is_asked(bug)) {
        let Some(symptom) = bug.symptom.filter(|_| bug.explanation.is_none()) else { continue };
        match conditions(&mut trial, setup, bug, symptom, &OfOptype::new()) {
            Err(TriageError::Backend(BackendError::Gone { .. })) => return Ok(()),
            conditions => bug.conditions = conditions?,
        }
    }
    Ok(())
}

/// Drawn cases that failed, by optype.
type OfOptype = BTreeMap<&'static str, Vec<(Instruction, Batch)>>;

/// Searches again for conditions that drawn cases or failing inputs of a sweep contradict, with these
/// cases included. Removes conditions that such cases still contradict. Stops if the device is dead.
fn widen_conditions(
    setup: &Setup<'_>,
    oracles: Oracles<'_>,
    bugs: &mut [Bug],
    swept: &[(Instruction, Batch)],
) -> Result<(), TriageError> {
    let known = group::explanations(bugs);
    let mut trial = ConditionTrial::new(setup, oracles, &known).with_swept(swept);
    for place in 0..bugs.len() {
        let Some(symptom) = bugs[place].symptom.filter(|_| bugs[place].explanation.is_none()) else {
            continue;
        };
        let widened = widen(&mut trial, setup, bugs, place, symptom)
            .and_then(|()| Ok(broaden_error(&mut trial, bugs, place, symptom)?));
        match widened {
            Err(TriageError::Backend(BackendError::Gone { .. })) => return Ok(()),
            widened => widened?,
        }
    }
    Ok(())
}

/// Like [`widen_conditions`], for one finding.
fn widen(
    trial: &mut ConditionTrial<'_>,
    setup: &Setup<'_>,
    bugs: &mut [Bug],
    place: usize,
    symptom: Symptom,
) -> Result<(), TriageError> {
    let mut outside = OfOptype::new();
    let title = title_by_condition(&bugs[place]);
    for round in 0..=WIDENED {
        let mut contradicted = BTreeSet::new();
        for optype in bugs[place].conditions.iter().map(|it| it.optype) {
            let all = || bugs.iter().enumerate().filter(|(_, bug)| bug.optypes.contains(optype));
            let has_condition = |bug: &Bug| bug.conditions.iter().any(|it| it.optype == optype);
            let mut others = all().filter(|(nth, bug)| *nth != place && bug.explanation.is_none());
            // If another bug has no condition, it may have caused any of the failures.
            if others.any(|(_, bug)| !has_condition(bug)) {
                continue;
            }
            let conditions: Vec<&Condition> = all().flat_map(|(_, bug)| &bug.conditions).collect();
            let new = trial.outside(optype, &conditions, symptom, OUTSIDE)?;
            if !new.is_empty() {
                contradicted.insert(optype);
                outside.entry(optype).or_default().extend(new);
            }
        }
        if contradicted.is_empty() {
            break;
        }
        let bug = &mut bugs[place];
        if round == WIDENED {
            bug.conditions.retain(|it| !contradicted.contains(it.optype));
        } else {
            bug.conditions = conditions(trial, setup, bug, symptom, &outside)?;
        }
    }
    let bug = &mut bugs[place];
    if title.is_some_and(|title| title == bug.signature) {
        let anew = title_by_condition(bug).or_else(|| Some(bug.unexplained.as_ref()?.signature.clone()));
        anew.into_iter().for_each(|anew| bug.signature = anew);
    }
    Ok(())
}

/// Changes the signature of a finding to "wrong value" if a drawn case shows another error than the
/// signature claims.
fn broaden_error(
    trial: &mut ConditionTrial<'_>,
    bugs: &mut [Bug],
    place: usize,
    symptom: Symptom,
) -> Result<(), BackendError> {
    let Some(claimed) = bugs[place].claimed_error() else { return Ok(()) };
    let others = bugs.iter().enumerate().filter(|(nth, _)| *nth != place);
    let others: Vec<&Condition> = others.flat_map(|(_, bug)| &bug.conditions).collect();
    let mut shows_another = false;
    for optype in bugs[place].optypes.clone() {
        shows_another = shows_another || trial.shows_another_error(optype, &others, symptom, claimed)?;
    }
    if shows_another {
        let signature = &mut bugs[place].signature;
        signature.truncate(signature.len() - claimed.len());
        signature.push_str(WRONG_VALUE);
    }
    Ok(())
}

/// Returns the signature of a bug whose wrong results have a condition on the encoding of operands.
fn title_by_condition(bug: &Bug) -> Option<String> {
    match &bug.conditions[..] {
        [condition] if bug.optypes.len() == 1 => condition.title(),
        _ => None,
    }
}

/// Finds the conditions of a finding, for each optype. The conditions also hold for the `drawn`
/// failing cases. Keeps in `found` only cases that fail as the bug does and have no known
/// explanation.
fn conditions(
    trial: &mut ConditionTrial<'_>,
    setup: &Setup<'_>,
    bug: &mut Bug,
    symptom: Symptom,
    drawn: &OfOptype,
) -> Result<Vec<Condition>, TriageError> {
    let cases = bug.found.iter().map(|found| materialise(found, setup)).collect::<Result<Vec<_>, _>>()?;
    let shapes = bug.shapes.iter().map(|shape| (&shape.instruction, &shape.batch));
    let mut smallest = vec![(&bug.instruction, &bug.batch)];
    smallest.extend(shapes.filter(|case| *case != (&bug.instruction, &bug.batch)));
    let all = smallest.iter().map(|(it, _)| it.optype()).chain(cases.iter().map(|(it, _)| it.optype()));
    let (mut conditions, mut found) = (Vec::new(), Vec::new());
    for optype in all.collect::<BTreeSet<&str>>() {
        let smallest: Vec<Case<'_>> =
            smallest.iter().copied().filter(|(it, _)| it.optype() == optype).collect();
        let own = bug.found.iter().zip(&cases).filter(|(_, (it, _))| it.optype() == optype);
        let (own, cases): (Vec<_>, Vec<Case<'_>>) = own.map(|(own, (it, batch))| (own, (it, batch))).unzip();
        let FoundCondition { conditions: own_conditions, of_bug } =
            trial.find(&smallest, &cases, drawn.get(optype).map_or(&[], |it| it), symptom)?;
        conditions.extend(own_conditions);
        found.extend(
            own.into_iter().zip(of_bug).filter(|(_, is_of_bug)| *is_of_bug).map(|(own, _)| own.clone()),
        );
    }
    bug.found = found;
    Ok(conditions)
}

/// Returns the case of a divergence that a run kept.
fn materialise(found: &ObservedDivergence, setup: &Setup<'_>) -> Result<(Instruction, Batch), TriageError> {
    let unreadable = || TriageError::Unreadable { index: found.index, word: found.word };
    found.materialise(setup.numbers).ok_or_else(unreadable)
}

/// Returns the raw keys: first one key of every function, then a second key of every function, and
/// so on. So each function gets a fair share of the budget.
fn in_turn(tally: &Tally) -> Vec<(&str, &ValueKey, &KeptDivergences)> {
    let keys = tally
        .divergences
        .iter()
        .flat_map(|(function, divergences)| divergences.keys().enumerate().map(move |key| (function, key)));
    let mut keys: Vec<_> =
        keys.map(|(function, (nth, (values, _, kept)))| (nth, (&function[..], values, kept))).collect();
    keys.sort_by_key(|(nth, _)| *nth);
    keys.into_iter().map(|(_, key)| key).collect()
}
