//! Effects that an undefined lane may have: any value in the instruction's destination, and no other effect.

use assay_isa::effect::Event;
use assay_isa::instruction::Access;
use assay_isa::{Erratum, Instruction, Location};

/// E081 leaves open how many elements BFN writes, so BFN may write any channel of its destination.
const ELEMENT_COUNT: Erratum = Erratum(81);

/// The locations in which an instruction writes its result.
pub struct Destination {
    /// The written locations that do not depend on the values of operands.
    writes: Vec<Location>,
    /// The access that writes a location that depends on a value, if there is one.
    access: Option<Access>,
    /// Whether the instruction has no destination, so that its only result is an event.
    is_event: bool,
}

impl Destination {
    /// The destination of an instruction.
    pub fn of(instruction: &Instruction) -> Destination {
        let access = instruction.access().filter(|access| access.writes);
        let is_event = instruction.form().optype.outs.is_empty() && access.is_none();
        Destination { writes: instruction.writes(), access, is_event }
    }

    /// Whether a location belongs to the destination in a lane that an erratum leaves undefined.
    pub fn contains(&self, location: Location, erratum: Erratum) -> bool {
        self.writes.contains(&location)
            || self.access.is_some_and(|access| access.reaches(location))
            || erratum == ELEMENT_COUNT && self.writes.iter().any(|write| same_variable(*write, location))
    }

    /// Whether an undefined lane may report an event. The event must be [`Event::Executed`], and
    /// the instruction must have no destination.
    pub fn permits(&self, event: &Event) -> bool {
        self.is_event && matches!(event, Event::Executed(_))
    }
}

fn same_variable(one: Location, other: Location) -> bool {
    match (one, other) {
        (Location::Var { variable, .. }, Location::Var { variable: other, .. }) => variable == other,
        _ => false,
    }
}
