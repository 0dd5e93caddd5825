//! Values of pseudo-code, and the operators on them.

use std::cmp::Ordering;
use std::sync::Arc;

use super::integer::{BITS, Int};
use super::real::Real;
use super::stop::Reason;

/// A value of pseudo-code.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// An integer. A truth value is 1 or 0.
    Int(Int),
    /// A binary32 number, by its pattern.
    F32(u32),
    /// An exact real number, the result of arithmetic on binary32 numbers.
    Real(Real),
    /// The value of a modifier, without its point.
    Word(Arc<str>),
    /// Elements.
    List(Vec<Value>),
    /// A Boolean function of three inputs, by its truth table.
    Function(u32),
}

/// An infix operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `&`
    BitAnd,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`
    LessOrEqual,
    /// `>=`
    GreaterOrEqual,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
}

/// A prefix operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prefix {
    /// `-`
    Minus,
    /// `~`
    Complement,
    /// `!`
    Not,
    /// `+`
    Plus,
    /// `|x|`
    Absolute,
    /// `|x|` of an operand of 32 bits in two's complement.
    AbsoluteSigned,
}

impl Operator {
    /// Returns the operator with a sign.
    pub fn of(sign: &str) -> Option<Operator> {
        Some(match sign {
            "||" => Operator::Or,
            "&&" => Operator::And,
            "|" => Operator::BitOr,
            "^" => Operator::BitXor,
            "&" => Operator::BitAnd,
            "==" => Operator::Equal,
            "!=" => Operator::NotEqual,
            "<" => Operator::Less,
            ">" => Operator::Greater,
            "<=" => Operator::LessOrEqual,
            ">=" => Operator::GreaterOrEqual,
            "<<" => Operator::ShiftLeft,
            ">>" => Operator::ShiftRight,
            "+" => Operator::Add,
            "-" => Operator::Subtract,
            "*" => Operator::Multiply,
            "/" => Operator::Divide,
            "%" => Operator::Remainder,
            _ => return None,
        })
    }

    /// Whether the operator compares two values.
    pub fn compares(self) -> bool {
        self.holds_for(Ordering::Equal).is_some()
    }

    /// Whether a comparison holds for an order of its operands. `None` if the operator compares
    /// nothing.
    pub fn holds_for(self, order: Ordering) -> Option<bool> {
        Some(match self {
            Operator::Equal => order == Ordering::Equal,
            Operator::NotEqual => order != Ordering::Equal,
            Operator::Less => order == Ordering::Less,
            Operator::Greater => order == Ordering::Greater,
            Operator::LessOrEqual => order != Ordering::Greater,
            Operator::GreaterOrEqual => order != Ordering::Less,
            _ => return None,
        })
    }

    /// Applies the operator.
    ///
    /// # Errors
    ///
    /// A mismatch of the operands' kinds, a division by zero, or a result that is too large.
    pub fn apply(self, left: &Value, right: &Value) -> Result<Value, Reason> {
        match (left, right) {
            (Value::Int(a), Value::Int(b)) => self.apply_integers(a, b).map(Value::Int),
            (Value::Word(a), Value::Word(b)) => match self {
                Operator::Equal => Ok(Value::from(a == b)),
                Operator::NotEqual => Ok(Value::from(a != b)),
                _ => Err(Reason::Mismatch("modifiers are compared with `==` and `!=` only")),
            },
            _ => self.apply_reals(&left.real()?, &right.real()?),
        }
    }

    fn apply_integers(self, a: &Int, b: &Int) -> Result<Int, Reason> {
        if let Some(holds) = self.holds_for(a.cmp(b)) {
            return Ok(Int::from(holds));
        }
        Ok(match self {
            Operator::Or => Int::from(!a.is_zero() || !b.is_zero()),
            Operator::And => Int::from(!a.is_zero() && !b.is_zero()),
            Operator::BitOr => a.or(b),
            Operator::BitXor => a.xor(b),
            Operator::BitAnd => a.and(b),
            Operator::Add => a.plus(b),
            Operator::Subtract => a.minus(b),
            Operator::Multiply => a.times(b).ok_or(Reason::TooLarge)?,
            Operator::Divide => a.divide(b).ok_or(Reason::DivisionByZero)?.0,
            Operator::Remainder => a.divide(b).ok_or(Reason::DivisionByZero)?.1,
            Operator::ShiftLeft => b.index(BITS).and_then(|by| a.shift_left(by)).ok_or(Reason::TooLarge)?,
            _ => a.shift_right(b.index(u64::MAX).ok_or(Reason::TooLarge)?),
        })
    }

    fn apply_reals(self, a: &Real, b: &Real) -> Result<Value, Reason> {
        let result = match self {
            Operator::Add => a.plus(b),
            Operator::Subtract => a.plus(&b.negated()),
            Operator::Multiply => a.times(b),
            // A comparison with no number is false, and `!=` is true, as in C.
            _ if self.compares() => {
                let holds = a
                    .compare(b)
                    .map_or(self == Operator::NotEqual, |order| self.holds_for(order) == Some(true));
                return Ok(Value::from(holds));
            }
            _ => return Err(Reason::Mismatch("the operator takes integers")),
        };
        result.map(Value::Real).ok_or(Reason::TooLarge)
    }
}

impl Prefix {
    /// Returns the prefix operator with a sign.
    pub fn of(sign: &str) -> Option<Prefix> {
        Some(match sign {
            "-" => Prefix::Minus,
            "~" => Prefix::Complement,
            "!" => Prefix::Not,
            "+" => Prefix::Plus,
            "|" => Prefix::Absolute,
            _ => return None,
        })
    }

    /// Applies the operator.
    ///
    /// # Errors
    ///
    /// A mismatch of the operand's kind.
    pub fn apply(self, value: &Value) -> Result<Value, Reason> {
        Ok(match (self, value) {
            (Prefix::Not, value) => Value::from(!value.truth()?),
            (Prefix::Plus, Value::Int(_) | Value::F32(_) | Value::Real(_)) => value.clone(),
            (Prefix::Minus, Value::Int(value)) => Value::Int(value.negated()),
            (Prefix::Complement, Value::Int(value)) => Value::Int(value.complement()),
            (Prefix::Absolute, Value::Int(value)) if value.is_negative() => Value::Int(value.negated()),
            (Prefix::Absolute, Value::Int(value)) => Value::Int(value.clone()),
            (Prefix::AbsoluteSigned, Value::Int(value)) => {
                return Prefix::Absolute.apply(&Value::Int(value.low_signed(32)));
            }
            (Prefix::Minus, value) => Value::Real(value.real()?.negated()),
            (Prefix::Absolute, value) => {
                let value = value.real()?;
                Value::Real(if value.is_negative() { value.negated() } else { value })
            }
            _ => return Err(Reason::Mismatch("the prefix takes an integer")),
        })
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Value::Int(Int::from(truth))
    }
}

impl From<u32> for Value {
    fn from(pattern: u32) -> Self {
        Value::Int(Int::from(pattern))
    }
}

impl Value {
    /// Returns the value as a truth value: an integer is true if it is not 0.
    pub fn truth(&self) -> Result<bool, Reason> {
        match self {
            Value::Int(value) => Ok(!value.is_zero()),
            _ => Err(Reason::Mismatch("a condition takes an integer")),
        }
    }

    /// Returns the value as an integer. A binary32 number counts as its pattern.
    pub fn integer(&self) -> Result<Int, Reason> {
        match self {
            Value::Int(value) => Ok(value.clone()),
            Value::F32(bits) => Ok(Int::from(*bits)),
            _ => Err(Reason::Mismatch("this is not an integer")),
        }
    }

    /// Returns the value as a real number.
    pub fn real(&self) -> Result<Real, Reason> {
        match self {
            Value::Int(value) => Ok(Real::of_integer(value)),
            Value::F32(bits) => Ok(Real::of_binary32(*bits)),
            Value::Real(value) => Ok(value.clone()),
            _ => Err(Reason::Mismatch("this is not a number")),
        }
    }

    /// Returns the value as the pattern of a binary32 number.
    pub fn pattern(&self) -> Result<u32, Reason> {
        match self {
            Value::F32(bits) => Ok(*bits),
            _ => Err(Reason::Mismatch("this is not a binary32 number")),
        }
    }

    /// Returns the value of a modifier.
    pub fn word(&self) -> Result<&str, Reason> {
        match self {
            Value::Word(word) => Ok(word),
            _ => Err(Reason::Mismatch("this is not a modifier")),
        }
    }

    /// Returns an element of a list, or a bit of an integer.
    pub fn element(&self, index: &Value) -> Result<Value, Reason> {
        let Value::List(list) = self else { return self.slice(index, index) };
        let index = index.integer()?.index(BITS).ok_or(Reason::IndexBeyond)?;
        list.get(index as usize).cloned().ok_or(Reason::IndexBeyond)
    }

    /// Returns a value in a range of bits, as a value that is not negative. `hi` and `lo` may be in
    /// either order (E137).
    pub fn slice(&self, hi: &Value, lo: &Value) -> Result<Value, Reason> {
        let (lo, width) = range(hi, lo)?;
        Ok(Value::Int(self.integer()?.shift_right(lo).low_bits(width)))
    }

    /// Returns a copy of the value in which `bits` replace those from `lo` to `hi`.
    pub fn with_slice(&self, hi: &Value, lo: &Value, bits: &Value) -> Result<Value, Reason> {
        let (lo, width) = range(hi, lo)?;
        let shifted = |value: Int| value.low_bits(width).shift_left(lo).ok_or(Reason::TooLarge);
        let mask = shifted(Int::Small(-1))?.complement();
        Ok(Value::Int(self.integer()?.and(&mask).or(&shifted(bits.integer()?)?)))
    }
}

/// Returns the lowest bit and the number of bits of a range.
fn range(hi: &Value, lo: &Value) -> Result<(u64, u64), Reason> {
    let bound = |value: &Value| value.integer()?.index(BITS - 1).ok_or(Reason::IndexBeyond);
    let (hi, lo) = (bound(hi)?, bound(lo)?);
    Ok((hi.min(lo), hi.abs_diff(lo) + 1))
}
