//! The errata as data: every known defect of the specification documents, in English and in Chinese.
//!
//! A file of `data/errata` holds the errata of one area of the documents. The *effect* of a reading
//! is not stored here. If two readings lead to different results, the erratum has a switch in
//! [`assay_isa::readings`]. Each setting of the switch is a reading, profiles choose a setting, and
//! cases show the differences as witnesses. No text is repeated. So an erratum with a switch has
//! only the Chinese texts of its readings here, and does not choose a reading.
//!
//! `check` checks the files. [`read`] reads files, and [`built_in`] reads the built-in ones.

mod check;
mod read;

use std::fmt;

use assay_isa::readings::{Erratum, Switch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::{parsed, present};

pub use check::{DefectError, documents, optypes};
pub use read::{BUILT_IN, built_in, read};

/// A file of errata.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Area {
    /// Version of the format: 1.
    #[schemars(schema_with = "crate::field_schema::version")]
    pub version: u32,
    /// Name of the area, which is the name of the file.
    #[schemars(schema_with = "crate::field_schema::name")]
    pub area: String,
    /// Description of the area.
    pub about: Text,
    /// The errata, by number.
    pub errata: Vec<Defect>,
}

/// A defect of the documents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Defect {
    /// Number of the erratum, `E001` to `E191`.
    #[serde(deserialize_with = "parsed", serialize_with = "crate::text::displayed")]
    #[schemars(schema_with = "crate::field_schema::erratum")]
    pub id: Erratum,
    /// The kind of defect.
    pub class: Class,
    /// The severity of the defect.
    pub severity: Severity,
    /// The affected optypes. Absent means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub optypes: Vec<String>,
    /// The places of the defect in the documents.
    #[serde(rename = "where")]
    pub passages: Vec<Passage>,
    /// The defect in one line, with at most 72 characters in English.
    pub title: Text,
    /// What the documents say, and why this is a defect.
    pub problem: Text,
    /// The possible readings, two or more. The first has number 1. Absent if only one reading is
    /// possible.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<Reading>,
    /// The kinds of evidence for the recommended reading, the strongest first.
    pub basis: Vec<Ground>,
    /// What goes wrong if the defect remains.
    pub consequence: Text,
    /// The decision that applies under every profile. If there is a switch, the decision covers
    /// only questions that the switch does not settle.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// Further evidence of the defect, needed if there is no switch.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub witness: Option<Evident>,
    /// The correction that the documents need.
    pub correction: Text,
    /// A question that only the owner of the documents can answer.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub ask: Option<Text>,
}

/// A text in both languages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// The text in English.
    pub en: String,
    /// The text in Chinese, the language of the documents.
    pub zh: String,
}

/// Languages of the texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Chinese, the language of the documents.
    Chinese,
}

impl Text {
    /// Returns the text in a language.
    pub fn of(&self, language: Language) -> &str {
        match language {
            Language::English => &self.en,
            Language::Chinese => &self.zh,
        }
    }
}

/// A reading of a defect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// The reading in English. Absent if a switch has its text.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub en: Option<String>,
    /// The reading in Chinese.
    pub zh: String,
}

/// A decision on a defect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// Number of the chosen reading. Absent if there is only one reading, or if there is a switch.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub reading: Option<u8>,
    /// The decision.
    pub text: Text,
}

/// Evidence of a defect in addition to its witnesses. At least one of the four fields is present.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Evident {
    /// Values or instruction words that distinguish the readings.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub values: Option<Text>,
    /// The reason why no case or text can show the defect.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub none: Option<Text>,
    /// Assembler texts that must be accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepted: Vec<String>,
    /// Assembler texts that must be refused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
}

/// A place in a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Passage {
    /// The number with which the document's file name begins, such as `000`.
    pub document: String,
    /// Sections, as the documents name them, without underscores. Absent means the whole document.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<Section>,
    /// Lines, counted from 1, such as `371-378, 394`. Absent if the sections suffice.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub lines: Option<String>,
}

