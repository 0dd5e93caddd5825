//! `assay ledger`: what is said of each signature that a night found.

use std::path::PathBuf;

use assay_nightly::folder::Folder;
use assay_nightly::ledger::{Day, Entry, Ledger, Scope, Standing};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;

use crate::context::Context;
use crate::failure::{Failure, Status};

/// Every signature that a night found, and what is said of it.
#[derive(Subcommand)]
pub enum Command {
    /// List the ledger of a campaign's folder.
    Show {
        /// The campaign's folder.
        #[arg(value_name = "DIR", default_value = "nightly")]
        folder: PathBuf,
    },
    Say(Say),
}

/// Say of a signature that it is known, expected, fixed or flaky.
///
/// A signature that is expected must show each night: when its case holds, the night fails until the ledger says otherwise.
/// The scope names the subjects and profiles for which it is said, as globs; by default those of the night that found it.
#[derive(Args)]
pub struct Say {
    /// A part of the signature, by which no other is meant.
    signature: String,
    /// What it is.
    #[arg(long, value_enum)]
    is: Said,
    /// Why: an erratum such as E035, or a ticket.
    #[arg(long, value_name = "TEXT", required_if_eq_any = [("is", "known"), ("is", "expected")])]
    because: Option<String>,
    /// The last day on which it is said, such as 2027-01-31.
    #[arg(long, value_name = "DAY")]
    expires: Option<Day>,
    /// The subjects for which it is said.
    #[arg(long, value_name = "GLOB")]
    of: Option<String>,
    /// The profiles for which it is said.
    #[arg(long, value_name = "GLOB")]
    under: Option<String>,
    /// The campaign's folder.
    #[arg(long = "in", value_name = "DIR", default_value = "nightly")]
    folder: PathBuf,
}

/// What can be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Said {
    /// A bug that somebody works on.
    Known,
    /// What must happen.
    Expected,
    /// A bug that is no more.
    Fixed,
    /// A bug that comes and goes.
    Flaky,
}

impl From<Said> for Standing {
    fn from(said: Said) -> Standing {
        match said {
            Said::Known => Standing::Known,
            Said::Expected => Standing::Expected,
            Said::Fixed => Standing::Fixed,
            Said::Flaky => Standing::Flaky,
        }
    }
}

impl Command {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        match self {
            Command::Show { folder } => {
                let ledger = Ledger::read(&Folder::open(folder)?.ledger())?;
                match context.json {
                    true => crate::print_json(&json!({ "entries": ledger.entries }))?,
                    false => crate::print(&ledger.entries.iter().map(line).collect::<String>())?,
                }
            }
            Command::Say(say) => {
                let entry = say.run()?;
                match context.json {
                    true => crate::print_json(&json!(entry))?,
                    false => crate::print(&line(&entry))?,
                }
            }
        }
        Ok(Status::Held)
    }
}

impl Say {
    fn run(&self) -> Result<Entry, Failure> {
        let folder = Folder::open(&self.folder)?;
        // A night writes the ledger too.
        let _lock = folder.lock()?;
        let mut ledger = Ledger::read(&folder.ledger())?;
        let meant = |entry: &&mut Entry| entry.signature.contains(&self.signature);
        let mut entries: Vec<&mut Entry> = ledger.entries.iter_mut().filter(meant).collect();
        let exact = entries.iter().position(|entry| entry.signature == self.signature);
        let place = match (exact, entries.len()) {
            (Some(place), _) => place,
            (None, 1) => 0,
            (None, 0) => {
                let text = &self.signature;
                return Err(Failure::input(format!(
                    "no signature has `{text}` in it; `assay ledger show` lists them"
                )));
            }
            (None, several) => {
                let text = &self.signature;
                return Err(Failure::input(format!(
                    "{several} signatures have `{text}` in them; write more of it"
                )));
            }
        };
        let entry = entries.swap_remove(place);
        entry.is = self.is.into();
        entry.because.clone_from(&self.because);
        entry.expires = self.expires;
        let Scope { subject, profile } = entry.scope.clone();
        entry.scope = Scope {
            subject: self.of.clone().unwrap_or(subject),
            profile: self.under.clone().unwrap_or(profile),
        };
        let entry = entry.clone();
        ledger.write(&folder.ledger())?;
        Ok(entry)
    }
}

fn line(entry: &Entry) -> String {
    let Entry { signature, is, because, scope, expires, first, last, case } = entry;
    let mut line = format!("{:<8}  {signature}\n", is.name());
    line += &format!("          nights {first} to {last}, of {} under {}", scope.subject, scope.profile);
    if let Some(because) = because {
        line += &format!(", because {because}");
    }
    if let Some(day) = expires {
        line += &format!(", until {day}");
    }
    line += "\n";
    if let Some(case) = case {
        line += &format!("          {}\n", case.display());
    }
    line
}
