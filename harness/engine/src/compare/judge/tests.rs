//! Tests of measured errors and of the rules for one real result.

mod edges;
mod verdicts;

use assay_isa::Location;
use assay_isa::effect::Lanes;
use assay_isa::format::{BF16, F16, F32, F64_HIGH, Format};
use assay_isa::truth::{Enclosure, Real, Truth, TruthValues};
use assay_vectors::{Bound, Clauses, Contract, Limit, Metric, Profile, Signs};

use super::DivergenceKind;
use super::real::*;
use super::rules::*;

/// Returns ±n / d · 2^exponent, with 100 bits after the point.
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
    let allowance = limit.map_or(Allowance::Nearest, Allowance::Ulp);
    let clauses = Clauses { signs: Signs::Free, ..Clauses::default() };
    Rules { format: F32, flush: false, saturate: false, allowance, last: allowance, clauses }
}

fn kind(outcome: RealOutcome) -> DivergenceKind {
    match outcome {
        RealOutcome::Diverged(kind, _) => kind,
        held => panic!("{held:?}"),
    }
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
        (3, 2, 127, 0x7f40_0000),
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
    assert!(rules(Some(ULP)).judge(&Real::Near(one), 0x3f80_0001).holds());
    assert!(!rules(Some(ULP - 1)).judge(&Real::Near(one), 0x3f80_0001).holds());
    assert!(!rules(None).judge(&Real::Near(one), 0x3f80_0001).holds());
    assert_eq!(rules(None).judge(&Real::Near(one), 0x3f80_0000), RealOutcome::Held);
    // The ulp is that of the true value: below 1 it is half as large.
    assert!(
        !rules(Some(ULP)).judge(&Real::Near(ratio(false, (1 << 24) - 1, 1 << 24, 0)), 0x3f80_0001).holds()
    );
}

#[test]
fn subnormal_errors_are_not_zero() {
    // Both values are subnormal, three units apart.
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
    assert!(r.judge(&tiny, 0x8000_0000).holds());
    assert_eq!(kind(r.judge(&tiny, 0)), DivergenceKind::ZeroSign);
    assert_eq!(kind(r.judge(&tiny, 0x7fff_ffff)), DivergenceKind::Nan);
    let huge = Real::Near(ratio(false, (1 << 24) - 1, 1, 104));
    assert!(r.judge(&huge, 0x7f7f_ffff).holds());
    assert!(r.judge(&huge, 0x7f80_0000).holds(), "the infinity counts as 2^128, one ulp away");
    assert_eq!(kind(r.judge(&huge, 0xff80_0000)), DivergenceKind::Sign);
    assert_eq!(kind(r.judge(&huge, 0x3f80_0000)), DivergenceKind::Bound);
}

#[test]
fn bounds_below_one_ulp_are_held_too() {
    let flush = |limit| Rules { flush: true, ..rules(limit) };
    // The truth is just below the least normal number. Rounded correctly, it is the least normal
    // number, and not flushed.
    let y = Real::Near(ratio(false, (1 << 26) - 1, 1 << 26, -126));
    for limit in [None, Some(ULP / 2)] {
        assert!(flush(limit).judge(&y, 0x0080_0000).holds());
        assert_eq!(kind(flush(limit).judge(&y, 0)), DivergenceKind::Bound);
    }
    assert!(flush(Some(ULP)).judge(&y, 0).holds());
    // The truth is between two subnormal numbers. Both are flushed, so zero is right however small
    // the bound is.
    let y = Real::Near(ratio(true, 3, 1, -150));
    for limit in [None, Some(0), Some(ULP / 4)] {
        assert!(flush(limit).judge(&y, 0x8000_0000).holds());
        assert_eq!(kind(flush(limit).judge(&y, 0)), DivergenceKind::ZeroSign);
    }
    // The truth is just below 2^128. Rounded correctly, it overflows.
    let y = Real::Near(ratio(false, (1 << 26) - 1, 1, 102));
    assert!(rules(None).judge(&y, 0x7f80_0000).holds());
    assert!(!rules(None).judge(&y, 0x7f7f_ffff).holds());
    assert_eq!(rules(None).nearest(&y), 0x7f80_0000);
}

