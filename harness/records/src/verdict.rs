//! The verdict of a run: whether it passed. It is computed only here and stored in the result. All
//! other code reads the stored verdict.
//!
//! | type | content |
//! |---|---|
//! | [`RunVerdict`] | the verdict of a result, with the reasons of a failure |
//! | [`RunDemands`] | what the command line demanded of the run, so that a merge can compute the verdict anew |
//! | [`VerdictWord`] | the verdict in one word. A result without a verdict has a word, too |

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use assay_engine::compare::canary::Pieces;
use assay_engine::coverage::layout::Layout;
use assay_engine::stats::baseline::{Baseline, Excess};
use assay_engine::stats::exhaustive::ResultRelation;
use assay_engine::stats::judged::{Allowed, Demands, JudgedShare, UnjudgedShare};
use assay_engine::stats::tally::Tally;
use assay_isa::shown::{plural, quoted};

use crate::{ORACLE, Plan, RunResult, Setting, Shard};

/// The verdict of a run: whether it passed, and the reasons if it failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunVerdict {
    /// Whether the run passed. It failed if there is at least one reason.
    pub status: RunStatus,
    /// Why the run failed. Absent if it passed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// The functions with results that were not judged, because no bound of the contract covers
    /// their arguments. Absent if there are no such functions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unjudged: Vec<UnjudgedShare>,
    /// The judged share of each form, or of each function in a sweep.
    pub shares: Vec<JudgedShare>,
    /// Coverage bins that were hit although they are listed as unreachable. Absent if there are none.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub impossible: BTreeSet<String>,
    /// What the command line demanded. Absent if it demanded and allowed nothing.
    #[serde(default, skip_serializing_if = "RunDemands::is_empty")]
    pub demands: RunDemands,
}

/// Whether a run passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RunStatus {
    /// The run passed.
    Held,
    /// The run failed, for one reason or several.
    Failed,
}

/// A reason for which a run failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// The kind.
    pub kind: ReasonKind,
    /// The form, function or relation that the reason is about. Empty if the reason is about the
    /// whole run.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The reason in a sentence.
    pub message: String,
}

/// The kinds of reasons for which a run fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReasonKind {
    /// The run ended early.
    Unfinished,
    /// No case was judged.
    Nothing,
    /// Cases of a form, or of a function in a sweep, diverged.
    Divergence,
    /// Too few cases of a form, or of a function in a sweep, were judged.
    Share,
    /// Too many results of a function were not judged, because no bound covers them.
    Unjudged,
    /// A relation that the contract requires is broken.
    Relation,
    /// A device failed, or had a wrong effect, in executions that no judged case shows.
    Device,
    /// Trace, model and oracle disagree: one differs from the two others, or all three differ.
    Agreement,
    /// An error exceeds the baseline, or nothing was compared with it.
    Baseline,
    /// A bin that had to be hit was not, or a bin that is listed as unreachable was hit.
    Coverage,
}

/// The demands of the command line on a run, in addition to those of its profile.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunDemands {
    /// Globs over optypes, forms and functions. The run may judge few or no lanes of these and
    /// still pass.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub allow_unjudged: BTreeSet<String>,
    /// Globs over optypes, forms and functions. A device without declared modes may answer
    /// `unsupported` to these.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub allow_undeclared: BTreeSet<String>,
    /// The percentage of the lanes of each form and function that must be judged, 0 to 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub require_judged: Option<u8>,
    /// The errors of an earlier run, which must not be exceeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
}

impl RunDemands {
    pub(crate) fn is_empty(&self) -> bool {
        *self == RunDemands::default()
    }

    /// Adds the globs that another command allows to stay unjudged or undeclared.
    pub(crate) fn allow(&mut self, more: &RunDemands) {
        self.allow_unjudged.extend(more.allow_unjudged.iter().cloned());
        self.allow_undeclared.extend(more.allow_undeclared.iter().cloned());
    }

    /// Returns the demands on the judged shares of a run with this setting.
    ///
    /// # Errors
    ///
    /// The text names a glob that is invalid.
    pub fn of_shares(&self, setting: &Setting) -> Result<Demands, String> {
        let globs = |set: &BTreeSet<String>| set.iter().cloned().collect();
        let allowed =
            Allowed { unjudged: globs(&self.allow_unjudged), undeclared: globs(&self.allow_undeclared) };
        let demands = Demands::new(&setting.judged, &allowed)?.requiring(self.require_judged);
        let is_partial = [&setting.subject, &setting.against].into_iter().any(|name| has_some_operands(name));
        Ok(if is_partial { demands.of_supported() } else { demands })
    }
}

