//! The effects of an instruction: writes, and an event if it caused one.
//!
//! A lane whose guard is false writes nothing, so a column stores for each lane whether it was written.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::location::Location;
use crate::readings::Erratum;
use crate::shown::quoted;

/// A set of lanes.
#[derive(Default, Clone, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// Every lane.
    #[default]
    All,
    /// The lanes that hold `true`.
    Some(Vec<bool>),
}

impl From<Vec<bool>> for Lanes {
    /// Every lane, if each holds `true`.
    fn from(lanes: Vec<bool>) -> Lanes {
        if lanes.iter().all(|held| *held) { Lanes::All } else { Lanes::Some(lanes) }
    }
}

impl Lanes {
    /// Whether the set holds a lane.
    #[inline]
    pub fn contains(&self, lane: usize) -> bool {
        match self {
            Lanes::All => true,
            Lanes::Some(lanes) => lanes[lane],
        }
    }
}

/// Values written to one location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Writes {
    /// Where.
    pub location: Location,
    /// What, one a lane; meaningless in a lane that was not written.
    pub values: Vec<u32>,
    /// Which lanes wrote it.
    pub written: Lanes,
}

/// An effect other than a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Event {
    /// It faulted, and wrote nothing.
    Fault(Fault),
    /// It executed with an effect outside the register state (E075 to E078).
    Executed(Action),
    /// The device failed, and its effects are unknown. No truth has this.
    Failed(Failure),
}

/// How a device can fail at a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Failure {
    /// It ended, or closed its input or output.
    Crashed,
    /// It gave no whole answer in time.
    Hung,
    /// Its answer cannot be read: no message, an incomplete one, or one that is too long.
    Unreadable,
    /// Its answer can be read and is none to the question: another number, lanes that do not exist, a place that does
    /// not exist.
    Unfit,
    /// It reported the failure itself.
    Reported,
    /// It answered `unsupported` for a mode that it had declared to support.
    Declined,
    /// It wrote to the values of its inputs, which belong to the host.
    WroteInputs,
    /// It stands in the oracle's place, and called a lane undefined that the specification defines.
    CalledUndefined,
}

impl Failure {
    /// All of them.
    pub const ALL: [Failure; 8] = [
        Failure::Crashed,
        Failure::Hung,
        Failure::Unreadable,
        Failure::Unfit,
        Failure::Reported,
        Failure::Declined,
        Failure::WroteInputs,
        Failure::CalledUndefined,
    ];

    /// The failure in words.
    pub fn name(self) -> &'static str {
        match self {
            Failure::Crashed => "device crashed",
            Failure::Hung => "device hung",
            Failure::Unreadable => "device answered unreadably",
            Failure::Unfit => "device answered something else",
            Failure::Reported => "device reported an error",
            Failure::Declined => "declined",
            Failure::WroteInputs => "wrote to its inputs",
            Failure::CalledUndefined => "called undefined",
        }
    }
}

/// The faults of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// An index beyond the uniform registers (E165).
    RegisterIndex,
    /// An address that is no multiple of the size of the accessed value (E096).
    Misaligned,
    /// An address beyond the constant bank.
    BeyondBank,
}

impl Fault {
    const ALL: [Fault; 3] = [Fault::RegisterIndex, Fault::Misaligned, Fault::BeyondBank];

    /// The fault in words.
    pub fn name(self) -> &'static str {
        match self {
            Fault::RegisterIndex => "uniform register index out of range",
            Fault::Misaligned => "misaligned address",
            Fault::BeyondBank => "address beyond the constant bank",
        }
    }
}

/// The effects outside the register state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// NOP
    Nop,
    /// PMTRIG with its number.
    Trigger(u16),
    /// SWITCH with its hint.
    Switch(u32),
    /// IBBAR
    InstructionBarrier,
    /// DEPBAR
    DependencyBarrier {
        /// Scoreboard, 0 to 7.
        scoreboard: u8,
        /// The count that its counter is compared with.
        count: u8,
    },
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Nop => write!(f, "NOP"),
            Action::Trigger(number) => write!(f, "PMTRIG {number:#x}"),
            Action::Switch(hint) => write!(f, "SWITCH {hint:#x}"),
            Action::InstructionBarrier => write!(f, "IBBAR"),
            Action::DependencyBarrier { scoreboard, count } => {
                write!(f, "DEPBAR {scoreboard:#x}, {count:#x}")
            }
        }
    }
}

/// An event with its kind: `fault: misaligned address`, `executed: PMTRIG 0x5`, `failed: device hung`.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Fault(fault) => write!(f, "fault: {}", fault.name()),
            Event::Executed(action) => write!(f, "executed: {action}"),
            Event::Failed(failure) => write!(f, "failed: {}", failure.name()),
        }
    }
}

