//! Compares exhaustive statistics, which decide in double precision, with the judge, which decides
//! lane by lane on enclosures.

use std::collections::BTreeMap;

use assay_crosscheck::H200;
use assay_engine::compare::comparator::{Comparator, Setup};
use assay_engine::compare::judge::ONE_ULP;
use assay_engine::compare::judge::quick::is_sampled;
use assay_engine::run::exhaustive::line::{ExhaustiveWorker, SLICE, UNITS};
use assay_engine::stats::accuracy::{Accuracy, Extreme};
use assay_engine::stats::exhaustive::map::{ColumnErrors, ErrorMap, LEVELS, ReducedArgument};
use assay_engine::stats::exhaustive::{Conformance, ExhaustiveStats, Range, ResultRelation, WORST};
use assay_engine::stats::tally::{Counts, Tally};
use assay_fpenv::Environment;
use assay_isa::{
    Answer, BackendError, Batch, Effects, EncodingTable, Instruction, Readings, Subject, asm, codec,
};
use assay_vectors::Profile;
use rayon::prelude::*;

use crate::support::{Changed, intended, model, oracle, oracle_under};

const FUNCTIONS: [&str; 8] = ["COS", "SIN", "EX2", "LG2", "RCP", "RSQ", "SQRT", "TANH"];

/// Returns a corrupted result. The random bits of `hash` select the kind of corruption.
fn spoilt(result: u32, hash: u32) -> u32 {
    match hash % 18 {
        0 => result.wrapping_add(1),
        1 => result.wrapping_sub(1),
        2 => result.wrapping_add(2),
        3 => result.wrapping_sub(7),
        4 => result ^ 1 << 31,
        5 => 0x7fff_ffff,
        6 => 0x7f80_0000,
        7 => 0xff80_0000,
        8 => 0,
        9 => 1 << 31,
        10 => 1,
        11 => 0x3f80_0000,
        12 => result ^ 1 << 22,
        13 => result ^ 1 << 12,
        14 => result ^ 1 << 25,
        // Numbers just above 1 or below -1, to test the outermost results that the bound of the
        // sine allows.
        15 => 0x3f80_0000 | hash >> 20,
        16 => 0xbf80_0000 | hash >> 20,
        _ => hash,
    }
}

/// The model, with the results of one in `one_in` arguments corrupted in every way that a judge
/// distinguishes. If `one_in` is 0, no result is corrupted.
fn corrupted(model: Box<dyn Subject>, one_in: u32) -> Box<dyn Subject> {
    Box::new(Changed::new(model, move |argument, result| {
        let hash = argument.wrapping_mul(0x9e37_79b1).rotate_left(15).wrapping_mul(0x85eb_ca77);
        let hit = one_in > 0 && hash.is_multiple_of(one_in);
        match result & !(1 << 31) {
            // The result of a unit that wrongly flushes the least normal number to zero.
            0x0080_0000 if one_in > 0 => result & 1 << 31,
            _ if hit => spoilt(result, hash.wrapping_mul(0xc2b2_ae3d) >> 7),
            _ => result,
        }
    }))
}

fn profile(readings: &[&str]) -> Profile {
    let mut profile = intended();
    for reading in readings {
        profile.set_reading(reading).unwrap();
    }
    profile
}

/// Slices at the boundaries of functions and formats, and some others.
fn slices() -> Vec<u32> {
    let fields = [0, 1, 2, 60, 99, 101, 103, 114, 115, 120, 122, 123, 125, 126, 127, 128, 129, 130, 133, 134];
    let fields = fields.into_iter().chain([135, 149, 150, 151, 200, 252, 253, 254, 255]);
    // The list has the first slice of each of these binades, and one other slice. For some binades,
    // it also has the last slice.
    let last = UNITS as u32 - 1;
    let others = [1, 194, 292, last].into_iter().cycle();
    let units = fields.zip(others).flat_map(|(field, other)| [(field, 0), (field, other)]);
    let units = units.chain([0, 126, 127, 254, 255].map(|field| (field, last)));
    // Also the slice of the argument -126, where 2^x is the least normal number.
    let slices = units.map(|(field, unit)| (field << 23) | (unit * SLICE)).chain([0x42fc_0000]);
    slices.flat_map(|slice| [slice, slice | 1 << 31]).collect()
}

