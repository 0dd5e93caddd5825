//! Checks for each form that enough of the drawn cases were judged.
//!
//! A lane that is undefined, unjudged or unsupported tests nothing. So a minimum share of lanes
//! must be judged. The profile gives the share by name. The default is 75 %. A form below its
//! minimum fails the run.

use std::collections::{BTreeMap, BTreeSet};

use assay_isa::catalog;
use assay_isa::shown::quoted;
use assay_isa::similar::did_you_mean;
use globset::{Glob, GlobBuilder, GlobMatcher, GlobSet, GlobSetBuilder};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compare::counts::is_zero;
use crate::stats::accuracy::NO_BOUND;
use crate::stats::tally::{Counts, Tally};

/// If a form has fewer lanes, its share need not reach the minimum percentage. A batch has 1024
/// lanes of one mode, and fewer than 64 batches prove little about a form.
pub const LANES: u64 = 1 << 16;
/// If a form has at least this number of lanes and its minimum is 50 % or more, at least one lane
/// must be judged.
pub const FEW: u64 = 1 << 12;

/// The demands of a run.
#[derive(Clone, Debug)]
pub struct Demands {
    /// The minimum percentages, by globs over names.
    least: Vec<(GlobMatcher, u8)>,
    /// The minimum percentage for every other name.
    otherwise: u8,
    /// Forms that may stay unjudged.
    unjudged: GlobSet,
    /// Forms that may stay undeclared.
    undeclared: GlobSet,
    /// Whether shares leave out lanes that an implementation does not support.
    of_supported: bool,
    /// The percentage that the user requires for each name, even for one with few lanes.
    required: Option<u8>,
}

/// The exceptions that the user allows by name, as globs over optypes, forms and functions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    /// The names that may stay unjudged.
    pub unjudged: Vec<String>,
    /// The names for which a device without declared modes may answer `unsupported`.
    pub undeclared: Vec<String>,
}

/// The judged share of a form, or of a function in a sweep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JudgedShare {
    /// Name of the form or function.
    pub name: String,
    /// Number of generated lanes.
    pub lanes: u64,
    /// Number of judged lanes.
    pub judged: u64,
    /// Number of lanes for which a device without declared modes answered `unsupported`.
    pub undeclared: u64,
    /// Number of lanes that are left out of the share, because an implementation in `assay`
    /// supports only some operands of the mode.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unsupported: u64,
    /// The minimum percentage of judged lanes, 0 to 100. It is 0 if an option or the profile allows
    /// unjudged lanes.
    pub least: u8,
    /// The problem, if the share is too small.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// The results of a function that were not judged, because no bound of its contract covers their arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnjudgedShare {
    /// Name of the function.
    pub name: String,
    /// Number of results.
    pub lanes: u64,
    /// Number of results that were not judged.
    pub unjudged: u64,
    /// The problem, if more results must be judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl UnjudgedShare {
    /// Returns the share of results that were not judged, 0 to 1.
    pub fn share(&self) -> f64 {
        self.unjudged as f64 / self.lanes.max(1) as f64
    }
}

impl JudgedShare {
    /// Returns the number of lanes that count for the share.
    pub fn asked(&self) -> u64 {
        self.lanes - self.unsupported
    }

    /// Returns the judged share of the lanes that count, 0 to 1.
    pub fn share(&self) -> f64 {
        self.judged as f64 / self.asked().max(1) as f64
    }

    /// Whether the judged share is below the minimum. A form with few lanes may be below it without
    /// failing the run.
    pub fn is_short(&self) -> bool {
        is_below(self.judged, self.asked(), self.least)
    }
}

impl Demands {
    /// Returns the demands of a plan: percentages by glob, without the allowed names. `*` covers
    /// every name without an entry. The error names a glob that is not valid.
    pub fn new(least: &BTreeMap<String, u8>, allowed: &Allowed) -> Result<Demands, String> {
        let named = least.iter().filter(|(glob, _)| *glob != "*");
        let named = named.map(|(text, percent)| Ok((matcher(text)?, *percent)));
        Ok(Demands {
            least: named.collect::<Result<_, String>>()?,
            otherwise: least.get("*").copied().unwrap_or(0),
            unjudged: set("--allow-unjudged", &allowed.unjudged)?,
            undeclared: set("--allow-undeclared", &allowed.undeclared)?,
            of_supported: false,
            required: None,
        })
    }

    /// Returns these demands with an additional percentage, 0 to 100, that each form and function
    /// must reach.
    pub fn requiring(self, percent: Option<u8>) -> Demands {
        Demands { required: percent, ..self }
    }

