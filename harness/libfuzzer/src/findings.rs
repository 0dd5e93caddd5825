//! What libFuzzer stopped at, as findings.
//!
//! A diverging case of `differential` is shrunk, grouped by its signature and written as every finding is, so `assay
//! replay` explains it. A crash of another target, or another crash of this one, becomes a record of the input and of
//! the violated property. `assay libfuzzer replay` replays it, and `vectors/data/fuzz` keeps it as a test.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use assay_engine::compare::comparator::{Comparator, Setup};
use assay_engine::generate::AnyCase;
use assay_engine::stats::tally::{ObservedDivergence, Tally};
use assay_engine::triage::batches::RedrawnBatches;
use assay_engine::triage::shrink::evaluate;
use assay_fuzzing::artifact::{is_told_by_name, kind};
use assay_fuzzing::coded;
use assay_fuzzing::signature::signature;
use assay_fuzzing::target::{Broken, Target};
use assay_records::libfuzzer::{FoundInput, InputRecord, ProgramSetting};
use assay_records::write_json;
use assay_runner::findings::{self, FindingsRequest};
use assay_runner::folder::FINDINGS;
use assay_runner::subjects::SubjectName;
use assay_runner::{Context, RunError};
use assay_vectors::Case;

use crate::LibfuzzerError;
use crate::files::{make, read};
use crate::repeat::{Program, ShownInput, USUAL};
use crate::subject;

/// Version of the record of an input.
const VERSION: u32 = 1;

/// The violation of an input that shows nothing any more.
const NOT_REPEATED: &str = "not when repeated";

/// The record of an input that could not be repeated, whatever it violates.
const UNKNOWN: &str = "not repeated";

/// The contents of an artifact.
enum ArtifactContent {
    /// A case that diverges.
    Divergence(AnyCase),
    /// Anything else, with what the program needs where it alone shows it.
    Violation(Broken, Option<ProgramSetting>),
}

/// The data of a future record.
struct Violation<'a> {
    artifact: &'a Path,
    broken: Broken,
    program: Option<ProgramSetting>,
}

/// An input that is checked against the property of its target again.
#[derive(Debug)]
pub struct InputToReplay {
    /// The target.
    pub target: Target,
    /// The input.
    pub data: Vec<u8>,
    /// The implementation under test when it was found.
    pub subject: Option<SubjectName>,
    /// What the program of the target needs, where it alone shows the violation.
    pub program: Option<ProgramSetting>,
}

impl InputToReplay {
    /// Reads an input of a target, or, where none is named, the one in a record.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is no record.
    pub fn read(path: &Path, target: Option<Target>) -> Result<InputToReplay, LibfuzzerError> {
        let data = read(path)?;
        if let Some(target) = target {
            return Ok(InputToReplay { target, data, subject: None, program: None });
        }
        let refused = |problem: String| LibfuzzerError::input(path, problem);
        let record: InputRecord<Target> = serde_json::from_slice(&data)
            .map_err(|e| refused(format!("no record of an input ({e}); name its target with --target")))?;
        if record.version != VERSION {
            return Err(refused(format!("version {}: this assay reads version {VERSION}", record.version)));
        }
        let data = bytes(&record.input).ok_or_else(|| refused("`input` is no list of bytes".into()))?;
        let subject = subject::parse(&record.subject).map_err(refused)?;
        // Records of earlier builds do not have the limits under which an input was found.
        let is_limit = is_told_by_name(&record.property);
        let program = record.program.or_else(|| is_limit.then_some(USUAL));
        Ok(InputToReplay { target: record.target, data, subject: Some(subject), program })
    }
}

/// The bytes of pairs of hexadecimal digits.
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

