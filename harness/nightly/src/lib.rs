//! Runs the nightly plan: stages with time budgets, one after the other, then a report of the
//! changes.
//!
//! A stage is a command of `assay` in its own process. A stage that crashes does not end the run.
//! This crate reads the files that the commands write, so a killed nightly run keeps the results
//! that its stages had saved.
//!
//! | module | contents |
//! |---|---|
//! | [`plan`] | `nightly.yaml`: the stages, their budgets, and what fails the run |
//! | [`folder`] | the folder of all nightly runs, and the removal of old files |
//! | [`state`] | the progress of a run, saved while it runs |
//! | [`begin`] | chooses the run: a new run, or a run that was not finished |
//! | [`run`] | runs the stages |
//! | [`command`] | the command of a stage |
//! | [`child`] | runs a process with limits on time and output, and ends its process group |
//! | [`modes`] | compares the supported modes with the demanded modes and the run before |
//! | `executed` | compares the executed modes of a stage with the supported modes |
//! | [`setting`] | the subject and rules of a stage, where they differ from the defaults |
//! | `words` | finds options in the words of a command |
//! | `printed` | reads the standard output of a command |
//! | `files` | the digests of the files that a plan names |
//! | `seen_signature` | a signature that a stage found: how often and in which ways it occurs |
//! | [`figures`] | compares coverage, errors and speed of two runs |
//! | [`facts`] | reads the files that a stage wrote |
//! | [`known_issues`] | the list of each signature that was ever found, with its status |
//! | [`finalize`] | after the stages: replays cases, updates the known-issues list |
//! | `replays` | whether an issue still shows: replays, and the checks of the run |
//! | `kept_cases` | the cases of findings that the known-issues list names |
//! | [`nightly_report`] | compares the run with earlier runs, and computes the verdict |
//!
//! ```
//! use assay_nightly::plan::NightPlan;
//!
//! // The plan that `assay nightly` runs without a file.
//! let plan = NightPlan::load(None)?;
//! assert!(!plan.stages.is_empty());
//! # Ok::<(), assay_nightly::NightlyError>(())
//! ```

pub mod begin;
pub mod child;
pub mod command;
mod executed;
pub mod facts;
pub mod figures;
mod files;
pub mod finalize;
pub mod folder;
mod kept_cases;
pub mod known_issues;
pub mod modes;
pub mod nightly_report;
pub mod plan;
mod printed;
mod replays;
pub mod run;
mod seen_signature;
pub mod setting;
pub mod state;
mod words;

use std::path::{Path, PathBuf};

use assay_isa::shown::quoted;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The reason why a nightly run cannot be executed, or why its folder cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum NightlyError {
    /// A file has another version of its format.
    #[error("{}: version {found}; this assay reads version {known}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version that this assay reads.
        known: u32,
    },
    /// A file or folder cannot be used as it is: its content is invalid, it belongs to another
    /// subject, or another run is using it.
    #[error("{}: {problem}", path.display())]
    Input {
        /// The file, or folder.
        path: PathBuf,
        /// The problem, and what to do.
        problem: String,
    },
    /// A nightly run cannot be continued with another plan or program.
    #[error(
        "nightly run {number} cannot be continued: {changed} than at its start ({}); leave out --resume to start the next",
        plan.display()
    )]
    Changed {
        /// Number of the nightly run.
        number: u32,
        /// The part that differs.
        changed: String,
        /// The plan that the run began with.
        plan: PathBuf,
    },
    /// The nightly run of `--baseline` does not exist.
    #[error("--baseline {0}: there is no such nightly run")]
    NoSuchNight(u32),
    /// The subject of the plan cannot be used.
    #[error("subject {}: {problem}", quoted(subject))]
    Subject {
        /// The subject.
        subject: String,
        /// The problem.
        problem: String,
    },
    /// A file cannot be read or written.
    #[error("{}: {source}; check that there is room and that the folder can be written", path.display())]
    File {
        /// The file, or folder.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A result of a stage cannot be read or written.
    #[error(transparent)]
    Result(#[from] assay_records::ResultError),
    /// A finding of a stage cannot be read.
    #[error(transparent)]
    Finding(#[from] assay_vectors::VectorError),
}

impl NightlyError {
    pub(crate) fn input(path: &Path, problem: impl Into<String>) -> NightlyError {
        NightlyError::Input { path: path.to_owned(), problem: problem.into() }
    }

    /// Reads a JSON file of the version `known`. For another version, the error names that version,
    /// even if the rest of the file cannot be parsed.
    pub(crate) fn read<T: DeserializeOwned>(path: &Path, known: u32) -> Result<T, NightlyError> {
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let Versioned { version: found } = assay_records::read_json(path)?;
        if found == known {
            Ok(assay_records::read_json(path)?)
        } else {
            Err(NightlyError::Version { path: path.to_owned(), found, known })
        }
    }

    pub(crate) fn file(path: &Path) -> impl FnOnce(std::io::Error) -> NightlyError {
        let path = path.to_owned();
        move |source| NightlyError::File { path, source }
    }
}
