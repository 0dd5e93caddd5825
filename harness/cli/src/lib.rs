//! The commands of `assay`. They connect implementations, engine and reports. Each subcommand has
//! its own file.
//!
//! Results go to stdout, progress and errors to stderr. Exit status: 0 all held, 1 a divergence or a failed check, 2
//! wrong usage or bad input, 3 the harness or its environment failed, 130 interrupted with the results kept.
//!
//! | module | what it holds |
//! |---|---|
//! | [`program`] | a program as data: its commands |
//! | `start` | how one of them is run |
//! | `registry` | the commands of `assay` |
//! | [`commands`] | what the commands do |
//! | [`help`] | the command line as it explains itself |
//! | [`context`] | the options that commands have in common |
//! | [`failure`] | how a command ends, and the message of a failure |
//! | [`output`], [`progress`] | what is printed |
//! | [`interrupt`] | signals |
//! | [`implementations`], [`count`], `time` | values of options |

pub mod commands;
pub mod context;
pub mod count;
pub mod failure;
pub mod help;
pub mod implementations;
pub mod interrupt;
pub mod output;
pub mod program;
pub mod progress;
mod registry;
mod start;
mod time;

pub use registry::{ASSAY, COMMANDS};

// The macro `printed!` names this crate by this name, in this crate and in others.
extern crate self as assay_cli;
