//! Recorded effects of devices, in Parquet files.
//!
//! | module | contents |
//! |---|---|
//! | [`header`] | who was recorded, when, by what; kept in the file's metadata |
//! | `schema` | the columns, and how another file's columns differ from them |
//! | [`content`] | the hash over all rows, which survives writing the file anew |
//! | `events` | what a case did besides writing, as text |
//! | [`mod@write`] | batches and effects to a file |
//! | `group` | the rows of a row group as batches and effects |
//! | `columns`, `assemble`, [`read`] | a file to batches and effects, row group by row group |
//! | [`fuzzing`] | what the libFuzzer target of traces checks |
//! | `guard` | panics of the Parquet library on damaged files, made errors |
//!
//! A reader of a trace returns batches and effects, as every subject does, so a trace is judged like a live subject.

mod assemble;
mod columns;
pub mod content;
mod error;
mod events;
pub mod fuzzing;
mod group;
mod guard;
pub mod header;
pub mod read;
mod schema;
#[cfg(test)]
mod tests;
pub mod write;

pub use content::Digest;
pub use error::{Problem, TraceError};
pub use group::{Group, Run};
pub use header::Header;
pub use read::Reader;
pub use write::TraceWriter;

/// Rows of a written row group. A reader has a group for each of its threads in memory, about 60 bytes a row. The cost
/// of a group besides its rows, some kilobytes of dictionaries and metadata, is small against its megabytes.
pub const GROUP_ROWS: usize = 1 << 18;

/// Greatest number of rows in a run: they stay in a core's cache while they are judged.
pub const RUN_ROWS: usize = 4096;
