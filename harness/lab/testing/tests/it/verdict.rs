//! Only one place computes whether a run passed.

use crate::workspace::{root, rust_files};

/// Expressions that decide whether a run passed, and the files that may use each expression. Each
/// such file computes the verdict, defines the expression, or only describes a relation on a page.
const DECISIVE: &[(&str, &[&str])] = &[
    (
        "refused_relations(",
        &["engine/src/stats/tally.rs", "records/src/verdict.rs", "reports/src/exhaustive.rs"],
    ),
    ("agreement.is_broken(", &["records/src/verdict.rs"]),
    ("judged() == 0", &["records/src/verdict.rs"]),
    ("check_unjudged(", &["engine/src/stats/judged.rs", "records/src/verdict.rs"]),
    ("exceeded.is_empty()", &[]),
    ("tally.holds(", &[]),
    ("verdict_word().is_held()", &["nightly/src/run.rs"]),
    ("failures=\\\"0\\\"", &[]),
];

/// The commands that end with the verdict of a result.
const COMMANDS: [&str; 4] = ["fuzz.rs", "sweep.rs", "merge.rs", "report.rs"];
/// Code that none of these commands may contain, because it decides a status from counts.
const DECIDING: [&str; 6] =
    ["ExitStatus::Failed", "diverged > 0", "diverged == 0", ".problem", "PASSED\"", "FAILED\""];

#[test]
fn whether_a_run_held_is_computed_in_one_place() {
    let folders = ["harness", "reports", "vectors"].map(|folder| root().join(folder));
    let files: Vec<_> = folders.iter().flat_map(|folder| rust_files(folder)).collect();
    let sources = files.iter().filter(|path| {
        !path.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "tests.rs")
    });
    let mut seen = 0;
    for path in sources {
        let text = std::fs::read_to_string(path).expect("sources are text");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (asked, allowed) in DECISIVE {
            let may = allowed.iter().any(|file| path.ends_with(file));
            seen += usize::from(may && code.contains(asked));
            assert!(
                may || !code.contains(asked),
                "{} asks `{asked}`; read the verdict of the result in its place",
                path.display()
            );
        }
    }
    let listed: usize = DECISIVE.iter().map(|(_, files)| files.len()).sum();
    assert_eq!(seen, listed, "each listed file still asks what it is listed for");
}

#[test]
fn the_commands_of_runs_and_the_scripts_read_the_verdict() {
    for command in COMMANDS {
        let path = root().join("harness/cli/src/commands").join(command);
        let text = std::fs::read_to_string(&path).expect("the command is there");
        for deciding in DECIDING {
            assert!(!text.contains(deciding), "{command} decides by `{deciding}`; it reads the verdict only");
        }
    }
    let script = std::fs::read_to_string(root().join("deploy/merge.sh")).expect("the script is there");
    assert!(
        !script.contains("failures=") && script.contains("|| verdict=$?"),
        "merge.sh has the status of merge"
    );
}
