//! Writes a trace: batches and their effects as rows.
//!
//! All rows are written to a temporary file in the same folder. The file is renamed after the last
//! row, so a reader never sees a partial trace under the final path.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_isa::effect::Writes;
use assay_isa::{Batch, Effects, Instruction, Location, asm};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::ColumnPath;
use tempfile::NamedTempFile;

use super::GROUP_ROWS;
use super::content::{Content, Digest, Texts};
use super::error::{Problem, TraceError};
use super::header::{Header, KEY, VERSION};
use super::{events, schema};

/// Number of texts that are passed to the library at once.
const TEXTS_AT_ONCE: usize = 1024;

/// A trace that is being written.
pub struct TraceWriter {
    path: PathBuf,
    header: Header,
    file: SerializedFileWriter<BufWriter<File>>,
    temporary: NamedTempFile,
    rows: Rows,
    digest: Digest,
}

impl TraceWriter {
    /// Begins a trace. The header's version, number of cases and hash are filled in at the end.
    pub fn create(path: &Path, header: Header) -> Result<TraceWriter, TraceError> {
        let failed = |error: std::io::Error| Problem::Io(error).of(path);
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        // Temporary files are private by default. A trace gets the usual permissions of new files.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let temporary = builder.tempfile_in(folder).map_err(failed)?;
        let file = BufWriter::new(temporary.reopen().map_err(failed)?);
        let new = || SerializedFileWriter::new(file, schema::schema()?, Arc::new(properties()?));
        let file = new().map_err(|error| Problem::Write(error).of(path))?;
        let (rows, digest) = (Rows::new(), Digest::default());
        Ok(TraceWriter { path: path.to_owned(), header, file, temporary, rows, digest })
    }

    /// Adds the cases of a batch: the effects of an instruction in each lane, and its PTX.
    pub fn record(
        &mut self,
        instruction: &Instruction,
        ptx: Option<&str>,
        batch: &Batch,
        effects: &Effects,
    ) -> Result<(), TraceError> {
        let writes = written(instruction, effects);
        let texts = Texts {
            instruction: &asm::print(instruction),
            word: &format!("{:#034x}", batch.word()),
            ptx,
            reads: &names(batch.locations()),
            writes: &names(&writes),
        };
        let lanes = BatchLanes::new(batch, effects, &writes);
        let mut first = 0;
        while first < batch.len() {
            let end = batch.len().min(first + GROUP_ROWS - self.rows.len);
            self.rows.add(&texts, &lanes, first..end);
            first = end;
            if self.rows.len == GROUP_ROWS {
                self.flush()?;
            }
        }
        self.header.cases += batch.len() as u64;
        Ok(())
    }

    /// Counts cases that the recorded subject does not support.
    pub fn decline(&mut self, instruction: &Instruction, cases: usize) {
        *self.header.declined.entry(instruction.form().name.to_owned()).or_default() += cases as u64;
    }

    /// Writes the collected rows as a row group.
    fn flush(&mut self) -> Result<(), TraceError> {
        self.digest.add(&self.rows.content);
        let written = self.rows.write(&mut self.file);
        self.rows.clear();
        written.map_err(|error| Problem::Write(error).of(&self.path))
    }

    /// Writes the remaining rows and renames the file. Returns the header as it was written.
    pub fn finish(mut self) -> Result<Header, TraceError> {
        if self.rows.len > 0 {
            self.flush()?;
        }
        let TraceWriter { path, mut header, mut file, temporary, digest, .. } = self;
        header.version = VERSION;
        header.hash = digest.finish(&header);
        let text = serde_json::to_string(&header).map_err(|error| Problem::Header(error).of(&path))?;
        file.append_key_value_metadata(KeyValue::new(KEY.to_owned(), text));
        file.close().map_err(|error| Problem::Write(error).of(&path))?;
        temporary.persist(&path).map_err(|error| Problem::Io(error.error).of(&path))?;
        Ok(header)
    }
}

fn properties() -> parquet::errors::Result<WriterProperties> {
    let words = |name: &str| ColumnPath::new(vec![name.into(), "list".into(), "element".into()]);
    // Operands are mostly random bits. The library would start, fill and discard a dictionary for
    // them in every group.
    Ok(WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_column_dictionary_enabled(words("inputs"), false)
        .set_column_dictionary_enabled(words("outputs"), false)
        .set_column_statistics_enabled(words("inputs"), EnabledStatistics::None)
        .set_column_statistics_enabled(words("outputs"), EnabledStatistics::None)
        .build())
}

