//! Tests which effects an undefined lane may have. It may write any value to its destination, and
//! may have no other effect.

use std::collections::{BTreeMap, BTreeSet};

use arbitrary::Unstructured;
use assay_engine::compare::judge::{DivergenceKind, Verdict, Verdicts, judge};
use assay_engine::generate::{Scope, from_stream};
use assay_isa::effect::{Action, Fault, Lanes};
use assay_isa::readings::SWITCHES;
use assay_isa::{
    Batch, Effects, EncodingTable, Erratum, Event, Instruction, Location, Oracle, Readings, Truths, asm,
    catalog, codec,
};
use assay_mpfr::MpfrOracle;
use assay_vectors::Contract;

const LANES: usize = 48;
/// Number of draws of each optype under each setting.
const DRAWS: u64 = 256;
/// The forms of BMSK and UBMSK whose amount is a register. E058 leaves no lane of these undefined.
const DEFINED: [&str; 3] = ["BMSK_RR", "BMSK_RU", "UBMSK_UU"];

/// The errata that leave lanes undefined under some setting, and the optypes whose lanes they leave
/// undefined.
const LEFT_OPEN: &[(u16, &[&str])] = &[
    (13, &["ULOP3", "UPLOP3", "UPRMT"]),
    (40, &["MUFU"]),
    (41, &["MUFU"]),
    (49, &["POPC", "UPOPC"]),
    (58, &["BMSK", "UBMSK"]),
    (66, &["CS2R"]),
    (71, &["GETREG", "SETREG"]),
    (75, &["PMTRIG"]),
    (76, &["SWITCH"]),
    (77, &["IBBAR", "NOP"]),
    (78, &["DEPBAR"]),
    (81, &["BFN"]),
    (85, &["BFN"]),
    (134, &["UIMNMX"]),
    (149, &["USHF"]),
    (168, &["UF2FP"]),
    (177, &["FFMA"]),
];

/// Locations that the tested instructions write only if these are their destination.
const ELSEWHERE: [Location; 6] = [
    Location::R(77),
    Location::UR(5),
    Location::P(6),
    Location::UP(4),
    Location::C { bank: 3, offset: 0x160 },
    Location::Flags(9),
];

/// A batch with some undefined lanes. `lanes` states which.
struct Open {
    instruction: Instruction,
    truths: Truths,
    lanes: Vec<bool>,
}

impl Open {
    /// Draws a batch from a scope by a seed. `None` if no lane is undefined.
    fn drawn(scope: &Scope, readings: Readings, seed: u64) -> Option<Open> {
        let (mut bytes, mut batch) = (Vec::new(), Batch::default());
        let pick = |u: &mut Unstructured<'_>| scope.instruction(u);
        let numbers = EncodingTable::provisional();
        let instruction = from_stream((seed, 0), numbers, LANES, &mut bytes, &mut batch, pick).unwrap();
        Open::given(instruction, &batch, readings)
    }

    fn given(instruction: Instruction, batch: &Batch, readings: Readings) -> Option<Open> {
        let mut truths = Truths::default();
        MpfrOracle::new(readings).truth(&instruction, batch, 96, &mut truths).unwrap();
        let mut lanes = vec![false; batch.len()];
        truths.undefined().iter().for_each(|(lane, _)| lanes[*lane] = true);
        lanes.contains(&true).then_some(Open { instruction, truths, lanes })
    }

    /// Returns the kinds of divergence of the undefined lanes if they write all of `locations` and
    /// report `event`. `None` in the set stands for a lane that does not diverge.
    fn kinds(&self, locations: &[Location], event: Option<Event>) -> BTreeSet<Option<DivergenceKind>> {
        let mut effects = Effects::default();
        effects.reset(self.lanes.len());
        for location in locations {
            effects.write(*location, Lanes::Some(self.lanes.clone())).fill(0x0123_4567);
        }
        let open = || self.lanes.iter().enumerate().filter(|(_, open)| **open).map(|(lane, _)| lane);
        event.into_iter().for_each(|event| open().for_each(|lane| effects.event(lane, event)));
        let mut verdicts = Verdicts::default();
        judge(&Contract::BitExact, &self.instruction, &self.truths, &effects, &mut verdicts);
        open()
            .map(|lane| match verdicts.of(lane) {
                Verdict::Undefined(_) => None,
                Verdict::Diverged(divergence) => Some(divergence.kind),
                verdict => panic!("{verdict:?} of an undefined lane"),
            })
            .collect()
    }
}

fn reading(settings: &[(u16, u8)]) -> Readings {
    let mut readings = Readings::INTENDED;
    settings.iter().for_each(|(erratum, setting)| readings.set(Erratum(*erratum), *setting).unwrap());
    readings
}

/// Returns the modes of an optype.
fn scope(optype: &str) -> Scope {
    Scope::everything().narrowed(|mode| mode.optype() == optype)
}