/// Whether `name` is an implementation in `assay` that supports only some modes, or only some
/// operands of a mode. Names are as in records.
pub fn has_some_operands(name: &str) -> bool {
    ["ptx", "host", "core-math", "h200", "apfloat"].contains(&name) || name.starts_with("cuda:")
}

/// The reason why no verdict can be computed.
#[derive(Debug, thiserror::Error)]
pub enum VerdictError {
    /// A demand cannot be read.
    #[error("{0}")]
    Demand(String),
    /// The run had to check the harness, and has no such check.
    #[error("{0}")]
    Unchecked(String),
}

/// The verdict of a result, or of a stream of answers, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum VerdictWord {
    /// The run passed. No result lacked a bound, and every form reached its minimum share of judged
    /// lanes.
    Passed,
    /// The run passed, but not everything was judged. The contract has no bound for some results,
    /// or the judged share of a form is below its minimum. Such a share fails the run only if the
    /// form has many lanes. Otherwise the verdict is this one.
    Partial,
    /// The run failed.
    Failed,
    /// The run neither passed nor failed: an older version wrote the result, or nothing shows that
    /// the stream is complete.
    Unverified,
}

/// The message for a result without a verdict: the reason, and what to do.
pub const UNVERIFIED: &str =
    "the result has no verdict, because an older version of assay wrote it: run it again";

impl VerdictWord {
    /// Returns the word as it is shown to users.
    pub fn text(self) -> &'static str {
        match self {
            VerdictWord::Passed => "PASSED",
            VerdictWord::Partial => "NOT FULLY JUDGED",
            VerdictWord::Failed => "FAILED",
            VerdictWord::Unverified => "UNVERIFIED",
        }
    }

    /// Returns whether the run passed.
    pub fn is_held(self) -> bool {
        matches!(self, VerdictWord::Passed | VerdictWord::Partial)
    }
}

impl RunVerdict {
    /// Computes the verdict of a result. `early` is the reason why the run ended before its limit,
    /// if it did.
    fn of(
        outcome: &RunResult,
        demands: RunDemands,
        impossible: BTreeSet<String>,
        early: Option<&str>,
    ) -> Result<RunVerdict, VerdictError> {
        let RunResult { plan, shards, bins, tally, .. } = outcome;
        check_canaries(plan, shards, tally).map_err(VerdictError::Unchecked)?;
        let required = demands.of_shares(plan.setting()).map_err(VerdictError::Demand)?;
        let shares = required.check(tally);
        let unjudged = required.check_unjudged(tally);
        let is_until_covered = matches!(plan, Plan::Fuzz { until_covered: true, .. });
        let mut reasons = Vec::new();
        if shards.is_empty() {
            let why = early.unwrap_or("the run was interrupted");
            reasons.push(Reason::of_run(ReasonKind::Unfinished, why.to_owned()));
        }
        reasons.extend(of_counts(tally));
        reasons.extend(
            shares
                .iter()
                .filter_map(|share| Some(Reason::of(ReasonKind::Share, &share.name, share.problem.clone()?))),
        );
        let is_new = |one: &&UnjudgedShare| !shares.iter().any(|s| s.name == one.name && s.problem.is_some());
        reasons.extend(
            unjudged
                .iter()
                .filter(is_new)
                .filter_map(|one| Some(Reason::of(ReasonKind::Unjudged, &one.name, one.problem.clone()?))),
        );
        reasons.extend(demands.baseline.iter().flat_map(|baseline| of_baseline(baseline, tally)));
        let missed = bins.as_ref().filter(|_| is_until_covered).and_then(|bins| not_covered(bins, tally));
        // A hit bin that is listed as unreachable is a defect of assay only if the oracle judged.
        // Another subject in the oracle's place can be wrong.
        let is_of_oracle = plan.setting().against == ORACLE;
        reasons.extend(missed.into_iter().chain(not_possible(&impossible).filter(|_| is_of_oracle)));
        let status = if reasons.is_empty() { RunStatus::Held } else { RunStatus::Failed };
        Ok(RunVerdict { status, reasons, unjudged, shares, impossible, demands })
    }

