//! The committed facts of the documents: `fixture/facts.json`, one definition a line.

use serde::Serialize;

use crate::document::Document;
use crate::facts::Facts;
use crate::resolve::resolve;

/// Returns the fixture as declared, without inheritance.
pub fn declarations() -> Document {
    let text = include_str!("../fixture/facts.json");
    serde_json::from_str(text).expect("the fixture is committed as `render` wrote it, and tested")
}

/// Returns the facts of the fixture, with inheritance resolved.
pub fn fixture() -> Facts {
    resolve(&declarations()).expect("the fixture was extracted without errors, and is tested")
}

/// Returns the text of a fixture: JSON with one type, definition or stream a line. So a
/// line-by-line diff of two editions is readable.
pub fn render(document: &Document) -> Result<String, serde_json::Error> {
    let types = lines(&document.types)?;
    let definitions = lines(&document.definitions)?;
    let streams = lines(&document.streams)?;
    Ok(format!(
        "{{\"types\":[\n{types}\n],\"definitions\":[\n{definitions}\n],\"streams\":[\n{streams}\n]}}\n"
    ))
}

fn lines<T: Serialize>(items: &[T]) -> Result<String, serde_json::Error> {
    let lines: Result<Vec<_>, _> = items.iter().map(serde_json::to_string).collect();
    Ok(lines?.join(",\n"))
}
