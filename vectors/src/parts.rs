//! The parts of an instruction: optype, modifiers and operands, for programs without a parser of
//! assembler text.

use std::collections::BTreeMap;

use assay_isa::enumeration::Modifier;
use assay_isa::tables::types::{BSel, HSel};
use assay_isa::{Instruction, Operand, Source, legality};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The parts of an instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InstructionParts {
    /// The optype, such as `FADD`.
    pub optype: String,
    /// The form, such as `FADD_RR`.
    pub form: String,
    /// The value of each modifier, also where the text omits a default: `{"rnd": "RN"}`.
    pub modifiers: BTreeMap<String, String>,
    /// The guard. Absent if the instruction has none, so that it is always executed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<OperandParts>,
    /// The destinations, in the order of the text.
    pub outputs: Vec<OperandParts>,
    /// The sources, in the order of the text, without the guard.
    pub inputs: Vec<OperandParts>,
}

/// An operand of an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OperandParts {
    /// The name of the operand in the form, such as `ra`.
    pub name: String,
    /// The location of each word, the lowest first. A word without storage (RZ, URZ, PT, UPT) is null:
    /// a source reads 0 or true there, and a destination is discarded. Empty if the operand is a
    /// literal, or if its location depends on a register.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub at: Vec<Option<String>>,
    /// The bits of a literal, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub literal: Option<String>,
    /// The register and the offset whose sum selects the location.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub indexed: Option<IndexedParts>,
    /// Whether the operand is negated, after the absolute value: `-` in the text.
    #[serde(default, skip_serializing_if = "is_false")]
    pub neg: bool,
    /// Whether the absolute value is taken.
    #[serde(default, skip_serializing_if = "is_false")]
    pub abs: bool,
    /// Whether all bits are inverted: `~` in the text.
    #[serde(default, skip_serializing_if = "is_false")]
    pub bitnot: bool,
    /// Whether the predicate is inverted: `!` in the text.
    #[serde(default, skip_serializing_if = "is_false")]
    pub not: bool,
    /// The half or the byte that is selected, such as `H1` or `B3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub select: Option<String>,
}

/// A location that depends on a register.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IndexedParts {
    /// The bank of constants, from 0 to 31. Absent if a uniform register is selected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bank: Option<u8>,
    /// The uniform register that holds the address or the number. Null for URZ.
    pub base: Option<String>,
    /// The bits of the offset's field, in hexadecimal.
    pub offset: String,
}

impl InstructionParts {
    /// Returns the parts of an instruction.
    pub fn of(instruction: &Instruction) -> InstructionParts {
        let form = instruction.form();
        // In a mode with complements, the text has `~` for the bit of the sign (E009).
        let complements = legality::complements(instruction);
        let written = |name: &str| {
            let operand = instruction.operand(name);
            Operand {
                neg: operand.neg && !complements,
                bitnot: operand.bitnot || operand.neg && complements,
                // A mode of both halves selects none.
                half: operand.half.filter(|_| legality::permits(instruction, &format!("{name}.hsel"))),
                ..operand
            }
        };
        let in_order = |outputs: bool| {
            let names = form.order.iter().filter(|name| form.is_output(name) == outputs);
            names.map(|name| OperandParts::of(name, &written(name))).collect()
        };
        let modifier = |name: &&str| ((*name).to_owned(), instruction.value_name(name).to_owned());
        let guard = instruction.guard();
        let has_guard = guard.source.location().is_some() || guard.not;
        InstructionParts {
            optype: instruction.optype().to_owned(),
            form: form.name.to_owned(),
            modifiers: form.optype.syntax.iter().map(modifier).collect(),
            guard: has_guard.then(|| OperandParts::of(form.guard(), &guard)),
            outputs: in_order(true),
            inputs: in_order(false),
        }
    }

    /// Returns the parts as JSON, in one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("maps with text keys serialise")
    }
}

impl OperandParts {
    fn of(name: &str, operand: &Operand) -> OperandParts {
        let Operand { source, words, neg, abs, bitnot, not, half, byte } = *operand;
        let at = || (0..words).map(|word| operand.word(word).map(|location| location.to_string())).collect();
        let base = || source.base().map(|location| location.to_string());
        let hexadecimal = |bits: u32| format!("{bits:#x}");
        let half = half.map(|half| HSel::ENUM.values[half as usize]);
        let select = half.or_else(|| byte.map(|byte| BSel::ENUM.values[byte as usize]));
        let parts = OperandParts {
            name: name.to_owned(),
            neg,
            abs,
            bitnot,
            not,
            select: select.map(str::to_owned),
            ..OperandParts::default()
        };
        match source {
            Source::Imm(bits) => OperandParts { literal: Some(hexadecimal(bits)), ..parts },
            Source::ConstAt { bank, offset, .. } => {
                let indexed = IndexedParts { bank: Some(bank), base: base(), offset: hexadecimal(offset) };
                OperandParts { indexed: Some(indexed), ..parts }
            }
            Source::URegAt { offset, .. } => {
                let indexed = IndexedParts { bank: None, base: base(), offset: hexadecimal(offset) };
                OperandParts { indexed: Some(indexed), ..parts }
            }
            _ => OperandParts { at: at(), ..parts },
        }
    }
}

/// Whether a prefix is absent. `serde` wants a reference.
fn is_false(prefix: &bool) -> bool {
    !prefix
}
