//! The table of dependencies in `docs/architecture.md` equals the manifest's list, and each
//! dependency is used.

use std::collections::BTreeSet;
use std::fs;

use crate::workspace::{metadata, root};

/// Returns the names in `[workspace.dependencies]`, without the crates of the workspace.
fn declared() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("Cargo.toml")).expect("there is a manifest");
    let (_, section) = text.split_once("[workspace.dependencies]\n").expect("it declares dependencies");
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    let entries = lines.filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(" = "));
    let names = entries.filter(|(_, value)| !value.contains("path = ")).map(|(name, _)| name.to_owned());
    names.collect()
}

/// Returns the names in the first column of the table, each with whether its row is complete.
fn explained() -> Vec<(String, bool)> {
    let page = fs::read_to_string(root().join("docs/architecture.md")).expect("there is the page");
    let (_, section) = page.split_once("\n## Dependencies\n").expect("the page has the section");
    let rows = section.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    let rows = rows.take_while(|line| line.starts_with("| `"));
    let cells = rows.map(|row| row.trim_matches('|').split(" | ").map(str::trim).collect::<Vec<_>>());
    cells.map(|row| (row[0].trim_matches('`').to_owned(), is_full(&row))).collect()
}

/// Whether a row has three non-empty columns.
fn is_full(row: &[&str]) -> bool {
    row.len() == 3 && row.iter().all(|cell| !cell.is_empty())
}

#[test]
fn the_table_of_dependencies_is_that_of_the_manifest() {
    let (declared, explained) = (declared(), explained());
    assert!(declared.len() > 20, "the check reads the manifest: {declared:?}");
    let names: BTreeSet<String> = explained.iter().map(|(name, _)| name.clone()).collect();
    let missing: Vec<&String> = declared.difference(&names).collect();
    let stale: Vec<&String> = names.difference(&declared).collect();
    assert!(missing.is_empty(), "add rows to docs/architecture.md, \"Dependencies\": {missing:?}");
    assert!(stale.is_empty(), "remove rows from docs/architecture.md, \"Dependencies\": {stale:?}");
    assert_eq!(names.len(), explained.len(), "a row stands twice");
    for (name, is_full) in explained {
        assert!(is_full, "the row of `{name}` lacks a column");
    }
}

#[test]
fn each_dependency_has_a_user() {
    let metadata = metadata();
    let members = metadata.workspace_packages();
    // A manifest that renames a dependency uses the new name.
    let names = members.iter().flat_map(|member| &member.dependencies);
    let used: BTreeSet<&str> = names.map(|dep| dep.rename.as_deref().unwrap_or(&dep.name)).collect();
    let unused: Vec<String> = declared().into_iter().filter(|name| !used.contains(&name[..])).collect();
    assert!(unused.is_empty(), "no crate of the workspace uses {unused:?}");
}