/// Returns the counts that the judge makes on enclosures for the same slices.
fn reference(comparator: &mut Comparator, profile: &Profile, instruction: &Instruction) -> Tally {
    let word = codec::encode(instruction, EncodingTable::provisional());
    let contract = profile.contract_for(instruction);
    let mut tally = Tally::default();
    let mut stats = ExhaustiveStats::default();
    let mut map = ErrorMap::new(ReducedArgument::of(instruction));
    for first in slices() {
        let mut batch = Batch::new(word, &instruction.reads(), SLICE as usize);
        batch.column_mut(0).iter_mut().zip(first..=u32::MAX).for_each(|(value, bits)| *value = bits);
        let judged = comparator.run(&contract, instruction, &batch).unwrap().judged().unwrap();
        tally.count_judged(instruction, &contract, (&batch, judged), |lane| u64::from(first) + lane as u64);
        for measured in &judged.verdicts.measured {
            let extreme = Extreme::of(measured);
            let one = Range {
                measured: 1,
                correctly_rounded: u64::from(measured.error.correctly_rounded),
                least: Some(extreme),
                greatest: Some(extreme),
            };
            stats.binades.entry(first >> 23).or_default().merge(&one);
            stats.segments.entry(first >> 16 & 0x7f).or_default().merge(&one);
            stats.worst.push(extreme);
            let lane = (measured.argument - first) as usize;
            map.add(measured.argument, measured.error.floor as f64, is_sampled(lane));
        }
        judged.verdicts.diverged.iter().for_each(|(lane, _)| map.add_failing(first + *lane as u32));
        stats.worst.sort_by_key(|e| (std::cmp::Reverse(e.error.unsigned_abs()), e.input));
        stats.worst.dedup_by_key(|e| e.error.unsigned_abs());
        stats.worst.truncate(WORST);
    }
    stats.map = Some(map);
    tally.accuracy.get_mut(&asm::mnemonic(instruction)).unwrap().exhaustive = Some(stats);
    tally
}

/// Returns the statistics of a function twice: from decisions in double precision, and from the
/// judge on enclosures.
fn both(name: &str, readings: &[&str], one_in: u32) -> (Tally, Tally) {
    let profile = profile(readings);
    let instruction = asm::parse(&format!("MUFU.{name} R0, R1")).unwrap();
    let readings: Readings = profile.readings;
    let numbers = EncodingTable::provisional();
    let subject = || corrupted(assay_model::model(numbers.clone(), readings), one_in);
    let oracle = || oracle_under(readings);
    let setup = Setup { numbers, profile: &profile, subject: &subject, oracle: &oracle };
    let contract = profile.contract_for(&instruction);
    let mut surveyor = ExhaustiveWorker::new(&instruction, contract, numbers, Comparator::new(&setup), None);
    let mut quick = Tally::default();
    for first in slices() {
        surveyor.slice(first, &mut quick).unwrap();
    }
    let slow = reference(&mut Comparator::new(&setup), &profile, &instruction);
    (quick, slow)
}

/// Splits an accuracy in two: the parts that must be equal in both ways, and the mean, bias and
/// root mean square in ulp, which may differ by a millionth. Removes the parts that only exhaustive
/// statistics have.
fn comparable(accuracy: &Accuracy) -> (Accuracy, [f64; 3]) {
    let sums = [accuracy.mean_ulp(), accuracy.bias_ulp(), accuracy.rms_ulp()];
    let mut plain = Accuracy { sum: 0, sum_magnitude: 0, sum_squares: 0, ..accuracy.clone() };
    if let Some(stats) = &mut plain.exhaustive {
        (stats.undecided, stats.rows, stats.relations) = (0, BTreeMap::new(), BTreeMap::new());
        stats.map = None;
    }
    (plain, sums)
}

