//! `assay fuzz`: the differential campaign.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use assay_engine::compare::versus::Parties;
use assay_engine::coverage::{Bins, Depth};
use assay_engine::generate::{LANES, Scope};
use assay_engine::result::{Outcome, Plan, Shard};
use assay_engine::run::campaign::{Campaign, CampaignError, Done, Escort, Limit};
use assay_engine::run::sizes::Cut;
use assay_engine::stats::baseline::Comparison;
use assay_engine::stats::tally::{self, Tally};
use assay_engine::triage::batches::Batches;
use clap::{Args, ValueEnum};
use serde_json::json;

use super::baseline::{self, Baseline};
use super::covered::Covered;
use super::demands::{Allow, Shares};
use super::findings::{self, Found};
use super::run_record::{self, CHECKPOINT, COVERAGE, Folder, Keeping, parse_shard, rounded};
use super::selection::{Selection, parties, select, selector};
use crate::build;
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::interrupt::STOP;
use crate::output;
use crate::progress::Progress;
use crate::time::parse_time;
use crate::voices::{Voice, for_new_cases};

/// Generate instructions and operands, execute them, judge every result.
///
/// Two runs with the same seed, selection and number of cases execute the same cases, on any number of
/// threads and in any number of shards. Divergences are shrunk and written as cases that `assay replay`
/// explains. Exit status 1 tells that there were some.
#[derive(Args)]
pub struct Fuzz {
    /// Optypes, forms or functions, such as FFMA, 'FADD_R?' or 'MUFU.RCP.*'; everything by default.
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    only: Vec<String>,
    /// Number of cases over all shards.
    #[arg(long, value_name = "N", default_value_t = 20_000_000, conflicts_with = "time", value_parser = clap::value_parser!(u64).range(1..))]
    cases: u64,
    /// Run for that long instead, such as 90s, 30m or 8h.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
    /// End as soon as every coverage bin was hit; exit status 1 if --cases did not suffice.
    #[arg(long, conflicts_with_all = ["time", "shard"])]
    until_covered: bool,
    /// Which coverage bins to count: all of them, or those of one class of one operand alone.
    #[arg(long, value_enum, default_value_t = Counted::All)]
    bins: Counted,
    /// Seed of the generator.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Do only this share of the cases.
    #[arg(long, value_name = "i/n", value_parser = parse_shard, default_value = "0/1", hide_default_value = true)]
    shard: Shard,
    /// The voice under test: model, exec:COMMAND, lib:PATH, cuda:N, ptx, mutant:FAULT, apfloat, host or
    /// core-math.
    #[arg(long, value_name = "SUBJECT", default_value = "model", value_parser = for_new_cases)]
    subject: Voice,
    /// Hold it against another subject, to the bit, instead of the oracle.
    #[arg(long, value_name = "SUBJECT", value_parser = for_new_cases)]
    against: Option<Voice>,
    #[command(flatten)]
    baseline: Baseline,
    #[command(flatten)]
    allow: Allow,
    #[command(flatten)]
    keeping: Keeping,
}

/// Which coverage bins a campaign counts.
#[derive(Clone, Copy, ValueEnum)]
enum Counted {
    /// All of them: plain, crossed, and those of exact sums and products.
    All,
    /// The plain ones.
    Plain,
}

impl From<Counted> for Depth {
    fn from(counted: Counted) -> Depth {
        match counted {
            Counted::All => Depth::Crossed,
            Counted::Plain => Depth::Plain,
        }
    }
}

