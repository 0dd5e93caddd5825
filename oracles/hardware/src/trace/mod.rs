//! Recorded effects of devices, in Parquet files.
//!
//! | module | contents |
//! |---|---|
//! | [`header`] | the recorded device, the time and the program; kept in the file's metadata |
//! | `schema` | the columns, and how a file's columns differ from them |
//! | [`content`] | the hash over all rows, which does not change if the file is rewritten |
//! | `events` | the effects of a case other than writes, as text |
//! | [`mod@write`] | writes batches and effects to a file |
//! | `group` | the rows of a row group as batches and effects |
//! | `columns`, `assemble`, [`read`] | read batches and effects from a file, group by group |
//! | [`fuzzing`] | the checks of the libFuzzer target for traces |
//! | `guard` | converts panics of the Parquet library on damaged files to errors |
//!
//! A reader of a trace returns batches and effects, like every subject. So a trace is judged like a
//! live subject.

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

/// Number of rows in a written row group. A reader has one group per thread in memory, about 60
/// bytes per row. The overhead of a group is some kilobytes of dictionaries and metadata. This
/// overhead is small compared with the megabytes of rows in a group.
pub const GROUP_ROWS: usize = 1 << 18;

/// Greatest number of rows in a run. This number of rows fits into a core's cache while the rows
/// are judged.
pub const RUN_ROWS: usize = 4096;
