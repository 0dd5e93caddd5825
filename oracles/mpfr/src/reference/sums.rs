//! Sums, products, addresses, extremes and comparisons of integers.

use assay_isa::{Erratum, Operand, Reading, Source};
use rug::Integer;

use super::machine::{LaneError, Machine, modulo, signed};

const SECOND: &[&str] = &["urb", "vb"];
const THIRD: &[&str] = &["urc", "vc"];

fn negated(x: Integer, bits: u32) -> Integer {
    modulo(-x, bits)
}

fn complemented(x: Integer, bits: u32) -> Integer {
    modulo(!x, bits)
}

/// Returns whether a sum carries: it reaches 2^`power`, or exceeds it.
fn carries(machine: &Machine, reading: Reading, sum: &Integer, power: u32) -> bool {
    let modulus = Integer::from(1) << power;
    if machine.is(reading, 1) { *sum > modulus } else { *sum >= modulus }
}

fn is_extended(machine: &Machine) -> bool {
    machine.has("ext", "X")
}

fn carry_in(machine: &Machine) -> Integer {
    Integer::from(is_extended(machine) && machine.holds("upp"))
}

/// Returns an operand with its prefix. A reading decides about the prefix in mode `.X`.
fn prefixed(machine: &Machine, operand: Operand, reading: Reading, bits: u32) -> Integer {
    let x = modulo(machine.plain(operand), bits);
    match operand.neg {
        false => x,
        true if is_extended(machine) && machine.is(reading, 2) => complemented(x, bits),
        true => negated(x, bits),
    }
}

/// Returns the value of a literal in a carry: signed, where the reading has it so.
fn in_carry(machine: &Machine, operand: Operand, value: Integer) -> Integer {
    let literal = matches!(operand.source, Source::Imm(_));
    if literal && machine.is(Reading::E100, 1) { signed(value, 32) } else { value }
}

pub fn uiadd(machine: &mut Machine) {
    let (a, b) = (machine.operand(&["ura"]), machine.operand(SECOND));
    let terms = |machine: &Machine| [a, b].map(|operand| prefixed(machine, operand, Reading::E099, 32));
    let upp = carry_in(machine);
    let [first, second] = terms(machine);
    machine.write("urd", &(first + second + &upp), 1);
    if is_extended(machine) {
        let [first, second] = terms(machine);
        let sum = first + in_carry(machine, b, second) + upp;
        let carry = carries(machine, Reading::E098, &sum, 32);
        machine.tell("upu", carry);
    }
}

/// Returns the product of the factors as integers of the type.
fn product(machine: &Machine) -> Integer {
    let factor = |names: &[&str]| match machine.get(names) {
        x if machine.has("itype", "S32") => signed(x, 32),
        x => x,
    };
    factor(&["ura"]) * factor(SECOND)
}

/// Returns the value of the third operand in a carry, in `bits` bits.
fn counted(machine: &Machine, bits: u32) -> Integer {
    let c = machine.operand(THIRD);
    let plain = modulo(machine.plain(c), bits);
    match () {
        () if !c.neg || is_extended(machine) || machine.is(Reading::E103, 2) => {
            in_carry(machine, c, prefixed(machine, c, Reading::E105, bits))
        }
        () if machine.is(Reading::E103, 1) => -plain,
        () => complemented(plain, bits) + 1,
    }
}

pub fn uimad(machine: &mut Machine) {
    let (t, upp) = (modulo(product(machine), 64), carry_in(machine));
    let c = prefixed(machine, machine.operand(THIRD), Reading::E105, 32);
    let high = is_extended(machine);
    let part = if high { Integer::from(&t >> 32) } else { modulo(t.clone(), 32) };
    let result = if high && machine.is(Reading::E104, 1) {
        let whole = if machine.has("itype", "S32") { signed(t, 64) } else { t };
        // The floor of the quotient. It no longer changes past the last bit.
        let places = Integer::from(32) + c + &upp;
        whole >> places.to_u32().unwrap_or(u32::MAX).min(1000)
    } else {
        c + &part + &upp
    };
    machine.write("urd", &result, 1);
    let sum = part + counted(machine, 32) + upp;
    let carry = carries(machine, Reading::E102, &sum, 32);
    machine.tell("upu", carry);
}

