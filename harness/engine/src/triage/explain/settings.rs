//! Finds settings of readings and conventions under which most divergences of a run would vanish.
//! The user should try them before fixing the subject.
//!
//! The first cases of the most frequent raw keys are executed again, with cases around each. These
//! cases are judged under every other setting of the switches that affect them. A setting is
//! accepted if many divergences would pass, and hardly any right result would diverge. This must
//! hold in these cases and in drawn cases. The setting under which most divergences pass is taken
//! first. The search for the next setting starts from it.

use std::collections::BTreeMap;

use arbitrary::Unstructured;
use assay_isa::readings::Switch;
use assay_isa::{BackendError, Batch, Erratum, Oracle};
use assay_vectors::Profile;

use crate::compare::comparator::{Comparator, Setup};
use crate::compare::judge::Verdict;
use crate::generate::{Scope, from_stream};
use crate::stats::divergences::KeptDivergences;
use crate::stats::tally::Tally;
use crate::triage::explain::supposition;
use crate::triage::probe::{Probe, around};
use crate::triage::readings::{Oracles, judge_as, with_reading};
use crate::triage::{TriageError, materialise};

/// Maximum number of raw keys whose first cases are judged. The most frequent keys are taken.
const KEYS: usize = 400;

/// Number of lanes of a probe: a case and the cases around it.
const LANES: usize = 32;

/// Number of batches that are drawn to refute a setting. [`DRAWN`] is the number of lanes of each,
/// and [`SEED`] the seed of the generator.
const BATCHES: u64 = 128;
const DRAWN: usize = 256;
const SEED: u64 = 1;

/// Maximum number of settings that are reported. A longer list would not be a useful explanation.
const SETTINGS: usize = 4;

/// For this number of lanes that a setting saves, it may break one right lane. If the subject
/// follows the setting, a right lane can break only because of another bug.
const SAVED_FOR_ONE_SPOILT: u64 = 20;

/// A setting is reported only if it saves at least one in this number of divergences. A setting
/// that saves fewer explains little.
const LEAST_SAVED: u64 = 1000;

/// Settings are reported only if at most one in this number of divergences remains.
const LEFT: u64 = 4;

/// A switch, named by its erratum, and one of its settings.
pub type Set = (Erratum, u8);

/// Settings under which divergences would vanish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsThatExplain {
    /// The settings, in the order in which they were found: the most effective first.
    pub settings: Vec<Set>,
    /// Number of divergences that would vanish. All divergences of a raw key count if its first
    /// case passes under these settings together.
    pub vanishing: u64,
    /// Number of divergences of the tested raw keys.
    pub asked: u64,
}

/// A probe whose first lane diverges, and the number of divergences that this lane represents.
struct Sample {
    probe: Probe,
    weight: u64,
}

/// The effect of a setting on the samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Effect {
    /// Number of divergences that would pass.
    vanishing: u64,
    /// Number of lanes that diverge and would pass.
    saved: u64,
    /// Number of lanes that pass and would diverge.
    spoilt: u64,
}

impl Effect {
    /// Counts the lanes of a probe, and returns whether the first lane passes under a profile.
    fn count(
        &mut self,
        probe: &Probe,
        under: &Profile,
        oracle: &mut dyn Oracle,
    ) -> Result<bool, BackendError> {
        let Probe { instruction, batch, effects, verdicts, .. } = probe;
        let Some(judged) = judge_as(oracle, under, instruction, batch, effects)? else { return Ok(false) };
        for (lane, before) in verdicts.iter().enumerate() {
            let now = judged.of(lane);
            self.saved += u64::from(matches!(before, Verdict::Diverged(_)) && now.holds());
            self.spoilt += u64::from(before.holds() && matches!(now, Verdict::Diverged(_)));
        }
        Ok(judged.of(0).holds())
    }

    fn is_followed(self) -> bool {
        self.spoilt * SAVED_FOR_ONE_SPOILT <= self.saved
    }
}

/// Finds settings under which at least three in four divergences of a run would vanish. `None` if
/// there are no such settings.
///
/// # Errors
///
/// A divergence that cannot be read back, or an implementation that failed.
pub fn settings_that_explain(
    setup: &Setup<'_>,
    oracles: Oracles<'_>,
    tally: &Tally,
) -> Result<Option<SettingsThatExplain>, TriageError> {
    let samples = match samples(setup, tally) {
        Err(TriageError::Backend(BackendError::Gone { .. })) => return Ok(None),
        samples => samples?,
    };
    let follows = |under: &Profile, erratum| is_followed(setup, oracles, under, erratum);
    explain(&samples, oracles, setup.profile, &follows)
}

/// Like [`settings_that_explain`], but for recorded answers, so that no other cases can be
/// executed. The first lane of each probe diverges. The number is that of the divergences that this
/// lane represents.
///
/// # Errors
///
/// An oracle failed.
pub fn settings_that_explain_recorded(
    profile: &Profile,
    oracles: Oracles<'_>,
    probes: Vec<(Probe, u64)>,
) -> Result<Option<SettingsThatExplain>, TriageError> {
    let samples: Vec<Sample> = probes.into_iter().map(|(probe, weight)| Sample { probe, weight }).collect();
    explain(&samples, oracles, profile, &|_, _| Ok(true))
}

