//! `assay errata discover`: cases that tell the settings of a switch apart, found without looking at the known ones.

use assay_engine::compare::judge::Kind;
use assay_engine::compare::versus::{Bench, Outcome, Parties, SubjectAsOracle};
use assay_engine::generate::{self, LANES, Scope};
use assay_engine::triage::shrink::{Shrunk, shrink};
use assay_isa::readings::{SWITCHES, Switch};
use assay_isa::{Batch, Instruction, Oracle, Subject, asm};
use assay_vectors::Profile;
use clap::Args;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::prove::switches;
use super::{Source, profiles};
use crate::commands::witness::Witnesses;
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::output;

/// Find, for any two settings of a switch, a case in which the model differs from itself: drawn as a campaign draws its
/// cases, shrunk, and shown beside the known witnesses.
///
/// The other readings are those of --profile, and where these hide the difference, those of `literal`.
///
/// Exit status 1 tells that some pair was not told apart within --cases.
#[derive(Args)]
pub struct Discover {
    /// Errata, such as E053, and conventions, such as C001; all that have a switch by default.
    errata: Vec<String>,
    /// Cases drawn for each pair of settings at most.
    #[arg(long, value_name = "N", default_value_t = 4_000_000)]
    cases: u64,
    #[command(flatten)]
    source: Source,
}

/// What came of a pair of settings.
struct Pair {
    switch: &'static Switch,
    settings: (u8, u8),
    found: Option<Found>,
    /// Names of the known witnesses of the erratum.
    known: Vec<String>,
}

/// A case that tells two settings apart.
struct Found {
    case: Shrunk,
    /// The setting that leaves it undefined, if one does.
    undefined: Option<u8>,
    /// The profile of the other readings.
    profile: String,
}

impl Discover {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        let known = self.source.witnesses(context)?;
        let switches =
            if self.errata.is_empty() { SWITCHES.iter().collect() } else { switches(&self.errata)? };
        let literal = profiles()?.into_iter().find(|profile| profile.name == "literal");
        let bases: Vec<&Profile> = std::iter::once(&context.profile).chain(&literal).collect();
        let mut pairs = Vec::new();
        for switch in switches {
            let count = switch.settings.len() as u8;
            for settings in (1..=count).flat_map(|low| (low + 1..=count).map(move |high| (low, high))) {
                let mut found = None;
                for base in &bases {
                    if found.is_none() {
                        found = self.tell_apart(context, base, switch, settings)?;
                    }
                }
                pairs.push(Pair { switch, settings, found, known: names(&known, switch) });
            }
        }
        let silent = literal.as_ref().map_or(Vec::new(), |literal| without_literal_reading(&pairs, literal));
        if context.json {
            let rows: Vec<Value> = pairs.iter().map(|pair| pair.to_json()).collect();
            output::print_json(&json!({ "pairs": rows, "no_executable_literal_reading": silent }))?;
        } else {
            output::print(&page(&pairs, &silent))?;
        }
        Ok(Status::of(pairs.iter().all(|pair| pair.found.is_some())))
    }

    /// A case in which the model under one setting differs from the model under the other.
    fn tell_apart(
        &self,
        context: &Context,
        base: &Profile,
        switch: &'static Switch,
        (low, high): (u8, u8),
    ) -> Result<Option<Found>, Failure> {
        // A case that only the truth leaves undefined is no divergence: so each takes the truth's chair once.
        for (tested, truth) in [(low, high), (high, low)] {
            let under = |setting: u8| -> Result<Profile, Failure> {
                let mut profile = base.clone();
                profile.set_reading(&format!("{}={setting}", switch.erratum))?;
                Ok(profile)
            };
            let (tested_profile, truth_profile) = (under(tested)?, under(truth)?);
            let model = |profile: &Profile| assay_model::model(context.numbers.clone(), profile.readings);
            let subject = || -> Box<dyn Subject> { model(&tested_profile) };
            let oracle = || -> Box<dyn Oracle> { Box::new(SubjectAsOracle::new(model(&truth_profile))) };
            let parties =
                Parties { numbers: &context.numbers, profile: base, subject: &subject, oracle: &oracle };
            if let Some(case) = search(&parties, switch, self.cases)? {
                let undefined = (case.divergence.kind == Kind::CalledUndefined).then_some(tested);
                return Ok(Some(Found { case, undefined, profile: base.name.clone() }));
            }
        }
        Ok(None)
    }
}

