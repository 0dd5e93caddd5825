//! Compares the sound device with values derived by hand from the documents, and with the host's
//! floats.

use crate::support::{self, Inputs, Random};
use assay_independent::{Device, Fault, Location};

/// Returns the value that a sound device writes to a location in one lane. `None` if the device
/// writes nothing.
fn written(word: u128, inputs: &[(Location, u32)], place: Location) -> Option<u32> {
    let columns = Inputs::of(word, inputs).run(&mut Device::new(None)).expect("the word is supported");
    let column = columns.iter().find(|column| column.location == place)?;
    let wrote = column.written.as_ref().is_none_or(|written| written[0] != 0);
    wrote.then(|| column.values[0])
}

const R0: Location = Location::r(0);
const R1: Location = Location::r(1);
const R2: Location = Location::r(2);
const R3: Location = Location::r(3);
const UR0: Location = Location::ur(0);
const UR1: Location = Location::ur(1);
const UR2: Location = Location::ur(2);
const UR3: Location = Location::ur(3);

/// Instruction words with sources 1, 2, 3 and destination 0, without modifiers.
const FADD: u128 = 0x0000_0000_0000_0000_0000_0002_0100_7529;
const FMUL: u128 = FADD + 1;
const FFMA: u128 = 0x0000_0000_0000_0003_0000_0002_0100_792b;
const FMNMX: u128 = 0x0000_001c_0000_0000_0000_0002_0100_752c;
const FSETP: u128 = 0x0000_201c_0000_0000_0000_0002_0100_752d;
const FCHK: u128 = 0x0000_0000_0000_0000_0000_0002_0100_7530;
const FLO: u128 = 0x0000_0000_0000_0000_0000_0001_0000_7002;
const BMSK: u128 = 0x0000_0000_0000_0000_0000_0002_0100_7504;
const SGXT: u128 = 0x0000_0000_0000_0000_0000_0002_0100_7505;
/// Uniform instruction words. `upp` is !UPT, and `upu` is UP0.
const UIADD_X: u128 = 0x0000_003c_0000_1000_0000_0002_0100_7111;
const UIMAD: u128 = 0x0000_003c_0000_0003_0000_0002_0100_7412;
const ULEA: u128 = 0x0000_003c_0000_003f_0000_0002_0100_7415;
const USHF: u128 = 0x0000_0000_0000_0003_0000_0002_0100_741e;
const UPRMT: u128 = 0x0000_0000_0000_0003_0000_0002_0100_7420;
const UF2FP: u128 = 0x0000_0000_0000_0003_0000_0002_0100_7428;
const UBREV: u128 = 0x0000_0000_0000_0000_0000_0001_0000_7023;

const fn bit(low: u32) -> u128 {
    1 << low
}

const FTZ: u128 = bit(76);
const SAT: u128 = bit(77);
const RP: u128 = 1 << 78;
const RM: u128 = 2 << 78;
const NEGATE_A: u128 = bit(72);
const ABSOLUTE_A: u128 = bit(73);

fn mufu(function: u128, dtype: u128) -> u128 {
    0x0000_0000_0000_0000_0000_0001_0000_7000 | (function << 78) | (dtype << 81)
}

/// Each row has a word, the values of sources 1, 2 and 3, and the result. Comments name the erratum
/// or rule.
#[test]
fn float_witnesses() {
    let rows: &[(u128, [u32; 3], u32)] = &[
        (FADD, [0x3f80_0000, 0x3380_0000, 0], 0x3f80_0000), // E169: a tie goes to even
        (FADD | RP, [0x3f80_0000, 0x3380_0000, 0], 0x3f80_0001), // .RP
        (FADD | RM, [0x3f80_0000, 0xbf80_0000, 0], 0x8000_0000), // E172
        (FADD, [0x3f80_0000, 0xbf80_0000, 0], 0),           // E172
        (FADD | SAT, [0x8000_0000, 0x8000_0000, 0], 0),     // E170
        (FADD | FTZ, [1, 0, 0], 0),                         // E012: 1 is subnormal
        (FADD, [0x7f80_0000, 0xff80_0000, 0], 0x7fff_ffff), // NaN rules
        (FMUL | FTZ, [0x00ff_ffff, 0x3f00_0000, 0], 0x0080_0000), // E173
        (FMUL | (6 << 80), [0x7f00_0000, 0x3a80_0000, 0], 0x7b80_0000), // E176: M8
        (FMUL | FTZ | (3 << 80), [0x0100_0000, 0x4380_0000, 0], 0x0380_0000), // E176: D8
        (FMUL | NEGATE_A | ABSOLUTE_A, [0xbf80_0000, 0x3f80_0000, 0], 0xbf80_0000), // E175
        (FFMA, [0x4000_0000, 0x4040_0000, 0x3f80_0000], 0x40e0_0000), // E177
        (FFMA | RP, [0x3f80_0000, 0x3f80_0000, 0x3380_0000], 0x3f80_0001), // E178
        (FFMA | FTZ, [0x3f80_0000, 0x0080_0000, 0x007f_ffff], 0x0080_0000), // E179
        (FFMA, [0x3f80_0800, 0x3f80_0800, 0xbf80_1000], 0x3380_0000), // E180
        (FMNMX, [0x8000_0000, 0, 0], 0x8000_0000),          // E184
        (FMNMX | FTZ, [0x7fc0_0000, 1, 0], 0),              // E183
    ];
    for (word, [a, b, c], expected) in rows {
        let inputs = [(R1, *a), (R2, *b), (R3, *c)];
        assert_eq!(written(*word, &inputs, R0), Some(*expected), "{word:#034x} {inputs:x?}");
    }
}

