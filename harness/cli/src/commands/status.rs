//! `assay status`: shows the progress of a nightly run, read from its folder.

use std::path::PathBuf;

use assay_isa::shown;
use assay_nightly::folder::Folder;
use assay_nightly::nightly_report::{NightlyReport, StatusOutput, Verdict};
use assay_nightly::state::{NightState, Stage, StageState};
use clap::Args;

use crate::commands::nightly::resume_command;
use crate::context::Context;
use crate::failure::{ExitStatus as Exit, Failure};
use crate::output;
use crate::program::RunCommand;

/// Show the progress of a nightly run: each stage, its time, and its last message.
#[derive(Args)]
pub struct Status {
    /// Folder of the campaign.
    #[arg(value_name = "DIR", default_value = "nightly")]
    folder: PathBuf,
    /// The number of the nightly run. The default is the last nightly run.
    #[arg(long, value_name = "N")]
    night: Option<u32>,
}

impl RunCommand for Status {
    fn run(&self, context: &Context) -> Result<Exit, Failure> {
        let folder = Folder::open(&self.folder)?;
        let runs = folder.is_locked()?;
        let nights = folder.nights()?;
        let night = match self.night {
            None => nights.last(),
            Some(number) => nights.iter().find(|night| night.number == number),
        };
        let Some(night) = night else {
            let which = self.night.map_or("no night".to_owned(), |number| format!("no night {number}"));
            return Err(Failure::input(format!("{}: {which} was begun", self.folder.display())));
        };
        let state = NightState::read(night)?;
        // A report that another version of assay wrote cannot be read, and is left out.
        let report = if state.finished { NightlyReport::read(&night.nightly_report()).ok() } else { None };
        let verdict = report.map(|report| report.verdict);
        if context.json {
            output::print_output(&StatusOutput { running: runs && !state.finished, state, verdict })?;
        } else {
            let resume = resume_command(night, &self.folder);
            let is_last = nights.last().is_some_and(|last| last.number == night.number);
            output::print(&page(&state, verdict.as_ref(), runs, is_last.then_some(resume)))?;
        }
        Ok(Exit::Held)
    }
}

fn page(state: &NightState, verdict: Option<&Verdict>, runs: bool, resume: Option<String>) -> String {
    let is_satisfied = verdict.is_some_and(|verdict| verdict.status == 0);
    let how = match (state.finished, runs) {
        (true, _) if is_satisfied => "finished, and the policy is satisfied",
        (true, _) => "finished, and failed",
        (false, true) if resume.is_some() => "running",
        (false, _) => "not running and not finished",
    };
    let resumed =
        if state.resumed > 0 { format!(", resumed {} times", state.resumed) } else { String::new() };
    let mut page = format!("night {}, begun {}{resumed}: {how}\n", state.night, shown::line(&state.began));
    let width = state.stages.iter().map(|stage| stage.name.len()).max().unwrap_or(0);
    for StageState { name, at, seconds, budget, last } in &state.stages {
        let said = match at {
            Stage::Waiting => "",
            Stage::Broke(why) | Stage::Skipped(why) => why,
            Stage::Failed if is_satisfied => {
                "it failed by findings that the policy allows, such as known issues"
            }
            _ => last,
        };
        let line = format!("  {name:width$}  {:<11}  {seconds:>7.0} s of {budget:.0} s  {said}", at.word());
        page += &format!("{}\n", shown::line(line.trim_end()));
    }
    for reason in verdict.iter().flat_map(|verdict| &verdict.reasons) {
        page += &format!("  * {}\n", shown::line(reason));
    }
    if let (false, false, Some(command)) = (state.finished, runs, resume) {
        page += &format!("continue it with `{command}`\n");
    }
    page
}
