//! What libFuzzer stopped at, as findings.
//!
//! A case of `differential` that diverges is shrunk, told from others by its signature and written as every finding is,
//! so `assay replay` explains it. What stops another target, or stops this one in another way, becomes a record of the
//! input and of what it violates; that is replayed by `assay libfuzzer replay`, and kept as a test in
//! `vectors/data/fuzz`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use assay_engine::campaign::found;
use assay_engine::fuzzing::coded;
use assay_engine::generate::AnyCase;
use assay_engine::result::write_json;
use assay_engine::tally::Tally;
use assay_engine::triage::shrink::evaluate;
use assay_engine::versus::{Bench, Parties};
use serde::{Deserialize, Serialize};

use super::corpus;
use super::run::parse_subject;
use super::target::{Broken, Target};
use crate::commands::findings::{self, Hunt};
use crate::commands::fuzz::parties;
use crate::context::Context;
use crate::failure::Failure;
use crate::voices::Voice;

/// Version of the record of an input.
const VERSION: u32 = 1;

/// Why libFuzzer stopped at an input: the beginning of the artifact's name, and what is violated where that is no property.
const KINDS: [(&str, Option<&str>); 4] = [
    ("crash-", None),
    ("leak-", Some("the memory is given back")),
    ("oom-", Some("the limit of memory")),
    ("timeout-", Some("the limit of time")),
];

/// The inputs that ended a process of a target.
pub struct Crashes {
    target: Target,
    artifacts: Vec<PathBuf>,
}

/// What an input was found to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The file.
    pub file: PathBuf,
    /// Its signature, or the property that is violated.
    pub signature: String,
    /// The command that shows it again.
    pub replay: String,
}

/// The record of an input that violates a property.
#[derive(Serialize, Deserialize)]
struct Record {
    version: u32,
    target: Target,
    /// The voice under test.
    subject: String,
    property: String,
    message: String,
    /// The bytes, two hexadecimal digits each.
    input: String,
    /// The file that libFuzzer wrote.
    artifact: PathBuf,
    replay: String,
    /// Where the input belongs once the defect is mended: there a test holds it.
    keep: PathBuf,
}

/// An input that is to be held to the property of its target once more.
pub struct Again {
    /// The target.
    pub target: Target,
    /// The input.
    pub data: Vec<u8>,
    /// The voice under test when it was found.
    pub subject: Option<Voice>,
}

impl Again {
    /// An input of a target, or, where none is named, the one in a record.
    pub fn read(path: &Path, target: Option<Target>) -> Result<Again, Failure> {
        if let Some(target) = target {
            return Ok(Again { target, data: read(path)?, subject: None });
        }
        let refused = |problem: String| Failure::input(format!("{}: {problem}", path.display()));
        let text = read(path)?;
        let record: Record = serde_json::from_slice(&text).map_err(|e| {
            refused(format!("no record of an input ({e}); say whose input it is with --target"))
        })?;
        if record.version != VERSION {
            return Err(refused(format!("version {}: this assay reads version {VERSION}", record.version)));
        }
        if KINDS.iter().any(|(_, limit)| *limit == Some(record.property.as_str())) {
            let program = record.target.name();
            return Err(Failure::harness(format!(
                "{}: `{}` is watched by libFuzzer alone; run the target {program} on {}",
                path.display(),
                record.property,
                record.artifact.display()
            )));
        }
        let data = bytes(&record.input).ok_or_else(|| refused("`input` is no list of bytes".into()))?;
        let subject = parse_subject(&record.subject).map_err(refused)?;
        Ok(Again { target: record.target, data, subject: Some(subject) })
    }
}

/// What two hexadecimal digits each say.
fn bytes(digits: &str) -> Option<Vec<u8>> {
    let pair = |pair: &[u8]| match pair {
        [high, low] => {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            u8::try_from(digit(*high)? << 4 | digit(*low)?).ok()
        }
        _ => None,
    };
    digits.as_bytes().chunks(2).map(pair).collect()
}

impl Finding {
    /// As people read it.
    pub fn text(&self) -> String {
        format!("  found {}\n    {}\n", self.signature, self.replay)
    }
}

impl Crashes {
    /// The artifacts in a folder; inputs that are slow and no more are none.
    pub fn of(target: Target, folder: &Path) -> Result<Crashes, Failure> {
        let artifacts = corpus::inputs(folder)?.into_iter().map(|(_, path)| path);
        Ok(Crashes { target, artifacts: artifacts.filter(|path| kind(path).is_some()).collect() })
    }

    /// One artifact, whatever its name.
    pub fn one(target: Target, artifact: &Path) -> Crashes {
        Crashes { target, artifacts: vec![artifact.to_owned()] }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.artifacts.len()
    }