pub fn uimad_wide(machine: &mut Machine) {
    let narrow = machine.instruction.form().stype == "UUC" && machine.is(Reading::E111, 1);
    let (t, upp) = (product(machine), carry_in(machine));
    let narrowed = |mut operand: Operand| {
        operand.words = if narrow { 1 } else { 2 };
        operand
    };
    let third = |machine: &Machine| {
        let c = narrowed(machine.operand(THIRD));
        (machine.plain(c), c.neg)
    };
    let (plain, neg) = third(machine);
    let c = match neg {
        false => plain,
        true if is_extended(machine) && machine.is(Reading::E105, 2) => complemented(plain, 64),
        true => negated(plain, 64),
    };
    let power = if machine.is(Reading::E114, 1) { 0 } else { 64 };
    let result = modulo(Integer::from(&t + &c) + &upp, power);
    machine.write("urd", &result, if narrow { 1 } else { 2 });
    let (plain, neg) = third(machine);
    let c = match neg {
        false => plain,
        true if is_extended(machine) && machine.is(Reading::E105, 2) => complemented(plain, 64),
        true if is_extended(machine) || machine.is(Reading::E103, 2) => negated(plain, 64),
        true if machine.is(Reading::E103, 1) => -plain,
        true => complemented(plain, 64) + 1,
    };
    let t = if machine.is(Reading::E113, 1) { t } else { modulo(t, 64) };
    let carry = carries(machine, Reading::E112, &(t + c + upp), power);
    machine.tell("upu", carry);
}

pub fn uimul(machine: &mut Machine) {
    let b = machine.operand(SECOND);
    let signed_factors = machine.has("itype", "S32");
    let typed = |x| if signed_factors { signed(x, 32) } else { x };
    let (first, second) = (machine.get(&["ura"]), machine.plain(b));
    let t = match b.neg {
        true if machine.is(Reading::E118, 1) => typed(first) * typed(negated(second, 32)),
        true => -(typed(first) * typed(second)),
        false => typed(first) * typed(second),
    };
    machine.write("urd", &if machine.has("lohi", "HI") { t >> 32 } else { t }, 1);
}

pub fn ulea(machine: &mut Machine) {
    let a = machine.operand(&["ura"]);
    let (ura, urc) = (machine.plain(a), machine.get(&["urc"]));
    let base = machine.get(SECOND) + carry_in(machine);
    let amount = machine.get(&["shiftamt"]).to_u32().unwrap();
    let through = |x, bits| match a.neg {
        false => x,
        true if is_extended(machine) && machine.is(Reading::E126, 2) => complemented(x, bits),
        true => negated(x, bits),
    };
    let t = match () {
        () if machine.has("sx32", "SX32") => signed(through(ura.clone(), 32), 32) >> (32 - amount),
        () if is_extended(machine) => through((urc << 32) + &ura, 64) >> (32 - amount),
        () => through(ura.clone(), 32) << amount,
    };
    let subtracted = a.neg && !is_extended(machine) && machine.is(Reading::E127, 2);
    let address = match () {
        () if machine.is(Reading::E120, 1) => t & (base + u32::MAX),
        () if subtracted => complemented(modulo(ura << amount, 32), 32) + base + 1,
        () => modulo(t, 32) + base,
    };
    machine.write("urd", &address, 1);
    let carry = carries(machine, Reading::E119, &address, 32);
    machine.tell("upu", carry);
}

pub fn uiabs(machine: &mut Machine) {
    let result = match signed(machine.get(SECOND), 32).abs() {
        x if x == 1u32 << 31 && machine.is(Reading::E129, 2) => x - 1,
        x => x,
    };
    machine.write("urd", &result, 1);
}

pub fn uimnmx(machine: &mut Machine) -> Result<(), LaneError> {
    let patterns = [&["ura"][..], SECOND].map(|names| match machine.operand(names) {
        operand if operand.neg => negated(machine.plain(operand), 32),
        operand => machine.plain(operand),
    });
    let numbers = patterns.clone().map(|x| signed(x, 32));
    if machine.is(Reading::E134, 1) && patterns[0].cmp(&patterns[1]) != numbers[0].cmp(&numbers[1]) {
        return Err(LaneError::Undefined(Erratum(134)));
    }
    let mut sorted = if machine.has("itype", "S32") { numbers } else { patterns };
    sorted.sort();
    let place = if machine.holds("upp") { 0 } else { 1 };
    machine.write("urd", &sorted[place], 1);
    Ok(())
}

pub fn uisetp(machine: &mut Machine) {
    let [a, b] = [&["ura"][..], SECOND].map(|names| match machine.get(names) {
        x if machine.has("itype", "S32") => signed(x, 32),
        x => x,
    });
    let difference = a - b;
    let t = match machine.name("compop") {
        "EQ" => difference == 0,
        "NE" => difference != 0,
        "LT" => difference < 0,
        "LE" => difference <= 0,
        "GT" => difference > 0,
        "GE" => difference >= 0,
        other => panic!("{other} is no comparison"),
    };
    let by_upq = is_extended(machine) && difference == 0;
    let operation = machine.name("boolop");
    let logic = |x: bool, y: bool| match operation {
        "AND" => x & y,
        "OR" => x | y,
        "XOR" => x ^ y,
        other => panic!("{other} is no logic"),
    };
    let compared = |machine: &Machine| if by_upq { machine.holds("upq") } else { t };
    let upu = logic(compared(machine), machine.holds("upp"));
    machine.tell("upu", upu);
    let upv = logic(!compared(machine), machine.holds("upp"));
    machine.tell("upv", upv);
}
