//! `assay errata`: the specification's defects, how each is read, and the cases that distinguish the readings.
//!
//! * `list` and `show` print the known facts; `entry` joins them with the current results of model and oracle;
//! * `prove` checks the claims of the cases, `settle` tests a subject with them, `discover` finds new ones; `report`
//!   writes the page for the owner of the specification.

mod discover;
mod entry;
mod list;
mod prove;
mod report;
mod settle;
mod show;

use std::path::PathBuf;

use assay_runner::cases::witness::Witnesses;
use assay_vectors::errata::Language;
use clap::{Args, Subcommand, ValueEnum};

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::output;

pub use report::{Languages, print_paths, write};

/// List, explain and test the known defects of the specification.
///
/// An erratum whose readings give different results has a switch with its number. A profile sets
/// all switches, and --reading E053=1 overrides one. Every profile reads an erratum without a
/// switch in the same way.
#[derive(Subcommand)]
pub enum Errata {
    List(list::ErrataList),
    Show(show::ErrataShow),
    Prove(prove::Prove),
    Settle(settle::Settle),
    Discover(discover::Discover),
    Report(report::ErrataReport),
    /// Print the JSON Schema of a file of errata.
    Schema,
}

/// The option that names the witnesses.
#[derive(Args)]
pub struct Source {
    /// File or folder of the witnesses: cases whose provenance is {source: erratum, ref: E053}. The
    /// default is the witnesses that this program carries.
    #[arg(long, value_name = "FILE|DIR")]
    vectors: Option<PathBuf>,
}

impl Source {
    fn witnesses(&self, context: &Context) -> Result<Witnesses, Failure> {
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

impl Errata {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        match self {
            Errata::List(list) => list.run(context),
            Errata::Show(show) => show.run(context),
            Errata::Prove(prove) => prove.run(context),
            Errata::Settle(settle) => settle.run(context),
            Errata::Discover(discover) => discover.run(context),
            Errata::Report(report) => report.run(context),
            Errata::Schema => {
                output::print_json(&assay_vectors::errata_schema())?;
                Ok(ExitStatus::Held)
            }
        }
    }
}
