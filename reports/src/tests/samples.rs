//! Results made by hand.

use std::collections::BTreeMap;

use assay_engine::compare::judge::{Error, ONE_ULP};
use assay_engine::coverage::layout::{Extent, Layout};
use assay_engine::run::trace_judge::Agreement;
use assay_engine::stats::accuracy::{Accuracy, Extreme, Farthest, Usage};
use assay_engine::stats::exhaustive::map::{ErrorMap, ReducedArgument};
use assay_engine::stats::exhaustive::{Conformance, ExhaustiveStats, Pair, Pairs, Range, ResultRelation};
use assay_engine::stats::rounding_stats::RoundingStats;
use assay_engine::stats::tally::{Counts, ObservedDivergence, Tally};
use assay_isa::{EncodingTable, Location, Readings, asm, codec};
use assay_records::{Plan, RunDemands, RunResult, Setting, Shard};
use assay_vectors::{Allowed, BugCase, Case, Finding, Values};

use crate::{ReportedAnswer, ReportedFinding, Side};

fn setting(readings: &[(&str, u8)]) -> Setting {
    let mut all: BTreeMap<String, u8> = Readings::INTENDED.iter().map(|(e, s)| (e.to_string(), s)).collect();
    all.extend(readings.iter().map(|(erratum, setting)| (erratum.to_string(), *setting)));
    Setting {
        subject: "model".into(),
        against: "mpfr".into(),
        profile: "intended".into(),
        readings: all,
        numbers: "sha256:0123abcd".into(),
        contracts: Default::default(),
        generator: 1,
        judged: Default::default(),
        looser: None,
        inversions: Default::default(),
        devices: Default::default(),
        not_generated: Vec::new(),
    }
}

/// Returns a result with its verdict, as after a run with a self-check.
pub fn judged(mut outcome: RunResult) -> RunResult {
    outcome.tally.canaries.batches = 1;
    outcome.judge(RunDemands::default(), Default::default(), None).expect("a verdict")
}

/// Returns a divergence of an instruction, encoded with the provisional encoding table.
pub fn finding(index: u64, text: &str, inputs: &[(&str, u32)]) -> ObservedDivergence {
    let word = codec::encode(&asm::parse(text).unwrap(), EncodingTable::provisional());
    let inputs = inputs.iter().map(|(location, value)| (location.parse().unwrap(), *value)).collect();
    ObservedDivergence { index, word, inputs, seen: None }
}

