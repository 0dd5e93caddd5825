//! `assay coverage`: what the bins are, what a run hit of them, and what would hit one.

use std::path::PathBuf;

use assay_engine::coverage::layout::Extent;
use assay_engine::coverage::steer;
use assay_engine::coverage::{Bin, Bins, Topic};
use assay_engine::generate::Scope;
use assay_isa::{Batch, Instruction, asm};
use assay_records::Outcome;
use assay_vectors::{Case, Suite};
use clap::{Args, Subcommand};
use globset::GlobBuilder;
use serde_json::{Map, Value, json};

use super::selection::{globs, parties};
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::output;
use crate::voices::Voice;
use assay_runner::campaign::merge::read;

/// The coverage bins: what they are, what was hit, and what would hit one.
#[derive(Subcommand)]
pub enum Coverage {
    Show(Show),
    Why(Why),
}

/// Count the bins, and how many of them a run hit, by topic and by form.
#[derive(Args)]
pub struct Show {
    /// A file `result.json`, or a folder that holds one; without it the bins are counted under the profile at hand.
    result: Option<PathBuf>,
    /// Forms, such as 'FADD_*'; all of them by default.
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    only: Vec<String>,
}

/// Say what a bin is, whether a case can hit it, and which case does.
///
/// Its name is as coverage.json and `fuzz` print it, or a pattern such as 'FADD_RR rnd RP, *becomes -zero'; of
/// several that a pattern matches the first ones are told.
#[derive(Args)]
pub struct Why {
    /// Name of a bin, or a pattern.
    bin: String,
    /// Batches of 1024 cases to look for a case in.
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..))]
    batches: u64,
}

impl Coverage {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        match self {
            Coverage::Show(show) => show.run(context),
            Coverage::Why(why) => why.run(context),
        }
    }
}

/// Bins of a topic or a form: how many there are, and how many were hit.
#[derive(Clone, Copy, Default)]
struct Count {
    reachable: usize,
    impossible: usize,
    /// None where no result was given.
    hit: Option<usize>,
}

impl Count {
    fn add(&mut self, extent: &Extent, hit: Option<usize>) {
        self.reachable += extent.reachable;
        self.impossible += extent.impossible;
        self.hit = hit.map(|hit| hit + self.hit.unwrap_or(0)).or(self.hit);
    }

    fn json(&self) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("bins".into(), json!(self.reachable));
        object.insert("impossible".into(), json!(self.impossible));
        if let Some(hit) = self.hit {
            object.insert("hit".into(), json!(hit));
            object.insert("missed".into(), json!(self.reachable - hit));
        }
        object
    }

    fn text(&self) -> String {
        let hit = self.hit.map_or(String::new(), |hit| {
            let share = 100.0 * hit as f64 / self.reachable.max(1) as f64;
            format!(" {hit:>9} {:>9} {:>8.2} %", self.reachable - hit, (100.0 * share).floor() / 100.0)
        });
        format!("{:>9} {:>10}{hit}", self.reachable, self.impossible)
    }
}

impl Show {
    fn run(&self, context: &Context) -> Result<Status, Failure> {
        let outcome = self.result.as_deref().map(read).transpose()?;
        let layout = match &outcome {
            None => Bins::crossed(Scope::everything(), &context.profile.readings).layout(),
            Some(Outcome { bins: Some(bins), .. }) => bins.clone(),
            Some(_) => {
                return Err(Failure::input(
                    "the result has no list of coverage bins: it is of a run that counts none, or of an earlier \
                     version of assay; run `assay fuzz` again",
                ));
            }
        };
        let names = || layout.forms.keys().cloned();
        let wanted = globs(&self.only, names(), || format!("the result has {} forms", layout.forms.len()))?;
        let mut topics: Vec<(Topic, Count)> =
            Topic::ALL.into_iter().map(|topic| (topic, Count::default())).collect();
        let mut forms: Vec<(String, Count)> = Vec::new();
        for form in names().filter(|form| self.only.is_empty() || wanted.is_match(form)) {
            let mut all = Count::default();
            for (topic, count) in &mut topics {
                let extent = layout.extent(&form, *topic);
                let hit = outcome.as_ref().map(|outcome| extent.hit(&outcome.tally.coverage));
                count.add(&extent, hit);
                all.add(&extent, hit);
            }
            forms.push((form, all));
        }
        topics.retain(|(_, count)| count.reachable + count.impossible > 0);
        if context.json {
            let named = |(name, count): (String, &Count)| (name, Value::from(count.json()));
            let by_topic = topics.iter().map(|(topic, count)| named((topic.name().to_owned(), count)));
            let by_form = forms.iter().map(|(form, count)| named((form.clone(), count)));
            output::print_json(&json!({
                "digest": layout.digest,
                "topics": by_topic.collect::<Map<_, _>>(),
                "forms": by_form.collect::<Map<_, _>>(),
            }))?;
            return Ok(Status::Held);
        }
        let hit = if outcome.is_some() { "       hit    missed      share" } else { "" };
        let mut page = format!("{:<16}      bins impossible{hit}\n", "topic");
        for (topic, count) in &topics {
            page += &format!("{:<16} {}  {}\n", topic.name(), count.text(), topic.about());
        }
        page += &format!("\n{:<16}      bins impossible{hit}\n", "form");
        for (form, count) in &forms {
            page += &format!("{form:<16} {}\n", count.text());
        }
        output::print(&page)?;
        Ok(Status::Held)
    }
}

