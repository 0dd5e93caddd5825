//! The words that an instruction reads. Generators fill these words, coverage classifies them, and
//! shrinking simplifies them.
//!
//! Each word is a *cell*. An operand of one register is one cell, a pair of registers two, the set
//! of predicates seven. If a value decides the location of an operand, its cell is the register
//! that holds the address.

use assay_isa::{Batch, Instruction, Location, Operand, Source};

use crate::operands::operand_kinds::OperandKind;

/// A word that an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OperandWord {
    /// The operand it belongs to.
    pub operand: &'static str,
    /// The kind of its value.
    pub kind: OperandKind,
    /// Where it is.
    pub place: WordPlace,
}

/// Where a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordPlace {
    /// In a location.
    At(Location),
    /// In the instruction.
    Literal(u32),
    /// Nowhere: RZ, URZ, PT, UPT and their like.
    Nowhere,
}

impl WordPlace {
    /// Returns the location of the word, if it has one.
    pub fn location(self) -> Option<Location> {
        match self {
            WordPlace::At(location) => Some(location),
            WordPlace::Literal(_) | WordPlace::Nowhere => None,
        }
    }

    /// Returns the value in a lane of a batch. `None` for a word without storage.
    pub fn value(self, batch: &Batch, lane: usize) -> Option<u32> {
        match self {
            WordPlace::At(location) => batch.column(location).map(|column| column[lane]),
            WordPlace::Literal(bits) => Some(bits),
            WordPlace::Nowhere => None,
        }
    }
}

/// Returns the cells of an instruction: first those of its inputs in the order of the text, then
/// those of outputs that are read, too. The guard has no cell.
pub fn operand_words(instruction: &Instruction) -> impl Iterator<Item = OperandWord> + '_ {
    let form = instruction.form();
    let old = form.optype.extra.old.iter().copied();
    let read = form.inputs().chain(old).flat_map(|name| {
        let operand = instruction.operand(name);
        let kind = OperandKind::of(instruction, name);
        places(operand).into_iter().map(move |place| OperandWord { operand: name, kind, place })
    });
    let bases = form.optype.outs.iter().filter_map(|name| {
        let base = instruction.operand(name).source.base()?;
        Some(OperandWord {
            operand: name,
            kind: OperandKind::of(instruction, name),
            place: WordPlace::At(base),
        })
    });
    read.chain(bases)
}

/// The places of an operand's words.
pub fn places(operand: Operand) -> Vec<WordPlace> {
    match operand.source {
        Source::Imm(bits) => vec![WordPlace::Literal(bits)],
        Source::ConstAt { .. } | Source::URegAt { .. } => {
            vec![operand.source.base().map_or(WordPlace::Nowhere, WordPlace::At)]
        }
        _ => (0..operand.words)
            .map(|word| operand.word(word).map_or(WordPlace::Nowhere, WordPlace::At))
            .collect(),
    }
}
