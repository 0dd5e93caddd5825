//! The earlier run of `--baseline`, whose greatest errors a run must not exceed.

use std::path::Path;

use assay_records::RunResult;

use super::merge;
use crate::context::Context;
use crate::error::RunError;

/// Reads the earlier result, if its path is given. Refuses a result whose readings differ from
/// those of this run. Executes nothing.
pub fn read(path: Option<&Path>, context: &Context) -> Result<Option<RunResult>, RunError> {
    let Some(path) = path else { return Ok(None) };
    let earlier = merge::read(path)?;
    let readings = &earlier.plan.setting().readings;
    let differs = |(erratum, setting): (assay_isa::Erratum, u8)| {
        let before = readings.get(&erratum.to_string())?;
        (*before != setting).then(|| format!("{erratum}={before} there, {erratum}={setting} here"))
    };
    match context.profile.readings.iter().find_map(differs) {
        None => Ok(Some(earlier)),
        Some(difference) => Err(RunError::input(format!(
            "--baseline {}: its errors are of other functions: {difference}; set the same readings, or sweep anew",
            path.display()
        ))),
    }
}
