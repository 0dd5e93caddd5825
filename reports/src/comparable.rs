//! Decides whether the figures of two results can be compared, or may differ by chance.
//!
//! Two samples of one function have different errors, even for the same subject. So a figure counts
//! as better or worse in only two cases: both runs executed the same cases, or both measured every
//! input of the function.

use assay_engine::generate::domain::{ALL_INPUTS, ALL_OF_A_HALF};
use assay_isa::format::Format;
use assay_records::{Plan, RunResult};

use crate::number::count;
use crate::plan;

/// Returns why two runs did not execute the same cases; `None` if they did.
pub fn unlike_cases(before: &RunResult, after: &RunResult) -> Option<String> {
    unlike_plans(&before.plan, &after.plan).or_else(|| {
        let (old, new) = (before.tally.cases, after.tally.cases);
        match before.shards == after.shards && old == new && before.plan.cases().is_some() {
            true => None,
            false if before.plan.cases().is_none() => {
                Some("the number of cases had no fixed limit".to_owned())
            }
            false => Some(format!("{} and {} cases were executed", count(old), count(new))),
        }
    })
}

/// Returns why two plans have different cases. Subject, devices and contracts do not affect the
/// cases.
fn unlike_plans(before: &Plan, after: &Plan) -> Option<String> {
    let differ = |what: &str, old: &dyn std::fmt::Display, new: &dyn std::fmt::Display| {
        Some(format!("the {what} differ ({old} and {new})"))
    };
    let (a, b) = (before.setting(), after.setting());
    match (before, after) {
        (
            Plan::Fuzz { seed, cases, only, until_covered, .. },
            Plan::Fuzz {
                seed: other_seed, cases: other_cases, only: other_only, until_covered: covered, ..
            },
        ) => match () {
            () if seed != other_seed => return differ("seeds", seed, other_seed),
            () if only != other_only => return Some("the selections differ".to_owned()),
            () if cases != other_cases || until_covered != covered => {
                return Some("the numbers of cases differ".to_owned());
            }
            () => {}
        },
        (
            Plan::Sweep { functions, stride, .. },
            Plan::Sweep { functions: other, stride: other_stride, .. },
        ) => match () {
            () if stride != other_stride => return Some("the tiers differ".to_owned()),
            () if functions != other => return Some("the functions differ".to_owned()),
            () => {}
        },
        (Plan::Trace { traces, .. }, Plan::Trace { traces: other, .. }) if traces != other => {
            return Some("the traces differ".to_owned());
        }
        (Plan::Trace { .. }, Plan::Trace { .. }) => {}
        _ => return differ("kinds of run", &plan::kind(before), &plan::kind(after)),
    }
    match () {
        () if a.generator != b.generator => differ("versions of the generator", &a.generator, &b.generator),
        () if a.numbers != b.numbers => Some("the encoding tables differ".to_owned()),
        () if a.readings != b.readings => Some("the readings differ".to_owned()),
        () => None,
    }
}

/// Whether a finished sweep measured every input of a function.
pub fn is_exhaustive(outcome: &RunResult, function: &str) -> bool {
    let Plan::Sweep { functions, stride, .. } = &outcome.plan else { return false };
    let inputs = functions.iter().find(|(name, _)| name.eq_ignore_ascii_case(function)).map(|(_, n)| *n);
    let is_half = Format::of_function(function).width() == 16;
    let is_all = |n: u64| {
        if is_half { n > 0 && n.is_multiple_of(ALL_OF_A_HALF) } else { n == ALL_INPUTS && *stride == 1 }
    };
    plan::complete(outcome) == Some(true) && inputs.is_some_and(is_all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::samples;

    fn seeded(new: u64) -> RunResult {
        let mut outcome = samples::fuzz();
        let Plan::Fuzz { seed, .. } = &mut outcome.plan else { unreachable!() };
        *seed = new;
        outcome
    }

    #[test]
    fn runs_with_unlike_seeds_are_samples() {
        assert_eq!(unlike_cases(&seeded(1), &seeded(1)), None);
        assert_eq!(unlike_cases(&seeded(1), &seeded(2)).unwrap(), "the seeds differ (1 and 2)");
        let why = unlike_cases(&samples::fuzz(), &samples::sweep(3)).unwrap();
        assert_eq!(why, "the kinds of run differ (fuzz and sweep)");
        let mut partial = seeded(1);
        partial.tally.cases -= 1;
        assert!(unlike_cases(&seeded(1), &partial).unwrap().contains("cases were executed"));
    }

    #[test]
    fn another_subject_executes_the_same_cases() {
        let mut other = samples::fuzz();
        let Plan::Fuzz { setting, .. } = &mut other.plan else { unreachable!() };
        setting.subject = "exec:./device".into();
        assert_eq!(unlike_cases(&samples::fuzz(), &other), None);
    }

    #[test]
    fn every_input_of_a_function_is_no_sample() {
        let all = samples::all_functions();
        let mut whole = all.clone();
        whole.tally.cases = whole.plan.cases().unwrap();
        assert!(is_exhaustive(&whole, "MUFU.RCP.F32"));
        assert!(!is_exhaustive(&whole, "MUFU.NONE.F32"));
        assert!(!is_exhaustive(&samples::sweep(3), "MUFU.RCP.F32"), "a sample");
        assert!(!is_exhaustive(&samples::fuzz(), "FADD"));
    }
}
