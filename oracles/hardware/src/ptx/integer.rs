//! Sums, products, addresses, extremes and comparisons of the uniform datapath, by what computes the same in each lane
//! (PTX ISA, "Integer Arithmetic Instructions", "Extended-Precision Integer Arithmetic Instructions").

use assay_isa::tables::types::{IExt, LOHI};
use assay_isa::{Instruction, Operand};

use super::write::{BodyWriter, inputs, integer, is_idle, outputs};
use super::{Inexpressible, Lowering, rewritten, unsaid};

/// Whether the instruction is a part of a longer one: `.X`.
fn is_extended(instruction: &Instruction) -> bool {
    instruction.modifier("ext") == Some(IExt::X)
}

/// The meaning of a `neg` bit of these optypes: `~` with `.X`, otherwise `-`.
fn signed(operand: &Operand, extended: bool) -> Operand {
    Operand { neg: operand.neg && !extended, bitnot: operand.neg && extended, ..*operand }
}

/// Names of the written operands, a carry after the others.
fn written(carry: Option<String>, words: &str) -> String {
    carry.map_or(words.to_owned(), |carry| format!("{words}, {carry}"))
}

/// UIADD: `add` for IADD3, and with `.X` `addc` for IADD3.X.
pub(super) fn uiadd(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, b, carry], [d, u]) = (inputs(instruction), outputs(instruction));
    let extended = is_extended(instruction);
    if extended && a.neg {
        return rewritten("the complement of UIADD.X's first operand", "it complements by a LOP3 of its own");
    }
    let mut w = BodyWriter::default();
    let [a, b] = [a, b].map(|operand| w.prefixed(&signed(&operand, extended), "s32"));
    if !extended {
        let d = w.output(&d, 0);
        w.line(format!("add.s32 {}, {}, {}", d.ptx, a.ptx, b.ptx));
        // IADD3 negates two of its three operands at most, and then not the first.
        w.sass(match a.sass.starts_with('-') && b.sass.starts_with('-') {
            true => format!("IADD3 {}, RZ, {}, {}", d.sass, a.sass, b.sass),
            false => format!("IADD3 {}, {}, {}, RZ", d.sass, a.sass, b.sass),
        });
        return w.finish();
    }
    let carry = w.carry_in(&carry);
    let d = w.output(&d, 0);
    let cc = if is_idle(&u) { "" } else { ".cc" };
    w.line(format!("addc{cc}.u32 {}, {}, {}", d.ptx, a.ptx, b.ptx));
    let u = (!is_idle(&u)).then(|| w.carry_out(&u));
    w.sass(format!("IADD3.X {}, {}, {}, RZ, {}, !PT", written(u, &d.sass), a.sass, b.sass, carry));
    w.finish()
}

/// UIMAD: `mad.lo` for IMAD.
pub(super) fn uimad(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, b, c, _], [d, u]) = (inputs(instruction), outputs(instruction));
    if instruction.modifier("lohi") == Some(LOHI::HI) {
        return rewritten("UIMAD.HI.X", "madc.hi becomes IMAD.HI and IADD3.X");
    }
    if !is_idle(&u) {
        return rewritten("the carry of UIMAD", "mad.lo.cc becomes IMAD and IADD3");
    }
    let mut w = BodyWriter::default();
    let [a, b, c] = [a, b, c].map(|operand| w.prefixed(&operand, "s32"));
    let d = w.output(&d, 0);
    let (ty, _) = integer(instruction);
    w.line(format!("mad.lo.{ty} {}, {}, {}, {}", d.ptx, a.ptx, b.ptx, c.ptx));
    w.sass(format!("IMAD {}, {}, {}, {}", d.sass, a.sass, b.sass, c.sass));
    w.finish()
}

