//! From divergences to bugs: shrinks each, explains it where a simple supposition does, and groups it by
//! its signature.
//!
//! | module | job |
//! |---|---|
//! | `examine` | takes the divergences that a run kept, one after the other, and makes a bug of each |
//! | `shrink` | the simplest instruction and values that still show a divergence |
//! | `circumstance` | in which lanes, beside what, and after what it shows |
//! | `condition` | what all failing cases share and no passing one has |
//! | `explain` | the simple rules that predict what a faulty subject does, and the settings that it may follow |
//! | `group` | bugs of one cause become one finding |
//! | `batches`, `probe`, `readings`, `signature` | what these use: batches drawn again, cases around a case, verdicts under other readings, what makes two divergences one bug |

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

use std::collections::{BTreeMap, BTreeSet};

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

/// Greatest number of evaluations for the raw keys of a run, in addition to those for the first divergences.
pub const KEY_BUDGET: usize = 200_000;

/// How often the condition of a finding is found anew because of cases that it does not cover, and about how many of these are
/// kept each time.
const WIDENED: usize = 3;
const OUTSIDE: usize = 64;

/// A bug: the first case that shows it, made small.
#[derive(Clone, Debug)]
pub struct Bug {
    /// The text that distinguishes the bug from others.
    pub signature: String,
    /// Index of the case in the run.
    pub index: u64,
    /// The optypes in which it has shown.
    pub optypes: BTreeSet<&'static str>,
    /// The instruction.
    pub instruction: Instruction,
    /// Its single lane of inputs.
    pub batch: Batch,
    /// What the subject does instead, if something simple.
    pub explanation: Option<Explanation>,
    /// All that explains cases of it, with the optypes of these, if it was made of several bugs.
    pub explained: Vec<KnownExplanation>,
    /// What the bug is without an explanation, if its case always shows.
    unexplained: Option<Unexplained>,
    /// The observed effect of the case; absent if the run did not keep it and the case does not show again.
    pub seen: Option<Observation>,
    /// When the case shows, and what brings it back.
    pub shown: ShownCircumstance,
    /// Where the run met the case.
    pub place: Option<FoundAt>,
    /// Number of divergences of the run that count as this bug: those of the raw keys whose example shows it.
    pub cases: u64,
    /// The functions and value keys of these divergences, where no explanation predicts the result to the bit: those of
    /// a shape follow its signature.
    pub keys: BTreeSet<String>,
    /// The symptom of the smallest case, if nothing explains it and it always shows.
    pub symptom: Option<Symptom>,
    /// The symptom, if nothing explains the bug, the case shows it alone, and no operands need to share a register.
    pub wrong: Option<Symptom>,
    /// The ways in which the bug shows, if `wrong` is present.
    pub shapes: Vec<BugCase>,
    /// What the failing cases of each optype share, if nothing explains them.
    pub conditions: Vec<Condition>,
    /// The kept divergences that showed it, the first of their raw keys.
    pub found: Vec<ObservedDivergence>,
}

/// What a bug is without an explanation.
#[derive(Clone, Debug)]
struct Unexplained {
    signature: String,
    symptom: Symptom,
    /// The symptom, if no operands need to share a register.
    wrong: Option<Symptom>,
}

impl Bug {
    /// All that explains cases of it, with the optypes of these.
    pub fn explanations(&self) -> Vec<KnownExplanation> {
        let own = self.explanation.iter().filter(|_| self.explained.is_empty());
        let own = own.map(|it| KnownExplanation { explanation: it.clone(), optypes: self.optypes.clone() });
        self.explained.iter().cloned().chain(own).collect()
    }

    /// The error that the signature claims of each wrong result, if it is one that not all wrong values show.
    pub fn claimed_error(&self) -> Option<&'static str> {
        let names = CLASSES.iter().map(|kind| kind.name());
        let mut claimed = names.filter(|name| {
            let before = self.signature.strip_suffix(name);
            before.is_some_and(|before| before.ends_with("| ") || before.ends_with(": "))
        });
        claimed.next().filter(|_| self.explanation.is_none())
    }

    /// Takes the explanation away.
    fn leave_unexplained(&mut self) {
        let Some(Unexplained { signature, symptom, wrong }) = &self.unexplained else { return };
        self.signature.clone_from(signature);
        (self.explanation, self.symptom, self.wrong) = (None, Some(*symptom), *wrong);
    }

    /// Its smallest case.
    fn case(&self) -> Case<'_> {
        (&self.instruction, &self.batch)
    }
}