    /// Returns these demands, restricted to lanes that the implementations support. For
    /// implementations in `assay` that support only some operands of a mode. A device declares its
    /// modes instead.
    pub fn of_supported(self) -> Demands {
        Demands { of_supported: true, ..self }
    }

    /// Returns the judged share of each form, or of each function if the tally has functions. If a
    /// share does not meet a demand, its `problem` is set.
    pub fn check(&self, tally: &Tally) -> Vec<JudgedShare> {
        let parts = if tally.functions.is_empty() { &tally.forms } else { &tally.functions };
        parts.iter().map(|(name, counts)| self.check_part(name, counts)).collect()
    }

    fn check_part(&self, name: &str, counts: &Counts) -> JudgedShare {
        let names = names(name);
        let of = |globs: &GlobSet| names.iter().any(|name| globs.is_match(name));
        let least = self.least.iter().filter(|(glob, _)| names.iter().any(|name| glob.is_match(name)));
        let least = least.map(|(_, percent)| *percent).min().unwrap_or(self.otherwise);
        let required = self.required.unwrap_or(0);
        let [least, required] = if of(&self.unjudged) { [0, 0] } else { [least, required] };
        let unsupported = if self.of_supported { counts.unsupported } else { 0 };
        let (drawn, judged, undeclared) = (counts.total(), counts.judged(), counts.undeclared);
        let lanes = drawn - unsupported;
        let is_short = |percent| is_below(judged, lanes, percent);
        let problem = match () {
            () if undeclared > 0 && !of(&self.undeclared) => Some(format!(
                "{name}: no modes of the device are known, and it answered `unsupported` to {undeclared} of {lanes} lanes; leave these \
                 modes out of --only, have the device declare its modes (version 2), or add --allow-undeclared {name}"
            )),
            () if is_short(required) => Some(format!(
                "{name}: {judged} of {lanes} lanes were judged, less than the {required} % of --require-judged; find out \
                 why, or add --allow-unjudged {name}"
            )),
            () if least >= 50 && judged == 0 && lanes >= FEW => Some(format!(
                "{name}: none of {lanes} lanes was judged; find out why, or add --allow-unjudged {name}"
            )),
            () if is_short(least) && lanes >= LANES => Some(format!(
                "{name}: {judged} of {lanes} lanes were judged, less than {least} %; find out why, or add --allow-unjudged {name}"
            )),
            () => None,
        };
        let least = least.max(required);
        JudgedShare { name: name.to_owned(), lanes: drawn, judged, undeclared, unsupported, least, problem }
    }

    /// Returns the functions with unjudged results, those with the largest unjudged share first.
    /// Such a result has an argument that no bound of the contract covers.
    pub fn check_unjudged(&self, tally: &Tally) -> Vec<UnjudgedShare> {
        let mut list: Vec<UnjudgedShare> = unjudged(tally).collect();
        list.sort_by(|a, b| b.share().total_cmp(&a.share()).then_with(|| a.name.cmp(&b.name)));
        for one in &mut list {
            let is_allowed = names(&one.name).iter().any(|name| self.unjudged.is_match(name));
            let required = self.required.filter(|_| !is_allowed).unwrap_or(0);
            one.problem = is_below(one.lanes - one.unjudged, one.lanes, required).then(|| {
                let UnjudgedShare { name, lanes, unjudged, .. } = one;
                format!(
                    "{name}: {unjudged} of {lanes} results were not judged, and --require-judged demands {required} %; \
                     use a profile that judges them, or add --allow-unjudged {name}"
                )
            });
        }
        list
    }
}

fn is_below(judged: u64, lanes: u64, percent: u8) -> bool {
    u128::from(judged) * 100 < u128::from(lanes) * u128::from(percent)
}

/// Returns the unjudged results by function. In a sweep, they are counted by verdict. In a
/// campaign, they are the measured errors that no bound covers.
fn unjudged(tally: &Tally) -> impl Iterator<Item = UnjudgedShare> {
    let swept = tally.functions.iter().map(|(name, counts)| (name, counts.unjudged, counts.total()));
    let drawn = tally.accuracy.iter().filter(|_| tally.functions.is_empty()).map(|(name, accuracy)| {
        let open = accuracy.bounds.get(NO_BOUND).map_or(0, |usage| usage.measured - usage.refused);
        (name, open, accuracy.inputs.max(open))
    });
    let some = swept.chain(drawn).filter(|(_, unjudged, _)| *unjudged > 0);
    some.map(|(name, unjudged, lanes)| UnjudgedShare { name: name.clone(), lanes, unjudged, problem: None })
}

