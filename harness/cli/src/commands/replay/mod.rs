//! `assay replay`: a recorded case again, explained: the word, the values, every voice, and who is to blame.

mod blame;
mod named;
mod neighbours;
mod word;

use std::path::PathBuf;

use assay_engine::run::playback::{Record, Recorded};
use assay_engine::triage::circumstance::Circumstance;
use assay_isa::effect::Lanes;
use assay_isa::{Batch, Effects, Instruction, shown};
use assay_runner::cases::suites::{SuiteFile, case_profile};
use assay_runner::inspect::again;
use assay_runner::inspect::blame::Blame;
use assay_runner::inspect::named::{Named, Subject};
use assay_runner::inspect::panel::{Judgement, Panel, Spoken};
use assay_runner::inspect::values::{errata, hexadecimal, show};
use assay_vectors::{Case, Finding, FoundAt, Profile, Shape};
use clap::Args;
use serde_json::json;

use super::eval::render;
use super::judgement::to_json;
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::output;
use crate::voices::{Voice, parse_voice};

/// One case, or every case of a file, executed again and explained.
///
/// A finding is replayed on the subject that it was found on, as far as that is part of assay. A file starts no command,
/// loads no library and opens no GPU: a finding that names one is judged on the model, the page says how to run what it
/// names, and the exit status is 2 at best. A finding of a trace holds what was recorded, and is explained without the trace.
#[derive(Args)]
pub struct Replay {
    /// A case file, such as a finding.
    file: PathBuf,
    /// The subject to execute it; by default the one that the file names.
    #[arg(long, value_name = "SUBJECT", value_parser = parse_voice)]
    subject: Option<Voice>,
    /// Hold it against this subject in the place of the oracle; by default against what the file names.
    #[arg(long, value_name = "SUBJECT", value_parser = parse_voice)]
    against: Option<Voice>,
}

impl Replay {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        let file = SuiteFile::read(&self.file)?;
        let profile = file.profile(context)?;
        let (mut held, mut is_whole) = (true, true);
        let mut objects = Vec::new();
        for case in &file.suite.cases {
            let named = Named::new(self.subject.as_ref(), self.against.as_ref(), case)?;
            let (page, object, case_held) = self.case(context, &profile, case, &named)?;
            held &= case_held;
            is_whole &= named.left_out.is_empty();
            objects.push(object);
            if !context.json {
                output::print(&page)?;
            }
        }
        if context.json {
            output::print_json(&json!({ "cases": objects, "held": held }))?;
        }
        Ok(match (held, is_whole) {
            (true, false) => Status::BadInput,
            _ => Status::of(held),
        })
    }

    fn case(
        &self,
        context: &Context,
        profile: &Profile,
        case: &Case,
        named: &Named,
    ) -> Result<(String, serde_json::Value, bool), Failure> {
        let profile = case_profile(context, profile, case)?;
        let (instruction, batch) = case.batch(&context.numbers)?;
        let mut panel = panel(context, &profile, case, &batch, named);
        let rerun = case.rerun(&context.numbers)?;
        let judgement = panel.ask_in(&instruction, &batch, rerun.as_ref())?;
        let is_silent = judgement.answers.first().is_some_and(|answer| answer.spoken == Spoken::Unsupported);
        if let (Some(Voice::Trace(recording)), true) = (&self.subject, is_silent) {
            let (name, path) = (&case.name, recording.path().display());
            return Err(Failure::input(format!(
                "case {name} is not in {path}, which cannot tell what became of it"
            )));
        }
        let reals = panel.reals(&instruction, &batch)?;
        // What a trace or a finding holds answers for no other case.
        let voice = match &named.subject {
            Subject::Recorded | Subject::Voice(Voice::Trace(_)) => None,
            Subject::Voice(voice) => Some(voice.clone()),
        };
        let again =
            again::circumstance(context, &profile, voice.as_ref(), case, (&instruction, &batch), &judgement)?;
        let blame = Blame::find(context, &profile, &mut panel, voice, &instruction, &batch, &judgement)?;
        let name = panel.subject().to_owned();
        let mut page = format!("{}: {}\n\n", case.name, assay_isa::asm::print(&instruction));
        page += &word::explain(&instruction, context);
        page += "\ninputs\n";
        for (location, bits) in batch.lane(0) {
            let hexadecimal = hexadecimal(&instruction, location, bits).unwrap_or_default();
            let shown = show(&instruction, location, bits);
            page += format!("  {:<14} {shown}  {hexadecimal}", location.to_string()).trim_end();
            page += "\n";
        }
        for left_out in &named.left_out {
            page += &format!("\n{}", named::text(left_out));
        }
        page += &format!("\nanswers under profile {}, subject {}\n", profile.name, shown::line(&name));
        page += &render(&instruction, &judgement);
        let truth = truth(context, &profile, named, &instruction, &batch)?;
        if let Some((opinion, truth)) = &truth {
            page += &format!("\n{opinion} is a subject and no oracle; before the oracle, both\n");
            page += &render(&instruction, truth);
        }
        page += &neighbours::text(&reals);
        if let Some(expected) = &case.expect {
            for (location, allowed) in expected.iter() {
                let ends: Vec<String> =
                    allowed.ends().iter().map(|v| show(&instruction, *location, *v)).collect();
                page += &format!("  expected   {location} = {allowed}: {}\n", ends.join(" or "));
            }
        }
        page += &format!("\nreadings that touch it: {}\n", errata(&instruction, &profile.readings).join(" "));
        if let Some(finding) = &case.finding {
            page += &format!("found as: {}\n", shown::line(&finding.signature));
            page += &seen(&instruction, finding);
        }
        if let Some(again) = &again {
            page += &format!("shows now: {again}\n");
        }
        page += &blame::text(&blame);
        page += &format!("verdict: {}\n\n", judgement.verdict());
        let mut object = to_json(&instruction, batch.word(), &profile, &judgement);
        object["name"] = json!(case.name);
        object["subject"] = json!(name);
        if !named.left_out.is_empty() {
            object["not_run"] = named.left_out.iter().map(named::json).collect();
        }
        object["neighbours"] = neighbours::json(&reals);
        object["blame"] = blame::json(&blame);
        if let Some(again) = &again {
            object["shows"] = json!(again.to_string());
        }
        if let Some(finding) = &case.finding {
            object["found"] = json!(finding);
        }
        if let Some((opinion, truth)) = &truth {
            object["against"] = json!(opinion);
            object["truth"] = to_json(&instruction, batch.word(), &profile, truth);
        }
        let is_gone = again.is_none_or(|again| again == Circumstance::Never);
        Ok((page, object, judgement.held() && is_gone))
    }
}

