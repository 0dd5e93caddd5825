//! The exact number of a sum or product of F32, and the bins for its position.
//!
//! Faults of rounding show in hard cases: terms whose exponents are far apart, terms that cancel,
//! exact numbers at or near the midpoint of two floats, and exact numbers at the ends of the range.
//! The bins follow from the operands by integer arithmetic. They do not depend on the subject or
//! the oracle. A lane without a number to round (a NaN, an infinity, an exact zero except by
//! cancellation) has none of these bins.

use assay_isa::Instruction;
use assay_isa::format::F32;
use assay_isa::hints::Operation;
use assay_isa::tables::types::{FMULScale, FPFtz};

use super::topic::Topic;

/// Exponent differences of product (or first term) and addend have one bin each from -`REACH` to
/// `REACH`. One more bin on each side counts all greater differences.
pub const REACH: i32 = 50;
/// Number of bins for exponent differences.
const DIFFERENCES: usize = 2 * REACH as usize + 3;
/// The maximum number of bits that can cancel in a sum that is not zero: for two numbers of F32,
/// and for a 48-bit product and a number.
const DEEPEST: [usize; 2] = [24, 47];

/// The places of a number between two neighbouring numbers of the format.
const PLACES: [&str; 9] = [
    "is one of the format",
    "is a trace above one of the format",
    "is below half",
    "is a trace below half",
    "is half, above an even one",
    "is half, above an odd one",
    "is a trace above half",
    "is above half",
    "is a trace below one of the format",
];
/// In these names, a trace is less than 2^-`TRACE` of the distance between two neighbours.
const TRACE: u32 = 20;

/// The places of a magnitude at the ends of the range.
const ENDS: [&str; 14] = [
    "is below half the least subnormal",
    "is half the least subnormal",
    "is above half the least subnormal and below it",
    "is in the range of the subnormals",
    "is the greatest subnormal, or less than half a unit above it",
    "is below the least normal and rounds to it",
    "is the least normal",
    "is less than a unit above the least normal",
    "is at the greatest number",
    "is halfway beyond the greatest number",
    "is more than halfway beyond the greatest number, and below 2^128",
    "is 2^128",
    "is less than a unit above 2^128",
    "is far above 2^128",
];
/// Index in [`ENDS`] of the least normal number. [`BEYOND`] is the index of 2^128.
const LEAST_NORMAL: usize = 6;
const BEYOND: usize = 11;

/// Which term is a power of two, and how large the other term is compared with the unit in the last
/// place of that power. The terms have opposite signs.
const EDGES: [&str; 8] = [
    "the addend is a power of two, and the other term is less than a quarter of its unit",
    "the addend is a power of two, and the other term is a quarter of its unit",
    "the addend is a power of two, and the other term is between a quarter and a half of its unit",
    "the addend is a power of two, and the other term is half of its unit",
    "the first term is a power of two, and the addend is less than a quarter of its unit",
    "the first term is a power of two, and the addend is a quarter of its unit",
    "the first term is a power of two, and the addend is between a quarter and a half of its unit",
    "the first term is a power of two, and the addend is half of its unit",
];

/// For two operands in one register: whether the exact number leaves the range.
pub(crate) const REPEATED: [&str; 3] = [
    "their number is 2^128 or more",
    "their number is below 2^-126",
    "their number is in the range of the normal numbers",
];

/// Returns the maximum number of bits that the terms of an operation can cancel if the sum is not
/// zero.
fn deepest(operation: Operation) -> usize {
    DEEPEST[usize::from(operation == Operation::Fused)]
}

/// Returns the number of bins of a topic, in one rounding mode with or without flushing.
pub(crate) fn bins(operation: Operation, topic: Topic) -> usize {
    match topic {
        Topic::Distance if operation != Operation::Product => 2 * DIFFERENCES,
        Topic::Cancellation if operation != Operation::Product => deepest(operation) + 2,
        Topic::Rounding => 4 * PLACES.len(),
        Topic::Range => 2 * ENDS.len(),
        Topic::Edge if operation != Operation::Product => EDGES.len(),
        Topic::Repeated => REPEATED.len(),
        _ => 0,
    }
}

