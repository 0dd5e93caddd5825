//! Counts, masks, logic, shifts, permutations and selections, also of the uniform datapath (PTX
//! ISA, "Integer Arithmetic Instructions" and "Logic and Shift Instructions").

use assay_isa::tables::types::{CWMode, EXBool, FLOSH};
use assay_isa::{Instruction, Operand};

use super::write::{BodyWriter, Value, inputs, integer, is_idle, outputs};
use super::{Inexpressible, Lowering, replaced};

/// Lowers an instruction of one operand. `ptx` and `sass` are its name and modifiers in each
/// language.
fn one(instruction: &Instruction, ptx: &str, sass: &str) -> Result<Lowering, Inexpressible> {
    let ([operand], [d]) = (inputs(instruction), outputs(instruction));
    let mut w = BodyWriter::of(instruction);
    let (b, d) = (w.prefixed(&operand, "s32"), w.output(&d, 0));
    w.line(format!("{ptx} {}, {}", d.ptx, b.ptx));
    w.sass(format!("{sass} {}, {}", d.sass, b.sass));
    w.finish()
}

/// Lowers an instruction of two operands. `ptx` and `sass` are its name and modifiers in each
/// language.
fn two(instruction: &Instruction, ptx: &str, sass: &str) -> Result<Lowering, Inexpressible> {
    let ([a, b], [d]) = (inputs(instruction), outputs(instruction));
    let mut w = BodyWriter::of(instruction);
    let (a, b, d) = (w.input(&a, 0), w.input(&b, 0), w.output(&d, 0));
    w.main(
        format!("{ptx} {}, {}, {}", d.ptx, a.ptx, b.ptx),
        format!("{sass} {}, {}, {}", d.sass, a.sass, b.sass),
    );
    w.finish()
}

/// POPC: `popc`. A patch puts the complement of the operand into the machine code, because the
/// assembler would make a separate LOP3 of it.
pub(super) fn popc(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([operand], [d]) = (inputs(instruction), outputs(instruction));
    let mut w = BodyWriter::of(instruction);
    let (bare, d) = (w.input(&operand, 0), w.output(&d, 0));
    if operand.bitnot {
        w.patch(replaced::complemented_count());
    }
    let b = w.executed_prefixed(&operand, "b32", &bare);
    w.replaced_main(
        &format!("popc.b32 {}, {}", d.ptx, bare.ptx),
        &format!("popc.b32 {}, {}", d.ptx, b.ptx),
        format!("POPC {}, {}", d.sass, b.sass),
    );
    w.finish()
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

/// Returns the modifier that handles too large amounts, in PTX and in SASS.
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
    let mut w = BodyWriter::of(instruction);
    let (a, b, p, d) = (w.input(&a, 0), w.input(&b, 0), w.condition(&p), w.output(&d, 0));
    w.main(
        format!("selp.b32 {}, {}, {}, {}", d.ptx, a.ptx, b.ptx, p.ptx),
        format!("SEL {}, {}, {}, {}", d.sass, a.sass, b.sass, p.sass),
    );
    w.finish()
}

/// ULOP3: `lop3`. For an instruction that also writes a predicate: `lop3.and` or `lop3.or` (PTX ISA
/// 8.2).
pub(super) fn ulop3(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let [a, b, c, _, p] = inputs(instruction);
    let [u, d] = by_kind(outputs(instruction));
    let table = format!("{:#x}", instruction.get("lut").unwrap_or_default());
    let (bool_op, sass_op) = match instruction.modifier("exbool") {
        Some(EXBool::PAND) => ("and", ".PAND"),
        _ => ("or", ""),
    };
    let mut w = BodyWriter::of(instruction);
    let [a, b, c] = [a, b, c].map(|operand| w.input(&operand, 0));
    let (p, result) = (w.condition(&p), w.predicate());
    if is_idle(&u) {
        let d = w.output(&d, 0);
        w.line(format!("lop3.b32 {}, {}, {}, {}, {table}", d.ptx, a.ptx, b.ptx, c.ptx));
        let operands = [&d, &a, &b, &c].map(|value| value.sass.as_str()).join(", ");
        w.sass(format!("LOP3.LUT{sass_op} {operands}, {table}, {}", p.sass));
        return w.finish();
    }
    let d = w.output(&d, 0);
    w.line(format!(
        "lop3.{bool_op}.b32 {}|{result}, {}, {}, {}, {table}, {}",
        d.ptx, a.ptx, b.ptx, c.ptx, p.ptx
    ));
    let u = w.condition_out(&u, &result).sass;
    w.sass(format!(
        "LOP3.LUT{sass_op} {u}, {}, {}, {}, {}, {table}, {}",
        d.sass, a.sass, b.sass, c.sass, p.sass
    ));
    w.finish()
}

