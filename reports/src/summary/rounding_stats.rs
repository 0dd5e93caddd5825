//! The rounding statistics of sums and products, as JSON.

use std::collections::BTreeMap;

use assay_engine::stats::rounding_stats::{DEPTHS, EVERY, RoundingStats};
use assay_records::RunResult;
use assay_records::commands::ByName;
use assay_records::commands::function::Histogram;
use schemars::JsonSchema;
use serde::Serialize;

use crate::rounding_stats;

/// Rounding statistics of an optype. `by_rounding`, `ftz` and `sat` have the counts of `total` for
/// some of the functions.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ArithmeticSummary {
    /// Sampling interval: one batch of this many is analysed.
    every: u64,
    /// Number of cases of the optype in the run.
    executed: u64,
    /// Counts of all analysed results.
    total: Counts,
    /// Counts by rounding mode.
    by_rounding: Modes,
    /// Counts of functions with `.FTZ`.
    ftz: Flushed,
    /// Counts of functions with `.SAT`.
    sat: Clamped,
    /// Number of sums by lost leading bits. The last bin is open. Null if the optype has no sum.
    cancelled: Option<Bits>,
    /// Number of sums by the exponent of the product (or first term) less that of the addend. Null
    /// if the optype has no sum.
    differences: Option<Histogram<i32>>,
    /// Number of results by class.
    results: ByName<u64>,
}

/// Counts of results.
#[derive(Serialize, JsonSchema)]
struct Counts {
    /// Number of analysed cases, which wrote a result.
    cases: u64,
    /// Number of cases without a number to round: a NaN, an infinite operand, an exact zero.
    special: u64,
    /// Number of results too large for the format, or not finite.
    overflowed: u64,
    /// Number of results below the least normal number, whether or not they were flushed.
    tiny: u64,
    /// Number of rounded results that did not overflow and were not flushed or clamped.
    rounded: u64,
    /// Number of rounded results without an error.
    representable: u64,
    /// Number of rounded results halfway between two numbers of the format.
    ties: u64,
}

/// Counts by rounding mode.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schemars(deny_unknown_fields)]
struct Modes {
    /// To nearest, ties to even.
    rn: Mode,
    /// Up, toward +infinity.
    rp: Mode,
    /// Down, toward -infinity.
    rm: Mode,
    /// Toward zero.
    rz: Mode,
}

/// The results of a rounding mode.
#[derive(Serialize, JsonSchema)]
struct Mode {
    #[serde(flatten)]
    counts: Counts,
    /// Histogram of result less unrounded number, in ulp of the number.
    errors: Histogram<f64>,
}

/// The effect of `.FTZ`.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Flushed {
    /// Number of analysed results.
    cases: u64,
    /// Number of results with a flushed input.
    inputs_flushed: u64,
    /// Number of flushed results.
    results_flushed: u64,
}

/// The effect of `.SAT`.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Clamped {
    /// Number of analysed results.
    cases: u64,
    /// Number of results raised to 0.
    raised: u64,
    /// Number of results lowered to 1.
    lowered: u64,
}

/// Counts by number of bits.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Bits {
    /// Numbers of bits.
    bits: Vec<usize>,
    /// Number of results for each number of bits.
    counts: Vec<u64>,
}

/// Returns the rounding statistics of a result by optype.
pub fn by_optype(outcome: &RunResult) -> BTreeMap<String, ArithmeticSummary> {
    let list = rounding_stats::by_optype(outcome).into_iter();
    list.map(|one| (one.optype.clone(), ArithmeticSummary::of(&one))).collect()
}

impl ArithmeticSummary {
    fn of(one: &rounding_stats::ArithmeticFunctions) -> ArithmeticSummary {
        let rounding_stats::ArithmeticFunctions { executed, total, modes, ftz, sat, .. } = one;
        let [rn, rp, rm, rz] = modes.each_ref().map(Mode::of);
        let results = rounding_stats::classes(total).map(|(class, number)| (class.to_owned(), number));
        let cancelled = Bits { bits: (0..DEPTHS).collect(), counts: total.cancelled.clone() };
        let differences =
            Histogram { edges: rounding_stats::difference_edges(), counts: total.differences.clone() };
        ArithmeticSummary {
            every: EVERY,
            executed: *executed,
            total: Counts::of(total),
            by_rounding: Modes { rn, rp, rm, rz },
            ftz: Flushed {
                cases: ftz.cases,
                inputs_flushed: ftz.inputs_flushed,
                results_flushed: ftz.results_flushed,
            },
            sat: Clamped { cases: sat.cases, raised: sat.raised, lowered: sat.lowered },
            cancelled: one.is_sum().then_some(cancelled),
            differences: one.is_sum().then_some(differences),
            results: results.collect(),
        }
    }
}

impl Mode {
    fn of(one: &RoundingStats) -> Mode {
        let errors = Histogram { edges: rounding_stats::error_edges(), counts: one.errors.clone() };
        Mode { counts: Counts::of(one), errors }
    }
}

impl Counts {
    fn of(one: &RoundingStats) -> Counts {
        Counts {
            cases: one.cases,
            special: one.special,
            overflowed: one.overflowed,
            tiny: one.tiny,
            rounded: rounding_stats::rounded(one),
            representable: one.representable,
            ties: one.ties,
        }
    }
}
