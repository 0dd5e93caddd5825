//! The declarations of a document, before inheritance.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::Location;
use crate::facts::{Body, ListFacts, StreamFacts, TypeFacts};
use crate::layout::Section;

/// The definitions of one or more documents, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// Bit-field types with listed values.
    pub types: Vec<TypeFacts>,
    /// Groups, optypes and forms.
    pub definitions: Vec<Definition>,
    /// Instructions that are operand streams.
    #[serde(default)]
    pub streams: Vec<StreamFacts>,
}

impl Document {
    /// Appends the definitions of another document.
    pub fn append(&mut self, mut other: Document) {
        self.types.append(&mut other.types);
        self.definitions.append(&mut other.definitions);
        self.streams.append(&mut other.streams);
    }

    /// Returns the number of definitions of a kind.
    pub fn count(&self, kind: DefinitionKind) -> usize {
        self.definitions.iter().filter(|d| d.kind == kind).count()
    }

    /// Returns the number of declared fields. An inherited field counts once.
    pub fn count_fields(&self) -> usize {
        self.definitions.iter().map(|d| d.body.fields.len()).sum()
    }
}

/// What a definition defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DefinitionKind {
    /// `__DefGroup`: optypes with common fields.
    Group,
    /// `__DefOptype`: an operation.
    Optype,
    /// `__DefOpcode`: an operation with its operand sources.
    Form,
}

/// A group, optype or form with its own facts only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    /// What is defined.
    pub kind: DefinitionKind,
    /// Name of the group, optype or form.
    pub name: String,
    /// The parent, from which the definition inherits.
    pub parent: String,
    /// The definition's own facts, without inherited ones.
    #[serde(flatten)]
    pub body: Body,
    /// The value lists in the definition's syntax.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lists: Vec<ListFacts>,
    /// The modifiers that the definition's syntax writes as words, without a list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
    /// Number of bytes of text in the definition's own facts. [`crate::ErrorKind::TooLarge`]
    /// reports a definition whose own and inherited facts exceed the limit.
    #[serde(skip)]
    pub weight: usize,
    /// The sections of the definition, in order.
    #[serde(skip)]
    pub sections: Vec<Section>,
    /// Positions of each list, width and exception, by names such as `InList` or `Bitwidth<rd>`.
    #[serde(skip)]
    pub places: BTreeMap<String, Location>,
    /// Position of the definition.
    #[serde(skip)]
    pub at: Location,
}
