//! Campaigns with the real voices: results do not depend on threads, shards or restarts, all voices
//! agree, every kind of fault is seen, and findings shrink and replay.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use assay_engine::compare::versus::{Bench, Parties, SubjectAsOracle};
use assay_engine::coverage::Bins;
use assay_engine::generate::Scope;
use assay_engine::generate::domain::{self, Domain};
use assay_engine::result::checkpoint::{Checkpoints, Resume};
use assay_engine::result::merge::{Allow, merge};
use assay_engine::result::progress::{open_campaign, open_sweep};
use assay_engine::result::{Outcome, Plan, Setting, Shard};
use assay_engine::run::campaign::{Campaign, Limit};
use assay_engine::run::sweep::{Function, Sweep};
use assay_engine::run::{CampaignError, RunHooks, RunOutcome};
use assay_engine::stats::tally::Tally;
use assay_engine::triage::shrink::{BUDGET, shrink};
use assay_engine::triage::signature::signature;
use assay_faults::{FAULTS, Fault, FaultInfo};
use assay_isa::hints::Operation;
use assay_isa::readings::SWITCHES;
use assay_isa::{
    Answer, Batch, Effects, Erratum, Numbers, Oracle, Reading, Readings, Subject, VoiceError, asm,
};
use assay_vectors::Profile;
use rayon::prelude::*;

use crate::support::{intended, json, model, mutant, oracle, oracle_under, setting};

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

struct Run<'a> {
    cases: u64,
    shard: Shard,
    subject: &'a (dyn Fn() -> Box<dyn Subject> + Sync),
    checkpoints: Option<Checkpoints<'a>>,
    /// Asks to stop after that many epochs.
    stop_after: Option<u32>,
}

impl Default for Run<'_> {
    fn default() -> Self {
        Run { cases: 3_000_000, shard: Shard::WHOLE, subject: &model, checkpoints: None, stop_after: None }
    }
}

impl Run<'_> {
    fn go(&self, scope: &Scope) -> Result<RunOutcome, Box<dyn std::error::Error>> {
        let profile = intended();
        let parties = Parties {
            numbers: Numbers::provisional(),
            profile: &profile,
            subject: self.subject,
            oracle: &oracle,
        };
        let limit = Limit::Cases(self.cases);
        let campaign = Campaign { parties, scope, seed: 7, limit, shard: self.shard };
        let stop = AtomicBool::new(false);
        let mut epochs = 0;
        let mut progress = |_: &Tally| {
            epochs += 1;
            stop.store(self.stop_after == Some(epochs), Ordering::Relaxed);
        };
        let bins = Bins::of(scope, &profile.readings);
        let (mut keeper, from) = open_campaign(self.checkpoints, &plan(self.cases), &campaign, &bins)?;
        let hooks = RunHooks { keeper: Some(&mut keeper), ..RunHooks::new(&stop, &mut progress) };
        Ok(campaign.run_covering(&bins, from, hooks)?)
    }

    fn outcome(&self) -> Outcome {
        Outcome::new(plan(self.cases), self.shard, self.go(&scope()).unwrap().tally)
    }
}

#[test]
fn model_and_oracle_agree_and_every_bin_is_in_reach() {
    let cases = 16_000_000;
    let outcome = Run { cases, ..Run::default() }.outcome();
    assert_eq!(outcome.tally.verdicts.diverged, 0, "{:#?}", outcome.tally.findings);
    assert_eq!(outcome.tally.verdicts.total(), cases);
    assert_eq!(outcome.tally.verdicts.unsupported, 0);
    let scope = scope();
    let bins = Bins::of(&scope, &Readings::INTENDED);
    let coverage = &outcome.tally.coverage;
    // An immediate has one class a batch: those forms take a longer run, which the README's tests make.
    let missed: Vec<String> = bins.missed(coverage).filter(|name| !name.contains("I ")).collect();
    assert!(missed.len() < bins.len() / 20, "{} missed, such as {:?}", missed.len(), &missed[..10]);
    assert_eq!(bins.impossible(coverage).collect::<Vec<_>>(), [""; 0]);
    assert!(!bins.excluded().is_empty());
    let accuracy = &outcome.tally.accuracy["MUFU.RCP.F32"];
    assert!(accuracy.max_ulp() < 1.0 && accuracy.max_ulp() > 0.5, "{}", accuracy.max_ulp());
}

