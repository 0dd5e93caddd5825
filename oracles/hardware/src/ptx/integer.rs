//! Sums, products, addresses, minimum and maximum, and comparisons of the uniform datapath. These
//! instructions are lowered to PTX that computes the same results in each lane (PTX ISA, "Integer
//! Arithmetic Instructions" and "Extended-Precision Integer Arithmetic Instructions").

use assay_isa::tables::types::{IExt, LEASX32, LOHI};
use assay_isa::{Instruction, Operand};

use super::write::{BodyWriter, Value, inputs, integer, is_idle, outputs};
use super::{Inexpressible, Lowering, replaced, unsaid};

/// Returns whether the instruction has `.X`, so that it is one step of a computation on longer
/// integers.
fn is_extended(instruction: &Instruction) -> bool {
    instruction.modifier("ext") == Some(IExt::X)
}

/// Returns the names of the written operands. The carry's name, if there is one, comes after the
/// words.
fn written(carry: Option<String>, words: &str) -> String {
    carry.map_or(words.to_owned(), |carry| format!("{words}, {carry}"))
}

/// UIADD: `add` for IADD3. With `.X`: `addc` for IADD3.X.
pub(super) fn uiadd(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    if is_extended(instruction) {
        return uiadd_x(instruction);
    }
    let ([a, b, _], [d, _]) = (inputs(instruction), outputs(instruction));
    let mut w = BodyWriter::of(instruction);
    let (a, b) = (w.prefixed(&a, "s32"), w.prefixed(&b, "s32"));
    let d = w.output(&d, 0);
    w.line(format!("add.s32 {}, {}, {}", d.ptx, a.ptx, b.ptx));
    // IADD3 can negate at most two of its three operands. If it negates two, the first operand must
    // not be one of them.
    let both = a.sass.starts_with('-') && b.sass.starts_with('-');
    let terms = if both { ["RZ", &a.sass, &b.sass] } else { [&a.sass, &b.sass, "RZ"] };
    w.sass(format!("IADD3 {}, {}", d.sass, terms.join(", ")));
    w.finish()
}

/// UIADD.X: `addc` for IADD3.X.
fn uiadd_x(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, b, carry], [d, u]) = (inputs(instruction), outputs(instruction));
    if a.neg && b.neg {
        return unsaid("two complements of UIADD.X", "a device refuses UIADD3.X of them");
    }
    let mut w = BodyWriter::of(instruction);
    let [a, b] = [a, b].map(|operand| w.prefixed(&complemented(&operand), "s32"));
    let carry = w.carry_in(&carry);
    let d = w.output(&d, 0);
    w.line(format!("addc{}.u32 {}, {}, {}", carries(&u), d.ptx, a.ptx, b.ptx));
    let u = w.carry_out(&u);
    w.sass(format!("IADD3.X {}, {}, {}, RZ, {}, !PT", written(u, &d.sass), a.sass, b.sass, carry));
    w.finish()
}

/// Returns an operand whose minus sign is replaced by a complement. With `.X`, `neg` means a
/// complement.
fn complemented(operand: &Operand) -> Operand {
    Operand { neg: false, bitnot: operand.neg, ..*operand }
}

/// Returns `.cc` if a carry is written.
fn carries(carry: &Operand) -> &'static str {
    if is_idle(carry) { "" } else { ".cc" }
}

/// UIMAD: `mad.lo` for IMAD.
pub(super) fn uimad(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, b, c, _], [d, u]) = (inputs(instruction), outputs(instruction));
    if instruction.modifier("lohi") == Some(LOHI::HI) {
        return unsaid(
            "UIMAD.HI.X",
            "IMAD.HI adds 64 bits to the product, and UIMAD.HI 32 to its high word (E104)",
        );
    }
    if !is_idle(&u) {
        return unsaid("the carry of UIMAD", "IMAD has none");
    }
    let mut w = BodyWriter::of(instruction);
    let [a, b, c] = [a, b, c].map(|operand| w.prefixed(&operand, "s32"));
    let d = w.output(&d, 0);
    let (ty, _) = integer(instruction);
    w.main(
        format!("mad.lo.{ty} {}, {}, {}, {}", d.ptx, a.ptx, b.ptx, c.ptx),
        format!("IMAD {}, {}, {}, {}", d.sass, a.sass, b.sass, c.sass),
    );
    w.finish()
}

