//! The hand-written texts: the operation of an optype, as data in `data/*.toml`.
//!
//! A line may begin with conditions such as `[E056=2]`: it is in force where the profile has all of these settings.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use assay_isa::readings::SWITCHES;
use assay_isa::{Erratum, Readings};
use serde::Deserialize;

use crate::ManualError;

/// The files, by name.
const FILES: [(&str, &str); 7] = [
    ("xu.toml", include_str!("../data/xu.toml")),
    ("misc.toml", include_str!("../data/misc.toml")),
    ("visa.toml", include_str!("../data/visa.toml")),
    ("udp-arithmetic.toml", include_str!("../data/udp-arithmetic.toml")),
    ("udp-bits.toml", include_str!("../data/udp-bits.toml")),
    ("udp-moves.toml", include_str!("../data/udp-moves.toml")),
    ("falu.toml", include_str!("../data/falu.toml")),
];

/// The file of what many optypes share.
const COMMON: &str = include_str!("../data/common.toml");

/// The texts of one optype.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What the instruction does, in a few words.
    pub title: String,
    /// Document and sections of the source.
    pub source: String,
    /// What the instruction does, in one to three sentences.
    pub summary: String,
    /// The instruction as it is written, where the rows do not show it.
    pub syntax: Option<String>,
    /// The operands in the order of the text: the name in the formula, and what the operand is.
    pub operands: Vec<Named>,
    /// The statements, one a line.
    pub formula: Vec<Line>,
    /// What the formula does not show.
    pub notes: Vec<Line>,
    /// Functions of the formula that no other optype uses.
    pub functions: Vec<Named>,
    /// Worked examples, without results.
    pub examples: Vec<ExampleText>,
}

/// A name and its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name; of a function, with its parameters.
    pub name: String,
    /// The meaning.
    pub about: String,
}

/// A line of text that is in force under some readings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The settings that it needs, all of them.
    pub conditions: Vec<(Erratum, u8)>,
    /// The text.
    pub text: String,
}

/// An example as it is written: the oracle adds the results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExampleText {
    /// Assembler text.
    pub asm: String,
    /// Values of the locations that are read, as `R1=1.5`.
    pub inputs: Vec<(String, String)>,
    /// The point of the example.
    pub about: String,
}

/// The texts of all optypes.
#[derive(Debug)]
pub struct Semantics {
    entries: BTreeMap<String, Entry>,
    /// Lines of every optype that the switches in their conditions touch.
    pub common: Vec<Line>,
    /// Functions of the formulas.
    pub functions: Vec<Named>,
    /// What the values of an enumerated type mean, by the name of the type.
    pub types: BTreeMap<String, String>,
}

impl Semantics {
    /// The texts of an optype.
    pub fn of(&self, optype: &str) -> Option<&Entry> {
        self.entries.get(optype)
    }

    /// Names of the optypes that have texts.
    pub fn optypes(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// The lines that the optype shares with others.
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

    /// The errata that decide whether it is.
    pub fn errata(&self) -> Vec<String> {
        self.conditions.iter().map(|(erratum, _)| erratum.to_string()).collect()
    }
}

/// The texts that come with the program.
///
/// # Panics
/// If a file cannot be read. The tests of this crate read all of them.
pub fn semantics() -> &'static Semantics {
    static ALL: LazyLock<Semantics> =
        LazyLock::new(|| parse(&FILES, COMMON).unwrap_or_else(|e| panic!("harness/manual/data: {e}")));
    &ALL
}

/// An optype as its file has it.
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

/// What many optypes share, as its file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCommon {
    notes: String,
    functions: Vec<String>,
    types: BTreeMap<String, String>,
}

/// Reads the files.
///
/// # Errors
/// The error has the file and the problem.
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

/// Reads `    [E051=1 E052=2] text`; the indentation stays with the text.
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

/// Reads `asm | R1=1.5 R2=2.25 | point of the example`. The assembler text may have bars: the last two separate.
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
