//! From divergences to bugs: each is made small, explained where something simple explains it, and told from others by
//! its signature.

pub mod batches;
mod change;
pub mod circumstance;
mod examine;
pub mod explain;
pub mod lanes;
pub mod otherwise;
mod passes;
mod predict;
mod probe;
mod shared;
pub mod shrink;
pub mod signature;
mod slip;
pub mod suppose;

use std::collections::{BTreeMap, BTreeSet};

use assay_isa::{Batch, Instruction, VoiceError, catalog};
use serde::Serialize;

use crate::divergences::{Divergences, Kept, ValueKey};
use crate::observation::Observation;
use crate::tally::Tally;
use crate::versus::Parties;
use batches::Batches;
use change::Change;
use circumstance::{Circumstance, Shown};
use examine::Examiner;
use explain::{Explanation, Oracles};
use signature::WRONG_VALUE;
use suppose::Supposition;

/// Evaluations that are spent at most on the raw keys of a run, besides those on the first divergences.
pub const KEY_BUDGET: usize = 200_000;

/// A bug: the first case that shows it, made small.
#[derive(Clone, Debug)]
pub struct Bug {
    /// What tells it from others.
    pub signature: String,
    /// Index of the case in the run.
    pub index: u64,
    /// The instruction.
    pub instruction: Instruction,
    /// Its single lane of inputs.
    pub batch: Batch,
    /// What the subject does instead, if something simple.
    pub explanation: Option<Explanation>,
    /// What was seen of the case; absent if the run did not keep it and the case does not show again.
    pub seen: Option<Observation>,
    /// When the case shows, and what brings it back.
    pub shown: Shown,
    /// Where the run met the case.
    pub place: Option<Place>,
    /// The divergences of the run that count as this bug: those of the raw keys whose example shows it.
    pub cases: u64,
    /// The functions and value keys of these divergences, where no explanation says to the bit what the subject does: those
    /// of a shape behind its signature.
    pub keys: BTreeSet<String>,
    /// What is wrong, where nothing explains it, the case shows it alone, and no operands need to meet.
    pub wrong: Option<Wrong>,
    /// The ways in which it shows, where `wrong` is there.
    pub shapes: Vec<Shape>,
}

/// What is wrong about an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The output; none where something is written that should not be, or the other way round.
    pub output: Option<&'static str>,
    /// What is wrong about it, as a symptom says it.
    pub symptom: &'static str,
}

/// One of the ways in which a bug shows: a smallest case.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Its modifiers, the classes of its operands, and the symptom.
    pub signature: String,
    /// The instruction.
    pub instruction: Instruction,
    /// Its single lane of inputs.
    pub batch: Batch,
}

/// Where a run met a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of the batch.
    pub batch: u64,
    /// The lane.
    pub lane: usize,
    /// Lanes of the batch.
    pub lanes: usize,
}

/// The bugs of a run, and what they do not tell of.
#[derive(Clone, Debug, Default)]
pub struct Triaged {
    /// The bugs, in the order of their indices.
    pub bugs: Vec<Bug>,
    /// The divergences that no bug accounts for.
    pub unexamined: Unexamined,
}

/// Divergences that were counted and not examined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Unexamined {
    /// Raw keys that were kept, when [`KEY_BUDGET`] was spent.
    pub keys: u64,
    /// The divergences of these keys.
    pub cases: u64,
    /// Divergences whose raw keys the run did not keep.
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
    #[error("the divergence of case {index}, word {word}, cannot be read back; was the result file edited?")]
    Unreadable {
        /// Index of the case.
        index: u64,
        /// The word as it stands there.
        word: String,
    },
    /// A voice failed.
    #[error(transparent)]
    Voice(#[from] VoiceError),
}

/// Goes through the divergences that a run kept, the first of each function and kind and those of the raw keys, and keeps
/// one for each signature. `batches` draws the batches of the run again.
pub fn bugs(
    parties: &Parties<'_>,
    oracles: Oracles<'_>,
    tally: &Tally,
    batches: Batches<'_>,
) -> Result<Triaged, TriageError> {
    let mut examiner = Examiner::new(parties, oracles, batches);
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
    let mut bugs = examiner.into_bugs();
    bugs.sort_by_key(|bug| bug.index);
    by_equal(&mut bugs);
    by_field(&mut bugs);
    by_theme(&mut bugs);
    by_circumstance(&mut bugs);
    by_output(&mut bugs);
    match shared::by_unit(parties, &mut bugs) {
        Err(VoiceError::Gone { .. }) => {}
        shared => shared?,
    }
    by_twin(&mut bugs);
    by_meeting(&mut bugs);
    Ok(Triaged { bugs: distinct(bugs), unexamined })
}

