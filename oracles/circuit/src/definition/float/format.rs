//! The fields of a float, and its value.

use super::exact::{Exact, UNIT};
use crate::graph::{Bit, Graph};
use crate::word::Word;

/// A binary format of IEEE 754.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Number of bits of the fraction.
    pub fraction: usize,
    /// Number of bits of the exponent.
    pub exponent: usize,
}

impl Format {
    /// Binary32.
    pub const BINARY32: Format = Format { fraction: 23, exponent: 8 };
    /// Binary16.
    pub const BINARY16: Format = Format { fraction: 10, exponent: 5 };

    /// The exponent of the least positive number: −149 for binary32.
    pub fn least_exponent(self) -> i64 {
        2 - (1 << (self.exponent - 1)) - self.fraction as i64
    }

    /// The number of bits, without the sign.
    pub fn magnitude_bits(self) -> usize {
        self.fraction + self.exponent
    }

    /// Returns infinity, without the sign.
    pub fn infinity(self) -> Word {
        Word::constant(self.fraction, 0).below(&Word::repeated(Bit::TRUE, self.exponent))
    }
}

/// The fields of a float.
#[derive(Clone, Debug)]
pub struct Float {
    format: Format,
    /// The sign: 1 if it is negative.
    pub sign: Bit,
    exponent: Word,
    fraction: Word,
    exponent_is_zero: Bit,
    exponent_is_ones: Bit,
    fraction_is_zero: Bit,
}

impl Float {
    /// Splits a word.
    ///
    /// # Panics
    /// If the width is not that of the format.
    pub fn new(graph: &mut Graph, format: Format, word: &Word) -> Float {
        assert_eq!(word.width(), format.magnitude_bits() + 1, "the width of {format:?}");
        let (fraction, exponent) =
            (word.slice(0, format.fraction), word.slice(format.fraction, format.exponent));
        Float {
            format,
            sign: word.sign(),
            exponent_is_zero: graph.is_zero(&exponent),
            exponent_is_ones: graph.all_bits(&exponent),
            fraction_is_zero: graph.is_zero(&fraction),
            exponent,
            fraction,
        }
    }

    /// Whether it is a NaN.
    pub fn is_nan(&self, graph: &mut Graph) -> Bit {
        graph.and(self.exponent_is_ones, !self.fraction_is_zero)
    }

    /// Whether it is a signalling NaN: the most significant bit of the fraction is 0.
    pub fn is_signalling(&self, graph: &mut Graph) -> Bit {
        let nan = self.is_nan(graph);
        graph.and(nan, !self.fraction.sign())
    }

    /// Whether it is an infinity.
    pub fn is_infinite(&self, graph: &mut Graph) -> Bit {
        graph.and(self.exponent_is_ones, self.fraction_is_zero)
    }

    /// Whether it is a zero.
    pub fn is_zero(&self, graph: &mut Graph) -> Bit {
        graph.and(self.exponent_is_zero, self.fraction_is_zero)
    }

    /// Whether it is subnormal and not 0.
    pub fn is_subnormal(&self, graph: &mut Graph) -> Bit {
        graph.and(self.exponent_is_zero, !self.fraction_is_zero)
    }

    /// The biased exponent.
    pub fn exponent(&self) -> &Word {
        &self.exponent
    }

    /// The fraction.
    pub fn fraction(&self) -> &Word {
        &self.fraction
    }

    /// Returns the value of a finite number.
    pub fn value(&self, graph: &mut Graph) -> Exact {
        let leading = Word::from_bits([!self.exponent_is_zero]);
        // A subnormal number has the exponent of the least normal one, 1.
        let exponent = graph.or(self.exponent.bit(0), self.exponent_is_zero);
        let exponent = Word::from_bits([exponent]).below(&self.exponent.slice(1, self.format.exponent - 1));
        let least = Word::constant(UNIT, (self.format.least_exponent() - 1) as u64);
        Exact {
            sign: self.sign,
            magnitude: self.fraction.below(&leading),
            unit: graph.add(&exponent.zero_extend(UNIT), &least),
        }
    }
}
