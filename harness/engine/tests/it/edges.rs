//! Tests cases that the quick tier and small campaigns contain on purpose. These are inputs at the
//! ends of binades and segments, sums with a power of two, results at an end of the range, and
//! instructions that read one register twice.

use std::sync::atomic::AtomicBool;

use arbitrary::Unstructured;
use assay_engine::compare::comparator::Setup;
use assay_engine::coverage::Bins;
use assay_engine::coverage::minimal_suite::minimal_suite;
use assay_engine::generate::domain::Domain;
use assay_engine::generate::{Scope, from_stream};
use assay_engine::run::campaign::{Campaign, Limit};
use assay_engine::run::sweep::{Function, Sweep};
use assay_engine::run::{RunHooks, RunProgress, Shard};
use assay_engine::stats::tally::Tally;
use assay_isa::{
    Answer, BackendError, Batch, Effects, EncodingTable, Instruction, Readings, Source, Subject, asm, codec,
};

use crate::support::{Changed, intended, model, oracle};

/// Runs a sweep like `--tier quick`, but with a much larger distance between samples. So a single
/// wrong input is found only if the tier lists it.
fn sweep(text: &str, subject: &(dyn Fn() -> Box<dyn Subject> + Sync)) -> Tally {
    const FAR: u64 = 999_983;
    let instruction = asm::parse(text).expect(text);
    let profile = intended();
    let domain = Domain::of(&instruction, FAR, 1);
    let setup = Setup { numbers: EncodingTable::provisional(), profile: &profile, subject, oracle: &oracle };
    let functions = [Function { instruction, domain }];
    let (stop, mut progress) = (AtomicBool::new(false), |_: &Tally| ());
    let hooks = RunHooks::new(&stop, &mut progress);
    let sweep = Sweep { setup, functions: &functions, shard: Shard::WHOLE };
    sweep.run(RunProgress::default(), hooks).expect("the sweep ends").tally
}

#[test]
fn a_quick_sweep_finds_one_wrong_input_at_an_end_of_a_binade_or_a_segment() {
    // Each row: the function, the input, and a wrong result for this input.
    let single = [
        ("MUFU.TANH.F32 R0, R1", 0.25_f32.to_bits(), 0.25_f32.to_bits()),
        ("MUFU.TANH.F32 R0, R1", (-0.25_f32).to_bits(), 0),
        ("MUFU.RCP.F32 R0, R1", 2_f32.powi(126).to_bits(), 0),
        ("MUFU.RCP.F32 R0, R1", 2_f32.powi(-100).to_bits() + 2, 0),
        ("MUFU.RCP.F32 R0, R1", 1.5_f32.to_bits() - 1, 0x3f80_0000),
        ("MUFU.RSQ.F32 R0, R1", 4_f32.powi(20).to_bits() - 2, 0),
        ("MUFU.SQRT.F32 R0, R1", (1.0_f32 + 5.0 / 64.0).to_bits(), 0),
        ("MUFU.LG2.F32 R0, R1", (1.0_f32 + 63.0 / 64.0).to_bits(), 0),
        ("MUFU.EX2.F32 R0, R1", (-126.0_f32).to_bits(), 0x3f80_0000),
        ("MUFU.EX2.F32 R0, R1", (17.0_f32 / 64.0).to_bits(), 0),
        ("MUFU.SIN.F32 R0, R1", (std::f32::consts::PI / 128.0).to_bits(), 0x3f80_0000),
        ("MUFU.COS.F32 R0, R1", (std::f32::consts::PI * 37.0 / 128.0).to_bits() - 1, 0x3f80_0000),
    ];
    for (text, input, wrong) in single {
        let subject = move || -> Box<dyn Subject> {
            Box::new(Changed::new(
                model(),
                move |argument, result| if argument == input { wrong } else { result },
            ))
        };
        let tally = sweep(text, &subject);
        assert!(tally.verdicts.diverged >= 1, "{text} of {input:#010x}: {:?}", tally.verdicts);
        assert!(
            tally.verdicts.diverged <= 2,
            "{text} of {input:#010x} is listed once, and sampled at most once"
        );
    }
    for text in ["MUFU.TANH.F32 R0, R1", "MUFU.RCP.F64 R0, R1"] {
        assert_eq!(sweep(text, &model).verdicts.diverged, 0, "{text}");
    }
}

/// The values that an instruction reads in a lane, with prefixes applied.
type Operands = [u32; 3];

/// The model with its results changed by a function of the instruction, its operands and the
/// result.
struct WithOperands<F> {
    model: Box<dyn Subject>,
    change: F,
    inner: Effects,
}

impl<F> WithOperands<F> {
    fn new(change: F) -> WithOperands<F> {
        WithOperands { model: model(), change, inner: Effects::default() }
    }
}

