//! The published bounds, written down a second time: what the built-in contracts are held to.
//!
//! A bound that is too wide lets defects pass, and no other check sees it. A profile's file states each bound, and this
//! table states it again. A change of one alone fails the tests and the mutation campaign. The numbers behind the text
//! are compared with it too: the judge uses the numbers, and reports print the text.

use std::collections::BTreeMap;

use crate::contract::{Bound, Contract};
use crate::profile::Profile;

/// Where a bound is published: the instruction, the setting under which it holds, and the bound.
pub type Published = (&'static str, Option<&'static str>, &'static str);

/// Every contract of profile `intended`: one for each of the 18 pairs of function and type, two where the argument of
/// SIN and COS has two readings.
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

/// What profile `sm90` has in their place: where an NVIDIA H200 exceeds them, and for the arguments that they leave out.
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

/// The `inversions` of profile `sm90`, which are those of an NVIDIA H200.
pub const MEASURED_INVERSIONS: &[(&str, u32)] = &[("MUFU", 0), ("MUFU.SQRT.F32", 1), ("MUFU.TANH.F32", 114)];

/// How the contracts of a built-in profile differ from the published ones, each in a sentence; empty if they are the same.
/// Profile `sm90` is held to the measured ones as well.
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

/// Whether the numbers of a contract are those of a text.
fn is_as_written(contract: &Contract, text: &str) -> bool {
    let Contract::Bounded { bounds, .. } = contract else { return true };
    let read: Result<Vec<Bound>, String> = text.split("; ").map(str::parse).collect();
    read.is_ok_and(|read| read[..] == bounds[..]) && bounds.iter().all(is_its_text)
}

/// Whether the limit of a bound is the number in its text. The text is read here in another way than in a profile.
fn is_its_text(bound: &Bound) -> bool {
    let text = bound.written.trim_start_matches('<');
    let number = match text.strip_prefix("2^") {
        Some(power) => power.parse().map(f64::exp2),
        None => text.parse(),
    };
    // `exp2` is right to a few units of the last place.
    number.is_ok_and(|number: f64| (bound.limit.value() - number).abs() <= number * 1e-14)
}

/// An instruction with the setting under which its contract holds.
fn name((instruction, reading): &(String, String)) -> String {
    format!("{instruction} {reading}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A way to allow more than the text does.
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
