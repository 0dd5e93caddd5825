//! `assay mutants`: plants known faults in the model and shows that the harness catches them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use assay_engine::campaign::{Campaign, Escort, Limit};
use assay_engine::result::{Plan, Shard};
use assay_engine::tally::Tally;
use assay_model::{FAULTS, FaultInfo};
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::fuzz::{parties, select};
use super::run_record::rounded;
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::interrupt::STOP;
use crate::voices::Voice;

/// Faults that are planted on purpose.
#[derive(Subcommand)]
pub enum Mutants {
    /// List the faults.
    List,
    /// Plant each fault and run a campaign against it.
    Run(Run),
}

/// Plant each fault and run a campaign against it until it is caught.
///
/// A fault that no case of the campaign shows is held against the sound model to the bit: if that tells
/// them apart it stays within the contract, else it survives, and the exit status is 1. A fault is caught only
/// where the sound model holds: if that diverges in the same cases, the command ends with status 2.
#[derive(Args)]
pub struct Run {
    /// Names of faults; all of them by default.
    names: Vec<String>,
    /// Cases spent on a fault at most.
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    cases: u64,
    /// Seed of the generator.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

impl Mutants {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        match self {
            Mutants::List => list(context),
            Mutants::Run(run) => run.run(context),
        }
    }
}

fn list(context: &Context) -> Result<Status, Failure> {
    if context.json {
        let rows = FAULTS.iter().map(|f| json!({ "name": f.name, "optype": f.optype, "about": f.about }));
        crate::print_json(&Value::Array(rows.collect()))?;
    } else {
        let line = |f: &FaultInfo| format!("{:<36} {:<5} {}\n", f.name, f.optype, f.about);
        crate::print(&(FAULTS.iter().map(line).collect::<String>() + &format!("{} faults\n", FAULTS.len())))?;
    }
    Ok(Status::Held)
}

/// What became of a fault.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Killed,
    WithinContract,
    Survived,
}

struct Case {
    info: &'static FaultInfo,
    fate: Fate,
    /// Cases executed until the epoch in which it was caught, and how many of them diverged.
    cases: u64,
    diverged: u64,
    /// Index of the first case that shows it.
    first: Option<u64>,
    seconds: f64,
}

impl Run {
    fn run(&self, context: &Context) -> Result<Status, Failure> {
        let started = Instant::now();
        let mut cases = Vec::new();
        let mut sound = BTreeMap::new();
        for info in self.faults()? {
            let Some(case) = self.fault(context, info, &mut sound)? else {
                return Ok(Status::Interrupted);
            };
            if !context.json {
                crate::print(&line(&case))?;
            }
            cases.push(case);
        }
        let with = |fate: Fate| cases.iter().filter(|c| c.fate == fate).collect::<Vec<_>>();
        let (killed, within, survived) =
            (with(Fate::Killed), with(Fate::WithinContract), with(Fate::Survived));
        let seconds = started.elapsed().as_secs_f64();
        if context.json {
            let names = |list: &[&Case]| list.iter().map(|c| c.info.name).collect::<Vec<_>>();
            crate::print_json(&json!({
                "total": cases.len(),
                "killed": killed.len(),
                "within_contract": names(&within),
                "equivalent": [],
                "survivors": names(&survived),
                "mutants": cases.iter().map(row).collect::<Vec<_>>(),
                "seconds": rounded(seconds, 3),
            }))?;
        } else {
            let counts = [cases.len(), killed.len(), within.len(), survived.len()];
            let [total, killed, within, survived] = counts;
            crate::print(&format!(
                "{total} faults: {killed} killed, {within} within the contract, {survived} survived; {seconds:.1} s\n"
            ))?;
        }
        Ok(Status::of(survived.is_empty()))
    }

