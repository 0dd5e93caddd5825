//! `assay replay`: a recorded case again, explained: the word, the values, every voice, and who is to blame.

mod blame;
mod neighbours;
mod word;

use std::path::PathBuf;

use assay_engine::playback::{Record, Recorded};
use assay_isa::effect::Lanes;
use assay_isa::{Batch, Effects, Instruction};
use assay_vectors::{Case, Finding, Profile, Suite, read_suite};
use clap::Args;
use serde_json::json;

use self::blame::Blame;
use super::eval::render;
use super::judgement::{Judgement, Panel, Spoken, errata, hexadecimal, show, to_json};
use super::trace::PREFIX;
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::voices::{ORACLE, Voice};

/// One case, or every case of a file, executed again and explained.
///
/// A finding is replayed on the subject that it was found on, unless --subject names another; one of a trace holds what
/// was recorded, and is explained without the trace.
#[derive(Args)]
pub struct Replay {
    /// A case file, such as a finding.
    file: PathBuf,
    /// The voice to execute it.
    #[arg(long, value_name = "SUBJECT")]
    subject: Option<Voice>,
}

impl Replay {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        let suite = read_suite(&self.file)?;
        let profile = suite_profile(context, &suite)?;
        let mut held = true;
        let mut objects = Vec::new();
        for case in &suite.cases {
            let (page, object, case_held) = self.case(context, &profile, case)?;
            held &= case_held;
            objects.push(object);
            if !context.json {
                crate::print(&page)?;
            }
        }
        if context.json {
            crate::print_json(&json!({ "cases": objects, "held": held }))?;
        }
        Ok(Status::of(held))
    }

    fn case(
        &self,
        context: &Context,
        profile: &Profile,
        case: &Case,
    ) -> Result<(String, serde_json::Value, bool), Failure> {
        let profile = case_profile(context, profile, case)?;
        let (instruction, batch) = case.batch(&context.numbers)?;
        let (voice, mut panel) = self.panel(context, &profile, case, &batch)?;
        let judgement = panel.ask(&instruction, &batch)?;
        let is_silent = judgement.answers.first().is_some_and(|answer| answer.spoken == Spoken::Unsupported);
        if let (Some(Voice::Trace(recording)), true) = (&self.subject, is_silent) {
            let (name, path) = (&case.name, recording.path().display());
            return Err(Failure::input(format!(
                "case {name} is not in {path}, which cannot tell what became of it"
            )));
        }
        let reals = panel.reals(&instruction, &batch)?;
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
        page += &format!("\nanswers under profile {}, subject {name}\n", profile.name);
        page += &render(&instruction, &judgement);
        let truth = truth(context, &profile, case, &name, &instruction, &batch)?;
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
            page += &format!("found as: {}\n", finding.signature);
        }
        page += &blame.text();
        page += &format!("verdict: {}\n\n", judgement.verdict());
        let mut object = to_json(&instruction, batch.word(), &profile, &judgement);
        object["name"] = json!(case.name);
        object["subject"] = json!(name);
        object["neighbours"] = neighbours::json(&reals);
        object["blame"] = blame.json();
        if let Some((opinion, truth)) = &truth {
            object["against"] = json!(opinion);
            object["truth"] = to_json(&instruction, batch.word(), &profile, truth);
        }
        Ok((page, object, judgement.held()))
    }

    /// The voices that a case is put before, and the first of them if it can be asked about other cases. A finding of a
    /// trace needs no trace: it holds what was recorded.
    fn panel(
        &self,
        context: &Context,
        profile: &Profile,
        case: &Case,
        batch: &Batch,
    ) -> Result<(Option<Voice>, Panel), Failure> {
        let numbers = &context.numbers;
        let voice = match (&self.subject, &case.finding) {
            (Some(voice), _) => voice.clone(),
            (None, Some(finding)) if finding.subject.starts_with(PREFIX) => {
                let panel = Panel::recorded(recorded(finding, batch), numbers, profile);
                return Ok((None, panel));
            }
            (None, Some(finding)) => voice_of(case, &finding.subject)?,
            (None, None) => Voice::Model,
        };
        let panel = Panel::new(voice.clone(), against(case)?, numbers, profile);
        let can_be_asked = !matches!(voice, Voice::Trace(_));
        Ok((can_be_asked.then_some(voice), panel))
    }
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

/// Whom a finding was held against, if that was not the oracle.
fn against(case: &Case) -> Result<Option<Voice>, Failure> {
    let named = case.finding.as_ref().map(|finding| finding.oracle.as_str()).filter(|name| *name != ORACLE);
    named.map(|name| voice_of(case, name)).transpose()
}

/// Where a finding was held against another subject: who that is, and what the oracle says about both.
fn truth(
    context: &Context,
    profile: &Profile,
    case: &Case,
    subject: &str,
    instruction: &Instruction,
    batch: &Batch,
) -> Result<Option<(String, Judgement)>, Failure> {
    let Some(opinion) = against(case)? else { return Ok(None) };
    let numbers = &context.numbers;
    let name = opinion.to_string();
    let mut panel = Panel::pair(voice_of(case, subject)?, None, numbers, profile).and(opinion, numbers);
    Ok(Some((name, panel.ask(instruction, batch)?)))
}

fn voice_of(case: &Case, name: &str) -> Result<Voice, Failure> {
    let unknown =
        |e: String| Failure::input(format!("case {}: the voice `{name}` is unknown: {e}", case.name));
    name.parse().map_err(unknown)
}

/// The profile of a suite's cases: the one asked for, else the suite's.
pub(super) fn suite_profile(context: &Context, suite: &Suite) -> Result<Profile, Failure> {
    Ok(match &suite.profile {
        Some(name) if !context.profile_is_given => Profile::load(name)?,
        _ => context.profile.clone(),
    })
}

/// The profile of a case: its suite's, with the case's own readings on top and those of the command line
/// above all.
pub(super) fn case_profile(context: &Context, suite: &Profile, case: &Case) -> Result<Profile, Failure> {
    let mut profile = suite.clone();
    for (erratum, setting) in case.readings.iter().chain(context.overrides.iter()) {
        profile.set_reading(&format!("{erratum}={setting}"))?;
    }
    Ok(profile)
}
