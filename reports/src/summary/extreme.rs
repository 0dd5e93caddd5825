//! An extreme error, as JSON.

use assay_engine::stats::accuracy;
use schemars::JsonSchema;
use serde::Serialize;

use crate::number::{hex, in_ulp};

/// An extreme error.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Extreme {
    /// The signed error in ulp.
    ulp: f64,
    /// The input's bits.
    input: String,
    /// The result's bits.
    result: String,
}

impl From<accuracy::Extreme> for Extreme {
    fn from(extreme: accuracy::Extreme) -> Extreme {
        Extreme { ulp: in_ulp(extreme.error), input: hex(extreme.input), result: hex(extreme.result) }
    }
}
