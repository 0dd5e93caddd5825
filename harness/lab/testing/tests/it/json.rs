//! All JSON that the command line prints has a Rust type.

use crate::workspace::{root, rust_files};

#[test]
fn no_command_makes_json_by_hand() {
    let files = rust_files(&root().join("harness/cli/src"));
    assert!(files.len() > 30, "the check looks at the right folder");
    for path in files {
        let text = std::fs::read_to_string(&path).expect("sources are text");
        assert!(!text.contains("json!"), "{} makes JSON by hand; print a type of `records`", path.display());
    }
}
