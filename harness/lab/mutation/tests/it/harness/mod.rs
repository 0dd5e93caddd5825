//! Plants defects in the harness itself. The defects were found in other harnesses. Each defect is
//! planted in one part of this harness, and a check must fail with it.
//!
//! | module | what it holds |
//! |---|---|
//! | [`defects`] | the parts that are corrupted, and how |
//! | [`checks`] | properties that these parts must have |
//! | [`judging`] | results that are wrong by construction, one for each kind of divergence |

mod checks;
mod defects;
mod judging;

use std::collections::BTreeSet;

use assay_engine::compare::comparator::{Comparator, Setup};
use assay_engine::compare::judge::{Error, Verdicts, judge, real};
use assay_engine::generate::domain::Domain;
use assay_engine::generate::{self, LANES, Scope};
use assay_engine::stats::tally::Tally;
use assay_engine::triage::shrink::{Shrunk, shrink};
use assay_isa::format::Format;
use assay_isa::truth::Enclosure;
use assay_isa::{
    BackendError, Batch, Effects, EncodingTable, Estimates, Instruction, Oracle, Readings, Truths,
};
use assay_mpfr::MpfrOracle;
use assay_vectors::{Contract, Profile, VectorError};

use self::defects::Defect;

/// The type of a function that shrinks a case.
type Shrink = fn(&Setup<'_>, &mut Comparator, &Instruction, &Batch) -> Result<Option<Shrunk>, BackendError>;

/// The parts of the harness that may have a defect.
#[derive(Clone, Copy)]
struct Harness {
    judge: fn(&Contract, &Instruction, &Truths, &Effects, &mut Verdicts),
    error: fn(Format, u32, &Enclosure) -> Error,
    /// Draws a batch of a campaign.
    draw: fn(&Scope, u64, &mut Batch) -> Option<Instruction>,
    /// Returns the special values of an operand kind.
    listed: fn(assay_engine::operands::operand_kinds::OperandKind) -> Vec<u32>,
    /// Generates the inputs of a sweep.
    inputs: fn(&Domain, &Instruction, &mut Batch),
    merge: fn(&mut Tally, Tally),
    oracle: fn() -> Box<dyn Oracle>,
    estimate: fn(&mut dyn Oracle, &Instruction, &Batch, &mut Estimates) -> Result<bool, BackendError>,
    shrink: Shrink,
    /// Returns the default profile of runs.
    profile: fn() -> Result<Profile, VectorError>,
}

impl Harness {
    /// The parts without a defect.
    const SOUND: Harness = Harness {
        judge,
        error: real::error,
        draw,
        listed: assay_engine::generate::domain::values,
        inputs: |domain, instruction, batch| {
            domain.fill(instruction, EncodingTable::provisional(), 0, domain.len() as usize, batch);
        },
        merge: Tally::merge,
        oracle: || Box::new(MpfrOracle::new(Readings::INTENDED)),
        estimate: |oracle, instruction, batch, estimates| oracle.estimate(instruction, batch, estimates),
        shrink,
        profile: || Profile::load("intended"),
    };
}

fn draw(scope: &Scope, index: u64, batch: &mut Batch) -> Option<Instruction> {
    let pick = |u: &mut arbitrary::Unstructured<'_>| scope.instruction(u);
    generate::from_stream((1, index), EncodingTable::provisional(), LANES, &mut Vec::new(), batch, pick).ok()
}

#[test]
fn the_harness_as_it_ships_passes_every_check() {
    assert_eq!(checks::first_failure(&Harness::SOUND), None);
}

#[test]
fn every_defect_of_the_harness_is_noticed() {
    let is_noticed = |defect: &&Defect| checks::first_failure(&defect.harness()).is_some();
    let survivors = Defect::ALL.iter().filter(|defect| !is_noticed(defect));
    let survivors: Vec<_> = survivors.map(|defect| (defect.name, defect.about)).collect();
    assert!(survivors.is_empty(), "no check notices: {survivors:#?}");
}

#[test]
fn every_defect_of_the_harness_has_a_name_of_its_own() {
    let names: BTreeSet<&str> = Defect::ALL.iter().map(|defect| defect.name).collect();
    assert_eq!(names.len(), Defect::ALL.len());
    assert_eq!(names.len(), 53, "docs/internals/mutants.md counts them");
}

#[test]
fn every_check_of_the_harness_notices_something() {
    for (name, check) in checks::CHECKS {
        assert!(Defect::ALL.iter().any(|defect| check(&defect.harness()).is_err()), "{name}");
    }
}
