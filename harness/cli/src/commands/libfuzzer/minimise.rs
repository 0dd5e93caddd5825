//! `assay libfuzzer minimise`: corpora without what adds nothing to their coverage.

use std::path::PathBuf;

use assay_fuzzing::Target;
use clap::Args;
use serde_json::json;

use super::corpus::{self, Bounds, Corpus, Minimised, Rooms};
use super::files::plain_path;
use super::options::{chosen, targets};
use super::toolchain::{Sanitizer, Toolchain};
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::output;

/// Keep of each corpus what adds to its coverage, the shortest inputs first.
///
/// Exit status 1 tells that an input ended the program: it is among the artifacts.
#[derive(Args)]
pub struct Minimise {
    /// The targets; all of them by default.
    #[arg(value_parser = targets())]
    targets: Vec<Target>,
    /// Folder of the corpora, one a target.
    #[arg(long, value_name = "DIR")]
    corpus: PathBuf,
    /// Folder for logs, and for inputs that end the program: these leave the corpus.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    bounds: Bounds,
}

impl Minimise {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        let (targets, sanitizer) = (chosen(&self.targets), Sanitizer::None);
        let toolchain = Toolchain::find()?;
        for target in &targets {
            plain_path(&toolchain.program(sanitizer, *target))?;
        }
        let _lock = corpus::lock(&self.corpus)?;
        let rooms = Rooms::make(&self.out)?;
        if !toolchain.build(sanitizer, &targets, &rooms.logs)? {
            return Ok(Status::Interrupted);
        }
        let mut held = true;
        let mut rows = serde_json::Map::new();
        for target in targets {
            let artifacts = rooms.artifacts(target)?;
            let (folder, logs, bounds) = (&*self.corpus, &*rooms.logs, self.bounds);
            let setting = bounds.setting(sanitizer);
            let corpus = Corpus {
                toolchain: &toolchain,
                target,
                folder,
                logs,
                artifacts: &artifacts,
                setting,
                bounds,
            };
            let before = corpus::size(&corpus.open()?)?;
            let Some(Minimised { size: after, crashes }) = corpus.minimise()? else {
                return Ok(Status::Interrupted);
            };
            held &= crashes.is_empty();
            if !crashes.is_empty() {
                output::say(format_args!(
                    "{}: {} inputs ended the program and left the corpus; they are in {}, and `assay libfuzzer replay FILE \
                     --target {}` shows what they violate",
                    target.name(),
                    crashes.len(),
                    artifacts.display(),
                    target.name()
                ));
            }
            rows.insert(
                target.name().into(),
                json!({ "before": before, "after": after, "crashes": crashes.len(), "artifacts": crashes }),
            );
            if !context.json {
                output::print(&format!(
                    "{:<14} {} inputs of {} bytes, before {} of {}; {} ended the program\n",
                    target.name(),
                    after.inputs,
                    after.bytes,
                    before.inputs,
                    before.bytes,
                    crashes.len()
                ))?;
            }
        }
        if context.json {
            output::print_json(&rows.into())?;
        }
        Ok(Status::of(held))
    }
}