/// UIMAD.WIDE: `mad.lo.cc` and `madc.hi`. A negated addend becomes its complement. Without `.X`, 1
/// is added too.
pub(super) fn uimad_wide(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, b, c, carry], [d, u]) = (inputs(instruction), outputs(instruction));
    let extended = is_extended(instruction);
    let (ty, sass_ty) = integer(instruction);
    let mut w = BodyWriter::of(instruction);
    let (a, b) = (w.input(&a, 0), w.input(&b, 0));
    let words = [0, 1].map(|word| w.input(&c, word));
    let complement = complemented(&c);
    let [low, high] = words.each_ref().map(|word| w.executed_prefixed(&complement, "s32", word));
    let carry = extended.then(|| w.carry_in(&carry));
    let [d_low, d_high] = [0, 1].map(|word| w.output(&d, word));
    if c.neg && !extended {
        let sink = w.word();
        w.line(format!("sub.cc.u32 {sink}, 0, 0"));
    }
    let first = if c.neg || extended { "madc" } else { "mad" };
    w.line(format!("{first}.lo.cc.{ty} {}, {}, {}, {}", d_low.ptx, a.ptx, b.ptx, low.ptx));
    w.line(format!("madc.hi{}.{ty} {}, {}, {}, {}", carries(&u), d_high.ptx, a.ptx, b.ptx, high.ptx));
    let u = w.carry_out(&u);
    let results = if is_idle(&d) { "RZ".to_owned() } else { format!("{}:{}", d_low.sass, d_high.sass) };
    let sign = match (c.neg, extended) {
        (false, _) => "",
        (true, false) => "-",
        (true, true) => "~",
    };
    let addend = format!("{sign}{}:{}", words[0].sass, words[1].sass);
    let (x, carry) = carry.map_or(("", String::new()), |carry| (".X", format!(", {carry}")));
    w.sass(format!(
        "IMAD.WIDE{sass_ty}{x} {}, {}, {}, {addend}{carry}",
        written(u, &results),
        a.sass,
        b.sass
    ));
    w.finish()
}

/// UIMUL: `mul` for IMAD with RZ.
pub(super) fn uimul(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, b], [d]) = (inputs(instruction), outputs(instruction));
    if b.neg {
        return unsaid("UIMUL of a negated operand", "IMAD negates no factor");
    }
    let (ty, sass_ty) = integer(instruction);
    // Whether the operands are signed does not change the low half, so that IMAD has no type.
    let (half, sass) = match instruction.modifier("lohi") {
        Some(LOHI::HI) => ("hi", format!("IMAD.HI{sass_ty}")),
        _ => ("lo", "IMAD".to_owned()),
    };
    let mut w = BodyWriter::of(instruction);
    let (a, b, d) = (w.input(&a, 0), w.input(&b, 0), w.output(&d, 0));
    w.main(
        format!("mul.{half}.{ty} {}, {}, {}", d.ptx, a.ptx, b.ptx),
        format!("{sass} {}, {}, {}, RZ", d.sass, a.sass, b.sass),
    );
    w.finish()
}

/// ULEA: `shl` and `add` for LEA. The carry of a difference a - b is the carry of the sum a + ~b +
/// 1.
pub(super) fn ulea(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    if is_extended(instruction) {
        return ulea_x(instruction);
    }
    let ([a, b, ..], [d, u]) = (inputs::<5>(instruction), outputs(instruction));
    let shift = instruction.get("shiftamt").unwrap_or_default();
    let mut w = BodyWriter::of(instruction);
    let (bare, b, shifted) = (w.input(&a, 0), w.input(&b, 0), w.word());
    w.line(format!("shl.b32 {shifted}, {}, {shift}", bare.ptx));
    let (d, cc) = (w.output(&d, 0), carries(&u));
    let sign = if a.neg { "-" } else { "" };
    w.line(if a.neg {
        format!("sub{cc}.u32 {}, {}, {shifted}", d.ptx, b.ptx)
    } else {
        format!("add{cc}.u32 {}, {shifted}, {}", d.ptx, b.ptx)
    });
    let u = w.carry_out(&u);
    w.sass(format!("LEA {}, {sign}{}, {}, {shift:#x}", written(u, &d.sass), bare.sass, b.sass));
    w.finish()
}

