//! How a command ends: its exit status, and its message if it fails.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use assay_engine::run::CampaignError;
use assay_engine::triage::TriageError;
use assay_hardware::trace::TraceError;
use assay_isa::BackendError;
use assay_isa::asm::AsmError;
use assay_isa::shown;
use assay_nightly::NightlyError;
use assay_nightly::known_issues::StatementError;
use assay_records::checkpoint::CheckpointError;
use assay_records::merge::MergeError;
use assay_records::{ResultError, VerdictWord};
use assay_rtl::RtlError;
use assay_runner::RunError;
use assay_runner::error::{Cause, Class};
use assay_vectors::VectorError;
use miette::{LabeledSpan, MietteDiagnostic, MietteHandlerOpts, NamedSource, Report};

/// The exit status of a command, with which scripts see how it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitStatus {
    /// All checks passed.
    Held = 0,
    /// A divergence, or a failed check.
    Failed = 1,
    /// The usage or a part of the input was bad. Work that did not need this part may be done.
    BadInput = 2,
    /// The harness or its environment failed, so a part of the work was not done.
    Broke = 3,
    /// The command was interrupted. The results so far are kept.
    Interrupted = 130,
}

impl ExitStatus {
    /// Returns `Held` or `Failed`.
    pub fn of(held: bool) -> ExitStatus {
        if held { ExitStatus::Held } else { ExitStatus::Failed }
    }
}

impl From<VerdictWord> for ExitStatus {
    /// Returns the exit status for a verdict. `Unverified`, the verdict of a result that stores
    /// none, counts as failed.
    fn from(word: VerdictWord) -> ExitStatus {
        ExitStatus::of(word.is_held())
    }
}

/// Breaks long messages into lines only on a terminal. In a log each message stays on one line, so
/// that its text can be searched.
pub fn break_lines_for_terminals() {
    let is_terminal = io::stderr().is_terminal();
    // miette accepts one hook. The program sets it once, at its start.
    let _ = miette::set_hook(Box::new(move |_| {
        Box::new(MietteHandlerOpts::new().wrap_lines(is_terminal).build())
    }));
}

/// Why a command could not do its work.
#[derive(Debug)]
pub struct Failure {
    status: u8,
    report: Report,
}

/// Returns the first paragraph of an error message as one line, without `error: ` before it. The usage
/// text follows behind an empty line.
pub(crate) fn first_paragraph(text: &str) -> String {
    let lines = text.lines().map(str::trim).take_while(|line| !line.is_empty());
    let problem = lines.collect::<Vec<_>>().join(" ");
    problem.strip_prefix("error: ").unwrap_or(&problem).to_owned()
}

impl Failure {
    /// Returns a failure. The message is escaped, because it can quote a file or a device.
    fn new(status: u8, message: impl Into<String>) -> Failure {
        Failure { status, report: MietteDiagnostic::new(shown::page(&message.into())).into() }
    }

    /// Returns a failure for wrong usage or bad input, with exit status 2.
    pub fn input(message: impl Into<String>) -> Failure {
        Failure::new(2, message)
    }

    /// Returns a failure of the harness or its environment, with exit status 3.
    pub fn harness(message: impl Into<String>) -> Failure {
        Failure::new(3, message)
    }

    /// Returns a failure for assembler text that cannot be read. The message shows the text and
    /// marks the error in it.
    pub fn asm(text: &str, error: &AsmError) -> Failure {
        let label = LabeledSpan::at(error.span.clone(), "here");
        let diagnostic = MietteDiagnostic::new(shown::page(&error.problem.to_string()))
            .with_label(label)
            .with_help(shown::page(&error.remedy));
        let report =
            Report::from(diagnostic).with_source_code(NamedSource::new("instruction", text.to_owned()));
        Failure { status: 2, report }
    }

    /// Adds advice about how to remedy the failure.
    pub fn help(self, help: impl Into<String>) -> Failure {
        let report = MietteDiagnostic::new(self.report.to_string()).with_help(shown::page(&help.into()));
        Failure { report: report.into(), ..self }
    }

    /// Returns the message of the failure, followed by its advice if it has any.
    pub fn message(&self) -> String {
        let help = self.report.help().map_or(String::new(), |help| format!("; {help}"));
        format!("{}{help}", self.report)
    }

    /// Prints the failure to stderr, and returns its exit status.
    pub fn report(self) -> ExitCode {
        // The texts in the report are already escaped. The rendered report is not escaped again,
        // because it may contain escape sequences for colours.
        let _ = writeln!(io::stderr(), "{:?}", self.report);
        ExitCode::from(self.status)
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        if let Cause::Asm { text, error } = error.cause() {
            return Failure::asm(text, error);
        }
        let status = match error.class() {
            Class::Finding => ExitStatus::Failed,
            Class::BadInput => ExitStatus::BadInput,
            Class::Broke => ExitStatus::Broke,
        };
        let failure = Failure::new(status as u8, error.to_string());
        match error.remedy() {
            Some(remedy) => failure.help(remedy),
            None => failure,
        }
    }
}

/// Implements the conversion into [`Failure`] for error types that the runner assigns to a class.
macro_rules! classified {
    ($($error:ty),* $(,)?) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                RunError::from(error).into()
            }
        })*
    };
}

classified!(
    CampaignError,
    CheckpointError,
    MergeError,
    ResultError,
    TraceError,
    TriageError,
    VectorError,
    BackendError,
);

impl From<StatementError> for Failure {
    fn from(error: StatementError) -> Failure {
        Failure::input(error.to_string())
    }
}

impl From<RtlError> for Failure {
    fn from(error: RtlError) -> Failure {
        if error.is_input() { Failure::input(error.to_string()) } else { Failure::harness(error.to_string()) }
    }
}

impl From<NightlyError> for Failure {
    fn from(error: NightlyError) -> Failure {
        match error {
            NightlyError::Input { .. }
            | NightlyError::Version { .. }
            | NightlyError::Changed { .. }
            | NightlyError::NoSuchNight(_) => Failure::input(error.to_string()),
            NightlyError::File { .. } | NightlyError::Subject { .. } => Failure::harness(error.to_string()),
            NightlyError::Result(error) => error.into(),
            NightlyError::Finding(error) => error.into(),
        }
    }
}
