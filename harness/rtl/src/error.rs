//! Why a device could not be built.

use std::io;
use std::path::{Path, PathBuf};

/// Why a device could not be built.
#[derive(Debug, thiserror::Error)]
pub enum RtlError {
    /// A map is wrong, or it or the unit cannot be read.
    #[error("{}: {}{problem}", path.display(), shown(*line))]
    Map {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1, if it is known.
        line: Option<usize>,
        /// The key, what is wrong, and what to write.
        problem: String,
    },
    /// A program is not installed.
    #[error("`{program}` is not installed, and builds the device; install it, on Debian by `{remedy}`")]
    Missing {
        /// The program.
        program: &'static str,
        /// The command that installs it.
        remedy: &'static str,
    },
    /// Verilator or the compiler refused the unit.
    #[error("{program} refused the unit:\n{last}\n{} has its whole output", log.display())]
    Refused {
        /// The program.
        program: &'static str,
        /// The first errors of its output.
        last: String,
        /// The file with its whole output.
        log: PathBuf,
    },
    /// A file of the output cannot be written or read.
    #[error("{}: {source}", path.display())]
    File {
        /// The path.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

fn shown(line: Option<usize>) -> String {
    line.map_or(String::new(), |line| format!("line {line}: "))
}

impl RtlError {
    /// Makes the error of a file.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> RtlError + use<> {
        let path = path.to_owned();
        |source| RtlError::File { path, source }
    }

    /// Makes the error of a file that the caller named.
    pub(crate) fn input(path: &Path) -> impl FnOnce(io::Error) -> RtlError + use<> {
        let path = path.to_owned();
        |error| RtlError::Map { path, line: None, problem: error.to_string() }
    }

    /// Whether the map or the unit is wrong, and not this machine.
    pub fn is_input(&self) -> bool {
        matches!(self, RtlError::Map { .. } | RtlError::Refused { .. })
    }
}
