//! The special rows of the document's tables.
//!
//! The table of a function and the class of an operand select a row. If the table has no row for
//! the class, the function is evaluated.

use assay_isa::format::Format;

/// A table of special rows in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(usize)]
pub enum SpecialTable {
    /// `.COS`. E034 decides its results for zeros.
    Cos,
    /// `.SIN`
    Sin,
    /// `.EX2`
    Ex2,
    /// `.LG2`
    Lg2,
    /// `.RCP.F32`
    RcpF32,
    /// `.RCP.F64`
    RcpF64,
    /// `.RSQ.F32`
    RsqF32,
    /// `.RSQ.F64`, with a row for negative numbers (E041).
    RsqF64,
    /// `.SQRT`
    Sqrt,
    /// `.TANH`
    Tanh,
}

impl SpecialTable {
    /// Every table, in the order of the document.
    pub const ALL: [SpecialTable; 10] = [
        SpecialTable::Cos,
        SpecialTable::Sin,
        SpecialTable::Ex2,
        SpecialTable::Lg2,
        SpecialTable::RcpF32,
        SpecialTable::RcpF64,
        SpecialTable::RsqF32,
        SpecialTable::RsqF64,
        SpecialTable::Sqrt,
        SpecialTable::Tanh,
    ];

    /// Returns the table's name. In the document sine and cosine share one heading.
    pub fn name(self) -> &'static str {
        ["COS", "SIN", "EX2", "LG2", "RCP.F32", "RCP.F64", "RSQ.F32", "RSQ.F64", "SQRT", "TANH"]
            [self as usize]
    }
}

/// The class of an operand, as far as the tables distinguish classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(usize)]
pub enum Class {
    /// +0
    Zero,
    /// −0
    NegativeZero,
    /// A positive subnormal number.
    Subnormal,
    /// A negative subnormal number.
    NegativeSubnormal,
    /// A positive normal number.
    Normal,
    /// A negative normal number.
    NegativeNormal,
    /// +Inf
    Infinity,
    /// −Inf
    NegativeInfinity,
    /// A NaN of either sign.
    Nan,
}

impl Class {
    /// Every class, in the order of the columns of the matrices below.
    pub const ALL: [Class; 9] = [
        Class::Zero,
        Class::NegativeZero,
        Class::Subnormal,
        Class::NegativeSubnormal,
        Class::Normal,
        Class::NegativeNormal,
        Class::Infinity,
        Class::NegativeInfinity,
        Class::Nan,
    ];

    /// Returns the class's name in messages.
    pub fn name(self) -> &'static str {
        [
            "+0",
            "-0",
            "a positive subnormal number",
            "a negative subnormal number",
            "a positive normal number",
            "a negative normal number",
            "+Inf",
            "-Inf",
            "NaN",
        ][self as usize]
    }

    /// Returns the class of a pattern. The code has no branch, because signs are unpredictable.
    #[inline]
    pub(crate) fn of(format: Format, bits: u32) -> Class {
        let magnitude = bits & !format.sign_mask();
        let reaches = |least: u32| usize::from(magnitude >= least);
        let infinity = format.infinity();
        let kind =
            reaches(1) + reaches(1 << format.fraction_bits) + reaches(infinity) + reaches(infinity + 1);
        Class::ALL[(2 * kind + usize::from(format.is_negative(bits))).min(Class::Nan as usize)]
    }
}

/// The result of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecialResult {
    /// There is no row, so the result is the function's value. The function's argument is the
    /// operand, or its magnitude if the function takes only positive arguments.
    Number,
    /// The quiet NaN.
    Nan,
    /// Zero. It is negative if the field is true.
    Zero(bool),
    /// One. It is negative if the field is true.
    One(bool),
    /// Infinity. It is negative if the field is true.
    Infinity(bool),
}

use SpecialResult::{Nan as NAN, Number as NUM};
const ZERO: SpecialResult = SpecialResult::Zero(false);
const NEG_0: SpecialResult = SpecialResult::Zero(true);
const ONE: SpecialResult = SpecialResult::One(false);
const NEG_1: SpecialResult = SpecialResult::One(true);
const INF: SpecialResult = SpecialResult::Infinity(false);
const NEG_I: SpecialResult = SpecialResult::Infinity(true);

type Matrix = [[SpecialResult; Class::ALL.len()]; SpecialTable::ALL.len()];

/// The rows of the document. RSQ.F64 returns NaN for negative normal numbers, as RSQ.F32 does
/// (E041).
#[rustfmt::skip]
const RIGHT: Matrix = [
    //  +0     -0     +sub   -sub   +num   -num   +Inf   -Inf   NaN
    [  ONE,   ONE,   NUM,   NUM,   NUM,   NUM,   NAN,   NAN,   NAN], // COS
    [ ZERO, NEG_0,   NUM,   NUM,   NUM,   NUM,   NAN,   NAN,   NAN], // SIN
    [  ONE,   ONE,   NUM,   NUM,   NUM,   NUM,   INF,  ZERO,   NAN], // EX2
    [NEG_I, NEG_I,   NUM,   NAN,   NUM,   NAN,   INF,   NAN,   NAN], // LG2
    [  INF, NEG_I,   NUM,   NUM,   NUM,   NUM,  ZERO, NEG_0,   NAN], // RCP.F32
    [  INF, NEG_I,   INF, NEG_I,   NUM,   NUM,  ZERO, NEG_0,   NAN], // RCP.F64
    [  INF, NEG_I,   NUM,   NAN,   NUM,   NAN,  ZERO,   NAN,   NAN], // RSQ.F32
    [  INF, NEG_I,   INF, NEG_I,   NUM,   NAN,  ZERO,   NAN,   NAN], // RSQ.F64
    [ ZERO, NEG_0,   NUM,   NAN,   NUM,   NAN,   INF,   NAN,   NAN], // SQRT
    [ ZERO, NEG_0,   NUM,   NUM,   NUM,   NUM,   ONE, NEG_1,   NAN], // TANH
];

/// Returns the result of a table's row for a class.
#[inline]
pub fn given(table: SpecialTable, class: Class) -> SpecialResult {
    RIGHT[table as usize][class as usize]
}

#[cfg(test)]
mod tests {
    use assay_isa::format::{BF16, F16, F32, F64_HIGH};

    use super::*;

    #[test]
    fn classes_meet_at_their_edges() {
        for format in [F32, F16, BF16, F64_HIGH] {
            let (infinity, least) = (format.infinity(), 1 << format.fraction_bits);
            for (bits, class) in [
                (0, Class::Zero),
                (1, Class::Subnormal),
                (least - 1, Class::Subnormal),
                (least, Class::Normal),
                (infinity - 1, Class::Normal),
                (infinity, Class::Infinity),
                (infinity + 1, Class::Nan),
                (format.sign_mask() - 1, Class::Nan),
            ] {
                assert_eq!(Class::of(format, bits), class, "{} {bits:#x}", format.name);
                let negative = match class {
                    Class::Nan => Class::Nan,
                    other => Class::ALL[other as usize + 1],
                };
                assert_eq!(Class::of(format, bits | format.sign_mask()), negative);
            }
        }
    }
}
