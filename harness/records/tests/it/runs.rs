//! Runs with progress and results in files: the results do not depend on threads, shards or
//! restarts.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use assay_engine::compare::canary::Canaries;
use assay_engine::compare::comparator::Setup;
use assay_engine::compare::counts::Counts;
use assay_engine::coverage::Bins;
use assay_engine::generate::Scope;
use assay_engine::generate::domain::Domain;
use assay_engine::run::campaign::{Campaign, Limit};
use assay_engine::run::sweep::{Function, Sweep};
use assay_engine::run::{CampaignError, ProgressKeeper, RunHooks, RunOutcome, RunProgress, Shard};
use assay_engine::stats::tally::Tally;
use assay_isa::{Answer, BackendError, Batch, Effects, EncodingTable, Readings, Subject, asm};
use assay_records::checkpoint::{Checkpoints, Resume};
use assay_records::merge::{MergeAllowances, merge};
use assay_records::progress::{open_campaign, open_sweep};
use assay_records::{Plan, RunDemands, RunResult, Setting};

use crate::support::{intended, json, model, oracle, setting};

fn scope() -> Scope {
    Scope::everything().clone()
}

fn plan(cases: u64) -> Plan {
    let setting = Setting {
        contracts: intended()
            .contracts
            .iter()
            .filter(|row| row.applies(&Readings::INTENDED))
            .map(|row| (row.instruction.clone(), row.contract.to_string()))
            .collect(),
        ..setting()
    };
    Plan::Fuzz { seed: 7, cases: Some(cases), until_covered: false, only: Vec::new(), setting }
}

/// Returns the settings for checkpoints in a file, with at most one checkpoint in the time `every`.
fn kept(path: &Path, every: Duration, resume: Resume) -> Option<Checkpoints<'_>> {
    Some(Checkpoints { path, every, build: "1", resume, same_device: false, say: &|_| {} })
}

/// A time after which no checkpoint is due in a test.
const NEVER: Duration = Duration::from_secs(3600);

struct Run<'a> {
    cases: u64,
    shard: Shard,
    subject: &'a (dyn Fn() -> Box<dyn Subject> + Sync),
    checkpoints: Option<Checkpoints<'a>>,
    /// The run is asked to stop after this number of epochs.
    stop_after: Option<u32>,
    /// The run stops once this is set.
    stop: Arc<AtomicBool>,
}

impl Default for Run<'_> {
    fn default() -> Self {
        Run {
            cases: 3_000_000,
            shard: Shard::WHOLE,
            subject: &model,
            checkpoints: None,
            stop_after: None,
            stop: Arc::default(),
        }
    }
}

impl Run<'_> {
    fn go(&self, scope: &Scope) -> Result<RunOutcome, Box<dyn std::error::Error>> {
        let profile = intended();
        let setup = Setup {
            numbers: EncodingTable::provisional(),
            profile: &profile,
            subject: self.subject,
            oracle: &oracle,
        };
        let limit = Limit::Cases(self.cases);
        let campaign = Campaign { setup, scope, seed: 7, limit, shard: self.shard };
        let mut epochs = 0;
        let mut progress = |_: &Tally| {
            epochs += 1;
            self.stop.fetch_or(self.stop_after == Some(epochs), Ordering::Relaxed);
        };
        let bins = Bins::of(scope, &profile.readings);
        let (mut keeper, from) =
            open_campaign(self.checkpoints, &plan(self.cases), &RunDemands::default(), &campaign, &bins)?;
        let hooks = RunHooks { keeper: Some(&mut keeper), ..RunHooks::new(&self.stop, &mut progress) };
        Ok(campaign.run_covering(&bins, from, hooks)?)
    }

    fn outcome(&self) -> RunResult {
        RunResult::new(plan(self.cases), self.shard, self.go(&scope()).unwrap().tally)
    }
}

#[test]
fn threads_and_shards_do_not_show() {
    let whole = json(&Run::default().outcome());
    let single = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert!(single.install(|| json(&Run::default().outcome())) == whole, "one thread differs from several");
    let folder = tempfile::tempdir().unwrap();
    let shards: Vec<PathBuf> = (0..5)
        .map(|index| {
            let path = folder.path().join(format!("{index}.json"));
            Run { shard: Shard { index, of: 5 }, ..Run::default() }.outcome().write(&path).unwrap();
            path
        })
        .collect();
    for order in [[0, 1, 2, 3, 4], [3, 1, 4, 0, 2]] {
        let files = order.map(|index: usize| shards[index].clone());
        let merged = merge(&files, MergeAllowances::default(), &RunDemands::default()).unwrap();
        assert!(json(&merged.outcome) == whole, "shards {order:?} differ from the whole");
    }
}

