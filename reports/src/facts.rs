//! The tables that pages and terminal texts share: verdicts, errata, accuracy.

use assay_engine::stats::accuracy::{Accuracy, Extreme, NO_BOUND, Usage};
use assay_engine::stats::tally::{Counts, Tally};
use assay_vectors::Bound;

use crate::number::{NONE, count, distance, hex, in_metric, magnitude, percent, share, ulp, ulp_units};
use crate::{exhaustive, plan};
use assay_pages::{Cell, Table, code, judged, number, row};

/// Returns the counts by verdict, in display order. Undeclared cases count as unsupported.
pub fn verdicts(counts: &Counts) -> [(&'static str, u64); 7] {
    [
        ("exact", counts.exact),
        ("within", counts.within),
        ("diverged", counts.diverged),
        ("undefined", counts.undefined),
        ("unjudged", counts.unjudged),
        ("unsupported", counts.not_executed()),
        ("waived", counts.waived),
    ]
}

/// Returns the number of cases that were not judged, for whatever reason.
pub fn not_judged(counts: &Counts) -> u64 {
    counts.undefined + counts.unjudged + counts.not_executed()
}

/// Returns the count and the share of every verdict.
pub fn verdict_table(tally: &Tally) -> Table {
    let row = |(name, cases)| row![name, cases, number(share(cases, tally.cases))];
    Table::new("All cases", "Verdict | Cases | Share", verdicts(&tally.verdicts).map(row))
}

/// Returns how trace, model and oracle agree in the cases of a trace. Empty for other results.
pub fn agreement_table(tally: &Tally) -> Table {
    let some = tally.agreement.each().into_iter().filter(|(_, cases)| *cases > 0);
    let rows = some.map(|(name, cases)| row![name, cases, number(share(cases, tally.cases))]);
    Table::new("Agreement", "Trace, model and oracle | Cases | Share", rows)
}

/// Returns the undefined verdicts by erratum, with the erratum's question if it is known.
pub fn undefined_table(tally: &Tally) -> Table {
    let row = |(erratum, cases): (&String, &u64)| {
        let question = plan::switch(erratum).map_or("", |switch| switch.question);
        row![erratum.as_str(), *cases, number(share(*cases, tally.cases)), question]
    };
    let head = "Erratum | Cases | Share | Question";
    Table::new("Undefined by the specification", head, tally.undefined.iter().map(row))
}

/// Returns the accuracy of each function: numbers of results, and maximum, mean, bias and RMS of
/// the errors.
pub fn accuracy_table(tally: &Tally) -> Table {
    let head = "Function | Measured | Max ulp | at input | Mean ulp | Bias | RMS | Correctly rounded | Where computed | Faithful";
    let row = |(function, accuracy): (&String, &Accuracy)| {
        let [max, mean, bias, rms] = errors(accuracy).map(number);
        let n = accuracy.measured;
        let at = code(accuracy.worst().map_or(String::new(), |extreme| hex(extreme.input)));
        let [rounded, faithful] =
            [accuracy.correctly_rounded, accuracy.faithful].map(|part| number(share(part, n)));
        let computed = accuracy.exhaustive.as_ref().and_then(exhaustive::computed);
        let computed = number(computed.map_or(NONE.to_owned(), |(some, all)| share(some, all)));
        row![code(function), n, max, at, mean, bias, rms, rounded, computed, faithful]
    };
    Table::new("Errors in ulp of the true value", head, tally.accuracy.iter().map(row)).without_blank().open()
}

/// Returns how the results of each function were judged: with an error, by their bits, or by MPFR
/// because double precision could not.
pub fn judged_table(tally: &Tally) -> Table {
    let row = |(function, accuracy): (&String, &Accuracy)| {
        let Accuracy { inputs, measured, special, .. } = *accuracy;
        row![code(function), inputs, measured, special, number(undecided(accuracy))]
    };
    let head = "Function | Inputs | Measured | Special | Undecided";
    Table::new("How results were judged", head, tally.accuracy.iter().map(row)).without_blank().open()
}

/// Returns the number of results that MPFR decided because double precision could not. Only full
/// sweeps count them.
pub fn undecided(accuracy: &Accuracy) -> String {
    accuracy.exhaustive.as_ref().map_or(NONE.to_owned(), |stats| count(stats.undecided))
}

/// Returns the error of largest magnitude with its sign, the mean magnitude, the bias and the root
/// mean square.
pub fn errors(accuracy: &Accuracy) -> [String; 4] {
    if accuracy.measured == 0 {
        return [NONE; 4].map(str::to_owned);
    }
    [
        accuracy.worst().map_or(NONE.to_owned(), |extreme| ulp_units(extreme.error)),
        magnitude(accuracy.mean_ulp()),
        ulp(accuracy.bias_ulp()),
        magnitude(accuracy.rms_ulp()),
    ]
}

/// Returns the extreme errors of each function, with their inputs.
pub fn extreme_table(tally: &Tally) -> Table {
    let head = "Function | Least ulp | at input | result | Greatest ulp | at input | result";
    let row = |(function, accuracy): (&String, &Accuracy)| {
        let [least, at_least, low] = extreme(accuracy.least);
        let [greatest, at_greatest, high] = extreme(accuracy.greatest);
        row![code(function), least, at_least, low, greatest, at_greatest, high]
    };
    Table::new("Least and greatest errors", head, tally.accuracy.iter().map(row)).open()
}

/// Returns the use of each bound: the farthest result, the used share, and whether all results
/// satisfy the bound.
pub fn bound_table(tally: &Tally) -> Table {
    let head = "Function | Bound | Measured | Share | Farthest | Used | at input | Verdict";
    let all = tally.accuracy.iter();
    let all = all.flat_map(|(name, accuracy)| accuracy.bounds.iter().map(move |it| (name, accuracy, it)));
    let rows = all.map(|(function, accuracy, (bound, usage))| {
        row![
            code(function),
            bound.as_str(),
            usage.measured,
            number(share(usage.measured, accuracy.measured)),
            number(farthest(usage)),
            number(used(bound, usage).map_or(NONE.to_owned(), percent)),
            code(usage.farthest.map_or(String::new(), |far| hex(far.input))),
            judged(verdict(bound, usage)),
        ]
    });
    Table::new("How far the bounds are used up", head, rows).open()
}

/// Returns the distance of the farthest result, in the metric of the bound.
pub fn farthest(usage: &Usage) -> String {
    usage.farthest.map_or(NONE.to_owned(), |far| distance(&usage.metric, far.distance))
}

/// Returns the share of a bound that its farthest result uses: 1 is the whole bound. `None` without
/// a result or a positive limit.
pub fn used(bound: &str, usage: &Usage) -> Option<f64> {
    let limit = bound.parse::<Bound>().ok()?.limit.value();
    let far = in_metric(&usage.metric, usage.farthest?.distance);
    (limit > 0.0).then(|| far / limit)
}

/// Returns whether all results are within a bound, as text. Results without a bound are unjudged,
/// or impossible.
pub fn verdict(bound: &str, usage: &Usage) -> String {
    match usage.refused {
        0 if bound == NO_BOUND => "unjudged".to_owned(),
        0 => "held".to_owned(),
        refused if bound == NO_BOUND => format!("impossible in {}", count(refused)),
        refused => format!("exceeded by {}", count(refused)),
    }
}

/// Returns a line with a bound, its used share, and whether all results are within it.
pub fn bound_line(bound: &str, usage: &Usage) -> String {
    let at = usage.farthest.map_or(String::new(), |far| format!(" at {}", hex(far.input)));
    let used = used(bound, usage).map_or(String::new(), |ratio| format!(", {} used", percent(ratio)));
    format!("{bound}: {}; farthest {}{at}{used}", verdict(bound, usage), farthest(usage))
}

/// Returns a line with the verdicts that occurred.
pub fn verdict_line(counts: &Counts) -> String {
    let some = verdicts(counts).into_iter().filter(|(_, number)| *number > 0);
    some.map(|(name, number)| format!("{} {name}", count(number))).collect::<Vec<_>>().join(", ")
}

/// Returns the error, input and result of an extreme.
pub fn extreme(extreme: Option<Extreme>) -> [Cell; 3] {
    match extreme {
        Some(e) => [number(ulp_units(e.error)), code(hex(e.input)), code(hex(e.result))],
        None => [number(NONE), code(""), code("")],
    }
}
