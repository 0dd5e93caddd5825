//! Groups bugs into findings. Bugs are one finding if they have the same explanation, field, unit
//! or circumstance in common. So are unexplained bugs of one output.

mod explanations;
mod refute;
mod shared;

use std::collections::{BTreeMap, BTreeSet};

use assay_isa::effect::Failure;
use assay_isa::{BackendError, catalog};

use crate::compare::comparator::{Comparator, Setup};
use crate::triage::circumstance::Circumstance;
use crate::triage::circumstance::lanes::LanePattern;
use crate::triage::condition::{Condition, ConditionTrial, KnownExplanation};
use crate::triage::examine::explained_signature;
use crate::triage::explain::misread::Change;
use crate::triage::explain::supposition::Supposition;
use crate::triage::explain::{Explanation, explains_most, explains_too};
pub(in crate::triage) use crate::triage::group::explanations::{add_explanations, explanations};
use crate::triage::readings::Oracles;
use crate::triage::signature::{self, Symptom, WRONG_VALUE};
use crate::triage::{Bug, BugCase};

/// Minimum number of explanations in which a value of a field is executed as another value, for one
/// finding about the field.
const FIELD: usize = 3;
/// Minimum number of optypes that fail in the same way, for one finding about all of them.
const OPTYPES: usize = 2;

/// Gives one signature to all bugs that are one finding, and returns one bug for each signature.
///
/// # Errors
///
/// An implementation failed.
pub fn findings(
    setup: &Setup<'_>,
    oracles: Oracles<'_>,
    mut bugs: Vec<Bug>,
) -> Result<Vec<Bug>, BackendError> {
    bugs.sort_by_key(|bug| bug.index);
    unless_gone(set_apart(setup, oracles, &mut bugs))?;
    unless_gone(refute::by_others(setup, oracles, &mut bugs))?;
    bugs.iter_mut().for_each(|bug| bug.conditions.clear());
    unless_gone(by_other(setup, oracles, &mut bugs))?;
    by_equal(&mut bugs);
    by_field(&mut bugs);
    by_theme(&mut bugs);
    by_circumstance(&mut bugs);
    by_output(&mut bugs);
    unless_gone(shared::by_unit(setup, &mut bugs))?;
    unless_gone(set_apart(setup, oracles, &mut bugs))?;
    unless_gone(shared::by_explained(setup, oracles, &mut bugs))?;
    unless_gone(by_rest(setup, oracles, &mut bugs))?;
    by_twin(&mut bugs);
    by_meeting(&mut bugs);
    Ok(distinct(bugs))
}

/// Gives one signature to the unexplained bugs of an optype whose wrong results have the same
/// condition. If the condition has parts about the encoding of operands, these parts become the
/// signature, because a misread register can cause many different wrong results.
pub fn by_condition(mut bugs: Vec<Bug>) -> Vec<Bug> {
    let only = |bug: &Bug| match &bug.conditions[..] {
        [only] if bug.optypes.len() == 1 && bug.symptom.is_some_and(|symptom| symptom.output.is_some()) => {
            Some(only.clone())
        }
        _ => None,
    };
    // Bugs that need no shared registers come first, so that the signature is taken from them.
    let mut signatures: Vec<(Condition, String)> = Vec::new();
    for bug in
        bugs.iter().filter(|bug| bug.wrong.is_some()).chain(bugs.iter().filter(|bug| bug.wrong.is_none()))
    {
        if let Some(condition) = only(bug)
            && !signatures.iter().any(|(known, _)| known.is_of_one_bug(&condition))
        {
            let signature = condition.title().unwrap_or_else(|| bug.signature.clone());
            signatures.push((condition, signature));
        }
    }
    for bug in &mut bugs {
        let condition = only(bug);
        let known = condition.and_then(|own| signatures.iter().find(|(known, _)| known.is_of_one_bug(&own)));
        known.into_iter().for_each(|(_, signature)| bug.signature.clone_from(signature));
    }
    by_meeting(&mut bugs);
    distinct(bugs)
}

