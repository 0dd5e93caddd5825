//! The words that an instruction reads, one by one: what generators fill, coverage classifies and shrinking simplifies.
//!
//! An operand of one register is one cell, a pair is two, the set of predicates seven. Of an operand that a value
//! decides about, the cell is the register that holds the address.

use assay_isa::{Batch, Instruction, Location, Operand, Source};

use crate::operands::kinds::Kind;

/// A word that an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// The operand it belongs to.
    pub operand: &'static str,
    /// What it stands for.
    pub kind: Kind,
    /// Where it is.
    pub place: Place,
}

/// Where a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a location.
    At(Location),
    /// In the instruction.
    Literal(u32),
    /// Nowhere: RZ, URZ, PT, UPT and their like.
    Nowhere,
}

impl Place {
    /// The location, if it is one.
    pub fn location(self) -> Option<Location> {
        match self {
            Place::At(location) => Some(location),
            Place::Literal(_) | Place::Nowhere => None,
        }
    }

    /// The value in a lane of a batch; none for what has no storage.
    pub fn value(self, batch: &Batch, lane: usize) -> Option<u32> {
        match self {
            Place::At(location) => batch.column(location).map(|column| column[lane]),
            Place::Literal(bits) => Some(bits),
            Place::Nowhere => None,
        }
    }
}

/// The cells of an instruction: those of its inputs in the order of the text, then those of outputs that are read as
/// well. The guard is none of them.
pub fn cells(instruction: &Instruction) -> impl Iterator<Item = Cell> + '_ {
    let form = instruction.form();
    let old = form.optype.extra.old.iter().copied();
    let read = form.inputs().chain(old).flat_map(|name| {
        let operand = instruction.operand(name);
        let kind = Kind::of(instruction, name);
        places(operand).into_iter().map(move |place| Cell { operand: name, kind, place })
    });
    let bases = form.optype.outs.iter().filter_map(|name| {
        let base = instruction.operand(name).source.base()?;
        Some(Cell { operand: name, kind: Kind::of(instruction, name), place: Place::At(base) })
    });
    read.chain(bases)
}

/// The places of an operand's words.
pub fn places(operand: Operand) -> Vec<Place> {
    match operand.source {
        Source::Imm(bits) => vec![Place::Literal(bits)],
        Source::ConstAt { .. } | Source::URegAt { .. } => {
            vec![operand.source.base().map_or(Place::Nowhere, Place::At)]
        }
        _ => (0..operand.words).map(|word| operand.word(word).map_or(Place::Nowhere, Place::At)).collect(),
    }
}