/// Asserts that a map made of limits of neighbouring inputs is the map made of each error, but for
/// the uncertainty of double precision.
fn hold_map(quick: &ErrorMap, slow: &ErrorMap, what: &str) {
    assert_eq!(quick.failing, slow.failing, "{what}");
    assert_eq!(quick.binades.keys().collect::<Vec<_>>(), slow.binades.keys().collect::<Vec<_>>(), "{what}");
    for (binade, levels) in &quick.binades {
        for (quick, slow) in levels.0.iter().zip(slow.binades[binade].0) {
            assert!((slow..=slow + 1).contains(quick), "{what}, binade {binade}: level {quick}, not {slow}");
        }
    }
    // The errors of neighbouring inputs are all in the column of the first.
    let ulps = |units: i64| units as f64 / ONE_ULP as f64;
    let count = slow.columns.len();
    let around = |of: &ErrorMap, at: usize, error: fn(&ColumnErrors) -> i64| {
        [count - 1, 0, 1]
            .map(|by| ulps(error(&of.columns[(at + by) % count])).abs())
            .into_iter()
            .fold(0.0, f64::max)
    };
    for at in 0..count {
        assert_eq!(quick.columns[at].failing, slow.columns[at].failing, "{what}, column {at}");
        for error in [|column: &ColumnErrors| column.greatest, |column: &ColumnErrors| column.least] {
            let [low, high] = [quick, slow].map(|map| ulps(error(&map.columns[at])).abs());
            let [most, seen] = [slow, quick].map(|map| around(map, at, error) * (1.0 + 1e-6) + 1e-3);
            assert!(
                low <= most && high <= seen,
                "{what}, column {at}: {low} and {high}, near {most} and {seen}"
            );
        }
        let sampled = quick.columns[at].quantile(1.0).unwrap_or(0.0);
        let most = around(slow, at, |column| column.greatest).max(around(slow, at, |column| column.least));
        assert!(sampled <= most * 1.2 + 0.125, "{what}, column {at}: {sampled} beyond {most}");
    }
    // The same inputs are samples, each at its level or at one beside it.
    let from = |map: &ErrorMap, level: usize| -> u64 {
        map.columns.iter().flat_map(|column| column.samples.iter().skip(level)).sum()
    };
    assert!(from(slow, 0) > 0, "{what}: no sample");
    assert_eq!(from(quick, 0), from(slow, 0), "{what}: samples");
    for level in 0..usize::from(LEVELS) {
        let holds =
            from(slow, level + 1) <= from(quick, level) && from(quick, level + 1) <= from(slow, level);
        assert!(holds, "{what}: samples from level {level} on");
    }
}

fn hold(name: &str, readings: &[&str], one_in: u32) {
    let what = format!("MUFU.{name}, {readings:?}, spoilt one in {one_in}");
    let (quick, slow) = both(name, readings, one_in);
    assert_eq!(quick.verdicts, slow.verdicts, "{what}");
    assert_eq!(quick.findings, slow.findings, "{what}");
    assert_eq!(quick.divergences, slow.divergences, "{what}");
    assert_eq!(one_in > 0, slow.verdicts.diverged > 0, "{what}");
    let function = format!("MUFU.{name}");
    let map =
        |tally: &Tally| tally.accuracy[&function].exhaustive.as_ref().and_then(|stats| stats.map.clone());
    hold_map(&map(&quick).expect("a map"), &map(&slow).expect("a map"), &what);
    let (quick, quick_sums) = comparable(&quick.accuracy[&function]);
    let (slow, slow_sums) = comparable(&slow.accuracy[&function]);
    assert_eq!(quick, slow, "{what}");
    for (a, b) in quick_sums.into_iter().zip(slow_sums) {
        assert!((a - b).abs() <= 1e-6 * (1.0 + b.abs()), "{what}: {a} {b}");
    }
}

