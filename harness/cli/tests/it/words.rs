//! Checks that the words that `docs/internals/words.md` lists do not occur in code, on pages, or in the
//! program's output.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::support::{assay, root, stdout};

/// Paths that are not checked: the list itself, and files that others wrote or that programs
/// generated.
const NOT_HELD: [&str; 4] = ["docs/internals/words.md", "CHANGELOG.md", "reports/published", "vectors/data"];

/// Returns the words in the first column of the table under a heading of the list.
fn listed(heading: &str) -> Vec<String> {
    let page = std::fs::read_to_string(root().join("docs/internals/words.md")).expect("the list can be read");
    let (_, section) = page.split_once(&format!("\n## {heading}\n")).expect("the list has the heading");
    let section = section.split("\n## ").next().expect("a text has a first part");
    let rows = section.lines().filter(|line| line.starts_with("| ")).skip(1);
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    let words = cells.flat_map(|cell| cell.split(','));
    words.map(|word| word.trim().trim_matches('`').to_owned()).collect()
}

/// Adds to `found` the files below a folder that have one of these extensions, without the paths of
/// [`NOT_HELD`].
fn files(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be listed") {
        let path = entry.expect("the folder can be listed").path();
        let name = path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
        let inside = path.strip_prefix(root()).expect("the file is inside the repository");
        if name.starts_with('.') || name == "target" || NOT_HELD.iter().any(|not| inside.starts_with(not)) {
            continue;
        }
        if path.is_dir() {
            files(&path, endings, found);
        } else if path.extension().is_some_and(|e| endings.contains(&e.to_string_lossy().as_ref())) {
            found.push(path);
        }
    }
}

/// Splits Rust text in two: the code, and the text of comments and strings. Both keep their line
/// breaks.
fn split(text: &str) -> (String, String) {
    let (mut code, mut prose) = (String::new(), String::new());
    let mut rest = text;
    while !rest.is_empty() {
        let (length, is_prose) = piece(rest, code.ends_with(is_part));
        let (piece, after) = rest.split_at(length);
        let (to, other) = if is_prose { (&mut prose, &mut code) } else { (&mut code, &mut prose) };
        to.push_str(piece);
        other.extend(piece.chars().filter(|c| *c == '\n'));
        rest = after;
    }
    (code, prose)
}

/// Returns the length of the first piece of a Rust text, and whether the piece is a comment or a
/// string.
fn piece(text: &str, follows_word: bool) -> (usize, bool) {
    let hashes = text.strip_prefix('r').map(|after| after.len() - after.trim_start_matches('#').len());
    let raw = hashes.filter(|hashes| !follows_word && text[1 + hashes..].starts_with('"'));
    let first = text.chars().next().map_or(1, char::len_utf8);
    if text.starts_with("//") {
        (text.find('\n').unwrap_or(text.len()), true)
    } else if let Some(hashes) = raw {
        let (open, close) = (hashes + 2, format!("\"{}", "#".repeat(hashes)));
        (text[open..].find(&close).map_or(text.len(), |at| open + at + close.len()), true)
    } else if text.starts_with('"') {
        (string_length(text), true)
    } else if text.starts_with("'\\") {
        (text[3..].find('\'').map_or(text.len(), |at| at + 4), false)
    } else if text.starts_with('\'') && text.chars().nth(2) == Some('\'') {
        (text.chars().take(3).map(char::len_utf8).sum(), false)
    } else {
        (first, false)
    }
}

/// Whether a character can be part of a word.
fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the length of the string literal at the start of a text, including its quotes.
fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == '"' && !is_escaped {
            return at + 1;
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    text.len()
}

/// Returns the numbers of the lines that contain a word as a whole word, counted from 1.
fn lines_with(text: &str, word: &str) -> Vec<usize> {
    let whole = |line: &str| {
        line.match_indices(word)
            .any(|(at, _)| !line[..at].ends_with(is_part) && !line[at + word.len()..].starts_with(is_part))
    };
    text.lines().enumerate().filter(|(_, line)| whole(line)).map(|(number, _)| number + 1).collect()
}

/// Returns each occurrence of each word in a text, as `file:line: word`.
fn places(name: &str, text: &str, words: &[String]) -> Vec<String> {
    let mut all = Vec::new();
    for word in words {
        all.extend(lines_with(text, word).iter().map(|line| format!("{name}:{line}: {word}")));
    }
    all
}

/// Returns the errors in a file.
fn found_in(path: &Path, text: &str, identifiers: &[String], phrases: &[String]) -> Vec<String> {
    let name = path.to_string_lossy();
    if path.extension().is_some_and(|e| e == "rs") {
        let (code, prose) = split(text);
        return [places(&name, &code, identifiers), places(&name, &prose.to_lowercase(), phrases)].concat();
    }
    places(&name, &text.to_lowercase(), phrases)
}

#[test]
fn no_listed_word_stands_in_code_or_on_a_page() {
    let (identifiers, phrases) = (listed("Identifiers"), listed("Phrases"));
    assert!(identifiers.len() > 10 && phrases.len() > 2, "the list was read");
    let mut all = Vec::new();
    files(&root(), &["rs", "md", "sh", "py", "h", "c"], &mut all);
    for part in ["README.md", "harness/engine/src/lib.rs", "scripts/build.sh"] {
        assert!(all.contains(&root().join(part)), "{part} is not listed");
    }
    let wrong: Vec<String> = all
        .iter()
        .flat_map(|path| {
            let text = std::fs::read_to_string(path).expect("a source file is text");
            found_in(path.strip_prefix(root()).expect("it is inside"), &text, &identifiers, &phrases)
        })
        .collect();
    assert!(wrong.is_empty(), "docs/internals/words.md says what to write instead:\n{}", wrong.join("\n"));
}

#[test]
fn no_listed_word_is_printed_as_help() {
    let phrases = listed("Phrases");
    let folder = TempDir::new().expect("a folder can be made");
    let pages = folder.path().to_str().expect("the path is text");
    let output = assay(&["completions", "--man", pages]);
    assert!(output.status.success());
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder.path()).expect("the pages were written") {
        let path = entry.expect("the folder can be listed").path();
        let text = std::fs::read_to_string(&path).expect("a manual page is text").to_lowercase();
        all.push(places(&path.to_string_lossy(), &text, &phrases));
    }
    assert!(all.len() > 40, "each command has a page");
    for name in stdout(&assay(&["schema"])).lines().filter(|line| !line.is_empty()) {
        let schema = stdout(&assay(&[&["schema"], &*name.split(' ').collect::<Vec<_>>()].concat()));
        all.push(places(name, &schema.to_lowercase(), &phrases));
    }
    let wrong = all.concat();
    assert!(wrong.is_empty(), "docs/internals/words.md says what to write instead:\n{}", wrong.join("\n"));
}

#[test]
fn a_word_is_found_in_its_kind_of_text_alone() {
    let lists = (["Bench".to_owned()], ["the room".to_owned()]);
    let found = |name: &str, text: &str| found_in(Path::new(name), text, &lists.0, &lists.1);
    let text = "struct Bench;\n// Bench in The room\nlet s = \"the room\"; let r = r#\"\"the room\"#;\nlet c = '\"'; let l: &'a Bench;\n";
    assert_eq!(
        found("a.rs", text),
        ["a.rs:1: Bench", "a.rs:4: Bench", "a.rs:2: the room", "a.rs:3: the room"]
    );
    assert_eq!(found("a.md", "Benches of\nthe room and Bench\nthe rooms"), ["a.md:2: the room"]);
    assert!(found("a.rs", "struct Benches; // bench\nlet the_room = 'x';").is_empty());
}
