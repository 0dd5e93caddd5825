//! Checks the accuracy of a function. Its errors are counted by several fields, which must agree.

use std::collections::BTreeMap;

use assay_isa::shown::quoted;
use assay_vectors::Contract;

use super::{Checked, ensure, exhaustive, sum};
use crate::RunResult;
use assay_engine::compare::judge::ONE_ULP;
use assay_engine::stats::accuracy::{Accuracy, BINS_PER_ULP, Extreme, FAR, HISTOGRAM_ULPS, Usage};

/// Maximum number of floating-point results of a case: a packed instruction has two.
const RESULTS: u128 = 2;

pub(super) fn check(outcome: &RunResult) -> Checked {
    let RunResult { plan, tally, .. } = outcome;
    let all = sum(tally.accuracy.values().map(|accuracy| &accuracy.inputs));
    ensure(all <= RESULTS * u128::from(tally.cases), || {
        format!("`accuracy` has {all} inputs, too many for the {} of `cases`", tally.cases)
    })?;
    // A result that is neither measured nor special must have diverged: it is not a number, or it
    // was not written.
    let open: u128 = tally.accuracy.values().map(unsettled).sum();
    ensure(open <= RESULTS * u128::from(tally.verdicts.diverged), || {
        format!(
            "`accuracy` leaves out {open} results, and `verdicts` has {} diverged",
            tally.verdicts.diverged
        )
    })?;
    let refused: u128 = tally
        .accuracy
        .values()
        .map(|accuracy| sum(accuracy.bounds.values().map(|usage| &usage.refused)))
        .sum();
    ensure(refused <= RESULTS * u128::from(tally.verdicts.diverged), || {
        format!("`bounds` refuse {refused} results, and `verdicts` has {} diverged", tally.verdicts.diverged)
    })?;
    for (name, accuracy) in &tally.accuracy {
        check_one(accuracy).map_err(|what| format!("`accuracy` of `{name}`: {what}", name = quoted(name)))?;
        let contracts = &plan.setting().contracts;
        // Files from before the counts by bound have no such counts.
        ensure(outcome.unverified > 0 || has_bounds(name, accuracy, contracts), || {
            format!(
                "`{name}` was measured and has a contract, and no result is counted under its `bounds`",
                name = quoted(name)
            )
        })?;
        check_bounds(accuracy, contracts)
            .map_err(|what| format!("`bounds` of `{name}`: {what}", name = quoted(name)))?;
        if let Some(found) = &accuracy.exhaustive {
            exhaustive::check(accuracy, found)
                .map_err(|what| format!("`survey` of `{name}`: {what}", name = quoted(name)))?;
        }
        for (relation, pairs) in &accuracy.relations {
            exhaustive::check_pairs(pairs, accuracy.inputs)
                .map_err(|what| format!("`{name}`: {relation:?}: {what}", name = quoted(name)))?;
        }
        if let Some(counts) = tally.functions.get(name) {
            let (inputs, cases) = (accuracy.inputs, counts.total());
            ensure(u128::from(inputs) <= RESULTS * u128::from(cases), || {
                format!(
                    "`accuracy` of `{name}` has {inputs} inputs, and `functions` is {cases}",
                    name = quoted(name)
                )
            })?;
        }
    }
    Ok(())
}

fn unsettled(accuracy: &Accuracy) -> u128 {
    let Accuracy { inputs, measured, special, .. } = accuracy;
    u128::from(*inputs).saturating_sub(u128::from(*measured) + u128::from(*special))
}

