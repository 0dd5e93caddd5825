//! The demands of a profile that are lower than those of the built-in profile that it extends.
//!
//! A run passes more easily under such a profile, so its verdict names each of these demands.

use std::collections::{BTreeMap, BTreeSet};

use assay_isa::format::Format;
use assay_isa::{Instruction, Readings, asm, catalog, legality, lint};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clauses::{Clauses, Range, Relation};
use crate::contract::{Bound, Contract, Metric};
use crate::error::VectorError;
use crate::limit::Limit;
use crate::profile::Profile;

/// The demands of a profile that are lower than those of its built-in base profile.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LooserProfile {
    /// The name of the built-in profile.
    pub than: String,
    /// The lower demands, sorted by name.
    pub demands: Vec<LooserDemand>,
}

/// A demand that is lower than the built-in profile's demand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LooserDemand {
    /// The function, such as `MUFU.SIN.F32`, or the glob of a `judged` entry.
    pub name: String,
    /// Which parts of the demand are lower, such as `wider bound, free signs`.
    pub parts: String,
    /// The demand of the profile.
    pub here: String,
    /// The demand of the built-in profile.
    pub there: String,
}

impl Profile {
    /// Returns the demands that are lower than those of the built-in profile that this profile
    /// extends. `None` if none is lower, as for a built-in profile.
    ///
    /// The contracts of each function are compared, under the readings of this profile. Bounds in
    /// different metrics are compared by the largest error that they allow. If they cannot be
    /// compared, the bound of this profile counts as wider.
    ///
    /// # Errors
    ///
    /// The built-in profile cannot be read.
    pub fn looser(&self) -> Result<Option<LooserProfile>, VectorError> {
        if self.name == self.base {
            return Ok(None);
        }
        let base = Profile::load(self.base)?;
        let mut demands = looser_contracts(self, &base);
        demands.extend(lower_shares(&self.judged, &base.judged));
        Ok((!demands.is_empty()).then(|| LooserProfile { than: self.base.to_owned(), demands }))
    }
}

/// Returns the functions whose contracts in `here` demand less than those in `there`. Leaves out a
/// mode with more modifiers if both its contracts equal those of a listed function.
fn looser_contracts(here: &Profile, there: &Profile) -> Vec<LooserDemand> {
    let there = Profile { readings: here.readings, ..there.clone() };
    let mut list: Vec<LooserDemand> = Vec::new();
    let mut functions: Vec<_> = functions(here, &there, &here.readings).into_iter().collect();
    functions.sort_by_key(|(name, _)| name.split('.').count());
    for (name, mode) in functions {
        let contracts = [here, &there].map(|profile| profile.contract_for(&mode));
        let parts = looser_parts(&contracts[0], &contracts[1], Format::of_function(&name));
        if parts.is_empty() {
            continue;
        }
        let [here, there] = contracts.map(|contract| contract.to_string());
        let is_known = |known: &LooserDemand| {
            known.name.split('.').all(|part| name.split('.').any(|other| other == part))
                && (&known.here, &known.there) == (&here, &there)
        };
        if !list.iter().any(is_known) {
            list.push(LooserDemand { name, parts: parts.join(", "), here, there });
        }
    }
    list.sort();
    list
}

/// Returns all legal modes of each optype for which one of the profiles has a contract, by
/// mnemonic.
fn functions(here: &Profile, there: &Profile, readings: &Readings) -> BTreeMap<String, Instruction> {
    let rows = here.contracts.iter().chain(&there.contracts).filter(|row| row.applies(readings));
    let optypes: BTreeSet<&str> = rows.map(|row| row.optype()).collect();
    let forms = catalog().forms.iter().filter(|form| optypes.contains(form.optype.name));
    let modes = forms.flat_map(lint::combinations).filter(|mode| legality::check(mode).is_ok());
    modes.map(|mode| (asm::mnemonic(&mode), mode)).collect()
}

