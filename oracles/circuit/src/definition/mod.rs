//! The definitions: instructions as circuits, bit by bit, under each reading.
//!
//! These definitions are written from the specification alone, and differently from the model and
//! the high-precision oracle: integers by their bits, floats as one exact sum of integers that is
//! rounded once. They are there to be read and proved with. Evaluated on numbers, they are an
//! implementation like others ([`Circuits`]).
//!
//! * `context`: the operands, outputs and readings of the instruction that is defined;
//! * `integer`: XU without MUFU, and UDP without memory and register indices;
//! * [`float`]: FALU and UF2FP;
//! * `steps`: the steps of a definition that a proof observes or replaces;
//! * `subject`: the definitions as a [`Subject`](assay_isa::Subject).

mod context;
pub mod float;
mod integer;
mod steps;
mod subject;

use assay_isa::readings::Erratum;
use assay_isa::{Instruction, Location, Readings};

use crate::graph::{Bit, Graph};
use crate::word::Word;
use context::Context;

pub use steps::{Steps, Whole};
pub use subject::Circuits;

/// The circuit of an instruction.
#[derive(Clone, Debug)]
pub struct Definition {
    /// What the instruction reads: 32 bits, or one bit for a predicate.
    pub inputs: Vec<(Location, Word)>,
    /// What it writes. Each location occurs once.
    pub outputs: Vec<Output>,
    /// Whether the specification leaves the result undefined, for each erratum that does so.
    pub undefined: Vec<(Erratum, Bit)>,
}

/// The value that an instruction gives a location.
#[derive(Clone, Debug)]
pub struct Output {
    /// The location.
    pub location: Location,
    /// Whether the instruction writes the location at all.
    pub written: Bit,
    /// The value: 32 bits, or one bit for a predicate. Meaningless if it is not written.
    pub value: Word,
}

/// Defines an instruction in a graph. `input` returns the signals of a location: 32, or one for a
/// predicate. `None` if there is no definition of the instruction.
///
/// # Panics
/// If `input` returns a word of another width.
pub fn define(
    graph: &mut Graph,
    instruction: &Instruction,
    readings: &Readings,
    input: impl FnMut(&mut Graph, Location) -> Word,
) -> Option<Definition> {
    define_with(graph, instruction, readings, input, &mut Whole)
}

/// As [`define`], with some steps of the definition observed or replaced.
pub fn define_with(
    graph: &mut Graph,
    instruction: &Instruction,
    readings: &Readings,
    mut input: impl FnMut(&mut Graph, Location) -> Word,
    steps: &mut dyn Steps,
) -> Option<Definition> {
    let reads = instruction.reads().into_iter();
    let inputs: Vec<(Location, Word)> = reads.map(|place| (place, input(graph, place))).collect();
    for (location, word) in &inputs {
        assert_eq!(word.width(), width(*location), "the width of {location}");
    }
    let mut context = Context::new(graph, instruction, readings, inputs, steps);
    let defined = match instruction.optype() {
        "FADD" | "FMUL" | "FFMA" | "FMNMX" | "FSETP" | "FSET" | "FSEL" | "FCHK" | "UF2FP" => {
            float::define(&mut context)
        }
        _ => integer::define(&mut context),
    };
    defined.map(|()| context.finish())
}

/// Returns the number of bits of a location: 1 for a predicate, 32 for any other.
pub fn width(location: Location) -> usize {
    match location {
        Location::P(_) | Location::UP(_) => 1,
        _ => 32,
    }
}
