//! Tests MUFU.RCP, by CORE-MATH and by integers: against division, and against the definition of
//! rounding.

use crate::support::{EDGES, batch, holds, instruction, on, operand};
use assay_crosscheck::CoreMath;
use assay_isa::{Answer, Effects, EncodingTable, Erratum, Instruction, Location, Readings, Subject};
use proptest::prelude::*;

const INF: u32 = 0x7f80_0000;
const NEG: u32 = 0x8000_0000;

fn implementation(settings: &[(u16, u8)]) -> CoreMath {
    let mut readings = Readings::INTENDED;
    settings.iter().for_each(|(erratum, setting)| readings.set(Erratum(*erratum), *setting).unwrap());
    CoreMath::new(EncodingTable::provisional().clone(), readings)
}

fn rcp(dtype: &str, sat: &str) -> Instruction {
    instruction("MUFU_R", &[], &[("mufuop", "RCP"), ("dtype", dtype), ("sat", sat)])
}

/// Returns each input with its result, computed in one batch.
fn all_of(dtype: &str, inputs: Vec<u32>) -> Vec<(u32, u32)> {
    let batch = batch(&rcp(dtype, "NoSAT"), &[(Location::R(1), inputs.clone())]);
    let mut effects = Effects::default();
    assert_eq!(implementation(&[]).execute(&batch, &mut effects).unwrap(), Answer::Known);
    inputs.into_iter().zip(effects.columns()[0].values.iter().copied()).collect()
}

#[test]
fn f32_is_ieee_division() {
    let edges = EDGES.iter().flat_map(|e| [*e, e | NEG]);
    // An odd step visits every exponent, both signs and all residues of the low bits.
    for (x, y) in all_of("F32", edges.chain((0..=u32::MAX).step_by(4099)).collect()) {
        let quotient = 1.0 / f32::from_bits(x);
        let expected = if quotient.is_nan() { 0x7fff_ffff } else { quotient.to_bits() };
        assert_eq!(y, expected, "{x:08x}");
    }
}

#[test]
fn f32_rows_of_the_specification() {
    let rows = [
        (INF | NEG, NEG),
        (NEG, INF | NEG),
        (0, INF),
        (INF, 0),
        (0xff80_0001, 0x7fff_ffff),
        // E043, E042: subnormal operands and results are not flushed.
        (0x4040_0000, 0x3eaa_aaab),
        (0x0040_0000, 0x7f00_0000),
        (0x7f00_0000, 0x0040_0000),
        (1, INF),
    ];
    for (x, y) in rows {
        assert_eq!(on(&mut implementation(&[]), &rcp("F32", "NoSAT"), &[x]), Ok(y), "{x:08x}");
    }
    // E032: .SAT clamps to [+0, 1]. A NaN becomes +0.
    for (x, y) in
        [(0x3f00_0000, 0x3f80_0000), (NEG, 0), (INF | NEG, 0), (0x7fc0_0000, 0), (0x4000_0000, 0x3f00_0000)]
    {
        assert_eq!(on(&mut implementation(&[]), &rcp("F32", "SAT"), &[x]), Ok(y), "{x:08x}");
    }
    assert_eq!(on(&mut implementation(&[(36, 1)]), &rcp("F32", "NoSAT"), &[0x7fc0_0000]), Ok(u32::MAX));
    for (x, y) in
        [(0x0040_0000, INF), (0x8040_0000, INF | NEG), (0xff00_0000, NEG), (0x7e80_0000, 0x0080_0000)]
    {
        for setting in [2, 3] {
            assert_eq!(
                on(&mut implementation(&[(42, setting)]), &rcp("F32", "NoSAT"), &[x]),
                Ok(y),
                "{x:08x}"
            );
        }
    }
}

#[test]
fn f64_rows_of_the_specification() {
    let rows = [
        (0xfff0_0000, NEG),
        (0x8000_0001, 0xfff0_0000),
        (NEG, 0xfff0_0000),
        (0, 0x7ff0_0000),
        (0x000f_ffff, 0x7ff0_0000),
        (0x7ff0_0000, 0),
        (0x7ff0_0001, 0x7fff_ffff),
        (0xffff_ffff, 0x7fff_ffff),
        (0x4000_0000, 0x3fe0_0000),
        (0x4008_0000, 0x3fd5_5555),
        (0xc008_0000, 0xbfd5_5555),
        // The largest input whose reciprocal is normal, and the least input whose reciprocal is
        // subnormal and flushed (E042).
        (0x7fd0_0000, 0x0010_0000),
        (0x7fd0_0001, 0),
        (0x7fe0_0000, 0),
        (0xffef_ffff, NEG),
        (0x0010_0000, 0x7fd0_0000),
        (0x0010_0001, 0x7fcf_fffe),
    ];
    for (h, y) in rows {
        assert_eq!(on(&mut implementation(&[]), &rcp("F64", "NoSAT"), &[h]), Ok(y), "{h:08x}");
    }
    assert_eq!(on(&mut implementation(&[(40, 1)]), &rcp("F64", "NoSAT"), &[0]), Err(Answer::Unsupported));
    assert_eq!(on(&mut implementation(&[(40, 1)]), &rcp("F32", "NoSAT"), &[0]), Ok(INF));
}

/// Tests every significand at one exponent. With the answer y and half a unit u of its last place,
/// (y - u)·h < 1 < (y + u)·h. Both products are exact in 128 bits.
#[test]
fn f64_is_the_nearest_high_word() {
    for (h, y) in all_of("F64", (0x3ff0_0001..=0x3fff_ffff).collect()) {
        assert_eq!(y >> 20, 0x3fe, "{h:08x} -> {y:08x}");
        let (m, q) = (u128::from(h & 0xf_ffff | 0x10_0000), u128::from(y & 0xf_ffff | 0x10_0000));
        // h = m·2^-20 and y = q·2^-21, so h·(y ± u) = m·(2q ± 1)·2^-42.
        assert!(m * (2 * q - 1) < 1 << 42 && 1 << 42 < m * (2 * q + 1), "{h:08x} -> {y:08x}");
    }
}

/// The quotient of doubles, rounded again to a high word, can be wrong only if the first rounding
/// gives a half-way case. In all other cases the rounded quotient must equal the result, at every
/// exponent.
#[test]
fn f64_is_double_division_rounded_again() {
    holds(20_000, prop_oneof![any::<u32>(), operand()], |h| {
        let x = f64::from_bits(u64::from(h) << 32);
        let quotient = (1.0 / x).to_bits();
        let honoured = x.is_normal() && f64::from_bits(quotient).is_normal();
        if !honoured || quotient as u32 == NEG {
            return Ok(());
        }
        let expected = ((quotient + u64::from(NEG)) >> 32) as u32;
        let result = on(&mut implementation(&[]), &rcp("F64", "NoSAT"), &[h]);
        (result == Ok(expected)).then_some(()).ok_or(format!("{h:08x}: {result:08x?}, not {expected:08x}"))
    });
}

#[test]
fn prefixes_apply_to_the_sign_bit() {
    let fields = [("rb.neg", 1), ("rb.abs", 1)];
    for (dtype, x, y) in [("F32", 0xc000_0000, 0xbf00_0000), ("F64", 0xc000_0000, 0xbfe0_0000)] {
        let instruction = instruction("MUFU_R", &fields, &[("mufuop", "RCP"), ("dtype", dtype)]);
        assert_eq!(on(&mut implementation(&[]), &instruction, &[x]), Ok(y));
    }
}
