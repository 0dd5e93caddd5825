//! Checks errata after parsing.

use assay_isa::enumeration::Modifier;
use assay_isa::readings::Erratum;
use assay_isa::tables::types::Optype;

use super::{Decision, Defect, Evident, Passage, Text};

/// The number of errata: E001 to E191.
const COUNT: u16 = 191;

/// The number of lines of each document.
const DOCUMENTS: [(&str, u32); 5] = [("000", 752), ("001", 412), ("002", 69), ("003", 2404), ("004", 1264)];

/// Returns the numbers with which the documents' file names begin.
pub fn documents() -> impl Iterator<Item = &'static str> {
    DOCUMENTS.iter().map(|(name, _)| *name)
}

/// Returns the optypes that an erratum can name.
pub fn optypes() -> impl Iterator<Item = &'static str> {
    Optype::ENUM.values.iter().copied().chain(["BFN"])
}

/// The errors of an erratum.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DefectError {
    /// Two entries have the same number.
    #[error("the erratum is in {0} already; remove one of the two")]
    Twice(String),
    /// Errata without an entry.
    #[error("nothing describes {0}; add an entry for each to a file of data/errata")]
    Missing(String),
    /// A number outside E001 to E191.
    #[error("there is no such erratum; the last is E{COUNT}")]
    Beyond,
    /// An optype that does not exist.
    #[error("`{0}` is no optype; write a name such as FLO, or leave `optypes` out for all")]
    Optype(String),
    /// A document that does not exist.
    #[error("`{0}` is no document; write one of: {list}", list = documents().collect::<Vec<_>>().join(", "))]
    Document(String),
    /// The line numbers cannot be parsed, or the document has fewer lines.
    #[error("`{lines}` are no lines of document {document}; write such as `371-378, 394`, up to {last}")]
    Lines {
        /// The written lines.
        lines: String,
        /// The document.
        document: String,
        /// The number of the document's last line.
        last: u32,
    },
    /// An empty text where one is required.
    #[error("`{0}` is empty; write it in both languages")]
    Empty(&'static str),
    /// A Chinese text without a Chinese character.
    #[error("`{0}` is not in Chinese under `zh`; translate it")]
    NotChinese(&'static str),
    /// The number of readings differs from the number of settings.
    #[error(
        "it has {readings} readings and its switch {settings} settings; give a Chinese text for each setting"
    )]
    Settings {
        /// Readings in the file.
        readings: usize,
        /// Settings of the switch.
        settings: usize,
    },
    /// A reading without English text in an erratum without a switch. A switch would supply the
    /// text.
    #[error("reading {0} has no English text, and no switch has one; add `en`")]
    NoEnglish(usize),
    /// A single reading, which leaves no choice.
    #[error("a single reading leaves nothing to choose; add another or remove it")]
    OneReading,
    /// An erratum without a decision and without a switch.
    #[error("it has no reading; add `decision`, or a switch to harness/isa/src/readings.rs")]
    Undecided,
    /// A decision that names a reading that does not exist. Or, without a switch, a decision that
    /// names none of the readings.
    #[error("`decision` takes {taken}, and there are {readings} readings; write one of their numbers")]
    Taken {
        /// The chosen reading, as text.
        taken: String,
        /// The number of readings.
        readings: usize,
    },
    /// An erratum without a witness and without a switch. Or an empty `witness`.
    #[error("it has no witness; add `witness`, or `none` with the reason")]
    NoWitness,
    /// An erratum without a basis.
    #[error("the basis is missing; write one or more, such as [prose]")]
    NoBasis,
    /// An erratum without a place.
    #[error("`where` names no place; write one or more, such as {{document: \"000\", lines: \"394\"}}")]
    Nowhere,
}

/// Returns an error that names the errata without an entry. `None` if all have one.
pub(super) fn missing(defects: &[Defect]) -> Option<DefectError> {
    let open = (1..=COUNT).map(Erratum).filter(|id| !defects.iter().any(|defect| defect.id == *id));
    let open = open.map(|id| id.to_string()).collect::<Vec<_>>().join(", ");
    (!open.is_empty()).then_some(DefectError::Missing(open))
}