/// Returns the output locations of a batch, without repetitions. First come the locations that the
/// instruction may write, then other locations that were written.
fn written(instruction: &Instruction, effects: &Effects) -> Vec<Location> {
    let wrote = |column: &&Writes| (0..effects.len()).any(|lane| column.written.contains(lane));
    let besides = effects.columns().iter().filter(wrote).map(|column| column.location);
    let mut locations = Vec::new();
    for location in instruction.writes().into_iter().chain(besides) {
        if !locations.contains(&location) {
            locations.push(location);
        }
    }
    locations
}

fn names(locations: &[Location]) -> String {
    locations.iter().map(Location::to_string).collect::<Vec<_>>().join(" ")
}

/// A batch and its effects, for access lane by lane.
struct BatchLanes<'a> {
    inputs: Vec<&'a [u32]>,
    /// The columns that write each output, in reverse order. The last column that writes a lane
    /// gives its value, so it is found first.
    outputs: Vec<Vec<&'a Writes>>,
    events: Vec<(usize, String)>,
}

impl<'a> BatchLanes<'a> {
    fn new(batch: &'a Batch, effects: &'a Effects, writes: &[Location]) -> BatchLanes<'a> {
        let inputs = batch.locations().iter().map(|location| batch.column(*location).unwrap_or_default());
        let of = |location: &Location| {
            effects.columns().iter().rev().filter(|column| column.location == *location).collect()
        };
        let outputs = writes.iter().map(of).collect();
        BatchLanes { inputs: inputs.collect(), outputs, events: events::texts(effects) }
    }

    fn inputs(&self, lane: usize) -> impl Iterator<Item = u32> + Clone {
        self.inputs.iter().map(move |column| column[lane])
    }

    fn outputs(&self, lane: usize) -> impl Iterator<Item = Option<u32>> + Clone {
        let last = move |columns: &Vec<&Writes>| {
            columns.iter().find(|column| column.written.contains(lane)).map(|column| column.values[lane])
        };
        self.outputs.iter().map(last)
    }

    fn event(&self, lane: usize) -> Option<&str> {
        let place = self.events.binary_search_by_key(&lane, |(lane, _)| *lane).ok()?;
        Some(&self.events[place].1)
    }
}

/// A row with any texts and lists, including rows that [`TraceWriter`] would never write.
pub(super) struct AnyRow<'a> {
    pub texts: Texts<'a>,
    pub inputs: &'a [u32],
    pub outputs: &'a [Option<u32>],
    pub event: Option<&'a str>,
}

/// Returns the bytes of a file with these rows. Its hash is right.
pub(super) fn any_file<'a>(
    mut header: Header,
    list: impl Iterator<Item = AnyRow<'a>>,
) -> Result<Vec<u8>, ParquetError> {
    let mut rows = Rows::new();
    for AnyRow { texts, inputs, outputs, event } in list {
        rows.add_texts(&texts, 1);
        rows.add_row(inputs.iter().copied(), outputs.iter().copied(), event);
    }
    let mut digest = Digest::default();
    digest.add(&rows.content);
    (header.version, header.cases) = (VERSION, rows.len as u64);
    header.hash = digest.finish(&header);
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, schema::schema()?, Arc::new(properties()?))?;
    rows.write(&mut file)?;
    file.append_key_value_metadata(KeyValue::new(KEY.to_owned(), serde_json::to_string(&header).ok()));
    file.close()?;
    Ok(bytes)
}

/// The rows of a row group.
struct Rows {
    len: usize,
    /// The first five columns: texts, each with the number of consecutive rows that have it.
    texts: [Vec<(Option<ByteArray>, usize)>; schema::INPUTS],
    inputs: ListBuilder,
    outputs: ListBuilder,
    /// The rows that have an event, with its text.
    events: Vec<(usize, ByteArray)>,
    content: Content,
}

impl Rows {
    fn new() -> Rows {
        Rows {
            len: 0,
            texts: Default::default(),
            inputs: ListBuilder::new(false),
            outputs: ListBuilder::new(true),
            events: Vec::new(),
            content: Content::default(),
        }
    }

    fn add(&mut self, texts: &Texts<'_>, lanes: &BatchLanes<'_>, range: Range<usize>) {
        self.add_texts(texts, range.len());
        for lane in range {
            self.add_row(lanes.inputs(lane), lanes.outputs(lane), lanes.event(lane));
        }
    }

