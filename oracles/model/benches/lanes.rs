//! Measures the time per lane on random operands, in batches of 1024 lanes:
//! `cargo bench -p assay-model`.
//!
//! Fixed and settable readings are both timed, because the code for settable readings must not slow
//! the shipping path. All batches have the same word, so it is decoded once.
//!
//! MUFU is also timed on consecutive patterns, as in a sweep. There two models are compared.
//! `Shipping`, with the `intended` readings compiled in, computes similar lanes together. `Apart`
//! computes each lane alone.

use std::hint::black_box;
use std::time::Instant;

use assay_isa::codec::encode;
use assay_isa::{Batch, Effects, EncodingTable, Instruction, Readings, Subject, catalog, legality};
use assay_model::{Knobs, Model, Shipping};

const LANES: usize = 1024;
/// Number of batches. The branch predictor cannot learn the operands of this number of batches.
const BATCHES: usize = 256;
const REPEATS: usize = 20;
/// Number of lanes in a batch of a sweep.
const SWEPT: usize = 4096;

/// Knobs with the intended readings that do not compute lanes together.
struct Apart;

impl Knobs for Apart {}

fn main() {
    println!("{:<44} {:>9} {:>9}   ns a lane", "", "shipping", "readings");
    for (form, fields) in [
        ("FADD_RR", &[][..]),
        ("FADD_RR", &[("ftz", 1), ("sat", 1), ("rnd", 2)][..]),
        ("FMUL_RR", &[]),
        ("FMUL_RR", &[("ftz", 1), ("rnd", 3), ("scl", 6)]),
        ("FFMA_RRR", &[]),
        ("FFMA_RRR", &[("ftz", 1), ("rnd", 1)]),
        ("FMNMX_RR", &[("pp", 0)]),
        ("FMNMX_RR", &[("pp", 0), ("ftz", 1), ("nan", 1)]),
        ("FSETP_RR", &[("pp", 0), ("cmp", 2)]),
        ("FSETP_RR", &[("pp", 0), ("pv", 2), ("cmp", 8), ("lop", 2), ("ftz", 1)]),
        ("FSET_RR", &[("pp", 0), ("cmp", 2), ("lop", 1)]),
        ("FSEL_RR", &[("pp", 0), ("ftz", 1)]),
        ("FCHK_RR", &[]),
        ("MUFU_R", &[("mufuop", 0)]),
        ("MUFU_R", &[("mufuop", 1)]),
        ("MUFU_R", &[("mufuop", 2)]),
        ("MUFU_R", &[("mufuop", 2), ("dtype", 2)]),
        ("MUFU_R", &[("mufuop", 2), ("dtype", 5)]),
        ("MUFU_R", &[("mufuop", 3)]),
        ("MUFU_R", &[("mufuop", 4)]),
        ("MUFU_R", &[("mufuop", 4), ("sat", 1)]),
        ("MUFU_R", &[("mufuop", 4), ("dtype", 1)]),
        ("MUFU_R", &[("mufuop", 5)]),
        ("MUFU_R", &[("mufuop", 5), ("dtype", 1)]),
        ("MUFU_R", &[("mufuop", 6)]),
        ("MUFU_R", &[("mufuop", 7)]),
        ("MUFU_R", &[("mufuop", 7), ("dtype", 2)]),
        ("POPC_R", &[("rb.bitnot", 1)]),
        ("FLO_R", &[]),
        ("FLO_R", &[("itype", 1), ("sh", 1)]),
        ("BREV_R", &[]),
        ("BMSK_RR", &[]),
        ("BMSK_RR", &[("cwmode", 1)]),
        ("SGXT_RR", &[]),
        ("SGXT_RR", &[("itype", 1), ("cwmode", 1)]),
        ("S2R_I", &[]),
        ("NOP_X", &[]),
        ("UIADD_UU", &[]),
        ("UIADD_UU", &[("ext", 1), ("upp", 2), ("ura.neg", 1)]),
        ("UIMAD_UUU", &[("itype", 1)]),
        ("UIMAD_UUU", &[("lohi", 1), ("ext", 1), ("upp", 2)]),
        ("UIMAD_WIDE_UUU", &[("urc.neg", 1)]),
        ("UIMUL_UU", &[("lohi", 1)]),
        ("ULEA_UUU", &[("shiftamt", 5)]),
        ("ULEA_UUU", &[("lohi", 1), ("ext", 1), ("upp", 2), ("ura.neg", 1), ("shiftamt", 5)]),
        ("UIABS_U", &[]),
        ("UIMNMX_UU", &[("upp", 2)]),
        ("UP2UR_UU", &[]),
        ("UR2UP_UU", &[]),
        ("UISETP_UU", &[("upp", 2), ("upv", 3), ("compop", 2)]),
        ("USEL_UU", &[("upp", 2)]),
        ("ULOP3_UUU", &[("lut", 0x1a), ("upp", 2)]),
        ("UPLOP3_X", &[("lut", 0x1a), ("upa", 2), ("upb", 3), ("upc", 4)]),
        ("USHF_UUU", &[("direction", 1), ("itype", 2)]),
        ("UMOV_U", &[("width", 1)]),
        ("UPRMT_UUU", &[]),
        ("UPRMT_UUU", &[("mode", 2)]),
        ("UF2FP_UUU", &[]),
        ("BFN", &[("size", 0), ("ctrl", 0x1a), ("src0", 1), ("src1", 2), ("src2", 3)]),
    ] {
        let batches = random_batches(&instruction(form, fields));
        let shipping = time(Shipping, &batches);
        let readings = time(Readings::INTENDED, &batches);
        let modifiers: Vec<String> = fields.iter().map(|(name, value)| format!("{name}={value}")).collect();
        println!("{:<44} {shipping:>9.2} {readings:>9.2}", format!("{form} {}", modifiers.join(" ")));
    }
    println!("\n{:<44} {:>9} {:>9} {:>9}   ns a lane", "consecutive patterns", "shipping", "apart", "ratio");
    for function in 0..8 {
        for sat in [0, 1] {
            let batches = swept_batches(&instruction("MUFU_R", &[("mufuop", function), ("sat", sat)]));
            let [shipping, apart] = [time(Shipping, &batches), time(Apart, &batches)];
            let name = format!("MUFU_R mufuop={function} sat={sat}");
            println!("{name:<44} {shipping:>9.2} {apart:>9.2} {:>9.2}", shipping / apart);
        }
    }
}

