//! `assay ledger`: what is said of each signature that a night found.

use std::path::PathBuf;

use assay_isa::shown;
use assay_nightly::folder::Folder;
use assay_nightly::ledger::{Day, Entry, Ledger, LedgerOutput, Rule, Standing, Statement};
use clap::{Args, Subcommand, ValueEnum};

use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::output;

/// Show or edit the known-issues list of a nightly campaign.
#[derive(Subcommand)]
pub enum Command {
    /// List the known issues of a campaign.
    Show {
        /// Folder of the campaign.
        #[arg(value_name = "DIR", default_value = "nightly")]
        folder: PathBuf,
    },
    Say(Say),
}

/// Set the status of an issue: known, expected, fixed or flaky.
///
/// An expected issue must occur each night. If its case passes, the nightly run fails until the
/// list is changed. --of and --under limit the statement to subjects and profiles. The default is
/// those of the run that found the issue.
///
/// A bug can have many signatures, and new ones each night. With --all, SIGNATURE is a glob, such
/// as 'FFMA* | rd: wrong value'. The status then holds for every signature that matches, of earlier
/// and later runs, and that has no status of its own.
#[derive(Args)]
pub struct Say {
    /// A part of the signature that occurs in no other signature. With --all, a glob over whole
    /// signatures.
    signature: String,
    /// Set the status of all signatures that match, including those of later runs.
    #[arg(long)]
    all: bool,
    /// The status.
    #[arg(long, value_enum)]
    is: Said,
    /// The reason: an erratum such as E035, or a ticket.
    #[arg(long, value_name = "TEXT", required_if_eq_any = [("is", "known"), ("is", "expected")])]
    because: Option<String>,
    /// The last day on which the status holds, such as 2027-01-31.
    #[arg(long, value_name = "DAY")]
    expires: Option<Day>,
    /// The subjects for which the status holds.
    #[arg(long, value_name = "GLOB")]
    of: Option<String>,
    /// The profiles for which the status holds.
    #[arg(long, value_name = "GLOB")]
    under: Option<String>,
    /// Folder of the campaign.
    #[arg(long = "in", value_name = "DIR", default_value = "nightly")]
    folder: PathBuf,
}

/// The statuses that can be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Said {
    /// A known bug that is not fixed yet.
    Known,
    /// A divergence that must occur.
    Expected,
    /// A bug that is fixed.
    Fixed,
    /// A bug that occurs in some runs only.
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
                if context.json {
                    let Ledger { rules, entries, .. } = ledger;
                    output::print_output(&LedgerOutput { rules, entries })?;
                } else {
                    let rules = ledger.rules.iter().map(|rule| of_rule(rule, &ledger));
                    output::print(&rules.chain(ledger.entries.iter().map(line)).collect::<String>())?;
                }
            }
            Command::Say(say) => {
                let folder = Folder::open(&say.folder)?;
                // A night writes the ledger too.
                let _lock = folder.lock()?;
                let mut ledger = Ledger::read(&folder.ledger())?;
                let statement = say.statement();
                if say.all {
                    let rule = statement.of_all(&mut ledger)?;
                    ledger.write(&folder.ledger())?;
                    match context.json {
                        true => output::print_output(&rule)?,
                        false => output::print(&of_rule(&rule, &ledger))?,
                    }
                } else {
                    let entry = statement.of_one(&mut ledger)?.clone();
                    ledger.write(&folder.ledger())?;
                    match context.json {
                        true => output::print_output(&entry)?,
                        false => output::print(&line(&entry))?,
                    }
                }
            }
        }
        Ok(Status::Held)
    }
}

impl Say {
    /// What the options say.
    fn statement(&self) -> Statement {
        Statement {
            signature: self.signature.clone(),
            is: self.is.into(),
            because: self.because.clone(),
            expires: self.expires,
            subject: self.of.clone(),
            profile: self.under.clone(),
        }
    }
}

fn of_rule(rule: &Rule, ledger: &Ledger) -> String {
    let Rule { signatures, is, because, scope, expires } = rule;
    let [signatures, because, subject, profile] =
        [signatures, because, &scope.subject, &scope.profile].map(|text| shown::line(text));
    let now = ledger
        .entries
        .iter()
        .filter(|entry| entry.is == Standing::New && rule.means(&entry.signature))
        .count();
    let until = expires.map(|day| format!(", until {day}")).unwrap_or_default();
    format!(
        "{:<8}  all `{signatures}`, {now} of them found so far\n          of {} under {}, because {because}{until}\n",
        is.name(),
        subject,
        profile
    )
}

fn line(entry: &Entry) -> String {
    let Entry { signature, is, because, scope, expires, first, last, case, keys: _, new_keys } = entry;
    let [signature, subject, profile] =
        [signature, &scope.subject, &scope.profile].map(|text| shown::line(text));
    let mut line = format!("{:<8}  {signature}\n", is.name());
    line += &format!("          nights {first} to {last}, of {subject} under {profile}");
    if let Some(because) = because {
        line += &format!(", because {}", shown::line(because));
    }
    if let Some(day) = expires {
        line += &format!(", until {day}");
    }
    line += "\n";
    for key in new_keys {
        line += &format!("          shows in a new way: {}\n", shown::line(key));
    }
    if let Some(case) = case {
        line += &format!("          {}\n", shown::line(&case.display().to_string()));
    }
    line
}
