//! Checks that the counts of a result agree with each other.
//!
//! A digest shows that a file has the bytes that were written. These checks refuse bytes that no
//! run can produce, even if an editor of the file also adapted the digest. The error of a check
//! names the two parts that contradict each other.

mod accuracy;
mod coverage;
mod exhaustive;
mod rounding_stats;

use std::collections::BTreeSet;

use assay_isa::shown::quoted;

use crate::{Plan, RunResult, Shard};
use assay_engine::compare::canary::Canaries;
use assay_engine::compare::counts::Counts;
use assay_engine::generate::BatchPlan;
use assay_engine::stats::divergences::{LEAST_HASHES, PARTS};
use assay_engine::stats::finding::ObservedDivergence;
use assay_engine::stats::tally::{FINDINGS_EACH, Tally};

/// The result of a check: the error names the contradiction.
type Checked = Result<(), String>;

/// Maximum number of cases of a result: a billion a second for two years. With this limit, sums of
/// several results cannot overflow.
const MOST_CASES: u64 = 1 << 56;

fn ensure(holds: bool, what: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(what()) }
}

/// Returns the sum of counts, which cannot overflow.
fn sum<'a>(counts: impl IntoIterator<Item = &'a u64>) -> u128 {
    counts.into_iter().map(|count| u128::from(*count)).sum()
}

/// Checks a result. The error is its first contradiction.
pub(crate) fn check(outcome: &RunResult) -> Checked {
    let RunResult { plan, shards, bins, tally, verdict, .. } = outcome;
    check_shards(shards)?;
    check_counts(tally)?;
    if matches!(plan, Plan::Sweep { .. }) || !tally.functions.is_empty() {
        equal_sums("functions", tally.functions.values(), &tally.verdicts)?;
    }
    check_plan(plan, shards, tally)?;
    check_agreement(plan, tally)?;
    check_findings(plan, shards, tally)?;
    coverage::check(bins.as_ref(), &tally.coverage)?;
    accuracy::check(outcome)?;
    tally
        .rounding_stats
        .iter()
        .try_for_each(|(name, counts)| rounding_stats::check(name, counts, tally.cases))?;
    verdict.iter().try_for_each(|verdict| verdict.check(outcome))
}

fn check_shards(shards: &[Shard]) -> Checked {
    let of = shards.first().map_or(0, |shard| shard.of);
    let distinct: BTreeSet<u64> = shards.iter().map(|shard| shard.index).collect();
    let wrong = shards.iter().find(|shard| !shard.is_valid() || shard.of != of);
    match wrong {
        Some(shard) => Err(format!("`shards` has {shard}, which is no share of {of}")),
        None => ensure(distinct.len() == shards.len(), || "`shards` has one share twice".into()),
    }
}

/// Compares the verdicts of a tally with its cases and with the verdicts of its forms.
pub(crate) fn check_counts(tally: &Tally) -> Checked {
    let Tally { cases, verdicts, forms, undefined, .. } = tally;
    let total: u128 = verdicts.each().iter().map(|(_, count)| u128::from(*count)).sum();
    ensure(total == u128::from(*cases), || {
        format!("`verdicts` counts {total} cases, and `cases` is {cases}")
    })?;
    ensure(*cases <= MOST_CASES, || format!("`cases` is {cases}, more than any run can have"))?;
    let Canaries { batches, spoiled, fast, repeated } = tally.canaries;
    let most = batches.max(spoiled).max(fast).max(repeated);
    ensure(most <= MOST_CASES, || format!("`canaries` counts {most}, more than any run can have"))?;
    let failures = sum(tally.failures.values());
    ensure(failures <= u128::from(MOST_CASES), || {
        format!("`failures` counts {failures}, more than any run can have")
    })?;
    equal_sums("forms", forms.values(), verdicts)?;
    let by_erratum = sum(undefined.values());
    ensure(by_erratum == u128::from(verdicts.undefined), || {
        let counted = verdicts.undefined;
        format!("`undefined` counts {by_erratum} cases by erratum, and `verdicts` has {counted}")
    })
}

/// Checks that the counts of the parts add up to the counts of the whole, verdict by verdict.
fn equal_sums<'a>(name: &str, parts: impl Iterator<Item = &'a Counts>, whole: &Counts) -> Checked {
    let mut sums = [0u128; 8];
    for part in parts {
        sums.iter_mut().zip(part.each()).for_each(|(sum, (_, count))| *sum += u128::from(count));
    }
    let mut pairs = sums.into_iter().zip(whole.each());
    match pairs.find(|(sum, (_, count))| *sum != u128::from(*count)) {
        Some((sum, (verdict, count))) => {
            Err(format!("`{name}` adds up to {sum} cases {verdict}, and `verdicts` has {count}"))
        }
        None => Ok(()),
    }
}

