//! Pairs of a class of an operand and a class of a result that no case can have, with the reasons.
//!
//! As in `unreachable`, a hit on an excluded combination fails the run, because the rule or the
//! oracle is wrong.

use assay_isa::hints::{Computes, Operation};
use assay_isa::row::Optype;
use assay_isa::tables::types::{FPFtz, FPRound, FPSat, NAN};
use assay_isa::{Instruction, Reading, Readings};

use crate::operands::operand_kinds::OperandKind;

/// Whether classes of results are crossed with classes of operands: for sums, products, selections
/// and comparisons of several operands. For a function of one operand, a shift, a mask, a permute
/// or an integer product the exact bits decide the class of the result. A proof would be needed for
/// each combination, so these combinations are not counted as bins.
pub(super) fn are_told(optype: &Optype) -> bool {
    use Computes::{Comparison, Extreme, Rounded, Selection};
    matches!(optype.hints.computes, Rounded(_) | Extreme | Comparison | Selection)
}

/// A class of a float, as sign and magnitude.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FloatClass<'a> {
    is_negative: bool,
    /// Name of the class without its sign.
    magnitude: &'a str,
}

impl<'a> FloatClass<'a> {
    fn of(name: &'a str) -> Option<FloatClass<'a>> {
        let magnitude = name.strip_prefix(['+', '-'])?;
        Some(FloatClass { is_negative: name.starts_with('-'), magnitude })
    }

    fn is_nan(self) -> bool {
        self.magnitude.ends_with("NaN")
    }

    fn is(self, magnitude: &str) -> bool {
        self.magnitude == magnitude
    }
}

/// Returns the reason why no case of a mode combines a class of an operand with a class of a
/// result. `None` if some case may. Operand and result are given by name and class. Each class must
/// be possible by itself.
pub(super) fn flow(
    mode: &Instruction,
    readings: &Readings,
    (operand, class): (&str, &str),
    (result, becomes): (&str, &str),
) -> Option<&'static str> {
    if !matches!(OperandKind::of(mode, result), OperandKind::Float(_)) {
        return None;
    }
    let (class, becomes) = (FloatClass::of(class)?, FloatClass::of(becomes)?);
    let rules = match mode.form().optype.hints.computes {
        Computes::Rounded(Operation::Sum) => sum(mode, readings, (operand, class), becomes),
        Computes::Rounded(Operation::Product) => product(mode, readings, class, becomes),
        Computes::Rounded(Operation::Fused) => fused(mode, readings, (operand, class), becomes),
        Computes::Extreme => choice(mode, readings, class, becomes),
        _ => return None,
    };
    rules.into_iter().find(|(holds, _)| *holds).map(|(_, why)| why)
}

