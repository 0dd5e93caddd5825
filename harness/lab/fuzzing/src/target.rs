//! The fuzz targets: their properties and the words of their inputs. The properties run in this
//! process, without the nightly toolchain.

use std::panic::{AssertUnwindSafe, catch_unwind};

use assay_engine::compare::comparator::{Comparator, Setup};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Codec, Files, Reached, Violation, coded, dictionary, document, nightly};

/// A target of `fuzz/fuzz_targets`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// The oracle judges the model on a case.
    Differential,
    /// A decoded word encodes back to the same word, also after it is printed and parsed.
    Decode,
    /// Parsed text has one canonical form. For other text, the error points into the text.
    Assembler,
    /// Suites and lines of cases are written and read back unchanged.
    CaseFile,
    /// Any document is parsed and linted, and findings point into it.
    Document,
    /// Results are written and read back unchanged, and have well-formed reports.
    Result,
    /// A run resumes only from progress that its plan can reach.
    Checkpoint,
    /// A profile has everything that a run needs.
    Profile,
    /// Nightly plans are written and read back unchanged.
    Plan,
    /// Known-issues lists are written and read back unchanged, also after a nightly run.
    KnownIssues,
    /// A recorded trace has as many rows as it counts, and is rewritten with equal rows.
    Trace,
}

/// The property that a panic violates.
pub const NO_PANIC: &str = "no panic";

/// A property that fails for an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The property.
    pub property: String,
    /// How the property fails.
    pub message: String,
}

impl Target {
    /// All targets.
    pub const ALL: [Target; 11] = [
        Target::Differential,
        Target::Decode,
        Target::Assembler,
        Target::CaseFile,
        Target::Document,
        Target::Result,
        Target::Checkpoint,
        Target::Profile,
        Target::Plan,
        Target::KnownIssues,
        Target::Trace,
    ];

    /// Returns the target with this name.
    pub fn of(name: &str) -> Option<Target> {
        Target::ALL.into_iter().find(|target| target.name() == name)
    }

