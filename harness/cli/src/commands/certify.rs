//! `assay certify`: MPFR's word on every argument of the oracle's filter, and a check that this build has its bits.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use assay_engine::result::checkpoint::{self, Checkpoints, Identity, Keeper, Resume};
use assay_engine::result::write_json;
use assay_mpfr::Function;
use assay_mpfr::filter::certificate::{Certificate, FUNCTIONS, committed, pattern};
use assay_mpfr::filter::certify::{Certifier, Proof, blocks};
use clap::Args;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::build;
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::interrupt::{self, STOP};
use crate::output;
use crate::progress::Progress;

/// Certify the oracle's filter: MPFR goes through every argument of a function once and tells how far the evaluation in
/// double precision is off.
///
/// With --check nothing is proved anew: the filter goes through every argument, and its results must have the digests
/// that the committed certificates record. That takes about a minute for all functions, proving them takes hours.
#[derive(Args)]
pub struct Certify {
    /// Functions: rcp sqrt rsq ex2 lg2 tanh sin cos sin-turns cos-turns; all by default.
    functions: Vec<String>,
    /// Hold this build, on this CPU, against the certificates it was built with.
    #[arg(long, conflicts_with = "out")]
    check: bool,
    /// Folder for the certificates. What an earlier run left there unfinished goes on.
    #[arg(long, value_name = "DIR", default_value = "certificates")]
    out: PathBuf,
    /// Go on although another build of assay did the rest.
    #[arg(long, conflicts_with = "check")]
    other_build: bool,
}

/// What a checkpoint is of: a function by its name.
#[derive(Serialize, Deserialize)]
struct Of(String);

impl Identity for Of {
    fn difference(&self, other: &Of) -> Option<String> {
        (self.0 != other.0).then(|| "the function".to_owned())
    }
}

/// A function that is gone through, and what is known so far.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Progressed {
    blocks: BTreeMap<u32, u64>,
    proof: Proof,
}

/// Blocks that are done between two looks at the clock.
const AT_ONCE: usize = 16;
const SAVE_EVERY: Duration = Duration::from_secs(5);
/// Time to end in order after a signal.
const SAVE_WITHIN: Duration = Duration::from_millis(1500);

impl Certify {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        let functions = self.functions()?;
        interrupt::end_within(SAVE_WITHIN);
        if self.check {
            return check(context, &functions);
        }
        let started = Instant::now();
        let mut status = Status::Held;
        let mut list = Vec::new();
        let build = build::identity()?;
        std::fs::create_dir_all(&self.out)
            .map_err(|e| Failure::input(format!("{}: {e}", self.out.display())))?;
        for (name, function) in functions {
            let Some(certificate) = self.certify(name, function, &build)? else {
                return Ok(Status::Interrupted);
            };
            if !certificate.holds() {
                status = Status::Failed;
            }
            list.push(certificate);
        }
        show(context, &list, started.elapsed().as_secs_f64())?;
        Ok(status)
    }

    fn functions(&self) -> Result<Vec<(&'static str, Function)>, Failure> {
        if self.functions.is_empty() {
            return Ok(FUNCTIONS.to_vec());
        }
        let named = |name: &String| FUNCTIONS.into_iter().find(|(known, _)| known == name);
        let unknown = |name: &String| {
            let known: Vec<&str> = FUNCTIONS.iter().map(|(name, _)| *name).collect();
            Failure::input(format!("no certified function is called {name}; known are {}", known.join(" ")))
        };
        self.functions.iter().map(|name| named(name).ok_or_else(|| unknown(name))).collect()
    }

    /// Proves one function; nothing if it was interrupted, with what was done kept.
    fn certify(&self, name: &str, function: Function, build: &str) -> Result<Option<Certificate>, Failure> {
        let path = &self.out.join(format!("{name}.unfinished.json"));
        let resume = if self.other_build { Resume::AnyBuild } else { Resume::SameBuild };
        let say = &|text: &str| output::say(text);
        let place = Checkpoints { path, every: SAVE_EVERY, build, resume, same_device: false, say };
        let (mut keeper, mut so_far): (_, Progressed) = Keeper::open(Some(place), Of(name.to_owned()))?;
        let all = blocks(function);
        let todo: Vec<u32> = all.iter().copied().filter(|first| !so_far.blocks.contains_key(first)).collect();
        let mut progress = Progress::new(&format!("blocks of {name}"), Some(all.len() as u64));
        for blocks in todo.chunks(AT_ONCE) {
            let done: Result<Vec<(u32, u64, Proof)>, _> = blocks
                .par_iter()
                .map_init(
                    || Certifier::new(function),
                    |certifier, first| {
                        let (digest, proof) = assay_fpenv::checked(|| certifier.prove(*first))?;
                        Ok((*first, digest, proof))
                    },
                )
                .collect();
            let done =
                done.map_err(|wrong: assay_fpenv::WrongEnvironment| Failure::harness(wrong.to_string()))?;
            for (first, digest, proof) in done {
                so_far.blocks.insert(first, digest);
                so_far.proof.merge(proof);
            }
            progress.at(so_far.blocks.len() as u64, 0);
            if STOP.load(Ordering::Relaxed) {
                keeper.save(&so_far);
                progress.finish();
                return Ok(None);
            }
            keeper.keep(&so_far);
        }
        progress.finish();
        let certificate = Certificate::new(name, function, &so_far.proof, &so_far.blocks);
        write_json(&self.path(name), &certificate)?;
        checkpoint::remove(path)?;
        Ok(Some(certificate))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.out.join(format!("{name}.json"))
    }
}

