//! The bins of [`Topic::Border`]: operands at the ends of binades and of table segments.

use std::collections::BTreeSet;

use assay_isa::{Batch, Instruction, catalog, legality};

use super::Coverage;
use super::bins::{Bins, Depth, FormBins};
use super::build::Builder;
use super::group::{Aspect, BinOrder, Context};
use super::topic::Topic;
use crate::generate::edges;
use crate::operands::operand_kinds::OperandKind;
use crate::operands::operand_words::{WordPlace, places};

impl Builder<'_> {
    /// Adds the border bins of the float operands, and returns their groups. Only the first form of
    /// an optype has such bins. The other forms differ only in the sources of operands, which the
    /// plain bins cover. Each function with tables has bins of its own.
    pub(super) fn borders(&mut self) -> Vec<usize> {
        let is_first =
            catalog().forms_of(self.form.optype.name).next().is_some_and(|f| f.name == self.form.name);
        if self.bins.depth != Depth::Suite || !is_first {
            return Vec::new();
        }
        let first = self.bins.groups.len();
        for context in self.functions_with_tables() {
            let here = self.modes_in(&context);
            let mode = self.modes[here[0]];
            for aspect in 0..self.aspects.len() {
                let Aspect { operand, is_result, .. } = self.aspects[aspect];
                if is_result || !legality::has(mode, operand) {
                    continue;
                }
                let kind = OperandKind::of(mode, operand);
                let values = edges::few_arguments(mode, kind);
                if values.is_empty() {
                    continue;
                }
                let classes: Vec<usize> = values.iter().map(|value| kind.class_of(*value)).collect();
                let code = |this: &mut Self, bin: usize| {
                    this.joint(&here, |this, mode| this.together(mode, &[aspect], &[classes[bin]]))
                };
                let shape = BinOrder::Border(aspect, values);
                self.group(Topic::Border, context.clone(), shape, classes.len(), code);
            }
        }
        (first..self.bins.groups.len()).collect()
    }

    /// Returns one context for each function: the modifiers of its first mode. If no function has
    /// tables, returns one context without modifiers.
    fn functions_with_tables(&self) -> Vec<Context> {
        if self.modes.iter().all(|mode| edges::segments(mode).next().is_none()) {
            return vec![Vec::new()];
        }
        let positions: Vec<usize> = self.fields()[0].iter().map(|(position, _)| *position).collect();
        let mut known = BTreeSet::new();
        let firsts = self.modes.iter().filter(|mode| known.insert(mode.function()));
        firsts.map(|mode| positions.iter().map(|p| (*p, mode.values()[*p])).collect()).collect()
    }
}

/// Marks the border bins of the operands' values in exercised lanes. A literal always counts.
pub(super) fn mark(
    (bins, form): (&Bins, &FormBins),
    instruction: &Instruction,
    batch: &Batch,
    is_exercised: impl Fn(usize) -> bool,
    coverage: &mut Coverage,
) {
    for (operand, values, first) in of_instruction((bins, form), instruction) {
        for place in places(instruction.operand(operand)) {
            let column: &[u32] = match &place {
                WordPlace::Literal(bits) => &[*bits],
                WordPlace::At(location) => batch.column(*location).unwrap_or_default(),
                WordPlace::Nowhere => &[],
            };
            let is_literal = matches!(place, WordPlace::Literal(_));
            for (lane, value) in column.iter().enumerate() {
                if (is_literal || is_exercised(lane))
                    && let Ok(index) = values.binary_search(value)
                {
                    coverage.hit(first + index);
                }
            }
        }
    }
}

/// Returns the operands of an instruction that have border bins, each with the values of these bins
/// and the place of the first bin.
fn of_instruction<'a>(
    (bins, form): (&'a Bins, &'a FormBins),
    instruction: &'a Instruction,
) -> impl Iterator<Item = (&'static str, &'a [u32], usize)> + 'a {
    form.borders.iter().map(|group| &bins.groups[*group]).filter_map(move |group| {
        let is_here = group.context.iter().all(|(p, value)| instruction.values()[*p] == *value);
        match &group.shape {
            BinOrder::Border(aspect, values) if is_here => {
                let operand = form.aspects[*aspect].operand;
                legality::has(instruction, operand).then_some((operand, &values[..], group.first))
            }
            _ => None,
        }
    })
}

impl Bins {
    /// Returns the names of a mode's operands with border bins, each with the values of these bins.
    pub(super) fn borders_of<'a>(
        &'a self,
        mode: &'a Instruction,
    ) -> impl Iterator<Item = (&'static str, &'a [u32])> + 'a {
        let form = self.form(mode.form()).into_iter();
        let lists = form.flat_map(move |form| of_instruction((self, form), mode));
        lists.map(|(operand, values, _)| (operand, values))
    }
}