/// Bins of a pattern that are told in full.
const TOLD: usize = 3;
/// Names that come near to one that there is not.
const NEAREST: usize = 5;

impl Why {
    fn run(&self, context: &Context) -> Result<Status, Failure> {
        let bins = Bins::crossed(Scope::everything(), &context.profile.readings);
        let glob = GlobBuilder::new(&self.bin).build();
        let glob = glob.map_err(|e| Failure::input(format!("{}: {e}", self.bin)))?.compile_matcher();
        let found: Vec<Bin> =
            bins.iter().filter(|bin| bin.name == self.bin || glob.is_match(&bin.name)).collect();
        if found.is_empty() {
            return Err(Failure::input(format!(
                "there is no bin {}; names that come near:\n  {}",
                self.bin,
                nearest(&self.bin, &bins).join("\n  ")
            )));
        }
        let mut told = Vec::new();
        for bin in found.iter().take(TOLD) {
            told.push((bin, self.case(context, &bins, bin)?));
        }
        if context.json {
            let list = told.iter().map(|(bin, case)| told_json(context, bin, case.as_ref()));
            output::print_json(
                &json!({ "matches": found.len(), "bins": list.collect::<Result<Vec<_>, _>>()? }),
            )?;
        } else {
            let mut page = String::new();
            for (bin, case) in &told {
                page += &self.told(context, bin, case.as_ref())?;
            }
            if found.len() > told.len() {
                page += &format!("{} bins match; these are the first {TOLD}\n", found.len());
            }
            output::print(&page)?;
        }
        Ok(Status::of(told.iter().all(|(bin, case)| bin.unreachable.is_some() || case.is_some())))
    }

    /// A case that hits a bin, if one can and is found.
    fn case(
        &self,
        context: &Context,
        bins: &Bins,
        bin: &Bin,
    ) -> Result<Option<(Instruction, Batch)>, Failure> {
        if bin.unreachable.is_some() {
            return Ok(None);
        }
        let subject = || context.subject(&Voice::Model);
        let oracle = || context.oracle(None);
        let parties = parties(context, &subject, &oracle);
        Ok(steer::find(&parties, Scope::everything(), bins, bin.place, self.batches)?)
    }

    fn told(
        &self,
        context: &Context,
        bin: &Bin,
        case: Option<&(Instruction, Batch)>,
    ) -> Result<String, Failure> {
        let mut page = format!("{}\n  {}: {}\n", bin.name, bin.topic.name(), bin.topic.about());
        match (bin.unreachable, case) {
            (Some(why), _) => page += &format!("  no case hits it: {why}\n"),
            (None, None) => {
                page += &format!(
                    "  no rule says that no case hits it, and none of {} that aim at it does: a hole, or a rule that \
                     is missing; try more --batches\n",
                    self.batches * 1024
                );
            }
            (None, Some((instruction, batch))) => {
                page += &format!("  hit by\n    {}\n  as a case\n", eval_line(instruction, batch));
                let text = yaml(context, bin, instruction, batch)?;
                page += &text.lines().map(|line| format!("    {line}\n")).collect::<String>();
            }
        }
        Ok(page + "\n")
    }
}

/// The command that shows a case in every voice.
fn eval_line(instruction: &Instruction, batch: &Batch) -> String {
    let values = batch.lane(0).map(|(location, value)| match location.is_predicate() {
        true => format!(" {location}={}", value != 0),
        false => format!(" '{location}={value:#010x}'"),
    });
    format!("assay eval '{}'{}", asm::print(instruction), values.collect::<String>())
}

fn yaml(context: &Context, bin: &Bin, instruction: &Instruction, batch: &Batch) -> Result<String, Failure> {
    let case = Case { readings: context.overrides.clone(), ..Case::from_lane(instruction, batch, 0) };
    Ok(assay_vectors::suite_to_string(&Suite {
        version: assay_vectors::VERSION,
        suite: "bin".into(),
        about: bin.name.clone(),
        profile: Some(context.profile_name.clone()),
        cases: vec![Case { name: "hits-it".into(), ..case }],
    })?)
}

fn told_json(context: &Context, bin: &Bin, case: Option<&(Instruction, Batch)>) -> Result<Value, Failure> {
    let mut object = json!({
        "name": bin.name,
        "topic": bin.topic.name(),
        "reachable": bin.unreachable.is_none(),
        "reason": bin.unreachable,
    });
    if let Some((instruction, batch)) = case {
        let inputs =
            batch.lane(0).map(|(location, value)| (location.to_string(), json!(format!("{value:#010x}"))));
        object["asm"] = json!(asm::print(instruction));
        object["word"] = json!(format!("{:#034x}", batch.word()));
        object["inputs"] = inputs.collect::<Map<_, _>>().into();
        object["yaml"] = json!(yaml(context, bin, instruction, batch)?);
    }
    Ok(object)
}

/// Names of bins that resemble one.
fn nearest(name: &str, bins: &Bins) -> Vec<String> {
    let mut near: Vec<(f64, String)> =
        bins.iter().map(|bin| (strsim::sorensen_dice(name, &bin.name), bin.name)).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    near.into_iter().take(NEAREST).map(|(_, name)| name).collect()
}