/// Cases of a campaign of the model under some readings, and how many diverged.
fn under(profile: &Profile, scope: &Scope, cases: u64) -> Tally {
    let readings = profile.readings;
    let subject = || assay_model::model(Numbers::provisional().clone(), readings);
    let oracle = || oracle_under(readings);
    let parties = Parties { numbers: Numbers::provisional(), profile, subject: &subject, oracle: &oracle };
    let stop = AtomicBool::new(false);
    let campaign = Campaign { parties, scope, seed: 11, limit: Limit::Cases(cases), shard: Shard::WHOLE };
    campaign.run(RunHooks::new(&stop, &mut |_| {})).unwrap().tally
}

/// Errata of which a setting leaves every case of an optype undefined.
const ALL_OPEN: [u16; 11] = [13, 66, 71, 75, 76, 77, 78, 81, 149, 168, 177];

#[test]
fn model_and_oracle_agree_under_every_setting_and_profile() {
    let everything = scope();
    let named = ["literal", "sm90"].map(|name| (Profile::load(name).unwrap(), everything.clone()));
    let mut profiles: Vec<(Profile, Scope)> = named.into();
    for switch in SWITCHES {
        let touched = Scope::filtered(|mode| switch.optypes.contains(&mode.optype()));
        for setting in 1..=switch.settings.len() {
            let mut profile = intended();
            profile.set_reading(&format!("{}={setting}", switch.erratum)).unwrap();
            profiles.push((profile, touched.clone()));
        }
    }
    // Settings in combination, those left out that leave every case open: they would hide the others.
    for round in 0..24usize {
        let mut profile = intended();
        for (i, switch) in SWITCHES.iter().enumerate().filter(|(_, s)| !ALL_OPEN.contains(&s.erratum.0)) {
            let setting = (round * 7 + i * 5 + round * i) % switch.settings.len() + 1;
            profile.set_reading(&format!("{}={setting}", switch.erratum)).unwrap();
        }
        profiles.push((profile, everything.clone()));
    }
    let mut undefined = BTreeSet::new();
    for (profile, scope) in &profiles {
        let tally = under(profile, scope, 200_000);
        assert_eq!(tally.verdicts.diverged, 0, "{:?}: {:#?}", profile.readings, tally.findings);
        let is = |reading, setting| profile.readings.get(reading) == setting;
        let leaves_open = [
            (13, is(Reading::E013, 1)),
            (66, is(Reading::E066, 1)),
            (71, is(Reading::E071, 2)),
            (75, is(Reading::E075, 2)),
            (76, is(Reading::E076, 2)),
            (77, is(Reading::E077, 2)),
            (78, is(Reading::E078, 2)),
            (81, is(Reading::E081, 1)),
            (85, is(Reading::E085, 2)),
            (134, is(Reading::E134, 1)),
            (149, is(Reading::E149, 1)),
            (168, is(Reading::E168, 2)),
            (40, is(Reading::E040, 1)),
            (41, is(Reading::E041, 1)),
            (49, is(Reading::E049, 1)),
            (58, is(Reading::E058, 2) && is(Reading::E057, 2)),
            (177, is(Reading::E177, 1)),
        ];
        for erratum in tally.undefined.keys() {
            let known =
                leaves_open.iter().any(|(number, open)| *open && Erratum(*number).to_string() == *erratum);
            assert!(known, "{erratum} leaves cases open under {:?}", profile.readings);
            undefined.insert(erratum.clone());
        }
        let bins = Bins::of(scope, &profile.readings);
        let impossible: Vec<_> = bins.impossible(&tally.coverage).collect();
        assert_eq!(impossible, [""; 0], "{:?}", profile.readings);
    }
    let all = [
        "E013", "E040", "E041", "E049", "E058", "E066", "E071", "E075", "E076", "E077", "E078", "E081",
        "E085", "E134", "E149", "E168", "E177",
    ];
    assert_eq!(undefined.into_iter().collect::<Vec<_>>(), all);
}

