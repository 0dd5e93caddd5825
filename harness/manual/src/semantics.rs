//! The hand-written texts: the operation of each optype, from `data/*.toml`.
//!
//! A line may begin with conditions such as `[E056=2]`. Such a line is in force if the profile has
//! all of these settings.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use assay_isa::readings::SWITCHES;
use assay_isa::{Erratum, Readings};
use serde::Deserialize;

use crate::ManualError;

/// The files with the texts of optypes.
const FILES: [(&str, &str); 7] = [
    ("xu.toml", include_str!("../data/xu.toml")),
    ("misc.toml", include_str!("../data/misc.toml")),
    ("visa.toml", include_str!("../data/visa.toml")),
    ("udp-arithmetic.toml", include_str!("../data/udp-arithmetic.toml")),
    ("udp-bits.toml", include_str!("../data/udp-bits.toml")),
    ("udp-moves.toml", include_str!("../data/udp-moves.toml")),
    ("falu.toml", include_str!("../data/falu.toml")),
];

/// The file with the texts that many optypes share.
const COMMON: &str = include_str!("../data/common.toml");

/// The texts of one optype.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The operation in a few words.
    pub title: String,
    /// The source: document and sections.
    pub source: String,
    /// The operation in one to three sentences.
    pub summary: String,
    /// The syntax, if it does not follow from the rows.
    pub syntax: Option<String>,
    /// The operands in the order of the assembler text, each with its name in the formula and its
    /// meaning.
    pub operands: Vec<Named>,
    /// The statements of the operation, one a line.
    pub formula: Vec<Line>,
    /// Facts that the formula does not show.
    pub notes: Vec<Line>,
    /// Functions that only this optype's formula uses.
    pub functions: Vec<Named>,
    /// Worked examples, without results.
    pub examples: Vec<ExampleText>,
}

/// A name and its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name. For a function, with its parameters.
    pub name: String,
    /// The meaning.
    pub about: String,
}

/// A line of text, and the readings under which it is in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The required settings. All of them must hold.
    pub conditions: Vec<(Erratum, u8)>,
    /// The text.
    pub text: String,
}

/// An example without results. The oracle adds them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExampleText {
    /// Assembler text.
    pub asm: String,
    /// Values of the input locations, such as `R1=1.5`.
    pub inputs: Vec<(String, String)>,
    /// What the example shows.
    pub about: String,
}

/// The texts of all optypes.
#[derive(Debug)]
pub struct Semantics {
    entries: BTreeMap<String, Entry>,
    /// Shared lines. A line applies to each optype that all switches in the line's conditions
    /// affect.
    pub common: Vec<Line>,
    /// Functions that the formulas of several optypes use.
    pub functions: Vec<Named>,
    /// The meaning of the values of each enumerated type, by the name of the type.
    pub types: BTreeMap<String, String>,
}

impl Semantics {
    /// Returns the texts of an optype.
    pub fn of(&self, optype: &str) -> Option<&Entry> {
        self.entries.get(optype)
    }

    /// Returns the names of the optypes that have texts.
    pub fn optypes(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Returns the shared lines that apply to an optype.
    pub fn common_of<'a>(&'a self, optype: &'a str) -> impl Iterator<Item = &'a Line> {
        let touches = move |erratum: Erratum| {
            SWITCHES.iter().any(|s| s.erratum == erratum && s.optypes.contains(&optype))
        };
        self.common.iter().filter(move |line| line.conditions.iter().all(|(e, _)| touches(*e)))
    }
}

impl Line {
    /// Whether the line is in force.
    pub fn holds(&self, readings: &Readings) -> bool {
        self.conditions.iter().all(|(erratum, setting)| readings.setting(*erratum) == Some(*setting))
    }

    /// Returns the errata in the conditions of the line.
    pub fn errata(&self) -> Vec<String> {
        self.conditions.iter().map(|(erratum, _)| erratum.to_string()).collect()
    }
}

/// Returns the built-in texts.
///
/// # Panics
/// If a file cannot be parsed. The tests of this crate parse all files.
pub fn semantics() -> &'static Semantics {
    static ALL: LazyLock<Semantics> =
        LazyLock::new(|| parse(&FILES, COMMON).unwrap_or_else(|e| panic!("harness/manual/data: {e}")));
    &ALL
}

