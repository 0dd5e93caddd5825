//! Float arithmetic, extremes, comparisons and selections (PTX ISA, "Floating Point Instructions" and
//! "Comparison and Selection Instructions").

use assay_isa::tables::types::{BVal, FPFtz, FPSat, NAN};
use assay_isa::{Instruction, Operand};

use super::machine::{self, FmulModifiers};
use super::write::{BodyWriter, Value, inputs, is_idle, outputs};
use super::{Inexpressible, Lowering, rewritten, unsaid};

/// Modifiers of an arithmetic instruction in PTX and in SASS.
fn arithmetic(instruction: &Instruction) -> (String, String) {
    let round = instruction.value_name("rnd");
    let mut ptx = format!(".{}", round.to_lowercase());
    let mut sass = String::new();
    if instruction.modifier("ftz") == Some(FPFtz::FTZ) {
        ptx += ".ftz";
        sass += ".FTZ";
    }
    if round != "RN" {
        sass = sass + "." + round;
    }
    if instruction.modifier("sat") == Some(FPSat::SAT) {
        ptx += ".sat";
        sass += ".SAT";
    }
    (ptx, sass)
}

/// FADD and FMUL: `add` and `mul`.
pub(super) fn two(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let [a, b] = inputs(instruction);
    let is_sum = instruction.optype() == "FADD";
    if !is_sum && a.neg {
        return rewritten(
            "FMUL of a negated first operand",
            "it moves the sign to the second, or drops two of them",
        );
    }
    let [d] = outputs(instruction);
    let mut w = BodyWriter::default();
    let (a, b) = (w.prefixed(&a, "f32"), w.prefixed(&b, "f32"));
    let d = w.output(&d, 0);
    let (ptx, sass) = arithmetic(instruction);
    let scale = if is_sum { String::new() } else { scale(&mut w, instruction) };
    let statement = |scale: &str| {
        let name = if is_sum { "add" } else { "mul" };
        format!("{name}{ptx}{scale}.f32 {}, {}, {}", d.ptx, a.ptx, b.ptx)
    };
    w.replaced_line(&statement(""), &statement(&scale.to_lowercase()));
    w.sass(format!("{}{sass}{scale} {}, {}, {}", instruction.optype(), d.sass, a.sass, b.sass));
    w.finish()
}

/// The scale of FMUL, as SASS has it. `mul` has none, so that it is put into the machine code.
fn scale(w: &mut BodyWriter, instruction: &Instruction) -> String {
    match instruction.value_name("scl") {
        "NoScale" => String::new(),
        scale => {
            let modifiers = FmulModifiers {
                rounding: instruction.value_name("rnd"),
                flush: instruction.modifier("ftz") == Some(FPFtz::FTZ),
                saturate: instruction.modifier("sat") == Some(FPSat::SAT),
            };
            w.patch(machine::scale(&modifiers, scale));
            format!(".{scale}")
        }
    }
}

/// FFMA: `fma`.
pub(super) fn ffma(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let [a, b, c] = inputs(instruction);
    let [d] = outputs(instruction);
    let mut w = BodyWriter::default();
    let [a, b, c] = [a, b, c].map(|operand| w.prefixed(&operand, "f32"));
    let d = w.output(&d, 0);
    let (ptx, sass) = arithmetic(instruction);
    w.line(format!("fma{ptx}.f32 {}, {}, {}, {}", d.ptx, a.ptx, b.ptx, c.ptx));
    w.sass(format!("FFMA{sass} {}, {}, {}, {}", d.sass, a.sass, b.sass, c.sass));
    w.finish()
}

/// `.ftz` in both languages, or nothing.
fn flush(instruction: &Instruction) -> (&'static str, &'static str) {
    let flushes = instruction.modifier("ftz") == Some(FPFtz::FTZ);
    if flushes { (".ftz", ".FTZ") } else { ("", "") }
}

/// FMNMX by a constant predicate: `min` and `max`.
pub(super) fn fmnmx(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let [a, b, p] = inputs(instruction);
    if !is_idle(&p) {
        return unsaid("FMNMX by a predicate", "min and max are instructions of their own");
    }
    let [d] = outputs(instruction);
    let mut w = BodyWriter::default();
    let (a, b) = (w.prefixed(&a, "f32"), w.prefixed(&b, "f32"));
    let d = w.output(&d, 0);
    let ((name, by), (ftz, flushes)) =
        (if p.not { ("max", "!PT") } else { ("min", "PT") }, flush(instruction));
    let (nan, passes) = match instruction.modifier("nan") {
        Some(NAN::NAN) => (".NaN", ".NAN"),
        _ => ("", ""),
    };
    w.line(format!("{name}{ftz}{nan}.f32 {}, {}, {}", d.ptx, a.ptx, b.ptx));
    w.sass(format!("FMNMX{flushes}{passes} {}, {}, {}, {by}", d.sass, a.sass, b.sass));
    w.finish()
}

/// A comparison: its modifiers in PTX, those in SASS, and its operands.
struct Comparison {
    ptx: String,
    sass: String,
    operands: [Value; 3],
}

