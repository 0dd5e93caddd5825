//! A deep check runs every ignored test. The reason in the `ignore` attribute names the task, and
//! the task's filter includes the test.

use std::collections::BTreeMap;
use std::path::Path;

use crate::workspace::{root, rust_files};

/// Ignored tests that are no checks, by file. The first test writes files. The second test is run
/// by another test.
const NO_CHECKS: [(&str, &str); 2] =
    [("engine/tests/it/hard_to_round.rs", "write_the_vectors"), ("testing/tests/it/gate.rs", "skips")];

/// Returns the commands of the tasks in the Justfile, by task name.
fn tasks(justfile: &str) -> BTreeMap<&str, String> {
    let mut tasks: BTreeMap<&str, String> = BTreeMap::new();
    let mut last = "";
    for line in justfile.lines() {
        match line.strip_prefix("    ") {
            Some(command) => *tasks.entry(last).or_default() += &format!("{command}\n"),
            None => last = line.split([' ', ':']).next().unwrap_or_default(),
        }
    }
    tasks
}

/// Returns the name and the reason of each ignored test of a file.
fn ignored(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut reason = None;
    for line in text.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix("#[ignore") {
            reason = Some(rest.trim_start_matches(" = \"").trim_end_matches("\"]"));
        } else if let Some((_, rest)) = line.split_once("fn ").filter(|_| !line.starts_with("//"))
            && let Some(reason) = reason.take()
        {
            found.push((rest.split('(').next().unwrap_or_default(), reason));
        }
    }
    found
}

/// Returns the name of the package that contains a file.
fn package(source: &Path) -> String {
    let manifest = source.ancestors().map(|folder| folder.join("Cargo.toml")).find(|path| path.is_file());
    let text = std::fs::read_to_string(manifest.expect("a package has a manifest")).expect("it is text");
    let name = text.lines().find_map(|line| line.strip_prefix("name = ")).expect("it has a name");
    name.trim_matches('"').to_owned()
}

#[test]
fn every_ignored_test_is_run_by_a_deep_check() {
    let justfile = std::fs::read_to_string(root().join("Justfile")).expect("the Justfile is there");
    let tasks = tasks(&justfile);
    let deep: Vec<&str> = tasks["test-deep"].split_whitespace().collect();
    let sources = ["harness", "oracles", "vectors", "reports"].map(|folder| rust_files(&root().join(folder)));
    let mut checked = 0;
    for source in sources.iter().flatten() {
        let text = std::fs::read_to_string(source).expect("sources are text");
        let module = source.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let is_check =
            |name: &str| !NO_CHECKS.iter().any(|(file, own)| source.ends_with(file) && *own == name);
        for (name, reason) in ignored(&text).into_iter().filter(|(name, _)| is_check(name)) {
            let place = format!("{}: {name}", source.display());
            let task = reason.split_once("`just ").and_then(|(_, rest)| rest.split('`').next());
            let task = task.unwrap_or_else(|| panic!("{place}: end the reason with the task: `just NAME`"));
            assert!(deep.contains(&task), "{place}: `just test-deep` does not run {task}");
            let reaches = |filter: &str| filter == format!("{module}::") || name.contains(filter);
            let own = format!("-p {} ", package(source));
            let is_of_all = |line: &&str| line.contains("--workspace") || line.contains(&own);
            let mut commands = tasks[task].lines().filter(|line| line.contains("--ignored"));
            let command = commands.find(is_of_all).unwrap_or_default();
            assert!(!command.is_empty(), "{place}: `just {task}` runs no ignored tests with {own}");
            let is_filter = |word: &&str| word.ends_with("::") || (word.len() > 8 && word.contains('_'));
            assert!(
                command.split_whitespace().filter(is_filter).any(reaches),
                "{place}: the filter of `just {task}` does not reach it: {command}"
            );
            checked += 1;
        }
    }
    assert!(checked > 5, "only {checked} ignored tests are found");
}

#[test]
fn an_ignored_test_is_found_with_its_reason() {
    let text =
        "    #[test]\n    #[ignore = \"an hour: `just x`\"]\n    pub fn slow() {\n    }\n    fn other() {}\n";
    assert_eq!(ignored(text), [("slow", "an hour: `just x`")]);
}
