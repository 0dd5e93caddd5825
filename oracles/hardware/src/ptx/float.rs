//! Float arithmetic, minimum and maximum, comparisons and selections (PTX ISA, "Floating Point
//! Instructions" and "Comparison and Selection Instructions").

use assay_isa::tables::types::{BVal, FPFtz, FPSat, NAN};
use assay_isa::{Instruction, Operand};

use super::replaced::{self, ABSOLUTE_A, ABSOLUTE_B, FmulModifiers, NEGATED_A, NEGATED_B};
use super::write::{BodyWriter, Value, inputs, is_idle, outputs};
use super::{Inexpressible, Lowering, unsaid};

/// Returns the modifiers of an arithmetic instruction, in PTX and in SASS.
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

/// FADD: `add`.
pub(super) fn fadd(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, b], [d]) = (inputs(instruction), outputs(instruction));
    let mut w = BodyWriter::of(instruction);
    let (a, b) = (w.prefixed(&a, "f32"), w.prefixed(&b, "f32"));
    let d = w.output(&d, 0);
    let (ptx, sass) = arithmetic(instruction);
    w.main(
        format!("add{ptx}.f32 {}, {}, {}", d.ptx, a.ptx, b.ptx),
        format!("FADD{sass} {}, {}, {}", d.sass, a.sass, b.sass),
    );
    w.finish()
}

/// FMUL: `mul`. A patch puts two features into the machine code. The first is the scale, which PTX
/// lacks. The second is the sign of the first operand, since the assembler moves the sign of the
/// first operand to the second, or drops two signs.
pub(super) fn fmul(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, b], [d]) = (inputs(instruction), outputs(instruction));
    let mut w = BodyWriter::of(instruction);
    let (plain, b) = (w.prefixed(&Operand { neg: false, ..a }, "f32"), w.prefixed(&b, "f32"));
    let d = w.output(&d, 0);
    let (ptx, sass) = arithmetic(instruction);
    let scale = match instruction.value_name("scl") {
        "NoScale" => String::new(),
        scale => format!(".{scale}"),
    };
    if a.neg || !scale.is_empty() {
        let modifiers = FmulModifiers {
            rounding: instruction.value_name("rnd"),
            flush: instruction.modifier("ftz") == Some(FPFtz::FTZ),
            saturate: instruction.modifier("sat") == Some(FPSat::SAT),
        };
        w.patch(replaced::product(&modifiers, scale.trim_start_matches('.'), a.neg));
    }
    let first = w.executed_prefixed(&Operand { abs: false, ..a }, "f32", &plain);
    w.replaced_main(
        &format!("mul{ptx}.f32 {}, {}, {}", d.ptx, plain.ptx, b.ptx),
        &format!("mul{ptx}{}.f32 {}, {}, {}", scale.to_lowercase(), d.ptx, first.ptx, b.ptx),
        format!("FMUL{sass}{scale} {}, {}, {}", d.sass, first.sass, b.sass),
    );
    w.finish()
}

/// FFMA: `fma`.
pub(super) fn ffma(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let [a, b, c] = inputs(instruction);
    let [d] = outputs(instruction);
    let mut w = BodyWriter::of(instruction);
    let [a, b, c] = [a, b, c].map(|operand| w.prefixed(&operand, "f32"));
    let d = w.output(&d, 0);
    let (ptx, sass) = arithmetic(instruction);
    w.main(
        format!("fma{ptx}.f32 {}, {}, {}, {}", d.ptx, a.ptx, b.ptx, c.ptx),
        format!("FFMA{sass} {}, {}, {}, {}", d.sass, a.sass, b.sass, c.sass),
    );
    w.finish()
}

/// Returns `.ftz` in PTX and in SASS, or empty texts.
fn flush(instruction: &Instruction) -> (&'static str, &'static str) {
    let flushes = instruction.modifier("ftz") == Some(FPFtz::FTZ);
    if flushes { (".ftz", ".FTZ") } else { ("", "") }
}

