//! Compares float arithmetic, by the filter and by MPFR, with its reference by fractions, under all modifiers
//! and readings.

use assay_isa::enumeration::Modifier;
use assay_isa::readings::{Readings, SWITCHES};
use assay_isa::tables::types::{FMULScale, FPRound};
use assay_isa::truth::TruthValues;
use assay_isa::{Erratum, Instruction, Location, Oracle, Truths};
use proptest::prelude::*;

use super::{batch, instruction, readings};
use crate::MpfrOracle;
use crate::reference::arith::{self, Modifiers};

/// Patterns at which something changes.
pub const LANDMARKS: [u32; 14] = [
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
        // Few significant bits make ties, mid-range exponents keep results finite.
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

fn agree(form: &str, m: Modifiers, readings: &Readings, lanes: &[[u32; 3]]) {
    let column = |i: usize| lanes.iter().map(|lane| lane[i]).collect::<Vec<u32>>();
    let columns = [column(0), column(1), column(2)];
    let batch =
        batch(&[(Location::R(1), &columns[0]), (Location::R(2), &columns[1]), (Location::R(3), &columns[2])]);
    let instruction = with(form, m);
    for mut oracle in [MpfrOracle::new(*readings), MpfrOracle::unfiltered(*readings)] {
        let mut truths = Truths::default();
        let answer = oracle.truth(&instruction, &batch, 64, &mut truths).unwrap();
        for (lane, operands) in lanes.iter().enumerate() {
            match arith::evaluate(instruction.optype(), m, readings, *operands) {
                None => assert_eq!(truths.undefined()[lane].0, lane, "{answer:?}"),
                Some(expected) => {
                    let TruthValues::Bits(values) = &truths.columns()[0].values else { panic!("no bits") };
                    let actual = values[lane];
                    assert_eq!(
                        actual, expected,
                        "{form} {m:?} {operands:x?}: {actual:#010x}, by fractions {expected:#010x}, {readings:?}"
                    );
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn under_any_readings(
        form in prop::sample::select(&["FADD_RR", "FMUL_RR", "FFMA_RRR"][..]),
        m in modifiers(),
        readings in any_readings(),
        lanes in prop::collection::vec(operands(), 16),
    ) {
        agree(form, m, &readings, &lanes);
    }

    #[test]
    fn under_the_readings_intended(
        form in prop::sample::select(&["FADD_RR", "FMUL_RR", "FFMA_RRR"][..]),
        m in modifiers(),
        lanes in prop::collection::vec(operands(), 16),
    ) {
        agree(form, m, &Readings::INTENDED, &lanes);
    }
}

#[test]
fn at_every_pair_of_landmarks() {
    let signed = LANDMARKS.iter().flat_map(|bits| [*bits, bits | 1 << 31]);
    let patterns: Vec<u32> = signed.chain([0x7f80_0001, 0xffc0_0000]).collect();
    let lanes: Vec<[u32; 3]> =
        patterns.iter().flat_map(|a| patterns.iter().map(move |b| [*a, *b, a.rotate_left(7) ^ b])).collect();
    for rnd in (0..4).map(FPRound::from_index) {
        for (ftz, sat) in [(false, false), (true, false), (false, true)] {
            let m = Modifiers { ftz, sat, rnd, scl: FMULScale::NoScale };
            for form in ["FADD_RR", "FMUL_RR", "FFMA_RRR"] {
                agree(form, m, &Readings::INTENDED, &lanes);
            }
        }
    }
}

/// NaN of each kind beside the operands that make one, under every choice of a NaN.
#[test]
fn at_every_nan() {
    const PATTERNS: [u32; 9] = [
        0,
        0x8000_0001,
        0x3f80_0000,
        0x7f80_0000,
        0xff80_0000,
        0x7f80_0001,
        0xffbf_ffff,
        0x7fc0_0002,
        u32::MAX,
    ];
    let lanes: Vec<[u32; 3]> = PATTERNS
        .iter()
        .flat_map(|a| PATTERNS.iter().flat_map(move |b| PATTERNS.iter().map(move |c| [*a, *b, *c])))
        .collect();
    for (operands, none) in (1..=3).flat_map(|operands| (1..=3).map(move |none| (operands, none))) {
        for (ftz, product) in [(false, 2), (true, 2), (true, 1)] {
            let followed =
                readings(&[&format!("C001={operands}"), &format!("C002={none}"), &format!("E180={product}")]);
            let m = Modifiers { ftz, sat: false, rnd: FPRound::RN, scl: FMULScale::D2 };
            for form in ["FADD_RR", "FMUL_RR", "FFMA_RRR"] {
                agree(form, m, &followed, &lanes);
            }
        }
    }
}

/// Results around the least normal number, of either sign, under every rounding and every test of tininess.
#[test]
fn at_the_least_normal_number() {
    const FACTORS: [[u32; 2]; 6] = [
        [0x00ff_fffe, 0x3f00_0000],
        [0x00ff_ffff, 0x3f00_0000],
        [0x0100_0000, 0x3f00_0000],
        [0x2000_0001, 0x1fff_fffe],
        [0x2000_0001, 0x1fff_ffff],
        [0x2000_0000, 0x1fff_ffff],
    ];
    const ADDENDS: [u32; 4] = [0, 0x8000_0000, 1, 0x8000_0001];
    let lane = |[a, b]: [u32; 2], c| [[a, b, c], [a ^ 1 << 31, b, c]];
    let lanes: Vec<[u32; 3]> =
        FACTORS.iter().flat_map(|factors| ADDENDS.iter().flat_map(move |c| lane(*factors, *c))).collect();
    for number in 0..64u32 {
        let setting = |switch, bit: u32| format!("{switch}={}", (number >> bit & 1) + 1);
        let settings = [
            setting("C003", 0),
            setting("E169", 1),
            setting("E173", 2),
            setting("E179", 3),
            setting("E180", 4),
            setting("C011", 5),
        ];
        for sides in 1..=3 {
            let mut followed = readings(&settings.each_ref().map(|setting| &setting[..]));
            followed.set(Erratum::convention(10), sides).expect("a setting");
            for rnd in (0..4).map(FPRound::from_index) {
                let m = Modifiers { ftz: true, sat: false, rnd, scl: FMULScale::NoScale };
                for form in ["FMUL_RR", "FFMA_RRR"] {
                    agree(form, m, &followed, &lanes);
                }
            }
        }
    }
}
