//! The values of the functions by MPFR, rounded toward zero, with the direction of the rounding.
//!
//! The MPFR functions used here are documented to round correctly, and to report whether the result
//! is exact. The report is right for exact cases too: 2^3, log₂ 8, √4, cos 2π/4. So the enclosures
//! are tight, and their field `exact` is reliable.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use assay_isa::Real;
use assay_isa::format::{F32, Format};
use assay_isa::truth::Enclosure;
use rug::Float;

use super::rows::Rows;
use crate::enclosure::{enclose, with_precision};
use crate::function::{Function, ZeroSign, apply};
use crate::register::Register;

/// A float of 24 bits that is at least 2^24 is an integer, so 2^x is a power of two.
const WHOLE: i32 = 24;

/// From 64 = 2^6 on, 1 - |tanh x| = 2/(e^(2|x|) + 1) is below 2^-183. No requested precision
/// resolves such a difference.
const FLAT: i32 = 6;

/// Computes values of functions. Values in 16-bit formats are computed only once in a process.
#[derive(Debug)]
pub struct FunctionValues {
    evaluator: Evaluator,
}

/// The values of a function at every argument of a 16-bit format. Each value is computed when it is
/// first needed.
type ValueTable = [OnceLock<Real>];

/// The tables that all oracles of the process share, because a campaign creates a new oracle for
/// every few batches. A table has 65,536 entries of 48 bytes, 3 MiB. The documents have two
/// functions in each of two 16-bit formats, and no reading changes the values. So there are 12 MiB
/// at most.
#[derive(Debug)]
struct SharedTables {
    /// Precision of the values in bits. A request for another precision replaces all tables.
    precision: u32,
    tables: Vec<(Function, Format, Arc<ValueTable>)>,
}

static SHARED: Mutex<SharedTables> = Mutex::new(SharedTables { precision: 0, tables: Vec::new() });

impl FunctionValues {
    /// Creates the MPFR numbers to compute with.
    pub fn new() -> FunctionValues {
        FunctionValues { evaluator: Evaluator::new(1) }
    }

    /// Returns for each argument its special result, or the function's value to `precision` bits.
    /// `counts` returns whether the argument at an index is needed. The other arguments get 0.
    pub fn of(
        &mut self,
        rows: &Rows,
        precision: u32,
        arguments: &[u32],
        counts: impl Fn(usize) -> bool,
    ) -> Vec<Real> {
        if self.evaluator.result.prec() != with_precision(precision).prec() {
            self.evaluator = Evaluator::new(precision);
        }
        let Rows { function, format, zeros, .. } = *rows;
        let evaluator = &mut self.evaluator;
        let table = (format.width() == 16).then(|| table(function, format, precision));
        // The last value is kept, because an immediate is the argument of all lanes.
        let mut last: Option<(u32, Real)> = None;
        let mut value = |bits| match (&table, last) {
            (Some(table), _) => {
                *table[bits as usize].get_or_init(|| evaluator.value(function, zeros, bits, format))
            }
            (None, Some((known, value))) if known == bits => value,
            (None, _) => last.insert((bits, evaluator.value(function, zeros, bits, format))).1,
        };
        let mut result = |(place, bits): (usize, &u32)| match rows.special(*bits) {
            _ if !counts(place) => Real::Zero,
            Some(special) => Real::Bits(special),
            None => value(*bits),
        };
        arguments.iter().enumerate().map(&mut result).collect()
    }
}

/// Returns the table of a function. Creates the table if it is missing.
fn table(function: Function, format: Format, precision: u32) -> Arc<ValueTable> {
    // The lock is never held while the list of tables is incomplete, so the data is valid even
    // after a thread panicked.
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if shared.precision != precision {
        *shared = SharedTables { precision, tables: Vec::new() };
    }
    let known = shared.tables.iter().find(|(f, of, _)| (*f, *of) == (function, format));
    if let Some((_, _, table)) = known {
        return Arc::clone(table);
    }
    let table: Arc<ValueTable> = (0..1 << format.width()).map(|_| OnceLock::new()).collect();
    shared.tables.push((function, format, Arc::clone(&table)));
    table
}