/// Returns the name of a bin.
pub(crate) fn name(operation: Operation, topic: Topic, bin: usize) -> String {
    let first = if operation == Operation::Fused { "product" } else { "first term" };
    let sign = |negative: usize| ["+", "-"][negative];
    match topic {
        Topic::Distance => {
            let signs = ["like", "unlike"][bin / DIFFERENCES];
            let distance = (bin % DIFFERENCES) as i32 - REACH - 1;
            let distance = match distance {
                d if d < -REACH => format!("more than {REACH} binades below"),
                d if d > REACH => format!("more than {REACH} binades above"),
                d if d < 0 => format!("{} binades below", -d),
                0 => "in the binade of".into(),
                d => format!("{d} binades above"),
            };
            format!("{first} {distance} the addend, of {signs} signs")
        }
        Topic::Cancellation if bin > deepest(operation) => "cancels completely".into(),
        Topic::Cancellation => format!("cancels {bin} bits"),
        Topic::Rounding => {
            let (range, place) = (["normal", "subnormal"][bin / PLACES.len() % 2], bin % PLACES.len());
            format!("{}{range} {}", sign(bin / PLACES.len() / 2), PLACES[place])
        }
        Topic::Range => format!("{} {}", sign(bin / ENDS.len()), ENDS[bin % ENDS.len()]),
        Topic::Edge => EDGES[bin].into(),
        Topic::Repeated => REPEATED[bin].into(),
        _ => String::new(),
    }
}

/// Returns the reason why no case can hit a bin. `None` if a case can.
pub(crate) fn unreachable(operation: Operation, topic: Topic, bin: usize) -> Option<&'static str> {
    let grid = "a sum of two numbers is a multiple of the least subnormal";
    match (operation, topic) {
        (Operation::Sum, Topic::Rounding) => {
            let inexact = !bin.is_multiple_of(PLACES.len());
            (bin / PLACES.len() % 2 == 1 && inexact).then_some(grid)
        }
        (Operation::Sum, Topic::Range) => matches!(bin % ENDS.len(), 0..=2 | 5 | 7).then_some(grid),
        _ => None,
    }
}

/// Returns the reason why no case of a mode can hit a bin of [`Topic::Repeated`]. `None` if a case
/// can.
pub(crate) fn unreachable_repeated(instruction: &Instruction, bin: usize) -> Option<&'static str> {
    let arithmetic = Arithmetic::of(instruction)?;
    let is_sum = arithmetic.operation == Operation::Sum;
    (is_sum && arithmetic.flushes && bin == 1)
        .then_some("twice a number that is not flushed is at least twice the least normal")
}

/// A number ±m·2^e with m below 2^48. The sign of 0 does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Number {
    negative: bool,
    m: u64,
    e: i32,
}

impl Number {
    /// Returns the number of an operand, or `None` unless it is finite. Prefixes must be applied
    /// already.
    fn of(bits: u32, flushes: bool) -> Option<Number> {
        let (fraction, field) = (bits & F32.fraction_mask(), F32.exponent_field(bits));
        let hidden = if field == 0 { 0 } else { 1 << F32.fraction_bits };
        let m = if flushes && field == 0 { 0 } else { fraction | hidden };
        let e = F32.grid() + field.max(1) as i32 - 1;
        F32.is_finite(bits).then_some(Number { negative: F32.is_negative(bits), m: m.into(), e })
    }

    fn times(self, other: Number) -> Number {
        Number { negative: self.negative != other.negative, m: self.m * other.m, e: self.e + other.e }
    }

    /// Returns floor(log2) of the magnitude.
    fn top(self) -> i32 {
        self.e + 63 - self.m.leading_zeros() as i32
    }
}

/// The arithmetic of a mode: the operation, flushing, and the exponent of the scale, which is a
/// power of two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arithmetic {
    operation: Operation,
    flushes: bool,
    scale: i32,
}

/// The bins of a lane, at most one for each topic. Each is an index within its topic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LaneBins {
    /// The bin of the difference of the terms' exponents, and of whether their signs differ.
    pub distance: Option<usize>,
    /// The bin of the number of bits that the terms cancel.
    pub cancellation: Option<usize>,
    /// The bin of the place of the exact number between two numbers of the format.
    pub rounding: Option<usize>,
    /// The bin of an exact number at an end of the range.
    pub range: Option<usize>,
    /// The bin of a power of two with a small other term of the opposite sign.
    pub edge: Option<usize>,
}

