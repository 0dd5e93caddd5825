//! The subject and the rules of a stage, as far as they differ from the defaults of the plan.
//!
//! A stage can have its own options. A stage can become easier to pass with another subject, a
//! looser profile, other readings or an allowance. So the report names each of these.

use std::collections::{BTreeMap, BTreeSet};

use assay_isa::shown::line;
use assay_records::verdict::RunDemands;
use assay_records::{ORACLE, Setting};
use assay_vectors::Profile;
use assay_vectors::looser::LooserProfile;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::plan::StagePlan;
use crate::words;

/// The profile of a run that names no profile.
pub(crate) const DEFAULT_PROFILE: &str = "intended";

/// The subject, profile, readings and allowances of a stage, as far as they differ from those of a
/// stage without options.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StageSetting {
    /// The subject of the stage, if it is not the subject of the plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The subject that takes the place of the oracle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// Name of the profile. Absent if it is `intended`, or if the stage has no profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// The demands of the profile that are lower than those of the built-in profile that it
    /// extends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub looser: Option<LooserProfile>,
    /// The shard, if the stage executes a part of its plan only, such as `0/4`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// The rules by which the stage judges, in words: the profile, the subject in place of the
    /// oracle, and the readings. Absent if they are the rules of the plan. A known issue belongs to
    /// one subject under one set of rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// The readings whose settings differ from the profile `intended`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub readings: BTreeMap<String, u8>,
    /// Globs over optypes, forms and functions. The stage may judge few or no lanes of these and
    /// still pass.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub allow_unjudged: BTreeSet<String>,
    /// Globs over optypes, forms and functions. A device without declared modes may answer
    /// `unsupported` to these.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub allow_undeclared: BTreeSet<String>,
}

impl StageSetting {
    /// Returns whether the stage tested the subject of the plan against the oracle, under the
    /// profile `intended` and with nothing allowed.
    pub fn is_default(&self) -> bool {
        *self == StageSetting::default()
    }

    /// Returns the setting according to the options of a stage. `subject` is the subject of the
    /// plan. For a stage without a result, the options are the only source.
    pub(crate) fn of_options(stage: &StagePlan, subject: &str, profile_of_plan: &str) -> StageSetting {
        let command = stage.words().unwrap_or_default();
        let first = |option: &str| words::values(&command, option).into_iter().next();
        let profile = first("--profile").filter(|name| name != DEFAULT_PROFILE);
        let looser = profile.as_deref().and_then(|name| Profile::load(name).ok()?.looser().ok()?);
        let readings = words::values(&command, "--reading").into_iter();
        let readings = readings.filter_map(|reading| {
            let (erratum, setting) = reading.split_once('=')?;
            Some((erratum.to_owned(), setting.parse().ok()?))
        });
        StageSetting {
            subject: words::subject(&command).filter(|own| !is_same(own, subject)),
            against: first("--against"),
            shard: first("--shard"),
            profile,
            looser,
            readings: readings.collect(),
            rules: Some(rules(&command, profile_of_plan)).filter(|rules| rules != profile_of_plan),
            ..StageSetting::default()
        }
    }

    /// Returns the suffix of the signatures of the stage, which names its own subject and its own
    /// rules. Empty if the stage has the subject and the rules of the plan.
    pub fn suffix(&self) -> String {
        let subject = self.subject.as_deref().map(|subject| format!(" of {}", line(subject)));
        let rules = self.rules.as_deref().map(|rules| format!(" under {}", line(rules)));
        [subject, rules].into_iter().flatten().collect()
    }

    /// Takes the setting from the result of the stage. The subject, the rules and the shard stay
    /// those of the options.
    pub(crate) fn take(&mut self, setting: &Setting, demands: Option<&RunDemands>) {
        let profile = &setting.profile;
        let readings = setting.readings_not_intended();
        let allowed = demands.cloned().unwrap_or_default();
        *self = StageSetting {
            subject: self.subject.take(),
            rules: self.rules.take(),
            shard: self.shard.take(),
            against: (setting.against != ORACLE).then(|| setting.against.clone()),
            profile: (profile != DEFAULT_PROFILE).then(|| profile.clone()),
            looser: setting.looser.clone(),
            readings: readings.map(|(erratum, setting)| (erratum.clone(), setting)).collect(),
            allow_unjudged: allowed.allow_unjudged,
            allow_undeclared: allowed.allow_undeclared,
        };
    }
}

/// Returns the rules by which a stage with these options judges.
fn rules(command: &[String], profile_of_plan: &str) -> String {
    let values = |option: &str| -> BTreeSet<String> { words::values(command, option).into_iter().collect() };
    let profile = values("--profile").pop_last().unwrap_or_else(|| profile_of_plan.to_owned());
    let more = [(" against ", "--against"), (" with ", "--reading")];
    let more =
        more.into_iter().flat_map(|(word, option)| values(option).into_iter().map(move |it| (word, it)));
    more.fold(profile, |rules, (word, value)| rules + word + &value)
}

/// Returns whether two names mean the same subject. Differences in the quoting of a command do not
/// count.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    one == other || shell_words::split(one).is_ok_and(|words| shell_words::split(other) == Ok(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(run: &str) -> StageSetting {
        let stage = StagePlan { name: "a".into(), run: run.into(), time: "1m".parse().expect("a time") };
        StageSetting::of_options(&stage, "exec:./dev --x", "intended")
    }

    #[test]
    fn another_subject_is_named() {
        for (run, subject) in [
            ("fuzz --only POPC", None),
            ("fuzz --subject 'exec:./dev  --x'", None),
            ("fuzz --subject model", Some("model")),
            ("vectors check --subject=model a.yaml", Some("model")),
            ("dut check 'exec:./dev --x'", None),
            ("dut check './dev --x'", None),
            ("dut check --format json --jobs=2 lib:./other.so", Some("lib:./other.so")),
            ("dut check ./other", Some("exec:./other")),
            ("isa lint", None),
        ] {
            assert_eq!(setting(run).subject.as_deref(), subject, "{run}");
        }
    }

    #[test]
    fn options_of_a_stage_without_a_result_are_named() {
        let rules = |run: &str| setting(run).rules;
        assert!(setting("vectors check --profile intended").is_default());
        assert_eq!(rules("fuzz --profile sm90"), Some("sm90".to_owned()));
        assert_eq!(
            rules("fuzz --against 'exec:./dev --x'"),
            Some("intended against exec:./dev --x".to_owned())
        );
        let own = setting("vectors check --profile sm90 --reading E173=2 --reading=E035=1");
        assert_eq!(own.suffix(), " under sm90 with E035=1 with E173=2");
        assert_eq!(own.profile.as_deref(), Some("sm90"));
        assert_eq!(own.readings, [("E035".to_owned(), 1), ("E173".to_owned(), 2)].into());
        assert_eq!(own.looser, None);
    }
}