/// One of the ways in which a bug shows: a smallest case.
#[derive(Clone, Debug)]
pub struct BugCase {
    /// Its modifiers, the classes of its operands, and the symptom.
    pub signature: String,
    /// The instruction.
    pub instruction: Instruction,
    /// Its single lane of inputs.
    pub batch: Batch,
}

/// The bugs of a run, and the number of divergences that they do not cover.
#[derive(Clone, Debug, Default)]
pub struct Triaged {
    /// The bugs, in the order of their indices.
    pub bugs: Vec<Bug>,
    /// The divergences that no bug accounts for.
    pub unexamined: Unexamined,
}

/// Divergences that no finding covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unexamined {
    /// Number of kept raw keys that were not examined, because their maximum number was reached.
    pub keys: u64,
    /// Number of divergences of these keys.
    pub cases: u64,
    /// Number of divergences whose raw keys the run did not keep.
    pub beyond_keys: u64,
}

impl Unexamined {
    /// All divergences that were not examined.
    pub fn total(&self) -> u64 {
        self.cases + self.beyond_keys
    }
}

/// Why a divergence that a run kept cannot be examined.
#[derive(Debug, thiserror::Error)]
pub enum TriageError {
    /// It does not name an instruction and all of its inputs.
    #[error(
        "the divergence of case {index}, word {word:#034x}, cannot be read back; was the result file edited?"
    )]
    Unreadable {
        /// Index of the case.
        index: u64,
        /// The word as it stands there.
        word: u128,
    },
    /// An implementation failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

/// Goes through the divergences that a run kept (the first of each function and kind, and those of the raw keys), and
/// keeps one bug for each signature. `batches` draws the batches of the run again.
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
    let mut bugs = group::findings(setup, oracles, examiner.into_bugs())?;
    find_conditions(setup, oracles, &mut bugs, |_| true)?;
    widen_conditions(setup, oracles, &mut bugs)?;
    let mut bugs = group::by_condition(bugs);
    // One condition for the cases of all that are one bug now.
    let has_several = |bug: &Bug| bug.conditions.len() > bug.optypes.len();
    find_conditions(setup, oracles, &mut bugs, has_several)?;
    widen_conditions(setup, oracles, &mut bugs)?;
    Ok(Triaged { bugs, unexamined })
}

/// Finds the condition of each finding that always shows and that nothing explains, in each optype, and leaves out of what was
/// found the cases that something explains. A device that is dead cannot be asked.
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

/// Drawn cases of each optype that failed.
type OfOptype = BTreeMap<&'static str, Vec<(Instruction, Batch)>>;

/// Finds the conditions anew of each finding that drawn cases contradict, with those cases, and takes away what they contradict
/// still. A device that is dead cannot be asked.
fn widen_conditions(setup: &Setup<'_>, oracles: Oracles<'_>, bugs: &mut [Bug]) -> Result<(), TriageError> {
    let known = group::explanations(bugs);
    let mut trial = ConditionTrial::new(setup, oracles, &known);
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

/// The same of one finding.
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
            // A bug without a condition may be what failed anywhere.
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

/// Says "wrong value" in the signature of a finding of which a drawn case shows another error than the smallest ones do.
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

/// The signature of a bug whose wrong results have a condition on the encoding of operands.
fn title_by_condition(bug: &Bug) -> Option<String> {
    match &bug.conditions[..] {
        [condition] if bug.optypes.len() == 1 => condition.title(),
        _ => None,
    }
}

/// The conditions of a finding, one of each optype that has one. They hold for drawn cases, too.
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

/// The case of a divergence that a run kept.
fn materialise(found: &ObservedDivergence, setup: &Setup<'_>) -> Result<(Instruction, Batch), TriageError> {
    let unreadable = || TriageError::Unreadable { index: found.index, word: found.word };
    found.materialise(setup.numbers).ok_or_else(unreadable)
}

/// The raw keys, of every function one before any has a second, so that a budget is shared fairly.
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
