//! The errors of a file of cases or of a profile, with their places.

use std::fmt;

use assay_isa::Location;
use assay_isa::asm::AsmError;
use assay_isa::codec::DecodeError;
use assay_isa::readings::{Erratum, ReadingError};
use assay_isa::shown::quoted;

use crate::errata::DefectError;

/// Something wrong, and the place.
#[derive(Debug, thiserror::Error)]
#[error("{place}{kind}")]
pub struct VectorError {
    /// Where.
    pub place: Place,
    /// What.
    #[source]
    pub kind: Box<ErrorKind>,
}

/// A place in a file, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file, or a name in its place.
    pub file: Option<String>,
    /// Line, from 1.
    pub line: Option<usize>,
    /// Column, from 1.
    pub column: Option<usize>,
    /// Name of the case, or its place in the list.
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
    /// Writes the case and the erratum.
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
    /// Beyond the limits for a YAML file.
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
        /// The keys that are known there.
        known: String,
    },
    /// A key that must be there.
    #[error("the key `{0}` is missing; add it")]
    MissingKey(String),
    /// Well-formed text of another shape: a wrong type, a wrong location, a wrong reading.
    #[error("{0}")]
    Shape(String),
    /// A version that this program does not know.
    #[error("format version {0} is not known; this program reads version {version}", version = crate::VERSION)]
    Version(u32),
    /// A name that could not serve as an argument or a file name.
    #[error("`{}` is no name; write letters, digits, `.`, `_` and `-`, a letter or digit first", quoted(.0))]
    Name(String),
    /// Two cases of a suite share a name.
    #[error("another case of the suite has this name already; choose another")]
    DuplicateCase,
    /// Two files hold suites of one name.
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
    /// A file that is likely to be a suite, and whose name is not that of one.
    #[error("the name of a suite ends with .yaml; rename the file, or move it out of the folder")]
    OtherExtension,
    /// A case cannot be added without the loss of comments.
    #[error(
        "its list of cases does not end the file, so that a case cannot be added and its comments be kept; move the list"
    )]
    Unappendable,
    /// A case of a suite without its provenance.
    #[error("the provenance is missing; add `provenance: {{source: hand}}` or another source")]
    NoProvenance,
    /// Neither text nor word.
    #[error("the instruction is missing; give `asm` or `word`")]
    NoInstruction,
    /// The assembler text is wrong; the error carries the span within it.
    #[error("`{}`: {error}", quoted(text))]
    Asm {
        /// The text.
        text: String,
        /// The problem, and its place in the text.
        #[source]
        error: Box<AsmError>,
    },
    /// The word is no legal instruction.
    #[error("{0}; correct `word`, or name the encoding table it was made with")]
    Word(#[source] DecodeError),
    /// Text and word are two instructions.
    #[error(
        "`asm` encodes to {asm:#034x} but `word` is {word:#034x}, which is `{decoded}`; correct one of them"
    )]
    Disagreement {
        /// The word that the text encodes to.
        asm: u128,
        /// The word given.
        word: u128,
        /// The text of the word given.
        decoded: String,
    },
    /// A location is read and has no value.
    #[error("inputs give no value for {0}, which the instruction reads; add it")]
    MissingInput(Location),
    /// A location has a value and is not read.
    #[error("inputs give a value for {location}, which the instruction does not read; it reads {reads}")]
    ExtraInput {
        /// The location.
        location: Location,
        /// What the instruction reads.
        reads: String,
    },
    /// The case expects a write to a location that the instruction cannot write.
    #[error("expect names {location}, which the instruction cannot write; it can write {writes}")]
    NotWritten {
        /// The location.
        location: Location,
        /// What the instruction can write.
        writes: String,
    },
    /// Both an expectation and its absence.
    #[error("`expect` and `undefined` exclude each other; remove one")]
    Contradiction,
    /// An event beside nothing that it could belong to.
    #[error("`event` stands beside `expect` only; add `expect: {{}}` if nothing is written")]
    LooseEvent,
    /// A reading or setting that does not exist.
    #[error(transparent)]
    Reading(#[from] ReadingError),
    /// An erratum that does not hold together.
    #[error(transparent)]
    Erratum(#[from] DefectError),
    /// No profile of that name is built in, and no file is there.
    #[error("no profile `{name}` is built in and no such file exists; {remedy}")]
    UnknownProfile {
        /// The requested name.
        name: String,
        /// The names that are like it, or all built-in ones.
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
    /// A path in a data file leads out of the folder that the command line named.
    #[error(
        "`{path}` leads out of {tree}, and a file reaches no other folder; move it there, or name it on the command line"
    )]
    Outside {
        /// The beginning of the path.
        path: String,
        /// The folder.
        tree: String,
    },
    /// A profile extends itself.
    #[error("the profile extends itself: {0}; end the chain with a built-in profile")]
    Cycle(String),
    /// A profile without a parent leaves readings open.
    #[error("a profile that extends none needs every reading; add {0}, or `extends: intended`")]
    Incomplete(String),
}

impl From<ErrorKind> for VectorError {
    fn from(kind: ErrorKind) -> Self {
        VectorError { place: Place::default(), kind: Box::new(kind) }
    }
}

impl VectorError {
    /// The same error in a file, unless it names one already.
    pub fn in_file(mut self, file: impl fmt::Display) -> Self {
        self.place.file.get_or_insert_with(|| file.to_string());
        self
    }

    /// The same error on a line, whatever line it had: a line of JSON does not know its own number.
    pub fn at_line(mut self, line: usize) -> Self {
        self.place.line = Some(line);
        self
    }

    /// The same error in a case, unless it names one already or the name is empty.
    pub fn in_case(mut self, case: &str) -> Self {
        if !case.is_empty() {
            self.place.case.get_or_insert_with(|| case.to_owned());
        }
        self
    }

    /// The same error in an erratum.
    pub fn in_erratum(mut self, erratum: Erratum) -> Self {
        self.place.erratum = Some(erratum);
        self
    }
}
