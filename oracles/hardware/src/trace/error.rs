//! The errors of reading and writing a trace. Each error states the file, the place in it, the
//! problem, and the remedy.

use std::path::{Path, PathBuf};

use assay_isa::shown::{line, message, quoted};

use super::header::{OLDEST, VERSION};

/// The reason why a trace could not be read or written.
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
    /// The file system cannot read or write the file.
    #[error("{0}; check the path, its permissions and that there is room")]
    Io(#[from] std::io::Error),
    /// The file is not a complete Parquet file.
    #[error("not a whole Parquet file: {}; if it was cut off on its way, copy it again", line(.0))]
    NotParquet(String),
    /// The file is a Parquet file without a header of a trace.
    #[error("no trace: the metadata of the file lack `assay.trace`; record one with `assay trace capture`")]
    NoHeader,
    /// The header is not valid.
    #[error("the header `assay.trace` cannot be read: {}; record the trace again", message(&.0.to_string()))]
    Header(#[source] serde_json::Error),
    /// The trace format is newer than this program.
    #[error(
        "trace format {0}, this assay reads {OLDEST} to {VERSION}; use the assay that wrote it, or a newer one"
    )]
    Version(u32),
    /// A column is not a column of a trace.
    #[error(
        "no trace: column {position} is {found} where `{expected}` belongs; docs/formats.md lists the columns"
    )]
    Schema {
        /// The position of the column, counted from 1.
        position: usize,
        /// The column's type.
        found: String,
        /// The expected type.
        expected: &'static str,
    },
    /// A row group has too many rows for memory.
    #[error(
        "row group {group} has {rows} rows, at most {most} are read at once; write the file anew in smaller groups"
    )]
    Large {
        /// The row group, counted from 0.
        group: usize,
        /// The number of its rows.
        rows: i64,
        /// The greatest number of rows that can be read.
        most: i64,
    },
    /// A column cannot be decoded.
    #[error(
        "row group {group}, column `{column}`: {}; the file is damaged: copy or record it again",
        line(problem)
    )]
    Damaged {
        /// The row group, counted from 0.
        group: usize,
        /// The name of the column.
        column: &'static str,
        /// The message of the decoder.
        problem: String,
    },
    /// A row is not valid, or contradicts itself.
    #[error("row {row} (row group {group}): {problem}")]
    Row {
        /// The row of the file, counted from 0.
        row: u64,
        /// The row group, counted from 0.
        group: usize,
        /// The problem, and the remedy.
        problem: String,
    },
    /// The number of rows differs from the header.
    #[error(
        "the header counts {header} cases, the file has {rows} rows; some were added or lost: record it again"
    )]
    Count {
        /// The number of cases in the header.
        header: u64,
        /// The number of rows in the file.
        rows: u64,
    },
    /// The hash of the rows differs from the header. The rows or the header were changed.
    #[error(
        "the rows have the hash {rows}, the header says {}; they were changed: copy or record it again",
        quoted(header)
    )]
    Hash {
        /// The hash in the header.
        header: String,
        /// The hash that was computed from the rows and the header.
        rows: String,
    },
    /// The Parquet library failed to write the file.
    #[error("writing failed: {0}; check that there is room")]
    Write(#[source] parquet::errors::ParquetError),
}

impl Problem {
    /// Returns the error for a file with this problem.
    pub(super) fn of(self, path: &Path) -> TraceError {
        TraceError { path: path.to_owned(), problem: self }
    }
}
