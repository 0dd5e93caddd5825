//! Finds explanations that other cases of the run refute. An explanation may hold around one case
//! of a fault and be false around another.

use assay_isa::BackendError;

use crate::compare::comparator::{Comparator, Setup};
use crate::triage::Bug;
use crate::triage::condition::{Case, Condition};
use crate::triage::examine::explained_signature;
use crate::triage::explain::drawn::DrawnCases;
use crate::triage::explain::predict::{PredictedLanes, PredictionTrial};
use crate::triage::explain::{Explanation, cases_around, explain_except};
use crate::triage::group::explanations::explanations;
use crate::triage::probe::Probe;
use crate::triage::readings::Oracles;

/// Maximum number of other findings of the optype whose cases are tested.
const OTHERS: usize = 16;
/// Maximum number of explanations that are tried for a case.
const TRIES: usize = 6;
/// If another bug shows, too, one unexplained wrong case is tolerated for this number of explained
/// cases, because both bugs may act in it.
const MIXED: usize = 4;
/// If the condition of another bug holds for more than one in this number of explained cases, it
/// excuses no case.
const COVERED: usize = 4;

/// Removes each explanation that is refuted by a drawn case or by a case around a bug of the same
/// optype. Then searches for an explanation that no case refutes. Cases in which another bug acts
/// refute nothing, because that bug may change the result, too.
///
/// # Errors
///
/// An implementation failed.
pub fn by_others(setup: &Setup<'_>, oracles: Oracles<'_>, bugs: &mut [Bug]) -> Result<(), BackendError> {
    let mut order: Vec<usize> = (0..bugs.len()).filter(|place| bugs[*place].explanation.is_some()).collect();
    // Cases are drawn once for all bugs of an optype.
    order.sort_by_key(|place| bugs[*place].instruction.optype());
    let mut refuter =
        Refuter { setup, oracles, comparator: Comparator::new(setup), drawn: DrawnCases::default() };
    for place in order {
        refuter.examine(bugs, place)?;
    }
    Ok(())
}

/// Refutes explanations.
struct Refuter<'a> {
    setup: &'a Setup<'a>,
    oracles: Oracles<'a>,
    comparator: Comparator,
    drawn: DrawnCases,
}

