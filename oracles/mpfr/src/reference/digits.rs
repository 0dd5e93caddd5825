//! Logic by truth table, shifts, permutes and predicates as a byte: on the digits of numbers.

use assay_isa::{Erratum, Reading, Source};
use rug::Integer;
use rug::integer::Order;

use super::machine::{LaneError, Machine, modulo, signed};

const SECOND: &[&str] = &["urb", "vb"];
const THIRD: &[&str] = &["urc", "vc"];

/// Returns the number with these bits, the lowest first.
fn number(bits: impl Iterator<Item = bool>) -> Integer {
    bits.zip(0..).map(|(bit, i)| Integer::from(bit) << i).sum()
}

/// Returns the bit of a table that three inputs select. The first input has the greatest or the least weight.
fn look_up(table: &Integer, inputs: [bool; 3], first_counts_most: bool) -> bool {
    let digits = |bits: [bool; 3]| bits.iter().fold(0, |row, bit| 2 * row + u32::from(*bit));
    let [a, b, c] = inputs;
    table.get_bit(digits(if first_counts_most { [a, b, c] } else { [c, b, a] }))
}

pub fn ulop3(machine: &mut Machine) {
    let words = [&["ura"][..], SECOND, THIRD].map(|names| machine.get(names));
    let (table, most) = (machine.get(&["lut"]), machine.is(Reading::E148, 1));
    let inputs = |i| [0, 1, 2].map(|word: usize| words[word].get_bit(i));
    let result = number((0..32).map(|i| look_up(&table, inputs(i), most)));
    machine.write("urd", &result, 1);
    let (any, upp) = (result != 0, machine.holds("upp"));
    machine.tell("upu", if machine.has("exbool", "PAND") { any & upp } else { any | upp });
}

pub fn uplop3(machine: &mut Machine) {
    let inputs = ["upa", "upb", "upc"].map(|name| machine.holds(name));
    let result = look_up(&machine.get(&["lut"]), inputs, machine.is(Reading::E148, 1));
    machine.tell("upu", result);
}

pub fn ushf(machine: &mut Machine) {
    let (a, c) = (machine.get(&["ura"]), machine.get(THIRD));
    let amount = machine.get(SECOND).to_u32().unwrap();
    let [s32, s64, u64] = ["S32", "S64", "U64"].map(|name| machine.has("itype", name));
    let width = if s64 || u64 { 64 } else { 32 };
    let places = match machine.has("cwmod", "WRAP") {
        true if amount == width && machine.is(Reading::E151, 1) => width,
        true => amount % width,
        false => amount.min(width),
    };
    let t = match (machine.has("direction", "R"), c << 32 | &a) {
        (false, pair) if places == 64 && machine.is(Reading::E153, 1) => pair,
        (false, pair) => pair << places,
        (true, _) if s32 && machine.is(Reading::E152, 2) => signed(a, 32) >> places,
        (true, pair) if s32 || s64 => signed(pair, 64) >> places,
        (true, pair) => pair >> places,
    };
    machine.write("urd", &if machine.has("lohi", "HI") { t >> 32 } else { t }, 1);
}

pub fn uprmt(machine: &mut Machine) {
    let (b, c) = (machine.get(SECOND), machine.get(THIRD));
    let (high, selector) = if machine.is(Reading::E160, 1) { (b, c) } else { (c, b) };
    let low = match machine.get(&["ura"]) {
        x if machine.is(Reading::E159, 1) => modulo(signed(x, 32), 64),
        x => x,
    };
    let pair: Integer = (high << 32) | low;
    let mut bytes = pair.to_digits::<u8>(Order::Lsf);
    bytes.resize(8, 0);
    let selector = selector.to_u32().unwrap();
    let mode = machine.name("mode");
    let one = (selector % 4) as usize;
    let same = machine.is(Reading::E158, 1);
    let numbers: [usize; 4] = match mode {
        "IDX" => [0, 4, 8, 12].map(|place| (selector >> place) as usize % 16),
        _ if same => [one; 4],
        "F4E" => [[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5, 6]][one],
        "B4E" => [[0, 7, 6, 5], [1, 0, 7, 6], [2, 1, 0, 7], [3, 2, 1, 0]][one],
        "RC8" => [one; 4],
        "ECL" => [[0, 1, 2, 3], [1, 1, 2, 3], [2, 2, 2, 3], [3, 3, 3, 3]][one],
        "ECR" => [[0, 0, 0, 0], [0, 1, 1, 1], [0, 1, 2, 2], [0, 1, 2, 3]][one],
        "RC16" => [[0, 1, 0, 1], [2, 3, 2, 3], [0, 1, 0, 1], [2, 3, 2, 3]][one],
        other => panic!("{other} is no mode"),
    };
    let signs = machine.is(Reading::E157, 2);
    let picked = numbers.map(|number| match bytes[number % 8] {
        byte if number >= 8 && signs => (byte as i8 >> 7) as u8,
        byte => byte,
    });
    machine.write("urd", &Integer::from_digits(&picked, Order::Lsf), 1);
}

