//! The inputs of property tests: patterns, operands that interact, modifiers of float arithmetic,
//! and readings.

use assay_isa::Instruction;
use assay_isa::enumeration::Modifier;
use assay_isa::readings::{Readings, SWITCHES};
use assay_isa::tables::types::{FMULScale, FPRound};
use proptest::prelude::*;

use super::instruction;

/// The modifiers of float arithmetic.
#[derive(Clone, Copy, Debug)]
pub struct Modifiers {
    pub ftz: bool,
    pub sat: bool,
    pub rnd: FPRound,
    pub scl: FMULScale,
}

/// Patterns near which the behaviour of arithmetic changes.
const LANDMARKS: [u32; 14] = [
    0,
    1,
    0x0040_0000,
    0x007f_ffff,
    0x0080_0000,
    0x00ff_ffff,
    0x2000_0000,
    0x3380_0000,
    0x3f00_0000,
    0x3f80_0000,
    0x7300_0000,
    0x7f00_0000,
    0x7f7f_ffff,
    0x7f80_0000,
];

pub fn pattern() -> impl Strategy<Value = u32> {
    let landmark = (prop::sample::select(&LANDMARKS[..]), -2i32..=2, any::<bool>());
    prop_oneof![
        any::<u32>(),
        landmark.prop_map(|(bits, off, minus)| bits.wrapping_add_signed(off) ^ (u32::from(minus) << 31)),
        // A few significant bits make ties, and exponents of medium size keep results finite.
        (0x3000u32..0x4f00, 0u32..16, any::<bool>())
            .prop_map(|(high, low, minus)| high << 16 | low | (u32::from(minus) << 31)),
    ]
}

/// Operands that are unrelated, that nearly cancel, or whose product is at the edge of the subnormals.
pub fn operands() -> impl Strategy<Value = [u32; 3]> {
    (pattern(), pattern(), pattern(), 0u8..8, -2i32..=2).prop_map(|(a, b, c, kind, off)| {
        let of = |x: f32| x.to_bits().wrapping_add_signed(off);
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        match kind {
            0 => [a, of(-x), c],
            1 => [a, b, of(-(x * y))],
            2 => [a, of(f32::MIN_POSITIVE / x), c],
            3 => [a, of(f32::MIN_POSITIVE / x), 0],
            4 => [a, of(x * f32::EPSILON / 2.0), of(x * y * f32::EPSILON / 2.0)],
            _ => [a, b, c],
        }
    })
}

pub fn modifiers() -> impl Strategy<Value = Modifiers> {
    (any::<bool>(), any::<bool>(), 0u32..4, 0u32..7).prop_map(|(ftz, sat, rnd, scl)| Modifiers {
        ftz,
        sat,
        rnd: FPRound::from_index(rnd),
        scl: FMULScale::from_index(scl),
    })
}

pub fn any_readings() -> impl Strategy<Value = Readings> {
    prop::collection::vec(any::<prop::sample::Index>(), SWITCHES.len()).prop_map(|choices| {
        let mut readings = Readings::INTENDED;
        for (switch, choice) in SWITCHES.iter().zip(choices) {
            let setting = choice.index(switch.settings.len()) as u8 + 1;
            readings.set(switch.erratum, setting).expect("the table has that setting");
        }
        readings
    })
}

pub fn with(form: &str, m: Modifiers) -> Instruction {
    let mut instruction = instruction(form);
    instruction.set("ftz", m.ftz.into());
    instruction.set("sat", m.sat.into());
    instruction.set("rnd", m.rnd as u32);
    if instruction.get("scl").is_some() {
        instruction.set("scl", m.scl as u32);
    }
    instruction
}
