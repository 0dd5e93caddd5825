//! A case as bytes: an instruction word and its input values.
//!
//! The first 16 bytes are the word under the provisional encoding table, least significant byte
//! first. Four bytes follow for each location that the instruction reads, in the order of
//! [`Instruction::reads`]. Missing bytes are 0. If a value of the instruction selects locations,
//! random choices of the generator follow instead of values. The generator then draws addresses
//! that lead to locations of the case. If the word is not legal, all bytes are random choices of
//! the generator. So every string of bytes is a case.

use arbitrary::{Arbitrary, Result as Drawn, Unstructured};
use assay_isa::{Batch, EncodingTable, Instruction, codec};

use assay_engine::generate::{self, AnyCase, Scope};

/// Number of bytes of a word.
pub const WORD: usize = 16;

/// Number of bytes of random choices that a case stores if values select locations. This number is
/// enough for every instruction.
const CHOICES: usize = 128;

/// A case that is stored as bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coded {
    /// The instruction.
    pub instruction: Instruction,
    /// The input values, or the random choices from which the generator draws them.
    pub tail: Vec<u8>,
}

/// Returns the case for a string of bytes.
pub fn case(data: &[u8]) -> Drawn<AnyCase> {
    match Coded::read(data) {
        Some(coded) => coded.case(),
        None => AnyCase::arbitrary(&mut Unstructured::new(data)),
    }
}

impl Coded {
    /// Reads a case that begins with a word. `None` if the word is not legal.
    pub fn read(data: &[u8]) -> Option<Coded> {
        let (word, tail) = data.split_first_chunk::<WORD>()?;
        let instruction = codec::decode(u128::from_le_bytes(*word), EncodingTable::provisional()).ok()?;
        Some(Coded { instruction, tail: tail.to_vec() })
    }

    /// Draws an instruction and its values with the generator.
    pub fn draw(u: &mut Unstructured<'_>) -> Drawn<Coded> {
        let instruction = Scope::everything().instruction(u)?;
        Coded::with_drawn_values(instruction, u)
    }

    /// Draws the values of an instruction with the generator.
    pub fn with_drawn_values(instruction: Instruction, u: &mut Unstructured<'_>) -> Drawn<Coded> {
        if instruction.access().is_some() {
            let tail = u.bytes(CHOICES.min(u.len()))?.to_vec();
            return Ok(Coded { instruction, tail });
        }
        let mut batch = Batch::default();
        generate::batch(u, &instruction, EncodingTable::provisional(), 1, &mut batch)?;
        Ok(Coded::of(instruction, &batch))
    }

    /// Makes a case of the first lane of a batch. The instruction must have no values that select
    /// locations.
    pub fn of(instruction: Instruction, batch: &Batch) -> Coded {
        let tail = batch.lane(0).flat_map(|(_, value)| value.to_le_bytes()).collect();
        Coded { instruction, tail }
    }

    /// Returns the case.
    pub fn case(&self) -> Drawn<AnyCase> {
        let instruction = self.instruction.clone();
        let mut batch = Batch::default();
        if instruction.access().is_some() {
            let u = &mut Unstructured::new(&self.tail);
            generate::batch(u, &instruction, EncodingTable::provisional(), 1, &mut batch)?;
            return Ok(AnyCase { instruction, batch });
        }
        let locations = instruction.reads();
        batch.reset(codec::encode(&instruction, EncodingTable::provisional()), &locations, 1);
        let mut bytes = self.tail.iter().copied().chain(std::iter::repeat(0));
        for (index, location) in locations.iter().enumerate() {
            let value = u32::from_le_bytes(std::array::from_fn(|_| bytes.next().unwrap_or_default()));
            batch.column_mut(index)[0] = if location.is_predicate() { value & 1 } else { value };
        }
        Ok(AnyCase { instruction, batch })
    }

    /// Returns the case as bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let word = codec::encode(&self.instruction, EncodingTable::provisional());
        [&word.to_le_bytes(), &self.tail[..]].concat()
    }
}
