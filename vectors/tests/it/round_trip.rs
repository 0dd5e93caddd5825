//! Tests that everything that can be written is unchanged when it is read again.

use assay_isa::effect::{Action, Failure, Fault};
use assay_isa::readings::SWITCHES;
use assay_isa::{EncodingTable, Event, Location, asm, codec};
use assay_vectors::in_batch::Earlier;
use assay_vectors::{
    Allowed, BugCase, Case, Expected, Finding, FindingCondition, FoundAt, FoundCase, InBatch, Origin,
    Overrides, Provenance, Suite, Values, parse_line, read_suite_str, suite_to_string,
};
use proptest::collection::{btree_map, vec};
use proptest::option::of;
use proptest::prelude::*;

fn location() -> impl Strategy<Value = Location> {
    prop_oneof![
        (0..255u8).prop_map(Location::R),
        (0..63u8).prop_map(Location::UR),
        (0..7u8).prop_map(Location::P),
        (0..7u8).prop_map(Location::UP),
        (0..32u8, 0..1u32 << 15).prop_map(|(bank, word)| Location::C { bank, offset: word * 4 }),
        any::<u8>().prop_map(Location::Sr),
        any::<u32>().prop_map(Location::G),
        (0..32u8, 0..32u8).prop_map(|(variable, channel)| Location::Var { variable, channel }),
        (0..15u8).prop_map(Location::Flags),
        Just(Location::DispatchMask),
    ]
}

fn masked(location: Location, value: u32) -> u32 {
    if location.is_predicate() { value & 1 } else { value }
}

fn values() -> impl Strategy<Value = Values> {
    btree_map(location(), any::<u32>(), 0..5)
        .prop_map(|map| map.into_iter().map(|(l, v)| (l, masked(l, v))).collect())
}

fn expected() -> impl Strategy<Value = Expected> {
    btree_map(location(), vec(any::<u32>(), 1..4), 0..4).prop_map(|map| {
        let allowed = |l, values: Vec<u32>| Allowed::any(values.into_iter().map(|v| masked(l, v))).unwrap();
        map.into_iter().map(|(l, values)| (l, allowed(l, values))).collect()
    })
}

fn overrides() -> impl Strategy<Value = Overrides> {
    btree_map(0..SWITCHES.len(), any::<u8>(), 0..3).prop_map(|map| {
        let setting = |i: usize, n: u8| (SWITCHES[i].erratum, n % SWITCHES[i].settings.len() as u8 + 1);
        map.into_iter().map(|(i, n)| setting(i, n)).collect()
    })
}

/// Generates text that YAML and JSON must quote: line feeds, colons, quotes, numbers, and words
/// such as `null`.
fn text() -> impl Strategy<Value = String> {
    prop_oneof!["\\PC{0,20}", "[ -~\n\t]{0,20}", Just("null".into()), Just("0x10".into()), Just("1e3".into())]
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        Just(Event::Fault(Fault::Misaligned)),
        Just(Event::Failed(Failure::Hung)),
        any::<u32>().prop_map(|hint| Event::Executed(Action::Switch(hint))),
        Just(Event::Executed(Action::DependencyBarrier { scoreboard: 5, count: 200 })),
    ]
}

fn instruction() -> impl Strategy<Value = (Option<String>, Option<u128>)> {
    let texts = prop_oneof![
        Just("FADD R0, R1, R2"),
        Just("@!P0 FFMA.FTZ.RZ R0, |R1|, -R2, 0f405A7EFA"),
        Just("MUFU.RCP.F64 RZ, -|c[0x1f][0x1fffc]| $0xbeef"),
    ];
    (texts, 0..3).prop_map(|(text, kind)| {
        let word = codec::encode(&asm::parse(text).unwrap(), EncodingTable::provisional());
        ((kind != 1).then(|| text.to_owned()), (kind != 0).then_some(word))
    })
}

fn provenance() -> impl Strategy<Value = Provenance> {
    let source = prop_oneof![
        Just(Origin::Document),
        Just(Origin::Erratum),
        Just(Origin::Oracle),
        Just(Origin::Hand),
        Just(Origin::Finding),
        Just(Origin::Hardware),
    ];
    (source, of(text()), of(text())).prop_map(|(source, reference, detail)| Provenance {
        source,
        reference,
        detail,
    })
}