/// Compares both ways over slices of each function, under several settings and shares of corrupted
/// results. Without `all`, each function is tested with only one share.
fn hold_each(all: bool) {
    let functions = FUNCTIONS.iter().flat_map(|name| [format!("{name}.F32"), format!("{name}.F32.SAT")]);
    const TURNS: &[&str] = &["E035=2"];
    /// The settings of profile `sm90`.
    const FLUSHED: &[&str] = &["E035=2", "E042=3"];
    let some = |nth: usize, shares: &[u32]| {
        if all { shares.to_vec() } else { vec![shares[nth % shares.len()]] }
    };
    let mut cases: Vec<(String, &[&str], u32)> = Vec::new();
    for (nth, name) in functions.enumerate() {
        cases.extend(some(nth, &[0, 1, 11]).into_iter().map(|one_in| (name.clone(), &[][..], one_in)));
    }
    for (nth, name) in FUNCTIONS.iter().enumerate() {
        cases.extend(some(nth, &[0, 11]).into_iter().map(|one_in| (format!("{name}.F32"), FLUSHED, one_in)));
    }
    cases.extend(["SIN.F32", "COS.F32", "COS.F32.SAT"].map(|name| (name.to_owned(), TURNS, 11)));
    cases.par_iter().for_each(|(name, readings, one_in)| hold(name, readings, *one_in));
}

#[test]
fn columns_and_enclosures_agree() {
    hold_each(false);
}

#[test]
#[ignore = "some minutes: `just every-pattern`"]
fn columns_and_enclosures_agree_in_every_setting() {
    hold_each(true);
}

/// Returns the statistics of one unit of a function, for the model with its results changed.
fn unit(profile: &Profile, name: &str, change: fn(u32, u32) -> u32) -> Tally {
    let instruction = asm::parse(&format!("MUFU.{name} R0, R1")).unwrap();
    let numbers = EncodingTable::provisional();
    let readings = profile.readings;
    let subject = || -> Box<dyn Subject> {
        let model = assay_model::model(numbers.clone(), readings);
        Box::new(Changed::new(model, change))
    };
    let oracle = || oracle_under(readings);
    let setup = Setup { numbers, profile, subject: &subject, oracle: &oracle };
    let contract = profile.contract_for(&instruction);
    let mut surveyor = ExhaustiveWorker::new(&instruction, contract, numbers, Comparator::new(&setup), None);
    let mut tally = Tally::default();
    surveyor.unit(333, None, &mut tally).unwrap();
    tally
}

/// Returns a profile that extends `intended` with one contract.
fn extended(contract: &str) -> Profile {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.yaml");
    let text = format!("version: 1\nname: p\nabout: a\nextends: intended\ncontracts:\n- {contract}\n");
    std::fs::write(&path, text).unwrap();
    Profile::load(path.to_str().unwrap()).unwrap()
}

/// Returns the relations between results that failed, each with its number of refused pairs.
fn refused_in(tally: &Tally) -> Vec<(ResultRelation, u64)> {
    tally.refused_relations().map(|(_, relation, pairs)| (relation, pairs.refused)).collect()
}

#[test]
fn the_model_breaks_no_required_relation() {
    for readings in [&[][..], &["E035=2", "E042=3"]] {
        let profile = profile(readings);
        for name in FUNCTIONS {
            let tally = unit(&profile, &format!("{name}.F32"), |_, result| result);
            assert_eq!(refused_in(&tally), [], "{name} {readings:?}");
            assert_eq!(tally.verdicts.diverged, 0, "{name} {readings:?}");
        }
    }
}

