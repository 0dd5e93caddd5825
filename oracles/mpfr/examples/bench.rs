//! Measures the time of the oracle in nanoseconds per lane: with its filters and without them. For
//! comparison, the benchmark also measures the bare MPFR operations on the same operands, at 24
//! bits.
//!
//! `cargo run --release -p assay-mpfr --example bench`

use std::cmp::Ordering;
use std::hint::black_box;
use std::time::Instant;

use assay_isa::instruction::Space;
use assay_isa::{Batch, Instruction, Location, Oracle, Readings, Truths, asm, catalog, legality, lint};
use assay_mpfr::MpfrOracle;
use rug::Float;
use rug::float::Round;
use rug::ops::AssignRound;

const LANES: usize = 4096;
const ROUNDS: usize = 40;

/// Operand patterns: any bits at all, or numbers of similar size whose sums cancel.
const OPERANDS: [(&str, u32, u32); 2] = [("any bits", u32::MAX, 0), ("near 1", 0x81ff_ffff, 0x3e00_0000)];

/// The instructions that have filters: without modifiers, with each rounding direction, and with
/// flushing and saturation.
const FILTERED: [&str; 10] = [
    "FADD R0, R1, R2",
    "FADD.FTZ.SAT.RP R0, R1, R2",
    "FMUL R0, R1, R2",
    "FMUL.M8 R0, R1, R2",
    "FMUL.FTZ.SAT.RP R0, R1, R2",
    "FFMA R0, R1, R2, R3",
    "FFMA.RZ R0, R1, R2, R3",
    "FFMA.RM R0, R1, R2, R3",
    "FFMA.RP R0, R1, R2, R3",
    "FFMA.FTZ.SAT.RP R0, |R1|, -R2, R3",
];

fn main() {
    for (name, mask, set) in OPERANDS {
        filters(name, &patterns(mask, set));
    }
    let values = patterns(u32::MAX, 0);
    let amounts: Vec<[u32; 3]> = values.iter().map(|[a, b, c]| [*a, b & 63, *c]).collect();
    let others: [(&str, &[(&str, u32)], _); 10] = [
        ("FMNMX_RR", &[("pp", 7), ("ftz", 1)], &values),
        ("FSETP_RR", &[("pu", 0), ("pv", 1), ("cmp", 9)], &values),
        ("FSET_RR", &[("cmp", 9)], &values),
        ("FSEL_RR", &[("ftz", 1)], &values),
        ("FCHK_RR", &[], &values),
        ("POPC_R", &[], &values),
        // Small numbers need the longest search.
        ("FLO_R", &[], &amounts),
        ("BREV_R", &[], &values),
        ("BMSK_RR", &[], &amounts),
        ("SGXT_RR", &[], &amounts),
    ];
    for (form, fields, values) in others {
        let mut instruction = Instruction::new(catalog().form(form).expect("the form is in the tables"));
        fields.iter().for_each(|(field, value)| instruction.set(field, *value));
        println!("{form:26}{:17.1}", time(instruction, 64, values));
    }
    texts();
    functions(&values);
}

/// Measures how much time the filters save, and the time of the bare MPFR operations.
fn filters(name: &str, values: &[[u32; 3]]) {
    let heads = ["M lanes/s", "ns a lane", "MPFR only", "times"];
    println!("{name:40}{}", heads.map(|head| format!("{head:>12}")).concat());
    let batch = batch(values);
    for text in FILTERED {
        let instruction = asm::parse(text).expect("it is an instruction");
        let [ns, reference] = [MpfrOracle::new, MpfrOracle::unfiltered]
            .map(|oracle| measure(&mut oracle(Readings::INTENDED), &instruction, &batch, 64));
        println!("{text:40}{:12.0}{ns:12.2}{reference:12.1}{:12.1}", 1e3 / ns, reference / ns);
    }
    for (operation, ns) in ["a + b", "a * b", "a * b + c"].iter().zip(bare(values)) {
        println!("{operation:40}{:>36.1}  bare", ns);
    }
}

/// Instructions of the uniform datapath, of MISC and of vISA, in their slowest modes.
const TEXTS: [&str; 27] = [
    "UIADD.X UR0, UP0, UR1, ~UR2, UP3",
    "UIMAD.HI.X UR0, UP0, UR1, UR2, ~UR3, UP3",
    "UIMAD UR0, UP0, UR1, UR2, -UR3",
    "UIMAD.WIDE.X UR[0:1], UP0, UR2, UR3, ~UR[4:5], UP3",
    "UIMUL.HI UR0, UR1, -UR2",
    "ULEA UR0, UP0, -UR1, UR2, 0x7",
    "ULEA.HI.X.SX32 UR0, UP0, ~UR1, UR2, 0x7, UP3",
    "UIABS UR0, UR1",
    "UIMNMX UR0, -UR1, UR2, UP3",
    "UISETP.LT.AND.X UP0, UP1, UR1, UR2, UP3, UP4",
    "ULOP3.PAND UP0, UR0, UR1, UR2, UR3, 0x1a, UP3",
    "UPLOP3 UP0, UP1, !UP2, UP3, 0x1a",
    "USHF.R.S64 UR0, UR1, UR2, UR3",
    "USHF.L.HI.WRAP.U32 UR0, UR1, UR2, UR3",
    "UPRMT UR0, UR1, UR2, UR3",
    "UPRMT.ECL UR0, UR1, UR2, UR3",
    "UP2UR.B1 UR0, UPR, UR1, UR2",
    "UR2UP UPR, UR1.B1, UR2",
    "UF2FP UR0, UR1, UR2, UR3",
    "UMOV.64 UR[0:1], UR[2:3]",
    "USEL UR0, UR1, UR2, UP3",
    "ULDC.128 UR[0:3], c[0x0][UR4]",
    "GETUGPR UR0, UR[UR1]",
    "SETUGPR UR[UR1], UR2",
    "GETREG R0, R1",
    "SETREG R1, R2",
    "DEPBAR 0x1, 0x2",
];

