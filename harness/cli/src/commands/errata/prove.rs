//! `assay errata`: the readings of the specification's defects, and the witnesses that tell them apart.

use std::path::PathBuf;

use assay_isa::readings::{Erratum, SWITCHES, Switch};
use assay_vectors::profile::BUILT_IN;
use assay_vectors::{Basis, Profile, Suite};
use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};

use super::eval::said;
use super::fuzz::globs;
use super::judgement::{Answered, show, spoken_json};
use super::vectors::suites;
use super::witness::{self, Group, Witness, cases, gaps, groups};
use crate::context::Context;
use crate::failure::{Failure, Status};

/// The defects of the specification: their readings, and the cases that tell these apart.
///
/// A defective sentence allows several executable readings. Each that changes a result is a switch, named
/// by its erratum; a profile sets them all, and --reading E053=1 overrides one.
#[derive(Subcommand)]
pub enum Errata {
    List(List),
    Show(Show),
    Prove(Prove),
}

/// List the errata that have a switch: its setting in each built-in profile, and on what evidence.
#[derive(Args)]
pub struct List {
    /// Only these errata or optypes, such as E053, 'E05?' or FLO; everything by default.
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    only: Vec<String>,
    #[command(flatten)]
    source: Source,
}

/// Explain errata: the question, what each setting means and who takes it, and the witnesses, each with
/// what model and oracle answer now.
#[derive(Args)]
pub struct Show {
    /// Errata, such as E053; `assay errata list` has them all.
    #[arg(required = true)]
    errata: Vec<String>,
    #[command(flatten)]
    source: Source,
}

/// Prove that every setting is a reading of its own: model and oracle both do what its witnesses expect,
/// and for any two settings of a switch some instruction and inputs tell them apart.
///
/// Exit status 1 tells that an erratum is not proved; its line says why, and --format json gives every
/// reason. Witnesses are made for the profile of their file: under another --profile some need not hold.
#[derive(Args)]
pub struct Prove {
    /// Errata, such as E053; all that have a switch by default.
    errata: Vec<String>,
    #[command(flatten)]
    source: Source,
}

/// Where the witnesses are.
#[derive(Args)]
struct Source {
    /// File or folder of the witnesses: cases whose provenance is {source: erratum, ref: E053}.
    #[arg(long, value_name = "FILE|DIR", default_value = "vectors/data/witnesses")]
    vectors: PathBuf,
}

impl Source {
    fn suites(&self) -> Result<Vec<Suite>, Failure> {
        if !self.vectors.exists() {
            let path = self.vectors.display();
            return Err(Failure::input(format!(
                "{path}: there are no witnesses; run in the project's folder, or name them with --vectors"
            )));
        }
        let suites = suites(std::slice::from_ref(&self.vectors))?;
        Ok(suites.into_iter().map(|(_, suite)| suite).collect())
    }
}

impl Errata {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        match self {
            Errata::List(list) => list.run(context),
            Errata::Show(show) => show.run(context),
            Errata::Prove(prove) => prove.run(context),
        }
    }
}

/// The switches of the errata named.
fn switches(errata: &[String]) -> Result<Vec<&'static Switch>, Failure> {
    let find = |name: &String| {
        let erratum: Erratum =
            name.parse().map_err(|e| Failure::input(format!("{e}; `assay errata list` has them all")))?;
        SWITCHES.iter().find(|s| s.erratum == erratum).ok_or_else(|| {
            Failure::input(format!(
                "{erratum} has no switch: either there is no such erratum, or every profile reads it alike \
                 (docs/readings.md); see `assay errata list`"
            ))
        })
    };
    errata.iter().map(find).collect()
}

fn built_in() -> Result<Vec<Profile>, Failure> {
    BUILT_IN.iter().map(|(name, _)| Ok(Profile::load(name)?)).collect()
}

/// What a profile sets a switch to, and why.
fn choice<'a>(profile: &'a Profile, switch: &Switch) -> (u8, &'a Basis) {
    let setting = profile.readings.iter().find(|(erratum, _)| *erratum == switch.erratum);
    (setting.expect("a profile sets every switch").1, &profile.basis[&switch.erratum])
}

fn to_json(switch: &Switch, profiles: &[Profile], suites: &[Suite]) -> Value {
    let profiles: Map<String, Value> = profiles
        .iter()
        .map(|profile| {
            let (setting, basis) = choice(profile, switch);
            let evidence = basis.evidence.to_string();
            (profile.name.clone(), json!({ "setting": setting, "evidence": evidence, "note": basis.note }))
        })
        .collect();
    json!({
        "erratum": switch.erratum.to_string(),
        "optypes": switch.optypes,
        "question": switch.question,
        "settings": switch.settings,
        "profiles": profiles,
        "witnesses": suites.iter().flat_map(|suite| cases(suite, switch.erratum)).map(|case| &case.name).collect::<Vec<_>>(),
    })
}

