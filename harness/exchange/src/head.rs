//! The head of a stream of cases: their number, and the rules under which they were made.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use assay_records::Shard;
use assay_runner::Context;
use assay_runner::RunError;

use crate::digest::CasesDigest;

/// Version of the stream format.
pub const VERSION: u32 = 1;

/// The key or word that marks a head.
pub const MARK: &str = "assay-gen";

/// The head of a stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// Version of the format.
    pub version: u32,
    /// Number of cases that follow.
    pub cases: u64,
    /// The instruction, if all cases share one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instruction: Option<String>,
    /// The profile, by name.
    pub profile: String,
    /// The setting of every reading.
    pub readings: BTreeMap<String, u8>,
    /// Digest of the encoding table.
    pub numbers: String,
    /// The shard as `INDEX/OF`. Absent in older streams, and in a stream of the whole plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// The digest of the cases. Absent in older streams.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<CasesDigest>,
}

impl Head {
    /// Returns the head of a stream of a shard with this number of cases and this digest.
    pub fn new(
        context: &Context,
        cases: u64,
        instruction: Option<String>,
        Shard { index, of }: Shard,
        digest: CasesDigest,
    ) -> Head {
        Head {
            version: VERSION,
            cases,
            instruction,
            profile: context.profile.name.clone(),
            readings: readings(context),
            numbers: context.numbers.fingerprint().to_owned(),
            shard: (of > 1).then(|| format!("{index}/{of}")),
            digest: Some(digest),
        }
    }

    /// Returns the head as JSON on one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("maps with text keys serialise")
    }

    /// Reads the text that [`Head::to_json`] writes.
    pub fn from_json(text: &str) -> Result<Head, String> {
        serde_json::from_str(text).map_err(|error| format!("the head of the stream cannot be read: {error}"))
    }

    /// Reads the head behind the mark in a comment. `None` if the line is not a comment with the
    /// mark.
    pub fn in_comment(line: &str, comment: &str) -> Option<Result<Head, String>> {
        let text = line.strip_prefix(comment)?.trim_start().strip_prefix(MARK)?;
        Some(Head::from_json(text))
    }

    /// Refuses a stream that was made under other rules than the current ones.
    pub fn check(&self, context: &Context) -> Result<(), RunError> {
        if self.version != VERSION {
            let known = format!("this program reads version {VERSION}");
            return Err(RunError::input(format!("the stream has version {}; {known}", self.version)));
        }
        if self.numbers != context.numbers.fingerprint() {
            let remedy = "name with --numbers the one that it was made with";
            return Err(RunError::input(format!(
                "the stream was made with another encoding table; {remedy}"
            )));
        }
        let here = readings(context);
        let differing =
            self.readings.iter().filter(|(erratum, setting)| here.get(*erratum) != Some(*setting));
        let differing: Vec<String> =
            differing.map(|(erratum, setting)| format!("{erratum}={setting}")).collect();
        if !differing.is_empty() || here.len() != self.readings.len() {
            let (profile, differing) = (&self.profile, differing.join(" "));
            let remedy = "repeat --profile and --reading of the command that made it";
            let with = if differing.is_empty() {
                "without some of the readings in force".to_owned()
            } else {
                format!("with {differing}")
            };
            let message = format!("the stream was made under profile {profile}, {with}; {remedy}");
            return Err(RunError::input(message));
        }
        // The names are compared too, because profiles with equal readings can have different
        // contracts. A profile with wider bounds would let wrong answers pass.
        let (made, here) = (&self.profile, &context.profile.name);
        if made != here {
            let remedy = "repeat --profile of the command that made it";
            let message =
                format!("the stream was made under profile {made}, and {here} is in force; {remedy}");
            return Err(RunError::input(message));
        }
        Ok(())
    }
}

fn readings(context: &Context) -> BTreeMap<String, u8> {
    context.profile.readings.iter().map(|(erratum, setting)| (erratum.to_string(), setting)).collect()
}
