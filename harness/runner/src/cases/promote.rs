//! Turns a finding into a regression vector, if the finding distinguishes a faulty subject from a
//! sound subject.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use assay_files::Lock;
use assay_isa::shown;
use assay_vectors::{Case, Origin, Profile, Provenance, Suite, append_case, read_suite, write_suite};

use super::check::{CheckResult, hold};
use super::suites::SuiteFile;
use crate::context::Context;
use crate::error::RunError;
use crate::folder::destination;
use crate::subjects::{BuiltIn, SubjectName};

/// Longest time that a promotion waits for another promotion.
const PATIENCE: Duration = Duration::from_secs(10);

/// A finding to turn into a regression vector.
#[derive(Clone, Debug)]
pub struct Promotion {
    /// The finding.
    pub finding: PathBuf,
    /// Path of the suite that receives the vector. Created if it does not exist.
    pub into: PathBuf,
    /// The subject that must fail. By default the finding's own subject, if that subject is part of
    /// assay.
    pub faulty: Option<SubjectName>,
    /// The subject that must pass.
    pub good: SubjectName,
    /// Name of the vector. By default the name of the finding's case.
    pub name: Option<String>,
    /// Why the vector is kept.
    pub because: Option<String>,
}

/// The outcome of a promotion.
pub enum Promoted {
    /// The vector is in the suite.
    Added {
        /// Its name there.
        name: String,
        /// The subject that the finding is about.
        subject: String,
    },
    /// The vector would detect no regression, for this reason.
    Refused(String),
}

impl Promotion {
    /// Adds the vector to its suite, if the vector fails on the faulty subject and passes on the
    /// good subject.
    pub fn promote(&self, context: &Context) -> Result<Promoted, RunError> {
        let refused = |problem: String| RunError::input(format!("{}: {problem}", self.finding.display()));
        let file = SuiteFile::read(&self.finding)?;
        let found = &file.suite;
        let [case] = &found.cases[..] else {
            return Err(refused(format!("holds {} cases; give a finding, which has one", found.cases.len())));
        };
        let finding =
            case.finding.as_ref().ok_or_else(|| refused("is no finding: it has no `finding`".into()))?;
        let faulty = match &self.faulty {
            Some(faulty) => faulty.clone(),
            None => finding.subject.parse::<BuiltIn>().map(SubjectName::from).map_err(|_| {
                let (name, argument) = (shown::quoted(&finding.subject), shown::argument(&finding.subject));
                refused(format!("the finding was made with `{name}`, which a file cannot start"))
                    .help(format!("to run it: --faulty {argument}"))
            })?,
        };
        let profile = file.profile(context)?;
        if let Some(why) = self.guards_nothing(context, &profile, case, faulty)? {
            return Ok(Promoted::Refused(why));
        }
        let vector = Case {
            name: self.name.clone().unwrap_or_else(|| case.name.clone()),
            provenance: Some(Provenance {
                source: Origin::Finding,
                reference: Some(finding.signature.clone()),
                detail: self.because.clone(),
            }),
            finding: None,
            ..case.clone()
        };
        let name = self.add(vector, found.profile.as_deref())?;
        Ok(Promoted::Added { name, subject: finding.subject.clone() })
    }

    /// Returns why the case would not detect a regression as a vector. `None` if it would detect
    /// one.
    fn guards_nothing(
        &self,
        context: &Context,
        profile: &Profile,
        case: &Case,
        faulty: SubjectName,
    ) -> Result<Option<String>, RunError> {
        let good = self.good.to_string();
        let why = match hold(context, profile, case, self.good.clone())?.held {
            CheckResult::NothingExpected => "the oracle had no expectation for it".to_owned(),
            CheckResult::Unsupported => {
                format!("{good} does not implement it, so nothing shows that it can be passed")
            }
            CheckResult::No(problem) => format!("it fails on what should be good: {problem}"),
            CheckResult::Yes | CheckResult::Unjudged => {
                let who = faulty.to_string();
                match hold(context, profile, case, faulty)?.held {
                    CheckResult::No(_) => return Ok(None),
                    CheckResult::Unsupported => format!("{who} does not implement it"),
                    CheckResult::Yes | CheckResult::Unjudged | CheckResult::NothingExpected => {
                        format!("{who} passes it as well")
                    }
                }
            }
        };
        Ok(Some(why))
    }

    /// Adds a vector to the suite. Returns the vector's name. The name gets a number if the suite
    /// already has a vector with this name.
    fn add(&self, mut vector: Case, profile: Option<&str>) -> Result<String, RunError> {
        let refused = |problem: String| RunError::input(format!("{}: {problem}", self.into.display()));
        // The folder is locked until the file is written. Otherwise another promotion could read
        // the suite before this promotion replaces it.
        let _lock = lock_folder(&self.into)?;
        let is_there = destination::is_taken(&self.into, &[&self.finding])?;
        let mut suite =
            if is_there { read_suite(&self.into)? } else { empty(&self.into, profile).map_err(refused)? };
        let of = |profile: Option<&str>| profile.unwrap_or("intended").to_owned();
        let (theirs, ours) = (of(suite.profile.as_deref()), of(profile));
        if theirs != ours {
            return Err(refused(format!(
                "its cases are of the profile {theirs}, the finding is of {ours}; choose another --into"
            )));
        }
        let is_same = |case: &&Case| {
            case.asm == vector.asm && case.inputs == vector.inputs && case.readings == vector.readings
        };
        if let Some(case) = suite.cases.iter().find(is_same) {
            return Err(refused(format!("has the case already, as {}", case.name)));
        }
        let base = vector.name.clone();
        let numbered = (2..).map(|n| format!("{base}-{n}"));
        let free = |name: &String| suite.cases.iter().all(|case| case.name != *name);
        let name = std::iter::once(base.clone()).chain(numbered).find(free);
        vector.name = name.expect("there is always a next number");
        let name = vector.name.clone();
        suite.cases.push(vector);
        if is_there {
            append_case(&self.into, &suite)?
        } else {
            write_suite(&self.into, &suite)?
        }
        Ok(name)
    }
}

/// Locks the folder of a file, so that only one promotion at a time writes there.
fn lock_folder(file: &Path) -> Result<Lock, RunError> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let refused = |problem: String| RunError::input(format!("{}: {problem}", folder.display()));
    let opened = File::open(folder).map_err(|e| refused(e.to_string()))?;
    Lock::exclusive(opened, PATIENCE).map_err(|e| match e {
        TryLockError::WouldBlock => {
            refused("another run or promotion is writing there; wait for its end".into())
        }
        TryLockError::Error(e) => refused(format!("cannot be locked: {e}")),
    })
}

/// Returns an empty suite, named after its file.
fn empty(path: &Path, profile: Option<&str>) -> Result<Suite, String> {
    let name = path.file_stem().and_then(|stem| stem.to_str()).ok_or("its name cannot be read")?;
    Ok(Suite {
        version: assay_vectors::VERSION,
        suite: name.to_owned(),
        about: "Bugs that were found, each with the smallest case that shows it.".into(),
        profile: profile.map(str::to_owned),
        cases: Vec::new(),
    })
}
