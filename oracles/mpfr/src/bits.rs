//! Patterns as sums of digits. Digit i has the weight base^i.

/// Bits in a word.
pub const WIDTH: u32 = 32;
/// Number of patterns of a word. Arithmetic on words is modulo this number.
pub const WORDS: i128 = 1 << WIDTH;

/// Returns bit i of a pattern.
#[inline]
pub fn bit(pattern: u32, i: u32) -> u32 {
    pattern >> i & 1
}

/// Returns the pattern whose bit i is `bit(i)`.
#[inline]
pub fn pattern(bit: impl Fn(u32) -> bool) -> u32 {
    (0..WIDTH).map(|i| u32::from(bit(i)) << i).sum()
}

/// Returns byte i of a number. Byte 0 is the lowest.
#[inline]
pub fn byte(number: u64, i: u32) -> u32 {
    (number >> (8 * i) & 0xff) as u32
}

/// Returns the word that is congruent to an integer modulo 2^32.
#[inline]
pub fn low_word(number: i128) -> u32 {
    number.rem_euclid(WORDS) as u32
}

/// Returns bits 32 to 63 of an integer in two's complement.
#[inline]
pub fn high_word(number: i128) -> u32 {
    low_word(number.div_euclid(WORDS))
}

/// Returns the integer that a word represents: unsigned, or in two's complement if `signed`.
#[inline]
pub fn integer(pattern: u32, signed: bool) -> i128 {
    if signed { i128::from(pattern as i32) } else { i128::from(pattern) }
}

/// Number of rows in the table of a function of three bits.
const ROWS: u32 = 8;

/// A function of three bits, given by its table.
#[derive(Clone, Copy, Debug)]
pub struct BitFunction {
    /// For each row, a word for the function and a word for each input. The function's word is all
    /// ones if the function is 1 in this row. An input's word is all ones if the input is 0 in this
    /// row.
    rows: [(u32, [u32; 3]); ROWS as usize],
}

impl BitFunction {
    /// Creates the function whose value in row r is bit r of the table. The row is the sum of the
    /// weights of the inputs that are 1. The weights are 1, 2 and 4 in some order.
    pub fn new(table: u32, weights: [u32; 3]) -> BitFunction {
        let mut rows = [(0, [0; 3]); ROWS as usize];
        for (row, number) in rows.iter_mut().zip(0..) {
            let is_zero = |weight: u32| ones(number & weight == 0);
            *row = (ones(bit(table, number) == 1), weights.map(is_zero));
        }
        BitFunction { rows }
    }

    /// Applies the function to the bits at each position of three words.
    #[inline]
    pub fn of(&self, words: [u32; 3]) -> u32 {
        let [a, b, c] = words;
        let positions = |(value, [x, y, z]): &(u32, [u32; 3])| value & (a ^ x) & (b ^ y) & (c ^ z);
        self.rows.iter().fold(0, |all, row| all | positions(row))
    }
}

/// Returns all ones if `yes`, else zero.
fn ones(yes: bool) -> u32 {
    if yes { u32::MAX } else { 0 }
}
