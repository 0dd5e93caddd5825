//! Runs the commands of README.md, docs/*.md and docs/internals/*.md in the order of each page. Their exit statuses and
//! outputs must be as the page shows.
//!
//! A line of a block that begins with ```` ```sh ```` is a command. Its exit status must be 0, or
//! the status in a comment:
//!
//! ```sh
//! assay replay FILE    # exit status 1
//! ```
//!
//! In a block that begins with ```` ```console ````, a command follows `$ `, and its standard
//! output follows the command. In the output, `...` stands for any lines, and `[..]` for any
//! characters of a line. Seconds may differ.
//!
//! `<!-- setup: COMMAND -->` runs a command that a reader does not need.
//! `<!-- not run: it takes an hour -->` before a block states why the commands of the block are not
//! run. After `<!-- needs: PROGRAM -->`, the commands of the block are not run if the program is
//! not installed. Commands that are not run count as skipped.
//!
//! `PAGES` names the pages to run, such as `docs/pipes.md`. By default all pages are run.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use rayon::prelude::*;
use snapbox::{Assert, IntoData};

use crate::support::{ASSAY, has, root};

/// A command of a page.
#[derive(Debug, PartialEq)]
struct Step {
    command: String,
    status: i32,
    /// The output that the page shows, if any.
    shown: Option<String>,
    /// Why the command is not run. `None` if it is run.
    reason: Option<String>,
}

/// Returns the steps of a page, in order.
fn steps(page: &str) -> Vec<Step> {
    let (mut steps, mut reason, mut block) = (Vec::new(), None::<String>, None::<&str>);
    for line in page.lines() {
        let comment = |name: &str| line.strip_prefix("<!-- ")?.strip_prefix(name)?.strip_suffix(" -->");
        match (block, line) {
            (None, _) if line.starts_with("```") => block = Some(&line[3..]),
            (Some(_), "```") => (block, reason) = (None, None),
            (None, _) => {
                if let Some(text) = comment("not run: ") {
                    reason = Some(text.to_owned());
                } else if let Some(program) = comment("needs: ") {
                    reason = (!has(program)).then(|| format!("there is no {program}"));
                } else if let Some(command) = comment("setup: ") {
                    steps.push(step(command, None, None));
                } else if !line.is_empty() {
                    reason = None;
                }
            }
            (Some("sh"), _) if !line.trim().is_empty() => steps.push(step(line, None, reason.clone())),
            (Some("console"), _) => match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => steps.push(step(command, Some(String::new()), reason.clone())),
                (None, Some(Step { shown: Some(shown), .. })) => *shown += &format!("{line}\n"),
                (None, _) => panic!("output before a command: {line}"),
            },
            _ => {}
        }
    }
    steps
}

fn step(command: &str, shown: Option<String>, reason: Option<String>) -> Step {
    let status = command.split_once("# ").and_then(|(_, comment)| comment.split_once("exit status "));
    let status =
        status.map_or(0, |(_, status)| status.trim().parse().expect("a page gives a number as exit status"));
    Step { command: command.to_owned(), status, shown, reason }
}

/// Returns the text with every time in seconds replaced by `0.0 s`.
fn without_seconds(text: &str) -> String {
    let is_time = |number: &str, unit: &str| {
        number.contains('.') && number.parse::<f64>().is_ok() && unit.trim_end_matches(['.', ',', ';']) == "s"
    };
    let line = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let same = |(place, word): (usize, &&str)| match words.get(place + 1) {
            Some(unit) if is_time(word, unit) => "0.0".to_owned(),
            _ => (*word).to_owned(),
        };
        words.iter().enumerate().map(same).collect::<Vec<_>>().join(" ")
    };
    text.lines().map(|text| line(text) + "\n").collect()
}

/// Compares the output of a command with the output that the page shows. Returns the difference, or
/// `None` if only seconds differ.
fn difference(output: &str, shown: &str) -> Option<String> {
    let [output, shown] = [output, shown].map(without_seconds);
    Assert::new().try_eq(None, output.into_data(), shown.into_data()).err().map(|error| error.to_string())
}

/// Returns the names in the root that git ignores. The folder of a page lacks them, so that no page
/// or other test shares its runs.
fn ignored() -> Vec<String> {
    let text = std::fs::read_to_string(root().join(".gitignore")).expect("git ignores some names");
    text.lines().filter_map(|line| line.strip_prefix('/')).map(str::to_owned).collect()
}

