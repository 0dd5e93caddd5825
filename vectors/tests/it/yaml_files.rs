//! Tests that every YAML file of the repository is readable, and that its value is unchanged when
//! it is printed and read again.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_yaml::{Deserializer, Value};

/// Folders of the repository that contain YAML files, or may contain some later.
const FOLDERS: [&str; 7] = ["deploy", "docs", "examples", "harness", "oracles", "reports", "vectors"];

/// Returns the YAML files below a folder.
fn yaml_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let path = entry.expect("the folder can be listed").path();
        if path.is_dir() {
            files.extend(yaml_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml") {
            files.push(path);
        }
    }
    files
}

/// Reads all YAML documents of a text, because files for Kubernetes contain several.
fn documents(text: &str) -> Result<Vec<Value>, serde_yaml::Error> {
    Deserializer::from_str(text).map(Value::deserialize).collect()
}

#[test]
fn every_file_prints_back_to_an_equal_value() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let files: Vec<PathBuf> = FOLDERS.iter().flat_map(|folder| yaml_files(&root.join(folder))).collect();
    assert!(files.len() > 80, "only {} files", files.len());
    for path in files {
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let values = documents(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(!values.is_empty(), "{}", path.display());
        for value in values {
            let printed = serde_yaml::to_string(&value).expect("a value that was read can be printed");
            assert_eq!(documents(&printed).expect("what was printed reads"), [value], "{}", path.display());
        }
    }
}
