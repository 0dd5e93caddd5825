//! Tests relations between operations that hold for all operands and modifiers.

use crate::support::{result, under};
use proptest::prelude::*;
use proptest::sample::select;

const ONE: u32 = 0x3f80_0000;
const SIGN: u32 = 0x8000_0000;
const NAN: u32 = 0x7fff_ffff;

/// Generates words. Edges, values near an edge and values near 1 are drawn more often than at
/// random.
fn bits() -> impl Strategy<Value = u32> {
    let edges = vec![0, 1, 0x7f_ffff, 0x80_0000, ONE, 0x7f7f_ffff, 0x7f80_0000, 0x7fc0_0000];
    let near = (select(edges), 0..4_u32, any::<bool>())
        .prop_map(|(edge, step, negative)| edge.wrapping_add(step) ^ if negative { SIGN } else { 0 });
    prop_oneof![3 => any::<u32>(), 2 => near, 1 => 0x3e00_0000..0x4100_0000_u32]
}

fn modifiers() -> impl Strategy<Value = String> {
    let flags = (select(vec!["", ".FTZ"]), select(vec!["", ".SAT"]), select(vec!["RN", "RP", "RM", "RZ"]));
    flags.prop_map(|(ftz, sat, mode)| format!("{ftz}{sat}.{mode}"))
}

fn readings() -> impl Strategy<Value = Vec<String>> {
    let pair = |erratum: &'static str| (1..=2).prop_map(move |setting| format!("{erratum}={setting}"));
    vec![pair("E169"), pair("E170"), pair("E172"), pair("E173")]
}

/// Generates numbers of bits. Numbers below 70 are drawn more often than at random.
fn amount() -> impl Strategy<Value = u32> {
    prop_oneof![0..70_u32, any::<u32>()]
}

