//! Finds out whether a simple rule explains a divergence. Each [supposition] is tested on many
//! cases around the divergence.
//!
//! The cases vary everything on which a fault may depend: values, form, registers and their
//! sharing, destination, guard and modifiers. A case refutes a supposition if the subject is right
//! and the supposition predicts a wrong result.

pub(in crate::triage) mod drawn;
mod evidence;
pub(in crate::triage) mod misread;
pub(in crate::triage) mod predict;
pub mod settings;
pub mod supposition;
mod value_slip;

use std::fmt;

use assay_isa::row::FieldType;
use assay_isa::{BackendError, Batch, Event, Instruction};
use assay_vectors::in_batch::uniform;

use crate::compare::comparator::{Comparator, Setup};
use crate::compare::judge::Verdict;
use crate::triage::explain::drawn::{DRAWN, drawn};
use crate::triage::explain::evidence::TOLD;
use crate::triage::explain::misread::{Change, Misread};
use crate::triage::explain::predict::{PredictedLanes, PredictionTrial};
use crate::triage::explain::supposition::{Supposition, suppositions};
use crate::triage::probe::{Probe, around, variants};
use crate::triage::readings::Oracles;

pub use crate::triage::explain::evidence::Evidence;

/// Number of lanes around the smallest case. [`FOUND_LANES`] is the number around each case from
/// which it was shrunk.
const LANES: usize = 512;
const FOUND_LANES: usize = 128;
/// Number of lanes of a batch that holds one case. All lanes have the values of the case. They
/// differ only in places that could be read if a number is misread.
const ALONE: usize = 8;

/// One refuting case is tolerated for this number of explained cases: around a case, and among
/// drawn cases. In the refuting case, another bug may cancel this bug.
const SPOILT: [usize; 2] = [16, 4];

/// Number of other instructions that must be explained if [`is_varied`] demands it.
const VARIED: usize = 3;

/// The explanation of a wrong result, with its evidence.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The behaviour of the subject.
    pub instead: Supposition,
    /// The modifier that the explanation requires, if any: field and value.
    pub under: Option<(&'static str, &'static str)>,
    /// The numbers of cases around the bug's case that agree or disagree.
    pub evidence: Evidence,
    /// Other suppositions with the same weight of evidence, under the same modifier.
    pub as_well: Vec<Supposition>,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.instead.fmt(f)?;
        self.under.map_or(Ok(()), |(field, value)| f.write_str(&condition(field, value, field)))
    }
}

impl Explanation {
    /// Whether an instruction has the modifier that the explanation requires.
    pub(in crate::triage) fn is_about(&self, instruction: &Instruction) -> bool {
        has_modifier(instruction, self.under)
    }

    /// Whether the explanation predicts the result in most diverging lanes of a probe, at least
    /// three, and no lane refutes it.
    pub(in crate::triage) fn holds_in(
        &self,
        probe: &Probe,
        setup: &Setup<'_>,
        oracles: Oracles<'_>,
    ) -> Result<bool, BackendError> {
        let told = PredictionTrial::new(setup, oracles).evidence(probe, &self.instead)?;
        Ok(self.is_about(&probe.instruction) && told.suffices())
    }

    /// Returns the lanes of a probe, sorted by whether the explanation predicts their results.
    pub(in crate::triage) fn lanes(
        &self,
        probe: &Probe,
        trial: &mut PredictionTrial<'_>,
    ) -> Result<PredictedLanes, BackendError> {
        if self.is_about(&probe.instruction) {
            trial.lanes(probe, &self.instead)
        } else {
            Ok(PredictedLanes::unchanged(probe))
        }
    }

    /// Returns, for each lane of a probe, whether it diverges exactly as the explanation predicts.
    pub(in crate::triage) fn explained_lanes(
        &self,
        probe: &Probe,
        trial: &mut PredictionTrial<'_>,
    ) -> Result<Vec<bool>, BackendError> {
        let mut is_explained = vec![false; probe.verdicts.len()];
        self.lanes(probe, trial)?.explained.into_iter().for_each(|lane| is_explained[lane] = true);
        Ok(is_explained)
    }

