//! Tests of rounding, flushing and bounds at their edges.

use assay_isa::Location;
use assay_isa::effect::Lanes;
use assay_isa::format::{BF16, F16, F32, F64_HIGH};
use assay_isa::truth::{Enclosure, Real, Truth, TruthValues};
use assay_vectors::{Bound, Clauses, Contract, Facts, Metric, Range};

use super::super::DivergenceKind;
use super::super::real::error;
use super::super::rules::*;
use super::{ULP, bound, ratio, rules};

/// An enclosure that begins at a tie is a tie only if it is exact and nothing is cut off.
#[test]
fn what_lies_above_a_tie_is_rounded_up() {
    for (significand, exponent, exact, nearest) in [
        ((1 << 24) + 1, -24, true, 0x3f80_0000),
        ((1 << 24) + 1, -24, false, 0x3f80_0001),
        ((1 << 24) + 3, -24, true, 0x3f80_0002),
        ((1 << 24) + 3, -24, false, 0x3f80_0002),
        (((1 << 24) + 1) << 40, -64, true, 0x3f80_0000),
        ((((1 << 24) + 1) << 40) + 1, -64, true, 0x3f80_0001),
        ((((1 << 24) + 1) << 40) - 1, -64, false, 0x3f80_0000),
        (1 << 24, -24, false, 0x3f80_0000),
    ] {
        let y = Real::Near(Enclosure { negative: false, significand, exponent, exact });
        assert_eq!(rules(None).nearest(&y), nearest, "{y:?}");
        assert_eq!(rules(None).judge(&y, nearest), RealOutcome::Held, "{y:?}");
    }
}

#[test]
fn the_nearest_values_of_a_lane_are_packed_from_the_lowest_bits_on() {
    let [one, third, negative] = [ratio(false, 1, 1, 0), ratio(false, 1, 3, 0), ratio(true, 3, 2, -24)];
    for (format, packed, flush, saturate, values, expected) in [
        (F16, 2, false, false, [one, third, negative, one], vec![0x3555_3c00, 0x3c00_8002]),
        (F16, 2, true, false, [one, third, negative, one], vec![0x3555_3c00, 0x3c00_8000]),
        (F16, 2, false, true, [one, third, negative, one], vec![0x3555_3c00, 0x3c00_0000]),
        (BF16, 1, false, false, [one, third, negative, one], vec![0x3f80, 0x3eab, 0xb3c0, 0x3f80]),
    ] {
        let (arguments, values) = (vec![0; 4], values.map(Real::Near).into());
        let values = TruthValues::Reals { format, packed, flush, saturate, arguments, values };
        let truth = Truth { location: Location::R(0), values, written: Lanes::All };
        assert_eq!(nearest(&truth), expected, "{} {flush} {saturate}", format.name);
    }
    let bits = TruthValues::Bits(vec![7, 0x8000_0001]);
    let truth = Truth { location: Location::R(0), values: bits, written: Lanes::All };
    assert_eq!(nearest(&truth), [7, 0x8000_0001]);
}

#[test]
fn a_pattern_stands_for_a_number_of_its_format() {
    for (format, bits, expected) in [
        (F32, 0x3fc0_0000, 1.5),
        (F32, 0x8000_0001, -(-149_f64).exp2()),
        (F64_HIGH, 0x3ff8_0000, 1.5),
        (F64_HIGH, 0xc000_0000, -2.0),
        (F16, 0x3e00, 1.5),
        (F16, 0x0001, (-24_f64).exp2()),
        (BF16, 0x3fc0, 1.5),
        (BF16, 0xc000, -2.0),
    ] {
        assert_eq!(value(format, bits), expected, "{} {bits:#x}", format.name);
    }
}

/// A zero passes for a truth that rounds to the least normal number, if a subnormal number lies
/// within the bound.
#[test]
fn a_zero_is_flushed_where_the_bound_holds_a_subnormal() {
    for (absolute, expected) in [("2^-149", true), ("2^-150", false)] {
        let allowance = bound(Metric::Absolute, absolute);
        let r = Rules { flush: true, allowance, ..rules(None) };
        for (negative, sign) in [(false, 0), (true, 0x8000_0000)] {
            // This is an eighth of a unit below the least normal number, and seven eighths above
            // the greatest subnormal number.
            let y = ratio(negative, (1 << 26) - 1, 1 << 26, -126);
            let outcome = r.judge(&Real::Near(y), sign);
            let error = error(F32, sign, &y);
            let refused = RealOutcome::Diverged(DivergenceKind::Bound, Some(error));
            assert_eq!(outcome, if expected { RealOutcome::Within(error) } else { refused }, "{absolute}");
        }
    }
    // Without a bound, the zero is not judged.
    let open = Rules { flush: true, allowance: Allowance::Open, ..rules(None) };
    let y = Real::Near(ratio(false, (1 << 26) - 1, 1 << 26, -126));
    assert!(matches!(open.judge(&y, 0), RealOutcome::Unjudged(_)));
}

#[test]
fn a_bound_without_an_interval_covers_every_argument_and_one_with_an_interval_its_own() {
    let bounds: [Bound; 2] = ["<1 ulp on [1, 2]", "absolute 2^-20"].map(|text| text.parse().unwrap());
    let contract = Contract::Bounded { bounds: bounds.into(), clauses: Clauses::default() };
    let arguments = vec![0x3f80_0000, 0x4000_0000, 0x4000_0001, 0xbf80_0000];
    let values = vec![Real::Near(ratio(false, 1, 1, 0)); 4];
    let (format, packed, flush, saturate) = (F32, 1, false, false);
    let values = TruthValues::Reals { format, packed, flush, saturate, arguments, values };
    let truth = Truth { location: Location::R(0), values, written: Lanes::All };
    let reals = Reals::of(&contract, &truth).unwrap();
    for (lane, expected) in [0, 0, 1, 1].into_iter().enumerate() {
        let packed = reals.lane(lane).next().unwrap();
        assert_eq!(packed.bound, Some(expected), "{lane}");
        let is_strict = matches!(packed.rules.allowance, Allowance::BelowUlp(ULP));
        let is_absolute = matches!(packed.rules.allowance, Allowance::Absolute(_));
        assert_eq!((is_strict, is_absolute), (expected == 0, expected == 1), "{lane}");
    }
}

/// For a function with values from -1 to 1, the result 1 is in range, however small the last bound
/// is.
#[test]
fn the_end_of_a_range_belongs_to_it() {
    let clauses = Clauses { facts: Facts { range: Range::Unit, ..Facts::default() }, ..Clauses::default() };
    let half = Real::Near(ratio(false, 1, 2, 0));
    for last in [Allowance::Nearest, Allowance::Ulp(0), Allowance::BelowUlp(0), Allowance::BelowUlp(ULP)] {
        let r = Rules { allowance: Allowance::Open, last, clauses, ..rules(None) };
        assert!(matches!(r.judge(&half, 0x3f80_0000), RealOutcome::Unjudged(_)), "{last:?}");
        let beyond = r.judge(&half, 0x3f80_0001);
        assert!(matches!(beyond, RealOutcome::Diverged(DivergenceKind::Range, Some(_))), "{last:?}");
    }
}
