//! The wall between the two minds: model and oracle see the tables and never each other, and the model
//! computes without floats and without a library that has them.

use std::collections::BTreeSet;

use cargo_metadata::{DependencyKind, Metadata, PackageId};

use crate::workspace::{metadata, root, rust_files};

/// Names of everything that a package's library is built from.
fn built_from(metadata: &Metadata, name: &str) -> BTreeSet<String> {
    let nodes = &metadata.resolve.as_ref().expect("metadata resolves").nodes;
    let package = metadata.packages.iter().find(|p| p.name.as_str() == name);
    let mut open: Vec<PackageId> = vec![package.unwrap_or_else(|| panic!("no package {name}")).id.clone()];
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        let node = nodes.iter().find(|n| n.id == id).expect("every package has a node");
        for dep in &node.deps {
            let built = dep.dep_kinds.iter().any(|kind| kind.kind == DependencyKind::Normal);
            if built && seen.insert(metadata[&dep.pkg].name.to_string()) {
                open.push(dep.pkg.clone());
            }
        }
    }
    seen
}

#[test]
fn crates_know_only_whom_they_may() {
    let metadata = metadata();
    let house = |name: &str| -> BTreeSet<String> {
        let ours = built_from(&metadata, name).into_iter().filter(|n| n.starts_with("assay-"));
        // A leaf that every crate may use.
        ours.filter(|n| n != "assay-files").collect()
    };
    let set = |names: &[&str]| names.iter().map(|n| n.to_string()).collect::<BTreeSet<_>>();
    assert_eq!(house("assay-isa"), set(&[]));
    assert_eq!(house("assay-files"), set(&[]));
    assert_eq!(house("assay-fpenv"), set(&[]));
    for name in ["assay-model", "assay-crosscheck", "assay-vectors", "assay-documents"] {
        assert_eq!(house(name), set(&["assay-isa"]), "{name}");
    }
    assert_eq!(house("assay-faults"), set(&["assay-isa", "assay-model"]));
    let fpenv = "assay-fpenv";
    assert_eq!(house("assay-mpfr"), set(&["assay-isa", fpenv]));
    let process = "assay-process";
    assert_eq!(house(process), set(&[]));
    assert_eq!(house("assay-device"), set(&["assay-isa", fpenv, process]));
    // Who knows PTX does not know the instruction set.
    assert_eq!(house("assay-ptx"), set(&[]));
    assert_eq!(house("assay-stand-in"), set(&["assay-ptx"]));
    assert_eq!(house("assay-hardware"), set(&["assay-isa", "assay-ptx", fpenv]));
    assert_eq!(house("assay-engine"), set(&["assay-isa", "assay-vectors", fpenv]));
    let [engine, isa, model, mpfr, vectors] =
        ["assay-engine", "assay-isa", "assay-model", "assay-mpfr", "assay-vectors"];
    let records = "assay-records";
    assert_eq!(house(records), set(&[engine, fpenv, isa, vectors]));
    let backends = "assay-backends";
    assert_eq!(house(backends), set(&[engine, fpenv, isa, model, mpfr, vectors]));
    // No process, no CUDA and no Parquet in the library.
    assert_eq!(house("libassay"), set(&[backends, engine, fpenv, isa, model, mpfr, vectors]));
    let third = ["assay-crosscheck", "assay-device", "assay-faults", "assay-hardware", process, "assay-ptx"];
    let below = [backends, engine, fpenv, isa, model, mpfr, records, vectors];
    let runner = [&below[..], &third].concat();
    assert_eq!(house("assay-runner"), set(&runner));
    assert_eq!(house("assay-exchange"), set(&[&runner[..], &["assay-runner"]].concat()));
    assert_eq!(house("assay-nightly"), set(&[engine, fpenv, isa, process, records, vectors]));
    let pages = "assay-pages";
    assert_eq!(house(pages), set(&[isa]));
    assert_eq!(house("assay-manual"), set(&[engine, fpenv, isa, pages, vectors]));
    assert_eq!(
        house("assay-reports"),
        set(&[engine, fpenv, isa, "assay-nightly", pages, process, records, vectors])
    );
    let read = ["assay-documents", "assay-hardware", "assay-nightly", pages, "assay-ptx", "assay-reports"];
    let fuzzing = [&[engine, fpenv, isa, process, records, vectors][..], &read].concat();
    assert_eq!(house("assay-fuzzing"), set(&fuzzing));
    let mutation = [&fuzzing[..], &["assay-faults", "assay-fuzzing", model]].concat();
    assert_eq!(house("assay-mutation"), set(&mutation));
}

#[test]
fn the_model_has_no_high_precision_library() {
    let metadata = metadata();
    let model = built_from(&metadata, "assay-model");
    for library in ["rug", "gmp-mpfr-sys", "rustc_apfloat", "core-math"] {
        assert!(!model.contains(library), "the model is built from {library}");
    }
    assert!(built_from(&metadata, "assay-mpfr").contains("rug"), "the check looks at the right thing");
}

#[test]
fn only_the_command_line_reads_arguments_and_draws_errors() {
    let metadata = metadata();
    for name in ["assay-backends", "assay-exchange", "assay-runner"] {
        let built = built_from(&metadata, name);
        for library in ["clap", "miette", "indicatif", "ctrlc"] {
            assert!(!built.contains(library), "{name} is built from {library}");
        }
    }
    assert!(built_from(&metadata, "assay-cli").contains("miette"), "the check looks at the right thing");
}

#[test]
fn the_model_computes_without_floats() {
    let mut files = rust_files(&root().join("oracles/model/src"));
    files.retain(|path| path.file_stem().is_some_and(|stem| stem != "tests"));
    assert!(files.len() > 5, "the check looks at the right folder");
    for path in files {
        let text = std::fs::read_to_string(&path).expect("sources are text");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let code =
            code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
        let code: String = code.split('"').step_by(2).collect();
        let tokens = code.split(|c: char| !c.is_alphanumeric() && c != '_');
        for token in tokens {
            assert!(token != "f32" && token != "f64", "{} uses {token}", path.display());
        }
    }
}
