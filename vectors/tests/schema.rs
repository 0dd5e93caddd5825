//! The committed JSON Schema is that of the types.

/// With `BLESS=1` in the environment the file is rewritten instead.
#[test]
fn the_committed_schema_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schema/case.schema.json");
    let current = serde_json::to_string_pretty(&assay_vectors::schema()).unwrap() + "\n";
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &current).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap();
    assert!(committed == current, "run `BLESS=1 cargo test -p assay-vectors --test schema`");
}
