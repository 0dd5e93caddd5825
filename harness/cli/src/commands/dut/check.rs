//! `assay dut check`: whether a device keeps to the protocol.

use assay_device::Kind;
use assay_device::check::{Checked, Outcome, Sample, Samples, check};
use assay_engine::generate::{self, Scope};
use assay_isa::{Batch, Instruction, Numbers, asm, codec, legality, shown};
use clap::Args;
use serde_json::json;

use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::voices::{DEVICE_LIMITS, hello};

/// Check that a device keeps to the protocol, and measure how fast it is; its results are not judged.
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
        let limits = DEVICE_LIMITS.get().copied().unwrap_or_default();
        let generated = Generated { numbers: &context.numbers };
        let list = check(&self.device, &hello(&context.numbers, &context.profile), &limits, &generated);
        let held = list.iter().all(|checked| checked.outcome != Outcome::Failed);
        if context.json {
            crate::print_json(&json!({ "device": self.device.to_string(), "checks": list, "held": held }))?;
        } else {
            crate::print(&list.iter().map(line).collect::<String>())?;
        }
        Ok(Status::of(held))
    }
}

fn line(checked: &Checked) -> String {
    let outcome = match checked.outcome {
        Outcome::Ok => "ok",
        Outcome::Failed => "FAILED",
        Outcome::Skipped => "skipped",
    };
    format!("{outcome:<8} {:<30} {}\n", checked.check, shown::line(&checked.detail))
}

/// Batches from the generator.
struct Generated<'a> {
    numbers: &'a Numbers,
}

impl Generated<'_> {
    fn sample(&self, instruction: &Instruction, lanes: usize) -> Option<Sample> {
        let (mut bytes, mut batch) = (Vec::new(), Batch::default());
        let pick = |_: &mut arbitrary::Unstructured<'_>| Ok(instruction.clone());
        // The generator's bytes are for so many lanes at most; larger batches repeat them.
        let drawn = lanes.min(generate::LANES);
        let seed = (1, codec::encode(instruction, self.numbers) as u64);
        generate::from_stream(seed, self.numbers, drawn, &mut bytes, &mut batch, pick).ok()?;
        let mut whole = Batch::new(batch.word(), batch.locations(), lanes);
        for (place, location) in batch.locations().iter().enumerate() {
            let values = batch.column(*location).unwrap_or_default().iter().cycle();
            whole.column_mut(place).iter_mut().zip(values).for_each(|(to, from)| *to = *from);
        }
        Some((asm::print(instruction), whole))
    }
}

impl Samples for Generated<'_> {
    fn modes(&self, optype: &str, lanes: usize) -> Vec<Sample> {
        let scope = Scope::filtered(|mode| mode.optype() == optype);
        let instructions = scope.modes().flat_map(assay_engine::domain::with_operands);
        let instructions = instructions.filter(|one| legality::check(one).is_ok());
        instructions.filter_map(|instruction| self.sample(&instruction, lanes)).collect()
    }

    fn unguarded(&self, optype: &str, lanes: usize) -> Option<Sample> {
        let scope = Scope::filtered(|mode| mode.optype() == optype);
        let mut instruction = assay_engine::domain::with_operands(scope.modes().next()?).next()?;
        let guard = instruction.form().guard();
        instruction.form().field(guard)?;
        instruction.set(guard, 0);
        instruction.set(&format!("{guard}.not"), 0);
        legality::check(&instruction).ok()?;
        let location = instruction.guard().source.location()?;
        let (text, mut batch) = self.sample(&instruction, lanes)?;
        let place = batch.locations().iter().position(|read| *read == location)?;
        batch.column_mut(place).fill(0);
        Some((text, batch))
    }
}
