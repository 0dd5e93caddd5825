//! Patterns as what they are made of: a number is the sum of digit i times the base to the i.

/// Bits in a word.
pub const WIDTH: u32 = 32;
/// How many patterns a word can hold, the modulus of its arithmetic.
pub const WORDS: i128 = 1 << WIDTH;

/// Bit i of a pattern.
#[inline]
pub fn bit(pattern: u32, i: u32) -> u32 {
    pattern >> i & 1
}

/// The pattern whose bit i is that.
#[inline]
pub fn pattern(bit: impl Fn(u32) -> bool) -> u32 {
    (0..WIDTH).map(|i| u32::from(bit(i)) << i).sum()
}

/// Byte i of a number.
#[inline]
pub fn byte(number: u64, i: u32) -> u32 {
    (number >> (8 * i) & 0xff) as u32
}

/// The word that is congruent to an integer modulo 2^32.
#[inline]
pub fn low_word(number: i128) -> u32 {
    number.rem_euclid(WORDS) as u32
}

/// The next word of an integer in two's complement.
#[inline]
pub fn high_word(number: i128) -> u32 {
    low_word(number.div_euclid(WORDS))
}

/// The integer that a word stands for: its pattern, or its two's complement.
#[inline]
pub fn integer(pattern: u32, signed: bool) -> i128 {
    if signed { i128::from(pattern as i32) } else { i128::from(pattern) }
}

/// A function of three bits, by its table.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    table: u32,
    weights: [u32; 3],
}

impl Function {
    /// The function whose value is a bit of the table: that whose number is the sum of the weights of the inputs
    /// that are 1.
    pub fn new(table: u32, weights: [u32; 3]) -> Function {
        Function { table, weights }
    }

    /// Its value for the bits at each position.
    #[inline]
    pub fn of(self, words: [u32; 3]) -> u32 {
        pattern(|i| {
            let weighted = self.weights.iter().zip(words).map(|(weight, word)| weight * bit(word, i));
            bit(self.table, weighted.sum()) == 1
        })
    }
}
