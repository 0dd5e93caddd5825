//! FADD, FMUL and FFMA.
//!
//! Source: document 004, F_ARITH; NaN, infinities and zeros by IEEE 754 (E013, E172), `.FTZ` by E173
//! and E179, `.SAT` by E170, the scale of FMUL by E176.

use crate::codes::Optype;
use crate::fault::{Active, Fault};
use crate::float::{
    self, Exact, INFINITY, NAN, ONE, Rounder, Rounding, SIGN, is_infinite, is_nan, is_negative, is_subnormal,
    is_zero,
};
use crate::instruction::{Modifiers, Operand};

/// Applies the prefixes of a float operand: the absolute value first, then the sign (E175).
pub(crate) fn prefixed(bits: u32, operand: &Operand, active: Active) -> u32 {
    if active.has(Fault::NegateBeforeAbsolute) && operand.absolute {
        return bits & !SIGN;
    }
    let bits = if operand.absolute { bits & !SIGN } else { bits };
    if operand.negate { bits ^ SIGN } else { bits }
}

/// Replaces a subnormal operand by the zero of its sign.
pub(crate) fn flushed(bits: u32, active: Active) -> u32 {
    match bits {
        _ if !is_subnormal(bits) => bits,
        _ if active.has(Fault::FlushedInputLosesSign) => 0,
        _ => bits & SIGN,
    }
}

/// Computes a result of FADD, FMUL or FFMA. The operands have their prefixes applied.
pub(crate) fn run(optype: Optype, m: &Modifiers, [a, b, c]: [u32; 3], active: Active) -> u32 {
    let [a, b, c] = inputs(optype, m, [a, b, c], active);
    let unit = FloatUnit { m, active };
    match optype {
        Optype::Fadd => unit.add(a, b),
        Optype::Fmul => unit.multiply(a, b),
        _ => unit.fused(a, b, c),
    }
}

/// Flushes all operands under `.FTZ` (E179).
fn inputs(optype: Optype, m: &Modifiers, [a, b, c]: [u32; 3], active: Active) -> [u32; 3] {
    if active.has(Fault::SubnormalAddendZero) && optype == Optype::Ffma {
        return [a, b, if is_subnormal(c) { c & SIGN } else { c }];
    }
    if !m.ftz || active.has(Fault::InputsNotFlushed) {
        return [a, b, c];
    }
    let flush = |bits| flushed(bits, active);
    if active.has(Fault::OnlyFirstFlushed) {
        return [flush(a), b, c];
    }
    [flush(a), flush(b), if active.has(Fault::AddendNotFlushed) { c } else { flush(c) }]
}

struct FloatUnit<'a> {
    m: &'a Modifiers,
    active: Active,
}

