//! `assay mutants`: plants known faults in the model and shows that the harness catches them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use assay_engine::campaign::{Campaign, Escort, Limit};
use assay_engine::generate::Scope;
use assay_engine::result::{Plan, Shard};
use assay_engine::tally::Tally;
use assay_model::{FAULTS, FaultInfo};
use assay_vectors::Contract;
use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};

use super::fuzz::{parties, select};
use super::run_record::rounded;
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::interrupt::STOP;
use crate::progress::Progress;
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
/// A fault of an instruction that a bound judges is held against the sound model to the bit as well: what only
/// that shows lies within the contract. One that nothing shows survives, and the exit status is 1. A fault is caught
/// only where the sound model holds: if that diverges in the same cases, the command ends with status 2.
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

/// The campaigns against one fault, the last of them the one that caught it.
#[derive(Clone, Copy, Default)]
struct Hunt {
    /// Cases executed until the epoch in which it was caught, and how many of them diverged.
    cases: u64,
    diverged: u64,
    /// Index of the first case that shows it.
    first: Option<u64>,
}

struct Case {
    info: &'static FaultInfo,
    /// Against the oracle, by the contracts.
    contract: Hunt,
    /// Against the sound model, to the bit; the same where the contracts ask for bits.
    bits: Hunt,
    seconds: f64,
}

impl Case {
    fn fate(&self) -> Fate {
        match (self.contract.first, self.bits.first) {
            (Some(_), _) => Fate::Killed,
            (None, Some(_)) => Fate::WithinContract,
            (None, None) => Fate::Survived,
        }
    }
}

/// Cases of the first campaign against a fault, and of the next while nothing shows it. Most show at once.
const ROUNDS: [u64; 3] = [1 << 16, 1 << 20, u64::MAX];

impl Run {
    fn run(&self, context: &Context) -> Result<Status, Failure> {
        let started = Instant::now();
        let mut hunter = Hunter { run: self, context, scopes: BTreeMap::new(), sound: BTreeMap::new() };
        let mut cases = Vec::new();
        let faults = self.faults()?;
        let mut progress = Progress::new("faults", Some(faults.len() as u64));
        for info in faults {
            let Some(case) = hunter.fault(info)? else {
                progress.finish();
                return Ok(Status::Interrupted);
            };
            if !context.json && (info.group() == info.optype || case.fate() != Fate::Killed) {
                progress.aside(|| crate::print(&line(&case)))?;
            }
            cases.push(case);
            progress.at(cases.len() as u64, 0);
        }
        progress.finish();
        let with = |fate: Fate| cases.iter().filter(|c| c.fate() == fate).collect::<Vec<_>>();
        let (killed, within, survived) =
            (with(Fate::Killed), with(Fate::WithinContract), with(Fate::Survived));
        let seconds = started.elapsed().as_secs_f64();
        let groups = groups(&cases);
        if context.json {
            let names = |list: &[&Case]| list.iter().map(|c| c.info.name).collect::<Vec<_>>();
            let group = |(name, g): (&String, &Group)| {
                let counts =
                    json!({ "total": g.total, "killed": g.killed, "killed_bit_exact": g.killed_bit_exact });
                (name.clone(), counts)
            };
            crate::print_json(&json!({
                "total": cases.len(),
                "killed": killed.len(),
                "killed_bit_exact": killed.len() + within.len(),
                "within_contract": names(&within),
                "equivalent": [],
                "survivors": names(&survived),
                "groups": groups.iter().map(group).collect::<Map<_, _>>(),
                "mutants": cases.iter().map(row).collect::<Vec<_>>(),
                "seconds": rounded(seconds, 3),
            }))?;
        } else {
            let counts = [cases.len(), killed.len(), within.len(), survived.len()];
            let [total, killed, within, survived] = counts;
            crate::print(&format!(
                "{}\n{total} faults: {killed} killed, {within} within the contract, {survived} survived; {seconds:.1} s\n",
                table(&groups)
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
}

/// Runs the campaigns, and keeps what many faults need.
struct Hunter<'a> {
    run: &'a Run,
    context: &'a Context,
    /// The modes that patterns of functions select.
    scopes: BTreeMap<&'static [&'static str], Scope>,
    /// In how many cases of these the model without a fault was seen to agree.
    sound: BTreeMap<&'static [&'static str], u64>,
}

impl Hunter<'_> {
    /// What became of a fault; nothing if the user stopped before that was known.
    fn fault(&mut self, info: &'static FaultInfo) -> Result<Option<Case>, Failure> {
        let started = Instant::now();
        let contract = self.hunt(info, None)?;
        if contract.first.is_some() {
            self.check_model(info.functions(), contract.cases)?;
        }
        let bits = match self.is_bounded(info)? || contract.first.is_none() {
            true => self.hunt(info, Some(&Voice::Model))?,
            false => contract,
        };
        // A campaign that was cut short tells nothing.
        let stopped = STOP.load(Ordering::Relaxed);
        let seconds = started.elapsed().as_secs_f64();
        Ok((!stopped).then_some(Case { info, contract, bits, seconds }))
    }

