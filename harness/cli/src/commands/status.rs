//! `assay status`: shows the progress of a nightly run, read from its folder.

use std::path::PathBuf;

use assay_isa::shown;
use assay_nightly::folder::Folder;
use assay_nightly::state::{NightState, Stage, StageState, StatusOutput};
use clap::Args;

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
        if context.json {
            output::print_output(&StatusOutput { running: runs && !state.finished, state })?;
        } else {
            output::print(&page(&state, runs))?;
        }
        Ok(Exit::Held)
    }
}

fn page(state: &NightState, runs: bool) -> String {
    let how = match (state.finished, runs) {
        (true, _) => "finished",
        (false, true) => "running",
        (false, false) => "not running and not finished: `assay nightly --resume` continues it",
    };
    let resumed =
        if state.resumed > 0 { format!(", resumed {} times", state.resumed) } else { String::new() };
    let mut page = format!("night {}, begun {}{resumed}: {how}\n", state.night, shown::line(&state.began));
    let width = state.stages.iter().map(|stage| stage.name.len()).max().unwrap_or(0);
    for StageState { name, at, seconds, budget, last } in &state.stages {
        let said = match at {
            Stage::Waiting => "",
            Stage::Broke(why) | Stage::Skipped(why) => why,
            _ => last,
        };
        let line = format!("  {name:width$}  {:<11}  {seconds:>7.0} s of {budget:.0} s  {said}", at.word());
        page += &format!("{}\n", shown::line(line.trim_end()));
    }
    page
}
