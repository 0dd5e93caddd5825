//! Compares UDP, MISC, IB and BFN with a machine on big integers: under all modifiers and readings, and at
//! edges.

use std::collections::BTreeSet;

use assay_isa::instruction::{Access, Space};
use assay_isa::location::{BANK_BYTES, URZ};
use assay_isa::readings::SWITCHES;
use assay_isa::{
    Batch, Event, Form, Instruction, Location, Oracle, Readings, Truths, catalog, legality, legalize, lint,
};
use proptest::prelude::*;
use proptest::sample::Index;

use super::agreement::any_readings;
use super::written;
use crate::MpfrOracle;
use crate::reference::execute::execute;
use crate::reference::machine::{LaneError, LocationValues, Machine};

/// Optypes that the machine does not execute, because `definitions` covers them.
const ELSEWHERE: [&str; 5] = ["UPOPC", "UFLO", "UBREV", "UBMSK", "USGXT"];

/// Values at which something changes.
const EDGES: [u32; 16] = [
    0,
    1,
    2,
    7,
    31,
    32,
    33,
    63,
    64,
    0xff,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xffff_0000,
    0xffff_fffe,
    u32::MAX,
];

fn forms() -> Vec<&'static Form> {
    let groups = ["UDP", "MISC", "IB", "VISA"];
    let here =
        |form: &&Form| groups.contains(&form.optype.group.name) && !ELSEWHERE.contains(&form.optype.name);
    catalog().forms.iter().filter(here).collect()
}

/// Bits for as many fields as a form can have.
const FIELDS: usize = 24;

/// The legal modes of a form.
fn modes(form: &'static Form) -> Vec<Instruction> {
    let modes = lint::combinations(form).map(|mode| filled(&mode, &[0; FIELDS]));
    modes.filter(|mode| legality::check(mode).is_ok()).collect()
}

/// A mode with operands nearest to these bits; registers are few, so that they meet.
fn filled(mode: &Instruction, bits: &[u32]) -> Instruction {
    let mut instruction = mode.clone();
    let form = mode.form();
    for ((position, field), bits) in form.fields.iter().enumerate().zip(bits) {
        let few = match field.name {
            "vb" | "vc" | "regaddr" | "hidx" | "src0" | "src1" | "src2" => *bits,
            _ if field.ty.is_predicate() => bits % 4 + 4 * (bits >> 8 & 1),
            _ if bits >> 28 == 0 => *bits,
            _ => bits % 8,
        };
        if form.is_operand(field) {
            let value = legalize::legalize(&instruction, position, few);
            instruction.set_at(position, value);
        }
    }
    instruction
}

/// Returns the locations that a lane can access from a base.
fn reached(access: Access, base: u32) -> Vec<Location> {
    let address = base.wrapping_add(access.offset);
    match access.space {
        Space::Special => vec![Location::G(address)],
        Space::Uniform => (0..URZ).map(Location::UR).collect(),
        Space::Constant { bank } => {
            let first = address / 16 * 16;
            let words = (0..8u32).map(|i| first.saturating_add(4 * i)).filter(|offset| *offset < BANK_BYTES);
            words.map(|offset| Location::C { bank, offset }).collect()
        }
    }
}

/// The values of so many lanes, by number of the location and of the lane: of what they read, and of what they can
/// reach.
fn lanes(
    instruction: &Instruction,
    count: usize,
    mut draw: impl FnMut(usize, usize) -> u32,
) -> Vec<LocationValues> {
    let access = instruction.access();
    let mut drawn = |location: &Location, place, lane| match draw(place, lane) {
        value if location.is_predicate() => value % 2,
        // An index or an address that is near something.
        value if access.is_some_and(|access| access.base == Some(*location)) => match lane % 4 {
            0 => value,
            1 => value % 64,
            2 => (value % 64).wrapping_sub(8).wrapping_add(BANK_BYTES),
            _ => value % BANK_BYTES / 16 * 16,
        },
        value => value,
    };
    let reads = instruction.reads();
    let mut lanes: Vec<LocationValues> = (0..count)
        .map(|lane| reads.iter().zip(0..).map(|(at, place)| (*at, drawn(at, place, lane))).collect())
        .collect();
    let Some(access) = access else { return lanes };
    let base = |lane: &LocationValues| access.base.map_or(0, |base| lane[&base]);
    let places: BTreeSet<Location> = lanes.iter().flat_map(|lane| reached(access, base(lane))).collect();
    for (number, lane) in lanes.iter_mut().enumerate() {
        for (at, place) in places.iter().zip(reads.len()..) {
            lane.entry(*at).or_insert_with(|| drawn(at, place, number));
        }
    }
    lanes
}

