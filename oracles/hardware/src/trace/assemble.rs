//! Combines the decoded columns of a row group into runs, and checks their contents.

use std::collections::BTreeSet;

use assay_isa::effect::Lanes;
use assay_isa::shown::quoted;
use assay_isa::{Batch, Effects, EncodingTable, Instruction, Location, asm, codec};
use parquet::data_type::ByteArray;

use super::columns::{Cursor, ListColumn, ListTable, TextRun};
use super::content::{Content, Texts};
use super::group::{Group, Run};
use super::schema::INPUTS;
use super::{RUN_ROWS, events};

/// The decoded columns of a row group. All columns have the same number of rows.
pub struct RowGroupColumns {
    pub texts: [Vec<TextRun>; INPUTS],
    pub inputs: ListColumn,
    pub outputs: ListColumn,
    pub events: Vec<TextRun>,
}

/// The number of a row in the file, and the problem of that row.
type RowError = (u64, String);

impl RowGroupColumns {
    /// Combines the columns into runs. `first` is the number of the group's first row in the file.
    pub fn group(&self, first: u64, numbers: &EncodingTable) -> Result<Group, RowError> {
        let mut group = Group { runs: Vec::new(), content: Content::default() };
        let mut assembly = Assembly::new(self, first);
        for (texts, rows) in together(&self.texts) {
            let here = |problem: String| (assembly.row, problem);
            let texts = named(texts).map_err(here)?;
            let shape = RunShape::of(&texts, numbers).map_err(here)?;
            group.content.texts(&texts);
            let mut left = rows;
            while left > 0 {
                let now = left.min(RUN_ROWS);
                group.runs.push(assembly.run(&shape, texts.ptx, now, &mut group.content)?);
                left -= now;
            }
        }
        Ok(group)
    }
}

/// Returns the largest ranges of rows in which no text column changes, with the texts in each
/// range.
fn together(columns: &[Vec<TextRun>; INPUTS]) -> impl Iterator<Item = ([Option<&ByteArray>; INPUTS], usize)> {
    let mut rests = columns.each_ref().map(|runs| {
        let mut runs = runs.iter().map(|(text, rows)| (text.as_ref(), *rows));
        (runs.next(), runs)
    });
    std::iter::from_fn(move || {
        let rows =
            rests.iter().map(|(head, _)| head.map_or(0, |(_, rows)| rows)).min().filter(|rows| *rows > 0)?;
        let texts = rests.each_mut().map(|(head, rest)| {
            let (text, left) = (*head)?;
            *head = if left == rows { rest.next() } else { Some((text, left - rows)) };
            text
        });
        Some((texts, rows))
    })
}

/// Returns the texts of a run by name. Only `ptx` may be null.
fn named(texts: [Option<&ByteArray>; INPUTS]) -> Result<Texts<'_>, String> {
    let [instruction, word, ptx, reads, writes] = texts.map(|text| {
        text.map(|text| text.as_utf8().map_err(|_| "a text is no UTF-8; record the trace again".to_owned()))
            .transpose()
    });
    let some = |text: Option<_>, name: &str| {
        text.ok_or_else(|| format!("`{name}` is null; only `ptx` and `event` can be"))
    };
    Ok(Texts {
        instruction: some(instruction?, "instruction")?,
        word: some(word?, "word")?,
        ptx: ptx?,
        reads: some(reads?, "reads")?,
        writes: some(writes?, "writes")?,
    })
}

/// The decoded texts of a run.
struct RunShape {
    instruction: Instruction,
    word: u128,
    reads: Vec<Location>,
    writes: Vec<Location>,
}

impl RunShape {
    fn of(texts: &Texts<'_>, numbers: &EncodingTable) -> Result<RunShape, String> {
        let digits = texts
            .word
            .strip_prefix("0x")
            .filter(|digits| digits.len() == 32 && digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let word = digits.and_then(|digits| u128::from_str_radix(digits, 16).ok()).ok_or_else(|| {
            format!("`{}` is no word; write 0x and 32 hexadecimal digits", quoted(texts.word))
        })?;
        let written = asm::parse(texts.instruction).map_err(|e| {
            format!("`{}` is no instruction: {}; {}", quoted(texts.instruction), e.problem, e.remedy)
        })?;
        let instruction = codec::decode(word, numbers).map_err(|e| format!("{}: {e}", texts.word))?;
        if instruction != written {
            return Err(format!(
                "`{}` is not the word {}, which is `{}`; give the --numbers that the trace was recorded with",
                quoted(texts.instruction),
                texts.word,
                asm::print(&instruction)
            ));
        }
        let (reads, writes) = (locations(texts.reads)?, locations(texts.writes)?);
        match instruction.reads().iter().find(|location| !reads.contains(location)) {
            Some(missing) => {
                Err(format!("`reads` lacks {missing}, which `{}` reads", quoted(texts.instruction)))
            }
            None => Ok(RunShape { instruction, word, reads, writes }),
        }
    }
}

fn locations(text: &str) -> Result<Vec<Location>, String> {
    let read = |name: &str| name.parse::<Location>().map_err(|e| e.to_string());
    let list = text.split_ascii_whitespace().map(read).collect::<Result<Vec<_>, _>>()?;
    let distinct = list.iter().collect::<BTreeSet<_>>().len();
    if distinct == list.len() { Ok(list) } else { Err(format!("`{}` names a location twice", quoted(text))) }
}

/// Reads the columns run by run.
struct Assembly<'a> {
    columns: &'a RowGroupColumns,
    /// Number of the next row in the file.
    row: u64,
    inputs: Cursor,
    outputs: Cursor,
    events: Events<'a>,
    tables: [ListTable; 2],
}