fn check_one(accuracy: &Accuracy) -> Checked {
    let Accuracy { inputs, measured, special, correctly_rounded, faithful, histogram, .. } = accuracy;
    let settled = u128::from(*measured) + u128::from(*special);
    ensure(settled <= u128::from(*inputs), || {
        format!("`measured` and `special` add up to {settled}, and `inputs` is {inputs}")
    })?;
    let bins = (2 * HISTOGRAM_ULPS * BINS_PER_ULP) as usize;
    ensure(histogram.len() == bins, || format!("`histogram` has {} counts and not {bins}", histogram.len()))?;
    let counted = sum(histogram);
    ensure(counted == u128::from(*measured), || {
        format!("`histogram` adds up to {counted}, and `measured` is {measured}")
    })?;
    // The bins from -1 to 1 have the errors below one ulp. The lowest of these bins also counts
    // errors of exactly -1, which are not below one ulp.
    let [zero, ulp] = [HISTOGRAM_ULPS * BINS_PER_ULP, BINS_PER_ULP].map(|bins| bins as usize);
    let below = sum(&histogram[zero - ulp..zero + ulp]);
    let edge = u128::from(histogram[zero - ulp]);
    ensure((below - edge..=below).contains(&u128::from(*faithful)), || {
        format!("`histogram` has {below} errors below one ulp, and `faithful` is {faithful}")
    })?;
    let half = sum(&histogram[zero - ulp / 2..=zero + ulp / 2]);
    ensure(u128::from(*correctly_rounded) <= half.min(u128::from(*faithful)), || {
        format!(
            "`histogram` has {half} errors up to half an ulp, and `correctly_rounded` is {correctly_rounded}"
        )
    })?;
    check_far(accuracy)?;
    check_extremes(accuracy)?;
    check_sums(accuracy)
}

/// Checks that `far` has no more errors than the open bins of the histogram. Older results have no
/// `far`.
fn check_far(accuracy: &Accuracy) -> Checked {
    let Accuracy { far, histogram, .. } = accuracy;
    let keys = -(FAR as i32)..=FAR as i32;
    let wrong = far.iter().find(|(key, count)| **key == 0 || !keys.contains(*key) || **count == 0);
    ensure(wrong.is_none(), || format!("`far` has the entry {:?}", wrong.unwrap_or((&0, &0))))?;
    let side = |is_above: bool| sum(far.iter().filter(|(key, _)| (**key > 0) == is_above).map(|(_, n)| n));
    let ends = [histogram.first(), histogram.last()].map(|end| u128::from(end.copied().unwrap_or(0)));
    let holds = side(false) <= ends[0] && side(true) <= ends[1];
    ensure(holds, || "`far` has more errors than the open bins of `histogram`".into())
}

/// Checks that the least error is in the first bin with a count, and the greatest error in the last
/// such bin.
fn check_extremes(accuracy: &Accuracy) -> Checked {
    let Accuracy { least, greatest, histogram, .. } = accuracy;
    let ends = [histogram.iter().position(|n| *n > 0), histogram.iter().rposition(|n| *n > 0)];
    for (name, extreme, end) in [("least", least, ends[0]), ("greatest", greatest, ends[1])] {
        let bin = extreme.map(|extreme| bin(extreme.error));
        ensure(bin == end, || format!("`{name}` and `histogram` do not agree"))?;
    }
    let [least, greatest] = [least, greatest].map(|extreme| extreme.map_or(0, |extreme| extreme.error));
    ensure(least <= greatest, || format!("`least` is {least}, above `greatest`, {greatest}"))
}

/// Returns the histogram bin of an error.
fn bin(error: i64) -> usize {
    let bins = 2 * HISTOGRAM_ULPS * BINS_PER_ULP;
    (error.div_euclid(ONE_ULP / BINS_PER_ULP) + bins / 2).clamp(0, bins - 1) as usize
}

