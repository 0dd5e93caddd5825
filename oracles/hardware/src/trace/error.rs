//! The errors of reading and writing a trace: the file, the place in it, the problem, and the remedy.

use std::path::{Path, PathBuf};

use assay_isa::shown::{line, message, quoted};

use super::header::{OLDEST, VERSION};

/// Why a trace could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct TraceError {
    /// The file.
    pub path: PathBuf,
    /// The problem.
    pub problem: Problem,
}

/// The problems of a trace.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The system cannot read or write it.
    #[error("{0}; check the path, its permissions and that there is room")]
    Io(#[from] std::io::Error),
    /// It is no whole Parquet file.
    #[error("not a whole Parquet file: {}; if it was cut off on its way, copy it again", line(.0))]
    NotParquet(String),
    /// It is a Parquet file without a header.
    #[error("no trace: the metadata of the file lack `assay.trace`; record one with `assay trace capture`")]
    NoHeader,
    /// The header is not valid.
    #[error("the header `assay.trace` cannot be read: {}; record the trace again", message(&.0.to_string()))]
    Header(#[source] serde_json::Error),
    /// The format is newer.
    #[error(
        "trace format {0}, this assay reads {OLDEST} to {VERSION}; use the assay that wrote it, or a newer one"
    )]
    Version(u32),
    /// A column is not that of a trace.
    #[error(
        "no trace: column {position} is {found} where `{expected}` belongs; docs/formats.md lists the columns"
    )]
    Schema {
        /// Which column, counted from 1.
        position: usize,
        /// Its type.
        found: String,
        /// The right type.
        expected: &'static str,
    },
    /// A row group is too large for memory.
    #[error(
        "row group {group} has {rows} rows, at most {most} are read at once; write the file anew in smaller groups"
    )]
    Large {
        /// Which group, counted from 0.
        group: usize,
        /// Its rows.
        rows: i64,
        /// Rows that are read.
        most: i64,
    },
    /// A column cannot be decoded.
    #[error(
        "row group {group}, column `{column}`: {}; the file is damaged: copy or record it again",
        line(problem)
    )]
    Damaged {
        /// Which group, counted from 0.
        group: usize,
        /// Which column.
        column: &'static str,
        /// The message of the decoder.
        problem: String,
    },
    /// A row contradicts itself.
    #[error("row {row} (row group {group}): {problem}")]
    Row {
        /// Which row of the file, counted from 0.
        row: u64,
        /// Which group, counted from 0.
        group: usize,
        /// The problem, and the remedy.
        problem: String,
    },
    /// There are other rows than the header counts.
    #[error(
        "the header counts {header} cases, the file has {rows} rows; some were added or lost: record it again"
    )]
    Count {
        /// Cases of the header.
        header: u64,
        /// Rows of the file.
        rows: u64,
    },
    /// The rows are not those that were recorded.
    #[error(
        "the rows have the hash {rows}, the header says {}; they were changed: copy or record it again",
        quoted(header)
    )]
    Hash {
        /// Hash of the header.
        header: String,
        /// Hash of the rows.
        rows: String,
    },
    /// The Parquet library cannot write it.
    #[error("writing failed: {0}; check that there is room")]
    Write(#[source] parquet::errors::ParquetError),
}

impl Problem {
    /// Of a file.
    pub(super) fn of(self, path: &Path) -> TraceError {
        TraceError { path: path.to_owned(), problem: self }
    }
}
