//! The PTX that stands for an instruction computes what the instruction does: every lowering of the catalogue is run by the
//! interpreter, whose author knew PTX and not the instruction set, and judged by the oracle.

use assay_engine::generate;
use assay_engine::versus::{Bench, Outcome, Parties};
use assay_hardware::interpreted::PtxSubject;
use assay_hardware::ptx::{Fate, catalogue};
use assay_isa::{Batch, Instruction, Numbers, Oracle, Subject, asm};
use assay_mpfr::MpfrOracle;
use assay_vectors::Profile;

/// Lanes of a lowering: of each comparison, truth table and shift there are hundreds.
const LANES: usize = 96;

/// Lanes drawn for an instruction.
fn drawn(instruction: &Instruction, index: usize) -> Batch {
    let numbers = Numbers::provisional();
    let (mut bytes, mut batch) = (Vec::new(), Batch::default());
    let stream = (7, index as u64);
    generate::from_stream(stream, numbers, LANES, &mut bytes, &mut batch, |_| Ok(instruction.clone()))
        .unwrap();
    batch
}

#[test]
fn every_lowering_computes_what_its_instruction_does() {
    let (numbers, profile) = (Numbers::provisional(), Profile::load("sm90").unwrap());
    let subject = || -> Box<dyn Subject> { Box::new(PtxSubject::interpreted("ptx", numbers.clone())) };
    let oracle = || -> Box<dyn Oracle> { Box::new(MpfrOracle::new(profile.readings)) };
    let mut bench = Bench::new(&Parties { numbers, profile: &profile, subject: &subject, oracle: &oracle });
    let (mut lowered, mut problems) = (0, Vec::new());
    for (index, Fate { example, lowering, .. }) in catalogue().iter().enumerate() {
        if lowering.is_err() {
            continue;
        }
        let instruction = asm::parse(example).unwrap();
        let batch = drawn(&instruction, index);
        let outcome = bench.run(&profile.contract_for(&instruction), &instruction, &batch).unwrap();
        assert_eq!(outcome, Outcome::Judged, "{example}");
        lowered += 1;
        let verdicts = &bench.verdicts;
        assert_eq!(verdicts.lanes, LANES, "{example}");
        if let Some((lane, divergence)) = verdicts.diverged.first() {
            let inputs: Vec<_> =
                batch.lane(*lane).map(|(place, value)| format!("{place}={value:#010x}")).collect();
            problems.push(format!("{example}  {}: {divergence:?}", inputs.join(" ")));
        }
        if verdicts.unjudged.len() + verdicts.undefined.len() == LANES {
            problems.push(format!("{example}: nothing of it was judged"));
        }
    }
    assert!(lowered > 8000, "{lowered} lowerings");
    assert!(problems.is_empty(), "{} of {lowered}:\n{}", problems.len(), problems.join("\n"));
}
