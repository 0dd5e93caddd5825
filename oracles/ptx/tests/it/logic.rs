//! Tests logic, shifts and bit fields.

use proptest::prelude::*;

use crate::support::{check, run, word};

#[test]
fn examples_of_lop3() {
    // ISA 9.7.7, `lop3`: immLut is the value of the function for 0xF0, 0xCC and 0xAA.
    let inputs = [0xf0, 0xcc, 0xaa];
    check(&[0x80, 0xfe, 0x40, 0x1a].map(|table: u32| ("", inputs, table)).map(|(_, inputs, table)| {
        let body = format!("lop3.b32 %o0, %i0, %i1, %i2, {table}; and.b32 %o0, %o0, 255;");
        (&*body.leak(), inputs, table)
    }));
}

#[test]
fn rows_of_shifts() {
    check(&[
        ("shl.b32 %o0, %i0, %i1;", [0x8000_0001, 1], 2),
        ("shl.b32 %o0, %i0, %i1;", [1, 31], 0x8000_0000),
        ("shl.b32 %o0, %i0, %i1;", [1, 32], 0),
        ("shl.b32 %o0, %i0, %i1;", [1, u32::MAX], 0),
        ("shr.u32 %o0, %i0, %i1;", [0x8000_0000, 31], 1),
        ("shr.u32 %o0, %i0, %i1;", [0x8000_0000, 32], 0),
        ("shr.u32 %o0, %i0, %i1;", [0x8000_0000, u32::MAX], 0),
        ("shr.s32 %o0, %i0, %i1;", [0x8000_0000, 4], 0xf800_0000),
        ("shr.s32 %o0, %i0, %i1;", [0x8000_0000, 32], u32::MAX),
        ("shr.s32 %o0, %i0, %i1;", [0x7fff_ffff, u32::MAX], 0),
        ("shf.l.clamp.b32 %o0, %i0, %i1, 8;", [0x1234_5678, 0x9abc_def0], 0xbcde_f012),
        ("shf.r.clamp.b32 %o0, %i0, %i1, 8;", [0x1234_5678, 0x9abc_def0], 0xf012_3456),
        ("shf.l.clamp.b32 %o0, %i0, %i1, 0;", [1, 2], 2),
        ("shf.r.clamp.b32 %o0, %i0, %i1, 0;", [1, 2], 1),
        ("shf.l.clamp.b32 %o0, %i0, %i1, 99;", [1, 2], 1),
        ("shf.r.clamp.b32 %o0, %i0, %i1, 99;", [1, 2], 2),
        ("shf.l.wrap.b32 %o0, %i0, %i1, 33;", [0x8000_0000, 2], 5),
        ("shf.r.wrap.b32 %o0, %i0, %i1, 33;", [2, 3], 0x8000_0001),
    ]);
}

#[test]
fn shifts_of_double_words() {
    let shift = |opcode: &str, value: u64, amount: u32| {
        let body = format!("mov.b64 %d0, {{%i0, %i1}}; {opcode} %d1, %d0, %i2; mov.b64 {{%o0, %o1}}, %d1;");
        let [low, high, ..] = run(&body, &[[value as u32, (value >> 32) as u32, amount]])[0];
        u64::from(high) << 32 | u64::from(low)
    };
    let value = 0x8123_4567_89ab_cdef_u64;
    for amount in [0, 1, 31, 32, 33, 63] {
        assert_eq!(shift("shl.b64", value, amount), value << amount);
        assert_eq!(shift("shr.u64", value, amount), value >> amount);
        assert_eq!(shift("shr.s64", value, amount), (value as i64 >> amount) as u64);
    }
    for amount in [64, 65, u32::MAX] {
        assert_eq!(shift("shl.b64", value, amount), 0);
        assert_eq!(shift("shr.u64", value, amount), 0);
        assert_eq!(shift("shr.s64", value, amount), u64::MAX);
    }
}