/// Checks one erratum.
pub(super) fn check(defect: &Defect) -> Result<(), DefectError> {
    if !(1..=COUNT).contains(&defect.id.0) {
        return Err(DefectError::Beyond);
    }
    if let Some(unknown) = defect.optypes.iter().find(|name| !optypes().any(|known| known == **name)) {
        return Err(DefectError::Optype(unknown.clone()));
    }
    if defect.passages.is_empty() {
        return Err(DefectError::Nowhere);
    }
    defect.passages.iter().try_for_each(passage)?;
    if defect.basis.is_empty() {
        return Err(DefectError::NoBasis);
    }
    texts(defect)?;
    readings(defect)?;
    decision(defect)?;
    witness(defect)
}

fn passage(passage: &Passage) -> Result<(), DefectError> {
    let document = &passage.document;
    let known = DOCUMENTS.iter().find(|(name, _)| name == document);
    let (_, last) = *known.ok_or_else(|| DefectError::Document(document.clone()))?;
    let Some(lines) = &passage.lines else { return Ok(()) };
    let sound = lines.split(", ").all(|part| {
        let (first, end) = part.split_once('-').unwrap_or((part, part));
        match (first.parse::<u32>(), end.parse::<u32>()) {
            (Ok(first), Ok(end)) => 1 <= first && first <= end && end <= last,
            _ => false,
        }
    });
    let wrong = || DefectError::Lines { lines: lines.clone(), document: document.clone(), last };
    if sound { Ok(()) } else { Err(wrong()) }
}

/// Checks that each text is present in both languages. A decision may lack Chinese characters,
/// because it can be a formula.
fn texts(defect: &Defect) -> Result<(), DefectError> {
    let always = [
        ("title", &defect.title),
        ("problem", &defect.problem),
        ("consequence", &defect.consequence),
        ("correction", &defect.correction),
    ];
    let asked = defect.ask.iter().map(|text| ("ask", text));
    let decided = defect.decision.iter().map(|decision| ("decision", &decision.text));
    for (key, text) in always.into_iter().chain(asked).chain(decided) {
        if text.en.trim().is_empty() || text.zh.trim().is_empty() {
            return Err(DefectError::Empty(key));
        }
        if key != "decision" && !text.zh.chars().any(is_chinese) {
            return Err(DefectError::NotChinese(key));
        }
    }
    Ok(())
}

/// Whether a character is in the Unicode block of CJK unified ideographs.
fn is_chinese(c: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&c)
}

fn readings(defect: &Defect) -> Result<(), DefectError> {
    let readings = defect.readings.len();
    match defect.switch() {
        Some(switch) if switch.settings.len() != readings => {
            return Err(DefectError::Settings { readings, settings: switch.settings.len() });
        }
        Some(_) => {}
        None => {
            if let Some(index) = defect.readings.iter().position(|reading| reading.en.is_none()) {
                return Err(DefectError::NoEnglish(index + 1));
            }
        }
    }
    if readings == 1 {
        return Err(DefectError::OneReading);
    }
    let said = |text: &str| !text.trim().is_empty();
    let whole = defect.readings.iter().all(|r| said(&r.zh) && r.en.as_deref().is_none_or(said));
    if whole { Ok(()) } else { Err(DefectError::Empty("readings")) }
}

/// Checks the decision. An erratum without a switch needs a decision. If that erratum has readings,
/// the decision must choose one.
fn decision(defect: &Defect) -> Result<(), DefectError> {
    let readings = defect.readings.len();
    let taken = |taken: &str| Err(DefectError::Taken { taken: taken.to_owned(), readings });
    match &defect.decision {
        None if defect.switch().is_none() => Err(DefectError::Undecided),
        Some(Decision { reading: Some(number), .. }) if !(1..=readings).contains(&usize::from(*number)) => {
            taken(&format!("reading {number}"))
        }
        Some(Decision { reading: None, .. }) if readings > 0 && defect.switch().is_none() => taken("none"),
        _ => Ok(()),
    }
}

fn witness(defect: &Defect) -> Result<(), DefectError> {
    match &defect.witness {
        None if defect.switch().is_some() => Ok(()),
        None => Err(DefectError::NoWitness),
        Some(Evident { values: None, none: None, accepted, refused })
            if accepted.is_empty() && refused.is_empty() =>
        {
            Err(DefectError::NoWitness)
        }
        Some(evident) => {
            let empty = |text: &Text| text.en.trim().is_empty() || text.zh.trim().is_empty();
            if evident.values.iter().chain(&evident.none).any(empty) {
                Err(DefectError::Empty("witness"))
            } else {
                Ok(())
            }
        }
    }
}
