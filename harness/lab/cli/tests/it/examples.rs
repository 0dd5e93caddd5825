//! Tests the commands and examples in the help of `assay-lab`.

use std::collections::BTreeSet;

use assay_cli::ASSAY;
use assay_cli::help::command;
use assay_cli::program::Leaf;
use assay_lab::ASSAY_LAB;

#[test]
fn each_command_has_one_example_and_each_example_can_be_parsed() {
    let names: BTreeSet<&str> = ASSAY_LAB.leaves().map(|leaf| leaf.name).collect();
    assert_eq!(names.len(), ASSAY_LAB.leaves().count());
    for Leaf { name, example, .. } in ASSAY_LAB.leaves() {
        let line = example.split(" > ").next().unwrap();
        let words = shell_words::split(line).unwrap();
        let is_of_assay = ASSAY.leaves().any(|leaf| leaf.name == *name);
        let program = if is_of_assay { "assay" } else { "assay-lab" };
        assert!(line.starts_with(&format!("{program} {name}")), "{example}");
        if let Err(error) = command(&ASSAY_LAB).try_get_matches_from(words) {
            panic!("{example}: {error}");
        }
    }
}

/// `assay-lab` has all commands of `assay`. Its other commands are exactly those for which `assay`
/// refers the user to `assay-lab`.
#[test]
fn each_command_of_assay_is_here_and_assay_knows_the_others() {
    let of_assay: BTreeSet<&str> = ASSAY.leaves().map(|leaf| leaf.name).collect();
    let of_lab: BTreeSet<&str> = ASSAY_LAB.leaves().map(|leaf| leaf.name).collect();
    assert!(of_assay.is_subset(&of_lab));
    let is_elsewhere =
        |name: &str| ASSAY.is_elsewhere(&name.split(' ').map(str::to_owned).collect::<Vec<_>>());
    for name in of_lab {
        assert_eq!(is_elsewhere(name), !of_assay.contains(name), "{name}");
    }
}
