//! `assay trace vectors`: writes some cases of a trace as YAML vectors, so that a small set can be
//! kept.

use std::path::PathBuf;

use assay_isa::shown::plural;
use assay_records::commands::traces::TraceVectorsOutput;
use assay_runner::traces::vectors::TraceVectorsRequest;
use clap::Args;

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::output;

/// Write the cases of a trace as YAML vectors, one suite for each optype.
///
/// The oracle judges every row, under the profile sm90 unless --profile names another. Each row
/// whose result the oracle accepts becomes a case. The case expects the recorded result. If the
/// contract is a bound that also allows the model's result, the case expects either result.
///
/// Exit status 1 means one of these: the oracle refused a recorded result, the oracle refused only
/// the model's result of a case, or no case was written.
#[derive(Args)]
pub struct TraceVectors {
    /// A file that `assay trace capture` wrote.
    #[arg(value_name = "FILE")]
    trace: PathBuf,
    /// Folder for the suites, one file for each optype.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Optypes, forms or functions, such as FFMA, 'FADD_R?' or 'MUFU.RCP.*'. The default is all of
    /// them.
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    only: Vec<String>,
    /// Maximum number of cases for each function. The first cases in the trace are taken.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Replace existing suites.
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
        "{} in {}; left out: {} refused, {} that the model fails, {unjudged} unjudged, \
         {undefined} undefined, {unsupported} unsupported, {beyond_limit} beyond --limit\n",
        plural(written, "case", "cases"),
        plural(suites.len(), "suite", "suites"),
        refused.len(),
        model.len(),
    );
    output::print(&page)
}