#[test]
fn overflow_is_infinity() {
    let r = rules(Some(ULP));
    let beyond = Real::Near(ratio(true, 3, 1, 127));
    assert!(r.judge(&beyond, 0xff80_0000).holds());
    assert_eq!(kind(r.judge(&beyond, 0xff7f_ffff)), DivergenceKind::Bound);
    assert_eq!(kind(r.judge(&beyond, 0x7f80_0000)), DivergenceKind::Sign);
    let edge = Real::Near(ratio(false, 1, 1, 128));
    assert!(r.judge(&edge, 0x7f7f_ffff).holds(), "the largest number is half an ulp below 2^128");
}

#[test]
fn flushing_acts_on_the_allowed_set() {
    let r = Rules { flush: true, ..rules(Some(ULP)) };
    let least_normal = Real::Near(ratio(false, 1, 1, -126));
    assert!(r.judge(&least_normal, 0x0080_0000).holds());
    assert_eq!(kind(r.judge(&least_normal, 0x007f_ffff)), DivergenceKind::Flush);
    let two_above = Real::Near(ratio(false, (1 << 23) + 2, 1, -149));
    assert!(!r.judge(&two_above, 0).holds());
    let subnormal = Real::Near(ratio(true, 3, 1, -149));
    assert!(r.judge(&subnormal, 0x8000_0000).holds());
    assert_eq!(kind(r.judge(&subnormal, 0)), DivergenceKind::ZeroSign);
    assert!(r.judge(&Real::Near(ratio(false, (1 << 23) - 1, 1, -149)), 0x0080_0000).holds());
}

/// If the truth is at least the least normal number, a zero is judged by its error, however near a
/// subnormal number is.
#[test]
fn nothing_is_flushed_from_the_least_normal_number_on() {
    for (format, limit) in [(F32, ULP), (F32, 4 * ULP), (F64_HIGH, ULP), (BF16, ULP), (F16, ULP)] {
        let r = Rules { format, flush: true, ..rules(Some(limit)) };
        let least_normal = 1 << format.fraction_bits;
        for (negative, sign) in [(false, 0), (true, format.sign_mask())] {
            let at = |n: u128, d: u128| Real::Near(ratio(negative, n, d, format.emin()));
            for above in [at(1, 1), at((1 << 26) + 1, 1 << 26), at(3, 2)] {
                assert_eq!(kind(r.judge(&above, sign)), DivergenceKind::Bound, "{} {above:?}", format.name);
            }
            assert!(matches!(r.judge(&at(1, 1), least_normal | sign), RealOutcome::Within(_)));
            // The truth rounds to the least normal number, so a zero is allowed and has an error.
            let below = at((1 << 26) - 1, 1 << 26);
            assert!(matches!(r.judge(&below, sign), RealOutcome::Within(_)), "{}", format.name);
            assert_eq!(r.judge(&at(1, 2), sign), RealOutcome::Held);
        }
    }
}

