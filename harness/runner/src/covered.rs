//! The coverage of a campaign, and its file `coverage.json`.

use std::path::Path;

use assay_engine::coverage::{Bins, Coverage};
use assay_records::commands::rounded;
use assay_records::write_json;
use serde::Serialize;

use crate::error::RunError;

/// The whole file.
#[derive(Serialize)]
struct CoverageFile<'a> {
    coverage: f64,
    bins: usize,
    missed: &'a [String],
    excluded: Vec<Excluded>,
    impossible: &'a [String],
}

/// Bins that no case can hit, for one reason.
#[derive(Serialize)]
struct Excluded {
    why: &'static str,
    bins: usize,
}

/// The hit bins and the missed bins.
pub struct Covered {
    /// Share of the bins that were hit, 0 to 1.
    pub share: f64,
    /// Bins that cases can hit.
    pub bins: usize,
    /// Names of the bins that were not hit.
    pub missed: Vec<String>,
    /// Why bins cannot be hit, each with their number.
    pub excluded: Vec<(&'static str, usize)>,
    /// Bins that were hit although no case should be able to.
    pub impossible: Vec<String>,
}

impl Covered {
    /// The coverage of a run.
    pub fn of(bins: &Bins, coverage: &Coverage) -> Covered {
        Covered {
            share: bins.share(coverage),
            bins: bins.len(),
            missed: bins.missed(coverage),
            excluded: bins.excluded().into_iter().collect(),
            impossible: bins.impossible(coverage).collect(),
        }
    }

    /// Writes every name to a file.
    pub fn write(&self, path: &Path) -> Result<(), RunError> {
        let excluded = self.excluded.iter().map(|(why, bins)| Excluded { why, bins: *bins });
        let file = CoverageFile {
            coverage: rounded(self.share, 6),
            bins: self.bins,
            missed: &self.missed,
            excluded: excluded.collect(),
            impossible: &self.impossible,
        };
        Ok(write_json(path, &file)?)
    }
}
