//! Instructions and cases from a stream of bytes: one generator, three drivers.
//!
//! Everything is read from an [`Unstructured`]. A campaign fills it from a counter-based generator keyed
//! by seed and batch ([`stream`]), libFuzzer from the bytes it mutates, proptest from the bytes it shrinks.

pub mod classes;
mod instruction;
mod lanes;
mod relations;
pub mod stream;

use arbitrary::{Arbitrary, Result, Unstructured};
use assay_isa::{Batch, Instruction, Numbers, codec};

pub use instruction::Scope;

/// Version of the generator. Whoever changes what a seed gives raises it, so that checkpoints and shards
/// of different builds are not mixed.
pub const VERSION: u32 = 3;

/// Lanes of a campaign's batch. Case index i is lane i mod this of batch i div this.
pub const LANES: usize = 1024;

/// Fills a batch of `lanes` cases for an instruction.
pub fn batch(
    u: &mut Unstructured<'_>,
    instruction: &Instruction,
    numbers: &Numbers,
    lanes: usize,
    batch: &mut Batch,
) -> Result<()> {
    batch.reset(codec::encode(instruction, numbers), &instruction.reads(), lanes);
    lanes::fill(u, instruction, batch)
}

/// One instruction and the inputs of one case: what a fuzz target takes as its argument.
#[derive(Clone, Debug)]
pub struct AnyCase {
    /// The instruction.
    pub instruction: Instruction,
    /// One lane, encoded with the provisional numbers.
    pub batch: Batch,
}

impl<'a> Arbitrary<'a> for AnyCase {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let instruction = Scope::everything().instruction(u)?;
        let mut one = Batch::default();
        batch(u, &instruction, Numbers::provisional(), 1, &mut one)?;
        Ok(AnyCase { instruction, batch: one })
    }
}
