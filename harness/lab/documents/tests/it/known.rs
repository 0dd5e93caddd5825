//! Checks which known errata the linter finds, if the documents are available.

use std::collections::BTreeSet;

use assay_documents::lint::{CLASSES, lint, recall};

use crate::support::documents;

#[test]
fn no_erratum_that_was_found_is_lost() {
    let Some(texts) = documents("the known errata") else { return };
    let findings = lint(texts.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    let recall = recall(&findings);
    assert_eq!(recall.lost, [""; 0]);
    assert_eq!(recall.found.len(), 153);
    assert_eq!(recall.explained + recall.unlisted.len(), findings.len());
    let unlisted: BTreeSet<_> = recall.unlisted.iter().map(|finding| finding.class).collect();
    let examined =
        ["dead-store", "missing-braces", "output-unlisted", "placeholders-differ", "treated-unlike"];
    assert_eq!(
        unlisted.into_iter().collect::<Vec<_>>(),
        examined,
        "look at what is new, and list or mend it"
    );
}

/// Without documents nothing is found, so `lost` has every entry. The entries are well-formed, and
/// there are 191 errata.
#[test]
fn the_list_is_sound() {
    let nothing = recall(&[]);
    assert_eq!(nothing.kinds.values().map(|count| count.known).sum::<usize>(), 191);
    assert!(nothing.kinds.values().all(|count| count.found == 0) && nothing.found.is_empty());
    let classes: BTreeSet<&str> = CLASSES.iter().map(|class| class.name).collect();
    let errata: BTreeSet<&str> = nothing.lost.iter().map(|lost| lost.split(' ').next().unwrap()).collect();
    assert_eq!(errata.len(), 153);
    for lost in &nothing.lost {
        let mut words = lost.split(' ');
        let erratum = words.next().and_then(|erratum| erratum.strip_prefix('E')?.parse::<u32>().ok());
        assert!(erratum.is_some_and(|number| (1..=191).contains(&number)), "{lost}");
        assert!(words.next().is_some_and(|class| classes.contains(class)), "{lost}");
    }
}
