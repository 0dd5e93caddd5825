//! What `isa list`, `isa asm`, `isa disasm` and `isa lint` of the tables print.

use assay_isa::Form;
use schemars::JsonSchema;
use serde::Serialize;

/// A form, as `assay isa list` prints it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FormOutput {
    /// Its name.
    pub form: &'static str,
    /// Its optype.
    pub optype: &'static str,
    /// The group of the optype.
    pub group: &'static str,
    /// The kinds of its operand sources, such as `RRI`.
    pub stype: &'static str,
    /// The operands that it writes.
    pub outputs: Vec<&'static str>,
    /// The operands that it reads, in the order of the text, without the guard.
    pub inputs: Vec<&'static str>,
    /// The fields of its word.
    pub fields: Vec<FieldOutput>,
}

/// A field of an instruction word.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FieldOutput {
    /// Its name.
    pub name: &'static str,
    /// Its lowest bit, 0 to 127.
    pub lo: u8,
    /// Its number of bits.
    pub width: u8,
    /// The type of its values.
    #[serde(rename = "type")]
    pub ty: &'static str,
    /// The value that it has where nothing else is written; null where there is none.
    pub default: Option<&'static str>,
    /// What its values are held to besides; null where that is nothing.
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

/// An instruction, as `assay isa asm` and `assay isa disasm` print it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WordOutput {
    /// The canonical text.
    pub asm: String,
    /// The encoded instruction, `0x` and 32 digits.
    pub word: String,
}

/// What `assay isa lint` prints of the tables. Exit status 1 if there is a finding.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TableLintOutput {
    /// Forms.
    pub forms: usize,
    /// Fields of all forms.
    pub fields: usize,
    /// Bits of the words that a field or a constant accounts for.
    pub bits: usize,
    /// Combinations of modifiers.
    pub modes: usize,
    /// Those that are legal.
    pub legal_modes: usize,
    /// What is wrong: `FORM: what`.
    pub findings: Vec<String>,
}
