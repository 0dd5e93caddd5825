//! A run on disk, and everything that looks at one or at a single case. The command line gives it resolved options and
//! prints what it returns; nothing here writes to the terminal, parses arguments or decides an exit status.
//!
//! | module | what is in it |
//! |---|---|
//! | [`error`] | why something could not be done: [`RunError`], with its class and what to do about it |
//! | [`reporter`] | what a long task tells the program around it: words, progress, and whether to stop |
//! | [`context`] | profile, readings and table of numbers in force, and the [`Setup`](context::Setup) of a comparison |
//! | [`subjects`] | the implementations by name: what `--subject` and `--against` can say |

pub mod context;
pub mod error;
pub mod reporter;
pub mod subjects;

pub use context::Context;
pub use error::RunError;