/// Only the bits of a correctly rounding unit are called exact, whatever else flushing, clamping
/// and bounds allow.
#[test]
fn exact_is_said_of_the_truth_only() {
    let exponents =
        |format: Format| [format.emin() - 40, format.emin() - 2, -1, 0, format.bias(), format.bias() + 1];
    let ratios = [(1, 1), (3, 2), ((1 << 26) + 1, 1 << 26), ((1 << 26) - 1, 1 << 26), (4, 1), (1, 3)];
    let mut held = 0;
    for format in [F32, F16, BF16, F64_HIGH] {
        let allowances = [
            Allowance::Nearest,
            Allowance::Ulp(4 * ULP),
            Allowance::BelowUlp(ULP),
            bound(Metric::Absolute, "2^-8"),
            bound(Metric::Relative, "2^-8"),
            Allowance::Open,
        ];
        let modes = [(false, false), (true, false), (false, true)];
        for (allowance, (flush, saturate)) in allowances.iter().flat_map(|one| modes.map(|mode| (*one, mode)))
        {
            for signs in [Signs::Judged, Signs::Free] {
                let clauses = Clauses { signs, ..Clauses::default() };
                let r = Rules { format, flush, saturate, allowance, last: allowance, clauses };
                for (exponent, (n, d)) in
                    exponents(format).into_iter().flat_map(|e| ratios.map(|ratio| (e, ratio)))
                {
                    for negative in [false, true] {
                        let y = Real::Near(ratio(negative, n, d, exponent));
                        let one = format.one();
                        let magnitudes = [
                            0,
                            1 << format.fraction_bits,
                            one,
                            one - 1,
                            format.infinity(),
                            format.infinity() - 1,
                        ];
                        let near = magnitudes.into_iter().chain([r.nearest(&y) & !format.sign_mask()]);
                        for bits in near.flat_map(|bits| [bits, bits | format.sign_mask()]) {
                            if r.judge(&y, bits) == RealOutcome::Held {
                                assert_eq!(bits, r.nearest(&y), "{y:?} {r:?}");
                                held += 1;
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(held > 1000, "{held}");
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
            assert!(r.judge(&Real::Near(y), bits).holds(), "{bits:#x}");
        }
        for bits in illegal {
            assert!(!r.judge(&Real::Near(y), bits).holds(), "{bits:#x}");
        }
    }
}

#[test]
fn other_formats_have_their_own_unit() {
    assert_eq!(error(F64_HIGH, 0x3ff0_0001, &ratio(false, 1, 1, 0)).floor, ONE_ULP);
    assert_eq!(error(F16, 0x3c02, &ratio(false, 1, 1, 0)).floor, 2 * ONE_ULP);
}

#[test]
fn the_kinds_of_difference() {
    for (expected, actual, kind) in [
        (0x7fff_ffff, 0x7fc0_0000, DivergenceKind::NotThatNan),
        (0, 0x7fff_ffff, DivergenceKind::Nan),
        (0, 0x8000_0000, DivergenceKind::ZeroSign),
        (0x3f80_0000, 0xbf80_0000, DivergenceKind::Sign),
        (0, 1, DivergenceKind::Flush),
        (0x007f_ffff, 0, DivergenceKind::Flush),
        (0x7f7f_ffff, 0x7f80_0000, DivergenceKind::Infinity),
        (0x3f80_0000, 0x3f80_0001, DivergenceKind::OneUnit),
        (0x3f80_0000, 0x4000_0000, DivergenceKind::Value),
    ] {
        assert_eq!(difference(F32, expected, actual), kind, "{expected:#x} {actual:#x}");
    }
}

fn bound(metric: Metric, limit: &str) -> Allowance {
    let text = format!(
        "version: 1\nname: t\nabout: t\nextends: intended\ncontracts:\n\
         - {{instruction: MUFU.LG2.F32, metric: {}, bound: \"{limit}\"}}\n",
        metric.name()
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.yaml");
    std::fs::write(&path, text).unwrap();
    let profile = Profile::load(path.to_str().unwrap()).unwrap();
    match profile.contract_for(&assay_isa::asm::parse("MUFU.LG2.F32 R0, R1").unwrap()) {
        Contract::Bounded { bounds, .. } => Allowance::of(&bounds[0]),
        contract => panic!("{contract}"),
    }
}

#[test]
fn a_zero_has_the_sign_that_a_source_gives() {
    let clauses = Clauses::default();
    let bound = bound(Metric::Absolute, "2^-22");
    let judged = Rules { allowance: bound, last: bound, clauses, ..rules(None) };
    let negative = Real::SignedZero { negative: true };
    assert!(judged.judge(&negative, 0x8000_0000).holds());
    assert_eq!(kind(judged.judge(&negative, 0)), DivergenceKind::ZeroSign);
    assert_eq!(
        kind(judged.judge(&Real::SignedZero { negative: false }, 0x8000_0000)),
        DivergenceKind::ZeroSign
    );
    // If the true value is zero, a nonzero result within the absolute bound passes with either
    // sign. Under `signs: free`, +0 and -0 both pass.
    assert!(judged.judge(&negative, 1).holds() && judged.judge(&negative, 0x8000_0001).holds());
    assert!(rules(None).judge(&negative, 0).holds());
    // Under saturation every zero is +0.
    let saturated = Rules { saturate: true, ..judged };
    assert!(saturated.judge(&negative, 0).holds() && !saturated.judge(&negative, 0x8000_0000).holds());
    assert_eq!((judged.nearest(&negative), saturated.nearest(&negative)), (0x8000_0000, 0));
}

#[test]
fn an_absolute_bound_knows_no_sign() {
    let r = Rules { allowance: bound(Metric::Absolute, "2^-22"), ..rules(None) };
    let limit = 0x3480_0000; // 2^-22
    assert!(r.judge(&Real::Zero, limit).holds() && r.judge(&Real::Zero, limit | 0x8000_0000).holds());
    assert_eq!(kind(r.judge(&Real::Zero, limit + 1)), DivergenceKind::Bound);
    let tiny = Real::Near(ratio(true, 1, 1, -140));
    for bits in [0, 0x8000_0000, 1, limit - 1, 0x8000_0000 | limit] {
        assert!(r.judge(&tiny, bits).holds(), "{bits:#x}");
    }
    assert_eq!(kind(r.judge(&tiny, limit)), DivergenceKind::Bound, "2^-22 + 2^-140 away");
    assert_eq!(kind(r.judge(&tiny, 0x7f80_0000)), DivergenceKind::Bound);
    assert_eq!(kind(r.judge(&tiny, 0x7fc0_0000)), DivergenceKind::Nan);
    // The limit is 2 ulp above 1 and 4 ulp below 1, where the ulp is half as large.
    let one = Real::Near(ratio(false, 1, 1, 0));
    assert!(r.judge(&one, 0x3f80_0002).holds() && !r.judge(&one, 0x3f80_0003).holds());
    assert!(r.judge(&one, 0x3f7f_fffc).holds() && !r.judge(&one, 0x3f7f_fffb).holds());
}

/// Tests numbers that are too large to be counted in units of the limit.
#[test]
fn a_small_bound_is_held_by_large_numbers() {
    for (metric, limit) in [(Metric::Absolute, "2^-22"), (Metric::Relative, "2^-90")] {
        let r = Rules { allowance: bound(metric, limit), ..rules(None) };
        for negative in [false, true] {
            let sign = if negative { 0x8000_0000 } else { 0 };
            let y = Real::Near(ratio(negative, 1, 1, 100));
            let same = r.nearest(&y);
            assert_eq!(same, 0x7180_0000 | sign);
            assert!(r.judge(&y, same).holds(), "{limit}: 2^100 is itself");
            for off in [same + 1, same - 1, same - (50 << 23), same ^ 0x8000_0000, 0x7f80_0000 | sign, sign] {
                assert!(!r.judge(&y, off).holds(), "{limit}: {off:#x} for 2^100");
            }
        }
    }
}

#[test]
fn an_irrational_bound_is_held_to_its_64_bits() {
    let Allowance::Absolute(limit) = bound(Metric::Absolute, "2^-20.5") else { panic!() };
    let r = Rules { allowance: Allowance::Absolute(limit), ..rules(None) };
    let at = |significand| Enclosure { negative: false, significand, exponent: limit.exponent, exact: true };
    assert!(r.judge(&Real::Near(at(u128::from(limit.significand))), 0).holds());
    assert!(!r.judge(&Real::Near(at(u128::from(limit.significand) + 1)), 0).holds());
    let inside = Enclosure { exact: false, ..at(u128::from(limit.significand) - 1) };
    assert!(r.judge(&Real::Near(inside), 0).holds());
}

#[test]
fn a_relative_bound_grows_with_the_truth() {
    let r = Rules { allowance: bound(Metric::Relative, "2^-22"), ..rules(None) };
    for exponent in [-126, -20, 0, 100] {
        let y = Real::Near(ratio(true, 3, 2, exponent));
        let nearest = r.nearest(&y);
        // 3/2 · 2^-22 is three ulp.
        assert!(r.judge(&y, nearest + 3).holds() && !r.judge(&y, nearest + 4).holds(), "{exponent}");
        assert!(r.judge(&y, nearest - 3).holds() && !r.judge(&y, nearest - 4).holds(), "{exponent}");
    }
    let negative = Real::Near(ratio(true, 1, 1, 0));
    assert_eq!(kind(r.judge(&negative, 0x3f80_0000)), DivergenceKind::Sign);
    assert_eq!(kind(r.judge(&negative, 0)), DivergenceKind::ZeroSign);
    // On the subnormal grid half a unit is allowed, which is more than the share.
    let between = Real::Near(ratio(false, 7, 2, -149));
    assert!(r.judge(&between, 3).holds() && r.judge(&between, 4).holds() && !r.judge(&between, 5).holds());
}

#[test]
fn distances_in_other_metrics_are_measured() {
    let y = ratio(false, 3, 1, 0);
    let (at, off) = (0x4040_0000, 0x4040_0004);
    assert_eq!(absolute_error(F32, at, &y), 0);
    assert_eq!(absolute_error(F32, off, &y), 1 << 44);
    assert_eq!(relative_error(error(F32, off, &y), F32, &y), (1u64 << 44) / 3);
    assert_eq!(absolute_error(F32, 0x4080_0000, &y), u64::MAX);
    assert_eq!(relative_error(error(F32, 0x4100_0000, &y), F32, &y), u64::MAX);
    let limit = Limit { significand: 1 << 63, exponent: -63 - 20, exact: true };
    let any =
        Bound { interval: None, metric: Metric::Absolute, limit, is_strict: false, written: "2^-20".into() };
    assert!(matches!(Allowance::of(&any), Allowance::Absolute(_)));
}

/// Returns the rules for a result of MUFU in F32 at an argument. The profile extends `intended` by
/// an absolute bound of EX2 and by `more`.
fn of_function(name: &str, argument: u32, truth: Enclosure, more: &str) -> Rules {
    let text = format!(
        "version: 1\nname: t\nabout: t\nextends: intended\ncontracts:\n- {{instruction: MUFU.EX2.F32, metric: absolute, \
         bound: \"2^-20\"}}\n{more}"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.yaml");
    std::fs::write(&path, text).unwrap();
    let profile = Profile::load(path.to_str().unwrap()).unwrap();
    let contract = profile.contract_for(&assay_isa::asm::parse(&format!("MUFU.{name}.F32 R0, R1")).unwrap());
    let values = TruthValues::Reals {
        format: F32,
        packed: 1,
        flush: false,
        saturate: false,
        arguments: vec![argument],
        values: vec![Real::Near(truth)],
    };
    let truth = Truth { location: Location::R(0), values, written: Lanes::All };
    let reals = Reals::of(&contract, &truth).unwrap();
    reals.lane(0).next().unwrap().rules
}

#[test]
fn no_function_has_an_impossible_value() {
    let (half, small, tiny) = (ratio(false, 1, 2, 0), ratio(false, 1, 1, -16), ratio(false, 1, 1, -25));
    let negative = |y: Enclosure| Enclosure { negative: true, ..y };
    // 512 lies beyond the interval of the last published bound of SIN and COS, which is 2^-14.7.
    let (great, near) = (0x4400_0000, 0x3300_0000);
    let (least_beyond, greatest_within) = (0x3f80_013c, 0x3f80_013b);
    for (name, argument, y, result, expected) in [
        ("SIN", great, half, 0x7f80_0000, Some(DivergenceKind::Infinity)),
        ("COS", great, half, 0xff80_0000, Some(DivergenceKind::Sign)),
        ("SIN", great, half, 0x7fff_ffff, Some(DivergenceKind::Nan)),
        ("SIN", great, half, 0x4000_0000, Some(DivergenceKind::Range)),
        ("SIN", great, half, least_beyond, Some(DivergenceKind::Range)),
        ("COS", great, negative(half), least_beyond | 1 << 31, Some(DivergenceKind::Range)),
        ("SIN", great, half, greatest_within, None),
        ("SIN", great, half, 0x3f80_0000, None),
        ("SIN", great, half, 0, None),
        ("SIN", great, half, 0xbf00_0000, Some(DivergenceKind::Sign)),
        ("SIN", great, half, 0x8000_0000, Some(DivergenceKind::ZeroSign)),
        ("SIN", great, negative(half), 0x3f00_0000, Some(DivergenceKind::Sign)),
        // sin(2.98e-8). Without the rule for signs, the absolute bound would allow a negative
        // result.
        ("SIN", near, tiny, 0xb300_0000, Some(DivergenceKind::Sign)),
        ("SIN", near, tiny, 0x8000_0000, Some(DivergenceKind::ZeroSign)),
        ("SIN", near, tiny, 0x3300_0000, None),
        ("LG2", 0x3f80_0001, tiny, 0xb300_0000, Some(DivergenceKind::Sign)),
        ("TANH", near, tiny, 0xb300_0000, Some(DivergenceKind::Sign)),
        ("SIN", great, small, 0xb780_0000, Some(DivergenceKind::Sign)),
        ("EX2", great, tiny, 0xb300_0000, Some(DivergenceKind::Sign)),
    ] {
        let outcome = of_function(name, argument, y, "").judge(&Real::Near(y), result);
        let found = if let RealOutcome::Diverged(kind, _) = outcome { Some(kind) } else { None };
        assert_eq!(found, expected, "{name} {argument:#x} {y:?} {result:#x}");
    }
}

#[test]
fn where_signs_are_free_only_that_of_small_values_is() {
    let (half, tiny) = (ratio(false, 1, 2, 0), ratio(false, 1, 1, -25));
    let (great, near) = (0x4400_0000, 0x3300_0000);
    let free = "- instruction: MUFU.SIN.F32\n  reading: E035=1\n  signs: free\n  bounds:\n  \
                - {on: \"[-2pi, 2pi]\", metric: absolute, bound: \"2^-20.5\"}\n  \
                - {on: \"[-100pi, 100pi]\", metric: absolute, bound: \"2^-14.7\"}\n\
                - {instruction: MUFU.EX2.F32, metric: absolute, bound: \"2^-20\", signs: free}\n";
    for (name, argument, y, result, expected) in [
        ("SIN", near, tiny, 0xb300_0000, None),
        ("SIN", near, tiny, 0x8000_0000, None),
        ("SIN", great, tiny, 0xb300_0000, None),
        ("SIN", great, half, 0xbf00_0000, Some(DivergenceKind::Sign)),
        ("SIN", great, half, 0x7f80_0000, Some(DivergenceKind::Infinity)),
        ("EX2", near, tiny, 0xb300_0000, Some(DivergenceKind::Sign)),
        ("EX2", near, tiny, 0x8000_0000, None),
    ] {
        let outcome = of_function(name, argument, y, free).judge(&Real::Near(y), result);
        let found = if let RealOutcome::Diverged(kind, _) = outcome { Some(kind) } else { None };
        assert_eq!(found, expected, "{name} {argument:#x} {y:?} {result:#x}");
    }
}

#[test]
fn a_strict_bound_leaves_the_limit_out() {
    let strict = Rules { allowance: Allowance::BelowUlp(ULP), ..rules(None) };
    let one = Real::Near(ratio(false, 1, 1, 0));
    assert_eq!(kind(strict.judge(&one, 0x3f80_0001)), DivergenceKind::Bound);
    assert!(strict.judge(&one, 0x3f80_0000).holds());
    // Both neighbours of a number that lies between two patterns hold, although one is almost 1 ulp
    // away.
    let close = Real::Near(Enclosure { exact: false, ..ratio(false, 1, 1, 0) });
    assert!(strict.judge(&close, 0x3f80_0001).holds() && strict.judge(&close, 0x3f80_0000).holds());
    assert_eq!(kind(strict.judge(&close, 0x3f80_0002)), DivergenceKind::Bound);
}

#[test]
fn without_a_bound_what_can_be_is_measured() {
    let last = bound(Metric::Absolute, "0.5");
    let r = Rules { allowance: Allowance::Open, last, ..rules(None) };
    let y = Real::Near(ratio(false, 1, 3, 0));
    assert!(matches!(r.judge(&y, 0xbf80_0000), RealOutcome::Unjudged(_)));
    assert_eq!(kind(r.judge(&y, 0x7fff_ffff)), DivergenceKind::Nan);
    assert_eq!(kind(r.judge(&Real::Bits(0), 0x8000_0000)), DivergenceKind::ZeroSign);
    let saturated = Rules { saturate: true, ..r };
    assert_eq!(kind(saturated.judge(&y, 0xbf80_0000)), DivergenceKind::Bound);
    // An infinity may be right if the truth is in the largest binade or beyond, but not below.
    let at = |exponent| Real::Near(ratio(false, 3, 2, exponent));
    assert_eq!(r.judge(&at(128), 0x7f80_0000), RealOutcome::Held);
    assert!(matches!(r.judge(&at(127), 0x7f80_0000), RealOutcome::Unjudged(_)));
    assert_eq!(kind(r.judge(&at(126), 0x7f80_0000)), DivergenceKind::Infinity);
}
