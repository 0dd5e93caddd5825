//! The error that a device could not be built.

use std::io;
use std::path::{Path, PathBuf};

/// The error that a device could not be built.
#[derive(Debug, thiserror::Error)]
pub enum RtlError {
    /// The map is wrong, or the map or the unit cannot be read.
    #[error("{}: {}{problem}", path.display(), shown(*line))]
    Map {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1, if it is known.
        line: Option<usize>,
        /// The mistake. In a map of ports: the key, the mistake and advice, if there is any.
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
        /// The first error lines in the output of the program, or its last lines if it has no error
        /// lines.
        last: String,
        /// The file with the whole output of the program.
        log: PathBuf,
    },
    /// An output file cannot be written or read.
    #[error("{}: {source}", path.display())]
    File {
        /// The path.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

fn shown(line: Option<usize>) -> String {
    line.map_or(String::new(), |line| format!("line {line}: "))
}

impl RtlError {
    /// Returns a function that makes the error for an output file.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> RtlError + use<> {
        let path = path.to_owned();
        |source| RtlError::File { path, source }
    }

    /// Returns a function that makes the error for an input file.
    pub(crate) fn input(path: &Path) -> impl FnOnce(io::Error) -> RtlError + use<> {
        let path = path.to_owned();
        |error| RtlError::Map { path, line: None, problem: error.to_string() }
    }

    /// Returns whether the cause is the map or the unit, and not this machine.
    pub fn is_input(&self) -> bool {
        matches!(self, RtlError::Map { .. } | RtlError::Refused { .. })
    }
}
