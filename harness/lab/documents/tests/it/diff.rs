//! Comparing facts: each planted difference is found alone, and only a matching deviation explains
//! it.

use std::collections::BTreeSet;

use assay_documents::{
    Body, Deviation, ExceptionFacts, Facts, FieldFacts, FormFacts, ListFacts, Scope, diff, extract, fixture,
};

/// The form that is changed. The form has every kind of statement.
const FORM: &str = "UMOV_I";

fn form(facts: &mut Facts) -> &mut FormFacts {
    facts.forms.iter_mut().find(|form| form.form == FORM).unwrap()
}

fn body(facts: &mut Facts) -> &mut Body {
    &mut form(facts).body
}

fn field<'a>(facts: &'a mut Facts, name: &str) -> &'a mut FieldFacts {
    body(facts).fields.iter_mut().find(|field| field.name == name).unwrap()
}

fn list(facts: &mut Facts) -> &mut ListFacts {
    let spelling = facts.spellings.iter_mut().find(|spelling| spelling.optype == "UPRMT").unwrap();
    &mut spelling.lists[0]
}

/// The form or type of a difference, its subject, and a change that causes exactly this difference.
type Plant = (&'static str, &'static str, fn(&mut Facts));

const PLANTS: [Plant; 34] = [
    (FORM, "form", |facts| facts.forms.retain(|form| form.form != FORM)),
    (FORM, "optype", |facts| form(facts).optype = "MOV".into()),
    (FORM, "group", |facts| form(facts).group = "XU".into()),
    (FORM, "field vb", |facts| body(facts).fields.retain(|field| field.name != "vb")),
    (FORM, "field vc", |facts| {
        body(facts).fields.push(FieldFacts { name: "vc".into(), ..Default::default() });
    }),
    (FORM, "field vb", |facts| {
        let copy = field(facts, "vb").clone();
        body(facts).fields.push(copy);
    }),
    (FORM, "field vb lo", |facts| field(facts, "vb").lo = 33),
    (FORM, "field vb width", |facts| field(facts, "vb").width = 31),
    (FORM, "field vb type", |facts| field(facts, "vb").ty = "UImm32".into()),
    (FORM, "field vb default", |facts| field(facts, "vb").default = Some("0".into())),
    (FORM, "field width default", |facts| field(facts, "width").default = Some("64".into())),
    (FORM, "field upg default", |facts| field(facts, "upg").default = None),
    (FORM, "field stype constraint", |facts| field(facts, "stype").constraint = Some("U".into())),
    (FORM, "in", |facts| body(facts).ins.push("upp".into())),
    (FORM, "out", |facts| body(facts).outs.clear()),
    (FORM, "order", |facts| body(facts).order.reverse()),
    (FORM, "bitwidth vb", |facts| *body(facts).bitwidths.get_mut("vb").unwrap() = "64".into()),
    (FORM, "bitwidth urd", |facts| drop(body(facts).bitwidths.remove("urd"))),
    (FORM, "asm format vb", |facts| drop(body(facts).asm_formats.insert("vb".into(), "f(vb)".into()))),
    (FORM, "exception IllegalBitFieldValue", |facts| body(facts).exceptions.clear()),
    (FORM, "exception IllegalBitFieldValue", |facts| body(facts).exceptions[0].condition.push('0')),
    (FORM, "exception Other", |facts| {
        let exception = ExceptionFacts { kind: "Other".into(), condition: "x".into() };
        body(facts).exceptions.push(exception);
    }),
    ("SReg", "type", |facts| facts.types.retain(|ty| ty.name != "SReg")),
    ("SReg", "type width", |facts| facts.types[1].width = 9),
    ("SReg", "value SRZ", |facts| facts.types[1].values.last_mut().unwrap().value = 0xfe),
    ("UPRMT", "modifier mode", |facts| facts.spellings.retain(|spelling| spelling.optype != "UPRMT")),
    ("UPRMT", "modifier mode", |facts| list(facts).values.swap(0, 1)),
    ("UPRMT", "modifier mode", |facts| drop(list(facts).values.pop())),
    ("UPRMT", "modifier mode default", |facts| list(facts).starred = None),
    ("UMOV", "words", |facts| {
        let spelling = facts.spellings.iter_mut().find(|spelling| spelling.optype == "UMOV").unwrap();
        spelling.words.push("96".into());
    }),
    ("BFN", "stream", |facts| facts.streams.clear()),
    ("BFN", "opcode", |facts| facts.streams[0].opcode = 0x86),
    ("BFN", "field Exec_size bits", |facts| facts.streams[0].fields[0].bits[0].values[2].value = 7),
    ("BFN", "types", |facts| drop(facts.streams[0].types.pop())),
];

