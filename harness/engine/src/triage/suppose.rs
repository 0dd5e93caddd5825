//! What a subject may be doing instead: another instruction that differs in one thing, or another reading.
//!
//! Most faults of a decoder, and many of an execution unit, amount to that: .RP is executed as .RZ, a sign is not
//! changed, the guard counts for nothing, two operands are exchanged, or the documents were read in another way. What
//! comes of each supposition the oracle knows, so that it can be tried on as many values as it takes.

use std::fmt;

use assay_isa::readings::SWITCHES;
use assay_isa::row::{Field, FieldType};
use assay_isa::{Erratum, Instruction, Readings, legality};

/// What a subject may be doing instead.
#[derive(Clone, Debug, PartialEq)]
pub enum Supposition {
    /// It executes another instruction.
    Instruction {
        /// Which.
        instruction: Instruction,
        /// What is other about it.
        change: Change,
    },
    /// It follows another setting of an erratum.
    Reading(Erratum, u8),
}

impl Supposition {
    /// Whether it supposes the same of another instruction.
    pub fn is_like(&self, other: &Supposition) -> bool {
        match (self, other) {
            (Supposition::Instruction { change: a, .. }, Supposition::Instruction { change: b, .. }) => {
                a == b
            }
            _ => self == other,
        }
    }
}

/// In what one instruction differs from another. Names are those of fields and operands.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// An enumerated field has another value.
    Value {
        /// The field.
        field: &'static str,
        /// What the instruction says.
        said: &'static str,
        /// What is executed.
        done: &'static str,
    },
    /// A flag of an operand, such as its sign, is taken to be off.
    Ignored(&'static str),
    /// A flag of an operand is taken to be on.
    Assumed(&'static str),
    /// The guard is taken to be true.
    Unguarded,
    /// An operand is taken for another.
    TakenFor(&'static str, &'static str),
    /// Two operands are exchanged.
    Exchanged(&'static str, &'static str),
    /// The register behind that of an operand is taken.
    Next(&'static str),
    /// A literal becomes another.
    Literal {
        /// The operand.
        operand: &'static str,
        /// What becomes of it.
        mistake: &'static str,
    },
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Value { field, said, done } => write!(f, "{field} {said} acts as {done}"),
            Change::Ignored(flag) => write!(f, "{flag} is ignored"),
            Change::Assumed(flag) => write!(f, "{flag} is assumed"),
            Change::Unguarded => write!(f, "the guard is ignored"),
            Change::TakenFor(operand, other) => write!(f, "{operand} is taken from {other}"),
            Change::Exchanged(one, other) => write!(f, "{one} and {other} are exchanged"),
            Change::Literal { operand, mistake } => write!(f, "the literal of {operand} is {mistake}"),
            Change::Next(operand) => write!(f, "{operand} is the register behind"),
        }
    }
}

impl fmt::Display for Supposition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Supposition::Instruction { change, .. } => change.fmt(f),
            Supposition::Reading(erratum, setting) => write!(f, "acts under {erratum}={setting}"),
        }
    }
}

/// Everything that can be supposed of an instruction, the likeliest first.
pub fn suppositions(instruction: &Instruction, readings: &Readings) -> Vec<Supposition> {
    let readings = settings(instruction, readings);
    let mut all: Vec<_> = readings.map(|(erratum, setting)| Supposition::Reading(erratum, setting)).collect();
    let operands = literals(instruction).chain(registers(instruction));
    let changes = values(instruction).chain(unguarded(instruction)).chain(operands);
    for (other, change) in changes {
        if other != *instruction && legality::check(&other).is_ok() {
            all.push(Supposition::Instruction { instruction: other, change });
        }
    }
    all
}

type Changed = (Instruction, Change);

fn unguarded(instruction: &Instruction) -> Option<Changed> {
    let guard = instruction.form().guard();
    let field = instruction.form().field(guard)?;
    let (_, constant) = field.ty.idle()?;
    let mut other = instruction.clone();
    other.set(guard, constant);
    let not = format!("{guard}.not");
    if other.get(&not).is_some() {
        other.set(&not, 0);
    }
    Some((other, Change::Unguarded))
}

