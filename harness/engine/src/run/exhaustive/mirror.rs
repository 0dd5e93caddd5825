//! Compares the results of arguments that differ only in their signs, in runs that do not sweep
//! every input of F32. For this, a batch is also executed with arguments of the other sign. These
//! cases are counted only for this relation.

use assay_isa::format::Format;
use assay_isa::tables::types::FPSat;
use assay_isa::{BackendError, Batch, Instruction, Location};
use assay_vectors::{Contract, Relation};

use crate::compare::comparator::Comparator;
use crate::compare::judge::DivergenceKind;
use crate::operands::operand_kinds::OperandKind;
use crate::stats::exhaustive::relate::{is_required, steps};
use crate::stats::exhaustive::{Pair, Pairs, ResultRelation};

/// The comparison of a batch with the batch of the other sign.
#[derive(Default)]
pub(crate) struct MirroredBatch {
    /// The compared pairs of results.
    pub pairs: Pairs,
    /// The lanes in which the subject failed, or had a wrong effect other than a value.
    pub failures: Vec<DivergenceKind>,
}

/// The symmetry that a contract demands of an instruction's results.
pub(crate) struct Mirror {
    pub relation: ResultRelation,
    format: Format,
    operand: Location,
    pub result: Location,
    /// For each argument: the position of its lowest bit in the operand, and the position of its
    /// result's lowest bit in the destination.
    places: &'static [(u32, u32)],
}

impl Mirror {
    /// Returns the symmetry of an instruction. `None` if the contract demands none. Also `None` if
    /// the instruction clamps its results, takes an absolute value, or has no single location for
    /// its operand or its result.
    pub fn of(contract: &Contract, instruction: &Instruction) -> Option<Mirror> {
        let relation = match () {
            () if is_required(contract, Relation::Odd) => ResultRelation::Odd,
            () if is_required(contract, Relation::Even) => ResultRelation::Even,
            () => return None,
        };
        let operand = instruction.inputs().next().filter(|operand| !operand.abs)?;
        let ([operand], [result]) = (&operand.locations().collect::<Vec<_>>()[..], &instruction.writes()[..])
        else {
            return None;
        };
        let form = instruction.form();
        let inputs = form.order.iter().filter(|name| !form.optype.outs.contains(name));
        let kinds = inputs.map(|name| OperandKind::of(instruction, name));
        let (format, places): (_, &[_]) = kinds.into_iter().find_map(|kind| match kind {
            OperandKind::Float(format) => Some((format, &[(0, 0)][..])),
            OperandKind::Half { format, high: false } => Some((format, &[(0, 0)][..])),
            OperandKind::Half { format, high: true } => Some((format, &[(16, 0)][..])),
            OperandKind::Pair(format) => Some((format, &[(0, 0), (16, 16)][..])),
            _ => None,
        })?;
        let saturates = instruction.modifier("sat") == Some(FPSat::SAT);
        (!saturates).then_some(Mirror { relation, format, operand: *operand, result: *result, places })
    }

    /// Whether any argument in the first `lanes` lanes of a batch is positive. A sweep compares
    /// each pair only once, in the batch that contains the positive argument.
    pub fn has_positive(&self, batch: &Batch, lanes: usize) -> bool {
        let column = batch.column(self.operand).unwrap_or_default();
        let is_positive = |bits: &u32| {
            self.places.iter().any(|(from, _)| !self.format.is_negative(bits >> from & self.format.mask()))
        };
        column[..lanes.min(column.len())].iter().any(is_positive)
    }

    /// Executes the first lanes of the last batch with arguments of the other sign, and compares
    /// the results. Only normal numbers are counted, because the specification gives the results of
    /// most other arguments.
    ///
    /// # Errors
    ///
    /// The subject fails.
    pub fn compare(
        &self,
        comparator: &mut Comparator,
        (contract, instruction): (&Contract, &Instruction),
        batch: &Batch,
        lanes: usize,
    ) -> Result<MirroredBatch, BackendError> {
        let Mirror { format, result, places, .. } = *self;
        let written = |comparator: &Comparator| -> Vec<Option<u32>> {
            (0..lanes).map(|lane| comparator.effects.value(result, lane)).collect()
        };
        let mut compared = MirroredBatch::default();
        let (before, mut mirrored) = (written(comparator), batch.part(0..lanes));
        let Some(column) = batch.locations().iter().position(|location| *location == self.operand) else {
            return Ok(compared);
        };
        let signs = places.iter().fold(0, |signs, (from, _)| signs | format.sign_mask() << from);
        mirrored.column_mut(column).iter_mut().for_each(|bits| *bits ^= signs);
        if comparator.answer(&mirrored)?.is_none() {
            compared.failures.extend(comparator.undeclared());
            return Ok(compared);
        }
        let after = written(comparator);
        compared.failures = comparator.failures(contract, instruction, &mirrored, result)?;
        let operands = batch.column(self.operand).unwrap_or_default();
        for ((operand, one), other) in operands.iter().zip(before).zip(after) {
            for (from, to) in places {
                let argument = operand >> from & format.mask();
                let is_normal = format.is_finite(argument) && format.exponent_field(argument) > 0;
                let at = |word: Option<u32>| word.map(|word| word >> to & format.mask());
                if is_normal && let Some(result) = at(one) {
                    self.count(argument, (result, at(other)), &mut compared.pairs);
                }
            }
        }
        Ok(compared)
    }

    /// Counts a pair. If one of the two results is missing, the relation is broken.
    fn count(&self, input: u32, (result, other): (u32, Option<u32>), pairs: &mut Pairs) {
        let Mirror { format, relation, .. } = *self;
        let sign = if relation == ResultRelation::Odd { format.sign_mask() } else { 0 };
        pairs.seen += 1;
        let holds = other
            .is_some_and(|other| other == result ^ sign || format.is_nan(other) && format.is_nan(result));
        if !holds {
            let partner_result = other.unwrap_or_default();
            let magnitude = |bits: u32| bits & !format.sign_mask();
            let by = steps(format, magnitude(result), magnitude(partner_result)).max(1);
            pairs.broken(Pair { input, result, partner: input ^ format.sign_mask(), partner_result, by });
            pairs.refused += 1;
        }
    }
}