/// UIMAD.WIDE: `mad.lo.cc` and `madc.hi`, which become one IMAD.WIDE; with a minus `mul.wide` and a difference.
pub(super) fn uimad_wide(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, b, c, carry], [d, u]) = (inputs(instruction), outputs(instruction));
    let extended = is_extended(instruction);
    if c.neg && extended {
        return rewritten("the complement of UIMAD.WIDE.X's addend", "it complements by a LOP3 of its own");
    }
    if c.neg && !is_idle(&u) {
        return rewritten(
            "the carry of UIMAD.WIDE with a negated addend",
            "it negates by an IADD3 of its own",
        );
    }
    let (ty, sass_ty) = integer(instruction);
    let mut w = BodyWriter::default();
    let (a, b) = (w.input(&a, 0), w.input(&b, 0));
    let [low, high] = [0, 1].map(|word| w.input(&c, word));
    let (sign, x) = (if c.neg { "-" } else { "" }, if extended { ".X" } else { "" });
    let carry = extended.then(|| w.carry_in(&carry));
    let [d_low, d_high] = [0, 1].map(|word| w.output(&d, word));
    if c.neg {
        w.line(format!("mul.wide.{ty} %d0, {}, {}", a.ptx, b.ptx));
        w.line(format!("mov.b64 %d1, {{{}, {}}}", low.ptx, high.ptx));
        w.line("sub.s64 %d0, %d0, %d1");
        w.line(format!("mov.b64 {{{}, {}}}, %d0", d_low.ptx, d_high.ptx));
    } else {
        let (c_low, cc) = (if extended { "madc" } else { "mad" }, if is_idle(&u) { "" } else { ".cc" });
        w.line(format!("{c_low}.lo.cc.{ty} {}, {}, {}, {}", d_low.ptx, a.ptx, b.ptx, low.ptx));
        w.line(format!("madc.hi{cc}.{ty} {}, {}, {}, {}", d_high.ptx, a.ptx, b.ptx, high.ptx));
    }
    let u = (!is_idle(&u)).then(|| w.carry_out(&u));
    let words = if is_idle(&d) { "RZ".to_owned() } else { format!("{}:{}", d_low.sass, d_high.sass) };
    let carry = carry.map_or(String::new(), |carry| format!(", {carry}"));
    w.sass(format!(
        "IMAD.WIDE{sass_ty}{x} {}, {}, {}, {sign}{}:{}{carry}",
        written(u, &words),
        a.sass,
        b.sass,
        low.sass,
        high.sass
    ));
    w.finish()
}

/// UIMUL: `mul` for IMAD with RZ.
pub(super) fn uimul(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, b], [d]) = (inputs(instruction), outputs(instruction));
    if b.neg {
        return rewritten("UIMUL of a negated operand", "it negates by an IADD3 of its own");
    }
    let (ty, sass_ty) = integer(instruction);
    // Of the low half the sign makes no difference, and IMAD has no type there.
    let (half, sass) = match instruction.modifier("lohi") {
        Some(LOHI::HI) => ("hi", format!("IMAD.HI{sass_ty}")),
        _ => ("lo", "IMAD".to_owned()),
    };
    let mut w = BodyWriter::default();
    let (a, b, d) = (w.input(&a, 0), w.input(&b, 0), w.output(&d, 0));
    w.line(format!("mul.{half}.{ty} {}, {}, {}", d.ptx, a.ptx, b.ptx));
    w.sass(format!("{sass} {}, {}, {}, RZ", d.sass, a.sass, b.sass));
    w.finish()
}

/// ULEA: `shl` and `add` for LEA.
pub(super) fn ulea(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, b, ..], [d, u]) = (inputs::<5>(instruction), outputs(instruction));
    if is_extended(instruction) {
        return rewritten("ULEA.HI.X", "it makes LEA.HI.X only behind the LEA whose carry that reads");
    }
    if a.neg {
        return rewritten("ULEA of a negated operand", "it multiplies by the negated power of two");
    }
    let shift = instruction.get("shiftamt").unwrap_or_default();
    match shift {
        0 => return rewritten("ULEA by no place", "it adds by IADD3"),
        31 => return rewritten("ULEA by 31 places", "it multiplies by IMAD"),
        _ => {}
    }
    let mut w = BodyWriter::default();
    let (a, b, shifted) = (w.input(&a, 0), w.input(&b, 0), w.word());
    w.line(format!("shl.b32 {shifted}, {}, {shift}", a.ptx));
    let d = w.output(&d, 0);
    let cc = if is_idle(&u) { "" } else { ".cc" };
    w.line(format!("add{cc}.u32 {}, {shifted}, {}", d.ptx, b.ptx));
    let u = (!is_idle(&u)).then(|| w.carry_out(&u));
    w.sass(format!("LEA {}, {}, {}, {shift:#x}", written(u, &d.sass), a.sass, b.sass));
    w.finish()
}