/// Text that names no event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is no {}; write one of: {}", quoted(.0), .1, .2)]
pub struct UnknownEvent(String, &'static str, String);

impl FromStr for Fault {
    type Err = UnknownEvent;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names = || Fault::ALL.map(Fault::name).join(", ");
        let fault = Fault::ALL.into_iter().find(|fault| fault.name() == text);
        fault.ok_or_else(|| UnknownEvent(text.to_owned(), "fault", names()))
    }
}

impl FromStr for Failure {
    type Err = UnknownEvent;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names = || Failure::ALL.map(Failure::name).join(", ");
        let failure = Failure::ALL.into_iter().find(|failure| failure.name() == text);
        failure.ok_or_else(|| UnknownEvent(text.to_owned(), "failure", names()))
    }
}

impl FromStr for Event {
    type Err = UnknownEvent;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let shapes = "fault: …, executed: …, failed: …";
        match text.split_once(": ") {
            Some(("fault", name)) => name.parse().map(Event::Fault),
            Some(("executed", name)) => name.parse().map(Event::Executed),
            Some(("failed", name)) => name.parse().map(Event::Failed),
            _ => Err(UnknownEvent(text.to_owned(), "event", shapes.to_owned())),
        }
    }
}

impl FromStr for Action {
    type Err = UnknownEvent;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let shapes = "NOP, PMTRIG 0x1234, SWITCH 0x5, IBBAR, DEPBAR 0x0, 0x3";
        action(text).ok_or_else(|| UnknownEvent(text.to_owned(), "action", shapes.to_owned()))
    }
}

fn action(text: &str) -> Option<Action> {
    let number = |digits: &str| u32::from_str_radix(digits.strip_prefix("0x")?, 16).ok();
    let action = match text.split_once(' ') {
        None if text == "NOP" => Action::Nop,
        None if text == "IBBAR" => Action::InstructionBarrier,
        Some(("PMTRIG", digits)) => Action::Trigger(number(digits)?.try_into().ok()?),
        Some(("SWITCH", digits)) => Action::Switch(number(digits)?),
        Some(("DEPBAR", both)) => {
            let (scoreboard, count) = both.split_once(", ")?;
            let (scoreboard, count) = (number(scoreboard)?.try_into().ok()?, number(count)?.try_into().ok()?);
            Action::DependencyBarrier { scoreboard, count }
        }
        _ => return None,
    };
    // One action has one text.
    (action.to_string() == text).then_some(action)
}

/// The effects of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    len: usize,
    first: usize,
    columns: Vec<Writes>,
    events: Vec<(usize, Event)>,
    undefined: Vec<(usize, Erratum)>,
    spare: Vec<Vec<u32>>,
}

impl Effects {
    /// Forgets everything and prepares for `len` lanes, keeping memory for reuse.
    pub fn reset(&mut self, len: usize) {
        (self.len, self.first) = (len, 0);
        self.spare.extend(self.columns.drain(..).map(|c| c.values));
        self.events.clear();
        self.undefined.clear();
    }

    /// Number of lanes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no lane.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The first of the lanes that these are cut from; 0 if they are not cut from others.
    pub fn first(&self) -> usize {
        self.first
    }

    /// The effects of some of the lanes, which follow each other.
    ///
    /// # Panics
    /// If there is no such lane.
    pub fn part(&self, lanes: Range<usize>) -> Effects {
        self.turned(lanes, 0)
    }

    /// The effects of the nth copy in [`Batch::repeated`](crate::Batch::repeated), by the lanes of the batch that was repeated.
    ///
    /// # Panics
    /// If there is no such copy.
    pub fn copy(&self, lanes: usize, nth: usize) -> Effects {
        self.turned(nth * lanes..(nth + 1) * lanes, nth % lanes.max(1))
    }

    /// The effects of some lanes, the first of which becomes lane `by`.
    fn turned(&self, lanes: Range<usize>, by: usize) -> Effects {
        fn turn<T: Clone>(values: &[T], by: usize) -> Vec<T> {
            let mut values = values.to_vec();
            values.rotate_right(by);
            values
        }
        let column = |column: &Writes| Writes {
            location: column.location,
            values: turn(&column.values[lanes.clone()], by),
            written: match &column.written {
                Lanes::All => Lanes::All,
                Lanes::Some(written) => Lanes::from(turn(&written[lanes.clone()], by)),
            },
        };
        let here = |lane: &usize| lanes.contains(lane);
        let place = |lane: &usize| (lane - lanes.start + by) % lanes.len();
        let events = self.events.iter().filter(|(lane, _)| here(lane));
        let undefined = self.undefined.iter().filter(|(lane, _)| here(lane));
        Effects {
            len: lanes.len(),
            first: self.first + lanes.start,
            columns: self.columns.iter().map(column).collect(),
            events: events.map(|(lane, event)| (place(lane), *event)).collect(),
            undefined: undefined.map(|(lane, erratum)| (place(lane), *erratum)).collect(),
            spare: Vec::new(),
        }
    }

