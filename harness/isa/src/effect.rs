//! The effects of an instruction: writes and events.
//!
//! A lane whose guard is false writes nothing. So a column records for each lane whether the lane
//! wrote.

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
    /// Returns `All` if every lane holds `true`.
    fn from(lanes: Vec<bool>) -> Lanes {
        if lanes.iter().all(|held| *held) { Lanes::All } else { Lanes::Some(lanes) }
    }
}

impl Lanes {
    /// Whether the set contains a lane.
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
    /// The written location.
    pub location: Location,
    /// The written values, one for each lane. The value of a lane that did not write is
    /// meaningless.
    pub values: Vec<u32>,
    /// The lanes that wrote.
    pub written: Lanes,
}

/// An effect other than a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Event {
    /// The instruction faulted, and wrote nothing.
    Fault(Fault),
    /// The instruction had an effect outside the registers (E075 to E078).
    Executed(Action),
    /// The device failed, and its effects are unknown. An oracle never demands this event.
    Failed(Failure),
}

/// How a device can fail on a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Failure {
    /// The device exited, or closed its input or output.
    Crashed,
    /// The device did not answer completely before the deadline.
    Hung,
    /// The answer cannot be read: it is not a message, incomplete or too long.
    Unreadable,
    /// The answer can be read, but does not fit the request: a wrong request number, a lane or a
    /// location that does not exist.
    Unfit,
    /// The device reported an error.
    Reported,
    /// The device answered `unsupported` for a mode that it had declared.
    Declined,
    /// The device overwrote its inputs, which belong to the host.
    WroteInputs,
    /// A device that is used as the oracle called a lane undefined, although the specification
    /// defines the lane.
    CalledUndefined,
}

impl Failure {
    /// All failures.
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

    /// Returns the failure in words.
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

    /// Whether a text is the failure in words, of a subject or of a device in place of the oracle.
    pub fn is_named(self, text: &str) -> bool {
        [self.name(), self.of_reference()].contains(&text)
    }

    /// Returns the failure in words, if a device in place of the oracle has it.
    pub fn of_reference(self) -> &'static str {
        match self {
            Failure::Crashed => "reference crashed",
            Failure::Hung => "reference hung",
            Failure::Unreadable => "reference answered unreadably",
            Failure::Unfit => "reference answered something else",
            Failure::Reported => "reference reported an error",
            Failure::Declined => "declined by the reference",
            Failure::WroteInputs => "reference wrote to its inputs",
            Failure::CalledUndefined => "called undefined by the reference",
        }
    }
}

/// The faults of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// A uniform register index out of range (E165).
    RegisterIndex,
    /// An address that is not a multiple of the accessed value's size (E096).
    Misaligned,
    /// An address beyond the constant bank.
    BeyondBank,
}

impl Fault {
    const ALL: [Fault; 3] = [Fault::RegisterIndex, Fault::Misaligned, Fault::BeyondBank];

    /// Returns the fault in words.
    pub fn name(self) -> &'static str {
        match self {
            Fault::RegisterIndex => "uniform register index out of range",
            Fault::Misaligned => "misaligned address",
            Fault::BeyondBank => "address beyond the constant bank",
        }
    }
}

/// The effects outside the registers.
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
        /// Number of the scoreboard, 0 to 7.
        scoreboard: u8,
        /// The count that the scoreboard's counter is compared with.
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

/// Writes an event with its kind: `fault: misaligned address`, `executed: PMTRIG 0x5`,
/// `failed: device hung`.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Fault(fault) => write!(f, "fault: {}", fault.name()),
            Event::Executed(action) => write!(f, "executed: {action}"),
            Event::Failed(failure) => write!(f, "failed: {}", failure.name()),
        }
    }
}

/// The error of a text that is not an event, a fault or an action.
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
    // Accepts the canonical text only.
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
    /// Removes all effects, and prepares for `len` lanes. Keeps memory for reuse.
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

    /// Whether the batch has no lanes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the index of the first lane in the larger batch that these effects were cut from. 0
    /// if they were not cut.
    pub fn first(&self) -> usize {
        self.first
    }

    /// Returns the effects of some consecutive lanes.
    ///
    /// # Panics
    /// If a lane does not exist.
    pub fn part(&self, lanes: Range<usize>) -> Effects {
        self.turned(lanes, 0)
    }

    /// Returns the effects of copy `nth` of [`Batch::repeated`](crate::Batch::repeated), in the
    /// lane order of the original batch. `lanes` is the number of lanes in a copy.
    ///
    /// # Panics
    /// If the copy does not exist.
    pub fn copy(&self, lanes: usize, nth: usize) -> Effects {
        self.turned(nth * lanes..(nth + 1) * lanes, nth % lanes.max(1))
    }

    /// Returns the effects of some lanes, rotated so that the first of these lanes becomes lane
    /// `by`.
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

    /// Whether the effects are equal, apart from their positions in the batches that they were cut
    /// from.
    pub fn is_same(&self, other: &Effects) -> bool {
        self.len == other.len
            && self.columns == other.columns
            && self.events == other.events
            && self.undefined == other.undefined
    }

    /// Adds a column for a location, and returns the column's values for writing. The initial
    /// values are arbitrary.
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

    /// Records that the specification leaves a lane undefined in the current reading. Other effects
    /// of the lane then do not count.
    pub fn undefine(&mut self, lane: usize, erratum: Erratum) {
        self.undefined.push((lane, erratum));
    }

    /// Returns the undefined lanes, each with the erratum that makes it undefined.
    #[inline]
    pub fn undefined(&self) -> &[(usize, Erratum)] {
        &self.undefined
    }

    /// Returns each event with its lane, in the order in which they were recorded.
    #[inline]
    pub fn events(&self) -> &[(usize, Event)] {
        &self.events
    }

    /// Returns the first event of a lane.
    #[inline]
    pub fn event_of(&self, lane: usize) -> Option<&Event> {
        self.events.iter().find(|(l, _)| *l == lane).map(|(_, e)| e)
    }

    /// Returns the value that a lane wrote to a location, if any. If several columns have the
    /// location, the last one counts.
    #[inline]
    pub fn value(&self, location: Location, lane: usize) -> Option<u32> {
        self.lane(lane).filter(|(l, _)| *l == location).last().map(|(_, v)| v)
    }

    /// Returns a mutable reference to the value that a lane wrote to a location, if any.
    #[inline]
    pub fn value_mut(&mut self, location: Location, lane: usize) -> Option<&mut u32> {
        let is_it = |c: &&mut Writes| c.location == location && c.written.contains(lane);
        self.columns.iter_mut().rfind(is_it).map(|c| &mut c.values[lane])
    }

    /// Returns all locations and values that a lane wrote, in column order.
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
        // Position 11 is the second lane of the third copy, which begins with lane 2.
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
