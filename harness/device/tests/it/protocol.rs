//! Every message matches the schema, and JSON and binary messages have the same contents.

use assay_device::frame::{ReceivedRequest, Reply};
use assay_device::protocol::{Framing, Ftz, Hello, HelloReply, OLDEST, PROTOCOL, schema};
use assay_isa::effect::{Action, Failure, Fault, Lanes};
use assay_isa::location::special_registers;
use assay_isa::{Answer, Batch, Effects, Erratum, Event, Location, Readings};
use serde_json::{Value, json};

const FRAMINGS: [Framing; 2] = [Framing::Json, Framing::Binary];

fn hello() -> Hello {
    Hello {
        protocol: OLDEST,
        protocols: vec![OLDEST, PROTOCOL],
        numbers: "20d495fc1671551a".into(),
        profile: "intended".into(),
        readings: Readings::default().iter().map(|(e, setting)| (e.to_string(), setting)).collect(),
        framings: FRAMINGS.to_vec(),
        memory: None,
    }
}

fn welcomes() -> Vec<HelloReply> {
    let one = |is_one: bool| if is_one { vec!["FADD".to_owned()] } else { Vec::new() };
    let reply = |protocol, ftz, profile: Option<&str>, framing| HelloReply {
        protocol,
        name: "mine".into(),
        version: "0.1".into(),
        optypes: one(protocol == OLDEST),
        modes: one(protocol == PROTOCOL),
        profile: profile.map(str::to_owned),
        ftz,
        framing,
    };
    let ftz = [None, Some(Ftz::Modifier), Some(Ftz::Always), Some(Ftz::Never)];
    let each = ftz.into_iter().flat_map(|ftz| FRAMINGS.map(|framing| (ftz, framing)));
    let of = |(ftz, framing): (Option<Ftz>, Framing)| {
        [OLDEST, PROTOCOL].map(|version| reply(version, ftz, ftz.map(|_| "sm90"), framing))
    };
    each.flat_map(of).collect()
}

/// Returns locations of each space, including the ends of some spaces.
fn places() -> Vec<Location> {
    let mut places = vec![
        Location::R(0),
        Location::R(254),
        Location::UR(62),
        Location::P(6),
        Location::UP(0),
        Location::C { bank: 31, offset: 0x1fffc },
        Location::G(u32::MAX),
        Location::Var { variable: 31, channel: 31 },
        Location::Flags(14),
        Location::DispatchMask,
    ];
    places.extend((0..=special_registers().len()).map(|code| Location::Sr(code as u8)));
    places
}

fn batches() -> Vec<Batch> {
    [0, 1, 31, 32, 33, 100]
        .into_iter()
        .map(|lanes| {
            let mut batch = Batch::new(u128::MAX / 3 + lanes as u128, &places(), lanes);
            for place in 0..places().len() {
                let values = batch.column_mut(place).iter_mut().enumerate();
                values.for_each(|(lane, value)| {
                    *value = (lane as u32).wrapping_mul(0x9e37_79b9) ^ place as u32
                });
            }
            batch
        })
        .collect()
}

/// Returns effects of many forms: none, whole columns, some lanes, all kinds of events.
fn effects(lanes: usize) -> Vec<Effects> {
    let mut list = Vec::new();
    for shape in 0..6 {
        let mut effects = Effects::default();
        effects.reset(lanes);
        let columns = if shape == 0 { Vec::new() } else { places() };
        for (nth, place) in columns.into_iter().take(if shape == 1 { 1 } else { usize::MAX }).enumerate() {
            let written = match shape {
                1 | 2 => Lanes::All,
                _ => Lanes::Some((0..lanes).map(|lane| (lane + nth) % shape != 0).collect()),
            };
            let values = effects.write(place, written).iter_mut().enumerate();
            values.for_each(|(lane, value)| *value = !(lane as u32) ^ nth as u32);
        }
        if shape >= 4 {
            let events = [
                Event::Fault(Fault::Misaligned),
                Event::Executed(Action::DependencyBarrier { scoreboard: 7, count: 255 }),
                Event::Executed(Action::Nop),
            ];
            (0..lanes).zip(events.into_iter().cycle()).for_each(|(lane, event)| effects.event(lane, event));
            (0..lanes).step_by(3).for_each(|lane| effects.undefine(lane, Erratum(49)));
        }
        list.push(effects);
    }
    list
}

/// The writes of a lane, its event, and whether it is undefined.
type Said = (Vec<(Location, u32)>, Option<Event>, bool);

/// Returns all effects, lane by lane.
fn said(effects: &Effects) -> Vec<Said> {
    let of = |lane: usize| {
        let mut writes: Vec<_> = effects.lane(lane).collect();
        writes.sort();
        let undefined = effects.undefined().iter().any(|(l, _)| *l == lane);
        (writes, effects.event_of(lane).copied(), undefined)
    };
    (0..effects.len()).map(of).collect()
}

fn lines(bytes: &[u8]) -> Vec<Value> {
    bytes
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect()
}

