//! `assay known-issues`: shows and sets the status of the signatures that nightly runs found.

use std::path::PathBuf;

use assay_isa::shown;
use assay_nightly::folder::Folder;
use assay_nightly::known_issues::{
    Day, Entry, KnownIssues, KnownIssuesOutput, Rule, Scope, Statement, Status, forget, forget_rules,
};
use assay_vectors::FindingCondition;
use clap::{Args, Subcommand, ValueEnum};

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::output;
use crate::program::RunCommand;

/// Show or edit the known-issues list of a nightly campaign.
#[derive(Subcommand)]
pub enum KnownIssuesCommand {
    /// List the known issues of a campaign.
    Show {
        /// Folder of the campaign.
        #[arg(value_name = "DIR", default_value = "nightly")]
        folder: PathBuf,
    },
    #[command(alias = "say")]
    Set(SetStatus),
    /// Remove an issue, or a rule, from the list. If the issue occurs again, it counts as new.
    Forget {
        /// A part of the signature that no other signature contains. With --all, the glob of a
        /// rule, exactly as it was set.
        signature: String,
        /// Remove a rule.
        #[arg(long)]
        all: bool,
        /// Folder of the campaign.
        #[arg(long = "in", value_name = "DIR", default_value = "nightly")]
        folder: PathBuf,
    },
}

/// Set the status of an issue: known, expected, fixed or flaky.
///
/// An expected issue must occur in each nightly run. If the case of an expected issue passes, each
/// nightly run fails until you change the list. --of and --under limit the status to subjects and
/// profiles. By default, the status holds for the subject and the profile of the run that found the
/// issue.
///
/// A bug can have many signatures, and new signatures in each nightly run. With --all, SIGNATURE is
/// a glob, such as 'FFMA* | rd: wrong value'. The status then holds for every matching signature of
/// earlier and later runs that has no status of its own.
#[derive(Args)]
pub struct SetStatus {
    /// A part of the signature that no other signature contains. With --all, a glob that must match
    /// whole signatures.
    signature: String,
    /// Set the status of all signatures that match, including those of later runs.
    #[arg(long)]
    all: bool,
    /// Allow a glob that excuses every finding of an optype. The page of every nightly run shows
    /// the rule.
    #[arg(long, requires = "all")]
    yes_all: bool,
    /// The status.
    #[arg(long, value_enum)]
    is: StatedStatus,
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
enum StatedStatus {
    /// A known bug that is not fixed yet.
    Known,
    /// A divergence that must occur.
    Expected,
    /// A bug that is fixed.
    Fixed,
    /// A bug that occurs in some runs only.
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

impl RunCommand for KnownIssuesCommand {
    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        match self {
            KnownIssuesCommand::Show { folder } => {
                let known_issues = KnownIssues::read(&Folder::open(folder)?.known_issues())?;
                if context.json {
                    let KnownIssues { rules, entries, .. } = known_issues;
                    output::print_output(&KnownIssuesOutput { rules, entries })?;
                } else {
                    let rules = known_issues.rules.iter().map(|rule| of_rule(rule, &known_issues));
                    let entries = known_issues
                        .entries
                        .iter()
                        .map(|entry| line(entry) + &in_force(entry, &known_issues.rules));
                    output::print(&rules.chain(entries).collect::<String>())?;
                }
            }
            KnownIssuesCommand::Forget { signature, all, folder } => {
                let folder = Folder::open(folder)?;
                let _lock = folder.lock()?;
                let mut known_issues = KnownIssues::read(&folder.known_issues())?;
                let removed = if *all {
                    let rules = forget_rules(&mut known_issues, signature)?;
                    format!("removed {}\n", shown::plural(rules, "rule", "rules"))
                } else {
                    format!("removed {}", line(&forget(&mut known_issues, signature)?))
                };
                known_issues.write(&folder.known_issues())?;
                if context.json {
                    let KnownIssues { rules, entries, .. } = known_issues;
                    output::print_output(&KnownIssuesOutput { rules, entries })?;
                } else {
                    output::print(&removed)?
                }
            }
            KnownIssuesCommand::Set(set) => {
                let folder = Folder::open(&set.folder)?;
                // The lock is needed because a nightly run may write the known-issues list at the
                // same time.
                let _lock = folder.lock()?;
                let mut known_issues = KnownIssues::read(&folder.known_issues())?;
                let statement = set.statement();
                if set.all {
                    let rule = statement.of_all(&mut known_issues)?;
                    known_issues.write(&folder.known_issues())?;
                    if context.json {
                        output::print_output(&rule)?
                    } else {
                        output::print(&of_rule(&rule, &known_issues))?
                    }
                } else {
                    let entry = statement.of_one(&mut known_issues)?.clone();
                    known_issues.write(&folder.known_issues())?;
                    if context.json { output::print_output(&entry)? } else { output::print(&line(&entry))? }
                }
            }
        }
        Ok(ExitStatus::Held)
    }
}

impl SetStatus {
    /// Returns the status, the reason and the limits that the options give.
    fn statement(&self) -> Statement {
        Statement {
            signature: self.signature.clone(),
            is: self.is.into(),
            because: self.because.clone().filter(|reason| !reason.trim().is_empty()),
            expires: self.expires,
            subject: self.of.clone(),
            profile: self.under.clone(),
            yes_all: self.yes_all,
        }
    }
}

fn of_rule(rule: &Rule, known_issues: &KnownIssues) -> String {
    let Rule { signatures, is, because, scope, expires } = rule;
    let [signatures, because, subject, profile] =
        [signatures, because, &scope.subject, &scope.profile].map(|text| shown::line(text));
    let matching = || known_issues.entries.iter().filter(|entry| rule.means(&entry.signature));
    let own = matching().filter(|entry| entry.is != Status::New).count();
    let now = matching().count() - own;
    let own = if own == 0 { String::new() } else { format!(", and {own} with a status of their own") };
    let until = expires.map(|day| format!(", until {day}")).unwrap_or_default();
    format!(
        "{:<8}  all `{signatures}`, {now} of them found so far{own}\n          of {} under {}, because {because}{until}\n",
        is.name(),
        subject,
        profile
    )
}

/// Returns what decides about an issue in place of its own status: a rule, or that the last day of
/// the status has passed.
fn in_force(entry: &Entry, rules: &[Rule]) -> String {
    let Scope { subject, profile } = &entry.scope;
    let rule = rules.iter().rev().find(|rule| rule.speaks_of(entry, subject, profile));
    let (status, expires) = rule.map_or((entry.is, entry.expires), |rule| (rule.is, rule.expires));
    let by = rule.map_or(String::new(), |rule| {
        format!("          {} by the rule `{}`\n", status.name(), shown::line(&rule.signatures))
    });
    match expires.filter(|day| *day < Day::today()) {
        Some(day) => by + &format!("          expired on {day}: the next nightly run fails if it shows\n"),
        None => by,
    }
}

fn line(entry: &Entry) -> String {
    let Entry { signature, is, because, scope, expires, first, last, case, strays, conditions, .. } = entry;
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
    for FindingCondition { optype, all, .. } in conditions {
        line += &format!("          {optype}: {}\n", shown::line(&all.join(", ")));
    }
    for stray in strays {
        line += &format!("          shows in a new way: {}\n", shown::line(stray));
    }
    if let Some(case) = case {
        line += &format!("          {}\n", shown::line(&case.display().to_string()));
    }
    line
}
