//! MUFU (PTX ISA, the instructions with `.approx`, and "Half Precision Floating Point
//! Instructions").

use assay_isa::Instruction;
use assay_isa::tables::types::{FPSat, HSel, MUFUDType, MUFUOp};

use super::write::{BodyWriter, Value, inputs, outputs};
use super::{Inexpressible, Lowering, replaced, unsaid};

/// Lowers MUFU of any type.
pub(super) fn mufu(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    if instruction.modifier("sat") == Some(FPSat::SAT) {
        return unsaid("MUFU.SAT", "neither PTX nor compute capability 9.0 has it");
    }
    let mut w = BodyWriter::of(instruction);
    match instruction.modifier("dtype") {
        Some(MUFUDType::F32) => single(&mut w, instruction),
        Some(MUFUDType::F64) => double(&mut w, instruction),
        Some(MUFUDType::F16_V2 | MUFUDType::BF16_V2) => packed(&mut w, instruction),
        _ => half(&mut w, instruction),
    }
    w.finish()
}

/// Returns the name of the function in PTX.
fn name(instruction: &Instruction) -> &'static str {
    match instruction.modifier("mufuop") {
        Some(MUFUOp::COS) => "cos",
        Some(MUFUOp::SIN) => "sin",
        Some(MUFUOp::EX2) => "ex2",
        Some(MUFUOp::LG2) => "lg2",
        Some(MUFUOp::RCP) => "rcp",
        Some(MUFUOp::RSQ) => "rsqrt",
        Some(MUFUOp::SQRT) => "sqrt",
        _ => "tanh",
    }
}

/// Lowers MUFU of binary32. With `.ftz`, the assembler adds no instructions that scale subnormals.
/// `tanh` has no `.ftz`, and does not need it.
fn single(w: &mut BodyWriter, instruction: &Instruction) {
    let ([operand], [d]) = (inputs(instruction), outputs(instruction));
    let (b, d) = (w.prefixed(&operand, "f32"), w.output(&d, 0));
    let op = instruction.modifier("mufuop");
    let ftz = if op == Some(MUFUOp::TANH) { "" } else { ".ftz" };
    let statement = format!("{}.approx{ftz}.f32 {}, {}", name(instruction), d.ptx, b.ptx);
    let function = instruction.value_name("mufuop");
    if matches!(op, Some(MUFUOp::SIN | MUFUOp::COS)) {
        // The assembler first multiplies by 1/2π, since the argument of MUFU is in turns (E035).
        // The patch makes the factor 1.
        w.patch(replaced::turns());
        // The assembler moves the sign to the factor: -x times 1/2π becomes x times -1/2π.
        let factor = if operand.neg { "-1" } else { "1" };
        w.sass(format!("FMUL.RZ %t, {}, {factor}", b.sass.trim_start_matches('-')));
        let executed = statement.replace(".approx", ".turns");
        w.replaced_main(&statement, &executed, format!("MUFU.{function} {}, %t", d.sass));
    } else {
        w.main(statement, format!("MUFU.{function} {}, {}", d.sass, b.sass));
    }
}

/// Lowers MUFU of the high word of a binary64 (E040). The low word of the operand is 0. The low
/// word of the result is 0 too, and is dropped. A patch puts the prefixes into the machine code,
/// because the assembler would apply them by a separate FADD or DADD.
fn double(w: &mut BodyWriter, instruction: &Instruction) {
    let ([operand], [d]) = (inputs(instruction), outputs(instruction));
    let (bare, d, low) = (w.input(&operand, 0), w.output(&d, 0), w.word());
    if operand.neg || operand.abs {
        let is_reciprocal = instruction.modifier("mufuop") == Some(MUFUOp::RCP);
        w.patch(replaced::prefixed_double(is_reciprocal, operand.neg, operand.abs));
    }
    // The sign bit of the high word is at the same place as that of a binary32.
    let b = w.executed_prefixed(&operand, "f32", &bare);
    w.replaced_line(&format!("mov.b64 %e0, {{0, {}}}", bare.ptx), &format!("mov.b64 %e0, {{0, {}}}", b.ptx));
    w.line(format!("{}.approx.ftz.f64 %e1, %e0", name(instruction)));
    w.line(format!("mov.b64 {{{low}, {}}}, %e1", d.ptx));
    w.sass(format!("MUFU.{}64H {}, {}", instruction.value_name("mufuop"), d.sass, b.sass));
}

/// Returns the flush modifier and the 16-bit type, in PTX and in SASS. PTX has `ex2` of bfloat16
/// only with `.ftz`.
fn narrow(instruction: &Instruction) -> (&'static str, &'static str, &'static str) {
    let is_bfloat = matches!(instruction.modifier("dtype"), Some(MUFUDType::BF16 | MUFUDType::BF16_V2));
    match (is_bfloat, instruction.modifier("mufuop")) {
        (true, Some(MUFUOp::EX2)) => (".ftz", "bf16", "BF16"),
        (true, _) => ("", "bf16", "BF16"),
        (false, _) => ("", "f16", "F16"),
    }
}

/// Lowers MUFU of one half of a register. The upper half of the result is 0.
fn half(w: &mut BodyWriter, instruction: &Instruction) {
    let ([operand], [d]) = (inputs(instruction), outputs(instruction));
    let (Value { ptx, sass }, d) = (w.input(&operand, 0), w.output(&d, 0));
    let (chosen, suffix) = if operand.half == Some(HSel::H1) { ("%h1", ".H1") } else { ("%h0", "") };
    let (ftz, ty, sass_ty) = narrow(instruction);
    let function = instruction.value_name("mufuop");
    w.line(format!("mov.b32 {{%h0, %h1}}, {ptx}"));
    w.line(format!("{}.approx{ftz}.{ty} %h2, {chosen}", name(instruction)));
    w.line(format!("cvt.u32.u16 {}, %h2", d.ptx));
    if sass_ty == "F16" {
        // For binary16, the unit sets the upper half of the result to 0, so the assembler adds no
        // instruction for it.
        w.sass(format!("MUFU.{function}.F16 {}, {sass}{suffix}", d.sass));
    } else {
        w.sass(format!("MUFU.{function}.BF16 %t, {sass}{suffix}"));
        w.sass(format!("LOP3.LUT {}, %t, 0xffff, RZ, 0xc0, !PT", d.sass));
    }
}

/// Lowers MUFU of both halves. The assembler computes one half after the other, and combines the
/// results.
fn packed(w: &mut BodyWriter, instruction: &Instruction) {
    let ([operand], [d]) = (inputs(instruction), outputs(instruction));
    let (b, d) = (w.input(&operand, 0), w.output(&d, 0));
    let (ftz, ty, sass_ty) = narrow(instruction);
    let function = instruction.value_name("mufuop");
    w.line(format!("{}.approx{ftz}.{ty}x2 {}, {}", name(instruction), d.ptx, b.ptx));
    w.sass(format!("MUFU.{function}.{sass_ty} %t, {}", b.sass));
    w.sass(format!("MUFU.{function}.{sass_ty} %u, {}.H1", b.sass));
    w.sass(format!("PRMT {}, %t, 0x5410, %u", d.sass));
}
