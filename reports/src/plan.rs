//! Describes the plan of a result, and its progress.

use assay_engine::generate::domain::{ALL_INPUTS, ALL_OF_A_HALF};
use assay_isa::Readings;
use assay_isa::readings::{SWITCHES, Switch};
use assay_isa::shown::plural;
use assay_records::{Plan, RunResult, Setting, Shard};

use crate::number::count;

/// A reading whose setting differs from the profile `intended`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReadingDeparture {
    /// The erratum, e.g. `E173`.
    pub erratum: String,
    /// The setting.
    pub setting: u8,
    /// The setting in `intended`. `None` if this program does not know the reading.
    pub intended: Option<u8>,
}

impl ReadingDeparture {
    /// Returns the switch, if this program knows it.
    pub fn switch(&self) -> Option<&'static Switch> {
        switch(&self.erratum)
    }

    /// Returns the meaning of a setting. Empty if it is not known.
    pub fn meaning(&self, setting: u8) -> &'static str {
        self.switch().map_or("", |switch| switch.meaning(setting))
    }
}

/// Returns the switch of an erratum.
pub fn switch(erratum: &str) -> Option<&'static Switch> {
    SWITCHES.iter().find(|switch| switch.erratum.to_string() == erratum)
}

/// Returns the readings that differ from `intended`.
pub fn departures(setting: &Setting) -> Vec<ReadingDeparture> {
    let list = setting.readings_not_intended().map(|(erratum, setting)| {
        let intended =
            Readings::INTENDED.iter().find(|(e, _)| e.to_string() == *erratum).map(|(_, intended)| intended);
        ReadingDeparture { erratum: erratum.clone(), setting, intended }
    });
    list.collect()
}

/// Returns the kind of plan: `fuzz`, `sweep` or `trace`.
pub fn kind(plan: &Plan) -> &'static str {
    match plan {
        Plan::Fuzz { .. } => "fuzz",
        Plan::Sweep { .. } => "sweep",
        Plan::Trace { .. } => "trace",
    }
}

/// Returns the selection of a campaign, the functions of a sweep, or the forms in a trace. Empty for
/// a campaign in which everything was selected.
pub fn subjects(outcome: &RunResult) -> Vec<&str> {
    match &outcome.plan {
        Plan::Fuzz { only, .. } => only.iter().map(String::as_str).collect(),
        Plan::Sweep { functions, .. } => functions.keys().map(String::as_str).collect(),
        Plan::Trace { .. } => outcome.tally.forms.keys().map(String::as_str).collect(),
    }
}

/// Describes the inputs of the plan.
pub fn inputs(plan: &Plan) -> String {
    match plan {
        Plan::Fuzz { seed, cases: Some(cases), until_covered: true, .. } => {
            format!("generated cases until all bins are covered, {} at most, seed {seed}", count(*cases))
        }
        Plan::Fuzz { seed, cases: Some(cases), .. } => {
            format!("{}, seed {seed}", plural(count(*cases), "generated case", "generated cases"))
        }
        Plan::Fuzz { seed, cases: None, .. } => {
            format!("generated cases for a limited time, seed {seed}")
        }
        Plan::Trace { traces, .. } => {
            let hashes: Vec<&str> = traces.keys().map(String::as_str).collect();
            let cases = plural(count(traces.values().sum()), "recorded case", "recorded cases");
            format!("{cases}, of the trace {}", hashes.join(" and "))
        }
        Plan::Sweep { functions, stride, .. } => {
            let line = ALL_INPUTS.div_ceil((*stride).max(1));
            let of = |kind| -> Vec<u64> {
                let is_of = |n: &&u64| FunctionInputs::of(**n, *stride) == kind;
                functions.values().filter(is_of).copied().collect()
            };
            let [lines, halves, products] =
                [FunctionInputs::Line, FunctionInputs::Halves, FunctionInputs::Products].map(of);
            let mut parts = Vec::new();
            if !lines.is_empty() && *stride == 1 {
                parts.push(format!("exhaustive: all {} inputs of each function", count(line)));
            } else if !lines.is_empty() {
                parts.push(format!(
                    "sample: one input in {}, {} of each function, and the ends of every class of values",
                    count(*stride),
                    count(line)
                ));
            }
            if !halves.is_empty() {
                let each = count(ALL_OF_A_HALF);
                parts.push(format!("exhaustive: all {each} inputs of each half of the 16-bit functions"));
            }
            if !products.is_empty() {
                let (functions, total) = (count(products.len() as u64), count(products.iter().sum()));
                parts
                    .push(format!("all combinations of listed operands: {total} over {functions} functions"));
            }
            parts.join("; ")
        }
    }
}

/// The inputs that a sweep has of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionInputs {
    /// Every stride-th input of a 32-bit function, and listed inputs.
    Line,
    /// All inputs of each half of a 16-bit function.
    Halves,
    /// All combinations of listed operands.
    Products,
}

