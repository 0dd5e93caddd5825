//! Copies, locations that depend on a value, conversions, and events.

use std::sync::LazyLock;

use assay_isa::effect::{Action, Fault};
use assay_isa::{Event, Location, Reading, Source};
use rug::Integer;
use rug::integer::Order;

use super::machine::{LaneError, Machine, modulo, signed};

/// Copies the source to the destination, word for word.
pub fn copy(machine: &mut Machine, to: &str, from: &[&str]) {
    let (value, words) = (machine.plain(machine.operand(from)), machine.operand(&[to]).words);
    machine.write(to, &value, words);
}

pub fn usel(machine: &mut Machine) {
    let value = machine.get(if machine.holds("upp") { &["ura"] } else { &["urb", "vb"] });
    machine.write("urd", &value, 1);
}

/// Returns the sum of a uniform register and an offset of `bits` bits.
fn sum(machine: &Machine, base: u8, offset: u32, bits: u32) -> u32 {
    let base = Source::UReg(base).location().map_or(0, |location| machine.at(location));
    modulo(signed(Integer::from(offset), bits) + base, 32).to_u32().unwrap()
}

pub fn uldc(machine: &mut Machine) -> Result<(), LaneError> {
    let Source::ConstAt { bank, base, offset } = machine.operand(&["C[vb, ura]"]).source else {
        panic!("a constant at an address")
    };
    let mut address = sum(machine, base, offset, 17);
    let dtype = machine.name("dtype");
    let one_bit = dtype.ends_with("16") && machine.is(Reading::E092, 1);
    let bits = match dtype.trim_start_matches(['S', 'U']).parse().unwrap() {
        16 if one_bit => 8,
        128 if machine.is(Reading::E093, 1) => 32,
        bits => bits,
    };
    let bytes = bits / 8;
    if machine.is(Reading::E096, 2) && !address.is_multiple_of(bytes) {
        return Err(LaneError::Fault(Fault::Misaligned));
    }
    if machine.is(Reading::E096, 3) {
        address = address / bytes * bytes;
    }
    let places = u64::from(address)..u64::from(address) + u64::from(bytes);
    if places.end > 1 << 17 {
        return Err(LaneError::Fault(Fault::BeyondBank));
    }
    let byte = |address: u64| {
        let word = Location::C { bank, offset: address as u32 / 4 * 4 };
        machine.at(word).to_le_bytes()[address as usize % 4]
    };
    let value = Integer::from_digits(&places.map(byte).collect::<Vec<u8>>(), Order::Lsf);
    let bits = if one_bit { 1 } else { bits };
    let value = if dtype.starts_with('S') { signed(value, bits) } else { modulo(value, bits) };
    machine.write("urd", &value, bits.div_ceil(32) as u8);
    Ok(())
}

/// Returns the uniform register that an index names.
fn indexed(machine: &Machine) -> Result<Option<Location>, LaneError> {
    let Source::URegAt { base, offset } = machine.operand(&["UR[urb, uridx]"]).source else {
        panic!("an index")
    };
    match sum(machine, base, offset, 7) {
        index if index > 63 && machine.is(Reading::E165, 1) => Err(LaneError::Fault(Fault::RegisterIndex)),
        index => Ok(Source::UReg((index % 64) as u8).location()),
    }
}

pub fn getugpr(machine: &mut Machine) -> Result<(), LaneError> {
    let value = indexed(machine)?.map_or(0, |location| machine.at(location));
    machine.write("urd", &Integer::from(value), 1);
    Ok(())
}

pub fn setugpr(machine: &mut Machine) -> Result<(), LaneError> {
    let value = machine.get(&["ura"]).to_u32().unwrap();
    if let Some(location) = indexed(machine)? {
        machine.after.insert(location, value);
    }
    Ok(())
}

const ADDRESS: &[&str] = &["regaddr", "rb", "urb"];

pub fn getreg(machine: &mut Machine) {
    let address = machine.get(ADDRESS).to_u32().unwrap();
    let value = Integer::from(machine.at(Location::G(address)));
    machine.write("rd", &value, 1);
}

pub fn setreg(machine: &mut Machine) {
    let (address, value) = (machine.get(ADDRESS), machine.get(&["ra"]));
    machine.after.insert(Location::G(address.to_u32().unwrap()), value.to_u32().unwrap());
}

/// The magnitude of each pattern of F16, and the power of two above them.
static HALVES: LazyLock<Vec<f64>> = LazyLock::new(|| {
    let value = |pattern: u16| match (pattern >> 10, f64::from(pattern & 0x3ff)) {
        (0, fraction) => fraction * 2f64.powi(-24),
        (field, fraction) => (1024.0 + fraction) * 2f64.powi(i32::from(field) - 25),
    };
    (0..=0x7c00).map(value).collect()
});

/// Returns the F16 nearest to an F32: one of its magnitude's two neighbours, whose midpoint is exact in a
/// double.
fn half(bits: u32, of_nan: u8) -> u16 {
    let number = f64::from(f32::from_bits(bits));
    // The sign comes from `bits`: a conversion to `number` need not keep the sign of a NaN.
    let sign = (bits >> 31 << 15) as u16;
    if number.is_nan() {
        return match of_nan {
            1 => 0x7fff,
            2 => 0x7e00,
            _ => sign | 0x7e00 | (bits >> 13) as u16 & 0x01ff,
        };
    }
    let magnitude = number.abs().min(65536.0);
    let above = HALVES.partition_point(|value| *value < magnitude);
    let nearest = match above.checked_sub(1) {
        None => above,
        Some(below) => match magnitude - (HALVES[below] + HALVES[above]) / 2.0 {
            distance if distance < 0.0 => below,
            distance if distance > 0.0 => above,
            _ => below + below % 2,
        },
    };
    sign | nearest as u16
}

pub fn uf2fp(machine: &mut Machine) {
    let of_nan =
        (1..=3).find(|setting| machine.is(Reading::C006, *setting)).expect("C006 has three settings");
    let [a, b] =
        [&["ura"][..], &["urb", "vb"]].map(|names| half(machine.get(names).to_u32().unwrap(), of_nan));
    machine.write("urd", &Integer::from(u32::from(a) << 16 | u32::from(b)), 1);
}

pub fn event(machine: &mut Machine) {
    let word = |names: &[&str]| machine.get(names).to_u32().unwrap();
    let action = match machine.instruction.optype() {
        "NOP" => Action::Nop,
        "IBBAR" => Action::InstructionBarrier,
        "PMTRIG" => Action::Trigger(word(&["vb"]) as u16),
        "SWITCH" => Action::Switch(word(&["rb", "vb", "hidx"])),
        "DEPBAR" => {
            Action::DependencyBarrier { scoreboard: word(&["sbid"]) as u8, count: word(&["cnt"]) as u8 }
        }
        other => panic!("{other} has no definition in oracles/mpfr/src/reference/execute.rs; add an arm"),
    };
    machine.event = Some(Event::Executed(action));
}
