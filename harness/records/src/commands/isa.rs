//! The JSON of `isa list`, `isa asm`, `isa disasm`, `isa lint` of the tables, and of `--modes`.

use assay_isa::Form;
use assay_vectors::InstructionParts;
use schemars::JsonSchema;
use serde::Serialize;

use super::ByName;

/// A form in the output of `assay isa list`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FormOutput {
    /// Name of the form.
    pub form: &'static str,
    /// Optype of the form.
    pub optype: &'static str,
    /// Group of the optype.
    pub group: &'static str,
    /// A letter for the kind of each source operand, such as `RRI`.
    pub stype: &'static str,
    /// The operands that the form writes.
    pub outputs: Vec<&'static str>,
    /// The operands that the form reads, without the guard, in the order of the assembler text.
    pub inputs: Vec<&'static str>,
    /// The fields of the instruction word.
    pub fields: Vec<FieldOutput>,
}

/// A field of an instruction word.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FieldOutput {
    /// Name of the field.
    pub name: &'static str,
    /// Lowest bit of the field, 0 to 127.
    pub lo: u8,
    /// Number of bits.
    pub width: u8,
    /// Type of the values.
    #[serde(rename = "type")]
    pub ty: &'static str,
    /// The default value. Null if the field has none.
    pub default: Option<&'static str>,
    /// A further constraint on the values. Null if there is none.
    pub constraint: Option<&'static str>,
}

impl From<&Form> for FormOutput {
    fn from(form: &Form) -> FormOutput {
        let field = |field: &&assay_isa::row::Field| FieldOutput {
            name: field.name,
            lo: field.lo,
            width: field.width,
            ty: field.ty.name(),
            default: field.default,
            constraint: field.constraint,
        };
        FormOutput {
            form: form.name,
            optype: form.optype.name,
            group: form.optype.group.name,
            stype: form.stype,
            outputs: form.optype.outs.to_vec(),
            inputs: form.inputs().collect(),
            fields: form.fields.iter().map(field).collect(),
        }
    }
}

/// A form in the output of `assay fuzz --modes` and `assay gen --modes`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FormModes {
    /// Name of the form.
    pub form: String,
    /// Number of selected combinations of modifiers.
    pub modes: u64,
    /// Each selected combination, as a mnemonic with its modifiers.
    pub mnemonics: Vec<String>,
    /// The values that each modifier takes in the selected combinations, by the name of its field,
    /// in the order of the text.
    pub modifiers: ByName<Vec<String>>,
}

/// An instruction in the output of `assay isa asm` and `assay isa disasm`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WordOutput {
    /// The canonical assembler text.
    pub asm: String,
    /// The encoded instruction, `0x` and 32 digits.
    pub word: String,
    /// The parts of the instruction.
    pub parts: InstructionParts,
}

/// The output of `assay-lab isa lint` without documents. Exit status 1 if there is a finding.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TableLintOutput {
    /// Number of forms.
    pub forms: usize,
    /// Number of fields of all forms.
    pub fields: usize,
    /// Number of bits of all forms' words that belong to a field or a constant.
    pub bits: usize,
    /// Number of combinations of modifiers.
    pub modes: usize,
    /// Number of legal combinations.
    pub legal_modes: usize,
    /// The findings, as `FORM: defect`.
    pub findings: Vec<String>,
}
