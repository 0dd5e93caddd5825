//! A subject in place of the oracle: for every instruction, or for the instructions whose contract
//! demands the bits of that subject.

use assay_isa::effect::{Failure, Lanes};
use assay_isa::truth::{Truth, TruthValues};
use assay_isa::{
    Answer, BackendError, Batch, Effects, Erratum, Event, FastOracle, Instruction, Location, Oracle, Subject,
    Truths,
};
use assay_vectors::{Contract, Profile};

use crate::compare::comparator::{PRECISION, check_shape, pick};

/// Returns the values written to a location, as a truth. If several columns name the location, the
/// last one that writes a lane counts.
fn written_to(effects: &Effects, location: Location) -> Truth {
    let values: Vec<Option<u32>> = (0..effects.len()).map(|lane| effects.value(location, lane)).collect();
    let written = Lanes::from(values.iter().map(Option::is_some).collect::<Vec<_>>());
    let values = values.into_iter().map(|value| value.unwrap_or_default()).collect();
    Truth { location, values: TruthValues::Bits(values), written }
}

/// A subject in place of the oracle: its results are the truth.
pub struct SubjectAsOracle {
    subject: Box<dyn Subject>,
    effects: Effects,
    /// The oracle that must confirm the lanes that the subject calls undefined. Without this
    /// oracle, the subject alone decides.
    specification: Option<Specification>,
}

/// An oracle that decides which lanes are undefined.
struct Specification {
    oracle: Box<dyn Oracle>,
    /// The lanes in question.
    part: Batch,
    truths: Truths,
}

impl SubjectAsOracle {
    /// Makes the answers of a subject the truth. The subject also decides which lanes are
    /// undefined. Only for subjects that are part of `assay`.
    pub fn new(subject: Box<dyn Subject>) -> SubjectAsOracle {
        SubjectAsOracle { subject, effects: Effects::default(), specification: None }
    }

    /// Makes the bits of a subject the truth. A lane is undefined if both the subject and the
    /// oracle call it undefined. If only the subject does, the truth of the lane is
    /// [`Failure::CalledUndefined`], so the lane always diverges.
    pub fn under(subject: Box<dyn Subject>, oracle: Box<dyn Oracle>) -> SubjectAsOracle {
        let specification = Specification { oracle, part: Batch::default(), truths: Truths::default() };
        SubjectAsOracle { specification: Some(specification), ..SubjectAsOracle::new(subject) }
    }
}

impl Specification {
    /// Returns, for each lane that a subject calls undefined, whether the oracle calls it
    /// undefined, too.
    fn confirmed(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        called: &[(usize, Erratum)],
    ) -> Result<Vec<bool>, BackendError> {
        let lanes: Vec<usize> = called.iter().map(|(lane, _)| *lane).collect();
        pick(batch, &lanes, &mut self.part);
        let answer = self.oracle.truth(instruction, &self.part, PRECISION, &mut self.truths)?;
        let mut confirmed = vec![false; lanes.len()];
        if answer == Answer::Known {
            self.truths.undefined().iter().for_each(|(place, _)| confirmed[*place] = true);
        }
        Ok(confirmed)
    }
}

impl Oracle for SubjectAsOracle {
    fn name(&self) -> &str {
        self.subject.name()
    }

    fn declares_modes(&self) -> bool {
        self.subject.declares_modes()
    }

    fn start_fresh(&mut self) {
        self.subject.start_fresh();
    }

    fn truth(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        _precision: u32,
        truths: &mut Truths,
    ) -> Result<Answer, BackendError> {
        let answer = self.subject.execute(batch, &mut self.effects)?;
        truths.reset(batch.len());
        if answer == Answer::Unsupported {
            return Ok(answer);
        }
        check_shape(self.subject.name(), &self.effects, batch)?;
        for (place, column) in self.effects.columns().iter().enumerate() {
            let location = column.location;
            if self.effects.columns()[..place].iter().all(|earlier| earlier.location != location) {
                truths.push(written_to(&self.effects, location));
            }
        }
        for (lane, event) in self.effects.events() {
            truths.event(*lane, *event);
        }
        let called = self.effects.undefined();
        let confirmed = match &mut self.specification {
            Some(specification) if !called.is_empty() => {
                specification.confirmed(instruction, batch, called)?
            }
            _ => vec![true; called.len()],
        };
        for ((lane, erratum), is_confirmed) in called.iter().zip(confirmed) {
            if is_confirmed {
                truths.undefine(*lane, *erratum)
            } else {
                truths.event(*lane, Event::Failed(Failure::CalledUndefined))
            }
        }
        Ok(answer)
    }
}

/// An oracle that returns the truth or, where the contract demands the bits of a reference, the
/// effects of that reference.
pub struct ByContract {
    truth: Box<dyn Oracle>,
    reference: SubjectAsOracle,
    profile: Profile,
}

impl ByContract {
    /// Returns an oracle that chooses between the truth and a reference by the contracts of a
    /// profile.
    pub fn new(truth: Box<dyn Oracle>, reference: Box<dyn Subject>, profile: Profile) -> ByContract {
        ByContract { truth, reference: SubjectAsOracle::new(reference), profile }
    }

    fn chosen(&mut self, instruction: &Instruction) -> &mut dyn Oracle {
        match self.profile.contract_for(instruction) {
            Contract::Model => &mut self.reference,
            _ => self.truth.as_mut(),
        }
    }
}

impl Oracle for ByContract {
    fn name(&self) -> &str {
        self.truth.name()
    }

    fn start_fresh(&mut self) {
        self.truth.start_fresh();
        self.reference.start_fresh();
    }

    fn fast(&mut self, instruction: &Instruction) -> Option<&mut dyn FastOracle> {
        self.chosen(instruction).fast(instruction)
    }

    fn truth(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        precision: u32,
        truths: &mut Truths,
    ) -> Result<Answer, BackendError> {
        self.chosen(instruction).truth(instruction, batch, precision, truths)
    }
}

#[cfg(test)]
mod tests;
