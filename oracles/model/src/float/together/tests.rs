//! Compares lanes computed together with lanes computed one by one.

use assay_isa::tables::types::FPRound;
use proptest::prelude::*;

use super::{Fused, Operation, Product, Sum, column};
use crate::float::Modifiers;
use crate::knobs::{Shipping, Sound};

const MODES: [FPRound; 4] = [FPRound::RN, FPRound::RP, FPRound::RM, FPRound::RZ];

/// Compares the results of columns under every combination of modifiers, with `scales` different
/// scales.
fn agree<O: Operation<N>, const N: usize>(name: &str, scales: usize, columns: [&[u32]; N]) {
    for bits in 0..32 * scales {
        let modifiers = Modifiers {
            rounding: MODES[bits % 4],
            flushes_operands: bits / 4 % 2 == 1,
            flushes_results: bits / 8 % 2 == 1,
            sat: bits / 16 % 2 == 1,
            scale: (bits / 32) as i32 - scales as i32 / 2,
        };
        let (mut together, mut apart) = (vec![0; columns[0].len()], vec![0; columns[0].len()]);
        column::<_, O, N>(&Shipping, modifiers, &mut together, columns);
        column::<_, O, N>(&Sound, modifiers, &mut apart, columns);
        if let Some(lane) = (0..together.len()).find(|lane| together[*lane] != apart[*lane]) {
            let operands = columns.map(|column| column[lane]);
            let (result, expected) = (together[lane], apart[lane]);
            panic!("{name} {modifiers:?} {operands:#010x?}: {result:#010x} instead of {expected:#010x}");
        }
    }
}

fn agree_in_all([a, b, c]: [&[u32]; 3]) {
    agree::<Sum, 2>("FADD", 1, [a, b]);
    agree::<Product, 2>("FMUL", 7, [a, b]);
    agree::<Fused, 3>("FFMA", 1, [a, b, c]);
}

/// Values at the ends of each class and around 1, with both signs.
fn edges() -> Vec<u32> {
    let magnitudes = [
        0,
        1,
        2,
        0x0040_0000,
        0x007f_ffff,
        0x0080_0000,
        0x0080_0001,
        0x00ff_ffff,
        0x3380_0000,
        0x3f7f_ffff,
        0x3f80_0000,
        0x3f80_0001,
        0x4b00_0001,
        0x7f00_0000,
        0x7f7f_ffff,
        0x7f80_0000,
        0x7f80_0001,
        0x7fff_ffff,
    ];
    magnitudes.into_iter().flat_map(|magnitude| [magnitude, magnitude | 1 << 31]).collect()
}

#[test]
fn at_the_ends_of_each_class() {
    let edges = edges();
    let number = edges.len();
    let nth = |divisor: usize| -> Vec<u32> {
        (0..number * number * number).map(|index| edges[index / divisor % number]).collect()
    };
    agree_in_all([&nth(1), &nth(number), &nth(number * number)]);
}

proptest! {
    #[test]
    fn a_column_of_anything(lanes in proptest::collection::vec(any::<[u32; 3]>(), 1..300)) {
        let columns = [0, 1, 2].map(|n| lanes.iter().map(|lane| lane[n]).collect::<Vec<_>>());
        agree_in_all([&columns[0], &columns[1], &columns[2]]);
    }

    /// Operands with similar exponents, so that sums cancel and products overlap the addend.
    #[test]
    fn a_column_of_close_exponents(lanes in proptest::collection::vec(any::<[u32; 3]>(), 1..300), shift in 0_u32..250) {
        let close = |bits: u32| bits & 0x83ff_ffff | (shift.min(0xf7) << 23) & 0x7c00_0000;
        let columns = [0, 1, 2].map(|n| lanes.iter().map(|lane| close(lane[n])).collect::<Vec<_>>());
        agree_in_all([&columns[0], &columns[1], &columns[2]]);
    }
}
