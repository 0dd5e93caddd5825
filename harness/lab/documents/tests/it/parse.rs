//! Parsing documents: facts, prose, and errors with their positions.

use assay_documents::{DefinitionKind, Error, ErrorKind, Facts, extract, parse, read};

const SAMPLE: &str = r#"A preface, before anything is defined.

__DefBitFieldType Tint<4>
    PALE;
    // GREY;
    DARK;   // after pale
    BLACK = 0xf;

__DefGroup PAINT : [ALL]
  __Encoding
    field<12,  3> Pred pg=PT;
__DefGroup OIL : [PAINT]
  __Encoding
    field<15,1> PModi pg.not = False;

__DefOptype MIX : [OIL] //
  __Encoding
    field< 0, 8>  Optype optype ==MIX;
    // field<77, 1> Flag dry = Wet;  // later
    field<16, 8> Reg rd;
  __Exception
    EncodingError<IllegalMix, "no; not // so"> =  (tint=="DARK")  and (rd!="R0");

  __Syntax
```asm
MIX{.tint} Rd, Ra   $sched ;
field<1, 1> Not a.field;
```
  __OperandInfo
    AsmFormat<ra.neg> = Cvt(ra.neg,  tint);
Ra is a register.
InList is a word here, and so is Order.

| Ra | Rb |
|:--:|:--:|

__DefOpcode MIX_RI : [MIX]
  __Encoding
    field<8, 4> SType stype == RI;
    field<24,8> Reg ra;
    field<32,32> UImm32 va; // comment
  __OperandInfo
    InList<pg, ra>;
    OutList<>;
    Order<pg, rd, C[va,ra], ra>;
    Bitwidth<rd> = 32 + (tint=="DARK")*32; // wide
    Bitwidth<va> = 32;
  __Exception

"#;

fn facts(text: &str) -> Facts {
    extract([("sample", text)]).unwrap()
}

/// Returns the errors of a text, as `line:column: message`.
fn errors(text: &str) -> Vec<String> {
    let errors: Vec<Error> = extract([("file", text)]).unwrap_err();
    errors.iter().map(|error| error.to_string().replace("file:", "")).collect()
}

