//! The implementations by name: the values of `--subject` and `--against`.
//!
//! A name in a data file is a [`BuiltIn`]. So a data file from another source starts no command,
//! loads no library or driver, and opens no file. A [`SubjectName`] can also be a command, a
//! library, a GPU or a trace. Only a command line can give such a name.

pub mod added;
mod built_in;
pub mod device;
mod name;
pub mod trace_file;

pub use assay_session::backends::ORACLE;
pub use built_in::BuiltIn;
pub use device::hello;
pub use name::{SubjectName, crosschecks, for_new_cases, own_implementation};
pub use trace_file::PREFIX;
