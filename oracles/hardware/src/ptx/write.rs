//! Writes the body of a lowering. Each operand becomes an input register, and instructions apply
//! its prefixes. Beside the PTX, this module writes the SASS that the assembler should make of it.

use std::fmt::Write;

use assay_isa::tables::types::IType;
use assay_isa::{Instruction, Operand, Source};

use super::{Inexpressible, Input, Lowering, Patch, replaced, rewritten, uniform};

/// The names of an operand in PTX and in SASS.
#[derive(Clone, Debug)]
pub(super) struct Value {
    /// The register that holds the operand in PTX.
    pub ptx: String,
    /// The operand in SASS: the name of its input or output, with its prefixes.
    pub sass: String,
}

impl Value {
    /// Returns a value without prefixes.
    fn bare(name: String) -> Value {
        Value { ptx: name.clone(), sass: name }
    }
}

/// A body that is being written.
#[derive(Default)]
pub(super) struct BodyWriter {
    lowering: Lowering,
    words: usize,
    predicates: usize,
    /// The guard, if there is one. The writer removes it from here when it writes the guarded
    /// instruction.
    guard: Option<Value>,
    /// Whether the uniform datapath of compute capability 9.0 has the instruction.
    is_on_unit: bool,
    /// The guard of an instruction on the uniform datapath, if there is one.
    unit_guard: Option<Operand>,
}

impl BodyWriter {
    /// Creates the body of an instruction. It begins with its guard.
    pub fn of(instruction: &Instruction) -> BodyWriter {
        let (mut w, guard) = (BodyWriter::default(), instruction.guard());
        let is_guarded = guard.not || guard.source.location().is_some();
        w.is_on_unit = uniform::executes(instruction);
        if w.is_on_unit {
            w.unit_guard = is_guarded.then_some(guard);
        } else if is_guarded {
            w.guard = Some(w.condition(&guard));
        }
        w
    }

    /// Adds a statement.
    pub fn line(&mut self, statement: impl AsRef<str>) {
        self.replaced_line(statement.as_ref(), statement.as_ref());
    }

    /// Adds a statement. `executed` is what its machine code does after the replacements.
    pub fn replaced_line(&mut self, statement: &str, executed: &str) {
        self.assembled_line(statement);
        self.executed_line(executed);
    }

    /// Adds a statement to the body, which is assembled.
    fn assembled_line(&mut self, statement: impl AsRef<str>) {
        writeln!(self.lowering.body, "{};", statement.as_ref()).expect("a string takes all text");
    }

    /// Adds a statement to the executed statements, which describe the machine code after the
    /// replacements.
    pub fn executed_line(&mut self, statement: impl AsRef<str>) {
        writeln!(self.lowering.executed, "{};", statement.as_ref()).expect("a string takes all text");
    }

    /// Adds the statement of the instruction itself, with its guard, and the SASS that the
    /// assembler should make of it.
    pub fn main(&mut self, statement: impl AsRef<str>, sass: impl AsRef<str>) {
        self.replaced_main(statement.as_ref(), statement.as_ref(), sass);
    }

    /// Adds the statement of the instruction itself, like [`BodyWriter::main`]. `executed` is what
    /// its machine code does after the replacements.
    pub fn replaced_main(&mut self, statement: &str, executed: &str, sass: impl AsRef<str>) {
        let guard = self.guard.take();
        let guarded = |name: fn(&Value) -> &String, text: &str| match &guard {
            Some(guard) => format!("@{} {text}", name(guard)),
            None => text.to_owned(),
        };
        let [statement, executed] = [statement, executed].map(|text| guarded(|guard| &guard.ptx, text));
        self.replaced_line(&statement, &executed);
        self.sass(guarded(|guard| &guard.sass, sass.as_ref()));
    }

    /// Adds an instruction to the expected SASS.
    pub fn sass(&mut self, instruction: impl Into<String>) {
        self.lowering.sass.push(instruction.into());
    }

    /// Returns the name of a new temporary register of 32 bits.
    pub fn word(&mut self) -> String {
        self.words += 1;
        format!("%t{}", self.words - 1)
    }

    /// Returns the name of a new temporary predicate.
    pub fn predicate(&mut self) -> String {
        self.predicates += 1;
        format!("%p{}", self.predicates - 1)
    }

