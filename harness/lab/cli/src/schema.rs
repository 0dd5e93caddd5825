//! The schemas of the JSON that the commands print.

use assay_cli::failure::Failure;
use assay_cli::output;
use assay_documents::eval::PseudoOutput;
use assay_documents::lint::LintOutput;
use assay_mutation::Mutant;
use assay_records::commands::certify::{CertifyCheckOutput, CertifyOutput};
use assay_records::commands::errata::{DiscoverOutput, ProveOutput};
use assay_records::commands::isa::TableLintOutput;
use assay_records::commands::libfuzzer::{ReplayReport, TargetListing};
use assay_records::commands::mutants::{MutationReport, ShownFaultsOutput};
use schemars::JsonSchema;
use serde::Serialize;

/// JSON output of a command of this program.
pub trait Printed: Serialize + JsonSchema {}

/// Prints a command's JSON output on stdout.
pub fn print_output(output: &impl Printed) -> Result<(), Failure> {
    output::print_value(output)
}

assay_cli::printed! {
    "certify" => CertifyOutput;
    "certify check" => CertifyCheckOutput;
    "errata discover" => DiscoverOutput;
    "errata prove" => ProveOutput;
    "isa diff" => assay_documents::DiffReport;
    "isa lint" => TableLintOutput;
    "isa lint documents" => LintOutput;
    "isa pseudo" => PseudoOutput;
    "libfuzzer list" => Vec<TargetListing>;
    "libfuzzer replay" => ReplayReport;
    "mutants list" => Vec<Mutant>;
    "mutants run" => MutationReport;
    "mutants vectors" => ShownFaultsOutput;
}