/// Returns the findings of [`fuzz`]: one with an explanation, and one that a bound decides.
pub fn found() -> Vec<ReportedFinding> {
    let values = |list: &[(&str, u32)]| -> Values {
        list.iter().map(|(location, value)| (location.parse().unwrap(), *value)).collect()
    };
    let result = |bits: u32| (Location::R(0), bits);
    let add = Case {
        name: "fadd-1".into(),
        asm: Some("FADD.FTZ R0, R1, R2".into()),
        inputs: values(&[("R1", 0x0080_0001), ("R2", 0x8080_0000)]),
        expect: Some([(Location::R(0), Allowed::one(0))].into_iter().collect()),
        finding: Some(Finding {
            seed: Some(42),
            index: Some(4_711),
            subject: "exec:./device".into(),
            oracle: "mpfr".into(),
            profile: "intended".into(),
            signature: "FADD | ftz FTZ does not flush the result".into(),
            verdict: "diverged: flush".into(),
            actual: Some(values(&[("R0", 1)])),
            cases: Some(8),
            ..Finding::default()
        }),
        ..Case::default()
    };
    let answer = |name: &str, bits: u32, side: Side| ReportedAnswer {
        implementation: name.into(),
        writes: vec![result(bits)],
        side,
    };
    let answers = vec![
        answer("model", 0, Side::Expected),
        answer("apfloat", 1, Side::Subject),
        answer("mpfr", 0, Side::Oracle),
    ];
    let replay = |name: &str| format!("assay replay runs/a/findings/{name}.yaml --subject exec:./device");
    let flush = ReportedFinding {
        link: Some("../findings/fadd-1.yaml".into()),
        answers,
        right_under: vec![("E173".parse().unwrap(), 2)],
        ..ReportedFinding::bare(add.clone(), "runs/a/findings/fadd-1.yaml".into(), replay("fadd-1"))
    };
    let shape = |asm: &str| BugCase {
        signature: format!("{asm} | rd: wrong value"),
        asm: asm.into(),
        inputs: values(&[("R1", 1)]),
    };
    let off = Case {
        name: "fadd-2".into(),
        asm: Some("FADD R0, R1, R2".into()),
        inputs: values(&[("R1", 0x3f80_0000), ("R2", 0x3380_0000)]),
        expect: None,
        finding: Some(Finding {
            index: Some(7),
            signature: "FADD | rd: wrong value".into(),
            verdict: "diverged: one unit off".into(),
            ulp: Some("1.5".into()),
            cases: Some(2),
            actual: Some(values(&[("R0", 0x3f80_0002)])),
            shapes: vec![shape("FADD R0, R1, R2"), shape("FADD.RP R0, R1, R2")],
            ..add.finding.clone().unwrap_or_default()
        }),
        ..add
    };
    let one = ReportedFinding {
        answers: vec![answer("model", 0x3f80_0000, Side::Neither), answer("mpfr", 0x3f80_0001, Side::Oracle)],
        ..ReportedFinding::bare(off, "runs/a/findings/fadd-2.yaml".into(), replay("fadd-2"))
    };
    vec![flush, one]
}

/// Returns a campaign over two optypes with divergences.
pub fn fuzz() -> RunResult {
    let plan = Plan::Fuzz {
        seed: 42,
        cases: Some(1_000_000),
        until_covered: false,
        only: vec!["FADD*".into(), "FFMA_RRR".into()],
        setting: setting(&[("E173", 2), ("E177", 1)]),
    };
    let fadd = Counts { exact: 499_990, diverged: 10, ..Counts::default() };
    let ffma = Counts { exact: 250_000, undefined: 249_990, waived: 10, ..Counts::default() };
    let mut tally = Tally { cases: 1_000_000, ..Tally::default() };
    tally.verdicts =
        Counts { exact: 749_990, diverged: 10, undefined: 249_990, waived: 10, ..Counts::default() };
    tally.forms = [("FADD_RR".to_owned(), fadd), ("FFMA_RRR".to_owned(), ffma)].into();
    tally.undefined = [("E177".to_owned(), 249_000), ("E900".to_owned(), 990)].into();
    let values = [("R1", 0x8000_0001), ("R2", 0x3f80_0000)];
    let first = finding(4_711, "FADD.FTZ R0, |R1|, -R2", &values);
    let foreign = ObservedDivergence { word: u128::MAX, ..finding(7, "FADD R0, R1, R2", &values) };
    let guarded = finding(12_345, "@P0 FADD R0, R1, R2", &[("P0", 1), ("R1", 1), ("R2", 2)]);
    tally.findings =
        [("FADD flush".to_owned(), vec![first, guarded]), ("FADD one unit off".to_owned(), vec![foreign])]
            .into();
    judged(RunResult::new(plan, Shard::WHOLE, tally))
}

/// Returns errors in the middle of the histogram, `spread` steps to each side. Larger errors are
/// rarer.
fn accuracy(spread: i64, special: u64) -> Accuracy {
    let mut accuracy = Accuracy { special, ..Accuracy::default() };
    for step in -spread..=spread {
        let floor = step * ONE_ULP / 80;
        let correctly_rounded = step.abs() <= 40;
        let error = Error { floor, exact: step % 2 == 0, correctly_rounded };
        let weight = 1 + 4 * (spread - step.abs()) as u32;
        for i in 0..weight {
            accuracy.record(error, 0x3f80_0000 + (step + spread) as u32 * 1000 + i, 0x3f00_0000);
        }
    }
    accuracy.inputs = accuracy.measured + special;
    accuracy
}

