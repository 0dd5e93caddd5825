//! The files of a crate have no cyclic references, except between a `mod.rs` or `lib.rs` and its
//! own children.
//!
//! A file refers to another by a `use` line, or by a path that begins with `crate`, `super` or
//! `self`. A reference to a re-exported name counts as a reference to the file that defines it.
//! References to modules that contain the file do not count, and references in tests do not count.
//! The top-level modules of the engine have no cyclic references either.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use cargo_metadata::MetadataCommand;
use syn::visit::{self, Visit};
use syn::{Item, ItemUse, UseTree, Visibility};

use crate::workspace::{is_for_tests, root, rust_files};

/// A module: the names on the path from the root of its crate.
type Module = Vec<String>;

/// The names that a file refers to.
#[derive(Default)]
struct Names {
    /// Paths, as written.
    paths: Vec<Vec<String>>,
    /// Re-exported names, with the path of each.
    exports: BTreeMap<String, Vec<String>>,
}

impl Names {
    fn of(text: &str) -> Names {
        let mut names = Names::default();
        names.visit_file(&syn::parse_file(text).expect("sources are Rust"));
        names
    }

    fn add(&mut self, tree: &UseTree, prefix: &[String], is_exported: bool) {
        let joined = |name: &syn::Ident| [prefix, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.add(&path.tree, &joined(&path.ident), is_exported),
            UseTree::Group(group) => {
                group.items.iter().for_each(|item| self.add(item, prefix, is_exported));
            }
            UseTree::Name(name) => {
                let path = if name.ident == "self" { prefix.to_vec() } else { joined(&name.ident) };
                self.add_path(path, is_exported);
            }
            UseTree::Rename(rename) => {
                let path = joined(&rename.ident);
                if is_exported {
                    self.exports.insert(rename.rename.to_string(), path.clone());
                }
                self.paths.push(path);
            }
            UseTree::Glob(_) => self.paths.push(prefix.to_vec()),
        }
    }

    fn add_path(&mut self, path: Vec<String>, is_exported: bool) {
        if let Some(last) = path.last().filter(|_| is_exported) {
            self.exports.insert(last.clone(), path.clone());
        }
        self.paths.push(path);
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Mod(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !is_for_tests(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.add(&item.tree, &[], !matches!(item.vis, Visibility::Inherited));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if ["crate", "super", "self"].contains(&names[0].as_str()) && names.len() > 1 {
            self.paths.push(names);
        }
        visit::visit_path(self, path);
    }
}

/// The modules of a crate that have files, with the names that each refers to.
struct Sources(BTreeMap<Module, Names>);

impl Sources {
    fn read(folder: &Path) -> Sources {
        let mut modules = BTreeMap::new();
        for path in rust_files(folder) {
            let place = path.strip_prefix(folder).expect("a file of the folder").with_extension("");
            let mut module: Module =
                place.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
            let is_own_test = module.last().is_some_and(|name| name == "tests");
            if is_own_test || module.iter().any(|name| name == "tests") {
                continue;
            }
            module.retain(|name| name != "mod");
            if module == ["lib"] || module == ["main"] {
                module.clear();
            }
            modules.insert(module, Names::of(&std::fs::read_to_string(&path).expect("sources are text")));
        }
        Sources(modules)
    }

    /// Returns a path from the root of the crate. `None` if the path leads to another crate.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Vec<String>> {
        let ups = path.iter().take_while(|name| *name == "super").count();
        match path.first()?.as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([module, &path[1..]].concat()),
            "super" => Some([&module[..module.len().checked_sub(ups)?], &path[ups..]].concat()),
            child => {
                let child = [module, &[child.to_owned()]].concat();
                self.0.contains_key(&child).then(|| [module, path].concat())
            }
        }
    }

    /// Returns the file that defines the item of a path.
    fn file(&self, path: &[String], depth: usize) -> Module {
        let longest = (0..=path.len()).rev().find(|length| self.0.contains_key(&path[..*length]));
        let (module, rest) = path.split_at(longest.unwrap_or(0));
        let exported = rest.first().and_then(|name| self.0[module].exports.get(name));
        let origin = exported.and_then(|export| self.absolute(module, export));
        match origin {
            Some(origin) if depth < 8 && origin != path => {
                self.file(&[&origin[..], &rest[1..]].concat(), depth + 1)
            }
            _ => module.to_vec(),
        }
    }

    /// Returns the files that each file refers to, without the modules that contain it.
    fn edges(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let named = |(module, names): (&Module, &Names)| {
            let paths = names.paths.iter().filter_map(|path| self.absolute(module, path));
            paths.map(|path| self.file(&path, 0)).filter(|file| !module.starts_with(file)).collect()
        };
        self.0.iter().map(|entry| (entry.0, named(entry))).collect()
    }

