//! Tests the condition of a finding without an explanation. It must equal the condition of the
//! planted fault, and hold for cases of other seeds.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use arbitrary::Unstructured;
use assay_engine::compare::comparator::{Comparator, Setup};
use assay_engine::generate::domain::Domain;
use assay_engine::generate::{LANES, Scope, from_stream};
use assay_engine::run::sizes::BatchSplit;
use assay_engine::run::sweep::{Function, Sweep};
use assay_engine::run::{RunHooks, RunProgress, Shard};
use assay_engine::stats::tally::{ObservedDivergence, Tally};
use assay_engine::triage::batches::RedrawnBatches;
use assay_engine::triage::condition::Condition;
use assay_engine::triage::{self, Bug};
use assay_isa::format::F32;
use assay_isa::{
    Answer, BackendError, Batch, Effects, EncodingTable, Instruction, Location, Source, Subject, asm, codec,
};
use rayon::prelude::*;

use crate::support::{intended, model, oracle, oracle_under};

/// Number of batches of a campaign over one optype.
const BATCHES: u64 = 200;

/// A case: the instruction, its batch and a lane.
pub struct Lane<'a> {
    pub instruction: &'a Instruction,
    pub batch: &'a Batch,
    pub lane: usize,
}

impl Lane<'_> {
    pub fn source(&self, nth: usize) -> Source {
        self.instruction.inputs().nth(nth).expect("an input").source
    }

    /// Returns the bits of an input as they are read, before its prefixes are applied.
    pub fn value(&self, nth: usize) -> u32 {
        let location = |location: Location| self.batch.column(location).expect("a column")[self.lane];
        match self.source(nth) {
            Source::Imm(bits) => bits,
            Source::ConstAt { .. } => 1,
            source => source.location().map_or(u32::from(source.is_predicate()), location),
        }
    }

    /// Whether the sign bit of a float operand is set after its prefixes are applied.
    fn is_negative(&self, nth: usize) -> bool {
        let operand = self.instruction.inputs().nth(nth).expect("an input");
        (self.value(nth) >> 31 == 1 && !operand.abs) != operand.neg
    }

    pub fn is_nan(&self, nth: usize) -> bool {
        F32.is_nan(self.value(nth))
    }
}

/// A planted fault: in some lanes bit 0 of each result is wrong.
struct Planted {
    optype: &'static str,
    fails: fn(&Lane<'_>) -> bool,
    /// The words of its condition.
    words: &'static [&'static str],
}

const PLANTED: [Planted; 17] = [
    Planted {
        optype: "FSETP",
        fails: |lane| lane.instruction.value_name("cmp") == "NEU" && lane.is_nan(1) && !lane.is_nan(0),
        words: &["rb is a NaN", "under cmp NEU", "ra is no NaN"],
    },
    Planted {
        optype: "FADD",
        fails: |lane| lane.is_nan(0) != lane.is_nan(1) && lane.is_nan(1),
        words: &["rb is a NaN", "ra is no NaN"],
    },
    Planted {
        optype: "FADD",
        fails: |lane| matches!(lane.source(1), Source::Imm(_)),
        words: &["rb is a literal"],
    },
    Planted {
        optype: "FADD",
        fails: |lane| matches!(lane.source(1), Source::Const { offset, .. } if offset >= 0x1_0000),
        words: &["the offset of rb is 65536 or more"],
    },
    Planted {
        optype: "FFMA",
        fails: |lane| lane.source(0) == lane.source(2) && lane.source(0).location().is_some(),
        words: &["ra and rc share a register"],
    },
    Planted {
        optype: "FMUL",
        fails: |lane| matches!(lane.source(0), Source::Reg(128..=254)),
        words: &["the number of ra is 128 or more"],
    },
    Planted { optype: "POPC", fails: |lane| lane.value(0) >= 0x10000, words: &["rb is 65536 or more"] },
    Planted {
        optype: "FADD",
        fails: |lane| lane.instruction.value_name("rnd") == "RM" && lane.instruction.flag("ra.neg"),
        words: &["under rnd RM", "with ra.neg"],
    },
    Planted {
        optype: "FADD",
        fails: |lane| F32.is_subnormal(lane.value(1)) && lane.is_negative(0),
        words: &["rb is subnormal", "ra after its prefixes has its sign set"],
    },
    Planted {
        optype: "FMNMX",
        fails: |lane| lane.is_nan(1) && (lane.value(2) == 1) == lane.instruction.flag("pp.not"),
        words: &["rb is a NaN", "pp after its prefixes is false"],
    },
    Planted {
        optype: "UPOPC",
        fails: |lane| {
            let is_inverted = lane.instruction.inputs().next().expect("an input").bitnot;
            (lane.value(0) ^ u32::from(is_inverted).wrapping_neg()) >> 8 == 0
        },
        words: &["urb after its prefixes is below 256"],
    },
    Planted { optype: "USHF", fails: |lane| lane.value(1) >= 32, words: &["urb is 32 or more"] },
    Planted { optype: "FFMA", fails: |lane| lane.value(2) << 1 == 0, words: &["rc is 0"] },
    Planted {
        optype: "FMNMX",
        fails: |lane| lane.is_nan(0) && lane.value(2) == 1,
        words: &["ra is a NaN", "pp is true"],
    },
    Planted { optype: "ULOP3", fails: |lane| lane.value(1) == u32::MAX, words: &["urb is all ones"] },
    Planted {
        optype: "FADD",
        fails: |lane| matches!(lane.source(1), Source::Reg(255) | Source::UReg(63)),
        words: &["rb is RZ, URZ, PT or UPT"],
    },
    Planted {
        optype: "FADD",
        fails: |lane| lane.instruction.guard().source.location().is_some(),
        words: &["with a guard"],
    },
];