impl List {
    fn run(&self, context: &Context) -> Result<Status, Failure> {
        let (selected, profiles, suites) = (self.selected()?, built_in()?, self.source.suites()?);
        if context.json {
            let rows = selected.iter().map(|switch| to_json(switch, &profiles, &suites));
            crate::print_json(&Value::Array(rows.collect()))?;
            return Ok(Status::Held);
        }
        let mut page = format!("{:<9}", "erratum");
        page.extend(profiles.iter().map(|p| format!("{:<14}", p.name)));
        page += "witnesses  optypes\n";
        let mut witnesses = 0;
        for switch in &selected {
            let count = suites.iter().flat_map(|suite| cases(suite, switch.erratum)).count();
            page += &row(switch, &profiles, count);
            witnesses += count;
        }
        let settings: usize = selected.iter().map(|s| s.settings.len()).sum();
        page += &format!("{} switches, {settings} settings, {witnesses} witnesses\n", selected.len());
        crate::print(&page)?;
        Ok(Status::Held)
    }

    fn selected(&self) -> Result<Vec<&'static Switch>, Failure> {
        let names = |switch: &Switch| {
            let optypes = switch.optypes.iter().map(|optype| (*optype).to_owned());
            optypes.chain([switch.erratum.to_string()]).collect::<Vec<_>>()
        };
        let remedy = || "give errata such as E053, or optypes such as FLO".to_owned();
        let globs = globs(&self.only, SWITCHES.iter().flat_map(names), remedy)?;
        let wanted =
            |switch: &&Switch| self.only.is_empty() || names(switch).iter().any(|name| globs.is_match(name));
        Ok(SWITCHES.iter().filter(wanted).collect())
    }
}

/// A switch in two lines of the list.
fn row(switch: &Switch, profiles: &[Profile], witnesses: usize) -> String {
    let mut row = format!("{:<9}", switch.erratum.to_string());
    for profile in profiles {
        let (setting, basis) = choice(profile, switch);
        row += &format!("{:<14}", format!("{setting} {}", basis.evidence));
    }
    let optypes = match switch.optypes {
        [a, b, c, _, rest @ ..] if !rest.is_empty() => format!("{a} {b} {c} +{}", rest.len() + 1),
        few => few.join(" "),
    };
    format!("{row}{witnesses:>9}  {optypes}\n{:<9}{}\n", "", switch.question)
}

impl Show {
    fn run(&self, context: &Context) -> Result<Status, Failure> {
        let (switches, profiles, suites) = (switches(&self.errata)?, built_in()?, self.source.suites()?);
        let under = witness::profiles(context, &suites)?;
        let (mut pages, mut objects) = (Vec::new(), Vec::new());
        let mut held = true;
        for switch in switches {
            let groups = groups(context, &suites, &under, switch.erratum)?;
            held &= groups.iter().flatten().all(|witness| witness.problem().is_none());
            if context.json {
                let mut object = to_json(switch, &profiles, &suites);
                object["groups"] = groups.iter().map(|group| group_json(switch, group)).collect();
                objects.push(object);
            } else {
                pages.push(page(switch, &profiles, &groups));
            }
        }
        if context.json {
            crate::print_json(&Value::Array(objects))?;
        } else {
            crate::print(&pages.join("\n"))?;
        }
        Ok(Status::of(held))
    }
}

fn group_json(switch: &Switch, group: &Group) -> Value {
    let witness = |w: &Witness| {
        let answers = w.execution.judgement.answers.iter();
        json!({
            "name": w.case.name,
            "setting": w.setting,
            "answers": answers.map(|a| (a.voice.clone(), spoken_json(&a.spoken))).collect::<Map<_, _>>(),
            "problem": w.problem(),
        })
    };
    let first = &group[0];
    json!({
        "asm": assay_isa::asm::print(&first.execution.instruction),
        "inputs": first.case.inputs,
        "readings": first.other_readings(switch.erratum),
        "witnesses": group.iter().map(witness).collect::<Vec<_>>(),
    })
}

fn page(switch: &Switch, profiles: &[Profile], groups: &[Group]) -> String {
    let optypes = switch.optypes.join(" ");
    let mut page = format!("{}  {}\n{:<6}{optypes}\n\n", switch.erratum, switch.question, "");
    for (number, meaning) in (1..).zip(switch.settings) {
        page += &format!("  setting {number}: {meaning}\n");
        for profile in profiles {
            let (setting, basis) = choice(profile, switch);
            if setting == number {
                let note = if basis.note.is_empty() { String::new() } else { format!(": {}", basis.note) };
                page += &format!("    {:<9} {}{note}\n", profile.name, basis.evidence);
            }
        }
    }
    page.extend(groups.iter().map(|group| group_page(switch, group)));
    page
}

