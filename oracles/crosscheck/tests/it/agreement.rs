//! Checks that APFloat and the host CPU agree bit for bit, under every combination of modifiers and
//! prefixes.

use std::cell::Cell;

use crate::support::{EDGES, batch, holds, instruction, on, operands, values_of};
use assay_crosscheck::{ApFloat, HostCpu};
use assay_isa::readings::Erratum;
use assay_isa::tables::types::{FMULScale, FPFtz, FPRound, FPSat};
use assay_isa::{Answer, Effects, EncodingTable, Instruction, Location, Readings, Subject};
use assay_testing::skip;
use proptest::prelude::*;

/// Returns every combination of modifiers of a form and of prefixes of its operands.
fn combinations(form: &str, prefixes: &[&str]) -> Vec<Instruction> {
    let scales = if form.starts_with("FMUL") { values_of::<FMULScale>() } else { vec!["NoScale"] };
    let mut all = Vec::new();
    for ftz in values_of::<FPFtz>() {
        for sat in values_of::<FPSat>() {
            for rnd in values_of::<FPRound>() {
                for scl in &scales {
                    let mut names = vec![("ftz", ftz), ("sat", sat), ("rnd", rnd)];
                    names.extend((scales.len() > 1).then_some(("scl", *scl)));
                    for set in 0..1u32 << prefixes.len() {
                        let bits = prefixes.iter().enumerate().map(|(i, p)| (*p, set >> i & 1));
                        all.push(instruction(form, &bits.collect::<Vec<_>>(), &names));
                    }
                }
            }
        }
    }
    all
}

/// Returns the implementations if the host can execute a form. Otherwise reports the skipped number
/// of combinations, and returns `None`.
fn implementations(form: &str, combinations: usize, readings: Readings) -> Option<(ApFloat, HostCpu)> {
    let capabilities = HostCpu::describe();
    if capabilities.optypes.iter().any(|optype| form.starts_with(optype)) {
        let numbers = EncodingTable::provisional();
        return Some((ApFloat::new(numbers.clone(), readings), HostCpu::new(numbers.clone(), readings)));
    }
    skip("host-cpu", &format!("{combinations} combinations of {form}; host CPU: {capabilities}"));
    None
}

/// Checks that both implementations leave the same value in R0 of every lane.
fn check(
    implementations: &mut (ApFloat, HostCpu),
    instruction: &Instruction,
    lanes: &[[u32; 3]],
) -> Result<(), String> {
    let column = |i: usize| (Location::R(i as u8 + 1), lanes.iter().map(|lane| lane[i]).collect());
    let batch = batch(instruction, &[column(0), column(1), column(2)]);
    let (mut soft, mut hard) = (Effects::default(), Effects::default());
    assert_eq!(implementations.0.execute(&batch, &mut soft).unwrap(), Answer::Known);
    assert_eq!(implementations.1.execute(&batch, &mut hard).unwrap(), Answer::Known);
    for (lane, operands) in lanes.iter().enumerate() {
        let (soft, hard) = (soft.value(Location::R(0), lane), hard.value(Location::R(0), lane));
        if soft.is_none() || soft != hard {
            return Err(format!("{instruction:?} {operands:08x?}: apfloat {soft:08x?}, host {hard:08x?}"));
        }
    }
    Ok(())
}

/// Compares the implementations: with all modifiers and prefixes on random lanes, and with all
/// modifiers on every pair or triple of edges.
fn agree(form: &str, prefixes: &[&str], modifiers: usize) {
    let prefixed = combinations(form, prefixes);
    let plain = combinations(form, &[]);
    assert_eq!((plain.len(), prefixed.len()), (modifiers, modifiers << prefixes.len()));
    let Some(mut implementations) = implementations(form, prefixed.len(), Readings::INTENDED) else { return };

    let signed: Vec<u32> = EDGES.iter().flat_map(|e| [*e, e | 0x8000_0000]).collect();
    let thirds = if form == "FFMA_RRR" { &signed[..] } else { &[0][..] };
    let mut lanes = Vec::new();
    for a in EDGES {
        for b in &signed {
            lanes.extend(thirds.iter().map(|c| [*a, *b, *c]));
        }
    }
    for instruction in &plain {
        check(&mut implementations, instruction, &lanes).unwrap();
    }
    holds(24, proptest::collection::vec(operands(), 64), |lanes| {
        let mut implementations = implementations.clone();
        prefixed.iter().try_for_each(|instruction| check(&mut implementations, instruction, &lanes))
    });
}

