//! The condition of a finding: what all failing cases have in common, and what distinguishes them
//! from passing cases.
//!
//! Cases around the smallest failing case are executed, in other modes and with other operands.
//! Each case becomes a row of facts with an outcome. If a fact holds for every failing case, it can
//! be part of the condition. The contrary of a fact can be a part, too. Such a fact or contrary
//! becomes a part if it excludes more passing cases than chance explains. Passing cases for which
//! the condition holds do not refute it: a modifier or another operand can hide a wrong result.
//!
//! | module | contents |
//! |---|---|
//! | `fact` | what can be said of a case |
//! | `sample` | cases with their outcomes |

mod fact;
mod sample;

use std::collections::BTreeSet;
use std::fmt;

use assay_isa::location::PT;
use assay_isa::{BackendError, Batch, Instruction, catalog};

use crate::compare::comparator::{Comparator, Setup};
use crate::compare::judge::Verdict;
use crate::stats::features::is_of_channels;
use crate::triage::explain::Explanation;
use crate::triage::explain::drawn::DrawnCases;
use crate::triage::explain::predict::PredictionTrial;
use crate::triage::probe::{Probe, around, some_variants};
use crate::triage::readings::Oracles;
use crate::triage::signature::Symptom;
pub use fact::Fact;
use sample::{CaseSample, SharedFact};

/// Number of lanes that are drawn around the first smallest case. [`FOUND_LANES`] is the number
/// around each other case.
const LANES: usize = 1024;
const FOUND_LANES: usize = 128;
/// Number of variants of the first smallest case. [`FEW_VARIANTS`] is the number for each other
/// smallest case.
const VARIANTS: usize = 96;
const FEW_VARIANTS: usize = 32;
/// Maximum number of smallest cases around which lanes are drawn. [`FOUND`] is the maximum number
/// of other cases.
const MOST_SMALLEST: usize = 4;
const FOUND: usize = 6;
/// Minimum certainty of a part of a condition, in nats. In at most one of e^16 samples, about 10
/// million, may all failing cases have the part by chance.
const CERTAINTY: f64 = 16.0;
/// Minimum number of failing cases for each of two conditions.
const LEAST_HALF: usize = 8;
/// Two conditions are preferred to one condition only if they hold for few passing cases: less than
/// 1/`FEWER` of those for which the one condition holds.
const FEWER: u64 = 4;
/// Maximum number of parts of a condition.
const MOST_PARTS: usize = 4;

/// A fact, or its contrary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConditionPart {
    /// The fact.
    pub fact: Fact,
    /// Whether the fact must hold. Otherwise its contrary must hold.
    pub holds: bool,
}

/// The condition under which cases fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The optype of the cases. The condition holds for no case of another optype.
    pub optype: &'static str,
    /// The parts, at least one. All of them must hold.
    pub parts: Vec<ConditionPart>,
    /// Number of sampled cases that fail and for which the condition holds.
    pub failing: u64,
    /// Number of sampled cases for which the condition holds and that pass.
    pub passing: u64,
    /// Number of sampled cases that pass and for which the condition does not hold.
    pub excluded: u64,
}

impl Condition {
    /// Returns the condition whose parts have these texts, with the numbers of cases.
    ///
    /// # Errors
    ///
    /// Returns the text that is not a fact of the optype, or the optype if it does not exist.
    pub fn parse(
        optype: &str,
        words: &[String],
        [failing, passing, excluded]: [u64; 3],
    ) -> Result<Condition, String> {
        let known = catalog().forms_of(optype).next().ok_or_else(|| optype.to_owned())?;
        let facts = Fact::of_optype(optype);
        let part = |text: &String| {
            let both =
                facts.iter().flat_map(|fact| [true, false].map(|holds| ConditionPart { fact: *fact, holds }));
            let mut same = both.filter(|part| part.fact.words(optype, part.holds) == *text);
            same.next().ok_or_else(|| text.clone())
        };
        let parts = words.iter().map(part).collect::<Result<_, _>>()?;
        Ok(Condition { optype: known.optype.name, parts, failing, passing, excluded })
    }

    /// Returns the text of each part.
    pub fn words(&self) -> Vec<String> {
        self.parts.iter().map(|part| part.fact.words(self.optype, part.holds)).collect()
    }