/// Compares the number of counted cases with the number that the plan has.
fn check_plan(plan: &Plan, shards: &[Shard], tally: &Tally) -> Checked {
    let done = tally.cases;
    let planned = match plan {
        Plan::Fuzz { cases, .. } => u128::from(cases.unwrap_or_default()),
        Plan::Sweep { functions, .. } => sum(functions.values()),
        Plan::Trace { traces, .. } => sum(traces.values()),
    };
    ensure(planned <= u128::from(u64::MAX), || {
        format!("the plan holds {planned} cases, more than any run can have")
    })?;
    let exceeds = |planned: u128| format!("`cases` is {done}, and the plan holds {planned}");
    let is_whole = shards.first().is_some_and(|shard| shard.of == shards.len() as u64);
    match plan {
        Plan::Fuzz { cases: None, .. } => Ok(()),
        Plan::Fuzz { cases: Some(planned), until_covered, .. } => {
            let most = u128::from(*planned);
            match plan.batches() {
                Some(batches) if !shards.is_empty() && !until_covered => check_share(batches, shards, done),
                _ => ensure(u128::from(done) <= most, || exceeds(most)),
            }
        }
        Plan::Sweep { functions, .. } => {
            let stranger = tally.functions.keys().find(|name| !functions.contains_key(*name));
            if let Some(name) = stranger {
                return Err(format!(
                    "`functions` of the tally has `{name}`, and the plan has not",
                    name = quoted(name)
                ));
            }
            for (name, planned) in functions {
                let counts = tally.functions.get(name).copied().unwrap_or_default();
                let counted: u128 = counts.each().iter().map(|(_, count)| u128::from(*count)).sum();
                let holds =
                    if is_whole { counted == u128::from(*planned) } else { counted <= u128::from(*planned) };
                ensure(holds, || {
                    format!(
                        "`{name}` has {counted} inputs, and the plan holds {planned} of it",
                        name = quoted(name)
                    )
                })?;
            }
            Ok(())
        }
        Plan::Trace { traces, .. } => {
            let planned = sum(traces.values());
            let done = u128::from(done);
            ensure(if is_whole { done == planned } else { done <= planned }, || exceeds(planned))
        }
    }
}

/// Compares the number of counted cases with the number that the shards of a campaign have.
fn check_share(batches: BatchPlan, shards: &[Shard], done: u64) -> Checked {
    let planned = batches.cases();
    let of = shards.first().map_or(1, |shard| shard.of);
    if of == shards.len() as u64 {
        return ensure(done == planned, || format!("`cases` is {done}, and the plan holds {planned}"));
    }
    let due: u128 = shards.iter().map(|shard| u128::from(shard.cases(batches))).sum();
    ensure(u128::from(done) == due, || format!("`cases` is {done}, and the shards of the plan hold {due}"))
}

/// Compares the agreement counts of a trace with its verdicts. A run without a trace must have no
/// agreement counts.
fn check_agreement(plan: &Plan, tally: &Tally) -> Checked {
    let Tally { agreement, verdicts, cases, .. } = tally;
    if !matches!(plan, Plan::Trace { .. }) {
        return ensure(agreement.is_empty(), || "`agreement` is of a trace, and the plan has none".into());
    }
    let total: u128 = agreement.each().iter().map(|(_, count)| u128::from(*count)).sum();
    ensure(total == u128::from(*cases), || {
        format!("`agreement` counts {total} cases, and `cases` is {cases}")
    })?;
    for (name, theirs, ours) in [
        ("undefined", agreement.undefined, verdicts.undefined),
        ("unsupported", agreement.unsupported, verdicts.unsupported),
        ("undeclared", agreement.declined, verdicts.undeclared),
    ] {
        ensure(theirs == ours, || {
            format!("`agreement` has {theirs} cases {name}, and `verdicts` has {ours}")
        })?;
    }
    let blamed = sum([&agreement.trace_alone, &agreement.oracle_alone, &agreement.no_two_agree]);
    let diverged = u128::from(verdicts.diverged);
    let most = blamed + u128::from(agreement.unanswered);
    ensure((blamed..=most).contains(&diverged), || {
        format!("`agreement` has {blamed} cases in which the trace diverges, and `verdicts` has {diverged}")
    })
}

