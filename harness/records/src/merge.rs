//! Shards to one result: all shards of a plan are the bytes of one run.
//!
//! Results are read on all threads and let go at once: what stays is a sum a thread, and a note of who brought which
//! shard. What is wrong is told by the order in which the files are given, whichever thread meets it first.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::checkpoint::same_device;
use crate::devices::Devices;
use crate::{ResultError, RunResult, Shard, difference, read_bytes};
use assay_engine::stats::tally::Tally;

/// What is borne though it may be a slip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergeAllowances {
    /// The same bytes more than once: they count once.
    pub repeated: bool,
    /// Shards that are missing.
    pub partial: bool,
    /// Results that different builds of assay counted.
    pub other_builds: bool,
    /// Results of devices that differ, and that the user says are the same.
    pub same_device: bool,
}

/// A merged result.
#[derive(Debug)]
pub struct Merged {
    /// The sum.
    pub outcome: RunResult,
    /// Files that held what an earlier one held, and were not counted again.
    pub repeated: usize,
    /// Shards of the plan that no file held.
    pub missing: Shards,
}

/// Why results cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A result cannot be read.
    #[error(transparent)]
    Result(#[from] ResultError),
    /// Two results do not belong to one plan.
    #[error(
        "{} and {} are of different plans and cannot be merged: {differs} differs{}",
        first.display(), other.display(), same_device(*is_device)
    )]
    DifferentPlans {
        /// The first result.
        first: PathBuf,
        /// The one that differs from it.
        other: PathBuf,
        /// In what.
        differs: String,
        /// Whether only devices differ.
        is_device: bool,
    },
    /// Shards of different divisions.
    #[error("{} is of {of} shards and {} of {others}: they cannot be merged", first.display(), other.display())]
    DifferentDivisions {
        /// The first result.
        first: PathBuf,
        /// How many shards its plan was divided into.
        of: u64,
        /// The one that differs from it.
        other: PathBuf,
        /// And its plan.
        others: u64,
    },
    /// The run was interrupted.
    #[error(
        "{}: has no whole shard and cannot be merged: it is of an interrupted run; finish it with --resume",
        .0.display()
    )]
    NotWhole(PathBuf),
    /// The same shard twice, in the same bytes.
    #[error(
        "shard {shard} is given twice, in the same bytes: {} and {}; leave one out, or add --repeated to count such \
         results once",
        first.display(), other.display()
    )]
    Repeated {
        /// The shard.
        shard: Shard,
        /// The result that is given first.
        first: PathBuf,
        /// The one that repeats it.
        other: PathBuf,
    },
    /// The same shard twice, and not the same.
    #[error(
        "shard {shard} is given twice, and not the same: {} and {}; find out which is right, and leave the other out",
        first.display(), other.display()
    )]
    Contradiction {
        /// The shard.
        shard: Shard,
        /// The result that is given first.
        first: PathBuf,
        /// The other.
        other: PathBuf,
    },
    /// Shards are missing.
    #[error("shards {missing} of {of} are missing; add their results, or --partial to merge what there is")]
    Missing {
        /// Which.
        missing: Shards,
        /// Of how many.
        of: u64,
    },
    /// Different builds counted.
    #[error(
        "assay {build} counted {}, and assay {others} {}: they may not do the same; run the shards of one of them \
         again, or add --other-build to let the two mix",
        first.display(), other.display()
    )]
    OtherBuild {
        /// The first result.
        first: PathBuf,
        /// The build that counted it.
        build: String,
        /// The first result of another build.
        other: PathBuf,
        /// That build.
        others: String,
    },
    /// A run that was limited by time or coverage has no fixed cases that shards could divide.
    #[error("{}: is limited by time or coverage and cannot be merged; run it with --cases alone", .0.display())]
    NoFixedPlan(PathBuf),
    /// All shards together are not the plan.
    #[error(
        "all shards are there, but hold {counted} cases of {planned} planned: one of the results was edited"
    )]
    Short {
        /// Cases counted.
        counted: u64,
        /// Cases planned.
        planned: u64,
    },
    /// Nothing was given.
    #[error("no result was given")]
    Nothing,
}

/// Numbers of shards, shown as ranges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shards(Vec<(u64, u64)>);

/// Ranges that are shown at most.
const SHOWN: usize = 20;

impl Shards {
    /// Whether there is none.
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
        let range = |(first, last): &(u64, u64)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        };
        let shown: Vec<String> = self.0.iter().take(SHOWN).map(range).collect();
        f.write_str(&shown.join(", "))?;
        match self.0.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, " and {more} more ranges"),
        }
    }
}

/// Merges results by their files.
pub fn merge(files: &[PathBuf], allow: MergeAllowances) -> Result<Merged, MergeError> {
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
    outcome.shards = match missing.is_empty() {
        true => vec![Shard::WHOLE],
        false => given.into_iter().map(|index| Shard { index, of }).collect(),
    };
    *outcome.plan.devices_mut() = notes.devices;
    outcome.tally = tally;
    outcome.unverified = notes.unverified;
    Ok(Merged { outcome, repeated, missing })
}

/// What all threads share.
struct MergeState<'a> {
    files: &'a [PathBuf],
    allow: MergeAllowances,
    /// The first result, with which the others must agree.
    first: &'a RunResult,
    /// How many shards its plan is divided into.
    of: u64,
    notes: Mutex<Contributions>,
}

/// Who brought what; files by their place in the list.
#[derive(Default)]
struct Contributions {
    /// Shards, each with every file that holds it.
    shards: BTreeSet<(u64, usize)>,
    /// Builds, each with the first file that it counted.
    builds: BTreeMap<String, usize>,
    /// Results without a digest that are part of the sum.
    unverified: u64,
    /// The devices of all of them.
    devices: Devices,
}

impl MergeState<'_> {
    /// Adds up all files. Of several errors it gives that of the first file.
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

    /// Adds a file, unless another one brought its shards: whether that is allowed is for later.
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
        if self.of != of {
            return Err(MergeError::DifferentDivisions { first, of: self.of, other, others: of });
        }
        Ok(())
    }
}

impl Contributions {
    /// Notes what a file brings, and whether no other brought any of its shards.
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
        is_new
    }

    /// Counts the files that are the same as earlier ones, as far as that is allowed.
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
