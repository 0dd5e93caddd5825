//! The job of every night: stages with time budgets, run one after the other, and a page in the morning that says what
//! changed.
//!
//! A stage is a command of assay, run as a process of its own: what happens in it, a crash included, is a fact about that
//! stage and ends nothing else. What it found it left in files, in the formats that the commands have anyway, and those
//! are what is read here; so a night that is killed loses nothing that a stage had saved.
//!
//! | room | what happens there |
//! |---|---|
//! | [`plan`] | `nightly.yaml`: the stages, their budgets, and what makes a night a failure |
//! | [`folder`] | the campaign's folder: where everything is kept, and what is cleared away |
//! | [`state`] | how far a night is, saved while it runs |
//! | [`begin`] | which night is run: the next one, or one that was not finished |
//! | [`run`] | runs the stages |
//! | [`child`] | one process: watched, limited in time and output, ended with all that it started |
//! | [`facts`] | what a stage left, read from its files |
//! | [`ledger`] | every signature that was ever found, and what people said of it, of one or of many at once |
//! | [`dawn`] | from what the stages left to the morning: findings kept, cases replayed, the ledger brought up to date |
//! | [`morning`] | tonight against the last night and the baseline, and the verdict |

pub mod begin;
pub mod child;
pub mod dawn;
pub mod facts;
pub mod folder;
pub mod ledger;
pub mod morning;
pub mod plan;
pub mod run;
pub mod state;

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// Why a night could not be run, or its folder not be read.
#[derive(Debug, thiserror::Error)]
pub enum NightlyError {
    /// A file is of another version of its format.
    #[error("{}: version {found}; this assay reads version {known}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The one that is known.
        known: u32,
    },
    /// A file of the user's cannot be understood.
    #[error("{}: {problem}", path.display())]
    Input {
        /// The file, or folder.
        path: PathBuf,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// A night cannot be gone on with by another plan or program.
    #[error(
        "night {number} cannot be gone on with: {changed} than when it began ({}); leave out --resume to begin the next",
        plan.display()
    )]
    Changed {
        /// Its number.
        number: u32,
        /// What is another one.
        changed: &'static str,
        /// The plan that it began with.
        plan: PathBuf,
    },
    /// The night to compare with is not there.
    #[error("--baseline {0}: there is no such night")]
    NoSuchNight(u32),
    /// A file cannot be read or written.
    #[error("{}: {source}; check that there is room and that the folder can be written", path.display())]
    File {
        /// The file, or folder.
        path: PathBuf,
        /// The system's reason.
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

    /// Reads a file of a version: of another one only that is known.
    pub(crate) fn read<T: DeserializeOwned>(path: &Path, known: u32) -> Result<T, NightlyError> {
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let Versioned { version: found } = assay_records::read_json(path)?;
        match found == known {
            true => Ok(assay_records::read_json(path)?),
            false => Err(NightlyError::Version { path: path.to_owned(), found, known }),
        }
    }

    pub(crate) fn file(path: &Path) -> impl FnOnce(std::io::Error) -> NightlyError {
        let path = path.to_owned();
        move |source| NightlyError::File { path, source }
    }
}