/// The raw keys, of every function one before any has a second, so that a budget is shared fairly.
fn in_turn(tally: &Tally) -> Vec<(&str, &ValueKey, &Kept)> {
    let keys = tally
        .divergences
        .iter()
        .flat_map(|(function, divergences)| divergences.keys().enumerate().map(move |key| (function, key)));
    let mut keys: Vec<_> =
        keys.map(|(function, (nth, (values, _, kept)))| (nth, (&function[..], values, kept))).collect();
    keys.sort_by_key(|(nth, _)| *nth);
    keys.into_iter().map(|(_, key)| key).collect()
}

/// The first of each signature, with the cases of all.
fn distinct(bugs: Vec<Bug>) -> Vec<Bug> {
    let mut kept: Vec<Bug> = Vec::new();
    for bug in bugs {
        match kept.iter_mut().find(|first| first.signature == bug.signature) {
            Some(first) => {
                first.cases += bug.cases;
                first.keys.extend(bug.keys);
                first.shapes.extend(bug.shapes);
            }
            None => kept.push(bug),
        }
    }
    kept
}

/// From that many ways on to take values of a field for others, it is the field that is not understood.
const FIELD: usize = 3;
/// From that many optypes on that fail in the same circumstance, it is not the optype that matters.
const OPTYPES: usize = 2;

/// Of what explains a bug equally well, prefers what explains a bug of another optype.
fn by_equal(bugs: &mut [Bug]) {
    let explained = bugs.iter().filter_map(|bug| Some((bug.instruction.optype(), bug.explanation.as_ref()?)));
    let themes: BTreeSet<(&str, String)> =
        explained.map(|(optype, explanation)| (optype, explanation.theme())).collect();
    for bug in bugs {
        let (optype, Some(explanation)) = (bug.instruction.optype(), &bug.explanation) else { continue };
        let is_elsewhere =
            |it: &Explanation| themes.iter().any(|(other, theme)| *other != optype && *theme == it.theme());
        if is_elsewhere(explanation) {
            continue;
        }
        let others = explanation.as_well.iter();
        let mut others =
            others.map(|instead| Explanation { instead: instead.clone(), ..explanation.clone() });
        if let Some(other) = others.find(is_elsewhere) {
            bug.signature = format!("{optype} | {other}");
            bug.explanation = Some(other);
        }
    }
}

/// Gives one signature to those that take one value of a field for another, where that happens in many ways.
fn by_field(bugs: &mut [Bug]) {
    let field = |bug: &Bug| match &bug.explanation.as_ref()?.instead {
        Supposition::Change(
            Change::Value { field, .. } | Change::Swapped { field, .. } | Change::Always { field, .. },
        ) => Some((bug.instruction.optype(), *field)),
        _ => None,
    };
    let mut ways: BTreeMap<(&str, &str), BTreeSet<String>> = BTreeMap::new();
    for (bug, key) in bugs.iter().filter_map(|bug| Some((bug, field(bug)?))) {
        ways.entry(key).or_default().insert(bug.signature.clone());
    }
    for bug in bugs {
        if let Some((optype, field)) = field(bug).filter(|key| ways[key].len() >= FIELD) {
            bug.signature = format!("{optype} | {field} is misunderstood");
        }
    }
}

/// Gives one signature to those whose explanations say the same of several operands or optypes.
fn by_theme(bugs: &mut [Bug]) {
    let general: BTreeSet<String> = bugs
        .iter()
        .filter_map(|bug| bug.explanation.as_ref())
        .filter(|explanation| explanation.under.is_none())
        .map(Explanation::theme)
        .collect();
    // What holds without a condition elsewhere needs none here: too few cases around this one had other modifiers.
    let theme = |bug: &Bug| {
        let explanation = bug.explanation.as_ref()?;
        let all = explanation.instead.theme();
        Some(if general.contains(&all) { all } else { explanation.theme() })
    };
    let mut signatures: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (bug, theme) in bugs.iter().filter_map(|bug| Some((bug, theme(bug)?))) {
        signatures.entry(theme).or_default().insert(bug.signature.clone());
    }
    for bug in bugs {
        let Some(theme) = theme(bug) else { continue };
        if signatures[&theme].len() > 1 {
            bug.signature = format!("several | {theme}");
        }
    }
}