impl<'a> Assembly<'a> {
    fn new(columns: &'a RowGroupColumns, row: u64) -> Assembly<'a> {
        let (inputs, outputs) = (Cursor::default(), Cursor::default());
        Assembly {
            columns,
            row,
            inputs,
            outputs,
            events: Events::new(&columns.events),
            tables: Default::default(),
        }
    }

    /// Returns the next rows as a run.
    fn run(
        &mut self,
        shape: &RunShape,
        ptx: Option<&str>,
        rows: usize,
        content: &mut Content,
    ) -> Result<Run, RowError> {
        let first = self.row;
        let at = |row: usize, problem: String| (first + row as u64, problem);
        let [inputs, outputs] = &mut self.tables;
        let RowGroupColumns { inputs: read, outputs: wrote, .. } = self.columns;
        read.take(&mut self.inputs, rows, shape.reads.len(), inputs)
            .map_err(|(row, problem)| at(row, format!("inputs: {problem}, as `reads` has")))?;
        wrote
            .take(&mut self.outputs, rows, shape.writes.len(), outputs)
            .map_err(|(row, problem)| at(row, format!("outputs: {problem}, as `writes` has")))?;
        let batch = batch(shape, inputs, rows).map_err(|(row, problem)| at(row, problem))?;
        let mut effects = effects(shape, outputs, rows).map_err(|(row, problem)| at(row, problem))?;
        content.reserve(rows * (2 + 4 * shape.reads.len() + 5 * shape.writes.len()));
        for row in 0..rows {
            let event = self.events.next();
            let event = event.map(|text| text.as_utf8()).transpose().map_err(|e| at(row, e.to_string()))?;
            content.row(inputs.row(row).iter().copied(), outputs.nullable(row), event);
            if let Some(text) = event {
                events::apply(text, row, &mut effects).map_err(|problem| at(row, problem))?;
            }
        }
        self.row += rows as u64;
        let (instruction, ptx) = (shape.instruction.clone(), ptx.map(str::to_owned));
        Ok(Run { instruction, ptx, first, batch, effects })
    }
}

fn batch(shape: &RunShape, inputs: &ListTable, rows: usize) -> Result<Batch, (usize, String)> {
    if !inputs.is_whole() {
        let row = (0..rows).find(|row| inputs.nullable(*row).any(|value| value.is_none()));
        return Err((
            row.unwrap_or_default(),
            "an input is null; every location that is read has a value".into(),
        ));
    }
    let mut batch = Batch::new(shape.word, &shape.reads, rows);
    for (place, location) in shape.reads.iter().enumerate() {
        let column = batch.column_mut(place);
        column.iter_mut().zip(inputs.column(place)).for_each(|(to, value)| *to = value);
        bits(*location, column)?;
    }
    Ok(batch)
}

fn effects(shape: &RunShape, outputs: &ListTable, rows: usize) -> Result<Effects, (usize, String)> {
    let mut effects = Effects::default();
    effects.reset(rows);
    for (place, location) in shape.writes.iter().enumerate() {
        let present = outputs.present(place);
        let written = Lanes::from(present);
        let column = effects.write(*location, written);
        column.iter_mut().zip(outputs.column(place)).for_each(|(to, value)| *to = value);
        bits(*location, column)?;
    }
    Ok(effects)
}

/// Checks that the values of a predicate are 0 or 1.
fn bits(location: Location, values: &[u32]) -> Result<(), (usize, String)> {
    let wide = values.iter().position(|value| *value > 1).filter(|_| location.is_predicate());
    wide.map_or(Ok(()), |row| Err((row, format!("{location} is {:#x}; a predicate is 0 or 1", values[row]))))
}

/// Iterates over the events, one row at a time.
struct Events<'a> {
    runs: std::slice::Iter<'a, TextRun>,
    text: Option<&'a ByteArray>,
    left: usize,
}

impl<'a> Events<'a> {
    fn new(runs: &'a [TextRun]) -> Events<'a> {
        Events { runs: runs.iter(), text: None, left: 0 }
    }

    /// Returns the event of the next row, `None` if it has no event.
    #[inline]
    fn next(&mut self) -> Option<&'a ByteArray> {
        while self.left == 0 {
            let (text, rows) = self.runs.next()?;
            (self.text, self.left) = (text.as_ref(), *rows);
        }
        self.left -= 1;
        self.text
    }
}