#[test]
fn rows_of_prmt() {
    // ISA 9.7.8, `prmt`: the table of the modes, with the highest byte first. Here, each byte's
    // value is its number.
    let (a, b) = (0x0302_0100, 0x0706_0504);
    let rows = [
        ("f4e", [0x0302_0100, 0x0403_0201, 0x0504_0302, 0x0605_0403]),
        ("b4e", [0x0506_0700, 0x0607_0001, 0x0700_0102, 0x0001_0203]),
        ("rc8", [0x0000_0000, 0x0101_0101, 0x0202_0202, 0x0303_0303]),
        ("ecl", [0x0302_0100, 0x0302_0101, 0x0302_0202, 0x0303_0303]),
        ("ecr", [0x0000_0000, 0x0101_0100, 0x0202_0100, 0x0302_0100]),
        ("rc16", [0x0100_0100, 0x0302_0302, 0x0100_0100, 0x0302_0302]),
    ];
    for (mode, results) in rows {
        let body = format!("prmt.b32.{mode} %o0, %i0, %i1, %i2;");
        for (c, result) in results.into_iter().enumerate() {
            assert_eq!(word(&body, &[a, b, c as u32 | 0xfff0]), result, "{mode} {c}");
        }
    }
    // Only the generic form replicates signs.
    check(&[
        ("prmt.b32 %o0, %i0, %i1, 0x7654;", [a, b], b),
        ("prmt.b32 %o0, %i0, %i1, 0x8a9b;", [0x80_7f_80_7f, 0], 0x0000_ff00 | 0x0000_00ff),
        ("prmt.b32 %o0, %i0, %i1, 0xcfde;", [0, 0x7f_80_ff_00], 0x0000_ffff),
    ]);
}

#[test]
fn rows_of_bfind() {
    check(&[
        ("bfind.u32 %o0, %i0;", [0], u32::MAX),
        ("bfind.u32 %o0, %i0;", [1], 0),
        ("bfind.u32 %o0, %i0;", [u32::MAX], 31),
        ("bfind.shiftamt.u32 %o0, %i0;", [0], u32::MAX),
        ("bfind.shiftamt.u32 %o0, %i0;", [1], 31),
        ("bfind.shiftamt.u32 %o0, %i0;", [u32::MAX], 0),
        ("bfind.s32 %o0, %i0;", [0], u32::MAX),
        ("bfind.s32 %o0, %i0;", [u32::MAX], u32::MAX),
        ("bfind.s32 %o0, %i0;", [0x8000_0000], 30),
        ("bfind.s32 %o0, %i0;", [0x7fff_ffff], 30),
        ("bfind.s32 %o0, %i0;", [0xffff_fffe], 0),
        ("bfind.shiftamt.s32 %o0, %i0;", [u32::MAX], u32::MAX),
        ("bfind.shiftamt.s32 %o0, %i0;", [0x8000_0000], 1),
        ("bfind.shiftamt.s32 %o0, %i0;", [0xffff_fffe], 31),
        ("popc.b32 %o0, %i0;", [0xf0f0_0001], 9),
        ("brev.b32 %o0, %i0;", [0x8000_0003], 0xc000_0001),
        ("not.b32 %o0, %i0;", [0x8000_0003], 0x7fff_fffc),
        ("and.b32 %o0, %i0, 31;", [0x8000_0073], 0x13),
    ]);
}

#[test]
fn moves() {
    check(&[
        ("mov.b32 {%h0, %h1}, %i0; cvt.u32.u16 %o0, %h0;", [0x1234_fedc], 0xfedc),
        ("mov.b32 {%h0, %h1}, %i0; cvt.u32.u16 %o0, %h1;", [0x1234_fedc], 0x1234),
        ("mov.b32 {%h0, %h1}, %i0; mov.b32 %o0, {%h1, %h0};", [0x1234_fedc], 0xfedc_1234),
        ("mov.b64 %e0, {0, %i0}; mov.b64 {%t0, %o0}, %e0;", [0x1234_fedc], 0x1234_fedc),
        ("mov.b64 %d0, {%i0, -1}; mov.b64 {%o0, %t0}, %d0;", [0x1234_fedc], 0x1234_fedc),
    ]);
}