/// FMNMX: `min` and `max`. If a predicate chooses the minimum or the maximum: a `selp`, which a
/// patch changes to FMNMX.
pub(super) fn fmnmx(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, b, p], [d]) = (inputs(instruction), outputs(instruction));
    let mut w = BodyWriter::of(instruction);
    let (ftz, flushes) = flush(instruction);
    let (nan, passes) = match instruction.modifier("nan") {
        Some(NAN::NAN) => (".NaN", ".NAN"),
        _ => ("", ""),
    };
    if is_idle(&p) {
        let (a, b) = (w.prefixed(&a, "f32"), w.prefixed(&b, "f32"));
        let d = w.output(&d, 0);
        let (name, by) = if p.not { ("max", "!PT") } else { ("min", "PT") };
        let statement = format!("{name}{ftz}{nan}.f32 {}, {}, {}", d.ptx, a.ptx, b.ptx);
        let sass = format!("FMNMX{flushes}{passes} {}, {}, {}, {by}", d.sass, a.sass, b.sass);
        if nan.is_empty() {
            w.main(statement, sass);
        } else {
            // The assembler does not keep the guard of this instruction.
            w.line(statement);
            w.sass(sass);
        }
        return w.finish();
    }
    let prefixes = [(NEGATED_A, a.neg), (ABSOLUTE_A, a.abs), (NEGATED_B, b.neg), (ABSOLUTE_B, b.abs)];
    w.patch(replaced::extreme(!ftz.is_empty(), !nan.is_empty(), &prefixes));
    let bare = [w.input(&a, 0), w.input(&b, 0)];
    let p = w.condition(&p);
    let d = w.output(&d, 0);
    let [a, b] = [(&a, 0), (&b, 1)].map(|(operand, place)| w.executed_prefixed(operand, "f32", &bare[place]));
    let names = ["min", "max"].map(|name| format!("{name}{ftz}{nan}.f32"));
    let sass = format!("FMNMX{flushes}{passes} {}, {}, {}, {}", d.sass, a.sass, b.sass, p.sass);
    w.selected_extreme(&names, [&d, &bare[0], &bare[1], &p], [&a, &b], sass);
    w.finish()
}

/// A comparison: its modifiers in PTX, its modifiers in SASS, and its operands.
struct Comparison {
    ptx: String,
    sass: String,
    operands: [Value; 3],
}

impl Comparison {
    /// Creates a comparison. The input predicate comes from a register even if it is PT, because
    /// otherwise `ptxas` makes the opposite comparison.
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

/// FSETP: `setp`. The second predicate is put into the machine code by a patch.
pub(super) fn fsetp(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, b, p], [u, v]) = (inputs(instruction), outputs(instruction));
    let mut w = BodyWriter::of(instruction);
    let Comparison { ptx, sass, operands: [a, b, p] } = Comparison::of(&mut w, instruction, [&a, &b, &p]);
    let inverse = ptx.replacen(&instruction.value_name("cmp").to_lowercase(), inverse(instruction), 1);
    let statement = |name: &str, to: &str| format!("setp{name}.f32 {to}, {}, {}, {}", a.ptx, b.ptx, p.ptx);
    let statements: [&dyn Fn(&str) -> String; 2] = [&|to| statement(&ptx, to), &|to| statement(&inverse, to)];
    let [u, v] = w.conditions_out([&u, &v], statements);
    w.sass(format!("FSETP{sass} {u}, {v}, {}, {}, {}", a.sass, b.sass, p.sass));
    w.finish()
}

/// Returns the comparison that is true exactly where the instruction's comparison is false.
fn inverse(instruction: &Instruction) -> &'static str {
    match instruction.value_name("cmp") {
        "LT" => "geu",
        "EQ" => "neu",
        "LE" => "gtu",
        "GT" => "leu",
        "NE" => "equ",
        "GE" => "ltu",
        "NUM" => "nan",
        "NAN" => "num",
        "LTU" => "ge",
        "EQU" => "ne",
        "LEU" => "gt",
        "GTU" => "le",
        "NEU" => "eq",
        _ => "lt",
    }
}

