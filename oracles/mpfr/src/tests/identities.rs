//! Checks that several instructions together compute one wide result, and that some instructions
//! agree with each other.

use assay_isa::{Location, Readings};
use proptest::prelude::*;

use super::text::{assembled, lane, outcome_of};

/// Executes instructions in order, each on the results of the earlier ones. Returns the final
/// state.
fn run(program: &[&str], inputs: &str) -> String {
    let mut state = inputs.to_owned();
    for text in program {
        let outcome = outcome_of(&Readings::INTENDED, &assembled(text), &lane(&state), 0);
        let mut values: Vec<&str> = state.split(' ').collect();
        values.retain(|value| !outcome.split(' ').any(|new| location(new) == location(value)));
        state = values.into_iter().chain(outcome.split(' ')).collect::<Vec<&str>>().join(" ");
    }
    state
}

fn location(assignment: &str) -> Option<&str> {
    assignment.split_once('=').map(|(location, _)| location)
}

/// Returns the value of a register in a state.
fn word(state: &str, number: u8) -> u32 {
    let batch = lane(state);
    batch.column(Location::UR(number)).unwrap_or_else(|| panic!("UR{number} of {state}"))[0]
}

fn pair(state: &str, low: u8) -> u64 {
    u64::from(word(state, low + 1)) << 32 | u64::from(word(state, low))
}

fn predicate(state: &str, number: u8) -> bool {
    lane(state).column(Location::UP(number)).expect("it was written")[0] == 1
}

/// Returns a state that sets a pair of registers to a value.
fn set(low: u8, value: u64) -> String {
    format!("UR{low}={:#x} UR{}={:#x}", value as u32, low + 1, value >> 32)
}

