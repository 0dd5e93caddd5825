//! Everything that `docs/internals/adding-an-instruction.md` quotes or names exists.

use std::path::Path;

use crate::pages::quoted;
use crate::workspace::{root, rust_files};

/// A code block of the page, and the file that the line before it names.
struct Excerpt<'a> {
    file: Option<&'a str>,
    language: &'a str,
    lines: Vec<&'a str>,
}

/// Returns the code blocks of a page.
fn excerpts(page: &str) -> Vec<Excerpt<'_>> {
    let mut excerpts: Vec<Excerpt<'_>> = Vec::new();
    let (mut before, mut is_inside) = ("", false);
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(_) if is_inside => is_inside = false,
            Some(language) => {
                is_inside = true;
                let file = before.strip_suffix("`:").and_then(|line| line.rsplit('`').next());
                excerpts.push(Excerpt { file, language, lines: Vec::new() });
            }
            None if is_inside => excerpts.last_mut().expect("a block").lines.push(line.trim()),
            None if line.is_empty() => {}
            None => before = line,
        }
    }
    excerpts
}

/// Whether a text has the lines of an excerpt in sequence, with any indentation.
fn has(text: &str, excerpt: &[&str]) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.windows(excerpt.len()).any(|window| window == excerpt)
}

/// Returns the problems of a page about the repository in a folder.
fn problems(page: &str, folder: &Path) -> Vec<String> {
    let mut problems = Vec::new();
    for excerpt in excerpts(page).iter().filter(|excerpt| excerpt.language != "sh") {
        let first = excerpt.lines.first().unwrap_or(&"");
        let Some(file) = excerpt.file else {
            problems.push(format!("`{first}`: the line before the block names no file"));
            continue;
        };
        let text = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
        if !has(&text, &excerpt.lines) {
            problems.push(format!("`{first}`: {file} has no such lines"));
        }
    }
    let tops = ["harness/", "oracles/", "vectors/", "reports/", "docs/", "fuzz/"];
    let paths = quoted(page).into_iter().filter(|text| tops.iter().any(|top| text.starts_with(top)));
    problems
        .extend(paths.filter(|path| !folder.join(path).exists()).map(|path| format!("{path}: no such file")));
    let sources: String = ["harness", "oracles", "vectors"]
        .iter()
        .flat_map(|top| rust_files(&folder.join(top)))
        .map(|path| std::fs::read_to_string(path).expect("sources are text"))
        .collect();
    let is_test = |text: &&str| {
        text.matches('_').count() >= 3 && text.chars().all(|c| c.is_ascii_lowercase() || c == '_')
    };
    let tests = quoted(page).into_iter().filter(is_test);
    problems.extend(
        tests
            .filter(|name| !sources.contains(&format!("fn {name}()")))
            .map(|name| format!("{name}: no such test")),
    );
    problems
}

#[test]
fn the_guide_shows_what_is_there() {
    let page =
        std::fs::read_to_string(root().join("docs/internals/adding-an-instruction.md")).expect("the guide");
    let count = excerpts(&page).len();
    assert!(count >= 10, "{count} blocks");
    assert_eq!(problems(&page, &root()), Vec::<String>::new());
}

#[test]
fn a_guide_that_is_wrong_is_found_out() {
    let folder = tempfile::tempdir().expect("a folder");
    for top in ["harness", "oracles", "vectors"] {
        std::fs::create_dir(folder.path().join(top)).expect("a folder");
    }
    std::fs::write(folder.path().join("harness/a.rs"), "fn one() {\n    two();\n}\n").expect("a file");
    let of = |page: &str| problems(page, folder.path());
    assert_eq!(of("In `harness/a.rs`:\n\n```rust\nfn one() {\ntwo();\n```\n"), Vec::<String>::new());
    let stale =
        of("In `harness/a.rs`:\n\n```rust\nfn one() {\nthree();\n```\n`harness/b.rs`, `a_test_of_nothing`\n");
    assert_eq!(
        stale,
        [
            "`fn one() {`: harness/a.rs has no such lines",
            "harness/b.rs: no such file",
            "a_test_of_nothing: no such test"
        ]
    );
    assert_eq!(of("Here:\n```rust\nx\n```\n"), ["`x`: the line before the block names no file"]);
}
