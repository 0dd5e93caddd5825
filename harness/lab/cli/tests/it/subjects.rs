//! The subjects that `assay-lab` adds.

use crate::support::{assay, command, status, words};

#[test]
fn the_independent_device_is_a_subject_and_its_faults_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |subject: &str, name: &str| {
        let out = folder.path().join(name).display().to_string();
        let scope = ["--only", "FMUL", "POPC", "--cases", "20000"];
        assay(&[&["fuzz", "--subject", subject, "--out", &out][..], &scope].concat())
    };
    let sound = run("independent", "sound");
    assert_eq!(status(&sound), 0, "{}", words(&sound));
    let faulty = run("independent:ties-away", "faulty");
    assert_eq!(status(&faulty), 1, "{}", words(&faulty));
    let finding = folder.path().join("faulty/findings/fmul-1.yaml").display().to_string();
    let replayed = assay(&["replay", &finding]);
    assert_eq!(status(&replayed), 1, "the finding names its subject: {}", words(&replayed));
    let misspelt = run("independent:ties-awy", "misspelt");
    assert_eq!(status(&misspelt), 2);
    assert!(words(&misspelt).contains("did you mean `ties-away`?"), "{}", words(&misspelt));
}

/// Without the documents, the subject `document` supports nothing and names the reason.
#[test]
fn the_documents_are_a_subject() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments =
        ["fuzz", "--subject", "document:literal", "--only", "POPC", "--cases", "64", "--out", "run"];
    let output = command(folder.path(), &arguments).env_remove("ASSAY_SPEC_DIR").output().expect("it starts");
    assert_ne!(status(&output), 0, "nothing was judged: {}", words(&output));
    assert!(words(&output).contains("ASSAY_SPEC_DIR"), "{}", words(&output));
    let misspelt = assay(&["fuzz", "--subject", "document:litral", "--only", "POPC", "--cases", "64"]);
    assert_eq!(status(&misspelt), 2);
    assert!(words(&misspelt).contains("did you mean `literal`?"), "{}", words(&misspelt));
}
