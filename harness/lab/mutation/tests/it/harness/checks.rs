//! Properties that the parts of the harness must have. The sound harness passes all checks.

use std::collections::{BTreeMap, BTreeSet};

use assay_engine::compare::comparator::{Comparator, PRECISION, Setup};
use assay_engine::compare::judge::{Verdicts, real, rules};
use assay_engine::generate::Scope;
use assay_engine::generate::domain::{Domain, LARGEST, swept};
use assay_engine::operands::operand_kinds::OperandKind;
use assay_engine::stats::tally::{Counts, ObservedDivergence, Tally};
use assay_engine::triage::shrink::evaluate;
use assay_faults::Fault;
use assay_isa::format::F32;
use assay_isa::truth::{Enclosure, Real, TruthValues};
use assay_isa::{
    Answer, Batch, EncodingTable, Estimates, Instruction, Location, Oracle, Readings, Subject, Truths, asm,
    codec,
};
use assay_vectors::published::departures;
use assay_vectors::{Contract, Profile};

use super::Harness;
use super::defects::amounts;
use super::judging::{wrong, wrong_lane};

/// The topic of a check, and its function. The function returns the problem if the check fails.
type Check = (&'static str, fn(&Harness) -> Result<(), String>);

/// Every check.
pub const CHECKS: &[Check] = &[
    ("errors known by hand", errors),
    ("wrong results are refused", refusals),
    ("bounds are the published ones", published),
    ("every lane is judged", lanes),
    ("real numbers are known well enough", enclosures),
    ("cases reach every byte and amount", draws),
    ("special values are listed", specials),
    ("a sweep has every input", sweeps),
    ("shards merge to the whole", merges),
    ("estimates enclose the truth", estimates),
    ("model and oracle agree", agreement),
    ("a sum is rounded once", rounding),
    ("a shrunk case shows the same", shrinking),
];

/// Returns the first check that fails, and its problem.
pub fn first_failure(harness: &Harness) -> Option<(&'static str, String)> {
    CHECKS.iter().find_map(|(name, check)| check(harness).err().map(|problem| (*name, problem)))
}

fn ensure(holds: bool, problem: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem()) }
}

fn assembled(text: &str) -> Result<Instruction, String> {
    asm::parse(text).map_err(|e| format!("{text}: {e}"))
}

/// The computed errors of simple results are right. Their values in ulp were found by hand.
fn errors(harness: &Harness) -> Result<(), String> {
    let number =
        |significand: u128, exponent| Enclosure { negative: false, significand, exponent, exact: true };
    let unit = real::ONE_ULP;
    let cases = [
        ("1 for 1", F32.one(), number(1, 0), 0),
        ("1 and a unit for 1", F32.one() + 1, number(1, 0), unit),
        ("1 and a quarter of a unit, rounded to 1", F32.one(), number((1 << 25) + 1, -25), -unit / 4),
        ("5 least subnormals for 2", 5, number(2, -149), 3 * unit),
        ("1 least subnormal for 2.5", 1, number(5, -150), -3 * unit / 2),
        ("0 for the least subnormal", 0, number(1, -149), -unit),
        ("the least normal for half of it", 1 << 23, number(1, -127), unit << 22),
    ];
    cases.into_iter().try_for_each(|(name, bits, y, expected)| {
        let floor = (harness.error)(F32, bits, &y).floor;
        ensure(floor == expected, || format!("{name}: {floor} units of 2^-32 ulp and not {expected}"))
    })
}

/// The judge refuses results that are wrong by construction.
fn refusals(harness: &Harness) -> Result<(), String> {
    let profile = Profile::load("intended").map_err(|e| e.to_string())?;
    let bounded = profile.contract_for(&assembled("MUFU.RCP.F32 R0, R1")?);
    let sine = profile.contract_for(&assembled("MUFU.SIN.F32 R0, R1")?);
    let mut verdicts = Verdicts::default();
    let instruction = assembled("FADD R0, R1, R2")?;
    wrong(&bounded, &sine).iter().try_for_each(|wrong| {
        (harness.judge)(&wrong.contract, &instruction, &wrong.truths, &wrong.effects, &mut verdicts);
        ensure(!verdicts.diverged.is_empty(), || format!("it lets pass: {}", wrong.kind.name()))
    })
}

/// The contracts allow exactly the published bounds.
fn published(harness: &Harness) -> Result<(), String> {
    let profile = (harness.profile)().map_err(|e| e.to_string())?;
    departures(&profile).into_iter().next().map_or(Ok(()), Err)
}