/// Returns the names that globs can match: the name of the form or function, and those of its
/// optype.
fn names(name: &str) -> Vec<String> {
    let mut names = vec![name.to_owned()];
    let optype = match catalog().form(name) {
        Some(form) => Some(form.optype),
        None => {
            let mut parts = name.split('.');
            let mnemonic = parts.next().unwrap_or_default();
            let modifiers: Vec<&str> = parts.collect();
            catalog().optype(mnemonic, |modifier| modifiers.contains(&modifier))
        }
    };
    names
        .extend(optype.into_iter().flat_map(|optype| [optype.name.to_owned(), optype.mnemonic().to_owned()]));
    names
}

/// Maximum length of a glob in bytes. The `globset` library panics if the automaton of a glob is
/// too large.
const LONGEST_GLOB: usize = 4096;

/// Reads a glob, which ignores case.
///
/// # Errors
///
/// The text is the glob in backticks, then what is wrong with it.
pub fn glob(text: &str) -> Result<Glob, String> {
    if text.len() > LONGEST_GLOB {
        return Err(format!("`{}`: a glob has at most {LONGEST_GLOB} bytes", quoted(text)));
    }
    let glob = GlobBuilder::new(text).case_insensitive(true).build();
    glob.map_err(|error| format!("`{}`: {}", quoted(text), error.kind()))
}

/// Reads and compiles a glob.
///
/// # Errors
///
/// As for [`glob`].
pub fn matcher(text: &str) -> Result<GlobMatcher, String> {
    Ok(glob(text)?.compile_matcher())
}

/// Compiles the globs of an option, such as `--only`. Each glob must match a name. Otherwise a
/// typing error would silently leave out cases.
///
/// # Errors
///
/// A glob is not valid, or matches no name. If it matches no name, the text lists similar names, or
/// has `remedy`.
pub fn globs(
    option: &str,
    patterns: &[String],
    names: impl Iterator<Item = String>,
    remedy: &str,
) -> Result<GlobSet, String> {
    let set = set(option, patterns)?;
    let names: BTreeSet<String> = names.collect();
    let used: BTreeSet<usize> = names.iter().flat_map(|name| set.matches(name)).collect();
    match patterns.iter().enumerate().find(|(place, _)| !used.contains(place)) {
        Some((_, glob)) => {
            let remedy = did_you_mean(glob, names.iter().map(String::as_str), remedy);
            Err(format!("{option} {glob} selects nothing; {remedy}"))
        }
        None => Ok(set),
    }
}