    /// Returns the text of the explanation, if it is a reading of the documents.
    pub(in crate::triage) fn reading(&self) -> Option<String> {
        matches!(self.instead, Supposition::Reading(..)).then(|| self.to_string())
    }

    /// Returns the words that findings of one cause have in common.
    pub fn theme(&self) -> String {
        let attribute =
            |field: &'static str| field.rsplit_once('.').map_or(field, |(_, attribute)| attribute);
        let under = self.under.map(|(field, value)| condition(field, value, attribute(field)));
        self.instead.theme() + &under.unwrap_or_default()
    }
}

/// Returns the text for a required modifier, with `name` for the field. A prefix is written without
/// a value.
fn condition(field: &str, value: &str, name: &str) -> String {
    if field.contains('.') { format!(" with {name}") } else { format!(" under {name} {value}") }
}

/// Finds the supposition that best explains how a case diverges. `None` if no supposition explains
/// it.
///
/// `cases` have one lane each. The first case is explained. It was shrunk from the other cases, and
/// the explanation must cover these, too. `others` are cases of other findings of the optype. These
/// and drawn cases can only refute an explanation. Without `others`, a few refuting cases are
/// tolerated, because another bug may cancel this bug there.
pub fn explain(
    setup: &Setup<'_>,
    comparator: &mut Comparator,
    oracles: Oracles<'_>,
    cases: &[(&Instruction, &Batch)],
    others: Option<&[(&Instruction, &Batch)]>,
) -> Result<Option<Explanation>, BackendError> {
    explain_except(setup, comparator, oracles, cases, others, &[])
}

/// Like [`explain`], but never returns one of the `refuted` explanations.
pub(in crate::triage) fn explain_except(
    setup: &Setup<'_>,
    comparator: &mut Comparator,
    oracles: Oracles<'_>,
    cases: &[(&Instruction, &Batch)],
    others: Option<&[(&Instruction, &Batch)]>,
    refuted: &[Explanation],
) -> Result<Option<Explanation>, BackendError> {
    let Some((instruction, case)) = cases.first().copied() else { return Ok(None) };
    let Some(alone) = alone(setup, comparator, (instruction, case))? else { return Ok(None) };
    let mut trial = PredictionTrial::new(setup, oracles);
    let mut candidates = suppositions(instruction, &setup.profile.readings, setup.numbers);
    let mut failed = Ok(());
    candidates.retain(|supposed| {
        let told = trial.evidence(&alone, supposed).map(Evidence::says_to_the_bit);
        told.unwrap_or_else(|error| {
            failed = Err(error);
            false
        })
    });
    failed?;
    if candidates.is_empty() {
        return Ok(None);
    }
    let mut probes = cases_around(setup, comparator, cases)?;
    let own = probes.len();
    for other in others.unwrap_or_default() {
        probes.extend(cases_around(setup, comparator, &[*other])?);
    }
    let around = probes.len();
    probes.extend(drawn(setup, comparator, instruction.optype(), DRAWN)?);
    let mut tried = Vec::new();
    for instead in candidates {
        let each =
            probes.iter().map(|probe| trial.evidence(probe, &instead)).collect::<Result<Vec<_>, _>>()?;
        tried.push((instead, each));
    }
    let cases = TriedCases { probes: &probes, own, around, is_strict: others.is_some(), refuted };
    // A supposition about all instructions is preferred to a supposition that requires a modifier.
    let general = cases.best(&tried, [None]);
    Ok(general.or_else(|| cases.best(&tried, conditions(instruction).map(Some))))
}

/// Returns the enumerated modifiers of a case with their values, and the prefixes that its operands
/// have.
fn conditions(case: &Instruction) -> impl Iterator<Item = (&'static str, &'static str)> + Clone + '_ {
    case.form().fields.iter().filter_map(|field| {
        let matters = field.constraint.is_none() && (field.attribute().is_none() || case.flag(field.name));
        Some((field.name, modifier(case, field.name).filter(|_| matters)?))
    })
}