/// The judge refuses a wrong result in any lane.
fn lanes(harness: &Harness) -> Result<(), String> {
    let (mut verdicts, instruction) = (Verdicts::default(), assembled("FADD R0, R1, R2")?);
    for count in [1, 32, 33, 1024] {
        for lane in 0..count {
            let wrong = wrong_lane(count, lane);
            (harness.judge)(&wrong.contract, &instruction, &wrong.truths, &wrong.effects, &mut verdicts);
            let diverged: Vec<usize> = verdicts.diverged.iter().map(|(lane, _)| *lane).collect();
            ensure(diverged == [lane], || {
                format!("lane {lane} of {count} is wrong; it refuses {diverged:?}")
            })?;
        }
    }
    Ok(())
}

/// The oracle encloses real numbers with the requested precision.
fn enclosures(harness: &Harness) -> Result<(), String> {
    let mut oracle = (harness.oracle)();
    for text in ["MUFU.RCP.F32 R0, R1", "MUFU.LG2.F32 R0, R1", "MUFU.SIN.F32 R0, R1"] {
        let instruction = assembled(text)?;
        let mut batch =
            Batch::new(codec::encode(&instruction, EncodingTable::provisional()), &[Location::R(1)], 64);
        (0..).zip(batch.column_mut(0)).for_each(|(lane, value)| *value = F32.one() + lane * 1021 + 1);
        let mut truths = Truths::default();
        oracle.truth(&instruction, &batch, PRECISION, &mut truths).map_err(|e| e.to_string())?;
        let values = truths.columns().iter().find_map(|truth| match &truth.values {
            TruthValues::Reals { values, .. } => Some(values),
            TruthValues::Bits(_) => None,
        });
        for (lane, value) in values.ok_or("there is no real number")?.iter().enumerate() {
            let Real::Near(y) = value else { continue };
            let bits = u128::BITS - y.significand.leading_zeros();
            ensure(y.exact || bits >= PRECISION, || format!("{text}: lane {lane} has {bits} bits"))?;
        }
    }
    Ok(())
}

/// Generated batches contain bytes with the top bit set, and shift amounts on both sides of every
/// edge.
fn draws(harness: &Harness) -> Result<(), String> {
    const BATCHES: u64 = 48;
    for (optype, edges) in [("UPRMT", &[][..]), ("USHF", &[31, 32, 33, 63, 64, 65]), ("SGXT", &[31, 32, 33])]
    {
        let scope = Scope::everything().narrowed(|mode| mode.optype() == optype);
        let (mut batch, mut high, mut seen, mut all) = (Batch::default(), 0, BTreeMap::new(), 0);
        for index in 0..BATCHES {
            let drawn = (harness.draw)(&scope, index, &mut batch);
            let instruction = drawn.ok_or_else(|| format!("{optype}: batch {index} cannot be drawn"))?;
            for location in instruction.reads().iter().filter(|location| !location.is_predicate()) {
                let values = batch.column(*location).unwrap_or_default();
                high += values.iter().filter(|value| **value & 0x8080_8080 != 0).count();
                all += values.len();
            }
            for location in amounts(&instruction) {
                let values = batch.column(location).unwrap_or_default();
                values.iter().for_each(|value| *seen.entry(*value).or_insert(0) += 1);
            }
        }
        ensure(4 * high > all, || format!("{optype}: {high} of {all} values have a byte from 0x80 on"))?;
        for edge in edges {
            let count = seen.get(edge).copied().unwrap_or_default();
            ensure(count >= 20, || format!("{optype}: an amount of {edge} comes {count} times"))?;
        }
    }
    Ok(())
}

/// The lists of special values contain the necessary values.
fn specials(harness: &Harness) -> Result<(), String> {
    let (sign, infinity) = (F32.sign_mask(), F32.infinity());
    let floats = [0, 1, infinity - 1, infinity, infinity + 1, 0x7fc0_0000, F32.one(), 1 << 23, (1 << 23) - 1];
    let both = floats.iter().flat_map(|bits| [*bits, bits | sign]).collect();
    let amounts = vec![0, 1, 31, 32, 33, 63, 64, 65, 0x8000_0000, u32::MAX];
    let bits = vec![0, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX, 0x8080_8080];
    let selectors = vec![0, 0x3210, 0x7654, 0x8888, 0xffff];
    let lists: [(&str, OperandKind, Vec<u32>); 4] = [
        ("floats", OperandKind::Float(F32), both),
        ("amounts", OperandKind::Amount, amounts),
        ("patterns", OperandKind::Bits, bits),
        ("selectors", OperandKind::Selector, selectors),
    ];
    lists.into_iter().try_for_each(|(name, kind, wanted)| {
        let listed: BTreeSet<u32> = (harness.listed)(kind).into_iter().collect();
        let missing = wanted.into_iter().find(|value| !listed.contains(value));
        missing.map_or(Ok(()), |value| Err(format!("{value:#010x} is missing among the {name}")))
    })
}