/// ULEA.HI.X: shifts a pair by `shl.b64`, and adds its high word by `addc`.
fn ulea_x(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, b, c, _, carry], [d, u]) = (inputs(instruction), outputs(instruction));
    let shift = instruction.get("shiftamt").unwrap_or_default();
    let is_extending = instruction.modifier("sx32") == Some(LEASX32::SX32);
    let mut w = BodyWriter::of(instruction);
    let [bare, b, bare_high] = [a, b, c].map(|operand| w.input(&operand, 0));
    let upper = if is_extending { w.word() } else { bare_high.ptx.clone() };
    if is_extending {
        w.line(format!("shr.s32 {upper}, {}, 31", bare.ptx));
    }
    w.line(format!("mov.b64 %d0, {{{}, {upper}}}", bare.ptx));
    w.line(format!("shl.b64 %d1, %d0, {shift}"));
    let [low, high] = [w.word(), w.word()];
    w.line(format!("mov.b64 {{{low}, {high}}}, %d1"));
    let high = w.executed_prefixed(&complemented(&a), "b32", &Value { ptx: high, sass: bare.sass.clone() });
    let carry = w.carry_in(&carry);
    let d = w.output(&d, 0);
    w.line(format!("addc{}.u32 {}, {}, {}", carries(&u), d.ptx, high.ptx, b.ptx));
    let u = w.carry_out(&u);
    let (sx32, third) =
        if is_extending { (".SX32", String::new()) } else { ("", format!(", {}", bare_high.sass)) };
    let operands = format!("{}, {}{third}, {shift:#x}, {carry}", high.sass, b.sass);
    w.sass(format!("LEA.HI.X{sx32} {}, {operands}", written(u, &d.sass)));
    w.finish()
}

/// UIABS: `abs`.
pub(super) fn uiabs(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([b], [d]) = (inputs(instruction), outputs(instruction));
    let mut w = BodyWriter::of(instruction);
    let (b, d) = (w.input(&b, 0), w.output(&d, 0));
    w.line(format!("abs.s32 {}, {}", d.ptx, b.ptx));
    w.sass(format!("IABS {}, {}", d.sass, b.sass));
    w.finish()
}

/// UIMNMX: `min` and `max` for VIMNMX. If a predicate chooses the minimum or the maximum: a `selp`,
/// which a patch changes to VIMNMX.
pub(super) fn uimnmx(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, b, p], [d]) = (inputs(instruction), outputs(instruction));
    if a.neg || b.neg {
        return unsaid("UIMNMX of a negated operand", "VIMNMX negates none");
    }
    let (ty, sass_ty) = integer(instruction);
    let mut w = BodyWriter::of(instruction);
    let (a, b) = (w.input(&a, 0), w.input(&b, 0));
    let names = ["min", "max"].map(|name| format!("{name}.{ty}"));
    if is_idle(&p) {
        let d = w.output(&d, 0);
        let (name, by) = if p.not { (&names[1], "!PT") } else { (&names[0], "PT") };
        w.main(
            format!("{name} {}, {}, {}", d.ptx, a.ptx, b.ptx),
            format!("VIMNMX{sass_ty} {}, {}, {}, {by}", d.sass, a.sass, b.sass),
        );
        return w.finish();
    }
    w.patch(replaced::integer_extreme(ty == "s32"));
    let p = w.condition(&p);
    let d = w.output(&d, 0);
    let sass = format!("VIMNMX{sass_ty} {}, {}, {}, {}", d.sass, a.sass, b.sass, p.sass);
    w.selected_extreme(&names, [&d, &a, &b, &p], [&a, &b], sass);
    w.finish()
}

/// UISETP: `setp`. With `.X`: a `setp` of 64 bits. Its low words are chosen so that they compare as
/// the second predicate requires.
pub(super) fn uisetp(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, b, p, q], [u, v]) = (inputs(instruction), outputs(instruction));
    let (ty, sass_ty) = integer(instruction);
    let [cmp, op] = ["compop", "boolop"].map(|field| instruction.value_name(field));
    let mut w = BodyWriter::of(instruction);
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
    let (compared, ty) = match ex {
        "" => (format!("{}, {}", a.ptx, b.ptx), ty.to_owned()),
        _ => ("%d0, %d1".to_owned(), ty.replace("32", "64")),
    };
    let statement = |cmp: &str, to: &str| {
        format!("setp.{}.{}.{ty} {to}, {compared}, {}", cmp.to_lowercase(), op.to_lowercase(), p.ptx)
    };
    let statements: [&dyn Fn(&str) -> String; 2] =
        [&|to| statement(cmp, to), &|to| statement(inverse(cmp), to)];
    let [u, v] = w.conditions_out([&u, &v], statements);
    w.sass(format!("ISETP.{cmp}{sass_ty}.{op}{ex} {u}, {v}, {}, {}, {}{tail}", a.sass, b.sass, p.sass));
    w.finish()
}

/// Returns the comparison that is true exactly where `cmp` is false.
fn inverse(cmp: &str) -> &'static str {
    match cmp {
        "EQ" => "NE",
        "NE" => "EQ",
        "LT" => "GE",
        "LE" => "GT",
        "GT" => "LE",
        _ => "LT",
    }
}

/// Returns two words whose unsigned comparison by `cmp` has the result x, or !x if `not`.
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