/// What a value decides about is offered by the batch, whatever size and alignment the readings give it.
#[test]
fn every_load_finds_what_it_reads() {
    let scope =
        Scope::filtered(|mode| ["ULDC", "GETUGPR", "SETUGPR", "GETREG", "SETREG"].contains(&mode.optype()));
    for readings in [["E096=1", "E092=1"], ["E096=1", "E093=1"], ["E096=3", "E092=2"], ["E165=2", "E096=1"]] {
        let mut profile = intended();
        for reading in readings {
            profile.set_reading(reading).unwrap();
        }
        assert_eq!(under(&profile, &scope, 2_000_000).verdicts.diverged, 0, "{readings:?}");
    }
}

/// No form may lack a model, an oracle, a bin or a suite of vectors: it would be skipped in silence.
#[test]
fn every_form_is_computed_known_covered_and_recorded() {
    let forms = &assay_isa::catalog().forms;
    assert_eq!(forms.len(), 149);
    let profile = intended();
    let parties =
        Parties { numbers: Numbers::provisional(), profile: &profile, subject: &model, oracle: &oracle };
    let mut bench = Bench::new(&parties);
    let scope = Scope::everything();
    for form in forms {
        let mut modes = scope.modes().filter(|mode| mode.form().name == form.name).peekable();
        assert!(modes.peek().is_some(), "{} is never drawn", form.name);
        for mode in modes {
            let text = asm::print(mode);
            assert!(bench.supports(mode, parties.numbers).unwrap(), "{text}: a voice does not implement it");
        }
        let of_form = Scope::filtered(|mode| mode.form().name == form.name);
        assert_ne!(Bins::of(&of_form, &Readings::INTENDED).len(), 0, "{} has no bin", form.name);
    }
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/data");
    let recorded = |optype: &str| {
        let stem = optype.to_lowercase().replace('_', "-");
        let mut files = std::fs::read_dir(&data).unwrap().map(|file| file.unwrap().file_name());
        files.any(|name| {
            name.to_str()
                .unwrap()
                .strip_suffix(".yaml")
                .is_some_and(|n| n == stem || n.starts_with(&format!("{stem}-")))
        })
    };
    for optype in assay_isa::catalog().optypes() {
        assert!(recorded(optype.name), "{} has no suite of vectors", optype.name);
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
        let merged = merge(&files, Allow::default()).unwrap();
        assert!(json(&merged.outcome) == whole, "shards {order:?} differ from the whole");
    }
}

#[test]
fn an_interrupted_run_resumes_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("checkpoint.json");
    let kept = |resume| {
        Some(Checkpoints {
            path: &file,
            every: Duration::ZERO,
            build: "1",
            resume,
            same_device: false,
            say: &|_| {},
        })
    };
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

/// Returns why a run could not go on.
fn error_of(run: &Run<'_>, scope: &Scope) -> CampaignError {
    *run.go(scope).expect_err("it cannot go on").downcast().expect("it is the engine's error")
}

/// The model, until it has executed so many batches: then it fails, as what lost its device does.
struct Failing {
    model: Box<dyn Subject>,
    left: Arc<AtomicI64>,
}

impl Subject for Failing {
    fn name(&self) -> &str {
        "failing"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, VoiceError> {
        match self.left.fetch_sub(1, Ordering::Relaxed) {
            ..1 => Err(VoiceError::Failed { voice: "failing".into(), problem: "no answer".into() }),
            _ => self.model.execute(batch, effects),
        }
    }
}

#[test]
fn what_was_counted_before_a_voice_failed_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = &folder.path().join("checkpoint.json");
    // No checkpoint is due before it fails, in the second epoch.
    let every = Duration::from_secs(3600);
    let kept =
        |resume| Some(Checkpoints { path, every, build: "1", resume, same_device: false, say: &|_| {} });
    let left = Arc::new(AtomicI64::new(1500));
    let failing = || -> Box<dyn Subject> { Box::new(Failing { model: model(), left: left.clone() }) };
    let run = Run { subject: &failing, checkpoints: kept(Resume::No), ..Run::default() };
    assert!(matches!(error_of(&run, &scope()), CampaignError::Voice(_)));
    let rest = Run { checkpoints: kept(Resume::SameBuild), ..Run::default() };
    let done = rest.go(&scope()).unwrap();
    assert_eq!((done.resumed, done.tally.cases), (1 << 20, rest.cases));
    assert!(
        json(&Outcome::new(plan(rest.cases), Shard::WHOLE, done.tally)) == json(&Run::default().outcome())
    );
}