impl LaneBins {
    /// Returns the bin of [`Topic::Repeated`]: whether the exact number leaves the range.
    pub fn repeated(&self) -> Option<usize> {
        self.rounding?;
        Some(match self.range.map(|range| range % ENDS.len()) {
            Some(BEYOND..) => 0,
            Some(..LEAST_NORMAL) => 1,
            _ => 2,
        })
    }
}

impl Arithmetic {
    /// Returns the arithmetic of an instruction, if it is a sum, a product or a fused multiply-add.
    pub fn of(instruction: &Instruction) -> Option<Arithmetic> {
        let scale = match instruction.modifier("scl") {
            Some(FMULScale::D2) => -1,
            Some(FMULScale::D4) => -2,
            Some(FMULScale::D8) => -3,
            Some(FMULScale::M2) => 1,
            Some(FMULScale::M4) => 2,
            Some(FMULScale::M8) => 3,
            Some(FMULScale::NoScale) | None => 0,
        };
        let operation = instruction.form().optype.hints.operation()?;
        Some(Arithmetic { operation, flushes: instruction.modifier("ftz") == Some(FPFtz::FTZ), scale })
    }

    /// Returns the bins of three operands whose prefixes are applied. The third is ignored if the
    /// instruction reads two.
    pub fn bins(&self, [a, b, c]: [u32; 3]) -> LaneBins {
        let number = |bits| Number::of(bits, self.flushes);
        let (Some(a), Some(b)) = (number(a), number(b)) else { return LaneBins::default() };
        match self.operation {
            Operation::Sum => sum(a, b, self.operation),
            Operation::Product => {
                let product = a.times(b);
                let (rounding, range) =
                    places(product.negative, product.m.into(), product.e + self.scale).unzip();
                LaneBins { rounding, range: range.flatten(), ..LaneBins::default() }
            }
            Operation::Fused => match number(c) {
                Some(c) => sum(a.times(b), c, self.operation),
                None => LaneBins::default(),
            },
        }
    }
}

fn sum(first: Number, addend: Number, operation: Operation) -> LaneBins {
    if first.m == 0 || addend.m == 0 {
        let other = if first.m == 0 { addend } else { first };
        let (rounding, range) = places(other.negative, other.m.into(), other.e).unzip();
        return LaneBins { rounding, range: range.flatten(), ..LaneBins::default() };
    }
    let unlike = first.negative != addend.negative;
    let difference = (first.top() - addend.top()).clamp(-REACH - 1, REACH + 1) + REACH + 1;
    let distance = Some(difference as usize + if unlike { DIFFERENCES } else { 0 });
    let (large, small) = if first.top() >= addend.top() { (first, addend) } else { (addend, first) };
    let (negative, m, e) = add(large, small, unlike);
    let lost = |m: u128| (large.top() - (e + 127 - m.leading_zeros() as i32)).max(0) as usize;
    let depth = if m == 0 { deepest(operation) + 1 } else { lost(m) };
    let (rounding, range) = places(negative, m, e).unzip();
    let edge = if unlike { edge(first, addend) } else { None };
    LaneBins { distance, cancellation: unlike.then_some(depth), rounding, range: range.flatten(), edge }
}

/// Returns the bin of [`Topic::Edge`]. `None` unless one term is a power of two, and the other is
/// at most half its unit.
fn edge(first: Number, addend: Number) -> Option<usize> {
    let beside = |power: Number, other: Number| {
        let below = power.top() - F32.fraction_bits as i32 - other.top();
        let is_power = |number: Number| number.m.is_power_of_two();
        match (below, is_power(other)) {
            // Up to the least normal number, floats are equally spaced below and above a power of
            // two.
            _ if !is_power(power) || below < 1 || power.top() <= F32.emin() => None,
            (1, false) => None,
            (1, true) => Some(3),
            (2, false) => Some(2),
            (2, true) => Some(1),
            // If the other term is still smaller, the sum only has a bin of distance.
            (3..=REACH, _) => Some(0),
            _ => None,
        }
    };
    beside(addend, first).or_else(|| beside(first, addend).map(|bin| bin + EDGES.len() / 2))
}