    /// Removes from a corpus what ends the program: libFuzzer names both files for the digest of the bytes.
    pub fn leave(&self, corpus: &Path) -> Result<(), Failure> {
        let name = |path: &PathBuf| Some(path.file_name()?.to_str()?.split_once('-')?.1.to_owned());
        for path in self.artifacts.iter().filter_map(name).map(|name| corpus.join(name)) {
            if path.exists() {
                let failed = |e| Failure::harness(format!("{}: {e}", path.display()));
                std::fs::remove_file(&path).map_err(failed)?;
            }
        }
        Ok(())
    }

    /// Writes a finding for each thing that is wrong, into the folder `findings`.
    pub fn to_findings(
        &self,
        context: &Context,
        subject: &Voice,
        out: &Path,
    ) -> Result<Vec<Finding>, Failure> {
        let made = || context.subject(subject);
        let oracle = || context.oracle(None);
        let parties = parties(context, &made, &oracle);
        let mut tally = Tally::default();
        let mut broken: Vec<(&Path, Broken)> = Vec::new();
        for (index, path) in self.artifacts.iter().enumerate() {
            let data = read(path)?;
            match self.divergence(path, &data, &parties) {
                Some(AnyCase { batch, .. }) => {
                    let found = found(&batch, 0, index as u64);
                    tally.findings.entry(self.target.name().to_owned()).or_default().push(found);
                }
                None => broken.push((path, self.violation(path, &data, &parties))),
            }
        }
        let setting = context.setting(subject, None);
        let hunt = Hunt { tally: &tally, setting: &setting, seed: None };
        let oracles = |readings| context.oracle_under(readings, None);
        let bugs = findings::triage_hunt(&hunt, &parties, &oracles)?;
        let paths = findings::write(out, &bugs, context)?;
        let of_case = |(bug, file): (findings::Bug, PathBuf)| {
            let replay = format!("assay replay {}", file.display());
            Finding { file, signature: bug.signature, replay }
        };
        let mut list: Vec<Finding> = bugs.into_iter().zip(paths).map(of_case).collect();
        // One input for each property is enough to look at; the artifacts are all there.
        broken.sort_by(|a, b| a.1.property.cmp(&b.1.property));
        broken.dedup_by(|later, first| later.1.property == first.1.property);
        for (nth, (artifact, broken)) in broken.into_iter().enumerate() {
            list.push(self.write(out, nth + 1, artifact, &broken, subject)?);
        }
        Ok(list)
    }

    /// The case that an input is, if it is one and diverges here as well.
    fn divergence(&self, path: &Path, data: &[u8], parties: &Parties<'_>) -> Option<AnyCase> {
        if self.target != Target::Differential || kind(path).flatten().is_some() {
            return None;
        }
        let case = coded::case(data).ok()?;
        let diverges = || evaluate(parties, &mut Bench::new(parties), &case.instruction, &case.batch);
        // A voice that panics is no divergence.
        let diverges = catch_unwind(AssertUnwindSafe(diverges)).ok()?;
        diverges.ok().flatten().map(|_| case)
    }

    /// What an input violates. One that takes too long or too much is not tried again here: nobody limits that.
    fn violation(&self, path: &Path, data: &[u8], parties: &Parties<'_>) -> Broken {
        if let Some(property) = kind(path).flatten() {
            let message = format!("libFuzzer stopped at {}", path.display());
            return Broken { property: property.into(), message };
        }
        self.target.hold(data, parties).err().unwrap_or_else(|| Broken {
            property: "not when repeated".into(),
            message:
                "here the property holds: it depends on earlier inputs, or the sanitizer found something"
                    .into(),
        })
    }

    /// Writes the record of an input.
    fn write(
        &self,
        out: &Path,
        nth: usize,
        artifact: &Path,
        broken: &Broken,
        subject: &Voice,
    ) -> Result<Finding, Failure> {
        let folder = out.join("findings");
        corpus::make(&folder)?;
        let target = self.target.name();
        let file = folder.join(format!("{target}-{nth}.json"));
        let replay = format!("assay libfuzzer replay {}", file.display());
        let name = artifact.file_name().unwrap_or_default();
        let record = Record {
            version: VERSION,
            target: self.target,
            subject: subject.to_string(),
            property: broken.property.clone(),
            message: broken.message.clone(),
            input: read(artifact)?.iter().map(|byte| format!("{byte:02x}")).collect(),
            artifact: artifact.to_owned(),
            replay: replay.clone(),
            keep: Path::new("vectors/data/fuzz").join(target).join(name),
        };
        write_json(&file, &record)?;
        Ok(Finding { file, signature: format!("{target} | {}", broken.property), replay })
    }
}

/// The bytes of an artifact.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|e| Failure::input(format!("{}: {e}", path.display())))
}

/// What the name of an artifact says of it; nothing where libFuzzer did not end at it.
fn kind(path: &Path) -> Option<Option<&'static str>> {
    let name = path.file_name()?.to_str()?;
    KINDS.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|(_, property)| *property)
}
