//! The command of a stage: the words in the plan, and the options that a nightly run adds.

use std::path::Path;

use assay_isa::shown::argument;
use assay_records::checkpoint;

use crate::plan::{CommandKind, NightPlan, Policy, StagePlan};
use crate::words::is_given;

/// Returns the words of a stage's command, with the options that a nightly run adds.
pub fn command(plan: &NightPlan, stage: &StagePlan, run: &Path, seed: u64) -> Vec<String> {
    let kind = stage.kind();
    let mut words = stage.words().unwrap_or_default();
    let mut add = |option: &str, value: String| {
        if !is_given(&words, option) {
            words.extend([option.to_owned(), value]);
        }
    };
    add("--format", "json".into());
    if let Some(numbers) = &plan.numbers {
        add("--numbers", numbers.display().to_string());
    }
    if matches!(kind, CommandKind::Fuzz | CommandKind::Sweep | CommandKind::Vectors) {
        add("--subject", plan.subject.clone());
    }
    // A suite of vectors names its own profile. `--profile` would override it.
    let is_judged = matches!(kind, CommandKind::Fuzz | CommandKind::Sweep) || stage.is_device_check();
    if let Some(profile) = plan.profile.as_ref().filter(|_| is_judged) {
        add("--profile", profile.clone());
    }
    if kind == CommandKind::Fuzz {
        add("--seed", seed.to_string());
    }
    if matches!(kind, CommandKind::Fuzz | CommandKind::Sweep) {
        add("--out", run.display().to_string());
    }
    let Policy { allow_unjudged, allow_undeclared, require_judged, .. } = &plan.policy;
    let mut add_globs = |option: &str, globs: &[String]| {
        words.extend(globs.iter().flat_map(|glob| [option.to_owned(), glob.clone()]));
    };
    if kind == CommandKind::Vectors {
        add_globs("--allow-undeclared", allow_undeclared);
    }
    if matches!(kind, CommandKind::Fuzz | CommandKind::Sweep) {
        add_globs("--allow-unjudged", allow_unjudged);
        add_globs("--allow-undeclared", allow_undeclared);
        add_globs("--device-file", &plan.files);
        // A stage may have its own `--require-judged`.
        if let Some(percent) = require_judged.filter(|_| !is_given(&words, "--require-judged")) {
            words.extend(["--require-judged".to_owned(), percent.to_string()]);
        }
    }
    if matches!(kind, CommandKind::Fuzz | CommandKind::Sweep) {
        words.push(again(run).to_owned());
    }
    words
}

/// Returns the words of a command without `--out` and its value, `--resume` and `--overwrite`.
/// These options differ if a nightly run is continued from another folder.
pub(crate) fn without_paths(words: &[String]) -> Vec<&str> {
    let is_path = |word: &str| word == "--out";
    let is_use = |word: &str| ["--resume", "--overwrite"].contains(&word);
    let values = std::iter::once(false).chain(words.iter().map(|word| is_path(word)));
    let kept =
        words.iter().zip(values).filter(|(word, is_value)| !is_value && !is_path(word) && !is_use(word));
    kept.map(|(word, _)| word.as_str()).collect()
}

/// Returns a command as a line for a shell, without `--format json` and without the options of its
/// files.
pub(crate) fn shown(words: &[String]) -> String {
    let kept: Vec<String> = without_paths(words).into_iter().map(argument).collect();
    let is_of_assay =
        words.first().is_some_and(|word| ["fuzz", "sweep", "vectors", "dut"].contains(&&**word));
    let program = if is_of_assay { "assay" } else { "assay-lab" };
    format!("{program} {}", kept.join(" ").replacen(" --format json", "", 1))
}

/// Returns `--resume` if the folder has a checkpoint, and otherwise `--overwrite`.
fn again(run: &Path) -> &'static str {
    if is_unfinished(run) { "--resume" } else { "--overwrite" }
}

/// Returns whether a folder has a checkpoint from which its run can be continued.
pub(crate) fn is_unfinished(run: &Path) -> bool {
    let checkpoint = run.join("checkpoint.json");
    checkpoint.exists() || checkpoint::previous(&checkpoint).exists()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::values;

    #[test]
    fn the_profile_of_the_plan_is_that_of_each_stage_that_judges_results() {
        let plan = NightPlan { profile: Some("faithful".into()), ..NightPlan::load(None).expect("a plan") };
        for (run, expected) in [
            ("fuzz --only POPC", Some("faithful")),
            ("sweep popc", Some("faithful")),
            ("dut check lib:./x.so", Some("faithful")),
            ("dut check lib:./x.so --profile sm90", Some("sm90")),
            ("vectors check", None),
            ("isa lint", None),
        ] {
            let stage = StagePlan { name: "a".into(), run: run.into(), time: "1m".parse().expect("a time") };
            let words = command(&plan, &stage, Path::new("run"), 1);
            let profiles = values(&words, "--profile");
            assert_eq!(profiles, expected.into_iter().collect::<Vec<_>>(), "{run}");
        }
    }
}