/// Returns the sum of two numbers as sign, m and e. The top of `large` must not be below that of
/// `small`. If `small` is below 2^(large.e - 48), it is only a trace, so that power replaces it.
fn add(large: Number, small: Number, unlike: bool) -> (bool, u128, i32) {
    const FAR: i32 = 48;
    let is_trace = small.top() < large.e - FAR;
    let small = if is_trace { Number { m: 1, e: large.e - FAR, ..small } } else { small };
    let e = small.e.min(large.e);
    let [l, s] = [large, small].map(|number| u128::from(number.m) << (number.e - e));
    match unlike {
        false => (large.negative, l + s, e),
        true if l >= s => (large.negative, l - s, e),
        true => (small.negative, s - l, e),
    }
}

/// Returns the rounding bin and the range bin of a number ±m·2^e, or `None` for 0.
fn places(negative: bool, m: u128, e: i32) -> Option<(usize, Option<usize>)> {
    if m == 0 {
        return None;
    }
    let top = e + 127 - m.leading_zeros() as i32;
    let unit = top.max(F32.emin()) - F32.fraction_bits as i32;
    let subnormal = top < F32.emin();
    let place = place(m, unit - e);
    let rounding = place + PLACES.len() * (usize::from(subnormal) + 2 * usize::from(negative));
    // Almost all numbers lie between the ends of the range.
    let is_between = top > F32.emin() && top < F32.bias();
    let end = if is_between { None } else { end(m << m.leading_zeros(), top) };
    Some((rounding, end.map(|end| end + if negative { ENDS.len() } else { 0 })))
}

/// Returns the index in [`PLACES`] for the place of m between two multiples of 2^unit.
fn place(m: u128, unit: i32) -> usize {
    let Some(unit) = u32::try_from(unit).ok().filter(|unit| *unit > 0) else { return 0 };
    // No m has more than 120 bits. Only products lie this far below the least subnormal number, and
    // products have at most 48 bits.
    if unit > 126 {
        return 1;
    }
    let (one, half) = (1u128 << unit, 1u128 << (unit - 1));
    let rest = m & (one - 1);
    let trace = |distance: u128| distance < one >> TRACE;
    match rest {
        0 => 0,
        _ if rest == half => 4 + usize::from(m >> unit & 1 == 1),
        _ if trace(rest) => 1,
        _ if trace(one - rest) => 8,
        _ if rest < half => {
            if trace(half - rest) {
                3
            } else {
                2
            }
        }
        _ => {
            if trace(rest - half) {
                6
            } else {
                7
            }
        }
    }
}

/// Returns the index in [`ENDS`] of a magnitude, if it lies at an end of the range. `m` is shifted
/// up so that its top bit, of exponent `top`, is set.
fn end(m: u128, top: i32) -> Option<usize> {
    const LEADING: u32 = 128 - 24;
    let (leading, rest) = (m >> LEADING, m & ((1 << LEADING) - 1));
    let power = m == 1 << 127;
    let full = leading == (1 << 24) - 1;
    let (least, emin, emax) = (F32.grid(), F32.emin(), F32.bias());
    Some(match top {
        _ if top < least - 1 => 0,
        _ if top == least - 1 => {
            if power {
                1
            } else {
                2
            }
        }
        // Here a unit of `leading` is half the least subnormal, and 2^24 - 2 of them are the
        // greatest subnormal.
        _ if top == emin - 1 && leading == (1 << 24) - 2 => 4,
        _ if top == emin - 1 && full => 5,
        _ if top < emin => 3,
        _ if top == emin && power => 6,
        _ if top == emin && leading == 1 << 23 => 7,
        _ if top == emax + 1 && power => 11,
        _ if top == emax + 1 && leading == 1 << 23 => 12,
        _ if top > emax => 13,
        _ if top == emax && full => match rest.cmp(&(1 << (LEADING - 1))) {
            std::cmp::Ordering::Less => 8,
            std::cmp::Ordering::Equal => 9,
            std::cmp::Ordering::Greater => 10,
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
