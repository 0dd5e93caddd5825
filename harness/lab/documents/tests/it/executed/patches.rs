//! Patches: each edit, and each way in which a patch does not fit.

use std::sync::Arc;

use assay_documents::eval::{
    Codes, Edition, EditionError, Evaluator, PatchProblem, Patches, Rules, Specification,
};
use assay_isa::{Location, Readings};

use super::{WORD, document, run_prepared};

/// Returns what `T` writes to R0 after one patch, or the problem of the patch.
fn patched(statements: &str, place: &str, edit: &str) -> Result<u32, PatchProblem> {
    let data = format!(
        "[[patch]]\nerratum = 49\nsetting = 2\noptypes = [\"T\"]\nplace = \"{place}\"\nedit = {{ {edit} }}\n"
    );
    let patches = Patches::from_toml(&data).expect(&data);
    let text = document(statements);
    let specification = Arc::new(Specification::read([("t.txt", text.as_str())]));
    let codes = Codes::new(&specification, []);
    let rules = Rules::new([(49, 2), (11, 2)]).unwrap();
    let edition = Edition::new(specification, rules, &patches).map_err(|errors| match &errors[..] {
        [EditionError::Code(error)] => error.problem,
        other => panic!("{other:?}"),
    })?;
    let prepared = Evaluator::new(edition, codes).prepare(WORD).expect("a routine");
    let values = [(Location::R(1), 6), (Location::R(2), 3), (Location::P(1), 1)];
    Ok(run_prepared(&prepared, &values).expect("it runs")[&Location::R(0)])
}

#[test]
fn an_edit_changes_its_place() {
    const CHOICE: &str = "Rd = Ra > 9 ? 1 : 2 : 3;";
    for (statements, place, edit, expected) in [
        ("Rd = x + 1;", "assign 1", "replace = { find = \"x\", by = \"Ra * SrcB\" }", 19),
        ("x = 1;\nRd = x - SrcB;", "assign 2", "operator = { find = \"-\", by = \"+\" }", 4),
        ("Rd = Ra;", "assign 1", "value = \"_ + _ + SrcB\"", 15),
        ("Rd = min(Ra);", "assign 1", "argument = \"SrcB\"", 3),
        ("Rd = Ra;", "assign 1", "before = \"Ra = 1; Ra += 1;\"", 2),
        ("Rd = Ra;", "assign 1", "after = \"Rd = Rd + 1;\"", 7),
        (CHOICE, "assign 1", "drop-value = 1", 3),
        (CHOICE, "assign 1", "drop-value = 3", 2),
        (
            "if (Ra == 0) {\n    x = 0;\n} else {\n    Rd = x;\n}",
            "if 1 > else > assign 1",
            "value = \"SrcB\"",
            3,
        ),
        (
            "if (Ra == 0) {\n    x = 0;\n} else if (Ra == 6) {\n    Rd = x;\n}",
            "if 1 > else-if 1 > assign 1",
            "value = \"4\"",
            4,
        ),
        (
            "while (Ra != 0) {\n    x >>= 1;\n    Rd = x;\n}",
            "loop 1 > assign 1",
            "before = \"x = Ra; Ra = 0;\"",
            3,
        ),
        (
            "switch (Ra) {\n    case 1:\n        Rd = 0;\n    case 6:\n        Rd = 1;\n}",
            "switch 1 > case 2 > assign 1",
            "value = \"8\"",
            8,
        ),
    ] {
        assert_eq!(patched(statements, place, edit), Ok(expected), "{statements} {place} {edit}");
    }
}