/// Returns the result of `bmsk` by the pseudo-code of ISA 9.7.1.
fn bmsk(clamp: bool, a: u32, b: u32) -> u32 {
    let (a1, b1) = (a & 31, b & 31);
    let mut mask0 = u32::MAX << a1;
    let mut overflow = a1 + b1 >= 32;
    if clamp {
        if a >= 32 {
            (overflow, mask0) = (true, 0);
        }
        overflow |= b >= 32;
    }
    let mask1 = if overflow {
        0
    } else if b1 == 0 {
        u32::MAX
    } else {
        u32::MAX << (a1 + b1)
    };
    mask0 & !mask1
}

/// Returns the result of `szext` by the pseudo-code of ISA 9.7.1.
fn szext(clamp: bool, signed: bool, a: u32, b: u32) -> u32 {
    let b1 = b & 31;
    let too_large = b >= 32 && clamp;
    let mask = if too_large { 0 } else { u32::MAX << b1 };
    let sign_position = b1.wrapping_sub(1) & 31;
    let sign = b1 != 0 && !too_large && signed && a >> sign_position & 1 == 1;
    a & !mask | if sign { mask } else { 0 }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn bmsk_and_szext_are_as_their_pseudo_code(value: u32) {
        let amounts = (0..70).chain([255, 256, 0x8000_0000, u32::MAX]);
        let rows: Vec<_> = amounts.clone().map(|b| [value, b]).chain(amounts.map(|a| [a, value & 63])).collect();
        for clamp in [true, false] {
            let mode = if clamp { "clamp" } else { "wrap" };
            let found = run(&format!("bmsk.{mode}.b32 %o0, %i0, %i1; szext.{mode}.u32 %o1, %i0, %i1; szext.{mode}.s32 %o2, %i0, %i1;"), &rows);
            for ([a, b], found) in rows.iter().copied().zip(found) {
                let expected = [bmsk(clamp, a, b), szext(clamp, false, a, b), szext(clamp, true, a, b)];
                prop_assert_eq!(&found[..3], &expected[..], "{} {:#x} {:#x}", mode, a, b);
            }
        }
    }

    #[test]
    fn lop3_looks_up_every_bit(table: u8, q: bool, negate: bool, rows in prop::collection::vec(any::<[u32; 3]>(), 1..40)) {
        let rows: Vec<_> = rows.into_iter().chain([[0, 0, 0]]).map(|[a, b, c]| [a, b, c, q.into()]).collect();
        let sign = if negate { "!" } else { "" };
        let body = format!(
            "setp.ne.u32 %p0, %i3, 0; lop3.b32 %o0, %i0, %i1, %i2, {table};
            lop3.and.b32 %o1|%p1, %i0, %i1, %i2, {table:#x}, {sign}%p0; selp.u32 %o2, 1, 0, %p1;
            lop3.or.b32 %o3|%p2, %i0, %i1, %i2, {table}, {sign}%p0; selp.u32 %o4, 1, 0, %p2;"
        );
        for ([a, b, c, _], found) in rows.iter().copied().zip(run(&body, &rows)) {
            let bit = |word: u32, at: u32| word >> at & 1;
            let index = |at| bit(a, at) << 2 | bit(b, at) << 1 | bit(c, at);
            let d = (0..32).fold(0, |d, at| d | bit(table.into(), index(at)) << at);
            let q = q != negate;
            prop_assert_eq!(found, [d, d, u32::from(d != 0 && q), d, u32::from(d != 0 || q)]);
        }
    }

    #[test]
    fn prmt_picks_bytes(rows in prop::collection::vec(any::<[u32; 3]>(), 1..40)) {
        for ([a, b, c], found) in rows.iter().copied().zip(run("prmt.b32 %o0, %i0, %i1, %i2;", &rows)) {
            let bytes = [a.to_le_bytes(), b.to_le_bytes()].concat();
            let expected = [0, 4, 8, 12].map(|at| {
                let selector = c >> at & 15;
                let byte = bytes[selector as usize & 7];
                if selector < 8 { byte } else { (byte as i8 >> 7) as u8 }
            });
            prop_assert_eq!(found[0], u32::from_le_bytes(expected));
        }
    }
}
