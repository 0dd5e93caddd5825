//! `assay errata prove`: the witnesses show that every setting is a reading of its own.

use std::collections::HashSet;

use assay_isa::readings::{SWITCHES, Switch};
use clap::Args;
use serde_json::{Value, json};

use super::{Source, named};
use crate::commands::witness::gaps;
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::output;

/// Prove that every setting is a reading of its own: model and oracle both do what its witnesses expect,
/// and for any two settings of a switch some instruction and inputs tell them apart.
///
/// Exit status 1 tells that an erratum is not proved; its line says why, and --format json gives every
/// reason. Witnesses are made for the profile of their file: under another --profile some need not hold.
#[derive(Args)]
pub struct Prove {
    /// Errata, such as E053, and conventions, such as C001; all that have a switch by default.
    errata: Vec<String>,
    #[command(flatten)]
    source: Source,
}

/// The switches of the errata and conventions named.
pub(super) fn switches(names: &[String]) -> Result<Vec<&'static Switch>, Failure> {
    let switch = |name: &String| -> Result<&'static Switch, Failure> {
        let known = SWITCHES.iter().find(|switch| switch.erratum.to_string() == *name);
        if let Some(switch) = known {
            return Ok(switch);
        }
        let id = named(std::slice::from_ref(name))?[0].id;
        Err(Failure::input(format!(
            "{id} has no switch, for every profile reads it alike; `assay errata show {id}` says how"
        )))
    };
    let mut switches: Vec<&'static Switch> = names.iter().map(switch).collect::<Result<_, Failure>>()?;
    let mut seen = HashSet::new();
    switches.retain(|switch| seen.insert(switch.erratum));
    Ok(switches)
}

/// What the witnesses of an erratum prove.
struct Proof {
    switch: &'static Switch,
    witnesses: usize,
    gaps: Vec<String>,
}

impl Prove {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        let witnesses = self.source.witnesses(context)?;
        let switches =
            if self.errata.is_empty() { SWITCHES.iter().collect() } else { switches(&self.errata)? };
        let mut proofs = Vec::new();
        for switch in switches {
            let groups = witnesses.groups(context, switch.erratum)?;
            let count = groups.iter().map(Vec::len).sum();
            proofs.push(Proof { switch, witnesses: count, gaps: gaps(switch, &groups) });
        }
        if context.json {
            output::print_json(&proofs_json(&proofs))?;
        } else {
            output::print(&proofs_page(&proofs))?;
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
