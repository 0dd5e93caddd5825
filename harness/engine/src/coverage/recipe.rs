//! The recipe for a bin: the classes of its operands, their registers, or operands for exact numbers.

use std::collections::BTreeMap;

use assay_isa::row::FieldType;
use assay_isa::{Instruction, Source, legality};

use super::bins::Bins;
use super::construct::Exact;
use super::group::{BinOrder, RegisterChoice, digits};
use super::members::{Members, literal_into};
use crate::generate::splitmix::Random;
use crate::generate::{Scope, ends};
use crate::operands::operand_kinds::{FLOATS, NORMAL};

/// Bins of one group, and the modes in its context.
pub(crate) struct Target<'a> {
    /// Legal modes in the context; there is one at least.
    pub modes: Vec<&'a Instruction>,
    /// What hits each of the bins.
    pub aims: Vec<BinRecipe>,
}

/// What hits a bin.
#[derive(Clone, Debug)]
pub(crate) enum BinRecipe {
    /// Operands of some classes, in some registers.
    Classes {
        /// Operands, each with the class that it must have.
        wanted: Vec<(&'static str, usize)>,
        /// Operands that must be in one register, or in the zero register if there is only one.
        held: Vec<&'static str>,
    },
    /// Operands whose exact sum or product lies at a position.
    Exact(Exact),
    /// A field at one of its ends.
    End {
        /// Position of the field.
        position: usize,
        /// Index of the end.
        end: usize,
    },
    /// Any operands will do in the end.
    Anything,
}

impl BinRecipe {
    /// Gives an instruction the literals and registers of the bin.
    pub fn place(&self, instruction: &mut Instruction, members: &Members, random: &mut Random) {
        match self {
            BinRecipe::Classes { wanted, held } => {
                for (operand, class) in wanted {
                    if matches!(instruction.operand(operand).source, Source::Imm(_)) {
                        literal_into(instruction, operand, *class, members, random);
                    }
                }
                place_registers(instruction, held);
            }
            BinRecipe::Exact(exact) => exact.place(instruction, random),
            BinRecipe::End { position, end } => {
                if legality::permits(instruction, instruction.form().fields[*position].name) {
                    instruction.set_at(*position, ends::value(instruction, *position, *end));
                }
            }
            BinRecipe::Anything => {}
        }
    }
}

fn place_registers(instruction: &mut Instruction, held: &[&'static str]) {
    let number = match held {
        [] => return,
        [one] => instruction.form().field(one).and_then(|field| field.ty.idle()).map(|(_, number)| number),
        [first, ..] => instruction.get(first).map(|number| number % IDLE),
    };
    for operand in held {
        if let Some(number) = number
            && let Some(FieldType::Reg | FieldType::UReg) = instruction.form().field(operand).map(|f| f.ty)
        {
            instruction.set(operand, number);
        }
    }
}

/// Registers below this exist among general and uniform ones.
const IDLE: u32 = 63;

impl Bins {
    /// What hits the bins of some places, group by group. The places ascend.
    pub(crate) fn targets<'a>(
        &self,
        scope: &'a Scope,
        places: impl Iterator<Item = usize>,
    ) -> Vec<Target<'a>> {
        let mut modes: BTreeMap<&'static str, Vec<&'a Instruction>> = BTreeMap::new();
        for mode in scope.modes() {
            modes.entry(mode.form().name).or_default().push(mode);
        }
        let mut by_group: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for place in places {
            by_group.entry(self.group_at(place)).or_default().push(place);
        }
        let target = |(group, places): (usize, Vec<usize>)| {
            let context = &self.groups[group].context;
            let is_here = |mode: &&&Instruction| context.iter().all(|(p, v)| mode.values()[*p] == *v);
            let form = self.forms[self.groups[group].form].form.name;
            let modes = modes.get(form).into_iter().flatten().filter(is_here).copied().collect();
            Target { modes, aims: places.into_iter().map(|place| self.recipe(place)).collect() }
        };
        by_group.into_iter().map(target).filter(|target| !target.modes.is_empty()).collect()
    }

    /// What hits the bin at a place.
    fn recipe(&self, place: usize) -> BinRecipe {
        let group = &self.groups[self.group_at(place)];
        let (aspects, index) = (&self.forms[group.form].aspects, place - group.first);
        let wanted = |crossed: &[usize], classes: &[usize]| {
            let pairs = crossed.iter().zip(classes).filter(|(aspect, _)| !aspects[**aspect].is_result);
            pairs.map(|(aspect, class)| (aspects[*aspect].operand, *class)).collect()
        };
        match &group.shape {
            BinOrder::Block(held) => {
                let aspect = aspects.iter().rposition(|aspect| aspect.first <= index).unwrap_or(0);
                let operands = match held {
                    None => vec![],
                    Some(RegisterChoice::Zero(a)) => vec![aspects[*a].operand],
                    Some(RegisterChoice::Same(a, b)) => vec![aspects[*a].operand, aspects[*b].operand],
                };
                BinRecipe::Classes {
                    wanted: wanted(&[aspect], &[index - aspects[aspect].first]),
                    held: operands,
                }
            }
            BinOrder::Cross(crossed) => {
                let classes: Vec<usize> = digits(aspects, crossed, index).map(|(_, class)| class).collect();
                BinRecipe::Classes { wanted: wanted(crossed, &classes), held: Vec::new() }
            }
            // The lanes of such an instruction have relations of their own, which leave the range.
            BinOrder::Repeated(_, a, b) => BinRecipe::Classes {
                wanted: Vec::new(),
                held: vec![aspects[*a].operand, aspects[*b].operand],
            },
            BinOrder::Alone(alone) => {
                let (special, class) = (index / FLOATS.len(), index % FLOATS.len());
                let classes: Vec<usize> =
                    (0..alone.len()).map(|place| if place == special { class } else { NORMAL }).collect();
                BinRecipe::Classes { wanted: wanted(alone, &classes), held: Vec::new() }
            }
            BinOrder::Exact(_) => BinRecipe::Exact(Exact { topic: group.topic, bin: index }),
            BinOrder::Ends(position) => BinRecipe::End { position: *position, end: index },
            // A campaign has no bins of the second kind.
            BinOrder::Attribute(_) | BinOrder::Facts(_) | BinOrder::Border(..) => BinRecipe::Anything,
        }
    }
}
