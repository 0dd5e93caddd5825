//! Tests the judge with results that are just within a bound or just beyond it. The expected
//! verdicts come from arithmetic with 700 bits.

use assay_crosscheck::H200;
use assay_engine::compare::comparator::{Comparator, PRECISION, Setup};
use assay_engine::compare::judge::{Verdicts, judge, rules};
use assay_isa::effect::Lanes;
use assay_isa::format::{BF16, F16, F32, Format};
use assay_isa::truth::{Real, TruthValues};
use assay_isa::{Answer, Batch, Effects, EncodingTable, Oracle, Subject, Truths, asm, codec};
use assay_mpfr::MpfrOracle;
use assay_vectors::{Bound, Contract, Metric, Profile};
use rug::Float;
use rug::float::Round;

/// Precision in bits, enough for the ends of each bound here. If a hyperbolic tangent needs more
/// bits, it is rounded toward zero, so that it stays below 1.
const BITS: u32 = 700;

/// A tested function.
struct Case {
    name: &'static str,
    format: Format,
    function: fn(Float) -> Float,
}

const EX2: fn(Float) -> Float = Float::exp2;
const TANH: fn(Float) -> Float = tanh;
const CASES: [Case; 4] = [
    Case { name: "EX2.F16 R0, R1.H0", format: F16, function: EX2 },
    Case { name: "EX2.BF16 R0, R1.H0", format: BF16, function: EX2 },
    Case { name: "TANH.F16 R0, R1.H0", format: F16, function: TANH },
    Case { name: "TANH.BF16 R0, R1.H0", format: BF16, function: TANH },
];

fn tanh(mut x: Float) -> Float {
    x.tanh_round(Round::Zero);
    x
}

/// Returns, for each pair of argument and result, whether the judge accepts the result. `None` for
/// a pair if the truth is not a real number.
fn verdicts(profile: &Profile, text: &str, pairs: &[(u32, u32)]) -> Vec<Option<bool>> {
    let instruction = asm::parse(text).unwrap();
    let contract = profile.contract_for(&instruction);
    let word = codec::encode(&instruction, EncodingTable::provisional());
    let mut batch = Batch::new(word, &instruction.reads(), pairs.len());
    batch.column_mut(0).iter_mut().zip(pairs).for_each(|(bits, pair)| *bits = pair.0);
    let (mut truths, mut effects, mut verdicts) =
        (Truths::default(), Effects::default(), Verdicts::default());
    let mut oracle = MpfrOracle::new(profile.readings);
    assert_eq!(oracle.truth(&instruction, &batch, PRECISION, &mut truths).unwrap(), Answer::Known);
    effects.reset(pairs.len());
    let written = effects.write(truths.columns()[0].location, Lanes::All);
    written.iter_mut().zip(pairs).for_each(|(bits, pair)| *bits = pair.1);
    judge(&contract, &instruction, &truths, &effects, &mut verdicts);
    let TruthValues::Reals { values, .. } = &truths.columns()[0].values else { panic!("{text} has bits") };
    let mut diverged = verdicts.diverged.iter().map(|(lane, _)| *lane).peekable();
    let holds = (0..pairs.len()).map(|lane| diverged.next_if_eq(&lane).is_none()).collect::<Vec<_>>();
    let holds = values.iter().zip(holds);
    holds.map(|(value, holds)| matches!(value, Real::Near(_)).then_some(holds)).collect()
}

/// Whether a result is within a bound. `None` where flushing, overflow or the spacing of subnormals
/// decides.
fn is_within(bound: &Bound, format: Format, y: &Float, result: u32) -> Option<bool> {
    let power = |exponent: i32| Float::with_val(BITS, 1) << exponent;
    let magnitude = y.clone().abs();
    let is_edge = magnitude < power(format.emin()) || magnitude >= power(format.bias());
    if is_edge || format.is_subnormal(result) {
        return None;
    }
    let limit = Float::with_val(BITS, bound.limit.significand) << bound.limit.exponent;
    let distance = (Float::with_val(BITS, rules::value(format, result)) - y).abs();
    Some(match bound.metric {
        Metric::Absolute => distance <= limit,
        Metric::Relative => distance <= limit * magnitude,
        Metric::Ulp => {
            let binade = y.get_exp()? - 1;
            distance <= limit * power(binade - format.fraction_bits as i32)
        }
    })
}

