//! The name of a type is unique in its crate. So a search for it finds one definition.

use std::collections::BTreeMap;
use std::path::Path;

use syn::Item;

use crate::workspace::{is_for_tests, metadata, root, rust_files};

/// Pairs of files that define the same types. A build compiles one of them, chosen by the platform.
const ALTERNATIVES: [[&str; 2]; 2] = [
    ["harness/fpenv/src/aarch64.rs", "harness/fpenv/src/x86_64.rs"],
    ["oracles/crosscheck/src/host/absent.rs", "oracles/crosscheck/src/host/x86_64.rs"],
];

/// Returns the types that a source defines outside of tests and functions.
fn types(source: &str) -> Vec<String> {
    fn of(items: &[Item], found: &mut Vec<String>) {
        for item in items {
            let name = match item {
                Item::Struct(item) => &item.ident,
                Item::Enum(item) => &item.ident,
                Item::Union(item) => &item.ident,
                Item::Trait(item) => &item.ident,
                Item::Type(item) => &item.ident,
                Item::Mod(module) => {
                    let inside = module.content.as_ref().filter(|_| !is_for_tests(&module.attrs));
                    if let Some((_, items)) = inside {
                        of(items, found);
                    }
                    continue;
                }
                _ => continue,
            };
            found.push(name.to_string());
        }
    }
    let mut found = Vec::new();
    of(&syn::parse_file(source).expect("sources are Rust").items, &mut found);
    found
}

/// Returns the names that more than one file of a crate defines, with these files.
fn repeated<'a>(files: impl Iterator<Item = (&'a str, String)>) -> Vec<String> {
    let mut by_name: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (file, source) in files {
        for name in types(&source) {
            by_name.entry(name).or_default().push(file);
        }
    }
    let is_repeated =
        |files: &Vec<&str>| files.len() > 1 && !ALTERNATIVES.iter().any(|two| two[..] == files[..]);
    let repeated = by_name.into_iter().filter(|(_, files)| is_repeated(files));
    repeated.map(|(name, files)| format!("{name}: {}", files.join(", "))).collect()
}

/// Whether a file below `src` has only tests.
fn holds_tests(file: &str) -> bool {
    file.ends_with("/tests.rs") || file.contains("/tests/")
}

#[test]
fn the_name_of_a_type_is_unique_in_its_crate() {
    let root = root().canonicalize().expect("the repository is there");
    let metadata = metadata();
    let crates = metadata.workspace_packages();
    assert!(crates.len() > 25, "all crates are looked at");
    let mut wrong = Vec::new();
    for package in crates {
        let folder = package.manifest_path.parent().expect("a manifest lies in a folder").join("src");
        let mut paths = rust_files(Path::new(&folder));
        paths.sort();
        let name = |path: &Path| path.strip_prefix(&root).map(|inside| inside.display().to_string());
        let names: Vec<String> = paths.iter().map(|path| name(path).expect("it is inside")).collect();
        let read = |name: &str| std::fs::read_to_string(root.join(name)).expect("sources are text");
        let sources = names.iter().filter(|name| !holds_tests(name)).map(|name| (name.as_str(), read(name)));
        wrong.extend(repeated(sources));
    }
    assert!(wrong.is_empty(), "give each type a name that says what it holds:\n{}", wrong.join("\n"));
}

#[test]
fn a_repeated_name_is_found_and_one_of_tests_is_not() {
    let sources = [
        ("a.rs", "struct Kind; mod inner { enum Report {} } #[cfg(test)] mod tests { struct Kind; }"),
        ("b.rs", "type Kind = u32; trait Report {} fn f() { struct Local; } struct Other;"),
        ("c.rs", "#[cfg(test)]\nmod tests { struct Other; }"),
    ];
    let found = repeated(sources.into_iter().map(|(file, source)| (file, source.to_owned())));
    assert_eq!(found, ["Kind: a.rs, b.rs", "Report: a.rs, b.rs"]);
}