/// A sweep of 16 bits has all inputs.
fn sweeps(harness: &Harness) -> Result<(), String> {
    let instruction = swept(&assembled("MUFU.TANH.F16 R0, R1.H0")?);
    let domain = Domain::of(&instruction, 1, LARGEST);
    let mut batch = Batch::default();
    (harness.inputs)(&domain, &instruction, &mut batch);
    let column = batch.locations().first().and_then(|location| batch.column(*location)).unwrap_or_default();
    let inputs: BTreeSet<u32> = column.iter().map(|bits| bits & 0xffff).collect();
    ensure(inputs.len() == 1 << 16, || format!("{} of 65536 inputs", inputs.len()))
}

/// The sums of merged tallies are right.
fn merges(harness: &Harness) -> Result<(), String> {
    let counts = Counts { exact: 5, diverged: 2, undefined: 1, ..Counts::default() };
    let shard = |index: u64| {
        let found = ObservedDivergence { index, word: index.into(), ..ObservedDivergence::default() };
        let mut tally = Tally { cases: counts.total(), verdicts: counts, ..Tally::default() };
        tally.forms.insert("FADD_RR".into(), counts);
        tally.undefined.insert("E049".into(), 1);
        tally.findings.insert("FADD value".into(), vec![found]);
        tally
    };
    let mut whole = Tally::default();
    (0..3).for_each(|index| (harness.merge)(&mut whole, shard(index)));
    let found = whole.findings.get("FADD value").map_or(0, Vec::len);
    let undefined = whole.undefined.get("E049").copied().unwrap_or_default();
    let numbers = [whole.cases, whole.verdicts.diverged, undefined, found as u64];
    ensure(numbers == [24, 6, 3, 3], || format!("cases, divergences, undefined, findings: {numbers:?}"))
}

/// The oracle rounds a sum once. The product is 1 + 2^-46, and the addend is 2^24. The sum is just
/// above the midpoint of two floats. Double precision rounds it to the midpoint.
fn rounding(harness: &Harness) -> Result<(), String> {
    let instruction = assembled("FFMA R0, R1, R2, R3")?;
    let word = codec::encode(&instruction, EncodingTable::provisional());
    let inputs = [(1, 0x3f80_1001), (2, 0x3f7f_e002), (3, 0x4b80_0000)];
    let mut batch = Batch::new(word, &inputs.map(|(register, _)| Location::R(register)), 1);
    for (place, (_, value)) in inputs.into_iter().enumerate() {
        batch.column_mut(place)[0] = value;
    }
    let mut truths = Truths::default();
    let known = (harness.oracle)().truth(&instruction, &batch, PRECISION, &mut truths);
    ensure(known.is_ok_and(|known| known == Answer::Known), || "the oracle does not know FFMA".into())?;
    let bits = truths.columns().first().map(|truth| rules::nearest(truth)[0]);
    ensure(bits == Some(0x4b80_0001), || format!("FFMA gives {bits:x?} and not 2^24 + 2"))
}

/// The true value lies within the error that an estimate in double precision states.
fn estimates(harness: &Harness) -> Result<(), String> {
    const LANES: usize = 4096;
    let mut oracle = (harness.oracle)();
    for text in ["MUFU.RCP.F32 R0, R1", "MUFU.EX2.F32 R0, R1", "MUFU.TANH.F32 R0, R1"] {
        let instruction = assembled(text)?;
        let word = codec::encode(&instruction, EncodingTable::provisional());
        let mut batch = Batch::new(word, &[Location::R(1)], LANES);
        let place = |(lane, value): (u32, &mut u32)| *value = F32.one() + lane * 1021;
        (0..).zip(batch.column_mut(0)).for_each(place);
        let (mut estimates, mut truths) = (Estimates::default(), Truths::default());
        let known = (harness.estimate)(oracle.as_mut(), &instruction, &batch, &mut estimates);
        ensure(known.map_err(|e| e.to_string())?, || format!("{text}: there is no estimate"))?;
        oracle.truth(&instruction, &batch, PRECISION, &mut truths).map_err(|e| e.to_string())?;
        let [truth] = truths.columns() else { return Err(format!("{text}: there is no truth")) };
        let TruthValues::Reals { values, .. } = &truth.values else { continue };
        for (lane, value) in values.iter().enumerate() {
            let Real::Near(y) = value else { continue };
            let (base, delta) = (estimates.bases[lane], estimates.deltas[lane]);
            let miss = (beyond(y, base) - delta).abs();
            // The truth has a relative error of 2^-70. Its distance from the base has the precision
            // of a double.
            let doubt = delta.abs() * 4e-16 + base.abs() * 1e-21;
            ensure(miss <= estimates.slack * delta.abs() + doubt, || {
                format!(
                    "{text}: lane {lane} is off by {miss:e}, more than {:e} of {delta:e}",
                    estimates.slack
                )
            })?;
        }
    }
    Ok(())
}

