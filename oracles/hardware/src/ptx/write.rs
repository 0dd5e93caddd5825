//! Writes the body of a lowering: each operand becomes an input register with the instructions that give it its
//! prefixes, and beside the PTX grows the SASS that the assembler should make of it.

use std::fmt::Write;

use assay_isa::tables::types::IType;
use assay_isa::{Instruction, Operand, Source};

use super::{Inexpressible, Input, Lowering, Patch, rewritten};

/// The name of an operand in both languages.
#[derive(Clone, Debug)]
pub(super) struct Value {
    /// The register that holds it in PTX.
    pub ptx: String,
    /// How SASS writes it: the input or output that it is, with its prefixes.
    pub sass: String,
}

/// A body in the making.
#[derive(Default)]
pub(super) struct BodyWriter {
    lowering: Lowering,
    words: usize,
    predicates: usize,
}

impl BodyWriter {
    /// Adds a statement.
    pub fn line(&mut self, statement: impl AsRef<str>) {
        self.replaced_line(statement.as_ref(), statement.as_ref());
    }

    /// Adds a statement whose machine code does what another one says, after the replacements in it.
    pub fn replaced_line(&mut self, statement: &str, executed: &str) {
        let Lowering { body, executed: lines, .. } = &mut self.lowering;
        for (text, statement) in [(body, statement), (lines, executed)] {
            writeln!(text, "{statement};").expect("a string takes all text");
        }
    }

    /// Adds an instruction to what the assembler should make.
    pub fn sass(&mut self, instruction: impl Into<String>) {
        self.lowering.sass.push(instruction.into());
    }

    /// A temporary register of 32 bits.
    pub fn word(&mut self) -> String {
        self.words += 1;
        format!("%t{}", self.words - 1)
    }

    /// A temporary predicate.
    pub fn predicate(&mut self) -> String {
        self.predicates += 1;
        format!("%p{}", self.predicates - 1)
    }

    /// An input register with the word of an operand: an immediate as it is, 0 for RZ and URZ, 1 for PT and UPT.
    fn bare(&mut self, operand: &Operand, word: u8) -> String {
        let input = match (operand.word(word), operand.source) {
            (Some(location), _) => Input::Location(location),
            (None, Source::Imm(bits)) => Input::Literal(bits),
            (None, source) => Input::Literal(source.is_predicate().into()),
        };
        self.lowering.inputs.push(input);
        format!("%i{}", self.lowering.inputs.len() - 1)
    }

    /// A word of an operand that has no prefix.
    pub fn input(&mut self, operand: &Operand, word: u8) -> Value {
        let ptx = self.bare(operand, word);
        Value { sass: ptx.clone(), ptx }
    }

    /// An operand with `-`, `|…|` or `~`; the suffix of `abs` and `neg` names their type.
    pub fn prefixed(&mut self, operand: &Operand, ty: &str) -> Value {
        let mut value = self.input(operand, 0);
        for (applies, name, open, close) in [
            (operand.abs, format!("abs.{ty}"), "|", "|"),
            (operand.neg, format!("neg.{ty}"), "-", ""),
            (operand.bitnot, "not.b32".to_owned(), "~", ""),
        ] {
            if applies {
                let ptx = self.word();
                self.line(format!("{name} {ptx}, {}", value.ptx));
                value = Value { ptx, sass: format!("{open}{}{close}", value.sass) };
            }
        }
        value
    }

    /// An operand that is a predicate, with its `!`.
    pub fn condition(&mut self, operand: &Operand) -> Value {
        let (word, predicate) = (self.bare(operand, 0), self.predicate());
        self.line(format!("setp.ne.u32 {predicate}, {word}, 0"));
        let not = if operand.not { "!" } else { "" };
        Value { ptx: format!("{not}{predicate}"), sass: format!("{not}{word}") }
    }

    /// Makes an operand that is a predicate the carry that the next `addc` or `madc` adds; returns its name in SASS.
    pub fn carry_in(&mut self, operand: &Operand) -> String {
        let (word, sink) = (self.bare(operand, 0), self.word());
        // The carry of x + (2^32 - 1) is x, and that of 0 - x, the borrow's complement, is !x.
        match operand.not {
            false => self.line(format!("add.cc.u32 {sink}, {word}, -1")),
            true => self.line(format!("sub.cc.u32 {sink}, 0, {word}")),
        }
        let not = if operand.not { "!" } else { "" };
        format!("{not}{word}")
    }

    /// A register for a word that is written; the sink where it has no storage.
    pub fn output(&mut self, operand: &Operand, word: u8) -> Value {
        match operand.word(word) {
            Some(location) => {
                self.lowering.outputs.push(location);
                let ptx = format!("%o{}", self.lowering.outputs.len() - 1);
                Value { sass: ptx.clone(), ptx }
            }
            None => Value { ptx: self.word(), sass: "RZ".to_owned() },
        }
    }

    /// Writes a predicate that the body has computed; returns its name in SASS.
    pub fn condition_out(&mut self, operand: &Operand, predicate: &str) -> String {
        let Value { ptx, sass } = self.output(operand, 0);
        self.line(format!("selp.u32 {ptx}, 1, 0, {predicate}"));
        sass
    }

    /// Writes the carry that the last instruction left; returns its name in SASS.
    pub fn carry_out(&mut self, operand: &Operand) -> String {
        let Value { ptx, sass } = self.output(operand, 0);
        self.line(format!("addc.u32 {ptx}, 0, 0"));
        sass
    }

    /// Has bits of the machine code replaced.
    pub fn patch(&mut self, patch: Patch) {
        self.lowering.patches.push(patch);
    }

    /// The lowering, unless it writes nothing: the assembler would drop it.
    pub fn finish(self) -> Result<Lowering, Inexpressible> {
        if self.lowering.outputs.is_empty() {
            return rewritten("an instruction without a result", "it drops that");
        }
        Ok(self.lowering)
    }
}

/// The operands that an instruction reads; their number is the one that the caller expects of its optype.
pub(super) fn inputs<const N: usize>(instruction: &Instruction) -> [Operand; N] {
    let operands: Vec<Operand> = instruction.inputs().collect();
    operands.try_into().unwrap_or_else(|found: Vec<Operand>| {
        panic!("{} reads {} operands, not {N}", instruction.form().name, found.len())
    })
}

/// The operands that an instruction writes, likewise.
pub(super) fn outputs<const N: usize>(instruction: &Instruction) -> [Operand; N] {
    let operands: Vec<Operand> = instruction.outputs().collect();
    operands.try_into().unwrap_or_else(|found: Vec<Operand>| {
        panic!("{} writes {} operands, not {N}", instruction.form().name, found.len())
    })
}

/// The integer type in both languages; SASS has no sign in it.
pub(super) fn integer(instruction: &Instruction) -> (&'static str, &'static str) {
    match instruction.modifier("itype") {
        Some(IType::U32) => ("u32", ".U32"),
        _ => ("s32", ""),
    }
}

/// Whether an operand holds nothing: RZ, URZ, PT or UPT.
pub(super) fn is_idle(operand: &Operand) -> bool {
    operand.source.location().is_none() && !matches!(operand.source, Source::Imm(_))
}
