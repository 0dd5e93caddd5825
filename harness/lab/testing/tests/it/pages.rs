//! Checks the documentation pages: links, named files and tasks must exist, and lines must be
//! short.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use crate::workspace::{root, rust_files};

/// Folders of the repository. On a page, text in backticks that begins with such a folder is a
/// path.
const FOLDERS: [&str; 10] = [
    "deploy/",
    "docs/",
    "examples/",
    "fuzz/",
    "harness/",
    "oracles/",
    "reports/",
    "scripts/",
    "vectors/",
    ".ci/",
];

/// Folders that only commands create.
const CREATED: [&str; 2] = ["fuzz/target", "vectors/generated"];

/// Returns the Markdown files at the root and below `docs`.
fn pages() -> Vec<PathBuf> {
    let folders = ["", "docs", "docs/instructions", "docs/internals", "docs/reference"];
    let files = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(root().join(folder)).expect("the folder can be listed"));
    let files = files.map(|entry| entry.expect("the folder can be listed").path());
    let mut pages: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    pages.sort();
    pages
}

/// Returns the lines of a page outside of code blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// Returns the targets of the links of a page: the text in `](…)`.
fn links(text: &str) -> Vec<&str> {
    let after = prose(text).flat_map(|line| line.split("](").skip(1));
    after.filter_map(|rest| rest.split(')').next()).collect()
}

/// Returns the text in backticks on a page, without code blocks.
pub fn quoted(text: &str) -> Vec<&str> {
    prose(text).flat_map(|line| line.split('`').skip(1).step_by(2)).collect()
}

/// Returns the anchors of a page: those of its headings, as GitHub and most renderers make them,
/// and every `id`.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = prose(text).filter_map(|line| line.strip_prefix('#'));
    let anchor = |heading: &str| -> String {
        let kept = heading.trim_start_matches('#').trim().chars();
        let kept = kept.filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
    };
    let named = text.split("id=\"").skip(1).filter_map(|rest| rest.split('"').next());
    headings.map(anchor).chain(named.map(str::to_owned)).collect()
}

/// Returns the broken links of a page.
fn broken_links(page: &Path, text: &str, anchors_of: &HashMap<PathBuf, BTreeSet<String>>) -> Vec<String> {
    let is_broken = |link: &&str| {
        if link.starts_with("https://") || link.starts_with("http://") {
            return false;
        }
        let (file, anchor) = link.split_once('#').unwrap_or((*link, ""));
        let path = if file.is_empty() {
            page.to_owned()
        } else {
            page.parent().expect("a page lies in a folder").join(file)
        };
        let Ok(path) = path.canonicalize() else { return true };
        !anchor.is_empty() && anchors_of.get(&path).is_none_or(|anchors| !anchors.contains(anchor))
    };
    let broken = links(text).into_iter().filter(is_broken);
    broken.map(|link| format!("{}: the link {link} leads nowhere", page.display())).collect()
}

/// Returns the paths that a page names but that do not exist. A name with a placeholder is no path.
fn missing_paths(page: &Path, text: &str) -> Vec<String> {
    let is_placeholder = |part: &str| part.len() > 1 && part.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_path = |name: &&str| {
        FOLDERS.iter().any(|folder| name.starts_with(folder))
            && !CREATED.iter().any(|folder| name.starts_with(folder))
            && !name.contains(['*', '<', '…', ' ', '{'])
            && !name.split('/').any(is_placeholder)
    };
    let missing = quoted(text).into_iter().filter(is_path).filter(|name| !root().join(name).exists());
    missing.map(|name| format!("{}: there is no {name}", page.display())).collect()
}

/// Returns the tasks that a page names, as `just TASK`, but that the Justfile lacks.
fn missing_tasks(page: &Path, text: &str, justfile: &str) -> Vec<String> {
    let tasks: BTreeSet<&str> = justfile
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()) && line.contains(':'))
        .filter_map(|line| line.split([' ', ':']).next())
        .collect();
    let named = quoted(text).into_iter().filter_map(|name| {
        let rest = name.strip_prefix("just ").or_else(|| name.strip_prefix("./just.sh "))?;
        rest.split_whitespace().next()
    });
    let missing = named.filter(|task| *task != "TASK" && !tasks.contains(task));
    missing.map(|task| format!("{}: there is no task {task}", page.display())).collect()
}

/// Pages that a command generates.
const PRINTED: [&str; 3] = ["docs/instructions/", "docs/reference/", "docs/lowering.md"];

/// Returns the lines of prose that are too long. Rows of tables and comments cannot be divided.
fn long_lines(page: &Path, text: &str) -> Vec<String> {
    let is_long = |line: &&str| {
        line.chars().count() > 100 && !["|", "    ", "<!--"].iter().any(|start| line.starts_with(start))
    };
    let name = page.strip_prefix(root()).unwrap_or(page);
    if PRINTED.iter().any(|start| name.starts_with(start)) {
        return Vec::new();
    }
    prose(text)
        .filter(is_long)
        .map(|line| format!("{}: over 100 characters: {line}", page.display()))
        .collect()
}

