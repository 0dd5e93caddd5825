//! An external SAT solver, CaDiCaL, whose answers are checked here.
//!
//! A solution must satisfy the formula. A refutation must have an LRAT proof that
//! [`lrat`] accepts. So a wrong solver gives an error, never a wrong answer.
//!
//! * `version`: versions, and the first one that writes LRAT proofs;
//! * `process`: runs of the program;
//! * `model`: the text of a solution.

mod error;
mod model;
mod process;
mod version;

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use error::SolverError;
pub use version::{OLDEST, Version};

use crate::cnf::Cnf;
use crate::lrat::{self, Checked};
use process::Run;

/// An installed CaDiCaL that writes LRAT proofs.
#[derive(Clone, Debug)]
pub struct Solver {
    program: PathBuf,
    version: Version,
}

/// A checked answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The formula has this solution. Entry i is the value of variable i + 1.
    Satisfiable(Vec<bool>),
    /// The formula has no solution: the solver's proof was checked.
    Unsatisfiable(Checked),
    /// The solver had no answer at the deadline.
    Open,
}

/// Where a run keeps its files. Both are overwritten, and stay.
#[derive(Clone, Debug)]
pub struct Files {
    /// The formula in DIMACS.
    pub formula: PathBuf,
    /// The proof in CaDiCaL's binary LRAT format. Exists only after a run.
    pub proof: PathBuf,
}

impl Files {
    /// Returns the files `NAME.cnf` and `NAME.lrat` of a folder.
    pub fn new(folder: &Path, name: &str) -> Files {
        Files { formula: folder.join(format!("{name}.cnf")), proof: folder.join(format!("{name}.lrat")) }
    }
}

impl Solver {
    /// Returns the solver with a name or a path. An error if it cannot be run, or is too old.
    pub fn find(program: impl AsRef<OsStr>) -> Result<Solver, SolverError> {
        let program = PathBuf::from(program.as_ref());
        let version = process::ask_version(&program)?;
        if version < OLDEST {
            return Err(SolverError::TooOld { program, version });
        }
        Ok(Solver { program, version })
    }

    /// The version of the program.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Solves a formula and checks the answer. `limit` is the time for the solver, without the time
    /// for the check.
    pub fn solve(&self, cnf: &Cnf, files: &Files, limit: Duration) -> Result<Answer, SolverError> {
        write_formula(cnf, &files.formula)?;
        let run = process::run(&self.program, files, cnf.variables(), limit)?;
        match run {
            Run::TimedOut => Ok(Answer::Open),
            Run::Ended { status: Some(10), output } => {
                let values = model::parse(&output, cnf.variables())?;
                if !cnf.is_satisfied_by(&values) {
                    return Err(SolverError::WrongSolution);
                }
                Ok(Answer::Satisfiable(values))
            }
            Run::Ended { status: Some(20), .. } => {
                let path = &files.proof;
                let proof = File::open(path).map_err(|error| SolverError::file(path, error))?;
                let checked = lrat::check_binary(cnf, BufReader::with_capacity(1 << 16, proof));
                checked.map(Answer::Unsatisfiable).map_err(|error| SolverError::proof(path, error))
            }
            // CaDiCaL ends with 0 when its own limit was reached.
            Run::Ended { status: Some(0), .. } => Ok(Answer::Open),
            Run::Ended { status, output } => Err(SolverError::failed(&self.program, status, &output)),
        }
    }
}

fn write_formula(cnf: &Cnf, path: &Path) -> Result<(), SolverError> {
    let write = || {
        let mut out = BufWriter::new(File::create(path)?);
        cnf.write_dimacs(&mut out)?;
        out.flush()
    };
    write().map_err(|error| SolverError::file(path, error))
}
