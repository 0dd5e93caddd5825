//! Reads damaged profiles and suites. Each read must return a value or an error, and must not
//! panic.

use assay_vectors::profile::BUILT_IN;
use assay_vectors::{Profile, read_suite_str};

/// Pieces of text that have a meaning in YAML or in a case.
const PIECES: [&str; 24] = [
    "[",
    "]",
    "{",
    "}",
    ": ",
    "- ",
    "\n",
    "&a ",
    "*a",
    "!t ",
    "|\n",
    "\"",
    "'",
    "#",
    "? ",
    "---\n",
    "-1",
    "18446744073709551616",
    "1e999",
    "0x",
    "~",
    "\u{feff}",
    "\u{2028}",
    ", ",
];

/// A generator of pseudo-random numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// Returns the text with one to four changes. Each change removes a part, repeats a part, or
/// inserts a piece.
fn damaged(text: &str, numbers: &mut Numbers) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..=numbers.below(4) {
        let start = numbers.below(text.len());
        let end = (start + numbers.below(40)).min(text.len());
        match numbers.below(3) {
            0 => drop(text.drain(start..end)),
            1 => {
                let part = text[start..end].repeat(1 + numbers.below(8));
                text.splice(end..end, part);
            }
            _ => drop(text.splice(start..start, PIECES[numbers.below(PIECES.len())].chars())),
        }
    }
    text.into_iter().collect()
}

#[test]
fn damaged_profiles_and_suites_are_read_or_refused() {
    const ROUNDS: usize = 2_000;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("profile.yaml");
    let mut numbers = Numbers(1);
    let (mut read, mut refused) = (0, 0);
    for (name, text) in BUILT_IN {
        // The profile gets another name, because a file with the name of a built-in profile would
        // be refused.
        let text = &text.replace(&format!("name: {name}\n"), "name: damaged\n");
        for _ in 0..ROUNDS / BUILT_IN.len() {
            std::fs::write(&path, damaged(text, &mut numbers)).unwrap();
            match Profile::load(path.to_str().unwrap()) {
                Ok(_) => read += 1,
                Err(error) => {
                    assert!(!error.to_string().is_empty(), "{name}");
                    refused += 1;
                }
            }
        }
    }
    let suite = include_str!("../../data/mufu-rcp.yaml");
    let suite: String = suite.split_inclusive('\n').take(200).collect();
    for _ in 0..ROUNDS {
        match read_suite_str("suite", &damaged(&suite, &mut numbers)) {
            Ok(_) => read += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(read > 100 && refused > 100, "{read} {refused}");
}

/// A suite whose extension is not `.yaml` is refused. Otherwise it would be left out, and its cases
/// would never be checked.
#[test]
fn a_file_that_is_like_a_suite_by_its_name_is_refused() {
    for name in ["more.yml", "more.YAML", "more.Yml"] {
        let folder = tempfile::tempdir().unwrap();
        let suite = include_str!("../../data/mufu-rcp.yaml");
        std::fs::write(folder.path().join("suite.yaml"), suite).unwrap();
        assert!(assay_vectors::discover(folder.path()).is_ok());
        std::fs::write(folder.path().join(name), suite).unwrap();
        let refused = assay_vectors::discover(folder.path()).unwrap_err().to_string();
        assert!(refused.contains(name) && refused.contains("ends with .yaml"), "{refused}");
    }
}
