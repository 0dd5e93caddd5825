//! A case as bytes that mean an instruction and its values.
//!
//! The first 16 bytes are the word, under the provisional numbers, the least significant first. Four bytes follow for
//! each location that the instruction reads, in the order of [`Instruction::reads`]; missing bytes are 0. If a value
//! decides about places, the choices of the generator follow instead: its addresses lead to places that the case
//! offers. Bytes whose word is not legal are choices of the generator altogether, so every string of bytes is a case.

use arbitrary::{Arbitrary, Result as Drawn, Unstructured};
use assay_isa::{Batch, EncodingTable, Instruction, codec};

use assay_engine::generate::{self, AnyCase, Scope};

/// Bytes of a word.
pub const WORD: usize = 16;

/// Bytes that are drawn from where values decide about places: enough for each of them.
const CHOICES: usize = 128;

/// A case as it is written in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coded {
    /// The instruction.
    pub instruction: Instruction,
    /// The values that it reads, or the choices that they are drawn from.
    pub tail: Vec<u8>,
}

/// The case that bytes stand for.
pub fn case(data: &[u8]) -> Drawn<AnyCase> {
    match Coded::read(data) {
        Some(coded) => coded.case(),
        None => AnyCase::arbitrary(&mut Unstructured::new(data)),
    }
}

impl Coded {
    /// The case whose word is written in bytes; `None` without a legal word.
    pub fn read(data: &[u8]) -> Option<Coded> {
        let (word, tail) = data.split_first_chunk::<WORD>()?;
        let instruction = codec::decode(u128::from_le_bytes(*word), EncodingTable::provisional()).ok()?;
        Some(Coded { instruction, tail: tail.to_vec() })
    }

    /// An instruction, and values as the generator draws them.
    pub fn draw(u: &mut Unstructured<'_>) -> Drawn<Coded> {
        let instruction = Scope::everything().instruction(u)?;
        Coded::with_drawn_values(instruction, u)
    }

    /// An instruction with values as the generator draws them.
    pub fn with_drawn_values(instruction: Instruction, u: &mut Unstructured<'_>) -> Drawn<Coded> {
        if instruction.access().is_some() {
            let tail = u.bytes(CHOICES.min(u.len()))?.to_vec();
            return Ok(Coded { instruction, tail });
        }
        let mut batch = Batch::default();
        generate::batch(u, &instruction, EncodingTable::provisional(), 1, &mut batch)?;
        Ok(Coded::of(instruction, &batch))
    }

    /// The first lane of a batch for an instruction without values that decide about places.
    pub fn of(instruction: Instruction, batch: &Batch) -> Coded {
        let tail = batch.lane(0).flat_map(|(_, value)| value.to_le_bytes()).collect();
        Coded { instruction, tail }
    }

    /// The case.
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

    /// Its bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let word = codec::encode(&self.instruction, EncodingTable::provisional());
        [&word.to_le_bytes(), &self.tail[..]].concat()
    }
}