impl FunctionInputs {
    /// Returns the kind of inputs, given their number.
    pub fn of(number: u64, stride: u64) -> FunctionInputs {
        let line = ALL_INPUTS.div_ceil(stride.max(1));
        // A sampled function also has listed inputs. Their number is below `ALL_OF_A_HALF`.
        if (line..line + ALL_OF_A_HALF).contains(&number) {
            FunctionInputs::Line
        } else if number.is_multiple_of(ALL_OF_A_HALF) {
            FunctionInputs::Halves
        } else {
            FunctionInputs::Products
        }
    }

    /// Describes the inputs in a few words.
    pub fn words(self, stride: u64) -> String {
        match self {
            FunctionInputs::Line if stride == 1 => "all".to_owned(),
            FunctionInputs::Line => {
                format!("one in {}, and the ends of every class of values", count(stride))
            }
            FunctionInputs::Halves => "all of each half".to_owned(),
            FunctionInputs::Products => "all combinations of listed operands".to_owned(),
        }
    }
}

/// Whether all shards of the plan are done.
pub fn all_shards(outcome: &RunResult) -> bool {
    outcome.shards.as_slice() == [Shard::WHOLE]
}

/// Whether every case of the plan was executed. `None` if the plan has no fixed number of cases.
pub fn complete(outcome: &RunResult) -> Option<bool> {
    outcome.plan.cases().map(|planned| all_shards(outcome) && outcome.tally.cases == planned)
}

/// Describes how much of the plan was executed.
pub fn part(outcome: &RunResult) -> String {
    let executed = count(outcome.tally.cases);
    let part = match (complete(outcome), outcome.plan.cases()) {
        (Some(true), _) => format!("complete: {executed} cases"),
        (Some(false), Some(planned)) if all_shards(outcome) => {
            format!("incomplete: {executed} of {} cases", count(planned))
        }
        (_, Some(planned)) => format!("{}: {executed} of {} cases", shards(outcome), count(planned)),
        (_, None) if all_shards(outcome) => format!("{executed} cases"),
        (_, None) => format!("{}: {executed} cases", shards(outcome)),
    };
    match outcome.unverified {
        0 => part,
        results => format!("{part}; unverified: {} of its results had no digest", count(results)),
    }
}

fn shards(outcome: &RunResult) -> String {
    let Some(first) = outcome.shards.first() else { return "no shard".to_owned() };
    let list = outcome.shards.iter().map(|shard| shard.index.to_string()).collect::<Vec<_>>();
    let noun = if list.len() == 1 { "shard" } else { "shards" };
    format!("{noun} {} of {} (counted from 0)", list.join(", "), first.of)
}

/// Returns the functions of a sweep without an accuracy. There are three reasons: the results must
/// be right bit for bit, are not judged, or were not reached.
pub fn without_accuracy(outcome: &RunResult) -> Vec<&str> {
    let Plan::Sweep { functions, .. } = &outcome.plan else { return Vec::new() };
    let measured = |name: &str| outcome.tally.accuracy.keys().any(|key| key.eq_ignore_ascii_case(name));
    functions.keys().map(String::as_str).filter(|name| !measured(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::samples;

    #[test]
    fn parts_of_a_plan_are_told_apart() {
        let mut outcome = samples::fuzz();
        assert_eq!(part(&outcome), "complete: 1,000,000 cases");
        outcome.tally.cases -= 1;
        assert_eq!(part(&outcome), "incomplete: 999,999 of 1,000,000 cases");
        outcome.shards = vec![Shard { index: 0, of: 4 }, Shard { index: 2, of: 4 }];
        outcome.tally.cases = 500_000;
        assert_eq!(part(&outcome), "shards 0, 2 of 4 (counted from 0): 500,000 of 1,000,000 cases");
        let Plan::Fuzz { cases, .. } = &mut outcome.plan else { unreachable!() };
        *cases = None;
        assert_eq!(part(&outcome), "shards 0, 2 of 4 (counted from 0): 500,000 cases");
        assert_eq!(complete(&outcome), None);
    }

    #[test]
    fn readings_as_intended_are_no_departures() {
        let mut setting = samples::fuzz().plan.setting().clone();
        setting.readings = Readings::INTENDED.iter().map(|(e, s)| (e.to_string(), s)).collect();
        assert!(departures(&setting).is_empty());
        setting.readings.insert("E173".into(), 2);
        setting.readings.insert("E999".into(), 1);
        let found = departures(&setting);
        assert_eq!(found[0].meaning(2), "those tiny after rounding with an unbounded exponent");
        assert_eq!((found[1].intended, found[1].meaning(1)), (None, ""));
        assert_eq!(found.len(), 2);
    }
}
