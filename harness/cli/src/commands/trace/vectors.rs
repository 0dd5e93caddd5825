//! `assay trace vectors`: cases of a trace as YAML vectors, for what is small and kept.

use std::path::PathBuf;

use assay_records::commands::traces::TraceVectorsOutput;
use assay_runner::traces::vectors::TraceVectorsRequest;
use clap::Args;

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::output;

/// Make YAML vectors of what a trace recorded, a suite for each optype.
///
/// Every row is judged by the oracle, under the profile sm90 unless --profile names another, and what it accepts is written: a
/// case expects what the device did or, where a bound allows the model's answer as well, either. Exit status 1 tells that
/// a recorded result was refused, that the model alone diverges from one, or that nothing was left to be written.
#[derive(Args)]
pub struct TraceVectors {
    /// A file that `assay trace capture` wrote.
    #[arg(value_name = "FILE")]
    trace: PathBuf,
    /// Folder for the suites, a file an optype.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Optypes, forms or functions, such as FFMA, 'FADD_R?' or 'MUFU.RCP.*'; everything by default.
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    only: Vec<String>,
    /// Cases of a function at most: the first in the trace.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Replace suites that are there.
    #[arg(long)]
    overwrite: bool,
}

impl TraceVectors {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let request = TraceVectorsRequest {
            trace: self.trace.clone(),
            out: self.out.clone(),
            only: self.only.clone(),
            limit: self.limit,
            overwrite: self.overwrite,
        };
        let made = request.make(context)?;
        print(context, &made)?;
        let TraceVectorsOutput { written, refused, model, .. } = &made;
        Ok(ExitStatus::of(*written > 0 && refused.is_empty() && model.is_empty()))
    }
}

fn print(context: &Context, made: &TraceVectorsOutput) -> Result<(), Failure> {
    if context.json {
        return output::print_output(made);
    }
    let TraceVectorsOutput { written, beyond_limit, unjudged, undefined, unsupported, .. } = made;
    let TraceVectorsOutput { refused, model, suites, .. } = made;
    let mut page: String = refused.iter().map(|row| format!("REFUSED {row}\n")).collect();
    page.extend(model.iter().map(|row| format!("THE MODEL FAILS {row}\n")));
    page += &format!(
        "{written} cases in {} suites; left out: {} refused, {} that the model fails, {unjudged} unjudged, \
         {undefined} undefined, {unsupported} unsupported, {beyond_limit} beyond --limit\n",
        suites.len(),
        refused.len(),
        model.len(),
    );
    output::print(&page)
}
