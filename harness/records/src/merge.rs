//! Merges shards into one result. All shards of a plan together give the same bytes as a single
//! run.
//!
//! Each thread reads results one by one, adds each result to its own sum and drops the result. All
//! threads share a list that assigns files to shards. If several files have errors, the error of
//! the first file is reported, whichever thread finds it.
//!
//! The verdict of the merged result is computed anew, from the merged counts and the demands of the shards.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::checkpoint::same_device;
use crate::devices::Devices;
use crate::verdict::VerdictError;
use crate::{ResultError, RunDemands, RunResult, Shard, difference, read_bytes};
use assay_engine::stats::tally::Tally;

/// Doubtful merges that the user allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergeAllowances {
    /// Files with the same bytes. They count once.
    pub repeated: bool,
    /// Missing shards.
    pub partial: bool,
    /// Results of different builds of assay.
    pub other_builds: bool,
    /// Results of different devices that the user declares to be the same device.
    pub same_device: bool,
}

/// A merged result.
#[derive(Debug)]
pub struct Merged {
    /// The merged result.
    pub outcome: RunResult,
    /// Number of files that repeat an earlier file. They were not counted again.
    pub repeated: usize,
    /// Shards of the plan that no file has.
    pub missing: Shards,
}

/// An error of merging results.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A result cannot be read.
    #[error(transparent)]
    Result(#[from] ResultError),
    /// Two results have different plans.
    #[error(
        "{} and {} are of different plans and cannot be merged: {differs} differs{}",
        first.display(), other.display(), same_device(*is_device)
    )]
    DifferentPlans {
        /// The first result.
        first: PathBuf,
        /// The result that differs from the first result.
        other: PathBuf,
        /// The difference.
        differs: String,
        /// Whether only devices differ.
        is_device: bool,
    },
    /// The plan was divided into different numbers of shards.
    #[error("{} is of {of} shards and {} of {others}: they cannot be merged", first.display(), other.display())]
    DifferentDivisions {
        /// The first result.
        first: PathBuf,
        /// Number of shards of the plan.
        of: u64,
        /// The result that differs from the first result.
        other: PathBuf,
        /// Number of shards of the plan.
        others: u64,
    },
    /// A result belongs to an interrupted run.
    #[error(
        "{}: has no whole shard and cannot be merged: it is of an interrupted run; finish it with --resume",
        .0.display()
    )]
    NotWhole(PathBuf),
    /// Two files have the same shard, with the same bytes.
    #[error(
        "shard {shard} is given twice, in the same bytes: {} and {}; leave one out, or add --repeated to count such \
         results once",
        first.display(), other.display()
    )]
    Repeated {
        /// The shard.
        shard: Shard,
        /// The earlier of the two files in the list.
        first: PathBuf,
        /// The file that repeats the earlier file.
        other: PathBuf,
    },
    /// Two files have the same shard, with different bytes.
    #[error(
        "shard {shard} is given twice, and not the same: {} and {}; find out which is right, and leave the other out",
        first.display(), other.display()
    )]
    Contradiction {
        /// The shard.
        shard: Shard,
        /// The earlier of the two files in the list.
        first: PathBuf,
        /// The other result.
        other: PathBuf,
    },
    /// Shards are missing.
    #[error("shards {missing} of {of} are missing; add their results, or --partial to merge what there is")]
    Missing {
        /// The missing shards.
        missing: Shards,
        /// Number of shards of the plan.
        of: u64,
    },
    /// Different builds counted the results.
    #[error(
        "assay {build} counted {}, and assay {others} {}: they may not do the same; run the shards of one of them \
         again, or add --other-build to let the two mix",
        first.display(), other.display()
    )]
    OtherBuild {
        /// The first result.
        first: PathBuf,
        /// The build that executed its cases.
        build: String,
        /// The first result whose cases another build executed.
        other: PathBuf,
        /// The other build.
        others: String,
    },
    /// The run has a limit of time or coverage. Such a run has no fixed number of cases to divide.
    #[error("{}: is limited by time or coverage and cannot be merged; run it with --cases alone", .0.display())]
    NoFixedPlan(PathBuf),
    /// The shards together do not have as many cases as the plan.
    #[error(
        "all shards are there, but hold {counted} cases of {planned} planned: one of the results was edited"
    )]
    Short {
        /// Number of counted cases.
        counted: u64,
        /// Number of planned cases.
        planned: u64,
    },
    /// The command lines of the runs made different demands.
    #[error(
        "the commands of {} and {} differ in --allow-unjudged, --allow-undeclared, --require-judged or --baseline, \
         and the results cannot be merged: run one of them again",
        first.display(), other.display()
    )]
    DifferentDemands {
        /// The first result.
        first: PathBuf,
        /// The result that differs from the first result.
        other: PathBuf,
    },
    /// The merged counts have no verdict.
    #[error("the merged result has no verdict: {0}")]
    Verdict(#[from] VerdictError),
    /// No result was given.
    #[error("no result was given")]
    Nothing,
}