/// Runs the commands of a page in a folder that looks like the root of the repository. Returns the
/// number of commands, and the commands that are not run, each with the reason.
fn run(page: &Path) -> Result<(usize, Vec<String>), String> {
    let folder = tempfile::tempdir().expect("a folder");
    let ignored = ignored();
    for entry in std::fs::read_dir(root()).expect("the root can be listed") {
        let entry = entry.expect("the root can be listed");
        if !ignored.iter().any(|name| entry.file_name() == **name) {
            symlink(entry.path().canonicalize().expect("a path"), folder.path().join(entry.file_name()))
                .expect("a link");
        }
    }
    let text = std::fs::read_to_string(page).expect("the page can be read");
    // The first Python block of the tutorial is the code of its device.
    let mut code = text.split("```python\n").skip(1).filter_map(|rest| rest.split("```").next());
    std::fs::create_dir_all(folder.path().join("target/tutorial")).expect("a folder");
    std::fs::write(folder.path().join("target/tutorial/device.py"), code.next().unwrap_or_default())
        .expect("a file");
    // Here `assay` also has the commands of `assay-lab`. Another test,
    // `no_page_asks_assay_for_a_command_of_the_laboratory`, checks which program a page names.
    let programs = tempfile::tempdir().expect("a folder");
    for name in ["assay", "assay-lab"] {
        symlink(ASSAY, programs.path().join(name)).expect("a link");
    }
    let path = [programs.path().to_owned()];
    let others = std::env::var_os("PATH").unwrap_or_default();
    let path = path.into_iter().chain(std::env::split_paths(&others));
    let path = std::env::join_paths(path).expect("a search path");
    let steps = steps(&text);
    let name = page.strip_prefix(root()).unwrap_or(page).display();
    let mut not_run = Vec::new();
    for Step { command, status, shown, reason } in &steps {
        if let Some(reason) = reason {
            not_run.push(format!("{name}: {command}: {reason}"));
            continue;
        }
        let ended =
            Command::new("bash").args(["-c", command]).current_dir(folder.path()).env("PATH", &path).output();
        let ended = ended.expect("bash starts");
        let [output, errors] =
            [&ended.stdout, &ended.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        if ended.status.code() != Some(*status) {
            return Err(format!("{name}: {} instead of {status}: {command}\n{output}{errors}", ended.status));
        }
        if let Some(difference) = shown.as_ref().and_then(|shown| difference(&output, shown)) {
            return Err(format!("{name}: `{command}` prints something else:\n{difference}\n{errors}"));
        }
    }
    Ok((steps.len(), not_run))
}

/// Returns the pages to run.
fn pages() -> Vec<PathBuf> {
    if let Some(names) = std::env::var_os("PAGES").filter(|names| !names.is_empty()) {
        let names = names.into_string().expect("text");
        return names.split_whitespace().map(|name| root().join(name)).collect();
    }
    let folders = ["docs", "docs/internals"].into_iter();
    let pages =
        folders.flat_map(|folder| std::fs::read_dir(root().join(folder)).expect("the pages can be listed"));
    let pages = pages.map(|entry| entry.expect("the pages can be listed").path());
    let pages = pages.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let mut pages: Vec<PathBuf> = pages.chain([root().join("README.md")]).collect();
    pages.sort();
    pages
}

#[test]
fn commands_of_the_pages_do_what_the_pages_show() {
    if !has("cc") || !has("python3") {
        return assay_testing::skip("page-tools", "the commands of the pages: there is no cc or no python3");
    }
    let results: Vec<Result<(usize, Vec<String>), String>> =
        pages().par_iter().map(|page| run(page)).collect();
    let problems: Vec<&String> = results.iter().filter_map(|result| result.as_ref().err()).collect();
    assert!(problems.is_empty(), "{problems:#?}");
    let (counts, not_run): (Vec<usize>, Vec<Vec<String>>) =
        results.into_iter().filter_map(Result::ok).unzip();
    assert!(counts.into_iter().sum::<usize>() > 0, "the pages have no command");
    not_run.concat().iter().for_each(|command| assay_testing::skip("page-command", command));
}

#[test]
fn a_page_that_shows_something_else_is_noticed() {
    let table = [
        ("```sh\ntrue\n```", true),
        ("```sh\nfalse\n```", false),
        ("```sh\nfalse    # exit status 1\n```", true),
        ("```sh\ntrue    # exit status 1\n```", false),
        ("<!-- not run: it fails -->\n```sh\nfalse\n```", true),
        ("<!-- not run: it fails -->\n```sh\ntrue\n```\n```sh\nfalse\n```", false),
        ("<!-- needs: bash -->\n```sh\nfalse\n```", false),
        ("<!-- needs: no-such-program -->\n```sh\nfalse\n```", true),
        ("<!-- setup: echo one > file -->\n```console\n$ cat file\none\n```", true),
        ("```console\n$ echo one; echo two\none\ntwo\n```", true),
        ("```console\n$ echo one; echo two\none\n```", false),
        ("```console\n$ echo one; echo two\n...\ntwo\n```", true),
        ("```console\n$ echo one two\none [..]\n```", true),
        // The root may have runs of other tests.
        ("```sh\n! test -e runs\n```", true),
        ("```console\n$ echo 3 cases in 2.5 s.\n3 cases in 1.7 s.\n```", true),
        // The root may have runs of other tests.
        ("```sh\n! test -e runs\n```", true),
        ("```console\n$ echo 3 cases in 2.5 s.\n4 cases in 2.5 s.\n```", false),
        ("```text\n$ false\n```", true),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    for (text, holds) in table {
        let page = folder.path().join("page.md");
        std::fs::write(&page, text).expect("a page");
        let result = run(&page);
        assert_eq!(result.is_ok(), holds, "{text}: {result:?}");
    }
}

#[test]
fn no_page_asks_assay_for_a_command_of_the_laboratory() {
    let pages = pages().into_iter().chain([root().join("CONTRIBUTING.md")]);
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("the page can be read");
        let words: Vec<String> =
            text.split_whitespace().map(|word| word.trim_matches('`').to_owned()).collect();
        for (place, _) in words.iter().enumerate().filter(|(_, word)| *word == "assay") {
            let asked = &words[place + 1..words.len().min(place + 4)];
            assert!(!assay_cli::ASSAY.is_elsewhere(asked), "{}: assay {}", page.display(), asked.join(" "));
        }
    }
}
