//! Formats the findings of a run as text.

use std::path::PathBuf;

use assay_engine::triage::explain::settings::SettingsThatExplain;
use assay_isa::Erratum;
use assay_isa::readings::Switch;
use assay_isa::shown::plural;
use assay_records::RunResult;
use assay_runner::findings::RunFindings;

use super::reported;

/// Returns the brief page of a campaign with its findings. It begins with the settings of readings
/// under which most divergences would vanish.
pub fn brief(found: &RunFindings, paths: &[PathBuf], outcome: &RunResult) -> String {
    let page = assay_reports::brief(outcome, &reported::ended(found, paths, outcome.plan.setting()));
    remedy(found.otherwise.as_ref()) + &page
}

/// Returns the whole page of a run with its findings. It begins with the settings of readings under
/// which most divergences would vanish. The page's first line, the conclusion, is left out, because
/// it is printed with the verdict at the end.
pub fn page(found: &RunFindings, paths: &[PathBuf], outcome: &RunResult) -> String {
    let page = assay_reports::text(outcome, &reported::ended(found, paths, outcome.plan.setting()));
    let rest = page.split_once('\n').map_or(&page[..], |(_conclusion, rest)| rest);
    remedy(found.otherwise.as_ref()) + rest
}

/// Returns the settings of readings under which most divergences would vanish, with their meaning.
/// Empty if there are none.
pub fn remedy(otherwise: Option<&SettingsThatExplain>) -> String {
    let Some(SettingsThatExplain { settings, vanishing, asked }) = otherwise else { return String::new() };
    let meaning = |(erratum, setting): &(Erratum, u8)| {
        let switch = Switch::of(*erratum).expect("it has a setting");
        let text = switch.meaning(*setting);
        format!("  --reading {erratum}={setting}  {}: {text}\n", switch.question)
    };
    let lines: String = settings.iter().map(meaning).collect();
    format!("{vanishing} of the {asked} tested divergences vanish under another setting:\n{lines}")
}

/// Returns a text about the divergences that were not examined. Empty if all were examined.
pub fn warning(found: &RunFindings) -> String {
    match found.unexamined.total() {
        0 => String::new(),
        all => format!(
            "{} not examined, for other findings came first:\n  run again when these are mended\n",
            plural(all, "divergence was", "divergences were")
        ),
    }
}
