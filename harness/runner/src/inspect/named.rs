//! Who a case is put before: what the command line names, and of what its file names no more than is part of this program.

use assay_isa::shown;
use assay_vectors::{Case, Finding};

use crate::error::RunError;
use crate::subjects::{BuiltIn, ORACLE, PREFIX, Voice};

/// The subject of a replay.
pub enum Subject {
    /// One that answers.
    Voice(Voice),
    /// What the finding holds of a trace.
    Recorded,
}

/// Who a case is put before.
pub struct Named {
    /// The subject.
    pub subject: Subject,
    /// Who stands in the oracle's place, if another subject does.
    pub against: Option<Voice>,
    /// Whom the file names that does not run.
    pub left_out: Vec<LeftOut>,
}

/// A subject that a file names, and that only a command line may name.
pub struct LeftOut {
    /// The option that runs it.
    pub option: &'static str,
    /// Its name.
    pub name: String,
    /// What happens without it.
    pub instead: &'static str,
}

impl Named {
    /// The subjects of a case, where the command line names the first two or leaves them to the file.
    pub fn new(subject: Option<&Voice>, against: Option<&Voice>, case: &Case) -> Result<Named, RunError> {
        let finding = case.finding.as_ref();
        let mut left_out = Vec::new();
        let subject = match (subject, finding) {
            (Some(voice), _) => Subject::Voice(voice.clone()),
            (None, Some(Finding { subject, .. })) if subject.starts_with(PREFIX) => Subject::Recorded,
            (None, Some(Finding { subject, .. })) => {
                let own =
                    built_in(case, "--subject", subject, "the model answers in its place", &mut left_out)?;
                Subject::Voice(own.unwrap_or(Voice::MODEL))
            }
            (None, None) => Subject::Voice(Voice::MODEL),
        };
        let against = match (against, finding.map(|finding| finding.oracle.as_str())) {
            (Some(voice), _) => Some(voice.clone()),
            (None, None | Some(ORACLE)) => None,
            (None, Some(oracle)) => {
                built_in(case, "--against", oracle, "the oracle judges in its place", &mut left_out)?
            }
        };
        Ok(Named { subject, against, left_out })
    }
}

/// The subject of that name if it is part of this program; one that a command line can name is noted as left out.
fn built_in(
    case: &Case,
    option: &'static str,
    name: &str,
    instead: &'static str,
    left_out: &mut Vec<LeftOut>,
) -> Result<Option<Voice>, RunError> {
    match name.parse::<BuiltIn>() {
        Ok(own) => Ok(Some(own.into())),
        Err(_) if ["exec:", "lib:", "cuda:", PREFIX].iter().any(|prefix| name.starts_with(prefix)) => {
            left_out.push(LeftOut { option, name: name.to_owned(), instead });
            Ok(None)
        }
        Err(problem) => {
            let name = shown::quoted(name);
            Err(RunError::input(format!("case {}: the subject `{name}` is unknown: {problem}", case.name)))
        }
    }
}