/// Each enumerated field with each other value.
fn values(instruction: &Instruction) -> impl Iterator<Item = Changed> + '_ {
    let fields = instruction.form().fields.iter().zip(instruction.values()).enumerate();
    fields.filter(|(_, (field, _))| field.constraint.is_none()).flat_map(move |(place, (field, value))| {
        let list = if let FieldType::Enum(e) = field.ty { e.values } else { &[] };
        let others = (0..list.len()).filter(move |other| *other != *value as usize);
        others.map(move |done| {
            let mut other = instruction.clone();
            other.set_at(place, done as u32);
            (other, named(field, list, *value as usize, done))
        })
    })
}

fn named(field: &Field, values: &[&'static str], said: usize, done: usize) -> Change {
    let is_flag = field.attribute().is_some() && values.len() == 2;
    match (is_flag && field.attribute() != Some("hsel"), said) {
        (true, 0) => Change::Assumed(field.name),
        (true, _) => Change::Ignored(field.name),
        (false, _) => Change::Value { field: field.name, said: values[said], done: values[done] },
    }
}

/// What can become of a literal, in words and in bits.
type Slip = (&'static str, fn(u32) -> u32);

/// Each literal of 32 bits as a slip would have it.
fn literals(instruction: &Instruction) -> impl Iterator<Item = Changed> + '_ {
    let slips: [Slip; 4] = [
        ("taken with its halves exchanged", |bits| bits.rotate_left(16)),
        ("taken with its bytes reversed", u32::swap_bytes),
        ("cut to 16 bits and a sign", |bits| bits as u16 as i16 as u32),
        ("cut to 16 bits", |bits| bits & 0xffff),
    ];
    let fields = instruction.form().fields.iter().zip(instruction.values()).enumerate();
    let wide = fields.filter(|(_, (field, _))| field.ty.is_literal() && field.width == 32);
    wide.flat_map(move |(place, (field, bits))| {
        slips.into_iter().map(move |(mistake, slip)| {
            let mut other = instruction.clone();
            other.set_at(place, slip(*bits));
            (other, Change::Literal { operand: field.name, mistake })
        })
    })
}

/// Each register operand in the place of another of its type, exchanged with it, or one further.
fn registers(instruction: &Instruction) -> Vec<Changed> {
    let form = instruction.form();
    let is_register =
        |ty| matches!(ty, FieldType::Reg | FieldType::UReg | FieldType::Pred | FieldType::UPred);
    let operands: Vec<(&'static str, FieldType, u32)> = form
        .order
        .iter()
        .filter_map(|name| Some((*name, form.field(name)?.ty, instruction.get(name)?)))
        .filter(|(_, ty, _)| is_register(*ty))
        .collect();
    let mut changed = Vec::new();
    let mut with = |numbers: &[(&'static str, u32)], change: Change| {
        let mut other = instruction.clone();
        numbers.iter().for_each(|(name, number)| other.set(name, *number));
        changed.push((other, change));
    };
    for (place, (name, ty, number)) in operands.iter().enumerate() {
        for (other, _, its) in operands[..place].iter().filter(|(_, its, _)| its == ty) {
            with(&[(name, *its), (other, *number)], Change::Exchanged(other, name));
            with(&[(name, *its)], Change::TakenFor(name, other));
            with(&[(other, *number)], Change::TakenFor(other, name));
        }
        if ty.idle().is_some_and(|(_, last)| number + 1 < last) {
            with(&[(name, number + 1)], Change::Next(name));
        }
    }
    changed
}

/// Each other setting of each erratum that touches the optype.
pub fn settings<'a>(
    instruction: &'a Instruction,
    readings: &'a Readings,
) -> impl Iterator<Item = (Erratum, u8)> + use<'a> {
    let touching = SWITCHES.iter().filter(|switch| switch.optypes.contains(&instruction.optype()));
    touching.flat_map(move |switch| {
        let now = readings.setting(switch.erratum);
        let others = (1..=switch.settings.len() as u8).filter(move |setting| Some(*setting) != now);
        others.map(|setting| (switch.erratum, setting))
    })
}