    /// Whether another condition has the same optype and the same parts, in any order.
    pub fn is_same(&self, other: &Condition) -> bool {
        self.optype == other.optype
            && self.parts.len() == other.parts.len()
            && self.parts.iter().all(|part| other.parts.contains(part))
    }

    /// Returns the condition with only the parts about the encoding of operands: kinds, numbers and
    /// shared registers. Returns `None` if it has no such part.
    pub fn of_encoding(&self) -> Option<Condition> {
        let is_of_encoding = |part: &ConditionPart| {
            matches!(part.fact, Fact::Source(..) | Fact::Encoded(..) | Fact::Meet(..) | Fact::Namesakes(..))
        };
        let parts: Vec<ConditionPart> = self.parts.iter().copied().filter(is_of_encoding).collect();
        (!parts.is_empty()).then(|| Condition { parts, ..self.clone() })
    }

    /// Returns the common signature of bugs with this condition: the optype, and the parts about
    /// the encoding of operands. `None` if it has no such part.
    pub fn title(&self) -> Option<String> {
        self.of_encoding().map(|parts| format!("{} | {parts}", self.optype))
    }

    /// Returns the text about the operands for a signature, such as `ra and rb meet`. `None` unless
    /// exactly one part is about the encoding of operands, and this part is not negated.
    pub fn meeting(&self) -> Option<String> {
        match self.of_encoding()?.parts[..] {
            [part] if part.holds => part.fact.meeting(self.optype),
            _ => None,
        }
    }

    /// Whether two conditions have the same optype, and one of them has all parts of the other.
    fn is_within(&self, other: &Condition) -> bool {
        let has_all =
            |one: &Condition, other: &Condition| one.parts.iter().all(|it| other.parts.contains(it));
        self.optype == other.optype && (has_all(self, other) || has_all(other, self))
    }

    /// Whether findings with the two conditions are one bug. All parts may be equal. It is also
    /// enough that the parts about the encoding of operands are equal, and one condition has all
    /// parts of the other.
    pub fn is_of_one_bug(&self, other: &Condition) -> bool {
        let is_of_encoding = || match (self.of_encoding(), other.of_encoding()) {
            (Some(one), Some(second)) => one.is_same(&second) && self.is_within(other),
            _ => false,
        };
        self.is_same(other) || is_of_encoding()
    }

    /// Whether the condition holds for a lane of a batch.
    pub fn holds(&self, instruction: &Instruction, batch: &Batch, lane: usize) -> bool {
        instruction.optype() == self.optype
            && self.parts.iter().all(|part| part.fact.holds(instruction, batch, lane) == part.holds)
    }
}

/// Writes the condition, such as `where rb is a NaN and ra is no NaN, under cmp NEU`.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (modes, cases): (Vec<_>, Vec<_>) = self
            .parts
            .iter()
            .partition(|part| matches!(part.fact, Fact::Modifier(..) | Fact::Prefix(..) | Fact::Guarded));
        let words = |parts: &[&ConditionPart]| -> Vec<String> {
            parts.iter().map(|part| part.fact.words(self.optype, part.holds)).collect()
        };
        let (modes, cases) = (words(&modes), words(&cases));
        if !cases.is_empty() {
            write!(f, "where {}", cases.join(" and "))?;
        }
        if !modes.is_empty() {
            let comma = if cases.is_empty() { "" } else { ", " };
            write!(f, "{comma}{}", modes.join(" and "))?;
        }
        Ok(())
    }
}

/// A case of one lane.
pub type Case<'a> = (&'a Instruction, &'a Batch);

/// Cases that were executed.
struct ExecutedCases {
    /// The executed cases, with the values at all locations.
    batch: Batch,
    /// For each case, whether it fails as the bug does. `None` if the case fails in another way,
    /// has a known explanation, or has no judged result.
    outcomes: Vec<Option<bool>>,
}

/// The conditions that were found, and the cases that belong to the bug.
pub struct FoundCondition {
    /// The condition. Or two conditions, such that each failing case fulfils at least one. Empty if
    /// no condition was found.
    pub conditions: Vec<Condition>,
    /// For each case in `found`: whether it fails as the bug does, and no known explanation
    /// predicts it.
    pub of_bug: Vec<bool>,
}