    fn add_texts(&mut self, texts: &Texts<'_>, rows: usize) {
        for (column, text) in self.texts.iter_mut().zip(texts.list()) {
            column.push((text.map(ByteArray::from), rows));
        }
        self.content.texts(texts);
    }

    /// Adds the contents of a row, except its texts.
    fn add_row(
        &mut self,
        inputs: impl Iterator<Item = u32> + Clone,
        outputs: impl Iterator<Item = Option<u32>> + Clone,
        event: Option<&str>,
    ) {
        self.inputs.add(inputs.clone().map(Some));
        self.outputs.add(outputs.clone());
        self.content.row(inputs, outputs, event);
        self.events.extend(event.map(|text| (self.len, ByteArray::from(text))));
        self.len += 1;
    }

    fn write<W: Write + Send>(&self, file: &mut SerializedFileWriter<W>) -> Result<(), ParquetError> {
        let mut group = file.next_row_group()?;
        for (column, runs) in schema::COLUMNS.iter().zip(&self.texts) {
            write_texts(&mut group, column.kind == schema::ColumnKind::Text { nullable: true }, runs)?;
        }
        self.inputs.write(&mut group)?;
        self.outputs.write(&mut group)?;
        self.write_events(&mut group)?;
        group.close().map(|_| ())
    }

    fn write_events<W: Write + Send>(
        &self,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        let mut runs = Vec::new();
        let mut row = 0;
        for (at, text) in &self.events {
            runs.push((None, at - row));
            runs.push((Some(text.clone()), 1));
            row = at + 1;
        }
        runs.push((None, self.len - row));
        write_texts(group, true, &runs)
    }

    fn clear(&mut self) {
        self.len = 0;
        self.texts.iter_mut().for_each(Vec::clear);
        self.inputs.clear();
        self.outputs.clear();
        self.events.clear();
        self.content.clear();
    }
}

/// Writes a column of texts, each repeated for its number of rows.
fn write_texts<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    nullable: bool,
    runs: &[(Option<ByteArray>, usize)],
) -> Result<(), ParquetError> {
    let mut column = group.next_column()?.ok_or_else(no_column)?;
    let writer = column.typed::<ByteArrayType>();
    for (text, rows) in runs {
        let many = (*rows).min(TEXTS_AT_ONCE);
        let values = text.iter().cycle().take(many).cloned().collect::<Vec<_>>();
        let levels = vec![i16::from(text.is_some()); many];
        let mut left = *rows;
        while left > 0 {
            let now = left.min(TEXTS_AT_ONCE);
            let levels = nullable.then_some(&levels[..now]);
            writer.write_batch(&values[..now.min(values.len())], levels, None)?;
            left -= now;
        }
    }
    column.close()
}

fn no_column() -> ParquetError {
    ParquetError::General("the schema has no such column".to_owned())
}

/// A column of lists, one per row, as Parquet stores it. The values are flat, and levels mark the
/// start of each list and the nulls.
struct ListBuilder {
    values: Vec<i32>,
    definitions: Vec<i16>,
    /// 0 where a list begins, otherwise 1.
    repetitions: Vec<i16>,
    /// The definition level of a value. An empty list has the level 0, and a null the level 1.
    present: i16,
}

impl ListBuilder {
    fn new(nullable: bool) -> ListBuilder {
        let present = if nullable { 2 } else { 1 };
        ListBuilder { values: Vec::new(), definitions: Vec::new(), repetitions: Vec::new(), present }
    }

    fn add(&mut self, list: impl Iterator<Item = Option<u32>>) {
        let before = self.definitions.len();
        for value in list {
            self.repetitions.push(i16::from(self.definitions.len() > before));
            self.definitions.push(if value.is_some() { self.present } else { 1 });
            self.values.extend(value.map(u32::cast_signed));
        }
        if self.definitions.len() == before {
            self.repetitions.push(0);
            self.definitions.push(0);
        }
    }

    fn write<W: Write + Send>(
        &self,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        let mut column = group.next_column()?.ok_or_else(no_column)?;
        let writer = column.typed::<Int32Type>();
        writer.write_batch(&self.values, Some(&self.definitions), Some(&self.repetitions))?;
        column.close()
    }

    fn clear(&mut self) {
        self.values.clear();
        self.definitions.clear();
        self.repetitions.clear();
    }
}