#[test]
fn requests_and_answers_read_back_in_both_framings() {
    for framing in FRAMINGS {
        for batch in batches() {
            let mut out = Vec::new();
            framing.write_request(u64::MAX, "NOP", &batch, &mut out);
            let (range, end) = framing.message(&out, usize::MAX).unwrap().expect("a whole message");
            assert_eq!(end, out.len());
            let ReceivedRequest { id, batch: read } = framing.read_request(&out[range]).unwrap();
            assert_eq!((id, read), (u64::MAX, batch.clone()), "{framing:?}");
            for effects in effects(batch.len()) {
                let (mut out, mut read) = (Vec::new(), Effects::default());
                framing.write_answer(7, &Reply::Known(&effects), &mut out);
                assert!(out.len() <= framing.bound(batch.len()) || effects.columns().len() > 40);
                let (range, _) = framing.message(&out, usize::MAX).unwrap().expect("a whole message");
                let answer = framing.read_answer(&out[range], 7, batch.len(), &mut read).unwrap();
                assert_eq!((answer, said(&read)), (Answer::Known, said(&effects)), "{framing:?}");
            }
        }
        let mut effects = Effects::default();
        let mut ask = |reply: Reply<'_>| {
            let mut out = Vec::new();
            framing.write_answer(7, &reply, &mut out);
            let (range, _) = framing.message(&out, usize::MAX).unwrap().expect("a whole message");
            framing.read_answer(&out[range], 7, 3, &mut effects)
        };
        assert_eq!(ask(Reply::Unsupported), Ok(Answer::Unsupported));
        let trouble = ask(Reply::Failed("no licence")).unwrap_err();
        assert_eq!((trouble.failure, trouble.words.as_str()), (Failure::Reported, "no licence"));
    }
}

#[test]
fn half_a_message_is_waited_for_and_a_long_one_refused() {
    for framing in FRAMINGS {
        let mut out = Vec::new();
        framing.write_answer(1, &Reply::Known(&effects(5)[3]), &mut out);
        for end in 0..out.len() {
            assert_eq!(framing.message(&out[..end], usize::MAX), Ok(None), "{framing:?} {end}");
        }
        let refused = framing.message(&out, out.len() - 1).unwrap_err();
        assert_eq!(refused.failure, Failure::Unreadable);
    }
}

#[test]
fn a_damaged_answer_is_refused_or_read_and_never_panics() {
    for framing in FRAMINGS {
        let mut out = Vec::new();
        framing.write_answer(1, &Reply::Known(&effects(5)[5]), &mut out);
        let (range, _) = framing.message(&out, usize::MAX).unwrap().expect("a whole message");
        let (message, mut read) = (&out[range], Effects::default());
        for place in 0..message.len() {
            for damage in [0x01, 0x20, 0x80, 0xff] {
                let mut damaged = message.to_vec();
                damaged[place] ^= damage;
                let _ = framing.read_answer(&damaged, 1, 5, &mut read);
                let _ = framing.read_answer(&message[..place], 1, 5, &mut read).unwrap_err();
            }
        }
    }
}

#[test]
fn every_message_is_what_the_schema_says() {
    let schema = schema();
    let validators = ["Hello", "HelloReply", "Request", "Answer"].map(|name| {
        let one = json!({ "$ref": format!("#/$defs/{name}"), "$defs": schema["$defs"] });
        jsonschema::validator_for(&one).expect("a schema")
    });
    let [is_hello, is_welcome, is_request, is_answer] = &validators;
    let any = jsonschema::validator_for(&schema).expect("a schema");
    let holds = |validator: &jsonschema::Validator, value: &Value| {
        let problems: Vec<String> = validator.iter_errors(value).map(|e| e.to_string()).collect();
        assert!(problems.is_empty() && any.is_valid(value), "{value}: {problems:?}");
    };
    holds(is_hello, &serde_json::to_value(hello()).unwrap());
    welcomes().iter().for_each(|reply| holds(is_welcome, &serde_json::to_value(reply).unwrap()));
    for batch in batches() {
        let mut out = Vec::new();
        Framing::Json.write_request(1, "NOP", &batch, &mut out);
        lines(&out).iter().for_each(|line| holds(is_request, line));
        let mut out = Vec::new();
        for effects in effects(batch.len()) {
            Framing::Json.write_answer(1, &Reply::Known(&effects), &mut out);
        }
        Framing::Json.write_answer(1, &Reply::Unsupported, &mut out);
        Framing::Json.write_answer(1, &Reply::Failed("no"), &mut out);
        lines(&out).iter().for_each(|line| holds(is_answer, line));
    }
    for wrong in [
        json!({ "id": -1 }),
        json!({ "id": 1, "write": {} }),
        json!({ "id": 1, "writes": { "R0": [-1] } }),
        json!({ "id": 1, "writes": { "R0": 1 } }),
        json!({ "id": 1, "writes": { "X0": [1] } }),
        json!({ "id": 1, "events": [{ "lane": 0 }] }),
        json!({ "id": 1, "unsupported": "yes" }),
    ] {
        assert!(!is_answer.is_valid(&wrong), "{wrong}");
        let line = serde_json::to_vec(&wrong).unwrap();
        let read = Framing::Json.read_answer(&line, 1, 1, &mut Effects::default());
        assert!(read.is_err(), "{wrong}");
    }
}

#[test]
fn the_page_shows_messages_of_the_schema() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/device-under-test.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let any = jsonschema::validator_for(&schema()).expect("a schema");
    let blocks = page.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default());
    let shown: Vec<&str> = blocks.flat_map(str::lines).collect();
    assert!(shown.len() >= 7, "{shown:?}");
    for line in shown {
        let value: Value = serde_json::from_str(line).expect(line);
        assert!(any.is_valid(&value), "{line}");
    }
}
