//! `assay ledger`: what is said of each signature that a night found.

use std::path::PathBuf;

use assay_isa::shown;
use assay_nightly::folder::Folder;
use assay_nightly::known_issues::{Day, Entry, KnownIssues, KnownIssuesOutput, Rule, Statement, Status};
use clap::{Args, Subcommand, ValueEnum};

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::output;

/// Every signature that a night found, and what is said of it.
#[derive(Subcommand)]
pub enum KnownIssuesCommand {
    /// List the known-issues list of a campaign's folder.
    Show {
        /// The campaign's folder.
        #[arg(value_name = "DIR", default_value = "nightly")]
        folder: PathBuf,
    },
    Say(SetStatus),
}

/// Say of a signature that it is known, expected, fixed or flaky.
///
/// A signature that is expected must show each night: when its case holds, the night fails until the known-issues list says otherwise.
/// The scope names the subjects and profiles for which it is said, as globs; by default those of the night that found it.
///
/// A bug that shows in many ways has many signatures, and other ones each night. With --all, SIGNATURE is a glob, such as
/// 'FFMA* | rd: wrong value', and what is said holds of every signature it matches, found already or in later nights, of
/// which nothing else is said.
#[derive(Args)]
pub struct SetStatus {
    /// A part of the signature, by which no other is meant; with --all a glob of whole signatures.
    signature: String,
    /// Say it of all signatures that match, those of later nights too.
    #[arg(long)]
    all: bool,
    /// What it is.
    #[arg(long, value_enum)]
    is: StatedStatus,
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
enum StatedStatus {
    /// A bug that somebody works on.
    Known,
    /// What must happen.
    Expected,
    /// A bug that is no more.
    Fixed,
    /// A bug that comes and goes.
    Flaky,
}

impl From<StatedStatus> for Status {
    fn from(said: StatedStatus) -> Status {
        match said {
            StatedStatus::Known => Status::Known,
            StatedStatus::Expected => Status::Expected,
            StatedStatus::Fixed => Status::Fixed,
            StatedStatus::Flaky => Status::Flaky,
        }
    }
}

impl KnownIssuesCommand {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        match self {
            KnownIssuesCommand::Show { folder } => {
                let known_issues = KnownIssues::read(&Folder::open(folder)?.known_issues())?;
                if context.json {
                    let KnownIssues { rules, entries, .. } = known_issues;
                    output::print_output(&KnownIssuesOutput { rules, entries })?;
                } else {
                    let rules = known_issues.rules.iter().map(|rule| of_rule(rule, &known_issues));
                    output::print(&rules.chain(known_issues.entries.iter().map(line)).collect::<String>())?;
                }
            }
            KnownIssuesCommand::Say(say) => {
                let folder = Folder::open(&say.folder)?;
                // A night writes the known-issues list too.
                let _lock = folder.lock()?;
                let mut known_issues = KnownIssues::read(&folder.known_issues())?;
                let statement = say.statement();
                if say.all {
                    let rule = statement.of_all(&mut known_issues)?;
                    known_issues.write(&folder.known_issues())?;
                    match context.json {
                        true => output::print_output(&rule)?,
                        false => output::print(&of_rule(&rule, &known_issues))?,
                    }
                } else {
                    let entry = statement.of_one(&mut known_issues)?.clone();
                    known_issues.write(&folder.known_issues())?;
                    match context.json {
                        true => output::print_output(&entry)?,
                        false => output::print(&line(&entry))?,
                    }
                }
            }
        }
        Ok(ExitStatus::Held)
    }
}

impl SetStatus {
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

fn of_rule(rule: &Rule, known_issues: &KnownIssues) -> String {
    let Rule { signatures, is, because, scope, expires } = rule;
    let [signatures, because, subject, profile] =
        [signatures, because, &scope.subject, &scope.profile].map(|text| shown::line(text));
    let now = known_issues
        .entries
        .iter()
        .filter(|entry| entry.is == Status::New && rule.means(&entry.signature))
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