/// Returns a sampled sweep of one function. Its errors reach `spread` eightieths of an ulp.
pub fn sweep(spread: i64) -> RunResult {
    let accuracy = accuracy(spread, 1_000);
    let plan = Plan::Sweep {
        functions: ["MUFU.RCP.F32", "MUFU.TANH.F16"].map(|name| (name.to_owned(), 65_536)).into(),
        stride: 65_537,
        setting: setting(&[]),
    };
    let counts = Counts { exact: 1_000 + 65_536, within: accuracy.measured, ..Counts::default() };
    let mut tally = Tally { cases: counts.total(), verdicts: counts, ..Tally::default() };
    tally.forms = [("MUFU_R".to_owned(), counts)].into();
    tally.accuracy = [("MUFU.RCP.F32".to_owned(), accuracy)].into();
    judged(RunResult::new(plan, Shard { index: 1, of: 3 }, tally))
}

/// Returns a finished exhaustive sweep of every function that has a bound, without a divergence.
pub fn all_functions() -> RunResult {
    let names = [
        "COS.F32",
        "EX2.BF16",
        "EX2.BF16_V2",
        "EX2.F16",
        "EX2.F16_V2",
        "EX2.F32",
        "LG2.F32",
        "RCP.F32",
        "RCP.F64",
        "RSQ.F32",
        "RSQ.F64",
        "SIN.F32",
        "SQRT.F32",
        "TANH.BF16",
        "TANH.BF16_V2",
        "TANH.F16",
        "TANH.F16_V2",
        "TANH.F32",
    ];
    let functions: Vec<String> = names.iter().map(|name| format!("MUFU.{name}")).collect();
    let mut tally = Tally::default();
    for (position, function) in functions.iter().enumerate() {
        let mut one = accuracy(30 + 2 * position as i64, 0);
        one.special = (1 << 32) - one.measured;
        one.inputs = 1 << 32;
        tally.verdicts.exact += one.special;
        tally.verdicts.within += one.measured;
        tally.accuracy.insert(function.clone(), one);
    }
    tally.cases = tally.verdicts.total();
    tally.forms = [("MUFU_R".to_owned(), tally.verdicts)].into();
    let functions = functions.into_iter().map(|name| (name, 1 << 32)).collect();
    judged(RunResult::new(Plan::Sweep { functions, stride: 1, setting: setting(&[]) }, Shard::WHOLE, tally))
}

/// Returns a full sweep of a function of F32. Its errors grow with the exponent. It has some
/// inversions, and one special row was missed.
pub fn exhaustive_stats() -> ExhaustiveStats {
    let at = |error: i64, input: u32| Some(Extreme { error, input, result: 0x3f00_0000 });
    let range = |step: i64, input: u32| Range {
        measured: 8_000,
        correctly_rounded: 7_000,
        least: at(-step * ONE_ULP / 64, input),
        greatest: at(step * ONE_ULP / 80, input + 7),
    };
    let binades = [120, 125, 126, 127, 128, 0x100 + 127];
    let pair = |input: u32, by| Pair { input, result: 9, partner: input + 1, partner_result: 8, by };
    let monotonic = Pairs {
        seen: 40_000,
        broken: 3,
        refused: 0,
        farthest: Some(pair(0x3f81_0000, 2)),
        first: vec![pair(0x3f80_8000, 1), pair(0x3f81_0000, 2)],
        places: [(0x3f80, 1), (0x3f81, 2)].into(),
    };
    let odd = Pairs { seen: 8_000, ..Pairs::default() };
    let jump = Pairs { seen: 600, farthest: Some(pair(0x3f80_ffff, 1 << 30)), ..Pairs::default() };
    ExhaustiveStats {
        undecided: 17,
        worst: vec![at(-ONE_ULP / 2, 0x3f80_0001), at(ONE_ULP / 3, 0xc049_0fdb)]
            .into_iter()
            .flatten()
            .collect(),
        binades: binades.map(|key: u32| (key, range(i64::from(key % 256) - 100, key << 23))).into(),
        segments: (0..128).step_by(3).map(|key| (key, range(i64::from(key % 20) + 9, key << 16))).collect(),
        rows: [
            ("+infinity".to_owned(), Conformance { inputs: 1, held: 1 }),
            ("NaN".to_owned(), Conformance { inputs: 1_000, held: 999 }),
        ]
        .into(),
        relations: [
            (ResultRelation::Monotonic, monotonic),
            (ResultRelation::Odd, odd),
            (ResultRelation::BorderJump, jump),
        ]
        .into(),
        map: Some(error_map()),
    }
}

