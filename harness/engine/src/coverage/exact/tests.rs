//! Checks the bins of known numbers, and of products that double precision holds exactly.

use super::*;

fn arithmetic(operation: Operation) -> Arithmetic {
    Arithmetic { operation, flushes: false, scale: 0 }
}

fn names(operation: Operation, operands: [f32; 3]) -> Vec<String> {
    let found = arithmetic(operation).bins(operands.map(f32::to_bits));
    let topics = [Topic::Distance, Topic::Cancellation, Topic::Rounding, Topic::Range, Topic::Edge];
    let bins = [found.distance, found.cancellation, found.rounding, found.range, found.edge];
    topics.into_iter().zip(bins).filter_map(|(t, bin)| Some(name(operation, t, bin?))).collect()
}

#[test]
fn numbers_lie_where_they_are_said_to() {
    let (least, normal) = (f32::from_bits(1), f32::MIN_POSITIVE);
    let unit = f32::EPSILON;
    for (operation, operands, expected) in [
        (
            Operation::Fused,
            [3.0 * unit / 8.0, -1.0, 1.0],
            &[
                "product 25 binades below the addend, of unlike signs",
                "cancels 1 bits",
                "+normal is below half",
                "the addend is a power of two, and the other term is between a quarter and a half of its unit",
            ][..],
        ),
        (
            Operation::Sum,
            [1.0, -unit / 4.0, 0.0],
            &[
                "first term 25 binades above the addend, of unlike signs",
                "cancels 1 bits",
                "+normal is half, above an odd one",
                "the first term is a power of two, and the addend is a quarter of its unit",
            ],
        ),
        (
            Operation::Sum,
            [2.0 * normal, -normal, 0.0],
            &[
                "first term 1 binades above the addend, of unlike signs",
                "cancels 1 bits",
                "+normal is one of the format",
                "+ is the least normal",
            ],
        ),
        (
            Operation::Fused,
            [-2.0_f32.powi(127), 2.0, -least],
            &[
                "product more than 50 binades above the addend, of like signs",
                "-normal is a trace above one of the format",
                "- is less than a unit above 2^128",
            ],
        ),
        (
            Operation::Product,
            [2.0_f32.powi(100), 2.0_f32.powi(28), 0.0],
            &["+normal is one of the format", "+ is 2^128"],
        ),
        (
            Operation::Sum,
            [2.0 * normal - least, -normal, 0.0],
            &[
                "first term in the binade of the addend, of unlike signs",
                "cancels 1 bits",
                "+subnormal is one of the format",
                "+ is the greatest subnormal, or less than half a unit above it",
            ],
        ),
        (
            Operation::Sum,
            [1.0, -(1.0 - unit / 2.0), 0.0],
            &[
                "first term 1 binades above the addend, of unlike signs",
                "cancels 24 bits",
                "+normal is one of the format",
            ][..],
        ),
        (
            Operation::Sum,
            [1.0, unit / 2.0, 0.0],
            &["first term 24 binades above the addend, of like signs", "+normal is half, above an even one"],
        ),
        (
            Operation::Sum,
            [-(1.0 + unit), -unit / 2.0 - unit * unit / 4.0, 0.0],
            &["first term 24 binades above the addend, of like signs", "-normal is half, above an odd one"],
        ),
        (
            Operation::Sum,
            [1.0, least, 0.0],
            &[
                "first term more than 50 binades above the addend, of like signs",
                "+normal is a trace above one of the format",
            ],
        ),
        (
            Operation::Sum,
            [-least, 1.0, 0.0],
            &[
                "first term more than 50 binades below the addend, of unlike signs",
                "cancels 1 bits",
                "+normal is a trace below one of the format",
            ],
        ),
        (
            Operation::Fused,
            [1.0 + unit, 1.0 - unit, -1.0],
            &[
                "product 1 binades below the addend, of unlike signs",
                "cancels 46 bits",
                "-normal is one of the format",
            ],
        ),
        (
            Operation::Fused,
            [3.0, 5.0, -15.0],
            &["product in the binade of the addend, of unlike signs", "cancels completely"],
        ),
        (
            Operation::Product,
            [normal, 1.0 - unit / 2.0, 0.0],
            &["+subnormal is half, above an odd one", "+ is below the least normal and rounds to it"],
        ),
        (
            Operation::Product,
            [least, -0.5, 0.0],
            &["-subnormal is half, above an even one", "- is half the least subnormal"],
        ),
        (
            Operation::Product,
            [f32::MAX, f32::MAX, 0.0],
            &["+normal is a trace above one of the format", "+ is far above 2^128"],
        ),
        (Operation::Product, [least, 0.0, 0.0], &[]),
        (Operation::Product, [f32::NAN, 1.0, 0.0], &[]),
    ] {
        assert_eq!(names(operation, operands), expected, "{operation:?} {operands:?}");
    }
}

/// Compares the bins with those that follow from double precision, in which these products are
/// exact.
#[test]
fn places_agree_with_arithmetic_in_double_precision() {
    let unit = f64::from(f32::EPSILON);
    for (i, step) in (0..20_000u32).zip((1u32..).step_by(0x9e37)) {
        let bits = |n: u32| 0x3f80_0000 | n.wrapping_mul(0x9e37_79b1) >> 9;
        let (a, b) = (f32::from_bits(bits(i)), f32::from_bits(bits(step)));
        let exact = f64::from(a) * f64::from(b);
        let scale = if exact >= 2.0 { 2.0 * unit } else { unit };
        let rest = (exact / scale).fract();
        let found = arithmetic(Operation::Product).bins([a.to_bits(), b.to_bits(), 0]);
        let expected = match rest {
            0.0 => 0..1,
            r if r < 0.5 => 1..4,
            0.5 => 4..6,
            _ => 6..9,
        };
        assert!(expected.contains(&found.rounding.unwrap()), "{a} {b} {rest} {found:?}");
    }
}

#[test]
fn every_bin_has_a_name_of_its_own() {
    for operation in [Operation::Sum, Operation::Product, Operation::Fused] {
        for topic in Topic::EXACT.into_iter().chain([Topic::Repeated]) {
            let names: std::collections::BTreeSet<_> =
                (0..bins(operation, topic)).map(|bin| name(operation, topic, bin)).collect();
            assert_eq!(names.len(), bins(operation, topic), "{operation:?} {topic:?}");
        }
    }
}