fn finding() -> impl Strategy<Value = Finding> {
    let words = (text(), text(), text(), text(), text());
    let numbers = (of(any::<u64>()), of(any::<u64>()), of(values()), of(event()), of(text()));
    let shape = (text(), instruction_text(), values());
    let shape = shape.prop_map(|(signature, asm, inputs)| BugCase { signature, asm, inputs });
    let seen = (of(any::<u64>()), vec(text(), 0..3), vec(shape, 0..3), any::<bool>());
    let condition = (text(), vec(text(), 0..3), any::<[u64; 3]>());
    let condition = condition.prop_map(|(optype, all, [failing, passing, excluded])| FindingCondition {
        optype,
        all,
        failing,
        passing,
        excluded,
    });
    let found = (instruction_text(), values(), of(values()));
    let found = found.prop_map(|(asm, inputs, actual)| FoundCase { asm, inputs, actual });
    let told = (vec(condition, 0..3), vec(found, 0..3));
    let found_at = any::<(u64, u64, u64)>().prop_map(|(batch, lane, lanes)| FoundAt { batch, lane, lanes });
    let circumstance = (of(text()), of(found_at));
    (words, numbers, seen, circumstance, told).prop_map(|(words, numbers, seen, (when, place), told)| {
        let (seed, index, actual, event, ulp) = numbers;
        let (cases, keys, shapes, transient) = seen;
        let (subject, oracle, profile, signature, verdict) = words;
        let (conditions, found) = told;
        Finding {
            seed,
            index,
            subject,
            oracle,
            profile,
            signature,
            verdict,
            actual,
            event,
            ulp,
            cases,
            keys,
            shapes,
            conditions,
            found,
            when,
            place,
            transient,
        }
    })
}

/// Generates the expected result of a case: an expectation with an optional event, an erratum, or
/// nothing.
fn outcome() -> impl Strategy<Value = Case> {
    prop_oneof![
        (expected(), of(event())).prop_map(|(expect, event)| Case {
            expect: Some(expect),
            event,
            ..Case::default()
        }),
        (0..SWITCHES.len()).prop_map(|i| Case { undefined: Some(SWITCHES[i].erratum), ..Case::default() }),
        Just(Case::default()),
    ]
}

fn in_batch() -> impl Strategy<Value = InBatch> {
    let earlier = (instruction_text(), vec(values(), 1..3)).prop_map(|(asm, lanes)| Earlier { asm, lanes });
    let others = prop::collection::btree_map(0..40u32, values(), 0..3);
    (1..40u32, 0..40u32, others, vec(earlier, 0..3)).prop_map(|(lanes, lane, mut others, before)| {
        let lane = lane % lanes;
        others.retain(|other, _| *other < lanes && *other != lane);
        InBatch { lanes, lane, others, before }
    })
}

fn instruction_text() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["POPC R0, R1".to_owned(), "FADD.RZ R0, R1, R2".to_owned()])
}

fn case() -> impl Strategy<Value = Case> {
    let rest = (values(), overrides(), of(text()), provenance(), of(finding()), of(in_batch()));
    ("[a-zA-Z0-9][a-zA-Z0-9._-]{0,8}", instruction(), outcome(), rest).prop_map(
        |(name, (asm, word), outcome, (inputs, readings, skip, provenance, finding, batch))| Case {
            name,
            asm,
            word,
            inputs,
            batch,
            readings,
            skip,
            provenance: Some(provenance),
            finding,
            ..outcome
        },
    )
}

fn suite() -> impl Strategy<Value = Suite> {
    (text(), of(text()), vec(case(), 1..5)).prop_map(|(about, profile, mut cases)| {
        for (index, case) in cases.iter_mut().enumerate() {
            case.name += &format!("-{index}");
        }
        Suite { version: 1, suite: "s".into(), about, profile, cases }
    })
}