    /// Returns the name of the target in `fuzz/Cargo.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Target::Differential => "differential",
            Target::Decode => "decode",
            Target::Assembler => "assembler",
            Target::CaseFile => "case_file",
            Target::Document => "document",
            Target::Result => "result",
            Target::Checkpoint => "checkpoint",
            Target::Profile => "profile",
            Target::Plan => "plan",
            Target::KnownIssues => "known_issues",
            Target::Trace => "trace",
        }
    }

    /// Returns a description of the property.
    pub fn about(self) -> &'static str {
        match self {
            Target::Differential => "a case on the model, judged by the oracle",
            Target::Decode => "words: a decoded word encodes back to itself, also by way of its text",
            Target::Assembler => "assembler text: parsed text has one canonical form",
            Target::CaseFile => "suites and lines of cases: they are written and read back unchanged",
            Target::Document => "specification documents: findings point into the text",
            Target::Result => {
                "results of runs: they are written and read back unchanged, and have well-formed reports"
            }
            Target::Checkpoint => "checkpoints: a run continues only from progress that its plan can have",
            Target::Profile => "profiles: they have everything that a run needs",
            Target::Plan => "plans of a nightly run: they are written and read back unchanged",
            Target::KnownIssues => "known-issues lists: they are written and read back unchanged",
            Target::Trace => "recorded traces: they are rewritten with the same rows",
        }
    }

    /// Returns the maximum number of bytes of an input: enough for a case of every form, a few
    /// lines of text, or a small file of a run.
    pub fn longest(self) -> usize {
        match self {
            Target::Differential | Target::Decode | Target::Assembler => 512,
            Target::CaseFile | Target::Document => 2048,
            Target::Profile | Target::Plan | Target::KnownIssues => 4096,
            Target::Result | Target::Checkpoint | Target::Trace => 1 << 14,
        }
    }

    /// Returns the words of the target's inputs in libFuzzer's syntax. `None` if the inputs are not
    /// texts.
    pub fn dictionary(self) -> Option<String> {
        let words = match self {
            Target::Differential | Target::Decode => return None,
            Target::Assembler => dictionary::assembler(),
            Target::CaseFile => dictionary::case_file(),
            Target::Document => document::words(),
            Target::Result => dictionary::of_documents(&crate::result::BASES),
            Target::Checkpoint => dictionary::of_documents(&crate::checkpoint::BASES),
            Target::Profile => dictionary::of_documents(&crate::profile::BASES),
            Target::Plan => nightly::plan_words(),
            Target::KnownIssues => nightly::known_issues_words(),
            Target::Trace => assay_hardware::trace::fuzzing::words(),
        };
        Some(dictionary::to_libfuzzer(&words))
    }

    /// Checks an input. Returns how far the input got.
    ///
    /// # Errors
    ///
    /// The first violation of the target's property.
    pub fn check(self, data: &[u8], setup: &Setup<'_>) -> Result<Reached, Violation> {
        match self {
            Target::Differential => match coded::case(data) {
                Ok(case) => crate::differential(&mut Comparator::new(setup), setup.profile, &case),
                Err(_) => Ok(Reached::Refused),
            },
            Target::Decode => crate::decode(data, &Codec::ISA),
            Target::Assembler => crate::assembler(data, &Codec::ISA),
            Target::CaseFile => crate::case_file(data, &Files::VECTORS),
            Target::Document => crate::document(data),
            Target::Result => crate::result(data),
            Target::Checkpoint => crate::checkpoint(data),
            Target::Profile => crate::profile(data),
            Target::Plan => nightly::plan(data),
            Target::KnownIssues => nightly::known_issues(data),
            Target::Trace => crate::trace(data),
        }
    }

    /// Checks an input. Returns whether the input reached the judge. A panic violates the property
    /// [`NO_PANIC`].
    ///
    /// # Errors
    ///
    /// The violated property.
    pub fn hold(self, data: &[u8], setup: &Setup<'_>) -> Result<bool, Broken> {
        let broken = |property: &str, message| Broken { property: property.to_owned(), message };
        match catch_unwind(AssertUnwindSafe(|| self.check(data, setup))) {
            Ok(Ok(reached)) => Ok(reached == Reached::Judged),
            Ok(Err(violation)) => Err(broken(violation.check(), violation.to_string())),
            Err(panic) => {
                let message = panic.downcast_ref::<String>().map(String::as_str);
                let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
                Err(broken(NO_PANIC, message.unwrap_or("no message").to_owned()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};

    use assay_isa::{EncodingTable, Readings};
    use assay_mpfr::MpfrOracle;
    use assay_vectors::Profile;

    use super::*;

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
    }

    #[test]
    fn the_targets_are_those_that_are_built() {
        let manifest = std::fs::read_to_string(root().join("fuzz/Cargo.toml")).unwrap();
        let path = |line: &str| {
            line.strip_prefix("path = \"fuzz_targets/")?.strip_suffix(".rs\"").map(str::to_owned)
        };
        let built: Vec<String> = manifest.lines().filter_map(path).collect();
        assert_eq!(built, Target::ALL.map(Target::name));
        for target in Target::ALL {
            assert_eq!(Target::of(target.name()), Some(target));
        }
    }

    /// The kept inputs violate no property. Some violated a property before, and others are edge
    /// cases.
    #[test]
    fn the_kept_inputs_hold_and_reach_the_judge() {
        let (numbers, readings) = (EncodingTable::provisional(), Readings::INTENDED);
        let profile = Profile::load("intended").unwrap();
        let setup = Setup {
            numbers,
            profile: &profile,
            subject: &|| assay_model::model(numbers.clone(), readings),
            oracle: &|| Box::new(MpfrOracle::new(readings)),
        };
        let mut judged: BTreeMap<&str, usize> = BTreeMap::new();
        for target in Target::ALL {
            let folder = root().join("vectors/data/fuzz").join(target.name());
            for entry in std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
                let path = entry.unwrap().path();
                let held = target.hold(&std::fs::read(&path).unwrap(), &setup);
                let held = held.unwrap_or_else(|broken| panic!("{}: {broken:?}", path.display()));
                *judged.entry(target.name()).or_default() += usize::from(held);
            }
        }
        assert_eq!(judged.len(), Target::ALL.len());
        assert!(judged.values().all(|judged| *judged > 0), "{judged:?}");
    }
}