/// The first case that diverges, by its index, shrunk.
fn search(parties: &Parties<'_>, switch: &'static Switch, cases: u64) -> Result<Option<Shrunk>, Failure> {
    let scope = Scope::filtered(|mode| switch.optypes.contains(&mode.optype()));
    let diverges = |index: u64| -> Result<Option<(Instruction, Batch)>, Failure> {
        let (mut batch, mut bench) = (Batch::default(), Bench::new(parties));
        let draw =
            generate::from_stream((0, index), parties.numbers, LANES, &mut Vec::new(), &mut batch, |u| {
                scope.instruction(u)
            });
        let instruction =
            draw.map_err(|e| Failure::harness(format!("batch {index} cannot be drawn: {e}")))?;
        let contract = parties.profile.contract_for(&instruction);
        let judged = bench.run(&contract, &instruction, &batch)? == Outcome::Judged;
        let lane = bench.verdicts.diverged.first().filter(|_| judged).map(|(lane, _)| *lane);
        Ok(lane.map(|lane| (instruction, batch.single(lane))))
    };
    let batches = (0..cases.div_ceil(LANES as u64)).into_par_iter();
    let found = batches.map(diverges).find_map_first(Result::transpose).transpose()?;
    let Some((instruction, batch)) = found else { return Ok(None) };
    Ok(shrink(parties, &mut Bench::new(parties), &instruction, &batch)?)
}

fn names(known: &Witnesses, switch: &Switch) -> Vec<String> {
    known.cases(switch.erratum).map(|case| case.name.clone()).collect()
}

/// The errata whose setting in `literal` leaves cases undefined that another setting decides.
fn without_literal_reading(pairs: &[Pair], literal: &Profile) -> Vec<String> {
    let set = |switch: &Switch| literal.readings.setting(switch.erratum);
    let open = pairs.iter().filter(|pair| {
        let undefined = pair.found.as_ref().and_then(|found| found.undefined);
        undefined.is_some() && undefined == set(pair.switch)
    });
    let mut errata: Vec<String> = open.map(|pair| pair.switch.erratum.to_string()).collect();
    errata.dedup();
    errata
}

impl Pair {
    fn inputs(small: &Shrunk) -> String {
        let inputs = small.batch.lane(0).map(|(location, value)| match location.is_predicate() {
            true => format!("{location}={}", value != 0),
            false => format!("{location}={value:#x}"),
        });
        inputs.collect::<Vec<_>>().join(" ")
    }

    fn to_json(&self) -> Value {
        let found = self.found.as_ref().map(|Found { case: small, undefined, profile }| {
            let inputs: serde_json::Map<String, Value> =
                small.batch.lane(0).map(|(l, v)| (l.to_string(), json!(format!("{v:#010x}")))).collect();
            json!({ "asm": asm::print(&small.instruction), "inputs": inputs, "undefined_under": undefined, "profile": profile })
        });
        let (low, high) = self.settings;
        json!({
            "erratum": self.switch.erratum.to_string(), "settings": [low, high], "found": found, "known": self.known,
        })
    }

    fn line(&self) -> String {
        let (low, high) = self.settings;
        let found = match &self.found {
            None => "NOT FOUND".to_owned(),
            Some(Found { case: small, undefined, profile }) => {
                let base = if profile == "literal" { "  (other readings: literal)" } else { "" };
                let open =
                    undefined.map_or(String::new(), |setting| format!("  (undefined under {setting})"));
                format!("{}  {}{open}{base}", asm::print(&small.instruction), Pair::inputs(small))
            }
        };
        let known = self
            .known
            .first()
            .map_or("none".into(), |name| format!("{name} and {} more", self.known.len() - 1));
        format!("{}  {low} / {high}  {found}\n             known: {known}\n", self.switch.erratum)
    }
}

fn page(pairs: &[Pair], silent: &[String]) -> String {
    let found = pairs.iter().filter(|pair| pair.found.is_some()).count();
    let lines: String = pairs.iter().map(Pair::line).collect();
    format!(
        "{lines}{} pairs of settings: {found} told apart\nno executable literal reading where one is needed: {}\n",
        pairs.len(),
        if silent.is_empty() { "none".into() } else { silent.join(" ") }
    )
}