/// FSET.BF: `set.f32`. `.ftz` is put into the machine code by a patch.
pub(super) fn fset(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    if instruction.modifier("bval") != Some(BVal::BF) {
        return unsaid("FSET.BM", "neither PTX nor compute capability 9.0 has it");
    }
    let ([a, b, p], [d]) = (inputs(instruction), outputs(instruction));
    let mut w = BodyWriter::of(instruction);
    let Comparison { ptx, sass, operands: [a, b, p] } = Comparison::of(&mut w, instruction, [&a, &b, &p]);
    let d = w.output(&d, 0);
    let operands = [d.ptx, a.ptx, b.ptx, p.ptx].join(", ");
    if !flush(instruction).0.is_empty() {
        // The assembler would make four instructions of `set.ftz`.
        w.patch(replaced::set_flushed());
    }
    let without = ptx.trim_end_matches(".ftz");
    w.replaced_line(&format!("set{without}.f32.f32 {operands}"), &format!("set{ptx}.f32.f32 {operands}"));
    w.sass(format!("FSET.BF{sass} {}, {}, {}, {}", d.sass, a.sass, b.sass, p.sass));
    w.finish()
}

/// FSEL: `selp.f32`. PTX has no `.ftz` here, so a patch puts it into the machine code.
pub(super) fn fsel(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let [a, b, p] = inputs(instruction);
    let [d] = outputs(instruction);
    let mut w = BodyWriter::of(instruction);
    let (a, b, p) = (w.prefixed(&a, "f32"), w.prefixed(&b, "f32"), w.condition(&p));
    let d = w.output(&d, 0);
    let (ftz, flushes) = flush(instruction);
    if !ftz.is_empty() {
        w.patch(replaced::select_flushed());
    }
    let operands = [d.ptx, a.ptx, b.ptx, p.ptx].join(", ");
    w.replaced_main(
        &format!("selp.f32 {operands}"),
        &format!("selp{ftz}.f32 {operands}"),
        format!("FSEL{flushes} {}, {}, {}, {}", d.sass, a.sass, b.sass, p.sass),
    );
    w.finish()
}

/// FCHK: `setp`, which a patch changes to FCHK. PTX has FCHK only as a part of a division. The
/// result of FCHK comes later than that of a comparison, so the instruction that reads it must
/// wait.
pub(super) fn fchk(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, b], [u]) = (inputs(instruction), outputs(instruction));
    let mut w = BodyWriter::of(instruction);
    let (a, b, result) = (w.prefixed(&a, "f32"), w.prefixed(&b, "f32"), w.predicate());
    let operands = [result.as_str(), &a.ptx, &b.ptx].join(", ");
    w.replaced_line(&format!("setp.geu.f32 {operands}"), &format!("fchk.f32 {operands}"));
    let u = w.condition_out(&u, &result).sass;
    replaced::check_division().into_iter().for_each(|patch| w.patch(patch));
    w.sass(format!("FCHK {u}, {}, {}", a.sass, b.sass));
    w.finish()
}

/// UF2FP under the intended reading of E168: `cvt.rn.f16x2.f32`.
pub(super) fn uf2fp(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, b, c], [d]) = (inputs(instruction), outputs(instruction));
    if !is_idle(&c) {
        return unsaid(
            "a third operand of UF2FP",
            "cvt packs two (E168), and a device refuses F2FP of three",
        );
    }
    let mut w = BodyWriter::of(instruction);
    let (a, b, d) = (w.input(&a, 0), w.input(&b, 0), w.output(&d, 0));
    w.line(format!("cvt.rn.f16x2.f32 {}, {}, {}", d.ptx, a.ptx, b.ptx));
    w.sass(format!("F2FP.F16.F32.PACK_AB {}, {}, {}", d.sass, a.sass, b.sass));
    w.finish()
}
