//! The hunts: mutants that show in the same instructions go together, and groups of them over the threads.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::Ordering;

use assay_engine::fuzzing::miscode::{self, CodecFault};
use assay_engine::generate::Scope;
use assay_engine::run::hunt::Hunt;
use assay_faults::Fault;
use assay_isa::{Instruction, Oracle, Subject};
use rayon::prelude::*;

use super::mutant::{Mutant, Plant};
use super::outcome::{Caught, Known};
use super::{harness, lanes};
use crate::commands::selection::{globs, parties, select};
use crate::context::Context;
use crate::failure::Failure;
use crate::interrupt::STOP;
use crate::progress::Progress;
use crate::voices::Voice;

/// What goes together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ground {
    /// Faults of the model that show in these functions.
    Functions(&'static [&'static str]),
    /// Faults of the codec in this form.
    Form(usize),
    /// Faults of lanes and batches.
    Lanes,
    /// A defect of the harness, by its name.
    Harness(&'static str),
}

/// Hunts all mutants. Nothing if the user stopped before all was known.
pub fn all(
    context: &Context,
    mutants: &[Mutant],
    seed: u64,
    cases: u64,
) -> Result<Option<Vec<Known>>, Failure> {
    let mut grounds: BTreeMap<Ground, Vec<usize>> = BTreeMap::new();
    for (place, mutant) in mutants.iter().enumerate() {
        let ground = match mutant.plant {
            Plant::Model(fault) => Ground::Functions(fault.info().functions()),
            Plant::Codec(fault) => Ground::Form(fault.form().index),
            Plant::Lanes(_) => Ground::Lanes,
            Plant::Harness(defect) => Ground::Harness(defect.name),
        };
        grounds.entry(ground).or_default().push(place);
    }
    if mutants.iter().any(|mutant| matches!(mutant.plant, Plant::Harness(_))) {
        harness::sound()?;
    }
    let (subject, oracle) = (|| context.subject(&Voice::Model), || context.oracle(None));
    let everything = select(&parties(context, &subject, &oracle), &[])?.scope;
    let progress = Mutex::new((Progress::new("faults", Some(mutants.len() as u64)), 0));
    let known: Vec<(Vec<usize>, Vec<Known>)> = grounds
        .into_par_iter()
        .map(|(ground, places)| {
            let party = Party { context, mutants, scope: &everything, seed, cases };
            let known = match ground {
                Ground::Functions(functions) => party.of_model(functions, &places)?,
                Ground::Form(form) => party.of_codec(form, &places),
                Ground::Lanes => party.of_lanes(&places)?,
                Ground::Harness(_) => party.of_harness(&places),
            };
            if let Ok(mut progress) = progress.lock() {
                progress.1 += places.len() as u64;
                let done = progress.1;
                progress.0.at(done, 0);
            }
            Ok((places, known))
        })
        .collect::<Result<_, Failure>>()?;
    if let Ok((progress, _)) = progress.into_inner() {
        progress.finish();
    }
    let mut all = vec![Known::default(); mutants.len()];
    for (places, known) in known {
        places.into_iter().zip(known).for_each(|(place, known)| all[place] = known);
    }
    Ok((!STOP.load(Ordering::Relaxed)).then_some(all))
}

/// What every hunt needs.
struct Party<'a> {
    context: &'a Context,
    mutants: &'a [Mutant],
    scope: &'a Scope,
    seed: u64,
    cases: u64,
}

impl Party<'_> {
    fn of_model(&self, functions: &'static [&'static str], places: &[usize]) -> Result<Vec<Known>, Failure> {
        let context = self.context;
        let faults = places.iter().filter_map(|place| match self.mutants[*place].plant {
            Plant::Model(fault) => Some(fault),
            _ => None,
        });
        let faults: Vec<Fault> = faults.collect();
        let optypes: BTreeSet<&str> = faults.iter().map(|fault| fault.info().optype).collect();
        let patterns: Vec<String> = functions.iter().map(|pattern| (*pattern).to_owned()).collect();
        let names = |i: &Instruction| [i.optype().to_owned(), i.form().name.to_owned(), i.function()];
        let own = self.scope.narrowed(|mode| optypes.contains(mode.optype()));
        let globs = globs(&patterns, own.modes().flat_map(names), || "no voice has it".to_owned())?;
        let scope = own.narrowed(|mode| names(mode).iter().any(|name| globs.is_match(name)));
        let (subject, oracle) = (|| context.subject(&Voice::Model), || context.oracle(None));
        let mutants = faults.iter().map(|fault| context.subject(&Voice::Mutant(*fault))).collect();
        self.hunted(&scope, &subject, &oracle, mutants)
    }

    /// Hunts mutants of a subject.
    fn hunted(
        &self,
        scope: &Scope,
        subject: &(dyn Fn() -> Box<dyn Subject> + Sync),
        oracle: &(dyn Fn() -> Box<dyn Oracle> + Sync),
        mutants: Vec<Box<dyn Subject>>,
    ) -> Result<Vec<Known>, Failure> {
        let parties = parties(self.context, subject, oracle);
        let hunt = Hunt { parties, scope, seed: self.seed, cases: self.cases, stop: &STOP };
        let trails = hunt.run(mutants).map_err(|error| {
            let optypes: BTreeSet<&str> = scope.modes().map(Instruction::optype).collect();
            let optypes = optypes.into_iter().collect::<Vec<_>>().join(" ");
            Failure::input(format!("{error}; see `assay fuzz --only {optypes}` under the same profile"))
        })?;
        Ok(trails.into_iter().map(Known::from).collect())
    }

    fn of_codec(&self, form: usize, places: &[usize]) -> Vec<Known> {
        let faults = places.iter().filter_map(|place| match self.mutants[*place].plant {
            Plant::Codec(fault) => Some(fault),
            _ => None,
        });
        let faults: Vec<CodecFault> = faults.collect();
        let scope = self.scope.narrowed(|mode| mode.form().index == form);
        let trails = miscode::hunt(&scope, &faults, self.seed, self.cases, &STOP);
        let caught = |trail: &miscode::Trail| {
            let caught = trail.caught.map(|(check, case)| Caught { check, case, seconds: trail.seconds });
            Known::both(caught, trail.words)
        };
        trails.iter().map(caught).collect()
    }

    fn of_lanes(&self, places: &[usize]) -> Result<Vec<Known>, Failure> {
        let context = self.context;
        let (subject, oracle) = (|| context.subject(&Voice::Model), || context.oracle(None));
        let faults = places.iter().filter_map(|place| match self.mutants[*place].plant {
            Plant::Lanes(fault) => Some(fault),
            _ => None,
        });
        let mutants = faults.map(|fault| fault.plant(subject(), context.numbers.clone())).collect();
        self.hunted(&self.scope.narrowed(|mode| mode.optype() == lanes::OPTYPE), &subject, &oracle, mutants)
    }

    fn of_harness(&self, places: &[usize]) -> Vec<Known> {
        let known = |place: &usize| match self.mutants[*place].plant {
            Plant::Harness(defect) => Known::both(harness::caught(defect), 1),
            _ => Known::default(),
        };
        places.iter().map(known).collect()
    }
}
