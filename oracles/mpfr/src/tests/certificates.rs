//! Compares the committed certificates with this build: a part of them here, all of them by
//! `assay-lab certify --check`.

use std::collections::BTreeMap;

use assay_isa::format::F32;
use proptest::prelude::*;
use rug::Float;

use crate::filter::certificate::{
    Certificate, FUNCTIONS, Verification, committed, is_trusted, pattern, verifications,
};
use crate::filter::certify::{
    BLOCK_BITS, Certifier, NEAREST, Proof, asked, blocks, has_both_signs, relative_error,
};
use crate::filter::{Kernel, estimate, run, run_on_baseline, slack};
use crate::function::{Angle, Function};

/// Returns every committed certificate.
fn certificates() -> Vec<(&'static Certificate, Function)> {
    let all = FUNCTIONS.into_iter();
    all.filter_map(|(name, function)| committed(name).map(|one| (one, function))).collect()
}

fn number(text: &str) -> u32 {
    u32::from_str_radix(&text[2..], 16).unwrap()
}

#[test]
fn certificates_are_whole_and_hold() {
    for (one, function) in certificates() {
        let name = &one.function;
        assert_eq!(one.bound, slack(function) / (f64::EPSILON / 2.0), "{name}");
        assert!(one.holds() && one.margin() >= 1.0, "{name}");
        assert_eq!(one.block_bits, BLOCK_BITS, "{name}");
        let arguments = u64::from(asked(function).end - asked(function).start);
        let signs = if has_both_signs(function) { 2 } else { 1 };
        assert_eq!(one.arguments, signs * arguments, "{name}");
        let all = blocks(function);
        assert_eq!(one.digests.len(), all.len(), "{name}");
        assert!(all.iter().all(|first| one.digest(*first).is_some()), "{name}");
    }
}

/// The test uses one block, which is quick enough for a test of each mutant of the certifier.
#[test]
fn a_block_has_the_digest_of_its_certificate() {
    let (one, function) = certificates()[0];
    let first = blocks(function)[1];
    assert_eq!(Some(Certifier::new(function).digest(first)), one.digest(first));
}

#[test]
fn the_filter_of_this_build_is_the_certified_one_in_some_blocks() {
    for (one, function) in certificates() {
        let mut certifier = Certifier::new(function);
        for first in blocks(function).into_iter().skip(one.function.len()).step_by(97) {
            assert_eq!(
                Some(certifier.digest(first)),
                one.digest(first),
                "{} {}",
                one.function,
                pattern(first)
            );
        }
    }
}

#[test]
fn a_filter_is_trusted_if_its_certificate_is_of_this_build() {
    for (one, function) in certificates() {
        assert!(is_trusted(function), "{}: {:?}", one.function, one.verify(function));
        let verified = verifications().find(|(name, _)| *name == one.function);
        assert!(matches!(verified, Some((_, Verification::Verified(1..)))), "{verified:?}");
    }
    assert_eq!(certificates().len(), FUNCTIONS.len());
}

#[test]
fn a_certificate_of_another_build_is_refused() {
    let (one, function) = certificates()[0];
    let refused = |change: &dyn Fn(&mut Certificate), words: &str| {
        let mut other = one.clone();
        change(&mut other);
        match other.verify(function) {
            Verification::Refused(reason) => assert!(reason.contains(words), "{reason}"),
            verified => panic!("{words}: {verified:?}"),
        }
    };
    refused(&|other| other.bound *= 2.0, "another bound");
    refused(&|other| other.block_bits += 1, "another bound");
    refused(&|other| other.worst = other.bound * 1.01, "more than the bound");
    refused(&|other| other.samples = "0".repeat(16), "differ");
    refused(&|other| other.samples.clear(), "differ");
    // The certificate of another function, whose filter has other coefficients.
    let (cosine, _) = certificates().into_iter().find(|(one, _)| one.function == "cos").unwrap();
    let sine = FUNCTIONS.iter().find(|(name, _)| *name == "sin").unwrap().1;
    assert!(matches!(cosine.verify(sine), Verification::Refused(_)));
}