/// Each entry plants two faults in one output, each under its own condition.
const PAIRS: [Planted; 4] = [
    Planted {
        optype: "FFMA",
        fails: |lane| {
            let [a, b, c] = [0, 1, 2].map(|nth| lane.value(nth));
            b >> 31 == 1 && F32.is_finite(c) && c << 1 != 0 || a >> 31 == 1 && b << 1 == F32.infinity() << 1
        },
        words: &[],
    },
    Planted {
        optype: "FADD",
        fails: |lane| {
            F32.is_subnormal(lane.value(1)) && lane.value(0) >> 31 == 1
                || lane.instruction.value_name("rnd") == "RM"
        },
        words: &[],
    },
    Planted {
        optype: "FMUL",
        fails: |lane| lane.is_nan(0) && !lane.is_nan(1) || lane.value(1) << 1 == 0 && !lane.is_nan(0),
        words: &[],
    },
    Planted {
        optype: "FADD",
        fails: |lane| lane.value(0) << 1 == 0 || lane.value(1) << 1 == 0 && lane.instruction.flag("ftz"),
        words: &[],
    },
];

/// The model with a planted fault.
struct Flawed {
    sound: Box<dyn Subject>,
    fails: fn(&Lane<'_>) -> bool,
    /// The wrong bits.
    wrong: u32,
}

impl Subject for Flawed {
    fn name(&self) -> &str {
        "flawed"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        let answer = self.sound.execute(batch, effects)?;
        let instruction = codec::decode(batch.word(), EncodingTable::provisional()).expect("a legal word");
        let right = effects.clone();
        effects.reset(batch.len());
        for column in right.columns() {
            let values = effects.write(column.location, column.written.clone());
            for (lane, (value, right)) in values.iter_mut().zip(&column.values).enumerate() {
                let fails = (self.fails)(&Lane { instruction: &instruction, batch, lane });
                *value = if fails { right ^ self.wrong } else { *right };
            }
        }
        Ok(answer)
    }
}

/// Returns the bugs that a campaign with this seed finds, in a device that fails in some lanes of
/// these optypes.
fn bugs(optypes: &[&str], fails: fn(&Lane<'_>) -> bool, seed: u64) -> Vec<Bug> {
    let profile = intended();
    let subject = || -> Box<dyn Subject> { Box::new(Flawed { sound: model(), fails, wrong: 1 }) };
    let setup = Setup {
        numbers: EncodingTable::provisional(),
        profile: &profile,
        subject: &subject,
        oracle: &oracle,
    };
    let is_selected = |mode: &Instruction| optypes.contains(&mode.optype());
    let scope = Scope::filtered(is_selected);
    let pick = |u: &mut Unstructured<'_>| scope.instruction(u);
    let mut comparator = Comparator::new(&setup);
    let (mut tally, mut bytes, mut batch) = (Tally::default(), Vec::new(), Batch::default());
    for index in 0..BATCHES {
        let drawn =
            from_stream((seed, index), setup.numbers, LANES, &mut bytes, &mut batch, pick).expect("drawn");
        let contract = profile.contract_for(&drawn);
        let outcome = comparator.run(&contract, &drawn, &batch).expect("it runs");
        let judged = outcome.judged().expect("both know it");
        tally.count_judged(&drawn, &contract, (&batch, judged), |lane| index * LANES as u64 + lane as u64);
    }
    let draw = |_: &ObservedDivergence, index| {
        let (mut bytes, mut batch) = (Vec::new(), Batch::default());
        let drawn = from_stream((seed, index), setup.numbers, LANES, &mut bytes, &mut batch, pick).ok()?;
        Some((drawn, batch))
    };
    let batches = RedrawnBatches {
        lanes: &|_| LANES as u64,
        step: 1,
        cut: BatchSplit::whole,
        draw: &draw,
        selects: &is_selected,
    };
    triage::bugs(&setup, &oracle_under, &tally, batches).expect("it is triaged").bugs
}

/// Returns the bugs and the tally of a part of a sweep over all inputs of a function.
fn swept(text: &str, fails: fn(&Lane<'_>) -> bool) -> (Vec<Bug>, Tally) {
    let profile = intended();
    let subject = || -> Box<dyn Subject> { Box::new(Flawed { sound: model(), fails, wrong: 1 << 4 }) };
    let setup = Setup {
        numbers: EncodingTable::provisional(),
        profile: &profile,
        subject: &subject,
        oracle: &oracle,
    };
    let instruction = asm::parse(text).expect("an instruction");
    let functions = [Function { domain: Domain::of(&instruction, 1, 1 << 20), instruction }];
    let (stop, mut progress) = (AtomicBool::new(false), |_: &Tally| ());
    let sweep = Sweep { setup, functions: &functions, shard: Shard { index: 21, of: 256 } };
    let hooks = RunHooks::new(&stop, &mut progress);
    let tally = sweep.run(RunProgress::default(), hooks).expect("it runs").tally;
    let batches = RedrawnBatches {
        lanes: &|_| 1,
        step: 1,
        cut: BatchSplit::whole,
        draw: &|_, _| None,
        selects: &|_| true,
    };
    (triage::bugs(&setup, &oracle_under, &tally, batches).expect("it is triaged").bugs, tally)
}

/// A sweep keeps its first divergences, which are positive. Negative inputs fail elsewhere, so a
/// change of the sign alone lets a failing case pass.
#[test]
fn a_condition_of_a_sweep_holds_for_failing_inputs_all_over_it() {
    let (bugs, tally) = swept("MUFU.EX2.F32 R0, R1", |lane| {
        let sign = u32::from(lane.is_negative(0)) << 31;
        let input = lane.value(0) & !F32.sign_mask() | sign;
        let wrong = if input >> 31 == 1 { 0x2c } else { 0x2e };
        (0x78..0x86).contains(&F32.exponent_field(input)) && (input >> 9) & 0x7f == wrong
    });
    let accuracy = tally.accuracy.values().next().expect("a function was swept");
    let map = accuracy.exhaustive.as_ref().and_then(|statistics| statistics.map.as_ref()).expect("a map");
    let signs: BTreeSet<u32> = map.failing.keys().map(|place| place >> 15).collect();
    assert_eq!(signs.len(), 2, "the failing inputs have both signs: {:x?}", map.failing);
    let kept = tally.findings.values().flatten();
    let kept: BTreeSet<u32> = kept.flat_map(|found| found.inputs.values()).map(|input| input >> 31).collect();
    assert_eq!(kept, [0].into(), "the kept inputs are positive");
    let words: Vec<String> = bugs.iter().flat_map(|bug| &bug.conditions).flat_map(Condition::words).collect();
    let is_refuted = |part: &String| part.contains("sign") || part.contains("neg");
    assert!(!words.iter().any(is_refuted), "{words:?}");
}

/// Returns the condition of the bug that a campaign finds. Returns an error that lists the bugs,
/// unless the campaign finds exactly one bug with one condition.
fn only_condition(planted: &Planted, seed: u64) -> Result<Condition, String> {
    let bugs = bugs(&[planted.optype], planted.fails, seed);
    match &bugs[..] {
        [Bug { conditions, .. }] if conditions.len() == 1 => Ok(conditions[0].clone()),
        _ => {
            let conditions = |bug: &Bug| bug.conditions.iter().map(Condition::words).collect::<Vec<_>>();
            let found: Vec<_> = bugs.iter().map(|bug| (bug.signature.clone(), conditions(bug))).collect();
            Err(format!("{} bugs: {found:#?}", bugs.len()))
        }
    }
}

#[test]
fn the_condition_of_a_finding_is_that_of_its_fault() {
    let wrong = |planted: &Planted, seed| {
        let mut expected: Vec<String> = planted.words.iter().map(ToString::to_string).collect();
        expected.sort();
        let found = only_condition(planted, seed).map(|condition| {
            let mut words = condition.words();
            words.sort();
            words
        });
        (found.as_ref() != Ok(&expected))
            .then(|| format!("{} {expected:?}, seed {seed}: {found:?}", planted.optype))
    };
    let pairs =
        PLANTED.par_iter().flat_map(|planted| (1..=3_u64).into_par_iter().map(move |seed| (planted, seed)));
    let wrong: Vec<String> = pairs.filter_map(|(planted, seed)| wrong(planted, seed)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Counts cases of another seed by two properties: whether `holds` is true, and whether the case
/// fails. The result is indexed `counts[holds][fails]`.
fn counts(planted: &Planted, holds: impl Fn(&Instruction, &Batch, usize) -> bool) -> [[u64; 2]; 2] {
    let scope = Scope::filtered(|mode| mode.optype() == planted.optype);
    let (mut bytes, mut batch, mut counts) = (Vec::new(), Batch::default(), [[0; 2]; 2]);
    for index in 0..BATCHES {
        let pick = |u: &mut Unstructured<'_>| scope.instruction(u);
        let numbers = EncodingTable::provisional();
        let instruction =
            from_stream((77, index), numbers, LANES, &mut bytes, &mut batch, pick).expect("drawn");
        for lane in 0..batch.len() {
            let fails = (planted.fails)(&Lane { instruction: &instruction, batch: &batch, lane });
            counts[usize::from(holds(&instruction, &batch, lane))][usize::from(fails)] += 1;
        }
    }
    counts
}

/// Among cases of another seed, all cases that meet the condition fail, and all other cases pass.
#[test]
fn cases_bear_a_condition_out() {
    PLANTED.par_iter().for_each(|planted| {
        let condition = only_condition(planted, 1).expect("a condition");
        let counts = counts(planted, |instruction, batch, lane| condition.holds(instruction, batch, lane));
        let [[excluded, refuting], [passing, failing]] = counts;
        assert!(refuting == 0 && excluded > 1000 && failing > 0, "{condition}: {counts:?}");
        assert_eq!(passing, 0, "{condition}: {counts:?}");
        let parsed = Condition::parse(planted.optype, &condition.words(), [0; 3]).expect("its words");
        assert_eq!(parsed.parts, condition.parts);
    });
}

/// Two faults in one output are one finding with two conditions. Each failing case meets one of the
/// conditions. Of the cases that meet one, more than ten in eleven fail.
#[test]
fn two_faults_of_one_output_have_a_condition_each() {
    PAIRS.par_iter().for_each(|planted| {
        let bugs = bugs(&[planted.optype], planted.fails, 1);
        let conditions: Vec<&Condition> = bugs.iter().flat_map(|bug| &bug.conditions).collect();
        let shown: Vec<String> = conditions.iter().map(ToString::to_string).collect();
        assert_eq!(conditions.len(), 2, "{}: {shown:?}", planted.optype);
        let [[excluded, refuting], [passing, failing]] = counts(planted, |instruction, batch, lane| {
            conditions.iter().any(|it| it.holds(instruction, batch, lane))
        });
        assert!(refuting == 0 && excluded > 1000, "{shown:?}: {refuting} of {excluded}");
        assert!(10 * passing < failing, "{shown:?}: {passing} beside {failing}");
    });
}

/// A fault of an optype and its twin in the uniform datapath is one finding. Each optype has a
/// condition and keeps its cases. Otherwise a nightly run could not compare the cases of the twin
/// with a known condition.
#[test]
fn a_finding_of_twins_has_the_condition_and_the_cases_of_each() {
    let bugs = bugs(&["POPC", "UPOPC"], |lane| lane.value(0) >= 0x10000, 1);
    let [bug] = &bugs[..] else { panic!("{} bugs", bugs.len()) };
    let conditions: BTreeSet<_> = bug.conditions.iter().map(|it| (it.optype, it.to_string())).collect();
    let expected = [("POPC", "where rb is 65536 or more"), ("UPOPC", "where urb is 65536 or more")];
    assert_eq!(conditions, expected.map(|(optype, text)| (optype, text.to_owned())).into());
    let optypes = bug.found.iter().filter_map(|found| {
        let word = codec::decode(found.word, EncodingTable::provisional()).ok()?;
        Some(word.optype())
    });
    assert_eq!(optypes.collect::<BTreeSet<_>>(), ["POPC", "UPOPC"].into());
}