/// Returns a map with errors that differ by column and place, and some failing inputs.
fn error_map() -> ErrorMap {
    let mut map = ErrorMap::new(ReducedArgument::Significand);
    for place in (0x3d00..0x4100).step_by(3) {
        let units = ONE_ULP as f64 * f64::from(place % 50) / 64.0;
        map.add_parts(place << 16, [([units, units / 2.0], units / 3.0)]);
    }
    [0x3f81_0000, 0x3f81_0001].into_iter().for_each(|argument| map.add_failing(argument));
    map
}

/// Returns a sweep of one function over all inputs, under a bound.
pub fn swept(spread: i64) -> RunResult {
    let mut outcome = sweep(spread);
    let verdicts = outcome.tally.verdicts;
    if let Some(accuracy) = outcome.tally.accuracy.get_mut("MUFU.RCP.F32") {
        let farthest = accuracy.worst().map(|worst| Farthest {
            distance: worst.error.unsigned_abs(),
            input: worst.input,
            result: worst.result,
        });
        let usage = Usage { metric: "ulp".into(), measured: accuracy.measured, refused: 0, farthest };
        accuracy.bounds = [("1 ulp".to_owned(), usage)].into();
        accuracy.exhaustive = Some(exhaustive_stats());
    }
    outcome.tally.functions = [("MUFU.RCP.F32".to_owned(), verdicts)].into();
    judged(outcome)
}

/// Returns the statistics of a function, scaled by `weight`: errors that the rounding mode allows,
/// and some results of each other kind.
fn dissected(mode: &str, weight: u64) -> RoundingStats {
    let mut d =
        RoundingStats { cases: 0, special: 3 * weight, overflowed: weight, ..RoundingStats::default() };
    let bins = match mode {
        "RN" => 8..25,
        "RP" => 16..32,
        "RM" => 0..16,
        _ => 0..32,
    };
    d.errors[bins].fill(weight);
    d.errors[16] = 20 * weight;
    (d.representable, d.ties, d.tiny) = (19 * weight, weight / 3, 2 * weight);
    d.cases = d.special + d.overflowed + d.errors.iter().sum::<u64>();
    (d.cancelled[0], d.cancelled[1], d.cancelled[24], d.cancelled[49]) = (9 * weight, weight, weight / 2, 1);
    d.differences[7..10].fill(3 * weight);
    d.differences[15] = weight;
    (d.results[2], d.results[8]) = (d.cases - 2 * weight, weight);
    (d.results[0], d.results[3]) = (weight / 2, weight - weight / 2);
    d
}