    /// Checks a stored verdict. The error names a contradiction within the verdict, or between
    /// verdict and counts.
    pub(crate) fn check(&self, outcome: &RunResult) -> Result<(), String> {
        let RunResult { plan, shards, tally, .. } = outcome;
        if (self.status == RunStatus::Held) != self.reasons.is_empty() {
            return Err("`verdict` is held with a reason to fail, or failed without one".to_owned());
        }
        let is_held = self.status == RunStatus::Held;
        let has_problem = self.shares.iter().any(|share| share.problem.is_some())
            || self.unjudged.iter().any(|one| one.problem.is_some());
        if is_held && has_problem {
            return Err("`verdict` is held, and one of its shares has a problem".to_owned());
        }
        if is_held && (shards.is_empty() || of_counts(tally).next().is_some()) {
            return Err("`verdict` is held, and the counts show that the run failed".to_owned());
        }
        let parts = if tally.functions.is_empty() { &tally.forms } else { &tally.functions };
        let differs = |share: &&JudgedShare| {
            parts.get(&share.name).is_none_or(|of| (of.total(), of.judged()) != (share.lanes, share.judged))
        };
        if self.shares.len() != parts.len() {
            return Err("`verdict` does not have a share of each form or function".to_owned());
        }
        if let Some(share) = self.shares.iter().find(differs) {
            return Err(format!(
                "`verdict` has a share of `{}` that the counts contradict",
                quoted(&share.name)
            ));
        }
        if self.unjudged.iter().any(|one| one.unjudged > one.lanes) {
            return Err("`verdict` has more unjudged results of a function than results".to_owned());
        }
        check_canaries(plan, shards, tally)
    }
}

impl Reason {
    fn of(kind: ReasonKind, name: &str, message: String) -> Reason {
        Reason { kind, name: name.to_owned(), message }
    }

    fn of_run(kind: ReasonKind, message: String) -> Reason {
        Reason::of(kind, "", message)
    }
}

/// Returns a reason as a sentence, with a capital and a full stop. A name at the beginning keeps
/// its letters.
pub fn sentence(reason: &str) -> String {
    let text = reason.trim_end_matches('.');
    let end = if text.ends_with('?') { "" } else { "." };
    let begins_with_word =
        text.split(' ').next().is_some_and(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == ','));
    match text.chars().next().filter(|_| begins_with_word) {
        Some(first) => format!("{}{}{end}", first.to_ascii_uppercase(), &text[1..]),
        None => format!("{text}{end}"),
    }
}

/// Returns the reasons to fail that follow from the counts alone: nothing was judged, divergences,
/// broken relations, failures of a device, and disagreement of trace, model and oracle.
pub fn of_counts(tally: &Tally) -> impl Iterator<Item = Reason> {
    let nothing = (tally.verdicts.judged() == 0).then(|| {
        let why = match tally.cases {
            0 => "no case was executed".to_owned(),
            cases => format!("{} undefined, unjudged or unsupported", plural(cases, "case is", "cases are")),
        };
        Reason::of_run(ReasonKind::Nothing, format!("nothing was judged: {why}"))
    });
    let parts = if tally.functions.is_empty() { &tally.forms } else { &tally.functions };
    let diverged = parts.iter().filter(|(_, counts)| counts.diverged > 0).map(|(name, counts)| {
        let cases = plural(counts.total(), "case", "cases");
        let message = format!("{name}: {} of {cases} diverged", counts.diverged);
        Reason::of(ReasonKind::Divergence, name, message)
    });
    let broken = tally.refused_relations().map(|(function, relation, pairs)| {
        let message = format!(
            "{function} must be {}: {} of {} are not",
            relation.name(),
            pairs.refused,
            plural(pairs.seen, "pair", "pairs")
        );
        Reason::of(ReasonKind::Relation, &relation_name(function, relation), message)
    });
    let agreement = tally.agreement.is_broken().then(|| {
        let counts = &tally.agreement;
        let who = [
            ("the trace alone", counts.trace_alone),
            ("the model alone", counts.model_alone),
            ("the oracle alone", counts.oracle_alone),
            ("all three", counts.no_two_agree),
        ];
        let differing = who.iter().filter(|(_, cases)| *cases > 0);
        let parts = differing.map(|(who, cases)| format!("{who} in {}", plural(*cases, "case", "cases")));
        let parts = parts.collect::<Vec<_>>().join(", ");
        Reason::of_run(ReasonKind::Agreement, format!("trace, model and oracle differ: {parts}"))
    });
    let failures = tally.unseen_failures().map(|(what, count)| {
        let lanes = plural(count, "lane", "lanes");
        let message = format!("{what}, in {lanes} of executions other than the judged ones");
        Reason::of(ReasonKind::Device, what, message)
    });
    nothing.into_iter().chain(diverged).chain(broken).chain(failures).chain(agreement)
}

/// Returns the name under which the reasons of a verdict mention a relation of a function.
pub fn relation_name(function: &str, relation: ResultRelation) -> String {
    format!("{function}: {}", relation.name())
}