fn operand(instruction: &Instruction, place: usize, batch: &Batch, lane: usize) -> u32 {
    let Some(operand) = instruction.inputs().nth(place) else { return 0 };
    let bits = match operand.source {
        Source::Imm(bits) => bits,
        source => source.location().and_then(|l| batch.column(l)).map_or(0, |column| column[lane]),
    };
    let bits = if operand.abs { bits & 0x7fff_ffff } else { bits };
    if operand.neg { bits ^ 0x8000_0000 } else { bits }
}

impl<F: Fn(&Instruction, Operands, u32) -> u32 + Send> Subject for WithOperands<F> {
    fn name(&self) -> &str {
        "planted"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        let answer = self.model.execute(batch, &mut self.inner)?;
        let instruction =
            codec::decode(batch.word(), EncodingTable::provisional()).expect("a campaign draws legal words");
        effects.reset(batch.len());
        for column in self.inner.columns() {
            let values = effects.write(column.location, column.written.clone());
            for (lane, (value, result)) in values.iter_mut().zip(&column.values).enumerate() {
                let operands = [0, 1, 2].map(|place| operand(&instruction, place, batch, lane));
                *value = (self.change)(&instruction, operands, *result);
            }
        }
        self.inner.undefined().iter().for_each(|(lane, erratum)| effects.undefine(*lane, *erratum));
        Ok(answer)
    }
}

/// Returns the number of lanes that diverge in a campaign of one optype.
fn diverged(
    optype: &str,
    (seed, cases): (u64, u64),
    change: impl Fn(&Instruction, Operands, u32) -> u32 + Copy + Send + Sync + 'static,
) -> u64 {
    let scope = Scope::filtered(|mode| mode.optype() == optype);
    let subject = move || -> Box<dyn Subject> { Box::new(WithOperands::new(change)) };
    let profile = intended();
    let numbers = EncodingTable::provisional();
    let setup = Setup { numbers, profile: &profile, subject: &subject, oracle: &oracle };
    let limit = Limit::Cases(cases);
    let campaign = Campaign { setup, scope: &scope, seed, limit, shard: Shard::WHOLE };
    let (stop, mut progress) = (AtomicBool::new(false), |_: &Tally| ());
    campaign.run(RunHooks::new(&stop, &mut progress)).expect("the campaign ends").tally.verdicts.diverged
}

fn number(bits: u32) -> f64 {
    f64::from(f32::from_bits(bits))
}

/// Whether `power` is a power of two, and `other` has the opposite sign and a magnitude between a
/// quarter and a half of an ulp of `power`.
fn is_beside_a_power(power: f64, other: f64) -> bool {
    let is_power =
        power.is_normal() && power.to_bits() << 12 == 0 && power.abs() > f64::from(f32::MIN_POSITIVE);
    let unit = power.abs() * 2_f64.powi(-23);
    is_power
        && power * other < 0.0
        && (unit / 4.0..unit / 2.0).contains(&other.abs())
        && other.abs() != unit / 4.0
}

/// Plants a fault in sums that [`is_beside_a_power`] describes: the smaller term, or the product,
/// is dropped.
fn drops_a_part(instruction: &Instruction, [a, b, c]: Operands, result: u32) -> u32 {
    if instruction.get("sat").is_some_and(|sat| sat != 0) {
        return result;
    }
    match instruction.optype() {
        "FFMA" if is_beside_a_power(number(c), number(a) * number(b)) => c,
        "FADD" if is_beside_a_power(number(a), number(b)) => a,
        "FADD" if is_beside_a_power(number(b), number(a)) => b,
        _ => result,
    }
}

#[test]
fn a_part_of_a_unit_that_is_dropped_beside_a_power_of_two_shows_in_a_small_campaign() {
    for optype in ["FFMA", "FADD"] {
        for seed in 1..=10 {
            let lanes = diverged(optype, (seed, 400_000), drops_a_part);
            assert!(lanes >= 20, "{optype}, seed {seed}: {lanes} lanes");
        }
    }
}

/// Flips the last bit of a result in one rounding mode, if the exact result is 2^128 or the least
/// normal number in magnitude.
fn misjudges_the_ends<const ROUNDING: u32>(
    instruction: &Instruction,
    operands: Operands,
    result: u32,
) -> u32 {
    if instruction.get("rnd") != Some(ROUNDING) {
        return result;
    }
    let [a, b, c] = operands.map(number);
    let exact = match instruction.optype() {
        "FFMA" => a * b + c,
        "FADD" => a + b,
        _ => return result,
    };
    match exact.abs() {
        // The exact result is rounded to f64, so several exact results next to such a number count
        // as equal to it.
        x if x == 2_f64.powi(128) => result ^ 1,
        x if x == f64::from(f32::MIN_POSITIVE) && result & 0x7fff_ffff == 0x0080_0000 => result ^ 1,
        _ => result,
    }
}

