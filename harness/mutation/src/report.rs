//! What became of the mutants, by layer and family.
//!
//! There is no sum over layers: the codec has many times the faults of all others, so a sum would tell of little else.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::mutant::{Layer, Mutant, families};
use crate::outcome::{Detection, MutantOutcome};

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// Caught by the contracts.
    Killed,
    /// Caught only as different from what is sound.
    WithinContract,
    /// Not caught, as its proof says.
    Equivalent,
    /// Caught, although a proof says that nothing can.
    Disproved,
    /// Not caught.
    Survived,
}

impl Fate {
    fn of(mutant: &Mutant, outcome: &MutantOutcome) -> Fate {
        match (mutant.equivalent, outcome.contract, outcome.bits) {
            (Some(_), None, None) => Fate::Equivalent,
            (Some(_), ..) => Fate::Disproved,
            (None, Some(_), _) => Fate::Killed,
            (None, None, Some(_)) => Fate::WithinContract,
            (None, None, None) => Fate::Survived,
        }
    }
}

/// A finished run: what `assay mutants run --format json` prints.
#[derive(Serialize)]
pub struct Report<'a> {
    /// Each family of each layer that has a mutant, the layers in their order.
    pub families: Vec<FamilyReport>,
    /// Names of those that only the sound model tells apart.
    pub within_contract: Vec<&'a str>,
    /// Names of those that are not caught, as their proofs say.
    pub equivalent: Vec<&'a str>,
    /// Names of those that survived, then of those whose proof is refuted.
    pub survivors: Vec<&'a str>,
    /// Every mutant.
    pub mutants: Vec<MutantReport<'a>>,
    /// Seconds of the run.
    pub seconds: f64,
}

/// What became of the mutants of a family, in numbers.
#[derive(Serialize)]
pub struct FamilyReport {
    /// The part of the work that they spoil.
    pub layer: Layer,
    /// Its name.
    pub family: &'static str,
    /// All of them.
    pub faults: usize,
    /// Caught by the contracts.
    pub killed: usize,
    /// Caught by the contracts or the sound model.
    pub killed_bit_exact: usize,
    /// Caught only by the sound model.
    pub within_contract: usize,
    /// Not caught, as their proofs say.
    pub equivalent: usize,
    /// Not caught, or caught although a proof says that nothing can.
    pub survivors: usize,
    /// How many each check caught: by contract, or bit for bit where no contract did.
    pub checks: BTreeMap<&'static str, usize>,
    /// Cases until the kill.
    pub cases_to_kill: Range<u64>,
    /// Seconds until the kill.
    pub seconds_to_kill: Range<f64>,
}

/// The middle and the end of some values.
#[derive(Clone, Copy, Serialize)]
pub struct Range<T> {
    /// The value in the middle.
    pub median: T,
    /// The greatest value.
    pub max: T,
}

/// What became of a mutant, with the mutant.
#[derive(Serialize)]
pub struct MutantReport<'a> {
    /// Its name.
    pub name: &'a str,
    /// The optype in which it shows.
    pub optype: &'static str,
    /// The part of the work that it spoils.
    pub layer: Layer,
    /// What it is counted under.
    pub family: &'static str,
    /// What became of it.
    pub fate: Fate,
    /// How the contracts caught it.
    pub contract: Option<DetectionReport>,
    /// How the comparison with what is sound caught it.
    pub bit_exact: Option<DetectionReport>,
    /// Cases or words that it was tested with.
    pub cases: u64,
    /// Why nothing can tell it from what is sound, if that is so.
    pub proof: Option<&'static str>,
    /// What is wrong, in a sentence.
    #[serde(skip)]
    pub about: &'a str,
}

/// How a mutant was caught.
#[derive(Serialize)]
pub struct DetectionReport {
    /// Name of the check.
    pub check: &'static str,
    /// The first case or word that shows the fault.
    pub first_case: u64,
    /// Seconds until then.
    pub seconds: f64,
}

