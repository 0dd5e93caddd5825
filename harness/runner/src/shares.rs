//! The demands on the judged shares of a run: the names that are allowed to fail them, and the share of each form.

use assay_engine::generate::Scope;
use assay_engine::stats::judged::{Allowed, Demands, JudgedShare};
use assay_isa::{Instruction, asm};
use assay_records::{RunResult, Setting};

use crate::error::RunError;
use crate::selection;

/// Names that may fail the demands of a run.
#[derive(Clone, Debug, Default)]
pub struct Allow {
    /// Patterns of optypes, forms or functions of which little or nothing may be judged.
    pub unjudged: Vec<String>,
    /// Patterns of those that a device without declared modes may answer `unsupported` to, and of which nothing need be
    /// drawn.
    pub undeclared: Vec<String>,
}

impl Allow {
    /// The demands on a run with a setting.
    ///
    /// # Errors
    ///
    /// A glob is not valid, or matches no optype, form or function.
    pub fn demands(&self, setting: &Setting) -> Result<Demands, RunError> {
        for (option, globs) in
            [("--allow-unjudged", &self.unjudged), ("--allow-undeclared", &self.undeclared)]
        {
            if !globs.is_empty() {
                selection::globs(option, globs, every_name(), selection::ALL_NAMES)?;
            }
        }
        let Allow { unjudged, undeclared } = self.clone();
        let allowed = Allowed { unjudged, undeclared };
        let demands = Demands::new(&setting.judged, &allowed).map_err(RunError::input)?;
        let is_partial = [&setting.subject, &setting.against].into_iter().any(|name| has_some_operands(name));
        Ok(if is_partial { demands.of_supported() } else { demands })
    }
}

/// The names by which something can be allowed: optypes, forms, functions and modes.
fn every_name() -> impl Iterator<Item = String> {
    let names =
        |i: &Instruction| [i.optype().to_owned(), i.form().name.to_owned(), i.function(), asm::mnemonic(i)];
    Scope::everything().modes().flat_map(names).collect::<Vec<_>>().into_iter()
}

/// Whether an implementation by its name in records is one of `assay` that supports some modes, or some operands of a mode, only.
pub(crate) fn has_some_operands(name: &str) -> bool {
    ["ptx", "host", "core-math", "h200", "apfloat"].contains(&name) || name.starts_with("cuda:")
}

/// How much of each form was judged, and whether that is enough.
pub struct Shares(pub Vec<JudgedShare>);

impl Shares {
    /// The shares of a result.
    pub fn of(outcome: &RunResult, demands: &Demands) -> Shares {
        Shares(demands.check(&outcome.tally))
    }

    /// The problems, one sentence each.
    pub fn problems(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|judged| judged.problem.as_deref())
    }
}