/// The MPFR numbers for computing a function.
#[derive(Debug)]
struct Evaluator {
    operand: Register,
    result: Float,
}

impl Evaluator {
    /// Creates an evaluator for results of `precision` bits.
    fn new(precision: u32) -> Evaluator {
        Evaluator { operand: Register::new(F32.precision()), result: with_precision(precision) }
    }

    /// Returns the function's value at a number that has no special row.
    fn value(&mut self, function: Function, zeros: ZeroSign, bits: u32, format: Format) -> Real {
        self.operand.load(bits, format, 0);
        // The magnitude is 0.1… · 2^exponent.
        let exponent = self.operand.get_exp().unwrap_or(0);
        match function {
            Function::PowerOfTwo if exponent > WHOLE => Real::Near(self.far_power()),
            Function::Tangent if exponent > FLAT => Real::Near(self.almost_one()),
            _ => self.compute(function, zeros),
        }
    }

    fn compute(&mut self, function: Function, zeros: ZeroSign) -> Real {
        let direction = apply(function, &self.operand, &mut self.result);
        let y = &self.result;
        if !y.is_zero() {
            return Real::Near(enclose(y, direction));
        }
        // The conversion is exact, since the operand has at most 24 bits.
        let sign = function.has_negative_zero(zeros, self.operand.to_f64());
        sign.map_or(Real::Zero, |negative| Real::SignedZero { negative })
    }

    /// Returns 2^x for an integer x of at least 2^24 in magnitude. The exponent is ±2^24 instead of
    /// x, because x may not fit an exponent. No format reaches 2^±1100, and errors are measured in
    /// units of the format's last place. So all powers of two that are beyond the range on the same
    /// side are judged alike.
    fn far_power(&self) -> Enclosure {
        let exponent = if self.operand.is_sign_negative() { -1 << WHOLE } else { 1 << WHOLE };
        let last = self.result.prec() - 1;
        Enclosure { negative: false, significand: 1 << last, exponent: exponent - last as i32, exact: true }
    }

    /// Returns tanh x for an x at which its difference from ±1 is too small for the precision.
    fn almost_one(&self) -> Enclosure {
        let bits = self.result.prec();
        let negative = self.operand.is_sign_negative();
        Enclosure { negative, significand: (1 << bits) - 1, exponent: -(bits as i32), exact: false }
    }
}

#[cfg(test)]
mod tests {
    use assay_isa::format::{BF16, F16};

    use super::super::rows::Subnormals;
    use super::*;

    #[test]
    fn the_shared_tables_have_what_is_computed_anew_of_each_function_format_and_precision() {
        let kept = || {
            for precision in [53, 113, 53] {
                for (function, format) in [
                    (Function::PowerOfTwo, F16),
                    (Function::Tangent, F16),
                    (Function::PowerOfTwo, BF16),
                    (Function::Tangent, BF16),
                ] {
                    let rows = Rows {
                        function,
                        format,
                        subnormals: Subnormals::Honoured,
                        nan: 0,
                        cosine_keeps_zeros: false,
                        zeros: ZeroSign::OfArgument,
                        saturate: false,
                        low_word: false,
                    };
                    let arguments: Vec<u32> = (1..format.infinity()).step_by(97).collect();
                    let values = FunctionValues::new().of(&rows, precision, &arguments, |_| true);
                    let mut evaluator = Evaluator::new(precision);
                    for (argument, value) in arguments.iter().zip(values) {
                        assert_eq!(
                            value,
                            evaluator.value(function, ZeroSign::OfArgument, *argument, format),
                            "{rows:?}, {argument:#x}"
                        );
                    }
                }
            }
        };
        // Threads that request different precisions replace each other's tables.
        std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(kept))));
    }
}