#[test]
fn nothing_to_generate_is_an_error() {
    let empty = Scope::filtered(|_| false);
    assert!(matches!(error_of(&Run::default(), &empty), CampaignError::EmptyScope));
}

#[test]
fn every_fault_is_caught_shrunk_and_named() {
    let profile = intended();
    // One row in 32 of each table of MUFU stands for all, for there are near a thousand, and of what is made for each
    // operand one in 16. Misread fields are for `assay mutants run`: many of them end in a word that is none.
    let told = |(place, info): &(usize, &FaultInfo)| match info.fault {
        Fault::RomBit(_, row) => row % 32 == 0,
        Fault::Operand(..) => place % 16 == 0,
        Fault::Field(_) => false,
        _ => true,
    };
    let shows = |info: &&FaultInfo| info.equivalent().is_none();
    let faults: Vec<_> = FAULTS.iter().enumerate().filter(told).map(|(_, info)| info).filter(shows).collect();
    let is_within = |info: &&&FaultInfo| {
        let scope = Scope::filtered(|i| i.optype() == info.optype);
        let subject = || mutant(info.fault);
        let run = |cases| Run { cases, subject: &subject, ..Run::default() }.go(&scope).unwrap();
        // Most show at once, and MUFU's truths are dear.
        let done = Some(run(60_000)).filter(|done| done.tally.verdicts.diverged > 0);
        let done = done.unwrap_or_else(|| run(2_000_000));
        if done.tally.verdicts.diverged == 0 {
            // It lies within a bound, and then the bits must tell it from the sound model.
            assert!(differs_from_the_model(&scope, &subject), "{} survives", info.name);
            return true;
        }
        let parties = Parties {
            numbers: Numbers::provisional(),
            profile: &profile,
            subject: &subject,
            oracle: &oracle,
        };
        let mut bench = Bench::new(&parties);
        let found = done.tally.findings.values().next().unwrap().first().unwrap();
        let (instruction, batch) = found.materialise(parties.numbers).unwrap();
        let small = shrink(&parties, &mut bench, &instruction, &batch).unwrap().expect("it diverges again");
        assert!(small.evaluations <= BUDGET + 1);
        assert_eq!(small.instruction.schedule, 0, "{}", info.name);
        let name = signature(&small.instruction, &small.batch, &small.divergence);
        assert!(name.starts_with(info.optype), "{name}");
        let again = shrink(&parties, &mut bench, &small.instruction, &small.batch).unwrap().unwrap();
        assert_eq!(signature(&again.instruction, &again.batch, &again.divergence), name, "{}", info.name);
        false
    };
    let within = faults.par_iter().filter(is_within).count();
    assert!(within < 12, "{within} faults lie within the contracts");
}

/// Whether some case tells a subject from the model, to the bit.
fn differs_from_the_model(scope: &Scope, subject: &(dyn Fn() -> Box<dyn Subject> + Sync)) -> bool {
    let oracle = || -> Box<dyn Oracle> { Box::new(SubjectAsOracle::new(model())) };
    let profile = intended();
    let parties = Parties { numbers: Numbers::provisional(), profile: &profile, subject, oracle: &oracle };
    let campaign = Campaign { parties, scope, seed: 11, limit: Limit::Cases(2_000_000), shard: Shard::WHOLE };
    let stop = AtomicBool::new(false);
    campaign.run(RunHooks::new(&stop, &mut |_| {})).unwrap().tally.verdicts.diverged > 0
}