#[test]
fn results_that_just_reach_an_end_of_the_range_are_met_in_each_rounding_mode() {
    for optype in ["FFMA", "FADD"] {
        let of_mode = [
            diverged(optype, (1, 200_000), misjudges_the_ends::<0>),
            diverged(optype, (1, 200_000), misjudges_the_ends::<1>),
            diverged(optype, (1, 200_000), misjudges_the_ends::<2>),
            diverged(optype, (1, 200_000), misjudges_the_ends::<3>),
        ];
        assert!(of_mode.iter().all(|lanes| *lanes >= 10), "{optype}: {of_mode:?}");
    }
}

/// Changes an overflow to the greatest finite number, if the first two operands are the same
/// register.
fn clamps_the_double(instruction: &Instruction, [a, b, _]: Operands, result: u32) -> u32 {
    let source = |place| instruction.inputs().nth(place).and_then(|operand| operand.source.location());
    let is_double = source(0).is_some() && source(0) == source(1);
    let overflows = number(a).is_finite() && number(b).is_finite() && result & 0x7fff_ffff == 0x7f80_0000;
    if is_double && overflows { result - 1 } else { result }
}

#[test]
fn one_register_read_twice_leaves_the_range_in_each_small_campaign() {
    for optype in ["FADD", "FMUL", "FFMA"] {
        for seed in 1..=10 {
            let lanes = diverged(optype, (seed, 100_000), clamps_the_double);
            assert!(lanes >= 1, "{optype}, seed {seed}: {lanes} lanes");
        }
    }
}

/// Of the instructions with two inputs, 20 to 35 % read one register twice. In 8 to 50 % of the
/// lanes of these, the sum or product overflows.
#[test]
fn one_register_is_often_read_twice_and_then_often_overflows() {
    for form in ["FADD_RR", "FMUL_RR"] {
        let scope = Scope::filtered(|mode| mode.form().name == form);
        let (mut bytes, mut batch) = (Vec::new(), Batch::default());
        let (mut repeated, mut lanes, mut overflows) = (0, 0, 0);
        for index in 0..2000 {
            let pick = |u: &mut Unstructured<'_>| scope.instruction(u);
            let numbers = EncodingTable::provisional();
            let drawn = from_stream((5, index), numbers, 64, &mut bytes, &mut batch, pick).expect("a batch");
            let [a, b] = [0, 1].map(|place| drawn.inputs().nth(place).expect("two inputs").source.location());
            if a.is_some() && a == b {
                repeated += 1;
                lanes += batch.len();
                let value =
                    |lane| number(batch.column(a.expect("a register")).expect("a column")[lane]).abs();
                let result = |x: f64| if form == "FADD_RR" { 2.0 * x } else { x * x };
                overflows += (0..batch.len())
                    .filter(|lane| value(*lane).is_finite() && result(value(*lane)) >= 2_f64.powi(128))
                    .count();
            }
        }
        assert!((400..700).contains(&repeated), "{form}: {repeated} of 2000 instructions");
        let share = overflows as f64 / lanes as f64;
        assert!((0.08..0.5).contains(&share), "{form}: {share} of the lanes");
    }
}

/// For each comparison of two registers and each operand, the suite has a case in which only this
/// operand is a NaN.
#[test]
fn a_suite_has_each_operand_special_alone() {
    let scope = Scope::filtered(|mode| mode.optype() == "FSETP" && mode.form().name == "FSETP_RR");
    let bins = Bins::of_suite(&scope, &Readings::INTENDED);
    let profile = intended();
    let numbers = EncodingTable::provisional();
    let setup = Setup { numbers, profile: &profile, subject: &model, oracle: &oracle };
    let suite = minimal_suite(&setup, &scope, &bins, &Default::default(), 10_000).expect("it is derived");
    let missed: Vec<String> = bins.missed(&suite.coverage).collect();
    assert_eq!(missed, [""; 0], "{} missed", missed.len());
    let modes: std::collections::BTreeSet<u32> =
        scope.modes().map(|mode| mode.get("cmp").expect("a comparison")).collect();
    for comparison in modes {
        let mut alone = [0, 0];
        for (instruction, batch) in &suite.cases {
            let nan = [0, 1].map(|place| f32::from_bits(operand(instruction, place, batch, 0)).is_nan());
            if instruction.get("cmp") == Some(comparison) && nan[0] != nan[1] {
                alone[usize::from(nan[1])] += 1;
            }
        }
        assert!(alone.iter().all(|cases| *cases >= 1), "comparison {comparison}: {alone:?}");
    }
}

#[test]
fn the_planted_device_without_a_fault_is_the_model() {
    assert_eq!(diverged("FFMA", (1, 20_000), |_, _, result| result), 0);
}
