//! Chooses the NaN that FADD, FMUL, FFMA and FMNMX return (C001, C002).

use assay_isa::format::F32;
use assay_isa::readings::{Reading, Readings};

use crate::float::QUIET_NAN;

/// The bit that makes a NaN quiet.
const QUIET: u32 = 1 << (F32.fraction_bits - 1);

/// The rule that chooses a NaN result.
#[derive(Clone, Copy, Debug)]
pub struct NanRule {
    /// How NaN operands determine the result.
    operands: Operands,
    /// The NaN that is returned if no operand's NaN is chosen (C002).
    pub pattern: u32,
}

/// Which NaN operand determines the result (C001).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operands {
    Lost,
    First,
    SignallingFirst,
}

impl NanRule {
    /// Returns the rule under the readings.
    pub fn new(readings: &Readings) -> NanRule {
        NanRule {
            operands: match readings.get(Reading::C001) {
                1 => Operands::Lost,
                2 => Operands::First,
                _ => Operands::SignallingFirst,
            },
            pattern: match readings.get(Reading::C002) {
                1 => QUIET_NAN,
                2 => F32.infinity() | QUIET,
                _ => F32.sign_mask() | F32.infinity() | QUIET,
            },
        }
    }

    /// Returns whether every NaN result is [`NanRule::pattern`].
    pub fn is_one(&self) -> bool {
        self.operands == Operands::Lost
    }

    /// Returns the NaN result. `operands` are in the order of the instruction.
    pub fn of(&self, operands: &[u32]) -> u32 {
        let chosen = match (self.operands, operands) {
            (Operands::Lost, _) => None,
            (Operands::First, _) => first_nan(operands),
            (Operands::SignallingFirst, &[a, b, c]) => {
                if is_invalid_product(a, b) && !is_signalling(c) {
                    None
                } else {
                    signalling_first(&[c, a, b])
                }
            }
            (Operands::SignallingFirst, _) => signalling_first(operands),
        };
        chosen.map_or(self.pattern, |bits| bits | QUIET)
    }
}

/// Returns whether a pattern is a signalling NaN.
pub fn is_signalling(bits: u32) -> bool {
    F32.is_nan(bits) && bits & QUIET == 0
}

fn first_nan(operands: &[u32]) -> Option<u32> {
    operands.iter().copied().find(|bits| F32.is_nan(*bits))
}

fn signalling_first(operands: &[u32]) -> Option<u32> {
    operands.iter().copied().find(|bits| is_signalling(*bits)).or_else(|| first_nan(operands))
}

/// Returns whether one factor is an infinity and the other one a zero.
fn is_invalid_product(a: u32, b: u32) -> bool {
    let magnitudes = [a, b].map(|bits| bits & !F32.sign_mask());
    magnitudes == [0, F32.infinity()] || magnitudes == [F32.infinity(), 0]
}