/// UIABS: `abs`.
pub(super) fn uiabs(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([b], [d]) = (inputs(instruction), outputs(instruction));
    let mut w = BodyWriter::default();
    let (b, d) = (w.input(&b, 0), w.output(&d, 0));
    w.line(format!("abs.s32 {}, {}", d.ptx, b.ptx));
    w.sass(format!("IABS {}, {}", d.sass, b.sass));
    w.finish()
}

/// UIMNMX by a constant predicate: `min` and `max` for VIMNMX.
pub(super) fn uimnmx(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, b, p], [d]) = (inputs(instruction), outputs(instruction));
    if !is_idle(&p) {
        return unsaid("UIMNMX by a predicate", "min and max are instructions of their own");
    }
    if a.neg || b.neg {
        return rewritten("UIMNMX of a negated operand", "it negates by an IADD3 of its own");
    }
    let (ty, sass_ty) = integer(instruction);
    let (name, by) = if p.not { ("max", "!PT") } else { ("min", "PT") };
    let mut w = BodyWriter::default();
    let (a, b, d) = (w.input(&a, 0), w.input(&b, 0), w.output(&d, 0));
    w.line(format!("{name}.{ty} {}, {}, {}", d.ptx, a.ptx, b.ptx));
    w.sass(format!("VIMNMX{sass_ty} {}, {}, {}, {by}", d.sass, a.sass, b.sass));
    w.finish()
}

/// UISETP: `setp`; with `.X` of 64 bits, whose low words compare as the predicate gives.
pub(super) fn uisetp(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, b, p, q], [u, v]) = (inputs(instruction), outputs(instruction));
    if !is_idle(&v) || is_idle(&u) {
        return rewritten(
            "UISETP's second predicate",
            "it computes that from the first one by another comparison",
        );
    }
    let (ty, sass_ty) = integer(instruction);
    let [cmp, op] = ["compop", "boolop"].map(|field| instruction.value_name(field));
    let name = format!("setp.{}.{}", cmp.to_lowercase(), op.to_lowercase());
    let mut w = BodyWriter::default();
    let (a, b, p) = (w.input(&a, 0), w.input(&b, 0), w.condition(&p));
    let (ex, tail) = if is_extended(instruction) {
        let low = w.input(&q, 0);
        let (not, [first, second]) = low_words(cmp, q.not, &low.ptx);
        w.line(format!("mov.b64 %d0, {{{first}, {}}}", a.ptx));
        w.line(format!("mov.b64 %d1, {{{second}, {}}}", b.ptx));
        (".EX", format!(", {not}{}", low.sass))
    } else {
        ("", String::new())
    };
    let result = w.predicate();
    match ex {
        "" => w.line(format!("{name}.{ty} {result}, {}, {}, {}", a.ptx, b.ptx, p.ptx)),
        _ => w.line(format!("{name}.{} {result}, %d0, %d1, {}", ty.replace("32", "64"), p.ptx)),
    }
    let u = w.condition_out(&u, &result);
    w.sass(format!("ISETP.{cmp}{sass_ty}.{op}{ex} {u}, PT, {}, {}, {}{tail}", a.sass, b.sass, p.sass));
    w.finish()
}

/// Two words whose unsigned comparison is x, or !x; x is 0 or 1.
fn low_words<'a>(cmp: &str, not: bool, x: &'a str) -> (&'static str, [&'a str; 2]) {
    let words = match (cmp, not) {
        ("EQ", false) | ("NE", true) => [x, "1"],
        ("EQ", true) | ("NE", false) => [x, "0"],
        ("LT", false) => ["0", x],
        ("LT", true) => [x, "1"],
        ("LE", false) => ["1", x],
        ("LE", true) => [x, "0"],
        ("GT", false) => [x, "0"],
        ("GT", true) => ["1", x],
        ("GE", false) => [x, "1"],
        _ => ["0", x],
    };
    (if not { "!" } else { "" }, words)
}
