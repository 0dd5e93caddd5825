//! `assay dut check`: whether a device is fit for a campaign.

use std::cell::RefCell;

use assay_device::Kind;
use assay_device::check::{COUNT, Checked, Outcome, Sample, Samples, WHOLE, check};
use assay_engine::compare::judge::{Verdicts, judge};
use assay_engine::compare::versus::PRECISION;
use assay_engine::generate::{self, Scope};
use assay_isa::{
    Answer, Batch, Effects, Instruction, Location, Numbers, Oracle, Truths, asm, legality, shown,
};
use clap::Args;
use serde_json::json;

use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::output;
use crate::progress::Progress;
use crate::voices::{hello, limits};

/// Check that a device is fit for a campaign, and measure how fast it is.
///
/// It must keep to the protocol; answer the same in every lane, order, size of batch, handle and thread; leave the floating-point
/// environment alone; and compute what the profile says in a few batches of each optype. What failed is listed at the end in the
/// order in which to mend it. Each check ends after five seconds and says how far it came.
///
/// Exit status 0 if every check holds or does not apply, and 1 if one failed.
#[derive(Args)]
pub struct Check {
    /// A command that speaks the protocol, or lib:PATH for a shared library.
    #[arg(value_name = "COMMAND|lib:PATH", value_parser = device)]
    device: Kind,
}

/// A device as `--subject` takes it, or a bare command.
fn device(text: &str) -> Result<Kind, String> {
    let is_named = text.starts_with("exec:") || text.starts_with("lib:");
    let kind = if is_named { text.parse() } else { format!("exec:{text}").parse() };
    kind.map_err(|e: assay_device::UnknownDevice| e.to_string())
}

impl Check {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        let limits = limits();
        let oracle = RefCell::new(context.oracle(None));
        let generated = Generated { context, oracle };
        let mut progress = Progress::new("checks", Some(COUNT as u64));
        let mut begun = 0;
        let mut begins = || {
            progress.at(begun, 0);
            begun += 1;
        };
        let offer = hello(&context.numbers, &context.profile);
        let list = check(&self.device, &offer, &limits, &generated, &mut begins);
        progress.finish();
        let held = list.iter().all(|checked| checked.outcome != Outcome::Failed);
        if context.json {
            output::print_json(&json!({ "device": self.device.to_string(), "checks": list, "held": held }))?;
        } else {
            output::print(&(list.iter().map(line).collect::<String>() + &summary(&list)))?;
        }
        Ok(Status::of(held))
    }
}

/// How many checks held, and what to mend, in order.
fn summary(list: &[Checked]) -> String {
    let count = |outcome| list.iter().filter(|checked| checked.outcome == outcome).count();
    let [ok, failed, skipped] = [Outcome::Ok, Outcome::Failed, Outcome::Skipped].map(count);
    let mut text = format!("\n{ok} checks held, {failed} failed, {skipped} do not apply\n");
    let mends = list.iter().filter_map(|checked| Some((checked.check, checked.mend?)));
    for (nth, (check, mend)) in mends.enumerate() {
        let head = if nth == 0 { "to mend, in this order:\n" } else { "" };
        text += &format!("{head}{:>3}. {check}: {mend}\n", nth + 1);
    }
    text
}

fn line(checked: &Checked) -> String {
    let outcome = match checked.outcome {
        Outcome::Ok => "ok",
        Outcome::Failed => "FAILED",
        Outcome::Skipped => "skipped",
    };
    format!("{outcome:<8} {:<30} {}\n", checked.check, shown::line(&checked.detail))
}

/// Batches from the generator, judged by the oracle.
struct Generated<'a> {
    context: &'a Context,
    oracle: RefCell<Box<dyn Oracle>>,
}

impl Generated<'_> {
    fn numbers(&self) -> &Numbers {
        &self.context.numbers
    }

    /// The legal instructions of an optype, some of each mode.
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

    fn guarded(&self, optype: &str) -> Option<(String, Location)> {
        let mut instruction = self.instructions(optype).next()?;
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
        // Always as many are drawn, so that a lane holds the same in a batch of any size.
        generate::from_stream(seed, self.numbers(), WHOLE, &mut bytes, &mut batch, pick).ok()?;
        let mut part = Batch::new(batch.word(), batch.locations(), lanes);
        for (place, location) in batch.locations().iter().enumerate() {
            part.column_mut(place).copy_from_slice(&batch.column(*location)?[..lanes]);
        }
        Some(part)
    }

    fn wrong(&self, (text, batch): &Sample, effects: &Effects) -> Result<Option<(usize, String)>, String> {
        let instruction = asm::parse(text).map_err(|e| e.to_string())?;
        let (mut truths, mut verdicts) = (Truths::default(), Verdicts::default());
        let known = self.oracle.borrow_mut().truth(&instruction, batch, PRECISION, &mut truths);
        if known.map_err(|e| e.to_string())? == Answer::Unsupported {
            return Err(format!("{text}: the oracle does not know it"));
        }
        let contract = self.context.profile.contract_for(&instruction);
        judge(&contract, &instruction, &truths, effects, &mut verdicts);
        let Some((lane, divergence)) = verdicts.diverged.iter().min_by_key(|(lane, _)| *lane) else {
            return Ok(None);
        };
        let values = |pairs: &mut dyn Iterator<Item = (Location, u32)>| {
            pairs.map(|(location, value)| format!("{location}={value:#010x}")).collect::<Vec<_>>().join(" ")
        };
        let (read, wrote) = (values(&mut batch.lane(*lane)), values(&mut effects.lane(*lane)));
        let kind = divergence.kind.name();
        Ok(Some((verdicts.diverged.len(), format!("lane {lane}: {kind}, {read} gave {wrote}"))))
    }
}
