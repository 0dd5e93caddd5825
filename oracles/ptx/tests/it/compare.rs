//! Tests comparison and selection.

use crate::support::{check, run};

const NAN: u32 = 0x7fc0_0000;
const ONE: u32 = 0x3f80_0000;

/// ISA 9.3.1: the outcomes for which each operator holds: less, equal, greater, and unordered.
const FLOATS: [(&str, [bool; 4]); 14] = [
    ("eq", [false, true, false, false]),
    ("ne", [true, false, true, false]),
    ("lt", [true, false, false, false]),
    ("le", [true, true, false, false]),
    ("gt", [false, false, true, false]),
    ("ge", [false, true, true, false]),
    ("equ", [false, true, false, true]),
    ("neu", [true, false, true, true]),
    ("ltu", [true, false, false, true]),
    ("leu", [true, true, false, true]),
    ("gtu", [false, false, true, true]),
    ("geu", [false, true, true, true]),
    ("num", [true, true, true, false]),
    ("nan", [false, false, false, true]),
];

/// Pairs of singles, with the index of their outcome without `.ftz` and with `.ftz`.
const PAIRS: [([u32; 2], usize, usize); 9] = [
    ([0xbf80_0000, ONE], 0, 0),
    ([ONE, ONE], 1, 1),
    ([0x7f80_0000, ONE], 2, 2),
    ([NAN, ONE], 3, 3),
    ([ONE, 0xff80_0001], 3, 3),
    ([NAN, NAN], 3, 3),
    ([0x8000_0000, 0], 1, 1),
    ([1, 0x8000_0001], 2, 1),
    ([1, 0x0080_0000], 0, 0),
];

#[test]
fn operators_of_singles() {
    for (operator, holds) in FLOATS {
        for (pair, outcome, flushed) in PAIRS {
            for (ftz, outcome) in [("", outcome), (".ftz", flushed)] {
                let body = format!("setp.{operator}{ftz}.f32 %p0, %i0, %i1; selp.u32 %o0, 1, 0, %p0;");
                check(&[(&body, pair, holds[outcome].into())]);
            }
        }
    }
}

#[test]
fn operators_of_integers() {
    let pairs = [[1, 2], [2, 2], [3, 2], [u32::MAX, 2], [2, u32::MAX], [0x8000_0000, 0x7fff_ffff]];
    for (operator, holds) in &FLOATS[..6] {
        for of in ["u32", "s32"] {
            let body = format!("setp.{operator}.{of} %p0, %i0, %i1; selp.u32 %o0, 1, 0, %p0;");
            for [a, b] in pairs {
                let order = if of == "u32" { a.cmp(&b) } else { (a as i32).cmp(&(b as i32)) };
                check(&[(&body, [a, b], holds[(order as i8 + 1) as usize].into())]);
            }
        }
        for (of, signed) in [("u64", false), ("s64", true)] {
            let body = format!(
                "mov.b64 %d0, {{%i0, %i1}}; mov.b64 %d1, {{%i2, %i3}};
                setp.{operator}.{of} %p0, %d0, %d1; selp.u32 %o0, 1, 0, %p0;"
            );
            for [a, b] in pairs {
                let [x, y] = [a, b].map(|high| u64::from(high) << 32 | 7);
                let order = if signed { (x as i64).cmp(&(y as i64)) } else { x.cmp(&y) };
                check(&[(&body, [7, a, 7, b], holds[(order as i8 + 1) as usize].into())]);
            }
        }
    }
}

#[test]
fn results_are_combined_with_a_predicate() {
    for t in [false, true] {
        for c in [false, true] {
            for (sign, c_used) in [("", c), ("!", !c)] {
                for (operator, expected) in [("and", t & c_used), ("or", t | c_used), ("xor", t ^ c_used)] {
                    let body = format!(
                        "setp.ne.u32 %p0, %i1, 0;
                        setp.ne.{operator}.u32 %p1, %i0, 0, {sign}%p0; selp.u32 %o0, 1, 0, %p1;
                        setp.neu.{operator}.ftz.f32 %p2, %i0, %i2, {sign}%p0; selp.u32 %o1, 1, 0, %p2;
                        set.neu.{operator}.f32.f32 %o2, %i0, %i2, {sign}%p0;"
                    );
                    let one = if t { ONE } else { 0 };
                    let found = run(&body, &[[one, c.into(), 0]])[0];
                    let expected = [expected.into(), expected.into(), if expected { ONE } else { 0 }];
                    assert_eq!(found[..3], expected, "{operator} {t} {sign}{c}");
                }
            }
        }
    }
}

#[test]
fn selection_leaves_bits_alone() {
    for (sign, p, expected) in [("", 1, 0xff80_0001), ("", 0, 1), ("!", 1, 1), ("!", 0, 0xff80_0001)] {
        for of in ["b32", "u32", "f32"] {
            let body = format!("setp.ne.u32 %p0, %i2, 0; selp.{of} %o0, %i0, %i1, {sign}%p0;");
            check(&[(&body, [0xff80_0001, 1, p], expected)]);
        }
    }
}
