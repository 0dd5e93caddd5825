//! Counts, masks, logic, shifts, permutes and selections (PTX ISA, "Integer Arithmetic Instructions" and "Logic and
//! Shift Instructions"), for the uniform datapath as well.

use assay_isa::tables::types::{CWMode, EXBool, FLOSH};
use assay_isa::{Instruction, Operand};

use super::write::{BodyWriter, Value, inputs, integer, is_idle, outputs};
use super::{Inexpressible, Lowering, rewritten, unsaid};

/// An instruction of one operand, by its name and modifiers in both languages.
fn one(instruction: &Instruction, ptx: &str, sass: &str) -> Result<Lowering, Inexpressible> {
    let ([operand], [d]) = (inputs(instruction), outputs(instruction));
    let mut w = BodyWriter::default();
    let (b, d) = (w.prefixed(&operand, "s32"), w.output(&d, 0));
    w.line(format!("{ptx} {}, {}", d.ptx, b.ptx));
    w.sass(format!("{sass} {}, {}", d.sass, b.sass));
    w.finish()
}

/// An instruction of two operands, likewise.
fn two(instruction: &Instruction, ptx: &str, sass: &str) -> Result<Lowering, Inexpressible> {
    let ([a, b], [d]) = (inputs(instruction), outputs(instruction));
    let mut w = BodyWriter::default();
    let (a, b, d) = (w.input(&a, 0), w.input(&b, 0), w.output(&d, 0));
    w.line(format!("{ptx} {}, {}, {}", d.ptx, a.ptx, b.ptx));
    w.sass(format!("{sass} {}, {}, {}", d.sass, a.sass, b.sass));
    w.finish()
}

/// POPC: `popc`.
pub(super) fn popc(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let [operand] = inputs::<1>(instruction);
    if operand.bitnot {
        return rewritten("the complement of POPC's operand", "it complements by a LOP3 of its own");
    }
    one(instruction, "popc.b32", "POPC")
}

/// FLO: `bfind`.
pub(super) fn flo(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let (ty, sass_ty) = integer(instruction);
    let (shift, sh) = match instruction.modifier("sh") {
        Some(FLOSH::SH) => (".shiftamt", ".SH"),
        _ => ("", ""),
    };
    one(instruction, &format!("bfind{shift}.{ty}"), &format!("FLO{sass_ty}{sh}"))
}

/// BREV: `brev`.
pub(super) fn brev(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    one(instruction, "brev.b32", "BREV")
}

/// What becomes of a large amount, in both languages.
fn amount(instruction: &Instruction, field: &str) -> (&'static str, &'static str) {
    match instruction.modifier(field) {
        Some(CWMode::WRAP) => ("wrap", ".W"),
        _ => ("clamp", ""),
    }
}

/// BMSK: `bmsk`.
pub(super) fn bmsk(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let (mode, wraps) = amount(instruction, "cwmode");
    two(instruction, &format!("bmsk.{mode}.b32"), &format!("BMSK{wraps}"))
}

/// SGXT: `szext`.
pub(super) fn sgxt(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ((mode, wraps), (ty, sass_ty)) = (amount(instruction, "cwmode"), integer(instruction));
    two(instruction, &format!("szext.{mode}.{ty}"), &format!("SGXT{wraps}{sass_ty}"))
}

/// USEL: `selp.b32`.
pub(super) fn usel(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, b, p], [d]) = (inputs(instruction), outputs(instruction));
    let mut w = BodyWriter::default();
    let (a, b, p, d) = (w.input(&a, 0), w.input(&b, 0), w.condition(&p), w.output(&d, 0));
    w.line(format!("selp.b32 {}, {}, {}, {}", d.ptx, a.ptx, b.ptx, p.ptx));
    w.sass(format!("SEL {}, {}, {}, {}", d.sass, a.sass, b.sass, p.sass));
    w.finish()
}

/// ULOP3: `lop3`, and where a predicate is written as well `lop3.and` or `lop3.or` (PTX ISA 8.2).
pub(super) fn ulop3(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let [a, b, c, _, p] = inputs(instruction);
    let [u, d] = by_kind(outputs(instruction));
    let table = format!("{:#x}", instruction.get("lut").unwrap_or_default());
    let (bool_op, sass_op) = match instruction.modifier("exbool") {
        Some(EXBool::PAND) => ("and", ".PAND"),
        _ => ("or", ""),
    };
    let mut w = BodyWriter::default();
    let [a, b, c] = [a, b, c].map(|operand| w.input(&operand, 0));
    if is_idle(&u) {
        if bool_op != "or" || !is_idle(&p) || !p.not {
            return unsaid("ULOP3's input predicate without its output", "lop3 names both or none");
        }
        let d = w.output(&d, 0);
        w.line(format!("lop3.b32 {}, {}, {}, {}, {table}", d.ptx, a.ptx, b.ptx, c.ptx));
        w.sass(format!("LOP3.LUT {}, {}, {}, {}, {table}, !PT", d.sass, a.sass, b.sass, c.sass));
        return w.finish();
    }
    let (p, result) = (w.condition(&p), w.predicate());
    let d = w.output(&d, 0);
    w.line(format!(
        "lop3.{bool_op}.b32 {}|{result}, {}, {}, {}, {table}, {}",
        d.ptx, a.ptx, b.ptx, c.ptx, p.ptx
    ));
    let u = w.condition_out(&u, &result);
    w.sass(format!(
        "LOP3.LUT{sass_op} {u}, {}, {}, {}, {}, {table}, {}",
        d.sass, a.sass, b.sass, c.sass, p.sass
    ));
    w.finish()
}

