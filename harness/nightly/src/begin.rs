//! Chooses the nightly run to execute: the next one, or one that was not finished.

use std::path::PathBuf;

use assay_isa::shown::quoted;
use assay_records::write_bytes;

use crate::NightlyError;
use crate::files;
use crate::folder::{Folder, NightFolder};
use crate::nightly_report::NightlyReport;
use crate::plan::NightPlan;
use crate::setting::DEFAULT_PROFILE;
use crate::state::NightState;

/// Returns the folder and the state of the nightly run to execute. With `resume`, an unfinished
/// last run is continued. Otherwise it is a new run.
pub fn begin(
    folder: &Folder,
    plan: &NightPlan,
    build: String,
    resume: bool,
    say: &dyn Fn(&str),
) -> Result<(NightFolder, NightState), NightlyError> {
    same_subject(folder, plan)?;
    let last = folder.nights()?.pop().filter(|night| night.state().exists());
    if let Some(night) = last {
        let number = night.number;
        match NightState::read(&night) {
            Ok(state) if state.finished => {}
            Ok(mut state) if resume => {
                same(&state, plan, &build, &night)?;
                state.resumed += 1;
                state.note_known_issues(folder);
                state.write(&night)?;
                say(&format!("resuming nightly run {number}"));
                return Ok((night, state));
            }
            Ok(_) => say(&format!(
                "nightly run {number} was not finished and stays as it is, because a new one begins without --resume; the new one replays its findings"
            )),
            // A run of another version cannot be resumed. The next run can begin, because the
            // known-issues list is the same for all versions.
            Err(NightlyError::Version { .. }) => {
                say(&format!("nightly run {number} is of another version of assay and stays as it is"));
            }
            Err(error) => return Err(error),
        }
    }
    let night = folder.begin()?;
    write_bytes(&night.plan(), plan.to_yaml().as_bytes())?;
    let mut state = NightState::new(plan, night.number, build);
    state.note_known_issues(folder);
    state.write(&night)?;
    Ok((night, state))
}

/// Checks that the plan has the same subject and profile as the last run in the folder. Otherwise
/// the known issues would be neither replayed nor judged. The run would also be compared with runs
/// of another device.
fn same_subject(folder: &Folder, plan: &NightPlan) -> Result<(), NightlyError> {
    let profile = plan.profile.as_deref().unwrap_or(DEFAULT_PROFILE);
    // The plan of a run of another version may be unreadable. Such a run is skipped.
    let plans = folder.nights()?.into_iter().rev().map(|night| NightPlan::load(Some(&night.plan())));
    let Some(last) = plans.flatten().next() else { return Ok(()) };
    let profile_of_last = last.profile.as_deref().unwrap_or(DEFAULT_PROFILE);
    if last.subject == plan.subject && profile_of_last == profile {
        return Ok(());
    }
    let problem = format!(
        "its nightly runs are of `{}` under profile {}, and the plan is of `{}` under profile {profile}; give each a \
         folder of its own with --out, because known issues are of one subject and profile",
        last.subject, profile_of_last, plan.subject
    );
    Err(NightlyError::Input { path: folder.path().to_owned(), problem })
}

/// Reads the report of the nightly run to compare with, by the number of the run or from a file.
pub fn baseline(folder: &Folder, name: Option<&str>) -> Result<Option<NightlyReport>, NightlyError> {
    let Some(name) = name else { return Ok(None) };
    let path = match name.parse::<u32>() {
        Err(_) => PathBuf::from(name),
        Ok(number) => {
            let night = folder.nights()?.into_iter().find(|night| night.number == number);
            night.ok_or(NightlyError::NoSuchNight(number))?.nightly_report()
        }
    };
    Ok(Some(NightlyReport::read(&path)?))
}

/// Checks that plan, build and files are unchanged since the run began. A run must not mix results
/// of two plans, builds or devices.
fn same(state: &NightState, plan: &NightPlan, build: &str, night: &NightFolder) -> Result<(), NightlyError> {
    let files = files::changed(&state.files, &files::digests(plan));
    let changed = match (state.plan == plan.digest(), state.build == build, files.first()) {
        (false, ..) => "the plan is another one".to_owned(),
        (_, false, _) => "assay is another build".to_owned(),
        (.., Some(file)) => format!("`{}` is not the file that it began with", quoted(file)),
        (.., None) => return Ok(()),
    };
    Err(NightlyError::Changed { number: state.night, changed, plan: night.plan() })
}
