//! The values of each class of operand values. Directed batches draw operands for the class of a
//! bin from them.

use assay_isa::Instruction;
use assay_isa::legalize::legalize;

use crate::generate::Scope;
use crate::generate::classes::ValueDistribution;
use crate::generate::domain::values;
use crate::generate::splitmix::Random;
use crate::operands::operand_kinds::OperandKind;

/// The listed values of each operand kind, by class.
pub(crate) struct Members(Vec<(OperandKind, Vec<Vec<u32>>)>);

impl Members {
    /// Returns the members for all kinds of operands in a scope.
    pub fn of(scope: &Scope) -> Members {
        let mut kinds: Vec<OperandKind> = Vec::new();
        for kind in
            scope.modes().flat_map(|mode| mode.form().inputs().map(|name| OperandKind::of(mode, name)))
        {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        Members(kinds.into_iter().map(|kind| (kind, by_class(kind))).collect())
    }

    /// Draws a member of a class: a listed value, or one from the distribution of campaigns.
    /// Returns `None` if the kind has no such class.
    pub fn draw(&self, kind: OperandKind, class: usize, random: &mut Random) -> Option<u32> {
        const TRIES: usize = 8;
        let is_here = |value: u32| kind.class_set(&[value]) >> class & 1 == 1;
        if random.next() & 1 == 0 && kind != OperandKind::Predicate {
            let mut drawn = (0..TRIES).map(|_| {
                let bits = random.next();
                let value = ValueDistribution::of(kind).draw_evenly(bits as u8, (bits >> 32) as u32);
                if let OperandKind::Narrow(width) = kind { value & ((1 << width) - 1) } else { value }
            });
            if let Some(value) = drawn.find(|value| is_here(*value)) {
                return Some(value);
            }
        }
        let (_, classes) = self.0.iter().find(|(known, _)| *known == kind)?;
        let list = classes.get(class).filter(|list| !list.is_empty())?;
        Some(list[random.below(list.len())])
    }
}

/// Returns the listed values of a kind by class. A pair is listed in the class of its low half and
/// in that of its high half.
fn by_class(kind: OperandKind) -> Vec<Vec<u32>> {
    let mut classes = vec![Vec::new(); kind.classes().len()];
    for value in values(kind) {
        let set = kind.class_set(&[value]);
        let here = classes.iter_mut().enumerate().filter(|(class, _)| set >> class & 1 == 1);
        here.for_each(|(_, list)| list.push(value));
    }
    classes
}

/// Sets a literal operand to a member of a class.
pub(crate) fn literal_into(
    instruction: &mut Instruction,
    operand: &str,
    class: usize,
    members: &Members,
    random: &mut Random,
) {
    let kind = OperandKind::of(instruction, operand);
    if let (Some(position), Some(value)) =
        (instruction.form().position(operand), members.draw(kind, class, random))
    {
        let value = legalize(instruction, position, value);
        instruction.set_at(position, value);
    }
}
