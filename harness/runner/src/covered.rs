//! The coverage of a campaign, and its file `coverage.json`.

use std::path::Path;

use assay_engine::coverage::{Bins, Coverage};
use assay_records::commands::rounded;
use assay_records::write_json;
use serde::ser::{Serialize, SerializeSeq, Serializer};

use crate::error::RunError;

/// The contents of `coverage.json`.
#[derive(serde::Serialize)]
struct CoverageFile<'a> {
    coverage: f64,
    bins: usize,
    missed: MissedNames<'a>,
    excluded: Vec<Excluded>,
    impossible: &'a [String],
}

/// A reason why bins cannot be hit, and the number of such bins.
#[derive(serde::Serialize)]
struct Excluded {
    why: &'static str,
    bins: usize,
}

/// The names of the bins that were not hit. Each name is created only when it is written.
struct MissedNames<'a> {
    bins: &'a Bins,
    coverage: &'a Coverage,
}

impl Serialize for MissedNames<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        self.bins.each_missed(self.coverage, |name| list.serialize_element(name))?;
        list.end()
    }
}

/// Number of missed bins that the terminal shows.
pub const SHOWN: usize = 5;

/// The hit bins and the missed bins.
pub struct Covered {
    /// Share of the bins that were hit, 0 to 1.
    pub share: f64,
    /// Number of bins that cases can hit.
    pub bins: usize,
    /// Number of bins that were not hit.
    pub missed: usize,
    /// Names of the first [`SHOWN`] missed bins.
    pub first_missed: Vec<String>,
    /// Reasons why bins cannot be hit, each with the number of such bins.
    pub excluded: Vec<(&'static str, usize)>,
    /// Names of the bins that were hit although no case should be able to hit them.
    pub impossible: Vec<String>,
}

impl Covered {
    /// Computes the coverage of a run.
    pub fn of(bins: &Bins, coverage: &Coverage) -> Covered {
        Covered {
            share: bins.share(coverage),
            bins: bins.len(),
            missed: bins.number_missed(coverage),
            first_missed: bins.missed(coverage).take(SHOWN).collect(),
            excluded: bins.excluded().into_iter().collect(),
            impossible: bins.impossible(coverage).collect(),
        }
    }

    /// Writes a file with the name of every bin that the run missed.
    pub fn write(&self, path: &Path, bins: &Bins, coverage: &Coverage) -> Result<(), RunError> {
        let excluded = self.excluded.iter().map(|(why, bins)| Excluded { why, bins: *bins });
        let file = CoverageFile {
            coverage: rounded(self.share, 6),
            bins: self.bins,
            missed: MissedNames { bins, coverage },
            excluded: excluded.collect(),
            impossible: &self.impossible,
        };
        Ok(write_json(path, &file)?)
    }
}
