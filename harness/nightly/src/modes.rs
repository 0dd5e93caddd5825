//! Compares the modes that the subject of a nightly run supports with the modes that the plan
//! demands, and with the modes of the run before.
//!
//! A device declares its modes itself, and a campaign draws only declared modes. Without this
//! comparison, a device could hide bugs by declaring fewer modes.

use std::collections::{BTreeMap, BTreeSet};

use assay_isa::catalog;
use assay_isa::shown::plural;
use assay_records::write_json;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NightlyError;
use crate::child::{GRACE, StageExit, Watch, run};
use crate::folder::NightFolder;
use crate::plan::{CommandKind, NightPlan, StagePlan};
use crate::printed;
use crate::run::{Night, REPLAY_TIME};
use crate::words::{lists, values};

/// Version of the format.
pub const VERSION: u32 = 1;
/// Maximum number of optypes that a sentence names.
const NAMED: usize = 12;

/// Modes by form, as mnemonics with their modifiers.
pub(crate) type ModesByForm = BTreeMap<String, BTreeSet<String>>;

/// `modes.json`: the modes that the subject of a nightly run supports, and the modes that the plan
/// demands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SupportedModes {
    /// Version of the format: 1.
    pub version: u32,
    /// The supported modes by form, as mnemonics with their modifiers.
    pub supported: ModesByForm,
    /// The modes from which campaigns and sweeps with their own options can draw, by these options.
    /// The options include the subject. Options for the readings matter, because the declared modes
    /// of a device may depend on the readings.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub selections: BTreeMap<String, ModesByForm>,
    /// The modes that `modes` in the plan demands, by form.
    pub demanded: ModesByForm,
}

/// How many expected modes of an optype are lacking.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LackingModes {
    /// Number of lacking modes: the subject does not support them, or the run did not execute them.
    pub lacking: u64,
    /// Number of expected modes.
    pub of: u64,
}

/// A form in the output of `--modes`.
#[derive(Deserialize)]
struct PrintedForm {
    form: String,
    mnemonics: BTreeSet<String>,
}

impl SupportedModes {
    /// Reads the modes of a nightly run. `None` if the run has no such file. Runs of older versions
    /// have none.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is of another version.
    pub fn of_night(night: &NightFolder) -> Result<Option<SupportedModes>, NightlyError> {
        if night.modes().exists() { NightlyError::read(&night.modes(), VERSION).map(Some) } else { Ok(None) }
    }

    /// Lists the modes that the subject of a plan supports, with the options of the plan and with
    /// the options of each stage. Writes the list to the folder of the run. If the run was resumed,
    /// the list has only the modes that the subject supported in every session.
    ///
    /// # Errors
    ///
    /// The subject does not start or does not list its modes, or the list cannot be written.
    /// Returns `None` if the run was asked to stop.
    pub fn list(night: &Night<'_>) -> Result<Option<SupportedModes>, NightlyError> {
        let plan = night.plan;
        let own = selection_of_plan(plan);
        // A trace has recorded cases only, so campaigns cannot draw from it.
        let mut supported = if plan.subject.starts_with("trace:") {
            ModesByForm::new()
        } else {
            match printed_modes(night, &supported_command(&own))? {
                Some(supported) => supported,
                None => return Ok(None),
            }
        };
        let mut selections = BTreeMap::new();
        let draws = |stage: &&StagePlan| matches!(stage.kind(), CommandKind::Fuzz | CommandKind::Sweep);
        for stage in plan.stages.iter().filter(draws) {
            let selection = selection(&night.words(stage, 0));
            let key = shell_words::join(&selection);
            if selection == own || selections.contains_key(&key) {
                continue;
            }
            let Some(modes) = printed_modes(night, &supported_command(&selection))? else { return Ok(None) };
            selections.insert(key, modes);
        }
        let demanded = if plan.modes.is_empty() {
            ModesByForm::new()
        } else {
            match printed_modes(night, &demanded_command(plan))? {
                Some(demanded) => demanded,
                None => return Ok(None),
            }
        };
        if let Some(before) = SupportedModes::of_night(night.night)? {
            supported = common(&supported, &before.supported);
            for (key, modes) in &mut selections {
                *modes =
                    before.selections.get(key).map_or_else(|| modes.clone(), |before| common(modes, before));
            }
        }
        let modes = SupportedModes { version: VERSION, supported, selections, demanded };
        write_json(&night.night.modes(), &modes)?;
        Ok(Some(modes))
    }

