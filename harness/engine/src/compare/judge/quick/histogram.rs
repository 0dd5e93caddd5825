//! Counts the histogram, many lanes at a time.
//!
//! Most errors are below 1 ulp, in the 16 bins of the middle. A 64-bit word has a counter of four
//! bits for each of these bins. A lane becomes a word with one bit set, and the words of many lanes
//! are added as vectors. A counter is a sum over 8 lanes, which fits in four bits. After each part
//! the counters are added to bytes, which can hold the counts of [`BEFORE_SPILL`] parts.

use super::part::PART;
use super::sums::BINS;
use super::whole::{Patterns, units};
use super::{STEPS, UNITS};

/// Number of words in the sum of a part.
const WIDTH: usize = 16;
/// Number of parts whose counts fit in a byte. A part adds at most `PART / WIDTH` lanes to a byte.
const BEFORE_SPILL: u32 = 255 / (PART / WIDTH) as u32;
/// Number of bins on each side of zero for which a word has a counter.
const NEAR_BINS: usize = 8;
/// Number of low bits of the units that do not affect the bin: a bin is an eighth of 2^32 units
/// wide.
const BELOW_BIN: u32 = 29;
/// The low half of each byte.
const LOW_HALVES: u64 = 0x0f0f_0f0f_0f0f_0f0f;

/// The count of each bin.
#[derive(Default)]
pub struct Histogram {
    /// Counts of several parts, with a byte for each bin: the even bins, and the odd ones.
    bytes: [[u64; WIDTH]; 2],
    /// Number of parts that `bytes` counts.
    parts: u32,
    counts: [u64; BINS],
}

impl Histogram {
    /// Counts the errors of a part. Their magnitudes are at most `most` ulp.
    #[inline(always)]
    pub fn count(&mut self, patterns: &Patterns, most: f64) {
        if most >= NEAR_BINS as f64 / STEPS {
            return self.count_one_by_one(patterns);
        }
        let mut words = [0_u64; PART];
        for (word, pattern) in words.iter_mut().zip(patterns) {
            // Four times the bin modulo 16.
            *word = 1 << (pattern >> (BELOW_BIN - 2) & 60);
        }
        // Adds one half of the words to the other, because a vector register holds many words.
        let mut left = &mut words[..];
        while left.len() > WIDTH {
            let (low, high) = left.split_at_mut(left.len() / 2);
            for (a, b) in low.iter_mut().zip(high) {
                *a += *b;
            }
            left = low;
        }
        let [even, odd] = &mut self.bytes;
        for ((even, odd), word) in even.iter_mut().zip(odd).zip(left) {
            *even += *word & LOW_HALVES;
            *odd += *word >> 4 & LOW_HALVES;
        }
        self.parts += 1;
        if self.parts == BEFORE_SPILL {
            self.spill();
        }
    }

    /// Counts the errors of a part, whatever their magnitudes are.
    fn count_one_by_one(&mut self, patterns: &Patterns) {
        for pattern in patterns {
            let bin = (units(*pattern) >> BELOW_BIN) + BINS as i64 / 2;
            self.counts[bin.clamp(0, BINS as i64 - 1) as usize] += 1;
        }
    }

    /// Adds the bytes to the counts.
    fn spill(&mut self) {
        for bin in 0..2 * NEAR_BINS {
            let bytes = self.bytes[bin % 2].map(|word| word >> (bin / 2 * 8) & 0xff);
            // In a word, the bins below zero follow the bins above zero.
            let above_least = (bin + NEAR_BINS) % (2 * NEAR_BINS);
            self.counts[BINS / 2 - NEAR_BINS + above_least] += bytes.iter().sum::<u64>();
        }
        (self.bytes, self.parts) = ([[0; WIDTH]; 2], 0);
    }

    /// Returns the count of each bin.
    pub fn counts(mut self) -> [u64; BINS] {
        self.spill();
        self.counts
    }
}

const _: () = assert!(STEPS * (1_u64 << BELOW_BIN) as f64 == UNITS);
const _: () = assert!(2 * NEAR_BINS <= BINS && PART / WIDTH < 16);
