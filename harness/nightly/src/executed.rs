//! Compares the modes that a stage executed with the modes that its subject supports.
//!
//! The list of supported modes comes from a separate process. A device can detect that process, and
//! declare more modes to it than in the stage. So the list is compared with the result of the
//! stage, which records the declared modes, the drawn forms and the executed forms.

use std::collections::BTreeMap;

use assay_device::Declaration;
use assay_engine::generate::Scope;
use assay_engine::stats::tally::Counts;
use assay_isa::{Instruction, asm};
use assay_records::devices::Role;
use assay_records::{Plan, RunResult};

use crate::modes::{LackingModes, ModesByForm, lacking};

/// The modes that a stage drew from.
pub(crate) struct StageModes {
    /// Listed modes from which the stage did not draw, by optype.
    pub lacking: BTreeMap<String, LackingModes>,
    /// Listed modes from which the stage drew, and whose form or function has an executed case.
    pub executed: ModesByForm,
}

impl StageModes {
    /// Compares the result of a stage with the listed modes of its subject. Returns the lacking and
    /// the executed modes.
    ///
    /// # Errors
    ///
    /// The result does not record the modes that its device declared, or records invalid ones.
    pub(crate) fn of(outcome: &RunResult, listed: &ModesByForm) -> Result<StageModes, String> {
        let setting = outcome.plan.setting();
        let devices = setting.devices.of(Role::Subject);
        let declarations = devices.map(|device| Declaration::recorded(device.protocol, &device.modes));
        let declarations = declarations.collect::<Result<Vec<_>, _>>()?;
        let is_device = ["exec:", "lib:"].iter().any(|kind| setting.subject.starts_with(kind));
        if is_device && declarations.is_empty() {
            return Err("its result does not say which modes its device declared".into());
        }
        // A device of protocol version 1 declares only optypes. For its forms, the coverage bins
        // show which were drawn.
        let has_bins = |form: &str| outcome.bins.as_ref().is_none_or(|bins| bins.forms.contains_key(form));
        let is_drawn = |mode: &Instruction| {
            declarations.iter().all(|declared| declared.covers(mode)) && has_bins(mode.form().name)
        };
        let (mut drawn, mut executed) = (ModesByForm::new(), ModesByForm::new());
        for mode in Scope::everything().modes() {
            let (form, name) = (mode.form().name, asm::mnemonic(mode));
            if !listed.get(form).is_some_and(|modes| modes.contains(&name)) || !is_drawn(mode) {
                continue;
            }
            if is_executed(outcome, form, &name) {
                executed.entry(form.to_owned()).or_default().insert(name.clone());
            }
            drawn.entry(form.to_owned()).or_default().insert(name);
        }
        Ok(StageModes { lacking: lacking(listed, &drawn), executed })
    }
}

/// Returns whether a case was executed, of the form in a campaign, or of the mode and its form in a
/// sweep.
fn is_executed(outcome: &RunResult, form: &str, mode: &str) -> bool {
    let has_case =
        |counts: Option<&Counts>| counts.is_some_and(|counts| counts.total() > counts.not_executed());
    let tally = &outcome.tally;
    let is_mode_executed = match &outcome.plan {
        Plan::Sweep { .. } => has_case(tally.functions.get(mode)),
        Plan::Fuzz { .. } | Plan::Trace { .. } => true,
    };
    is_mode_executed && has_case(tally.forms.get(form))
}