    /// Returns the modes from which the campaign or sweep with this command can draw. `None` if
    /// these modes are not listed.
    pub(crate) fn of_stage(&self, plan: &NightPlan, words: &[String]) -> Option<&ModesByForm> {
        let selection = selection(words);
        if selection == selection_of_plan(plan) {
            Some(&self.supported)
        } else {
            self.selections.get(&shell_words::join(&selection))
        }
    }

    /// Returns the demanded modes that the subject does not support, by optype.
    pub fn undelivered(&self) -> BTreeMap<String, LackingModes> {
        lacking(&self.demanded, &self.supported)
    }

    /// Returns the demanded and supported modes that were not executed, by optype.
    pub(crate) fn undrawn(&self, executed: &ModesByForm) -> BTreeMap<String, LackingModes> {
        lacking(&common(&self.demanded, &self.supported), executed)
    }

    /// Returns the supported modes that were not executed, by optype.
    pub(crate) fn unexecuted(&self, executed: &ModesByForm) -> BTreeMap<String, LackingModes> {
        lacking(&self.supported, executed)
    }

    /// Returns the modes that the subject supported in an earlier run and no longer supports, by
    /// optype. Compares the modes under the options of the plan, and the modes under the options of
    /// each stage.
    pub fn lost(&self, before: &SupportedModes) -> BTreeMap<String, LackingModes> {
        let mut lost = lacking(&before.supported, &self.supported);
        for (options, modes) in &self.selections {
            let Some(before) = before.selections.get(options) else { continue };
            for (optype, row) in lacking(before, modes) {
                let known = lost.entry(optype).or_default();
                if row.lacking > known.lacking {
                    *known = row;
                }
            }
        }
        lost
    }
}

/// Returns the options, with their values, that decide from which modes a campaign or a sweep
/// draws.
fn selection(words: &[String]) -> Vec<String> {
    let mut selection = Vec::new();
    for option in ["--subject", "--against", "--profile", "--numbers", "--reading"] {
        let mut values = values(words, option);
        values.sort();
        selection.extend(values.into_iter().flat_map(|value| [option.to_owned(), value]));
    }
    let only = lists(words, "--only");
    if !only.is_empty() {
        selection.push("--only".to_owned());
        selection.extend(only);
    }
    selection
}

/// Returns these options with their values for a stage that has no own options.
fn selection_of_plan(plan: &NightPlan) -> Vec<String> {
    let numbers = plan.numbers.as_ref().map(|path| path.display().to_string());
    let options = [
        ("--subject", Some(plan.subject.clone())),
        ("--profile", plan.profile.clone()),
        ("--numbers", numbers),
    ];
    let given = options.into_iter().filter_map(|(option, value)| Some([option.to_owned(), value?]));
    given.flatten().collect()
}

/// Returns the command that lists the modes from which a campaign with these options draws.
fn supported_command(selection: &[String]) -> Vec<String> {
    let words = ["fuzz", "--modes", "--format", "json"].map(str::to_owned).into_iter();
    words.chain(selection.iter().cloned()).collect()
}

/// Returns the command that lists the modes that the plan demands. The command uses the model,
/// which has all modes.
pub fn demanded_command(plan: &NightPlan) -> Vec<String> {
    let words = ["gen", "--modes", "--format", "json", "--only"].map(str::to_owned).into_iter();
    words.chain(plan.modes.iter().cloned()).collect()
}

