//! Finds cases that distinguish the settings of a switch, without use of the known witnesses.

use assay_engine::compare::comparator::{Comparator, Setup};
use assay_engine::compare::judge::DivergenceKind;
use assay_engine::compare::reference::SubjectAsOracle;
use assay_engine::generate::{self, LANES, Scope};
use assay_engine::triage::shrink::{Shrunk, shrink};
use assay_isa::readings::Switch;
use assay_isa::{Batch, Instruction, Oracle, Subject};
use assay_vectors::Profile;
use rayon::prelude::*;

use super::profiles;
use super::prove::switches;
use crate::cases::witness::Witnesses;
use crate::context::Context;
use crate::error::RunError;

/// The search result for a pair of settings.
pub struct Pair {
    /// The switch.
    pub switch: &'static Switch,
    /// The two settings.
    pub settings: (u8, u8),
    /// The case that distinguishes the settings, if a case was found.
    pub found: Option<TellingCase>,
    /// Names of the known witnesses of the erratum.
    pub known: Vec<String>,
}

/// A case that distinguishes two settings.
pub struct TellingCase {
    /// The case, shrunk.
    pub case: Shrunk,
    /// The setting under which the case is undefined, if there is such a setting.
    pub undefined: Option<u8>,
    /// Name of the profile that gives the other readings.
    pub profile: String,
}

/// Searches for a case that distinguishes two settings, for all pairs of settings of the named
/// switches. A pair is searched at most four times: under the current profile and `literal`, with
/// either setting as the truth. Each time, up to `cases` cases are drawn. Without names, takes all
/// switches. Also returns the errata without an executable literal reading.
pub fn discover(
    context: &Context,
    errata: &[String],
    cases: u64,
    known: &Witnesses,
) -> Result<(Vec<Pair>, Vec<String>), RunError> {
    let switches = switches(errata)?;
    let literal = profiles()?.into_iter().find(|profile| profile.name == "literal");
    let bases: Vec<&Profile> = std::iter::once(&context.profile).chain(&literal).collect();
    let mut pairs = Vec::new();
    for switch in switches {
        let count = switch.settings.len() as u8;
        for settings in (1..=count).flat_map(|low| (low + 1..=count).map(move |high| (low, high))) {
            let mut found = None;
            for base in &bases {
                if found.is_none() {
                    found = tell_apart(context, base, switch, settings, cases)?;
                }
            }
            pairs.push(Pair { switch, settings, found, known: names(known, switch) });
        }
    }
    let silent = literal.as_ref().map_or(Vec::new(), |literal| without_literal_reading(&pairs, literal));
    Ok((pairs, silent))
}

/// Returns a case in which the model gives different results under the two settings.
fn tell_apart(
    context: &Context,
    base: &Profile,
    switch: &'static Switch,
    (low, high): (u8, u8),
    cases: u64,
) -> Result<Option<TellingCase>, RunError> {
    // A case that only the truth leaves undefined is not a divergence. So each of the two settings
    // takes the role of the truth once.
    for (tested, truth) in [(low, high), (high, low)] {
        let under = |setting: u8| -> Result<Profile, RunError> {
            let mut profile = base.clone();
            profile.set_reading(&format!("{}={setting}", switch.erratum))?;
            Ok(profile)
        };
        let (tested_profile, truth_profile) = (under(tested)?, under(truth)?);
        let model = |profile: &Profile| assay_session::backends::model(&context.numbers, profile.readings);
        let subject = || -> Box<dyn Subject> { model(&tested_profile) };
        let oracle = || -> Box<dyn Oracle> { Box::new(SubjectAsOracle::new(model(&truth_profile))) };
        let setup = Setup { numbers: &context.numbers, profile: base, subject: &subject, oracle: &oracle };
        if let Some(case) = search(&setup, switch, cases)? {
            let undefined = (case.divergence.kind == DivergenceKind::CalledUndefined).then_some(tested);
            return Ok(Some(TellingCase { case, undefined, profile: base.name.clone() }));
        }
    }
    Ok(None)
}

/// Returns the diverging case with the lowest index, shrunk.
fn search(setup: &Setup<'_>, switch: &'static Switch, cases: u64) -> Result<Option<Shrunk>, RunError> {
    let scope = Scope::filtered(|mode| switch.optypes.contains(&mode.optype()));
    let diverges = |index: u64| -> Result<Option<(Instruction, Batch)>, RunError> {
        let (mut batch, mut comparator) = (Batch::default(), Comparator::new(setup));
        let draw =
            generate::from_stream((0, index), setup.numbers, LANES, &mut Vec::new(), &mut batch, |u| {
                scope.instruction(u)
            });
        let instruction =
            draw.map_err(|e| RunError::harness(format!("batch {index} cannot be drawn: {e}")))?;
        let contract = setup.profile.contract_for(&instruction);
        let judged = comparator.run(&contract, &instruction, &batch)?.judged();
        let lane = judged.and_then(|judged| judged.verdicts.diverged.first()).map(|(lane, _)| *lane);
        Ok(lane.map(|lane| (instruction, batch.single(lane))))
    };
    let batches = (0..cases.div_ceil(LANES as u64)).into_par_iter();
    let found = batches.map(diverges).find_map_first(Result::transpose).transpose()?;
    let Some((instruction, batch)) = found else { return Ok(None) };
    Ok(shrink(setup, &mut Comparator::new(setup), &instruction, &batch)?)
}

fn names(known: &Witnesses, switch: &Switch) -> Vec<String> {
    known.cases(switch.erratum).map(|case| case.name.clone()).collect()
}

/// Returns the errata whose setting in `literal` leaves some case undefined, although another
/// setting defines its result.
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
