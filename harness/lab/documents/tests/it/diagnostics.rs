//! The text of findings and errors.

use assay_documents::lint::{CLASSES, Class, Severity, lint};
use assay_documents::{ShownDocuments, extract};

const TEXT: &str = "\
__DefGroup G : [G]
  __Encoding
    field<0, 8> Reg ra;
    field<4, 8> Reg rb;   // over ra

__DefOptype MIX : [G]
  __Semantics
```asm
MIX Ra, Rb:
    // 先取低位
    if (Ra & 0x1 == 1) {
        Rb = 1
    }
```
";

#[test]
fn findings() {
    let shown = ShownDocuments::new([("mix.txt", TEXT)]);
    let wanted = ["overlapping-fields", "precedence", "missing-semicolon"];
    let findings = lint([("mix.txt", TEXT)]);
    let pages = findings.iter().filter(|finding| wanted.contains(&finding.class));
    insta::assert_snapshot!(pages.map(|finding| shown.finding(finding)).collect::<Vec<_>>().join("\n"));
}

#[test]
fn errors() {
    let text = "__DefGroup G : [ALL]\n  __Encoding\n    field<8, 4 SType stype;\n__DefOpcode X : [Y\n";
    let shown = ShownDocuments::new([("bad.txt", text)]);
    let errors = extract([("bad.txt", text)]).unwrap_err();
    insta::assert_snapshot!(errors.iter().map(|error| shown.error(error)).collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_finding_as_json() {
    let findings = lint([("mix.txt", TEXT)]);
    let finding = findings.iter().find(|finding| finding.class == "precedence").unwrap();
    insta::assert_json_snapshot!(finding);
}

#[test]
fn classes_have_stable_names_and_say_what_to_do() {
    let is_name = |name: &str| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    let mut names: Vec<&str> = CLASSES.iter().map(|class| class.name).collect();
    assert!(CLASSES.iter().all(|class: &&Class| is_name(class.name) && !class.help.is_empty()));
    assert!(CLASSES.iter().any(|class| class.severity == Severity::Error));
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), CLASSES.len());
}