#[test]
fn predicate_witnesses() {
    let p0 = Location::p(0);
    let p1 = Location::p(1);
    let nan = [(R1, 0x7fc0_0000), (R2, 0x3f80_0000)];
    assert_eq!(written(FSETP | (1 << 86), &nan, p0), Some(0), "E186: NE is ordered");
    assert_eq!(written(FSETP | (8 << 86), &nan, p0), Some(1), "E186: LTU");
    assert_eq!(written(FSETP | (8 << 86), &nan, p1), Some(0), "the second predicate");
    assert_eq!(written(FCHK, &[(R1, 0x3f80_0000), (R2, 0xbf80_0000)], p0), Some(0), "E189");
    assert_eq!(written(FCHK, &[(R1, 0x3f80_0000), (R2, 0x7e80_0000)], p0), Some(1), "E189");
    // P3 is the guard.
    let guarded = FADD & !(0xf << 12) | (3 << 12);
    let one = [(R1, 0x3f80_0000), (R2, 0), (Location::p(3), 0)];
    assert_eq!(written(guarded, &one, R0), None, "E008");
    assert_eq!(written(guarded | bit(15), &one, R0), Some(0x3f80_0000), "E008, negated");
}

#[test]
fn bit_witnesses() {
    let rows: &[(u128, u32, u32, u32)] = &[
        (FLO, 0, 0, u32::MAX),                     // E050
        (FLO | bit(80) | bit(81), 0, 0, u32::MAX), // E053
        (FLO, 1, 0, 0),                            // E051
        (FLO, 0x8000_0000, 0, 0x1e),               // E052
        (FLO, u32::MAX, 0, u32::MAX),              // E052
        (BMSK, 4, 8, 0xff0),                       // E057
        (BMSK, 0, u32::MAX, u32::MAX),             // E023
        (BMSK | bit(81), 31, 31, 0x8000_0000),     // E059
        (SGXT | bit(81), 0x1234_5678, 32, 0),      // E062
        (SGXT, 0x1234_5678, 40, 0x1234_5678),      // E063
        (SGXT, 0xffff_fff4, 3, 0xffff_fffc),       // the first example: three bits, sign extended
    ];
    for (word, a, b, expected) in rows {
        assert_eq!(written(*word, &[(R1, *a), (R2, *b)], R0), Some(*expected), "{word:#034x} {a:x} {b:x}");
    }
    assert_eq!(written(UBREV, &[(UR1, 0x1234_5678)], UR0), Some(0xedcb_a987), "E056");
}

#[test]
fn uniform_witnesses() {
    let rows: &[(u128, [u32; 3], u32, Option<u32>)] = &[
        (UIADD_X, [u32::MAX, 1, 0], 0, Some(1)),             // E098
        (UIADD_X | bit(97), [5, 3, 0], 1, Some(1)),          // E099: 5 + ~3
        (UIMAD, [1, 0x0011_4514, 0xffee_baec], 0, Some(1)),  // E102
        (UIMAD | bit(74), [0x4000_0000, 20, 0], 0, Some(1)), // E103
        (UIMAD | bit(75) | bit(76) | bit(74), [0x10000, 0x50000, 1], 3, Some(1)), // E105
        (ULEA | (31 << 82), [1, 0x8000_0000, 0], 0, Some(1)), // E119
        (ULEA | (4 << 82), [1, 0x100, 0], 0x110, Some(0)),   // E120
        (ULEA | bit(72), [0, 0x10, 0], 0x10, Some(1)),       // E127
        (USHF | bit(77), [1, 40, 0], 0, None),               // E149: CLAMP
        (USHF | bit(77) | bit(80), [1, 40, 0], 0x100, None), // E149: WRAP
        (USHF | bit(81), [0x8000_0000, 4, 0], 0x0800_0000, None), // E152
        (USHF | (3 << 77), [0x1234_5678, 64, 0], 0, None),   // E153
        (UPRMT, [0x0302_0100, 0x8706_0504, 0xfedc], 0xff00_0000, None), // E157
        (UPRMT | bit(76), [0x0302_0100, 0x0706_0504, 1], 0x0403_0201, None), // E158
        (UF2FP, [0x3f80_0000, 0x4000_0000, 0], 0x3c00_4000, None), // E168
    ];
    for (word, [a, b, c], expected, carry) in rows {
        let inputs = [(UR1, *a), (UR2, *b), (UR3, *c)];
        assert_eq!(written(*word, &inputs, UR0), Some(*expected), "{word:#034x} {inputs:x?}");
        assert_eq!(written(*word, &inputs, Location::up(0)), *carry, "carry of {word:#034x} {inputs:x?}");
    }
}