impl Comparison {
    /// The predicate comes from a register even where it is PT: without one ptxas would make the opposite comparison.
    fn of(w: &mut BodyWriter, instruction: &Instruction, [a, b, p]: [&Operand; 3]) -> Comparison {
        let (cmp, lop) = (instruction.value_name("cmp"), instruction.value_name("lop"));
        let (ftz, flushes) = flush(instruction);
        Comparison {
            ptx: format!(".{}.{}{ftz}", cmp.to_lowercase(), lop.to_lowercase()),
            sass: format!(".{cmp}{flushes}.{lop}"),
            operands: [w.prefixed(a, "f32"), w.prefixed(b, "f32"), w.condition(p)],
        }
    }
}

/// FSETP of one predicate: `setp`.
pub(super) fn fsetp(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let [a, b, p] = inputs(instruction);
    let [u, v] = outputs(instruction);
    if !is_idle(&v) || is_idle(&u) {
        return rewritten(
            "FSETP's second predicate",
            "it computes that from the first one by another comparison",
        );
    }
    let mut w = BodyWriter::default();
    let Comparison { ptx, sass, operands: [a, b, p] } = Comparison::of(&mut w, instruction, [&a, &b, &p]);
    let result = w.predicate();
    w.line(format!("setp{ptx}.f32 {result}, {}, {}, {}", a.ptx, b.ptx, p.ptx));
    let u = w.condition_out(&u, &result);
    w.sass(format!("FSETP{sass} {u}, PT, {}, {}, {}", a.sass, b.sass, p.sass));
    w.finish()
}

/// FSET.BF: `set.f32`.
pub(super) fn fset(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    if instruction.modifier("bval") != Some(BVal::BF) {
        return rewritten("FSET.BM", "set.u32 becomes FSETP and SEL");
    }
    if instruction.modifier("ftz") == Some(FPFtz::FTZ) {
        return rewritten("FSET.BF.FTZ", "set.ftz.f32 becomes FSETP, SEL, IABS and I2FP");
    }
    let [a, b, p] = inputs(instruction);
    let [d] = outputs(instruction);
    let mut w = BodyWriter::default();
    let Comparison { ptx, sass, operands: [a, b, p] } = Comparison::of(&mut w, instruction, [&a, &b, &p]);
    let d = w.output(&d, 0);
    w.line(format!("set{ptx}.f32.f32 {}, {}, {}, {}", d.ptx, a.ptx, b.ptx, p.ptx));
    w.sass(format!("FSET.BF{sass} {}, {}, {}, {}", d.sass, a.sass, b.sass, p.sass));
    w.finish()
}

/// FSEL: `selp.f32`. It has no `.ftz`, which is put into the machine code.
pub(super) fn fsel(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let [a, b, p] = inputs(instruction);
    let [d] = outputs(instruction);
    let mut w = BodyWriter::default();
    let (a, b, p) = (w.prefixed(&a, "f32"), w.prefixed(&b, "f32"), w.condition(&p));
    let d = w.output(&d, 0);
    let (ftz, flushes) = flush(instruction);
    if !ftz.is_empty() {
        w.patch(machine::select_flushed());
    }
    let operands = [d.ptx, a.ptx, b.ptx, p.ptx].join(", ");
    w.replaced_line(&format!("selp.f32 {operands}"), &format!("selp{ftz}.f32 {operands}"));
    w.sass(format!("FSEL{flushes} {}, {}, {}, {}", d.sass, a.sass, b.sass, p.sass));
    w.finish()
}

/// FCHK, which PTX has only within a division: `setp`, made FCHK in the machine code. Its result comes later than that of
/// a comparison, so that the instruction that reads it must wait.
pub(super) fn fchk(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, b], [u]) = (inputs(instruction), outputs(instruction));
    let mut w = BodyWriter::default();
    let (a, b, result) = (w.prefixed(&a, "f32"), w.prefixed(&b, "f32"), w.predicate());
    let operands = [result.as_str(), &a.ptx, &b.ptx].join(", ");
    w.replaced_line(&format!("setp.geu.f32 {operands}"), &format!("fchk.f32 {operands}"));
    let u = w.condition_out(&u, &result);
    machine::check_division().into_iter().for_each(|patch| w.patch(patch));
    w.sass(format!("FCHK {u}, {}, {}", a.sass, b.sass));
    w.finish()
}

/// UF2FP, as E168 reads it: `cvt.rn.f16x2.f32`.
pub(super) fn uf2fp(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let [a, b, c] = inputs(instruction);
    if !is_idle(&c) {
        return unsaid("a third operand of UF2FP", "cvt packs two (E168)");
    }
    let [d] = outputs(instruction);
    let mut w = BodyWriter::default();
    let (a, b, d) = (w.input(&a, 0), w.input(&b, 0), w.output(&d, 0));
    w.line(format!("cvt.rn.f16x2.f32 {}, {}, {}", d.ptx, a.ptx, b.ptx));
    w.sass(format!("F2FP.F16.F32.PACK_AB {}, {}, {}", d.sass, a.sass, b.sass));
    w.finish()
}
