//! Counts of a run, which can be merged in any order. The merged counts of all shards equal the
//! counts of the whole run, byte by byte.
//!
//! So a tally has only counts, integer sums, maxima with ties broken by input, histograms and the
//! first findings by case index. It has no sums of floats, no times and no thread counts.

use std::collections::BTreeMap;

use assay_isa::{BackendError, Batch, Effects, Instruction, Oracle, asm};
use assay_vectors::Contract;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compare::canary::Canaries;
use crate::compare::comparator::{Judged, PRECISION};
use crate::compare::judge::{Divergence, DivergenceKind};
use crate::compare::observation::Observation;
use crate::coverage::Coverage;
use crate::stats::accuracy::Accuracy;
use crate::stats::agreement::Agreement;
use crate::stats::divergences::{self, BatchDivergences, DivergenceGroup, Divergences};
use crate::stats::exhaustive::{ExhaustiveStats, Pairs, ResultRelation};
use crate::stats::rounding_stats::{self, RoundingStats};

pub use crate::compare::counts::Counts;
pub use crate::stats::finding::ObservedDivergence;

/// Number of findings kept for each function and kind of divergence.
pub const FINDINGS_EACH: usize = 4;

/// The counts of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tally {
    /// Number of executed cases.
    pub cases: u64,
    /// Number of cases by verdict.
    pub verdicts: Counts,
    /// Number of cases by form and verdict.
    pub forms: BTreeMap<String, Counts>,
    /// Number of cases by function and verdict, in a sweep.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub functions: BTreeMap<String, Counts>,
    /// Number of undefined cases by erratum.
    pub undefined: BTreeMap<String, u64>,
    /// The accuracy of each function with an error bound.
    pub accuracy: BTreeMap<String, Accuracy>,
    /// Rounding statistics by function, of the sampled batches.
    #[serde(default, rename = "dissections", skip_serializing_if = "BTreeMap::is_empty")]
    pub rounding_stats: BTreeMap<String, RoundingStats>,
    /// Agreement of trace, model and oracle, for a trace.
    #[serde(default, skip_serializing_if = "Agreement::is_empty")]
    pub agreement: Agreement,
    /// Number of lanes with a failure or a wrong effect in executions other than those of cases, such
    /// as those for a relation between results. By function and kind, as in `findings`. Has also the
    /// kept divergences of an epoch whose counts were dropped, because its cases are executed again.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub failures: BTreeMap<String, u64>,
    /// The checks of the harness that the run made.
    #[serde(default, skip_serializing_if = "Canaries::is_empty")]
    pub canaries: Canaries,
    /// The coverage bins that were hit, as 64-bit words of 16 digits. Bin 0 is the lowest bit of
    /// the first word.
    #[schemars(with = "String")]
    pub coverage: Coverage,
    /// The first divergences of each function and kind, by case index.
    pub findings: BTreeMap<String, Vec<ObservedDivergence>>,
    /// The divergences of each function, counted by raw key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub divergences: BTreeMap<String, Divergences>,
    /// The divergences of the campaign batch that is being counted.
    #[serde(skip)]
    pub batch: Option<BatchDivergences>,
}

impl Tally {
    /// Returns the relations that failed the run, with their functions.
    pub fn refused_relations(&self) -> impl Iterator<Item = (&str, ResultRelation, &Pairs)> {
        self.relations().filter(|(.., pairs)| pairs.refused > 0)
    }

    /// Returns the relations that were checked, with their functions.
    pub fn relations(&self) -> impl Iterator<Item = (&str, ResultRelation, &Pairs)> {
        self.accuracy.iter().flat_map(|(function, accuracy)| {
            let of_sweeps = accuracy.exhaustive.iter().flat_map(|stats| &stats.relations);
            let all = of_sweeps.chain(&accuracy.relations);
            all.map(move |(relation, pairs)| (function.as_str(), *relation, pairs))
        })
    }

    /// Adds another tally of the same plan.
    pub fn merge(&mut self, other: Tally) {
        self.cases += other.cases;
        self.verdicts.merge(&other.verdicts);
        for (form, counts) in &other.forms {
            self.forms.entry(form.clone()).or_default().merge(counts);
        }
        for (function, counts) in &other.functions {
            self.functions.entry(function.clone()).or_default().merge(counts);
        }
        add_counts(&mut self.undefined, &other.undefined);
        for (function, accuracy) in &other.accuracy {
            self.accuracy.entry(function.clone()).or_default().merge(accuracy);
        }
        for (function, stats) in &other.rounding_stats {
            self.rounding_stats.entry(function.clone()).or_default().merge(stats);
        }
        self.agreement.merge(&other.agreement);
        add_counts(&mut self.failures, &other.failures);
        self.canaries.merge(&other.canaries);
        self.coverage.merge(&other.coverage);
        for (key, found) in other.findings {
            let list = self.findings.entry(key).or_default();
            list.extend(found);
            list.sort();
            list.dedup();
            list.truncate(FINDINGS_EACH);
        }
        for (function, divergences) in other.divergences {
            self.divergences.entry(function).or_default().merge(divergences);
        }
    }

