//! An extreme error, as JSON.

use assay_engine::stats::accuracy::Extreme;
use assay_records::commands::function::ExtremeError;

use crate::number::{hex, in_ulp};

/// Converts an extreme error into its JSON form.
pub fn extreme(extreme: Extreme) -> ExtremeError {
    ExtremeError { ulp: in_ulp(extreme.error), input: hex(extreme.input), result: hex(extreme.result) }
}
