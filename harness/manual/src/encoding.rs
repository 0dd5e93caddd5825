//! The encoding of an optype: every field with its bits, from the table rows and the encoding
//! table.

use assay_isa::row::{Field, FieldType};
use assay_isa::{EncodingTable, Form};
use schemars::JsonSchema;
use serde::Serialize;

/// The encoding of an optype: its fields.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Encoding {
    /// The fields that all forms of the page have.
    pub shared: Vec<FieldRow>,
    /// The other fields of each form.
    pub forms: Vec<FormFields>,
}

/// A form, with its fields that not all forms have.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FormFields {
    /// Name of the form.
    pub form: &'static str,
    /// The fields of this form that not all forms have.
    pub fields: Vec<FieldRow>,
}

/// A field of the instruction word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FieldRow {
    /// Name of the field.
    pub name: &'static str,
    /// Lowest bit, 0 to 127.
    pub lo: u8,
    /// Number of bits.
    pub width: u8,
    /// Type of the values, by its name in the documents.
    pub r#type: &'static str,
    /// The default value. Null if the field has no default.
    pub default: Option<&'static str>,
    /// The only value that the field may have. Null if several are legal.
    pub constraint: Option<&'static str>,
    /// The code of the required value, or all values with their codes.
    pub codes: String,
}

/// Returns the encoding of some forms of one optype.
pub fn encoding(forms: &[&'static Form], numbers: &EncodingTable) -> Encoding {
    let is_shared = |field: &&'static Field| forms.iter().all(|form| form.fields.contains(field));
    let rows = |fields: Vec<&'static Field>| fields.into_iter().map(|field| row(field, numbers)).collect();
    let (shared, _): (Vec<_>, Vec<_>) = forms[0].fields.iter().copied().partition(is_shared);
    let own = |form: &&'static Form| FormFields {
        form: form.name,
        fields: rows(form.fields.iter().copied().filter(|field| !is_shared(field)).collect()),
    };
    Encoding { shared: rows(shared), forms: forms.iter().map(own).filter(|f| !f.fields.is_empty()).collect() }
}

fn row(field: &Field, numbers: &EncodingTable) -> FieldRow {
    let codes = match (field.ty, field.constraint) {
        (FieldType::Enum(e), Some(name)) => {
            e.index_of(name).map_or(String::new(), |index| format!("{name} = {:#x}", numbers.code(e, index)))
        }
        (FieldType::Enum(e), None) => {
            let code = |(index, name): (usize, &&str)| format!("{name}={}", numbers.code(e, index as u32));
            e.values.iter().enumerate().map(code).collect::<Vec<_>>().join(" ")
        }
        _ => String::new(),
    };
    FieldRow {
        name: field.name,
        lo: field.lo,
        width: field.width,
        r#type: field.ty.name(),
        default: field.default,
        constraint: field.constraint,
        codes,
    }
}

impl FieldRow {
    /// Returns the bit numbers of the field, highest first.
    pub fn bits(&self) -> String {
        match self.width {
            1 => self.lo.to_string(),
            width => format!("{}:{}", self.lo + width - 1, self.lo),
        }
    }
}
