//! The committed certificates, compared with this build: in part here, in full by `assay certify --check`.

use assay_isa::format::F32;
use proptest::prelude::*;

use crate::filter::certificate::{
    Certificate, FUNCTIONS, Verification, committed, is_trusted, pattern, verifications,
};
use crate::filter::certify::{BLOCK_BITS, Certifier, asked, blocks, has_both_signs};
use crate::filter::{Kernel, run, run_on_baseline, slack};
use crate::function::Function;

/// Every committed certificate.
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
    // That of another function, whose coefficients are others.
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

/// Patterns as good as random, the same each time.
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

/// Every kernel, from the pieces of the functions.
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
            // NaN has no one pattern.
            let bits = |column: &[f64]| {
                column.iter().map(|x| if x.is_nan() { u64::MAX } else { x.to_bits() }).collect::<Vec<_>>()
            };
            assert!(bits(bases) == bits(plain_bases) && bits(deltas) == bits(plain_deltas), "{kernel:?}");
        }
    }
}

/// Around where 2^x and tanh x begin to be constant, far beyond it, and next to infinity.
#[test]
fn constant_chunks_are_as_their_lanes() {
    for (function, kernel, start) in [
        (Function::PowerOfTwo, Kernel::Power, 1000.0_f32),
        (Function::Tangent, Kernel::TangentNearOne, 300.0),
    ] {
        let end = f32::INFINITY.to_bits();
        for first in [start.to_bits() - 300, start.to_bits(), start.to_bits() + 0x0123_4567, end - 600] {
            for sign in [0, F32.sign_mask()] {
                let arguments: Vec<u32> = (first..).take(700).map(|bits| bits | sign).collect();
                let mut columns = [(); 4].map(|()| vec![0.0; arguments.len()]);
                let [bases, deltas, lane_bases, lane_deltas] = &mut columns;
                crate::filter::estimate(function, &arguments, bases, deltas);
                run(kernel, &arguments, lane_bases, lane_deltas);
                // Nothing is asked of infinity and NaN.
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

#[test]
fn reciprocals_and_roots_are_off_by_half_a_unit_at_most() {
    // In integers, and so without believing MPFR: 1/m to 53 bits, and √m.
    for m in (1_u128 << 23)..(1 << 24) {
        let reciprocal = 1.0 / m as f64;
        let q = u128::from(reciprocal.to_bits() & ((1 << 52) - 1) | 1 << 52);
        let places = 1075 - (reciprocal.to_bits() >> 52) as u32;
        assert!(2 * (q * m).abs_diff(1 << places) <= m, "1/{m}");
        let root = (m as f64).sqrt();
        let q = u128::from(root.to_bits() & ((1 << 52) - 1) | 1 << 52);
        let places = 1075 - (root.to_bits() >> 52) as u32;
        // |q - r| <= 1/2 with r² = m · 2^2places, in quarters.
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
            crate::filter::estimate(function, &arguments, &mut bases, &mut deltas);
            for lane in (0..lanes).filter(|lane| F32.is_finite(arguments[*lane])) {
                let (mut base, mut delta) = ([0.0], [0.0]);
                crate::filter::estimate(function, &arguments[lane..=lane], &mut base, &mut delta);
                let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
                prop_assert!(same(base[0], bases[lane]) && same(delta[0], deltas[lane]), "{} {}", name, arguments[lane]);
            }
        }
    }
}