/// Returns the results of a format within about two steps of both ends of the bound around `y`.
fn near_the_ends(bound: &Bound, format: Format, y: f64) -> impl Iterator<Item = u32> {
    let limit = match bound.metric {
        Metric::Absolute => bound.limit.value(),
        Metric::Relative => bound.limit.value() * y.abs(),
        Metric::Ulp => bound.limit.value() * 2_f64.powi(y.abs().log2() as i32 - format.fraction_bits as i32),
    };
    let pattern = move |number: f64| match format {
        F16 => u32::from(half::f16::from_f64(number).to_bits()),
        _ => u32::from(half::bf16::from_f64(number).to_bits()),
    };
    let ends = [y - limit, y + limit].into_iter().filter(move |end| end * y > 0.0).map(pattern);
    ends.flat_map(|end| end.saturating_sub(2)..=end + 2)
}

/// Tests every finite argument of functions in 16-bit formats, each with the results next to both
/// ends of its bound.
#[test]
fn a_bound_of_16_bit_numbers_ends_where_it_says() {
    for (name, Case { name: text, format, function }) in
        ["intended", "sm90"].into_iter().flat_map(|name| CASES.iter().map(move |case| (name, case)))
    {
        let profile = Profile::load(name).unwrap();
        let text = &format!("MUFU.{text}");
        let contract = profile.contract_for(&asm::parse(text).unwrap());
        let Contract::Bounded { bounds, .. } = &contract else { panic!("{text} has no bound") };
        let (mut pairs, mut truths) = (Vec::new(), Vec::new());
        for argument in (0..1 << 16).filter(|argument| format.is_finite(*argument)) {
            let x = rules::value(*format, argument);
            let bound = bounds.iter().find(|bound| bound.covers(x)).unwrap();
            let y = function(Float::with_val(BITS, x));
            for result in near_the_ends(bound, *format, y.to_f64()).filter(|bits| format.is_finite(*bits)) {
                pairs.push((argument, result));
                truths.push((bound, y.clone()));
            }
        }
        let (mut wrong, mut checked) = (Vec::new(), [0, 0]);
        for (((bound, y), (argument, result)), holds) in
            truths.iter().zip(&pairs).zip(verdicts(&profile, text, &pairs))
        {
            let (Some(expected), Some(holds)) = (is_within(bound, *format, y, *result), holds) else {
                continue;
            };
            checked[usize::from(expected)] += 1;
            if holds != expected {
                wrong.push(format!("{argument:04x} -> {result:04x}: {holds}"));
            }
        }
        assert!(wrong.is_empty(), "{name} {text}: {} wrong: {:?}", wrong.len(), &wrong[..wrong.len().min(8)]);
        assert!(checked.iter().all(|count| *count > 1000), "{name} {text}: {checked:?}");
    }
}

