//! The errors of case files and of profiles, with their places.

use std::fmt;

use assay_isa::Location;
use assay_isa::asm::AsmError;
use assay_isa::codec::DecodeError;
use assay_isa::readings::{Erratum, ReadingError};
use assay_isa::shown::quoted;

use crate::errata::DefectError;

/// An error and its place.
#[derive(Debug, thiserror::Error)]
#[error("{place}{kind}")]
pub struct VectorError {
    /// The place.
    pub place: Place,
    /// The kind of error, with its details.
    #[source]
    pub kind: Box<ErrorKind>,
}

/// A place in a file, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The path of the file, or a name for text that is not in a file.
    pub file: Option<String>,
    /// Line, counted from 1.
    pub line: Option<usize>,
    /// Column, counted from 1.
    pub column: Option<usize>,
    /// Name of the case, or its position in the list.
    pub case: Option<String>,
    /// The erratum, in a file of errata.
    pub erratum: Option<Erratum>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (None, None, Some(column)) = (&self.file, self.line, self.column) {
            write!(f, "column {column}: ")?;
            return self.in_file(f);
        }
        let coordinates = self.file.iter().cloned();
        let coordinates =
            coordinates.chain([self.line, self.column].into_iter().flatten().map(|n| n.to_string()));
        let coordinates = coordinates.collect::<Vec<_>>().join(":");
        if !coordinates.is_empty() {
            write!(f, "{coordinates}: ")?;
        }
        self.in_file(f)
    }
}

impl Place {
    /// Writes the case and the erratum, as far as they are known.
    fn in_file(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.case.as_ref().map_or(Ok(()), |case| write!(f, "case {case}: "))?;
        self.erratum.map_or(Ok(()), |erratum| write!(f, "{erratum}: "))
    }
}