fn set(option: &str, globs: &[String]) -> Result<GlobSet, String> {
    let mut set = GlobSetBuilder::new();
    for text in globs {
        set.add(glob(text).map_err(|error| format!("{option} {error}"))?);
    }
    set.build().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::accuracy::{Accuracy, Usage};

    #[test]
    fn a_glob_of_any_length_is_compiled_or_refused_and_never_panics() {
        for part in ["a", "?", "*", "**/", "[!a]", "[a-zé]", "{a,b}", "{a,", "é", "[[]", "\\*"] {
            for length in [1, LONGEST_GLOB, LONGEST_GLOB + 1, 1 << 21] {
                let text: String = part.chars().cycle().take(length).collect();
                match matcher(&text) {
                    Ok(matcher) => drop(matcher.is_match("FADD_RR")),
                    Err(problem) => assert!(problem.chars().count() < 200, "{problem}"),
                }
            }
        }
        assert!(
            matcher(&"a".repeat(LONGEST_GLOB)).is_ok() && matcher(&"a".repeat(LONGEST_GLOB + 1)).is_err()
        );
    }

    fn tally(forms: &[(&str, Counts)]) -> Tally {
        let forms = forms.iter().map(|(name, counts)| ((*name).to_owned(), *counts)).collect();
        Tally { forms, ..Tally::default() }
    }

    fn problems(least: &[(&str, u8)], allowed: &Allowed, tally: &Tally) -> Vec<bool> {
        let least = least.iter().map(|(name, percent)| ((*name).to_owned(), *percent)).collect();
        let demands = Demands::new(&least, allowed).unwrap();
        demands.check(tally).into_iter().map(|judged| judged.problem.is_some()).collect()
    }

    fn lanes(exact: u64, undefined: u64) -> Counts {
        Counts { exact, undefined, ..Counts::default() }
    }

    #[test]
    fn a_form_below_its_share_has_a_problem() {
        let none = Allowed::default();
        for (least, exact, undefined, fails) in [
            (&[("*", 75)][..], 75_000, 25_000, false),
            (&[("*", 75)], 74_999, 25_001, true),
            // There are too few lanes to compare the share, but enough that at least one must be
            // judged.
            (&[("*", 75)], 1, LANES - 2, false),
            (&[("*", 75)], 0, FEW, true),
            (&[("*", 75)], 0, FEW - 1, false),
            (&[("*", 75), ("POPC", 1)], 1_000, 99_000, false),
            (&[("*", 75), ("POPC", 1)], 0, LANES - 1, false),
            (&[("*", 75), ("POPC", 1)], 0, LANES, true),
            (&[("*", 75), ("POPC_?", 0)], 0, 1 << 40, false),
            (&[("*", 75), ("UPOPC*", 0)], 0, 100_000, true),
            (&[("*", 75), ("POPC*", 80), ("POPC_R", 10)], 11_000, 89_000, false),
        ] {
            let tally = tally(&[("POPC_R", lanes(exact, undefined))]);
            assert_eq!(problems(least, &none, &tally), [fails], "{least:?} {exact} {undefined}");
        }
    }

    #[test]
    fn what_is_allowed_by_name_has_none_and_the_others_have() {
        let forms = tally(&[("FADD_RR", lanes(0, 100_000)), ("POPC_R", lanes(0, 100_000))]);
        let allowed = |unjudged: &str| Allowed { unjudged: vec![unjudged.into()], ..Allowed::default() };
        for (name, expected) in [("POPC", [true, false]), ("FADD_R?", [false, true]), ("*", [false, false])] {
            assert_eq!(problems(&[("*", 75)], &allowed(name), &forms), expected, "{name}");
        }
        let undeclared = Counts { exact: 99_999, undeclared: 1, ..Counts::default() };
        let forms = tally(&[("POPC_R", undeclared)]);
        assert_eq!(problems(&[("*", 75)], &allowed("POPC"), &forms), [true]);
        let declined = Allowed { undeclared: vec!["POPC".into()], ..Allowed::default() };
        assert_eq!(problems(&[("*", 75)], &declined, &forms), [false]);
    }

    #[test]
    fn functions_of_a_sweep_have_the_names_of_their_optype() {
        let functions = BTreeMap::from([
            ("MUFU.SIN.F32".to_owned(), lanes(0, 100_000)),
            ("UIMAD.WIDE.U32".to_owned(), lanes(0, 100_000)),
        ]);
        let swept = Tally { functions, ..Tally::default() };
        let none = Allowed::default();
        assert_eq!(problems(&[("*", 75), ("MUFU", 0)], &none, &swept), [false, true]);
        assert_eq!(problems(&[("*", 75), ("UIMAD_WIDE", 0)], &none, &swept), [true, false]);
        assert_eq!(problems(&[("*", 75), ("MUFU.SIN.F32", 0)], &none, &swept), [false, true]);
    }

    #[test]
    fn of_supported_lanes_only_unsupported_ones_are_left_out() {
        let demands = Demands::new(&BTreeMap::from([("*".to_owned(), 75)]), &Allowed::default()).unwrap();
        let of_supported = demands.clone().of_supported();
        for (exact, undefined, unsupported, fails) in [
            (75_000, 25_000, 100_000, false),
            (74_999, 25_001, 100_000, true),
            (0, FEW, 100_000, true),
            (0, 0, 100_000, false),
        ] {
            let forms = tally(&[("POPC_R", Counts { unsupported, ..lanes(exact, undefined) })]);
            let [judged] = &of_supported.check(&forms)[..] else { panic!("one form") };
            assert_eq!((judged.problem.is_some(), judged.unsupported), (fails, unsupported), "{exact}");
            assert!(demands.check(&forms)[0].problem.is_some(), "{exact}");
        }
    }

    #[test]
    fn a_required_share_holds_for_few_lanes_and_for_each_function() {
        let none = Allowed::default();
        let allowed = Allowed { unjudged: vec!["MUFU".into()], ..Allowed::default() };
        for (percent, exact, undefined, allowed, fails) in [
            (None, 1, 99, &none, false),
            (Some(99), 99, 1, &none, false),
            (Some(99), 98, 2, &none, true),
            (Some(100), 99, 1, &none, true),
            (Some(0), 0, 100, &none, false),
            (Some(100), 0, 100, &allowed, false),
        ] {
            let demands = Demands::new(&BTreeMap::new(), allowed).unwrap().requiring(percent);
            let forms = tally(&[("MUFU_R", lanes(exact, undefined))]);
            assert_eq!(demands.check(&forms)[0].problem.is_some(), fails, "{percent:?} {exact}");
            let usage = Usage { measured: undefined + 1, refused: 1, ..Usage::default() };
            let bounds = BTreeMap::from([(NO_BOUND.to_owned(), usage)]);
            let accuracy = Accuracy { inputs: exact + undefined, bounds, ..Accuracy::default() };
            let accuracy = BTreeMap::from([("MUFU.SIN.F32".to_owned(), accuracy)]);
            let drawn = Tally { accuracy, ..Tally::default() };
            let counts = Counts { exact, unjudged: undefined, ..Counts::default() };
            let functions = BTreeMap::from([("MUFU.SIN.F32".to_owned(), counts)]);
            for tally in [drawn, Tally { functions, ..Tally::default() }] {
                let [one] = &demands.check_unjudged(&tally)[..] else { panic!("one function") };
                assert_eq!((one.unjudged, one.lanes), (undefined, exact + undefined));
                assert_eq!(one.problem.is_some(), fails, "{percent:?} {exact}");
            }
        }
    }

    #[test]
    fn shares_are_of_the_lanes_that_count() {
        for (lanes, judged, unsupported, least, asked, share, is_short) in [
            (100, 60, 20, 75, 80, 0.75, false),
            (100, 59, 20, 75, 80, 0.7375, true),
            (100, 60, 0, 75, 100, 0.6, true),
            (100, 0, 20, 0, 80, 0.0, false),
            (7, 0, 7, 75, 0, 0.0, false),
        ] {
            let name = "POPC_R".to_owned();
            let one = JudgedShare { name, lanes, judged, undeclared: 0, unsupported, least, problem: None };
            assert_eq!((one.asked(), one.share(), one.is_short()), (asked, share, is_short), "{one:?}");
        }
        for (lanes, unjudged, share) in [(8, 6, 0.75), (8, 8, 1.0), (0, 0, 0.0)] {
            let one = UnjudgedShare { name: "MUFU.SIN.F32".to_owned(), lanes, unjudged, problem: None };
            assert_eq!(one.share(), share, "{one:?}");
        }
    }

    #[test]
    fn no_unsupported_lanes_are_left_out_of_the_file() {
        let of = |unsupported| {
            let counts = Counts { unsupported, ..lanes(1, 0) };
            let demands = Demands::new(&BTreeMap::new(), &Allowed::default()).unwrap().of_supported();
            serde_json::to_value(&demands.check(&tally(&[("POPC_R", counts)]))[0]).unwrap()
        };
        assert!(of(0).get("unsupported").is_none());
        assert_eq!(of(1)["unsupported"], 1);
    }

    #[test]
    fn a_function_whose_results_were_all_judged_is_not_listed() {
        let demands = Demands::new(&BTreeMap::new(), &Allowed::default()).unwrap();
        let counts = |unjudged| Counts { unjudged, ..lanes(10, 0) };
        let functions = [("MUFU.COS.F32", counts(0)), ("MUFU.SIN.F32", counts(1))];
        let functions = functions.map(|(name, counts)| (name.to_owned(), counts)).into();
        let listed = demands.check_unjudged(&Tally { functions, ..Tally::default() });
        assert_eq!(listed.iter().map(|one| &*one.name).collect::<Vec<_>>(), ["MUFU.SIN.F32"]);
    }

    #[test]
    fn each_glob_of_an_option_selects_something() {
        let select = |patterns: &[&str]| {
            let patterns: Vec<String> = patterns.iter().map(|text| (*text).to_owned()).collect();
            let names = ["FADD_RR", "FMUL_RR", "POPC_R"].map(str::to_owned).into_iter();
            globs("--only", &patterns, names, "see `assay isa list`")
        };
        let set = select(&["fadd*", "POPC_?"]).unwrap();
        let selected = ["FADD_RR", "FMUL_RR", "POPC_R"].map(|name| set.is_match(name));
        assert_eq!(selected, [true, false, true]);
        assert!(!select(&[]).unwrap().is_match("FADD_RR"));
        let refused = select(&["FADD*", "XYZ*"]).unwrap_err();
        assert!(refused.starts_with("--only XYZ* selects nothing; "), "{refused}");
        assert!(select(&["[", "FADD*"]).is_err());
    }

    #[test]
    fn a_result_without_demands_is_held_to_none() {
        let forms = tally(&[("POPC_R", lanes(0, 1 << 20))]);
        assert_eq!(problems(&[], &Allowed::default(), &forms), [false]);
    }
}