/// Returns whether a subject follows a setting of an erratum in other cases than the samples.
type Follows<'a> = &'a dyn Fn(&Profile, Erratum) -> Result<bool, TriageError>;

/// Finds settings one after the other: each time the one that saves most samples.
fn explain(
    samples: &[Sample],
    oracles: Oracles<'_>,
    profile: &Profile,
    follows: Follows<'_>,
) -> Result<Option<SettingsThatExplain>, TriageError> {
    let asked: u64 = samples.iter().map(|sample| sample.weight).sum();
    let mut profile = profile.clone();
    let (mut settings, mut refuted) = (Vec::new(), Vec::new());
    let mut vanishing = 0;
    while settings.len() < SETTINGS && vanishing < asked {
        let Some((setting, effect)) = best(samples, oracles, &profile, &refuted)? else { break };
        if effect.vanishing < vanishing + asked.div_ceil(LEAST_SAVED) {
            break;
        }
        let under = with_reading(&profile, setting.0, setting.1);
        if !follows(&under, setting.0)? {
            refuted.push(setting);
            continue;
        }
        profile = under;
        settings.push(setting);
        vanishing = effect.vanishing;
    }
    let is_account = vanishing > 0 && vanishing >= asked - asked / LEFT;
    Ok(is_account.then_some(SettingsThatExplain { settings, vanishing, asked }))
}

/// Executes the first cases of the most frequent raw keys. A key whose case does not diverge by
/// itself is left out.
fn samples(setup: &Setup<'_>, tally: &Tally) -> Result<Vec<Sample>, TriageError> {
    let mut keys: Vec<&KeptDivergences> =
        tally.divergences.values().flat_map(|kept| kept.keys().map(|(_, _, kept)| kept)).collect();
    keys.sort_by_key(|kept| (std::cmp::Reverse(kept.count), kept.first.index));
    let mut comparator = Comparator::new(setup);
    let mut samples = Vec::new();
    for KeptDivergences { count, first, .. } in keys.into_iter().take(KEYS) {
        let (instruction, case) = materialise(first, setup)?;
        let batch = around(setup, &instruction, &case, LANES)?;
        let probe = Probe::new(setup, &mut comparator, &instruction, &batch)?;
        let diverges = |probe: &Probe| matches!(probe.verdicts[0], Verdict::Diverged(_));
        samples.extend(probe.filter(diverges).map(|probe| Sample { probe, weight: *count }));
    }
    Ok(samples)
}

/// Whether hardly any drawn case refutes a setting, in the optypes that its switch affects. Drawn
/// cases are needed, because the cases around a divergence may not distinguish the setting from a
/// bug.
fn is_followed(
    setup: &Setup<'_>,
    oracles: Oracles<'_>,
    under: &Profile,
    erratum: Erratum,
) -> Result<bool, TriageError> {
    let switch = Switch::of(erratum).expect("it has a setting");
    let scope = Scope::filtered(|mode| switch.optypes.contains(&mode.optype()));
    let (mut comparator, mut oracle) = (Comparator::new(setup), oracles(under.readings));
    let (mut bytes, mut batch, mut effect) = (Vec::new(), Batch::default(), Effect::default());
    for index in 0..BATCHES {
        let pick = |u: &mut Unstructured<'_>| scope.instruction(u);
        let drawn = from_stream((SEED, index), setup.numbers, DRAWN, &mut bytes, &mut batch, pick);
        let Ok(instruction) = drawn else { continue };
        if let Some(probe) = Probe::new(setup, &mut comparator, &instruction, &batch)? {
            effect.count(&probe, under, oracle.as_mut())?;
        }
    }
    Ok(effect.is_followed())
}

/// Returns the setting under which most divergences vanish, among the settings that hardly any case
/// refutes. All other readings are those of the profile.
fn best(
    samples: &[Sample],
    oracles: Oracles<'_>,
    profile: &Profile,
    refuted: &[Set],
) -> Result<Option<(Set, Effect)>, BackendError> {
    let mut candidates: BTreeMap<Set, Effect> = BTreeMap::new();
    for Sample { probe, .. } in samples {
        let settings = supposition::settings(&probe.instruction, &profile.readings);
        candidates.extend(settings.map(|setting| (setting, Effect::default())));
    }
    for (setting, effect) in &mut candidates {
        let under = with_reading(profile, setting.0, setting.1);
        let mut oracle = oracles(under.readings);
        for Sample { probe, weight } in samples {
            let holds = effect.count(probe, &under, oracle.as_mut())?;
            effect.vanishing += if holds { *weight } else { 0 };
        }
    }
    let followed =
        candidates.into_iter().filter(|(setting, effect)| effect.is_followed() && !refuted.contains(setting));
    // Several settings may save equally many divergences. Then the one that saves more lanes around
    // them is chosen, or else the first.
    Ok(followed.rev().max_by_key(|(_, effect)| (effect.vanishing, effect.saved)))
}
