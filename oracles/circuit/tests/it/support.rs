//! What several tests use.

use assay_circuit::solver::Solver;

/// Returns the installed solver. Without one, records the check `what` as skipped.
pub fn solver(what: &str) -> Option<Solver> {
    match Solver::find("cadical") {
        Ok(solver) => Some(solver),
        Err(error) => {
            assay_testing::skip("cadical", &format!("{what}: {error}"));
            None
        }
    }
}
