//! The campaign's source of bytes: ChaCha8 with the batch index as its stream.
//!
//! The cipher is counter-based, so any batch can be generated on its own: by any thread, in any shard,
//! after any restart. Cases are persisted as values, so nothing depends on this staying as it is.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// Number of bytes that an instruction is drawn from, with its predicates, of which a column takes 8.
pub const INSTRUCTION_BYTES: usize = 256;
/// Bytes that three words of a lane are drawn from.
pub const LANE_BYTES: usize = 24;
/// Lanes that share a relation between their operands.
pub const BLOCK: usize = 16;
/// Bytes that a relation is drawn from.
pub const BLOCK_BYTES: usize = 8;

/// Bytes that a batch of three words a lane is drawn from: enough for most instructions.
pub const fn bytes_of(lanes: usize) -> usize {
    INSTRUCTION_BYTES + lanes.div_ceil(BLOCK) * BLOCK_BYTES + lanes * LANE_BYTES
}

/// Fills a buffer with the first `length` bytes of a batch.
pub fn fill(seed: u64, batch: u64, length: usize, buffer: &mut Vec<u8>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(batch);
    buffer.resize(length, 0);
    rng.fill_bytes(buffer);
}