/// The explanation of a bug, and the optypes in which the bug has shown.
#[derive(Clone, Debug)]
pub struct KnownExplanation {
    /// The explanation.
    pub explanation: Explanation,
    /// The optypes.
    pub optypes: BTreeSet<&'static str>,
}

/// Finds conditions of bugs. Leaves out cases that a known explanation predicts.
pub struct ConditionTrial<'a> {
    setup: &'a Setup<'a>,
    comparator: Comparator,
    predictions: PredictionTrial<'a>,
    /// The explanations of other bugs of the run, with their optypes. Cases that they predict
    /// belong to those bugs.
    known: &'a [KnownExplanation],
    drawn: DrawnCases,
}

impl<'a> ConditionTrial<'a> {
    /// Returns a trial that leaves out cases with a known explanation.
    pub fn new(
        setup: &'a Setup<'a>,
        oracles: Oracles<'a>,
        known: &'a [KnownExplanation],
    ) -> ConditionTrial<'a> {
        let predictions = PredictionTrial::new(setup, oracles);
        let (comparator, drawn) = (Comparator::new(setup), DrawnCases::default());
        ConditionTrial { setup, comparator, predictions, known, drawn }
    }

    /// Adds failing inputs of a sweep to the drawn cases.
    pub fn with_swept(self, swept: &[(Instruction, Batch)]) -> ConditionTrial<'a> {
        ConditionTrial { drawn: DrawnCases::with_swept(swept), ..self }
    }

    /// Finds the condition under which cases of one optype fail, or two such conditions. The
    /// arguments are the smallest cases of a bug, other cases that may show it, drawn cases that
    /// fail as it does, and its symptom. There is no condition if the failing cases are too few, or
    /// if no fact distinguishes them from passing cases.
    ///
    /// # Errors
    ///
    /// An implementation failed.
    pub fn find(
        &mut self,
        smallest: &[Case<'_>],
        found: &[Case<'_>],
        drawn: &[(Instruction, Batch)],
        symptom: Symptom,
    ) -> Result<FoundCondition, BackendError> {
        let mut of_bug = vec![false; found.len()];
        let Some((first, _)) = smallest.iter().chain(found).next() else {
            return Ok(FoundCondition { conditions: Vec::new(), of_bug });
        };
        let optype = first.form().optype.name;
        let mut sample = CaseSample::new(optype);
        for (is_of_bug, (instruction, case)) in of_bug.iter_mut().zip(found) {
            let Some(executed) = self.outcomes(instruction, case, symptom)? else { continue };
            *is_of_bug = executed.outcomes[0] == Some(true);
            if instruction.access().is_none() {
                sample.add(instruction, &executed.batch, &executed.outcomes);
            }
        }
        // No condition is searched if a value decides the accessed location, or if an instruction
        // performs one operation in many channels.
        if first.access().is_some() || is_of_channels(first) {
            return Ok(FoundCondition { conditions: Vec::new(), of_bug });
        }
        for (instruction, case) in drawn {
            sample.add(instruction, case, &[Some(true)]);
        }
        for (instruction, batch) in self.around(smallest, found)? {
            let Some(executed) = self.outcomes(&instruction, &batch, symptom)? else { continue };
            sample.add(&instruction, &executed.batch, &executed.outcomes);
        }
        Ok(FoundCondition { conditions: conditions_of(&sample, optype), of_bug })
    }

    /// Returns the first drawn cases, at most `most`, that fail as a bug does and fulfil none of
    /// the conditions.
    ///
    /// # Errors
    ///
    /// An implementation failed.
    pub fn outside(
        &mut self,
        optype: &'static str,
        conditions: &[&Condition],
        symptom: Symptom,
        most: usize,
    ) -> Result<Vec<(Instruction, Batch)>, BackendError> {
        let mut outside = Vec::new();
        self.for_failing(optype, conditions, symptom, |probe, lane| {
            outside.push((probe.instruction.clone(), probe.batch.part(lane..lane + 1)));
            outside.len() < most
        })?;
        Ok(outside)
    }

    /// Whether some drawn case shows another error than `claimed`. Only cases count that fail in
    /// the same output as the bug and fulfil no condition of other bugs.
    ///
    /// # Errors
    ///
    /// An implementation failed.
    pub fn shows_another_error(
        &mut self,
        optype: &'static str,
        others: &[&Condition],
        symptom: Symptom,
        claimed: &str,
    ) -> Result<bool, BackendError> {
        let mut is_other = false;
        self.for_failing(optype, others, symptom, |probe, lane| {
            is_other = !probe.shows(lane, claimed);
            !is_other
        })?;
        Ok(is_other)
    }

    /// Calls `seen` with each drawn case that fails as a bug does and fulfils none of the
    /// conditions. Stops when `seen` returns false.
    fn for_failing(
        &mut self,
        optype: &'static str,
        conditions: &[&Condition],
        symptom: Symptom,
        mut seen: impl FnMut(&Probe, usize) -> bool,
    ) -> Result<(), BackendError> {
        for probe in self.drawn.of(self.setup, &mut self.comparator, optype)? {
            let outcomes = outcomes_of(&mut self.predictions, self.known, probe, symptom)?;
            for (lane, outcome) in outcomes.into_iter().enumerate() {
                let is_inside =
                    || conditions.iter().any(|it| it.holds(&probe.instruction, &probe.batch, lane));
                if outcome == Some(true) && !is_inside() && !seen(probe, lane) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Returns cases around the smallest cases and around some of the found cases. If a value
    /// decides the location that an instruction accesses, the instruction is left out, because the
    /// values there are unknown.
    fn around(
        &self,
        smallest: &[Case<'_>],
        found: &[Case<'_>],
    ) -> Result<Vec<(Instruction, Batch)>, BackendError> {
        let mut batches = Vec::new();
        for (nth, (instruction, case)) in smallest.iter().take(MOST_SMALLEST).enumerate() {
            let (lanes, variants) = if nth == 0 { (LANES, VARIANTS) } else { (FOUND_LANES, FEW_VARIANTS) };
            batches.push(((*instruction).clone(), around(self.setup, instruction, case, lanes)?));
            batches.extend(some_variants(self.setup, instruction, case, variants, unguard)?);
        }
        // The first of the found cases differ most, because they have different raw keys.
        for (instruction, case) in found.iter().take(FOUND) {
            batches.push(((*instruction).clone(), around(self.setup, instruction, case, FOUND_LANES)?));
        }
        batches.retain(|(instruction, _)| instruction.access().is_none());
        Ok(batches)
    }

    /// Executes a batch and returns the outcome of each lane. Returns `None` if the right effect is
    /// unknown.
    fn outcomes(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        symptom: Symptom,
    ) -> Result<Option<ExecutedCases>, BackendError> {
        let Some(probe) = Probe::new(self.setup, &mut self.comparator, instruction, batch)? else {
            return Ok(None);
        };
        let outcomes = outcomes_of(&mut self.predictions, self.known, &probe, symptom)?;
        Ok(Some(ExecutedCases { batch: probe.batch, outcomes }))
    }
}

/// Returns for each lane of a probe whether it fails as a bug does. `None` for a lane that a known
/// explanation predicts, that fails in another way, or that has no judged result.
fn outcomes_of(
    predictions: &mut PredictionTrial<'_>,
    known: &[KnownExplanation],
    probe: &Probe,
    symptom: Symptom,
) -> Result<Vec<Option<bool>>, BackendError> {
    let instruction = &probe.instruction;
    let mut outcomes: Vec<_> =
        probe.verdicts.iter().map(|verdict| outcome(instruction, verdict, symptom)).collect();
    for KnownExplanation { explanation, .. } in
        known.iter().filter(|known| known.optypes.contains(instruction.optype()))
    {
        if !outcomes.contains(&Some(true)) {
            break;
        }
        let explained = explanation.explained_lanes(probe, predictions)?;
        let explained = outcomes.iter_mut().zip(explained).filter(|(_, explained)| *explained);
        explained.for_each(|(outcome, _)| *outcome = None);
    }
    Ok(outcomes)
}

/// Removes the guard of every second variant, because drawn guards are hardly ever PT.
fn unguard(nth: usize, variant: &mut Instruction) {
    let guard = variant.form().guard();
    if nth.is_multiple_of(2)
        && let Some(place) = variant.form().position(guard)
    {
        variant.set_at(place, PT.into());
        if let Some(not) = variant.form().position(&format!("{guard}.not")) {
            variant.set_at(not, 0);
        }
    }
}

/// Returns whether a case fails as the bug does, which means in the same output, or passes. `None`
/// if the case fails in another way, or has no judged result.
fn outcome(instruction: &Instruction, verdict: &Verdict, symptom: Symptom) -> Option<bool> {
    match verdict {
        Verdict::Diverged(divergence) => {
            let shown = Symptom::of(instruction, divergence);
            let is_same_error = shown.output.is_some() || shown.error == symptom.error;
            (shown.is_of_same_output(&symptom) && is_same_error).then_some(true)
        }
        verdict => verdict.holds().then_some(false),
    }
}

/// Returns the condition that all failing cases of a sample fulfil. A sample may show two bugs. So
/// returns two conditions, one for each half of the failing cases, if these hold for far fewer
/// passing cases.
fn conditions_of(sample: &CaseSample, optype: &'static str) -> Vec<Condition> {
    let one = search(sample, optype);
    let left = one.as_ref().map_or(sample.passing() as u64, |condition| condition.passing);
    if left == 0 {
        return one.into_iter().collect();
    }
    let pair = |halves: [CaseSample; 2]| -> Option<[Condition; 2]> {
        let [one, other] = &halves;
        Some([search(one, optype)?, search(other, optype)?])
    };
    let left_by = |pair: &[Condition; 2]| pair.iter().map(|condition| condition.passing).sum::<u64>();
    let best = sample.halves(LEAST_HALF).filter_map(pair).min_by_key(left_by);
    match best.filter(|pair| FEWER * left_by(pair) < left) {
        Some(pair) => pair.into(),
        None => one.into_iter().collect(),
    }
}

/// Searches for a condition. Adds the part that excludes most passing cases, again and again, as
/// long as it excludes more than chance explains.
fn search(sample: &CaseSample, optype: &'static str) -> Option<Condition> {
    let candidates = sample.shared();
    let mut inside: Vec<usize> = (0..sample.passing()).collect();
    let mut chosen: Vec<usize> = Vec::new();
    while chosen.len() < MOST_PARTS && !inside.is_empty() {
        let excluded = |candidate: &usize| {
            inside.iter().filter(|case| !sample.has(&candidates[*candidate], **case)).count()
        };
        let is_certain = |(candidate, excluded): &(usize, usize)| {
            let left = (inside.len() - excluded) as f64 / inside.len() as f64;
            // If a part excludes all passing cases, half a case counts as not excluded.
            let left = left.max(0.5 / inside.len() as f64);
            sample.certainty(&candidates[*candidate], left) >= CERTAINTY
        };
        let counted = (0..candidates.len()).map(|candidate| (candidate, excluded(&candidate)));
        // Of parts that exclude equally many cases, takes the first, which is the simplest.
        let best = counted.filter(is_certain).rev().max_by_key(|(_, excluded)| *excluded);
        let Some((best, _)) = best else { break };
        chosen.push(best);
        inside.retain(|case| sample.has(&candidates[best], *case));
    }
    let parts = without_idle(sample, &candidates, chosen);
    if parts.is_empty() {
        return None;
    }
    let (failing, passing) = (sample.failing() as u64, inside.len() as u64);
    Some(Condition { optype, parts, failing, passing, excluded: sample.passing() as u64 - passing })
}

/// Returns the chosen parts, without redundant ones. A part is redundant if the other parts exclude
/// all cases that it excludes.
fn without_idle(
    sample: &CaseSample,
    candidates: &[SharedFact],
    mut chosen: Vec<usize>,
) -> Vec<ConditionPart> {
    let left = |parts: &[usize]| {
        let has_all = |case: &usize| parts.iter().all(|part| sample.has(&candidates[*part], *case));
        (0..sample.passing()).filter(has_all).count()
    };
    let all = left(&chosen);
    let mut place = 0;
    while place < chosen.len() {
        let mut others = chosen.clone();
        others.remove(place);
        if left(&others) == all { chosen = others } else { place += 1 }
    }
    let part = |SharedFact { fact, holds, .. }| ConditionPart { fact, holds };
    chosen.into_iter().map(|place| part(candidates[place])).collect()
}

#[cfg(test)]
mod tests;
