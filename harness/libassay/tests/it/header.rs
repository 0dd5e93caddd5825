//! The committed header matches `src/api.rs`.
//!
//! `ASSAY_BLESS=1 cargo test -p libassay --test it header` regenerates the header.

use std::path::Path;

#[test]
fn the_header_is_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml is read");
    let bindings = cbindgen::Builder::new().with_config(config).with_src(root.join("src/api.rs")).generate();
    let mut text = Vec::new();
    bindings.expect("api.rs is read").write(&mut text);
    let text = String::from_utf8(text).expect("a header is text");
    let path = root.join("include/assay.h");
    if std::env::var_os("ASSAY_BLESS").is_some() {
        std::fs::write(&path, &text).expect("the header can be written");
    }
    let committed = std::fs::read_to_string(&path).expect("the header is there");
    assert!(committed == text, "run: ASSAY_BLESS=1 cargo test -p libassay --test it header");
    for exported in
        ["assay_open", "assay_execute", "assay_truth", "assay_judge", "ASSAY_NO_ERROR", "ASSAY_BROKEN"]
    {
        assert!(text.contains(exported), "{exported} is not in the header");
    }
}