/// Returns the signed distance of a number from a nearby base that has few bits.
fn beyond(y: &Enclosure, base: f64) -> f64 {
    let scaled = base.abs() * 2_f64.powi(-y.exponent);
    let distance = y.significand as i128 - scaled as i128;
    let signed = if y.negative { -distance } else { distance };
    signed as f64 * 2_f64.powi(y.exponent)
}

/// The sound model diverges nowhere.
fn agreement(harness: &Harness) -> Result<(), String> {
    const BATCHES: u64 = 96;
    let numbers = EncodingTable::provisional();
    let profile = Profile::load("intended").map_err(|e| e.to_string())?;
    let subject = || assay_model::model(numbers.clone(), Readings::INTENDED);
    let oracle = || (harness.oracle)();
    let setup = Setup { numbers, profile: &profile, subject: &subject, oracle: &oracle };
    let mut comparator = Comparator::new(&setup);
    let plain =
        |mode: &Instruction| ["ftz", "sat"].iter().all(|m| !mode.flag(m)) && mode.get("rnd") == Some(0);
    // FFMA without `.FTZ`, `.SAT` and a directed rounding mode has its own batches, so that enough
    // of its operands are hard to round.
    for (optype, is_plain) in [("FFMA", true), ("FFMA", false), ("USHF", false)] {
        let scope =
            Scope::everything().narrowed(|mode| mode.optype() == optype && (!is_plain || plain(mode)));
        let mut batch = Batch::default();
        for index in 0..BATCHES {
            let drawn = (harness.draw)(&scope, index, &mut batch);
            let instruction = drawn.ok_or_else(|| format!("{optype}: batch {index} cannot be drawn"))?;
            let contract = Contract::BitExact;
            let outcome = comparator.run(&contract, &instruction, &batch).map_err(|e| e.to_string())?;
            let judged =
                outcome.judged().ok_or_else(|| format!("{} is not judged", asm::print(&instruction)))?;
            let counts = [judged.verdicts.diverged.len(), judged.verdicts.undefined.len()];
            ensure(counts == [0, 0], || {
                format!("{}: lanes that diverge, and undefined ones: {counts:?}", asm::print(&instruction))
            })?;
        }
    }
    Ok(())
}

/// A shrunk case diverges with the kind of divergence of the given case.
fn shrinking(harness: &Harness) -> Result<(), String> {
    let numbers = EncodingTable::provisional();
    let profile = Profile::load("intended").map_err(|e| e.to_string())?;
    let subject = || -> Box<dyn Subject> {
        assay_faults::mutant(numbers.clone(), Readings::INTENDED, Fault::FmulZeroSign)
    };
    let oracle = || -> Box<dyn Oracle> { (Harness::SOUND.oracle)() };
    let setup = Setup { numbers, profile: &profile, subject: &subject, oracle: &oracle };
    let mut comparator = Comparator::new(&setup);
    let instruction = assembled("FMUL.FTZ R0, -R1, R2")?;
    let word = codec::encode(&instruction, numbers);
    let mut batch = Batch::new(word, &[Location::R(1), Location::R(2)], 1);
    batch.column_mut(1)[0] = 0x4049_0fdb;
    let same = |e: assay_isa::BackendError| e.to_string();
    let before = evaluate(&setup, &mut comparator, &instruction, &batch).map_err(same)?;
    let before = before.ok_or("the fault does not show")?;
    let shrunk = (harness.shrink)(&setup, &mut comparator, &instruction, &batch).map_err(same)?;
    let shrunk = shrunk.ok_or("nothing is left of a divergence")?;
    let after = evaluate(&setup, &mut comparator, &shrunk.instruction, &shrunk.batch).map_err(same)?;
    let kind = after.map(|divergence| divergence.kind);
    ensure(kind == Some(before.kind) && shrunk.divergence.kind == before.kind, || {
        format!("`{}` does not diverge by {}", asm::print(&shrunk.instruction), before.kind.name())
    })
}
