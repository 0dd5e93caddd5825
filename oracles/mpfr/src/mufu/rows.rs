//! The special values: operands whose results the document, or a reading of it, gives to the bit.

use assay_isa::format::Format;

use crate::function::{Function, ZeroSign};
use crate::reach::Reach;

/// How a function treats subnormal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subnormals {
    /// Subnormal numbers are treated like normal ones.
    Honoured,
    /// A subnormal operand counts as a zero of its sign, and a subnormal result becomes a zero of
    /// its sign.
    Flushed,
    /// A subnormal operand is returned bit for bit. Results are not flushed.
    Passed,
}

/// The special values of one function in one format.
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    /// The function.
    pub function: Function,
    /// Format of operand and result.
    pub format: Format,
    /// The treatment of subnormal numbers (E042).
    pub subnormals: Subnormals,
    /// The pattern of every NaN result (E036).
    pub nan: u32,
    /// Whether the cosine of a zero is that zero (E034).
    pub cosine_keeps_zeros: bool,
    /// The sign of an exact zero of sine and cosine (C007).
    pub zeros: ZeroSign,
    /// Whether results are clamped to [+0, 1].
    pub saturate: bool,
    /// Whether the result of a row is the low word of a double, which is 0 in all rows (E040).
    pub low_word: bool,
}

/// The class of an operand. The sign does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OperandKind {
    Nan,
    Infinity,
    Zero,
    Passed,
    Number,
}

impl Rows {
    /// Returns the special result of an operand, as the bits to be written. Returns `None` if the
    /// operand has no row.
    pub fn special(&self, bits: u32) -> Option<u32> {
        let row = self.row(bits)?;
        let row = if self.saturate { self.clamp(row) } else { row };
        Some(if self.low_word { 0 } else { row })
    }

    /// Returns the special result that all operands within a reach share, or `None` if they may
    /// differ or have none.
    pub fn of_all(&self, reach: &Reach) -> Option<u32> {
        let is_one = reach.only_nans(self.format)
            || self.only_plain(reach) && reach.is_negative() && !self.takes_both_signs();
        let sign = if reach.is_negative() { self.format.sign_mask() } else { 0 };
        self.special(reach.least | sign).filter(|_| is_one)
    }

    /// Returns whether some operand within a reach may have a special result.
    pub fn reach_any(&self, reach: &Reach) -> bool {
        !self.only_plain(reach) || !reach.is_positive() && !self.takes_both_signs()
    }

    /// Returns whether all operands within a reach are finite and nonzero, and are neither flushed
    /// nor passed.
    fn only_plain(&self, reach: &Reach) -> bool {
        let is_honoured = self.subnormals == Subnormals::Honoured || !self.format.is_subnormal(reach.least);
        reach.only_numbers(self.format) && is_honoured
    }

    /// Returns whether the function has values for negative numbers.
    fn takes_both_signs(&self) -> bool {
        !matches!(self.function, Function::Logarithm | Function::ReciprocalRoot | Function::Root)
    }

    /// Returns whether an operand is negative and finite, but not zero, flushed or passed.
    pub fn is_negative_number(&self, bits: u32) -> bool {
        self.kind(bits) == OperandKind::Number && self.format.is_negative(bits)
    }

    fn kind(&self, bits: u32) -> OperandKind {
        let format = self.format;
        let subnormal = format.is_subnormal(bits);
        match self.subnormals {
            _ if format.is_nan(bits) => OperandKind::Nan,
            _ if !format.is_finite(bits) => OperandKind::Infinity,
            _ if bits & !format.sign_mask() == 0 => OperandKind::Zero,
            Subnormals::Flushed if subnormal => OperandKind::Zero,
            Subnormals::Passed if subnormal => OperandKind::Passed,
            _ => OperandKind::Number,
        }
    }

    /// Returns the special result before saturation.
    fn row(&self, bits: u32) -> Option<u32> {
        use Function::{Cosine, Logarithm, PowerOfTwo, Reciprocal, ReciprocalRoot, Root, Sine, Tangent};
        let (one, infinity) = (self.format.one(), self.format.infinity());
        let sign = bits & self.format.sign_mask();
        Some(match (self.function, self.kind(bits)) {
            (_, OperandKind::Nan) | (Cosine(_) | Sine(_), OperandKind::Infinity) => self.nan,
            (_, OperandKind::Passed) => bits,
            (Logarithm | ReciprocalRoot | Root, OperandKind::Infinity | OperandKind::Number) if sign != 0 => {
                self.nan
            }
            (Cosine(_), OperandKind::Zero) if !self.cosine_keeps_zeros => one,
            (Cosine(_) | Sine(_) | Root | Tangent, OperandKind::Zero) => sign,
            (PowerOfTwo, OperandKind::Zero) => one,
            (PowerOfTwo, OperandKind::Infinity) if sign != 0 => 0,
            (PowerOfTwo | Logarithm | Root, OperandKind::Infinity) => infinity,
            (Logarithm, OperandKind::Zero) => self.format.sign_mask() | infinity,
            (Reciprocal | ReciprocalRoot, OperandKind::Zero) => sign | infinity,
            (Reciprocal | ReciprocalRoot, OperandKind::Infinity) => sign,
            (Tangent, OperandKind::Infinity) => sign | one,
            (_, OperandKind::Number) => return None,
        })
    }

    /// Clamps a special result to [+0, 1]. NaN becomes +0. Patterns of positive numbers have the
    /// order of the numbers.
    fn clamp(&self, row: u32) -> u32 {
        if self.format.is_nan(row) || self.format.is_negative(row) { 0 } else { row.min(self.format.one()) }
    }
}