fn planted(plant: fn(&mut Facts)) -> Facts {
    let mut facts = fixture();
    plant(&mut facts);
    facts
}

#[test]
fn equal_facts_hold() {
    let facts = fixture();
    let report = diff(&facts, &facts, &[], &Scope::Everything);
    assert!(report.holds());
    let fields: usize = facts.forms.iter().map(|form| form.body.fields.len()).sum();
    assert_eq!((report.forms_compared, report.fields_compared), (facts.forms.len(), fields));
}

#[test]
fn nothing_compared_does_not_hold() {
    assert!(!diff(&Facts::default(), &Facts::default(), &[], &Scope::Everything).holds());
}

#[test]
fn each_plant_is_found_on_either_side() {
    for (target, subject, plant) in PLANTS {
        let (clean, changed) = (fixture(), planted(plant));
        for (documents, tables) in [(&clean, &changed), (&changed, &clean)] {
            let report = diff(documents, tables, &[], &Scope::Everything);
            let found: Vec<_> = report.differences.iter().map(|d| (&*d.form, &*d.subject)).collect();
            assert_eq!(found, [(target, subject)]);
            assert!(!report.holds());
        }
    }
}

/// In every form, a field that begins or ends elsewhere is a difference.
#[test]
fn each_field_that_moves_is_found() {
    type Change = fn(&mut FieldFacts);
    let clean = fixture();
    let changes: [(&str, Change); 2] = [("lo", |field| field.lo += 1), ("width", |field| field.width += 1)];
    for (part, change) in changes {
        let mut moved = fixture();
        moved.forms.iter_mut().flat_map(|form| &mut form.body.fields).for_each(change);
        let report = diff(&clean, &moved, &[], &Scope::Everything);
        let found: BTreeSet<(&str, &str)> =
            report.differences.iter().map(|d| (&*d.form, &*d.subject)).collect();
        for form in &clean.forms {
            for field in &form.body.fields {
                let subject = format!("field {} {part}", field.name);
                assert!(found.contains(&(form.form.as_str(), subject.as_str())), "{}: {subject}", form.form);
            }
        }
    }
}

#[test]
fn a_fitting_deviation_explains_a_plant() {
    for (target, subject, plant) in PLANTS {
        let tables = planted(plant);
        let found = diff(&fixture(), &tables, &[], &Scope::Everything).differences.remove(0);
        let documents = found.documents.as_deref();
        let fitting = Deviation::new(target, subject, documents, "E001", "planted");
        let report = diff(&fixture(), &tables, std::slice::from_ref(&fitting), &Scope::Everything);
        assert!(report.holds(), "{subject}");
        assert_eq!(report.explained.len(), 1);
        assert_eq!((&*report.explained[0].erratum, &*report.explained[0].why), ("E001", "planted"));

        let elsewhere = Deviation::new("UMOV_U", subject, documents, "E001", "planted");
        let other_subject = Deviation::new(target, "field urd", documents, "E001", "planted");
        for unfit in [elsewhere, other_subject] {
            let report = diff(&fixture(), &tables, std::slice::from_ref(&unfit), &Scope::Everything);
            assert_eq!((report.differences.len(), report.explained.len()), (1, 0), "{subject}");
            assert_eq!(report.unused, [unfit]);
        }
    }
}

