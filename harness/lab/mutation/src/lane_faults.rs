//! Faults that a reference model cannot have, but device code has. A fault concerns one lane of a
//! batch, state kept between batches, or the floating-point environment after a call. Each faulty
//! subject wraps the sound model.

use assay_fpenv::Environment;
use assay_isa::effect::Lanes;
use assay_isa::{Answer, BackendError, Batch, Effects, EncodingTable, Instruction, Subject, codec};

/// Name of the family of these faults.
pub const FAMILY: &str = "lane-and-state";
/// The optype in which the faults are planted. The optype has three operands, a rounding mode and
/// `.FTZ`.
pub const OPTYPE: &str = "FFMA";

/// A fault of lanes or of state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneFault {
    /// The lowest bit of the result is wrong in this lane.
    Spoilt(Place),
    /// This lane reads the first operand of the previous lane.
    Neighbour(Place),
    /// The first lane reads the first operand of the previous batch's first lane.
    OperandKept,
    /// The last lane has the result of the previous batch's last lane.
    ResultKept,
    /// This modifier has its value from the previous batch.
    ModifierKept(&'static str),
    /// From the thousandth batch on, the lowest bit of the first lane's result is wrong.
    Late,
    /// The results are right, but the floating-point environment with this name stays set after the
    /// call.
    Environment(&'static str),
}

/// Names of floating-point environments that differ from the default and unmask no exception.
#[cfg(target_arch = "x86_64")]
const ENVIRONMENTS: [&str; 5] = ["RM", "RP", "RZ", "FTZ", "DAZ"];
#[cfg(target_arch = "aarch64")]
const ENVIRONMENTS: [&str; 4] = ["RM", "RP", "RZ", "FZ"];

/// Which lanes of a batch have the fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The lane with this number.
    Number(usize),
    /// The last lane.
    Last,
    /// The last lane of every 32.
    EndsWarp,
}

impl Place {
    const ALL: [Place; 6] = [
        Place::Number(0),
        Place::Number(17),
        Place::Number(31),
        Place::Number(1023),
        Place::Last,
        Place::EndsWarp,
    ];

    fn holds(self, lane: usize, lanes: usize) -> bool {
        match self {
            Place::Number(number) => lane == number,
            Place::Last => lane + 1 == lanes,
            Place::EndsWarp => lane % 32 == 31,
        }
    }

    fn name(self) -> String {
        match self {
            Place::Number(number) => format!("lane-{number}"),
            Place::Last => "last-lane".into(),
            Place::EndsWarp => "lane-31-of-32".into(),
        }
    }
}

impl LaneFault {
    /// Returns every fault.
    pub fn all() -> Vec<LaneFault> {
        let spoilt = Place::ALL.into_iter().map(LaneFault::Spoilt);
        let neighbour =
            Place::ALL.into_iter().filter(|place| *place != Place::Number(0)).map(LaneFault::Neighbour);
        let kept = ["rnd", "ftz", "sat"].map(LaneFault::ModifierKept);
        let state = [LaneFault::OperandKept, LaneFault::ResultKept, LaneFault::Late];
        let environments = ENVIRONMENTS.map(LaneFault::Environment);
        spoilt.chain(neighbour).chain(kept).chain(state).chain(environments).collect()
    }

    /// Returns the name of the fault on the command line.
    pub fn name(self) -> String {
        match self {
            LaneFault::Spoilt(place) => format!("batch-{}-spoilt", place.name()),
            LaneFault::Neighbour(place) => format!("batch-{}-reads-neighbour", place.name()),
            LaneFault::OperandKept => "batch-operand-kept".into(),
            LaneFault::ResultKept => "batch-result-kept".into(),
            LaneFault::ModifierKept(modifier) => format!("batch-{modifier}-kept"),
            LaneFault::Late => "batch-late".into(),
            LaneFault::Environment(name) => format!("batch-leaves-{}", name.to_lowercase()),
        }
    }

    /// Returns a sentence that describes the fault.
    pub fn about(self) -> String {
        match self {
            LaneFault::Spoilt(place) => format!("The lowest bit of the result is wrong in {}.", place.name()),
            LaneFault::Neighbour(place) => {
                format!("In {} the first operand is that of the lane before.", place.name())
            }
            LaneFault::OperandKept => "The first lane reads the first operand of the batch before.".into(),
            LaneFault::ResultKept => "The last lane has the result of the batch before.".into(),
            LaneFault::ModifierKept(modifier) => {
                format!("The modifier {modifier} is that of the batch before.")
            }
            LaneFault::Late => "From the thousandth batch on the first lane's result is wrong.".into(),
            LaneFault::Environment(name) => format!("{name} stays in force on the thread that judges."),
        }
    }

