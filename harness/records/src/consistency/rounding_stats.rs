//! Checks the rounding statistics. Each result must be counted once in each classification.

use assay_isa::shown::quoted;

use super::{Checked, ensure, sum};
use assay_engine::stats::rounding_stats::{ERROR_BINS, RoundingStats};

pub(super) fn check(name: &str, counts: &RoundingStats, cases: u64) -> Checked {
    check_one(name, counts, cases)
        .map_err(|what| format!("`dissections` of `{name}`: {what}", name = quoted(name)))
}

fn check_one(name: &str, counts: &RoundingStats, all: u64) -> Checked {
    let RoundingStats { cases, special, overflowed, tiny, representable, ties, .. } = counts;
    let RoundingStats { inputs_flushed, results_flushed, raised, lowered, .. } = counts;
    let RoundingStats { errors, cancelled, differences, results, .. } = counts;
    let shape = RoundingStats::default();
    for (name, list, due) in [
        ("errors", errors, &shape.errors),
        ("cancelled", cancelled, &shape.cancelled),
        ("differences", differences, &shape.differences),
        ("results", results, &shape.results),
    ] {
        ensure(list.len() == due.len(), || {
            format!("`{name}` has {} counts and not {}", list.len(), due.len())
        })?;
    }
    ensure(*cases <= all, || format!("`cases` is {cases}, and the whole result has {all}"))?;
    let (cases, numbers) = (u128::from(*cases), u128::from(*cases).saturating_sub(u128::from(*special)));
    let equal = |what: &str, left: u128, right: u128| {
        ensure(left == right, || format!("{what}: {left}, and should be {right}"))
    };
    let at_most = |what: &str, left: u128, right: u128| {
        ensure(left <= right, || format!("{what}: {left}, and can be {right} at most"))
    };
    equal("sum of `results`", sum(results), cases)?;
    let sorted = sum(errors) + sum([special, overflowed, results_flushed, raised, lowered]);
    if name.contains(".SAT") {
        // With `.SAT`, a result of exactly 1 is in no class: it is neither clamped down nor
        // rounded.
        at_most("results by outcome", sorted, cases)?;
    } else {
        equal("results by outcome", sorted, cases)?;
        equal("results clamped without .SAT", sum([raised, lowered]), 0)?;
    }
    if !name.contains(".FTZ") {
        equal("flushed without .FTZ", sum([inputs_flushed, results_flushed]), 0)?;
    }
    at_most("`special`", u128::from(*special), cases)?;
    at_most("`tiny`", u128::from(*tiny), numbers)?;
    at_most("`inputs_flushed`", u128::from(*inputs_flushed), cases)?;
    // A tie is an error of half an ulp. Each bin is a sixteenth of an ulp, and the first begins at
    // -1. So a bin begins at each of -1/2, 0 and 1/2.
    let at = |place: usize| u128::from(errors[place]);
    at_most("`representable`", u128::from(*representable), at(ERROR_BINS / 2))?;
    at_most("`ties`", u128::from(*ties), at(ERROR_BINS / 4) + at(3 * ERROR_BINS / 4))?;
    equal("sum of `cancelled`", sum(cancelled), sum(differences))?;
    at_most("sum of `cancelled`", sum(cancelled), numbers)
}