/// Returns one bug for each signature, with the cases of all bugs that have it. This is the first
/// explained bug or, if no bug is explained, the first bug.
fn distinct(bugs: Vec<Bug>) -> Vec<Bug> {
    let mut kept: Vec<Bug> = Vec::new();
    for mut bug in bugs {
        match kept.iter_mut().find(|first| first.signature == bug.signature) {
            Some(first) => {
                if first.explanation.is_none() && bug.explanation.is_some() {
                    std::mem::swap(first, &mut bug);
                }
                first.cases += bug.cases;
                first.explained = first.explanations();
                add_explanations(&mut first.explained, bug.explanations());
                first.optypes.extend(bug.optypes);
                first.keys.extend(bug.keys);
                first.shapes.extend(bug.shapes);
                first.found.extend(bug.found);
                let is_known = |it: &Condition| first.conditions.iter().any(|known| known.is_same(it));
                let new: Vec<_> = bug.conditions.into_iter().filter(|it| !is_known(it)).collect();
                first.conditions.extend(new);
            }
            None => kept.push(bug),
        }
    }
    kept
}

/// Turns the error of a dead device into success, so that the bugs found so far are kept.
fn unless_gone(outcome: Result<(), BackendError>) -> Result<(), BackendError> {
    match outcome {
        Err(BackendError::Gone { .. }) => Ok(()),
        other => other,
    }
}

/// Finds the conditions of unexplained bugs, if other bugs have explanations. If a bug has its own
/// condition and no explanation of another bug predicts its cases, it stays separate.
fn set_apart(setup: &Setup<'_>, oracles: Oracles<'_>, bugs: &mut [Bug]) -> Result<(), BackendError> {
    let known = explanations(bugs);
    if known.is_empty() {
        return Ok(());
    }
    let mut trial = ConditionTrial::new(setup, oracles, &known);
    for bug in bugs.iter_mut().filter(|bug| is_unexplained(bug)) {
        if let Some(symptom) = bug.symptom {
            let case = [(&bug.instruction, &bug.batch)];
            bug.conditions.extend(trial.find(&case, &[], &[], symptom)?.conditions);
        }
    }
    Ok(())
}

/// Tries to explain unexplained bugs by the explanations of other bugs, of any optype. Around a
/// bug's own case, there may be too few cases that show the fault: few random sums overflow. Also
/// replaces an explanation that requires a modifier by an explanation without one, if a bug of the
/// same optype has such an explanation.
fn by_other(setup: &Setup<'_>, oracles: Oracles<'_>, bugs: &mut [Bug]) -> Result<(), BackendError> {
    let known = explanations(bugs);
    let mut comparator = Comparator::new(setup);
    for bug in bugs.iter_mut() {
        let optype = bug.instruction.optype();
        let is_under = bug.explanation.as_ref().is_some_and(|it| it.under.is_some());
        let is_better = |it: &&KnownExplanation| {
            is_unexplained(bug) || is_under && it.explanation.under.is_none() && it.optypes.contains(optype)
        };
        for KnownExplanation { explanation, .. } in known.iter().filter(is_better) {
            let case = (&bug.instruction, &bug.batch);
            if explains_too(setup, &mut comparator, oracles, explanation, case)? {
                bug.signature = format!("{} | {explanation}", bug.instruction.optype());
                (bug.explanation, bug.wrong) = (Some(explanation.clone()), None);
                break;
            }
        }
    }
    Ok(())
}

/// Chooses between explanations that fit a bug equally well. Takes the one that fits most bugs and,
/// of several, the bug's own. Only the chosen explanation of some bug can be taken.
fn by_equal(bugs: &mut [Bug]) {
    let own: BTreeSet<String> =
        bugs.iter().filter_map(|bug| Some(bug.explanation.as_ref()?.theme())).collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for bug in bugs.iter() {
        let themes: BTreeSet<String> = equals(bug).iter().map(Explanation::theme).collect();
        themes.into_iter().for_each(|theme| *counts.entry(theme).or_default() += 1);
    }
    for bug in bugs {
        let equals = equals(bug).into_iter().map(|it| (it.theme(), it));
        // Of explanations that fit equally many bugs, takes the first.
        let best =
            equals.filter(|(theme, _)| own.contains(theme)).rev().max_by_key(|(theme, _)| counts[theme]);
        let Some((theme, best)) = best else { continue };
        if bug.explanation.as_ref().is_some_and(|explanation| explanation.theme() != theme) {
            bug.signature = explained_signature(&bug.instruction, &best);
            bug.explanation = Some(best);
        }
    }
}

/// Returns all explanations that fit a bug equally well. The first is the bug's own.
fn equals(bug: &Bug) -> Vec<Explanation> {
    let all = bug.explanation.iter().flat_map(|explanation| {
        let as_well = explanation.as_well.iter().cloned();
        let others = as_well.map(|instead| Explanation { instead, ..explanation.clone() });
        std::iter::once(explanation.clone()).chain(others)
    });
    all.collect()
}

