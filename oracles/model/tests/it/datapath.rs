//! Compares integer operations of the uniform datapath with wider arithmetic. Compares logic bit by
//! bit, and permutes byte by byte.

use crate::support::{effects, run, set};
use assay_isa::{EncodingTable, Location, Readings, asm};
use assay_model::model;
use proptest::prelude::*;
use proptest::sample::select;

/// Returns the value of a location after an instruction.
fn result(text: &str, inputs: &[(&str, u32)], place: &str) -> u32 {
    effects(&[], text, inputs).value(place.parse().unwrap(), 0).unwrap()
}

/// Generates words. Edges and powers of two are drawn more often than at random.
fn word() -> impl Strategy<Value = u32> {
    let edges = select(vec![0, 1, 2, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fffe, 0xffff_ffff]);
    prop_oneof![2 => any::<u32>(), 2 => edges, 1 => (0..32_u32).prop_map(|bit| 1 << bit)]
}

fn pair() -> impl Strategy<Value = u64> {
    (word(), word()).prop_map(|(low, high)| u64::from(high) << 32 | u64::from(low))
}

fn low(pair: u64) -> u32 {
    pair as u32
}

fn high(pair: u64) -> u32 {
    (pair >> 32) as u32
}

fn joined(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

fn product(signed: bool, a: u32, b: u32) -> u64 {
    if signed { (i64::from(a as i32) * i64::from(b as i32)) as u64 } else { u64::from(a) * u64::from(b) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Checks sums of 64 bits: UIADD.X for the low word, then for the high word with the carry. To
    /// subtract, both words have `~`, and the first carry in is 1.
    #[test]
    fn sums_of_two_words(a in pair(), b in pair(), subtracts: bool) {
        let prefix = if subtracts { "~" } else { "" };
        let inputs = [("UR0", low(a)), ("UR1", high(a)), ("UR2", low(b)), ("UR3", high(b))];
        let carry_in = if subtracts { "UPT" } else { "!UPT" };
        let first = format!("UIADD.X UR4, UP0, UR0, {prefix}UR2, {carry_in}");
        let below = [inputs[0], inputs[2]];
        let sum = result(&first, &below, "UR4");
        let carry = [("UP0", result(&first, &below, "UP0"))];
        let second = format!("UIADD.X UR5, UP1, UR1, {prefix}UR3, UP0");
        let inputs = [&inputs[1..2], &inputs[3..], &carry].concat();
        let expected = if subtracts { a.wrapping_sub(b) } else { a.wrapping_add(b) };
        prop_assert_eq!(joined(sum, result(&second, &inputs, "UR5")), expected);
        let carries = if subtracts { a >= b } else { a.checked_add(b).is_none() };
        prop_assert_eq!(result(&second, &inputs, "UP1"), u32::from(carries));
    }

    /// Checks that UIMAD and UIMAD.HI.X together compute 64 bits of product + addend, and that
    /// UIMAD.WIDE computes the same 64 bits. For a subtraction, the instruction for the low word
    /// has `-`, and the one for the high word has `~`.
    #[test]
    fn products_and_addends(signed: bool, a in word(), b in word(), c in pair(), subtracts: bool) {
        let (minus, complement) = if subtracts { ("-", "~") } else { ("", "") };
        let ty = if signed { "S32" } else { "U32" };
        let product = product(signed, a, b);
        let expected = if subtracts { product.wrapping_sub(c) } else { product.wrapping_add(c) };
        let carries = if subtracts { product >= c } else { product.checked_add(c).is_none() };
        let inputs = [("UR0", a), ("UR1", b), ("UR2", low(c)), ("UR3", high(c))];

        let first = format!("UIMAD.{ty} UR4, UP0, UR0, UR1, {minus}UR2");
        let carry = [("UP0", result(&first, &inputs[..3], "UP0"))];
        let second = format!("UIMAD.HI.X.{ty} UR5, UP1, UR0, UR1, {complement}UR3, UP0");
        let above = [&inputs[..2], &inputs[3..], &carry].concat();
        let found = joined(result(&first, &inputs[..3], "UR4"), result(&second, &above, "UR5"));
        prop_assert_eq!(found, expected);
        prop_assert_eq!(result(&second, &above, "UP1"), u32::from(carries));

        let wide = format!("UIMAD.WIDE.{ty} UR[4:5], UP0, UR0, UR1, {minus}UR[2:3]");
        let found = joined(result(&wide, &inputs, "UR4"), result(&wide, &inputs, "UR5"));
        prop_assert_eq!(found, expected);
        prop_assert_eq!(result(&wide, &inputs, "UP0"), u32::from(carries));
    }

    /// Checks that UIMAD.WIDE and UIMAD.WIDE.X together compute 128 bits.
    #[test]
    fn wide_chains(a in word(), b in word(), c in pair(), d in pair(), subtracts: bool) {
        let (minus, complement) = if subtracts { ("-", "~") } else { ("", "") };
        let inputs = [("UR0", a), ("UR1", b), ("UR2", low(c)), ("UR3", high(c))];
        let first = format!("UIMAD.WIDE.U32 UR[4:5], UP0, UR0, UR1, {minus}UR[2:3]");
        let below = joined(result(&first, &inputs, "UR4"), result(&first, &inputs, "UR5"));
        let carry = result(&first, &inputs, "UP0");
        let inputs = [("UR6", low(d)), ("UR7", high(d)), ("UP0", carry)];
        let second = format!("UIMAD.WIDE.X.U32 UR[8:9], URZ, URZ, {complement}UR[6:7], UP0");
        let above = joined(result(&second, &inputs, "UR8"), result(&second, &inputs, "UR9"));
        let addend = u128::from(d) << 64 | u128::from(c);
        let product = u128::from(product(false, a, b));
        let expected = if subtracts { product.wrapping_sub(addend) } else { product.wrapping_add(addend) };
        prop_assert_eq!(u128::from(above) << 64 | u128::from(below), expected);
    }

    #[test]
    fn products(signed: bool, a in word(), b in word(), negated: bool) {
        let (ty, minus) = (if signed { "S32" } else { "U32" }, if negated { "-" } else { "" });
        let expected = product(signed, a, if negated { b.wrapping_neg() } else { b });
        let inputs = [("UR0", a), ("UR1", b)];
        let found = |half| result(&format!("UIMUL.{half}.{ty} UR2, UR0, {minus}UR1"), &inputs, "UR2");
        prop_assert_eq!(joined(found("LO"), found("HI")), expected);
    }

    /// Checks that ULEA and ULEA.HI.X together compute a 64-bit address. To subtract the index, the
    /// low word has `-` and the high word `~`.
    #[test]
    fn addresses(index in pair(), base in pair(), shift in 0..32_u32, negated: bool, short: bool) {
        let (minus, complement) = if negated { ("-", "~") } else { ("", "") };
        let inputs = [("UR0", low(index)), ("UR1", high(index)), ("UR2", low(base)), ("UR3", high(base))];
        let first = format!("ULEA UR4, UP0, {minus}UR0, UR2, {shift}");
        let below = [inputs[0], inputs[2]];
        let carry = ("UP0", result(&first, &below, "UP0"));
        let (second, above) = if short {
            (format!("ULEA.HI.X.SX32 UR5, {complement}UR0, UR3, {shift}, UP0"), vec![inputs[0], inputs[3], carry])
        } else {
            let second = format!("ULEA.HI.X UR5, {complement}UR0, UR3, UR1, {shift}, UP0");
            (second, vec![inputs[0], inputs[1], inputs[3], carry])
        };
        let index = if short { i64::from(low(index) as i32) as u64 } else { index };
        let scaled = index << shift;
        let expected = if negated { base.wrapping_sub(scaled) } else { base.wrapping_add(scaled) };
        let found = joined(result(&first, &below, "UR4"), result(&second, &above, "UR5"));
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn funnels(a in word(), c in word(), amount in prop_oneof![0..70_u32, any::<u32>()], high_half: bool, wrap: bool) {
        for (ty, width, signed) in [("S32", 32, true), ("U32", 32, false), ("S64", 64, true), ("U64", 64, false)] {
            let places = if wrap { amount % width } else { amount.min(width) };
            let pair = i128::from(joined(a, c) as i64);
            let right = if signed { pair >> places } else { (pair & i128::from(u64::MAX)) >> places };
            for (direction, expected) in [("L", pair << places), ("R", right)] {
                let half = if high_half { "HI" } else { "LO" };
                let mode = if wrap { "WRAP" } else { "CLAMP" };
                let text = format!("USHF.{direction}.{half}.{mode}.{ty} UR3, UR0, UR1, UR2");
                let found = result(&text, &[("UR0", a), ("UR1", amount), ("UR2", c)], "UR3");
                prop_assert_eq!(found, (expected >> if high_half { 32 } else { 0 }) as u32, "{}", text);
            }
        }
    }

    /// As an index into the table, ULOP3's first input has the weight 4, and BFN's first source has
    /// the weight 1.
    #[test]
    fn bfn_is_ulop3_with_the_inputs_reversed(lut: u8, a in word(), b in word(), c in word(), d in word()) {
        let text = format!("ULOP3.PAND UR3, UR0, UR1, UR2, {lut:#x}, UPT");
        let word = result(&text, &[("UR0", a), ("UR1", b), ("UR2", c)], "UR3");
        let text = format!("BFN.x{lut:02x}.UD (2) V0 V1 V2 V3");
        let inputs = [("EM", 3), ("V1.chan1", c), ("V2.chan1", b), ("V3.chan1", a), ("V1.chan0", d)];
        prop_assert_eq!(result(&text, &inputs, "V0.chan1"), word);
        let text = format!("BFN.x{lut:02x}.W (2) V0 V1 V2 V3");
        prop_assert_eq!(result(&text, &inputs, "V0.chan1"), word & 0xffff);
    }

    #[test]
    fn numbers_pack(x in any::<f32>(), near in 0x3300_0000..0x4780_1000_u32, sign: bool) {
        for x in [x, f32::from_bits(near | u32::from(sign) << 31)] {
            let found = result("UF2FP UR3, UR0, UR1, UR2", &[("UR0", x.to_bits()), ("UR1", 0)], "UR3");
            prop_assert_eq!(found & 0xffff, 0);
            prop_assert!(is_nearest_half(found >> 16, x), "{:#010x} gives {:#06x}", x.to_bits(), found >> 16);
        }
    }
}

/// Returns the value of a binary16's magnitude, 2^16 for infinity.
fn half_value(bits: u32) -> f64 {
    let (exponent, fraction) = (bits >> 10 & 31, f64::from(bits & 0x3ff));
    match exponent {
        0 => fraction * 2_f64.powi(-24),
        _ => (1024.0 + fraction) * 2_f64.powi(exponent as i32 - 25),
    }
}

/// Returns whether a binary16 is `x` rounded to nearest, ties to even. Every step is exact in f64.
fn is_nearest_half(bits: u32, x: f32) -> bool {
    if x.is_nan() {
        return bits == 0x7fff;
    }
    let (magnitude, wanted) = (bits & 0x7fff, f64::from(x.abs()).min(65536.0));
    let distance = |bits: u32| (half_value(bits) - wanted).abs();
    let beats = |other: u32| {
        let (own, other) = (distance(magnitude), distance(other));
        own < other || own == other && magnitude & 1 == 0
    };
    let nearest = (magnitude == 0 || beats(magnitude - 1)) && (magnitude == 0x7c00 || beats(magnitude + 1));
    nearest && magnitude <= 0x7c00 && bits >> 15 == x.to_bits() >> 31
}

#[test]
fn every_table_of_three_inputs() {
    // Bit i of the three inputs is the combination with the number i. In this number, the first
    // input has the weight 4.
    let inputs = [("UR0", 0xf0), ("UR1", 0xcc), ("UR2", 0xaa)];
    for lut in 0..256_u32 {
        let text = format!("ULOP3 UP0, UR3, UR0, UR1, UR2, {lut:#x}, !UPT");
        assert_eq!(result(&text, &inputs, "UR3") & 0xff, lut);
        assert_eq!(result(&text, &inputs, "UP0"), u32::from(lut != 0));
        for combination in 0..8 {
            let bit = |place: u32| combination >> place & 1;
            let predicates = [("UP1", bit(2)), ("UP2", bit(1)), ("UP3", bit(0))];
            let text = format!("UPLOP3 UP0, UP1, UP2, UP3, {lut:#x}");
            assert_eq!(result(&text, &predicates, "UP0"), lut >> combination & 1, "{text} {combination}");
        }
        let text = format!("BFN.x{lut:02x}.UD (1) V0 V1 V2 V3");
        let sources = [("EM", 1), ("V1.chan0", 0xaa), ("V2.chan0", 0xcc), ("V3.chan0", 0xf0)];
        assert_eq!(result(&text, &sources, "V0.chan0") & 0xff, lut, "{text}");
    }
}

#[test]
fn every_selector_of_every_mode() {
    let bytes: [u32; 8] = [0x10, 0x91, 0x22, 0xa3, 0x34, 0xb5, 0x46, 0xc7];
    let word = |bytes: &[u32]| bytes.iter().rev().fold(0, |word, byte| word << 8 | byte);
    let inputs = |selector| [("UR0", word(&bytes[..4])), ("UR1", word(&bytes[4..])), ("UR2", selector)];
    let check = |mode: &str, selector: u32, expected: [u32; 4]| {
        let found = result(&format!("UPRMT.{mode} UR3, UR0, UR1, UR2"), &inputs(selector), "UR3");
        assert_eq!(found, word(&expected), "{mode} {selector:#x} gives {found:#010x}");
    };
    for nibble in 0..16_u32 {
        let byte = bytes[nibble as usize & 7];
        let sign = if byte & 0x80 != 0 { 0xff } else { 0 };
        let selected = if nibble & 8 != 0 { sign } else { byte };
        for place in 0..4 {
            let expected = std::array::from_fn(|i| if i == place { selected } else { bytes[0] });
            check("IDX", 0xffff_0000 | nibble << (4 * place), expected);
        }
    }
    for c in 0..4_usize {
        // The table of PTX's `prmt`.
        let rows: [(&str, [usize; 4]); 6] = [
            ("F4E", [c, c + 1, c + 2, c + 3]),
            ("B4E", [c, (c + 7) % 8, (c + 6) % 8, (c + 5) % 8]),
            ("RC8", [c; 4]),
            ("ECL", [c, c.max(1), c.max(2), 3]),
            ("ECR", [0, c.min(1), c.min(2), c]),
            ("RC16", if c % 2 == 0 { [0, 1, 0, 1] } else { [2, 3, 2, 3] }),
        ];
        for (mode, places) in rows {
            check(mode, 0xffff_fffc | c as u32, places.map(|place| bytes[place]));
        }
    }
}

#[test]
fn every_comparison() {
    let operands: [u32; 5] = [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
    for a in operands {
        for b in operands {
            for (ty, order) in [("S32", (a as i32).cmp(&(b as i32))), ("U32", a.cmp(&b))] {
                let holds = [
                    order.is_eq(),
                    order.is_ne(),
                    order.is_lt(),
                    order.is_le(),
                    order.is_gt(),
                    order.is_ge(),
                ];
                for (comparison, t) in ["EQ", "NE", "LT", "LE", "GT", "GE"].into_iter().zip(holds) {
                    for (operation, p, q) in
                        (0..12).map(|i| (["AND", "OR", "XOR"][i / 4], i & 1 != 0, i & 2 != 0))
                    {
                        let combined = |t: bool| match operation {
                            "AND" => t && p,
                            "OR" => t || p,
                            _ => t != p,
                        };
                        let inputs = [("UR0", a), ("UR1", b), ("UP2", p.into()), ("UP3", q.into())];
                        for (extension, t) in [("", t), (".X", if a == b { q } else { t })] {
                            let upq = if extension.is_empty() { "" } else { ", UP3" };
                            let text = format!(
                                "UISETP.{comparison}.{operation}.{ty}{extension} UP0, UP1, UR0, UR1, UP2{upq}"
                            );
                            let used = if extension.is_empty() { &inputs[..3] } else { &inputs };
                            assert_eq!(
                                result(&text, used, "UP0"),
                                u32::from(combined(t)),
                                "{text} {used:x?}"
                            );
                            assert_eq!(
                                result(&text, used, "UP1"),
                                u32::from(combined(!t)),
                                "{text} {used:x?}"
                            );
                        }
                    }
                }
                let extreme = |p| {
                    result(
                        &format!("UIMNMX.{ty} UR2, UR0, UR1, UP0"),
                        &[("UR0", a), ("UR1", b), ("UP0", p)],
                        "UR2",
                    )
                };
                assert_eq!(
                    [extreme(1), extreme(0)],
                    if order.is_lt() { [a, b] } else { [b, a] },
                    "{a:#x} {b:#x}"
                );
            }
        }
    }
}

#[test]
fn every_byte_of_predicates() {
    let names = ["UP0", "UP1", "UP2", "UP3", "UP4", "UP5", "UP6"];
    let x = 0x1234_5678_u32;
    for bits in 0..128_u32 {
        let predicates: Vec<_> = (0..).zip(names).map(|(i, name)| (name, bits >> i & 1)).collect();
        for (place, mask) in [(0, 0xff_u32), (1, 0x0f), (2, 0xa5), (3, 0xffff_ff80), (1, 0)] {
            let inputs = [&predicates[..], &[("UR1", x), ("UR2", mask)]].concat();
            let found = result(&format!("UP2UR.B{place} UR0, UPR, UR1, UR2"), &inputs, "UR0");
            let mask = mask & 0xff;
            let byte = mask & (bits | 0x80) | !mask & x >> (8 * place) & 0xff;
            assert_eq!(
                found,
                x & !(0xff << (8 * place)) | byte << (8 * place),
                "{bits:#x} {place} {mask:#x}"
            );
            let text = format!("UR2UP UPR, UR1.B{place}, UR2");
            let expected = mask & x >> (8 * place) | !mask & bits;
            for (i, name) in (0..).zip(names) {
                assert_eq!(result(&text, &inputs, name), expected >> i & 1, "{bits:#x} {place} {mask:#x}");
            }
        }
    }
}

#[test]
fn places_differ_from_lane_to_lane() {
    let instruction = asm::parse("SETUGPR UR[UR2+0x1], UR3").unwrap();
    let word = assay_isa::codec::encode(&instruction, EncodingTable::provisional());
    let mut batch = assay_isa::Batch::new(word, &instruction.reads(), 5);
    for (lane, (index, value)) in [(4, 10), (6, 11), (62, 12), (63, 13), (4, 14)].into_iter().enumerate() {
        set(&mut batch, Location::UR(2), lane, index);
        set(&mut batch, Location::UR(3), lane, value);
    }
    let effects = run(model(EncodingTable::provisional().clone(), Readings::INTENDED).as_mut(), &batch);
    let written = |lane| effects.lane(lane).collect::<Vec<_>>();
    assert_eq!(written(0), [(Location::UR(5), 10)]);
    assert_eq!(written(1), [(Location::UR(7), 11)]);
    // URZ has no storage, and a greater index is out of range.
    assert_eq!((written(2), effects.event_of(2)), (vec![], None));
    assert!(written(3).is_empty() && effects.event_of(3).is_some());
    assert_eq!(written(4), [(Location::UR(5), 14)]);
    assert_eq!(effects.columns().len(), 2);
}
