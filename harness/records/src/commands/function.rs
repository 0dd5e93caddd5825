//! The JSON of a function: its accuracy, and in a sweep also its verdicts and the distribution of
//! its errors.

use std::collections::BTreeMap;

use assay_engine::stats::tally::Counts;
use schemars::JsonSchema;
use serde::Serialize;

/// The accuracy of a function with an error bound, and in a sweep its verdicts. A swept function
/// without a bound has only inputs and verdicts.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Function {
    /// Number of results that had to be written. They are the sum of `measured`, `special`, and
    /// divergences without a measured error, such as a NaN or a missing write.
    pub inputs: u64,
    /// The accuracy. Absent if the function is compared bit by bit.
    #[serde(flatten)]
    pub accuracy: Option<MeasuredAccuracy>,
    /// Number of inputs by verdict. Only in a sweep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdicts: Option<Counts>,
}

/// The errors of a function, in ulp of the true value. Means, shares and extremes are null if no
/// error was measured.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MeasuredAccuracy {
    /// Number of results whose error was measured.
    pub measured: u64,
    /// Number of results that passed without a measured error: special values, and results of
    /// flushing, clamping or overflow.
    pub special: u64,
    /// The largest magnitude of the error in ulp.
    pub max_ulp: Option<f64>,
    /// The input with the largest error, as bits.
    pub worst_input: Option<String>,
    /// The result with the largest error, as bits.
    pub worst_result: Option<String>,
    /// The most negative error.
    pub least: Option<ExtremeError>,
    /// The most positive error.
    pub greatest: Option<ExtremeError>,
    /// Mean magnitude of the errors in ulp.
    pub mean_ulp: Option<f64>,
    /// Mean of the signed errors in ulp.
    pub bias_ulp: Option<f64>,
    /// Root mean square of the errors in ulp.
    pub rms_ulp: Option<f64>,
    /// Share of the measured results that are correctly rounded, 0 to 1.
    pub correctly_rounded: Option<f64>,
    /// Number of correctly rounded results.
    pub correctly_rounded_count: u64,
    /// Share of the measured results with an error below one ulp, 0 to 1.
    pub faithful: Option<f64>,
    /// Number of results with an error below one ulp.
    pub faithful_count: u64,
    /// How much of each bound the errors use, by the text of the bound. The entry `no bound` is for
    /// the results without a bound.
    pub bounds: BTreeMap<String, BoundUsage>,
    /// Histogram of the errors in ulp.
    pub histogram: Histogram<f64>,
    /// Number of errors of 2 ulp and more, by power of two. Key 1 counts errors from 2 up to 4 ulp,
    /// and key -1 counts errors from -2 down to -4 ulp. The keys 30 and -30 also count all larger
    /// magnitudes.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub far: BTreeMap<i32, u64>,
    /// Distribution of the errors over the arguments. Present only in a sweep.
    #[serde(rename = "survey", skip_serializing_if = "Option::is_none")]
    pub exhaustive: Option<FunctionSurvey>,
}

/// The bins of a histogram. Bin i counts values from edge i up to edge i + 1. The first and the
/// last bin also count all values beyond the edges.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Histogram<T> {
    /// Edges of the bins. There is one edge more than bins.
    pub edges: Vec<T>,
    /// Number of values in each bin.
    pub counts: Vec<u64>,
}

/// The share of an error bound that the results use.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct BoundUsage {
    /// The metric: `ulp`, `absolute` or `relative`.
    pub metric: String,
    /// Number of measured results that the bound applies to.
    pub measured: u64,
    /// Number of results that exceed the bound.
    pub refused: u64,
    /// The largest distance from the true value, in the metric. Null if all results are special.
    pub farthest: Option<f64>,
    /// The largest distance divided by the bound. A value above 1 means that the bound is exceeded.
    pub used: Option<f64>,
    /// The input with the largest distance, as bits.
    pub input: Option<String>,
    /// The result with the largest distance, as bits.
    pub result: Option<String>,
}

/// An extreme error.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ExtremeError {
    /// The signed error in ulp.
    pub ulp: f64,
    /// The input as bits.
    pub input: String,
    /// The result as bits.
    pub result: String,
}

/// The distribution of a function's errors over its arguments, and the relations between its
/// results.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FunctionSurvey {
    /// Number of results that MPFR decided, because double precision could not.
    pub undecided: u64,
    /// The inputs with the largest errors, the largest first.
    pub worst: Vec<ExtremeError>,
    /// Errors by binade. The key is the sign and exponent field of the argument as a decimal
    /// number.
    pub binades: BTreeMap<u32, ErrorRange>,
    /// Errors by segment, over all binades. The key of a segment is the leading seven fraction bits
    /// of its arguments, as a decimal number.
    pub segments: BTreeMap<u32, ErrorRange>,
    /// Numbers of inputs whose result bits the specification gives, by class of input.
    pub rows: BTreeMap<String, RowCounts>,
    /// The relations between results, by name.
    pub relations: BTreeMap<String, RelationCounts>,
}

/// The errors of a range of arguments.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ErrorRange {
    /// Number of measured results.
    pub measured: u64,
    /// Share of the measured results that are correctly rounded, 0 to 1. Null if nothing was
    /// measured.
    pub correctly_rounded: Option<f64>,
    /// The most negative error.
    pub least: Option<ExtremeError>,
    /// The most positive error.
    pub greatest: Option<ExtremeError>,
}

/// Numbers of inputs whose result bits the specification gives.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RowCounts {
    /// Number of inputs.
    pub inputs: u64,
    /// Number of inputs with the specified bits as result.
    pub held: u64,
}

/// The pairs of results on which a relation was checked.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RelationCounts {
    /// The relation in words.
    pub asks: String,
    /// The unit of the distances in `by`.
    pub unit: String,
    /// Number of pairs.
    pub seen: u64,
    /// Number of pairs that violate the relation. Null if the relation is only measured.
    pub broken: Option<u64>,
    /// Number of violations that fail the run, because the contract requires the relation. An
    /// inversion fails the run only if it has more steps than the profile allows.
    pub refused: u64,
    /// The pair with the largest distance from the relation.
    pub farthest: Option<ResultPair>,
    /// The first pairs that violate the relation.
    pub first: Vec<ResultPair>,
    /// Number of violations by the leading 16 bits of the 32-bit input, as a decimal number.
    pub places: BTreeMap<u32, u64>,
}

/// Two inputs and their results, as bits.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ResultPair {
    /// The first input.
    pub input: String,
    /// The result of the first input.
    pub result: String,
    /// The second input.
    pub partner: String,
    /// The result of the second input.
    pub partner_result: String,
    /// Distance of the pair from the relation, in `unit`.
    pub by: u64,
}
