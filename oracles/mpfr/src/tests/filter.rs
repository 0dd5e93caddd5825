//! Checks that the filter of float arithmetic gives the same bits as MPFR, and where it is used.

use assay_isa::readings::Readings;
use assay_isa::truth::TruthValues;
use assay_isa::{Instruction, Location, Oracle, Truths};
use proptest::prelude::*;

use super::cases::{any_readings, modifiers, operands, with};
use super::{batch, instruction, readings};
use crate::MpfrOracle;
use crate::filter::arith::Filter;
use crate::plan::{Operation, Plan};

const FORMS: [&str; 3] = ["FADD_RR", "FMUL_RR", "FFMA_RRR"];
const LANES: usize = 128;

fn is_filtered(instruction: &Instruction, readings: &Readings) -> bool {
    let operation = Operation::of(instruction).expect("it is arithmetic");
    Filter::of(operation, &Plan::new(operation, instruction, readings)).is_some()
}

/// Returns an oracle's results for the lanes, `None` if they are undefined.
fn results(mut oracle: MpfrOracle, instruction: &Instruction, lanes: &[[u32; 3]]) -> Option<Vec<u32>> {
    let columns = [0, 1, 2].map(|place| lanes.iter().map(|lane| lane[place]).collect::<Vec<u32>>());
    let places =
        [(Location::R(1), &columns[0][..]), (Location::R(2), &columns[1]), (Location::R(3), &columns[2])];
    let mut truths = Truths::default();
    oracle.truth(instruction, &batch(&places), 64, &mut truths).expect("every column is there");
    match &truths.columns().first()?.values {
        TruthValues::Bits(values) => Some(values.clone()),
        TruthValues::Reals { .. } => panic!("arithmetic is known to the bit"),
    }
}

fn agree(instruction: &Instruction, readings: &Readings, lanes: &[[u32; 3]]) {
    let filtered = results(MpfrOracle::new(*readings), instruction, lanes);
    let reference = results(MpfrOracle::unfiltered(*readings), instruction, lanes);
    let (Some(filtered), Some(reference)) = (&filtered, &reference) else {
        return assert_eq!(filtered, reference);
    };
    let text = assay_isa::asm::print(instruction);
    for (lane, (actual, expected)) in lanes.iter().zip(filtered.iter().zip(reference)) {
        assert_eq!(actual, expected, "{text} {lane:x?}: {actual:#010x}, MPFR {expected:#010x}, {readings:?}");
    }
}

/// A number whose digits are taken from it, the lowest first. The base can differ from digit to
/// digit.
struct Digits(u64);

impl Digits {
    fn next(&mut self, base: u64) -> u32 {
        let digit = self.0 % base;
        self.0 /= base;
        digit as u32
    }

    fn is_one(&mut self) -> bool {
        self.next(2) == 1
    }
}

/// Returns any optype with any rounding, scale, .FTZ, .SAT and prefixes, and any readings that a
/// filter supports.
fn setting(mut digits: Digits) -> (Instruction, Readings) {
    let form = FORMS[digits.next(3) as usize];
    let mut instruction = instruction(form);
    for (field, values) in [("rnd", 4), ("ftz", 2), ("sat", 2), ("scl", 7)] {
        if instruction.get(field).is_some() {
            instruction.set(field, digits.next(values));
        }
    }
    let mut followed = Readings::INTENDED;
    for (text, otherwise) in [
        ("E170=1", 2),
        ("E172=1", 2),
        ("E173=2", 2),
        ("E178=1", 8),
        ("E179=1", 2),
        ("C002=3", 4),
        ("C003=2", 4),
        ("C010=2", 4),
        ("C010=3", 4),
    ] {
        if digits.next(otherwise) == 1 {
            followed.set_from_text(text).expect("a setting");
        }
    }
    for field in ["ra.neg", "ra.abs", "rb.neg", "rb.abs", "rc.neg", "rc.abs"] {
        if instruction.get(field).is_some() {
            instruction.set(field, u32::from(digits.is_one()));
        }
    }
    (instruction, followed)
}

/// The generator SplitMix64 by S. Vigna.
struct Random(u64);

impl Random {
    fn digits(&mut self) -> Digits {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        Digits(z ^ z >> 31)
    }

    /// Returns a number with a random exponent, or with an exponent at which the behaviour changes.
    /// The fraction is a single bit, a run of bits, the complement of a bit, zero, or arbitrary.
    fn number(&mut self) -> u32 {
        const EXPONENTS: [u32; 16] = [0, 1, 2, 23, 24, 25, 102, 103, 125, 126, 127, 128, 151, 253, 254, 255];
        let mut digits = self.digits();
        let exponent = if digits.is_one() { digits.next(256) } else { EXPONENTS[digits.next(16) as usize] };
        let place = digits.next(24);
        let fraction = match digits.next(6) {
            0 => 1 << place,
            1 => (1 << place) - 1,
            2 => !0 << place,
            3 => !(1 << place),
            4 => 0,
            _ => digits.next(1 << 23),
        };
        digits.next(2) << 31 | exponent << 23 | fraction & 0x7f_ffff
    }

    /// Returns a pattern at most two patterns from that of `x`.
    fn near(&mut self, x: f32) -> u32 {
        x.to_bits().wrapping_add(self.digits().next(5)).wrapping_sub(2)
    }

