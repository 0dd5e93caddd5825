//! Divergences after a run: shrunk, told apart by signature, written as cases that replay.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use assay_engine::campaign::materialise;
use assay_engine::result::{Outcome, Plan};
use assay_engine::shrink::{Shrunk, shrink};
use assay_engine::signature::signature;
use assay_engine::versus::{Bench, Parties};
use assay_isa::Event;
use assay_vectors::{Case, Finding, Origin, Provenance, Suite, Values, write_suite};

use crate::context::Context;
use crate::failure::Failure;

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
        let Some(shrunk) = shrink(parties, &mut bench, &instruction, &batch)? else {
            let message = format!("case {} diverged in the run and not when repeated", found.index);
            return Err(Failure::harness(message));
        };
        let signature = signature(&shrunk.instruction, &shrunk.batch, &shrunk.divergence);
        if bugs.contains_key(&signature) {
            continue;
        }
        let case = case(outcome, found.index, &shrunk, &signature, parties, &mut bench, order.len())?;
        order.push(signature.clone());
        bugs.insert(signature.clone(), Bug { signature, case });
    }
    Ok(order.into_iter().filter_map(|signature| bugs.remove(&signature)).collect())
}

fn case(
    outcome: &Outcome,
    index: u64,
    shrunk: &Shrunk,
    signature: &str,
    parties: &Parties<'_>,
    bench: &mut Bench,
    nth: usize,
) -> Result<Case, Failure> {
    let contract = parties.profile.contract_for(&shrunk.instruction);
    bench.run(&contract, &shrunk.instruction, &shrunk.batch)?;
    let (seed, setting) = match &outcome.plan {
        Plan::Fuzz { seed, setting, .. } => (Some(*seed), setting),
        Plan::Sweep { setting, .. } => (None, setting),
    };
    let divergence = &shrunk.divergence;
    let base = Case::from_lane(&shrunk.instruction, &shrunk.batch, 0);
    Ok(Case {
        name: format!("{}-{}", shrunk.instruction.optype().to_lowercase(), nth + 1),
        expect: super::judgement::expectation(bench.truths()),
        event: bench.truths().event_of(0).cloned(),
        provenance: Some(Provenance::new(Origin::Finding)),
        finding: Some(Finding {
            seed,
            index: Some(index),
            subject: setting.subject.clone(),
            oracle: setting.against.clone(),
            profile: setting.profile.clone(),
            signature: signature.to_owned(),
            verdict: format!("diverged: {}", divergence.kind.name()),
            actual: Some(Values(bench.effects.lane(0).collect())),
            event: bench
                .effects
                .event_of(0)
                .cloned()
                .filter(|e| matches!(e, Event::Fault(_) | Event::Executed(_))),
            ulp: divergence.error.map(|e| format!("{:+.6}", e.ulp())),
        }),
        ..base
    })
}

/// Writes each bug to a file of its own and removes the files of an earlier run in that folder.
pub fn write(folder: &Path, bugs: &[Bug], context: &Context) -> Result<Vec<PathBuf>, Failure> {
    let folder = folder.join("findings");
    if let Ok(entries) = std::fs::read_dir(&folder) {
        for path in entries
            .filter_map(|e| Some(e.ok()?.path()))
            .filter(|p| p.extension().is_some_and(|x| x == "yaml"))
        {
            std::fs::remove_file(&path).map_err(|e| Failure::input(format!("{}: {e}", path.display())))?;
        }
    }
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