/// Holds this build against the certificates it was built with.
fn check(context: &Context, functions: &[(&'static str, Function)]) -> Result<Status, Failure> {
    let started = Instant::now();
    let mut entries = Vec::new();
    let mut page = String::new();
    let mut differing = 0;
    for (name, function) in functions {
        let Some(certificate) = committed(name) else {
            page += &format!("{name:10} has no certificate: MPFR does all of it\n");
            entries.push(json!({ "function": name, "certified": false }));
            continue;
        };
        let (all, others) = compare(certificate, *function);
        differing += others.len();
        page += &match others.first() {
            None => {
                format!("{name:10} {all} blocks of 2^{} arguments as certified\n", certificate.block_bits)
            }
            Some(first) => {
                let count = others.len();
                format!("{name:10} {count} of {all} blocks are NOT as certified, the first from {first} on\n")
            }
        };
        entries.push(json!({ "function": name, "certified": true, "blocks": all, "differing": others }));
    }
    let seconds = started.elapsed().as_secs_f64();
    if context.json {
        output::print_json(&json!({ "functions": entries, "differing": differing, "seconds": seconds }))?;
    } else {
        output::print(&format!("{page}{seconds:.1} s\n"))?;
    }
    Ok(Status::of(differing == 0))
}

/// How many blocks a function has, and the first arguments of those that are not as certified.
fn compare(certificate: &Certificate, function: Function) -> (usize, Vec<String>) {
    let all = blocks(function);
    let mut progress = Progress::new(&format!("blocks of {}", certificate.function), Some(all.len() as u64));
    let mut others = Vec::new();
    for (done, blocks) in all.chunks(AT_ONCE).enumerate() {
        let digests: Vec<u64> = blocks
            .par_iter()
            .map_init(|| Certifier::new(function), |certifier, first| certifier.digest(*first))
            .collect();
        let differs = |(first, digest): &(&u32, u64)| certificate.digest(**first) != Some(*digest);
        others.extend(blocks.iter().zip(digests).filter(differs).map(|(first, _)| pattern(*first)));
        progress.at(((done + 1) * AT_ONCE) as u64, others.len() as u64);
    }
    progress.finish();
    (all.len(), others)
}

fn show(context: &Context, list: &[Certificate], seconds: f64) -> Result<(), Failure> {
    if context.json {
        let entries: Vec<Value> = list.iter().map(entry).collect();
        return output::print_json(&json!({ "certificates": entries, "seconds": seconds }));
    }
    let mut page = format!(
        "{:10} {:>7} {:>9} {:>7} {:>14} {:>10}\n",
        "function", "bound", "measured", "margin", "arguments", "undecided"
    );
    for one in list {
        let Certificate { function, bound, worst, arguments, undecided, .. } = one;
        page += &format!(
            "{function:10} {bound:6} u {worst:7.3} u {:7.2} {arguments:14} {undecided:10}{}\n",
            one.margin(),
            if one.holds() { "" } else { "  NOT within its bound" }
        );
    }
    page += &format!("u = 2^-53; {seconds:.1} s\n");
    output::print(&page)
}

fn entry(one: &Certificate) -> Value {
    json!({
        "function": one.function,
        "bound": one.bound,
        "measured": one.worst,
        "at": one.worst_argument,
        "margin": one.margin(),
        "arguments": one.arguments,
        "undecided": one.undecided,
        "holds": one.holds(),
    })
}
