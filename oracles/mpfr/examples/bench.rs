//! Nanoseconds a lane of the oracle, beside the bare MPFR call on the same operands at 24 bits.
//!
//! `cargo run --release -p assay-mpfr --example bench`

use std::cmp::Ordering;
use std::hint::black_box;
use std::time::Instant;

use assay_isa::{Batch, Instruction, Location, Oracle, Truths, catalog, legality, lint};
use assay_mpfr::MpfrOracle;
use rug::Float;
use rug::float::Round;
use rug::ops::AssignRound;

const LANES: usize = 4096;
const ROUNDS: usize = 40;

/// Operand patterns: any bits at all, or numbers of similar size whose sums cancel.
const OPERANDS: [(&str, u32, u32); 2] = [("any bits", u32::MAX, 0), ("near 1", 0x81ff_ffff, 0x3e00_0000)];

fn main() {
    let columns = ["FADD", "FMUL", "FFMA", "mean", "FADD.FTZ.SAT.RP", "FMUL.M8", "FFMA.FTZ.SAT.RP"];
    println!("{:26}{}", "ns a lane", columns.map(|c| format!("{c:>17}")).concat());
    for (name, mask, set) in OPERANDS {
        let values = patterns(mask, set);
        let plain = ["FADD_RR", "FMUL_RR", "FFMA_RRR"].map(|form| oracle(form, &[], &values));
        let modified = [("ftz", 1), ("sat", 1), ("rnd", 1)];
        let others = [
            oracle("FADD_RR", &modified, &values),
            oracle("FMUL_RR", &[("scl", 6)], &values),
            oracle("FFMA_RRR", &modified, &values),
        ];
        show(&format!("oracle, {name}"), &plain, &others);
        show(&format!("bare MPFR, {name}"), &bare(&values), &[]);
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
        // Small numbers, the longest search.
        ("FLO_R", &[], &amounts),
        ("BREV_R", &[], &values),
        ("BMSK_RR", &[], &amounts),
        ("SGXT_RR", &[], &amounts),
    ];
    for (form, fields, values) in others {
        println!("{form:26}{:17.1}", oracle(form, fields, values));
    }
    functions(&values);
}

/// Every function of MUFU in every type that the tables allow, at the precision of the judge and around it.
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

fn show(name: &str, arithmetic: &[f64; 3], others: &[f64]) {
    let mean = arithmetic.iter().sum::<f64>() / 3.0;
    let cells = arithmetic.iter().chain([&mean]).chain(others);
    println!("{name:26}{}", cells.map(|ns| format!("{ns:17.1}")).collect::<String>());
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

/// The best of several rounds over all lanes.
fn best(mut round: impl FnMut()) -> f64 {
    let times = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        round();
        start.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min) * 1e9 / LANES as f64
}

fn oracle(form: &str, fields: &[(&str, u32)], values: &[[u32; 3]]) -> f64 {
    let mut instruction = Instruction::new(catalog().form(form).expect("the form is in the tables"));
    fields.iter().for_each(|(field, value)| instruction.set(field, *value));
    time(instruction, 64, values)
}

/// An instruction on R1, R2 and R3, its real numbers to so many bits.
fn time(mut instruction: Instruction, precision: u32, values: &[[u32; 3]]) -> f64 {
    for (field, value) in [("ra", 1), ("rb", 2), ("rc", 3)] {
        if instruction.get(field).is_some() {
            instruction.set(field, value);
        }
    }
    let mut batch = Batch::new(0, &[1, 2, 3].map(Location::R), LANES);
    for column in 0..3 {
        let lanes = batch.column_mut(column).iter_mut().zip(values);
        lanes.for_each(|(lane, operands)| *lane = operands[column]);
    }
    let (mut oracle, mut truths) = (MpfrOracle::default(), Truths::default());
    best(|| {
        oracle.truth(&instruction, black_box(&batch), precision, &mut truths).expect("every column is there");
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
