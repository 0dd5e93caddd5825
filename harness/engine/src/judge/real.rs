//! Fractional, signed error against an unrounded truth, in exact integers.
//!
//! ulp(y) = 2^(max(floor(log2 |y|), emin) - (p - 1)) of the *true* y. Errors are counted in units of
//! 2^-32 ulp. The truth comes as a half-open dyadic interval; its ends scaled to that unit are integers,
//! so comparing against a bound is exact and needs no further digits.

use assay_isa::format::Format;
use assay_isa::truth::{Enclosure, Real};

use super::Kind;

/// One ulp in the unit of [`Error`].
pub const ONE_ULP: i64 = 1 << 32;

/// Signed error `result - y` in units of 2^-32 ulp(y): it lies in `[floor, floor + 1)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// The error, rounded down to a whole unit; beyond the range of the type it stays at its end.
    pub floor: i64,
    /// Whether the error is exactly `floor`.
    pub exact: bool,
    /// Whether the result is the correctly rounded one: to nearest, ties to even.
    pub correctly_rounded: bool,
}

impl Error {
    /// Whether the magnitude is at most `limit` units.
    pub fn at_most(self, limit: u64) -> bool {
        let limit = i128::from(limit);
        let (low, high) = (i128::from(self.floor), i128::from(self.floor) + i128::from(!self.exact));
        low >= -limit && high <= limit
    }

    /// Whether the magnitude is below one ulp.
    pub fn is_faithful(self) -> bool {
        self.floor < ONE_ULP && (self.floor > -ONE_ULP || !self.exact && self.floor >= -ONE_ULP)
    }

    /// The error in ulp, for display.
    pub fn ulp(self) -> f64 {
        self.floor as f64 / ONE_ULP as f64
    }
}

/// What a real result is held to.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Format of the result.
    pub format: Format,
    /// Whether subnormal results become a zero of their sign.
    pub flush: bool,
    /// Whether results are clamped to [+0, 1].
    pub saturate: bool,
    /// Largest error in units of 2^-32 ulp; none demands the correctly rounded result.
    pub limit: Option<u64>,
}

type Outcome = Result<Option<Error>, (Kind, Option<Error>)>;

impl Rules {
    /// Judges one result: `Ok(None)` where exact bits were demanded or the post-processing alone decided.
    pub fn judge(&self, truth: &Real, bits: u32) -> Outcome {
        match truth {
            Real::Bits(expected) if *expected == bits => Ok(None),
            Real::Bits(expected) => Err((difference(self.format, *expected, bits), None)),
            Real::Near(y) => self.judge_near(y, bits),
        }
    }

    /// The result that a correctly rounding unit would give: to nearest, ties to even.
    pub fn nearest(&self, truth: &Real) -> u32 {
        let y = match truth {
            Real::Bits(bits) => return *bits,
            Real::Near(y) => y,
        };
        let format = self.format;
        let sign = if y.negative { format.sign_mask() } else { 0 };
        if self.saturate && (y.negative || top(y) >= 0) {
            return if y.negative { 0 } else { format.one() };
        }
        let below = self.floor_pattern(y);
        let above = (below + 1).min(format.infinity());
        let magnitude = if error(format, below | sign, y).correctly_rounded { below } else { above };
        if self.flush && format.is_subnormal(magnitude) { sign } else { magnitude | sign }
    }

    fn judge_near(&self, y: &Enclosure, bits: u32) -> Outcome {
        let format = self.format;
        if format.is_nan(bits) || bits & !format.mask() != 0 {
            return Err((Kind::Nan, None));
        }
        if self.saturate
            && let Some(outcome) = self.judge_clamped(y, bits)
        {
            return outcome;
        }
        let magnitude = bits & !format.sign_mask();
        if self.flush {
            if format.is_subnormal(bits) {
                return Err((Kind::Flush, None));
            }
            if magnitude == 0 && self.reaches_subnormals(y) {
                let signed = format.is_negative(bits) == y.negative;
                return if signed { Ok(None) } else { Err((Kind::ZeroSign, None)) };
            }
        }
        if format.is_negative(bits) != y.negative {
            let kind = if magnitude == 0 { Kind::ZeroSign } else { Kind::Sign };
            return Err((kind, None));
        }
        // Beyond the largest binade there is nothing but infinity.
        if magnitude == format.infinity() && top(y) > format.bias() {
            return Ok(None);
        }
        self.within(error(format, bits, y))
    }