impl FloatUnit<'_> {
    fn has(&self, fault: Fault) -> bool {
        self.active.has(fault)
    }

    fn rounder(&self) -> Rounder {
        Rounder { mode: self.m.rounding, active: self.active }
    }

    fn exact(&self, bits: u32) -> Exact {
        Exact::of(bits, self.active)
    }

    fn add(&self, a: u32, b: u32) -> u32 {
        if is_nan(a) || is_nan(b) {
            return self.nan(&[a, b]);
        }
        if self.has(Fault::LargestBinadeInfinite) && a & INFINITY == 0x7f00_0000 {
            return self.finished(a & SIGN | INFINITY);
        }
        if is_infinite(a) || is_infinite(b) {
            if is_infinite(a) && is_infinite(b) && a != b {
                return if self.has(Fault::InfinityLessInfinity) { self.finished(a) } else { self.nan(&[]) };
            }
            return self.finished(if is_infinite(a) { a } else { b });
        }
        let result = self.sum(self.exact(a), self.exact(b));
        if self.has(Fault::OneMissed) && result == ONE && a != ONE && b != ONE {
            return self.finished(ONE - 1);
        }
        self.finished(result)
    }

    fn multiply(&self, a: u32, b: u32) -> u32 {
        if is_nan(a) || is_nan(b) {
            return self.nan(&[a, b]);
        }
        let negative = is_negative(a) != is_negative(b);
        let sign = if negative { SIGN } else { 0 };
        if is_infinite(a) || is_infinite(b) {
            if is_zero(a) || is_zero(b) {
                return if self.has(Fault::ZeroTimesInfinity) { self.finished(sign) } else { self.nan(&[]) };
            }
            let sign = if self.has(Fault::InfiniteProductUnsigned) { 0 } else { sign };
            return self.finished(sign | INFINITY);
        }
        if is_zero(a) || is_zero(b) {
            return self.finished(if self.has(Fault::ZeroProductUnsigned) { 0 } else { sign });
        }
        let mut left = self.scaled(a);
        if self.has(Fault::LowPartialProductLost) {
            let right = self.exact(b);
            let low = (left.significand & 0xfff) * (right.significand & 0xfff);
            let mut product = left.product(right);
            product.significand -= low;
            return self.finished(self.tiny(product));
        }
        if self.has(Fault::SegmentOff) && (b >> 11) & 0xfff == 0xa5c {
            left.significand += 1;
        }
        let mut product = left.product(self.exact(b));
        if self.has(Fault::ProductThroughTwentySevenBits) {
            product = product.shortened(27);
        }
        let result = self.tiny(product);
        if self.has(Fault::PiOneUp) && a == 0x4049_0fdb && !is_zero(result) && !is_infinite(result) {
            return self.finished(result + 1);
        }
        self.finished(result)
    }

    /// Scales the first operand of FMUL, exactly (E176).
    fn scaled(&self, a: u32) -> Exact {
        let shift = match self.m.scale {
            scale @ 1..=3 => -(scale as i32),
            scale @ 4..=6 => scale as i32 - 3,
            _ => 0,
        };
        let shift = if self.has(Fault::ScaleInverted) { -shift } else { shift };
        let mut exact = self.exact(a);
        exact.exponent += shift;
        if self.has(Fault::ScaledRounded) && shift != 0 {
            let bits = Rounder { mode: Rounding::Nearest, active: self.active }.round(exact);
            if is_infinite(bits) {
                // The scaled operand stays infinite: no second factor brings it back into range.
                exact.exponent += 1000;
                return exact;
            }
            return self.exact(bits);
        }
        exact
    }

    fn fused(&self, a: u32, b: u32, c: u32) -> u32 {
        if is_nan(a) || is_nan(b) || is_nan(c) {
            return self.nan(&[a, b, c]);
        }
        let negative = is_negative(a) != is_negative(b);
        let sign = if negative { SIGN } else { 0 };
        if is_infinite(a) || is_infinite(b) {
            if is_zero(a) || is_zero(b) {
                return if self.has(Fault::ZeroTimesInfinity) { self.finished(c) } else { self.nan(&[]) };
            }
            if is_infinite(c) && is_negative(c) != negative && !self.has(Fault::InfinityLessInfinity) {
                return self.nan(&[]);
            }
            return self.finished(sign | INFINITY);
        }
        if is_infinite(c) {
            return self.finished(c);
        }
        let product = self.exact(a).product(self.exact(b));
        self.finished(self.sum(self.between(product, negative), self.exact(c)))
    }

    /// Returns the product that FFMA adds. FFMA neither rounds nor flushes the product (E180).
    fn between(&self, product: Exact, negative: bool) -> Exact {
        if product.is_zero() {
            return Exact { negative: negative && !self.has(Fault::FusedZeroProductUnsigned), ..product };
        }
        if self.has(Fault::FusedProductRounded) {
            let bits = self.rounder().round(product);
            return if is_infinite(bits) { product } else { self.exact(bits) };
        }
        if self.has(Fault::ProductFlushed) && self.m.ftz && product.top() < -126 {
            return Exact { significand: 0, ..product };
        }
        if self.has(Fault::ProductLosesSticky) {
            let surplus = (128 - product.significand.leading_zeros()).saturating_sub(28);
            return Exact { significand: product.significand >> surplus << surplus, ..product };
        }
        product
    }

    /// Adds, and rounds the sum once.
    fn sum(&self, x: Exact, y: Exact) -> u32 {
        if x.is_zero() && y.is_zero() && x.negative == y.negative {
            return if x.negative && !self.has(Fault::MinusZerosAddToZero) { SIGN } else { 0 };
        }
        let mut total = float::sum(x, y, self.active);
        if total.is_zero() {
            return self.cancelled();
        }
        if self.has(Fault::FusedThroughDouble) {
            total = total.shortened(53);
        }
        self.tiny(total)
    }

    /// Returns the zero of an exact cancellation: −0 only under `.RM` (E172).
    fn cancelled(&self) -> u32 {
        let negative = match self.m.rounding {
            Rounding::Down => !self.has(Fault::DownCancelsToZero),
            Rounding::Nearest => self.has(Fault::NearestCancelsToMinusZero),
            Rounding::Zero => self.has(Fault::ZeroCancelsToMinusZero),
            Rounding::Up => self.has(Fault::UpCancelsToMinusZero),
        };
        if negative { SIGN } else { 0 }
    }

    /// Rounds. `.FTZ` applies to the rounded result only, in [`FloatUnit::finished`] (E173).
    fn tiny(&self, exact: Exact) -> u32 {
        if self.has(Fault::FlushBeforeRounding) && self.m.ftz && exact.top() < -126 {
            return if exact.negative { SIGN } else { 0 };
        }
        self.rounder().round(exact)
    }

    /// Returns the NaN result: 0x7FFFFFFF, or 0 under `.SAT`.
    fn nan(&self, operands: &[u32]) -> u32 {
        let first = operands.iter().copied().find(|bits| is_nan(*bits));
        if let Some(bits) = first {
            if self.has(Fault::SignallingNanIsInfinity) && bits & 0x0040_0000 == 0 {
                return self.finished(bits & SIGN | INFINITY);
            }
            if self.has(Fault::NanPayloadKept) && !self.m.sat {
                return bits | 0x0040_0000;
            }
            if self.has(Fault::NanSignKept) && !self.m.sat {
                return bits & SIGN | NAN;
            }
        } else if self.has(Fault::DefaultNanOfIeee) && !self.m.sat {
            return 0x7fc0_0000;
        }
        self.finished(NAN)
    }

    /// Applies `.SAT`, then `.FTZ`.
    fn finished(&self, bits: u32) -> u32 {
        let bits = if self.m.sat { self.saturated(bits) } else { bits };
        if !self.m.ftz || !is_subnormal(bits) || self.has(Fault::OutputNotFlushed) {
            return bits;
        }
        if self.has(Fault::FlushedResultLosesSign) { 0 } else { bits & SIGN }
    }

    fn saturated(&self, bits: u32) -> u32 {
        match bits {
            _ if is_nan(bits) && self.has(Fault::SatKeepsNan) => NAN,
            _ if is_nan(bits) && self.has(Fault::SatOfNanIsOne) => ONE,
            SIGN if self.has(Fault::SatKeepsMinusZero) => SIGN,
            _ if is_nan(bits) => 0,
            _ if is_negative(bits) && self.has(Fault::SatPassesNegative) && !is_infinite(bits) => bits,
            _ if is_negative(bits) => 0,
            _ if self.has(Fault::SatLimitIsTwo) && bits < 0x4000_0000 => bits,
            _ if bits > ONE => ONE,
            _ => bits,
        }
    }
}