fn check_findings(plan: &Plan, shards: &[Shard], tally: &Tally) -> Checked {
    let diverged = tally.verdicts.diverged;
    let kept: u64 = tally.findings.values().map(|list| list.len() as u64).sum();
    ensure(kept <= diverged, || format!("`findings` keeps {kept}, and `verdicts` has {diverged} diverged"))?;
    ensure(kept > 0 || diverged == 0, || {
        format!("`verdicts` has {diverged} diverged, and `findings` keeps none")
    })?;
    // Files from before the counts by raw key have no such counts.
    let by_key: u128 = tally.divergences.values().map(|list| u128::from(list.total())).sum();
    ensure(tally.divergences.is_empty() || by_key == u128::from(diverged), || {
        format!("`divergences` adds up to {by_key}, and `verdicts` has {diverged} diverged")
    })?;
    for (function, list) in &tally.divergences {
        // The sum of squares is largest if one batch has all divergences. It is smallest if each
        // diverging batch has one divergence. Older results have no sum of squares.
        let (total, squares) = (u128::from(list.total()), u128::from(list.squares()));
        ensure(squares == 0 || (total..=total * total).contains(&squares), || {
            format!(
                "`squares` of `{function}` is {squares}, which no batches with {total} divergences have",
                function = quoted(function)
            )
        })?;
        // Older results have no parts.
        let in_parts: u128 = list.parts().iter().map(|part| u128::from(*part)).sum();
        ensure(list.parts().is_empty() || in_parts == total, || {
            let function = quoted(function);
            format!("the parts of `{function}` add up to {in_parts}, and `total` is {total}")
        })?;
        // Older results have no hashes.
        let (hashes, expected) = (list.least().len(), list.total().min(LEAST_HASHES as u64));
        ensure(hashes == 0 || hashes as u64 == expected, || {
            let function = quoted(function);
            format!("`least` of `{function}` has {hashes} hashes, and `total` demands {expected}")
        })?;
        let mut left = list.parts().to_vec();
        let has_part = |hash: &u64| {
            let part = left.get_mut((hash % PARTS as u64) as usize).filter(|part| **part > 0);
            part.map(|part| *part -= 1).is_some()
        };
        ensure(list.parts().is_empty() || list.least().iter().all(has_part), || {
            format!("`least` of `{}` has a hash whose part is 0", quoted(function))
        })?;
        let (counted, total) =
            (list.keys().map(|(_, _, kept)| u128::from(kept.count)).sum::<u128>(), list.total());
        ensure(counted <= u128::from(total), || {
            format!(
                "the keys of `{function}` count {counted} divergences, and `total` is {total}",
                function = quoted(function)
            )
        })?;
    }
    for (key, list) in &tally.findings {
        let is_listed = (1..=FINDINGS_EACH).contains(&list.len());
        ensure(is_listed, || {
            format!(
                "`{key}` keeps {} findings, and 1 to {FINDINGS_EACH} are kept",
                list.len(),
                key = quoted(key)
            )
        })?;
        ensure(list.is_sorted_by(|a, b| a < b), || {
            format!("the findings of `{key}` are not in order", key = quoted(key))
        })?;
        list.iter().try_for_each(|found| check_found(plan, shards, key, found))?;
    }
    Ok(())
}

fn check_found(plan: &Plan, shards: &[Shard], key: &str, found: &ObservedDivergence) -> Checked {
    let ObservedDivergence { index, inputs, .. } = found;
    let hold = inputs.iter().all(|(location, value)| !location.is_predicate() || *value <= 1);
    ensure(hold, || format!("a finding of `{key}` has an input that no location holds", key = quoted(key)))?;
    let planned = match plan {
        Plan::Fuzz { cases: Some(cases), .. } => u128::from(*cases),
        Plan::Fuzz { cases: None, .. } => u128::MAX,
        Plan::Sweep { functions, .. } => sum(functions.values()).max(1 << 32),
        Plan::Trace { traces, .. } => sum(traces.values()),
    };
    ensure(u128::from(*index) < planned, || {
        format!("a finding of `{key}` is case {index}, and the plan holds {planned}", key = quoted(key))
    })?;
    let batch = plan.batches().map(|batches| batches.batch_of(*index));
    let is_ours = |shard: &Shard| batch.is_none_or(|batch| batch % shard.of == shard.index);
    ensure(shards.is_empty() || shards.iter().any(is_ours), || {
        format!("a finding of `{key}` is case {index}, and the shards do not hold it", key = quoted(key))
    })
}
