//! What a function comes to before it is rounded.

/// ±significand · 2^exponent: an approximation that some format is yet to round, and to round once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    /// Whether it is below zero, or a zero to be written with a minus.
    pub negative: bool,
    /// 32 bits of which the first is set, or 0 for an exact zero. What lay beyond them is cut off.
    pub significand: u32,
    /// Of the significand's last bit. It may lie far outside of every format.
    pub exponent: i32,
}

impl Number {
    /// ±bits · 2^exponent, with the leading 32 bits kept.
    #[inline]
    pub fn new(negative: bool, bits: u64, exponent: i32) -> Number {
        let zeros = bits.leading_zeros() & 63;
        Number { negative, significand: (bits << zeros >> 32) as u32, exponent: exponent + 32 - zeros as i32 }
    }
}