/// Writes a finding for each thing that is wrong with some inputs of a target, into the folder `findings`. Where there is the
/// program, each input is given to it before anything is tried here.
///
/// # Errors
///
/// An input cannot be read, a divergence cannot be triaged, or a finding cannot be written.
pub fn write(
    target: Target,
    artifacts: &[PathBuf],
    context: &Context,
    subject: &SubjectName,
    program: Option<&Program<'_>>,
    out: &Path,
) -> Result<Vec<FoundInput>, LibfuzzerError> {
    let setup = context.setup(subject, None);
    let compared = setup.compared();
    let mut tally = Tally::default();
    let mut violations: Vec<Violation<'_>> = Vec::new();
    for (index, artifact) in artifacts.iter().enumerate() {
        match look(target, artifact, program, &compared)? {
            ArtifactContent::Divergence(AnyCase { batch, .. }) => {
                let found = ObservedDivergence::of(&batch, 0, index as u64);
                tally.findings.entry(target.name().to_owned()).or_default().push(found);
            }
            ArtifactContent::Violation(broken, program) => {
                violations.push(Violation { artifact, broken, program })
            }
        }
    }
    let setting = context.setting(subject, None)?;
    let hunt = FindingsRequest { tally: &tally, setting: &setting, seed: None };
    let bugs = findings::triage_findings(&hunt, &compared, setup.oracles(), RedrawnBatches::NONE)?.bugs;
    let paths = findings::write(out, &bugs, context)?;
    let of_case = |(bug, file): (Case, PathBuf)| {
        let replay = format!("assay replay {}", file.display());
        FoundInput { file, signature: bug.signature().to_owned(), replay }
    };
    let mut list: Vec<FoundInput> = bugs.into_iter().zip(paths).map(of_case).collect();
    // One input for each signature is enough to look at; the artifacts are all there.
    violations.sort_by_cached_key(|violation| signature(target, &violation.broken));
    violations.dedup_by_key(|violation| signature(target, &violation.broken));
    for (nth, violation) in violations.into_iter().enumerate() {
        list.push(write_record(target, out, nth + 1, violation, subject)?);
    }
    Ok(list)
}

/// The violation of an artifact. Only an input that ended the program by a panic is tried in this process: any other
/// would end this process as well, and its time and memory are not limited here.
fn look(
    target: Target,
    path: &Path,
    program: Option<&Program<'_>>,
    compared: &Setup<'_>,
) -> Result<ArtifactContent, LibfuzzerError> {
    let setting = program.map(|program| program.setting);
    let violation =
        |property: &str, message: String| Broken { property: property.into(), message, file: None };
    if let Some(property) = kind(path).flatten() {
        let message = format!("libFuzzer stopped at {}", path.display());
        return Ok(ArtifactContent::Violation(violation(property, message), setting));
    }
    let panic = match program.map(|program| program.repeat(path)) {
        None => None,
        Some(Ok(ShownInput::Panicked(panic))) => Some(panic),
        Some(Ok(ShownInput::Ended(broken))) => return Ok(ArtifactContent::Violation(broken, setting)),
        Some(Ok(ShownInput::Held(_))) => {
            let message = "when repeated, the program comes to its end: it depends on earlier inputs".into();
            return Ok(ArtifactContent::Violation(violation(NOT_REPEATED, message), None));
        }
        // That an input was found is not lost because it cannot be looked at.
        Some(Err(failure)) => {
            let message = format!("it could not be repeated: {}", failure);
            return Ok(ArtifactContent::Violation(violation(UNKNOWN, message), setting));
        }
    };
    let data = read(path)?;
    if let Some(case) = divergence(target, &data, compared) {
        return Ok(ArtifactContent::Divergence(case));
    }
    Ok(match (target.hold(&data, compared), panic) {
        (Err(broken), panic) => {
            // Only a panic of both is the same one.
            let file = panic.filter(|panic| panic.property == broken.property).and_then(|panic| panic.file);
            ArtifactContent::Violation(Broken { file, ..broken }, None)
        }
        (Ok(_), Some(panic)) => ArtifactContent::Violation(panic, setting),
        (Ok(_), None) => {
            ArtifactContent::Violation(violation(NOT_REPEATED, "here the property holds".into()), None)
        }
    })
}