impl Fuzz {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        let subject = || context.subject(&self.subject);
        let oracle = || context.oracle(self.against.as_ref());
        let oracles = |readings| context.oracle_under(readings, self.against.as_ref());
        let parties = parties(context, &subject, &oracle);
        let selection = select(&parties, &self.only)?;
        if selection.scope.is_empty() {
            return Err(CampaignError::EmptyScope.into());
        }
        let earlier = self.baseline.read(context)?;
        let plan = self.plan(context)?;
        let demands = self.allow.demands(plan.setting())?;
        // Only now, for a run that cannot be must not cost what the folder holds.
        let folder = self.keeping.prepare("fuzz")?;
        let bins = Bins::at_depth(&selection.scope, &context.profile.readings, self.bins.into());
        let started = Instant::now();
        let done = self.execute(parties, &selection.scope, &bins, &plan, &folder)?;
        let seconds = started.elapsed().as_secs_f64();
        let outcome = match done.interrupted || done.gone.is_some() {
            false => Outcome::new(done.plan, self.shard, done.tally),
            true => Outcome::partial(done.plan, done.tally),
        };
        let outcome = outcome.counting(bins.layout());
        let covered = Covered::of(&bins, &outcome.tally.coverage);
        let write = || -> Result<_, Failure> {
            run_record::record(&folder, &outcome, seconds, &done.builds)?;
            self.begin_triage();
            let campaign = self.campaign(parties, &selection.scope);
            let draw = |_: &tally::Found, number| campaign.redraw(number);
            let selects = selector(&self.only)?;
            let batches = Batches {
                lanes: LANES as u64,
                step: self.shard.of,
                cut: Cut::of,
                draw: &draw,
                selects: &selects,
            };
            let found = findings::triage(&outcome, &parties, &oracles, batches)?;
            let paths = findings::write(&folder, &found.bugs, context)?;
            if !done.interrupted {
                covered.write(&folder.join(COVERAGE))?;
            }
            run_record::close(&folder, &outcome)?;
            Ok((found, paths))
        };
        let (found, paths) = write().map_err(|failure| run_record::kept(&folder, failure))?;
        if done.interrupted {
            say_interrupted(&outcome, &folder);
            return Ok(Status::Interrupted);
        }
        let compared = earlier.map(|earlier| Comparison::of(&outcome.tally, &earlier.tally));
        let shares = Shares::of(&outcome, &demands);
        let run = Run {
            outcome: &outcome,
            shares: &shares,
            compared: compared.as_ref(),
            found: &found,
            paths: &paths,
            covered: &covered,
            executed: outcome.tally.cases - done.resumed,
            seconds,
            folder: &folder,
            failures: self.subject.failures(),
            gone: done.gone.as_deref(),
        };
        run.print(context, &selection)?;
        if let Some(reason) = &done.gone {
            run_record::say_gone(reason, outcome.tally.cases, &folder);
            return Ok(Status::Failed);
        }
        let covers = covered.impossible.is_empty() && !(self.until_covered && covered.share < 1.0);
        let keeps_to_baseline = compared.is_none_or(|compared| compared.holds());
        let status = shares.status(&outcome);
        Ok(if covers && keeps_to_baseline { status } else { Status::Failed })
    }

    fn plan(&self, context: &Context) -> Result<Plan, Failure> {
        Ok(Plan::Fuzz {
            seed: self.seed,
            cases: self.time.is_none().then_some(self.cases),
            until_covered: self.until_covered,
            only: self.only.clone(),
            setting: context.setting(&self.subject, self.against.as_ref())?,
        })
    }

    /// The campaign.
    fn campaign<'a>(&self, parties: Parties<'a>, scope: &'a Scope) -> Campaign<'a> {
        let limit = match (self.time, self.until_covered) {
            (Some(time), _) => Limit::Time(time),
            (None, true) => Limit::Covered(self.cases),
            (None, false) => Limit::Cases(self.cases),
        };
        Campaign { parties, scope, seed: self.seed, limit, shard: self.shard }
    }

    /// Runs the campaign.
    fn execute(
        &self,
        parties: Parties<'_>,
        scope: &Scope,
        bins: &Bins,
        plan: &Plan,
        folder: &Folder,
    ) -> Result<Done, Failure> {
        let mut progress = Progress::new("cases", self.time.is_none().then(|| self.cases / self.shard.of));
        let mut show = |tally: &Tally| progress.at(tally.cases, tally.verdicts.diverged);
        let (checkpoint, build) = (folder.join(CHECKPOINT), build::identity()?);
        let checkpoints = Some(self.keeping.checkpoints(&checkpoint, &build));
        let escort = Escort { stop: &STOP, progress: &mut show, checkpoints };
        let done = self.campaign(parties, scope).run_covering(bins, plan, escort);
        progress.finish();
        Ok(done?)
    }
}

fn say_interrupted(outcome: &Outcome, folder: &Path) {
    let (cases, diverged) = (outcome.tally.cases, outcome.tally.verdicts.diverged);
    let folder = folder.display();
    output::say(format_args!(
        "interrupted after {cases} cases, {diverged} diverged; all of it is kept in {folder}\n\
         go on with --out {folder} --resume"
    ));
}

impl Fuzz {
    /// From now on findings are shrunk.
    fn begin_triage(&self) {
        [Some(&self.subject), self.against.as_ref()].into_iter().flatten().for_each(Voice::begin_triage);
    }
}

/// A finished run, for printing.
struct Run<'a> {
    outcome: &'a Outcome,
    shares: &'a Shares,
    /// How its errors compare with those of the baseline, if there is one.
    compared: Option<&'a Comparison>,
    found: &'a Found,
    paths: &'a [PathBuf],
    covered: &'a Covered,
    /// Cases of this session, which its time is about: a run may have been resumed.
    executed: u64,
    seconds: f64,
    folder: &'a Path,
    /// How often the subject failed, if it is a device.
    failures: Option<u32>,
    /// Why it was declared dead.
    gone: Option<&'a str>,
}

impl Run<'_> {
    fn print(&self, context: &Context, selection: &Selection) -> Result<(), Failure> {
        let tally = &self.outcome.tally;
        let covered = self.covered;
        let rate = self.executed as f64 / self.seconds;
        if context.json {
            return output::print_json(&json!({
                "cases": tally.cases,
                "verdicts": tally.verdicts,
                "divergences": tally.verdicts.diverged,
                "signatures": self.found.bugs.len(),
                "unexamined": self.found.unexamined,
                "otherwise": self.found.remedy_json(),
                "findings": self.paths,
                "coverage": rounded(covered.share, 6),
                "bins": covered.bins,
                "impossible": covered.impossible,
                "undefined": tally.undefined,
                "judged": self.shares.json(),
                "not_generated": selection.unsupported,
                "functions": assay_reports::functions(self.outcome),
                "baseline": baseline::json(self.compared),
                "seconds": rounded(self.seconds, 3),
                "cases_per_second": rate.round(),
                "device": self.failures.map(|failures| json!({ "failures": failures, "dead": self.gone })),
                "out": self.folder,
            }));
        }
        let mut page = self.found.page(self.outcome);
        page += &self.shares.text();
        page += &covered.text();
        if !selection.unsupported.is_empty() {
            page += &format!("not generated, no voice for: {}\n", selection.unsupported.join(" "));
        }
        for (bug, path) in self.found.bugs.iter().zip(self.paths) {
            let replay = findings::replay_command(path, self.outcome.plan.setting());
            page += &findings::lines(bug, &replay);
        }
        page += &self.found.warning();
        if let Some(failures @ 1..) = self.failures {
            page += &format!("the device failed at {failures} cases\n");
        }
        page += &baseline::text(self.compared);
        page += &format!(
            "{} cases in {:.1} s, {:.2} million a second; results in {}\n",
            self.executed,
            self.seconds,
            rate / 1e6,
            self.folder.display()
        );
        output::print(&page)
    }
}
