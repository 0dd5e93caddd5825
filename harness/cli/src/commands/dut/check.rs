//! `assay dut check`: checks whether a device is ready for a campaign.

use std::path::Path;

use assay_device::TransportKind;
use assay_device::check::{COUNT, CheckOutcome, CheckOutput, Checked};
use assay_isa::shown;
use assay_runner::devices::check::check_device;
use clap::Args;

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::implementations::tell;
use crate::output;
use crate::progress::Progress;

/// Check whether a device is ready for a campaign, and measure its speed.
///
/// The device must follow the protocol. A case must have the same result in every lane, batch
/// order, batch size, handle and thread. In a few batches of each optype, the results of the device
/// must satisfy the profile. Failed checks are listed at the end, in the order in which to fix
/// them. A check stops after 15 seconds and reports how many batches it covered.
///
/// Exit status 1 means that a check failed. A check that does not apply does not fail.
#[derive(Args)]
pub struct DutCheck {
    /// A command that speaks the protocol, or `lib:PATH` for a shared library.
    #[arg(value_name = "COMMAND|lib:PATH", value_parser = device)]
    device: TransportKind,
}

/// Reads a device in the syntax of `--subject` (`exec:COMMAND` or `lib:PATH`), or as a bare
/// command.
fn device(text: &str) -> Result<TransportKind, String> {
    let is_named = text.starts_with("exec:") || text.starts_with("lib:");
    // The system searches for a command without a slash only in the folders of PATH.
    let command = if is_named { "" } else { text.split(' ').next().unwrap_or_default() };
    let is_found = || {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|folder| folder.join(command).is_file())
    };
    let is_library = command.ends_with(".so");
    if !command.contains('/') && !is_library && Path::new(command).is_file() && !is_found() {
        return Err(format!("`{command}` is a file in this folder; write ./{command} to run it"));
    }
    let kind = if is_named { text.parse() } else { format!("exec:{text}").parse() };
    kind.map_err(|e: assay_device::UnknownDevice| e.to_string())
}

impl DutCheck {
    /// Checks that the library exists. Whether the device starts is a check of its own.
    pub fn check(&self) -> Result<(), Failure> {
        match &self.device {
            TransportKind::Lib(path) if !path.is_file() => {
                Err(Failure::input(format!("{}: no such file", path.display())))
            }
            _ => Ok(()),
        }
    }

    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let mut progress = Progress::new("checks", Some(COUNT as u64));
        let mut begun = 0;
        let mut begins = || {
            progress.at(begun, 0);
            begun += 1;
        };
        let list = check_device(context, &self.device, &mut begins, tell);
        progress.finish();
        let held = list.iter().all(|checked| checked.outcome != CheckOutcome::Failed);
        let profile = shown_profile(context)?;
        if context.json {
            let device = self.device.to_string();
            output::print_output(&CheckOutput { device, profile, checks: list, held })?;
        } else {
            let lines: String = list.iter().map(line).collect();
            output::print(&format!("{lines}{}profile {profile}\n", summary(&list)))?;
        }
        Ok(ExitStatus::of(held))
    }
}

/// Returns the name of the profile, and the built-in profile that demands more, if any.
fn shown_profile(context: &Context) -> Result<String, Failure> {
    let looser = context.profile.looser().map_err(|error| Failure::harness(error.to_string()))?;
    let looser = looser.map_or(String::new(), |looser| format!(", looser than {}", looser.than));
    Ok(format!("{}{looser}", context.profile.name))
}

/// Returns text with the counts of checks by outcome, and the fixes in the order in which to make
/// them.
fn summary(list: &[Checked]) -> String {
    let count = |outcome| list.iter().filter(|checked| checked.outcome == outcome).count();
    use CheckOutcome::{Failed, Ok, Skipped, Untried};
    let [ok, failed, skipped, untried] = [Ok, Failed, Skipped, Untried].map(count);
    let untried = if untried == 0 { String::new() } else { format!(", {untried} were not tried") };
    let mut text = format!("\n{ok} checks held, {failed} failed, {skipped} do not apply{untried}\n");
    let mends = list.iter().filter_map(|checked| Some((checked.check, checked.mend?)));
    for (nth, (check, mend)) in mends.enumerate() {
        let head = if nth == 0 { "to fix, in this order:\n" } else { "" };
        text += &format!("{head}{:>3}. {check}: {mend}\n", nth + 1);
    }
    text
}

fn line(checked: &Checked) -> String {
    let outcome = match checked.outcome {
        CheckOutcome::Ok => "ok",
        CheckOutcome::Failed => "FAILED",
        CheckOutcome::Skipped => "skipped",
        CheckOutcome::Untried => "untried",
    };
    format!("{outcome:<8} {:<30} {}\n", checked.check, shown::line(&checked.detail))
}
