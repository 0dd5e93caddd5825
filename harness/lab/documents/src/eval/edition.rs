//! The documents under a reading: with the patches that the settings select.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde::Deserialize;

use super::facts::{FactPatch, FactPatchError};
use super::patch::{Patch, PatchError};
use super::rules::Rules;
use super::specification::{OptypeText, Specification};
use crate::error::Location;
use crate::facts::FormFacts;

/// The patches of the documents.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Patches {
    /// Changes of the code.
    #[serde(default, rename = "patch")]
    pub code: Vec<Patch>,
    /// Changes of fields and widths.
    #[serde(default, rename = "fact")]
    pub facts: Vec<FactPatch>,
}

impl Patches {
    /// Returns the patches of the known documents.
    pub fn known() -> &'static Patches {
        static KNOWN: LazyLock<Patches> = LazyLock::new(|| {
            Patches::from_toml(include_str!("patches.toml")).expect("a test reads the patches")
        });
        &KNOWN
    }

    /// Reads patches.
    ///
    /// # Errors
    ///
    /// A text that is no TOML, or an unknown key, with its line.
    pub fn from_toml(text: &str) -> Result<Patches, toml::de::Error> {
        toml::from_str(text)
    }

    /// Whether rules select a patch of the code that has a setting. If they select none, the text
    /// stands as it is.
    pub fn change_code(&self, rules: &Rules) -> bool {
        self.code.iter().any(|patch| patch.setting.is_some() && patch.is_selected(rules))
    }

    /// Returns these patches without those of one erratum.
    pub fn without(&self, erratum: u16) -> Patches {
        let mut patches = self.clone();
        patches.code.retain(|patch| patch.erratum != erratum);
        patches.facts.retain(|patch| patch.erratum != erratum);
        patches
    }
}

/// A patch that does not fit the documents.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditionError {
    /// A patch of the code.
    #[error(transparent)]
    Code(#[from] PatchError),
    /// A change of fields or widths.
    #[error(transparent)]
    Facts(#[from] FactPatchError),
}

/// The documents under a reading.
#[derive(Debug, Clone)]
pub struct Edition {
    pub(super) specification: Arc<Specification>,
    pub(super) optypes: BTreeMap<String, OptypeText>,
    pub(super) forms: Vec<FormFacts>,
    pub(super) rules: Rules,
}

impl Edition {
    /// Applies the patches that the rules select. A patch of an optype that the documents do not
    /// define is left out.
    ///
    /// # Errors
    ///
    /// The patches that do not fit the documents exactly once.
    pub fn new(
        specification: Arc<Specification>,
        rules: Rules,
        patches: &Patches,
    ) -> Result<Edition, Vec<EditionError>> {
        let mut edition = Edition::unpatched(specification, rules);
        let mut errors = Vec::new();
        for patch in patches.code.iter().filter(|patch| patch.is_selected(&edition.rules)) {
            for name in &patch.optypes {
                let Some(optype) = edition.optypes.get_mut(name) else { continue };
                errors.extend(patch.apply(name, &mut optype.routines).err().map(EditionError::from));
            }
        }
        for patch in patches.facts.iter().filter(|patch| patch.is_selected(&edition.rules)) {
            for form in &mut edition.forms {
                errors.extend(patch.apply(form).err().map(EditionError::from));
            }
        }
        if errors.is_empty() { Ok(edition) } else { Err(errors) }
    }

    /// Returns the documents as they stand.
    pub fn unpatched(specification: Arc<Specification>, rules: Rules) -> Edition {
        let named = |optype: &OptypeText| (optype.name.clone(), optype.clone());
        Edition {
            optypes: specification.optypes.iter().map(named).collect(),
            forms: specification.forms.clone(),
            rules,
            specification,
        }
    }

    /// The rules of the reading.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the position of a byte of an optype's document.
    pub fn location(&self, optype: &str, at: usize) -> Location {
        let optype = self.optypes.get(optype);
        optype.map_or_else(Location::default, |optype| self.specification.location(optype, at))
    }
}
