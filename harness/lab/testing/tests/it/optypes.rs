//! The engine does not name any optype. Everything that it needs to know about an optype is in the
//! hints of its row.

use std::collections::BTreeSet;

use syn::visit::{self, Visit};
use syn::{Attribute, Item};

use crate::workspace::{is_for_tests, root, rust_files};

/// Finds names in a source, as identifiers and as words in strings. Skips tests, documentation and
/// attributes.
struct Named<'a> {
    names: &'a BTreeSet<&'a str>,
    found: Vec<String>,
}

impl Named<'_> {
    fn look_at(&mut self, text: &str) {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        self.found.extend(words.filter(|word| self.names.contains(word)).map(str::to_owned));
    }
}

impl<'ast> Visit<'ast> for Named<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Mod(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !is_for_tests(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_attribute(&mut self, _: &'ast Attribute) {}

    fn visit_ident(&mut self, ident: &'ast syn::Ident) {
        self.look_at(&ident.to_string());
    }

    fn visit_lit_str(&mut self, literal: &'ast syn::LitStr) {
        self.look_at(&literal.value());
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        self.look_at(&called.tokens.to_string());
        visit::visit_macro(self, called);
    }
}

/// Returns the optypes that a source names.
fn named(source: &str) -> Vec<String> {
    let names = assay_isa::catalog().optypes().iter().map(|optype| optype.name).collect();
    let mut named = Named { names: &names, found: Vec::new() };
    named.visit_file(&syn::parse_file(source).expect("sources are Rust"));
    named.found
}

#[test]
fn the_engine_names_no_optype() {
    let folder = root().join("harness/engine/src");
    let mut files = 0;
    for path in rust_files(&folder) {
        let place = path.strip_prefix(&folder).expect("a file of the folder").with_extension("");
        if place.iter().any(|part| part == "tests") {
            continue;
        }
        files += 1;
        let found = named(&std::fs::read_to_string(&path).expect("sources are text"));
        assert!(
            found.is_empty(),
            "{} names {}: say what the engine needs to know of it in the hints of its row",
            path.display(),
            found.join(", ")
        );
    }
    assert!(files > 80, "the check looks at the right folder: {files} files");
}

#[test]
fn a_name_is_found_in_code_and_neither_in_tests_nor_in_documentation() {
    let source = r#"
        //! FADD is a sum.
        /// UIADD is a sum too.
        fn is_sum(optype: &str) -> bool {
            matches!(optype, "FADD") || optype == "UIADD.X R0" || Optype::FFMA as u32 == 1
        }
        #[cfg(test)]
        mod tests {
            const OPTYPE: &str = "FMUL";
        }
    "#;
    assert_eq!(named(source), ["FADD", "UIADD", "FFMA"]);
    assert!(named("fn find(FLOATS: u32) -> &'static str { \"FMULScale and popc\" }").is_empty());
}