/// The cases on which suppositions were tried.
struct TriedCases<'a> {
    probes: &'a [Probe],
    /// Number of probes around the case that is explained.
    own: usize,
    /// Number of probes around this case and around cases of other findings. The other probes are
    /// drawn.
    around: usize,
    /// Whether a single refuting case refutes an explanation.
    is_strict: bool,
    /// The explanations that are known to be false.
    refuted: &'a [Explanation],
}

impl TriedCases<'_> {
    /// Returns the supposition with the greatest weight of evidence, under one of some conditions.
    /// Of suppositions with equal weight, takes the first, which is the likeliest.
    fn best(
        &self,
        tried: &[(Supposition, Vec<Evidence>)],
        conditions: impl IntoIterator<Item = Option<(&'static str, &'static str)>> + Clone,
    ) -> Option<Explanation> {
        let probes = &self.probes[..self.own];
        let mut best: Option<Explanation> = None;
        for (instead, each) in tried {
            let (each, others) = each.split_at(self.own);
            if !shows_both_ways(probes, each, instead) {
                continue;
            }
            for under in conditions.clone() {
                if self.refuted.iter().any(|known| known.instead == *instead && known.under == under) {
                    continue;
                }
                let evidence = sum(probes, each, under);
                let (near, far) = others.split_at(self.around - self.own);
                let near = sum(&self.probes[self.own..self.around], near, under);
                let others = sum(&self.probes[self.around..], far, under);
                let spares = |evidence: Evidence, one_in: usize| {
                    let is_rare =
                        !self.is_strict && under.is_none() && one_in * evidence.refuted <= evidence.explained;
                    evidence.refuted == 0 || is_rare
                };
                if !evidence.covers()
                    || near.refuted > 0
                    || !spares(evidence, SPOILT[0])
                    || !spares(others, SPOILT[1])
                    || !leaves_little(evidence, others, under, instead)
                    || !is_whole_cause(probes, each, under, instead)
                    || !is_varied(probes, each, under, instead)
                {
                    continue;
                }
                match &mut best {
                    Some(best) if evidence.weight() < best.evidence.weight() => {}
                    Some(best) if evidence.weight() == best.evidence.weight() => {
                        best.as_well.extend((best.under == under).then(|| instead.clone()));
                    }
                    _ => {
                        best = Some(Explanation {
                            instead: instead.clone(),
                            under,
                            evidence,
                            as_well: Vec::new(),
                        });
                    }
                }
            }
        }
        best
    }
}

/// Whether a supposition leaves so few lanes unexplained that other bugs can be the cause. With a
/// condition, it must leave none, because many conditions were tried. In most of the other cases
/// with a predicted error, the subject must be wrong as predicted. A reading always passes, because
/// there are few readings.
fn leaves_little(
    evidence: Evidence,
    others: Evidence,
    under: Option<(&str, &str)>,
    instead: &Supposition,
) -> bool {
    matches!(instead, Supposition::Reading(..))
        || (under.is_none() || evidence.unexplained == 0) && others.unexplained <= others.explained + TOLD
}

/// Whether the subject is right in most cases around the case in which a supposed bit of the word, or
/// a supposed literal, is the encoded one. If it is wrong there as well, the bit or the literal is not
/// the cause. Always true for suppositions about something else.
fn is_whole_cause(
    probes: &[Probe],
    each: &[Evidence],
    under: Option<(&str, &str)>,
    instead: &Supposition,
) -> bool {
    use Change::{Bits, Literal, Moved};
    if !matches!(instead, Supposition::Change(Bits { .. } | Moved { .. } | Literal(_))) {
        return true;
    }
    let applies = |probe: &Probe| has_modifier(&probe.instruction, under);
    let told = probes.iter().zip(each).filter(|(probe, _)| applies(probe)).map(|(_, told)| told);
    let (explained, elsewhere) = told.fold((0, 0), |(explained, elsewhere), told| {
        (explained + told.explained, elsewhere + told.elsewhere)
    });
    4 * elsewhere <= explained
}

