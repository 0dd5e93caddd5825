//! `assay errata`: the specification's defects, how each is read, and the cases that tell the readings apart.
//!
//! * `list` and `show` say what is known; `entry` joins it with what model and oracle do now;
//! * `prove` holds the cases to what they claim, `settle` asks a subject with them, `discover` finds others by itself; `report` writes the page for the owner of the specification.

mod discover;
mod entry;
mod list;
mod prove;
mod report;
mod settle;
mod show;

use std::path::PathBuf;

use assay_isa::readings::Erratum;
use assay_vectors::Profile;
use assay_vectors::errata::{Defect, Language, built_in};
use assay_vectors::profile::BUILT_IN;
use clap::{Args, Subcommand, ValueEnum};

use super::suites::suites;
use super::witness::Witnesses;
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::output;

pub use report::{Languages, print_paths, write};

/// The defects of the specification: how each can be read, who reads it how, and the cases that show it.
///
/// An erratum whose readings differ in a result has a switch, named by its number: a profile sets them all,
/// and --reading E053=1 overrides one. The others are read alike under every profile.
#[derive(Subcommand)]
pub enum Errata {
    List(list::List),
    Show(show::Show),
    Prove(prove::Prove),
    Settle(settle::Settle),
    Discover(discover::Discover),
    Report(report::Report),
    /// Print the JSON Schema of a file of errata.
    Schema,
}

/// Where the witnesses are.
#[derive(Args)]
pub struct Source {
    /// File or folder of the witnesses: cases whose provenance is {source: erratum, ref: E053}.
    #[arg(long, value_name = "FILE|DIR", default_value = "vectors/data/witnesses")]
    vectors: PathBuf,
}

impl Source {
    fn witnesses(&self, context: &Context) -> Result<Witnesses, Failure> {
        if !self.vectors.exists() {
            let path = self.vectors.display();
            return Err(Failure::input(format!(
                "{path}: there are no witnesses; run in the project's folder, or name them with --vectors"
            )));
        }
        let suites = suites(std::slice::from_ref(&self.vectors))?;
        Witnesses::new(context, suites)
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
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        match self {
            Errata::List(list) => list.run(context),
            Errata::Show(show) => show.run(context),
            Errata::Prove(prove) => prove.run(context),
            Errata::Settle(settle) => settle.run(context),
            Errata::Discover(discover) => discover.run(context),
            Errata::Report(report) => report.run(context),
            Errata::Schema => {
                output::print_json(&assay_vectors::errata_schema())?;
                Ok(Status::Held)
            }
        }
    }
}

/// The errata named, of all of them.
fn named(names: &[String]) -> Result<Vec<Defect>, Failure> {
    let all = built_in()?;
    let find = |name: &String| {
        let erratum: Erratum =
            name.parse().map_err(|e| Failure::input(format!("{e}; `assay errata list` has them all")))?;
        let found = all.iter().find(|defect| defect.id == erratum);
        found.cloned().ok_or_else(|| {
            Failure::input(match erratum.is_convention() {
                true => format!("{erratum} is a convention and no erratum; docs/readings.md has them all"),
                false => format!("there is no {erratum}; `assay errata list` has them all"),
            })
        })
    };
    names.iter().map(find).collect()
}

/// The built-in profiles that set readings of their own; the others differ in their bounds alone.
fn profiles() -> Result<Vec<Profile>, Failure> {
    let mut profiles = BUILT_IN.iter().map(|(name, _)| Profile::load(name)).collect::<Result<Vec<_>, _>>()?;
    profiles.retain(|profile| profile.basis.values().any(|basis| basis.profile == profile.name));
    Ok(profiles)
}