    /// Returns every divergence that is kept as a case. Some occur twice.
    pub fn examples(&self) -> impl Iterator<Item = &ObservedDivergence> {
        let by_key = self.divergences.values().flat_map(Divergences::keys).map(|(_, _, kept)| &kept.first);
        self.findings.values().flatten().chain(by_key)
    }

    /// Counts lanes that failed, or had a wrong effect, in an execution other than that of a case.
    pub(crate) fn count_failures(
        &mut self,
        instruction: &Instruction,
        kinds: impl IntoIterator<Item = DivergenceKind>,
    ) {
        for kind in kinds {
            *self.failures.entry(finding_key(instruction, kind)).or_default() += 1;
        }
    }

    /// Keeps what went wrong in cases that are executed again, because their counts are dropped. The
    /// device may be right the next time.
    pub(crate) fn lose(&mut self, dropped: &Tally) {
        let diverged = dropped.findings.iter().map(|(key, found)| (key.clone(), found.len() as u64));
        add_counts(&mut self.failures, &diverged.collect());
        add_counts(&mut self.failures, &dropped.failures);
    }

    /// Drops the failures that a divergence shows: a case of the function diverged in the same way.
    pub fn keep_unseen_failures(&mut self) {
        let findings = &self.findings;
        self.failures.retain(|key, _| !findings.contains_key(key));
    }

    /// Returns the failures that no divergence shows: no case of the function diverged in the same
    /// way.
    pub fn unseen_failures(&self) -> impl Iterator<Item = (&str, u64)> {
        let unseen = self.failures.iter().filter(|(key, _)| !self.findings.contains_key(*key));
        unseen.map(|(key, count)| (key.as_str(), *count))
    }

    /// Returns the accuracy of a function, by its mnemonic. If the function has none yet, adds an
    /// empty one.
    pub fn accuracy_of(&mut self, function: &str) -> &mut Accuracy {
        // The name is copied only once: a sweep calls this every few hundred inputs.
        if !self.accuracy.contains_key(function) {
            self.accuracy.insert(function.to_owned(), Accuracy::default());
        }
        self.accuracy.get_mut(function).expect("it is there")
    }

    /// Returns the statistics of the full sweep of a function.
    pub(crate) fn exhaustive_of(&mut self, function: &str) -> &mut ExhaustiveStats {
        self.accuracy_of(function).exhaustive.get_or_insert_default()
    }

    /// Adds the verdict counts of a batch.
    pub fn count(&mut self, instruction: &Instruction, counts: Counts) {
        self.cases += counts.total();
        self.verdicts.merge(&counts);
        self.forms.entry(instruction.form().name.to_owned()).or_default().merge(&counts);
    }

    /// Counts cases of a form that a recorded device did not support, so that its trace lacks them.
    pub fn count_declined(&mut self, form: &str, cases: u64) {
        let counts = Counts { undeclared: cases, ..Counts::default() };
        self.cases += cases;
        self.agreement.declined += cases;
        self.verdicts.merge(&counts);
        self.forms.entry(form.to_owned()).or_default().merge(&counts);
    }

    /// Begins a batch of a campaign. The divergences of a batch are not independent. So the number
    /// of divergences of each batch is also squared, and the squares are summed.
    pub(crate) fn begin_batch(&mut self) {
        self.batch = Some(BatchDivergences::default());
    }

    /// Ends a batch of a campaign. `instruction` is the batch's instruction.
    pub(crate) fn end_batch(&mut self, instruction: &Instruction) {
        if let (Some(batch), Some(divergences)) =
            (self.batch.take(), self.divergences.get_mut(&instruction.function()))
        {
            divergences.add_squares(instruction, batch);
        }
    }

