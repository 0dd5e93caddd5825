//! `assay replay`: executes a recorded case again. Explains the word, the values, the answer of
//! every implementation, and the blame.

pub(super) mod blame;
mod named;
mod neighbours;
mod word;

use std::path::PathBuf;

use assay_engine::compare::shown_value::{hexadecimal, show};
use assay_engine::triage::circumstance::Circumstance;
use assay_isa::{Instruction, shown};
use assay_runner::cases::suites::SuiteFile;
use assay_runner::inspect::output::{ReplayOutput, ReplayedCase};
use assay_runner::inspect::participants::Participants;
use assay_runner::inspect::replay::{Replayed, replay};
use assay_runner::inspect::values::errata;
use assay_vectors::{BugCase, Case, Finding, FoundAt};
use clap::Args;

use super::eval::{bounds, render};
use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::implementations::{SubjectName, parse_implementation};
use crate::output;
use crate::program::RunCommand;

/// Execute the cases of a file again, and explain each.
///
/// A finding is replayed on the subject that it was found on, if that subject is part of assay. A
/// file alone never starts a command, loads a library or opens a GPU. If a finding names a subject
/// that would need this, the model is judged in place of the subject. The output then says which
/// option runs the named subject, and the exit status is 2, or 1 if a case failed. A finding of a
/// trace contains the recorded result, so it replays without the trace.
///
/// Exit status 1 means that a case failed: it diverged, its expectation contradicts the oracle, its
/// finding showed again, or it was not executed because the subject does not support it.
#[derive(Args)]
pub struct Replay {
    /// A case file, such as a finding.
    file: PathBuf,
    /// The subject to execute. The default is the subject that the file names.
    #[arg(long, value_name = "SUBJECT", value_parser = parse_implementation)]
    subject: Option<SubjectName>,
    /// Compare with this second subject, in place of the oracle. The default is the second subject
    /// that the file names, if any.
    #[arg(long, value_name = "SUBJECT", value_parser = parse_implementation)]
    against: Option<SubjectName>,
}

impl RunCommand for Replay {
    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let file = SuiteFile::read(&self.file)?;
        let profile = file.profile(context)?;
        let (mut held, mut is_whole) = (true, true);
        let mut cases = Vec::new();
        for case in &file.suite.cases {
            let named = Participants::new(self.subject.as_ref(), self.against.as_ref(), case)?;
            let replayed = replay(context, &profile, case, &named, self.subject.as_ref())?;
            held &= replayed.is_consistent();
            is_whole &= named.left_out.is_empty();
            if let Some(implementation) = replayed.declined_by() {
                let (case, implementation) = (shown::line(&case.name), shown::line(implementation));
                output::say(format_args!("{case} was not executed: {implementation} does not support it"));
            }
            if context.json {
                cases.push(ReplayedCase::new(case, &named, &replayed))
            } else {
                output::print(&page(context, case, &named, &replayed))?
            }
        }
        if context.json {
            output::print_output(&ReplayOutput { cases, held })?;
        }
        Ok(match (held, is_whole) {
            (true, false) => ExitStatus::BadInput,
            _ => ExitStatus::of(held),
        })
    }
}

/// Returns the text for a replayed case.
fn page(context: &Context, case: &Case, named: &Participants, replayed: &Replayed) -> String {
    let Replayed {
        instruction,
        batch,
        profile,
        subject,
        judgement,
        truth,
        reals,
        admitted,
        again,
        contradiction,
        blame,
    } = replayed;
    let mut page = format!("{}: {}\n\n", case.name, assay_isa::asm::print(instruction));
    page += &word::explain(instruction, context);
    page += "\ninputs\n";
    for (location, bits) in batch.lane(0) {
        let hexadecimal = hexadecimal(instruction, location, bits).unwrap_or_default();
        let shown = show(instruction, location, bits);
        page += format!("  {:<14} {shown}  {hexadecimal}", location.to_string()).trim_end();
        page += "\n";
    }
    for left_out in &named.left_out {
        page += &format!("\n{}", named::text(left_out));
    }
    page += &format!("\nanswers under profile {}, subject {}\n", profile.name, shown::line(subject));
    page += &render(instruction, judgement);
    if let Some((opinion, truth)) = truth {
        page += &format!("\n{opinion} is a subject and no oracle; before the oracle, both\n");
        page += &render(instruction, truth);
    }
    page += &neighbours::text(reals);
    page += &bounds(admitted);
    if let Some(expected) = &case.expect {
        for (location, allowed) in expected.iter() {
            let ends: Vec<String> = allowed.ends().iter().map(|v| show(instruction, *location, *v)).collect();
            page += &format!("  expected   {location} = {allowed}: {}\n", ends.join(" or "));
        }
    }
    if let Some(problem) = contradiction {
        page += &format!("  WRONG      {}\n", shown::line(problem));
    }
    page += &format!("\nreadings that touch it: {}\n", errata(instruction, &profile.readings).join(" "));
    if let Some(finding) = &case.finding {
        page += &format!("found as: {}\n", shown::line(&finding.signature));
        page += &seen(instruction, finding);
    }
    if let Some(again) = again {
        page += &format!("shows now: {again}\n");
    }
    page += &blame::text(blame);
    page += &format!("verdict: {}{}\n\n", judgement.verdict(), reservation(replayed));
    page
}

/// Returns the reason why a case can fail although the subject's answer is right. Empty if no such
/// reason applies.
fn reservation(replayed: &Replayed) -> String {
    match (&replayed.contradiction, &replayed.again) {
        (Some(_), _) => {
            format!("; the expectation of the case is wrong under profile {}", replayed.profile.name)
        }
        (None, Some(again)) if *again != Circumstance::Never => " alone; the finding still shows".to_owned(),
        (None, _) => String::new(),
    }
}

/// Returns text about the verdict and the effect that the run recorded in a finding.
fn seen(instruction: &Instruction, finding: &Finding) -> String {
    let mut text = format!("seen then: {}\n", shown::line(&finding.verdict));
    for (location, bits) in finding.actual.iter().flat_map(|values| &values.0) {
        text += &format!("  {location} = {}\n", show(instruction, *location, *bits));
    }
    if let Some(event) = &finding.event {
        text += &format!("  {event}\n");
    }
    if let Some(FoundAt { batch, lane, lanes }) = finding.place {
        text += &format!("  in lane {lane} of {lanes}, batch {batch}\n");
    }
    if finding.shapes.len() > 1 {
        text += "  it has no explanation; it shows in these ways, each a command line of `assay eval`:\n";
    }
    for BugCase { signature, asm, inputs } in finding.shapes.iter().filter(|_| finding.shapes.len() > 1) {
        let inputs: String =
            inputs.0.iter().map(|(location, value)| format!(" {location}={value:#010x}")).collect();
        text +=
            &format!("    {}\n      {}\n", shown::line(signature), shown::line(&format!("'{asm}'{inputs}")));
    }
    if finding.transient {
        text += "  executed alone, the case did not diverge each time\n";
    }
    text
}