/// Checks that the sums are within the ranges that the histogram and the extremes allow.
fn check_sums(accuracy: &Accuracy) -> Checked {
    let Accuracy { sum, sum_magnitude, sum_squares, histogram, least, greatest, .. } = accuracy;
    let (Some(least), Some(greatest)) = (least, greatest) else {
        let is_zero = (*sum, *sum_magnitude, *sum_squares) == (0, 0, 0);
        return ensure(is_zero, || "there are sums, and nothing was measured".into());
    };
    let (mut sums, mut magnitudes, mut squares) = ([0i128; 2], [0u128; 2], [0u128; 2]);
    for (place, count) in histogram.iter().enumerate().filter(|(_, count)| **count > 0) {
        let range = range(place, *least, *greatest);
        let count = u128::from(*count);
        let sizes = [range[0].unsigned_abs(), range[1].unsigned_abs()];
        let spans_zero = range[0] <= 0 && range[1] >= 0;
        let lowest = if spans_zero { 0 } else { sizes[0].min(sizes[1]) };
        let sizes = [lowest, sizes[0].max(sizes[1])].map(u128::from);
        // For the sum of squares, each error was shifted right by 16 bits first, which rounds
        // toward minus infinity.
        let coarse = [(sizes[0] >> 16).saturating_sub(1), (sizes[1] >> 16) + 1];
        for end in 0..2 {
            sums[end] = sums[end].saturating_add(i128::from(range[end]).saturating_mul(count as i128));
            magnitudes[end] = magnitudes[end].saturating_add(sizes[end] * count);
            squares[end] = squares[end].saturating_add((coarse[end] * coarse[end]).saturating_mul(count));
        }
    }
    ensure((sums[0]..=sums[1]).contains(sum), || "`sum` and `histogram` do not agree".into())?;
    let in_range = (magnitudes[0]..=magnitudes[1]).contains(sum_magnitude);
    ensure(in_range && sum.unsigned_abs() <= *sum_magnitude, || {
        "`sum_magnitude` and `histogram` do not agree".into()
    })?;
    ensure((squares[0]..=squares[1]).contains(sum_squares), || {
        "`sum_squares` and `histogram` do not agree".into()
    })
}

/// Returns the least and the greatest error that a bin can have.
fn range(bin: usize, least: Extreme, greatest: Extreme) -> [i64; 2] {
    let width = ONE_ULP / BINS_PER_ULP;
    let start = (bin as i64 - HISTOGRAM_ULPS * BINS_PER_ULP) * width;
    let is_last = bin as i64 == 2 * HISTOGRAM_ULPS * BINS_PER_ULP - 1;
    let low = if bin == 0 { least.error } else { start.max(least.error) };
    let high = if is_last { greatest.error } else { (start + width - 1).min(greatest.error) };
    [low, high]
}

/// Whether results are counted under bounds if that is required. It is required if any result was
/// measured and a contract with bounds names the function.
fn has_bounds(name: &str, accuracy: &Accuracy, contracts: &BTreeMap<String, String>) -> bool {
    let exact = [Contract::BitExact, Contract::Model].map(|contract| contract.to_string());
    let is_named = |instruction: &str| name == instruction || name.starts_with(&format!("{instruction}."));
    let is_bounded = |(instruction, text): (&String, &String)| {
        is_named(instruction) && exact.iter().all(|exact| exact != text)
    };
    accuracy.measured == 0 || !accuracy.bounds.is_empty() || !contracts.iter().any(is_bounded)
}

fn check_bounds(accuracy: &Accuracy, contracts: &BTreeMap<String, String>) -> Checked {
    let Accuracy { bounds, measured, .. } = accuracy;
    if bounds.is_empty() {
        return Ok(());
    }
    let filed = sum(bounds.values().map(|usage| &usage.measured));
    ensure(filed == u128::from(*measured), || {
        format!("they hold {filed} results, and `measured` is {measured}")
    })?;
    for (name, Usage { measured, refused, farthest, .. }) in bounds {
        ensure(refused <= measured, || {
            format!("`{name}` refuses {refused} results of {measured}", name = quoted(name))
        })?;
        ensure(farthest.is_some() == (*measured > 0), || {
            format!("`{name}`: `farthest` and `measured` do not agree", name = quoted(name))
        })?;
        let is_ours = name == assay_engine::stats::accuracy::NO_BOUND
            || contracts.values().any(|text| text.contains(name));
        ensure(is_ours, || format!("`{name}` is of no contract of the plan", name = quoted(name)))?;
    }
    Ok(())
}