    /// Whether some function that the fault can show in is judged by a bound.
    fn is_bounded(&mut self, info: &'static FaultInfo) -> Result<bool, Failure> {
        let profile = &self.context.profile;
        let scope = self.scope(info.functions())?;
        Ok(scope.modes().any(|mode| matches!(profile.contract_for(mode), Contract::Bounded(_))))
    }

    /// Runs campaigns of rising length until one shows the fault.
    fn hunt(&mut self, info: &'static FaultInfo, against: Option<&Voice>) -> Result<Hunt, Failure> {
        let mut hunt = Hunt::default();
        for cases in ROUNDS.map(|cases| cases.min(self.run.cases)) {
            if hunt.cases < cases && hunt.first.is_none() {
                let tally = self.campaign(Voice::Mutant(info.fault), info.functions(), against, cases)?;
                let first = tally.findings.values().flatten().map(|found| found.index).min();
                hunt = Hunt { cases: tally.cases, diverged: tally.verdicts.diverged, first };
            }
        }
        Ok(hunt)
    }

    /// A divergence tells of the fault only if the same cases hold without it.
    fn check_model(&mut self, functions: &'static [&'static str], cases: u64) -> Result<(), Failure> {
        if self.sound.get(functions).is_some_and(|seen| *seen >= cases) {
            return Ok(());
        }
        self.sound.insert(functions, cases);
        match self.campaign(Voice::Model, functions, None, cases)?.verdicts.diverged {
            0 => Ok(()),
            _ => Err(Failure::input(format!(
                "the model without a fault diverges on {0} as well, so that nothing can be said of its \
                 faults; see `assay fuzz --only {0}` under the same profile",
                functions.join(" ")
            ))),
        }
    }

    fn scope(&mut self, functions: &'static [&'static str]) -> Result<&Scope, Failure> {
        if !self.scopes.contains_key(functions) {
            let (subject, oracle) = (|| self.context.subject(&Voice::Model), || self.context.oracle(None));
            let parties = parties(self.context, &subject, &oracle);
            let only: Vec<String> = functions.iter().map(|glob| (*glob).to_owned()).collect();
            self.scopes.insert(functions, select(&parties, &only)?.scope);
        }
        Ok(&self.scopes[functions])
    }

    /// Runs until the first epoch with a divergence.
    fn campaign(
        &mut self,
        voice: Voice,
        functions: &'static [&'static str],
        against: Option<&Voice>,
        cases: u64,
    ) -> Result<Tally, Failure> {
        let (context, seed) = (self.context, self.run.seed);
        let subject = || context.subject(&voice);
        let oracle = || context.oracle(against);
        let parties = parties(context, &subject, &oracle);
        let limit = Limit::Cases(cases);
        let scope = self.scope(functions)?;
        let campaign = Campaign { parties, scope, seed, limit, shard: Shard::WHOLE };
        let plan = Plan::Fuzz {
            seed,
            cases: Some(cases),
            until_covered: false,
            only: functions.iter().map(|glob| (*glob).to_owned()).collect(),
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

/// The faults of an optype, or of a table of the function unit.
#[derive(Default)]
struct Group {
    total: usize,
    killed: usize,
    killed_bit_exact: usize,
}

fn groups(cases: &[Case]) -> BTreeMap<String, Group> {
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    for case in cases {
        let group = groups.entry(case.info.group()).or_default();
        group.total += 1;
        group.killed += usize::from(case.fate() == Fate::Killed);
        group.killed_bit_exact += usize::from(case.fate() != Fate::Survived);
    }
    groups
}

fn table(groups: &BTreeMap<String, Group>) -> String {
    let mut text = format!("{:<16} {:>6} {:>20} {:>14}\n", "", "faults", "killed by contract", "bit for bit");
    for (name, Group { total, killed, killed_bit_exact }) in groups {
        text += &format!("{name:<16} {total:>6} {killed:>20} {killed_bit_exact:>14}\n");
    }
    text
}

fn row(case: &Case) -> Value {
    let fate = match case.fate() {
        Fate::Killed => "killed",
        Fate::WithinContract => "within_contract",
        Fate::Survived => "survived",
    };
    let hunt =
        |hunt: &Hunt| json!({ "cases": hunt.cases, "diverged": hunt.diverged, "first_case": hunt.first });
    json!({
        "name": case.info.name, "optype": case.info.optype, "group": case.info.group(), "fate": fate,
        "contract": hunt(&case.contract), "bit_exact": hunt(&case.bits), "seconds": rounded(case.seconds, 3),
    })
}

fn line(case: &Case) -> String {
    let (fate, hunt) = match case.fate() {
        Fate::Killed => ("killed", &case.contract),
        Fate::WithinContract => ("within the contract", &case.bits),
        Fate::Survived => ("SURVIVED", &case.bits),
    };
    let Some(first) = hunt.first else { return format!("{fate:<8} {}\n", case.info.name) };
    let one_in = hunt.cases / hunt.diverged.max(1);
    format!("{fate:<8} {:<36} first by case {first:>8}, 1 case in {one_in} diverged\n", case.info.name)
}
