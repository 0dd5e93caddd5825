//! `assay vectors generate`: generates small suites that hit the coverage bins. The
//! oracle gives the expectations.

use std::path::PathBuf;

use assay_engine::coverage::Topic;
use assay_records::commands::vectors::GenerateOutput;
use assay_runner::cases::generate::{GenerateRequest, KnownCases};
use clap::{Args, ValueEnum};

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::output;

/// Generate a small suite for each optype: a case for every coverage bin that no known case hits.
///
/// The oracle gives the expectations. A case is written only if the model agrees with the oracle.
/// Known cases, written by hand or from the documents, count first. The command does not write them
/// again. The summary says how many bins they cover. Under an error bound, the expectation lists
/// every allowed value. A case with too many allowed values is left out. Exit status 1 means that
/// model and oracle disagree on a case.
#[derive(Args)]
pub struct Generate {
    /// Optypes such as FSET or POPC. The default is all optypes.
    optypes: Vec<String>,
    /// Folder for the suites, one file for each optype.
    #[arg(long, value_name = "DIR", default_value = "vectors/generated")]
    out: PathBuf,
    /// Folder of the known cases. The default is the cases that this program carries.
    #[arg(long, value_name = "DIR", conflicts_with = "alone")]
    known: Option<PathBuf>,
    /// Ignore the known cases. The generated suites then cover every bin on their own.
    #[arg(long)]
    alone: bool,
    /// Maximum number of cases in a suite.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Generate cases only for the coverage bins of one topic.
    #[arg(long, value_enum)]
    topic: Option<SuiteTopic>,
    /// Replace existing suites.
    #[arg(long)]
    overwrite: bool,
}

/// The topics of the coverage bins for suites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SuiteTopic {
    /// The value of a modifier together with the class of one operand or result.
    Class,
    /// A fact about the guard or an operand, such as an attribute, the zero register, or a register
    /// used twice.
    Fact,
    /// A special value of one float operand while the other operands are normal numbers.
    Alone,
    /// A float operand at an end of a binade, or of a segment of the function's table.
    Border,
}

impl From<SuiteTopic> for Topic {
    fn from(topic: SuiteTopic) -> Topic {
        match topic {
            SuiteTopic::Class => Topic::Class,
            SuiteTopic::Fact => Topic::Fact,
            SuiteTopic::Alone => Topic::Alone,
            SuiteTopic::Border => Topic::Border,
        }
    }
}

impl Generate {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let request = GenerateRequest {
            optypes: self.optypes.clone(),
            out: self.out.clone(),
            known: match &self.known {
                Some(folder) => KnownCases::Folder(folder.clone()),
                None if self.alone => KnownCases::None,
                None => KnownCases::Carried,
            },
            limit: self.limit as usize,
            topic: self.topic.map(Topic::from),
            overwrite: self.overwrite,
        };
        let output = GenerateOutput { suites: request.generate(context)? };
        print(context, &output)?;
        Ok(ExitStatus::of(output.suites.iter().all(|s| s.diverged.is_empty())))
    }
}

fn print(context: &Context, output: &GenerateOutput) -> Result<(), Failure> {
    if context.json {
        return output::print_output(output);
    }
    let mut page = String::new();
    for s in &output.suites {
        let known: u64 = s.known.values().sum();
        let sources: Vec<String> = s.known.iter().map(|(source, n)| format!("{n} {source}")).collect();
        page += &format!(
            "{:<5} {known} known cases ({}) cover {} of {} bins; {} generated cover {} more, {} are left; {}\n",
            s.optype,
            if sources.is_empty() { "-".into() } else { sources.join(", ") },
            s.covered_by_known,
            s.bins,
            s.generated,
            s.covered - s.covered_by_known,
            s.left.len(),
            s.path.as_ref().map_or("no file".into(), |path| path.display().to_string()),
        );
        if s.too_wide > 0 {
            page += &format!("      {} left out: the bound allows too many values to list\n", s.too_wide);
        }
        for instruction in &s.diverged {
            page += &format!("      NOT WRITTEN, the model and the oracle disagree: {instruction}\n");
        }
    }
    output::print(&page)
}