/// Returns the word whose bits are set where a condition is true.
fn where_bit(condition: impl Fn(u64) -> bool) -> u32 {
    (0..32).filter(|bit| condition(*bit)).map(|bit| 1 << bit).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn order_does_not_matter(m in modifiers(), r in readings(), a in bits(), b in bits(), c in bits()) {
        let r: Vec<&str> = r.iter().map(String::as_str).collect();
        prop_assert_eq!(under(&r, &format!("FADD{m}"), &[a, b]), under(&r, &format!("FADD{m}"), &[b, a]));
        prop_assert_eq!(under(&r, &format!("FMUL{m}"), &[a, b]), under(&r, &format!("FMUL{m}"), &[b, a]));
        prop_assert_eq!(under(&r, &format!("FFMA{m}"), &[a, b, c]), under(&r, &format!("FFMA{m}"), &[b, a, c]));
    }

    #[test]
    fn a_sum_is_a_product_by_one_and_a_sum(m in modifiers(), r in readings(), a in bits(), b in bits()) {
        let r: Vec<&str> = r.iter().map(String::as_str).collect();
        prop_assert_eq!(under(&r, &format!("FADD{m}"), &[a, b]), under(&r, &format!("FFMA{m}"), &[a, ONE, b]));
    }

    /// The added zero must have the product's sign. Otherwise +0 would change a product of -0 to
    /// +0, and in `.RM` -0 would change +0 to -0.
    #[test]
    fn a_product_is_a_product_and_a_zero(m in modifiers(), a in bits(), b in bits()) {
        let zero = (a ^ b) & SIGN;
        prop_assert_eq!(result(&format!("FMUL{m}"), &[a, b]), result(&format!("FFMA{m}"), &[a, b, zero]));
    }

    #[test]
    fn a_scale_is_a_power_of_two(
        m in modifiers(),
        scale in select(vec![("D2", -1), ("D4", -2), ("D8", -3), ("M2", 1), ("M4", 2), ("M8", 3)]),
        a in 0x0200_0000..0x7d80_0000_u32,
        negative in any::<bool>(),
        b in bits(),
    ) {
        let a = if negative { a | SIGN } else { a };
        let scaled = a.wrapping_add_signed(scale.1 << 23);
        let text = format!("FMUL{m}.{}", scale.0);
        let expected = result(&format!("FMUL{m}"), &[scaled, b]);
        prop_assert_eq!(result(&text, &[a, b]), expected);
        prop_assert_eq!(under(&["E176=2"], &text, &[a, b]), expected);
        prop_assert_eq!(under(&["E176=3"], &text, &[a, b]), expected);
    }

    #[test]
    fn a_change_of_sign_swaps_up_and_down(ftz in select(vec!["", ".FTZ"]), a in bits(), b in bits(), c in bits()) {
        let mirrored = |bits: u32| if bits == NAN { NAN } else { bits ^ SIGN };
        for (mode, mirror) in [("RN", "RN"), ("RP", "RM"), ("RM", "RP"), ("RZ", "RZ")] {
            let plain = result(&format!("FFMA{ftz}.{mode}"), &[a, b, c]);
            let other = result(&format!("FFMA{ftz}.{mirror}"), &[a, b ^ SIGN, c ^ SIGN]);
            // An exact zero is +0 in `.RN` and in `.RZ`.
            prop_assert!(mirrored(plain) == other || plain & !SIGN == 0 && other & !SIGN == 0);
        }
    }

    #[test]
    fn saturation_ends_in_the_unit_interval(m in modifiers(), a in bits(), b in bits(), c in bits()) {
        let saturated = result(&format!("FFMA.SAT{}", m.replace(".SAT", "")), &[a, b, c]);
        prop_assert!(saturated <= ONE);
        prop_assert!(result("MUFU.RCP.SAT", &[a]) <= ONE);
    }

    #[test]
    fn floats_compare_as_the_host_has_it(a in bits(), b in bits()) {
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        for (name, holds) in [("LT", x < y), ("LE", x <= y), ("EQ", x == y), ("GT", x > y), ("GE", x >= y)] {
            prop_assert_eq!(result(&format!("FSETP.{name}.AND"), &[a, b, 1]), u32::from(holds));
            let unordered = holds || x.is_nan() || y.is_nan();
            prop_assert_eq!(result(&format!("FSET.{name}U.XOR"), &[a, b, 0]), u32::from(unordered).wrapping_neg());
        }
        if !x.is_nan() && !y.is_nan() {
            let least = if x.total_cmp(&y).is_lt() { a } else { b };
            prop_assert_eq!(result("FMNMX", &[a, b, 1]), least);
            prop_assert_eq!(result("FMNMX.NAN", &[a, b, 0]), a ^ b ^ least);
        }
    }

    #[test]
    fn a_division_check_looks_at_exponents_only(a in bits(), b in bits(), fractions in any::<[u32; 2]>()) {
        let other = |bits: u32, random: u32| bits & 0x7f80_0000 | random & 0x807f_ffff;
        prop_assert_eq!(result("FCHK", &[a, b]), result("FCHK", &[other(a, fractions[0]), other(b, fractions[1])]));
    }

    #[test]
    fn bits_are_counted_and_found(x in prop_oneof![bits(), any::<u32>()]) {
        let set = |bit: &u32| x >> bit & 1 == 1;
        prop_assert_eq!(result("POPC", &[x]), (0..32).filter(set).count() as u32);
        let highest = (0..32).rev().find(set);
        prop_assert_eq!(result("FLO.U32", &[x]), highest.unwrap_or(u32::MAX));
        prop_assert_eq!(result("FLO.SH.U32", &[x]), highest.map_or(u32::MAX, |bit| 31 - bit));
        // The highest bit that differs from the sign.
        let significant = (0..32).rev().find(|bit| set(bit) != set(&31));
        prop_assert_eq!(result("FLO", &[x]), significant.unwrap_or(u32::MAX));
        prop_assert_eq!(result("BREV", &[x]), where_bit(|bit| !set(&(bit as u32))));
        prop_assert_eq!(under(&["E056=2"], "BREV", &[x]), where_bit(|bit| set(&(31 - bit as u32))));
    }

    #[test]
    fn masks_are_ranges(a in amount(), b in amount()) {
        let (a, b) = (u64::from(a), u64::from(b));
        let operands = [a as u32, b as u32];
        prop_assert_eq!(result("BMSK", &operands), where_bit(|bit| (a..a + b).contains(&bit)));
        prop_assert_eq!(under(&["E057=1"], "BMSK", &operands), where_bit(|bit| (a..=a + b).contains(&bit)));
        let (a, b) = (a % 32, b % 32);
        prop_assert_eq!(result("BMSK.WRAP", &operands), where_bit(|bit| (a..a + b).contains(&bit)));
        prop_assert_eq!(under(&["E057=1"], "BMSK.WRAP", &operands), where_bit(|bit| (a..=a + b).contains(&bit)));
    }

    #[test]
    fn fields_are_extended(x in any::<u32>(), amount in amount()) {
        for (mode, width) in [("", amount.min(32)), (".WRAP", amount % 32)] {
            let bit = |bit: u64, beyond: bool| if bit < u64::from(width) { x >> bit & 1 == 1 } else { beyond };
            let sign = width > 0 && bit(u64::from(width) - 1, false);
            prop_assert_eq!(result(&format!("SGXT{mode}.U32"), &[x, amount]), where_bit(|b| bit(b, false)));
            prop_assert_eq!(result(&format!("SGXT{mode}"), &[x, amount]), where_bit(|b| bit(b, sign)));
        }
    }
}