/// The subjects that a case is put before.
fn panel(context: &Context, profile: &Profile, case: &Case, batch: &Batch, named: &Named) -> Panel {
    let numbers = &context.numbers;
    match (&named.subject, &case.finding) {
        // A finding of a trace needs no trace: it holds what was recorded.
        (Subject::Recorded, Some(finding)) => Panel::recorded(recorded(finding, batch), numbers, profile),
        (Subject::Recorded, None) => Panel::new(Voice::Model, named.against.clone(), numbers, profile),
        (Subject::Voice(voice), _) => Panel::new(voice.clone(), named.against.clone(), numbers, profile),
    }
}

/// What the subject was seen to do when a finding was made.
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
        text += "  nothing explains it; it shows in these ways, each of which `assay eval` takes:\n";
    }
    for Shape { signature, asm, inputs } in finding.shapes.iter().filter(|_| finding.shapes.len() > 1) {
        let inputs: String =
            inputs.0.iter().map(|(location, value)| format!(" {location}={value:#010x}")).collect();
        text +=
            &format!("    {}\n      {}\n", shown::line(signature), shown::line(&format!("'{asm}'{inputs}")));
    }
    if finding.transient {
        text += "  the case held when it was executed alone\n";
    }
    text
}

/// What a finding says that its subject did.
fn recorded(finding: &Finding, batch: &Batch) -> Recorded {
    let mut effects = Effects::default();
    effects.reset(1);
    for (location, value) in finding.actual.iter().flat_map(|values| &values.0) {
        effects.write(*location, Lanes::All)[0] = *value;
    }
    finding.event.iter().for_each(|event| effects.event(0, *event));
    Recorded::new(finding.subject.clone(), [Record { batch: batch.clone(), effects }])
}

/// Where a case is held against another subject: who that is, and what the oracle says about both.
fn truth(
    context: &Context,
    profile: &Profile,
    named: &Named,
    instruction: &Instruction,
    batch: &Batch,
) -> Result<Option<(String, Judgement)>, Failure> {
    let (Subject::Voice(subject), Some(opinion)) = (&named.subject, &named.against) else { return Ok(None) };
    let numbers = &context.numbers;
    let mut panel = Panel::pair(subject.clone(), None, numbers, profile).and(opinion.clone(), numbers);
    Ok(Some((opinion.to_string(), panel.ask(instruction, batch)?)))
}
