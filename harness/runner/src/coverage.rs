//! Counts the coverage bins and those that a run hit, and finds a case that hits a bin.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use assay_engine::compare::comparator::Comparator;
use assay_engine::coverage::directed;
use assay_engine::coverage::layout::{Extent, Layout};
use assay_engine::coverage::{Bin, Bins, Topic};
use assay_engine::generate::Scope;
use assay_isa::{Batch, Instruction, Readings, shown};
use assay_records::commands::coverage::BinCounts;
use assay_records::{RunResult, read_json};
use assay_vectors::{Case, Origin, Provenance, Suite};
use globset::GlobBuilder;

use crate::campaign::merge::read;
use crate::cases::generate;
use crate::context::Context;
use crate::error::RunError;
use crate::folder::COVERAGE;
use crate::selection::globs;
use crate::subjects::SubjectName;

/// Numbers of bins of a topic or a form.
#[derive(Clone, Copy, Default)]
pub struct Count {
    /// Number of bins that cases can hit.
    pub reachable: usize,
    /// Number of bins that no case can hit.
    pub impossible: usize,
    /// Number of bins that were hit. `None` if no result was given.
    pub hit: Option<usize>,
}

impl Count {
    fn add(&mut self, extent: &Extent, hit: Option<usize>) {
        self.reachable += extent.reachable;
        self.impossible += extent.impossible;
        self.hit = hit.map(|hit| hit + self.hit.unwrap_or(0)).or(self.hit);
    }
}

impl From<&Count> for BinCounts {
    fn from(count: &Count) -> BinCounts {
        let Count { reachable, impossible, hit } = *count;
        BinCounts { bins: reachable, impossible, hit, missed: hit.map(|hit| reachable - hit) }
    }
}

/// The counts of bins.
pub struct CountedBins {
    /// The digest of the list of bins.
    pub digest: String,
    /// The counts by topic.
    pub topics: Vec<(Topic, Count)>,
    /// The counts by form.
    pub forms: Vec<(String, Count)>,
    /// Whether a result was given.
    pub has_result: bool,
}