/// Returns the names of the parts of `here` that demand less than `there`.
fn looser_parts(here: &Contract, there: &Contract, format: Format) -> Vec<&'static str> {
    match (here, there) {
        (here, there) if here == there => Vec::new(),
        // `BitExact` demands at least as much as every other contract, because the correctly
        // rounded result is within every bound.
        (Contract::BitExact, _) => Vec::new(),
        (Contract::Model, Contract::BitExact) => vec!["the model's bits in place of the exact result"],
        (Contract::Model, _) => vec!["the model's bits in place of a bound"],
        (Contract::Bounded { .. }, Contract::BitExact | Contract::Model) => {
            vec!["a bound in place of the exact result"]
        }
        (
            Contract::Bounded { bounds: here, clauses },
            Contract::Bounded { bounds: there, clauses: demanded },
        ) => {
            let range = demanded.facts.range;
            let is_wider =
                !is_within(here, there, range == Range::Unit, |a, b| is_as_tight(a, b, format, range));
            let parts = [
                (is_wider, "wider bound"),
                (demanded.judges_signs() && !clauses.judges_signs(), "free signs"),
                (has_fewer_relations(clauses, demanded), "fewer relations"),
                (allows_more_inversion(clauses, demanded), "larger inversions"),
            ];
            parts.into_iter().filter(|(is_looser, _)| *is_looser).map(|(_, part)| part).collect()
        }
    }
}

fn has_fewer_relations(here: &Clauses, there: &Clauses) -> bool {
    let (mine, theirs) = (here.required(), there.required());
    let each = [Relation::Odd, Relation::Even, Relation::Monotonic];
    each.into_iter().any(|relation| theirs.has(relation) && !mine.has(relation))
}

/// Whether `here` allows larger inversions of a monotonic function than `there`. False if `here`
/// does not demand monotonic results at all, because `here` then has fewer relations.
fn allows_more_inversion(here: &Clauses, there: &Clauses) -> bool {
    here.required().has(Relation::Monotonic) && here.inversion > there.inversion
}

/// Whether `here` covers each argument that `there` covers, with a bound that is at least as tight.
/// The bound that applies changes only at ends of intervals. So it suffices to test each end, and
/// one point between each two neighbouring ends.
///
/// Where no bound covers an argument, the last bound of a list limits how far the result of a
/// function with values in [-1, 1] exceeds this range (`is_unit`), and where its sign is free.
fn is_within(
    here: &[Bound],
    there: &[Bound],
    is_unit: bool,
    is_as_tight: impl Fn(&Bound, &Bound) -> bool,
) -> bool {
    let ends = here.iter().chain(there).filter_map(|bound| bound.interval.as_ref());
    let mut ends: Vec<f64> = ends.flat_map(|interval| interval.ends()).chain([f64::MIN, f64::MAX]).collect();
    ends.sort_by(f64::total_cmp);
    let between = ends.windows(2).map(|pair| pair[0] / 2.0 + pair[1] / 2.0);
    let mut places = ends.iter().copied().chain(between);
    let covering = |bounds: &[Bound], at: f64| bounds.iter().find(|bound| bound.covers(at)).cloned();
    places.all(|at| match (covering(here, at), covering(there, at), here.last(), there.last()) {
        (None, Some(_), ..) => false,
        (Some(here), Some(there), ..) => is_as_tight(&here, &there),
        (Some(here), None, _, Some(there)) if is_unit => is_as_tight(&here, there),
        (None, None, Some(here), Some(there)) => is_as_tight(here, there),
        (_, None, ..) => true,
    })
}

/// Whether the bound `here` allows no result that `there` refuses, for a function with values in
/// this format and range.
fn is_as_tight(here: &Bound, there: &Bound, format: Format, range: Range) -> bool {
    let (limit, most) = (here.limit.value(), there.limit.value());
    // For a normal y and precision p: 2^-p |y| < ulp(y) <= 2^(1-p) |y|.
    let ulp = 2.0_f64.powi(1 - format.precision() as i32);
    let is_unit = range == Range::Unit;
    match (here.metric, there.metric) {
        (a, b) if a == b => match order(&here.limit, &there.limit) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Equal => here.is_strict || !there.is_strict,
            std::cmp::Ordering::Greater => false,
        },
        // An ulp of a subnormal y may be greater than any given fraction of y. For a subnormal y, a
        // relative bound always allows half an ulp.
        (Metric::Ulp, Metric::Relative) => limit * ulp <= most && limit <= 0.5,
        (Metric::Ulp, Metric::Absolute) => is_unit && limit * ulp <= most,
        // A relative bound always allows half the distance between subnormals.
        (Metric::Relative, Metric::Ulp) => limit * 2.0 / ulp <= most && most >= 0.5,
        (Metric::Relative, Metric::Absolute) => is_unit && limit.max(2.0_f64.powi(format.grid() - 1)) <= most,
        (Metric::Absolute, _) => false,
        (Metric::Ulp | Metric::Relative, _) => unreachable!("the metrics are the same"),
    }
}