/// Gives one signature to the bugs in which a value of a field is executed as another, if there are
/// at least [`FIELD`] such explanations of the field.
fn by_field(bugs: &mut [Bug]) {
    let field = |bug: &Bug| match &bug.explanation.as_ref()?.instead {
        Supposition::Change(
            Change::Value { field, .. } | Change::Swapped { field, .. } | Change::Always { field, .. },
        ) => Some((bug.instruction.optype(), *field)),
        _ => None,
    };
    let mut ways: BTreeMap<(&str, &str), BTreeSet<String>> = BTreeMap::new();
    for (bug, key) in bugs.iter().filter_map(|bug| Some((bug, field(bug)?))) {
        ways.entry(key).or_default().insert(bug.signature.clone());
    }
    for bug in bugs {
        if let Some((optype, field)) = field(bug).filter(|key| ways[key].len() >= FIELD) {
            bug.signature = format!("{optype} | {field} is misunderstood");
        }
    }
}

/// The bugs of one theme.
#[derive(Default)]
struct Theme {
    signatures: BTreeSet<String>,
    optypes: BTreeSet<&'static str>,
    /// The texts of the readings that explain these bugs. `None` stands for another explanation.
    readings: BTreeSet<Option<String>>,
}

/// Returns the text for the optypes of a finding: the names of up to two, otherwise `several`.
fn scope(optypes: &BTreeSet<&str>) -> String {
    match optypes.len() {
        1 | 2 => optypes.iter().copied().collect::<Vec<_>>().join(" and "),
        _ => "several".to_owned(),
    }
}

/// Gives one signature to bugs with the same explanation, even if the operands or optypes differ.
fn by_theme(bugs: &mut [Bug]) {
    let general: BTreeSet<String> = bugs
        .iter()
        .filter_map(|bug| bug.explanation.as_ref())
        .filter(|explanation| explanation.under.is_none())
        .map(Explanation::theme)
        .collect();
    let mut conditions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for explanation in bugs.iter().filter_map(|bug| bug.explanation.as_ref()) {
        conditions.entry(explanation.instead.theme()).or_default().insert(explanation.theme());
    }
    // If the explanation of another bug is the same but requires no modifier, none is required
    // here, because too few cases around this bug had other modifiers. Explanations that differ
    // only in the required modifier have one cause, too.
    let theme = |bug: &Bug| {
        let explanation = bug.explanation.as_ref()?;
        let all = explanation.instead.theme();
        Some(match conditions[&all].len() {
            _ if general.contains(&all) => all,
            1 => explanation.theme(),
            _ => format!("{all} under some modifiers"),
        })
    };
    let mut groups: BTreeMap<String, Theme> = BTreeMap::new();
    for (bug, theme) in bugs.iter().filter_map(|bug| Some((bug, theme(bug)?))) {
        let group = groups.entry(theme).or_default();
        group.signatures.insert(bug.signature.clone());
        group.optypes.insert(bug.instruction.optype());
        group.readings.insert(bug.explanation.as_ref().and_then(Explanation::reading));
    }
    for bug in bugs {
        let Some(theme) = theme(bug) else { continue };
        let Theme { signatures, optypes, readings } = &groups[&theme];
        let only = readings.first().filter(|_| readings.len() == 1).and_then(Option::as_ref);
        if signatures.len() > 1 {
            bug.signature = format!("{} | {}", scope(optypes), only.unwrap_or(&theme));
        }
    }
}

/// Gives one signature to bugs that show in the same circumstance, if they have at least
/// [`OPTYPES`] different optypes.
fn by_circumstance(bugs: &mut [Bug]) {
    let lanes: BTreeSet<usize> = bugs.iter().filter_map(first_lane).collect();
    let circumstance = |bug: &Bug| {
        let circumstance = &bug.shown.circumstance;
        // If the first lane differs between bugs, its number does not matter.
        match first_lane(bug) {
            Some(_) if lanes.len() >= FIELD => Some("only in the last lanes of a batch".to_owned()),
            _ => (!circumstance.is_plain()).then(|| circumstance.to_string()),
        }
    };
    let mut optypes: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (bug, text) in bugs.iter().filter_map(|bug| Some((bug, circumstance(bug)?))) {
        optypes.entry(text).or_default().insert(bug.instruction.optype());
    }
    for bug in bugs {
        if let Some(text) = circumstance(bug).filter(|text| optypes[text].len() >= OPTYPES) {
            bug.signature = format!("{} | {text}", scope(&optypes[&text]));
        }
    }
}

/// Returns the first lane that shows a bug, if all lanes from this one on show it.
fn first_lane(bug: &Bug) -> Option<usize> {
    match bug.shown.circumstance {
        Circumstance::Lanes(LanePattern::From(lane)) => Some(lane),
        _ => None,
    }
}