/// Counts the coverage bins of the forms that patterns select. With a result, counts the bins of
/// its list. Otherwise counts all bins under the current profile.
pub fn count(context: &Context, result: Option<&Path>, only: &[String]) -> Result<CountedBins, RunError> {
    let outcome = result.map(read).transpose()?;
    let layout = match &outcome {
        None => Bins::crossed(Scope::everything(), &context.profile.readings).layout(),
        Some(outcome) => layout_of(outcome)?.clone(),
    };
    let mut topics: Vec<(Topic, Count)> =
        Topic::ALL.into_iter().map(|topic| (topic, Count::default())).collect();
    let mut forms: Vec<(String, Count)> = Vec::new();
    for form in selected(&layout, only)? {
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
    Ok(CountedBins { digest: layout.digest.clone(), topics, forms, has_result: outcome.is_some() })
}

/// A bin that a run missed.
pub struct MissedBin {
    /// Its name.
    pub name: String,
    /// Its topic.
    pub topic: Topic,
}

/// The bins in the `coverage.json` of a run, as far as they are read.
#[derive(serde::Deserialize)]
struct CoverageRecord {
    missed: Vec<String>,
}

/// Returns the bins that a run missed, of the forms that patterns select and of one topic, in the
/// order of `coverage.json`. `run` is the folder of the run or its result.
///
/// # Errors
///
/// The run has no result or no `coverage.json`, these are of two runs, a pattern selects no form, or
/// another version of assay had other bins.
pub fn missed(run: &Path, only: &[String], topic: Option<Topic>) -> Result<Vec<MissedBin>, RunError> {
    let outcome = read(run)?;
    let path = if run.is_dir() { run } else { run.parent().unwrap_or(run) }.join(COVERAGE);
    if !path.exists() {
        return Err(RunError::input(format!(
            "there is no {}: only `assay fuzz` writes the names of missed bins, and a merged result has none; give the \
             folder of one of the merged runs",
            path.display()
        )));
    }
    let CoverageRecord { mut missed } = read_json(&path)?;
    let layout = layout_of(&outcome)?;
    let counted = layout.reachable() - layout.hit(&outcome.tally.coverage);
    if counted != missed.len() {
        return Err(RunError::input(format!(
            "{} lists {} missed bins, and the result counts {counted}: they are of two runs, or of an earlier \
             version of assay",
            path.display(),
            missed.len()
        )));
    }
    let forms: BTreeSet<String> = selected(layout, only)?.into_iter().collect();
    missed.retain(|name| name.split(' ').next().is_some_and(|form| forms.contains(form)));
    let topics = topics(&outcome, &missed)?;
    let with_topic = |name: String| match topics.get(&name) {
        Some(topic) => Ok(MissedBin { topic: *topic, name }),
        None => Err(RunError::input(format!(
            "{}: there is no bin {} in this version of assay: run `assay fuzz` again",
            path.display(),
            shown::quoted(&name)
        ))),
    };
    let all: Vec<MissedBin> = missed.into_iter().map(with_topic).collect::<Result<_, _>>()?;
    Ok(all.into_iter().filter(|bin| topic.is_none_or(|topic| topic == bin.topic)).collect())
}

/// Returns the topics of those bins of a run that have one of the names.
fn topics(outcome: &RunResult, names: &[String]) -> Result<BTreeMap<String, Topic>, RunError> {
    let mut readings = Readings::INTENDED;
    for (erratum, setting) in &outcome.plan.setting().readings {
        let reading = format!("{erratum}={setting}");
        readings.set_from_text(&reading).map_err(|e| RunError::input(e.to_string()))?;
    }
    let names: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    let bins = Bins::crossed(Scope::everything(), &readings);
    let known = bins.iter().filter(|bin| names.contains(bin.name.as_str()));
    Ok(known.map(|bin| (bin.name, bin.topic)).collect())
}

/// Returns the list of bins of a result.
fn layout_of(outcome: &RunResult) -> Result<&Layout, RunError> {
    outcome.bins.as_ref().ok_or_else(|| {
        RunError::input(
            "the result has no list of coverage bins: it is of a run that counts none, or of an earlier \
             version of assay; run `assay fuzz` again",
        )
    })
}

/// Returns the forms of a list of bins that patterns select, all without a pattern.
fn selected(layout: &Layout, only: &[String]) -> Result<Vec<String>, RunError> {
    let names = || layout.forms.keys().cloned();
    let wanted = globs("--only", only, names(), &format!("the result has {} forms", layout.forms.len()))?;
    Ok(names().filter(|form| only.is_empty() || wanted.is_match(form)).collect())
}

/// Maximum number of bins of a pattern that are explained in full.
pub const TOLD: usize = 3;
/// Number of similar names that are listed for an unknown name.
const NEAREST: usize = 5;

/// A bin, and a case that hits the bin, if a case was found.
pub type ExplainedBin = (Bin, Option<(Instruction, Batch)>);

/// Returns the number of bins that match a name or pattern. Also returns the first [`TOLD`] of
/// these bins, each with a case if one is found. Searches up to `batches` batches for a case.
pub fn find(context: &Context, pattern: &str, batches: u64) -> Result<(usize, Vec<ExplainedBin>), RunError> {
    let bins = Bins::crossed(Scope::everything(), &context.profile.readings);
    let glob = GlobBuilder::new(pattern).build();
    let glob = glob.map_err(|e| RunError::input(format!("{pattern}: {e}")))?.compile_matcher();
    let found: Vec<Bin> = bins.iter().filter(|bin| bin.name == pattern || glob.is_match(&bin.name)).collect();
    if found.is_empty() {
        return Err(RunError::input(format!(
            "there is no bin {}; names that come near:\n  {}",
            pattern,
            nearest(pattern, &bins).join("\n  ")
        )));
    }
    let matches = found.len();
    let mut told = Vec::new();
    for bin in found.into_iter().take(TOLD) {
        let case = case(context, &bins, &bin, batches)?;
        told.push((bin, case));
    }
    Ok((matches, told))
}

/// Returns a case that hits a bin, if a case is found. Does not search for a case of an unreachable
/// bin.
fn case(
    context: &Context,
    bins: &Bins,
    bin: &Bin,
    batches: u64,
) -> Result<Option<(Instruction, Batch)>, RunError> {
    if bin.unreachable.is_some() {
        return Ok(None);
    }
    let setup = context.setup(&SubjectName::MODEL, None);
    let compared = setup.compared();
    Ok(directed::find(&compared, Scope::everything(), bins, bin.place, batches)?)
}

/// Makes a suite with one case, which hits a bin. The case has the oracle's expectation, unless the
/// expectation cannot be listed.
///
/// # Errors
///
/// The model or the oracle fails.
pub fn suite(
    context: &Context,
    bin: &Bin,
    instruction: &Instruction,
    batch: &Batch,
) -> Result<Suite, RunError> {
    let setup = context.setup_of_truth();
    let compared = setup.compared();
    let mut comparator = Comparator::new(&compared);
    let case = generate::case(context, &compared, &mut comparator, instruction, batch, 0)?;
    let case = case.unwrap_or_else(|| Case {
        readings: context.overrides.clone(),
        provenance: Some(Provenance::new(Origin::Oracle)),
        ..Case::from_lane(instruction, batch, 0)
    });
    Ok(Suite {
        version: assay_vectors::VERSION,
        suite: "bin".into(),
        about: bin.name.clone(),
        profile: Some(context.profile_name.clone()),
        cases: vec![Case { name: "hits-it".into(), ..case }],
    })
}

/// Returns the bins whose names are most similar to a name.
fn nearest(name: &str, bins: &Bins) -> Vec<String> {
    let mut near: Vec<(f64, String)> =
        bins.iter().map(|bin| (strsim::sorensen_dice(name, &bin.name), bin.name)).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    near.into_iter().take(NEAREST).map(|(_, name)| name).collect()
}