/// Compares two limits. Their significands have the highest bit set, unless a limit is 0.
fn order(a: &Limit, b: &Limit) -> std::cmp::Ordering {
    let key = |limit: &Limit| (limit.significand > 0).then_some((limit.exponent, limit.significand));
    key(a).cmp(&key(b))
}

/// Returns the required judged shares that are lower in `here` than in `there`. A name without an
/// entry has the share of `*`.
fn lower_shares(here: &BTreeMap<String, u8>, there: &BTreeMap<String, u8>) -> Vec<LooserDemand> {
    let of = |glob: &str| there.get(glob).or_else(|| there.get("*")).copied().unwrap_or(0);
    let lower = here.iter().filter(|(glob, percent)| **percent < of(glob));
    let demand = |(glob, percent): (&String, &u8)| LooserDemand {
        name: glob.clone(),
        parts: "lower judged share".to_owned(),
        here: format!("{percent} % judged"),
        there: format!("{} % judged", of(glob)),
    };
    lower.map(demand).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looser(extends: &str, rest: &str) -> Vec<String> {
        let text = format!("version: 1\nname: mine\nabout: mine\nextends: {extends}\n{rest}");
        let profile = Profile::parse("mine.yaml", &text).unwrap_or_else(|error| panic!("{error}"));
        let looser = profile.looser().unwrap();
        assert!(looser.as_ref().is_none_or(|looser| looser.than == extends));
        let line = |one: LooserDemand| format!("{}: {}", one.name, one.parts);
        looser.into_iter().flat_map(|looser| looser.demands).map(line).collect()
    }

    fn row(instruction: &str, rest: &str) -> String {
        format!("contracts:\n- {{instruction: {instruction}, {rest}}}\n")
    }

    #[test]
    fn what_a_profile_demands_less_of_is_named() {
        let sine = |rest: &str| row("MUFU.SIN.F32", &format!("bounds: [{rest}]"));
        let narrow = "{on: '[-2pi, 2pi]', metric: absolute, bound: '2^-20.5'}";
        let wide = "{on: '[-100pi, 100pi]', metric: absolute, bound: '2^-14.7'}";
        let none: &[&str] = &[];
        let table: &[(&str, String, &[&str])] = &[
            ("intended", String::new(), none),
            ("sm90", String::new(), none),
            ("intended", "readings: {E035: 2}\n".into(), none),
            ("intended", row("MUFU.RCP.F32", "metric: ulp, bound: '1'"), none),
            ("intended", row("MUFU.RCP.F32", "metric: ulp, bound: '<1'"), none),
            ("intended", row("MUFU.RCP.F32", "metric: ulp, bound: '1.5'"), &["MUFU.RCP.F32: wider bound"]),
            ("faithful", row("MUFU.RCP.F32", "metric: ulp, bound: '1'"), &["MUFU.RCP.F32: wider bound"]),
            ("intended", row("MUFU.RCP.F32", "exact: truth"), none),
            (
                "intended",
                row("MUFU.RCP.F32", "exact: model"),
                &["MUFU.RCP.F32: the model's bits in place of a bound"],
            ),
            (
                "intended",
                row("FADD", "exact: model"),
                &["FADD: the model's bits in place of the exact result"],
            ),
            (
                "intended",
                row("MUFU.RCP.F32", "metric: ulp, bound: '1', signs: free"),
                &["MUFU.RCP.F32: free signs"],
            ),
            (
                "intended",
                row("MUFU.RCP.F32", "metric: ulp, bound: '1', relations: [odd]"),
                &["MUFU.RCP.F32: fewer relations"],
            ),
            ("intended", sine(&format!("{narrow}, {wide}")), none),
            // The first bound that covers an argument applies.
            ("intended", sine(&format!("{wide}, {narrow}")), &["MUFU.SIN.F32: wider bound"]),
            ("intended", sine(narrow), &["MUFU.SIN.F32: wider bound"]),
            ("intended", sine("{metric: absolute, bound: '2^-20.5'}"), none),
            // Beyond 100 pi, the last bound limits how far a result exceeds the range.
            (
                "intended",
                sine(&format!("{narrow}, {wide}, {{on: '[-1, 1]', metric: absolute, bound: '2^60'}}")),
                &["MUFU.SIN.F32: wider bound"],
            ),
            (
                "intended",
                sine(&format!("{narrow}, {wide}, {{metric: absolute, bound: '2^60'}}")),
                &["MUFU.SIN.F32: wider bound"],
            ),
            // Different metrics: an ulp of a normal F32 value is at most 2^-23 of the value.
            ("intended", row("MUFU.TANH.F32", "metric: ulp, bound: '0.5'"), none),
            // An ulp of a subnormal value may be greater than any given fraction of the value.
            ("intended", row("MUFU.TANH.F32", "metric: ulp, bound: '2'"), &["MUFU.TANH.F32: wider bound"]),
            ("intended", row("MUFU.TANH.F32", "metric: ulp, bound: '4097'"), &["MUFU.TANH.F32: wider bound"]),
            ("intended", row("MUFU.TANH.F16", "metric: ulp, bound: '0.5'"), none),
            ("intended", row("MUFU.TANH.F16", "metric: ulp, bound: '1'"), &["MUFU.TANH.F16: wider bound"]),
            ("intended", row("MUFU.EX2.F32", "metric: relative, bound: '2^-23'"), none),
            (
                "intended",
                row("MUFU.EX2.F32", "metric: absolute, bound: '2^-23'"),
                &["MUFU.EX2.F32: wider bound"],
            ),
            ("intended", "inversions: {MUFU.EX2.F32: 1}\n".into(), none),
            ("intended", "inversions: {MUFU.EX2.F32: 9}\n".into(), &["MUFU.EX2.F32: larger inversions"]),
            ("intended", "judged: {MUFU: 25, FADD: 80}\n".into(), none),
            ("intended", "judged: {MUFU: 24}\n".into(), &["MUFU: lower judged share"]),
            ("intended", "judged: {'*': 0}\n".into(), &["*: lower judged share"]),
            ("intended", "judged: {POPC: 74}\n".into(), &["POPC: lower judged share"]),
        ];
        for (extends, rest, expected) in table {
            assert_eq!(looser(extends, rest), *expected, "{extends}: {rest}");
        }
    }

    #[test]
    fn every_function_of_a_wide_key_is_named_and_a_root_is_compared_with_the_intended_profile() {
        let wide = row("MUFU", "metric: absolute, bound: '2^60', signs: free, relations: []");
        let named = looser("intended", &wide);
        for function in ["MUFU.SIN.F32", "MUFU.COS.F32", "MUFU.TANH.BF16_V2", "MUFU.RSQ.F64"] {
            assert!(
                named.iter().any(|line| line.starts_with(&format!("{function}: wider bound"))),
                "{named:?}"
            );
        }
        assert!(!named.iter().any(|line| line.contains(".SAT:")), "{named:?}");
        let root = include_str!("../data/profiles/intended.yaml").replace("name: intended", "name: root");
        let root = root.replace("bound: \"2^-20.5\"", "bound: \"2^60\"");
        let looser = Profile::parse("root.yaml", &root).unwrap().looser().unwrap().expect("a wider sine");
        assert_eq!((looser.than.as_str(), looser.demands[0].name.as_str()), ("intended", "MUFU.COS.F32"));
    }

    #[test]
    fn a_built_in_profile_has_no_looser_demand() {
        for (name, _) in crate::profile::BUILT_IN {
            assert_eq!(Profile::load(name).unwrap().looser().unwrap(), None, "{name}");
        }
    }
}