/// An optype, and an output of it.
type Output<'a> = (&'a str, Option<&'static str>);

/// Groups outputs that show only one symptom, by this symptom. Only symptoms of several optypes are
/// kept. Such outputs lose the sign of a zero, or are a unit off, for one reason.
fn alike<'a>(
    symptoms: &BTreeMap<Output<'a>, BTreeSet<&'static str>>,
) -> BTreeMap<&'static str, BTreeSet<Output<'a>>> {
    let mut alike: BTreeMap<&str, BTreeSet<Output<'_>>> = BTreeMap::new();
    for (output, own) in symptoms.iter().filter(|((_, output), own)| output.is_some() && own.len() == 1) {
        alike.entry(own.first().expect("it has one")).or_default().insert(*output);
    }
    alike.retain(|symptom, outputs| *symptom != WRONG_VALUE && optypes_of(outputs).len() >= OPTYPES);
    alike
}

/// Returns the name of the failure of a device, if the symptom is one.
fn failure(symptom: Symptom) -> Option<&'static str> {
    let is_named = Failure::ALL.into_iter().any(|failure| failure.is_named(symptom.error));
    (is_named && symptom.output.is_none()).then_some(symptom.error)
}

fn optypes_of<'a>(outputs: &BTreeSet<Output<'a>>) -> BTreeSet<&'a str> {
    outputs.iter().map(|(optype, _)| *optype).collect()
}

/// Gives one signature to all unexplained bugs of one output of an optype. Their results do not show
/// whether the causes differ: a lost bit looks like a lost carry. The earlier signature of each bug,
/// with its symptom, is kept as a shape ([`BugCase`]). If several optypes have unexpected or missing
/// writes, all of these are one finding. The failures of a device are one finding for each kind of
/// failure.
fn by_output(bugs: &mut [Bug]) {
    let mut elsewhere: BTreeMap<Option<&str>, BTreeSet<&str>> = BTreeMap::new();
    for (bug, wrong) in bugs.iter().filter_map(|bug| Some((bug, bug.wrong?))) {
        if wrong.output.is_none() {
            elsewhere.entry(failure(wrong)).or_default().insert(bug.instruction.optype());
        }
    }
    let scopes: BTreeMap<_, String> = elsewhere.iter().map(|(of, optypes)| (*of, scope(optypes))).collect();
    let place = |bug: &Bug, wrong: Symptom| {
        let (of, output) = (failure(wrong), wrong.output.or(failure(wrong)));
        match elsewhere.get(&of) {
            Some(optypes) if wrong.output.is_none() && optypes.len() >= OPTYPES => (&*scopes[&of], output),
            _ => (bug.instruction.optype(), output),
        }
    };
    let mut functions: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
    let mut symptoms: BTreeMap<_, BTreeSet<&str>> = BTreeMap::new();
    for (bug, wrong) in bugs.iter().filter_map(|bug| Some((bug, bug.wrong?))) {
        functions.entry(place(bug, wrong)).or_default().insert(bug.instruction.function());
        symptoms.entry(place(bug, wrong)).or_default().insert(wrong.error);
    }
    let alike = alike(&symptoms);
    let elsewhere: BTreeMap<&str, Symptom> = bugs
        .iter()
        .filter_map(|bug| Some((bug.instruction.optype(), bug.wrong.filter(|wrong| wrong.output.is_none())?)))
        .collect();
    for bug in bugs.iter_mut() {
        // If the optype has missing or unexpected writes without shared registers, too, sharing is
        // not the cause.
        let is_elsewhere = bug.symptom.is_some_and(|symptom| symptom.output.is_none());
        let elsewhere = elsewhere.get(bug.instruction.optype()).filter(|_| is_elsewhere).copied();
        let Some(wrong) = bug.wrong.or(elsewhere) else { continue };
        let place = place(bug, wrong);
        let function = if functions[&place].len() == 1 { &bug.instruction.function() } else { place.0 };
        let symptom = if symptoms[&place].len() == 1 { wrong.error } else { WRONG_VALUE };
        let signature = match wrong.output {
            Some(_) if alike.get(symptom).is_some_and(|places| places.contains(&place)) => {
                let optypes: Vec<&str> = optypes_of(&alike[symptom]).into_iter().collect();
                format!("{} | {symptom}", optypes.join(" and "))
            }
            Some(output) => format!("{function} | {output}: {symptom}"),
            None => format!("{function} | {symptom}"),
        };
        let shape = std::mem::replace(&mut bug.signature, signature);
        // A new shape of a known bug may be another bug.
        bug.keys = bug.keys.iter().map(|key| format!("{shape}; {key}")).collect();
        bug.shapes.push(BugCase {
            signature: shape,
            instruction: bug.instruction.clone(),
            batch: bug.batch.clone(),
        });
    }
}