#[test]
fn function_rows() {
    let rows: &[(u128, u32, u32)] = &[
        (mufu(0, 0), 0x8000_0000, 0x3f80_0000),       // E034
        (mufu(1, 0), 0x8000_0000, 0x8000_0000),       // the table of SIN
        (mufu(4, 0), 0x7fc0_0000, 0x7fff_ffff),       // E036
        (mufu(4, 0), 0xff80_0000, 0x8000_0000),       // the table of RCP
        (mufu(4, 0) | SAT, 0x3f00_0000, 0x3f80_0000), // E032
        (mufu(5, 0), 0x8000_0001, 0x7fff_ffff),       // E042
        (mufu(3, 0), 1, 0xc315_0000),                 // E042
        (mufu(2, 0), 0xc302_0000, 0x0008_0000),       // E042
        (mufu(4, 1), 0x4000_0000, 0x3fe0_0000),       // E040
        (mufu(5, 1), 0xc010_0000, 0x7fff_ffff),       // E041
        (mufu(4, 1), 0x7fe0_0000, 0),                 // E042
        (mufu(7, 2), 0x7e00_0000, 0x7fff_0000),       // E037
        (mufu(7, 4) | bit(72), 0x3c00_0000, 0x3a18),  // E044
    ];
    for (word, bits, expected) in rows {
        assert_eq!(written(*word, &[(R1, *bits)], R0), Some(*expected), "{word:#034x} {bits:x}");
    }
}

/// Whether a result equals the host's. The host rounds to nearest, too, but has other NaN patterns.
fn same(found: Option<u32>, host: f32) -> bool {
    let expected = if host.is_nan() { 0x7fff_ffff } else { host.to_bits() };
    found == Some(expected)
}

#[test]
fn sums_and_products_are_those_of_the_host() {
    let mut random = Random::new(5);
    for _ in 0..200_000 {
        let a = support::value(&mut random, 0);
        let b = support::value(&mut random, a);
        let c = support::value(&mut random, a);
        let inputs = [(R1, a), (R2, b), (R3, c)];
        let [x, y, z] = [a, b, c].map(f32::from_bits);
        assert!(same(written(FADD, &inputs, R0), x + y), "FADD {a:#x} {b:#x}");
        assert!(same(written(FMUL, &inputs, R0), x * y), "FMUL {a:#x} {b:#x}");
        assert!(same(written(FFMA, &inputs, R0), x.mul_add(y, z)), "FFMA {a:#x} {b:#x} {c:#x}");
    }
}

/// RM is at or below the exact sum, and RP at or above it. One of the two results is the nearest
/// float. The results are equal only if the exact sum is a float.
#[test]
fn directed_sums_enclose_the_exact_one() {
    let mut random = Random::new(6);
    for _ in 0..100_000 {
        let [a, b] = [0; 2].map(|_| (random.next() as u32 & 0x807f_ffff) | ((115 + random.below(24)) << 23));
        let inputs = [(R1, a), (R2, b)];
        // The double is exact: both operands have 24 bits, and their exponents differ by less than
        // 24.
        let exact = f64::from(f32::from_bits(a)) + f64::from(f32::from_bits(b));
        let [up, down] = [RP, RM]
            .map(|mode| f64::from(f32::from_bits(written(FADD | mode, &inputs, R0).expect("no guard"))));
        assert!(down <= exact && exact <= up, "{a:#x} {b:#x}");
        let near = f64::from(exact as f32);
        assert!(near == up || near == down, "{a:#x} {b:#x}");
        assert_eq!(exact == near, up == down, "{a:#x} {b:#x}");
    }
}

#[test]
fn no_input_panics() {
    let mut random = Random::new(7);
    let mut known = 0;
    let faults = Fault::ALL.iter().map(|info| Some(info.fault));
    for fault in [None].into_iter().chain(faults) {
        let mut device = Device::new(fault);
        for _ in 0..2000 {
            let mut word = (u128::from(random.next()) << 64) | u128::from(random.next());
            word = (word & !0xff) | u128::from(random.below(52));
            let locations: Vec<Location> =
                (0..4).map(|space| Location { space, index: random.below(9) }).collect();
            // The batch may have fewer values than its lanes and locations require.
            let values: Vec<u32> = (0..9).map(|_| random.next() as u32).collect();
            let inputs = Inputs { word, lanes: random.pick(&[0, 1, 3]), locations, values };
            known += usize::from(inputs.run(&mut device).is_some());
        }
    }
    assert!(known > 10_000, "{known} words are instructions");
}
