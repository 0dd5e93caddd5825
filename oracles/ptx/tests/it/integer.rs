//! Tests integer arithmetic and carries.

use proptest::prelude::*;

use crate::support::{check, run};

#[test]
fn rows() {
    check(&[
        ("abs.s32 %o0, %i0;", [0x8000_0000, 0], 0x8000_0000),
        ("abs.s32 %o0, %i0;", [0xffff_ffff, 0], 1),
        ("neg.s32 %o0, %i0;", [0x8000_0000, 0], 0x8000_0000),
        ("neg.s32 %o0, %i0;", [1, 0], 0xffff_ffff),
        ("add.s32 %o0, %i0, %i1;", [0x7fff_ffff, 1], 0x8000_0000),
        ("min.s32 %o0, %i0, %i1;", [0xffff_ffff, 1], 0xffff_ffff),
        ("min.u32 %o0, %i0, %i1;", [0xffff_ffff, 1], 1),
        ("max.s32 %o0, %i0, %i1;", [0xffff_ffff, 1], 1),
        ("max.u32 %o0, %i0, %i1;", [0xffff_ffff, 1], 0xffff_ffff),
        ("mul.lo.s32 %o0, %i0, %i1;", [0xffff_ffff, 0xffff_ffff], 1),
        ("mul.hi.s32 %o0, %i0, %i1;", [0xffff_ffff, 0xffff_ffff], 0),
        ("mul.hi.u32 %o0, %i0, %i1;", [0xffff_ffff, 0xffff_ffff], 0xffff_fffe),
        ("mul.hi.s32 %o0, %i0, %i1;", [0x8000_0000, 2], 0xffff_ffff),
        ("div.u32 %o0, %i0, %i1;", [17, 5], 3),
        ("rem.u32 %o0, %i0, %i1;", [17, 5], 2),
        ("div.u32 %o0, %i0, %i1;", [17, 0], 0xffff_ffff),
        ("rem.u32 %o0, %i0, %i1;", [17, 0], 17),
    ]);
}

#[test]
fn a_carry_is_that_of_the_adder() {
    // After a subtraction, the carry is the opposite of a borrow (see the head of the crate).
    let carry = "addc.u32 %o0, 0, 0;";
    let rows = [
        ("add.cc.u32 %t0, %i0, -1;", 0, 0),
        ("add.cc.u32 %t0, %i0, -1;", 1, 1),
        ("add.cc.u32 %t0, %i0, -1;", 0xffff_ffff, 1),
        ("sub.cc.u32 %t0, 0, %i0;", 0, 1),
        ("sub.cc.u32 %t0, 0, %i0;", 1, 0),
        ("sub.cc.u32 %t0, 0, %i0;", 0xffff_ffff, 0),
        ("sub.cc.u32 %t0, %i0, 5;", 4, 0),
        ("sub.cc.u32 %t0, %i0, 5;", 5, 1),
        ("mad.lo.cc.u32 %t0, %i0, %i0, -1;", 0, 0),
        ("mad.lo.cc.u32 %t0, %i0, %i0, -1;", 1, 1),
    ];
    for (body, input, expected) in rows {
        check(&[(&format!("{body} {carry}"), [input], expected)]);
    }
}

#[test]
fn only_what_has_cc_sets_the_carry() {
    let body = "add.cc.u32 %t0, -1, %i0; add.u32 %t0, 0, %i0; mad.lo.u32 %t0, 0, 0, %i0; addc.u32 %o0, 0, 0;";
    check(&[(body, [1], 1), (body, [0], 0)]);
}

proptest! {
    #[test]
    fn sums_of_two_words(a: u64, b: u64) {
        let [a0, a1, b0, b1] = [a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32];
        let found = run("add.cc.u32 %o0, %i0, %i2; addc.cc.u32 %o1, %i1, %i3; addc.u32 %o2, 0, 0;", &[[a0, a1, b0, b1]]);
        let sum = u128::from(a) + u128::from(b);
        prop_assert_eq!(&found[0][..3], &[sum as u32, (sum >> 32) as u32, (sum >> 64) as u32]);
        let body = "mov.b64 %d0, {%i0, %i1}; mov.b64 %d1, {%i2, %i3}; sub.s64 %d2, %d0, %d1; mov.b64 {%o0, %o1}, %d2;
            add.u64 %d2, %d0, %d1; mov.b64 {%o2, %o3}, %d2;";
        let [difference, sum] = [a.wrapping_sub(b), a.wrapping_add(b)];
        let words = [difference as u32, (difference >> 32) as u32, sum as u32, (sum >> 32) as u32];
        prop_assert_eq!(&run(body, &[[a0, a1, b0, b1]])[0][..4], &words);
    }

    #[test]
    fn products(a: u32, b: u32, c: u64) {
        let [c0, c1] = [c as u32, (c >> 32) as u32];
        for of in ["u32", "s32"] {
            let product = if of == "u32" {
                u64::from(a) * u64::from(b)
            } else {
                (i64::from(a as i32) * i64::from(b as i32)) as u64
            };
            let words = |value: u64| [value as u32, (value >> 32) as u32];
            let body = format!("mul.lo.{of} %o0, %i0, %i1; mul.hi.{of} %o1, %i0, %i1;
                mul.wide.{of} %d0, %i0, %i1; mov.b64 {{%o2, %o3}}, %d0; mad.lo.{of} %o4, %i0, %i1, %i2;");
            let [low, high] = words(product);
            prop_assert_eq!(run(&body, &[[a, b, c0]])[0], [low, high, low, high, low.wrapping_add(c0)]);
            // Two instructions add 64 bits. The carry out must equal that of a single 64-bit
            // addition.
            let body = format!("add.cc.u32 %t0, %i4, -1; madc.lo.cc.{of} %o0, %i0, %i1, %i2;
                madc.hi.cc.{of} %o1, %i0, %i1, %i3; addc.u32 %o2, 0, 0;");
            for carry in [0, 1] {
                let sum = u128::from(product) + u128::from(c) + u128::from(carry);
                let found = run(&body, &[[a, b, c0, c1, carry]]);
                prop_assert_eq!(&found[0][..3], &[sum as u32, (sum >> 32) as u32, (sum >> 64) as u32]);
            }
            let body = format!("mad.lo.cc.{of} %o0, %i0, %i1, %i2; madc.hi.{of} %o1, %i0, %i1, %i3;");
            prop_assert_eq!(&run(&body, &[[a, b, c0, c1]])[0][..2], &words(product.wrapping_add(c)));
        }
    }
}
