//! The property of traces that fuzzing checks. An accepted trace has as many rows as its header
//! counts. A trace that is read and written again has the same rows.

use std::path::Path;

use assay_isa::shown::unsafe_message;
use assay_isa::{Batch, Effects, EncodingTable, Erratum, Event, Instruction, Location, asm};

use serde::Deserialize;

use super::content::Texts;
use super::write::{AnyRow, any_file};
use super::{Header, RUN_ROWS, Reader, Run, TraceError, TraceWriter};

/// Traces from which a mutator starts, because random bytes never make a Parquet file.
pub const BASES: [&[u8]; 2] = [
    include_bytes!("../../../../vectors/data/fuzz/trace/forms"),
    include_bytes!("../../../../vectors/data/fuzz/trace/groups"),
];

/// A JSON document of rows, from which a mutator of documents starts. As a Parquet file, these rows
/// are a valid trace.
pub const ROWS: [&str; 1] = [include_str!("../../../../vectors/data/fuzz/trace/rows")];

/// The contents of a row: the instruction, its PTX, its inputs, its outputs, and its other effects.
pub(super) type Row =
    (String, Option<String>, Vec<(Location, u32)>, Vec<(Location, u32)>, Vec<Event>, Vec<Erratum>);

/// Returns the contents of a row for one lane of a batch.
pub(super) fn row(
    instruction: &Instruction,
    ptx: Option<&str>,
    batch: &Batch,
    effects: &Effects,
    lane: usize,
) -> Row {
    let mut writes: Vec<(Location, u32)> = Vec::new();
    for (location, _) in effects.lane(lane) {
        if writes.iter().all(|(known, _)| *known != location) {
            writes.extend(effects.value(location, lane).map(|value| (location, value)));
        }
    }
    writes.sort();
    let events = effects.events().iter().filter(|(l, _)| *l == lane).map(|(_, event)| *event);
    let undefined = effects.undefined().iter().filter(|(l, _)| *l == lane).map(|(_, erratum)| *erratum);
    let text = asm::print(instruction);
    (text, ptx.map(str::to_owned), batch.lane(lane).collect(), writes, events.collect(), undefined.collect())
}

/// Returns words of a trace for a fuzzing dictionary: the keys of its header and the names of its
/// columns.
pub fn words() -> std::collections::BTreeSet<String> {
    let keys = serde_json::to_value(Header::default()).ok();
    let keys = keys.iter().filter_map(serde_json::Value::as_object).flat_map(|header| header.keys().cloned());
    let columns = super::schema::COLUMNS.iter().map(|column| column.name.to_owned());
    keys.chain(columns).chain(["PAR1", super::header::KEY].map(str::to_owned)).collect()
}

/// A document of rows, which may have any contents.
#[derive(Deserialize)]
struct Document {
    header: Header,
    rows: Vec<DocumentRow>,
}

#[derive(Deserialize)]
struct DocumentRow {
    instruction: String,
    word: String,
    ptx: Option<String>,
    reads: String,
    writes: String,
    inputs: Vec<u32>,
    outputs: Vec<Option<u32>>,
    event: Option<String>,
}

impl DocumentRow {
    fn as_row(&self) -> AnyRow<'_> {
        let DocumentRow { instruction, word, ptx, reads, writes, inputs, outputs, event } = self;
        let texts = Texts { instruction, word, ptx: ptx.as_deref(), reads, writes };
        AnyRow { texts, inputs, outputs, event: event.as_deref() }
    }
}

/// Checks a trace. `data` is a Parquet file, or a JSON document of its rows. Returns whether the
/// trace was accepted.
///
/// # Errors
///
/// Returns the violated property.
pub fn trace(data: &[u8]) -> Result<bool, String> {
    match serde_json::from_slice::<Document>(data) {
        Ok(Document { header, rows }) => {
            let file = any_file(header, rows.iter().map(DocumentRow::as_row));
            hold(&file.map_err(|error| format!("the rows cannot be written: {error}"))?, data)
        }
        Err(_) => hold(data, data),
    }
}

