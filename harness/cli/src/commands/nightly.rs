//! `assay nightly`: a night's plan of stages, from start to the morning page.

use std::path::{Path, PathBuf};

use assay_nightly::NightlyError;
use assay_nightly::dawn::dawn;
use assay_nightly::folder::{Folder, NightFolder};
use assay_nightly::ledger::Ledger;
use assay_nightly::morning::Morning;
use assay_nightly::plan::{DEFAULT, NightPlan};
use assay_nightly::run::Night;
use assay_nightly::state::NightState;
use assay_records::write_bytes;
use clap::Args;
use serde_json::json;

use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::interrupt::STOP;
use crate::output;
use crate::progress::Stages;
use assay_runner::build;

/// Run a night: stages with time budgets, one after the other, then a page that says what changed.
///
/// Each stage is a command of assay in a process of its own. What they find goes into the ledger of the campaign's folder, and
/// every case of the ledger is replayed, so that what is new, known, expected, fixed, back again or flaky is told apart.
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
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        if self.print_plan {
            output::print(DEFAULT)?;
            return Ok(Status::Held);
        }
        let plan = NightPlan::load(self.config.as_deref())?;
        let assay = std::env::current_exe().map_err(|e| Failure::harness(format!("assay itself: {e}")))?;
        let build = build::identity()?;
        let folder = Folder::create(&self.out)?;
        let _lock = folder.lock()?;
        let baseline = self.baseline(&folder)?;
        // A list that cannot be read after the last stage would cost the whole run.
        Ledger::read(&folder.ledger())?;
        let (night, mut state) = self.begin(&folder, &plan, build)?;
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
        let morning = if is_over { dawn(&run, &mut state, baseline.as_ref())? } else { None };
        let Some(morning) = morning else {
            state.write(&night)?;
            let out = self.out.display();
            output::say(format_args!("interrupted; go on with `assay nightly --out {out} --resume`"));
            return Ok(Status::Interrupted);
        };
        view.finish();
        let pages = write_pages(&night, &morning)?;
        state.finished = true;
        state.write(&night)?;
        folder.prune(plan.keep)?;
        self.print(context, &morning, &pages)
    }

    /// The night to run: the unfinished one, or the next.
    fn begin(
        &self,
        folder: &Folder,
        plan: &NightPlan,
        build: String,
    ) -> Result<(NightFolder, NightState), Failure> {
        let last = folder.nights()?.pop().filter(|night| night.state().exists());
        if let Some(night) = last {
            let number = night.number;
            match NightState::read(&night) {
                Ok(state) if state.finished => {}
                Ok(mut state) if self.resume => {
                    same(&state, plan, &build, &night)?;
                    state.resumed += 1;
                    state.write(&night)?;
                    output::say(format_args!("going on with night {number}"));
                    return Ok((night, state));
                }
                Ok(_) => output::say(format_args!(
                    "night {number} was not finished, and stays as it is; --resume would have gone on with it"
                )),
                // Nobody can go on with it, and the ledger is of all versions.
                Err(NightlyError::Version { .. }) => {
                    output::say(format_args!(
                        "night {number} is of another version of assay, and stays as it is"
                    ));
                }
                Err(error) => return Err(error.into()),
            }
        }
        let night = folder.begin()?;
        write_bytes(&night.plan(), plan.to_yaml().as_bytes())?;
        let state = NightState::new(plan, night.number, build);
        state.write(&night)?;
        Ok((night, state))
    }

    fn baseline(&self, folder: &Folder) -> Result<Option<Morning>, Failure> {
        let Some(name) = &self.baseline else { return Ok(None) };
        let path = match name.parse::<u32>() {
            Err(_) => PathBuf::from(name),
            Ok(number) => {
                let night = folder.nights()?.into_iter().find(|night| night.number == number);
                let none = || Failure::input(format!("--baseline {number}: there is no such night"));
                night.ok_or_else(none)?.morning()
            }
        };
        Ok(Some(Morning::read(&path)?))
    }

    fn print(&self, context: &Context, morning: &Morning, pages: &[PathBuf]) -> Result<Status, Failure> {
        if context.json {
            output::print_json(&json!({ "morning": morning, "pages": pages }))?;
        } else {
            output::print(&assay_reports::morning::markdown(morning))?;
            pages.iter().try_for_each(|page| output::print(&format!("{}\n", page.display())))?;
        }
        Ok(match morning.verdict.status {
            0 => Status::Held,
            1 => Status::Failed,
            _ => Status::Broke,
        })
    }
}

/// A night is of one plan and one program: what two of them found is not one night's.
fn same(state: &NightState, plan: &NightPlan, build: &str, night: &NightFolder) -> Result<(), Failure> {
    let changed = match () {
        () if state.plan != plan.digest() => "the plan is another one",
        () if state.build != build => "assay is another build",
        () => return Ok(()),
    };
    let (number, was) = (state.night, night.plan());
    Err(Failure::input(format!(
        "night {number} cannot be gone on with: {changed} than when it began ({}); leave out --resume to begin the next",
        was.display()
    )))
}

/// Writes the pages beside `morning.json`.
fn write_pages(night: &NightFolder, morning: &Morning) -> Result<Vec<PathBuf>, Failure> {
    let report = night.report();
    let pages = [
        ("morning.html", assay_reports::morning::html(morning)),
        ("morning.md", assay_reports::morning::markdown(morning)),
        ("morning.junit.xml", assay_reports::morning::junit(morning)),
    ];
    let mut paths: Vec<PathBuf> = Vec::new();
    for (name, text) in pages {
        let path: &Path = &report.join(name);
        write_bytes(path, text.as_bytes())?;
        paths.push(path.to_owned());
    }
    paths.push(night.morning());
    Ok(paths)
}
