//! Checks that every opcode in the project's kernels is supported.

use assay_ptx::Module;

use crate::support::text;

/// One instruction for each opcode, except for the opcodes in `modified`.
const INSTRUCTIONS: &str = "
    abs.f32 %t0, %i0; abs.s32 %o0, %i0; neg.f32 %t0, %i0; neg.s32 %t0, %i1;
    add.cc.u32 %t0, %i2, -1; addc.cc.u32 %o0, %i0, %i1; addc.u32 %o0, %i0, %i1; sub.cc.u32 %t0, 0, %i2;
    add.s32 %o0, %i0, %i1; add.u32 %i0, %i0, %thread; add.u64 %d0, %inputs, %place; sub.s64 %d0, %d0, %place;
    and.b32 %t0, %i1, 31; not.b32 %t0, %i0; popc.b32 %o0, %i0; brev.b32 %o0, %i0;
    bfind.s32 %o0, %i0; bfind.u32 %o0, %i0; bfind.shiftamt.s32 %o0, %i0; bfind.shiftamt.u32 %o0, %i0;
    bmsk.clamp.b32 %o0, %i0, %i1; bmsk.wrap.b32 %o0, %i0, %i1;
    szext.clamp.s32 %o0, %i0, %i1; szext.clamp.u32 %o0, %i0, %i1;
    szext.wrap.s32 %o0, %i0, %i1; szext.wrap.u32 %o0, %i0, %i1;
    mov.u32 %t1, %ctaid.x; mov.u32 %t1, %ntid.x; mov.b32 {%h0, %h1}, %i0; mov.b64 %e0, {0, %i0};
    mov.b64 {%t0, %o0}, %e0; mov.b64 %d0, {%i0, %i1}; mov.b64 {%o0, %o1}, %d0;
    cvt.rn.f16x2.f32 %o0, %i0, %i1; cvt.u32.u16 %o0, %h0; cvta.to.global.u64 %d1, %inputs;
    div.u32 %t2, %thread, %i0; rem.u32 %t2, %thread, %i0;
    ex2.approx.f16 %h2, %h0; ex2.approx.f16x2 %o0, %i0; ex2.approx.ftz.bf16 %h2, %h0;
    ex2.approx.ftz.bf16x2 %o0, %i0; ex2.approx.ftz.f32 %o0, %i0; lg2.approx.ftz.f32 %o0, %i0;
    rcp.approx.ftz.f32 %o0, %i0; rcp.approx.ftz.f64 %e1, %e0; sqrt.approx.ftz.f32 %o0, %i0;
    rsqrt.approx.ftz.f32 %o0, %i0; rsqrt.approx.ftz.f64 %e1, %e0; sin.approx.ftz.f32 %o0, %t0;
    cos.approx.ftz.f32 %o0, %t0; tanh.approx.bf16 %h2, %h0; tanh.approx.bf16x2 %o0, %i0;
    tanh.approx.f16 %h2, %h0; tanh.approx.f16x2 %o0, %i0; tanh.approx.f32 %o0, %i0;
    ld.global.b32 %i0, [%inputs]; ld.volatile.global.b32 %i0, [%inputs]; ld.param.u64 %d2, [inputs];
    st.global.b32 [%outputs], %o0; st.volatile.global.b32 [%outputs], %o0; setp.ne.u32 %p0, %i2, 0;
    lop3.b32 %o0, %i0, %i1, %i2, 0x0; lop3.and.b32 %t0|%p1, %i0, %i1, %i2, 0x0, !%p0;
    lop3.or.b32 %t0|%p1, %i0, %i1, %i2, 0xff, %p0;
    mad.lo.cc.s32 %o0, %i0, %i1, %i2; mad.lo.cc.u32 %o0, %i0, %i1, %i2; mad.lo.s32 %o0, %i0, %i1, %i2;
    mad.lo.u32 %o0, %i0, %i1, %i2; madc.hi.cc.s32 %o1, %i0, %i1, %i3; madc.hi.cc.u32 %o1, %i0, %i1, %i3;
    madc.hi.s32 %o1, %i0, %i1, %i3; madc.hi.u32 %o1, %i0, %i1, %i3; madc.lo.cc.s32 %o0, %i0, %i1, %i2;
    madc.lo.cc.u32 %o0, %i0, %i1, %i2; mul.hi.s32 %o0, %i0, %i1; mul.hi.u32 %o0, %i0, %i1;
    mul.lo.s32 %o0, %i0, %i1; mul.lo.u32 %o0, %i0, %i1; mul.wide.s32 %d0, %i0, %i1; mul.wide.u32 %d0, %i0, 4;
    max.NaN.f32 %o0, %i0, %i1; max.f32 %o0, %i0, %i1; max.ftz.NaN.f32 %o0, %i0, %i1;
    max.ftz.f32 %o0, %i0, %i1; max.s32 %o0, %i0, %i1; max.u32 %o0, %i0, %i1;
    min.NaN.f32 %o0, %i0, %i1; min.f32 %o0, %i0, %i1; min.ftz.NaN.f32 %o0, %i0, %i1;
    min.ftz.f32 %o0, %i0, %i1; min.s32 %o0, %i0, %i1; min.u32 %o0, %i0, %i1;
    prmt.b32 %o0, %i0, %i2, %i1; prmt.b32.b4e %o0, %i0, %i2, %i1; prmt.b32.ecl %o0, %i0, %i2, %i1;
    prmt.b32.ecr %o0, %i0, %i2, %i1; prmt.b32.f4e %o0, %i0, %i2, %i1; prmt.b32.rc16 %o0, %i0, %i2, %i1;
    prmt.b32.rc8 %o0, %i0, %i2, %i1; selp.b32 %o0, %i0, %i1, !%p0; selp.f32 %o0, %i0, %i1, !%p0;
    selp.u32 %o0, 1, 0, %p1; shf.l.clamp.b32 %o0, %i0, %i2, %i1; shf.l.wrap.b32 %o0, %i0, %i2, %i1;
    shf.r.clamp.b32 %o0, %i0, %i2, %i1; shf.r.wrap.b32 %o0, %i0, %i2, %i1; shl.b32 %t0, %i0, 1;
    shl.b64 %d1, %d0, %i1; shr.s32 %o0, %i1, %i0; shr.s64 %d1, %d0, %i1; shr.u32 %o0, %i1, %i0;
    shr.u64 %d1, %d0, %i1;";

