//! Errata as changes of fields and widths, beside the patches of the code.

use serde::Deserialize;

use super::rules::Rules;
use crate::error::Location;
use crate::facts::{FieldFacts, FormFacts};

/// A change of a definition's facts that a setting of an erratum selects.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FactPatch {
    /// The number of the erratum.
    pub erratum: u16,
    /// The setting that selects the change. Without it, every profile has the change.
    pub setting: Option<u8>,
    /// The optype, or one form.
    pub definition: String,
    /// The change.
    pub change: FactChange,
}

/// A change of facts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum FactChange {
    /// Adds a field. The form must not have it, and its bits must be free.
    Field {
        /// Name of the field.
        name: String,
        /// Its lowest bit.
        lo: u8,
        /// Its width in bits.
        width: u8,
        /// Name of its type.
        ty: String,
        /// The value if the text leaves the field out.
        default: String,
    },
    /// Changes the only legal value of a field.
    Constraint {
        /// Name of the field.
        field: String,
        /// The value.
        value: String,
    },
    /// Changes the width of an operand. The form must have given another width.
    Bitwidth {
        /// The operand.
        operand: String,
        /// The width, as in the documents.
        width: String,
    },
}

/// A change that does not fit a form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the change of E{erratum:03} does not fit {form}: the documents have it, or no such field")]
pub struct FactPatchError {
    /// The erratum.
    pub erratum: u16,
    /// The form.
    pub form: String,
}

impl FactPatch {
    /// Whether a profile has the change.
    pub fn is_selected(&self, rules: &Rules) -> bool {
        self.setting.is_none_or(|setting| rules.of(self.erratum) == setting)
    }

    /// Applies the change to a form, if it is about the form.
    pub(super) fn apply(&self, form: &mut FormFacts) -> Result<(), FactPatchError> {
        if self.definition != form.form && self.definition != form.optype {
            return Ok(());
        }
        let changed = self.change.apply(form);
        changed.ok_or_else(|| FactPatchError { erratum: self.erratum, form: form.form.clone() })
    }
}

impl FactChange {
    /// Applies the change. `None` if it does not fit.
    fn apply(&self, form: &mut FormFacts) -> Option<()> {
        match self {
            FactChange::Field { name, lo, width, ty, default } => {
                let field = FieldFacts {
                    name: name.clone(),
                    lo: *lo,
                    width: *width,
                    ty: ty.clone(),
                    default: Some(default.clone()),
                    constraint: None,
                    at: Location::default(),
                };
                let is_free =
                    form.body.fields.iter().all(|other| other.name != *name && !other.overlaps(&field));
                is_free.then(|| form.body.fields.push(field))
            }
            FactChange::Constraint { field, value } => {
                let field = form.body.fields.iter_mut().find(|own| own.name == *field)?;
                let old = field.constraint.replace(value.clone());
                (old.as_ref() != Some(value)).then_some(())
            }
            FactChange::Bitwidth { operand, width } => {
                let old = form.body.bitwidths.insert(operand.clone(), width.clone())?;
                (old != *width).then_some(())
            }
        }
    }
}