proptest! {
    #[test]
    fn suites(suite in suite()) {
        let text = suite_to_string(&suite).unwrap();
        let read = read_suite_str("s", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        prop_assert_eq!(&read, &suite);
        prop_assert_eq!(suite_to_string(&read).unwrap(), text);
    }

    #[test]
    fn lines(case in case()) {
        let line = case.to_line();
        prop_assert!(!line.contains('\n'));
        let read = parse_line(&line).unwrap_or_else(|e| panic!("{e}\n{line}"));
        prop_assert_eq!(&read, &case);
        prop_assert_eq!(read.to_line(), line);
    }
}

#[test]
fn a_bare_line_is_enough_for_a_case() {
    let line = r#"{"asm": "FADD.FTZ R0, R1, R2", "inputs": {"R1": "0x3f800000", "R2": 1}}"#;
    let case = parse_line(line).unwrap();
    let (instruction, batch) = case.batch(EncodingTable::provisional()).unwrap();
    assert_eq!(batch.lane(0).collect::<Vec<_>>(), [(Location::R(1), 0x3f80_0000), (Location::R(2), 1)]);
    let again = Case::from_lane(&instruction, &batch, 0);
    assert_eq!(again, case);
    assert_eq!(
        again.to_line(),
        r#"{"asm":"FADD.FTZ R0, R1, R2","inputs":{"R1":"0x3f800000","R2":"0x00000001"}}"#
    );
}

#[test]
fn a_case_in_a_batch_is_read_whole() {
    let line = r#"{"asm": "POPC R0, R1", "inputs": {"R1": 7}, "batch": {"lanes": 3, "lane": 2,
        "others": {"0": {"R1": 1}}, "before": [{"asm": "BREV R0, R1", "lanes": [{"R1": 5}, {"R1": 6}]}]}}"#;
    let case = parse_line(&line.replace('\n', " ")).unwrap();
    let rerun = case.rerun(EncodingTable::provisional()).unwrap().unwrap();
    assert_eq!((rerun.lane, rerun.batch.column(Location::R(1))), (2, Some(&[1, 7, 7][..])));
    assert_eq!(rerun.before.len(), 1);
    assert_eq!(rerun.before[0].column(Location::R(1)), Some(&[5, 6][..]));
    assert_ne!(rerun.before[0].word(), rerun.batch.word());
    let print = |batch: &assay_isa::Batch| {
        let decoded = assay_isa::codec::decode(batch.word(), EncodingTable::provisional()).ok()?;
        Some(assay_isa::asm::print(&decoded))
    };
    assert_eq!(InBatch::of(&rerun, print), case.batch);
}

#[test]
fn a_batch_that_cannot_be_is_refused() {
    for (batch, problem) in [
        (r#"{"lanes": 0, "lane": 0}"#, "`lanes` is 0"),
        (r#"{"lanes": 70000, "lane": 0}"#, "`lanes` is 70000"),
        (r#"{"lanes": 32, "lane": 32}"#, "`lane` is 32"),
        (r#"{"lanes": 2, "lane": 0, "others": {"2": {"R1": 1}}}"#, "names lane 2"),
        (r#"{"lanes": 2, "lane": 0, "others": {"0": {"R1": 1}}}"#, "names lane 0"),
        (r#"{"lanes": 2, "lane": 0, "before": [{"asm": "POPC R0, R1", "lanes": []}]}"#, "has no lanes"),
        (r#"{"lanes": 2, "lane": 0, "width": 1}"#, "unknown key `width`"),
    ] {
        let line = format!(r#"{{"asm": "POPC R0, R1", "inputs": {{"R1": 7}}, "batch": {batch}}}"#);
        let error = parse_line(&line).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
    // The inputs of other lanes are checked only when the case is executed.
    let line = r#"{"asm": "POPC R0, R1", "inputs": {"R1": 7}, "batch": {"lanes": 2, "lane": 0, "others": {"1": {"R2": 1}}}}"#;
    assert!(parse_line(line).unwrap().rerun(EncodingTable::provisional()).is_err());
}

#[test]
fn text_and_word_of_one_instruction_agree() {
    let line = r#"{"asm": "FADD R0, R1, R2", "word": "0x201007529", "inputs": {"R1": 0, "R2": 0}}"#;
    let case = parse_line(line).unwrap();
    let (_, batch) = case.batch(EncodingTable::provisional()).unwrap();
    assert_eq!(batch.word(), 0x2_0100_7529);
    assert_eq!(case.word, Some(batch.word()));
}
