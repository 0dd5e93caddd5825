//! Instructions of the uniform datapath that have no usable counterpart in the lanes: copies, and
//! logic and moves of predicates. Their lowerings have only statements for the interpreter, which
//! compute with whole words. No assembler sees these statements.

use assay_isa::{Instruction, Operand};

use super::write::{BodyWriter, Value, inputs, outputs};
use super::{Inexpressible, Lowering, unsaid};

/// UMOV.
pub(super) fn umov(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([b], [d]) = (inputs(instruction), outputs(instruction));
    if b.words > 1 {
        return unsaid("UMOV.64", "the unit copies one register");
    }
    let mut w = BodyWriter::of(instruction);
    let (b, d) = (w.input(&b, 0), w.output(&d, 0));
    w.executed_line(format!("mov.b32 {}, {}", d.ptx, b.ptx));
    w.sass(format!("UMOV {}, {}", d.sass, b.sass));
    w.finish()
}

/// UPLOP3: looks up a bit of the table, with three words of value 0 or 1 as the index.
pub(super) fn uplop3(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, b, c, _], [u]) = (inputs(instruction), outputs(instruction));
    let table = instruction.get("lut").unwrap_or_default();
    let mut w = BodyWriter::of(instruction);
    let [a, b, c] = [a, b, c].map(|operand| {
        let bare = w.input(&operand, 0);
        let Value { ptx, sass } = bare;
        if !operand.not {
            return Value { ptx, sass };
        }
        let word = w.word();
        w.executed_line(format!("not.b32 {word}, {ptx}"));
        Value { ptx: word, sass: format!("!{sass}") }
    });
    let (bit, u) = (w.word(), w.output(&u, 0));
    w.executed_line(format!("lop3.b32 {bit}, {}, {}, {}, {table:#x}", a.ptx, b.ptx, c.ptx));
    w.executed_line(format!("and.b32 {}, {bit}, 1", u.ptx));
    w.sass(format!("UPLOP3.LUT {}, PT, {}, {}, {}, {table:#x}, 0x0", u.sass, a.sass, b.sass, c.sass));
    w.finish()
}

/// UP2UR: copies the predicates that the mask selects to a byte of a word (E135). Bit 7 is 0
/// (C008).
pub(super) fn up2ur(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([all, a, mask], [d]) = (inputs(instruction), outputs(instruction));
    let byte = instruction.get("bsel").unwrap_or_default();
    let mut w = BodyWriter::of(instruction);
    let predicates: Vec<Value> = (0..all.words).map(|number| w.input(&all, number)).collect();
    let (a, mask, d) = (w.input(&a, 0), w.input(&mask, 0), w.output(&d, 0));
    let [shifted, word, selected] = [w.word(), w.word(), w.word()];
    w.executed_line(format!("mov.b32 {word}, 0"));
    for (number, predicate) in predicates.iter().enumerate() {
        w.executed_line(format!("shl.b32 {shifted}, {}, {number}", predicate.ptx));
        w.executed_line(format!("add.u32 {word}, {word}, {shifted}"));
    }
    w.executed_line(format!("and.b32 {selected}, {}, 0xff", mask.ptx));
    for moved in [&word, &selected] {
        w.executed_line(format!("shl.b32 {moved}, {moved}, {}", 8 * byte));
    }
    w.executed_line(format!("lop3.b32 {}, {selected}, {word}, {}, 0xca", d.ptx, a.ptx));
    let suffix = if byte == 0 { String::new() } else { format!(".B{byte}") };
    let all = names(&predicates);
    w.sass(format!("UP2UR{suffix} {}, {all}, {}, {}", d.sass, a.sass, mask.sass));
    w.finish()
}

/// UR2UP: copies bits of a byte to the predicates that the mask selects. The others keep their
/// values (E139).
pub(super) fn ur2up(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    let ([a, mask], [all]) = (inputs(instruction), outputs(instruction));
    if instruction.guard().not || instruction.guard().source.location().is_some() {
        return unsaid("a guard of UR2UP", "all predicates are its operands");
    }
    let byte = a.byte.map_or(0, |byte| byte as u32);
    let mut w = BodyWriter::of(instruction);
    let before: Vec<Value> = (0..all.words).map(|number| w.input(&all, number)).collect();
    let (a, mask) = (w.input(&Operand { byte: None, ..a }, 0), w.input(&mask, 0));
    let after: Vec<Value> = (0..all.words).map(|number| w.output(&all, number)).collect();
    let [bit, is_selected] = [w.word(), w.word()];
    for (number, (old, new)) in before.iter().zip(&after).enumerate() {
        w.executed_line(format!("shr.u32 {bit}, {}, {}", a.ptx, 8 * byte as usize + number));
        w.executed_line(format!("shr.u32 {is_selected}, {}, {number}", mask.ptx));
        w.executed_line(format!("lop3.b32 {bit}, {is_selected}, {bit}, {}, 0xca", old.ptx));
        w.executed_line(format!("and.b32 {}, {bit}, 1", new.ptx));
    }
    let suffix = if byte == 0 { String::new() } else { format!(".B{byte}") };
    let (after, before) = (names(&after), names(&before));
    w.sass(format!("UR2UP {after}, {before}, {}{suffix}, {}", a.sass, mask.sass));
    w.finish()
}

/// Returns several words as one operand in SASS.
fn names(words: &[Value]) -> String {
    words.iter().map(|word| word.sass.as_str()).collect::<Vec<_>>().join(":")
}