/// Indices of shards, displayed as ranges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shards(Vec<(u64, u64)>);

/// Maximum number of ranges to display.
const SHOWN: usize = 20;

impl Shards {
    /// Returns whether there are no shards.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn add(&mut self, shard: u64) {
        match self.0.last_mut() {
            Some((_, last)) if *last + 1 == shard => *last = shard,
            _ => self.0.push((shard, shard)),
        }
    }
}

impl FromIterator<u64> for Shards {
    fn from_iter<I: IntoIterator<Item = u64>>(ascending: I) -> Shards {
        let mut shards = Shards::default();
        ascending.into_iter().for_each(|shard| shards.add(shard));
        shards
    }
}

impl fmt::Display for Shards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = |(first, last): &(u64, u64)| {
            if first == last { first.to_string() } else { format!("{first}-{last}") }
        };
        let shown: Vec<String> = self.0.iter().take(SHOWN).map(range).collect();
        f.write_str(&shown.join(", "))?;
        match self.0.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, " and {more} more ranges"),
        }
    }
}

/// Merges the results in files. The verdict of the merged result uses the demands of the results
/// and the additional allowances of `more`. The merged result has no verdict if one of the results
/// has none.
///
/// # Errors
///
/// A result cannot be read, or the results cannot be merged.
pub fn merge(files: &[PathBuf], allow: MergeAllowances, more: &RunDemands) -> Result<Merged, MergeError> {
    let first = files.first().ok_or(MergeError::Nothing)?;
    let mut outcome = RunResult::read(first)?;
    (outcome.tally, outcome.unverified) = (Tally::default(), 0);
    if files.len() > 1 && outcome.plan.cases().is_none() {
        return Err(MergeError::NoFixedPlan(first.clone()));
    }
    let of = outcome.shards.first().ok_or_else(|| MergeError::NotWhole(first.clone()))?.of;
    let merging = MergeState { files, allow, first: &outcome, of, notes: Mutex::default() };
    let tally = merging.sum()?;
    let notes = merging.notes.into_inner().unwrap_or_else(PoisonError::into_inner);
    let repeated = notes.check_repeated(files, allow, of)?;
    notes.check_builds(files, allow)?;
    let given: BTreeSet<u64> = notes.shards.iter().map(|(shard, _)| *shard).collect();
    let missing: Shards = (0..of).filter(|shard| !given.contains(shard)).collect();
    if !missing.is_empty() && !allow.partial {
        return Err(MergeError::Missing { missing, of });
    }
    let planned = outcome.plan.cases().filter(|planned| missing.is_empty() && tally.cases != *planned);
    if let Some(planned) = planned {
        return Err(MergeError::Short { counted: tally.cases, planned });
    }
    outcome.shards = if missing.is_empty() {
        vec![Shard::WHOLE]
    } else {
        given.into_iter().map(|index| Shard { index, of }).collect()
    };
    *outcome.plan.devices_mut() = notes.devices;
    outcome.tally = tally;
    outcome.unverified = notes.unverified;
    if let Some(verdict) = outcome.verdict.take().filter(|_| !notes.lacks_verdict) {
        let mut demands = verdict.demands;
        demands.allow(more);
        outcome = outcome.judge(demands, notes.impossible, None)?;
    }
    Ok(Merged { outcome, repeated, missing })
}

/// The state that all threads share.
struct MergeState<'a> {
    files: &'a [PathBuf],
    allow: MergeAllowances,
    /// The result in the first file. The other results must agree with it.
    first: &'a RunResult,
    /// Number of shards of the plan.
    of: u64,
    notes: Mutex<Contributions>,
}

/// The shards and builds of the files. A file is given by its position in the list.
#[derive(Default)]
struct Contributions {
    /// The index of each shard, with each file that has this shard.
    shards: BTreeSet<(u64, usize)>,
    /// Each build, with the first file whose cases the build executed.
    builds: BTreeMap<String, usize>,
    /// Number of results without a digest in the sum.
    unverified: u64,
    /// The devices of all results.
    devices: Devices,
    /// Whether a result in the sum has no verdict.
    lacks_verdict: bool,
    /// The unreachable coverage bins that were hit.
    impossible: BTreeSet<String>,
}

