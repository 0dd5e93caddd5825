//! Sweeps execute every input of unary functions, and every combination of listed operands of other
//! functions.

use std::collections::{BTreeMap, BTreeSet};

use assay_engine::run::sizes::BatchSplit;
use assay_engine::run::sweep::{self, Function};
use assay_engine::stats::tally;
use assay_engine::triage::batches::RedrawnBatches;
use assay_isa::asm;
use assay_records::progress::open_sweep;
use assay_records::{Plan, Setting};

use super::functions::{Tier, functions};
use super::{CommonRequest, FinishedRun, StartedRun};
use crate::context::Context;
use crate::error::RunError;

/// A sweep to run.
#[derive(Clone, Debug)]
pub struct SweepRequest {
    /// Names of functions, such as `mufu.rcp.f32`, or mnemonics, such as `flo`.
    pub functions: Vec<String>,
    /// How many of the inputs are swept.
    pub tier: Tier,
    /// The options that all runs have.
    pub common: CommonRequest,
}

impl SweepRequest {
    /// Checks that the sweep can begin: finds its functions, starts the subject and reads the
    /// baseline. Writes nothing.
    pub fn check(&self, context: &Context) -> Result<(), RunError> {
        let setup = self.common.setup(context);
        let swept = functions(&setup.compared(), &self.functions, self.tier)?;
        self.common.demands(context, &self.plan(context, swept)?.1).map(drop)
    }

    /// Runs the sweep, and writes its folder.
    pub fn run(&self, context: &Context) -> Result<FinishedRun, RunError> {
        let common = &self.common;
        let setup = common.setup(context);
        let compared = setup.compared();
        let swept = functions(&compared, &self.functions, self.tier)?;
        let (functions, plan) = self.plan(context, swept)?;
        let demands = common.demands(context, &plan)?;
        let folder = common.keeping.prepare("sweep", context.reporter)?;
        let inputs: u64 = functions.iter().map(|f| f.domain.len()).sum();
        let sweep = sweep::Sweep { setup: compared, functions: &functions, shard: common.shard };
        let shown = ("inputs", Some(inputs / common.shard.of));
        let (done, seconds) = common.execute(
            context,
            &folder,
            shown,
            |place| open_sweep(place, &plan, &demands, &sweep),
            |from, hooks| sweep.run(from, hooks),
        )?;
        let draw = |found: &tally::ObservedDivergence, number| sweep.redraw(found.word, number);
        let swept: BTreeSet<String> = functions.iter().map(|f| f.instruction.function()).collect();
        let batches = RedrawnBatches {
            lanes: &|found| sweep.lanes(found.word),
            step: common.shard.of,
            cut: BatchSplit::whole,
            draw: &draw,
            selects: &|instruction| swept.contains(&instruction.function()),
        };
        let begun = StartedRun { folder, demands, impossible: BTreeSet::new() };
        common.finish(context, &setup, begun, (done, seconds), batches, |_, _| Ok(()))
    }

    fn plan(
        &self,
        context: &Context,
        (functions, not_generated): (Vec<Function>, Vec<String>),
    ) -> Result<(Vec<Function>, Plan), RunError> {
        if !not_generated.is_empty() {
            let names = not_generated.join(" ");
            context.reporter.say(&format!("not swept, no implementation for: {names}"));
        }
        let mut inputs = BTreeMap::new();
        for function in &functions {
            *inputs.entry(asm::mnemonic(&function.instruction)).or_default() += function.domain.len();
        }
        let setting = Setting { not_generated, ..context.setting(&self.common.subject, None)? };
        Ok((functions, Plan::Sweep { functions: inputs, stride: self.tier.stride(), setting }))
    }
}