/// Gives one signature to those that show in the same circumstance, where that happens to many optypes.
fn by_circumstance(bugs: &mut [Bug]) {
    let circumstance = |bug: &Bug| {
        let circumstance = &bug.shown.circumstance;
        (!circumstance.is_plain()).then(|| circumstance.to_string())
    };
    let mut optypes: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (bug, text) in bugs.iter().filter_map(|bug| Some((bug, circumstance(bug)?))) {
        optypes.entry(text).or_default().insert(bug.instruction.optype());
    }
    for bug in bugs {
        if let Some(text) = circumstance(bug).filter(|text| optypes[text].len() >= OPTYPES) {
            bug.signature = format!("several optypes | {text}");
        }
    }
}

/// Gives one signature to what is wrong about one output of an optype, and nothing explains it. From outside nobody can
/// tell whether a lost bit and a lost carry are one bug: each way in which it shows is kept as a shape. Writes that are not
/// due, or missing, make one finding of several optypes.
fn by_output(bugs: &mut [Bug]) {
    let unwritten = bugs.iter().filter(|bug| bug.wrong.is_some_and(|wrong| wrong.output.is_none()));
    let are_unwritten =
        unwritten.map(|bug| bug.instruction.optype()).collect::<BTreeSet<_>>().len() >= OPTYPES;
    let place = |bug: &Bug, wrong: Wrong| match wrong.output {
        None if are_unwritten => ("several optypes", None),
        output => (bug.instruction.optype(), output),
    };
    let mut functions: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
    let mut symptoms: BTreeMap<_, BTreeSet<&str>> = BTreeMap::new();
    for (bug, wrong) in bugs.iter().filter_map(|bug| Some((bug, bug.wrong?))) {
        functions.entry(place(bug, wrong)).or_default().insert(bug.instruction.function());
        symptoms.entry(place(bug, wrong)).or_default().insert(wrong.symptom);
    }
    for bug in bugs.iter_mut() {
        let Some(wrong) = bug.wrong else { continue };
        let place = place(bug, wrong);
        let function = if functions[&place].len() == 1 { &bug.instruction.function() } else { place.0 };
        let symptom = if symptoms[&place].len() == 1 { wrong.symptom } else { WRONG_VALUE };
        let signature = match wrong.output {
            Some(output) => format!("{function} | {output}: {symptom}"),
            None => format!("{function} | {symptom}"),
        };
        let shape = std::mem::replace(&mut bug.signature, signature);
        // A new shape of what is known may be another bug.
        bug.keys = bug.keys.iter().map(|key| format!("{shape}; {key}")).collect();
        bug.shapes.push(Shape {
            signature: shape,
            instruction: bug.instruction.clone(),
            batch: bug.batch.clone(),
        });
    }
}

/// Gives one signature to what is unexplained and the same in an optype and in its twin of the uniform datapath.
fn by_twin(bugs: &mut [Bug]) {
    let general = |bug: &Bug| {
        let optype = bug.instruction.optype();
        let own = optype.strip_prefix('U').filter(|own| catalog().optype_named(own).is_some())?;
        Some(bug.signature.replacen(optype, own, 1).replace(" urd", " rd").replace(" upu", " pu"))
    };
    let known: BTreeSet<String> = bugs.iter().map(|bug| bug.signature.clone()).collect();
    for bug in bugs.iter_mut().filter(|bug| is_unexplained(bug)) {
        if let Some(signature) = general(bug).filter(|signature| known.contains(signature)) {
            bug.signature = signature;
        }
    }
}

/// Gives one signature to what is unexplained and shows in several optypes where the same operands are one register, or the same
/// result is discarded.
fn by_meeting(bugs: &mut [Bug]) {
    let met = |bug: &Bug| {
        let met = is_unexplained(bug).then(|| signature::meeting(&bug.instruction)).flatten()?;
        bug.signature.contains(&met).then(|| met.replace("ur", "r").replace("up", "p"))
    };
    let mut optypes: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (bug, met) in bugs.iter().filter_map(|bug| Some((bug, met(bug)?))) {
        optypes.entry(met).or_default().insert(bug.instruction.optype());
    }
    for bug in bugs.iter_mut() {
        if let Some(met) = met(bug).filter(|met| optypes[met].len() > 1) {
            bug.signature = format!("several | {met}");
        }
    }
}

/// Whether a bug shows in every lane, and nothing explains it.
fn is_unexplained(bug: &Bug) -> bool {
    bug.explanation.is_none() && bug.shown.circumstance == Circumstance::Always
}