    /// Whether the same was done in each lane, whatever the batch.
    pub fn is_same(&self, other: &Effects) -> bool {
        self.len == other.len
            && self.columns == other.columns
            && self.events == other.events
            && self.undefined == other.undefined
    }

    /// Adds a column for a location and returns its values for writing: they are zeros or old values.
    pub fn write(&mut self, location: Location, written: Lanes) -> &mut [u32] {
        let mut values = self.spare.pop().unwrap_or_default();
        values.resize(self.len, 0);
        self.columns.push(Writes { location, values, written });
        &mut self.columns.last_mut().expect("a column was just pushed").values
    }

    /// Records an event of a lane.
    pub fn event(&mut self, lane: usize, event: Event) {
        self.events.push((lane, event));
    }

    /// The columns, in the order in which they were added.
    #[inline]
    pub fn columns(&self) -> &[Writes] {
        &self.columns
    }

    /// Records that the specification leaves the effect of a lane open in the current reading: no other effect of the
    /// lane counts.
    pub fn undefine(&mut self, lane: usize, erratum: Erratum) {
        self.undefined.push((lane, erratum));
    }

    /// The lanes that are undefined, each with the erratum that leaves it so.
    #[inline]
    pub fn undefined(&self) -> &[(usize, Erratum)] {
        &self.undefined
    }

    /// Events by lane, in the order in which they were recorded.
    #[inline]
    pub fn events(&self) -> &[(usize, Event)] {
        &self.events
    }

    /// The event of a lane.
    #[inline]
    pub fn event_of(&self, lane: usize) -> Option<&Event> {
        self.events.iter().find(|(l, _)| *l == lane).map(|(_, e)| e)
    }

    /// The value that a lane wrote to a location, if it did. Of several columns for one location the last counts.
    #[inline]
    pub fn value(&self, location: Location, lane: usize) -> Option<u32> {
        self.lane(lane).filter(|(l, _)| *l == location).last().map(|(_, v)| v)
    }

    /// Where that value is.
    #[inline]
    pub fn value_mut(&mut self, location: Location, lane: usize) -> Option<&mut u32> {
        let is_it = |c: &&mut Writes| c.location == location && c.written.contains(lane);
        self.columns.iter_mut().rfind(is_it).map(|c| &mut c.values[lane])
    }

    /// Everything that a lane wrote, in column order.
    #[inline]
    pub fn lane(&self, lane: usize) -> impl Iterator<Item = (Location, u32)> + '_ {
        self.columns
            .iter()
            .filter(move |c| c.written.contains(lane))
            .map(move |c| (c.location, c.values[lane]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Batch;

    #[test]
    fn a_copy_has_the_lanes_of_the_batch_that_was_repeated() {
        let mut batch = Batch::new(0, &[Location::R(1)], 5);
        batch.column_mut(0).copy_from_slice(&[10, 11, 12, 13, 14]);
        let repeated = batch.repeated(7);
        let values = repeated.column(Location::R(1)).unwrap();
        assert_eq!(values[5..12], [11, 12, 13, 14, 10, 12, 13]);
        let mut effects = Effects::default();
        effects.reset(35);
        effects.write(Location::R(0), Lanes::All).copy_from_slice(values);
        let event = Event::Executed(Action::Nop);
        effects.event(11, event);
        for nth in 0..7 {
            let copy = effects.copy(5, nth);
            assert_eq!(
                (copy.columns()[0].values.as_slice(), copy.first()),
                (&[10, 11, 12, 13, 14][..], 5 * nth)
            );
        }
        // Lane 1 of the third copy, which begins with lane 2.
        assert_eq!(effects.copy(5, 2).events(), [(3, event)]);
    }

    #[test]
    fn events_read_back() {
        let faults = Fault::ALL.map(Event::Fault).into_iter();
        for event in faults.chain(Failure::ALL.map(Event::Failed)) {
            assert_eq!(event.to_string().parse(), Ok(event));
        }
        let barrier = Action::DependencyBarrier { scoreboard: 7, count: 255 };
        for action in
            [Action::Nop, Action::Trigger(0x1234), Action::Switch(!0), Action::InstructionBarrier, barrier]
        {
            assert_eq!(Event::Executed(action).to_string().parse(), Ok(Event::Executed(action)));
        }
        for text in [
            "",
            "NOP 1",
            "PMTRIG",
            "PMTRIG 0x10000",
            "PMTRIG 0x01",
            "DEPBAR 0x0",
            "DEPBAR 0x100, 0x0",
            "SWITCH -1",
        ] {
            assert!(text.parse::<Action>().is_err(), "{text}");
            assert!(format!("executed: {text}").parse::<Event>().is_err(), "{text}");
        }
        for text in ["", "fault", "fault: fire", "failed: ", "misaligned address", "fault:misaligned address"]
        {
            assert!(text.parse::<Event>().is_err(), "{text}");
        }
        assert!("fire".parse::<Fault>().unwrap_err().to_string().contains("misaligned address"));
    }
}
