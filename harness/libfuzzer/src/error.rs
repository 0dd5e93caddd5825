//! Why something could not be done.

use std::io;
use std::path::{Path, PathBuf};

use assay_device::group::ProcessExit;
use assay_runner::RunError;
use assay_runner::error::Class;

/// Why a campaign, or the replay of an input, could not be done.
#[derive(Debug, thiserror::Error)]
pub enum LibfuzzerError {
    /// Something is not installed.
    #[error("libFuzzer needs {what}, and there is none; install {remedy}")]
    Missing {
        /// What.
        what: &'static str,
        /// The way to get it.
        remedy: &'static str,
    },
    /// The current folder is not in the repository.
    #[error("the fuzz targets are built from their source; run this inside the repository of assay")]
    NoRepository,
    /// The nightly compiler does not report the machine that it compiles for.
    #[error("`rustc -vV` of the nightly toolchain names no host")]
    NoHost,
    /// A path has a character that a shell interprets.
    #[error(
        "{}: libFuzzer starts processes by way of a shell, which takes {letter:?} in this path for something else; choose a \
         path of letters, digits and ._-+,=@:% alone",
        path.display()
    )]
    Path {
        /// The path.
        path: PathBuf,
        /// The character.
        letter: char,
    },
    /// A profile, a reading or numbers that the targets are not built with.
    #[error(
        "the libFuzzer targets are built with the profile intended and the provisional numbers; leave out --profile, \
         --reading and --numbers"
    )]
    Setting,
    /// A given file has other contents than it should.
    #[error("{}: {problem}", path.display())]
    Input {
        /// The path.
        path: PathBuf,
        /// The problem.
        problem: String,
    },
    /// A file of the run cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The path.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A process did not do its work.
    #[error("{what} ended with {}: {last:?}; {} has its whole output", shown(*end), log.display())]
    Ended {
        /// Its task.
        what: String,
        /// How it ended, if it did.
        end: Option<ProcessExit>,
        /// The last lines of its output.
        last: String,
        /// The whole output.
        log: PathBuf,
    },
    /// The result of a merge differs from its report.
    #[error("the merge of the corpus {corpus} is not believed, so all of it is kept: {problem}")]
    Merge {
        /// The target.
        corpus: &'static str,
        /// The problem.
        problem: String,
    },
    /// Findings, folders and subjects.
    #[error(transparent)]
    Run(#[from] RunError),
}

fn shown(end: Option<ProcessExit>) -> String {
    end.map_or("no end at all".to_owned(), |end| end.to_string())
}

impl LibfuzzerError {
    /// Makes an error of a path that was given.
    pub fn input(path: &Path, problem: impl ToString) -> LibfuzzerError {
        LibfuzzerError::Input { path: path.to_owned(), problem: problem.to_string() }
    }

    /// Makes the error of a file of the run.
    pub fn file(path: &Path) -> impl FnOnce(io::Error) -> LibfuzzerError + use<> {
        let path = path.to_owned();
        |source| LibfuzzerError::File { path, source }
    }

    /// Returns the class of the error.
    pub fn class(&self) -> Class {
        match self {
            LibfuzzerError::Path { .. } | LibfuzzerError::Setting | LibfuzzerError::Input { .. } => {
                Class::BadInput
            }
            LibfuzzerError::Run(error) => error.class(),
            _ => Class::Broke,
        }
    }
}
