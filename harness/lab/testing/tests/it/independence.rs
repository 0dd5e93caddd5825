//! The independence rule: the model and the oracle depend on the tables, and never on each other.
//! The model computes without floats, and without a library for floats.

use std::collections::BTreeSet;

use cargo_metadata::{DependencyKind, Metadata, Package, PackageId};

use crate::workspace::{metadata, root, rust_files};

/// Returns the names of all packages that a package's library is built from.
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

/// A row of the table of crates in docs/architecture.md.
struct Row {
    folder: String,
    name: String,
    knows: BTreeSet<String>,
}

/// Reads the table. The first two cells have a name in backticks. The last cell lists crates
/// without their prefix `assay-`, or is `nothing`.
fn rows(page: &str) -> Vec<Row> {
    let table = page.split("| folder | crate |").nth(1).expect("the page has a table of crates");
    let lines = table.lines().skip(2).map_while(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(" | ").collect();
        let [folder, name] = [cells[0], cells[1]].map(|cell| cell.trim_matches('`').to_owned());
        let knows = cells.last().expect("a row has cells").split(", ").filter(|name| *name != "nothing");
        Row { folder, name, knows: knows.map(|name| format!("assay-{name}")).collect() }
    };
    lines.map(row).collect()
}

/// Returns the differences between the table and the packages of the workspace.
fn differences(rows: &[Row], metadata: &Metadata) -> Vec<String> {
    let packages = metadata.workspace_packages();
    let mut wrong: Vec<String> = Vec::new();
    for package in &packages {
        let name = package.name.as_str();
        let Some(place) = rows.iter().position(|row| row.name == name) else {
            wrong.push(format!("{name} has no row"));
            continue;
        };
        let built = package.dependencies.iter().filter(|dep| dep.kind == DependencyKind::Normal);
        let own = built.map(|dep| dep.name.clone()).filter(|dep| packages.iter().any(|p| *p.name == **dep));
        // Every crate may use `assay-files`, so the table leaves it out.
        let own: BTreeSet<String> = own.filter(|dep| dep != "assay-files").collect();
        let row = &rows[place];
        if own != row.knows {
            wrong.push(format!("{name} knows {own:?}, and its row says {:?}", row.knows));
        }
        let above: BTreeSet<&str> = rows[..place].iter().map(|row| row.name.as_str()).collect();
        wrong.extend(
            own.iter()
                .filter(|dep| !above.contains(dep.as_str()))
                .map(|dep| format!("{dep} stands below {name}")),
        );
        if !package.manifest_path.ends_with(format!("{}/Cargo.toml", row.folder)) {
            wrong.push(format!("{name} is not in {}", row.folder));
        }
    }
    wrong.extend(
        rows.iter()
            .filter(|row| !packages.iter().any(|p| *p.name == row.name))
            .map(|row| format!("there is no {}", row.name)),
    );
    wrong
}

#[test]
fn the_table_of_crates_tells_who_knows_whom_in_layers() {
    let page = std::fs::read_to_string(root().join("docs/architecture.md")).expect("the page");
    assert_eq!(differences(&rows(&page), &metadata()), Vec::<String>::new());
}

#[test]
fn a_wrong_table_of_crates_is_found_out() {
    let page = std::fs::read_to_string(root().join("docs/architecture.md")).expect("the page");
    let mut wrong = rows(&page);
    let isa = wrong.iter().position(|row| row.name == "assay-isa").expect("a row");
    let isa = wrong.remove(isa);
    wrong.push(isa);
    wrong.retain(|row| row.name != "assay-pages");
    for row in wrong.iter_mut().filter(|row| row.name == "assay-model") {
        row.knows.insert("assay-mpfr".into());
    }
    let said = differences(&wrong, &metadata()).join("\n");
    for part in ["assay-isa stands below assay-engine", "assay-pages has no row", "assay-model knows"] {
        assert!(said.contains(part), "{part} is not in {said}");
    }
}

/// The folder of the laboratory's crates.
const LABORATORY: &str = "/harness/lab/";

#[test]
fn the_product_needs_no_laboratory() {
    let metadata = metadata();
    let (lab, product): (Vec<&Package>, Vec<&Package>) = metadata
        .workspace_packages()
        .into_iter()
        .partition(|package| package.manifest_path.as_str().contains(LABORATORY));
    assert!(lab.iter().any(|package| *package.name == "assay-lab"), "the laboratory is elsewhere");
    for package in product {
        let built = built_from(&metadata, &package.name);
        let needed: Vec<_> =
            lab.iter().filter(|other| built.contains(&**other.name)).map(|p| &p.name).collect();
        assert!(needed.is_empty(), "{} needs {needed:?}", package.name);
    }
}

#[test]
fn crates_are_built_from_those_that_they_may() {
    let metadata = metadata();
    let built = |name: &str| -> BTreeSet<String> {
        let ours = built_from(&metadata, name)
            .into_iter()
            .filter_map(|n| Some(n.strip_prefix("assay-")?.to_owned()));
        ours.filter(|n| n != "files").collect()
    };
    for (name, may) in [
        // Model and oracle are compared with each other.
        ("assay-model", &["isa"][..]),
        ("assay-mpfr", &["fpenv", "isa"]),
        // The definitions for proofs are a third implementation.
        ("assay-circuit", &["isa"]),
        // The engine depends on neither model nor oracle.
        ("assay-engine", &["fpenv", "isa", "vectors"]),
        // The PTX interpreter knows PTX, and does not depend on the instruction set.
        ("assay-ptx", &[]),
        // The libraries do not depend on the crates that start processes, use CUDA or read Parquet.
        ("libassay", &["engine", "fpenv", "isa", "model", "mpfr", "session", "vectors"]),
        ("assay-python", &["engine", "fpenv", "isa", "model", "mpfr", "session", "vectors"]),
    ] {
        assert_eq!(built(name), may.iter().map(|n| n.to_string()).collect(), "{name}");
    }
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
fn only_programs_read_arguments_and_draw_errors() {
    let metadata = metadata();
    let libraries = ["clap", "miette", "indicatif", "signal-hook"];
    let is_program = |package: &&Package| package.targets.iter().any(|target| target.is_bin());
    for package in metadata.workspace_packages().into_iter().filter(|package| !is_program(package)) {
        let built = built_from(&metadata, &package.name);
        // The linter of documents marks positions in texts with `miette`, and so do all crates
        // built from it.
        let marks_places = *package.name == "assay-documents" || built.contains("assay-documents");
        for library in libraries.iter().filter(|library| !(marks_places && **library == "miette")) {
            assert!(!built.contains(*library), "{} is built from {library}", package.name);
        }
    }
    let built = built_from(&metadata, "assay-cli");
    assert!(libraries.iter().all(|library| built.contains(*library)), "the check looks at the right names");
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

/// A device's code never runs in the process that judges it.
#[test]
fn only_the_server_opens_a_library() {
    let mut opens: Vec<String> = Vec::new();
    for top in ["harness", "oracles", "reports", "vectors"] {
        for path in rust_files(&root().join(top)) {
            let text = std::fs::read_to_string(&path).expect("source is text");
            let place = path.strip_prefix(root()).expect("it lies in the root").display().to_string();
            let is_test = place.contains("/tests/") || place.contains("third-party");
            if !is_test && (text.contains("libloading::") || text.contains("dlopen(")) {
                opens.push(place);
            }
        }
    }
    assert_eq!(opens, ["harness/device/src/library/load.rs"]);
}
