//! The files in `docs/instructions` equal the output of the command that writes them.

use std::collections::BTreeSet;
use std::path::Path;

use assay_isa::{EncodingTable, catalog};
use assay_manual::Setting;
use assay_manual::library::{COMMAND, files};
use assay_mpfr::MpfrOracle;
use assay_vectors::Profile;

#[test]
fn the_committed_pages_are_those_of_this_program() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/instructions");
    let profile = Profile::load("intended").unwrap();
    let setting = Setting { profile: &profile, numbers: EncodingTable::provisional() };
    let files = files(&setting, &mut MpfrOracle::new(profile.readings)).unwrap();
    let optypes: BTreeSet<&str> = catalog().forms.iter().map(|form| form.optype.name).collect();
    assert_eq!(files.len(), optypes.len() + 1, "a page for each optype, and an index");
    for (name, text) in &files {
        let committed = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(committed == *text, "docs/instructions/{name} is stale; run `{COMMAND}`");
    }
    let expected: BTreeSet<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(expected.contains(name.as_str()), "docs/instructions/{name} is the page of no optype");
    }
}