#[test]
fn the_worst_and_the_nearest_are_as_written_down() {
    for (one, function) in certificates() {
        let mut certifier = Certifier::new(function);
        let (worst, argument) = certifier.sample(&[number(&one.worst_argument)]).worst.unwrap();
        assert_eq!(worst, one.worst, "{} at {}", one.function, pattern(argument));
        for (argument, written) in &one.nearest {
            let proof = certifier.sample(&[number(argument)]);
            let [(ulp, _)] = proof.nearest[..] else {
                panic!("{}: {argument} has no distance", one.function)
            };
            assert_eq!(ulp, *written, "{} at {argument}", one.function);
        }
    }
}

#[test]
fn the_certificate_of_rcp_is_proved_anew() {
    let (name, function) = FUNCTIONS[0];
    let one = committed(name).unwrap();
    let mut certifier = Certifier::new(function);
    let (mut proof, mut digests) = (Proof::default(), BTreeMap::new());
    for first in blocks(function) {
        if asked(function).contains(&first) {
            let (digest, part) = certifier.prove(first);
            proof.merge(part);
            digests.insert(first, digest);
        } else {
            digests.insert(first, one.digest(first).unwrap());
        }
    }
    assert_eq!(Certificate::new(name, function, &proof, &digests), *one);
    // No argument of this block is compared with MPFR.
    let (digest, proof) = certifier.prove(0);
    assert_eq!((Some(digest), proof), (one.digest(0), Proof::default()));
}

#[test]
fn measurements_add_up() {
    let part = |arguments, worst, undecided, nearest: &[(f64, u32)]| Proof {
        arguments,
        worst,
        undecided,
        nearest: nearest.to_vec(),
    };
    let mut proof = Proof::default();
    proof.merge(part(5, Some((0.5, 7)), 3, &[(0.2, 7), (0.4, 9)]));
    proof.merge(part(2, Some((0.5, 4)), 1, &[(0.2, 4), (0.3, 5)]));
    proof.merge(part(1, None, 0, &[]));
    assert_eq!(proof, part(8, Some((0.5, 4)), 4, &[(0.2, 4), (0.2, 7), (0.3, 5), (0.4, 9)]));
    // The largest error counts. A NaN error counts as infinitely large.
    proof.merge(part(0, Some((0.6, 9)), 0, &[]));
    assert_eq!(proof.worst, Some((0.6, 9)));
    proof.merge(part(0, Some((f64::NAN, 2)), 0, &[]));
    assert!(matches!(proof.worst, Some((error, 2)) if error.is_nan()));
    let many: Vec<(f64, u32)> = (0..20).map(|place| (f64::from(place), place)).collect();
    let mut proof = Proof::default();
    proof.merge(part(0, None, 0, &many));
    assert_eq!(proof.nearest, many[..NEAREST]);
}

#[test]
fn errors_are_relative_to_delta() {
    let unit = f64::EPSILON / 2.0;
    for (rest, delta, expected) in [
        (0.0, 0.0, 0.0),
        (0.0, 2.0, 0.0),
        (unit, 1.0, 1.0),
        (-3.0 * unit, 2.0, 1.5),
        (unit, -0.5, 2.0),
        (unit, 0.0, f64::INFINITY),
        (1.0, f64::NAN, f64::NAN),
        (f64::INFINITY, f64::INFINITY, f64::NAN),
        (f64::NEG_INFINITY, f64::INFINITY, f64::NAN),
    ] {
        let error = relative_error(&Float::with_val(64, rest), delta);
        // NaN exceeds every number only if it is positive.
        let is_expected = if expected.is_nan() { error.is_nan() } else { error == expected };
        assert!(is_expected && error.is_sign_positive(), "{rest} of {delta}: {error}");
    }
}