/// Checks that a trace can be read, and has the same rows after it is rewritten. If the file is
/// refused, checks that the error is one safe line without long quotes from `text`.
fn hold(file: &[u8], text: &[u8]) -> Result<bool, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("a temporary folder: {error}"))?;
    let [given, written, again] = ["given", "written", "again"].map(|name| folder.path().join(name));
    std::fs::write(&given, file).map_err(|error| format!("a temporary file: {error}"))?;
    let (header, runs) = match read(&given) {
        Ok(trace) => trace,
        Err(error) => {
            let message = error.problem.to_string();
            let problem = unsafe_message(&message, &String::from_utf8_lossy(text));
            return problem.map_or(Ok(false), |problem| Err(format!("the error {message:?} {problem}")));
        }
    };
    in_order(&header, &runs)?;
    let failed = |error: TraceError| format!("a trace that was read cannot be written anew: {error}");
    let first = write(&written, header, &runs).map_err(failed)?;
    let (header, copy) = read(&written).map_err(failed)?;
    let second = write(&again, header, &copy).map_err(failed)?;
    if rows(&runs).eq(rows(&copy)) && first.hash == second.hash {
        Ok(true)
    } else {
        Err("a trace that was written anew reads as other rows".into())
    }
}

fn read(path: &Path) -> Result<(Header, Vec<Run>), TraceError> {
    let reader = Reader::open(path)?;
    let mut all = Vec::new();
    reader.read(EncodingTable::provisional(), |runs| {
        all.extend(runs);
        Ok::<(), TraceError>(())
    })?;
    Ok((reader.header().clone(), all))
}

fn write(path: &Path, header: Header, runs: &[Run]) -> Result<Header, TraceError> {
    let mut writer = TraceWriter::create(path, Header { cases: 0, ..header })?;
    for Run { instruction, ptx, batch, effects, .. } in runs {
        writer.record(instruction, ptx.as_deref(), batch, effects)?;
    }
    writer.finish()
}

/// Checks that the runs are consecutive, and have as many rows as the header counts.
fn in_order(header: &Header, runs: &[Run]) -> Result<(), String> {
    let mut next = 0;
    for run in runs {
        if run.first != next || !(1..=RUN_ROWS).contains(&run.batch.len()) {
            return Err(format!("a run of {} rows begins at {}, not {next}", run.batch.len(), run.first));
        }
        next += run.batch.len() as u64;
    }
    if next == header.cases {
        Ok(())
    } else {
        Err(format!("{next} rows were read, and the header counts {}", header.cases))
    }
}

fn rows(runs: &[Run]) -> impl Iterator<Item = Row> {
    runs.iter().flat_map(|Run { instruction, ptx, batch, effects, .. }| {
        (0..batch.len()).map(|lane| row(instruction, ptx.as_deref(), batch, effects, lane))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_traces_hold_and_damaged_ones_are_refused() {
        for kept in BASES {
            assert_eq!(trace(kept), Ok(true));
            assert_eq!(trace(&kept[..kept.len() - 1]), Ok(false));
        }
        assert_eq!(trace(b""), Ok(false));
    }

    #[test]
    fn rows_of_any_texts_are_refused_with_a_message_that_is_safe_to_show() {
        let [rows] = ROWS;
        assert_eq!(trace(rows.as_bytes()), Ok(true));
        let long = "x".repeat(3000);
        for (text, other) in [
            ("FADD R0, R1, R2", &*long),
            ("FADD R0, R1, R2", "FADD R0, R1\\u001b, R2"),
            ("FADD R0, R1, R2", "FMUL R0, R1, R2"),
            ("R1 R2", &long),
            ("R1 R2", "R1 R1"),
            ("R1 R2", "R1"),
            ("executed: PMTRIG 0x5", &long),
            ("executed: PMTRIG 0x5", "undefined: E\\u202e"),
            ("0x", &long),
            ("[1,2]", "[1]"),
        ] {
            let file = rows.replacen(text, other, 1);
            assert_ne!(file, *rows, "{text}");
            assert_eq!(trace(file.as_bytes()), Ok(false), "{text}: {other}");
        }
    }

    #[test]
    fn runs_that_do_not_follow_or_do_not_add_up_are_caught() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("trace");
        std::fs::write(&path, BASES[0]).expect("a file");
        let (header, mut runs) = read(&path).expect("a trace");
        assert_eq!(in_order(&header, &runs), Ok(()));
        let more = Header { cases: header.cases + 1, ..header.clone() };
        assert!(in_order(&more, &runs).is_err_and(|problem| problem.contains("the header counts")));
        runs[0].first = 1;
        assert!(in_order(&header, &runs).is_err_and(|problem| problem.contains("begins at 1, not 0")));
    }
}
