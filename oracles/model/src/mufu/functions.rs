//! The eight functions of a binary32, and two of the high word of a binary64: special rows first, then the
//! numeric path, unrounded. `None` is the quiet NaN.
//!
//! The numeric paths of reciprocal and roots know significands only; exponents and signs are theirs here.
//! The others do with their operand as they must.

use assay_isa::Reading;
use assay_isa::format::{F32, F64_HIGH, Format};

use super::number::Number;
use super::rows::{Class, Table, look_up};
use super::{ex2, lg2, rcp, rsq, sqrt, tanh, trig};
use crate::faults::Fault;
use crate::knobs::Knobs;

/// The cosine. That of a zero is the zero if both functions share their table as they do its heading (E034).
#[inline]
pub(super) fn cosine<K: Knobs>(k: &K, x: u32) -> Option<Number> {
    let table = if k.reading(Reading::E034) == 1 { Table::Sin } else { Table::Cos };
    let turns = in_turns(k) || k.fault(Fault::CosTurns);
    look_up(k, table, Class::of(F32, x), || trig::evaluate(k, x, true, turns))
}

/// The sine.
#[inline]
pub(super) fn sine<K: Knobs>(k: &K, x: u32) -> Option<Number> {
    let turns = in_turns(k) || k.fault(Fault::SinTurns);
    look_up(k, Table::Sin, Class::of(F32, x), || trig::evaluate(k, x, false, turns))
}

fn in_turns<K: Knobs>(k: &K) -> bool {
    k.reading(Reading::E035) == 2
}

/// 2^x
#[inline]
pub(super) fn power<K: Knobs>(k: &K, x: u32) -> Option<Number> {
    look_up(k, Table::Ex2, Class::of(F32, x), || ex2::evaluate(k, x))
}

/// log₂ x
#[inline]
pub(super) fn logarithm<K: Knobs>(k: &K, x: u32) -> Option<Number> {
    look_up(k, Table::Lg2, Class::of(F32, x), || lg2::evaluate(k, x & !F32.sign_mask()))
}

/// tanh x
#[inline]
pub(super) fn hyperbolic_tangent<K: Knobs>(k: &K, x: u32) -> Option<Number> {
    look_up(k, Table::Tanh, Class::of(F32, x), || tanh::evaluate(k, x))
}

/// 1/x
#[inline]
pub(super) fn reciprocal<K: Knobs>(k: &K, x: u32) -> Option<Number> {
    look_up(k, Table::RcpF32, Class::of(F32, x), || reciprocal_of(k, F32, x))
}

/// 1/x of a high word.
#[inline]
pub(super) fn reciprocal_high<K: Knobs>(k: &K, x: u32) -> Option<Number> {
    look_up(k, Table::RcpF64, Class::of(F64_HIGH, x), || reciprocal_of(k, F64_HIGH, x))
}

/// 1/√x
#[inline]
pub(super) fn root_reciprocal<K: Knobs>(k: &K, x: u32) -> Option<Number> {
    look_up(k, Table::RsqF32, Class::of(F32, x), || root_reciprocal_of(k, F32, x))
}

/// 1/√x of a high word.
#[inline]
pub(super) fn root_reciprocal_high<K: Knobs>(k: &K, x: u32) -> Option<Number> {
    look_up(k, Table::RsqF64, Class::of(F64_HIGH, x), || root_reciprocal_of(k, F64_HIGH, x))
}

/// √x
#[inline]
pub(super) fn root<K: Knobs>(k: &K, x: u32) -> Option<Number> {
    look_up(k, Table::Sqrt, Class::of(F32, x), || {
        let unnormal = k.fault(Fault::SqrtSubnormalInputNotNormalised);
        let (significand, half, odd) = halved(unpack(F32, x, unnormal));
        let odd = odd && !k.fault(Fault::SqrtParityIgnored);
        Number::new(false, sqrt::significand(k, significand, odd).into(), half - 31)
    })
}

fn reciprocal_of<K: Knobs>(k: &K, format: Format, x: u32) -> Number {
    let (significand, exponent) = unpack(format, x, k.fault(Fault::RcpSubnormalInputNotNormalised));
    let exponent = exponent + i32::from(k.fault(Fault::RcpExponentOffByOne));
    Number::new(format.is_negative(x), rcp::significand(k, significand).into(), -31 - exponent)
}

fn root_reciprocal_of<K: Knobs>(k: &K, format: Format, x: u32) -> Number {
    let unnormal = k.fault(Fault::RsqSubnormalInputNotNormalised);
    let (significand, half, odd) = halved(unpack(format, x, unnormal));
    let odd = odd && !k.fault(Fault::RsqParityIgnored);
    Number::new(false, rsq::significand(k, significand, odd).into(), -31 - half)
}

/// The significand s of 24 bits and the exponent e of a finite, non-zero operand: |x| = s · 2^(e − 23),
/// the leading one explicit. That of a subnormal operand is found, unless it is given one as if normal.
#[inline]
fn unpack(format: Format, x: u32, as_normal: bool) -> (u32, i32) {
    let fraction = x & format.fraction_mask();
    let field = format.exponent_field(x);
    let leading = field != 0 || as_normal;
    let significand = fraction | u32::from(leading) << format.fraction_bits;
    let shift = significand.leading_zeros() as i32 - 8;
    let spare = 23 - format.fraction_bits as i32;
    (significand << shift, field.max(1) as i32 - format.bias() - (shift - spare))
}

/// For a root: half the exponent, rounded down, and whether that leaves a factor of 2.
#[inline]
fn halved((significand, exponent): (u32, i32)) -> (u32, i32, bool) {
    (significand, exponent >> 1, exponent & 1 != 0)
}
