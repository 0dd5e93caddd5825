//! The device: runs batches of lanes.
//!
//! Source: docs/device-under-test.md. A lane whose guard is false writes nothing (E008). All
//! sources are read before any write (E011). If two writes have the same location, the last one
//! counts.

use crate::batch::{Batch, Column};
use crate::codes::{OPTYPES, Optype};
use crate::decode;
use crate::disturbance::Disturbance;
use crate::execute::{self, LaneOutcome};
use crate::fault::{Active, Fault};
use crate::feeds::Feeds;
use crate::instruction::{Instruction, Predicate, ResultPart, Source};
use crate::location::Location;

/// A device with at most one fault.
///
/// ```
/// use assay_independent::{Batch, Device, Location};
///
/// // FADD R0, R1, R2 with 1.0 and 2.0.
/// let mut device = Device::new(None);
/// let batch = Batch {
///     word: 0x0000_0000_0000_0000_0000_0002_0100_7529,
///     lanes: 1,
///     locations: &[Location::r(1), Location::r(2)],
///     values: &[0x3f80_0000, 0x4000_0000],
/// };
/// let columns = device.run(&batch).expect("FADD is supported");
/// assert_eq!(columns[0].location, Location::r(0));
/// assert_eq!(columns[0].values, [0x4040_0000]);
/// ```
#[derive(Debug)]
pub struct Device {
    active: Active,
    disturbance: Disturbance,
}

impl Device {
    /// Creates a device, sound or with one fault.
    pub fn new(fault: Option<Fault>) -> Device {
        let active = Active::of(fault);
        Device { active, disturbance: Disturbance::new(active) }
    }

    /// Returns the supported modes of every device: the names of whole optypes.
    pub fn modes() -> Vec<&'static str> {
        OPTYPES.iter().map(|info| info.name).collect()
    }

    /// Returns the locations that an instruction reads, without duplicates. `None` if the
    /// instruction is not supported.
    pub fn reads(word: u128) -> Option<Vec<Location>> {
        let i = decode::decode(word, Active::NONE)?;
        let operands = [&i.a, &i.b, &i.c].into_iter().flat_map(|o| [Some(o.source), o.high]);
        let predicates = predicates_of(&i).into_iter().map(|p| Some(p.source));
        let mut places: Vec<Location> = operands
            .chain(predicates)
            .filter_map(|source| match source {
                Some(Source::Place(place)) => Some(place),
                _ => None,
            })
            .collect();
        if i.packs {
            places.extend((0..7).map(Location::up));
        }
        places.sort_unstable();
        places.dedup();
        Some(places)
    }

    /// Runs a batch. Returns the written values. `None` if the instruction is not supported.
    pub fn run(&mut self, batch: &Batch) -> Option<Vec<Column>> {
        let mut instruction = decode::decode(batch.word, self.active)?;
        self.disturbance.begin(&mut instruction, batch);
        let feeds = Feeds::new(&instruction, batch);
        let mut outcomes: Vec<LaneOutcome> = Vec::with_capacity(batch.lanes);
        let mut enabled: Vec<u8> = Vec::with_capacity(batch.lanes);
        for lane in 0..batch.lanes {
            let mut values = feeds.lane(self.disturbance.source_lane(lane, batch.lanes));
            let guard = feeds.guard(self.disturbance.guard_lane(&instruction, lane));
            self.disturbance.operands(&instruction, &mut values, &feeds, lane);
            let (active, rounding) = self.disturbance.arithmetic(&instruction, lane, batch.lanes);
            let own = instruction.m.rounding;
            instruction.m.rounding = rounding;
            let outcome = execute::lane(&instruction, &values, active);
            instruction.m.rounding = own;
            outcomes.push(self.disturbance.outcome(&outcomes, &feeds, lane, outcome));
            enabled.push(guard.into());
        }
        self.disturbance.end(&instruction, &feeds, &mut enabled);
        Some(self.columns(&instruction, &outcomes, &enabled))
    }

    /// Collects the writes: one column for each location.
    fn columns(&self, i: &Instruction, outcomes: &[LaneOutcome], enabled: &[u8]) -> Vec<Column> {
        let mut columns: Vec<Column> = Vec::new();
        for (location, part) in self.writes(i) {
            let value = |lane: usize| {
                let carry_lost =
                    part == ResultPart::First && self.disturbance.loses_carry(lane, outcomes.len());
                if enabled[lane] == 0 || carry_lost { 0 } else { outcomes[lane].part(part) }
            };
            let values: Vec<u32> = (0..outcomes.len()).map(value).collect();
            let truth = matches!(part, ResultPart::First | ResultPart::Second);
            let everywhere = (self.active.has(Fault::FalseGuardWritesZero) && !truth)
                || (self.active.has(Fault::FalseGuardClearsPredicates) && truth);
            let written = (!everywhere && enabled.contains(&0)).then(|| enabled.to_vec());
            match columns.iter_mut().find(|column| column.location == location) {
                Some(_) if self.active.has(Fault::FirstOfTwoWritesCounts) => {}
                Some(column) => *column = Column { location, values, written },
                None => columns.push(Column { location, values, written }),
            }
        }
        columns
    }

    /// Returns the written locations, in order.
    fn writes(&self, i: &Instruction) -> Vec<(Location, ResultPart)> {
        let mut writes = i.outputs.clone();
        let optype = i.info.optype;
        let has = |part| i.outputs.iter().any(|output| output.1 == part);
        if self.active.has(Fault::SecondNeedsFirst) && !has(ResultPart::First) {
            writes.retain(|output| output.1 != ResultPart::Second);
        }
        if self.active.has(Fault::LowProductCarryNotWritten) && optype == Optype::Uimad && !i.m.extended {
            writes.retain(|output| output.1 != ResultPart::First);
        }
        if self.active.has(Fault::HighWordNotWritten) && optype == Optype::UimadWide && i.form == "UUC" {
            writes.retain(|output| output.1 != ResultPart::High);
        }
        if self.active.has(Fault::DiscardedPredicateWritten)
            && optype == Optype::Fsetp
            && !has(ResultPart::Second)
        {
            writes.push((Location::p(6), ResultPart::Second));
        }
        let single = optype == Optype::Umov && !i.m.wide;
        if let (true, true, Some((place, _))) =
            (self.active.has(Fault::MoveWritesPair), single, i.outputs.first().copied())
            && place.index < 62
        {
            writes.push((Location::ur(place.index + 1), ResultPart::High));
        }
        writes
    }
}

fn predicates_of(i: &Instruction) -> Vec<Predicate> {
    let mut all = vec![i.guard];
    match i.info.optype {
        Optype::Fmnmx | Optype::Fsetp | Optype::Fset | Optype::Fsel => all.push(i.p),
        Optype::Uimnmx | Optype::Usel | Optype::Ulop3 => all.push(i.p),
        Optype::Uiadd | Optype::Uimad | Optype::UimadWide | Optype::Ulea if i.m.extended => all.push(i.p),
        Optype::Uisetp if i.m.extended => all.extend([i.p, i.q]),
        Optype::Uisetp => all.push(i.p),
        Optype::Uplop3 => all.extend([i.p, i.q, i.r]),
        _ => {}
    }
    all
}
