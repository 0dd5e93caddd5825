//! A second copy of the published bounds, with which the built-in contracts are compared.
//!
//! If a bound is too wide, wrong results pass, and no other check would notice. So each bound is
//! stated twice: in the file of a profile, and in this table. A change in only one of them fails
//! the tests and the mutation run. Another comparison checks that the parsed numbers equal the
//! text, because the judge uses the numbers, and reports print the text.

use std::collections::BTreeMap;

use crate::contract::{Bound, Contract};
use crate::profile::Profile;

/// A published bound: the instruction, the setting under which the bound applies, and its text.
pub type Published = (&'static str, Option<&'static str>, &'static str);

/// The contracts of profile `intended`: one for each of the 18 pairs of function and type. SIN and
/// COS have two, because their argument has two readings.
pub const PUBLISHED: [Published; 20] = [
    ("MUFU.RCP.F32", None, "1 ulp"),
    ("MUFU.SQRT.F32", None, "relative 2^-23"),
    ("MUFU.RSQ.F32", None, "relative 2^-22.9"),
    ("MUFU.EX2.F32", None, "2 ulp"),
    ("MUFU.LG2.F32", None, "absolute 2^-22 on (0.5, 2); relative 2^-22"),
    ("MUFU.TANH.F32", None, "relative 2^-11"),
    ("MUFU.SIN.F32", Some("E035=1"), RADIANS),
    ("MUFU.SIN.F32", Some("E035=2"), TURNS),
    ("MUFU.COS.F32", Some("E035=1"), RADIANS),
    ("MUFU.COS.F32", Some("E035=2"), TURNS),
    ("MUFU.TANH.F16", None, "absolute 2^-10.987"),
    ("MUFU.TANH.F16_V2", None, "absolute 2^-10.987"),
    ("MUFU.TANH.BF16", None, "absolute 2^-8"),
    ("MUFU.TANH.BF16_V2", None, "absolute 2^-8"),
    ("MUFU.EX2.F16", None, "relative 2^-9.9"),
    ("MUFU.EX2.F16_V2", None, "relative 2^-9.9"),
    ("MUFU.EX2.BF16", None, "relative 2^-7"),
    ("MUFU.EX2.BF16_V2", None, "relative 2^-7"),
    ("MUFU.RCP.F64", None, "1 ulp"),
    ("MUFU.RSQ.F64", None, "1 ulp"),
];

const RADIANS: &str = "absolute 2^-20.5 on [-2pi, 2pi]; absolute 2^-14.7 on [-100pi, 100pi]";
const TURNS: &str = "absolute 2^-20.5 on [-1, 1]; absolute 2^-14.7 on [-50, 50]";

/// The bounds of profile `sm90` that replace published bounds. They apply where an NVIDIA H200
/// exceeds a published bound, and to arguments that have none.
pub const MEASURED: [Published; 8] = [
    ("MUFU.EX2.F32", None, "2.0625 ulp"),
    ("MUFU.SIN.F32", Some("E035=2"), "absolute 2^-21.4"),
    ("MUFU.COS.F32", Some("E035=2"), "absolute 2^-21.4"),
    ("MUFU.TANH.BF16", None, "absolute 2^-7.999"),
    ("MUFU.TANH.BF16_V2", None, "absolute 2^-7.999"),
    ("MUFU.EX2.F16", None, TRUNCATED),
    ("MUFU.EX2.F16_V2", None, TRUNCATED),
    ("MUFU.RSQ.F64", None, "1.09375 ulp"),
];

const TRUNCATED: &str = "1 ulp on [-25, -14); relative 2^-9.9";

/// The `inversions` of profile `intended`.
pub const INVERSIONS: &[(&str, u32)] = &[("MUFU", 1)];

/// The `inversions` of profile `sm90`, measured on an NVIDIA H200.
pub const MEASURED_INVERSIONS: &[(&str, u32)] = &[("MUFU", 0), ("MUFU.SQRT.F32", 1), ("MUFU.TANH.F32", 114)];

/// Returns the differences between a built-in profile's contracts and the published bounds, each as
/// text. Inversions are compared too. For profile `sm90`, measured values replace some of the
/// published values.
pub fn departures(profile: &Profile) -> Vec<String> {
    let key =
        |instruction: &str, reading: Option<String>| (instruction.to_owned(), reading.unwrap_or_default());
    let measured = if profile.name == "sm90" { &MEASURED[..] } else { &[] };
    let mut published: BTreeMap<_, _> = PUBLISHED
        .iter()
        .chain(measured)
        .map(|(instruction, reading, bound)| (key(instruction, reading.map(str::to_owned)), *bound))
        .collect();
    let mut departures = Vec::new();
    for row in &profile.contracts {
        let reading = row.reading.map(|(erratum, setting)| format!("{erratum}={setting}"));
        let key = key(&row.instruction, reading);
        let contract = row.contract.to_string();
        match published.remove(&key) {
            None => departures.push(format!("{}: {contract} is no published bound", name(&key))),
            Some(bound) if bound != contract => {
                departures.push(format!("{}: {contract}, and published is {bound}", name(&key)));
            }
            Some(bound) if !is_as_written(&row.contract, bound) => {
                departures.push(format!("{}: the numbers of {contract} are others", name(&key)));
            }
            Some(_) => {}
        }
    }
    departures.extend(published.iter().map(|(key, bound)| format!("{}: {bound} is missing", name(key))));
    let inversions = if profile.name == "sm90" { MEASURED_INVERSIONS } else { INVERSIONS };
    let own: Vec<_> = profile.inversions.iter().map(|row| (row.instruction.as_str(), row.steps)).collect();
    if own != inversions {
        departures.push(format!("inversions: {own:?}, and published are {inversions:?}"));
    }
    departures
}

/// Whether the parsed numbers of a contract's bounds equal the numbers in `text`. True for a
/// contract without bounds.
fn is_as_written(contract: &Contract, text: &str) -> bool {
    let Contract::Bounded { bounds, .. } = contract else { return true };
    let read: Result<Vec<Bound>, String> = text.split("; ").map(str::parse).collect();
    read.is_ok_and(|read| read[..] == bounds[..]) && bounds.iter().all(is_its_text)
}

/// Whether the limit of a bound equals the number in its text. This parser is independent of the
/// parser for profiles.
fn is_its_text(bound: &Bound) -> bool {
    let text = bound.written.trim_start_matches('<');
    let number = match text.strip_prefix("2^") {
        Some(power) => power.parse().map(f64::exp2),
        None => text.parse(),
    };
    // The tolerance covers the error of `exp2`, which is at most a few units in the last place.
    number.is_ok_and(|number: f64| (bound.limit.value() - number).abs() <= number * 1e-14)
}

/// Returns the name of an instruction, with the setting under which its contract applies.
fn name((instruction, reading): &(String, String)) -> String {
    format!("{instruction} {reading}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A change that makes a bound differ from its text.
    type Widening = fn(&mut Bound);

    const WIDENINGS: [(&str, Widening); 4] = [
        ("doubled", |bound| bound.limit.exponent += 1),
        ("another in the last bit", |bound| bound.limit.significand ^= 1),
        ("strict or not", |bound| bound.is_strict ^= true),
        ("in another measure", |bound| bound.metric = crate::Metric::Ulp),
    ];

    #[test]
    fn a_number_that_is_not_its_text_is_told_of_every_bound() {
        let intended = Profile::load("intended").expect("a built-in profile");
        for (row, contract) in intended.contracts.iter().enumerate() {
            let Contract::Bounded { bounds, clauses } = &contract.contract else { panic!("{contract:?}") };
            for place in 0..bounds.len() {
                for (name, widen) in WIDENINGS {
                    let mut changed = bounds.to_vec();
                    widen(&mut changed[place]);
                    if changed[..] == bounds[..] {
                        continue;
                    }
                    let mut profile = intended.clone();
                    profile.contracts[row].contract =
                        Contract::Bounded { bounds: changed.into(), clauses: *clauses };
                    let departures = departures(&profile);
                    assert_eq!(departures.len(), 1, "{} {name}: {departures:?}", contract.instruction);
                }
            }
        }
    }

    #[test]
    fn a_wrong_reader_of_limits_is_found() {
        for text in ["absolute 2^-20.5", "relative 2^-22", "1 ulp", "<1 ulp"] {
            let mut bound: Bound = text.parse().expect("a bound");
            assert!(is_its_text(&bound), "{text}");
            bound.limit.exponent += 1;
            assert!(!is_its_text(&bound), "{text}");
        }
    }
}
