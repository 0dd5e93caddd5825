//! Effects that an undefined lane may have: any value in the instruction's destination, and no other effect.

use assay_isa::effect::Event;
use assay_isa::instruction::Access;
use assay_isa::{Erratum, Instruction, Location};

/// E081 leaves open how many elements BFN writes, so BFN may write any channel of its destination.
const ELEMENT_COUNT: Erratum = Erratum(81);

/// Where an instruction leaves its result.
pub struct Destination {
    /// The locations that the instruction can write, whatever the values of its operands are.
    writes: Vec<Location>,
    /// The written place whose location depends on a value, if there is one.
    access: Option<Access>,
    /// Whether the instruction has no destination at all, so that the event is its result.
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

    /// Whether an undefined lane may report an event: only that it executed, and only where the instruction has no
    /// destination.
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
