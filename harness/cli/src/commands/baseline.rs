//! The option `--baseline`: fails a run whose errors are greater than those of an earlier run.

use std::path::PathBuf;

use assay_engine::stats::baseline::{Comparison, Excess};
use assay_records::commands::campaign::ExceededError;
use clap::Args;

/// The option that compares a run with an earlier result.
#[derive(Args)]
pub struct Baseline {
    /// Fail if a function has a greater error in this run than in the given result. Takes a
    /// `result.json`, or the folder of a run.
    #[arg(id = "baseline", long = "baseline", value_name = "RESULT")]
    pub path: Option<PathBuf>,
}

/// Returns the comparison with the baseline as text. Empty if the run has no baseline.
pub fn text(comparison: Option<&Comparison>) -> String {
    let Some(comparison) = comparison else { return String::new() };
    let mut page: String = comparison.exceeded.iter().map(|excess| line(excess) + "\n").collect();
    if !comparison.missing.is_empty() {
        page += &format!("not in the baseline: {}\n", comparison.missing.join(" "));
    }
    page += &match comparison.compared.len() {
        0 => "nothing was compared with the baseline: it measured no function of this run\n".to_owned(),
        functions => format!("functions compared with the baseline: {functions}\n"),
    };
    page
}

fn line(excess: &Excess) -> String {
    let Excess { function, metric, bound, input, .. } = excess;
    let ExceededError { baseline: before, run: now, .. } = excess.into();
    let more = now - before;
    let bound = bound.as_ref().map_or(String::new(), |bound| format!(" under `{bound}`"));
    match metric.as_str() {
        "ulp" => format!(
            "exceeds the baseline: {function} is off by {now:.4} ulp at {input:#010x}, {more:.4} more than the {before:.4} there"
        ),
        _ => format!(
            "exceeds the baseline: {function} is off by {metric} {now:.4e}{bound} at {input:#010x}, {more:.4e} more than the \
             {before:.4e} there"
        ),
    }
}