#[test]
fn a_deviation_from_other_text_of_the_documents_explains_nothing() {
    for (target, subject, plant) in PLANTS {
        let (clean, changed) = (fixture(), planted(plant));
        for (documents, tables) in [(&clean, &changed), (&changed, &clean)] {
            let found = diff(documents, tables, &[], &Scope::Everything).differences.remove(0);
            let texts = [None, Some(""), Some("other"), found.tables.as_deref()];
            for text in texts.into_iter().filter(|text| *text != found.documents.as_deref()) {
                let unfit = Deviation::new(target, subject, text, "E001", "of another text");
                let report = diff(documents, tables, std::slice::from_ref(&unfit), &Scope::Everything);
                assert_eq!(report.differences, std::slice::from_ref(&found), "{subject}");
                assert!(report.explained.is_empty());
                assert_eq!(report.unused, [unfit], "{subject}");
            }
        }
    }
}

#[test]
fn an_optype_stands_for_its_forms() {
    let mut tables = fixture();
    for form in tables.forms.iter_mut().filter(|form| form.optype == "UMOV") {
        form.body.outs.clear();
    }
    let deviation = [Deviation::new("UMOV", "out", Some("urd"), "E001", "planted")];
    let report = diff(&fixture(), &tables, &deviation, &Scope::Everything);
    assert!(report.holds());
    assert_eq!(report.explained.len(), 3);
}

#[test]
fn an_unused_deviation_is_reported() {
    let unused = [Deviation::new("UMOV", "out", Some("urd"), "E001", "nothing planted")];
    let report = diff(&fixture(), &fixture(), &unused, &Scope::Everything);
    assert!(!report.holds());
    assert_eq!(report.unused, unused);
}

#[test]
fn what_the_scope_leaves_out_is_listed() {
    let mut tables = fixture();
    tables.forms.retain(|form| form.optype == "BMSK");
    tables.types.clear();
    tables.streams.clear();
    let deviations = [
        Deviation::new("UMOV", "out", Some("urd"), "E001", "not in the tables yet"),
        Deviation::new("SReg", "value SRZ", Some("0xff"), "E001", "of a type that no form in scope uses"),
        Deviation::new("UMOVE", "out", Some("urd"), "E001", "no such optype"),
    ];
    let report = diff(&fixture(), &tables, &deviations, &Scope::of(&tables));
    let in_scope = tables.forms.len();
    let others = fixture().forms.len() - in_scope;
    assert_eq!((report.forms_compared, report.not_in_tables.len()), (in_scope, others));
    assert!(report.differences.is_empty(), "types of other optypes are not missed");
    assert_eq!(report.unused, deviations[2..]);

    let report = diff(&tables, &fixture(), &[], &Scope::of(&tables));
    assert!(report.holds());
    assert_eq!((report.not_in_tables.len(), report.not_in_documents.len()), (0, others));

    let report = diff(&fixture(), &tables, &[], &Scope::Everything);
    let of = |subject: &str| report.differences.iter().filter(|d| d.subject == subject).count();
    assert_eq!((of("form"), of("type")), (others, 2), "all other forms, FLOSH and SReg");
}

#[test]
fn a_difference_reads_as_one_line_with_its_place() {
    let text = "__DefOptype X : [ALL]\n__DefOpcode X_R : [X]\n__Encoding\nfield<8, 4> SType stype == R;\n";
    let documents = extract([("x.txt", text)]).unwrap();
    let mut tables = documents.clone();
    tables.forms[0].body.fields[0].constraint = None;
    tables.forms[0].body.fields[0].lo = 9;
    let report = diff(&documents, &tables, &[], &Scope::Everything);
    let lines: Vec<_> = report.differences.iter().map(ToString::to_string).collect();
    let expected = [
        "X_R: field stype lo: the documents say `8` (x.txt:4), the tables say `9`",
        "X_R: field stype constraint: the documents say `R` (x.txt:4), the tables have none",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_report_survives_json() {
    let tables = planted(PLANTS[7].2);
    let report = diff(&fixture(), &tables, &[], &Scope::Everything);
    let json = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<assay_documents::DiffReport>(&json).unwrap(), report);
}
