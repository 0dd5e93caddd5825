//! Tests the reference model under profile `faithful`. Each of the 18 pairs of function and type
//! has an expected verdict, pass or fail.

use std::collections::BTreeSet;

use assay_engine::compare::comparator::{Comparator, Setup};
use assay_engine::compare::judge::DivergenceKind;
use assay_engine::run::exhaustive::line::ExhaustiveWorker;
use assay_engine::stats::tally::Tally;
use assay_isa::{Batch, EncodingTable, Instruction, asm, catalog, codec, legality};
use assay_vectors::Profile;

use crate::support::{model, oracle};

/// The verdict on the model.
#[derive(Clone, Copy, Debug)]
enum Verdict {
    /// Every result is less than 1 ulp off. The value is the argument with the greatest error.
    Passes(u32),
    /// Some result is 1 ulp off or more. The value is the argument with the greatest error.
    Fails(u32),
}

use Verdict::{Fails, Passes};

/// The outcomes of sweeps over every argument (reports/published).
const VERDICTS: [(&str, Verdict); 18] = [
    ("MUFU.COS.F32", Fails(0x7a27_0509)),
    ("MUFU.EX2.BF16", Passes(0xc306)),
    ("MUFU.EX2.BF16_V2", Passes(0xc306)),
    ("MUFU.EX2.F16", Passes(0xce40)),
    ("MUFU.EX2.F16_V2", Passes(0xce40)),
    ("MUFU.EX2.F32", Passes(0x3ef0_0062)),
    ("MUFU.LG2.F32", Fails(0x3f97_ff40)),
    ("MUFU.RCP.F32", Passes(0x8042_14a7)),
    ("MUFU.RCP.F64", Passes(0x8013_7fff)),
    ("MUFU.RSQ.F32", Fails(0x0080_6d41)),
    ("MUFU.RSQ.F64", Passes(0x0010_0d69)),
    ("MUFU.SIN.F32", Fails(0xfcff_187c)),
    ("MUFU.SQRT.F32", Passes(0x0080_a71e)),
    ("MUFU.TANH.BF16", Passes(0x3db9)),
    ("MUFU.TANH.BF16_V2", Passes(0x3db9)),
    ("MUFU.TANH.F16", Passes(0x2745)),
    ("MUFU.TANH.F16_V2", Passes(0x2745)),
    ("MUFU.TANH.F32", Fails(0x3f05_fff3)),
];

/// An instruction of a pair.
fn instruction(function: &str) -> Instruction {
    // An operand with 16 bits names its half of the register.
    let half = if function.ends_with("F16") { ".H0" } else { "" };
    asm::parse(&format!("{function} R0, R1{half}")).unwrap_or_else(|e| panic!("{function}: {e}"))
}

/// Executes the model on arguments and judges its results. Returns the kind of each divergence.
fn refused(setup: &Setup, function: &str, arguments: &[u32]) -> Vec<DivergenceKind> {
    let instruction = instruction(function);
    let word = codec::encode(&instruction, setup.numbers);
    let mut comparator = Comparator::new(setup);
    let mut batch = Batch::new(word, &instruction.reads(), arguments.len());
    batch.column_mut(0).copy_from_slice(arguments);
    let contract = setup.profile.contract_for(&instruction);
    let judged = comparator.run(&contract, &instruction, &batch).unwrap().judged().expect(function);
    judged.verdicts.diverged.iter().map(|(_, divergence)| divergence.kind).collect()
}

fn with_parties(profile: &Profile, check: impl Fn(&Setup)) {
    check(&Setup { numbers: EncodingTable::provisional(), profile, subject: &model, oracle: &oracle });
}

#[test]
fn every_pair_has_a_verdict() {
    let mut pairs = BTreeSet::new();
    for (function, dtype) in (0..8).flat_map(|function| (0..6).map(move |dtype| (function, dtype))) {
        let mut mode = Instruction::new(catalog().form("MUFU_R").unwrap());
        mode.set("mufuop", function);
        mode.set("dtype", dtype);
        if legality::check(&mode).is_ok() {
            pairs.insert(asm::mnemonic(&mode));
        }
    }
    assert_eq!(pairs, VERDICTS.iter().map(|(function, _)| asm::mnemonic(&instruction(function))).collect());
}

#[test]
fn the_model_fails_where_it_is_a_unit_off() {
    let faithful = Profile::load("faithful").unwrap();
    with_parties(&faithful, |setup| {
        for (function, verdict) in VERDICTS {
            let (Passes(argument) | Fails(argument)) = verdict;
            let expected: &[DivergenceKind] =
                if matches!(verdict, Fails(_)) { &[DivergenceKind::Bound] } else { &[] };
            assert_eq!(refused(setup, function, &[argument]), expected, "{function} {argument:#010x}");
        }
    });
}

/// Tests every argument of 16 bits, some units of F32, and every 65,521st argument of F64.
#[test]
fn the_model_passes_where_every_result_is_a_neighbour_of_the_truth() {
    let faithful = Profile::load("faithful").unwrap();
    with_parties(&faithful, |setup| {
        for (function, _) in VERDICTS.into_iter().filter(|(_, verdict)| matches!(verdict, Passes(_))) {
            let instruction = instruction(function);
            if function.contains("F16") {
                // The other half of the register has another argument, for the functions with
                // packed results.
                let arguments: Vec<u32> = (0..1 << 16).map(|low: u32| low | (low ^ 0x5a5a) << 16).collect();
                assert_eq!(refused(setup, function, &arguments), [], "{function}");
            } else if function.ends_with("F64") {
                let arguments: Vec<u32> = (0..=u32::MAX).step_by(65_521).collect();
                assert_eq!(refused(setup, function, &arguments), [], "{function}");
            } else {
                let contract = faithful.contract_for(&instruction);
                let mut surveyor = ExhaustiveWorker::new(
                    &instruction,
                    contract,
                    setup.numbers,
                    Comparator::new(setup),
                    None,
                );
                let mut tally = Tally::default();
                for unit in [0, 1, 777, 2047] {
                    surveyor.unit(unit, None, &mut tally).unwrap();
                }
                assert_eq!(tally.verdicts.diverged, 0, "{function}: {:?}", tally.findings);
                assert_eq!(tally.verdicts.unjudged, 0, "{function}");
            }
        }
    });
}
