//! Reads the data of a report: results with their records, and findings with the answers of the
//! built-in implementations.

use std::path::{Path, PathBuf};

use assay_isa::{Location, shown};
use assay_records::Setting;
use assay_records::run_info::{RESULT, RunInfo};
use assay_reports::{FindingFiles, ReportedAnswer, ReportedFinding, ReportedRun, Side};
use assay_runner::campaign::merge;
use assay_runner::cases::suites::SuiteFile;
use assay_runner::findings::{self, RunFindings};
use assay_runner::folder::FINDINGS;
use assay_runner::inspect::finding::{ExplainedFinding, explain};
use assay_runner::inspect::inspector::{CaseAnswer, Judgement};
use assay_vectors::Case;

use crate::context::Context;
use crate::failure::Failure;
use crate::implementations::{BuiltIn, ORACLE, PREFIX};

/// Greatest number of findings whose cases the built-in implementations execute. Pages show only
/// that many findings in full.
const EXPLAINED: usize = 40;

/// Reads a run, given its folder or its `result.json`. `out` is the folder of the page.
pub fn read(context: &Context, path: &Path, out: Option<&Path>) -> Result<ReportedRun, Failure> {
    let outcome = merge::read(path)?;
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) };
    let info = if path.is_dir() || path.file_name().is_some_and(|name| name == RESULT) {
        RunInfo::beside(&folder.join(RESULT))?
    } else {
        RunInfo::default()
    };
    let findings = match findings::read(folder, &outcome) {
        Ok(Some(files)) => {
            let setting = outcome.plan.setting();
            let subjects = [("--subject", setting.subject.as_str()), ("--against", &setting.against)];
            FindingFiles::Read(of_files(context, &files, &subjects, out))
        }
        Ok(None) => FindingFiles::Missing(folder.join(FINDINGS).display().to_string()),
        Err(error) => FindingFiles::Unreadable(error.to_string()),
    };
    Ok(ReportedRun { info, findings, ..ReportedRun::bare(path.display().to_string(), outcome) })
}

/// Returns the findings of files. The first `EXPLAINED` findings have the answers of the built-in
/// implementations. `subjects` holds pairs of an option and a subject. The replay command of a
/// finding contains those subjects that the finding's file alone cannot start.
pub fn of_files(
    context: &Context,
    files: &[SuiteFile],
    subjects: &[(&str, &str)],
    out: Option<&Path>,
) -> Vec<ReportedFinding> {
    let cases = files.iter().flat_map(|file| file.suite.cases.iter().map(move |case| (file, case)));
    let one = |(place, (file, case)): (usize, (&SuiteFile, &Case))| {
        let replay = replay_command(&file.path, subjects);
        let found = ReportedFinding::bare(case.clone(), file.path.display().to_string(), replay);
        let link = out.and_then(|out| relative(&file.path, out));
        // A case that cannot be executed is shown without answers, so that the report does not
        // fail.
        let explained = if place < EXPLAINED { explain(context, file, case).ok().flatten() } else { None };
        let (answers, right_under) = explained.map_or_else(Default::default, |explained| {
            let ExplainedFinding { judgement, right_under } = explained;
            (answers(&judgement), right_under)
        });
        ReportedFinding { link, answers, right_under, ..found }
    };
    cases.enumerate().map(one).collect()
}

/// Returns the findings of a run that has just ended.
pub fn ended(found: &RunFindings, paths: &[PathBuf], setting: &Setting) -> Vec<ReportedFinding> {
    let both = [("--subject", setting.subject.as_str()), ("--against", &setting.against)];
    let one = |(case, path): (&Case, &PathBuf)| {
        ReportedFinding::bare(case.clone(), path.display().to_string(), replay_command(path, &both))
    };
    found.bugs.iter().zip(paths).map(one).collect()
}

/// Returns the answers of all implementations except the subject. Each answer states whether it
/// agrees with the oracle, with the subject, or with neither. The first answer of a judgement is
/// the subject's.
pub(super) fn answers(judgement: &Judgement) -> Vec<ReportedAnswer> {
    let [subject, others @ .., oracle] = &judgement.answers[..] else { return Vec::new() };
    let others = others.iter().map(|one| {
        let side = match &one.answer {
            CaseAnswer::Unsupported | CaseAnswer::Undefined(_) => Side::Silent,
            CaseAnswer::Effect(..) if !one.diverged => Side::Expected,
            answer if *answer == subject.answer => Side::Subject,
            CaseAnswer::Effect(..) => Side::Neither,
        };
        (one, side)
    });
    let one = |(answer, side): (&assay_runner::inspect::inspector::JudgedAnswer, Side)| ReportedAnswer {
        implementation: answer.implementation.clone(),
        writes: writes(&answer.answer),
        side,
    };
    others.chain([(oracle, Side::Oracle)]).map(one).collect()
}

fn writes(answer: &CaseAnswer) -> Vec<(Location, u32)> {
    match answer {
        CaseAnswer::Effect(writes, _) => writes.clone(),
        CaseAnswer::Undefined(_) | CaseAnswer::Unsupported => Vec::new(),
    }
}

/// Returns the command that replays a finding. It names those subjects that the file alone cannot
/// start.
fn replay_command(path: &Path, subjects: &[(&str, &str)]) -> String {
    let mut command = format!("assay replay {}", shown::argument(&path.display().to_string()));
    for (option, name) in subjects {
        let is_left_to_the_file =
            *name == ORACLE || name.starts_with(PREFIX) || name.parse::<BuiltIn>().is_ok();
        if !is_left_to_the_file {
            command += &format!(" {option} {}", shown::argument(name));
        }
    }
    command
}

/// Returns the path of a file relative to a folder. `None` if the file or the folder does not
/// exist, or if they have no folder in common except the root.
fn relative(file: &Path, folder: &Path) -> Option<String> {
    let (file, folder) = (file.canonicalize().ok()?, folder.canonicalize().ok()?);
    let shared = file.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(shared).map(|_| "..".to_owned());
    let down = file.components().skip(shared).map(|part| part.as_os_str().to_string_lossy().into_owned());
    (shared > 1).then(|| up.chain(down).collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_reached_from_the_page_beside_it() {
        let place = tempfile::tempdir().unwrap();
        let (pages, findings) = (place.path().join("pages/one"), place.path().join("run/findings"));
        std::fs::create_dir_all(&pages).unwrap();
        std::fs::create_dir_all(&findings).unwrap();
        let file = findings.join("fadd-1.yaml");
        assert_eq!(relative(&file, &pages), None, "it is not there");
        std::fs::write(&file, "").unwrap();
        assert_eq!(relative(&file, &pages).as_deref(), Some("../../run/findings/fadd-1.yaml"));
    }

    #[test]
    fn a_command_names_what_a_file_cannot_start() {
        let command =
            |subject| replay_command(Path::new("a b.yaml"), &[("--subject", subject), ("--against", "mpfr")]);
        assert_eq!(command("model"), "assay replay 'a b.yaml'");
        assert_eq!(command("exec:./dev x"), "assay replay 'a b.yaml' --subject 'exec:./dev x'");
    }
}
