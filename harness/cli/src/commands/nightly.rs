//! `assay nightly`: a night's plan of stages, from start to the morning page.

use std::path::{Path, PathBuf};

use assay_nightly::begin::{baseline, begin};
use assay_nightly::finalize::finalize;
use assay_nightly::folder::{Folder, NightFolder};
use assay_nightly::known_issues::KnownIssues;
use assay_nightly::nightly_report::{NightlyOutput, NightlyReport};
use assay_nightly::plan::{DEFAULT, NightPlan};
use assay_nightly::run::Night;
use assay_nightly::state::NightState;
use assay_records::write_bytes;
use assay_runner::build;
use clap::Args;

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::interrupt::STOP;
use crate::output;
use crate::progress::Stages;

/// Run a night: stages with time budgets, one after the other, then a page that says what changed.
///
/// Each stage is a command of assay in a process of its own. What they find goes into the known-issues list of the campaign's folder, and
/// every case of the known-issues list is replayed, so that what is new, known, expected, fixed, back again or flaky is told apart.
/// Exit status: 0 if everything held that the plan's policy asks for, 1 if not, 3 if a stage could not do its work,
/// 130 if it was interrupted; then --resume goes on with it, stages that are over being over.
#[derive(Args)]
pub struct Nightly {
    /// The plan; without it one that tests the model with everything there is.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The campaign's folder, the same one each night.
    #[arg(long, value_name = "DIR", default_value = "nightly")]
    out: PathBuf,
    /// Go on with the night that was not finished, if there is one; else begin the next.
    #[arg(long)]
    resume: bool,
    /// Compare with this night as well: its number, or a file morning.json.
    #[arg(long, value_name = "NIGHT|FILE")]
    baseline: Option<String>,
    /// Print the default plan, and do nothing.
    #[arg(long)]
    print_plan: bool,
}

impl Nightly {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        if self.print_plan {
            output::print(DEFAULT)?;
            return Ok(ExitStatus::Held);
        }
        let plan = NightPlan::load(self.config.as_deref())?;
        let assay = std::env::current_exe().map_err(|e| Failure::harness(format!("assay itself: {e}")))?;
        let build = build::identity()?;
        let folder = Folder::create(&self.out)?;
        let _lock = folder.lock()?;
        let baseline = baseline(&folder, self.baseline.as_deref())?;
        // A list that cannot be read after the last stage would cost the whole run.
        KnownIssues::read(&folder.known_issues())?;
        let (night, mut state) = begin(&folder, &plan, build, self.resume, &|text| output::say(text))?;
        let mut view = Stages::new(state.stages.len());
        let mut look = |state: &NightState, place: usize| {
            let stage = &state.stages[place];
            view.at(place, &stage.name, &stage.last);
        };
        let mut run = Night {
            folder: &folder,
            night: &night,
            plan: &plan,
            assay: &assay,
            stop: &STOP,
            look: &mut look,
        };
        let is_over = run.stages(&mut state)?;
        let morning = if is_over { finalize(&run, &mut state, baseline.as_ref())? } else { None };
        let Some(morning) = morning else {
            state.write(&night)?;
            let out = self.out.display();
            output::say(format_args!("interrupted; go on with `assay nightly --out {out} --resume`"));
            return Ok(ExitStatus::Interrupted);
        };
        view.finish();
        let pages = write_pages(&night, &morning)?;
        state.finished = true;
        state.write(&night)?;
        folder.prune(plan.keep)?;
        self.print(context, morning, pages)
    }

    fn print(
        &self,
        context: &Context,
        morning: NightlyReport,
        pages: Vec<PathBuf>,
    ) -> Result<ExitStatus, Failure> {
        let status = match morning.verdict.status {
            0 => ExitStatus::Held,
            1 => ExitStatus::Failed,
            _ => ExitStatus::Broke,
        };
        if context.json {
            output::print_output(&NightlyOutput { morning, pages })?;
        } else {
            output::print(&assay_reports::nightly_report::markdown(&morning))?;
            pages.iter().try_for_each(|page| output::print(&format!("{}\n", page.display())))?;
        }
        Ok(status)
    }
}

/// Writes the pages beside `morning.json`.
fn write_pages(night: &NightFolder, morning: &NightlyReport) -> Result<Vec<PathBuf>, Failure> {
    let report = night.report();
    let pages = [
        ("morning.html", assay_reports::nightly_report::html(morning)),
        ("morning.md", assay_reports::nightly_report::markdown(morning)),
        ("morning.junit.xml", assay_reports::nightly_report::junit(morning)),
    ];
    let mut paths: Vec<PathBuf> = Vec::new();
    for (name, text) in pages {
        let path: &Path = &report.join(name);
        write_bytes(path, text.as_bytes())?;
        paths.push(path.to_owned());
    }
    paths.push(night.nightly_report());
    Ok(paths)
}
