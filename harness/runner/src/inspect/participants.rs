//! Selects the participants of a replay. The command line names them. Otherwise the file of the
//! case names them, but only participants that are part of this program.

use assay_isa::shown;
use assay_vectors::{Case, Finding};

use crate::error::RunError;
use crate::subjects::{BuiltIn, ORACLE, PREFIX, SubjectName};

/// The subject of a replay.
pub enum ReplayedSubject {
    /// An implementation that executes the case.
    Backend(SubjectName),
    /// The effect of a traced device, taken from the finding.
    Recorded,
}

/// The participants of a case.
pub struct Participants {
    /// The subject.
    pub subject: ReplayedSubject,
    /// The subject in the oracle's place, if there is such a subject.
    pub against: Option<SubjectName>,
    /// The subjects of the file that do not run.
    pub left_out: Vec<SubjectLeftOut>,
}

/// A subject that a file names, but that only a command line may start.
pub struct SubjectLeftOut {
    /// The option that starts the subject.
    pub option: &'static str,
    /// Name of the subject.
    pub name: String,
    /// What replaces the subject, in words.
    pub instead: &'static str,
}

impl Participants {
    /// Selects the participants of a case. If the command line does not name a subject, the finding
    /// of the case names it.
    pub fn new(
        subject: Option<&SubjectName>,
        against: Option<&SubjectName>,
        case: &Case,
    ) -> Result<Participants, RunError> {
        let finding = case.finding.as_ref();
        let mut left_out = Vec::new();
        let subject = match (subject, finding) {
            (Some(implementation), _) => ReplayedSubject::Backend(implementation.clone()),
            (None, Some(Finding { subject, .. })) if subject.starts_with(PREFIX) => ReplayedSubject::Recorded,
            (None, Some(Finding { subject, .. })) => {
                let own =
                    built_in(case, "--subject", subject, "the model answers in its place", &mut left_out)?;
                ReplayedSubject::Backend(own.unwrap_or(SubjectName::MODEL))
            }
            (None, None) => ReplayedSubject::Backend(SubjectName::MODEL),
        };
        let against = match (against, finding.map(|finding| finding.oracle.as_str())) {
            (Some(implementation), _) => Some(implementation.clone()),
            (None, None | Some(ORACLE)) => None,
            (None, Some(oracle)) => {
                built_in(case, "--against", oracle, "the oracle judges in its place", &mut left_out)?
            }
        };
        Ok(Participants { subject, against, left_out })
    }
}

/// Returns the subject of this name, if it is part of this program. Adds a subject that only a
/// command line may start to `left_out`.
fn built_in(
    case: &Case,
    option: &'static str,
    name: &str,
    instead: &'static str,
    left_out: &mut Vec<SubjectLeftOut>,
) -> Result<Option<SubjectName>, RunError> {
    match name.parse::<BuiltIn>() {
        Ok(own) => Ok(Some(own.into())),
        Err(_) if ["exec:", "lib:", "cuda:", PREFIX].iter().any(|prefix| name.starts_with(prefix)) => {
            left_out.push(SubjectLeftOut { option, name: name.to_owned(), instead });
            Ok(None)
        }
        Err(problem) => {
            let name = shown::quoted(name);
            Err(RunError::input(format!("case {}: the subject `{name}` is unknown: {problem}", case.name)))
        }
    }
}