impl<'a> Report<'a> {
    /// Sums up a run of so many seconds, whose outcomes are in the order of the mutants.
    pub fn new(mutants: &'a [Mutant], outcomes: &[MutantOutcome], seconds: f64) -> Report<'a> {
        let all: Vec<(&Mutant, &MutantOutcome, Fate)> = mutants
            .iter()
            .zip(outcomes)
            .map(|(mutant, outcome)| (mutant, outcome, Fate::of(mutant, outcome)))
            .collect();
        let names = |fate: Fate| -> Vec<&'a str> {
            all.iter().filter(|(.., f)| *f == fate).map(|(mutant, ..)| mutant.name.as_str()).collect()
        };
        let pairs = Layer::ALL.into_iter().flat_map(|layer| families().map(move |family| (layer, family)));
        let of_family = |(layer, family)| {
            let is_meant = |m: &Mutant| m.layer == layer && m.family == family;
            let meant: Vec<_> = all
                .iter()
                .filter(|(m, ..)| is_meant(m))
                .map(|(_, outcome, fate)| (*outcome, *fate))
                .collect();
            (!meant.is_empty()).then(|| FamilyReport::new(layer, family, &meant))
        };
        Report {
            families: pairs.filter_map(of_family).collect(),
            within_contract: names(Fate::WithinContract),
            equivalent: names(Fate::Equivalent),
            survivors: [names(Fate::Survived), names(Fate::Disproved)].concat(),
            mutants: all
                .iter()
                .map(|(mutant, outcome, fate)| MutantReport::new(mutant, outcome, *fate))
                .collect(),
            seconds: rounded(seconds, 3),
        }
    }

    /// Whether every fault was caught, but for those that nothing can catch.
    pub fn holds(&self) -> bool {
        self.survivors.is_empty()
    }
}

impl FamilyReport {
    fn new(layer: Layer, family: &'static str, mutants: &[(&MutantOutcome, Fate)]) -> FamilyReport {
        let of = |fate: Fate| mutants.iter().filter(|(_, f)| *f == fate).count();
        // What lies within the contract was tested to the end; how soon the sound model told is another matter.
        let caught: Vec<Detection> =
            mutants.iter().filter_map(|(outcome, _)| outcome.contract.or(outcome.bits)).collect();
        let mut checks = BTreeMap::new();
        caught.iter().for_each(|detection| *checks.entry(detection.check).or_default() += 1);
        let seconds = Range::of(caught.iter().map(|detection| detection.seconds).collect());
        FamilyReport {
            layer,
            family,
            faults: mutants.len(),
            killed: of(Fate::Killed),
            killed_bit_exact: caught.len(),
            within_contract: of(Fate::WithinContract),
            equivalent: of(Fate::Equivalent),
            survivors: of(Fate::Survived) + of(Fate::Disproved),
            checks,
            cases_to_kill: Range::of(caught.iter().map(|detection| detection.case + 1).collect()),
            seconds_to_kill: Range { median: rounded(seconds.median, 6), max: rounded(seconds.max, 6) },
        }
    }
}

impl<'a> MutantReport<'a> {
    fn new(mutant: &'a Mutant, outcome: &MutantOutcome, fate: Fate) -> MutantReport<'a> {
        let report = |detection: Detection| DetectionReport {
            check: detection.check,
            first_case: detection.case,
            seconds: rounded(detection.seconds, 6),
        };
        MutantReport {
            name: &mutant.name,
            optype: mutant.optype,
            layer: mutant.layer,
            family: mutant.family,
            fate,
            contract: outcome.contract.map(report),
            bit_exact: outcome.bits.map(report),
            cases: outcome.cases,
            proof: mutant.equivalent,
            about: &mutant.about,
        }
    }
}

impl<T: Copy + Default + PartialOrd> Range<T> {
    fn of(mut values: Vec<T>) -> Range<T> {
        values.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        let at = |place: usize| values.get(place).copied().unwrap_or_default();
        Range { median: at(values.len() / 2), max: values.last().copied().unwrap_or_default() }
    }
}

/// A number with so many decimal digits.
fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (value * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutant::Selection;

    #[test]
    fn a_fault_that_nothing_shows_is_a_survivor_and_a_refuted_proof_is_one_too() {
        let names =
            ["batch-late".to_owned(), "batch-result-kept".to_owned(), "batch-operand-kept".to_owned()];
        let mut mutants = Selection { names: &names, ..Selection::default() }.mutants().unwrap();
        let caught = Some(Detection { check: "value", case: 6, seconds: 0.25 });
        let bits = MutantOutcome { contract: None, bits: caught, cases: 9 };
        let outcomes = [MutantOutcome::both(caught, 7), bits, MutantOutcome::default()];
        mutants[1].equivalent = Some("a proof");
        let report = Report::new(&mutants, &outcomes, 1.0);
        assert!(!report.holds());
        assert_eq!(report.survivors, [&*mutants[2].name, &*mutants[1].name]);
        let [family] = &report.families[..] else { panic!("all are of one family") };
        assert_eq!((family.faults, family.killed, family.killed_bit_exact, family.survivors), (3, 1, 2, 2));
        assert_eq!((family.cases_to_kill.max, family.seconds_to_kill.median), (7, 0.25));
        mutants[1].equivalent = None;
        mutants[2].equivalent = Some("a proof");
        let report = Report::new(&mutants, &outcomes, 1.0);
        assert!(report.holds());
        assert_eq!((report.within_contract.len(), report.equivalent.len()), (1, 1));
    }
}