impl MergeState<'_> {
    /// Returns the sum of all files, or the error of the first file that has an error.
    fn sum(&self) -> Result<Tally, MergeError> {
        type Summed = Result<Tally, (usize, MergeError)>;
        let add = |sum: Summed, file: usize| {
            let mut tally = sum?;
            self.add(&mut tally, file).map_err(|error| (file, error))?;
            Ok(tally)
        };
        let both = |a: Summed, b: Summed| match (a, b) {
            (Ok(mut a), Ok(b)) => {
                a.merge(b);
                Ok(a)
            }
            (Err(a), Err(b)) => Err(if a.0 < b.0 { a } else { b }),
            (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(error),
        };
        let none = || Ok(Tally::default());
        let sum = (0..self.files.len()).into_par_iter().fold(none, add).reduce(none, both);
        sum.map_err(|(_, error)| error)
    }

    /// Adds a file, unless another file has one of its shards. Whether shards may repeat is checked
    /// later.
    fn add(&self, tally: &mut Tally, file: usize) -> Result<(), MergeError> {
        let path = &self.files[file];
        let (outcome, builds) = RunResult::read_recorded(path)?;
        self.check(path, &outcome)?;
        let is_new = self.notes.lock().unwrap_or_else(PoisonError::into_inner).take(file, &outcome, builds);
        if is_new {
            tally.merge(outcome.tally);
        }
        Ok(())
    }

    fn check(&self, path: &Path, outcome: &RunResult) -> Result<(), MergeError> {
        let (first, other) = (self.files[0].clone(), path.to_owned());
        let Some(of) = outcome.shards.first().map(|shard| shard.of) else {
            return Err(MergeError::NotWhole(other));
        };
        if self.first.plan != outcome.plan {
            let differs = difference(&self.first.plan, &outcome.plan);
            let is_device =
                self.first.plan.clone().without_devices() == outcome.plan.clone().without_devices();
            if !(is_device && self.allow.same_device) {
                return Err(MergeError::DifferentPlans { first, other, differs, is_device });
            }
        }
        if self.first.bins != outcome.bins {
            let differs = "the list of coverage bins".to_owned();
            return Err(MergeError::DifferentPlans { first, other, differs, is_device: false });
        }
        if let (Some(mine), Some(others)) = (&self.first.verdict, &outcome.verdict)
            && mine.demands != others.demands
        {
            return Err(MergeError::DifferentDemands { first, other });
        }
        if self.of != of {
            return Err(MergeError::DifferentDivisions { first, of: self.of, other, others: of });
        }
        Ok(())
    }
}

impl Contributions {
    /// Notes the shards of a file. Returns whether no earlier file in the list has any of these
    /// shards.
    fn take(&mut self, file: usize, outcome: &RunResult, builds: Vec<String>) -> bool {
        for build in builds {
            let first = self.builds.entry(build).or_insert(file);
            *first = file.min(*first);
        }
        self.devices.unite(&outcome.plan.setting().devices);
        let holders = |shard: &Shard| self.shards.range((shard.index, 0)..=(shard.index, usize::MAX));
        let is_new = outcome.shards.iter().all(|shard| holders(shard).next().is_none());
        self.shards.extend(outcome.shards.iter().map(|shard| (shard.index, file)));
        self.unverified += if is_new { outcome.unverified } else { 0 };
        match &outcome.verdict {
            Some(verdict) => self.impossible.extend(verdict.impossible.iter().cloned()),
            None => self.lacks_verdict = true,
        }
        is_new
    }

    /// Returns the number of files that repeat an earlier file. Fails if repetition is not allowed,
    /// or if two files of a shard have different bytes.
    fn check_repeated(
        &self,
        files: &[PathBuf],
        allow: MergeAllowances,
        of: u64,
    ) -> Result<usize, MergeError> {
        let mut copies = BTreeSet::new();
        let mut holder = None;
        for &(index, file) in &self.shards {
            let Some((_, earlier)) = holder.filter(|(shard, _)| *shard == index) else {
                holder = Some((index, file));
                continue;
            };
            if !copies.insert(file) {
                continue;
            }
            let (shard, first, other) = (Shard { index, of }, files[earlier].clone(), files[file].clone());
            if read_bytes(&first)? != read_bytes(&other)? {
                return Err(MergeError::Contradiction { shard, first, other });
            }
            if !allow.repeated {
                return Err(MergeError::Repeated { shard, first, other });
            }
        }
        Ok(copies.len())
    }

    fn check_builds(&self, files: &[PathBuf], allow: MergeAllowances) -> Result<(), MergeError> {
        let mut by_file: Vec<_> = self.builds.iter().map(|(build, file)| (*file, build.clone())).collect();
        by_file.sort();
        match &by_file[..] {
            [(first, build), (other, others), ..] if !allow.other_builds => Err(MergeError::OtherBuild {
                first: files[*first].clone(),
                build: build.clone(),
                other: files[*other].clone(),
                others: others.clone(),
            }),
            _ => Ok(()),
        }
    }
}
