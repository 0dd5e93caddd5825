//! The real number that FADD, FMUL and FFMA round: the reference for rounding errors and cancellation.

use assay_isa::format::F32;
use assay_isa::readings::Readings;
use assay_isa::truth::Unrounded;
use assay_isa::{BackendError, Erratum};
use rug::float::Round;
use rug::ops::AssignRound;

use crate::enclosure::{enclose, with_precision};
use crate::float::flush;
use crate::plan::{Operation, power_of_two};
use crate::question::Question;
use crate::register::Register;

/// The errata that determine the real number and its rounding.
const ARITHMETIC: std::ops::RangeInclusive<Erratum> = Erratum(169)..=Erratum(180);
/// The convention that determines what is flushed afterwards.
const TINY: Erratum = Erratum::convention(3);

/// Returns whether these readings do float arithmetic as intended. Others round intermediate results, or have
/// no single number.
pub fn is_defined(readings: &Readings) -> bool {
    let arithmetic = |readings: &Readings| -> Vec<_> {
        readings.iter().filter(|(erratum, _)| ARITHMETIC.contains(erratum) || *erratum == TINY).collect()
    };
    arithmetic(readings) == arithmetic(&Readings::INTENDED)
}

/// Computes the exact results to `precision` bits, one a lane, whether it executes or not.
pub fn results(
    operation: Operation,
    question: &Question,
    precision: u32,
) -> Result<Vec<Unrounded>, BackendError> {
    let inputs = question.all_inputs()?;
    let ftz = question.instruction.flag("ftz");
    let scale = question.instruction.modifier("scl").map_or(0, power_of_two);
    let mut numbers = [0, 0, 0].map(|_| Register::new(F32.precision()));
    let mut result = with_precision(precision);
    let mut number = |lane| {
        for (place, (number, input)) in numbers.iter_mut().zip(&inputs).enumerate() {
            let bits = input.get(lane);
            number.load(if ftz { flush(bits) } else { bits }, F32, if place == 0 { scale } else { 0 });
        }
        let [a, b, c] = &numbers;
        let direction = match operation {
            Operation::Add => result.assign_round(&**a + &**b, Round::Zero),
            Operation::Multiply => result.assign_round(&**a * &**b, Round::Zero),
            Operation::MultiplyAdd => result.assign_round(a.mul_add_ref(b, c), Round::Zero),
        };
        let special = !result.is_finite() || result.is_zero();
        if special { Unrounded::Special } else { Unrounded::Number(enclose(&result, direction)) }
    };
    Ok((0..question.len()).map(&mut number).collect())
}
