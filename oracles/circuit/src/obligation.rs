//! Statements about all inputs, each with its answer.

use std::time::Duration;

use crate::cnf::{Cnf, Encoding};
use crate::graph::{Bit, Evaluation, Graph};
use crate::lrat::{self, Checked};
use crate::solver::{Answer, Files, Solver, SolverError};

/// The statement that a claim holds for all inputs for which the assumptions hold.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// A name for messages.
    pub name: String,
    /// Signals that are 1 for the inputs in question.
    pub assumptions: Vec<Bit>,
    /// The signal that has to be 1 for them.
    pub claim: Bit,
}

/// What is known of an obligation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settled {
    /// The claim holds for all inputs, by a proof that was checked.
    Proved(Checked),
    /// For these inputs the assumptions hold and the claim does not. They were evaluated.
    Refuted(Vec<bool>),
    /// The solver had no answer in time.
    Open,
}

/// Why an obligation has no answer.
#[derive(Debug, thiserror::Error)]
pub enum ObligationError {
    /// The solver has no answer that can be believed.
    #[error("{name}: {error}")]
    Solver {
        /// The obligation.
        name: String,
        /// The reason.
        error: SolverError,
    },
    /// The circuit does not confirm a solution of its formula: the formula is not that of the
    /// circuit.
    #[error("{name}: the circuit does not confirm the solution of its formula")]
    Unconfirmed {
        /// The obligation.
        name: String,
    },
}

impl Obligation {
    /// Returns the statement that a claim holds under some assumptions.
    pub fn new(name: impl Into<String>, assumptions: Vec<Bit>, claim: Bit) -> Obligation {
        Obligation { name: name.into(), assumptions, claim }
    }

    /// Proves or refutes the obligation. `limit` is the time for the solver.
    pub fn settle(
        &self,
        graph: &Graph,
        solver: &Solver,
        files: &Files,
        limit: Duration,
    ) -> Result<Settled, ObligationError> {
        let signals: Vec<Bit> = self.assumptions.iter().copied().chain([!self.claim]).collect();
        self.find(graph, &signals, solver, files, limit)
    }

    /// Looks for inputs for which the assumptions hold: without any, the obligation says nothing.
    /// `Refuted` has such inputs, and `Proved` means that there are none.
    pub fn find_witness(
        &self,
        graph: &Graph,
        solver: &Solver,
        files: &Files,
        limit: Duration,
    ) -> Result<Settled, ObligationError> {
        self.find(graph, &self.assumptions, solver, files, limit)
    }

    /// Looks for inputs for which all signals are 1.
    fn find(
        &self,
        graph: &Graph,
        signals: &[Bit],
        solver: &Solver,
        files: &Files,
        limit: Duration,
    ) -> Result<Settled, ObligationError> {
        let encoding = Encoding::new(graph, signals);
        if let Some(checked) = refuted_by_itself(&encoding.cnf) {
            return Ok(Settled::Proved(checked));
        }
        let answer = solver.solve(&encoding.cnf, files, limit);
        let answer = answer.map_err(|error| ObligationError::Solver { name: self.name.clone(), error })?;
        match answer {
            Answer::Open => Ok(Settled::Open),
            Answer::Unsatisfiable(checked) => Ok(Settled::Proved(checked)),
            Answer::Satisfiable(values) => {
                let inputs = encoding.inputs(graph, &values);
                let mut evaluation = Evaluation::default();
                evaluation.run(graph, &inputs.iter().map(|bit| u64::from(*bit)).collect::<Vec<_>>());
                let confirmed = signals.iter().all(|bit| evaluation.bit(*bit) & 1 == 1);
                if !confirmed {
                    return Err(ObligationError::Unconfirmed { name: self.name.clone() });
                }
                Ok(Settled::Refuted(inputs))
            }
        }
    }
}

/// Returns the check of a formula with an empty clause, which needs no solver.
fn refuted_by_itself(cnf: &Cnf) -> Option<Checked> {
    lrat::check_text(cnf, &b""[..]).ok()
}