/// Returns a campaign over FFMA and FMUL, with rounding statistics.
pub fn arithmetic() -> RunResult {
    let plan = Plan::Fuzz {
        seed: 42,
        cases: Some(1_500_000),
        until_covered: false,
        only: vec!["FFMA".into(), "FMUL".into()],
        setting: setting(&[]),
    };
    let exact = |exact| Counts { exact, ..Counts::default() };
    let mut tally = Tally { cases: 1_500_000, verdicts: exact(1_500_000), ..Tally::default() };
    tally.forms = [("FFMA_RRR", 600_000), ("FFMA_RRI", 400_000), ("FMUL_RR", 500_000)]
        .map(|(form, n)| (form.to_owned(), exact(n)))
        .into();
    let flushed = RoundingStats { inputs_flushed: 700, results_flushed: 90, ..dissected("RP", 100) };
    let mut clamped =
        RoundingStats { inputs_flushed: 1, raised: 2_000, lowered: 1_000, ..dissected("RZ", 70) };
    clamped.cases += clamped.raised + clamped.lowered;
    let product =
        RoundingStats { cancelled: vec![0; 50], differences: vec![0; 16], ..dissected("RN", 1_000) };
    tally.rounding_stats = [
        ("FFMA", dissected("RN", 300)),
        ("FFMA.FTZ.RP", flushed),
        ("FFMA.FTZ.SAT.RZ", clamped),
        ("FFMA.RM", dissected("RM", 200)),
        ("FMUL.D2", product),
    ]
    .map(|(mnemonic, dissection)| (mnemonic.to_owned(), dissection))
    .into();
    judged(RunResult::new(plan, Shard::WHOLE, tally))
}

/// Returns a campaign with bins of two forms, some of them hit.
pub fn covered() -> RunResult {
    let mut outcome = arithmetic();
    let mut places = 0;
    let mut extent = |reachable: usize, impossible: usize| {
        let first = places;
        places += reachable + impossible;
        Extent { first, places: reachable + impossible, reachable, impossible }
    };
    let ffma = [("class", extent(100, 4)), ("pair", extent(2_000, 0)), ("rounding", extent(40, 2))];
    let fmul = [("class", extent(50, 0)), ("rounding", extent(0, 8))];
    for extent in [ffma[0].1, ffma[1].1, fmul[0].1] {
        let hit = extent.reachable - if extent.reachable == 2_000 { 21 } else { 0 };
        (extent.first..extent.first + hit).for_each(|bin| outcome.tally.coverage.hit(bin));
    }
    let topics = |list: &[(&str, Extent)]| list.iter().map(|(name, e)| (name.to_string(), *e)).collect();
    let forms = [("FFMA_RRR".to_owned(), topics(&ffma)), ("FMUL_RR".to_owned(), topics(&fmul))];
    let bins = Layout { digest: "0123456789abcdef".into(), crossed: true, forms: forms.into() };
    judged(outcome.counting(bins))
}

/// Returns a trace that mostly agrees with the model.
pub fn trace() -> RunResult {
    let traces = [("4a168039117d351a".to_owned(), 1_000)].into();
    let setting = Setting { subject: "trace:NVIDIA H200".into(), ..setting(&[]) };
    let mut tally = Tally { cases: 1_000, ..Tally::default() };
    tally.verdicts = Counts { exact: 990, within: 6, diverged: 3, undefined: 1, ..Counts::default() };
    tally.forms = [("MUFU_RR".to_owned(), tally.verdicts)].into();
    tally.agreement = Agreement {
        agree: 987,
        both_hold: 5,
        trace_alone: 3,
        model_alone: 4,
        undefined: 1,
        ..Agreement::default()
    };
    tally.findings =
        [("MUFU value".to_owned(), vec![finding(17, "MUFU.RCP.F32 R0, R1", &[("R1", 3)])])].into();
    judged(RunResult::new(Plan::Trace { traces, setting }, Shard::WHOLE, tally))
}

/// Returns a plan of which nothing was executed.
pub fn empty() -> RunResult {
    let plan = Plan::Fuzz { seed: 1, cases: None, until_covered: false, only: vec![], setting: setting(&[]) };
    judged(RunResult::new(plan, Shard::WHOLE, Tally::default()))
}