/// Results for negative arguments in one binade are one unit too far from zero. The bounds of TANH,
/// SIN and COS allow this, but the relations do not.
#[test]
fn a_broken_symmetry_within_the_bound_fails() {
    let one_sign = |argument: u32, result: u32| {
        if argument & 0xff80_0000 == 0xbf00_0000 { result + 1 } else { result }
    };
    for (name, relation) in
        [("TANH", ResultRelation::Odd), ("SIN", ResultRelation::Odd), ("COS", ResultRelation::Even)]
    {
        let name = format!("{name}.F32");
        let tally = unit(&profile(&[]), &name, one_sign);
        assert_eq!(tally.verdicts.diverged, 0, "{name}: the bound allows it");
        assert_eq!(refused_in(&tally), [(relation, u64::from(SLICE))], "{name}");
        let free = extended(&format!(
            "{{instruction: MUFU.{name}, metric: absolute, bound: \"2^-11\", relations: []}}"
        ));
        let tally = unit(&free, &name, one_sign);
        assert_eq!((refused_in(&tally), tally.verdicts.diverged), (vec![], 0), "{name}");
    }
}

/// Binary logarithm of the number of inputs of a segment.
const SEGMENT: u32 = 11;

/// In every second segment, returns the function's exact value plus `ulp` ulp, rounded. So results
/// jump at the borders between segments. Changes only normal results of positive normal arguments.
fn stepped(argument: u32, result: u32, ulp: f64, function: fn(f64) -> f64) -> u32 {
    let (x, y) = (f32::from_bits(argument), f32::from_bits(result));
    let is_changed = argument >> SEGMENT & 1 == 0;
    if !(is_changed && x.is_normal() && x > 0.0 && y.is_normal()) {
        return result;
    }
    let value = function(f64::from(x));
    let unit = 2.0_f64.powi(value.abs().log2().floor() as i32 - 23);
    ((value + ulp * unit) as f32).to_bits()
}

/// Between two segments, a monotonic function moves 1.5 ulp in the wrong direction. This is within
/// every bound. `intended` allows such an inversion by only one step of the format. `sm90` allows
/// none for a function for which an H200 has none.
#[test]
fn a_step_back_between_segments_fails_within_the_bounds() {
    let (intended, sm90) = (intended(), Profile::load("sm90").unwrap());
    type Change = fn(u32, u32) -> u32;
    let table: [(&str, Change, Change); 3] = [
        ("EX2.F32", |x, y| stepped(x, y, 1.5, f64::exp2), |x, y| stepped(x, y, 0.5, f64::exp2)),
        ("LG2.F32", |x, y| stepped(x, y, 1.5, f64::log2), |x, y| stepped(x, y, 0.5, f64::log2)),
        ("TANH.F32", |x, y| stepped(x, y, 1.5, f64::tanh), |x, y| stepped(x, y, 0.5, f64::tanh)),
    ];
    for (name, large, small) in table {
        let refused = |profile: &Profile, change: Change| {
            let tally = unit(profile, name, change);
            assert_eq!(tally.verdicts.diverged, 0, "{name}: the bound allows it");
            let refused = refused_in(&tally);
            refused.iter().any(|(relation, _)| *relation == ResultRelation::Monotonic)
        };
        assert!(refused(&intended, large), "{name} in `intended`");
        assert!(!refused(&intended, small), "{name} in `intended`, half an ulp");
        // TANH of an H200 has inversions of up to 114 steps of the format, which `sm90` allows.
        let is_exact = name != "TANH.F32";
        assert_eq!((refused(&sm90, large), refused(&sm90, small)), (is_exact, is_exact), "{name} in `sm90`");
    }
}