/// Number of words or registers that an address or index can select.
const PLACES: u32 = 16;

fn texts() {
    for text in TEXTS {
        println!("{text:52}{:8.1}", text_time(text));
    }
    for size in [1, 8, 32] {
        let text = format!("(F1) BFN.x1a.D (M1, {size}) V0 V1 V2 V3");
        println!("{text:52}{:8.1}", text_time(&text));
    }
}

/// Measures an instruction on arbitrary bits. An address or index selects one of the first
/// [`PLACES`] locations.
fn text_time(text: &str) -> f64 {
    let instruction = asm::parse(text).expect("it is an instruction");
    let access = instruction.access();
    let space = access.map(|access| access.space);
    let mut locations = instruction.reads();
    let places = (0..PLACES).filter_map(|i| match space? {
        Space::Constant { bank } => Some(Location::C { bank, offset: 4 * i }),
        Space::Uniform => Some(Location::UR(i as u8)),
        Space::Special => Some(Location::G(i)),
    });
    locations.extend(places.filter(|place| !instruction.reads().contains(place)));
    let mut batch = Batch::new(0, &locations, LANES);
    for (column, location) in locations.iter().enumerate() {
        let mask = match access.map(|access| access.base == Some(*location)) {
            // A multiple of every access size.
            Some(true) if matches!(space, Some(Space::Constant { .. })) => 0x30,
            Some(true) => PLACES - 1,
            _ if location.is_predicate() => 1,
            _ => u32::MAX,
        };
        // Each column gets the values rotated by another number of bits.
        let values = patterns(u32::MAX, 0).into_iter().map(|[value, _, _]| value.rotate_left(column as u32));
        batch.column_mut(column).iter_mut().zip(values).for_each(|(lane, value)| *lane = value & mask);
    }
    measure(&mut MpfrOracle::default(), &instruction, &batch, 64)
}

/// Measures every function of MUFU in every type, at the precision that a judge requests and at two
/// others.
fn functions(values: &[[u32; 3]]) {
    const PRECISIONS: [u32; 3] = [64, 96, 120];
    println!("{:26}{}", "MUFU, bits:", PRECISIONS.map(|bits| format!("{bits:>17}")).concat());
    for form in catalog().forms.iter().filter(|form| form.name == "MUFU_R") {
        let plain = |i: &Instruction| !["sat", "rb.hsel", "rb.neg", "rb.abs"].iter().any(|flag| i.flag(flag));
        let modes = lint::combinations(form).filter(|i| plain(i) && legality::check(i).is_ok());
        for instruction in modes {
            let cells = PRECISIONS.map(|bits| format!("{:17.1}", time(instruction.clone(), bits, values)));
            println!("{:26}{}", instruction.function(), cells.concat());
        }
    }
}

fn patterns(mask: u32, set: u32) -> Vec<[u32; 3]> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) as u32 & mask | set
    };
    (0..LANES).map(|_| [next(), next(), next()]).collect()
}

/// Returns the nanoseconds per lane in the fastest of several rounds.
fn best(mut round: impl FnMut()) -> f64 {
    let times = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        round();
        start.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min) * 1e9 / LANES as f64
}

/// Measures an instruction on R1, R2 and R3. Real results get `precision` bits.
fn time(mut instruction: Instruction, precision: u32, values: &[[u32; 3]]) -> f64 {
    for (field, value) in [("ra", 1), ("rb", 2), ("rc", 3)] {
        if instruction.get(field).is_some() {
            instruction.set(field, value);
        }
    }
    measure(&mut MpfrOracle::default(), &instruction, &batch(values), precision)
}

/// Returns a batch with the columns R1, R2 and R3.
fn batch(values: &[[u32; 3]]) -> Batch {
    let mut batch = Batch::new(0, &[1, 2, 3].map(Location::R), LANES);
    for column in 0..3 {
        let lanes = batch.column_mut(column).iter_mut().zip(values);
        lanes.for_each(|(lane, operands)| *lane = operands[column]);
    }
    batch
}

fn measure(oracle: &mut MpfrOracle, instruction: &Instruction, batch: &Batch, precision: u32) -> f64 {
    let mut truths = Truths::default();
    best(|| {
        oracle.truth(instruction, black_box(batch), precision, &mut truths).expect("every column is there");
        black_box(&truths);
    })
}

fn bare(values: &[[u32; 3]]) -> [f64; 3] {
    let float = |bits: u32| Float::with_val(24, f32::from_bits(bits));
    let operands: Vec<[Float; 3]> = values.iter().map(|o| o.map(float)).collect();
    let mut result = Float::new(24);
    let mut run = |operation: fn(&mut Float, &[Float; 3]) -> Ordering| {
        best(|| {
            for lane in &operands {
                black_box(operation(&mut result, lane));
            }
        })
    };
    [
        run(|r, [a, b, _]| r.assign_round(a + b, Round::Nearest)),
        run(|r, [a, b, _]| r.assign_round(a * b, Round::Nearest)),
        run(|r, [a, b, c]| r.assign_round(a.mul_add_ref(b, c), Round::Nearest)),
    ]
}