#[test]
fn only_certified_arguments_count() {
    for (name, function) in FUNCTIONS {
        let range = asked(function);
        let signs = if has_both_signs(function) { 2 } else { 1 };
        let count = |bits: u32| {
            let arguments = [bits, bits | F32.sign_mask()];
            Certifier::new(function).sample(&arguments).arguments
        };
        assert_eq!(count(range.start), signs, "{name}");
        assert_eq!(count(range.end - 1), signs, "{name}");
        for outside in [0, 1, range.start - 1, range.end, F32.infinity(), F32.infinity() | 1] {
            assert_eq!(count(outside), 0, "{name} {outside:#x}");
        }
    }
}

/// Checks how many arguments the bound leaves undecided: the exact values, and some of the nearest
/// ones. For TANH, none is undecided: at its nearest arguments, delta and so the bound are small.
#[test]
fn the_nearest_arguments_are_undecided_or_not_as_counted() {
    // Some arguments at which the functions of turns have exact values: multiples of a quarter.
    let turns = [0.25_f32, 0.5, 0.75, 1.0, 2.25, 1024.5, 4_194_303.5, 16_777_215.0];
    let turns = turns.map(f32::to_bits);
    let rows: [(&str, &[u32], u64); 6] = [
        ("rcp", &[1.0_f32.to_bits()], 1),
        ("rsq", &[1.0_f32.to_bits()], 4),
        ("lg2", &[1.0_f32.to_bits(), 0.5_f32.to_bits()], 3),
        ("tanh", &[], 0),
        ("sin-turns", &turns, 9 + turns.len() as u64),
        ("cos-turns", &turns, 10 + turns.len() as u64),
    ];
    for (name, exact, undecided) in rows {
        let function = FUNCTIONS.into_iter().find(|(known, _)| *known == name).unwrap().1;
        let nearest = committed(name).unwrap().nearest.iter().map(|(argument, _)| number(argument));
        let arguments: Vec<u32> = exact.iter().copied().chain(nearest).collect();
        let proof = Certifier::new(function).sample(&arguments);
        assert_eq!(proof.undecided, undecided, "{name}");
        // An exact value lies on a boundary, so it is not among the nearest.
        assert!(proof.nearest.iter().all(|(_, bits)| !exact.contains(bits)), "{name}");
    }
}

#[test]
fn the_nearest_of_many_are_those_of_each() {
    for (one, function) in certificates() {
        let range = asked(function);
        let listed = one.nearest.iter().map(|(argument, _)| number(argument));
        let spread = patterns(300).into_iter().map(|bits| range.start + bits % (range.end - range.start));
        // The arguments nearest to a boundary come last, the farthest of them first, and the
        // nearest one occurs twice.
        let arguments: Vec<u32> = spread.chain(listed.clone().rev()).chain(listed.take(1)).collect();
        let mut certifier = Certifier::new(function);
        for arguments in [&arguments[..300], &arguments[..]] {
            let mut each: Vec<(f64, u32)> =
                arguments.iter().flat_map(|bits| certifier.sample(&[*bits]).nearest).collect();
            each.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            each.truncate(NEAREST);
            assert_eq!(certifier.sample(arguments).nearest, each, "{}", one.function);
        }
    }
}

#[test]
fn certificates_and_their_verification_are_shown() {
    let mut one = certificates()[0].0.clone();
    (one.bound, one.worst) = (12.0, 3.0);
    assert_eq!(one.margin(), 4.0);
    let verified = Verification::Verified(12).to_string();
    assert_eq!(verified, "verified: 12 results match the digest of the certificate");
    let refused = Verification::Refused("its results differ".to_owned()).to_string();
    assert_eq!(refused, "not verified: its results differ; MPFR judges this function alone");
}

/// Returns patterns that look random. Every run gets the same patterns.
fn patterns(count: u32) -> Vec<u32> {
    (0..count).map(|i| i.wrapping_mul(0x9e37_79b1) ^ i.rotate_left(17).wrapping_mul(0x85eb_ca77)).collect()
}

