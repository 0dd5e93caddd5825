//! The operands, outputs and readings of the instruction that is defined.

use assay_isa::enumeration::Modifier;
use assay_isa::readings::Erratum;
use assay_isa::{Instruction, Location, Operand, Reading, Readings, Source};

use super::{Definition, Output, Steps};
use crate::graph::{Bit, Graph};
use crate::word::Word;

/// The instruction that is defined, with the graph for its circuit.
pub(super) struct Context<'a> {
    /// The graph.
    pub graph: &'a mut Graph,
    /// What a proof observes or replaces.
    pub steps: &'a mut dyn Steps,
    instruction: &'a Instruction,
    readings: &'a Readings,
    inputs: Vec<(Location, Word)>,
    outputs: Vec<Output>,
    undefined: Vec<(Erratum, Bit)>,
    /// Whether the guard lets the instruction execute.
    executes: Bit,
}

impl<'a> Context<'a> {
    pub fn new(
        graph: &'a mut Graph,
        instruction: &'a Instruction,
        readings: &'a Readings,
        inputs: Vec<(Location, Word)>,
        steps: &'a mut dyn Steps,
    ) -> Context<'a> {
        let mut context = Context {
            graph,
            steps,
            instruction,
            readings,
            inputs,
            outputs: Vec::new(),
            undefined: Vec::new(),
            executes: Bit::TRUE,
        };
        if context.reads(Reading::E008, 1) {
            context.executes = context.predicate(instruction.guard());
        }
        context
    }

    pub fn finish(self) -> Definition {
        Definition { inputs: self.inputs, outputs: self.outputs, undefined: self.undefined }
    }

    /// The name of the optype.
    pub fn optype(&self) -> &'static str {
        self.instruction.optype()
    }

    /// The name of the form.
    pub fn form(&self) -> &'static str {
        self.instruction.form().name
    }

    /// Returns the setting of a reading.
    pub fn setting(&self, reading: Reading) -> u8 {
        self.readings.get(reading)
    }

    /// Whether a reading has a setting.
    pub fn reads(&self, reading: Reading, setting: u8) -> bool {
        self.setting(reading) == setting
    }

    /// Returns a modifier.
    ///
    /// # Panics
    /// If the form has no such field of this type.
    pub fn modifier<M: Modifier>(&self, field: &str) -> M {
        let modifier = self.instruction.modifier(field);
        modifier.unwrap_or_else(|| panic!("{} has no modifier {field}", self.form()))
    }

    /// Returns a source operand by its place in the text, counted from 0.
    ///
    /// # Panics
    /// If the form has fewer sources.
    pub fn source(&self, place: usize) -> Operand {
        let source = self.instruction.inputs().nth(place);
        source.unwrap_or_else(|| panic!("{} has no source {place}", self.form()))
    }

    /// Returns an operand by name.
    ///
    /// # Panics
    /// If the form has no such operand.
    pub fn operand(&self, name: &str) -> Operand {
        self.instruction.operand(name)
    }

    /// Returns the destination register: `rd`, or `urd` in the uniform datapath.
    pub fn destination(&self) -> Operand {
        let is_uniform = self.instruction.get("urd").is_some();
        self.operand(if is_uniform { "urd" } else { "rd" })
    }

    /// Returns a word of an operand, without prefixes. RZ and URZ are 0, an immediate is its bits.
    ///
    /// # Panics
    /// If the operand is a predicate, or of an address.
    pub fn raw_word(&self, operand: Operand, index: u8) -> Word {
        match (operand.source, operand.word(index)) {
            (Source::Imm(bits), _) => Word::constant(32, bits.into()),
            (_, Some(location)) => self.input(location),
            (Source::Reg(_) | Source::UReg(_), None) => Word::constant(32, 0),
            (source, None) => panic!("{source:?} has no word {index}"),
        }
    }

    /// Returns the first word of an operand, without prefixes.
    pub fn raw(&self, operand: Operand) -> Word {
        self.raw_word(operand, 0)
    }

    /// Returns the two words of an operand, the low one first, without prefixes.
    pub fn raw_pair(&self, operand: Operand) -> Word {
        self.raw_word(operand, 0).below(&self.raw_word(operand, 1))
    }

    /// Returns a predicate, its `!` applied. PT and UPT are 1.
    pub fn predicate(&self, operand: Operand) -> Bit {
        let value = operand.source.location().map_or(Bit::TRUE, |location| self.input(location).bit(0));
        value.complement_if(operand.not)
    }

    /// Returns the uniform predicates UP0 to UP7. UP7 is by C008.
    pub fn uniform_predicates(&self, operand: Operand) -> Word {
        let last = Bit::constant(self.reads(Reading::C008, 1));
        let stored = operand.locations().map(|location| self.input(location).bit(0));
        Word::from_bits(stored.chain([last]))
    }

    /// Returns the value of a location that the instruction reads.
    fn input(&self, location: Location) -> Word {
        let found = self.inputs.iter().find(|(place, _)| *place == location);
        found.unwrap_or_else(|| panic!("{} does not read {location}", self.form())).1.clone()
    }

    /// Whether two operands are the same register. RZ and URZ never are.
    pub fn is_same(&self, a: Operand, b: Operand) -> bool {
        a.source.location().is_some() && a.source == b.source
    }

    /// Writes an operand of one or more words, the low one first. A write to RZ or URZ is dropped.
    pub fn write(&mut self, operand: Operand, value: &Word) {
        self.write_if(Bit::TRUE, operand, value);
    }

    /// Writes an operand if a condition holds.
    pub fn write_if(&mut self, condition: Bit, operand: Operand, value: &Word) {
        for (index, low) in (0..value.width()).step_by(32).enumerate() {
            if let Some(location) = operand.word(index as u8) {
                self.write_location(condition, location, value.slice(low, 32));
            }
        }
    }

    /// Writes a predicate. A write to PT or UPT is dropped.
    pub fn write_predicate(&mut self, operand: Operand, value: Bit) {
        if let Some(location) = operand.source.location() {
            self.write_location(Bit::TRUE, location, Word::from_bits([value]));
        }
    }

    /// Writes a location. If it was written before, this write counts where it happens.
    pub fn write_location(&mut self, condition: Bit, location: Location, value: Word) {
        let written = self.graph.and(self.executes, condition);
        let Some(earlier) = self.outputs.iter_mut().find(|output| output.location == location) else {
            self.outputs.push(Output { location, written, value });
            return;
        };
        earlier.value = self.graph.select(written, &value, &earlier.value);
        earlier.written = self.graph.or(earlier.written, written);
    }

    /// States that an erratum leaves the result undefined if a condition holds.
    pub fn undefine(&mut self, reading: Reading, condition: Bit) {
        let undefined = self.graph.and(self.executes, condition);
        self.undefined.push((reading.switch().erratum, undefined));
    }
}
