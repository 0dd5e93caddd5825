//! `assay errata`: shows the specification's defects, how profiles read each, and the cases that
//! distinguish the readings.
//!
//! * `list` and `show` print the known facts. `entry` joins these facts with the current results of
//!   model and oracle.
//! * `settle` finds out with these cases which readings a subject follows. `report` writes the page
//!   for the owner of the specification.

mod entry;
mod list;
mod report;
mod settle;
mod show;

use std::path::PathBuf;

use assay_runner::cases::witness::Witnesses;
use assay_vectors::errata::Language;
use clap::{Args, Subcommand, ValueEnum};

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::program::RunCommand;

pub use report::{Languages, print_paths, write};

/// List, explain and test the known defects of the specification.
///
/// An erratum whose readings give different results has a switch, named by the erratum's number. A
/// profile sets all switches, and --reading E053=1 overrides a switch. Every profile reads an
/// erratum without a switch in the same way.
#[derive(Subcommand)]
#[expect(missing_docs, reason = "clap takes the words of a command from its own type")]
pub enum Errata {
    List(list::ErrataList),
    Show(show::ErrataShow),
    Settle(settle::Settle),
    Report(report::ErrataReport),
}

/// The option that names the file or folder of the witnesses.
#[derive(Args)]
pub struct Source {
    /// File or folder of the witnesses: cases whose provenance is {source: erratum, ref: E053}. The
    /// default is the witnesses that this program carries.
    #[arg(long, value_name = "FILE|DIR")]
    vectors: Option<PathBuf>,
}

impl Source {
    /// Reads the witnesses.
    ///
    /// # Errors
    ///
    /// A file cannot be read.
    pub fn witnesses(&self, context: &Context) -> Result<Witnesses, Failure> {
        Ok(assay_runner::errata::witnesses(context, self.vectors.as_deref())?)
    }
}

/// A language on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Lang {
    /// English.
    En,
    /// Chinese, the language of the documents.
    Zh,
}

impl From<Lang> for Language {
    fn from(lang: Lang) -> Language {
        match lang {
            Lang::En => Language::English,
            Lang::Zh => Language::Chinese,
        }
    }
}

impl RunCommand for Errata {
    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        match self {
            Errata::List(list) => list.run(context),
            Errata::Show(show) => show.run(context),
            Errata::Settle(settle) => settle.run(context),
            Errata::Report(report) => report.run(context),
        }
    }
}