    fn within(&self, error: Error) -> Outcome {
        match self.limit {
            Some(limit) if error.at_most(limit) => Ok(Some(error)),
            // Held to the bits of the correctly rounded result, and they are.
            None if error.correctly_rounded => Ok(None),
            _ => Err((Kind::Bound, Some(error))),
        }
    }

    /// Decides where clamping alone can: below zero, above one, or a result outside the range.
    fn judge_clamped(&self, y: &Enclosure, bits: u32) -> Option<Outcome> {
        let format = self.format;
        if format.is_negative(bits) || bits > format.one() {
            return Some(Err((if bits == format.sign_mask() { Kind::ZeroSign } else { Kind::Bound }, None)));
        }
        let above_one = !y.negative && top(y) >= 0;
        let clamped = (y.negative && bits == 0) || (above_one && bits == format.one());
        clamped.then_some(Ok(None))
    }

    /// Whether y rounds to a subnormal, or zero, or some lies within the bound: then a flushed result is
    /// legal. A bound below half an ulp can hold neither of the two that y lies between.
    fn reaches_subnormals(&self, y: &Enclosure) -> bool {
        let sign = if y.negative { self.format.sign_mask() } else { 0 };
        let allowed = |bits: u32| {
            let error = error(self.format, bits | sign, y);
            error.correctly_rounded || self.limit.is_some_and(|limit| error.at_most(limit))
        };
        // The nearest ones: below y the last that does not exceed it, above y the first.
        let greatest = self.format.fraction_mask();
        let below = self.floor_pattern(y).min(greatest);
        allowed(below) || allowed((below + 1).min(greatest))
    }

    /// Pattern of the largest magnitude that does not exceed |y|.
    fn floor_pattern(&self, y: &Enclosure) -> u32 {
        let magnitude = Enclosure { negative: false, ..*y };
        let exceeds = |bits: u32| {
            let error = error(self.format, bits, &magnitude);
            error.floor > 0 || error.floor == 0 && !error.exact
        };
        let (mut low, mut high) = (0, self.format.infinity());
        while low < high {
            let middle = high - (high - low) / 2;
            if exceeds(middle) { high = middle - 1 } else { low = middle }
        }
        low
    }
}

/// floor(log2 |y|).
pub fn top(y: &Enclosure) -> i32 {
    y.exponent + 127 - y.significand.leading_zeros() as i32
}

/// The error of a result that is no NaN and has y's sign. An infinity counts as 2^(emax + 1).
pub fn error(format: Format, bits: u32, y: &Enclosure) -> Error {
    let unit = top(y).max(format.emin()) - format.fraction_bits as i32 - 32;
    let (significand, exponent) = parts(format, bits);
    let (truth, dropped) = scale(y.significand, y.exponent - unit);
    let exact = y.exact && !dropped;
    let (result, _) = scale(u128::from(significand), exponent - unit);
    // |result| - |y| lies in (difference - 1, difference], or is the difference where y is exact.
    let difference = result as i128 - truth as i128;
    let signed = match (y.negative, exact) {
        (false, true) => difference,
        (false, false) => difference - 1,
        (true, _) => -difference,
    };
    let half = i128::from(ONE_ULP / 2);
    let even = significand % 2 == 0;
    let below = difference - i128::from(!exact) >= -half && difference <= half;
    let tie = exact && difference.abs() == half;
    let correctly_rounded = below && (!tie || even);
    let floor = signed.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
    Error { floor, exact, correctly_rounded }
}

/// Significand and exponent of the magnitude of a pattern, an infinity being the next power of two.
fn parts(format: Format, bits: u32) -> (u32, i32) {
    let fraction = bits & format.fraction_mask();
    match format.exponent_field(bits) {
        0 => (fraction, format.grid()),
        e => (fraction | 1 << format.fraction_bits, format.grid() + e as i32 - 1),
    }
}

