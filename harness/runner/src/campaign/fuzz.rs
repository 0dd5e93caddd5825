//! The differential campaign.

use std::path::Path;
use std::time::{Duration, Instant};

use assay_engine::compare::comparator::Setup;
use assay_engine::coverage::{Bins, Depth};
use assay_engine::run::CampaignError;
use assay_engine::run::campaign::{self, Campaign};
use assay_engine::run::sizes::BatchSplit;
use assay_engine::stats::tally;
use assay_engine::triage::batches::RedrawnBatches;
use assay_records::progress::open_campaign;
use assay_records::{Plan, RunResult, Setting};

use super::{CommonRequest, FinishedRun, StartedRun};
use crate::context::Context;
use crate::covered::Covered;
use crate::error::RunError;
use crate::folder::COVERAGE;
use crate::selection::{Selection, modes, select, selector};

/// When a campaign ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// After this number of cases over all shards.
    Cases(u64),
    /// When this time is over and the batches that were begun are executed.
    Time(Duration),
    /// After the epoch in which the last coverage bin was hit, or after this number of cases.
    Covered(u64),
}

/// A campaign to run.
#[derive(Clone, Debug)]
pub struct FuzzRequest {
    /// Patterns of optypes, forms or functions. Empty selects everything.
    pub only: Vec<String>,
    /// When the campaign ends.
    pub limit: Limit,
    /// Which coverage bins are counted.
    pub depth: Depth,
    /// Seed of the generator.
    pub seed: u64,
    /// The options that all runs have.
    pub common: CommonRequest,
}

/// A campaign that ended.
pub struct FinishedCampaign {
    /// The results that all runs have.
    pub run: FinishedRun,
    /// The coverage of the run.
    pub covered: Covered,
    /// Selected functions with modes that an implementation lacks.
    pub not_generated: Vec<String>,
    /// Number of drawn instructions.
    pub instructions: u64,
    /// Number of forms with selected modes.
    pub forms: usize,
}

impl FuzzRequest {
    /// Checks that the campaign can begin: selects its modes, starts the subjects and reads the
    /// baseline. Writes nothing.
    pub fn check(&self, context: &Context) -> Result<(), RunError> {
        let selection = self.selection(&self.common.setup(context).compared())?;
        self.common.demands(context, &self.plan(context, &selection)?).map(drop)
    }

    fn selection(&self, compared: &Setup<'_>) -> Result<Selection, RunError> {
        let selection = select(compared, &self.only)?;
        if selection.scope.is_empty() {
            return Err(CampaignError::EmptyScope.into());
        }
        selection.require_drawn(&self.common.demands.allow_undeclared)?;
        Ok(selection)
    }

    /// Runs the campaign, and writes its folder.
    pub fn run(&self, context: &Context) -> Result<FinishedCampaign, RunError> {
        let common = &self.common;
        let setup = common.setup(context);
        let compared = setup.compared();
        let selection = self.selection(&compared)?;
        let plan = self.plan(context, &selection)?;
        let demands = common.demands(context, &plan)?;
        // The folder is prepared only now, because a run that cannot begin must not clear it.
        let folder = common.keeping.prepare("fuzz", context.reporter)?;
        let bins = Bins::at_depth(&selection.scope, &context.profile.readings, self.depth);
        let started = Instant::now();
        let is_time_up = || matches!(self.limit, Limit::Time(limit) if started.elapsed() >= limit);
        let limit = match self.limit {
            Limit::Cases(cases) => campaign::Limit::Cases(cases),
            Limit::Time(_) => campaign::Limit::Until(&is_time_up),
            Limit::Covered(cases) => campaign::Limit::Covered(cases),
        };
        let (scope, shard) = (&selection.scope, common.shard);
        let campaign = Campaign { setup: compared, scope, seed: self.seed, limit, shard };
        let shown = ("cases", self.cases().map(|cases| cases / common.shard.of));
        let (mut done, seconds) = common.execute(
            context,
            &folder,
            shown,
            |place| open_campaign(place, &plan, &demands, &campaign, &bins),
            |from, hooks| campaign.run_covering(&bins, from, hooks),
        )?;
        done.outcome = done.outcome.counting(bins.layout());
        let covered = Covered::of(&bins, &done.outcome.tally.coverage);
        let draw = |_: &tally::ObservedDivergence, number| campaign.redraw(number);
        let selects = selector(&self.only)?;
        let lanes = limit.batches().lanes();
        let batches = RedrawnBatches {
            lanes: &|_| lanes,
            step: common.shard.of,
            cut: BatchSplit::of,
            draw: &draw,
            selects: &selects,
        };
        let impossible = covered.impossible.iter().cloned().collect();
        let begun = StartedRun { folder, demands, impossible };
        let interrupted = done.interrupted;
        let write = |folder: &Path, outcome: &RunResult| {
            if interrupted {
                Ok(())
            } else {
                covered.write(&folder.join(COVERAGE), &bins, &outcome.tally.coverage)
            }
        };
        let run = common.finish(context, &setup, begun, (done, seconds), batches, write)?;
        let instructions = run.outcome.tally.cases.div_ceil(lanes);
        let forms = modes(scope).len();
        Ok(FinishedCampaign { run, covered, not_generated: selection.unsupported, instructions, forms })
    }

    /// Returns the number of cases over all shards. `None` if time limits the campaign.
    fn cases(&self) -> Option<u64> {
        match self.limit {
            Limit::Time(_) => None,
            Limit::Cases(cases) | Limit::Covered(cases) => Some(cases),
        }
    }

    fn plan(&self, context: &Context, selection: &Selection) -> Result<Plan, RunError> {
        let CommonRequest { subject, against, .. } = &self.common;
        let not_generated = selection.unsupported.clone();
        Ok(Plan::Fuzz {
            seed: self.seed,
            cases: self.cases(),
            until_covered: matches!(self.limit, Limit::Covered(_)),
            only: self.only.clone(),
            setting: Setting { not_generated, ..context.setting(subject, against.as_ref())? },
        })
    }
}