#[test]
fn a_sweep_counts_what_it_planned_in_any_number_of_shards() {
    for text in ["MUFU.RCP.F32 R0, R1", "MUFU.RCP.F64 R0, R1", "FFMA R0, R1, R2, R3"] {
        let instruction = asm::parse(text).unwrap();
        let domain = match instruction.optype() {
            "FFMA" => Domain::arithmetic(Operation::Fused, 6, 4),
            _ => Domain::of(&instruction, 4099, domain::LARGEST),
        };
        let functions = [Function { instruction: instruction.clone(), domain: domain.clone() }];
        let tally = |shard| swept(&functions, shard, None, None).tally;
        let whole = tally(Shard::WHOLE);
        assert_eq!(whole.cases, domain.len());
        assert_eq!(whole.functions[&asm::mnemonic(&instruction)].total(), domain.len());
        assert_eq!(whole.verdicts.diverged, 0);
        let mut merged = tally(Shard { index: 2, of: 3 });
        merged.merge(tally(Shard { index: 0, of: 3 }));
        merged.merge(tally(Shard { index: 1, of: 3 }));
        assert_eq!(merged, whole);
    }
}

/// Sweeps with a checkpoint, and ends after so many epochs.
fn swept(functions: &[Function], shard: Shard, checkpoint: Option<&Path>, epochs: Option<u32>) -> RunOutcome {
    let profile = intended();
    let parties =
        Parties { numbers: Numbers::provisional(), profile: &profile, subject: &model, oracle: &oracle };
    let stop = AtomicBool::new(epochs == Some(0));
    let mut done = 0;
    let mut progress = |_: &Tally| {
        done += 1;
        stop.store(Some(done) == epochs, Ordering::Relaxed);
    };
    let (every, resume) = (Duration::ZERO, Resume::SameBuild);
    let checkpoints = checkpoint.map(|path| Checkpoints {
        path,
        every,
        build: "1",
        resume,
        same_device: false,
        say: &|_| {},
    });
    let inputs =
        functions.iter().map(|function| (asm::mnemonic(&function.instruction), function.domain.len()));
    let plan = Plan::Sweep { functions: inputs.collect(), stride: 1, setting: plan(0).setting().clone() };
    let sweep = Sweep { parties, functions, shard };
    let (mut keeper, from) = open_sweep(checkpoints, &plan, &sweep).unwrap();
    let hooks = RunHooks { keeper: Some(&mut keeper), ..RunHooks::new(&stop, &mut progress) };
    sweep.run(from, hooks).unwrap()
}

/// A unary function over every input.
fn every_input_of(text: &str) -> Function {
    Function {
        instruction: asm::parse(text).unwrap(),
        domain: Domain::Line { stride: 1, listed: Vec::new() },
    }
}

#[test]
fn a_sweep_that_is_stopped_again_and_again_counts_the_same() {
    let product = |text: &str| {
        let instruction = asm::parse(text).unwrap();
        Function { domain: Domain::of(&instruction, 255, 1 << 20), instruction }
    };
    let functions = [product("FMNMX R0, R1, R2, PT"), product("FSEL R0, R1, R2, P0"), product("POPC R0, R1")];
    let whole = swept(&functions, Shard::WHOLE, None, None).tally;
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join("checkpoint.json");
    let mut sessions = 0;
    let done = loop {
        sessions += 1;
        let done = swept(&functions, Shard::WHOLE, Some(&checkpoint), Some(1 + sessions % 3));
        if !done.interrupted {
            break done;
        }
    };
    assert!(sessions > 5 && done.resumed > 0, "{sessions}");
    assert_eq!(done.tally, whole);
    assert_eq!(whole.cases, functions.iter().map(|f| f.domain.len()).sum::<u64>());
}

#[test]
fn surveys_merge_to_the_same_whatever_the_shards() {
    let functions = [every_input_of("MUFU.RSQ.F32 R0, R1"), every_input_of("MUFU.LG2.F32 R0, R1")];
    let shard = |index, of| swept(&functions, Shard { index, of }, None, None).tally;
    let whole = shard(515, 1024);
    let mut merged = shard(1024 + 515, 2048);
    merged.merge(shard(515, 2048));
    assert_eq!(merged, whole);
    assert_eq!(whole.cases, 4 << 21);
    assert!(whole.accuracy.values().all(|accuracy| accuracy.survey.is_some()));
}
