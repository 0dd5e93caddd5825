//! Whether something simple explains a divergence: each [supposition](super::suppose) is put to the test on many values.

use assay_isa::{
    Answer, Batch, Effects, Erratum, Event, Instruction, Oracle, Readings, Truths, VoiceError, codec,
};
use assay_vectors::Profile;

use super::suppose::{Supposition, suppositions};
use crate::generate::{from_stream, undrawn};
use crate::judge::{Verdict, Verdicts, judge};
use crate::versus::{Bench, Outcome, PRECISION, Parties};

/// Values on which a supposition is tried.
const LANES: usize = 512;
/// Lanes in which truth and supposition must be told apart, or it is an accident.
const TOLD: usize = 3;

/// What a subject does instead of what it should, and how sure that is.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// What it does.
    pub instead: Supposition,
    /// On how many values, near those of the case, that was found out, and on how many it was refuted.
    pub evidence: Evidence,
}

/// Lanes by what a supposition makes of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The subject diverges, and does just what is supposed.
    pub explained: usize,
    /// It diverges, and does something else again.
    pub unexplained: usize,
    /// It does what is right, where something else is supposed.
    pub refuted: usize,
}

impl Evidence {
    /// Whether a supposition may stand: an odd bit may be wrong besides, such as the sign of a zero.
    fn suffices(&self) -> bool {
        self.explained >= TOLD
            && 4 * self.unexplained <= self.explained
            && 16 * self.refuted <= self.explained
    }

    /// How much it explains, less what speaks against it.
    fn weight(&self) -> isize {
        self.explained as isize - (self.unexplained + 4 * self.refuted) as isize
    }
}

/// Makes the oracle for other readings than those at hand.
pub type Oracles<'a> = &'a dyn Fn(Readings) -> Box<dyn Oracle>;

/// Finds the supposition that explains best how a case diverges, if one does.
///
/// `cases` are of one lane: the first is explained, on values around its own. A supposition that the others can have as
/// well must explain them too: so something that fits the smallest case by accident is found out by the one it was made
/// from.
pub fn explain(
    parties: &Parties<'_>,
    bench: &mut Bench,
    oracles: Oracles<'_>,
    cases: &[(&Instruction, &Batch)],
) -> Result<Option<Explanation>, VoiceError> {
    let mut trials = Vec::new();
    for case in cases {
        match Trial::new(parties, bench, oracles, *case)? {
            Some(trial) => trials.push(trial),
            None => return Ok(None),
        }
    }
    let Some((trial, others)) = trials.split_first_mut() else { return Ok(None) };
    let mut found: Vec<Explanation> = Vec::new();
    for instead in std::mem::take(&mut trial.suppositions) {
        if let Some(evidence) = trial.hold(parties, oracles, &instead)? {
            found.push(Explanation { instead, evidence });
        }
    }
    // The sort is stable: of those that explain as much the likeliest comes first.
    found.sort_by_key(|explanation| -explanation.evidence.weight());
    'next: for explanation in found {
        for other in others.iter_mut() {
            let same = other.suppositions.iter().find(|same| same.is_like(&explanation.instead)).cloned();
            if let Some(same) = same
                && other.hold(parties, oracles, &same)?.is_none()
            {
                continue 'next;
            }
        }
        return Ok(Some(explanation));
    }
    Ok(None)
}

/// Whether a supposition says to the bit what a subject did in a case of one lane.
pub fn explains(
    parties: &Parties<'_>,
    oracles: Oracles<'_>,
    instead: &Supposition,
    (instruction, batch): (&Instruction, &Batch),
    effects: &Effects,
) -> Result<bool, VoiceError> {
    let readings = &parties.profile.readings;
    let Some(same) = suppositions(instruction, readings).into_iter().find(|same| same.is_like(instead))
    else {
        return Ok(false);
    };
    let judged = match &same {
        Supposition::Instruction { instruction: other, .. } => {
            if !other.reads().iter().all(|location| batch.locations().contains(location)) {
                return Ok(false);
            }
            let batch = batch.with_word(codec::encode(other, parties.numbers));
            judge_as(oracles(*readings).as_mut(), parties.profile, other, &batch, effects)?
        }
        Supposition::Reading(erratum, setting) => {
            let under = with_reading(parties.profile, *erratum, *setting);
            judge_as(oracles(under.readings).as_mut(), &under, instruction, batch, effects)?
        }
    };
    Ok(judged.is_some_and(|verdicts| verdicts.of(0).holds()))
}

/// A profile with one reading changed to a setting that its switch has.
pub fn with_reading(profile: &Profile, erratum: Erratum, setting: u8) -> Profile {
    let mut profile = profile.clone();
    let set = profile.readings.set(erratum, setting);
    debug_assert!(set.is_ok(), "the switch has the setting");
    profile
}

