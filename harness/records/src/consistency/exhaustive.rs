//! Compares the distribution of the errors of a sweep over every input with the accuracy of the
//! function.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use assay_isa::shown::quoted;

use super::{Checked, ensure, sum};
use assay_engine::compare::judge::ONE_ULP;
use assay_engine::compare::judge::quick::WORST;
use assay_engine::stats::accuracy::Accuracy;
use assay_engine::stats::exhaustive::map::{COLUMNS, ErrorMap, LEVELS};
use assay_engine::stats::exhaustive::{ExhaustiveStats, PAIRS, Pairs, Range};
use assay_engine::stats::extreme::{Extreme, greater, lesser};

pub(super) fn check(accuracy: &Accuracy, stats: &ExhaustiveStats) -> Checked {
    let ExhaustiveStats { undecided, worst, binades, segments, rows, relations, map } = stats;
    ensure(undecided <= &accuracy.inputs, || {
        format!("`undecided` is {undecided}, and there are {} inputs", accuracy.inputs)
    })?;
    check_ranges("binades", binades, accuracy)?;
    check_ranges("segments", segments, accuracy)?;
    check_worst(worst, accuracy)?;
    let wrong = rows.iter().find(|(_, row)| row.held > row.inputs);
    if let Some((class, row)) = wrong {
        return Err(format!(
            "`{class}` holds for {} inputs of {}",
            row.held,
            row.inputs,
            class = quoted(class)
        ));
    }
    let of_rows = sum(rows.values().map(|row| &row.inputs));
    ensure(of_rows <= u128::from(accuracy.inputs), || {
        format!("`rows` has {of_rows} inputs, and there are {}", accuracy.inputs)
    })?;
    for (relation, pairs) in relations {
        check_pairs(pairs, accuracy.inputs).map_err(|what| format!("{relation:?}: {what}"))?;
    }
    map.as_ref()
        .map_or(Ok(()), |map| check_map(map, stats, accuracy).map_err(|what| format!("`map`: {what}")))
}

/// Checks that a map has all its columns, the measured binades, and no more samples and failing
/// inputs than there are.
fn check_map(map: &ErrorMap, stats: &ExhaustiveStats, accuracy: &Accuracy) -> Checked {
    let ErrorMap { argument: _, columns, binades, failing } = map;
    let measured = stats.binades.iter().filter(|(_, range)| range.measured > 0).map(|(binade, _)| binade);
    ensure(binades.keys().eq(measured), || "its binades are not the measured ones".into())?;
    ensure(columns.len() == COLUMNS as usize, || {
        format!("it has {} columns and not {COLUMNS}", columns.len())
    })?;
    let samples = sum(columns.iter().flat_map(|column| &column.samples));
    ensure(samples <= u128::from(accuracy.measured), || {
        format!("it has {samples} samples, and `measured` is {}", accuracy.measured)
    })?;
    let by_column = sum(columns.iter().map(|column| &column.failing));
    let by_place = sum(failing.values());
    ensure(by_column <= by_place && by_place <= u128::from(accuracy.inputs), || {
        format!("{by_column} failing inputs by column, {by_place} by place, of {}", accuracy.inputs)
    })?;
    // A limit of a column exceeds its errors by the uncertainty of double precision.
    let reaches = |limit: i64, extreme: Option<Extreme>| {
        let error = extreme.map_or(0.0, |extreme| (extreme.error as f64).abs());
        limit.unsigned_abs() as f64 <= error * (1.0 + 1e-6) + ONE_ULP as f64 * 1e-3
    };
    let wrong = columns.iter().position(|column| {
        let is_within = reaches(column.least, accuracy.least) && reaches(column.greatest, accuracy.greatest);
        column.least > 0 || column.greatest < 0 || !is_within || column.samples.len() > usize::from(LEVELS)
    });
    ensure(wrong.is_none(), || format!("column {} is none of a sweep", wrong.unwrap_or_default()))
}

/// Checks that the ranges of arguments together have all measured results, and that their extremes
/// are those of the function.
fn check_ranges(name: &str, ranges: &BTreeMap<u32, Range>, accuracy: &Accuracy) -> Checked {
    let Accuracy { measured, correctly_rounded, .. } = accuracy;
    let counted = sum(ranges.values().map(|range| &range.measured));
    ensure(counted == u128::from(*measured), || {
        format!("`{name}` adds up to {counted} results, and `measured` is {measured}")
    })?;
    let rounded = sum(ranges.values().map(|range| &range.correctly_rounded));
    ensure(rounded == u128::from(*correctly_rounded), || {
        format!("`{name}` adds up to {rounded}, and `correctly_rounded` is {correctly_rounded}")
    })?;
    let wrong = ranges.iter().find(|(_, range)| {
        let has_both = range.least.is_some() && range.greatest.is_some();
        let is_empty = range.least.is_none() && range.greatest.is_none();
        range.correctly_rounded > range.measured
            || !(if range.measured > 0 { has_both } else { is_empty })
            || range.least.map(|e| e.error) > range.greatest.map(|e| e.error)
    });
    if let Some((key, _)) = wrong {
        return Err(format!("`{name}` at {key}: its errors and its counts do not agree"));
    }
    let least = ranges.values().fold(None, |least, range| lesser(least, range.least));
    let greatest = ranges.values().fold(None, |greatest, range| greater(greatest, range.greatest));
    ensure((least, greatest) == (accuracy.least, accuracy.greatest), || {
        format!("the extremes of `{name}` are not `least` and `greatest`")
    })
}

/// Checks the number and the order of the worst errors. The first must be the worst error of the
/// function.
fn check_worst(worst: &[Extreme], accuracy: &Accuracy) -> Checked {
    // A new result lists one input for each magnitude of error. An older result lists all inputs.
    let most = WORST.min(usize::try_from(accuracy.measured).unwrap_or(WORST));
    let least = most.min(1);
    ensure((least..=most).contains(&worst.len()), || {
        format!("`worst` lists {}, which is not {least} to {most}", worst.len())
    })?;
    let ascends = worst.is_sorted_by_key(|e| (Reverse(e.error.unsigned_abs()), e.input));
    ensure(ascends, || "`worst` is not in order".into())?;
    ensure(worst.first().copied() == accuracy.worst(), || {
        "`worst` does not begin with the worst error".into()
    })
}

pub(super) fn check_pairs(pairs: &Pairs, inputs: u64) -> Checked {
    let Pairs { seen, broken, refused, farthest, first, places } = pairs;
    ensure(broken <= seen, || format!("`broken` is {broken}, and `seen` {seen}"))?;
    ensure(refused <= broken, || format!("`refused` is {refused}, and `broken` {broken}"))?;
    ensure(*seen <= inputs.saturating_mul(2), || format!("`seen` is {seen}, and there are {inputs} inputs"))?;
    let kept = PAIRS.min(usize::try_from(*broken).unwrap_or(PAIRS));
    ensure(first.len() == kept, || format!("`first` lists {} and not {kept}", first.len()))?;
    ensure(first.is_sorted_by_key(|pair| pair.input), || "`first` is not in order".into())?;
    ensure(*seen > 0 || farthest.is_none(), || "`farthest` is there, and no pair was seen".into())?;
    let by_place = sum(places.values());
    ensure(places.is_empty() || by_place == u128::from(*broken), || {
        format!("`places` adds up to {by_place}, and `broken` is {broken}")
    })
}