/// An instruction with its inputs, and what is said of it under each setting.
fn group_page(switch: &Switch, group: &Group) -> String {
    let first = &group[0];
    let instruction = &first.execution.instruction;
    let others = first.other_readings(switch.erratum).join(" ");
    let others = if others.is_empty() { others } else { format!("  with {others}") };
    let mut page = format!("\n  {}{others}\n", assay_isa::asm::print(instruction));
    for (location, bits) in first.case.inputs.iter() {
        page += &format!("    {:<14} {}\n", location.to_string(), show(instruction, *location, *bits));
    }
    for witness in group {
        page += &format!("    setting {}  {}\n", witness.setting, witness.case.name);
        page += &answers(witness);
        if let Some(problem) = witness.problem() {
            page += &format!("      FAILED {problem}\n");
        }
    }
    page
}

/// What model and oracle say, once if they agree.
fn answers(witness: &Witness) -> String {
    let line = |voice: &str, answer: &Answered| {
        format!("      {voice:<12} {}\n", said(&witness.execution.instruction, &answer.spoken))
    };
    match &witness.execution.judgement.answers[..] {
        [model, oracle] if model.spoken == oracle.spoken => {
            line(&format!("{}, {}", model.voice, oracle.voice), model)
        }
        differing => differing.iter().map(|answer| line(&answer.voice, answer)).collect(),
    }
}

/// What the witnesses of an erratum prove.
struct Proof {
    switch: &'static Switch,
    witnesses: usize,
    gaps: Vec<String>,
}

impl Prove {
    fn run(&self, context: &Context) -> Result<Status, Failure> {
        let suites = self.source.suites()?;
        let under = witness::profiles(context, &suites)?;
        let switches =
            if self.errata.is_empty() { SWITCHES.iter().collect() } else { switches(&self.errata)? };
        let mut proofs = Vec::new();
        for switch in switches {
            let groups = groups(context, &suites, &under, switch.erratum)?;
            let witnesses = groups.iter().map(Vec::len).sum();
            proofs.push(Proof { switch, witnesses, gaps: gaps(switch, &groups) });
        }
        if context.json {
            crate::print_json(&proofs_json(&proofs))?;
        } else {
            crate::print(&proofs_page(&proofs))?;
        }
        Ok(Status::of(proofs.iter().all(Proof::holds)))
    }
}

impl Proof {
    fn holds(&self) -> bool {
        self.gaps.is_empty()
    }

    fn settings(&self) -> usize {
        self.switch.settings.len()
    }

    fn to_json(&self) -> Value {
        json!({
            "erratum": self.switch.erratum.to_string(), "settings": self.settings(),
            "witnesses": self.witnesses, "proved": self.holds(), "failures": self.gaps,
        })
    }

    /// One line, with the first gap.
    fn line(&self) -> String {
        let Proof { switch: Switch { erratum, .. }, witnesses, gaps } = self;
        match &gaps[..] {
            [] => format!("{erratum}  proved      {} settings, {witnesses} witnesses\n", self.settings()),
            [gap] => format!("{erratum}  NOT PROVED  {gap}\n"),
            [gap, more @ ..] => format!("{erratum}  NOT PROVED  {gap}; and {} more\n", more.len()),
        }
    }
}

/// Switches, settings, witnesses, and proofs that hold.
fn totals(proofs: &[Proof]) -> [usize; 4] {
    let settings = proofs.iter().map(Proof::settings).sum();
    let witnesses = proofs.iter().map(|p| p.witnesses).sum();
    [proofs.len(), settings, witnesses, proofs.iter().filter(|p| p.holds()).count()]
}

fn proofs_json(proofs: &[Proof]) -> Value {
    let [switches, settings, witnesses, proved] = totals(proofs);
    let failures =
        |p: &Proof| p.gaps.iter().map(|gap| format!("{} {gap}", p.switch.erratum)).collect::<Vec<_>>();
    json!({
        "switches": switches, "settings": settings, "witnesses": witnesses, "proved": proved,
        "failures": proofs.iter().flat_map(failures).collect::<Vec<_>>(),
        "errata": proofs.iter().map(Proof::to_json).collect::<Vec<_>>(),
    })
}

fn proofs_page(proofs: &[Proof]) -> String {
    let [switches, settings, witnesses, proved] = totals(proofs);
    let lines: String = proofs.iter().map(Proof::line).collect();
    format!("{lines}{switches} switches, {settings} settings, {witnesses} witnesses: {proved} proved\n")
}