/// Returns the two outputs, the predicate first and the word second.
fn by_kind([first, second]: [Operand; 2]) -> [Operand; 2] {
    if first.source.is_predicate() { [first, second] } else { [second, first] }
}

/// UPRMT: `prmt`. The operands keep their order in the word. In the uniform datapath, the selector
/// is the second operand (E160).
pub(super) fn uprmt(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, selector, c], [d]) = (inputs(instruction), outputs(instruction));
    let mode = match instruction.value_name("mode") {
        "IDX" => String::new(),
        mode => format!(".{mode}"),
    };
    let mut w = BodyWriter::of(instruction);
    let [a, selector, c] = [a, selector, c].map(|operand| w.input(&operand, 0));
    let d = w.output(&d, 0);
    let name = format!("prmt.b32{}", mode.to_lowercase());
    w.main(
        format!("{name} {}, {}, {}, {}", d.ptx, a.ptx, c.ptx, selector.ptx),
        format!("PRMT{mode} {}, {}, {}, {}", d.sass, a.sass, selector.sass, c.sass),
    );
    w.finish()
}

/// USHF: shifts the pair c:a and takes one word, by `shf`, or by `shl` and `shr` of 32 and 64 bits.
pub(super) fn ushf(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, n, c], [d]) = (inputs(instruction), outputs(instruction));
    let (mode, wraps) = amount(instruction, "cwmod");
    let [direction, half, ty] = ["direction", "lohi", "itype"].map(|field| instruction.value_name(field));
    let mut w = BodyWriter::of(instruction);
    let [low, n, high] = [a, n, c].map(|operand| w.input(&operand, 0));
    let d = w.output(&d, 0);
    let shown = if half == "HI" { ".HI" } else { "" };
    let sass = |low: &str, high: &str| {
        format!("SHF.{direction}{wraps}.{ty}{shown} {}, {low}, {}, {high}", d.sass, n.sass)
    };
    match (direction, half, ty) {
        ("L", "HI", "U32") | ("R", "LO", "U32") => {
            let name = format!("shf.{}.{mode}.b32", direction.to_lowercase());
            let statement = format!("{name} {}, {}, {}, {}", d.ptx, low.ptx, high.ptx, n.ptx);
            w.main(statement, sass(&low.sass, &high.sass));
        }
        ("L", "LO", "U32") if is_idle(&c) && wraps.is_empty() => {
            w.main(format!("shl.b32 {}, {}, {}", d.ptx, low.ptx, n.ptx), sass(&low.sass, "RZ"));
        }
        ("R", "HI", "S32" | "U32") if is_idle(&a) && wraps.is_empty() => {
            let name = format!("shr.{}", ty.to_lowercase());
            w.main(format!("{name} {}, {}, {}", d.ptx, high.ptx, n.ptx), sass("RZ", &high.sass));
        }
        _ => {
            let executed = executed_shift(&mut w, (direction, half, ty, mode), [&d, &low, &n, &high]);
            w.main(executed, sass(&low.sass, &high.sass));
        }
    }
    w.finish()
}

/// Adds executed statements that shift the pair by at most the number of bits of its type. Returns
/// the last statement of the shift.
fn executed_shift(
    w: &mut BodyWriter,
    (direction, half, ty, mode): (&str, &str, &str, &str),
    [d, low, n, high]: [&Value; 4],
) -> String {
    let [places, other, kept] = [w.word(), w.word(), w.word()];
    let bits = if ty.ends_with("64") { 64 } else { 32 };
    w.executed_line(match mode {
        "wrap" => format!("and.b32 {places}, {}, {}", n.ptx, bits - 1),
        _ => format!("min.u32 {places}, {}, {bits}", n.ptx),
    });
    w.executed_line(format!("mov.b64 %d0, {{{}, {}}}", low.ptx, high.ptx));
    let name = match (direction, ty.starts_with('S')) {
        ("L", _) => "shl.b64",
        (_, true) => "shr.s64",
        _ => "shr.u64",
    };
    w.executed_line(format!("{name} %d1, %d0, {places}"));
    let words = if half == "HI" { [&other, &kept] } else { [&kept, &other] };
    w.executed_line(format!("mov.b64 {{{}, {}}}, %d1", words[0], words[1]));
    format!("mov.b32 {}, {kept}", d.ptx)
}
