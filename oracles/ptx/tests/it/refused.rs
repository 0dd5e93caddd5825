//! Checks that text which is not PTX or is not supported gives an error with its line.

use assay_ptx::Module;
use proptest::prelude::*;

use crate::support::text;

/// The line of the first instruction of a body (see `support::text`).
const FIRST: usize = 26;

fn refusal(text: &str) -> String {
    Module::parse(text).expect_err(text).to_string()
}

#[test]
fn instructions() {
    let rows = [
        ("add.rn.ftz.ftz.f32 %o0, %i0, %i1;", "expected .f32, found .ftz"),
        ("add.f32 %o0, %i0, %i1;", "expected one of .u32 .s32 .u64 .s64, found .f32"),
        ("add.u32.x %o0, %i0, %i1;", "unsupported modifier .x"),
        ("add.rn.sat.ftz.f32 %o0, %i0, %i1;", "expected .f32, found .ftz"),
        ("frob.b32 %o0, %i0;", "unsupported instruction"),
        ("popc.b64 %o0, %d0;", "expected .b32, found .b64"),
        ("add.u32 %o0, %i0;", "too few operands"),
        ("add.u32 %o0, %i0, %i1, %i2;", "too many operands"),
        ("add.u32 %o0, %i0, %d0;", "%d0 is .b64, not .u32"),
        ("add.u32 %d0, %i0, %i1;", "%d0 is .b64, not .u32"),
        ("add.u64 %d0, %e0, 1;", "%e0 is .f64, not .u64"),
        ("add.rn.f32 %o0, %i0, 1;", "1 is not .f32"),
        ("add.u32 %o0, %i0, 4294967296;", "4294967296 does not fit in .u32"),
        ("add.u32 %o0, %i0, -2147483649;", "-2147483649 does not fit in .u32"),
        ("add.u32 1, %i0, %i1;", "1 is no register to write"),
        ("mov.u32 %tid.x, %i0;", "%tid.x cannot be written"),
        ("mov.u32 %o0, %clock;", "unknown register %clock"),
        ("mov.u32 %o0, {%h0, %h1};", "`{%h0, %h1}` does not stand for a .u32"),
        ("lop3.b32 %o0, %i0, %i1, %i2, 256;", "`256` does not stand for a number from 0 to 255"),
        ("lop3.xor.b32 %o0|%p1, %i0, %i1, %i2, 1, %p0;", "expected .b32, found .xor"),
        ("add.u32 %o0, %i0, !%p0;", "`!%p0` does not stand for a .u32"),
        ("setp.num.u32 %p0, %i0, %i1;", "expected one of .f32, found .u32"),
        ("min.NaN.s32 %o0, %i0, %i1;", "expected one of .f32, found .s32"),
        ("ex2.approx.ftz.f16 %h0, %h1;", "unsupported instruction"),
        ("ld.shared.b32 %o0, [%inputs];", "expected .global, found .shared"),
        ("ld.param.u32 %o0, [inputs];", "inputs is .u64, not .u32"),
        ("ld.param.u64 %d0, [%inputs];", "unknown parameter %inputs"),
        ("st.global.b32 [%i0], %i0;", "%i0 is .b32, not .u64"),
    ];
    for (body, expected) in rows {
        let opcode = body.split(' ').next().unwrap();
        assert_eq!(refusal(&text(body)), format!("line {FIRST}: {opcode}: {expected}"), "{body}");
    }
}

#[test]
fn statements() {
    let rows = [
        ("mov.u32 %o0, %t0;", "a register is read that may not have been written"),
        ("addc.u32 %o0, %i0, %i1;", "the carry flag is read that may not have been written"),
        (".shared .b32 x;", "unsupported directive .shared"),
        (".reg .v4 %x;", "unsupported type of a register: .v4"),
        (".reg .b32 %i0;", "a second register %i0"),
        (".reg .b32 %x<4000000000>;", "more than 4096 registers and constants"),
        ("bra NOWHERE;", "unknown label NOWHERE"),
        ("@%p0 add.u32 %o0, %i0;", "add.u32: too few operands"),
        ("mov.u32 %o0, 010;", "010 is no number"),
        ("mov.u32 %o0, 1.5;", "1.5 is no number"),
        ("add.rn.f32 %o0, %i0, 0f3f800000;", "0f3f800000 is no number"),
        ("ld.global.b32 %o0, [%inputs+4];", "expected `]`, found `+`"),
    ];
    for (body, expected) in rows {
        assert_eq!(refusal(&text(body)), format!("line {FIRST}: {expected}"), "{body}");
    }
}