/// Returns the instructions with a rounding mode and the comparisons, in all combinations of their
/// modifiers.
fn modified() -> String {
    let mut text = String::new();
    for rounding in ["rn", "rz", "rm", "rp"] {
        for rest in ["", ".ftz", ".sat", ".ftz.sat"] {
            text +=
                &format!("add.{rounding}{rest}.f32 %o0, %i0, %i1; mul.{rounding}{rest}.f32 %o0, %i0, %i1;");
            text += &format!("fma.{rounding}{rest}.f32 %o0, %i0, %i1, %i2;");
        }
    }
    let integers = ["eq", "ne", "lt", "le", "gt", "ge"];
    let floats = ["equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"];
    for combine in ["and", "or", "xor"] {
        for relation in integers {
            text += &format!(
                "setp.{relation}.u32 %p1, %i0, 0; setp.{relation}.{combine}.u32 %p1, %i0, %i1, %p0;"
            );
            text += &format!("setp.{relation}.{combine}.s32 %p1, %i0, %i1, !%p0;");
            text += &format!("setp.{relation}.{combine}.u64 %p1, %d0, %d1, !%p0;");
            text += &format!("setp.{relation}.{combine}.s64 %p1, %d0, %d1, %p0;");
        }
        for relation in integers.into_iter().chain(floats) {
            text += &format!("setp.{relation}.{combine}.f32 %p1, %i0, %i1, !%p0;");
            text += &format!("setp.{relation}.{combine}.ftz.f32 %p1, %i0, %i1, %p0;");
            text += &format!("set.{relation}.{combine}.f32.f32 %o0, %i0, %i1, !%p0;");
        }
    }
    text
}

#[test]
fn every_opcode_is_understood() {
    for body in [
        INSTRUCTIONS.to_owned(),
        format!(
            "setp.ne.u32 %p0, %i2, 0; mov.b64 %d0, {{%i0, %i1}}; mov.b64 %d1, {{%i0, %i1}}; {}",
            modified()
        ),
    ] {
        if let Err(error) = Module::parse(&text(&body)) {
            panic!("{error}");
        }
    }
}