fn agree(instruction: &Instruction, readings: &Readings, lanes: &[LocationValues]) {
    legality::check(instruction).unwrap();
    let locations: Vec<Location> = lanes[0].keys().copied().collect();
    let mut batch = Batch::new(0, &locations, lanes.len());
    for (column, location) in locations.iter().enumerate() {
        let values = batch.column_mut(column).iter_mut();
        values.zip(lanes).for_each(|(value, lane)| *value = lane[location]);
    }
    let mut truths = Truths::default();
    MpfrOracle::new(*readings).truth(instruction, &batch, 64, &mut truths).unwrap();
    for (lane, values) in lanes.iter().enumerate() {
        let mut machine = Machine::new(instruction, readings, values);
        let end = execute(&mut machine);
        let what =
            || format!("lane {lane} of {} with {values:x?} {readings:?}", assay_isa::asm::print(instruction));
        let undefined = truths.undefined().iter().find(|(l, _)| *l == lane).map(|(_, erratum)| *erratum);
        if let Err(LaneError::Undefined(erratum)) = end {
            assert_eq!(undefined, Some(erratum), "{}", what());
            continue;
        }
        assert_eq!(undefined, None, "{}", what());
        let event = match end {
            Err(LaneError::Fault(fault)) => Some(Event::Fault(fault)),
            _ => machine.event,
        };
        assert_eq!(truths.event_of(lane), event.as_ref(), "{}", what());
        let actual: LocationValues = truths
            .columns()
            .iter()
            .filter_map(|column| Some((column.location, written(&truths, column.location, lane)?)))
            .collect();
        assert_eq!(actual, machine.after, "{}", what());
    }
}

fn value() -> impl Strategy<Value = u32> {
    prop_oneof![
        any::<u32>(),
        prop::sample::select(&EDGES[..]),
        0u32..70,
        (prop::sample::select(&EDGES[..]), -2i32..=2).prop_map(|(edge, off)| edge.wrapping_add_signed(off)),
    ]
}

/// An instruction of any form in any mode, and values for its lanes.
fn case() -> impl Strategy<Value = (Instruction, Vec<LocationValues>)> {
    let fields = prop::collection::vec(value(), FIELDS);
    (any::<Index>(), any::<Index>(), fields, prop::collection::vec(value(), 64), any::<u64>()).prop_map(
        |(form, mode, fields, values, seed)| {
            let forms = forms();
            let modes = modes(forms[form.index(forms.len())]);
            let instruction = filled(&modes[mode.index(modes.len())], &fields);
            let mut state = seed | 1;
            let lanes = lanes(&instruction, 8, |_, _| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                values[(state >> 20) as usize % values.len()]
            });
            (instruction, lanes)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12_000, ..ProptestConfig::default() })]

    #[test]
    fn under_any_readings((instruction, lanes) in case(), readings in any_readings()) {
        agree(&instruction, &readings, &lanes);
    }

    #[test]
    fn under_the_readings_intended((instruction, lanes) in case()) {
        agree(&instruction, &Readings::INTENDED, &lanes);
    }
}

/// The readings intended, and those that differ from them in one switch that touches an optype.
fn settings(optype: &str) -> Vec<Readings> {
    let touching = SWITCHES.iter().filter(|switch| switch.optypes.contains(&optype));
    let settings = touching.flat_map(|switch| (1..=switch.settings.len() as u8).map(|n| (switch.erratum, n)));
    let others = settings.map(|(erratum, setting)| {
        let mut readings = Readings::INTENDED;
        readings.set(erratum, setting).unwrap();
        readings
    });
    [Readings::INTENDED].into_iter().chain(others).collect()
}

/// Returns bits for the fields of a form. Literals go from one edge to the next. The others count
/// by steps, which distinguishes registers and prefixes, or with a step of 0 makes all the same.
fn steps(form: &Form, first: usize, step: usize) -> Vec<u32> {
    // The top bits keep a register among the few.
    let small = |place: usize| (1 << 28) | ((place * step) as u32 % 8);
    let bits =
        |(place, literal)| if literal { EDGES[(first + place * step) % EDGES.len()] } else { small(place) };
    form.fields.iter().map(|field| field.width >= 16).enumerate().map(bits).collect()
}

/// Every mode of every form under every setting of every switch, at every pair of edges.
#[test]
fn at_every_pair_of_edges() {
    for form in forms() {
        let settings = settings(form.optype.name);
        let count = if form.optype.name == "BFN" { EDGES.len() } else { EDGES.len().pow(2) };
        for (number, mode) in modes(form).iter().enumerate() {
            for step in [1, 3, 0] {
                let instruction = filled(mode, &steps(form, number, step));
                let lanes = lanes(&instruction, count, |place, lane| match place {
                    // The guard comes first.
                    1 => EDGES[lane % EDGES.len()],
                    2 => EDGES[lane / EDGES.len()],
                    _ => EDGES[(lane * 5 + place * 3 + step) % EDGES.len()],
                });
                settings.iter().for_each(|readings| agree(&instruction, readings, &lanes));
            }
        }
    }
}

/// UF2FP at every F16, halfway to the next, and beside both, the first operand positive and the second negative.
#[test]
fn at_every_edge_of_f16() {
    let value = |pattern: u16| match (pattern >> 10, f32::from(pattern & 0x3ff)) {
        (0, fraction) => fraction * 2f32.powi(-24),
        (field, fraction) => (1024.0 + fraction) * 2f32.powi(i32::from(field) - 25),
    };
    let edges =
        (0..=0x7c00).flat_map(|pattern| [value(pattern), (value(pattern) + value(pattern + 1)) / 2.0]);
    let near = edges.flat_map(|edge| [-1, 0, 1].map(|off| edge.to_bits().saturating_add_signed(off)));
    let lane = |bits| LocationValues::from([(Location::UR(1), bits), (Location::UR(2), bits | 1 << 31)]);
    let lanes: Vec<LocationValues> = near.map(lane).collect();
    let uf2fp = assay_isa::asm::parse("UF2FP UR0, UR1, UR2, URZ").unwrap();
    agree(&uf2fp, &Readings::INTENDED, &lanes);
}