/// Returns numbers of 64 bits whose words are often extreme values.
fn wide() -> impl Strategy<Value = u64> {
    let word = prop_oneof![
        Just(0u32),
        Just(1),
        Just(u32::MAX),
        Just(1 << 31),
        Just(u32::MAX - 1),
        any::<u32>(),
        0u32..4
    ];
    (word.clone(), word).prop_map(|(high, low)| u64::from(high) << 32 | u64::from(low))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn sums_of_three_words(a in wide(), b in wide(), high: (u32, u32)) {
        let inputs = format!("{} {} UR6={:#x} UR7={:#x}", set(2, a), set(4, b), high.0, high.1);
        let state = run(&[
            "UIADD.X UR8, UP0, UR2, UR4",
            "UIADD.X UR9, UP0, UR3, UR5, UP0",
            "UIADD.X UR10, UP1, UR6, UR7, UP0",
        ], &inputs);
        let [a, b] = [(a, high.0), (b, high.1)].map(|(low, high)| u128::from(high) << 64 | u128::from(low));
        let sum = a + b;
        prop_assert_eq!((pair(&state, 8), word(&state, 10)), (sum as u64, (sum >> 64) as u32));
        prop_assert_eq!(predicate(&state, 1), sum >> 96 == 1);
    }

    #[test]
    fn differences_of_two_words(a in wide(), b in wide()) {
        let inputs = format!("{} {}", set(2, a), set(4, b));
        let state = run(&["UIADD.X UR8, UP0, UR2, ~UR4, UPT", "UIADD.X UR9, UP0, UR3, ~UR5, UP0"], &inputs);
        prop_assert_eq!(pair(&state, 8), a.wrapping_sub(b));
        prop_assert_eq!(predicate(&state, 0), a >= b);
    }

    #[test]
    fn products_of_two_words_and_a_sum(a: u32, b: u32, c in wide(), signed: bool) {
        let ty = if signed { "S32" } else { "U32" };
        let product = if signed { (i64::from(a as i32) * i64::from(b as i32)) as u64 } else { u64::from(a) * u64::from(b) };
        let inputs = format!("{} UR2={a:#x} UR3={b:#x}", set(4, c));
        let chain = |low: &str, high: &str| run(&[low, high], &inputs);
        let state = chain(&format!("UIMAD.{ty} UR8, UP0, UR2, UR3, UR4"), &format!("UIMAD.HI.X.{ty} UR9, UP1, UR2, UR3, UR5, UP0"));
        prop_assert_eq!(pair(&state, 8), product.wrapping_add(c));
        prop_assert_eq!(predicate(&state, 1), product.checked_add(c).is_none());
        let state = run(&[&format!("UIMAD.WIDE.{ty} UR[8:9], UP1, UR2, UR3, UR[4:5]")], &inputs);
        prop_assert_eq!(pair(&state, 8), product.wrapping_add(c));
        prop_assert_eq!(predicate(&state, 1), product.checked_add(c).is_none());
        // The addend is subtracted.
        let state = chain(&format!("UIMAD.{ty} UR8, UP0, UR2, UR3, -UR4"), &format!("UIMAD.HI.X.{ty} UR9, UP1, UR2, UR3, ~UR5, UP0"));
        prop_assert_eq!(pair(&state, 8), product.wrapping_sub(c));
        prop_assert_eq!(predicate(&state, 1), product >= c);
        let state = run(&[&format!("UIMAD.WIDE.{ty} UR[8:9], UP1, UR2, UR3, -UR[4:5]")], &inputs);
        prop_assert_eq!(pair(&state, 8), product.wrapping_sub(c));
        prop_assert_eq!(predicate(&state, 1), product >= c);
        // UIMUL and UIMUL.HI give both words.
        let state = chain(&format!("UIMUL.{ty} UR8, UR2, UR3"), &format!("UIMUL.HI.{ty} UR9, UR2, UR3"));
        prop_assert_eq!(pair(&state, 8), product);
    }

    /// Adds a product to a number of 128 bits with two UIMAD.WIDE.X. They need `.U32` (E117).
    #[test]
    fn sums_of_four_words(a: u32, b: u32, low in wide(), high in wide()) {
        let inputs = format!("UR2={a:#x} UR3={b:#x} {} {}", set(4, low), set(6, high));
        let state = run(&[
            "UIMAD.WIDE.X.U32 UR[8:9], UP0, UR2, UR3, UR[4:5]",
            "UIMAD.WIDE.X.U32 UR[10:11], UP1, URZ, URZ, UR[6:7], UP0",
        ], &inputs);
        let sum = (u128::from(high) << 64 | u128::from(low)).overflowing_add(u128::from(a) * u128::from(b));
        prop_assert_eq!(u128::from(pair(&state, 10)) << 64 | u128::from(pair(&state, 8)), sum.0);
        prop_assert_eq!(predicate(&state, 1), sum.1);
    }

    #[test]
    fn addresses_of_two_words(a in wide(), base in wide(), s in 0u32..32) {
        let inputs = format!("{} {}", set(2, a), set(4, base));
        let low = format!("ULEA UR8, UP0, UR2, UR4, {s:#x}");
        let state = run(&[&low, &format!("ULEA.HI.X UR9, UR2, UR5, UR3, {s:#x}, UP0")], &inputs);
        prop_assert_eq!(pair(&state, 8), (a << s).wrapping_add(base));
        let extended = i64::from(a as u32 as i32) as u64;
        let state = run(&[&low, &format!("ULEA.HI.X.SX32 UR9, UR2, UR5, {s:#x}, UP0")], &inputs);
        prop_assert_eq!(pair(&state, 8), (extended << s).wrapping_add(base));
    }

    #[test]
    fn addresses_below(a in wide(), base in wide(), s in 0u32..32) {
        let inputs = format!("{} {}", set(2, a), set(4, base));
        let low = format!("ULEA UR8, UP0, -UR2, UR4, {s:#x}");
        let state = run(&[&low, &format!("ULEA.HI.X UR9, ~UR2, UR5, UR3, {s:#x}, UP0")], &inputs);
        prop_assert_eq!(pair(&state, 8), base.wrapping_sub(a << s));
        let extended = i64::from(a as u32 as i32) as u64;
        let state = run(&[&low, &format!("ULEA.HI.X.SX32 UR9, ~UR2, UR5, {s:#x}, UP0")], &inputs);
        prop_assert_eq!(pair(&state, 8), base.wrapping_sub(extended << s));
    }

    #[test]
    fn comparisons_of_two_words(a in wide(), b in wide(), operation in 0usize..6, signed: bool) {
        let name = ["EQ", "NE", "LT", "LE", "GT", "GE"][operation];
        let high = if signed { "S32" } else { "U32" };
        let inputs = format!("{} {}", set(2, a), set(4, b));
        let state = run(&[
            &format!("UISETP.{name}.AND.U32 UP0, UR2, UR4, UPT"),
            &format!("UISETP.{name}.AND.{high}.X UP0, UP1, UR3, UR5, UPT, UP0"),
        ], &inputs);
        let order = if signed { (a as i64).cmp(&(b as i64)) } else { a.cmp(&b) };
        let expected = [order.is_eq(), order.is_ne(), order.is_lt(), order.is_le(), order.is_gt(), order.is_ge()];
        prop_assert_eq!((predicate(&state, 0), predicate(&state, 1)), (expected[operation], !expected[operation]));
    }

    #[test]
    fn shifts_of_two_words(a in wide(), amount in 0u32..=80, right: bool, signed: bool) {
        let ty = if signed { "S64" } else { "U64" };
        let direction = if right { "R" } else { "L" };
        let inputs = format!("{} UR4={amount:#x}", set(2, a));
        let state = run(&[
            &format!("USHF.{direction}.{ty} UR8, UR2, UR4, UR3"),
            &format!("USHF.{direction}.HI.{ty} UR9, UR2, UR4, UR3"),
        ], &inputs);
        let places = amount.min(63);
        let expected = match (right, signed) {
            (false, _) => a.checked_shl(amount).unwrap_or(0),
            (true, false) => a.checked_shr(amount).unwrap_or(0),
            (true, true) => (a as i64 >> places) as u64,
        };
        prop_assert_eq!(pair(&state, 8), expected);
    }

    /// BFN gives its first input the weight 1, and ULOP3 gives it the weight 4. So the two tables
    /// have the same bits in different orders. UPLOP3 must give the same result for each bit.
    #[test]
    fn one_function_three_ways(words: [u32; 3], table: u8, bit in 0u32..32) {
        let [a, b, c] = words;
        let swapped = (0..8).fold(0, |swapped, row: u32| {
            let other = (row & 1) << 2 | row & 2 | row >> 2;
            swapped | u32::from(table >> row & 1) << other
        });
        let outcome = |text: &str, inputs: &str| outcome_of(&Readings::INTENDED, &assembled(text), &lane(inputs), 0);
        let bfn = outcome(
            &format!("BFN.x{table:02x}.UD (1) V0 V1 V2 V3"),
            &format!("EM=1 V1.chan0={a:#x} V2.chan0={b:#x} V3.chan0={c:#x}"),
        );
        let ulop3 = run(&[&format!("ULOP3 UR0, UR1, UR2, UR3, {swapped:#x}, !UPT")], &format!("UR1={a:#x} UR2={b:#x} UR3={c:#x}"));
        let result = word(&ulop3, 0);
        prop_assert_eq!(bfn, format!("V0.chan0={result:#x}"));
        let [a, b, c] = words.map(|word| word >> bit & 1);
        let uplop3 = run(&[&format!("UPLOP3 UP0, UP1, UP2, UP3, {swapped:#x}")], &format!("UP1={a} UP2={b} UP3={c}"));
        prop_assert_eq!(predicate(&uplop3, 0), result >> bit & 1 == 1);
    }

    /// UP2UR restores the byte that UR2UP took apart, except its last bit, which is always 1.
    #[test]
    fn predicates_there_and_back(byte: u8, place in 0usize..4) {
        let value = u32::from(byte) << (8 * place);
        let program = [format!("UR2UP UPR, UR1.B{place}, 0xff"), format!("UP2UR.B{place} UR2, UPR, URZ, 0xff")];
        let program = program.each_ref().map(String::as_str);
        let before = (0..7).fold(format!("UR1={value:#x} UR2=0x0"), |text, i| text + &format!(" UP{i}={}", i % 2));
        let expected = u32::from(byte | 0x80) << (8 * place);
        prop_assert_eq!(word(&run(&program, &before), 2), expected);
    }
}