/// The case that an input is, if it is one and diverges here as well.
fn divergence(target: Target, data: &[u8], compared: &Setup<'_>) -> Option<AnyCase> {
    if target != Target::Differential {
        return None;
    }
    let case = coded::case(data).ok()?;
    let diverges = || evaluate(compared, &mut Comparator::new(compared), &case.instruction, &case.batch);
    // An implementation that panics is no divergence.
    let diverges = catch_unwind(AssertUnwindSafe(diverges)).ok()?;
    diverges.ok().flatten().map(|_| case)
}

/// Writes the record of an input.
fn write_record(
    target: Target,
    out: &Path,
    nth: usize,
    violation: Violation<'_>,
    subject: &SubjectName,
) -> Result<FoundInput, LibfuzzerError> {
    let Violation { artifact, broken, program } = violation;
    let folder = out.join(FINDINGS);
    make(&folder)?;
    let file = folder.join(format!("{}-{nth}.json", target.name()));
    let replay = format!("assay libfuzzer replay {}", file.display());
    let signature = signature(target, &broken);
    let record = InputRecord {
        version: VERSION,
        target,
        subject: subject.to_string(),
        property: broken.property,
        message: broken.message,
        program,
        input: read(artifact)?.iter().map(|byte| format!("{byte:02x}")).collect(),
        artifact: artifact.to_path_buf(),
        replay: replay.clone(),
        keep: Path::new("vectors/data/fuzz")
            .join(target.name())
            .join(artifact.file_name().unwrap_or_default()),
    };
    write_json(&file, &record).map_err(RunError::from)?;
    Ok(FoundInput { file, signature, replay })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use assay_fuzzing::target::{NO_CRASH, NO_PANIC};
    use assay_isa::{EncodingTable, Readings};
    use assay_mpfr::MpfrOracle;
    use assay_vectors::Profile;

    use super::*;

    /// The result for an input that holds in this process, if the program is a script: the property, the message, and
    /// whether only the program shows it.
    fn seen(script: &str) -> (String, String, bool) {
        let folder = tempfile::tempdir().unwrap();
        let [artifact, path] = ["crash-1", "program"].map(|name| folder.path().join(name));
        fs::write(&artifact, "nothing but words").unwrap();
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        let (target, setting, subject) = (Target::Document, USUAL, &SubjectName::MODEL);
        let program = Program { path: &path, target, setting, subject, logs: folder.path() };
        let profile = Profile::load("intended").unwrap();
        let compared = Setup {
            numbers: EncodingTable::provisional(),
            profile: &profile,
            subject: &|| assay_model::model(EncodingTable::provisional().clone(), Readings::INTENDED),
            oracle: &|| Box::new(MpfrOracle::new(Readings::INTENDED)),
        };
        match look(target, &artifact, Some(&program), &compared).unwrap() {
            ArtifactContent::Violation(broken, setting) => {
                (broken.property, broken.message, setting.is_some())
            }
            ArtifactContent::Divergence(_) => panic!("a document is no case"),
        }
    }

    #[test]
    fn what_the_program_alone_shows_is_no_less_a_finding() {
        let panic = "echo \"thread 'x' panicked at isa/src/x.rs:1:2:\nattempt to add\" >&2; kill -ABRT $$";
        for (script, property, words, is_of_program) in [
            (panic, NO_PANIC, "attempt to add", true),
            ("kill -SEGV $$", NO_CRASH, "SIGSEGV", true),
            ("exit 0", NOT_REPEATED, "earlier inputs", false),
            ("echo no memory >&2; exit 1", UNKNOWN, "no memory", true),
        ] {
            let (found, message, program) = seen(script);
            assert_eq!((&*found, program), (property, is_of_program), "{script}: {message}");
            assert!(message.contains(words), "{script}: {message}");
        }
    }
}