#[test]
fn a_patch_that_does_not_fit_once_is_an_error() {
    let replace = "replace = { find = \"Ra\", by = \"SrcB\" }";
    for (statements, place, edit, problem) in [
        ("Rd = 1;", "assign 1", replace, PatchProblem::Count(0)),
        ("Rd = Ra + Ra;", "assign 1", replace, PatchProblem::Count(2)),
        ("Rd = Ra;", "assign 2", replace, PatchProblem::NoStatement),
        ("Rd = Ra;", "assign 0", replace, PatchProblem::NoStatement),
        ("Rd = Ra;", "assign", replace, PatchProblem::NoStatement),
        ("Rd = Ra;", "if 1 > then > assign 1", replace, PatchProblem::NoStatement),
        ("if (Ra) {\n    Rd = 1;\n}", "if 1 > else > assign 1", replace, PatchProblem::NoStatement),
        ("Rd = Ra - 1;", "assign 1", "operator = { find = \"+\", by = \"-\" }", PatchProblem::Count(0)),
        ("Rd = Ra;", "assign 1", "argument = \"1\"", PatchProblem::Edit),
        ("Rd = Ra;", "assign 1", "value = \"1 +\"", PatchProblem::Edit),
        ("Rd = Ra;", "assign 1", "before = \"x = ;\"", PatchProblem::Edit),
        ("Rd = Ra ? 1 : 2;", "assign 1", "drop-value = 1", PatchProblem::Count(0)),
        ("Rd = Ra;", "head", "name = { find = \"X\", by = \"T\" }", PatchProblem::Count(0)),
        ("Rd = Ra;", "head", "modifier = { find = \"m\", by = \"mode\" }", PatchProblem::Count(0)),
        ("Rd = Ra;", "head", "insert = { token = \",\", before = \"X\" }", PatchProblem::Count(0)),
        ("Rd = Ra;", "head", replace, PatchProblem::Edit),
    ] {
        assert_eq!(patched(statements, place, edit), Err(problem), "{statements} {place} {edit}");
    }
}

#[test]
fn the_head_is_patched() {
    let text = document("if (.kind == .LOW) {\n    Rd = 1;\n}\n").replace("T.mode Rd, pu", "X.kind Rd pu");
    let data = |edits: [&str; 3]| {
        let patch = |edit: &&str| {
            format!("[[patch]]\nerratum = 55\noptypes = [\"T\"]\nplace = \"head\"\nedit = {{ {edit} }}\n")
        };
        edits.iter().map(patch).collect::<String>()
    };
    let patches = Patches::from_toml(&data([
        "name = { find = \"X\", by = \"T\" }",
        "modifier = { find = \"kind\", by = \"mode\" }",
        "insert = { token = \",\", before = \"pu\" }",
    ]));
    let specification = Arc::new(Specification::read([("t.txt", text.as_str())]));
    let codes = Codes::new(&specification, []);
    let rules = Rules::new([]).unwrap();
    let bare = Evaluator::new(Edition::unpatched(Arc::clone(&specification), rules.clone()), codes.clone());
    assert!(bare.prepare(WORD).is_err());
    let edition = Edition::new(specification, rules, &patches.unwrap()).unwrap();
    let prepared = Evaluator::new(edition, codes).prepare(WORD).unwrap();
    assert_eq!(run_prepared(&prepared, &[]).unwrap()[&Location::R(0)], 1);
}

/// The data can be read, every setting is one that the evaluator follows, and both profiles are
/// supported.
#[test]
fn the_known_patches_are_sound() {
    let patches = Patches::known();
    assert_eq!((patches.code.len(), patches.facts.len()), (49, 9));
    for patch in &patches.code {
        let own = patch.setting.map(|setting| (patch.erratum, setting));
        let settings = own.into_iter().chain(patch.needs.iter().copied());
        let rules = Rules::new(settings).expect("a known setting");
        assert!(patch.is_selected(&rules), "{patch:?}");
    }
    let literal = assay_vectors::Profile::load("literal").unwrap().readings;
    for readings in [Readings::INTENDED, literal] {
        let rules = assay_documents::eval::rules(&readings).expect("a supported profile");
        let selected =
            patches.code.iter().filter(|patch| patch.setting.is_some() && patch.is_selected(&rules));
        assert_eq!(selected.count() == 0, readings == literal, "only `intended` changes the code");
    }
    let refused = Rules::new([(57, 1)]).unwrap_err();
    assert_eq!((refused.erratum, refused.setting, refused.known), (57, 1, &[2][..]));
    assert!(Patches::from_toml("[[patch]]\nerratum = 1\nplaces = 3\n").is_err());
}
