//! The campaign's source of bytes. ChaCha8, with the batch index as its stream, gives the bytes for
//! the instruction of a batch, and a key. SplitMix64 with this key gives the bytes for the values
//! of the lanes.
//!
//! Both generators are counter-based. So any batch can be generated on its own: by any thread, in
//! any shard, after any restart. Cases are stored as values, so they stay valid if this stream
//! changes.

use multiversion::multiversion;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::splitmix::{STEP, mix};

/// Number of bytes from which an instruction and its predicates are drawn. A column of predicates
/// takes 8 of these bytes.
pub const INSTRUCTION_BYTES: usize = 256;
/// Number of bytes from which three words of a lane are drawn.
pub const LANE_BYTES: usize = 24;
/// Lanes that share a relation between their operands.
pub const BLOCK: usize = 16;
/// Number of bytes from which a relation is drawn.
pub const BLOCK_BYTES: usize = 8;

/// Number of bytes of a batch that ChaCha8 gives. The cipher generates these bytes and the key in
/// one step.
const HEAD: usize = INSTRUCTION_BYTES - KEY;
/// Bytes of a key.
const KEY: usize = 8;

/// Returns the number of bytes from which a batch with three words per lane is drawn. Enough for
/// most instructions.
pub const fn bytes_of(lanes: usize) -> usize {
    INSTRUCTION_BYTES + lanes.div_ceil(BLOCK) * BLOCK_BYTES + lanes * LANE_BYTES
}

/// Fills a buffer with the first `length` bytes of a batch.
pub fn fill(seed: u64, batch: u64, length: usize, buffer: &mut Vec<u8>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(batch);
    let mut first = [0; HEAD + KEY];
    rng.fill_bytes(&mut first);
    let (head, key) = first.split_last_chunk().expect("it ends with a key");
    buffer.resize(length.next_multiple_of(8).max(HEAD), 0);
    buffer[..HEAD].copy_from_slice(head);
    numbers(u64::from_be_bytes(*key), &mut buffer[HEAD..]);
    buffer.truncate(length);
}

/// Fills a buffer with the numbers of SplitMix64 from a seed. The buffer must be a multiple of
/// eight bytes long.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2", "x86_64+avx2"))]
fn numbers(seed: u64, buffer: &mut [u8]) {
    let mut state = seed;
    for bytes in buffer.as_chunks_mut().0 {
        *bytes = mix(state).to_le_bytes();
        state = state.wrapping_add(STEP);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::splitmix::Random;

    #[test]
    fn a_longer_stream_begins_with_the_same_bytes_and_each_batch_has_its_own() {
        let bytes = |seed, batch, length| {
            let mut buffer = vec![7; 9];
            fill(seed, batch, length, &mut buffer);
            buffer
        };
        let long = bytes(1, 2, 5000);
        for length in [0, 1, 247, 248, 249, 256, 1001, 4999] {
            assert_eq!(bytes(1, 2, length), long[..length], "{length}");
        }
        let others = [bytes(2, 2, 5000), bytes(1, 3, 5000), long];
        for (first, second) in [(0, 1), (0, 2), (1, 2)] {
            let same = (0..5000).filter(|at| others[first][*at] == others[second][*at]).count();
            assert!(same < 60, "{same} bytes of 5000 are the same; 20 would be by chance");
        }
    }

    #[test]
    fn the_numbers_of_a_key_are_those_of_splitmix() {
        let (mut buffer, mut random) = (vec![0; 8 * 100], Random(42));
        numbers(42, &mut buffer);
        for bytes in buffer.as_chunks().0 {
            assert_eq!(u64::from_le_bytes(*bytes), random.next());
        }
    }
}