/// Tests results at the ends of the relative bound of TANH.F32 and next to them, where the truth is
/// 1 minus a tiny number.
#[test]
fn a_bound_may_be_met_where_the_truth_is_nearly_1() {
    let intended = Profile::load("intended").unwrap();
    let (one, step) = (F32.one(), 1 << 13);
    let mut cases = Vec::new();
    for x in [16.0_f32, 22.5, 31.0, 33.0, 34.0, 40.0, 50.0, 1e10, f32::MAX] {
        for sign in [0, F32.sign_mask()] {
            let argument = x.to_bits() | sign;
            // 1 - 2^-11 is allowed. Results farther below 1 are refused. So is 1 + 2^-11, because
            // the truth is just below 1, which makes the distance more than 2^-11.
            for (result, holds) in [
                (one - step, true),
                (one - step - 1, false),
                (one + step / 2, false),
                (one + step / 2 - 1, true),
            ] {
                cases.push(((argument, result | sign), holds));
            }
        }
    }
    let pairs: Vec<_> = cases.iter().map(|(pair, _)| *pair).collect();
    for ((pair, expected), holds) in cases.iter().zip(verdicts(&intended, "MUFU.TANH.F32 R0, R1", &pairs)) {
        assert_eq!(holds, Some(*expected), "{:08x} {:08x}", pair.0, pair.1);
    }
}

/// `sm90` accepts every result that an H200 returns around the least normal number, according to
/// its bit-exact model. It refuses a unit that also flushes the least normal number.
#[test]
fn sm90_accepts_what_an_h200_flushes_and_no_more() {
    /// The model, but with a zero in place of results whose magnitude has the given pattern, the
    /// least normal number. If the pattern is 0, all results stay unchanged.
    struct Greedy(H200, u32);
    impl Subject for Greedy {
        fn name(&self) -> &str {
            "greedy"
        }
        fn execute(
            &mut self,
            batch: &Batch,
            effects: &mut Effects,
        ) -> Result<Answer, assay_isa::BackendError> {
            let mut own = Effects::default();
            let answer = self.0.execute(batch, &mut own)?;
            effects.reset(batch.len());
            for column in own.columns() {
                let values = effects.write(column.location, column.written.clone());
                for (value, right) in values.iter_mut().zip(&column.values) {
                    let is_least = self.1 > 0 && right & 0x7fff_ffff == self.1;
                    *value = if is_least { right & 1 << 31 } else { *right };
                }
            }
            Ok(answer)
        }
    }
    let sm90 = Profile::load("sm90").unwrap();
    let numbers = EncodingTable::provisional();
    let (single, high, half) = (0x0080_0000, 0x0010_0000, 0x0080);
    let both = |middle: u32| (middle - 0x8000..middle + 0x8000).flat_map(|bits| [bits, bits ^ 1 << 31]);
    let negative = |middle: u32| middle - 0x8000..middle + 0x8000;
    let table: [(&str, u32, Vec<u32>); 4] = [
        ("MUFU.RCP.F32 R0, R1", single, both(0x7e80_0000).collect()),
        ("MUFU.EX2.F32 R0, R1", single, negative(0xc2fc_0000).collect()),
        ("MUFU.RCP.F64 R0, R1", high, both(0x7fd0_0000).collect()),
        ("MUFU.EX2.BF16 R0, R1.H0", half, (0..1 << 16).collect()),
    ];
    for (text, least, arguments) in table {
        let instruction = asm::parse(text).unwrap();
        let contract = sm90.contract_for(&instruction);
        for flushed in [0, least] {
            let subject = || -> Box<dyn Subject> {
                Box::new(Greedy(H200::new(numbers.clone(), sm90.readings), flushed))
            };
            let oracle = || -> Box<dyn Oracle> { Box::new(MpfrOracle::new(sm90.readings)) };
            let setup = Setup { numbers, profile: &sm90, subject: &subject, oracle: &oracle };
            let mut comparator = Comparator::new(&setup);
            let word = codec::encode(&instruction, numbers);
            let mut batch = Batch::new(word, &instruction.reads(), arguments.len());
            batch.column_mut(0).copy_from_slice(&arguments);
            let outcome = comparator.run(&contract, &instruction, &batch).unwrap();
            let judged = outcome.judged().expect(text);
            let diverged = judged.verdicts.diverged.iter().map(|(lane, _)| arguments[*lane]);
            let diverged: Vec<u32> = diverged.collect();
            assert_eq!(diverged.is_empty(), flushed == 0, "{text}: {diverged:08x?}");
        }
    }
}