    /// Returns the name of a new input register with a word of an operand. An immediate is a
    /// literal, RZ and URZ are 0, and PT and UPT are 1.
    fn bare(&mut self, operand: &Operand, word: u8) -> String {
        let input = match (operand.word(word), operand.source) {
            (Some(location), _) => Input::Location(location),
            (None, Source::Imm(bits)) => Input::Literal(bits),
            (None, source) => Input::Literal(source.is_predicate().into()),
        };
        self.lowering.inputs.push(input);
        format!("%i{}", self.lowering.inputs.len() - 1)
    }

    /// Adds a word of an operand as an input, without prefixes.
    pub fn input(&mut self, operand: &Operand, word: u8) -> Value {
        Value::bare(self.bare(operand, word))
    }

    /// Adds an operand as an input, and applies `-`, `|…|` or `~`. `ty` is the type of `abs` and
    /// `neg`.
    pub fn prefixed(&mut self, operand: &Operand, ty: &str) -> Value {
        let bare = self.input(operand, 0);
        self.with_prefixes(operand, ty, bare, |w, statement| w.line(statement))
    }

    /// Applies the prefixes of an input only in the executed statements, because a patch puts them
    /// into the machine code.
    pub fn executed_prefixed(&mut self, operand: &Operand, ty: &str, bare: &Value) -> Value {
        self.with_prefixes(operand, ty, bare.clone(), |w, statement| w.executed_line(statement))
    }

    fn with_prefixes(
        &mut self,
        operand: &Operand,
        ty: &str,
        mut value: Value,
        add: fn(&mut BodyWriter, String),
    ) -> Value {
        for (applies, name, open, close) in [
            (operand.abs, format!("abs.{ty}"), "|", "|"),
            (operand.neg, format!("neg.{ty}"), "-", ""),
            (operand.bitnot, "not.b32".to_owned(), "~", ""),
        ] {
            if applies {
                let ptx = self.word();
                add(self, format!("{name} {ptx}, {}", value.ptx));
                value = Value { ptx, sass: format!("{open}{}{close}", value.sass) };
            }
        }
        value
    }

    /// Adds a predicate operand as an input, and returns its predicate with its `!`.
    pub fn condition(&mut self, operand: &Operand) -> Value {
        let (word, predicate) = (self.bare(operand, 0), self.predicate());
        self.line(format!("setp.ne.u32 {predicate}, {word}, 0"));
        let not = if operand.not { "!" } else { "" };
        Value { ptx: format!("{not}{predicate}"), sass: format!("{not}{word}") }
    }

    /// Makes a predicate operand the carry that the next `addc` or `madc` adds. Returns the
    /// operand's name in SASS.
    pub fn carry_in(&mut self, operand: &Operand) -> String {
        let (word, sink) = (self.bare(operand, 0), self.word());
        // The carry of x + (2^32 - 1) is x. The carry of 0 - x is the complement of the borrow,
        // which is !x.
        if operand.not {
            self.line(format!("sub.cc.u32 {sink}, 0, {word}"))
        } else {
            self.line(format!("add.cc.u32 {sink}, {word}, -1"))
        }
        let not = if operand.not { "!" } else { "" };
        format!("{not}{word}")
    }

    /// Returns a register for a word that is written, or a temporary if the word has no storage.
    /// For a guarded instruction, first copies the old value to the register.
    pub fn output(&mut self, operand: &Operand, word: u8) -> Value {
        let Some(location) = operand.word(word) else {
            return Value { ptx: self.word(), sass: "RZ".to_owned() };
        };
        self.lowering.outputs.push(location);
        let ptx = format!("%o{}", self.lowering.outputs.len() - 1);
        if self.guard.is_some() {
            self.lowering.inputs.push(Input::Before);
            let before = self.lowering.inputs.len() - 1;
            self.line(format!("mov.b32 {ptx}, %i{before}"));
            self.sass(format!("MOV {ptx}, %i{before}"));
        }
        Value::bare(ptx)
    }

    /// Writes a computed predicate to an output operand, as a word of value 0 or 1.
    pub fn condition_out(&mut self, operand: &Operand, predicate: &str) -> Value {
        let word = self.output(operand, 0);
        self.line(format!("selp.u32 {}, 1, 0, {predicate}", word.ptx));
        word
    }

