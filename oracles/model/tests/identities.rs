//! What holds between the operations whatever their operands, modifiers and readings.

mod common;

use common::{result, under};
use proptest::prelude::*;
use proptest::sample::select;

const ONE: u32 = 0x3f80_0000;
const SIGN: u32 = 0x8000_0000;
const NAN: u32 = 0x7fff_ffff;

/// Any bits, with edges and small differences from one of them more often than chance would have it.
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

    /// The zero must have the product's sign: +0 would turn a product of -0 into +0, or, in `.RM`, the
    /// other way around.
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
            // An exact zero is +0 both to nearest and toward zero.
            prop_assert!(mirrored(plain) == other || plain & !SIGN == 0 && other & !SIGN == 0);
        }
    }

    #[test]
    fn saturation_ends_in_the_unit_interval(m in modifiers(), a in bits(), b in bits(), c in bits()) {
        let saturated = result(&format!("FFMA.SAT{}", m.replace(".SAT", "")), &[a, b, c]);
        prop_assert!(saturated <= ONE);
        prop_assert!(result("MUFU.RCP.SAT", &[a]) <= ONE);
    }
}