#[test]
fn paths() {
    let rows = [
        ("AGAIN: mov.u32 %o0, 1; bra AGAIN;", "a branch back to AGAIN is not supported"),
        ("bra ON; mov.u32 %t0, 1; ON: ret;", "no path leads here"),
        ("ON: mov.u32 %t0, 1; ON: ret;", "a second label ON"),
        (
            "setp.eq.u32 %p0, %i0, 0; @%p0 bra ON; mov.u32 %t0, 1; ON: mov.u32 %o0, %t0;",
            "a register is read that may not have been written",
        ),
        (
            "setp.eq.u32 %p0, %i0, 0; @%p0 bra ON; add.cc.u32 %t0, %i0, 1; ON: addc.u32 %o0, 0, 0;",
            "the carry flag is read that may not have been written",
        ),
        (
            "setp.eq.u32 %p0, %i0, 0; @%p0 mov.u32 %t0, 1; mov.u32 %o0, %t0;",
            "a register is read that may not have been written",
        ),
    ];
    for (body, expected) in rows {
        let found = refusal(&text(body));
        assert!(found.ends_with(expected), "{body}: {found}");
    }
    let text = text("").replace("ret;", "");
    assert_eq!(refusal(&text), format!("line {}: a path ends without ret", text.lines().count()));
}

#[test]
fn modules() {
    let good = text("");
    let rows = [
        (".version 8.2", ".version 8.1", "line 1: version 8.1 is none of 8.2 and later"),
        (".version 8.2", ".version eight", "line 1: version eight is none of 8.2 and later"),
        (".target sm_90", ".target texmode", "line 2: unknown target texmode"),
        (".address_size 64", ".address_size 32", "line 3: expected `64`, found `32`"),
        (".entry", ".func", "line 4: expected `.entry`, found `.func`"),
        (".param .u64 inputs", ".param .f32 inputs", "line 4: unsupported type of a parameter: .f32"),
        (".param .u64 outputs", ".param .u64 inputs", "line 4: a second parameter inputs"),
        (", .param .u64 outputs)", ",)", "line 4: expected `.param`, found `)`"),
    ];
    for (part, other, expected) in rows {
        assert_eq!(refusal(&good.replacen(part, other, 1)), expected);
    }
    let second = good.splitn(4, '\n').nth(3).unwrap();
    assert!(refusal(&format!("{good}{second}")).ends_with("a second kernel k"));
    assert_eq!(
        refusal(&format!("{good}/* /")),
        format!("line {}: a comment that does not end", good.lines().count() + 1)
    );
    assert_eq!(refusal(""), "line 1: expected `.version`, found the end of the text");
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,200}") {
        let _ = Module::parse(&text);
    }

    /// Corrupts a valid kernel, because random text is refused early.
    #[test]
    fn no_kernel_makes_it_panic(
        at in 0_usize..1500,
        length in 0_usize..40,
        put in "([%a-z0-9.]{1,8}|[{}|!@<>;:,\\[\\]-]|%[ipothd][0-4]|-?[0-9]{1,40}|lop3.and.b32|\\.reg|/\\*|é){0,4}",
    ) {
        let mut text = text("setp.ne.u32 %p0, %i2, 0; lop3.or.b32 %o0|%p1, %i0, %i1, %i2, 0x1b, !%p0;
            mov.b64 %d0, {%i0, %i1}; @%p1 bra ON; add.cc.u32 %o1, %i0, -1; addc.u32 %o1, 0, 0; ON: ret;");
        let at = at % text.len();
        let end = (at + length).min(text.len());
        text.replace_range(at..end, &put);
        let _ = Module::parse(&text);
    }
}