/// Whether a rule excludes the combination, and the reason.
type Rule = (bool, &'static str);

fn saturates(mode: &Instruction) -> bool {
    mode.modifier("sat") == Some(FPSat::SAT)
}

fn flushes(mode: &Instruction) -> bool {
    mode.modifier("ftz") == Some(FPFtz::FTZ)
}

/// Whether a class acts as zero: a zero, and a subnormal where `.FTZ` flushes operands (C010).
fn acts_as_zero(mode: &Instruction, readings: &Readings, class: FloatClass<'_>) -> bool {
    let is_flushed = flushes(mode) && readings.get(Reading::C010) != 3;
    class.is("zero") || is_flushed && class.is("subnormal")
}

/// Whether the form has no negation prefix for an operand.
fn is_bare(mode: &Instruction, operand: &str) -> bool {
    mode.form().field(&format!("{operand}.neg")).is_none()
}

/// Returns the rule: if an operand is NaN, the result is NaN, or 0 with `.SAT`.
fn nan(mode: &Instruction, class: FloatClass<'_>, becomes: FloatClass<'_>) -> Rule {
    let raised = saturates(mode) && becomes.is("zero");
    (class.is_nan() && !becomes.is_nan() && !raised, "a NaN makes the result NaN, and .SAT makes that 0")
}

/// Returns the rule: if an operand is infinite, the result is infinite or NaN. With `.SAT`, these
/// results become 1 and 0.
fn infinity(mode: &Instruction, class: FloatClass<'_>, becomes: FloatClass<'_>) -> Rule {
    let clamped = saturates(mode) && matches!(becomes.magnitude, "zero" | "normal");
    let stays = becomes.is_nan() || becomes.is("infinity") || clamped;
    (
        class.is("infinity") && !stays,
        "an infinity makes the result infinite or NaN, and .SAT makes these 1 and 0",
    )
}

/// Returns the rule: an infinite sum has the sign of its infinite term. The rule applies only if
/// the operand has no negation prefix.
fn signed_infinity(
    mode: &Instruction,
    (operand, class): (&str, FloatClass<'_>),
    becomes: FloatClass<'_>,
) -> Rule {
    let infinite = class.is("infinity") && is_bare(mode, operand);
    let other = becomes.is("infinity") && becomes.is_negative != class.is_negative;
    let one = saturates(mode) && becomes.is("normal") && class.is_negative;
    (infinite && (other || one), "an infinite sum has the sign of the infinity")
}

fn sum(
    mode: &Instruction,
    readings: &Readings,
    (operand, class): (&str, FloatClass<'_>),
    becomes: FloatClass<'_>,
) -> Vec<Rule> {
    let zero = acts_as_zero(mode, readings, class);
    let down = mode.modifier("rnd") == Some(FPRound::RM);
    let flushed_to_minus =
        flushes(mode) && readings.get(Reading::C010) != 2 && readings.get(Reading::C011) != 2;
    // +0 plus a negative subnormal gives -0 if only results are flushed (C010 = 3).
    let flushed_late = flushed_to_minus && readings.get(Reading::C010) == 3;
    let minus_zero = becomes.is("zero") && becomes.is_negative && readings.get(Reading::E172) != 1;
    let plus = zero && is_bare(mode, operand) && !class.is_negative;
    vec![
        nan(mode, class, becomes),
        infinity(mode, class, becomes),
        signed_infinity(mode, (operand, class), becomes),
        (minus_zero && !down && !flushed_to_minus && !zero, "but toward -Inf only the sum of two -0 is -0"),
        (minus_zero && !down && plus && !flushed_late, "but toward -Inf only the sum of two -0 is -0"),
    ]
}

fn product(
    mode: &Instruction,
    readings: &Readings,
    class: FloatClass<'_>,
    becomes: FloatClass<'_>,
) -> Vec<Rule> {
    let vanishes = becomes.is("zero") || becomes.is_nan();
    vec![
        nan(mode, class, becomes),
        infinity(mode, class, becomes),
        (acts_as_zero(mode, readings, class) && !vanishes, "zero times anything is a zero or NaN"),
    ]
}

fn fused(
    mode: &Instruction,
    readings: &Readings,
    (operand, class): (&str, FloatClass<'_>),
    becomes: FloatClass<'_>,
) -> Vec<Rule> {
    let is_addend = mode.form().inputs().last() == Some(operand);
    let signed = signed_infinity(mode, (operand, class), becomes);
    let first = readings.get(Reading::C001) == 3 && is_addend && is_bare(mode, operand);
    let other = becomes.is_nan() && becomes.is_negative != class.is_negative;
    vec![
        nan(mode, class, becomes),
        infinity(mode, class, becomes),
        (is_addend && signed.0, signed.1),
        (first && class.is("signalling NaN") && other, "a signalling addend is the result, quieted"),
    ]
}

fn choice(
    mode: &Instruction,
    readings: &Readings,
    class: FloatClass<'_>,
    becomes: FloatClass<'_>,
) -> Vec<Rule> {
    let passes = mode.modifier("nan") == Some(NAN::NAN);
    let signals = readings.get(Reading::C004) == 2;
    let number_wins = readings.get(Reading::C009) == 1;
    vec![
        (
            !passes && !signals && number_wins && !class.is_nan() && becomes.is_nan(),
            "a number wins over a NaN",
        ),
        (signals && class.is("signalling NaN") && !becomes.is_nan(), "a signalling NaN makes the result NaN"),
        (
            readings.get(Reading::C009) == 2 && class.is_nan() && !becomes.is_nan(),
            "a NaN makes the result NaN",
        ),
        (passes && class.is_nan() && !becomes.is_nan(), ".NAN passes a NaN on"),
    ]
}
