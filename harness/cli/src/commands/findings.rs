//! Divergences after a run: shrunk, told apart by signature, written as cases that replay.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use assay_engine::campaign::materialise;
use assay_engine::result::{Outcome, Plan};
use assay_engine::shrink::{evaluate, shrink};
use assay_engine::signature::signature;
use assay_engine::versus::{Bench, Parties};
use assay_isa::{Batch, Instruction, VoiceError};
use assay_vectors::{Case, Finding, Origin, Provenance, Suite, Values, write_suite};

use crate::context::Context;
use crate::failure::Failure;
use crate::voices::ORACLE;

/// A bug: the smallest case that shows it.
pub struct Bug {
    /// What tells it from others.
    pub signature: String,
    /// The case, with what was found.
    pub case: Case,
}

/// Shrinks what a run found and keeps one case for each signature, in the order of their indices.
pub fn shrink_all(outcome: &Outcome, parties: &Parties<'_>) -> Result<Vec<Bug>, Failure> {
    let mut bench = Bench::new(parties);
    let mut found: Vec<_> = outcome.tally.findings.values().flatten().collect();
    found.sort();
    let mut bugs: BTreeMap<String, Bug> = BTreeMap::new();
    let mut order = Vec::new();
    for found in found {
        let (instruction, batch) = materialise(found, parties.numbers)
            .ok_or_else(|| Failure::harness(format!("the finding {} cannot be read back", found.word)))?;
        let (shrunk, is_gone) = match shrink(parties, &mut bench, &instruction, &batch) {
            Err(VoiceError::Gone { .. }) => (None, true),
            shrunk => (shrunk?, false),
        };
        let signature = match &shrunk {
            None if is_gone => format!("{} | not shrunk, for the device is dead", instruction.function()),
            Some(small) => signature(&small.instruction, &small.batch, &small.divergence),
            // That is a finding about the subject too: it does not do the same thing twice.
            None => format!("{} | not when repeated", instruction.optype()),
        };
        if bugs.contains_key(&signature) {
            continue;
        }
        let (instruction, batch) =
            shrunk.map_or((instruction, batch), |small| (small.instruction, small.batch));
        let origin = Origins { outcome, index: found.index, nth: order.len() };
        let case = case(&origin, &instruction, &batch, &signature, parties, &mut bench)?;
        order.push(signature.clone());
        bugs.insert(signature.clone(), Bug { signature, case });
    }
    Ok(order.into_iter().filter_map(|signature| bugs.remove(&signature)).collect())
}

/// Where a finding comes from.
struct Origins<'a> {
    outcome: &'a Outcome,
    index: u64,
    nth: usize,
}

fn case(
    origin: &Origins<'_>,
    instruction: &Instruction,
    batch: &Batch,
    signature: &str,
    parties: &Parties<'_>,
    bench: &mut Bench,
) -> Result<Case, Failure> {
    let divergence = match evaluate(parties, bench, instruction, batch) {
        Err(VoiceError::Gone { .. }) => None,
        divergence => divergence?,
    };
    let plan = &origin.outcome.plan;
    let setting = plan.setting();
    let seed = match plan {
        Plan::Fuzz { seed, .. } => Some(*seed),
        Plan::Sweep { .. } | Plan::Trace { .. } => None,
    };
    // Only the oracle knows what must come of it; another subject in its chair is an opinion.
    let known = setting.against == ORACLE;
    let verdict = divergence.map_or("not repeated".into(), |d| format!("diverged: {}", d.kind.name()));
    let base = Case::from_lane(instruction, batch, 0);
    Ok(Case {
        name: format!("{}-{}", instruction.optype().to_lowercase(), origin.nth + 1),
        expect: if known { super::judgement::expectation(bench.truths()) } else { None },
        event: bench.truths().event_of(0).filter(|_| known).cloned(),
        provenance: Some(Provenance::new(Origin::Finding)),
        finding: Some(Finding {
            seed,
            index: Some(origin.index),
            subject: setting.subject.clone(),
            oracle: setting.against.clone(),
            profile: setting.profile.clone(),
            signature: signature.to_owned(),
            verdict,
            actual: Some(Values(bench.effects.lane(0).collect())),
            event: bench.effects.event_of(0).cloned(),
            ulp: divergence.and_then(|d| d.error).map(|e| format!("{:+.6}", e.ulp())),
        }),
        ..base
    })
}

/// Writes each bug to a file of its own.
pub fn write(folder: &Path, bugs: &[Bug], context: &Context) -> Result<Vec<PathBuf>, Failure> {
    let folder = folder.join("findings");
    if bugs.is_empty() {
        return Ok(Vec::new());
    }
    std::fs::create_dir_all(&folder).map_err(|e| Failure::input(format!("{}: {e}", folder.display())))?;
    let mut paths = Vec::new();
    for bug in bugs {
        let suite = Suite {
            version: assay_vectors::VERSION,
            suite: format!("finding-{}", bug.case.name),
            about: bug.signature.clone(),
            profile: Some(context.profile_name.clone()),
            cases: vec![Case { readings: context.overrides.clone(), ..bug.case.clone() }],
        };
        let path = folder.join(format!("{}.yaml", bug.case.name));
        write_suite(&path, &suite)?;
        paths.push(path);
    }
    Ok(paths)
}