    /// Returns a subject with the fault.
    pub fn plant(self, sound: Box<dyn Subject>, numbers: EncodingTable) -> Box<dyn Subject> {
        Box::new(Faulty { fault: self, sound, numbers, batches: 0, before: None, inner: Effects::default() })
    }
}

/// What a faulty subject keeps of the previous batch.
struct Before {
    instruction: Option<Instruction>,
    operand: u32,
    result: u32,
}

struct Faulty {
    fault: LaneFault,
    sound: Box<dyn Subject>,
    numbers: EncodingTable,
    batches: u64,
    before: Option<Before>,
    inner: Effects,
}

impl Faulty {
    /// Returns the batch that the faulty subject executes in place of the given one.
    fn taken(&self, batch: &Batch, instruction: Option<&Instruction>) -> Batch {
        let mut taken = batch.clone();
        if batch.is_empty() || batch.locations().is_empty() {
            return taken;
        }
        match self.fault {
            LaneFault::Neighbour(place) => {
                for lane in (1..batch.len()).filter(|lane| place.holds(*lane, batch.len())) {
                    let column = taken.column_mut(0);
                    column[lane] = column[lane - 1];
                }
            }
            LaneFault::OperandKept => {
                if let Some(before) = &self.before {
                    taken.column_mut(0)[0] = before.operand;
                }
            }
            LaneFault::ModifierKept(modifier) => {
                let before =
                    self.before.as_ref().and_then(|before| before.instruction.as_ref()?.get(modifier));
                if let (Some(value), Some(instruction)) = (before, instruction)
                    && instruction.get(modifier).is_some()
                {
                    let mut instruction = instruction.clone();
                    instruction.set(modifier, value);
                    taken = taken.with_word(codec::encode(&instruction, &self.numbers));
                }
            }
            LaneFault::Spoilt(_) | LaneFault::ResultKept | LaneFault::Late | LaneFault::Environment(_) => {}
        }
        taken
    }

    /// Returns the value that the faulty subject gives in place of the sound value `value`.
    fn answered(&self, lane: usize, lanes: usize, value: u32) -> u32 {
        match self.fault {
            LaneFault::Spoilt(place) if place.holds(lane, lanes) => value ^ 1,
            LaneFault::Late if lane == 0 && self.batches >= 1000 => value ^ 1,
            LaneFault::ResultKept if lane + 1 == lanes => {
                self.before.as_ref().map_or(value, |before| before.result)
            }
            _ => value,
        }
    }
}

impl Subject for Faulty {
    fn name(&self) -> &str {
        "faulty lanes"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        let instruction = codec::decode(batch.word(), &self.numbers).ok();
        let taken = self.taken(batch, instruction.as_ref());
        let answer = self.sound.execute(&taken, &mut self.inner)?;
        let lanes = batch.len();
        effects.reset(lanes);
        for column in self.inner.columns() {
            let values = effects.write(column.location, column.written.clone());
            for (lane, (value, sound)) in values.iter_mut().zip(&column.values).enumerate() {
                *value = self.answered(lane, lanes, *sound);
            }
        }
        self.inner.events().iter().for_each(|(lane, event)| effects.event(*lane, *event));
        self.inner.undefined().iter().for_each(|(lane, erratum)| effects.undefine(*lane, *erratum));
        let is_whole = |written: &Lanes| *written == Lanes::All;
        let column = self.inner.columns().iter().find(|column| is_whole(&column.written));
        if let (Some(column), Some(last)) = (column, lanes.checked_sub(1)) {
            let operands = batch.locations().first().and_then(|location| batch.column(*location));
            let operand = operands.map_or(0, |operands| operands[0]);
            self.before = Some(Before { instruction, operand, result: column.values[last] });
        }
        self.batches += 1;
        if let LaneFault::Environment(name) = self.fault
            && let Some((_, environment)) =
                Environment::others().into_iter().find(|(other, _)| *other == name)
        {
            // SAFETY: the caller of a subject checks the environment afterwards, and sets the
            // default. No exception is unmasked.
            unsafe { environment.set() };
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environments_have_known_names() {
        let others = Environment::others();
        assert!(ENVIRONMENTS.iter().all(|name| others.iter().any(|(other, _)| other == name)));
    }

    #[test]
    fn places_are_the_lanes_that_they_name() {
        let lanes = |place: Place, lanes: usize| {
            (0..lanes).filter(|lane| place.holds(*lane, lanes)).collect::<Vec<_>>()
        };
        assert_eq!(lanes(Place::Number(31), 64), [31]);
        assert_eq!(lanes(Place::EndsWarp, 70), [31, 63]);
        assert_eq!(lanes(Place::Last, 70), [69]);
        assert!(lanes(Place::Number(1023), 1023).is_empty());
    }
}
