//! SplitMix64 by S. Vigna: pseudorandom numbers from an index or a seed alone.

/// The increment of the state for each number.
pub(crate) const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns a pseudorandom number that depends only on an index: the finalizer of SplitMix64.
#[inline(always)]
pub(crate) fn mix(index: u64) -> u64 {
    let z = index.wrapping_add(STEP);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Whether a costly count includes a batch. About one batch in `every` is included. Only the number
/// of the batch and the salt decide. So the same batches are included however a run is sharded, and
/// every shard has its share. Counts with different salts include different batches. The first
/// batch is always included, so that a small run has counts.
pub(crate) fn is_taken(batch: u64, every: u64, salt: u64) -> bool {
    batch == 0 || mix(mix(batch) ^ salt).is_multiple_of(every)
}

/// Random numbers of a directed batch: SplitMix64 from a seed that the batch drew.
#[derive(Clone, Debug)]
pub(crate) struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        let bits = mix(self.0);
        self.0 = self.0.wrapping_add(STEP);
        bits
    }

    /// Returns a number below `number`, which must not be 0.
    pub fn below(&mut self, number: usize) -> usize {
        (self.next() % number as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If every n-th batch were included, some shards would have many more of them than others, and
    /// would take far longer.
    #[test]
    fn every_shard_has_its_share() {
        for (every, salt, shards) in [8, 16].iter().flat_map(|every| {
            [0, 1].into_iter().flat_map(move |salt| [1, 2, 7, 8, 16, 64].map(|shards| (*every, salt, shards)))
        }) {
            for shard in 0..shards {
                let batches = 20_000;
                let taken = (0..batches).filter(|nth| is_taken(shard + nth * shards, every, salt)).count();
                let share = taken as f64 * every as f64 / batches as f64;
                assert!((share - 1.0).abs() < 0.15, "shard {shard}/{shards} takes {share} of its share");
            }
        }
        assert!((0..64).all(|salt| is_taken(0, 1 << 20, salt)), "a run of one batch has its counts");
    }
}
