//! Checks a device with generated batches, which the oracle judges.

use std::cell::RefCell;

use assay_device::TransportKind;
use assay_device::check::{Checked, JudgedSample, Sample, Samples, WHOLE, WrongLane, WrongLanes, check};
use assay_engine::compare::comparator::PRECISION;
use assay_engine::compare::judge::{Divergence, Verdicts, judge};
use assay_engine::generate::{self, Scope};
use assay_isa::{
    Answer, Batch, Effects, EncodingTable, Instruction, Location, Oracle, Truths, asm, legality,
};

use crate::context::Context;
use crate::inspect::command::eval_command;
use crate::subjects::device::limits;
use crate::subjects::hello;

/// Checks whether a device can be used in a campaign. Calls `begins` before each check. Calls
/// `tell` with text that a library prints.
pub fn check_device(
    context: &Context,
    device: &TransportKind,
    begins: &mut dyn FnMut(),
    tell: fn(&str),
) -> Vec<Checked> {
    let generated = Generated { context, oracle: RefCell::new(context.oracle(None)) };
    let offer = hello(&context.numbers, &context.profile);
    let mut begins = || begins();
    check(device, &offer, &limits(), &generated, &mut begins, tell)
}

/// Batches from the generator, judged by the oracle.
struct Generated<'a> {
    context: &'a Context,
    oracle: RefCell<Box<dyn Oracle>>,
}

impl Generated<'_> {
    fn numbers(&self) -> &EncodingTable {
        &self.context.numbers
    }

    /// Returns legal instructions of an optype, one or several for each mode.
    fn instructions(&self, optype: &str) -> impl Iterator<Item = Instruction> + use<> {
        let scope = Scope::filtered(|mode| mode.optype() == optype);
        let instructions: Vec<_> =
            scope.modes().flat_map(assay_engine::generate::domain::with_operands).collect();
        instructions.into_iter().filter(|one| legality::check(one).is_ok())
    }
}

impl Samples for Generated<'_> {
    fn modes(&self, optype: &str) -> Vec<String> {
        self.instructions(optype).map(|instruction| asm::print(&instruction)).collect()
    }

    fn guarded(&self, text: &str) -> Option<(String, Location)> {
        let mut instruction = asm::parse(text).ok()?;
        let guard = instruction.form().guard();
        instruction.form().field(guard)?;
        instruction.set(guard, 0);
        instruction.set(&format!("{guard}.not"), 0);
        legality::check(&instruction).ok()?;
        let location = instruction.guard().source.location()?;
        Some((asm::print(&instruction), location))
    }

    fn batch(&self, text: &str, lanes: usize) -> Option<Batch> {
        let instruction = asm::parse(text).ok()?;
        let (mut bytes, mut batch) = (Vec::new(), Batch::default());
        let pick = |_: &mut arbitrary::Unstructured<'_>| Ok(instruction.clone());
        let seed = (1, assay_isa::codec::encode(&instruction, self.numbers()) as u64);
        // Draws a batch of full size in every case, so that the values of a lane do not depend on
        // the number of lanes.
        generate::from_stream(seed, self.numbers(), WHOLE, &mut bytes, &mut batch, pick).ok()?;
        let mut part = Batch::new(batch.word(), batch.locations(), lanes);
        for (place, location) in batch.locations().iter().enumerate() {
            part.column_mut(place).copy_from_slice(&batch.column(*location)?[..lanes]);
        }
        Some(part)
    }

    fn judge(&self, (text, batch): &Sample, effects: &Effects) -> Result<JudgedSample, String> {
        let instruction = asm::parse(text).map_err(|e| e.to_string())?;
        let (mut truths, mut verdicts) = (Truths::default(), Verdicts::default());
        let known = self.oracle.borrow_mut().truth(&instruction, batch, PRECISION, &mut truths);
        if known.map_err(|e| e.to_string())? == Answer::Unsupported {
            return Err(format!("{text}: the oracle does not know it"));
        }
        let contract = self.context.profile.contract_for(&instruction);
        judge(&contract, &instruction, &truths, effects, &mut verdicts);
        let judged = verdicts.lanes - verdicts.undefined.len() - verdicts.unjudged.len();
        verdicts.diverged.sort_by_key(|(lane, _)| *lane);
        let Some((lane, divergence)) = verdicts.diverged.first() else {
            return Ok(JudgedSample { judged, wrong: None });
        };
        let values = |pairs: &mut dyn Iterator<Item = (Location, u32)>| {
            pairs.map(|(location, value)| format!("{location}={value:#010x}")).collect::<Vec<_>>().join(" ")
        };
        let (read, wrote) = (values(&mut batch.lane(*lane)), values(&mut effects.lane(*lane)));
        let kind = divergence.kind.name();
        let first = format!("lane {lane}: {kind}, {read} gave {wrote}");
        let wrong = |(lane, one): &(usize, Divergence)| WrongLane { lane: *lane, kind: one.kind.name() };
        let lanes = verdicts.diverged.iter().map(wrong).collect();
        let eval = eval_command(text, batch.lane(*lane));
        Ok(JudgedSample { judged, wrong: Some(WrongLanes { lanes, first, eval }) })
    }
}
