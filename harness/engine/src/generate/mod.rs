//! Generates instructions and cases from a stream of bytes. One generator has three drivers.
//!
//! Everything is read from an [`Unstructured`]. In a campaign, the bytes come from a counter-based
//! generator keyed by seed and batch ([`stream`]). In a fuzz target, they come from libFuzzer, and
//! in a property test from proptest.

mod batches;
pub mod classes;
pub mod domain;
pub mod edges;
pub(crate) mod ends;
pub mod hard_to_round;
mod instruction;
mod lanes;
pub(crate) mod relations;
pub(crate) mod splitmix;
pub mod stream;
mod targets;

use arbitrary::{Arbitrary, Result, Unstructured};
use assay_isa::{BackendError, Batch, EncodingTable, Instruction, codec};

pub use batches::{BatchPlan, LANES};
pub use instruction::{Scope, value_of_field};
pub use relations::bend;
pub(crate) use stream::BLOCK;
use targets::Targets;

/// Version of the generator. The version rises with every change to the cases of a seed or to the
/// units of a sweep. So checkpoints and shards of different generators are not mixed.
pub const VERSION: u32 = 12;

/// Returns the error for a batch that could not be drawn. Such an error is a defect of the
/// generator: no request should cause it.
pub fn undrawn(batch: u64, error: arbitrary::Error) -> BackendError {
    BackendError::Failed {
        implementation: "generator".into(),
        problem: format!("batch {batch} cannot be drawn: {error}"),
    }
}

/// Draws an instruction by `pick` and a batch for it, from the bytes of a seed and a batch index.
///
/// `bytes` is a buffer that is reused.
pub fn from_stream(
    (seed, index): (u64, u64),
    numbers: &EncodingTable,
    lanes: usize,
    bytes: &mut Vec<u8>,
    filled: &mut Batch,
    pick: impl Fn(&mut Unstructured<'_>) -> Result<Instruction>,
) -> Result<Instruction> {
    let usual = stream::bytes_of(lanes);
    stream::fill(seed, index, usual, bytes);
    let mut u = Unstructured::new(bytes);
    let mut instruction = pick(&mut u)?;
    let needed = lanes::bytes_needed(&instruction, lanes);
    if needed > usual {
        // A longer stream begins with the same bytes, so it gives the same instruction.
        stream::fill(seed, index, needed, bytes);
        u = Unstructured::new(bytes);
        instruction = pick(&mut u)?;
    }
    batch(&mut u, &instruction, numbers, lanes, filled)?;
    Ok(instruction)
}

/// Fills a batch of `lanes` cases for an instruction.
pub fn batch(
    u: &mut Unstructured<'_>,
    instruction: &Instruction,
    numbers: &EncodingTable,
    lanes: usize,
    batch: &mut Batch,
) -> Result<()> {
    let word = codec::encode(instruction, numbers);
    let Some(access) = instruction.access() else {
        batch.reset(word, &instruction.reads(), lanes);
        return lanes::fill(u, instruction, batch);
    };
    let targets = Targets::draw(u, access)?;
    let mut locations = instruction.reads();
    for target in targets.locations() {
        if !locations.contains(&target) {
            locations.push(target);
        }
    }
    batch.reset(word, &locations, lanes);
    lanes::fill(u, instruction, batch)?;
    targets.hit_targets(u, batch)
}

/// One instruction and the inputs of one case: the argument of a fuzz target.
#[derive(Clone, Debug)]
pub struct AnyCase {
    /// The instruction.
    pub instruction: Instruction,
    /// The inputs, as a batch of one lane. Its word is the instruction, encoded with the provisional
    /// encoding table.
    pub batch: Batch,
}

impl<'a> Arbitrary<'a> for AnyCase {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let instruction = Scope::everything().instruction(u)?;
        let mut one = Batch::default();
        batch(u, &instruction, EncodingTable::provisional(), 1, &mut one)?;
        Ok(AnyCase { instruction, batch: one })
    }
}
