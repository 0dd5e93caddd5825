//! The faults of the interpolators, each on operands that lead to the row in which it is.

use std::cell::Cell;
use std::collections::BTreeMap;

use assay_isa::asm;
use assay_isa::tables::types::MUFUOp;

use super::{Function, Rom, compute};
use crate::faults::{FAULTS, Fault, Planted};
use crate::knobs::{Knobs, Shipping};

/// Knobs with a fault planted and awake.
pub(super) fn planted(fault: Fault) -> Planted {
    let mut knobs = Planted::new(Default::default(), Some(fault));
    knobs.enter(&asm::parse("MUFU.RCP.F32 R0, R1").expect("an instruction"));
    knobs
}

/// Notes the row that was read last.
#[derive(Default)]
struct Probe(Cell<Option<(Rom, usize)>>);

impl Knobs for Probe {
    fn row(&self, rom: Rom, table: &[[u32; 3]], segment: usize) -> [u32; 3] {
        self.0.set(Some((rom, segment)));
        table[segment]
    }
}

fn result(k: &impl Knobs, operation: MUFUOp, x: u32) -> u32 {
    let mut results = [0];
    compute(k, Function::Single { operation, sat: false }, &[x], &mut results);
    results[0]
}

/// A function that uses a table.
fn user(rom: Rom) -> MUFUOp {
    match rom {
        Rom::Rcp => MUFUOp::RCP,
        Rom::Rsq => MUFUOp::RSQ,
        Rom::Sqrt => MUFUOp::SQRT,
        Rom::Ex2 => MUFUOp::EX2,
        Rom::Lg2 => MUFUOp::LG2,
        Rom::Sin => MUFUOp::SIN,
        Rom::TanhSmall | Rom::TanhLarge => MUFUOp::TANH,
    }
}

/// Positive numbers from 2⁻⁹ to 2⁶, spread evenly over each binade.
fn operands() -> impl Iterator<Item = u32> {
    (118_u32 << 23..133 << 23).step_by(2053)
}

/// The operands that lead to each row of a table.
fn by_row(rom: Rom) -> BTreeMap<usize, Vec<u32>> {
    let mut rows: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for x in operands() {
        let probe = Probe::default();
        result(&probe, user(rom), x);
        if let Some((read, row)) = probe.0.get()
            && read == rom
        {
            rows.entry(row).or_default().push(x);
        }
    }
    rows
}

/// The share of operands, in per cent, at which a fault shows.
fn shown(fault: Fault, operation: MUFUOp, operands: &[u32]) -> usize {
    let knobs = planted(fault);
    let differs = |x: &&u32| result(&knobs, operation, **x) != result(&Shipping, operation, **x);
    100 * operands.iter().filter(differs).count() / operands.len()
}

#[test]
fn a_wrong_bit_shows_in_its_segment_and_nowhere_else() {
    for rom in Rom::ALL {
        let rows = by_row(rom);
        assert!(rows.keys().copied().eq(0..rom.segments()), "{rom:?}: {:?}", rows.keys());
        let mut least = (100, 0);
        for (row, operands) in &rows {
            let fault = Fault::RomBit(rom, *row as u16);
            assert!(operands.len() >= 6, "{rom:?} {row}: {} operands", operands.len());
            least = least.min((shown(fault, user(rom), operands), *row));
            let others = &rows[&((row + 1) % rom.segments())];
            assert_eq!(shown(fault, user(rom), others), 0, "{rom:?} {row}");
        }
        println!("{rom:?}: at least {} %, in row {}", least.0, least.1);
        // Where the logarithm is near an integer, that hides most of an error.
        assert!(least.0 >= 15, "{rom:?}: {} % in row {}", least.0, least.1);
    }
}

#[test]
fn a_lame_interpolator_shows() {
    for rom in Rom::ALL {
        let operands: Vec<u32> = by_row(rom).into_values().flatten().collect();
        let lame = [Fault::OffsetTruncated(rom), Fault::SquareDropped(rom)];
        for fault in FAULTS.iter().map(|info| info.fault).filter(|fault| lame.contains(fault)) {
            let share = shown(fault, user(rom), &operands);
            println!("{fault:?}: {share} %");
            assert!(share >= 40, "{fault:?}: {share} %");
        }
    }
}
