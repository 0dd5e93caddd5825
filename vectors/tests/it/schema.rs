//! Tests that the committed JSON Schemas equal the schemas of the types.

/// If the environment variable `BLESS` is set, the test rewrites the files first.
#[test]
fn the_committed_schemas_are_current() {
    let schemas = [("case", assay_vectors::schema()), ("errata", assay_vectors::errata_schema())];
    for (name, schema) in schemas {
        let path = format!("{}/schema/{name}.schema.json", env!("CARGO_MANIFEST_DIR"));
        let current = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &current).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap();
        assert!(committed == current, "run `BLESS=1 cargo test -p assay-vectors --test it schema`");
    }
}