#[test]
fn a_million_other_arguments_keep_the_bound() {
    let certificates = certificates();
    let each = 1_000_000 / certificates.len() as u32;
    let mut seen = 0;
    for (one, function) in certificates {
        let range = asked(function);
        let spread =
            |bits: u32| range.start + ((u64::from(bits) * u64::from(range.end - range.start)) >> 32) as u32;
        let proof =
            Certifier::new(function).sample(&patterns(each).into_iter().map(spread).collect::<Vec<_>>());
        seen += proof.arguments;
        let (error, argument) = proof.worst.unwrap();
        assert!(error <= one.worst, "{}: {error} at {}", one.function, pattern(argument));
    }
    assert!(seen >= 990_000, "{seen}");
}

/// Returns every kernel with the start of its range, from the pieces of the functions.
fn kernels() -> Vec<(u32, Kernel)> {
    FUNCTIONS.iter().flat_map(|(_, function)| Kernel::pieces(*function)).copied().collect()
}

#[test]
fn all_instruction_sets_give_the_same_bits() {
    let any = patterns(1 << 16);
    let neighbours = |start: u32| (start..start + 4096).collect::<Vec<u32>>();
    for (least, kernel) in kernels() {
        for arguments in
            [any.clone(), neighbours(least), neighbours(least + 0x0123_4567), neighbours(0x42f6_0000)]
        {
            let mut columns = [(); 4].map(|()| vec![0.0; arguments.len()]);
            let [bases, deltas, plain_bases, plain_deltas] = &mut columns;
            run(kernel, &arguments, bases, deltas);
            run_on_baseline(kernel, &arguments, plain_bases, plain_deltas);
            // NaN has no fixed pattern, so every NaN counts as the same value.
            let bits = |column: &[f64]| {
                column.iter().map(|x| if x.is_nan() { u64::MAX } else { x.to_bits() }).collect::<Vec<_>>()
            };
            assert!(bits(bases) == bits(plain_bases) && bits(deltas) == bits(plain_deltas), "{kernel:?}");
        }
    }
}

/// Compares chunks with single lanes in four places: around the argument from which 2^x or tanh x
/// is constant, from that argument on, far beyond it, and next to infinity.
#[test]
fn constant_chunks_are_as_their_lanes() {
    for (function, kernel, start) in [
        (Function::PowerOfTwo, Kernel::Power, 1000.0_f32),
        (Function::Tangent, Kernel::TangentNearOne, 300.0),
    ] {
        let end = f32::INFINITY.to_bits();
        for first in [start.to_bits() - 300, start.to_bits(), start.to_bits() + 0x0123_4567, end - 600] {
            // The arguments are all positive, all negative, or alternating.
            for (even, odd) in [(0, 0), (1, 1), (0, 1)] {
                let sign = |bits: u32| if bits.is_multiple_of(2) { even << 31 } else { odd << 31 };
                let arguments: Vec<u32> = (first..).take(700).map(|bits| bits | sign(bits)).collect();
                let mut columns = [(); 4].map(|()| vec![0.0; arguments.len()]);
                let [bases, deltas, lane_bases, lane_deltas] = &mut columns;
                estimate(function, &arguments, bases, deltas);
                run(kernel, &arguments, lane_bases, lane_deltas);
                // The results for infinity and NaN do not matter.
                for (lane, bits) in arguments.iter().enumerate().filter(|(_, bits)| F32.is_finite(**bits)) {
                    let bits_of = |base: f64, delta: f64| (base.to_bits(), delta.to_bits());
                    assert_eq!(
                        bits_of(bases[lane], deltas[lane]),
                        bits_of(lane_bases[lane], lane_deltas[lane]),
                        "{kernel:?} {bits:#x}"
                    );
                }
            }
        }
    }
}