#[test]
fn an_interrupted_run_resumes_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("checkpoint.json");
    let kept = |resume| kept(&file, Duration::ZERO, resume);
    let part = Run { checkpoints: kept(Resume::No), stop_after: Some(1), ..Run::default() };
    let done = part.go(&scope()).unwrap();
    assert!(done.interrupted && done.tally.cases < 3_000_000);
    let rest = Run { checkpoints: kept(Resume::SameBuild), ..Run::default() };
    assert!(json(&rest.outcome()) == json(&Run::default().outcome()));
    assert_eq!((done.resumed, rest.go(&scope()).unwrap().resumed), (0, rest.cases));
    let foreign = Run { cases: 1_000_000, checkpoints: kept(Resume::SameBuild), ..Run::default() };
    let refused = foreign.go(&scope()).expect_err("it is of another plan").to_string();
    assert!(refused.contains("the number of cases differs"), "{refused}");
}

/// Returns the error of a run that failed.
fn error_of(run: &Run<'_>, scope: &Scope) -> CampaignError {
    *run.go(scope).expect_err("it cannot go on").downcast().expect("it is the engine's error")
}

/// The model as a subject that fails after `left` batches, like a subject that lost its device.
struct Failing {
    model: Box<dyn Subject>,
    left: Arc<AtomicI64>,
}

impl Subject for Failing {
    fn name(&self) -> &str {
        "failing"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        match self.left.fetch_sub(1, Ordering::Relaxed) {
            ..1 => {
                Err(BackendError::Failed { implementation: "failing".into(), problem: "no answer".into() })
            }
            _ => self.model.execute(batch, effects),
        }
    }
}

#[test]
fn what_was_counted_before_a_voice_failed_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = &folder.path().join("checkpoint.json");
    let kept = |resume| kept(path, NEVER, resume);
    // The subject fails in the second epoch.
    let left = Arc::new(AtomicI64::new(1500));
    let failing = || -> Box<dyn Subject> { Box::new(Failing { model: model(), left: left.clone() }) };
    let run = Run { subject: &failing, checkpoints: kept(Resume::No), ..Run::default() };
    assert!(matches!(error_of(&run, &scope()), CampaignError::Backend(_)));
    let rest = Run { checkpoints: kept(Resume::SameBuild), ..Run::default() };
    let done = rest.go(&scope()).unwrap();
    assert_eq!((done.resumed, done.tally.cases), (1 << 20, rest.cases));
    assert!(
        json(&RunResult::new(plan(rest.cases), Shard::WHOLE, done.tally)) == json(&Run::default().outcome())
    );
}

/// The model. After `left` batches it asks the run to stop, as a user does.
struct Stopped {
    model: Box<dyn Subject>,
    left: Arc<AtomicI64>,
    stop: Arc<AtomicBool>,
}

impl Subject for Stopped {
    fn name(&self) -> &str {
        "stopped"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        self.stop.fetch_or(self.left.fetch_sub(1, Ordering::Relaxed) < 1, Ordering::Relaxed);
        self.model.execute(batch, effects)
    }
}

/// An interrupted run does not wait for the end of an epoch, because a subject may take a second
/// for a batch. It keeps its finished batches.
#[test]
fn a_run_is_interrupted_within_an_epoch() {
    let folder = tempfile::tempdir().unwrap();
    let path = &folder.path().join("checkpoint.json");
    let kept = |resume| kept(path, NEVER, resume);
    let (stop, left) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicI64::new(0)));
    let stopped = || -> Box<dyn Subject> {
        Box::new(Stopped { model: model(), left: left.clone(), stop: stop.clone() })
    };
    let run = Run { subject: &stopped, checkpoints: kept(Resume::No), stop: stop.clone(), ..Run::default() };
    let done = run.go(&scope()).unwrap();
    let cases = done.tally.cases;
    assert!(done.interrupted && (1..1 << 19).contains(&cases), "{cases} cases");
    let rest = Run { checkpoints: kept(Resume::SameBuild), ..Run::default() };
    let done = rest.go(&scope()).unwrap();
    assert_eq!(done.resumed, cases);
    assert!(
        json(&RunResult::new(plan(rest.cases), Shard::WHOLE, done.tally)) == json(&Run::default().outcome())
    );
}

