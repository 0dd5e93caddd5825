//! What became of exact results, as JSON.

use std::collections::BTreeMap;

use assay_engine::stats::rounding_stats::{DEPTHS, EVERY, RoundingStats};
use assay_records::RunResult;
use assay_records::commands::ByName;
use assay_records::commands::function::Histogram;
use schemars::JsonSchema;
use serde::Serialize;

use crate::rounding_stats;

/// An optype. The counts of `total` are again in `by_rounding`, in `ftz` and in `sat`, as far as they are of functions
/// of that kind.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ArithmeticSummary {
    /// One batch of so many was dissected.
    every: u64,
    /// Cases of the optype in the run, dissected or not.
    executed: u64,
    /// All results that were dissected.
    total: Counts,
    /// Those by rounding mode.
    by_rounding: Modes,
    /// Those of functions with `.FTZ`.
    ftz: Flushed,
    /// Those of functions with `.SAT`.
    sat: Clamped,
    /// Leading bits lost, the last one or more; null where there is no sum.
    cancelled: Option<Bits>,
    /// The exponent of the product (or of the first term) less that of the addend; null where there is no sum.
    differences: Option<Histogram<i32>>,
    /// Results by class.
    results: ByName<u64>,
}

/// Counts of results.
#[derive(Serialize, JsonSchema)]
struct Counts {
    /// Dissected: those that wrote a result.
    cases: u64,
    /// Without a number to round.
    special: u64,
    /// Too large for the format, or with a result that is not finite.
    overflowed: u64,
    /// Numbers below the least normal, whatever became of them.
    tiny: u64,
    /// Rounded, and neither overflowed nor flushed nor clamped.
    rounded: u64,
    /// Of the rounded: without an error.
    representable: u64,
    /// Of the rounded: halfway between two of the format.
    ties: u64,
}

/// A part for each rounding mode.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schemars(deny_unknown_fields)]
struct Modes {
    /// To nearest, ties to even.
    rn: Mode,
    /// Up.
    rp: Mode,
    /// Down.
    rm: Mode,
    /// Toward zero.
    rz: Mode,
}

/// The results of a rounding mode.
#[derive(Serialize, JsonSchema)]
struct Mode {
    #[serde(flatten)]
    counts: Counts,
    /// Result less unrounded number, in ulp of the number.
    errors: Histogram<f64>,
}

/// What `.FTZ` did.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Flushed {
    /// Results dissected.
    cases: u64,
    /// Those with an input that was flushed.
    inputs_flushed: u64,
    /// Those flushed themselves.
    results_flushed: u64,
}

/// What `.SAT` did.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Clamped {
    /// Results dissected.
    cases: u64,
    /// Those raised to 0.
    raised: u64,
    /// Those lowered to 1.
    lowered: u64,
}

/// Counts by number of bits.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Bits {
    /// How many bits.
    bits: Vec<usize>,
    /// How many results.
    counts: Vec<u64>,
}

/// The dissections of a result by optype.
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