/// Returns a reason for each error that exceeds a baseline. If nothing was compared with the
/// baseline, returns a reason for that.
fn of_baseline(baseline: &Baseline, tally: &Tally) -> Vec<Reason> {
    let comparison = baseline.compare(tally);
    let excess = |Excess { function, metric, bound, before, now, input }: &Excess| {
        let unit = if metric == "ulp" { 32 } else { 64 };
        let in_metric = |units: u64| units as f64 * 2.0_f64.powi(-unit);
        let bound = bound.as_ref().map_or(String::new(), |bound| format!(" under `{bound}`"));
        let message = format!(
            "{function}: its {metric} error{bound} is {:.4e} at {input:#010x}, and {:.4e} in the baseline",
            in_metric(*now),
            in_metric(*before)
        );
        Reason::of(ReasonKind::Baseline, function, message)
    };
    let mut reasons: Vec<Reason> = comparison.exceeded.iter().map(excess).collect();
    if comparison.compared.is_empty() {
        let message = "nothing was compared with the baseline: it measured no function of this run";
        reasons.push(Reason::of_run(ReasonKind::Baseline, message.to_owned()));
    }
    reasons
}

/// Returns a reason if a run did not hit every reachable coverage bin.
fn not_covered(bins: &Layout, tally: &Tally) -> Option<Reason> {
    let (hit, all) = (bins.hit(&tally.coverage), bins.reachable());
    let message = || format!("{} of {all} coverage bins were not hit", all - hit);
    (hit < all).then(|| Reason::of_run(ReasonKind::Coverage, message()))
}

/// Returns a reason if bins were hit that are listed as unreachable.
fn not_possible(impossible: &BTreeSet<String>) -> Option<Reason> {
    let first = impossible.first()?;
    let bins = plural(impossible.len(), "coverage bin was", "coverage bins were");
    let message = format!("{bins} hit that no case can hit, such as `{first}`; this is a defect of assay");
    Some(Reason::of_run(ReasonKind::Coverage, message))
}

/// Refuses a finished result without a check of the harness, if its run had to make one. The first
/// batch of a campaign and the first piece of each function of a sweep are always checked. So a
/// whole run must have a check. About one in 256 of the other batches of a campaign is checked. The
/// indices of these batches are known in advance. So a shard of a campaign must have a check if it
/// executed one of these batches. A shard of a sweep must have a check if it has enough cases.
fn check_canaries(plan: &Plan, shards: &[Shard], tally: &Tally) -> Result<(), String> {
    let is_whole = shards.first().is_some_and(|shard| shard.of == shards.len() as u64);
    let is_due = match plan {
        _ if shards.is_empty() || tally.cases == 0 => false,
        Plan::Trace { .. } => false,
        _ if is_whole => true,
        Plan::Fuzz { .. } => plan.batches().is_some_and(|batches| {
            let executed = usize::try_from(tally.cases / batches.lanes()).unwrap_or(usize::MAX);
            let checked = |shard: &Shard| {
                let own = (shard.index..batches.batches()).step_by(shard.of.max(1) as usize);
                own.take(executed).any(|batch| Pieces::Drawn.is_checked(batch))
            };
            shards.iter().any(checked)
        }),
        Plan::Sweep { .. } => tally.cases >= Pieces::Units.enough(),
    };
    if is_due && tally.canaries.is_empty() {
        Err("`canaries` is zero: the run made no check of itself, and no verdict of it can be trusted".into())
    } else {
        Ok(())
    }
}

impl RunResult {
    /// Returns the result with its verdict. `impossible` has the coverage bins that were hit
    /// although they are listed as unreachable. `early` is the reason why the run ended before its
    /// limit, if it did.
    ///
    /// # Errors
    ///
    /// A demand cannot be read, or the result lacks a check of the harness that its run had to
    /// make.
    pub fn judge(
        self,
        demands: RunDemands,
        impossible: BTreeSet<String>,
        early: Option<&str>,
    ) -> Result<RunResult, VerdictError> {
        let verdict = RunVerdict::of(&self, demands, impossible, early)?;
        Ok(RunResult { verdict: Some(verdict), ..self })
    }

    /// Returns the verdict in one word.
    pub fn verdict_word(&self) -> VerdictWord {
        match &self.verdict {
            None => VerdictWord::Unverified,
            Some(RunVerdict { status: RunStatus::Failed, .. }) => VerdictWord::Failed,
            Some(verdict) if !verdict.unjudged.is_empty() => VerdictWord::Partial,
            Some(verdict) if verdict.shares.iter().any(JudgedShare::is_short) => VerdictWord::Partial,
            Some(_) => VerdictWord::Passed,
        }
    }

    /// Returns the judged shares on which the verdict depends. Empty if the result has no verdict.
    pub fn shares(&self) -> &[JudgedShare] {
        self.verdict.as_ref().map_or(&[], |verdict| &verdict.shares)
    }

    /// Returns why the run failed. Empty if it passed, or if the result has no verdict.
    pub fn reasons(&self) -> &[Reason] {
        self.verdict.as_ref().map_or(&[], |verdict| &verdict.reasons)
    }
}
