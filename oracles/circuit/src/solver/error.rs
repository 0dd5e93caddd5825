//! Why a solver gave no answer.

use std::io;
use std::path::{Path, PathBuf};

use super::version::{OLDEST, Version};
use crate::lrat::LratError;

/// Why a solver cannot be used, or an answer cannot be believed.
#[derive(Debug, thiserror::Error)]
pub enum SolverError {
    /// The program cannot be started.
    #[error("cannot run the solver `{}`: {error}; install CaDiCaL {OLDEST} or later", program.display())]
    NotFound {
        /// The program.
        program: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// The program does not state a version.
    #[error(
        "the solver `{}` answers `{answer}` to `--version`, which is no version of CaDiCaL; install CaDiCaL {OLDEST} or later",
        program.display()
    )]
    NoVersion {
        /// The program.
        program: PathBuf,
        /// The beginning of its answer.
        answer: String,
    },
    /// The program writes no LRAT proofs.
    #[error(
        "the solver `{}` is CaDiCaL {version}, which writes no LRAT proofs; install CaDiCaL {OLDEST} or later, \
         from its sources if the distribution's package is older",
        program.display()
    )]
    TooOld {
        /// The program.
        program: PathBuf,
        /// Its version.
        version: Version,
    },
    /// A file of the run cannot be written or read.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// The program failed.
    #[error("the solver `{}` ended with {status}: {output}", program.display())]
    Failed {
        /// The program.
        program: PathBuf,
        /// Its exit status, in words.
        status: String,
        /// The beginning of its output.
        output: String,
    },
    /// The solution cannot be read.
    #[error("the solution of the solver cannot be read: {0}")]
    Model(String),
    /// The solution does not satisfy the formula.
    #[error("the solution of the solver does not satisfy the formula")]
    WrongSolution,
    /// The proof is refused.
    #[error("the proof {} is refused: {error}", path.display())]
    Proof {
        /// The file of the proof.
        path: PathBuf,
        /// The step at fault.
        error: LratError,
    },
}

/// Number of characters of a program's output that a message shows.
const SHOWN: usize = 200;

impl SolverError {
    pub(super) fn file(path: &Path, error: io::Error) -> SolverError {
        SolverError::File { path: path.to_owned(), error }
    }

    pub(super) fn proof(path: &Path, error: LratError) -> SolverError {
        SolverError::Proof { path: path.to_owned(), error }
    }

    pub(super) fn failed(program: &Path, status: Option<i32>, output: &[u8]) -> SolverError {
        let status = status.map_or("a signal".into(), |status| format!("status {status}"));
        SolverError::Failed { program: program.to_owned(), status, output: beginning(output) }
    }
}

/// Returns the beginning of an output on one line, with control characters escaped.
pub(super) fn beginning(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    text.trim().chars().take(SHOWN).flat_map(char::escape_debug).collect()
}
