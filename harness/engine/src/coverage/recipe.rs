//! Recipes to hit bins: the classes of operands, their registers, or operands with a certain exact
//! number.

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
    /// The legal modes in the context, at least one.
    pub modes: Vec<&'a Instruction>,
    /// A recipe for each bin.
    pub aims: Vec<BinRecipe>,
}

/// How to hit a bin.
#[derive(Clone, Debug)]
pub(crate) enum BinRecipe {
    /// Operands of some classes, in some registers.
    Classes {
        /// Operands, each with the class that it must have.
        wanted: Vec<(&'static str, usize)>,
        /// Operands that must be in one register. If there is only one operand, it must be the zero
        /// register.
        held: Vec<&'static str>,
    },
    /// Operands whose exact sum or product hits a bin.
    Exact(Exact),
    /// A field at one of its ends.
    End {
        /// Position of the field.
        position: usize,
        /// Index of the end.
        end: usize,
    },
    /// Any operands. Random operands hit the bin sooner or later.
    Anything,
}

impl BinRecipe {
    /// Sets the literals and registers of an instruction so that it can hit the bin.
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

/// Every register number below this one is legal for general and for uniform registers.
const IDLE: u32 = 63;

impl Bins {
    /// Returns a target for each group with a bin at one of the places. Groups whose context has no
    /// mode are left out.
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

    /// Returns the recipe for the bin at a place.
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
            // For instructions with operands in one register, the generator itself draws lanes
            // whose results leave the range.
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
            // Campaigns count no border bins.
            BinOrder::Attribute(_) | BinOrder::Facts(_) | BinOrder::Border(..) => BinRecipe::Anything,
        }
    }
}