/// `sm90` allows exactly the largest inversions of an H200. They occur in the tested unit.
#[test]
fn sm90_allows_the_inversions_of_an_h200_and_no_more() {
    let sm90 = Profile::load("sm90").unwrap();
    let stricter = |inversions: &str| {
        let text = format!("version: 1\nname: s\nabout: s\nextends: sm90\ninversions: {inversions}\n");
        Profile::parse("s.yaml", &text).unwrap()
    };
    let numbers = EncodingTable::provisional();
    for (name, most, stricter) in [
        ("SQRT.F32", 1, stricter("{MUFU.SQRT.F32: 0}")),
        ("TANH.F32", 114, stricter("{MUFU.TANH: 113}")),
        ("RCP.F32", 0, stricter("{MUFU.TANH: 113}")),
    ] {
        for (profile, fails) in [(&sm90, false), (&stricter, most > 0)] {
            let instruction = asm::parse(&format!("MUFU.{name} R0, R1")).unwrap();
            let readings = profile.readings;
            let subject = || -> Box<dyn Subject> { Box::new(H200::new(numbers.clone(), readings)) };
            let oracle = || oracle_under(readings);
            let setup = Setup { numbers, profile, subject: &subject, oracle: &oracle };
            let (contract, comparator) = (profile.contract_for(&instruction), Comparator::new(&setup));
            let mut worker = ExhaustiveWorker::new(&instruction, contract, numbers, comparator, None);
            let mut tally = Tally::default();
            // The unit of the fractions from 0x1fc000 to 0x1fffff.
            worker.unit(127, None, &mut tally).unwrap();
            let stats = tally.accuracy[&format!("MUFU.{name}")].exhaustive.as_ref().unwrap();
            let farthest = stats.relations[&ResultRelation::Monotonic].farthest;
            assert_eq!(farthest.map_or(0, |pair| pair.by), most, "{name}");
            assert_eq!(!refused_in(&tally).is_empty(), fails, "{name}");
            assert_eq!(tally.verdicts.diverged, 0, "{name}");
        }
    }
}

/// A wrong row of the table of 2^x fails in its columns, in all of its binades.
#[test]
fn a_wrong_row_shows_in_its_columns_of_the_reduced_argument() {
    let tally = unit(&profile(&[]), "EX2.F32", |argument, result| {
        let x = f64::from(f32::from_bits(argument));
        let is_in_row = (26.0 / 64.0..27.0 / 64.0).contains(&(x - x.floor()));
        if is_in_row && (0.1..100.0).contains(&x) { result ^ 0x40 } else { result }
    });
    let map = tally.accuracy["MUFU.EX2.F32"].exhaustive.as_ref().unwrap().map.as_ref().unwrap();
    assert_eq!(map.argument, ReducedArgument::Fraction);
    assert!(tally.verdicts.diverged > 1000);
    assert_eq!(map.failing.values().sum::<u64>(), tally.verdicts.diverged);
    let failing = (0..).zip(&map.columns).filter(|(_, column)| column.failing > 0);
    let failing: Vec<u32> = failing.map(|(column, _)| column).collect();
    assert_eq!(failing, [104, 105, 106, 107]);
}

/// Subnormal arguments have the columns of their significands, too. The unit has those with a
/// significand from 1 + 77/256 to 1 + 78/256.
#[test]
fn a_wrong_row_shows_in_its_columns_in_subnormal_arguments() {
    let tally = unit(&profile(&[]), "LG2.F32", |argument, result| {
        let significand = f64::from(f32::from_bits(argument)).to_bits() >> 46 & 63;
        if significand == 19 && argument >> 31 == 0 { result ^ 0x4000 } else { result }
    });
    let map = tally.accuracy["MUFU.LG2.F32"].exhaustive.as_ref().unwrap().map.as_ref().unwrap();
    assert!(map.failing.keys().all(|place| place >> 7 == 0), "only subnormal arguments fail");
    let failing = (0..).zip(&map.columns).filter(|(_, column)| column.failing > 0);
    let failing: Vec<u32> = failing.map(|(column, _)| column).collect();
    assert_eq!(failing, [77]);
}