impl Refuter<'_> {
    /// Replaces the explanation of a bug until one is not refuted, or removes it.
    fn examine(&mut self, bugs: &mut [Bug], place: usize) -> Result<(), BackendError> {
        let mut refuted = Vec::new();
        while let Some(explanation) = bugs[place].explanation.clone() {
            if !self.is_refuted(&explanation, bugs, place)? {
                return Ok(());
            }
            refuted.push(explanation);
            let other = if refuted.len() < TRIES {
                let (case, others) = ([bugs[place].case()], others(bugs, place));
                let (setup, comparator) = (self.setup, &mut self.comparator);
                explain_except(setup, comparator, self.oracles, &case, Some(&others), &refuted)?
            } else {
                None
            };
            match other {
                Some(explanation) => {
                    let bug = &mut bugs[place];
                    bug.signature = explained_signature(&bug.instruction, &explanation);
                    bug.explanation = Some(explanation);
                }
                None => {
                    bugs[place].leave_unexplained();
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Whether a drawn case, or a case around a bug of the optype, refutes the explanation of a
    /// bug.
    fn is_refuted(
        &mut self,
        explanation: &Explanation,
        bugs: &[Bug],
        place: usize,
    ) -> Result<bool, BackendError> {
        let optype = bugs[place].instruction.optype();
        let mut near = Vec::new();
        for case in std::iter::once(bugs[place].case()).chain(others(bugs, place)) {
            near.extend(cases_around(self.setup, &mut self.comparator, &[case])?);
        }
        let mut rest = OtherBugs::of(bugs, place, explanation);
        let mut trial = PredictionTrial::new(self.setup, self.oracles);
        let far = self.drawn.of(self.setup, &mut self.comparator, optype)?;
        let told = near.iter().chain(far).map(|probe| Ok((probe, explanation.lanes(probe, &mut trial)?)));
        let told = told.collect::<Result<Vec<_>, BackendError>>()?;
        rest.leave_out_what_covers(&told);
        let shows_another = |(probe, lanes): &(&Probe, PredictedLanes)| {
            explanation.is_about(&probe.instruction) && !lanes.elsewhere.is_empty()
        };
        rest.are_there = told.iter().any(shows_another);
        // Drawn cases are tested separately, because the cases around a bug need not be typical.
        let (near, far) = told.split_at(near.len());
        Ok(rest.refute(near, &mut trial)? || rest.refute(far, &mut trial)?)
    }
}

/// The known facts about the other bugs of an optype.
struct OtherBugs<'a> {
    /// Whether the subject is wrong in some case in which the explanation predicts no error.
    are_there: bool,
    conditions: Vec<&'a Condition>,
    explanations: Vec<Explanation>,
}

impl OtherBugs<'_> {
    fn of<'a>(bugs: &'a [Bug], place: usize, explanation: &Explanation) -> OtherBugs<'a> {
        let optype = bugs[place].instruction.optype();
        let all = bugs.iter().filter(|bug| bug.instruction.optype() == optype);
        let conditions = all.flat_map(|bug| &bug.conditions).collect();
        let known = explanations(bugs).into_iter().filter(|known| known.optypes.contains(optype));
        let explanations = known
            .map(|known| known.explanation)
            .filter(|other| other.instead.theme() != explanation.instead.theme());
        OtherBugs { are_there: false, conditions, explanations: explanations.collect() }
    }

    /// Leaves out each condition that holds for many cases that the explanation predicts bit by
    /// bit. Such a condition is one of the same bug.
    fn leave_out_what_covers(&mut self, told: &[(&Probe, PredictedLanes)]) {
        let all: usize = told.iter().map(|(_, lanes)| lanes.explained.len()).sum();
        self.conditions.retain(|condition| {
            let holds = |(probe, lanes): &(&Probe, PredictedLanes)| {
                let holds = |lane: &&usize| condition.holds(&probe.instruction, &probe.batch, **lane);
                lanes.explained.iter().filter(holds).count()
            };
            COVERED * told.iter().map(holds).sum::<usize>() <= all
        });
    }

    /// Whether some cases refute an explanation. Ignores cases in which one of these other bugs
    /// acts.
    fn refute(
        &self,
        told: &[(&Probe, PredictedLanes)],
        trial: &mut PredictionTrial<'_>,
    ) -> Result<bool, BackendError> {
        let explained: usize = told.iter().map(|(_, lanes)| lanes.explained.len()).sum();
        let mut otherwise = 0;
        for (probe, lanes) in told {
            if lanes.refuting.is_empty() && lanes.otherwise.is_empty() {
                continue;
            }
            let known = self.lanes(probe, trial)?;
            if lanes.refuting.iter().any(|lane| !known[*lane]) {
                return Ok(true);
            }
            otherwise += lanes.otherwise.iter().filter(|lane| !known[**lane]).count();
        }
        Ok(otherwise > 0 && (!self.are_there || MIXED * otherwise > explained))
    }

    /// Returns for each lane of a probe whether one of these bugs acts in it.
    fn lanes(&self, probe: &Probe, trial: &mut PredictionTrial<'_>) -> Result<Vec<bool>, BackendError> {
        let holds = |lane| self.conditions.iter().any(|it| it.holds(&probe.instruction, &probe.batch, lane));
        let mut known: Vec<bool> = (0..probe.batch.len()).map(holds).collect();
        for explanation in &self.explanations {
            let explained = explanation.explained_lanes(probe, trial)?;
            known.iter_mut().zip(explained).for_each(|(known, explained)| *known |= explained);
        }
        Ok(known)
    }
}

/// Returns the smallest cases of other bugs of the same optype. Each case must show when it is
/// executed alone.
fn others(bugs: &[Bug], place: usize) -> Vec<Case<'_>> {
    let optype = bugs[place].instruction.optype();
    let others = bugs.iter().enumerate().filter(|(nth, bug)| {
        *nth != place && bug.instruction.optype() == optype && bug.shown.circumstance.is_plain()
    });
    others.take(OTHERS).map(|(_, bug)| bug.case()).collect()
}
