//! The demands on the judged shares of a run: the names that are allowed to fail them, and the share of each form.

use assay_engine::stats::judged::{Allowed, Demands, JudgedShare};
use assay_records::{RunResult, Setting};

use crate::error::RunError;

/// Names that may fail the demands of a run.
#[derive(Clone, Debug, Default)]
pub struct Allow {
    /// Patterns of optypes, forms or functions of which little or nothing may be judged.
    pub unjudged: Vec<String>,
    /// Patterns of those that a device without declared modes may answer `unsupported` to.
    pub undeclared: Vec<String>,
}

impl Allow {
    /// The demands on a run with a setting.
    pub fn demands(&self, setting: &Setting) -> Result<Demands, RunError> {
        let Allow { unjudged, undeclared } = self.clone();
        let allowed = Allowed { unjudged, undeclared };
        let demands = Demands::new(&setting.judged, &allowed).map_err(RunError::input)?;
        let is_partial = [&setting.subject, &setting.against].into_iter().any(|name| has_some_operands(name));
        Ok(if is_partial { demands.of_supported() } else { demands })
    }
}

/// Whether an implementation by its name in records is one of `assay` that supports a mode with some operands only.
fn has_some_operands(name: &str) -> bool {
    ["ptx", "host", "core-math", "apfloat"].contains(&name) || name.starts_with("cuda:")
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