/// The predicate that is written, and the word.
fn by_kind([first, second]: [Operand; 2]) -> [Operand; 2] {
    if first.source.is_predicate() { [first, second] } else { [second, first] }
}

/// UPRMT: `prmt`. The operands keep their places in the word, where the unit has the selector second (E160).
pub(super) fn uprmt(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, selector, c], [d]) = (inputs(instruction), outputs(instruction));
    let mode = match instruction.value_name("mode") {
        "IDX" => String::new(),
        mode => format!(".{mode}"),
    };
    let mut w = BodyWriter::default();
    let [a, selector, c] = [a, selector, c].map(|operand| w.input(&operand, 0));
    let d = w.output(&d, 0);
    let name = format!("prmt.b32{}", mode.to_lowercase());
    w.line(format!("{name} {}, {}, {}, {}", d.ptx, a.ptx, c.ptx, selector.ptx));
    w.sass(format!("PRMT{mode} {}, {}, {}, {}", d.sass, a.sass, selector.sass, c.sass));
    w.finish()
}

/// USHF: a word of the pair c:a, shifted by `shf`, or by `shl` and `shr` of 32 and 64 bits.
pub(super) fn ushf(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, n, c], [d]) = (inputs(instruction), outputs(instruction));
    let (mode, wraps) = amount(instruction, "cwmod");
    let [direction, half, ty] = ["direction", "lohi", "itype"].map(|field| instruction.value_name(field));
    let mut w = BodyWriter::default();
    let mut all = || ([a, n, c].map(|operand| w.input(&operand, 0)), w.output(&d, 0));
    let operands = match (direction, half, ty) {
        ("L", _, "S32" | "S64") => {
            return unsaid("a signed shift to the left", "shl and shf.l have no sign");
        }
        ("L", "HI", "U32") | ("R", "LO", "U32") => {
            let ([low, n, high], d) = all();
            let name = format!("shf.{}.{mode}.b32", direction.to_lowercase());
            w.line(format!("{name} {}, {}, {}, {}", d.ptx, low.ptx, high.ptx, n.ptx));
            [d.sass, low.sass, n.sass, high.sass]
        }
        (_, _, "U64" | "S64") if !wraps.is_empty() => {
            return rewritten("a 64-bit shift that wraps", "it masks the amount by a LOP3 of its own");
        }
        ("L", "HI", "U64") | ("R", "LO", "U64" | "S64") => {
            let ([low, n, high], d) = all();
            long(&mut w, (direction, ty), [&d, &low, &n, &high]);
            [d.sass, low.sass, n.sass, high.sass]
        }
        (_, _, "U64" | "S64") => {
            return rewritten(
                "the word of a 64-bit shift that one word decides",
                "it shifts 32 bits instead",
            );
        }
        ("L", "LO", _) if is_idle(&c) => {
            let (low, n, d) = (w.input(&a, 0), w.input(&n, 0), w.output(&d, 0));
            short(&mut w, "shl.b32", mode, [&d, &low, &n]);
            [d.sass, low.sass, n.sass, "RZ".to_owned()]
        }
        ("R", "HI", _) if is_idle(&a) => {
            let (n, high, d) = (w.input(&n, 0), w.input(&c, 0), w.output(&d, 0));
            short(&mut w, if ty == "S32" { "shr.s32" } else { "shr.u32" }, mode, [&d, &high, &n]);
            [d.sass, "RZ".to_owned(), n.sass, high.sass]
        }
        ("R", "LO", _) => return unsaid("the low word of a signed shift by at most 32", "shf.r has no sign"),
        _ => {
            return unsaid(
                "an operand that does not count",
                "shl and shr have only the word that is shifted",
            );
        }
    };
    let half = if half == "HI" { ".HI" } else { "" };
    w.sass(format!("SHF.{direction}{wraps}.{ty}{half} {}", operands.join(", ")));
    w.finish()
}

/// A shift of 64 bits, of which one word is kept.
fn long(w: &mut BodyWriter, (direction, ty): (&str, &str), [d, low, n, high]: [&Value; 4]) {
    let name = match (direction, ty) {
        ("L", _) => "shl.b64",
        (_, "S64") => "shr.s64",
        _ => "shr.u64",
    };
    let other = w.word();
    let kept = if direction == "L" { [&other, &d.ptx] } else { [&d.ptx, &other] };
    w.line(format!("mov.b64 %d0, {{{}, {}}}", low.ptx, high.ptx));
    w.line(format!("{name} %d1, %d0, {}", n.ptx));
    w.line(format!("mov.b64 {{{}, {}}}, %d1", kept[0], kept[1]));
}

/// A shift of one word; an amount that wraps is masked, which the assembler merges into the shift.
fn short(w: &mut BodyWriter, name: &str, mode: &str, [d, value, n]: [&Value; 3]) {
    if mode == "clamp" {
        return w.line(format!("{name} {}, {}, {}", d.ptx, value.ptx, n.ptx));
    }
    let masked = w.word();
    w.line(format!("and.b32 {masked}, {}, 31", n.ptx));
    w.line(format!("{name} {}, {}, {masked}", d.ptx, value.ptx));
}
