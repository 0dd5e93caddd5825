//! `assay schema`: prints the JSON Schema of a command's output, and of the files of a run.

use assay_isa::similar::did_you_mean;
use assay_nightly::known_issues::{Entry, KnownIssuesOutput, Rule};
use assay_nightly::modes::SupportedModes;
use assay_nightly::nightly_report::StatusOutput;
use assay_nightly::nightly_report::{NightlyOutput, NightlyReport};
use assay_records::RunResult;
use assay_records::commands::campaign::{FuzzOutput, MergeOutput, SweepOutput};
use assay_records::commands::coverage::{BinsOutput, MissedOutput, WhyOutput};
use assay_records::commands::errata::{ErratumOutput, PathsOutput, SettledOutput};
use assay_records::commands::exchange::{GenOutput, VerOutput};
use assay_records::commands::isa::{FormModes, FormOutput, WordOutput};
use assay_records::commands::rtl::RtlOutput;
use assay_records::commands::schema;
use assay_records::commands::traces::{CaptureOutput, CodeOutput, TraceVectorsOutput};
use assay_records::commands::vectors::{CheckOutput, GenerateOutput, PromoteOutput};
use assay_records::run_info::RunInfo;
use assay_runner::errata::output::ErratumPage;
use assay_runner::inspect::output::{ActualOutput, EvalLine, EvalOutput, ReplayOutput};
use assay_runner::traces::output::{InfoOutput, TraceCheckOutput};
use clap::Args;

use crate::context::{Context, NamedSchema};
use crate::failure::{ExitStatus, Failure};
use crate::output::{self, Printed};
use crate::program::RunCommand;

/// Print the JSON Schema of a command's JSON output, or of a file of a run.
///
/// Without a name, the command lists all names.
#[derive(Args)]
pub struct Schema {
    /// A command such as `vectors check`, or a file such as `result.json`. The output of some
    /// options has its own name, such as `eval stdin`.
    name: Vec<String>,
}

impl RunCommand for Schema {
    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        // `known-issues` was called `ledger`, and `set` was `say`.
        let name =
            self.name.join(" ").replace("ledger say", "known-issues set").replace("ledger", "known-issues");
        let schemas = context.program.schemas();
        let known = || schemas.iter();
        if name.is_empty() {
            let names: Vec<&str> = known().map(|(name, _)| *name).collect();
            if context.json {
                output::print_output(&names)?
            } else {
                output::print(&(names.join("\n") + "\n"))?
            }
            return Ok(ExitStatus::Held);
        }
        let Some((_, schema)) = known().find(|(known, _)| *known == name) else {
            let problem = format!("nothing that `assay` prints or writes is called `{name}`");
            let remedy =
                did_you_mean(&name, known().map(|(known, _)| *known), "`assay schema` lists the names");
            return Err(Failure::input(problem).help(remedy));
        };
        output::print_json(&schema())?;
        Ok(ExitStatus::Held)
    }
}

/// Lists the types that a program's commands print as JSON, each with the names under which `assay
/// schema` finds it.
///
/// The macro implements the caller's trait `Printed` for these types. Other types cannot be
/// printed.
#[macro_export]
macro_rules! printed {
    ($($($name:literal),+ => $type:ty;)+) => {
        $(impl Printed for $type {})+
        /// The schemas of what the commands print, by name.
        pub const PRINTED: &[assay_cli::context::NamedSchema] =
            &[$($(($name, assay_records::commands::schema::<$type>)),+),+];
    };
}

printed! {
    "coverage show" => BinsOutput;
    "coverage missed" => MissedOutput;
    "coverage why" => WhyOutput;
    "dut check" => assay_device::check::CheckOutput;
    "errata list" => Vec<ErratumOutput>;
    "errata report", "report out" => PathsOutput;
    "errata settle" => Vec<SettledOutput>;
    "errata show" => Vec<ErratumPage>;
    "eval" => EvalOutput;
    "eval actual" => ActualOutput;
    "eval stdin" => EvalLine;
    "fuzz" => FuzzOutput;
    "fuzz modes", "gen modes" => Vec<FormModes>;
    "gen" => GenOutput;
    "isa asm", "isa disasm" => Vec<WordOutput>;
    "isa list" => Vec<FormOutput>;
    "isa show" => assay_manual::Page;
    "known-issues set" => Entry;
    "known-issues set all" => Rule;
    "known-issues show" => KnownIssuesOutput;
    "merge" => MergeOutput;
    "nightly" => NightlyOutput;
    "replay" => ReplayOutput;
    "report" => assay_reports::ResultReport<'_>;
    "rtl" => RtlOutput;
    "schema" => Vec<&str>;
    "status" => StatusOutput;
    "sweep" => SweepOutput;
    "trace capture" => CaptureOutput;
    "trace check" => TraceCheckOutput;
    "trace code" => CodeOutput;
    "trace info" => InfoOutput;
    "trace vectors" => TraceVectorsOutput;
    "vectors check" => CheckOutput;
    "vectors generate" => GenerateOutput;
    "vectors promote" => PromoteOutput;
    "ver" => VerOutput;
}

/// Files of a run, of a report and of a nightly run.
pub const FILES: &[NamedSchema] = &[
    ("modes.json", schema::<SupportedModes>),
    ("nightly.json", schema::<NightlyReport>),
    ("report.json", assay_reports::schema),
    ("result.json", schema::<RunResult>),
    ("run.json", schema::<RunInfo>),
];