    fn faults(&self) -> Result<Vec<&'static FaultInfo>, Failure> {
        if self.names.is_empty() {
            return Ok(FAULTS.iter().collect());
        }
        let find = |name: &String| {
            let unknown = || Failure::input(format!("no fault is called {name}; see `assay mutants list`"));
            FAULTS.iter().find(|f| f.name == name).ok_or_else(unknown)
        };
        self.names.iter().map(find).collect()
    }

    /// What became of a fault; nothing if the user stopped before that was known. `sound` holds in how many
    /// cases of an optype the model without a fault was seen to agree.
    fn fault(
        &self,
        context: &Context,
        info: &'static FaultInfo,
        sound: &mut BTreeMap<&'static str, u64>,
    ) -> Result<Option<Case>, Failure> {
        let started = Instant::now();
        let mutant = Voice::Mutant(info.fault);
        let tally = self.campaign(context, mutant, info.optype, None, self.cases)?;
        let (cases, diverged) = (tally.cases, tally.verdicts.diverged);
        let first = tally.findings.values().flatten().map(|found| found.index).min();
        let fate = if diverged > 0 {
            let seen = sound.entry(info.optype).or_default();
            if *seen < cases {
                self.check_model(context, info.optype, cases)?;
                *seen = cases;
            }
            Fate::Killed
        } else {
            let model = Some(&Voice::Model);
            let told = self.campaign(context, mutant, info.optype, model, self.cases)?.verdicts.diverged > 0;
            if told { Fate::WithinContract } else { Fate::Survived }
        };
        // A campaign that was cut short tells nothing.
        let stopped = STOP.load(Ordering::Relaxed);
        let seconds = started.elapsed().as_secs_f64();
        Ok((!stopped).then_some(Case { info, fate, cases, diverged, first, seconds }))
    }

    /// A divergence tells of the fault only if the same cases hold without it.
    fn check_model(&self, context: &Context, optype: &str, cases: u64) -> Result<(), Failure> {
        match self.campaign(context, Voice::Model, optype, None, cases)?.verdicts.diverged {
            0 => Ok(()),
            _ => Err(Failure::input(format!(
                "the model without a fault diverges on {optype} as well, so that nothing can be said of its \
                 faults; see `assay fuzz --only {optype}` under the same profile"
            ))),
        }
    }

    /// Runs until the first epoch with a divergence.
    fn campaign(
        &self,
        context: &Context,
        voice: Voice,
        optype: &str,
        against: Option<&Voice>,
        cases: u64,
    ) -> Result<Tally, Failure> {
        let subject = || context.subject(&voice);
        let oracle = || context.oracle(against);
        let parties = parties(context, &subject, &oracle);
        let scope = select(&parties, &[optype.to_owned()])?.scope;
        let limit = Limit::Cases(cases);
        let campaign = Campaign { parties, scope: &scope, seed: self.seed, limit, shard: Shard::WHOLE };
        let plan = Plan::Fuzz {
            seed: self.seed,
            cases: Some(cases),
            until_covered: false,
            only: vec![optype.to_owned()],
            setting: context.setting(&voice, against),
        };
        let caught = AtomicBool::new(false);
        let mut watch = |tally: &Tally| {
            let enough = tally.verdicts.diverged > 0 || STOP.load(Ordering::Relaxed);
            caught.store(enough, Ordering::Relaxed);
        };
        let escort = Escort { stop: &caught, progress: &mut watch, checkpoint: None, resume: false };
        Ok(campaign.run(&plan, escort)?.tally)
    }
}

fn row(case: &Case) -> Value {
    let fate = match case.fate {
        Fate::Killed => "killed",
        Fate::WithinContract => "within_contract",
        Fate::Survived => "survived",
    };
    json!({
        "name": case.info.name, "optype": case.info.optype, "fate": fate, "cases": case.cases,
        "diverged": case.diverged, "first_case": case.first, "seconds": rounded(case.seconds, 3),
    })
}

fn line(case: &Case) -> String {
    let fate = match case.fate {
        Fate::Killed => "killed",
        Fate::WithinContract => "within the contract",
        Fate::Survived => "SURVIVED",
    };
    let Some(first) = case.first else { return format!("{fate:<8} {}\n", case.info.name) };
    let one_in = case.cases / case.diverged.max(1);
    format!("{fate:<8} {:<36} first by case {first:>8}, 1 case in {one_in} diverged\n", case.info.name)
}
