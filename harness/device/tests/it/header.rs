//! The committed header matches `src/abi.rs`, and C and C++ compilers accept it.
//!
//! `BLESS=1 cargo test -p assay-device --test it header` writes the header again.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn header() -> PathBuf {
    root().join("include/assay_device.h")
}

#[test]
fn the_header_is_up_to_date() {
    let config = cbindgen::Config::from_file(root().join("cbindgen.toml")).expect("cbindgen.toml is read");
    let bindings =
        cbindgen::Builder::new().with_config(config).with_src(root().join("src/abi.rs")).generate();
    let mut text = Vec::new();
    bindings.expect("abi.rs is read").write(&mut text);
    let text = String::from_utf8(text).expect("a header is text");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(header(), &text).expect("the header can be written");
    }
    let committed = std::fs::read_to_string(header()).expect("the header is there");
    assert!(committed == text, "run: BLESS=1 cargo test -p assay-device --test it header");
}

#[test]
fn c_and_cpp_take_the_header() {
    let folder = tempfile::tempdir().expect("a folder for the program");
    let languages = [("cc", "c", "-std=c11"), ("c++", "cpp", "-std=c++17")];
    let mut skipped = Vec::new();
    for (compiler, suffix, standard) in languages {
        if Command::new(compiler).arg("--version").output().is_err() {
            skipped.push(compiler);
            continue;
        }
        let source = folder.path().join(format!("includes.{suffix}"));
        let text = "#include \"assay_device.h\"\nint main(void) { return assay_device_v1() == NULL; }\n";
        std::fs::write(&source, text).expect("the program can be written");
        let warnings = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only"];
        let include = root().join("include");
        let mut command = Command::new(compiler);
        let out = command.arg(standard).args(warnings).arg("-I").arg(include).arg(source).output();
        let out = out.expect("the compiler runs");
        assert!(out.status.success(), "{compiler}: {}", String::from_utf8_lossy(&out.stderr));
    }
    if !skipped.is_empty() {
        let what = format!("{} of {} compilers are not here: {skipped:?}", skipped.len(), languages.len());
        assay_testing::skip("c-compiler", &what);
    }
}