/// The verdicts on what a subject did, by an oracle and a profile that may be others than it was found under; nothing if
/// that oracle does not know, or would read a place for which the batch has no value.
pub fn judge_as(
    oracle: &mut dyn Oracle,
    profile: &Profile,
    instruction: &Instruction,
    batch: &Batch,
    effects: &Effects,
) -> Result<Option<Verdicts>, VoiceError> {
    let (mut truths, mut verdicts) = (Truths::default(), Verdicts::default());
    match oracle.truth(instruction, batch, PRECISION, &mut truths) {
        Ok(Answer::Known) => {}
        Ok(Answer::Unsupported) | Err(VoiceError::MissingLocation(_)) => return Ok(None),
        Err(error) => return Err(error),
    }
    let contract = profile.contract_for(instruction);
    judge(&contract, instruction, &truths, effects, &mut verdicts);
    Ok(Some(verdicts))
}

/// The case in lane 0, and lanes that share some values with it.
fn around(parties: &Parties<'_>, instruction: &Instruction, case: &Batch) -> Result<Batch, VoiceError> {
    let seed = (case.word() ^ case.word() >> 64) as u64;
    let (mut bytes, mut drawn) = (Vec::new(), Batch::default());
    let pick = |_: &mut arbitrary::Unstructured<'_>| Ok(instruction.clone());
    from_stream((seed, 0), parties.numbers, LANES, &mut bytes, &mut drawn, pick)
        .map_err(|error| undrawn(0, error))?;
    let mut batch = Batch::new(case.word(), case.locations(), LANES);
    // Where a value decides about a place, another value would lead to one that the case has not.
    let steady = if instruction.access().is_some() { instruction.reads() } else { Vec::new() };
    for (place, (location, value)) in case.lane(0).enumerate() {
        let other = drawn.column(location).filter(|_| !steady.contains(&location));
        for (lane, slot) in batch.column_mut(place).iter_mut().enumerate() {
            let keeps = lane == 0 || lane >> (place % 8) & 1 == 1 && lane % 4 != 0;
            *slot = other.filter(|_| !keeps).map_or(value, |column| column[lane]);
        }
    }
    Ok(batch)
}

/// A case on which suppositions are tried: what the subject did on values around it.
struct Trial<'a> {
    instruction: &'a Instruction,
    batch: Batch,
    effects: Effects,
    /// The verdicts by what it should have done.
    wrong: Vec<Verdict>,
    /// What can be supposed of it.
    suppositions: Vec<Supposition>,
    /// The oracle for the readings at hand.
    oracle: Box<dyn Oracle>,
}

impl<'a> Trial<'a> {
    /// Has the subject execute the batch; nothing if it does not. A device that fails in the case does nothing else instead, and
    /// in the lanes around it would fail again and again.
    fn new(
        parties: &Parties<'_>,
        bench: &mut Bench,
        oracles: Oracles<'_>,
        (instruction, case): (&'a Instruction, &Batch),
    ) -> Result<Option<Trial<'a>>, VoiceError> {
        let contract = parties.profile.contract_for(instruction);
        bench.run(&contract, instruction, case)?;
        if bench.effects.events().iter().any(|(_, event)| matches!(event, Event::Failed(_))) {
            return Ok(None);
        }
        let batch = around(parties, instruction, case)?;
        if bench.run(&contract, instruction, &batch)? != Outcome::Judged {
            return Ok(None);
        }
        let wrong = (0..batch.len()).map(|lane| bench.verdicts.of(lane)).collect();
        let readings = &parties.profile.readings;
        let (effects, oracle) = (bench.effects.clone(), oracles(*readings));
        let suppositions = suppositions(instruction, readings);
        Ok(Some(Trial { instruction, batch, effects, wrong, suppositions, oracle }))
    }

    /// The evidence for a supposition, if it suffices.
    fn hold(
        &mut self,
        parties: &Parties<'_>,
        oracles: Oracles<'_>,
        instead: &Supposition,
    ) -> Result<Option<Evidence>, VoiceError> {
        let under;
        let (profile, instruction, mut other) = match instead {
            Supposition::Instruction { instruction, .. } => (parties.profile, instruction, None),
            Supposition::Reading(erratum, setting) => {
                under = with_reading(parties.profile, *erratum, *setting);
                (&under, self.instruction, Some(oracles(under.readings)))
            }
        };
        if !instruction.reads().iter().all(|location| self.batch.locations().contains(location)) {
            return Ok(None);
        }
        let batch = self.batch.with_word(codec::encode(instruction, parties.numbers));
        let oracle = other.as_mut().unwrap_or(&mut self.oracle).as_mut();
        let judged = judge_as(oracle, profile, instruction, &batch, &self.effects)?;
        Ok(judged.and_then(|verdicts| self.evidence(&verdicts)).filter(Evidence::suffices))
    }

    /// What the verdicts by a supposition tell of it; nothing if it does not explain the case itself.
    fn evidence(&self, supposed: &Verdicts) -> Option<Evidence> {
        let mut evidence = Evidence::default();
        for (lane, verdict) in self.wrong.iter().enumerate() {
            match (verdict, supposed.of(lane)) {
                (Verdict::Diverged(_), other) if other.holds() => evidence.explained += 1,
                (Verdict::Diverged(_), _) if lane == 0 => return None,
                (Verdict::Diverged(_), _) => evidence.unexplained += 1,
                (verdict, Verdict::Diverged(_)) if verdict.holds() => evidence.refuted += 1,
                _ => {}
            }
        }
        Some(evidence)
    }
}
