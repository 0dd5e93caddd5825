//! Compares the oracle's filter with MPFR at every argument. Also checks that the filter of this
//! build gives the certified bits.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use assay_isa::similar::did_you_mean;
use assay_mpfr::Function;
use assay_mpfr::filter::certificate::{Certificate, FUNCTIONS, pattern};
use assay_mpfr::filter::certify::{Certifier, Proof, blocks};
use assay_records::checkpoint::{self, Checkpoints, Identity, Keeper, Resume};
use assay_records::write_json;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::build;
use crate::error::RunError;
use crate::reporter::Reporter;

/// Functions to certify.
#[derive(Clone, Debug)]
pub struct CertifyRequest {
    /// Folder for the certificates. Unfinished work of an earlier run in it is continued.
    pub out: PathBuf,
    /// Whether to continue work that another build began.
    pub other_build: bool,
}

/// The key of a checkpoint: the name of a function.
#[derive(Serialize, Deserialize)]
struct CheckpointKey(String);

impl Identity for CheckpointKey {
    fn difference(&self, other: &CheckpointKey) -> Option<String> {
        (self.0 != other.0).then(|| "the function".to_owned())
    }
}

/// The progress of a function.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FunctionProgress {
    blocks: BTreeMap<u32, u64>,
    proof: Proof,
}

/// Number of blocks that are computed in parallel, before the progress is saved if it is due.
const AT_ONCE: usize = 16;
const SAVE_EVERY: Duration = Duration::from_secs(5);

/// Returns the functions with these names, or all functions if there are no names.
pub fn functions(names: &[String]) -> Result<Vec<(&'static str, Function)>, RunError> {
    if names.is_empty() {
        return Ok(FUNCTIONS.to_vec());
    }
    let named = |name: &String| FUNCTIONS.into_iter().find(|(known, _)| known == name);
    let unknown = |name: &String| {
        let known = || FUNCTIONS.iter().map(|(name, _)| *name);
        let all = format!("known are {}", known().collect::<Vec<_>>().join(" "));
        RunError::input(format!(
            "no certified function is called {name}; {}",
            did_you_mean(name, known(), &all)
        ))
    };
    names.iter().map(|name| named(name).ok_or_else(|| unknown(name))).collect()
}

impl CertifyRequest {
    /// Compares the filter of each function with MPFR at every argument, and writes the
    /// certificates. Saves the progress. Returns `None` if the user stopped the run.
    pub fn certify(
        &self,
        functions: &[(&'static str, Function)],
        reporter: &dyn Reporter,
    ) -> Result<Option<Vec<Certificate>>, RunError> {
        let build = build::identity()?;
        std::fs::create_dir_all(&self.out)
            .map_err(|e| RunError::input(format!("{}: {e}", self.out.display())))?;
        let mut list = Vec::new();
        for (name, function) in functions {
            match self.prove(name, *function, &build, reporter)? {
                Some(certificate) => list.push(certificate),
                None => return Ok(None),
            }
        }
        Ok(Some(list))
    }

    /// Compares the filter of one function with MPFR at every argument. Saves the progress. Returns
    /// `None` if the user stopped the run.
    fn prove(
        &self,
        name: &str,
        function: Function,
        build: &str,
        reporter: &dyn Reporter,
    ) -> Result<Option<Certificate>, RunError> {
        let path = &self.out.join(format!("{name}.unfinished.json"));
        let resume = if self.other_build { Resume::AnyBuild } else { Resume::SameBuild };
        let say = &|text: &str| reporter.say(text);
        let place = Checkpoints { path, every: SAVE_EVERY, build, resume, same_device: false, say };
        let (mut keeper, mut so_far): (_, FunctionProgress) =
            Keeper::open(Some(place), CheckpointKey(name.to_owned()))?;
        let all = blocks(function);
        let todo: Vec<u32> = all.iter().copied().filter(|first| !so_far.blocks.contains_key(first)).collect();
        let mut progress = reporter.begin(&format!("blocks of {name}"), Some(all.len() as u64));
        for blocks in todo.chunks(AT_ONCE) {
            let done: Result<Vec<(u32, u64, Proof)>, _> = blocks
                .par_iter()
                .map_init(
                    || Certifier::new(function),
                    |certifier, first| {
                        let (digest, proof) = assay_fpenv::checked(|| certifier.prove(*first))?;
                        Ok((*first, digest, proof))
                    },
                )
                .collect();
            let done =
                done.map_err(|wrong: assay_fpenv::WrongEnvironment| RunError::harness(wrong.to_string()))?;
            for (first, digest, proof) in done {
                so_far.blocks.insert(first, digest);
                so_far.proof.merge(proof);
            }
            progress.at(so_far.blocks.len() as u64, 0);
            if reporter.is_stopped() {
                keeper.save(&so_far);
                return Ok(None);
            }
            keeper.keep(&so_far);
        }
        drop(progress);
        let made = assay_fpenv::checked(|| Certificate::new(name, function, &so_far.proof, &so_far.blocks));
        let certificate = made.map_err(|wrong| RunError::harness(wrong.to_string()))?;
        write_json(&self.path(name), &certificate)?;
        checkpoint::remove(path)?;
        Ok(Some(certificate))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.out.join(format!("{name}.json"))
    }
}

/// Returns the number of blocks of a function, and the first argument of each block whose digest
/// differs from the certificate or is missing there.
pub fn compare(
    certificate: &Certificate,
    function: Function,
    reporter: &dyn Reporter,
) -> (usize, Vec<String>) {
    let all = blocks(function);
    let mut progress = reporter.begin(&format!("blocks of {}", certificate.function), Some(all.len() as u64));
    let mut others = Vec::new();
    for (done, blocks) in all.chunks(AT_ONCE).enumerate() {
        others.extend(differing(certificate, function, blocks));
        progress.at(((done + 1) * AT_ONCE) as u64, others.len() as u64);
    }
    drop(progress);
    (all.len(), others)
}

/// Returns the first argument of each given block whose digest differs from the certificate or is
/// missing there.
fn differing(certificate: &Certificate, function: Function, blocks: &[u32]) -> Vec<String> {
    let digests: Vec<u64> = blocks
        .par_iter()
        .map_init(|| Certifier::new(function), |certifier, first| certifier.digest(*first))
        .collect();
    let differs = |(first, digest): &(&u32, u64)| certificate.digest(**first) != Some(*digest);
    blocks.iter().zip(digests).filter(differs).map(|(first, _)| pattern(*first)).collect()
}

#[cfg(test)]
mod tests {
    use assay_mpfr::filter::certificate::committed;

    use super::*;

    #[test]
    fn a_digest_that_is_wrong_or_missing_is_found() {
        let blocks = [0x3f80_0000, 0x3fc0_0000, 0x4000_0000];
        let mut certificate = committed("rcp").expect("it is committed").clone();
        assert!(differing(&certificate, Function::Reciprocal, &blocks).is_empty());
        certificate.digests.insert(pattern(blocks[0]), "0".repeat(16));
        certificate.digests.remove(&pattern(blocks[2]));
        let found = differing(&certificate, Function::Reciprocal, &blocks);
        assert_eq!(found, [pattern(blocks[0]), pattern(blocks[2])]);
    }
}
