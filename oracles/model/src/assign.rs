//! Overwrites source registers to which the documents' code assigns, under E012 = 1.
//!
//! Where the code flushes or complements an operand, the operand's register gets the new value,
//! with prefixes applied. Under the `intended` readings only local copies change, so this module is
//! not used and need not be fast.

use assay_isa::effect::Lanes;
use assay_isa::{BackendError, Batch, Effects, Location};

use crate::float::flush;
use crate::knobs::{COLUMNS, Knobs};
use crate::operand;
use crate::plan::Plan;

/// Adds a column for each register that is overwritten, in the order of the operands.
pub(crate) fn overwrite<K: Knobs>(
    k: &K,
    plan: &Plan<K>,
    batch: &Batch,
    executed: &Lanes,
    effects: &mut Effects,
) -> Result<(), BackendError> {
    let mut operands: [Vec<u32>; COLUMNS] = Default::default();
    for (input, values) in plan.inputs.iter().zip(&mut operands) {
        operand::load(batch, input, false, values)?;
    }
    for (position, input) in plan.inputs.iter().enumerate() {
        let Some(location @ (Location::R(_) | Location::UR(_))) = input.operand.source.location() else {
            continue;
        };
        let assigned = |lane: usize| {
            let x = operands[position][lane];
            let flushed = || Some(flush(x)).filter(|flushed| *flushed != x);
            let pair = [0, 1].map(|first: usize| operands[first].get(lane).copied().unwrap_or_default());
            let assigned = plan.semantics.assigned.as_ref().and_then(|assigned| assigned(k, x, pair));
            assigned.or_else(|| input.flushed.then(flushed).flatten())
        };
        let lanes = |lane| executed.contains(lane).then(|| assigned(lane)).flatten();
        let column: Vec<Option<u32>> = (0..batch.len()).map(lanes).collect();
        if column.iter().any(Option::is_some) {
            let written = Lanes::Some(column.iter().map(Option::is_some).collect());
            let values = effects.write(location, written);
            values.iter_mut().zip(column).for_each(|(value, assigned)| *value = assigned.unwrap_or_default());
        }
    }
    Ok(())
}
