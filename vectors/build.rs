//! Lists the suites in `data/`, so that the program can contain their text.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Folders of `data/` without suites.
const NOT_SUITES: [&str; 3] = ["errata", "fuzz", "profiles"];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=data");
    let data = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("data");
    let mut files = Vec::new();
    collect(&data, &mut files)?;
    files.sort();
    let line = |path: &PathBuf| {
        let name = path.strip_prefix(&data).expect("it lies there").display();
        // The list contains `env!("CARGO_MANIFEST_DIR")` in place of the path, because a moved
        // checkout has another path.
        format!(
            "    (\"vectors/data/{name}\", include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/data/{name}\"))),\n"
        )
    };
    let lines: String = files.iter().map(line).collect();
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("carried.rs");
    fs::write(out, format!("&[\n{lines}]\n"))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            if !NOT_SUITES.iter().any(|name| path.ends_with(name)) {
                collect(&path, files)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            files.push(path);
        }
    }
    Ok(())
}
