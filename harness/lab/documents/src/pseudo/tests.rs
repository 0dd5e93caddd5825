//! Tests the trees: what a statement keeps of its text.

use super::{Code, Expr, ExprKind, StatementKind};

/// Returns the only statement of a text.
fn statement(text: &str) -> StatementKind {
    let mut code = Code::read(text, 0..text.len());
    let mut body = code.routines.remove(0).body;
    assert_eq!(body.len(), 1, "{text}: {body:#?}");
    body.remove(0).kind
}

fn names(targets: &[Expr]) -> Vec<&str> {
    targets.iter().filter_map(Expr::base).collect()
}

#[test]
fn an_update_keeps_its_operator() {
    for (text, operator, has_value) in [
        ("a = b;", None, true),
        ("a += b;", Some("+"), true),
        ("a >>= 1;", Some(">>"), true),
        ("a <<= 1;", Some("<<"), true),
        ("a ^= b;", Some("^"), true),
        ("a++;", Some("+"), false),
        ("a--;", Some("-"), false),
    ] {
        let StatementKind::Assign { update, value, .. } = statement(text) else { panic!("{text}") };
        assert_eq!((update.as_deref(), value.is_some()), (operator, has_value), "{text}");
    }
}

#[test]
fn a_chain_is_no_list() {
    for (text, targets, is_chain) in [
        ("a = f();", vec!["a"], false),
        ("a = b = c = 1;", vec!["a", "b", "c"], true),
        ("a, b, c = f();", vec!["a", "b", "c"], false),
        ("m[0] = m[1] = x;", vec!["m", "m"], true),
    ] {
        let StatementKind::Assign { targets: found, is_chain: chained, .. } = statement(text) else {
            panic!("{text}")
        };
        assert_eq!((names(&found), chained), (targets, is_chain), "{text}");
    }
}

#[test]
fn a_declaration_keeps_the_argument_of_its_type() {
    for (text, name, argument) in [
        ("UINT32 a = 0;", "UINT32", None),
        ("UINT64 t;", "UINT64", None),
        ("typeof(x) a = b;", "typeof", Some("x")),
        ("typeof(x[3]) a;", "typeof", Some("x")),
    ] {
        let StatementKind::Assign { ty: Some(ty), .. } = statement(text) else { panic!("{text}") };
        assert_eq!((ty.name.as_str(), ty.argument.as_ref().and_then(Expr::base)), (name, argument), "{text}");
    }
    let StatementKind::Assign { ty: Some(ty), targets, .. } = statement("typeof(.dtype) t = a;") else {
        panic!()
    };
    assert_eq!(ty.argument.map(|argument| argument.kind), Some(ExprKind::Modifier("dtype".into())));
    assert_eq!(names(&targets), ["t"]);
}

#[test]
fn a_point_names_a_member() {
    let StatementKind::Assign { targets, value, .. } = statement("dst.chan[i][j] = a.b.c + 1.5;") else {
        panic!()
    };
    assert_eq!(names(&targets), ["dst"]);
    let mut members = Vec::new();
    for expr in targets.iter().chain(&value) {
        expr.walk(&mut |expr| {
            if let ExprKind::Member(_, member) = &expr.kind {
                members.push((member.clone(), expr.span.clone()));
            }
        });
    }
    assert_eq!(members, [("chan".to_owned(), 0..8), ("c".to_owned(), 17..22), ("b".to_owned(), 17..20)]);
}

#[test]
fn what_is_missing_is_a_fault() {
    for text in
        ["a = ;", "a = f(b, );", "a = c ? 1 : 2 : 3;", "a = c ? f(b, ) : 2 : 3;", "a = -;", "a[] = 1;"]
    {
        let code = Code::read(text, 0..text.len());
        assert!(!code.faults.is_empty(), "{text}: {code:#?}");
    }
    for text in ["a = f();", "a = c ? 1 : 2;", "a[1] = -b;"] {
        let code = Code::read(text, 0..text.len());
        assert_eq!(code.faults, [], "{text}");
    }
}

#[test]
fn break_and_continue_differ() {
    assert_eq!(statement("break;"), StatementKind::Break);
    assert_eq!(statement("continue;"), StatementKind::Continue);
}

/// A word with many points gives a tree of limited depth.
#[test]
fn a_long_word_is_no_deep_tree() {
    let text = format!("x = {};", vec!["a"; 8000].join("."));
    let StatementKind::Assign { value: Some(value), .. } = statement(&text) else { panic!() };
    let mut members = 0;
    value.walk(&mut |expr| members += usize::from(matches!(expr.kind, ExprKind::Member(..))));
    assert_eq!((members, value.base()), (63, Some("a")));
}