/// Returns the modes that a command with `--modes` lists. `None` if the run was asked to stop.
fn printed_modes(night: &Night<'_>, words: &[String]) -> Result<Option<ModesByForm>, NightlyError> {
    // No stage uses this folder, because names of stages have no dot.
    let folder = night.night.stage("modes.list");
    folder.create()?;
    let mut last = String::new();
    let mut look = |line: &str| line.clone_into(&mut last);
    let watch = Watch { stop: night.stop, time: REPLAY_TIME, grace: GRACE, look: &mut look };
    let end = run(&mut night.start(words), &folder.said(), &folder.log(), watch)?;
    let failed = |problem: String| {
        let problem = format!("the modes of the subject cannot be listed: {problem}");
        NightlyError::Subject { subject: night.plan.subject.clone(), problem }
    };
    match end {
        StageExit::Stopped => Ok(None),
        StageExit::Status(0) => {
            let forms: Vec<PrintedForm> = printed::read(&folder.said()).map_err(failed)?;
            Ok(Some(forms.into_iter().map(|form| (form.form, form.mnemonics)).collect()))
        }
        StageExit::Status(status) => Err(failed(format!("it ended with status {status}: {last}"))),
        StageExit::Signal(signal) => Err(failed(format!("signal {signal} ended it: {last}"))),
        StageExit::OutOfTime => Err(failed("it took too long".into())),
    }
}

/// Returns the modes that are in both lists.
fn common(one: &ModesByForm, other: &ModesByForm) -> ModesByForm {
    let both = |(form, modes): (&String, &BTreeSet<String>)| {
        let modes: BTreeSet<String> = modes.intersection(other.get(form)?).cloned().collect();
        (!modes.is_empty()).then(|| (form.clone(), modes))
    };
    one.iter().filter_map(both).collect()
}

/// Counts the modes of `wanted` that `there` lacks, by optype.
pub(crate) fn lacking(wanted: &ModesByForm, there: &ModesByForm) -> BTreeMap<String, LackingModes> {
    let mut optypes: BTreeMap<String, LackingModes> = BTreeMap::new();
    let none = BTreeSet::new();
    for (form, modes) in wanted {
        let optype = catalog().form(form).map_or(form.as_str(), |form| form.optype.name);
        let row = optypes.entry(optype.to_owned()).or_default();
        row.of += modes.len() as u64;
        row.lacking += modes.difference(there.get(form).unwrap_or(&none)).count() as u64;
    }
    optypes.retain(|_, row| row.lacking > 0);
    optypes
}

/// Returns the optypes with lacking modes as text, such as `FADD, POPC (3 of 12 modes)`.
pub fn lacking_text(optypes: &BTreeMap<String, LackingModes>) -> String {
    let one = |(optype, LackingModes { lacking, of }): (&String, &LackingModes)| {
        if lacking == of {
            optype.clone()
        } else {
            format!("{optype} ({lacking} of {})", plural(of, "mode", "modes"))
        }
    };
    let named: Vec<String> = optypes.iter().take(NAMED).map(one).collect();
    match optypes.len() - named.len() {
        0 => named.join(", "),
        more => format!("{} and {}", named.join(", "), plural(more, "more optype", "more optypes")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modes(forms: &[(&str, &[&str])]) -> ModesByForm {
        let form = |(form, modes): &(&str, &[&str])| {
            ((*form).to_owned(), modes.iter().map(|mode| (*mode).to_owned()).collect())
        };
        forms.iter().map(form).collect()
    }

    #[test]
    fn a_loss_is_named_by_optype() {
        let all: &[(&str, &[&str])] =
            &[("FADD_RR", &["FADD", "FADD.RM"]), ("FADD_RI", &["FADD"]), ("POPC_R", &["POPC"])];
        for (now, lost) in [
            (all, ""),
            (&[("POPC_R", &["POPC"][..])][..], "FADD"),
            (
                &[("FADD_RR", &["FADD", "FADD.RZ"]), ("FADD_RI", &["FADD"]), ("POPC_R", &["POPC"])],
                "FADD (1 of 3 modes)",
            ),
            (&[], "FADD, POPC"),
        ] {
            let of = |supported| SupportedModes { version: VERSION, supported, ..SupportedModes::default() };
            let (before, now) = (of(modes(all)), of(modes(now)));
            assert_eq!(lacking_text(&now.lost(&before)), lost);
            let demanding = SupportedModes { demanded: before.supported.clone(), ..now.clone() };
            assert_eq!(lacking_text(&demanding.undelivered()), lost);
            assert_eq!(common(&before.supported, &now.supported).len(), now.supported.len());
        }
        let many = (0..20).map(|n| (format!("OP{n:02}"), LackingModes { lacking: 1, of: 1 })).collect();
        assert!(lacking_text(&many).ends_with("OP11 and 8 more optypes"));
    }
}