/// floor(m * 2^shift), held below 2^126, and whether something was cut off.
fn scale(m: u128, shift: i32) -> (u128, bool) {
    const CEILING: u128 = 1 << 126;
    match shift {
        ..=-128 => (0, m != 0),
        -127..0 => (m >> -shift, m & ((1 << -shift) - 1) != 0),
        0..126 if m >> (126 - shift) == 0 => (m << shift, false),
        _ if m == 0 => (0, false),
        _ => (CEILING, true),
    }
}

/// What kind of mistake `actual` is where exactly `expected` is demanded.
pub fn difference(format: Format, expected: u32, actual: u32) -> Kind {
    let magnitude = |bits: u32| bits & !format.sign_mask();
    let flushed = |a: u32, b: u32| magnitude(a) == 0 && format.is_subnormal(b);
    if format.is_nan(expected) {
        return Kind::NotThatNan;
    }
    if format.is_nan(actual) {
        return Kind::Nan;
    }
    if magnitude(expected) == magnitude(actual) {
        return if magnitude(expected) == 0 { Kind::ZeroSign } else { Kind::Sign };
    }
    if flushed(expected, actual) || flushed(actual, expected) {
        return Kind::Flush;
    }
    if format.is_finite(expected) != format.is_finite(actual) {
        return Kind::Infinity;
    }
    if expected.abs_diff(actual) == 1 { Kind::OneUnit } else { Kind::Value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_isa::format::{F16, F32, F64_HIGH};

    /// y = n / d scaled to 100 bits.
    fn ratio(negative: bool, n: u128, d: u128, exponent: i32) -> Enclosure {
        let shift = 100;
        let scaled = n << shift;
        Enclosure {
            negative,
            significand: scaled / d,
            exponent: exponent - shift,
            exact: scaled.is_multiple_of(d),
        }
    }

    fn rules(limit: Option<u64>) -> Rules {
        Rules { format: F32, flush: false, saturate: false, limit }
    }

    const ULP: u64 = ONE_ULP as u64;

    #[test]
    fn the_nearest_value_is_correctly_rounded() {
        let rule = rules(None);
        for (n, d, exponent, nearest) in [
            (1, 3, 0, 0x3eaa_aaab),
            (2, 3, 0, 0x3f2a_aaab),
            (3, 2, -149, 2),
            (1, 1, 0, 0x3f80_0000),
            (1, 3, -149, 0),
            ((1 << 25) - 1, 1, 103, 0x7f80_0000),
        ] {
            for (negative, sign) in [(false, 0), (true, 0x8000_0000)] {
                let y = Real::Near(ratio(negative, n, d, exponent));
                assert_eq!(rule.nearest(&y), nearest | sign, "{n}/{d} * 2^{exponent}");
            }
        }
        let flush = Rules { flush: true, ..rule };
        assert_eq!(flush.nearest(&Real::Near(ratio(true, 3, 1, -149))), 0x8000_0000);
        let saturate = Rules { saturate: true, ..rule };
        assert_eq!(saturate.nearest(&Real::Near(ratio(false, 5, 1, 0))), 0x3f80_0000);
        assert_eq!(saturate.nearest(&Real::Near(ratio(true, 5, 1, 0))), 0);
    }

    #[test]
    fn thirds() {
        let third = ratio(false, 1, 3, 0);
        let nearest = error(F32, 0x3eaa_aaab, &third);
        let below = error(F32, 0x3eaa_aaaa, &third);
        assert!(nearest.correctly_rounded && !below.correctly_rounded && below.is_faithful());
        assert_eq!(nearest.floor, ONE_ULP / 3);
        assert_eq!(below.floor, -(2 * ONE_ULP / 3) - 1);
        assert!(!error(F32, 0x3eaa_aaac, &third).is_faithful());
        let negative = error(F32, 0xbeaa_aaab, &ratio(true, 1, 3, 0));
        assert_eq!((negative.floor, negative.correctly_rounded), (-ONE_ULP / 3 - 1, true));
    }

    #[test]
    fn a_bound_is_closed_and_exact() {
        let one = ratio(false, 1, 1, 0);
        assert!(rules(Some(ULP)).judge(&Real::Near(one), 0x3f80_0001).is_ok());
        assert!(rules(Some(ULP - 1)).judge(&Real::Near(one), 0x3f80_0001).is_err());
        assert!(rules(None).judge(&Real::Near(one), 0x3f80_0001).is_err());
        assert!(rules(None).judge(&Real::Near(one), 0x3f80_0000).is_ok());
        // The ulp is that of the true value: below one it is half as large.
        assert!(
            rules(Some(ULP))
                .judge(&Real::Near(ratio(false, (1 << 24) - 1, 1 << 24, 0)), 0x3f80_0001)
                .is_err()
        );
    }

    #[test]
    fn subnormal_errors_are_not_zero() {
        // Both values subnormal, three grid points apart.
        let y = ratio(false, 5, 1, -149);
        assert_eq!(error(F32, 8, &y).floor, 3 * ONE_ULP);
        assert_eq!(error(F32, 0, &y).floor, -5 * ONE_ULP);
    }

    #[test]
    fn ties_go_to_even() {
        let y = ratio(false, 3, 2, -149);
        assert!(error(F32, 2, &y).correctly_rounded);
        assert!(!error(F32, 1, &y).correctly_rounded);
    }

    #[test]
    fn signs_infinities_and_nans() {
        let tiny = Real::Near(ratio(true, 1, 1, -160));
        let r = rules(Some(ULP));
        assert!(r.judge(&tiny, 0x8000_0000).is_ok());
        assert_eq!(r.judge(&tiny, 0).unwrap_err().0, Kind::ZeroSign);
        assert_eq!(r.judge(&tiny, 0x7fff_ffff).unwrap_err().0, Kind::Nan);
        let huge = Real::Near(ratio(false, (1 << 24) - 1, 1, 104));
        assert!(r.judge(&huge, 0x7f7f_ffff).is_ok());
        assert!(r.judge(&huge, 0x7f80_0000).is_ok(), "the infinity counts as 2^128, one ulp away");
        assert_eq!(r.judge(&huge, 0xff80_0000).unwrap_err().0, Kind::Sign);
        assert_eq!(r.judge(&huge, 0x3f80_0000).unwrap_err().0, Kind::Bound);
    }

    #[test]
    fn bounds_below_one_ulp_are_held_too() {
        let flush = |limit| Rules { flush: true, ..rules(limit) };
        // Just below the least normal: rounded correctly it is the least normal, and not flushed.
        let y = Real::Near(ratio(false, (1 << 26) - 1, 1 << 26, -126));
        for limit in [None, Some(ULP / 2)] {
            assert!(flush(limit).judge(&y, 0x0080_0000).is_ok());
            assert_eq!(flush(limit).judge(&y, 0).unwrap_err().0, Kind::Bound);
        }
        assert!(flush(Some(ULP)).judge(&y, 0).is_ok());
        // Between two subnormals: both are flushed, so zero is right however small the bound.
        let y = Real::Near(ratio(true, 3, 1, -150));
        for limit in [None, Some(0), Some(ULP / 4)] {
            assert!(flush(limit).judge(&y, 0x8000_0000).is_ok());
            assert_eq!(flush(limit).judge(&y, 0).unwrap_err().0, Kind::ZeroSign);
        }
        // Just below 2^128: rounded correctly it overflows.
        let y = Real::Near(ratio(false, (1 << 26) - 1, 1, 102));
        assert!(rules(None).judge(&y, 0x7f80_0000).is_ok());
        assert!(rules(None).judge(&y, 0x7f7f_ffff).is_err());
        assert_eq!(rules(None).nearest(&y), 0x7f80_0000);
    }

    #[test]
    fn overflow_is_infinity() {
        let r = rules(Some(ULP));
        let beyond = Real::Near(ratio(true, 3, 1, 127));
        assert!(r.judge(&beyond, 0xff80_0000).is_ok());
        assert_eq!(r.judge(&beyond, 0xff7f_ffff).unwrap_err().0, Kind::Bound);
        assert_eq!(r.judge(&beyond, 0x7f80_0000).unwrap_err().0, Kind::Sign);
        let edge = Real::Near(ratio(false, 1, 1, 128));
        assert!(r.judge(&edge, 0x7f7f_ffff).is_ok(), "the largest number is half an ulp below 2^128");
    }

    #[test]
    fn flushing_acts_on_the_allowed_set() {
        let r = Rules { flush: true, ..rules(Some(ULP)) };
        let least_normal = Real::Near(ratio(false, 1, 1, -126));
        assert!(r.judge(&least_normal, 0x0080_0000).is_ok());
        assert!(r.judge(&least_normal, 0).is_ok(), "one ulp below lies a subnormal, which is flushed");
        assert_eq!(r.judge(&least_normal, 0x007f_ffff).unwrap_err().0, Kind::Flush);
        let two_above = Real::Near(ratio(false, (1 << 23) + 2, 1, -149));
        assert!(r.judge(&two_above, 0).is_err());
        let subnormal = Real::Near(ratio(true, 3, 1, -149));
        assert!(r.judge(&subnormal, 0x8000_0000).is_ok());
        assert_eq!(r.judge(&subnormal, 0).unwrap_err().0, Kind::ZeroSign);
        assert!(r.judge(&Real::Near(ratio(false, (1 << 23) - 1, 1, -149)), 0x0080_0000).is_ok());
    }

    #[test]
    fn saturation_acts_on_the_allowed_set() {
        let r = Rules { saturate: true, ..rules(Some(ULP)) };
        for (y, legal, illegal) in [
            (ratio(true, 5, 1, 0), vec![0], vec![0x8000_0000, 0xc0a0_0000, 0x3f80_0000]),
            (ratio(false, 5, 1, 0), vec![0x3f80_0000], vec![0x40a0_0000, 0, 0x3f7f_ffff]),
            (ratio(false, 1, 3, 0), vec![0x3eaa_aaaa, 0x3eaa_aaab], vec![0, 0x3f80_0000, 0xbeaa_aaab]),
        ] {
            for bits in legal {
                assert!(r.judge(&Real::Near(y), bits).is_ok(), "{bits:#x}");
            }
            for bits in illegal {
                assert!(r.judge(&Real::Near(y), bits).is_err(), "{bits:#x}");
            }
        }
    }

    #[test]
    fn other_formats_have_their_own_unit() {
        assert_eq!(error(F64_HIGH, 0x3ff0_0001, &ratio(false, 1, 1, 0)).floor, ONE_ULP);
        assert_eq!(error(F16, 0x3c02, &ratio(false, 1, 1, 0)).floor, 2 * ONE_ULP);
        let r = Rules { format: F16, flush: false, saturate: false, limit: Some(ULP) };
        assert!(
            r.judge(&Real::Near(ratio(false, 1, 1, 0)), 0x1_3c00).is_err(),
            "bits above the format are no value"
        );
    }

    #[test]
    fn the_kinds_of_difference() {
        for (expected, actual, kind) in [
            (0x7fff_ffff, 0x7fc0_0000, Kind::NotThatNan),
            (0, 0x7fff_ffff, Kind::Nan),
            (0, 0x8000_0000, Kind::ZeroSign),
            (0x3f80_0000, 0xbf80_0000, Kind::Sign),
            (0, 1, Kind::Flush),
            (0x007f_ffff, 0, Kind::Flush),
            (0x7f7f_ffff, 0x7f80_0000, Kind::Infinity),
            (0x3f80_0000, 0x3f80_0001, Kind::OneUnit),
            (0x3f80_0000, 0x4000_0000, Kind::Value),
        ] {
            assert_eq!(
                difference(assay_isa::format::F32, expected, actual),
                kind,
                "{expected:#x} {actual:#x}"
            );
        }
    }
}