/// Declares an enumeration whose names files write in upper, lower or Pascal case.
macro_rules! named {
    ($(#[$about:meta])* $name:ident, $case:literal: $($(#[$doc:meta])* $value:ident = $text:literal),+ $(,)?) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = $case)]
        pub enum $name { $($(#[$doc])* $value),+ }

        impl $name {
            /// All values, in order.
            pub const ALL: &[$name] = &[$($name::$value),+];

            /// Returns the name as files write it.
            pub fn name(self) -> &'static str {
                match self { $($name::$value => $text),+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

named! {
    /// Kinds of defects. Kinds that change results come first.
    Class, "UPPERCASE":
    /// The pseudo-code contradicts prose, a table or a name.
    Sem = "SEM",
    /// A contradiction of IEEE 754 or of mathematics.
    Num = "NUM",
    /// The pseudo-code states something that cannot be meant.
    Pseudo = "PSEUDO",
    /// The encoding contradicts syntax, operand lists or exceptions.
    Enc = "ENC",
    /// An example does not parse, or its comment is wrong.
    Ex = "EX",
    /// A definition or a section is missing.
    Gap = "GAP",
    /// Several readings can be defended.
    Amb = "AMB",
    /// A slip in wording or in a name, or a copy that was not adapted.
    Typo = "TYPO",
}

named! {
    /// The severity of a defect, the worst first.
    Severity, "UPPERCASE":
    /// The defect changes results, or makes an instruction unusable.
    H = "H",
    /// The defect affects some modes, some forms or the assembler.
    M = "M",
    /// The defect is cosmetic or harmless.
    L = "L",
}

named! {
    /// The evidence for a reading.
    Ground, "lowercase":
    /// Mathematics.
    Math = "math",
    /// IEEE 754.
    Ieee = "ieee",
    /// The public PTX ISA describes the operation of the same name.
    Ptx = "ptx",
    /// A similar rule elsewhere in the documents.
    Sibling = "sibling",
    /// The prose or a table.
    Prose = "prose",
    /// The pseudo-code.
    Code = "code",
    /// An example.
    Example = "example",
    /// The encoding.
    Encoding = "encoding",
    /// The literal wording of the documents.
    Literal = "literal",
    /// The obvious intention of the author.
    Sense = "sense",
    /// The rules of the language C.
    C = "c",
    /// General knowledge of this family of GPUs.
    Family = "family",
    /// A free choice.
    Design = "design",
}

named! {
    /// Sections of the documents.
    Section, "PascalCase":
    /// Definitions of bit field types.
    Types = "Types",
    /// The introduction of a group.
    Group = "Group",
    /// The introduction of an optype.
    Optype = "Optype",
    /// The opcode that a document states.
    Opcode = "Opcode",
    /// The fields of the encoding.
    Encoding = "Encoding",
    /// The form of the assembler text.
    Syntax = "Syntax",
    /// What the instruction does, in prose.
    Description = "Description",
    /// Operands, their widths and lists.
    OperandInfo = "OperandInfo",
    /// Modifiers.
    ModifierInfo = "ModifierInfo",
    /// The pseudo-code and tables of special values.
    Semantics = "Semantics",
    /// Examples.
    Examples = "Examples",
    /// Conditions under which a word is refused.
    Exception = "Exception",
    /// Lines of C that simulate the instruction.
    Simulation = "Simulation",
    /// The layout of a stream of bytes.
    Format = "Format",
    /// Types and attributes.
    Properties = "Properties",
    /// The form of BFN's assembler text.
    Text = "Text",
}

impl Defect {
    /// Returns the switch that chooses among the readings. `None` if no result depends on the
    /// reading.
    pub fn switch(&self) -> Option<&'static Switch> {
        Switch::of(self.id)
    }

    /// Returns the readings in a language, in the order of their numbers. English texts come from
    /// the switch, if there is one.
    pub fn readings(&self, language: Language) -> Vec<&str> {
        match (language, self.switch()) {
            (Language::Chinese, _) => self.readings.iter().map(|r| &r.zh[..]).collect(),
            (Language::English, Some(switch)) => switch.settings.to_vec(),
            (Language::English, None) => self.readings.iter().filter_map(|r| r.en.as_deref()).collect(),
        }
    }

    /// Returns the project's decision on the defect. `None` if there is none, or if a switch leaves
    /// the choice of the reading to the profiles.
    pub fn decision(&self) -> Option<&Decision> {
        self.decision.as_ref().filter(|decision| self.switch().is_none() || decision.reading.is_none())
    }

    /// Returns the sort key that orders the worst errata first.
    pub fn rank(&self) -> (Severity, Class, Erratum) {
        (self.severity, self.class, self.id)
    }
}
