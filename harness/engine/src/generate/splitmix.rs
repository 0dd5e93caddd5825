//! SplitMix64 by S. Vigna: numbers as good as random, from an index or a seed alone.

/// What the state grows by with each number.
pub(crate) const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A number as good as random that depends on an index alone: the finalizer of SplitMix64.
#[inline(always)]
pub(crate) fn mix(index: u64) -> u64 {
    let z = index.wrapping_add(STEP);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
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

    /// A number below another, which is not 0.
    pub fn below(&mut self, number: usize) -> usize {
        (self.next() % number as u64) as usize
    }
}