    /// Writes the predicates of a comparison, and returns their names in SASS. A patch puts the
    /// second predicate into the machine code. The two functions return the statements that write
    /// the comparison's result, and its inverse, to a given predicate.
    pub fn conditions_out(
        &mut self,
        [u, v]: [&Operand; 2],
        [compares, compares_inversely]: [&dyn Fn(&str) -> String; 2],
    ) -> [String; 2] {
        let first = self.predicate();
        self.line(compares(&first));
        let has_first = !is_idle(u);
        if is_idle(v) {
            let written = has_first.then(|| self.condition_out(u, &first).sass);
            return [written.unwrap_or("PT".to_owned()), "PT".to_owned()];
        }
        replaced::second_predicate(has_first).into_iter().for_each(|patch| self.patch(patch));
        let second = self.predicate();
        self.executed_line(compares_inversely(&second));
        let u = self.condition_out(u, &first);
        let v = self.output(v, 0);
        // The LOP3 reads the first word, so that the assembler places it after that word.
        self.replaced_line(
            &format!("lop3.b32 {}, {}, %i0, %i1, {:#x}", v.ptx, u.ptx, replaced::TABLE),
            &format!("selp.u32 {}, 1, 0, {second}", v.ptx),
        );
        [if has_first { u.sass } else { "PT".to_owned() }, v.sass]
    }

    /// Writes the carry of the last instruction, if the operand has storage. Returns the operand's
    /// name in SASS.
    pub fn carry_out(&mut self, operand: &Operand) -> Option<String> {
        if is_idle(operand) {
            return None;
        }
        let Value { ptx, sass } = self.output(operand, 0);
        self.line(format!("addc.u32 {ptx}, 0, 0"));
        Some(sass)
    }

    /// Writes a selection of one of two inputs. A patch changes this instruction to one that
    /// selects the lesser or the greater input, with prefixes applied.
    pub fn selected_extreme(
        &mut self,
        names: &[String; 2],
        [d, a, b, p]: [&Value; 4],
        [first, second]: [&Value; 2],
        sass: String,
    ) {
        let [least, greatest] = names.each_ref().map(|name| {
            let word = self.word();
            self.executed_line(format!("{name} {word}, {}, {}", first.ptx, second.ptx));
            word
        });
        self.replaced_main(
            &format!("selp.b32 {}, {}, {}, {}", d.ptx, a.ptx, b.ptx, p.ptx),
            &format!("selp.b32 {}, {least}, {greatest}, {}", d.ptx, p.ptx),
            sass,
        );
    }

    /// Adds a replacement in the machine code.
    pub fn patch(&mut self, patch: Patch) {
        self.lowering.patches.push(patch);
    }

    /// Returns the lowering. Fails if the instruction writes nothing, because the assembler would
    /// drop it, or if its guard was not used.
    pub fn finish(self) -> Result<Lowering, Inexpressible> {
        if self.lowering.outputs.is_empty() {
            return rewritten("an instruction without a result", "it drops that");
        }
        if self.is_on_unit {
            return uniform::finish(self.lowering, self.unit_guard);
        }
        if self.guard.is_some() {
            return rewritten("a guard here", "it selects between the old and the new value");
        }
        Ok(self.lowering)
    }
}

/// Returns the `N` operands that an instruction reads. The caller knows their number from the
/// optype.
pub(super) fn inputs<const N: usize>(instruction: &Instruction) -> [Operand; N] {
    let operands: Vec<Operand> = instruction.inputs().collect();
    operands.try_into().unwrap_or_else(|found: Vec<Operand>| {
        panic!("{} reads {} operands, not {N}", instruction.form().name, found.len())
    })
}

/// Returns the `N` operands that an instruction writes. The caller knows their number from the
/// optype.
pub(super) fn outputs<const N: usize>(instruction: &Instruction) -> [Operand; N] {
    let operands: Vec<Operand> = instruction.outputs().collect();
    operands.try_into().unwrap_or_else(|found: Vec<Operand>| {
        panic!("{} writes {} operands, not {N}", instruction.form().name, found.len())
    })
}

/// Returns the integer type in PTX and in SASS. The signed type has an empty name in SASS.
pub(super) fn integer(instruction: &Instruction) -> (&'static str, &'static str) {
    match instruction.modifier("itype") {
        Some(IType::U32) => ("u32", ".U32"),
        _ => ("s32", ""),
    }
}

/// Returns whether an operand is RZ, URZ, PT or UPT, which have no storage.
pub(super) fn is_idle(operand: &Operand) -> bool {
    operand.source.location().is_none() && !matches!(operand.source, Source::Imm(_))
}
