//! The cases of findings that the known-issues list names, in the folder of all findings.

use std::fs;
use std::path::{Path, PathBuf};

use assay_files::digest;
use assay_records::write_bytes;
use assay_vectors::{Case, Finding, FoundCase, Suite};

use crate::NightlyError;
use crate::facts::SeenSignature;
use crate::folder::{Folder, NightFolder};
use crate::known_issues::{Entry, KnownIssues, Scope, ways};
use crate::nightly_report::NightlyReport;
use crate::plan::NightPlan;
use crate::setting::{DEFAULT_PROFILE, StageSetting};

/// Adds the found signatures that the known-issues list lacks, each with a copy of its case.
pub(crate) fn adopt(
    known_issues: &mut KnownIssues,
    nightly: &NightlyReport,
    folder: &Folder,
) -> Result<(), NightlyError> {
    let night = nightly.night;
    for SeenSignature { signature, case, .. } in nightly.stages.iter().flat_map(|stage| &stage.seen) {
        let (subject, profile) = nightly.judged_as(signature);
        if known_issues.entry(signature, subject, profile).is_some() {
            continue;
        }
        let case = case.as_deref().map(|case| keep(case, signature, folder)).transpose()?;
        let scope = Scope::exactly(subject, profile);
        known_issues.entries.push(Entry::new(signature, scope, night, case));
    }
    Ok(())
}

/// Adds missing findings of earlier runs to the list, so that this run replays them. An earlier run
/// is missing from the list if it was not finished, or if the list was later replaced by an older
/// one.
pub(crate) fn adopt_missed(
    known_issues: &mut KnownIssues,
    nightly: &NightlyReport,
    folder: &Folder,
) -> Result<(), NightlyError> {
    let nights: Vec<NightFolder> =
        folder.nights()?.into_iter().filter(|past| past.number < nightly.night).collect();
    // A list with a greater number comes from another folder, whose numbers mean nothing here.
    let newest = nights.iter().map(|past| past.number).max().unwrap_or(0);
    let noted = if known_issues.noted > newest { 0 } else { known_issues.noted };
    let finished = |past: &&NightFolder| past.nightly_report().exists();
    for past in nights.iter().filter(|past| past.number > noted && !finished(past)) {
        adopt_unfinished(known_issues, past, folder)?;
    }
    // Earlier finished runs need no look: the last finished run replayed all issues that they left
    // open.
    let last = nights.iter().rfind(finished).filter(|past| past.number > noted);
    match last.map(|past| NightlyReport::read(&past.nightly_report())) {
        Some(Ok(report)) => adopt_failing(known_issues, &report, folder),
        Some(Err(NightlyError::Version { .. })) | None => Ok(()),
        Some(Err(error)) => Err(error),
    }
}

/// Adds the findings of a run that was not finished.
fn adopt_unfinished(
    known_issues: &mut KnownIssues,
    past: &NightFolder,
    folder: &Folder,
) -> Result<(), NightlyError> {
    // The stages of the run can differ from those of the next one. The plan of a run of another
    // version may be unreadable.
    let Ok(plan) = NightPlan::load(Some(&past.plan())) else { return Ok(()) };
    let profile = plan.profile.as_deref().unwrap_or(DEFAULT_PROFILE);
    for StrandedFinding { stage, case, finding } in findings_of(past)? {
        let stage = plan.stages.iter().find(|other| other.name == stage);
        let setting = stage.map(|stage| StageSetting::of_options(stage, &plan.subject, profile));
        let setting = setting.unwrap_or_default();
        let signature = finding.signature.clone() + &setting.suffix();
        let subject = setting.subject.as_deref().unwrap_or(&plan.subject);
        let rules = setting.rules.as_deref().unwrap_or(profile);
        if known_issues.entry(&signature, subject, rules).is_none() {
            let case = Some(keep(&case, &signature, folder)?);
            let entry = Entry::new(&signature, Scope::exactly(subject, rules), past.number, case);
            known_issues.entries.push(found_as(entry, &finding));
        }
    }
    Ok(())
}

/// Adds the issues that failed in a finished run.
fn adopt_failing(
    known_issues: &mut KnownIssues,
    report: &NightlyReport,
    folder: &Folder,
) -> Result<(), NightlyError> {
    for line in report.signatures.iter().filter(|line| line.change.fails()) {
        let (subject, rules) = report.judged_as(&line.signature);
        if known_issues.entry(&line.signature, subject, rules).is_some() {
            continue;
        }
        let scope = Scope::exactly(subject, rules);
        let entry = Entry::new(&line.signature, scope, line.first, line.case.clone());
        let suite = line.case.as_ref().map(|case| assay_vectors::read_suite(&folder.path().join(case)));
        let finding = suite
            .transpose()
            .ok()
            .flatten()
            .and_then(|suite| suite.cases.into_iter().find_map(|case| case.finding));
        known_issues.entries.push(match finding {
            Some(finding) => found_as(entry, &finding),
            None => entry,
        });
    }
    Ok(())
}

