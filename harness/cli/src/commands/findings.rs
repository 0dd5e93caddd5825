//! The words about findings of a run.

use std::path::{Path, PathBuf};

use assay_engine::triage::Unexamined;
use assay_engine::triage::otherwise::SettingsThatExplain;
use assay_isa::readings::SWITCHES;
use assay_isa::{Erratum, shown};
use assay_records::{RunResult, Setting};
use assay_runner::findings::RunFindings;
use assay_vectors::Case;

use crate::implementations::{BuiltIn, ORACLE, PREFIX};

/// The page of a run, with the settings under which most divergences would vanish after its first line.
pub fn page(found: &RunFindings, outcome: &RunResult) -> String {
    let page = assay_reports::text(outcome);
    let (conclusion, rest) = page.split_once('\n').unwrap_or((&page, ""));
    format!("{conclusion}\n{}{rest}", remedy(found))
}

fn remedy(found: &RunFindings) -> String {
    let Some(SettingsThatExplain { settings, vanishing, asked }) = &found.otherwise else {
        return String::new();
    };
    let meaning = |(erratum, setting): &(Erratum, u8)| {
        let switch = SWITCHES.iter().find(|switch| switch.erratum == *erratum).expect("it has a setting");
        let text = switch.settings[usize::from(*setting) - 1];
        format!("  --reading {erratum}={setting}  {}: {text}\n", switch.question)
    };
    let lines: String = settings.iter().map(meaning).collect();
    format!("{vanishing} of the {asked} tested divergences vanish under another setting:\n{lines}")
}

/// A line about the divergences that were not examined; empty if all were.
pub fn warning(found: &RunFindings) -> String {
    let Unexamined { keys, cases, beyond_keys } = found.unexamined;
    match found.unexamined.total() {
        0 => String::new(),
        all => format!(
            "{all} divergences were not examined: {cases} of {keys} raw keys for which no evaluations were left, \
             {beyond_keys} of raw keys beyond those that are kept\n"
        ),
    }
}

/// The lines of a run about a bug: its signature, its number of shapes if nothing explains it, and the command that
/// shows it.
fn lines(bug: &Case, replay: &str) -> String {
    let shapes = bug.finding.as_ref().map_or(0, |finding| finding.shapes.len());
    let shapes = if shapes > 1 { format!(", in {shapes} shapes") } else { String::new() };
    format!("found {}{shapes}\n  {replay}\n", bug.signature())
}

/// The same of all bugs of a run.
pub fn list(found: &RunFindings, paths: &[PathBuf], setting: &Setting) -> String {
    let bugs = found.bugs.iter().zip(paths);
    bugs.map(|(bug, path)| lines(bug, &replay_command(path, setting))).collect()
}

/// The command that replays a finding of a run. It names the subjects that a file cannot start.
fn replay_command(path: &Path, setting: &Setting) -> String {
    let mut command = format!("assay replay {}", shown::argument(&path.display().to_string()));
    for (option, name) in [("--subject", &setting.subject), ("--against", &setting.against)] {
        let is_left_to_the_file =
            *name == ORACLE || name.starts_with(PREFIX) || name.parse::<BuiltIn>().is_ok();
        if !is_left_to_the_file {
            command += &format!(" {option} {}", shown::argument(name));
        }
    }
    command
}