/// Sweeps some functions, with a checkpoint if one is given. Ends after `epochs` epochs, if given.
fn swept(functions: &[Function], checkpoint: Option<&Path>, epochs: Option<u32>) -> RunOutcome {
    let profile = intended();
    let setup =
        Setup { numbers: EncodingTable::provisional(), profile: &profile, subject: &model, oracle: &oracle };
    let stop = AtomicBool::new(epochs == Some(0));
    let mut done = 0;
    let mut progress = |_: &Tally| {
        done += 1;
        stop.store(Some(done) == epochs, Ordering::Relaxed);
    };
    let checkpoints = checkpoint.and_then(|path| kept(path, Duration::ZERO, Resume::SameBuild));
    let inputs =
        functions.iter().map(|function| (asm::mnemonic(&function.instruction), function.domain.len()));
    let plan = Plan::Sweep { functions: inputs.collect(), stride: 1, setting: plan(0).setting().clone() };
    let sweep = Sweep { setup, functions, shard: Shard::WHOLE };
    let (mut keeper, from) = open_sweep(checkpoints, &plan, &RunDemands::default(), &sweep).unwrap();
    let hooks = RunHooks { keeper: Some(&mut keeper), ..RunHooks::new(&stop, &mut progress) };
    sweep.run(from, hooks).unwrap()
}

#[test]
fn a_sweep_that_is_stopped_again_and_again_counts_the_same() {
    let product = |text: &str| {
        let instruction = asm::parse(text).unwrap();
        Function { domain: Domain::of(&instruction, 255, 1 << 20), instruction }
    };
    let functions = [product("FMNMX R0, R1, R2, PT"), product("FSEL R0, R1, R2, P0"), product("POPC R0, R1")];
    let whole = swept(&functions, None, None).tally;
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join("checkpoint.json");
    let mut sessions = 0;
    let done = loop {
        sessions += 1;
        let done = swept(&functions, Some(&checkpoint), Some(1 + sessions % 3));
        if !done.interrupted {
            break done;
        }
    };
    assert!(sessions > 5 && done.resumed > 0, "{sessions}");
    assert_eq!(done.tally, whole);
    assert_eq!(whole.cases, functions.iter().map(|f| f.domain.len()).sum::<u64>());
}

/// A forged checkpoint of a run with a time limit may claim 2^46 finished batches. The resumed run
/// ends when its time is over, and takes no time for the claimed batches.
#[test]
fn progress_of_two_years_costs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = &folder.path().join("checkpoint.json");
    let (profile, everything) = (intended(), scope());
    let setup =
        Setup { numbers: EncodingTable::provisional(), profile: &profile, subject: &model, oracle: &oracle };
    let limit = Limit::Until(&|| true);
    let campaign = Campaign { setup, scope: &everything, seed: 7, limit, shard: Shard::WHOLE };
    let bins = Bins::of(&everything, &profile.readings);
    let plan =
        Plan::Fuzz { seed: 7, cases: None, until_covered: false, only: Vec::new(), setting: setting() };
    let kept = |resume| kept(path, Duration::ZERO, resume);
    let cases = 1 << 56;
    let demands = RunDemands::default();
    let verdicts = Counts { exact: cases, ..Counts::default() };
    let canaries = Canaries { spoiled: 1, ..Canaries::default() };
    let forms = [("FADD_RR".to_owned(), verdicts)].into();
    let tally = Tally { cases, verdicts, forms, canaries, ..Tally::default() };
    let (mut keeper, _) = open_campaign(kept(Resume::No), &plan, &demands, &campaign, &bins).unwrap();
    let forged = RunProgress { units: 1 << 46, tally, ..RunProgress::default() };
    ProgressKeeper::save(&mut keeper, &forged);
    let (mut keeper, from) =
        open_campaign(kept(Resume::SameBuild), &plan, &demands, &campaign, &bins).unwrap();
    let (stop, mut progress) = (AtomicBool::new(false), |_: &Tally| ());
    let hooks = RunHooks { keeper: Some(&mut keeper), ..RunHooks::new(&stop, &mut progress) };
    let done = campaign.run_covering(&bins, from, hooks).unwrap();
    assert_eq!((done.resumed, done.tally.cases), (cases, cases));
}