/// Whether enough instructions were explained besides the instruction of the case. This is demanded
/// for a condition, for a bit that is read from another place, and for a single misread number,
/// because these may fit a few instructions by accident.
fn is_varied(
    probes: &[Probe],
    each: &[Evidence],
    under: Option<(&str, &str)>,
    instead: &Supposition,
) -> bool {
    use Change::{Moved, Number};
    let is_narrow =
        matches!(instead, Supposition::Change(Moved { .. } | Number { misread: Misread::Idle(_), .. }));
    if under.is_none() && !is_narrow {
        return true;
    }
    let applies = |probe: &Probe| has_modifier(&probe.instruction, under);
    let Some(case) = probes.first() else { return false };
    let others = probes.iter().zip(each).filter(|(probe, told)| {
        told.explained > 0 && applies(probe) && probe.instruction != case.instruction
    });
    others.count() >= VARIED
}

/// Whether both directions of a supposition occur in explained cases. An exchange of two values
/// must show with each value. If a bit is read from another bit, it must become 0 in one case and 1
/// in another. Otherwise the bit may simply be lost.
fn shows_both_ways(probes: &[Probe], each: &[Evidence], instead: &Supposition) -> bool {
    let explained = || probes.iter().zip(each).filter(|(_, told)| told.explained > 0).map(|(probe, _)| probe);
    match instead {
        Supposition::Change(Change::Moved { bit, .. }) => {
            let is_set = |probe: &Probe| probe.batch.word() >> bit & 1 == 1;
            explained().any(is_set) && explained().any(|probe| !is_set(probe))
        }
        Supposition::Change(Change::Swapped { field, one, other }) => {
            let has =
                |value: &str| explained().any(|probe| modifier(&probe.instruction, field) == Some(value));
            has(one) && has(other)
        }
        _ => true,
    }
}

/// Returns the sum of the evidence of all probes, for a supposition that covers only instructions
/// with the modifier `under`. Wrong lanes of other instructions count as `elsewhere`.
fn sum(probes: &[Probe], each: &[Evidence], under: Option<(&str, &str)>) -> Evidence {
    let mut evidence = Evidence::default();
    for (probe, told) in probes.iter().zip(each) {
        let applies = has_modifier(&probe.instruction, under);
        let elsewhere = told.explained + told.unexplained + told.elsewhere;
        evidence.add(if applies { *told } else { Evidence { elsewhere, ..Evidence::default() } });
    }
    evidence
}

/// Returns a probe with the case in several lanes. `None` if the subject does not execute it, fails
/// in it, or is right in each lane. If a device fails in the case, there is no result to explain,
/// and the device would fail in many cases around it.
fn alone(
    setup: &Setup<'_>,
    comparator: &mut Comparator,
    (instruction, case): (&Instruction, &Batch),
) -> Result<Option<Probe>, BackendError> {
    let contract = setup.profile.contract_for(instruction);
    let Some(judged) = comparator.run(&contract, instruction, case)?.judged() else { return Ok(None) };
    if judged.effects.events().iter().any(|(_, event)| matches!(event, Event::Failed(_))) {
        return Ok(None);
    }
    let probe = Probe::new(setup, comparator, instruction, &uniform(case, ALONE))?;
    let diverges = |probe: &Probe| probe.verdicts.iter().any(|it| matches!(it, Verdict::Diverged(_)));
    Ok(probe.filter(diverges))
}

/// Executes cases around the first case, around the cases from which it was shrunk, and of other
/// instructions.
pub(in crate::triage) fn cases_around(
    setup: &Setup<'_>,
    comparator: &mut Comparator,
    cases: &[(&Instruction, &Batch)],
) -> Result<Vec<Probe>, BackendError> {
    let mut batches = Vec::new();
    for (nth, (instruction, case)) in cases.iter().enumerate() {
        let lanes = if nth == 0 { LANES } else { FOUND_LANES };
        batches.push(((*instruction).clone(), around(setup, instruction, case, lanes)?));
    }
    if let Some((instruction, case)) = cases.first() {
        batches.extend(variants(setup, instruction, case)?);
    }
    let mut probes = Vec::new();
    for (instruction, batch) in batches {
        probes.extend(Probe::new(setup, comparator, &instruction, &batch)?);
    }
    Ok(probes)
}

