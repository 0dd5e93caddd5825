//! Reads a trace, row group by row group.
//!
//! A [`Reader`] keeps no file open. Each group is read through a separate file handle, so several
//! threads can read groups at once.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_files::open_regular;
use assay_isa::EncodingTable;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::properties::ReaderProperties;
use parquet::file::reader::{FileReader, RowGroupReader};
use parquet::file::serialized_reader::{SerializedFileReader, SerializedRowGroupReader};

use super::assemble::RowGroupColumns;
use super::columns::{self, ListColumn};
use super::content::Digest;
use super::error::{Problem, TraceError};
use super::group::{Group, Run};
use super::guard::guarded;
use super::header::{Header, KEY, OLDEST, VERSION, Versioned};
use super::schema;
use super::schema::{COLUMNS, EVENT, INPUTS, OUTPUTS};

/// Greatest number of rows of a row group that can be read. They must fit into memory.
const MOST_ROWS: i64 = 1 << 24;

/// A trace that can be read.
#[derive(Debug)]
pub struct Reader {
    path: PathBuf,
    header: Header,
    metadata: Arc<ParquetMetaData>,
    /// The number of the first row of each row group. The last element is the number of all rows.
    starts: Vec<u64>,
}

impl Reader {
    /// Opens a trace. Reads the header, and checks the columns and the number of rows, which must
    /// equal the header's.
    pub fn open(path: &Path) -> Result<Reader, TraceError> {
        Reader::examine(path).map_err(|problem| problem.of(path))
    }

    fn examine(path: &Path) -> Result<Reader, Problem> {
        let file = open_regular(path)?;
        let length = file.metadata()?.len();
        let opened = guarded(|| SerializedFileReader::new(file)).map_err(Problem::NotParquet)?;
        let opened = opened.map_err(|error| Problem::NotParquet(error.to_string()))?;
        let metadata = Arc::new(opened.metadata().clone());
        let pairs = metadata.file_metadata().key_value_metadata().into_iter().flatten();
        let text = pairs.filter(|pair| pair.key == KEY).find_map(|pair| pair.value.as_deref());
        let header = header(text.ok_or(Problem::NoHeader)?)?;
        schema::check(metadata.file_metadata().schema_descr())?;
        guarded(|| chunks_are_inside(&metadata, length)).flatten().map_err(Problem::NotParquet)?;
        let starts = starts(&metadata)?;
        let rows = starts.last().copied().unwrap_or_default();
        if rows == header.cases {
            Ok(Reader { path: path.to_owned(), header, metadata, starts })
        } else {
            Err(Problem::Count { header: header.cases, rows })
        }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the number of row groups.
    pub fn groups(&self) -> usize {
        self.metadata.num_row_groups()
    }

    /// Returns the row group that contains a row.
    pub fn group_of(&self, row: u64) -> usize {
        self.starts.partition_point(|start| *start <= row).saturating_sub(1)
    }

    /// Compares the hash of all rows and of the header with the hash that the header states.
    pub fn check_hash(&self, digest: Digest) -> Result<(), TraceError> {
        let rows = digest.finish(&self.header);
        if rows == self.header.hash {
            Ok(())
        } else {
            Err(Problem::Hash { header: self.header.hash.clone(), rows }.of(&self.path))
        }
    }

    /// Reads all row groups in order until the callback returns an error. At the end, checks the
    /// hash of the contents.
    pub fn read<E: From<TraceError>>(
        &self,
        numbers: &EncodingTable,
        mut take: impl FnMut(Vec<Run>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut digest = Digest::default();
        for index in 0..self.groups() {
            let Group { runs, content } = self.group(index, numbers)?;
            digest.add(&content);
            take(runs)?;
        }
        Ok(self.check_hash(digest)?)
    }

    /// Reads a row group. `numbers` is the encoding table that decodes the instruction words.
    pub fn group(&self, index: usize, numbers: &EncodingTable) -> Result<Group, TraceError> {
        let first = self.starts[index];
        let read = || {
            let columns = self.columns(index)?;
            columns.group(first, numbers).map_err(|(row, problem)| Problem::Row {
                row,
                group: index,
                problem,
            })
        };
        read().map_err(|problem: Problem| problem.of(&self.path))
    }

    fn columns(&self, group: usize) -> Result<RowGroupColumns, Problem> {
        let metadata = self.metadata.row_group(group);
        let rows = metadata.num_rows() as usize;
        let damaged = |place: usize| {
            move |problem: String| Problem::Damaged { group, column: COLUMNS[place].name, problem }
        };
        let file = Arc::new(File::open(&self.path)?);
        let properties = Arc::new(ReaderProperties::builder().build());
        let index = self.metadata.page_index_for_row_group(group);
        let reader = SerializedRowGroupReader::new(file, metadata, index, properties);
        let reader = reader.map_err(|error| damaged(0)(error.to_string()))?;
        let pages = |place: usize| reader.get_column_page_reader(place).map_err(|error| error.to_string());
        let descriptor = |place: usize| metadata.column(place).column_descr_ptr();
        let read_texts = |place: usize| {
            let read = || columns::texts(descriptor(place), pages(place)?, rows);
            guarded(read).flatten().map_err(damaged(place))
        };
        let read_lists = |place: usize| {
            let root = metadata.schema_descr().get_column_root(place);
            let read = || ListColumn::read(descriptor(place), root, pages(place)?, rows);
            guarded(read).flatten().map_err(damaged(place))
        };
        let texts = [0, 1, 2, 3, 4].map(read_texts);
        let [instruction, word, ptx, reads, writes] = texts;
        Ok(RowGroupColumns {
            texts: [instruction?, word?, ptx?, reads?, writes?],
            inputs: read_lists(INPUTS)?,
            outputs: read_lists(OUTPUTS)?,
            events: read_texts(EVENT)?,
        })
    }
}

fn header(text: &str) -> Result<Header, Problem> {
    let Versioned { version } = serde_json::from_str(text).map_err(Problem::Header)?;
    if !(OLDEST..=VERSION).contains(&version) {
        return Err(Problem::Version(version));
    }
    serde_json::from_str(text).map_err(Problem::Header)
}

/// Checks that all columns lie inside the file. This check is needed because the claimed size of a
/// column determines how much memory is allocated.
fn chunks_are_inside(metadata: &ParquetMetaData, length: u64) -> Result<(), String> {
    for (group, metadata) in metadata.row_groups().iter().enumerate() {
        let end = |(start, bytes): (u64, u64)| start.saturating_add(bytes);
        if metadata.columns().iter().any(|column| end(column.byte_range()) > length) {
            return Err(format!("row group {group} would end beyond the file"));
        }
    }
    Ok(())
}

fn starts(metadata: &ParquetMetaData) -> Result<Vec<u64>, Problem> {
    let mut starts = vec![0];
    let mut next = 0;
    for (group, metadata) in metadata.row_groups().iter().enumerate() {
        let rows = metadata.num_rows();
        if !(0..=MOST_ROWS).contains(&rows) {
            return Err(Problem::Large { group, rows, most: MOST_ROWS });
        }
        next += rows as u64;
        starts.push(next);
    }
    Ok(starts)
}
