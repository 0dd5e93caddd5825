//! What an instruction did: writes only, and an event where it caused one.
//!
//! A lane whose guard is false writes nothing, so a column says for each lane whether it was written.

use crate::location::Location;
use crate::readings::Erratum;

/// A set of lanes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// Every lane.
    All,
    /// The lanes that hold `true`.
    Some(Vec<bool>),
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

/// Something an instruction did besides writing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// It faulted; the text names the fault.
    Fault(String),
    /// It executed with an effect outside the register state; the text names it.
    Executed(String),
}

/// The effects of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    len: usize,
    columns: Vec<Writes>,
    events: Vec<(usize, Event)>,
    undefined: Vec<(usize, Erratum)>,
    spare: Vec<Vec<u32>>,
}

impl Effects {
    /// Forgets everything and prepares for `len` lanes, keeping memory for reuse.
    pub fn reset(&mut self, len: usize) {
        self.len = len;
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

    /// Adds a column for a location and hands out its values to be filled in: zeros or leftovers.
    pub fn write(&mut self, location: Location, written: Lanes) -> &mut [u32] {
        let mut values = self.spare.pop().unwrap_or_default();
        values.resize(self.len, 0);
        self.columns.push(Writes { location, values, written });
        &mut self.columns.last_mut().expect("a column was just pushed").values
    }

    /// Records what happened in a lane besides writes.
    pub fn event(&mut self, lane: usize, event: Event) {
        self.events.push((lane, event));
    }

    /// The columns, in the order in which they were added.
    pub fn columns(&self) -> &[Writes] {
        &self.columns
    }

    /// Records that the specification, in the reading at hand, does not say what a lane does: nothing else
    /// that is recorded for it counts.
    pub fn undefine(&mut self, lane: usize, erratum: Erratum) {
        self.undefined.push((lane, erratum));
    }

    /// The lanes that are undefined, each with the erratum that leaves it so.
    pub fn undefined(&self) -> &[(usize, Erratum)] {
        &self.undefined
    }

    /// Events by lane, in the order in which they were recorded.
    pub fn events(&self) -> &[(usize, Event)] {
        &self.events
    }

    /// The event of a lane.
    pub fn event_of(&self, lane: usize) -> Option<&Event> {
        self.events.iter().find(|(l, _)| *l == lane).map(|(_, e)| e)
    }

    /// What a lane wrote to a location, if it did. Of several columns for one location the last counts.
    pub fn value(&self, location: Location, lane: usize) -> Option<u32> {
        self.lane(lane).filter(|(l, _)| *l == location).last().map(|(_, v)| v)
    }

    /// Everything that a lane wrote, in column order.
    pub fn lane(&self, lane: usize) -> impl Iterator<Item = (Location, u32)> + '_ {
        self.columns
            .iter()
            .filter(move |c| c.written.contains(lane))
            .map(move |c| (c.location, c.values[lane]))
    }
}
