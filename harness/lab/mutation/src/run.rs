//! Runs mutants. Mutants that show in the same instructions form a group, and the groups run on
//! several threads.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use assay_engine::compare::comparator::Setup;
use assay_engine::generate::Scope;
use assay_faults::Fault;
use assay_isa::{Instruction, Subject};
use rayon::prelude::*;

use crate::codec_faults::{self, CodecFault};
use crate::lane_faults;
use crate::mutant::{Mutant, Plant, SelectionError, globs};
use crate::outcome::MutantOutcome;
use crate::subject_group::{GroupError, SubjectGroup};

/// The settings of a mutation run.
#[derive(Clone, Copy)]
pub struct MutationRun<'a> {
    /// The sound subject, the oracle and the profile. Mutants use the readings of the profile.
    pub setup: Setup<'a>,
    /// The modes that both the sound subject and the oracle implement.
    pub scope: &'a Scope,
    /// Seed of the generator.
    pub seed: u64,
    /// Maximum number of cases for one mutant.
    pub cases: u64,
    /// Another thread sets this to end the run early.
    pub stop: &'a AtomicBool,
    /// Receives the number of finished mutants after each group.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum MutationError {
    /// The scope lacks the instructions that show a fault of the model.
    #[error(transparent)]
    Functions(#[from] SelectionError),
    /// A group could not be tested.
    #[error("{source}; see `assay fuzz --only {optypes}` under the same profile")]
    Group {
        /// The optypes of the group, separated by spaces.
        optypes: String,
        /// The failure.
        source: Box<GroupError>,
    },
}

/// A group of mutants that share their work.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    /// Faults of the model that these functions show.
    Functions(&'static [&'static str]),
    /// Faults of the codec in the form with this index.
    Form(usize),
    /// Faults of lanes and batches.
    Lanes,
}

impl MutationRun<'_> {
    /// Tests all mutants. Returns their outcomes in the same order. `None` if the run was stopped
    /// early.
    ///
    /// # Errors
    ///
    /// The first [`MutationError`] of a group.
    pub fn run(&self, mutants: &[Mutant]) -> Result<Option<Vec<MutantOutcome>>, MutationError> {
        let mut groups: BTreeMap<Group, Vec<usize>> = BTreeMap::new();
        for (place, mutant) in mutants.iter().enumerate() {
            let group = match mutant.plant {
                Plant::Model(fault) => Group::Functions(fault.info().functions()),
                Plant::Codec(fault) => Group::Form(fault.form().index),
                Plant::Lanes(_) => Group::Lanes,
            };
            groups.entry(group).or_default().push(place);
        }
        let done = AtomicU64::new(0);
        let outcomes: Vec<(Vec<usize>, Vec<MutantOutcome>)> = groups
            .into_par_iter()
            .map(|(group, places)| {
                let plants: Vec<Plant> = places.iter().map(|place| mutants[*place].plant).collect();
                let outcomes = match group {
                    Group::Functions(functions) => self.of_model(functions, &plants)?,
                    Group::Form(form) => self.of_codec(form, &plants),
                    Group::Lanes => self.of_lanes(&plants)?,
                };
                let more = places.len() as u64;
                (self.progress)(done.fetch_add(more, Ordering::Relaxed) + more);
                Ok((places, outcomes))
            })
            .collect::<Result<_, MutationError>>()?;
        let mut all = vec![MutantOutcome::default(); mutants.len()];
        for (places, outcomes) in outcomes {
            places.into_iter().zip(outcomes).for_each(|(place, outcome)| all[place] = outcome);
        }
        Ok((!self.stop.load(Ordering::Relaxed)).then_some(all))
    }

    fn of_model(
        &self,
        functions: &'static [&'static str],
        plants: &[Plant],
    ) -> Result<Vec<MutantOutcome>, MutationError> {
        let faults = plants.iter().filter_map(|plant| match plant {
            Plant::Model(fault) => Some(*fault),
            _ => None,
        });
        let faults: Vec<Fault> = faults.collect();
        let optypes: BTreeSet<&str> = faults.iter().map(|fault| fault.info().optype).collect();
        let patterns: Vec<String> = functions.iter().map(|pattern| (*pattern).to_owned()).collect();
        let names = |i: &Instruction| [i.optype().to_owned(), i.form().name.to_owned(), i.function()];
        let own = self.scope.narrowed(|mode| optypes.contains(mode.optype()));
        let globs = globs(&patterns, own.modes().flat_map(names), "no implementation has it")?;
        let scope = own.narrowed(|mode| names(mode).iter().any(|name| globs.is_match(name)));
        let Setup { numbers, profile, .. } = self.setup;
        let mutant = |fault: &Fault| assay_faults::mutant(numbers.clone(), profile.readings, *fault);
        self.of_subject(&scope, faults.iter().map(mutant).collect())
    }

    fn of_lanes(&self, plants: &[Plant]) -> Result<Vec<MutantOutcome>, MutationError> {
        let faults = plants.iter().filter_map(|plant| match plant {
            Plant::Lanes(fault) => Some(*fault),
            _ => None,
        });
        let Setup { numbers, subject, .. } = self.setup;
        let mutants = faults.map(|fault| fault.plant(subject(), numbers.clone())).collect();
        self.of_subject(&self.scope.narrowed(|mode| mode.optype() == lane_faults::OPTYPE), mutants)
    }

    /// Tests mutants of one group.
    fn of_subject(
        &self,
        scope: &Scope,
        mutants: Vec<Box<dyn Subject>>,
    ) -> Result<Vec<MutantOutcome>, MutationError> {
        let MutationRun { setup, seed, cases, stop, .. } = *self;
        SubjectGroup { setup, scope, seed, cases, stop }.run(mutants).map_err(|source| {
            let optypes: BTreeSet<&str> = scope.modes().map(Instruction::optype).collect();
            let optypes = optypes.into_iter().collect::<Vec<_>>().join(" ");
            MutationError::Group { optypes, source: Box::new(source) }
        })
    }

    fn of_codec(&self, form: usize, plants: &[Plant]) -> Vec<MutantOutcome> {
        let faults = plants.iter().filter_map(|plant| match plant {
            Plant::Codec(fault) => Some(*fault),
            _ => None,
        });
        let faults: Vec<CodecFault> = faults.collect();
        let scope = self.scope.narrowed(|mode| mode.form().index == form);
        codec_faults::run(&scope, &faults, self.seed, self.cases, self.stop)
    }
}