/// Returns an instruction with a register for each register operand.
fn instruction(form: &str, fields: &[(&str, u32)]) -> Instruction {
    let mut instruction = Instruction::new(catalog().form(form).expect("a form of the tables"));
    for (name, value) in fields {
        instruction.set(name, *value);
    }
    let general = [("rd", 0), ("pu", 1), ("ra", 1), ("rb", 2), ("rc", 3)];
    let uniform = [("urd", 0), ("upu", 1), ("ura", 1), ("urb", 2), ("urc", 4)];
    for (name, register) in general.into_iter().chain(uniform) {
        if instruction.get(name).is_some() && legality::permits(&instruction, name) {
            instruction.set(name, register);
        }
    }
    instruction
}

fn random_batches(instruction: &Instruction) -> Vec<Batch> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    batches(instruction, LANES, |_, batch| {
        for column in 0..batch.locations().len() {
            let mask = if batch.locations()[column].is_predicate() { 1 } else { !0 };
            batch.column_mut(column).fill_with(|| random(&mut state) & mask);
        }
    })
}

/// Returns batches of consecutive patterns, from all parts of the domain.
fn swept_batches(instruction: &Instruction) -> Vec<Batch> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    batches(instruction, SWEPT, |number, batch| {
        let share = u32::MAX / BATCHES as u32 + 1;
        let first = number as u32 * share + random(&mut state) % (share / SWEPT as u32) * SWEPT as u32;
        for (value, x) in batch.column_mut(0).iter_mut().zip(first..) {
            *value = x;
        }
    })
}

fn batches(instruction: &Instruction, lanes: usize, mut fill: impl FnMut(usize, &mut Batch)) -> Vec<Batch> {
    let word = encode(instruction, EncodingTable::provisional());
    let mut batches = vec![Batch::new(word, &instruction.reads(), lanes); BATCHES];
    for (number, batch) in batches.iter_mut().enumerate() {
        fill(number, batch);
    }
    batches
}

/// Returns the time per lane of the fastest repeat, because disturbances can only increase the
/// time.
fn time<K: Knobs>(knobs: K, batches: &[Batch]) -> f64 {
    let lanes: usize = batches.iter().map(Batch::len).sum();
    let mut model = Model::new(EncodingTable::provisional().clone(), knobs);
    let mut effects = Effects::default();
    let mut best = f64::INFINITY;
    for _ in 0..REPEATS {
        let start = Instant::now();
        for batch in batches {
            model.execute(black_box(batch), &mut effects).expect("a legal word");
            black_box(&effects);
        }
        best = best.min(start.elapsed().as_nanos() as f64 / lanes as f64);
    }
    best
}

/// Returns a random number from SplitMix64, truncated to 32 bits.
fn random(state: &mut u64) -> u32 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 32) as u32
}