#[test]
fn fadd() {
    agree("FADD_RR", &["ra.neg", "ra.abs", "rb.neg", "rb.abs"], 16);
}

#[test]
fn fmul() {
    agree("FMUL_RR", &["ra.neg", "ra.abs", "rb.neg", "rb.abs"], 112);
}

#[test]
fn ffma() {
    agree("FFMA_RRR", &["ra.neg", "ra.abs", "rb.neg", "rb.abs", "rc.neg", "rc.abs"], 16);
}

/// The result of FMUL without a scale is one F32 multiplication. A scaled product is computed in
/// double precision. Where halving an operand is exact, .D2 must equal the product of the halved
/// operand. This compares the two computations.
#[test]
fn a_scale_is_a_power_of_two() {
    let (plain, scaled) = (instruction("FMUL_RR", &[], &[]), instruction("FMUL_RR", &[], &[("scl", "D2")]));
    let Some(implementations) = implementations("FMUL_RR", 1, Readings::INTENDED) else { return };
    let normal =
        operands().prop_filter("half of it is normal", |[a, ..]| (2..255).contains(&(a >> 23 & 0xff)));
    holds(2000, normal, |[a, b, _]| {
        let (mut soft, mut hard) = implementations.clone();
        for implementation in [&mut soft as &mut dyn Subject, &mut hard] {
            let halved = on(implementation, &plain, &[a - 0x0080_0000, b]);
            if on(implementation, &scaled, &[a, b]) != halved {
                return Err(format!("{}: {a:08x} * {b:08x}", implementation.name()));
            }
        }
        Ok(())
    });
}

/// Returns operands whose result is near the least normal number. The result is either a product
/// with one factor just below 1, or a difference of a product and a number near the least normal
/// one.
fn least_normals() -> impl Strategy<Value = [u32; 3]> {
    let product = (any::<u32>(), 0u32..=1, 1u32..=2, any::<bool>());
    let product = product.prop_map(|(signs, a, b, add)| {
        let (a, b) = (0x0080_0000 + a, 0x3f80_0000 - b);
        [a | signs & 0x8000_0000, b | signs << 1 & 0x8000_0000, u32::from(add)]
    });
    let difference = (any::<u32>(), any::<u32>(), 75u32..=78, -1i32..=1);
    let difference = difference.prop_map(|(a, b, exponent, offset)| {
        let c = 0x0080_0000u32.wrapping_add_signed(offset) | a & b & 0x8000_0000;
        [a & 0x807f_ffff | 27 << 23, b & 0x807f_ffff | exponent << 23, c]
    });
    prop_oneof![product, difference]
}

/// E173 = 2 differs from E173 = 1 only where a number below the least normal one is rounded up to
/// it. This test sees such a case. No sum is such a case, so the host supports FADD under both
/// settings.
#[test]
fn tininess_flushes_the_least_normal_and_nothing_else() {
    let mut readings = Readings::INTENDED;
    readings.set(Erratum(173), 2).unwrap();
    let numbers = EncodingTable::provisional();
    let as_written = ApFloat::new(numbers.clone(), Readings::INTENDED);
    let tininess = ApFloat::new(numbers.clone(), readings);
    for (form, sum) in [("FADD_RR", true), ("FMUL_RR", false), ("FFMA_RRR", false)] {
        let instruction = instruction(form, &[], &[("ftz", "FTZ")]);
        let differ = Cell::new(0);
        holds(20_000, prop_oneof![operands(), least_normals()], |lane| {
            let kept = on(&mut as_written.clone(), &instruction, &lane).unwrap();
            let flushed = on(&mut tininess.clone(), &instruction, &lane).unwrap();
            differ.set(differ.get() + u32::from(kept != flushed));
            let least = kept & 0x7fff_ffff == 0x0080_0000 && flushed == kept & 0x8000_0000;
            (kept == flushed || least && !sum).then_some(()).ok_or(format!("{form} {lane:08x?}"))
        });
        assert_eq!(differ.get() == 0, sum, "{form}");
        let host = on(&mut HostCpu::new(numbers.clone(), readings), &instruction, &[0; 3]);
        assert!(sum || host == Err(Answer::Unsupported), "{form}");
    }
}