#[test]
fn a_unit_has_every_binade_and_nothing_is_decided_twice() {
    for name in ["RCP.F32", "TANH.F32"] {
        let profile = profile(&[]);
        let instruction = asm::parse(&format!("MUFU.{name} R0, R1")).unwrap();
        let numbers = EncodingTable::provisional();
        let setup = Setup { numbers, profile: &profile, subject: &model, oracle: &oracle };
        let contract = profile.contract_for(&instruction);
        let mut tally = Tally::default();
        let mut surveyor =
            ExhaustiveWorker::new(&instruction, contract, numbers, Comparator::new(&setup), None);
        surveyor.unit(UNITS - 1, None, &mut tally).unwrap();
        assert_eq!(tally.cases, 512 * u64::from(SLICE));
        assert_eq!(tally.verdicts.total(), tally.cases);
        let counts =
            Counts { exact: tally.verdicts.exact, within: tally.verdicts.within, ..Counts::default() };
        assert_eq!(tally.verdicts, counts);
        let stats = tally.accuracy[&format!("MUFU.{name}")].exhaustive.as_ref().unwrap();
        let pairs = &stats.relations;
        assert_eq!(pairs[&ResultRelation::Odd].seen, 255 * u64::from(SLICE));
        assert_eq!(pairs[&ResultRelation::Odd].broken, 0);
        assert_eq!(pairs[&ResultRelation::Monotonic].broken, 0);
        // Each of the 256 slices of a sign ends a segment. Two of these borders have no measured
        // error on both sides: the border to infinity, and the border after the last NaN.
        assert_eq!(pairs[&ResultRelation::BorderJump].seen, 2 * 254);
        assert_eq!(pairs.contains_key(&ResultRelation::ExponentInvariant), name == "RCP.F32");
        assert_eq!(stats.rows.values().map(|row| row.inputs).sum::<u64>(), 2 * u64::from(SLICE));
        assert!(stats.rows.values().all(|Conformance { inputs, held }| inputs == held));
    }
}

/// The model, but it leaves the floating-point environment changed after each call.
struct Careless {
    model: Box<dyn Subject>,
    leaves: Environment,
}

impl Subject for Careless {
    fn name(&self) -> &str {
        "careless"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        let answer = self.model.execute(batch, effects);
        // SAFETY: only the check behind this call runs before the default is set again.
        unsafe { self.leaves.set() };
        answer
    }
}

#[test]
fn a_subject_that_changes_the_floating_point_environment_ends_the_run() {
    let (profile, numbers) = (profile(&[]), EncodingTable::provisional());
    for (name, leaves) in Environment::others() {
        let subject = || -> Box<dyn Subject> { Box::new(Careless { model: model(), leaves }) };
        let setup = Setup { numbers, profile: &profile, subject: &subject, oracle: &oracle };
        for text in ["FADD R0, R1, R2", "MUFU.RCP.F32 R0, R1"] {
            let instruction = asm::parse(text).unwrap();
            let contract = profile.contract_for(&instruction);
            let batch = Batch::new(codec::encode(&instruction, numbers), &instruction.reads(), 8);
            let mut comparator = Comparator::new(&setup);
            let refused = comparator.run(&contract, &instruction, &batch).expect_err(name).to_string();
            assert!(
                refused.contains("careless") && refused.contains(&leaves.to_string()),
                "{name}: {refused}"
            );
            assert!(Environment::current().is_default(), "{name}");
        }
        let instruction = asm::parse("MUFU.RCP.F32 R0, R1").unwrap();
        let contract = profile.contract_for(&instruction);
        let mut surveyor =
            ExhaustiveWorker::new(&instruction, contract, numbers, Comparator::new(&setup), None);
        assert!(surveyor.slice(0x3f80_0000, &mut Tally::default()).is_err(), "{name}");
    }
}