/// The kinds of errors.
#[derive(Debug, thiserror::Error)]
pub enum ErrorKind {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Read(#[source] std::io::Error),
    /// The file cannot be written.
    #[error("cannot be written: {0}")]
    Write(#[source] std::io::Error),
    /// The file exceeds the limits for a YAML file.
    #[error("{0}")]
    Limit(#[source] assay_files::yaml::Refused),
    /// Not YAML, or not JSON.
    #[error("malformed: {0}")]
    Syntax(String),
    /// A key that the format does not have.
    #[error("unknown key `{key}`; write one of: {known}")]
    UnknownKey {
        /// The key.
        key: String,
        /// The keys that are allowed in this place.
        known: String,
    },
    /// A required key is missing.
    #[error("the key `{0}` is missing; add it")]
    MissingKey(String),
    /// The syntax is right, but a value is wrong, such as its type, a location or a reading.
    #[error("{0}")]
    Shape(String),
    /// A version that this program does not know.
    #[error("format version {0} is not known; this program reads version {version}", version = crate::VERSION)]
    Version(u32),
    /// A name that cannot serve as an argument or a file name.
    #[error("`{}` is no name; write letters, digits, `.`, `_` and `-`, a letter or digit first", quoted(.0))]
    Name(String),
    /// Two cases of a suite share a name.
    #[error("another case of the suite has this name already; choose another")]
    DuplicateCase,
    /// Two files contain suites with the same name.
    #[error("the suite `{suite}` is in {other} already; rename one of them")]
    DuplicateSuite {
        /// Name of the suite.
        suite: String,
        /// The other file.
        other: String,
    },
    /// A suite without cases.
    #[error("the suite holds no case; add one or remove the file")]
    NoCases,
    /// A folder without suites.
    #[error("the folder holds no *.yaml with cases; name another")]
    NoSuites,
    /// A file that is probably a suite, but whose name does not end with `.yaml`.
    #[error("the name of a suite ends with .yaml; rename the file, or move it out of the folder")]
    OtherExtension,
    /// The case cannot be added to the file unless comments are lost.
    #[error(
        "its list of cases does not end the file, so that a case cannot be added and its comments be kept; move the list"
    )]
    Unappendable,
    /// A case of a suite without its provenance.
    #[error("the provenance is missing; add `provenance: {{source: hand}}` or another source")]
    NoProvenance,
    /// A case with neither assembler text nor word.
    #[error("the instruction is missing; give `asm` or `word`")]
    NoInstruction,
    /// The assembler text is wrong. The inner error has the position within the text.
    #[error("`{}`: {error}", quoted(text))]
    Asm {
        /// The text.
        text: String,
        /// The problem, and its position in the text.
        #[source]
        error: Box<AsmError>,
    },
    /// The word is no legal instruction.
    #[error("{0}; correct `word`, or name the encoding table it was made with")]
    Word(#[source] DecodeError),
    /// The assembler text and the word are different instructions.
    #[error(
        "`asm` encodes to {asm:#034x} but `word` is {word:#034x}, which is `{decoded}`; correct one of them"
    )]
    Disagreement {
        /// The word that the text encodes to.
        asm: u128,
        /// The given word.
        word: u128,
        /// The assembler text of the given word.
        decoded: String,
    },
    /// The instruction reads a location for which the case has no value.
    #[error("inputs give no value for {0}, which the instruction reads; add it")]
    MissingInput(Location),
    /// The case has a value for a location that the instruction does not read.
    #[error("inputs give a value for {location}, which the instruction does not read; it reads {reads}")]
    ExtraInput {
        /// The location.
        location: Location,
        /// The locations that the instruction reads.
        reads: String,
    },
    /// The case expects a write to a location that the instruction cannot write.
    #[error("expect names {location}, which the instruction cannot write; it can write {writes}")]
    NotWritten {
        /// The location.
        location: Location,
        /// The locations that the instruction can write.
        writes: String,
    },
    /// A case with both `expect` and `undefined`.
    #[error("`expect` and `undefined` exclude each other; remove one")]
    Contradiction,
    /// An event without `expect`.
    #[error("`event` stands beside `expect` only; add `expect: {{}}` if nothing is written")]
    LooseEvent,
    /// A reading or setting that does not exist.
    #[error(transparent)]
    Reading(#[from] ReadingError),
    /// An erratum that violates a rule for errata.
    #[error(transparent)]
    Erratum(#[from] DefectError),
    /// There is no built-in profile and no file of that name.
    #[error("no profile `{name}` is built in and no such file exists; {remedy}")]
    UnknownProfile {
        /// The requested name.
        name: String,
        /// Similar names, or all built-in names.
        remedy: String,
    },
    /// The profile of a file has the name of a built-in one.
    #[error("`{name}` is the name of the built-in profile `{built_in}`; choose another name")]
    BuiltInName {
        /// The name in the file.
        name: String,
        /// The built-in profile.
        built_in: &'static str,
    },
    /// A path in a data file that leads out of the folder named on the command line.
    #[error(
        "`{path}` leads out of {tree}, and a file reaches no other folder; move it there, or name it on the command line"
    )]
    Outside {
        /// The path, shortened if it is long.
        path: String,
        /// The folder.
        tree: String,
    },
    /// A profile that extends itself, directly or through others.
    #[error("the profile extends itself: {0}; end the chain with a built-in profile")]
    Cycle(String),
    /// A profile without a parent that does not set every reading.
    #[error("a profile that extends none needs every reading; add {0}, or `extends: intended`")]
    Incomplete(String),
}

impl From<ErrorKind> for VectorError {
    fn from(kind: ErrorKind) -> Self {
        VectorError { place: Place::default(), kind: Box::new(kind) }
    }
}

impl VectorError {
    /// Sets the file of the error, unless it has one already.
    pub fn in_file(mut self, file: impl fmt::Display) -> Self {
        self.place.file.get_or_insert_with(|| file.to_string());
        self
    }

    /// Sets the line of the error. Replaces a line that is already set, because a JSON parser
    /// counts lines from the start of its own text.
    pub fn at_line(mut self, line: usize) -> Self {
        self.place.line = Some(line);
        self
    }

    /// Sets the case of the error, unless it has one already or the name is empty.
    pub fn in_case(mut self, case: &str) -> Self {
        if !case.is_empty() {
            self.place.case.get_or_insert_with(|| case.to_owned());
        }
        self
    }

    /// Sets the erratum of the error.
    pub fn in_erratum(mut self, erratum: Erratum) -> Self {
        self.place.erratum = Some(erratum);
        self
    }
}
