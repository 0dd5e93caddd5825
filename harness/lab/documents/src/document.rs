//! The declarations of a document, before inheritance.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::Location;
use crate::facts::{Body, ListFacts, StreamFacts, TypeFacts};
use crate::layout::Section;

/// The definitions of one or more documents, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// Bit-field types whose values are listed.
    pub types: Vec<TypeFacts>,
    /// Groups, optypes and forms.
    pub definitions: Vec<Definition>,
    /// Instructions that are streams of operands.
    #[serde(default)]
    pub streams: Vec<StreamFacts>,
}

impl Document {
    /// Adds what another document declares.
    pub fn append(&mut self, mut other: Document) {
        self.types.append(&mut other.types);
        self.definitions.append(&mut other.definitions);
        self.streams.append(&mut other.streams);
    }

    /// How many definitions of a kind there are.
    pub fn count(&self, kind: DefinitionKind) -> usize {
        self.definitions.iter().filter(|d| d.kind == kind).count()
    }

    /// How many fields are declared, each counted once however many forms inherit it.
    pub fn count_fields(&self) -> usize {
        self.definitions.iter().map(|d| d.body.fields.len()).sum()
    }
}

/// The subject of a definition.
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

/// One group, optype or form, with its own facts only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    /// Its subject.
    pub kind: DefinitionKind,
    /// Its name.
    pub name: String,
    /// The definition that it inherits from.
    pub parent: String,
    /// Its own facts.
    #[serde(flatten)]
    pub body: Body,
    /// The lists of values in its syntax.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lists: Vec<ListFacts>,
    /// The values that its syntax writes without a list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
    /// Bytes of text that its own facts take: the measure of [`crate::ErrorKind::TooLarge`].
    #[serde(skip)]
    pub weight: usize,
    /// Its sections, in order.
    #[serde(skip)]
    pub sections: Vec<Section>,
    /// Where each list, width and exception stands, as `InList` or `Bitwidth<rd>`.
    #[serde(skip)]
    pub places: BTreeMap<String, Location>,
    /// Where it begins.
    #[serde(skip)]
    pub at: Location,
}