    /// Returns a text for each file on a cycle, with the files of the cycle that it refers to.
    fn circles(&self) -> Vec<String> {
        circles_in(&self.edges().into_iter().map(|(module, named)| (module.clone(), named)).collect())
    }

    /// Returns the top-level modules of the crate, each with the other top-level modules that its
    /// files refer to.
    fn top_edges(&self) -> Edges {
        let mut edges = Edges::new();
        for (file, named) in self.edges() {
            let Some(top) = file.first() else { continue };
            let others = named.iter().filter_map(|other| other.first()).filter(|other| *other != top);
            edges.entry(vec![top.clone()]).or_default().extend(others.map(|other| vec![other.clone()]));
        }
        edges
    }

    /// Returns the top-level modules that are on a cycle.
    fn top_circles(&self) -> Vec<String> {
        circles_in(&self.top_edges())
    }
}

/// Modules, each with the modules that it refers to.
type Edges = BTreeMap<Module, BTreeSet<Module>>;

/// Returns a text for each module on a cycle, with the modules of the cycle that it refers to.
fn circles_in(edges: &Edges) -> Vec<String> {
    let all: BTreeMap<&Module, BTreeSet<&Module>> =
        edges.keys().map(|module| (module, reached(edges, module))).collect();
    let shown = |module: &Module| module.join("::");
    let on_circle = all.iter().filter(|(module, reached)| reached.contains(**module));
    on_circle
        .map(|(module, _)| {
            let back = edges[*module].iter().filter(|next| all[*next].contains(*module));
            format!("{} names {}", shown(module), back.map(shown).collect::<Vec<_>>().join(" and "))
        })
        .collect()
}

/// Returns the modules that can be reached from a module.
fn reached<'a>(edges: &'a Edges, from: &'a Module) -> BTreeSet<&'a Module> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        open.extend(edges[module].iter().filter(|next| seen.insert(*next)));
    }
    seen
}

#[test]
fn no_files_name_each_other_in_a_circle() {
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec();
    let mut files = 0;
    let mut circles = Vec::new();
    for package in metadata.expect("cargo metadata runs").packages {
        let folder = package.manifest_path.parent().expect("a folder").join("src");
        let sources = Sources::read(folder.as_std_path());
        files += sources.0.len();
        circles.extend(sources.circles().into_iter().map(|circle| format!("{}: {circle}", package.name)));
    }
    assert!(files > 500, "the check looks at the right folders: {files} files");
    assert!(circles.is_empty(), "{circles:#?}");
}

/// The modules of the engine are layers: operands, generate, compare, coverage, stats, run, triage.
#[test]
fn the_modules_of_the_engine_are_layers() {
    let sources = Sources::read(&root().join("harness/engine/src"));
    let edges = sources.top_edges();
    assert!(edges.len() > 5, "the check looks at the right folder: {edges:?}");
    assert!(sources.top_circles().is_empty(), "{:#?}", sources.top_circles());
}

/// Returns the sources of a crate with these files.
fn crate_of(files: &[(&str, &str)]) -> Sources {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    Sources::read(folder.path())
}

#[test]
fn a_circle_is_found_through_a_re_export_and_a_path_in_an_expression() {
    let sources = crate_of(&[
        ("lib.rs", "mod one; mod two; pub use two::Two;"),
        ("one.rs", "use crate::Two; pub struct One(Two);"),
        ("two/mod.rs", "mod child; pub struct Two; fn f() { super::one::g() }"),
        ("two/child.rs", "use super::Two; #[cfg(test)] mod tests { use crate::one::One; }"),
    ]);
    assert_eq!(sources.circles(), ["one names two", "two names one"]);
}

#[test]
fn a_module_and_its_own_children_are_no_circle() {
    let sources = crate_of(&[
        ("lib.rs", "mod one; use one::One; pub struct Root;"),
        ("one.rs", "use crate::Root; mod child; pub struct One(Root); use child::Child;"),
        ("one/child.rs", "use super::One; pub struct Child;"),
    ]);
    assert!(sources.circles().is_empty());
}

#[test]
fn modules_can_make_a_circle_that_their_files_do_not() {
    let sources = crate_of(&[
        ("lib.rs", "mod low; mod high;"),
        ("low/mod.rs", "pub mod one; pub mod two;"),
        ("low/one.rs", "pub struct One;"),
        ("low/two.rs", "use crate::high::High; pub struct Two(High);"),
        ("high.rs", "use crate::low::one::One; pub struct High(One);"),
    ]);
    assert!(sources.circles().is_empty());
    assert_eq!(sources.top_circles(), ["high names low", "low names high"]);
}
