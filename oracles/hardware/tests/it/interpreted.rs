//! Checks that the PTX of an instruction has the instruction's effects. The interpreter runs every
//! lowering of the catalogue, and the oracle judges its results. The author of the interpreter used
//! the PTX ISA, but not the document of the instruction set. Replaced bits of the machine code are
//! an exception: for them, the interpreter runs special statements, which follow the documents of
//! the instruction set.

use std::sync::LazyLock;

use assay_engine::compare::comparator::{Comparator, Setup};
use assay_engine::generate;
use assay_hardware::interpreted::{PtxOpinion, PtxSubject};
use assay_hardware::ptx::{CatalogueEntry, catalogue};
use assay_isa::{Batch, EncodingTable, Instruction, Oracle, Subject, asm, codec};
use assay_mpfr::MpfrOracle;
use assay_vectors::Profile;

/// The catalogue. Building it takes a second.
static CATALOGUE: LazyLock<Vec<CatalogueEntry>> = LazyLock::new(catalogue);

/// Returns the number of lowerings of the selected optypes.
fn lowered(is_one: impl Fn(&str) -> bool) -> usize {
    CATALOGUE.iter().filter(|entry| entry.lowering.is_ok() && is_one(entry.optype)).count()
}

/// Number of lanes for most lowerings. Comparisons, truth tables and shifts have hundreds of
/// lowerings.
const LANES: usize = 96;
/// Number of lanes for a function of MUFU.
const FUNCTION: usize = 8192;

/// Returns lanes for an instruction. A function of 16-bit numbers gets every input in each half.
/// Other instructions get generated operands, as in a campaign.
fn lanes(instruction: &Instruction, index: usize) -> Batch {
    let (numbers, mut batch) = (EncodingTable::provisional(), Batch::default());
    if instruction.optype() == "MUFU" && instruction.function().contains("F16") {
        let word = codec::encode(instruction, numbers);
        batch.reset(word, &instruction.reads(), 1 << 16);
        let inputs = batch.column_mut(0).iter_mut().zip(0_u32..);
        inputs.for_each(|(slot, input)| *slot = input << 16 | input.reverse_bits() >> 16);
        return batch;
    }
    let (stream, mut bytes) = ((7, index as u64), Vec::new());
    let count = if instruction.optype() == "MUFU" { FUNCTION } else { LANES };
    generate::from_stream(stream, numbers, count, &mut bytes, &mut batch, |_| Ok(instruction.clone()))
        .unwrap();
    batch
}

/// Compares every lowering that a subject supports with the oracle. Returns the number of these
/// lowerings.
fn hold(profile: &Profile, subject: &(dyn Fn() -> Box<dyn Subject> + Sync)) -> usize {
    let numbers = EncodingTable::provisional();
    let oracle = || -> Box<dyn Oracle> { Box::new(MpfrOracle::new(profile.readings)) };
    let mut comparator = Comparator::new(&Setup { numbers, profile, subject, oracle: &oracle });
    let (mut answered, mut problems) = (0, Vec::new());
    for (index, CatalogueEntry { example, lowering, .. }) in CATALOGUE.iter().enumerate() {
        let instruction = asm::parse(example).unwrap();
        let batch = lanes(&instruction, index);
        let outcome = comparator.run(&profile.contract_for(&instruction), &instruction, &batch).unwrap();
        let Some(judged) = outcome.judged() else { continue };
        assert!(lowering.is_ok(), "{example} has no lowering");
        answered += 1;
        let verdicts = judged.verdicts;
        assert_eq!(verdicts.lanes, batch.len(), "{example}");
        if let Some((lane, divergence)) = verdicts.diverged.first() {
            let inputs: Vec<_> =
                batch.lane(*lane).map(|(place, value)| format!("{place}={value:#010x}")).collect();
            problems.push(format!("{example}  {}: {divergence:?}", inputs.join(" ")));
        }
        let open = verdicts.unjudged.len() + verdicts.undefined.len();
        if open > 0 {
            problems.push(format!("{example}: {open} of {} lanes are not judged", batch.len()));
        }
    }
    assert!(problems.is_empty(), "{} of {answered}:\n{}", problems.len(), problems.join("\n"));
    answered
}

#[test]
fn every_lowering_computes_what_its_instruction_does() {
    let silicon = Profile::load("sm90").unwrap();
    let numbers = || EncodingTable::provisional().clone();
    let answered = hold(&silicon, &|| Box::new(PtxSubject::interpreted(numbers())));
    assert_eq!(answered, lowered(|_| true));
}

#[test]
fn an_opinion_is_right_and_given_where_readings_are_followed() {
    let numbers = || EncodingTable::provisional().clone();
    let silicon = Profile::load("sm90").unwrap();
    let answered = |name: &str| {
        let profile = Profile::load(name).unwrap();
        let (readings, followed) = (profile.readings, silicon.readings);
        hold(&profile, &|| Box::new(PtxOpinion::new(numbers(), readings, followed)))
    };
    // The cross-check leaves out instructions under other readings. Under the `literal` profile, it
    // supports none.
    let silent = ["MUFU", "BREV", "UBREV", "UPRMT", "UP2UR", "FADD", "FMUL", "FFMA"];
    assert_eq!(answered("intended"), lowered(|optype| !silent.contains(&optype)));
    assert_eq!(answered("literal"), 0);
}
