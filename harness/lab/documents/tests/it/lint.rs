//! Tests the linter: for each class, a text with the defect, and a similar text without it.

use std::collections::BTreeSet;

use crate::snippets::{BASE, CASES, Case, PAIRS};
use assay_documents::lint::{CLASSES, lint};

/// Returns the classes of findings in some texts.
fn classes(files: &[(&str, &str)]) -> BTreeSet<&'static str> {
    lint(files.iter().copied()).into_iter().map(|finding| finding.class).collect()
}

/// Returns the base text with one change. `None` unless the replaced text occurs once.
fn changed((_, replaced, by, _): &Case) -> Option<String> {
    (BASE.matches(replaced).count() == 1).then(|| BASE.replace(replaced, by))
}

#[test]
fn the_base_is_clean() {
    let findings: Vec<String> = lint([("base.txt", BASE)]).iter().map(ToString::to_string).collect();
    assert_eq!(findings, [""; 0]);
}

#[test]
fn one_change_is_one_class_of_finding() {
    let mut wrong = Vec::new();
    for case @ (class, _, by, also) in CASES {
        let Some(text) = changed(case) else {
            wrong.push(format!("{class}: the base has not exactly one {:?}", case.1));
            continue;
        };
        let expected: BTreeSet<&str> = also.iter().copied().chain([*class]).collect();
        let found = classes(&[("base.txt", &text)]);
        if found != expected {
            wrong.push(format!("{class} by {by:?}: found {found:?}, expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pairs_of_documents_differ_in_one_class() {
    for (class, bad, good) in PAIRS {
        let (bad, good) = (classes(bad), classes(good));
        assert!(bad.contains(class), "{class} is not found: {bad:?}");
        assert!(!good.contains(class), "{class} is found where it is not: {good:?}");
    }
}

#[test]
fn every_class_has_a_case() {
    const OF_MANY: [&str; 3] = ["source-without-field", "guard-differs", "placeholders-differ"];
    let tried: BTreeSet<&str> =
        CASES.iter().map(|case| case.0).chain(PAIRS.iter().map(|pair| pair.0)).chain(OF_MANY).collect();
    let all: BTreeSet<&str> = CLASSES.iter().map(|class| class.name).collect();
    let missing: Vec<_> = all.difference(&tried).collect();
    assert!(missing.is_empty(), "no test finds {missing:?}");
}

#[test]
fn a_finding_points_at_what_it_is_about() {
    let text = BASE.replace("(u & 0x1) == 1", "u & 0x1 == 1");
    let findings = lint([("base.txt", text.as_str())]);
    let [finding] = findings.as_slice() else { panic!("one finding: {findings:#?}") };
    assert_eq!(&text[finding.span.clone()], "u & 0x1 == 1");
    let line = text[..finding.span.start].lines().count();
    assert_eq!((finding.line as usize, finding.of.as_str()), (line, "MIX"));
}

/// Returns five instructions that name `GPR` as their source, and a sixth with the given source and
/// guard.
fn five(sources: &str, guard: &str) -> String {
    let optype = |name: &str, ty: &str, sources: &str, guard: &str, end: &str| {
        format!(
            "__DefOptype {name} : [{guard}]\n__Encoding\nfield<9, 8> {ty} rd;\n__Syntax\n```\n{name} Rd {end} ;\n```\n\
             __OperandInfo\nRd is from {sources}.\n__DefOpcode {name}_R : [{name}]\n__OperandInfo\nOutList<rd>;\n\
             Order<pg, rd>;\n"
        )
    };
    let groups = "__DefGroup G : [ALL]\n__Encoding\nfield<0, 3> Pred pg = PT;\n\
                  __DefGroup U : [ALL]\n__Encoding\nfield<0, 3> UPred pg = UPT;\n";
    let usual: String = ["A", "B", "C", "D", "E"].map(|name| optype(name, "Reg", "GPR", "G", "$x")).concat();
    let ty = if sources == "GPR" { "UReg" } else { "Reg" };
    format!("{groups}{usual}{}", optype("F", ty, sources, guard, if guard == "G" { "$x $y" } else { "$x" }))
}

#[test]
fn what_differs_from_all_others_is_found() {
    let of = |sources: &str, guard: &str| classes(&[("five", five(sources, guard).as_str())]);
    assert!(of("GPR", "G").contains("source-without-field"));
    assert!(!of("UGPR", "G").contains("source-without-field"));
    assert!(of("UGPR", "U").contains("guard-differs"));
    assert!(!of("UGPR", "G").contains("guard-differs"));
    assert!(of("UGPR", "G").contains("placeholders-differ"));
    assert!(!of("UGPR", "U").contains("placeholders-differ"));
}
