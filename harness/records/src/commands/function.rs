//! What is known of a function: its accuracy, its verdicts, and in a sweep where its errors are.

use std::collections::BTreeMap;

use assay_engine::stats::tally::Counts;
use schemars::JsonSchema;
use serde::Serialize;

/// A function: its accuracy where it is held to a bound, and in a sweep its verdicts. A swept function that is held to
/// bits has inputs and verdicts alone.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Function {
    /// The cases that had to write a result: their error was measured, or they held without one (special), or they
    /// diverged without one, as a NaN or a missing write does.
    pub inputs: u64,
    /// Its accuracy; absent where it is held to bits.
    #[serde(flatten)]
    pub accuracy: Option<MeasuredAccuracy>,
    /// How its cases fared; of a sweep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdicts: Option<Counts>,
}

/// Errors are in ulp of the true value. What takes a measurement is null where there was none.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MeasuredAccuracy {
    /// Results whose error was measured.
    pub measured: u64,
    /// Results that held without an error to measure.
    pub special: u64,
    /// The largest magnitude.
    pub max_ulp: Option<f64>,
    /// The input that shows it.
    pub worst_input: Option<String>,
    /// The result there.
    pub worst_result: Option<String>,
    /// The most negative error.
    pub least: Option<ExtremeError>,
    /// The most positive error.
    pub greatest: Option<ExtremeError>,
    /// Mean of the magnitudes.
    pub mean_ulp: Option<f64>,
    /// The signed mean.
    pub bias_ulp: Option<f64>,
    /// Root of the mean square.
    pub rms_ulp: Option<f64>,
    /// Share of the measured, 0 to 1.
    pub correctly_rounded: Option<f64>,
    /// How many.
    pub correctly_rounded_count: u64,
    /// Share of the measured that are less than one ulp off.
    pub faithful: Option<f64>,
    /// How many.
    pub faithful_count: u64,
    /// How far each bound was used up, by its text; `no bound` where none holds.
    pub bounds: BTreeMap<String, BoundUsage>,
    /// How often errors occur.
    pub histogram: Histogram<f64>,
    /// Of a sweep over every input: where the errors are, and how results stand to each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub survey: Option<FunctionSurvey>,
}

/// Counts of bins: bin i reaches from edge i up to edge i + 1, the outermost ones without end.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Histogram<T> {
    /// Edges of the bins, one more than there are counts.
    pub edges: Vec<T>,
    /// How many in each.
    pub counts: Vec<u64>,
}

/// How far a bound was used up.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct BoundUsage {
    /// `ulp`, `absolute` or `relative`.
    pub metric: String,
    /// Results measured under it.
    pub measured: u64,
    /// Those that were refused.
    pub refused: u64,
    /// Distance of the farthest, in the metric; null where every result is special.
    pub farthest: Option<f64>,
    /// The same as a share of the bound.
    pub used: Option<f64>,
    /// Its input.
    pub input: Option<String>,
    /// Its result.
    pub result: Option<String>,
}

/// An extreme error.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ExtremeError {
    /// The signed error in ulp.
    pub ulp: f64,
    /// The input's bits.
    pub input: String,
    /// The result's bits.
    pub result: String,
}

/// Where the errors are, and how the results of neighbours, mirror images and other binades stand to each other.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FunctionSurvey {
    /// Results that double precision could not decide about.
    pub undecided: u64,
    /// The inputs farthest off, the farthest first.
    pub worst: Vec<ExtremeError>,
    /// Errors by binade; the key is the decimal number of the argument's sign and exponent field.
    pub binades: BTreeMap<u32, ErrorRange>,
    /// Errors by segment over all binades; the key is the leading seven bits of the argument's fraction.
    pub segments: BTreeMap<u32, ErrorRange>,
    /// How inputs fared for which the specification gives the bits, by their class.
    pub rows: BTreeMap<String, RowCounts>,
    /// How results stand to each other, by relation.
    pub relations: BTreeMap<String, RelationCounts>,
}

/// The errors of a range of arguments.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ErrorRange {
    /// Results measured.
    pub measured: u64,
    /// Share of them, 0 to 1; null of none.
    pub correctly_rounded: Option<f64>,
    /// The most negative error.
    pub least: Option<ExtremeError>,
    /// The most positive error.
    pub greatest: Option<ExtremeError>,
}

/// Inputs for which the specification gives the bits.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RowCounts {
    /// How many.
    pub inputs: u64,
    /// Those that gave these bits.
    pub held: u64,
}

/// The pairs of results that were held against a relation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RelationCounts {
    /// What it asks, in words.
    pub asks: String,
    /// What distances are counted in.
    pub unit: String,
    /// How many pairs.
    pub seen: u64,
    /// Those that break it; null for a relation that only measures.
    pub broken: Option<u64>,
    /// Those of them that fail the run.
    pub refused: u64,
    /// The pair farthest from it.
    pub farthest: Option<ResultPair>,
    /// The first pairs that break it.
    pub first: Vec<ResultPair>,
    /// How many break it, by the leading sixteen of 32 bits of the input, as a decimal number.
    pub places: BTreeMap<u32, u64>,
}

/// Two inputs and their results, as bits.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ResultPair {
    /// An input.
    pub input: String,
    /// Its result.
    pub result: String,
    /// What it is held against.
    pub partner: String,
    /// The result there.
    pub partner_result: String,
    /// How far they are from the relation, in its unit.
    pub by: u64,
}
