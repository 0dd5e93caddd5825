//! `assay errata settle`: determines which readings a subject follows, with the inputs of the
//! witnesses.

use assay_hardware::trace::Header;
use assay_isa::shown::plural;
use assay_records::commands::errata::SettledOutput;
use assay_runner::errata::settle::{Settled, settle, shows_nothing, trace_of};
use assay_runner::subjects::trace_file::device;
use assay_vectors::Profile;
use clap::Args;

use super::Source;
use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::implementations::{SubjectName, parse_implementation};
use crate::output;

/// Determine which readings a subject follows.
///
/// The subject executes the inputs of the witnesses, and the oracle judges its results under every
/// setting. The oracle refutes a setting if it refuses a result under that setting. The other
/// settings remain, if some input distinguished them from another setting. All other readings are
/// those of --profile. Use sm90 for an NVIDIA GPU. If only one setting remains, and the profile has
/// another one, the subject is tested again under the remaining setting. This second test is needed
/// because one reading can hide another.
///
/// Exit status 1 means one of these: The subject follows no setting of a switch, or another setting
/// than the profile's. The trace does not show a setting that the profile marks as measured with
/// this trace. No setting could be determined.
#[derive(Args)]
pub struct Settle {
    /// Errata such as E053, and conventions such as C001. The default is all errata and conventions
    /// that have a switch.
    errata: Vec<String>,
    /// The subject to test. `trace:FILE` tests the recording of `assay trace capture --vectors`.
    #[arg(long, value_name = "SUBJECT", default_value_t = SubjectName::MODEL, value_parser = parse_implementation)]
    subject: SubjectName,
    /// Print each setting that is the only remaining one of its switch, in the form of a profile.
    /// They are marked as measured with the trace that --subject names.
    #[arg(long)]
    yaml: bool,
    #[command(flatten)]
    source: Source,
}

impl Settle {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let shows_nothing = shows_nothing(&self.subject);
        let is_evidence = shows_nothing.is_none();
        if let Some(problem) = shows_nothing.filter(|_| self.yaml) {
            let help = "record a device with `assay trace capture --vectors`, then --subject trace:FILE";
            return Err(Failure::input(problem).help(help));
        }
        let witnesses = self.source.witnesses(context)?;
        let settled = settle(context, &self.errata, &self.subject, is_evidence, &witnesses)?;
        match (trace_of(&self.subject).filter(|_| self.yaml), context.json) {
            (Some(trace), _) => output::print(&readings(&settled, trace))?,
            (None, true) => {
                output::print_output(&settled.iter().map(settled_output).collect::<Vec<_>>())?;
            }
            (None, false) => output::print(&page(&settled, &self.subject, &context.profile))?,
        }
        // If no result distinguishes any settings, this does not count as agreement with the
        // profile.
        Ok(ExitStatus::of(settled.iter().any(Settled::tells) && settled.iter().all(Settled::agrees)))
    }
}

fn settled_output(one: &Settled) -> SettledOutput {
    SettledOutput {
        erratum: one.switch.erratum.to_string(),
        question: one.switch.question,
        outcome: one.outcome().to_owned(),
        settings: one.standing(),
        profile: one.profile,
        asked: one.asked,
        unsupported: one.unsupported,
        missing: one.missing,
        claimed: one.claim,
        refused: one.refused.clone(),
        confirmed: one.confirmed.clone(),
    }
}

fn line(one: &Settled) -> String {
    let standing = one.standing();
    let text = |setting: &u8| format!("{setting}: {}", one.switch.meaning(*setting));
    let settings = standing.iter().map(text).collect::<Vec<_>>().join("; ");
    format!(
        "{}  {:<20} {:>3} asked {:>3} unsupported  profile {}  {}\n      {}\n",
        one.switch.erratum,
        one.outcome(),
        one.asked,
        one.unsupported,
        one.profile,
        if settings.is_empty() { "-" } else { &settings },
        one.switch.question,
    )
}

fn page(settled: &[Settled], subject: &SubjectName, profile: &Profile) -> String {
    let lines: String = settled.iter().map(line).collect();
    let none = settled.iter().filter(|one| one.tells() && one.standing().is_empty()).count();
    let told = settled.iter().filter(|one| one.tells()).count() - none;
    let none = if none == 0 { String::new() } else { format!(", {none} for which no setting stands") };
    let against = settled.iter().filter(|one| !one.agrees()).count();
    let missing: usize = settled.iter().map(|one| one.missing).sum();
    let claims = |here| settled.iter().filter(|one| one.claim == Some(here)).count();
    let claims = match (claims(true), claims(false)) {
        (0, 0) => String::new(),
        (here, elsewhere) => {
            format!(
                "; of the settings that the profile marks as measured {here} by this trace, {elsewhere} by another"
            )
        }
    };
    let missing = if missing == 0 {
        String::new()
    } else {
        format!(", {} missing in the trace", plural(missing, "input", "inputs"))
    };
    let other = settled.iter().filter(|one| !one.agrees());
    let other: Vec<String> =
        other.filter_map(|one| Some(format!("--reading {}={}", one.switch.erratum, one.alone()?))).collect();
    let help = if other.is_empty() {
        String::new()
    } else {
        format!("to test it under its own settings: {}\n", other.join(" "))
    };
    format!(
        "{lines}{subject} under profile {}: {} switches, {told} determined{none}, {against} against the profile{missing}{claims}\n{help}",
        profile.name,
        settled.len()
    )
}

/// Returns each setting that is the only remaining one of its switch, in the form of a profile.
fn readings(settled: &[Settled], trace: &Header) -> String {
    let (device, hash) = (device(trace), &trace.hash);
    let alone = settled.iter().filter_map(|one| Some((one.switch.erratum, one.shown()?)));
    let line = |(erratum, setting)| {
        format!("  {erratum}: {{setting: {setting}, evidence: measured, note: {device:?}, trace: {hash}}}\n")
    };
    format!("readings:\n{}", alone.map(line).collect::<String>())
}