/// Uses columns whose arguments agree in all bits of the exponent, in some bits, or in none.
#[test]
fn angles_of_several_exponents_are_reduced_by_their_own() {
    for kernel in [Kernel::Sine, Kernel::Cosine] {
        for arguments in [[2.0_f32, 3.0, 2.5], [2.0, 1.0, 1.0], [1.5, 6.0, 1e30], [0.0, 1.0, 100.0]] {
            let arguments = arguments.map(f32::to_bits);
            let (mut bases, mut deltas) = ([0.0; 3], [0.0; 3]);
            run(kernel, &arguments, &mut bases, &mut deltas);
            for (lane, argument) in arguments.into_iter().enumerate() {
                let (mut base, mut delta) = ([0.0], [0.0]);
                run(kernel, &[argument], &mut base, &mut delta);
                assert_eq!((base[0], delta[0]), (bases[lane], deltas[lane]), "{kernel:?} {argument:#x}");
            }
        }
    }
}

/// The certificates of these functions cover only positive arguments.
#[test]
fn results_for_negative_arguments_mirror_the_certified_ones() {
    for (function, is_odd) in [
        (Function::Reciprocal, true),
        (Function::Tangent, true),
        (Function::Sine(Angle::Radians), true),
        (Function::Sine(Angle::Turns), true),
        (Function::Cosine(Angle::Radians), false),
        (Function::Cosine(Angle::Turns), false),
    ] {
        let spread = patterns(100_000).into_iter().map(|bits| bits % F32.infinity());
        // Small arguments for the kernels next to 0, and arguments of several turns.
        let (small, turns) = (0x3800_0000..0x3800_1000, 0x4000_0000..0x4000_1000);
        let positive: Vec<u32> = spread.chain(small).chain(turns).collect();
        let results = |sign: u32| {
            let arguments: Vec<u32> = positive.iter().map(|bits| bits | sign).collect();
            let (mut bases, mut deltas) = (vec![0.0; arguments.len()], vec![0.0; arguments.len()]);
            estimate(function, &arguments, &mut bases, &mut deltas);
            bases.into_iter().zip(deltas).collect::<Vec<(f64, f64)>>()
        };
        let factor = if is_odd { -1.0 } else { 1.0 };
        for ((argument, plus), minus) in positive.iter().zip(results(0)).zip(results(F32.sign_mask())) {
            assert_eq!(minus, (factor * plus.0, factor * plus.1), "{function:?} {argument:#x}");
        }
    }
}

#[test]
fn reciprocals_and_roots_are_off_by_half_a_unit_at_most() {
    // The test uses integers, so it does not rely on MPFR: 1/m to 53 bits, and √m.
    for m in (1_u128 << 23)..(1 << 24) {
        let reciprocal = 1.0 / m as f64;
        let q = u128::from(reciprocal.to_bits() & ((1 << 52) - 1) | 1 << 52);
        let places = 1075 - (reciprocal.to_bits() >> 52) as u32;
        assert!(2 * (q * m).abs_diff(1 << places) <= m, "1/{m}");
        let root = (m as f64).sqrt();
        let q = u128::from(root.to_bits() & ((1 << 52) - 1) | 1 << 52);
        let places = 1075 - (root.to_bits() >> 52) as u32;
        // Checks |q - r| <= 1/2 with r² = m · 2^2places, in units of a quarter.
        let square = m << (2 * places + 2);
        assert!((2 * q - 1).pow(2) <= square && square <= (2 * q + 1).pow(2), "√{m}");
    }
}

proptest! {
    #[test]
    fn a_column_of_anything_is_estimated_as_its_lanes_are(arguments in prop::collection::vec(any::<u32>(), 1..600)) {
        for (name, function) in FUNCTIONS {
            let lanes = arguments.len();
            let (mut bases, mut deltas) = (vec![0.0; lanes], vec![0.0; lanes]);
            estimate(function, &arguments, &mut bases, &mut deltas);
            for lane in (0..lanes).filter(|lane| F32.is_finite(arguments[*lane])) {
                let (mut base, mut delta) = ([0.0], [0.0]);
                estimate(function, &arguments[lane..=lane], &mut base, &mut delta);
                let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
                prop_assert!(same(base[0], bases[lane]) && same(delta[0], deltas[lane]), "{} {}", name, arguments[lane]);
            }
        }
    }
}