    /// Returns operands, most of which interact: they cancel, make a tie or a sticky bit, or are
    /// near the largest or the smallest numbers.
    fn operands(&mut self, sum_of_two: bool) -> [u32; 3] {
        let [a, b, c] = [self.number(), self.number(), self.number()];
        let (x, y, z) = (f32::from_bits(a), f32::from_bits(b), f32::from_bits(c));
        let mut digits = self.digits();
        let class = digits.next(8);
        let product = if sum_of_two { x } else { x * y };
        let below = 2_f32.powi(-22 - digits.next(40) as i32) * if digits.is_one() { 1.0 } else { -1.0 };
        let addend = match class {
            0 | 1 => self.near(-product),
            2 => self.near(product * below),
            3 => self.near(f32::MAX * below),
            4 => self.near(0.0),
            _ => c,
        };
        match class {
            3 if !sum_of_two => [a, self.near(f32::MAX / x), addend],
            3 => [self.near(f32::MAX), addend, 0],
            4 if !sum_of_two => [a, self.near(f32::MIN_POSITIVE / x), addend],
            5 if !sum_of_two => [a, self.near(z * below / x), c],
            _ if sum_of_two => [a, addend, 0],
            _ => [a, b, addend],
        }
    }
}

/// Compares the filter with MPFR on batches of structured operands. Each batch has an instruction
/// and readings of its own.
fn structured(batches: u64) {
    let mut random = Random(1);
    for _ in 0..batches {
        let (instruction, readings) = setting(random.digits());
        assert!(is_filtered(&instruction, &readings));
        let sum_of_two = instruction.optype() == "FADD";
        let lanes: Vec<[u32; 3]> = (0..LANES).map(|_| random.operands(sum_of_two)).collect();
        agree(&instruction, &readings, &lanes);
    }
}

#[test]
fn structured_operands_agree() {
    structured(20_000);
}

/// Takes about four minutes in a release build.
#[test]
#[ignore = "a billion cases: `just filter-billion`"]
fn a_billion_structured_operands_agree() {
    structured((1_000_000_000 / LANES) as u64);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn any_operands_agree(
        form in prop::sample::select(&FORMS[..]),
        m in modifiers(),
        readings in any_readings(),
        lanes in prop::collection::vec(operands(), 16),
    ) {
        agree(&with(form, m), &readings, &lanes);
    }
}

/// Uses operands and results near the least normal number, and near the numbers that round to zero,
/// with either sign. Covers every convention about which numbers .FTZ flushes, when, and to which
/// zero.
#[test]
fn flushed_numbers_agree_under_every_convention() {
    const MAGNITUDES: [u32; 11] = [
        0,
        1,
        0x0040_0000,
        0x007f_ffff,
        0x0080_0000,
        0x00ff_ffff,
        0x2000_0001,
        0x1fff_fffe,
        0x3f00_0000,
        0x3f80_0000,
        0x7f80_0000,
    ];
    let patterns: Vec<u32> = MAGNITUDES.iter().flat_map(|bits| [*bits, bits | 1 << 31]).collect();
    let pairs = patterns.iter().flat_map(|a| patterns.iter().map(move |b| (*a, *b)));
    let lanes: Vec<[u32; 3]> =
        pairs.flat_map(|(a, b)| [0, 1 << 31, 0x0040_0000, 0x8080_0000].map(|c| [a, b, c])).collect();
    let switches = [("C003", 2), ("C010", 3), ("C011", 2), ("E173", 2), ("E176", 3), ("E179", 2)];
    for number in 0..switches.iter().map(|(_, settings)| settings).product::<u32>() {
        let mut digits = Digits(number.into());
        let settings =
            switches.map(|(switch, settings)| format!("{switch}={}", digits.next(settings.into()) + 1));
        let followed = readings(&settings.each_ref().map(|setting| &setting[..]));
        for text in [
            "FADD_RR.FTZ.RM",
            "FMUL_RR.FTZ",
            "FMUL_RR.FTZ.D8.RP",
            "FMUL_RR",
            "FFMA_RRR.FTZ.SAT",
            "FFMA_RRR.FTZ",
        ] {
            agree(&instruction(text), &followed, &lanes);
        }
    }
}

#[test]
fn mpfr_does_what_the_filter_does_not() {
    let rows: [(&str, &[&str], bool); 23] = [
        ("FADD_RR", &[], true),
        ("FADD_RR", &["E169=1"], false),
        ("FADD_RR.RZ", &["E169=1"], true),
        ("FFMA_RRR.RZ", &["E169=1", "E178=1"], false),
        ("FMUL_RR.M8", &[], true),
        ("FMUL_RR.M8", &["E176=2"], false),
        ("FMUL_RR.D8.FTZ", &["E176=3"], false),
        ("FMUL_RR.FTZ", &["E176=3"], true),
        ("FFMA_RRR", &["E180=1"], false),
        ("FADD_RR", &["E180=1"], true),
        ("FMUL_RR.SAT.FTZ.RM", &["E170=1", "E172=1", "E173=2"], true),
        ("FFMA_RRR.SAT.FTZ.RP", &["E170=1", "E172=1", "E173=2", "E179=1"], true),
        ("FADD_RR", &["C001=2"], false),
        ("FADD_RR.SAT", &["C001=2"], true),
        ("FFMA_RRR", &["C001=3", "C002=2"], false),
        ("FMUL_RR", &["C002=3"], true),
        ("FMUL_RR.FTZ.RM", &["C003=2"], true),
        ("FADD_RR.FTZ", &["C010=2"], true),
        ("FFMA_RRR.FTZ", &["C010=3", "E173=2"], true),
        ("FMUL_RR.FTZ", &["C011=2"], false),
        ("FMUL_RR.FTZ.SAT", &["C011=2"], false),
        ("FMUL_RR", &["C011=2"], true),
        ("FMUL_RR.FTZ", &["C010=2", "C011=2"], true),
    ];
    for (text, settings, filtered) in rows {
        let is_filtered = is_filtered(&instruction(text), &readings(settings));
        assert_eq!(is_filtered, filtered, "{text} {settings:?}");
    }
}