#[test]
fn an_undefined_lane_may_write_its_destination_and_nothing_else() {
    let mut seen: BTreeMap<u16, BTreeSet<&str>> = BTreeMap::new();
    let mut forms: BTreeSet<&str> = BTreeSet::new();
    for switch in SWITCHES {
        for setting in 1..=switch.settings.len() as u8 {
            let readings = reading(&[(switch.erratum.0, setting)]);
            for optype in switch.optypes.iter() {
                let scope = scope(optype);
                for open in (0..DRAWS).filter_map(|seed| Open::drawn(&scope, readings, seed)) {
                    let errata = open.truths.undefined().iter().map(|(_, erratum)| erratum.0);
                    errata.for_each(|erratum| {
                        seen.entry(erratum).or_default().insert(optype);
                    });
                    forms.insert(open.instruction.form().name);
                    held_to_its_destination(&open);
                }
            }
        }
    }
    let expected: BTreeMap<u16, BTreeSet<&str>> =
        LEFT_OPEN.iter().map(|(erratum, optypes)| (*erratum, optypes.iter().copied().collect())).collect();
    assert_eq!(seen, expected);
    let optypes: BTreeSet<&str> = expected.into_values().flatten().collect();
    let all = catalog().forms.iter().filter(|form| optypes.contains(form.optype.name));
    let unseen = all.map(|form| form.name).filter(|name| !forms.contains(name) && !DEFINED.contains(name));
    assert_eq!(unseen.collect::<Vec<_>>(), [""; 0]);
}

fn held_to_its_destination(open: &Open) {
    let text = asm::print(&open.instruction);
    let (free, stray) = (BTreeSet::from([None]), |kind| BTreeSet::from([Some(kind)]));
    let writes = open.instruction.writes();
    assert_eq!(open.kinds(&[], None), free, "{text}: nothing");
    assert_eq!(open.kinds(&writes, None), free, "{text}: the destination");
    for place in ELSEWHERE.iter().filter(|place| !writes.contains(place)) {
        let both: Vec<Location> = writes.iter().chain([place]).copied().collect();
        assert_eq!(open.kinds(&[*place], None), stray(DivergenceKind::Unexpected), "{text}: {place}");
        assert_eq!(
            open.kinds(&both, None),
            stray(DivergenceKind::Unexpected),
            "{text}: the destination and {place}"
        );
    }
    let fault = Event::Fault(Fault::Misaligned);
    assert_eq!(open.kinds(&writes, Some(fault)), stray(DivergenceKind::Event), "{text}: {fault}");
    // Instructions without a destination have the event `executed` as their result, so it is
    // allowed for these.
    let acts = ["PMTRIG", "SWITCH", "NOP", "IBBAR", "DEPBAR"].contains(&open.instruction.optype());
    let executed = open.kinds(&[], Some(Event::Executed(Action::Nop)));
    assert_eq!(executed, if acts { free } else { stray(DivergenceKind::Event) }, "{text}: an event");
}

/// Returns a batch of two lanes, with the given values in both.
fn case(text: &str, values: &[(&str, u32)], settings: &[(u16, u8)]) -> Open {
    let instruction = asm::parse(text).unwrap();
    let word = codec::encode(&instruction, EncodingTable::provisional());
    let locations: Vec<Location> = values.iter().map(|(name, _)| name.parse().unwrap()).collect();
    let mut batch = Batch::new(word, &locations, 2);
    for (place, (_, value)) in values.iter().enumerate() {
        batch.column_mut(place).fill(*value);
    }
    Open::given(instruction, &batch, reading(settings)).expect("undefined lanes")
}

/// E071 leaves open which address SETREG writes, and E081 how many elements BFN writes. Under E012,
/// FFMA also overwrites its subnormal sources, whatever its result is.
#[test]
fn a_destination_that_is_itself_open_is_any_of_its_kind() {
    let free = BTreeSet::from([None]);
    let stray = BTreeSet::from([Some(DivergenceKind::Unexpected)]);
    let set = case("SETREG R1, R2", &[("R1", 0x10), ("R2", 7)], &[(71, 2)]);
    assert_eq!(set.kinds(&[Location::G(0x10), Location::G(!0)], None), free);
    assert_eq!(set.kinds(&[Location::R(1)], None), stray);
    let sources = [("R1", 1), ("R2", 0x3f80_0000), ("R3", 1)];
    for (assigned, flush) in [(1, ".FTZ"), (2, ".FTZ"), (1, "")] {
        let add = case(&format!("FFMA{flush} R0, R1, R2, R3"), &sources, &[(177, 1), (12, assigned)]);
        let overwrites = assigned == 1 && !flush.is_empty();
        let expected = if overwrites { &free } else { &stray };
        assert_eq!(add.kinds(&[Location::R(1)], None), *expected, "E012={assigned} {flush}");
        assert_eq!(add.kinds(&[Location::R(2)], None), stray, "1.0 is not flushed");
    }
}

#[test]
fn a_channel_beyond_the_last_is_open_and_another_variable_is_not() {
    let free = BTreeSet::from([None]);
    let stray = BTreeSet::from([Some(DivergenceKind::Unexpected)]);
    let (scope, mut seen) = (scope("BFN"), BTreeSet::new());
    for (erratum, setting) in [(81, 1), (85, 2)] {
        for open in (0..DRAWS).filter_map(|seed| Open::drawn(&scope, reading(&[(erratum, setting)]), seed)) {
            let writes = open.instruction.writes();
            let Some(Location::Var { variable, .. }) = writes.first().copied() else {
                panic!("BFN writes a variable");
            };
            let other = Location::Var { variable: (variable + 1) % 32, channel: 0 };
            assert_eq!(open.kinds(&[other], None), stray);
            let last = Location::Var { variable, channel: 31 };
            if !writes.contains(&last) {
                let is_count = open.truths.undefined()[0].1 == Erratum(81);
                assert_eq!(open.kinds(&[last], None), if is_count { free.clone() } else { stray.clone() });
                seen.insert(is_count);
            }
        }
    }
    assert_eq!(seen.len(), 2, "both errata were seen");
}
