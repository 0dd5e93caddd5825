//! Compares the formulas with the oracle at edges. Covers every mode of every form at every pair of
//! edges, BFN at every edge, and special floats under the settings that affect them.

use std::collections::BTreeSet;

use assay_isa::instruction::{Access, Space};
use assay_isa::location::{BANK_BYTES, URZ};
use assay_isa::readings::SWITCHES;
use assay_isa::row::{Data, Field};
use assay_isa::{Batch, Form, Instruction, Location, Readings, asm, catalog, legality, legalize, lint};

use crate::formulas::Comparison;

/// Integers at edges: near 0, the shift widths, the signed limits and 2^32.
const INTEGERS: [u32; 16] = [
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

/// Floats at edges: zeros, subnormal numbers, the limits of normal numbers, infinities and NaN.
const FLOATS: [u32; 18] = [
    0,
    0x8000_0000,
    1,
    0x807f_ffff,
    0x0080_0000,
    0x80ff_ffff,
    0x2000_0000,
    0xb380_0000,
    0x3f00_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x7300_0000,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7f80_0001,
    0xffc0_0000,
];

/// NaN of each kind, and operands that produce a NaN.
const NANS: [u32; 9] =
    [0, 0x8000_0001, 0x3f80_0000, 0x7f80_0000, 0xff80_0000, 0x7f80_0001, 0xffbf_ffff, 0x7fc0_0002, u32::MAX];

/// Number of operand bit patterns: at least as many as any form has fields.
const FIELDS: usize = 24;

/// Returns a batch of lanes. Each lane has the values of the locations, in order.
fn batch(locations: &[Location], lanes: &[Vec<u32>]) -> Batch {
    let mut batch = Batch::new(0, locations, lanes.len());
    for column in 0..locations.len() {
        let values = batch.column_mut(column).iter_mut();
        values.zip(lanes).for_each(|(value, lane)| *value = lane[column]);
    }
    batch
}

/// Compares formula and oracle for an instruction. Each lane has the values of the operands in the
/// order of the text.
fn agree(text: &str, readings: &Readings, lanes: &[Vec<u32>]) {
    let instruction = asm::parse(text).unwrap();
    let locations: Vec<Location> = instruction.reads();
    Comparison::new(instruction.optype(), readings).compare(&instruction, &batch(&locations, lanes));
}

/// Returns the intended readings, with some settings changed.
fn readings(settings: &[String]) -> Readings {
    let mut readings = Readings::INTENDED;
    for setting in settings {
        readings.set_from_text(setting).unwrap();
    }
    readings
}

/// Returns every combination of settings of some switches. Each switch comes with its number of
/// settings.
fn choices(switches: &[(&str, usize)]) -> Vec<Readings> {
    let total: usize = switches.iter().map(|(_, settings)| settings).product();
    let choice = |mut number: usize| {
        let setting = |(switch, settings): &(&str, usize)| {
            let setting = number % settings + 1;
            number /= settings;
            format!("{switch}={setting}")
        };
        readings(&switches.iter().map(setting).collect::<Vec<String>>())
    };
    (0..total).map(choice).collect()
}

fn pairs(values: &[u32]) -> Vec<Vec<u32>> {
    values.iter().flat_map(|a| values.iter().map(|b| vec![*a, *b])).collect()
}

/// How the operands of a mode are chosen, and which lanes execute.
#[derive(Clone, Copy, PartialEq)]
enum Pass {
    /// Different registers without prefixes. Every lane executes. Each pair of edges occurs once
    /// with each value of the input predicates.
    Plain,
    /// The same register everywhere, without prefixes. Every lane executes.
    Same,
    /// Some prefixes, and a guard that is false in some lanes.
    Prefixed,
}

impl Pass {
    const ALL: [Pass; 3] = [Pass::Plain, Pass::Same, Pass::Prefixed];

    /// Returns the difference between the register numbers of neighbouring fields.
    fn step(self) -> usize {
        match self {
            Pass::Plain => 1,
            Pass::Same => 0,
            Pass::Prefixed => 3,
        }
    }
}

/// Returns an instruction of a mode, whose operand fields have legal values near `bits`. Only a few
/// registers are used, so that operands often share one.
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

/// Returns the legal modes of a form.
fn modes(form: &'static Form) -> Vec<Instruction> {
    let modes = lint::combinations(form).map(|mode| filled(&mode, &[0; FIELDS]));
    modes.filter(|mode| legality::check(mode).is_ok()).collect()
}

/// Returns bits for the fields of a form. Literals step through the edges. The other fields count
/// by the step of the pass, so registers and prefixes differ. With a step of 0 all registers are
/// equal.
fn steps(form: &Form, edges: &[u32], first: usize, pass: Pass) -> Vec<u32> {
    // The high bits select one of a few registers.
    let small = |place: usize| (1 << 28) | ((place * pass.step()) as u32 % 8);
    let bits = |(place, field): (usize, &&Field)| match field.name.contains('.') {
        true if pass != Pass::Prefixed => 0,
        _ if field.width >= 16 => edges[(first + place * pass.step()) % edges.len()],
        _ => small(place),
    };
    form.fields.iter().enumerate().map(bits).collect()
}

/// Returns the locations that a lane can access from a base address.
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

/// Returns a batch with every location that an instruction reads or can reach. `draw` takes a
/// location, its index, and the lane.
fn drawn(instruction: &Instruction, lanes: usize, draw: impl Fn(Location, usize, usize) -> u32) -> Batch {
    let access = instruction.access();
    let value = |location: &Location, place, lane| match draw(*location, place, lane) {
        value if location.is_predicate() => value % 2,
        // An index or an address: as drawn, or near the limits of the space.
        value if access.is_some_and(|access| access.base == Some(*location)) => match lane % 4 {
            0 => value,
            1 => value % 64,
            2 => (value % 64).wrapping_sub(8).wrapping_add(BANK_BYTES),
            _ => value % BANK_BYTES / 16 * 16,
        },
        value => value,
    };
    let mut locations = instruction.reads();
    if let Some(access) = access {
        let base = locations.iter().position(|location| access.base == Some(*location));
        let bases = (0..lanes).map(|lane| base.map_or(0, |place| value(&locations[place], place, lane)));
        let places: BTreeSet<Location> = bases.flat_map(|base| reached(access, base)).collect();
        let read: BTreeSet<Location> = locations.iter().copied().collect();
        locations.extend(places.difference(&read));
    }
    let lane = |lane| locations.iter().zip(0..).map(|(at, place)| value(at, place, lane)).collect();
    batch(&locations, &(0..lanes).map(lane).collect::<Vec<_>>())
}

/// Whether a location has a bit for each channel of BFN. Only the pass `Prefixed` uses the prefix
/// that inverts the bits.
fn is_mask(location: Location) -> bool {
    matches!(location, Location::Flags(_) | Location::DispatchMask)
}

/// Returns the intended readings, and all readings that differ from them in one switch that affects
/// an optype.
fn settings(optype: &str) -> Vec<Readings> {
    let touching = SWITCHES.iter().filter(|switch| switch.optypes.contains(&optype));
    let settings = touching.flat_map(|switch| (1..=switch.settings.len()).map(|n| (switch.erratum, n)));
    let others = settings.map(|(erratum, setting)| readings(&[format!("{erratum}={setting}")]));
    [Readings::INTENDED].into_iter().chain(others).collect()
}

/// Compares every mode of every form at every pair of edges. `are_floats` selects the forms with
/// float operands, or else the other forms. MUFU is left out.
fn at_every_pair(edges: &[u32], are_floats: bool, settings: fn(&str) -> Vec<Readings>) {
    let is_float = |form: &Form| {
        form.order.iter().any(|name| matches!(form.data(name), Some(Data::Float | Data::Exponent)))
    };
    let forms = catalog().forms.iter().filter(|form| form.optype.name != "MUFU");
    let mut compared = BTreeSet::new();
    for form in forms.filter(|form| is_float(form) == are_floats) {
        let optype = form.optype.name;
        let settings = settings(optype);
        let mut comparisons: Vec<Comparison> =
            settings.iter().map(|readings| Comparison::new(optype, readings)).collect();
        let pairs = edges.len().pow(2);
        for (number, mode) in modes(form).iter().enumerate() {
            for pass in Pass::ALL {
                let instruction = filled(mode, &steps(form, edges, number, pass));
                legality::check(&instruction).unwrap();
                let guard = instruction.guard();
                let executes = u32::from(!guard.not);
                let decides = |at: &Location| at.is_predicate() && Some(*at) != guard.source.location();
                let both = pass != Pass::Prefixed && instruction.reads().iter().any(decides);
                let lanes = match optype {
                    // Each lane of BFN has many channels.
                    "BFN" => edges.len(),
                    _ if both => 2 * pairs,
                    _ => pairs,
                };
                let batch = drawn(&instruction, lanes, |location, place, lane| match place {
                    _ if pass != Pass::Prefixed && guard.source.location() == Some(location) => executes,
                    _ if pass != Pass::Prefixed && is_mask(location) => u32::MAX,
                    _ if location.is_predicate() && pass != Pass::Prefixed => (lane / pairs) as u32,
                    // Location 0 is the guard.
                    1 => edges[lane % edges.len()],
                    2 => edges[lane % pairs / edges.len()],
                    _ => edges[(lane * 5 + place * 3) % edges.len()],
                });
                for comparison in &mut comparisons {
                    let effective = comparison.compare(&instruction, &batch);
                    // Some lanes of BFN are undefined. Some indices select URZ, where nothing is
                    // written.
                    let expected = match optype {
                        "BFN" => 1,
                        _ if instruction.access().is_some() => batch.len() / 2,
                        _ => batch.len(),
                    };
                    if pass != Pass::Prefixed && *comparison.readings == Readings::INTENDED {
                        assert!(effective >= expected, "{effective} lanes of {}", asm::print(&instruction));
                    }
                }
                compared.insert(optype);
            }
        }
    }
    assert!(compared.len() > 5, "only {compared:?}");
}

#[test]
fn integers_at_every_pair_of_edges() {
    at_every_pair(&INTEGERS, false, settings);
}

#[test]
fn floats_at_every_pair_of_edges() {
    at_every_pair(&FLOATS, true, |_| vec![Readings::INTENDED]);
}

/// Operands that are NaN or produce a NaN, under every reading of the NaN result.
#[test]
fn at_every_nan() {
    let lanes: Vec<Vec<u32>> = pairs(&NANS)
        .into_iter()
        .flat_map(|pair| NANS.iter().map(move |c| [pair.as_slice(), &[*c]].concat()))
        .collect();
    let two: Vec<Vec<u32>> = pairs(&NANS);
    for readings in choices(&[("C001", 3), ("C002", 3), ("E180", 2)]) {
        for ftz in ["", ".FTZ"] {
            agree(&format!("FADD{ftz} R0, R1, R2"), &readings, &two);
            agree(&format!("FMUL{ftz}.D2 R0, R1, R2"), &readings, &two);
            agree(&format!("FFMA{ftz} R0, R1, R2, R3"), &readings, &lanes);
        }
    }
}

/// FMNMX with NaN of each kind and with zeros, under every reading of NaN and of zeros.
#[test]
fn minima_at_every_nan_and_zero() {
    let values =
        [0, 0x8000_0000, 1, 0x8000_0001, 0x7f80_0000, 0x7f80_0001, 0xffbf_ffff, 0x7fc0_0002, u32::MAX];
    let both = |pair: Vec<u32>| [0, 1].map(|predicate| [pair.as_slice(), &[predicate]].concat());
    let lanes: Vec<Vec<u32>> = pairs(&values).into_iter().flat_map(both).collect();
    let switches =
        [("C001", 3), ("C002", 3), ("C004", 2), ("C005", 2), ("C009", 5), ("E183", 2), ("E184", 2)];
    for readings in choices(&switches) {
        for modifiers in ["", ".FTZ", ".NAN", ".FTZ.NAN"] {
            agree(&format!("FMNMX{modifiers} R0, R1, R2, P3"), &readings, &lanes);
        }
    }
}

/// Results near the least normal number, of both signs, under every rounding and every reading of
/// tininess.
#[test]
fn at_the_least_normal_number() {
    const FACTORS: [[u32; 2]; 6] = [
        [0x00ff_fffe, 0x3f00_0000],
        [0x00ff_ffff, 0x3f00_0000],
        [0x0100_0000, 0x3f00_0000],
        [0x2000_0001, 0x1fff_fffe],
        [0x2000_0001, 0x1fff_ffff],
        [0x2000_0000, 0x1fff_ffff],
    ];
    const ADDENDS: [u32; 4] = [0, 0x8000_0000, 1, 0x8000_0001];
    let factors = FACTORS.iter().flat_map(|[a, b]| [vec![*a, *b], vec![a ^ 1 << 31, *b]]);
    let products: Vec<Vec<u32>> = factors.collect();
    let with = |pair: &Vec<u32>| ADDENDS.map(|c| [pair.as_slice(), &[c]].concat());
    let sums: Vec<Vec<u32>> = products.iter().flat_map(with).collect();
    let switches =
        [("C003", 2), ("E169", 2), ("E173", 2), ("E179", 2), ("E180", 2), ("C011", 2), ("C010", 3)];
    for readings in choices(&switches) {
        for rounding in ["RN", "RM", "RP", "RZ"] {
            agree(&format!("FMUL.FTZ.{rounding} R0, R1, R2"), &readings, &products);
            agree(&format!("FFMA.FTZ.{rounding} R0, R1, R2, R3"), &readings, &sums);
        }
    }
}

/// UF2FP at every F16 value, at every midpoint of two, and at the F32 values next to these. The
/// first operand is positive, the second negative.
#[test]
fn at_every_edge_of_f16() {
    let value = |pattern: u16| match (pattern >> 10, f32::from(pattern & 0x3ff)) {
        (0, fraction) => fraction * 2f32.powi(-24),
        (field, fraction) => (1024.0 + fraction) * 2f32.powi(i32::from(field) - 25),
    };
    let edges =
        (0..=0x7c00).flat_map(|pattern| [value(pattern), (value(pattern) + value(pattern + 1)) / 2.0]);
    let near = edges.flat_map(|edge| [-1, 0, 1].map(|off| edge.to_bits().saturating_add_signed(off)));
    let lanes: Vec<Vec<u32>> = near.map(|bits| vec![bits, bits | 1 << 31]).collect();
    agree("UF2FP UR0, UR1, UR2, URZ", &Readings::INTENDED, &lanes);
}
