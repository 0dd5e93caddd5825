//! The instructions from which a run draws, and how an instruction is drawn.

use std::sync::LazyLock;

use arbitrary::{Result, Unstructured};
use assay_isa::legalize::legalize;
use assay_isa::location::{BANK_BYTES, BANKS, NO_FLAGS, PT, RZ, URZ, VARIABLES};
use assay_isa::row::{Field, FieldType};
use assay_isa::{Instruction, catalog, legality, lint};

use super::classes::ValueDistribution;
use super::ends;
use crate::operands::operand_kinds::OperandKind;

/// The modes that a run draws from: legal combinations of form and modifiers, grouped by optype.
///
/// Each optype is equally likely, and each mode of an optype is equally likely.
#[derive(Clone, Debug)]
pub struct Scope {
    optypes: Vec<(&'static str, Vec<Instruction>)>,
}

impl Scope {
    /// Every legal mode of every form.
    pub fn everything() -> &'static Scope {
        static SCOPE: LazyLock<Scope> = LazyLock::new(|| Scope::filtered(|_| true));
        &SCOPE
    }

    /// The legal modes that satisfy a predicate.
    pub fn filtered(keep: impl Fn(&Instruction) -> bool) -> Scope {
        let mut optypes: Vec<(&'static str, Vec<Instruction>)> = Vec::new();
        for form in &catalog().forms {
            let modes = lint::combinations(form).filter(|i| legality::check(i).is_ok() && keep(i));
            match optypes.last_mut().filter(|(name, _)| *name == form.optype.name) {
                Some((_, list)) => list.extend(modes),
                None => optypes.push((form.optype.name, modes.collect())),
            }
        }
        optypes.retain(|(_, modes)| !modes.is_empty());
        Scope { optypes }
    }

    /// The modes of this scope that satisfy a predicate.
    pub fn narrowed(&self, keep: impl Fn(&Instruction) -> bool) -> Scope {
        let kept = |modes: &[Instruction]| modes.iter().filter(|mode| keep(mode)).cloned().collect();
        let mut optypes: Vec<(&'static str, Vec<Instruction>)> =
            self.optypes.iter().map(|(name, modes)| (*name, kept(modes))).collect();
        optypes.retain(|(_, modes)| !modes.is_empty());
        Scope { optypes }
    }

    /// Whether no mode is left.
    pub fn is_empty(&self) -> bool {
        self.optypes.is_empty()
    }

    /// Returns the modes, with operands at their defaults.
    pub fn modes(&self) -> impl Iterator<Item = &Instruction> {
        self.optypes.iter().flat_map(|(_, modes)| modes)
    }

    /// Draws a mode and its operands. The scope must not be empty.
    pub fn instruction(&self, u: &mut Unstructured<'_>) -> Result<Instruction> {
        let (_, modes) = &self.optypes[u.choose_index(self.optypes.len())?];
        self.with_operands(&modes[u.choose_index(modes.len())?], u)
    }

    /// Draws operands for a mode.
    pub fn with_operands(&self, mode: &Instruction, u: &mut Unstructured<'_>) -> Result<Instruction> {
        let mut instruction = mode.clone();
        let form = instruction.form();
        let mut registers = [Vec::new(), Vec::new()];
        for (position, field) in form.fields.iter().enumerate() {
            if !form.is_operand(field) || !legality::permits(&instruction, field.name) {
                continue;
            }
            let value = value_of_field(&instruction, position, u, &mut registers)?;
            instruction.set_at(position, value);
        }
        if u.ratio(1, 8)? {
            instruction.schedule = u.arbitrary()?;
        }
        Ok(instruction)
    }
}

/// Draws a value for an operand's field. If the field has ends, about one value in eight is at an
/// end of its range. `registers` are the general and uniform registers that the instruction already
/// names.
pub fn value_of_field(
    instruction: &Instruction,
    position: usize,
    u: &mut Unstructured<'_>,
    registers: &mut [Vec<u32>; 2],
) -> Result<u32> {
    let form = instruction.form();
    let field = &form.fields[position];
    if field.operand() == form.guard() {
        return Ok(legalize(instruction, position, guard(u, field)?));
    }
    let value = operand(u, field, OperandKind::of(instruction, field.operand()), registers)?;
    let value = legalize(instruction, position, value);
    let ends = ends::names(field).len();
    if ends == 0 || !u.ratio(1, 8)? {
        return Ok(value);
    }
    let mut drawn = instruction.clone();
    drawn.set_at(position, value);
    Ok(ends::value(&drawn, position, u.choose_index(ends)?))
}

/// Draws a field of the guard. Seven in eight have the default: PT, or no negation. The other draws
/// give any predicate, or a negation. A negated PT is never true.
fn guard(u: &mut Unstructured<'_>, field: &Field) -> Result<u32> {
    let plain = u.ratio(7, 8)?;
    Ok(match field.ty {
        FieldType::Pred | FieldType::UPred if plain => u32::from(PT),
        FieldType::Pred | FieldType::UPred => u.int_in_range(0..=u32::from(PT))?,
        _ => u32::from(!plain),
    })
}

fn operand(
    u: &mut Unstructured<'_>,
    field: &Field,
    kind: OperandKind,
    [general, uniform]: &mut [Vec<u32>; 2],
) -> Result<u32> {
    Ok(match field.ty {
        FieldType::Reg => register(u, RZ, general)?,
        FieldType::UReg => register(u, URZ, uniform)?,
        FieldType::Pred | FieldType::UPred => predicate(u)?,
        FieldType::Flags if u.ratio(1, 2)? => u32::from(NO_FLAGS),
        FieldType::Flags | FieldType::SReg | FieldType::SImm7 => u.arbitrary()?,
        FieldType::Variable => register(u, VARIABLES, general)? % u32::from(VARIABLES),
        FieldType::VecOperand if u.ratio(1, 4)? => 1 << 16 | u.arbitrary::<u32>()?,
        FieldType::VecOperand => register(u, VARIABLES, general)? % u32::from(VARIABLES),
        FieldType::UImm(width @ ..32) => narrow(u, width)?,
        FieldType::CMem => {
            let bank = u.int_in_range(0..=BANKS - 1)?;
            bank * BANK_BYTES + u.int_in_range(0..=BANK_BYTES / 4 - 1)? * 4
        }
        FieldType::F32Imm | FieldType::SImm32 | FieldType::UImm(_) => {
            ValueDistribution::of(kind).draw_evenly(u.arbitrary()?, u.arbitrary()?)
        }
        FieldType::Enum(e) => u.int_in_range(0..=e.values.len() as u32 - 1)?,
    })
}

/// Draws a literal of fewer than 32 bits. 0, all ones and single bits are more frequent than by
/// chance.
fn narrow(u: &mut Unstructured<'_>, width: u8) -> Result<u32> {
    let all = (1 << width) - 1;
    Ok(match u.int_in_range(0..=7)? {
        0 => 0,
        1 => all,
        2 => 1 << u.int_in_range(0..=width - 1)?,
        _ => u.arbitrary::<u32>()? & all,
    })
}

/// Draws a predicate. One in four is PT, which is always true and discards writes. So every
/// campaign has PT and other predicates.
fn predicate(u: &mut Unstructured<'_>) -> Result<u32> {
    Ok(if u.ratio(1, 4)? { u32::from(PT) } else { u.int_in_range(0..=u32::from(PT) - 1)? })
}

/// Draws a register. Of sixteen draws, one gives the zero register, three repeat the register drawn
/// last, and two repeat any drawn register. So two inputs are often one register.
fn register(u: &mut Unstructured<'_>, zero: u8, used: &mut Vec<u32>) -> Result<u32> {
    let how = u.arbitrary::<u8>()? % 16;
    let number = match how {
        0 => u32::from(zero),
        1..=3 if !used.is_empty() => used[used.len() - 1],
        4..=5 if !used.is_empty() => used[u.choose_index(used.len())?],
        _ => u.int_in_range(0..=u32::from(zero) - 1)?,
    };
    used.push(number);
    Ok(number)
}