/// Returns all problems of some pages, which come with their texts.
fn wrong(pages: &[(PathBuf, String)], justfile: &str) -> Vec<String> {
    let anchors_of: HashMap<PathBuf, BTreeSet<String>> = pages
        .iter()
        .map(|(page, text)| (page.canonicalize().unwrap_or_else(|_| page.clone()), anchors(text)))
        .collect();
    let all = pages.iter().flat_map(|(page, text)| {
        let mut wrong = broken_links(page, text, &anchors_of);
        wrong.extend(missing_paths(page, text));
        wrong.extend(missing_tasks(page, text, justfile));
        wrong.extend(long_lines(page, text));
        wrong
    });
    all.collect()
}

#[test]
fn links_lead_somewhere_files_and_tasks_are_there_and_lines_are_short() {
    let text = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("the page can be read");
        (path, text)
    };
    let pages: Vec<_> = pages().into_iter().map(text).collect();
    assert!(pages.len() > 25 && pages.iter().map(|(_, text)| links(text).len()).sum::<usize>() > 100);
    let justfile = std::fs::read_to_string(root().join("Justfile")).expect("the tasks can be read");
    let wrong = wrong(&pages, &justfile);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_wrong_page_is_noticed() {
    let path = root().join("docs/glossary.md");
    let table = [
        ("[a](glossary.md)", false),
        ("[a](../README.md#two-commands)", true),
        ("[a](compatibility.md)", false),
        ("## Two commands\n[a](#two-commands)", false),
        ("[a](#three-commands)", true),
        ("[a](no-such-page.md)", true),
        ("`docs/glossary.md`", false),
        ("`docs/no-such-page.md`", true),
        ("`docs/*.md`", false),
        ("`just test`", false),
        ("`just no-such-task`", true),
        ("```sh\n[a](no-such-page.md)\n```", false),
    ];
    let wide = ["", "| ", "    "].map(|start| (format!("{start}{}", "word ".repeat(21)), start.is_empty()));
    let table = table.map(|(text, is_wrong)| (text.to_owned(), is_wrong)).into_iter().chain(wide);
    for (text, is_wrong) in table {
        let found = wrong(&[(path.clone(), text.clone())], "test:\n");
        assert_eq!(!found.is_empty(), is_wrong, "{text}: {found:?}");
    }
}

/// Names with an underscore in docs/architecture.md that are no functions: crates, and an
/// attribute.
const CRATES: [&str; 10] = [
    "cargo_metadata",
    "clap_complete",
    "clap_mangen",
    "no_std",
    "rand_chacha",
    "rand_core",
    "rustc_apfloat",
    "serde_json",
    "serde_yaml",
    "yaml_serde",
];

/// Tests that docs/architecture.md names exist.
#[test]
fn tests_that_the_architecture_names_are_there() {
    let page = std::fs::read_to_string(root().join("docs/architecture.md")).expect("the page is there");
    let mut sources = String::new();
    for file in
        ["harness", "oracles", "vectors", "reports"].map(|folder| rust_files(&root().join(folder))).concat()
    {
        sources += &std::fs::read_to_string(file).expect("sources are text");
    }
    let is_test = |name: &&str| {
        name.contains('_')
            && !CRATES.contains(name)
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    let named: BTreeSet<&str> = quoted(&page).into_iter().filter(is_test).collect();
    assert!(named.len() > 30, "only {named:?}");
    let gone: Vec<&&str> = named.iter().filter(|name| !sources.contains(&format!("fn {name}("))).collect();
    assert!(gone.is_empty(), "docs/architecture.md names functions that are not there: {gone:?}");
}

/// What is said of the time of a first build is what `first-campaign` last took, as
/// `docs/internals/checks.md` has it.
#[test]
fn the_minutes_of_the_first_command_are_the_measured_ones() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).expect("the file is there");
    let checks = read("docs/internals/checks.md");
    let row = checks.lines().find(|line| line.starts_with("| `first-campaign` |")).expect("its row");
    let minutes: f64 =
        row.split(" | ").nth(2).and_then(|cell| cell.trim().parse().ok()).expect("its minutes");
    for path in ["README.md", "docs/installing.md", "scripts/build.sh"] {
        let text = read(path);
        let (before, _) = text.split_once(" minutes on two cores").expect("it says how long a build takes");
        let said: f64 = before.rsplit(' ').next().and_then(|word| word.parse().ok()).expect("a number");
        assert!((said - minutes).abs() < 1.0, "{path}: {said} minutes; it took {minutes}");
    }
}
