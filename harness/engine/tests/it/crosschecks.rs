//! Cross-checks: every implementation that implements an instruction agrees with the oracle. proptest drives the
//! generator here, so a disagreement arrives shrunk.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

use arbitrary::{Arbitrary, Unstructured};
use assay_crosscheck::{ApFloat, CoreMath, HostCpu};
use assay_engine::compare::comparator::{Comparator, Setup};
use assay_engine::generate::AnyCase;
use assay_isa::{EncodingTable, Readings, Subject, asm};
use assay_testing::skip;
use proptest::prelude::*;

use crate::support::{intended, model, oracle};

type Make = fn() -> Box<dyn Subject>;

fn numbers() -> EncodingTable {
    EncodingTable::provisional().clone()
}

const VOICES: [(&str, Make); 4] = [
    ("model", model),
    ("apfloat", || Box::new(ApFloat::new(numbers(), Readings::INTENDED))),
    ("host", || Box::new(HostCpu::new(numbers(), Readings::INTENDED))),
    ("core-math", || Box::new(CoreMath::new(numbers(), Readings::INTENDED))),
];

#[test]
fn all_voices_agree() {
    let profile = intended();
    let benches = VOICES.map(|(name, make)| {
        let subject = || make();
        let setup = Setup {
            numbers: EncodingTable::provisional(),
            profile: &profile,
            subject: &subject,
            oracle: &oracle,
        };
        (name, RefCell::new(Comparator::new(&setup)), AtomicU64::new(0))
    });
    // No case consumes more than 256 bytes of random data.
    let bytes = proptest::collection::vec(any::<u8>(), 256);
    let config = ProptestConfig { cases: 60_000, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let outcome = runner.run(&bytes, |bytes| {
        let AnyCase { instruction, batch } = AnyCase::arbitrary(&mut Unstructured::new(&bytes)).unwrap();
        let contract = profile.contract_for(&instruction);
        for (name, comparator, judged) in &benches {
            let mut comparator = comparator.borrow_mut();
            if let Some(outcome) = comparator.run(&contract, &instruction, &batch).unwrap().judged() {
                judged.fetch_add(1, Ordering::Relaxed);
                let inputs: Vec<_> = batch.lane(0).map(|(l, v)| format!("{l}={v:#010x}")).collect();
                let case = format!("{name}: {} {}", asm::print(&instruction), inputs.join(" "));
                prop_assert!(outcome.verdicts.diverged.is_empty(), "{case}: {:?}", outcome.verdicts.diverged);
            }
        }
        Ok(())
    });
    outcome.unwrap_or_else(|e| panic!("{e}"));
    for (name, _, judged) in &benches {
        let judged = judged.load(Ordering::Relaxed);
        if *name == "host" && judged == 0 {
            skip("host-cpu", &format!("the host implementation, for 60000 cases: {}", HostCpu::describe()));
            continue;
        }
        assert!(judged > 300, "{name} was asked about {judged} cases only");
    }
}