#[test]
fn a_form_has_its_facts_and_those_it_inherits() {
    let facts = facts(SAMPLE);
    let [form] = facts.forms.as_slice() else { panic!("one form") };
    assert_eq!(["MIX_RI", "MIX", "OIL"], [&*form.form, &form.optype, &form.group]);
    assert_eq!(form.stype(), Some(("SType", "RI")));
    assert_eq!(form.at.to_string(), "sample:37");

    let body = &form.body;
    let fields: Vec<_> = body.fields.iter().map(|f| (f.name.as_str(), f.lo, f.width, f.at.line)).collect();
    let expected = [
        ("optype", 0, 8, 18),
        ("stype", 8, 4, 39),
        ("pg", 12, 3, 11),
        ("pg.not", 15, 1, 14),
        ("rd", 16, 8, 20),
        ("ra", 24, 8, 40),
        ("va", 32, 32, 41),
    ];
    assert_eq!(fields, expected);
    assert_eq!(body.fields[0].constraint.as_deref(), Some("MIX"));
    assert_eq!(body.fields[2].default.as_deref(), Some("PT"));
    assert_eq!((&body.fields[4].default, &body.fields[4].constraint), (&None, &None));

    assert_eq!(body.ins, ["pg", "ra"]);
    assert!(body.outs.is_empty());
    assert_eq!(body.order, ["pg", "rd", "C[va, ra]", "ra"]);
    assert_eq!(body.bitwidths["rd"], r#"32 + (tint=="DARK")*32"#);
    assert_eq!(body.bitwidths["va"], "32");
    assert_eq!(body.asm_formats["ra.neg"], "Cvt(ra.neg, tint)");
    assert_eq!(body.exceptions[0].kind, "IllegalMix");
    assert_eq!(body.exceptions[0].condition, r#"(tint=="DARK") and (rd!="R0")"#);
}

#[test]
fn values_count_on_from_the_last() {
    let document = parse("f", "__DefBitFieldType T<3>\n A;\n B = 5;\n C;\n D = 1;").unwrap();
    let values: Vec<_> = document.types[0].values.iter().map(|v| (v.name.as_str(), v.value)).collect();
    assert_eq!(values, [("A", 0), ("B", 5), ("C", 6), ("D", 1)]);
    assert_eq!(document.types[0].width, 3);
}

#[test]
fn declarations_count_before_inheritance() {
    let document = parse("sample", SAMPLE).unwrap();
    assert_eq!(
        [DefinitionKind::Group, DefinitionKind::Optype, DefinitionKind::Form]
            .map(|kind| document.count(kind)),
        [2, 1, 1]
    );
    assert_eq!(document.count_fields(), 7);
}

#[test]
fn line_ends_and_a_byte_order_mark_change_nothing() {
    let windows = format!("\u{feff}{}", SAMPLE.replace('\n', "\r\n"));
    let facts = |text: &str| assay_documents::render(&parse("f", text).unwrap()).unwrap();
    assert_eq!(facts(&windows), facts(SAMPLE));
}

#[test]
fn files_are_one_document() {
    let (group, rest) = SAMPLE.split_at(SAMPLE.find("__DefOptype").unwrap());
    let parts = extract([("a", group), ("b", rest)]).unwrap();
    assert_eq!(parts.forms[0].body.fields, {
        let mut fields = facts(SAMPLE).forms[0].body.fields.clone();
        fields.iter_mut().zip(&parts.forms[0].body.fields).for_each(|(f, part)| f.at = part.at.clone());
        fields
    });
    let errors = read([("a", "__DefFoo"), ("b", "__DefBar")]).unwrap_err();
    assert_eq!(errors.iter().map(|e| e.at.to_string()).collect::<Vec<_>>(), ["a:1", "b:1"]);
}

#[test]
fn prose_alone_declares_nothing() {
    let prose = "# Title\n\n__Note__ well: `__Encoding` is discussed here.\n\n| a | b |\n";
    assert_eq!(facts(prose), Facts::default());
}

/// The head of a form, and the start of its `__Encoding`.
const FORM: &str = "__DefOptype X : [ALL]\n__DefOpcode X_R : [X]\n  __Encoding\n";

#[test]
fn statements_that_cannot_be_read_say_where_and_what() {
    let cases = [
        ("    field<8 4> SType s;", "4:13: expected `,`, found `4> SType s;`"),
        ("    field<8, 4> SType;", "4:22: expected the name of the field, found `;`"),
        ("    field<8, 4> SType s", "4:24: expected `;`, found the end of the line"),
        ("    field<8, 4> SType s; // ok\n x", "5:2: expected `field<LOW BIT, WIDTH> TYPE NAME;`, found `x`"),
        ("    field<8, 4> SType s = ;", "4:27: expected the default value, found `;`"),
        ("    field<8, 4> SType s ==;", "4:27: expected the value it must have, found `;`"),
        ("    field<8, 4> SType s; t", "4:26: expected the end of the line, found `t`"),
        ("    field<x, 4> SType s;", "4:11: expected the lowest bit, found `x, 4> SType s;`"),
        ("    größe<8, 4>", "4:5: expected `field<LOW BIT, WIDTH> TYPE NAME;`, found `größe<8, 4>`"),
        ("field<8, 4> ß ß;", "4:13: expected a type, found `ß ß;`"),
        ("  __OperandInfo\n  InList<a,>;", "5:12: expected an operand, found `>;`"),
        ("  __OperandInfo\n  Order<a, C[b>;", "5:15: expected `,` or `]`, found `>;`"),
        ("  __OperandInfo\n  Bitwidth<a> = ;", "5:17: expected an expression, found `;`"),
        (
            "  __OperandInfo\n  Bitwidth<a> = 3 // ;",
            "5:18: expected `;` after the expression, found the end of the line",
        ),
        (
            "  __Exception\n  Warning<A, \"b\"> = c;",
            "5:3: expected `EncodingError<KIND, \"MESSAGE\"> = CONDITION;`, found `Warning<A, \"b\"> = c;`",
        ),
        (
            "  __Exception\n  EncodingError<A, \"b> = c;",
            "5:20: expected a message with a closing quote, found `\"b> = c;`",
        ),
        ("  __Encoding x", "4:14: expected the end of the line, found `x`"),
        ("__DefOpcode : [X]", "4:13: expected a name, found `: [X]`"),
        ("__DefOpcode Y : [X, Z]", "4:19: expected `]`, found `, Z]`"),
        ("__DefBitFieldType T<65>", "4:21: expected a width from 1 to 64, found `65>`"),
        ("__DefBitFieldType T<2>\n A B;", "5:4: expected `;`, found `B;`"),
    ];
    for (line, expected) in cases {
        assert_eq!(errors(&format!("{FORM}{line}\n")), [expected], "{line}");
    }
}

type IsExpected = fn(&ErrorKind) -> bool;

#[test]
fn facts_that_cannot_be_say_where_and_what_to_do() {
    let cases: [(&str, &str, IsExpected); 12] = [
        ("field<127, 2> T a;", "4:1", |kind| matches!(kind, ErrorKind::OutOfWord { lo: 127, width: 2 })),
        ("field<0, 0> T a;", "4:1", |kind| matches!(kind, ErrorKind::OutOfWord { .. })),
        ("field<0xffffffffffffffff, 1> T a;", "4:1", |kind| matches!(kind, ErrorKind::OutOfWord { .. })),
        ("field<0, 8> T a;\nfield<7, 1> T b;", "5:1", |kind| matches!(kind, ErrorKind::Collision { .. })),
        ("field<0, 8> T a;\nfield<8, 1> T a;", "5:1", |kind| matches!(kind, ErrorKind::Collision { .. })),
        ("__OperandInfo\n InList<a>;\n InList<b>;", "6:2", |kind| matches!(kind, ErrorKind::GivenTwice(_))),
        ("__OperandInfo\n Bitwidth<a> = 1;\n Bitwidth<a> = 1;", "6:2", |kind| {
            matches!(kind, ErrorKind::GivenTwice(_))
        }),
        ("__DefBitFieldType T<1>\n A;\n B;\n C;", "7:2", |kind| {
            matches!(kind, ErrorKind::OutOfType { value: 2, .. })
        }),
        ("__DefBitFieldType T<1>\n __Encoding", "5:2", |kind| matches!(kind, ErrorKind::StraySection(_))),
        ("__DefGroups A : [ALL]", "4:1", |kind| matches!(kind, ErrorKind::UnknownDefinition(_))),
        ("__DefOpcode X_R : [X]", "4:1", |kind| matches!(kind, ErrorKind::DefinedTwice { .. })),
        ("__DefOpcode Y_R : [Y]", "4:1", |kind| matches!(kind, ErrorKind::UnknownParent(_))),
    ];
    for (lines, place, is_expected) in cases {
        let errors = extract([("f", format!("{FORM}{lines}\n").as_str())]).unwrap_err();
        let [error] = errors.as_slice() else { panic!("{lines}: {errors:?}") };
        assert!(is_expected(&error.kind), "{lines}: {error}");
        assert_eq!(format!("{}:{}", error.at.line, error.at.column), place, "{lines}");
    }
}

#[test]
fn a_parent_is_of_the_kind_above() {
    assert_eq!(errors("__DefGroup G : [ALL]\n__DefOpcode X : [G]\n").len(), 1);
    assert_eq!(errors("__DefOpcode X : [ALL]\n").len(), 1);
    assert_eq!(errors("__DefGroup G : [G]\n").len(), 1, "nothing is its own parent");
}

#[test]
fn every_error_is_reported_and_a_lost_head_only_once() {
    let text =
        "__DefOpcode ?\n  __Encoding\n    field<nonsense\n__DefGroup G : [ALL]\n  __Encoding\n    x\n    y\n";
    let lines: Vec<_> = errors(text).iter().map(|e| e.split(':').next().unwrap().to_owned()).collect();
    assert_eq!(lines, ["1", "6", "7"]);
}

#[test]
fn a_fence_left_open_hides_nothing() {
    for next in ["__DefOpcode X_S : [X]", "```asm\n```", ""] {
        let errors = errors(&format!("{FORM}  __Semantics\n  ```asm\n  code\n{next}\n"));
        assert_eq!(errors, ["5:3: this code fence is never closed: end it with a line of ``` alone"]);
    }
}

#[test]
fn inheritance_is_bounded() {
    let heavy = format!("__OperandInfo\n AsmFormat<a> = {};\n", "x".repeat(9000));
    let errors = errors(&format!("__DefOptype X : [ALL]\n{heavy}__DefOpcode X_R : [X]\n"));
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].starts_with("1:1: `X` and what it inherits hold more than 8192 bytes"));
}