/// Whether a supposition predicts the subject's result bit by bit, in a case of one lane.
pub fn explains(
    setup: &Setup<'_>,
    comparator: &mut Comparator,
    oracles: Oracles<'_>,
    explanation: &Explanation,
    (instruction, batch): (&Instruction, &Batch),
) -> Result<bool, BackendError> {
    if !explanation.is_about(instruction) {
        return Ok(false);
    }
    let case = uniform(batch, ALONE);
    let Some(probe) = Probe::new(setup, comparator, instruction, &case)? else { return Ok(false) };
    Ok(PredictionTrial::new(setup, oracles).evidence(&probe, &explanation.instead)?.says_to_the_bit())
}

/// Whether the explanation of one bug also explains another bug. It must predict the subject's
/// result in the other bug's case bit by bit, and the cases around that case must not refute it.
/// This little evidence is enough, because the explanation was found for another bug. If another
/// register is read, the value of that register is unknown, so the case itself may prove nothing.
/// Then the cases around it must agree bit by bit.
pub fn explains_too(
    setup: &Setup<'_>,
    comparator: &mut Comparator,
    oracles: Oracles<'_>,
    explanation: &Explanation,
    case: (&Instruction, &Batch),
) -> Result<bool, BackendError> {
    let says_so_alone = explains(setup, comparator, oracles, explanation, case)?;
    let evidence = evidence_around(setup, comparator, oracles, explanation, case)?;
    let says_so_around = evidence.explained >= TOLD && evidence.says_to_the_bit();
    Ok(says_so_around
        || says_so_alone && evidence.refuted == 0 && 4 * evidence.unexplained <= evidence.explained)
}

/// Whether an explanation predicts at least half of the wrong results around a case, and no result
/// contradicts it.
pub fn explains_most(
    setup: &Setup<'_>,
    comparator: &mut Comparator,
    oracles: Oracles<'_>,
    explanation: &Explanation,
    case: (&Instruction, &Batch),
) -> Result<bool, BackendError> {
    let evidence = evidence_around(setup, comparator, oracles, explanation, case)?;
    let is_exact = evidence.refuted + evidence.unexplained == 0;
    Ok(is_exact && evidence.explained >= TOLD.max(evidence.elsewhere))
}

/// Returns the evidence of a batch about an explanation, or `None` if the right effect is unknown.
///
/// # Errors
///
/// An implementation failed.
pub fn evidence_in(
    setup: &Setup<'_>,
    comparator: &mut Comparator,
    oracles: Oracles<'_>,
    explanation: &Explanation,
    (instruction, batch): (&Instruction, &Batch),
) -> Result<Option<Evidence>, BackendError> {
    let Some(probe) = Probe::new(setup, comparator, instruction, batch)? else { return Ok(None) };
    Ok(Some(explanation.lanes(&probe, &mut PredictionTrial::new(setup, oracles))?.evidence()))
}

/// Returns the evidence about an explanation from the cases around a case.
fn evidence_around(
    setup: &Setup<'_>,
    comparator: &mut Comparator,
    oracles: Oracles<'_>,
    explanation: &Explanation,
    case: (&Instruction, &Batch),
) -> Result<Evidence, BackendError> {
    let probes = cases_around(setup, comparator, &[case])?;
    let mut trial = PredictionTrial::new(setup, oracles);
    let each = probes.iter().map(|probe| trial.evidence(probe, &explanation.instead));
    Ok(sum(&probes, &each.collect::<Result<Vec<_>, _>>()?, explanation.under))
}

/// Whether an instruction has the required modifier, if one is required.
fn has_modifier(instruction: &Instruction, under: Option<(&str, &str)>) -> bool {
    under.is_none_or(|(field, value)| modifier(instruction, field) == Some(value))
}

/// Returns the name of the value of an enumerated field.
pub(in crate::triage) fn modifier(instruction: &Instruction, field: &str) -> Option<&'static str> {
    let value = instruction.get(field)? as usize;
    match instruction.form().field(field)?.ty {
        FieldType::Enum(list) => list.values.get(value).copied(),
        _ => None,
    }
}
