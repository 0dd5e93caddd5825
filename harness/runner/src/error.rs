//! Why a run or a command on a run could not do its work.

use assay_engine::run::CampaignError;
use assay_engine::triage::TriageError;
use assay_hardware::trace::{Problem, TraceError};
use assay_isa::BackendError;
use assay_isa::asm::AsmError;
use assay_records::ResultError;
use assay_records::checkpoint::CheckpointError;
use assay_records::merge::MergeError;
use assay_records::verdict::VerdictError;
use assay_vectors::{ErrorKind, VectorError};

/// The class of an error. Each class has its own exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Wrong usage or bad input.
    BadInput,
    /// The subject ended the work early.
    Finding,
    /// The harness or its environment failed.
    Broke,
}

/// What went wrong.
#[derive(Debug, thiserror::Error)]
pub enum Cause {
    /// Wrong usage or bad input.
    #[error("{0}")]
    Input(String),
    /// The harness or its environment failed.
    #[error("{0}")]
    Harness(String),
    /// The subject ended the work early.
    #[error("{0}")]
    Finding(String),
    /// Assembler text that cannot be read.
    #[error("{}", error.problem)]
    Asm {
        /// The text.
        text: String,
        /// The position and the kind of the mistake.
        error: AsmError,
    },
    /// An error about a suite, a profile or a case.
    #[error(transparent)]
    Vectors(#[from] VectorError),
    /// An error about a result file.
    #[error(transparent)]
    Result(#[from] ResultError),
    /// An error about a checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// An error about a merge of shards.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// No verdict can be computed from the counts of a run.
    #[error(transparent)]
    Verdict(#[from] VerdictError),
    /// An error of a subject or an oracle.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The divergences cannot be triaged.
    #[error(transparent)]
    Triage(#[from] TriageError),
    /// An error about a recorded trace.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// A campaign or a sweep failed, but not because of the subject.
    #[error(transparent)]
    Campaign(CampaignError),
}

impl From<CampaignError> for Cause {
    /// Unwraps the error of an implementation, because its message is complete.
    fn from(error: CampaignError) -> Cause {
        match error {
            CampaignError::Backend(error) => Cause::Backend(error),
            error => Cause::Campaign(error),
        }
    }
}

/// An error, with advice to the user.
#[derive(Debug, thiserror::Error)]
#[error("{cause}")]
pub struct RunError {
    cause: Box<Cause>,
    help: Option<String>,
}

impl RunError {
    /// Returns an error about wrong usage or bad input.
    pub fn input(message: impl Into<String>) -> RunError {
        Cause::Input(message.into()).into()
    }

    /// Returns an error of the harness or its environment.
    pub fn harness(message: impl Into<String>) -> RunError {
        Cause::Harness(message.into()).into()
    }

    /// Returns the error that the subject ended the work early.
    pub fn finding(message: impl Into<String>) -> RunError {
        Cause::Finding(message.into()).into()
    }

    /// Returns an error about assembler text that cannot be read.
    pub fn asm(text: &str, error: AsmError) -> RunError {
        Cause::Asm { text: text.to_owned(), error }.into()
    }

    /// Adds advice about how to solve the problem.
    pub fn help(self, help: impl Into<String>) -> RunError {
        RunError { help: Some(help.into()), ..self }
    }

    /// Returns what went wrong.
    pub fn cause(&self) -> &Cause {
        &self.cause
    }

    /// Returns advice about how to solve the problem, if there is any.
    pub fn remedy(&self) -> Option<&str> {
        match (&self.help, &*self.cause) {
            (Some(help), _) => Some(help),
            (None, Cause::Asm { error, .. }) => Some(&error.remedy),
            (None, _) => None,
        }
    }

    /// Returns the class of the error.
    pub fn class(&self) -> Class {
        self.cause.class()
    }

    /// Returns whether the subject ended the work early. The results up to then are still worth
    /// showing.
    pub fn is_finding(&self) -> bool {
        self.class() == Class::Finding
    }
}

impl Cause {
    fn class(&self) -> Class {
        match self {
            Cause::Input(_) | Cause::Asm { .. } | Cause::Checkpoint(_) => Class::BadInput,
            Cause::Harness(_) => Class::Broke,
            Cause::Finding(_) => Class::Finding,
            Cause::Vectors(error) => match *error.kind {
                ErrorKind::Write(_) => Class::Broke,
                _ => Class::BadInput,
            },
            Cause::Result(error) | Cause::Merge(MergeError::Result(error)) => of_result(error),
            Cause::Merge(_) | Cause::Verdict(VerdictError::Demand(_)) => Class::BadInput,
            Cause::Verdict(VerdictError::Unchecked(_)) => Class::Broke,
            Cause::Backend(error) | Cause::Triage(TriageError::Backend(error)) => of_backend(error),
            Cause::Triage(TriageError::Unreadable { .. }) => Class::BadInput,
            Cause::Trace(error) => match error.problem {
                Problem::Write(_) => Class::Broke,
                _ => Class::BadInput,
            },
            Cause::Campaign(error) => match error {
                CampaignError::Backend(error) => of_backend(error),
                CampaignError::EmptyScope => Class::BadInput,
                CampaignError::Short { .. } | CampaignError::Unchecked(_) => Class::Broke,
            },
        }
    }
}

fn of_result(error: &ResultError) -> Class {
    match error {
        ResultError::Write { .. } => Class::Broke,
        _ => Class::BadInput,
    }
}

fn of_backend(error: &BackendError) -> Class {
    match error {
        BackendError::Decode(_) | BackendError::MissingLocation(_) | BackendError::Unusable { .. } => {
            Class::BadInput
        }
        BackendError::Gone { .. } => Class::Finding,
        BackendError::Failed { .. } => Class::Broke,
    }
}

impl<E: Into<Cause>> From<E> for RunError {
    fn from(error: E) -> RunError {
        RunError { cause: Box::new(error.into()), help: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_knows_whose_fault_it_is_and_keeps_its_help() {
        let gone = BackendError::Gone { implementation: "exec:x".into(), reason: "it is dead".into() };
        assert_eq!(RunError::from(gone).class(), Class::Finding);
        assert_eq!(RunError::from(CampaignError::EmptyScope).class(), Class::BadInput);
        let failed = BackendError::Failed { implementation: "cuda:0".into(), problem: "no driver".into() };
        let error = RunError::from(CampaignError::Backend(failed));
        assert_eq!((error.class(), error.to_string()), (Class::Broke, "cuda:0: no driver".to_owned()));
        let error = RunError::harness("the disk is full").help("make room");
        assert_eq!((error.class(), error.remedy()), (Class::Broke, Some("make room")));
        assert_eq!(error.to_string(), "the disk is full");
        let text = "FAD R0, R1, R2";
        let error = RunError::asm(text, assay_isa::asm::parse(text).expect_err("no such mnemonic"));
        assert_eq!(error.class(), Class::BadInput);
        assert!(error.remedy().is_some());
    }
}
