//! Reports the outcomes of the mutants, by layer and family.

use std::collections::BTreeMap;

use assay_records::commands::mutants::{
    DetectionScore, FamilyScore, MedianAndMax, MutantScore, MutantStatus, MutationReport,
};
use assay_records::commands::rounded;

use crate::mutant::{Layer, Mutant, families};
use crate::outcome::{Detection, MutantOutcome};

fn status_of(mutant: &Mutant, outcome: &MutantOutcome) -> MutantStatus {
    match (mutant.equivalent, outcome.contract, outcome.bits) {
        (Some(_), None, None) => MutantStatus::Equivalent,
        (Some(_), ..) => MutantStatus::Disproved,
        (None, Some(_), _) => MutantStatus::Killed,
        (None, None, Some(_)) => MutantStatus::WithinContract,
        (None, None, None) => MutantStatus::Survived,
    }
}

/// Makes the report of a run. `outcomes` has the order of `mutants`, and `seconds` is the duration.
pub fn sum_up(mutants: &[Mutant], outcomes: &[MutantOutcome], seconds: f64) -> MutationReport {
    let all: Vec<(&Mutant, &MutantOutcome, MutantStatus)> = mutants
        .iter()
        .zip(outcomes)
        .map(|(mutant, outcome)| (mutant, outcome, status_of(mutant, outcome)))
        .collect();
    let names = |status: MutantStatus| -> Vec<String> {
        all.iter().filter(|(.., f)| *f == status).map(|(mutant, ..)| mutant.name.clone()).collect()
    };
    let pairs = Layer::ALL.into_iter().flat_map(|layer| families().map(move |family| (layer, family)));
    let of_family = |(layer, family)| {
        let is_meant = |m: &Mutant| m.layer == layer && m.family == family;
        let meant: Vec<_> = all
            .iter()
            .filter(|(m, ..)| is_meant(m))
            .map(|(_, outcome, status)| (*outcome, *status))
            .collect();
        (!meant.is_empty()).then(|| family_score(layer, family, &meant))
    };
    MutationReport {
        families: pairs.filter_map(of_family).collect(),
        within_contract: names(MutantStatus::WithinContract),
        equivalent: names(MutantStatus::Equivalent),
        survivors: [names(MutantStatus::Survived), names(MutantStatus::Disproved)].concat(),
        mutants: all.iter().map(|(mutant, outcome, status)| mutant_score(mutant, outcome, *status)).collect(),
        seconds: rounded(seconds, 3),
    }
}

fn family_score(layer: Layer, family: &str, mutants: &[(&MutantOutcome, MutantStatus)]) -> FamilyScore {
    let of = |status: MutantStatus| mutants.iter().filter(|(_, f)| *f == status).count() as u64;
    // A fault within the contract was tested with all cases. For such a fault, the first difference
    // in bits counts as the detection.
    let caught: Vec<Detection> =
        mutants.iter().filter_map(|(outcome, _)| outcome.contract.or(outcome.bits)).collect();
    let mut checks = BTreeMap::new();
    caught.iter().for_each(|detection| *checks.entry(detection.check.to_owned()).or_default() += 1);
    let seconds = median_and_max(caught.iter().map(|detection| detection.seconds).collect());
    FamilyScore {
        layer: layer.name().to_owned(),
        family: family.to_owned(),
        faults: mutants.len() as u64,
        killed: of(MutantStatus::Killed),
        killed_bit_exact: caught.len() as u64,
        within_contract: of(MutantStatus::WithinContract),
        equivalent: of(MutantStatus::Equivalent),
        survivors: of(MutantStatus::Survived) + of(MutantStatus::Disproved),
        checks,
        cases_to_kill: median_and_max(caught.iter().map(|detection| detection.case + 1).collect()),
        seconds_to_kill: MedianAndMax { median: rounded(seconds.median, 6), max: rounded(seconds.max, 6) },
    }
}

fn mutant_score(mutant: &Mutant, outcome: &MutantOutcome, status: MutantStatus) -> MutantScore {
    let score = |detection: Detection| DetectionScore {
        check: detection.check.to_owned(),
        first_case: detection.case,
        seconds: rounded(detection.seconds, 6),
    };
    MutantScore {
        name: mutant.name.clone(),
        optype: mutant.optype.to_owned(),
        layer: mutant.layer.name().to_owned(),
        family: mutant.family.to_owned(),
        status,
        contract: outcome.contract.map(score),
        bit_exact: outcome.bits.map(score),
        cases: outcome.cases,
        proof: mutant.equivalent.map(str::to_owned),
    }
}

fn median_and_max<T: Copy + Default + PartialOrd>(mut values: Vec<T>) -> MedianAndMax<T> {
    values.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    let at = |place: usize| values.get(place).copied().unwrap_or_default();
    MedianAndMax { median: at(values.len() / 2), max: values.last().copied().unwrap_or_default() }
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
        let report = sum_up(&mutants, &outcomes, 1.0);
        assert!(!report.holds());
        assert_eq!(report.survivors, [&*mutants[2].name, &*mutants[1].name]);
        let [family] = &report.families[..] else { panic!("all are of one family") };
        assert_eq!((family.faults, family.killed, family.killed_bit_exact, family.survivors), (3, 1, 2, 2));
        assert_eq!((family.cases_to_kill.max, family.seconds_to_kill.median), (7, 0.25));
        mutants[1].equivalent = None;
        mutants[2].equivalent = Some("a proof");
        let report = sum_up(&mutants, &outcomes, 1.0);
        assert!(report.holds());
        assert_eq!((report.within_contract.len(), report.equivalent.len()), (1, 1));
    }
}