/// Returns the predicates as bits, UPT last.
fn predicates(machine: &Machine) -> Vec<bool> {
    let upr = machine.instruction.operand("UPR");
    (0..8).map(|i| machine.word(upr, i) == 1).collect()
}

/// Returns the number of the byte that a suffix names.
fn byte(name: &str) -> usize {
    ["B0", "B1", "B2", "B3"].iter().position(|byte| *byte == name).unwrap()
}

pub fn up2ur(machine: &mut Machine) {
    let (a, mask) = (machine.get(&["ura"]), machine.get(SECOND));
    let others = match () {
        () if machine.is(Reading::E135, 1) => machine.get(&["urd"]),
        () if machine.is(Reading::E135, 2) => a.clone(),
        () => Integer::new(),
    };
    let mut upr = number(predicates(machine).into_iter());
    if machine.is(Reading::C008, 2) {
        upr.set_bit(7, false);
    }
    let mut bytes = others.to_digits::<u8>(Order::Lsf);
    bytes.resize(4, 0);
    let place = byte(machine.name("bsel"));
    let own = modulo(a >> (8 * place as u32), 8);
    let mask = modulo(mask, 8);
    bytes[place] = ((Integer::from(&mask & &upr)) | (own & complement(&mask))).to_u8().unwrap();
    machine.write("urd", &Integer::from_digits(&bytes, Order::Lsf), 1);
}

fn complement(mask: &Integer) -> Integer {
    Integer::from(255) - mask
}

pub fn ur2up(machine: &mut Machine) {
    let (a, mask) = (machine.get(&["ura"]), modulo(machine.get(SECOND), 8));
    let place = byte(machine.name("ura.bsel"));
    let chosen = a >> (8 * place as u32);
    let others = if machine.is(Reading::E139, 1) {
        Integer::new()
    } else {
        number(predicates(machine).into_iter()) & complement(&mask)
    };
    let upr = (chosen & mask) | others;
    for (location, i) in machine.instruction.operand("UPR").locations().zip(0..) {
        machine.after.insert(location, upr.get_bit(i).into());
    }
}

pub fn bfn(machine: &mut Machine) -> Result<(), LaneError> {
    let name = |field| machine.name(field);
    let (mask, size): (&str, u32) = (name("mask"), name("size").parse().unwrap());
    let k: u32 = mask[1..2].parse().unwrap();
    let unmasked = mask.ends_with("_NM");
    let encoded = (16 * (k - 1 + if unmasked { 8 } else { 0 })) + size.ilog2();
    let times = if machine.is(Reading::E081, 1) { encoded } else { size };
    if times > size {
        return Err(LaneError::Undefined(Erratum(81)));
    }
    let first = (k - 1) * if machine.is(Reading::E085, 2) { size } else { 4 };
    if first + size > 32 {
        return Err(LaneError::Undefined(Erratum(85)));
    }
    let ty = name("type");
    let by_sign = match (machine.is(Reading::E087, 1), machine.is(Reading::E087, 2)) {
        (true, _) => false,
        (_, true) => true,
        _ => ty == "D",
    };
    let extended = |literal: u32| match Integer::from(literal) {
        literal if by_sign => signed(literal, 16),
        literal => literal,
    };
    let bits = if ty.ends_with('D') { 32 } else { 16 };
    let (table, pred) = (machine.get(&["ctrl"]), machine.operand(&["pred"]));
    for i in 0..times {
        let enabled = unmasked || machine.get(&["EM"]).get_bit(first + i);
        let predicated = machine.is(Reading::E084, 2)
            || pred.source.location().is_none()
            || machine.word(pred, 0).get_bit(first + i) != pred.not;
        if !enabled || !predicated {
            continue;
        }
        let words = ["src0", "src1", "src2"].map(|name| {
            let operand = machine.operand(&[name]);
            match operand.source {
                Source::Imm(literal) => extended(literal),
                _ => machine.word(operand, i as u8),
            }
        });
        let inputs = |place| [0, 1, 2].map(|word: usize| words[word].get_bit(place));
        let result = number((0..bits).map(|place| look_up(&table, inputs(place), false)));
        let location = machine.operand(&["dst"]).word(i as u8).unwrap();
        machine.after.insert(location, result.to_u32().unwrap());
    }
    Ok(())
}