    /// Counts a judged batch. `index` returns the case index of a lane.
    pub fn count_judged(
        &mut self,
        instruction: &Instruction,
        contract: &Contract,
        (batch, judged): (&Batch, Judged<'_>),
        index: impl Fn(usize) -> u64,
    ) {
        let Judged { verdicts, effects, .. } = judged;
        self.count(instruction, Counts::of(verdicts));
        for (_, erratum) in &verdicts.undefined {
            *self.undefined.entry(erratum.to_string()).or_default() += 1;
        }
        if matches!(contract, Contract::Bounded { .. }) || !verdicts.measured.is_empty() {
            self.accuracy_of(&asm::mnemonic(instruction)).count(contract, verdicts);
        }
        self.note(instruction, &verdicts.diverged, (batch, effects), index);
    }

    /// Counts divergences of a batch by raw key. Keeps a divergence if it is among the first of its
    /// function and kind.
    pub fn note(
        &mut self,
        instruction: &Instruction,
        diverged: &[(usize, Divergence)],
        judged: (&Batch, &Effects),
        index: impl Fn(usize) -> u64,
    ) {
        if !diverged.is_empty() {
            let groups = divergences::groups(instruction, diverged, judged, &index);
            self.note_groups(instruction, diverged, groups, judged, index);
        }
    }

    /// Returns the lanes of divergences that may be kept as examples. First the examples of raw
    /// keys, then the divergences with the smallest case indices. `diverged` must have one kind. A
    /// lane may occur twice.
    pub(crate) fn to_keep(
        &self,
        instruction: &Instruction,
        diverged: &[(usize, Divergence)],
        groups: &[DivergenceGroup],
        index: impl Fn(usize) -> u64,
    ) -> Vec<usize> {
        let Some((_, one)) = diverged.first() else { return Vec::new() };
        let known = self.divergences.get(&instruction.function());
        let would_keep = |group: &&DivergenceGroup| {
            let first = index(diverged[group.first].0);
            known.is_none_or(|known| known.would_keep(instruction, group, first))
        };
        let mut lanes: Vec<usize> =
            groups.iter().filter(would_keep).map(|group| diverged[group.first].0).collect();
        let findings = self.findings.get(&finding_key(instruction, one.kind));
        let last_kept = findings.filter(|list| list.len() >= FINDINGS_EACH).and_then(|list| list.last());
        let earlier = diverged.iter().map(|(lane, _)| *lane);
        let mut earlier: Vec<usize> =
            earlier.filter(|lane| last_kept.is_none_or(|last| index(*lane) < last.index)).collect();
        earlier.sort_by_key(|lane| index(*lane));
        lanes.extend(earlier.into_iter().take(FINDINGS_EACH));
        lanes
    }

    /// Like [`Tally::note`], for divergences that are already grouped.
    pub(crate) fn note_groups(
        &mut self,
        instruction: &Instruction,
        diverged: &[(usize, Divergence)],
        groups: Vec<DivergenceGroup>,
        (batch, effects): (&Batch, &Effects),
        index: impl Fn(usize) -> u64,
    ) {
        self.batch.iter_mut().for_each(|batch| batch.add(&groups));
        let divergences = self.divergences.entry(instruction.function()).or_default();
        divergences.count(instruction, diverged, groups, (batch, effects), &index);
        let mut keys: Vec<(DivergenceKind, String)> = Vec::new();
        for (lane, divergence) in diverged {
            if !keys.iter().any(|(kind, _)| *kind == divergence.kind) {
                let key = finding_key(instruction, divergence.kind);
                self.findings.entry(key.clone()).or_default();
                keys.push((divergence.kind, key));
            }
            let key = keys.iter().find(|(kind, _)| *kind == divergence.kind);
            if let Some(list) = key.and_then(|(_, key)| self.findings.get_mut(key)) {
                keep_first(list, index(*lane), || ObservedDivergence {
                    seen: Some(Observation::of(effects, *lane, divergence)),
                    ..ObservedDivergence::of(batch, *lane, index(*lane))
                });
            }
        }
    }

    /// Adds a judged batch to the rounding statistics, if these apply to its instruction.
    pub(crate) fn count_rounding(
        &mut self,
        instruction: &Instruction,
        (judged, oracle): (Judged<'_>, &mut dyn Oracle),
        batch: &Batch,
    ) -> Result<(), BackendError> {
        let mut exact = Vec::new();
        if rounding_stats::applies_to(instruction)
            && oracle.unrounded(instruction, batch, PRECISION, &mut exact)?
        {
            let stats = self.rounding_stats.entry(asm::mnemonic(instruction)).or_default();
            stats.count(instruction, judged, batch, &exact);
        }
        Ok(())
    }
}

/// Returns the key in [`Tally::findings`] for a function and a kind of divergence.
fn finding_key(instruction: &Instruction, kind: DivergenceKind) -> String {
    format!("{} {}", instruction.function(), kind.name())
}

/// Adds counts to counts, by key.
fn add_counts(to: &mut BTreeMap<String, u64>, more: &BTreeMap<String, u64>) {
    for (key, count) in more {
        *to.entry(key.clone()).or_default() += count;
    }
}

/// Keeps a divergence if it is among the first by case index. Only in this case, `found` is called,
/// because most divergences of a broken subject are not kept.
fn keep_first(list: &mut Vec<ObservedDivergence>, index: u64, found: impl FnOnce() -> ObservedDivergence) {
    let place = list.partition_point(|earlier| earlier.index < index);
    if place < FINDINGS_EACH {
        list.insert(place, found());
        list.truncate(FINDINGS_EACH);
    }
}