/// Returns an issue with the ways and conditions of a finding.
fn found_as(entry: Entry, finding: &Finding) -> Entry {
    let keys = finding.keys.iter().flat_map(|key| ways(key)).collect();
    Entry { keys, conditions: finding.conditions.clone(), ..entry }
}

/// A finding of a run that was not finished.
struct StrandedFinding {
    /// The name of its stage.
    stage: String,
    case: PathBuf,
    finding: Finding,
}

/// Returns the findings in the folders of a run's stages.
fn findings_of(past: &NightFolder) -> Result<Vec<StrandedFinding>, NightlyError> {
    let stages = past.path().join("stages");
    let Ok(folders) = fs::read_dir(&stages) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for folder in folders.filter_map(Result::ok) {
        let findings = folder.path().join("run").join("findings");
        if !findings.is_dir() {
            continue;
        }
        for (path, suite) in assay_vectors::discover(&findings)? {
            let findings = suite.cases.into_iter().filter_map(|case| case.finding);
            found.extend(findings.map(|finding| StrandedFinding {
                stage: folder.file_name().to_string_lossy().into_owned(),
                case: path.clone(),
                finding,
            }));
        }
    }
    found.sort_by_key(|one| (one.stage.clone(), one.case.clone()));
    Ok(found)
}

/// Copies a case to the folder of all findings. Returns the path relative to the folder of the
/// campaign.
pub(crate) fn keep(case: &Path, signature: &str, folder: &Folder) -> Result<PathBuf, NightlyError> {
    let bytes =
        assay_files::read_regular(case, assay_files::yaml::BYTES).map_err(NightlyError::file(case))?;
    let extension = case.extension().unwrap_or_default().to_string_lossy();
    // Other parts of a finding, such as its counts, differ from run to run.
    let inputs = match assay_vectors::read_suite(case) {
        Ok(suite) => inputs(&suite),
        Err(_) => bytes.clone(),
    };
    write_finding(&bytes, (signature, &inputs), &extension, folder)
}

/// Returns the instructions of a suite and their inputs.
fn inputs(suite: &Suite) -> Vec<u8> {
    let lines = suite.cases.iter().map(|case| Case {
        asm: case.asm.clone(),
        inputs: case.inputs.clone(),
        ..Case::default()
    });
    lines.map(|case| case.to_line()).collect::<String>().into_bytes()
}

/// Writes a file to the folder of all findings. Its name depends on the signature and the inputs.
/// Returns the path relative to the folder of the campaign.
fn write_finding(
    bytes: &[u8],
    (signature, inputs): (&str, &[u8]),
    extension: &str,
    folder: &Folder,
) -> Result<PathBuf, NightlyError> {
    let words = signature.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.take(6).map(str::to_lowercase).collect();
    let digest = digest::sha256([signature.as_bytes(), inputs].concat());
    let name = format!("{}-{}.{extension}", words.join("-"), &digest[..8]);
    write_bytes(&folder.findings().join(&name), bytes)?;
    Ok(Path::new("findings").join(name))
}

/// Keeps the first divergence that does not belong to a known issue as a separate case, so that it
/// can be replayed. `cases` are the findings of this run with the signature. Returns the path
/// relative to the folder of the campaign. `None` if no finding lists the divergence.
pub(crate) fn keep_stray(
    strays: &[&FoundCase],
    cases: &[&Path],
    entry: &Entry,
    folder: &Folder,
) -> Result<Option<PathBuf>, NightlyError> {
    let Some(stray) = strays.first().copied() else { return Ok(None) };
    for path in cases {
        let mut suite = assay_vectors::read_suite(path)?;
        let is_of = |case: &Case| case.finding.as_ref().is_some_and(|finding| finding.found.contains(stray));
        let Some(case) = suite.cases.iter().find(|case| is_of(case)) else { continue };
        let finding = case.finding.as_ref().map(|finding| Finding {
            seed: finding.seed,
            subject: finding.subject.clone(),
            oracle: finding.oracle.clone(),
            profile: finding.profile.clone(),
            signature: entry.signature.clone(),
            verdict: "diverged; no condition of the known issue holds for this case".to_owned(),
            actual: stray.actual.clone(),
            ..Finding::default()
        });
        let case = Case {
            name: format!("{}-stray", case.name),
            asm: Some(stray.asm.clone()),
            inputs: stray.inputs.clone(),
            readings: case.readings.clone(),
            provenance: case.provenance.clone(),
            finding,
            ..Case::default()
        };
        suite.suite = format!("finding-{}", case.name);
        suite.cases = vec![case];
        let text = assay_vectors::suite_to_string(&suite)?;
        return write_finding(text.as_bytes(), (&entry.signature, &inputs(&suite)), "yaml", folder).map(Some);
    }
    Ok(None)
}
