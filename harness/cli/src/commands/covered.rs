//! The coverage of a campaign: for the terminal, and in full as `coverage.json`.

use std::path::Path;

use assay_engine::coverage::{Bins, Coverage};
use assay_engine::result::write_json;
use serde_json::{Value, json};

use super::run_record::rounded;
use crate::failure::Failure;

/// Bins of a list that the terminal shows.
const SHOWN: usize = 5;

/// What was covered, and what was not.
pub struct Covered {
    /// Share of the bins that were hit, 0 to 1.
    pub share: f64,
    /// Bins that cases can hit.
    pub bins: usize,
    missed: Vec<String>,
    excluded: Vec<(&'static str, usize)>,
    /// Bins that were hit although no case should be able to.
    pub impossible: Vec<String>,
}

impl Covered {
    /// The coverage of a run.
    pub fn of(bins: &Bins, coverage: &Coverage) -> Covered {
        Covered {
            share: bins.share(coverage),
            bins: bins.len(),
            missed: bins.missed(coverage).collect(),
            excluded: bins.excluded().into_iter().collect(),
            impossible: bins.impossible(coverage).collect(),
        }
    }

    /// Writes every name to a file.
    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        Ok(write_json(path, &self.json())?)
    }

    fn json(&self) -> Value {
        json!({
            "coverage": rounded(self.share, 6),
            "bins": self.bins,
            "missed": self.missed,
            "excluded": self.excluded.iter().map(|(why, n)| json!({ "why": why, "bins": n })).collect::<Vec<_>>(),
            "impossible": self.impossible,
        })
    }

    /// A few lines for a terminal.
    pub fn text(&self) -> String {
        let excluded: usize = self.excluded.iter().map(|(_, n)| n).sum();
        let mut text = format!(
            "\ncoverage {:.2} % of {} bins; {excluded} more cannot be hit\n",
            100.0 * self.share,
            self.bins
        );
        for (title, list) in [("not hit", &self.missed), ("HIT, but held to be impossible", &self.impossible)]
        {
            if !list.is_empty() {
                let more = list.len().saturating_sub(SHOWN);
                let more =
                    if more > 0 { format!(" and {more} more, in coverage.json") } else { String::new() };
                text += &format!("  {title}: {}{more}\n", list[..list.len().min(SHOWN)].join("; "));
            }
        }
        text
    }
}