/// The texts of an optype, as in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEntry {
    title: String,
    source: String,
    summary: String,
    #[serde(default)]
    syntax: Option<String>,
    #[serde(default)]
    operands: Vec<String>,
    formula: String,
    #[serde(default)]
    notes: String,
    #[serde(default)]
    functions: Vec<String>,
    examples: Vec<String>,
}

/// The texts that many optypes share, as in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCommon {
    notes: String,
    functions: Vec<String>,
    types: BTreeMap<String, String>,
}

/// Parses the files.
///
/// # Errors
/// The file and the problem.
pub fn parse(files: &[(&str, &str)], common: &str) -> Result<Semantics, ManualError> {
    let mut entries = BTreeMap::new();
    for (file, text) in files {
        let malformed = |problem: String| ManualError::Malformed { file: (*file).to_owned(), problem };
        let raw: BTreeMap<String, RawEntry> = toml::from_str(text).map_err(|e| malformed(e.to_string()))?;
        for (optype, entry) in raw {
            let read = entry_of(entry).map_err(|problem| malformed(format!("{optype}: {problem}")))?;
            if entries.insert(optype.clone(), read).is_some() {
                return Err(malformed(format!("{optype} is described twice")));
            }
        }
    }
    let malformed = |problem: String| ManualError::Malformed { file: "common.toml".to_owned(), problem };
    let raw: RawCommon = toml::from_str(common).map_err(|e| malformed(e.to_string()))?;
    Ok(Semantics {
        entries,
        common: lines(&raw.notes).map_err(malformed)?,
        functions: raw.functions.iter().map(|f| named(f)).collect::<Result<_, _>>().map_err(malformed)?,
        types: raw.types,
    })
}

fn entry_of(raw: RawEntry) -> Result<Entry, String> {
    Ok(Entry {
        title: raw.title,
        source: raw.source,
        summary: raw.summary.trim().replace('\n', " "),
        syntax: raw.syntax,
        operands: raw.operands.iter().map(|o| named(o)).collect::<Result<_, _>>()?,
        formula: lines(&raw.formula)?,
        notes: lines(&raw.notes)?,
        functions: raw.functions.iter().map(|f| named(f)).collect::<Result<_, _>>()?,
        examples: raw.examples.iter().map(|e| example(e)).collect::<Result<_, _>>()?,
    })
}

fn named(text: &str) -> Result<Named, String> {
    let (name, about) =
        text.split_once(": ").ok_or(format!("`{text}` is not of the form `name: meaning`"))?;
    Ok(Named { name: name.to_owned(), about: about.to_owned() })
}

fn lines(text: &str) -> Result<Vec<Line>, String> {
    text.lines().filter(|line| !line.trim().is_empty()).map(line).collect()
}

/// Parses `    [E051=1 E052=2] text`. The indentation stays with the text.
fn line(text: &str) -> Result<Line, String> {
    let body = text.trim_start();
    let indent = &text[..text.len() - body.len()];
    let is_conditions = body.starts_with("[E") || body.starts_with("[C");
    let (conditions, body) = match body[usize::from(is_conditions)..].split_once("] ") {
        Some((inside, rest)) if is_conditions => (inside, rest),
        _ => ("", body),
    };
    let setting = |text: &str| Readings::setting_from_text(text).map_err(|e| e.to_string());
    let conditions = conditions.split_whitespace().map(setting).collect::<Result<_, _>>()?;
    Ok(Line { conditions, text: format!("{indent}{}", body.trim_end()) })
}

/// Parses `asm | R1=1.5 R2=2.25 | what the example shows`. The last two bars separate the parts.
/// Bars before them belong to the assembler text.
fn example(text: &str) -> Result<ExampleText, String> {
    let malformed = || format!("`{text}` is not of the form `instruction | inputs | what it shows`");
    let (rest, about) = text.rsplit_once(" | ").ok_or_else(malformed)?;
    let (asm, inputs) = rest.rsplit_once(" |").ok_or_else(malformed)?;
    let input = |pair: &str| {
        let (location, value) = pair.split_once('=').ok_or_else(malformed)?;
        Ok::<_, String>((location.to_owned(), value.to_owned()))
    };
    let inputs = inputs.split_whitespace().map(input).collect::<Result<_, _>>()?;
    Ok(ExampleText { asm: asm.trim().to_owned(), inputs, about: about.to_owned() })
}
