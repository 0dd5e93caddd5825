//! Computes the real number that FADD, FMUL and FFMA round. Rounding errors and cancellation are
//! measured against it.
//!
//! The number is computed in integers of 128 bits. All terms and sums fit, except a term so small
//! that only its sign matters. A test compares the results with fractions.

use assay_isa::format::F32;
use assay_isa::readings::Readings;
use assay_isa::truth::{Enclosure, Unrounded};
use assay_isa::{BackendError, Erratum};

use crate::float::flush;
use crate::plan::{Operation, power_of_two};
use crate::question::Question;

/// The errata that determine the real number and its rounding.
const ARITHMETIC: std::ops::RangeInclusive<Erratum> = Erratum(169)..=Erratum(180);
/// The conventions that determine what .FTZ flushes. C011 is not among them, because the sign of a
/// flushed zero changes no number.
const FLUSHING: [Erratum; 2] = [Erratum::convention(3), Erratum::convention(10)];

/// Returns whether float arithmetic has its intended readings. Under other readings, intermediate
/// results may be rounded, or there may be no single real number.
pub fn is_defined(readings: &Readings) -> bool {
    let arithmetic = |readings: &Readings| -> Vec<_> {
        readings
            .iter()
            .filter(|(erratum, _)| ARITHMETIC.contains(erratum) || FLUSHING.contains(erratum))
            .collect()
    };
    arithmetic(readings) == arithmetic(&Readings::INTENDED)
}

/// Computes the exact result of each lane to `precision` bits, 126 at most. Ignores whether the
/// lane executes.
pub fn results(
    operation: Operation,
    question: &Question,
    precision: u32,
) -> Result<Vec<Unrounded>, BackendError> {
    let inputs = question.all_inputs()?;
    let ftz = question.instruction.flag("ftz");
    let scale = question.instruction.modifier("scl").map_or(0, power_of_two);
    let term = |place: usize, lane| {
        let bits = inputs[place].get(lane);
        Term::of(if ftz { flush(bits) } else { bits })
    };
    let number = |lane| {
        let (a, b) = (term(0, lane)?, term(1, lane)?);
        let (first, second) = match operation {
            Operation::Add => (a, b),
            Operation::Multiply => (a.times(b, scale), Term::ZERO),
            Operation::MultiplyAdd => (a.times(b, 0), term(2, lane)?),
        };
        first.plus(second, precision)
    };
    Ok((0..question.len()).map(|lane| number(lane).map_or(Unrounded::Special, Unrounded::Number)).collect())
}

/// A number ±m·2^e. m is less than 2^48.
#[derive(Clone, Copy)]
struct Term {
    negative: bool,
    m: u128,
    e: i32,
}

impl Term {
    const ZERO: Term = Term { negative: false, m: 0, e: 0 };

    /// Returns the number of an F32 pattern. Returns `None` for an infinity or a NaN.
    #[inline]
    fn of(bits: u32) -> Option<Term> {
        let (field, fraction) = (F32.exponent_field(bits) as i32, bits & F32.fraction_mask());
        let hidden = u32::from(field != 0) << F32.fraction_bits;
        let e = field.max(1) - F32.bias() - F32.fraction_bits as i32;
        F32.is_finite(bits).then(|| Term { negative: bits >> 31 == 1, m: (hidden | fraction).into(), e })
    }

    #[inline]
    fn times(self, other: Term, scale: i32) -> Term {
        let negative = self.negative != other.negative;
        Term { negative, m: self.m * other.m, e: self.e + other.e + scale }
    }

    /// Returns the exponent of the leading bit, plus one.
    fn top(self) -> i32 {
        self.e + self.bits()
    }

    /// Returns the number of bits of m.
    fn bits(self) -> i32 {
        (u128::BITS - self.m.leading_zeros()) as i32
    }

    /// Returns the leading bits of the sum. `None`: the sum is zero.
    #[inline]
    fn plus(self, other: Term, precision: u32) -> Option<Enclosure> {
        let first = other.m == 0 || self.m != 0 && self.top() >= other.top();
        let (high, low) = if first { (self, other) } else { (other, self) };
        // With this exponent e, the leading bit of the higher term has the weight 2^125. This
        // leaves one bit for a carry and one for a sign.
        let e = high.top() - 126;
        let larger = high.m << (126 - high.bits());
        let distance = low.e - e;
        let lost = low.m != 0 && distance < 0 && low.m.trailing_zeros() < distance.unsigned_abs();
        let smaller = match distance {
            _ if low.m == 0 => 0,
            0.. => low.m << distance,
            _ => low.m.checked_shr(distance.unsigned_abs()).unwrap_or(0),
        };
        let sum = if high.negative == low.negative {
            larger + smaller
        } else {
            // The lost bits must be subtracted too. This makes the difference smaller by less than
            // one.
            larger.abs_diff(smaller) - u128::from(lost)
        };
        let negative = if smaller > larger { low.negative } else { high.negative };
        (sum != 0).then(|| leading(negative, sum, e, lost, precision))
    }
}

/// Encloses the number sum·2^e in `precision` bits. If `lost`, the number is greater in magnitude
/// by less than 2^e.
#[inline]
fn leading(negative: bool, sum: u128, e: i32, lost: bool, precision: u32) -> Enclosure {
    let surplus = (u128::BITS - sum.leading_zeros()) as i32 - precision as i32;
    let significand = if surplus > 0 { sum >> surplus } else { sum << -surplus };
    let exact = !lost && (surplus <= 0 || sum.trailing_zeros() as i32 >= surplus);
    Enclosure { negative, significand, exponent: e + surplus, exact }
}