/// Gives an unexplained bug the signature of an explanation that fits most cases around it.
/// Explanations of its own optype are tried first. An explanation may cover only a part of a fault.
/// Bugs that no explanation fits stay shapes.
fn by_rest(setup: &Setup<'_>, oracles: Oracles<'_>, bugs: &mut [Bug]) -> Result<(), BackendError> {
    let explained =
        |bug: &Bug| Some((bug.instruction.optype(), bug.explanation.clone()?, bug.signature.clone()));
    let known: Vec<_> = bugs.iter().filter_map(explained).collect();
    let mut general = known.clone();
    general.sort_by(|(_, a, one), (_, b, other)| (one, a.to_string()).cmp(&(other, b.to_string())));
    general.dedup_by(|(_, a, one), (_, b, other)| one == other && a.to_string() == b.to_string());
    let mut comparator = Comparator::new(setup);
    for bug in bugs.iter_mut().filter(|bug| is_unexplained(bug) && bug.conditions.is_empty()) {
        let own = known.iter().filter(|(of, ..)| *of == bug.instruction.optype());
        for (_, explanation, signature) in own.chain(&general) {
            let case = (&bug.instruction, &bug.batch);
            if explains_most(setup, &mut comparator, oracles, explanation, case)? {
                bug.signature.clone_from(signature);
                let (explanation, optypes) = (explanation.clone(), bug.optypes.clone());
                bug.explained = vec![KnownExplanation { explanation, optypes }];
                break;
            }
        }
    }
    Ok(())
}

/// Gives one signature to an unexplained bug of an optype and the same bug of its twin in the
/// uniform datapath.
fn by_twin(bugs: &mut [Bug]) {
    let general = |bug: &Bug| {
        let optype = bug.instruction.optype();
        let own = optype.strip_prefix('U').filter(|own| catalog().optype_named(own).is_some())?;
        Some(bug.signature.replacen(optype, own, 1).replace(" urd", " rd").replace(" upu", " pu"))
    };
    let known: BTreeSet<String> = bugs.iter().map(|bug| bug.signature.clone()).collect();
    for bug in bugs.iter_mut().filter(|bug| is_unexplained(bug)) {
        if let Some(signature) = general(bug).filter(|signature| known.contains(signature)) {
            bug.signature = signature;
        }
    }
}

/// Gives one signature to unexplained bugs that show only if the same operands share a register or
/// are RZ or PT. Also to those that show only if a result is discarded.
fn by_meeting(bugs: &mut [Bug]) {
    let mut groups: BTreeMap<String, Theme> = BTreeMap::new();
    for (bug, met) in bugs.iter().filter_map(|bug| Some((bug, met(bug)?))) {
        let group = groups.entry(met).or_default();
        group.signatures.insert(bug.signature.clone());
        group.optypes.extend(bug.optypes.iter().copied());
    }
    for bug in bugs {
        let Some(met) = met(bug) else { continue };
        let Theme { signatures, optypes, .. } = &groups[&met];
        if signatures.len() > 1 {
            bug.signature = format!("{} | {met}", scope(optypes));
        }
    }
}

/// Returns a text for the condition under which an unexplained bug appears: operands share a
/// register, an operand is RZ or PT, or a result is discarded. The text is the same for general and
/// uniform registers.
fn met(bug: &Bug) -> Option<String> {
    let in_general = |met: String| met.replace("ur", "r").replace("up", "p");
    if !is_unexplained(bug) {
        return None;
    }
    if let [condition] = &bug.conditions[..]
        && condition.title().is_some_and(|title| title == bug.signature)
    {
        return condition.meeting().map(in_general);
    }
    let met = signature::meeting(&bug.instruction)?;
    if bug.signature.contains(signature::A_RESULT_IS_DISCARDED) {
        return Some(signature::A_RESULT_IS_DISCARDED.to_owned());
    }
    let is_said = bug.signature.contains(&met);
    let met = in_general(met);
    (is_said || bug.signature.contains(&met)).then_some(met)
}

/// Whether a bug always shows, and has no explanation.
fn is_unexplained(bug: &Bug) -> bool {
    bug.explanation.is_none() && bug.shown.circumstance == Circumstance::Always
}
