//! Tests the faults of the interpolators on operands that use the faulty row.

use std::cell::Cell;
use std::collections::BTreeMap;

use assay_faults::{FAULTS, Fault, Planted};
use assay_isa::{Batch, Effects, EncodingTable, Location, Subject, asm, codec};
use assay_model::Rom;
use assay_model::{Knobs, Model, Shipping};

thread_local! {
    /// The last row that was read.
    static READ: Cell<Option<(Rom, usize)>> = const { Cell::new(None) };
}

/// Knobs that record which row is read.
struct Probe;

impl Knobs for Probe {
    fn row(&self, rom: Rom, table: &[[u32; 3]], segment: usize) -> [u32; 3] {
        READ.set(Some((rom, segment)));
        table[segment]
    }
}

/// Returns the results of a function of MUFU.F32, by a model with these knobs.
fn results(knobs: impl Knobs, operation: &str, xs: &[u32]) -> Vec<u32> {
    let numbers = EncodingTable::provisional();
    let instruction = asm::parse(&format!("MUFU.{operation}.F32 R0, R1")).expect("an instruction");
    let mut batch = Batch::new(codec::encode(&instruction, numbers), &instruction.reads(), xs.len());
    batch.column_mut(0).copy_from_slice(xs);
    let mut effects = Effects::default();
    Model::new(numbers.clone(), knobs).execute(&batch, &mut effects).expect("it executes");
    (0..xs.len()).map(|lane| effects.value(Location::R(0), lane).expect("a result")).collect()
}

/// Returns a function that uses a table.
fn user(rom: Rom) -> &'static str {
    match rom {
        Rom::Rcp => "RCP",
        Rom::Rsq => "RSQ",
        Rom::Sqrt => "SQRT",
        Rom::Ex2 => "EX2",
        Rom::Lg2 => "LG2",
        Rom::Sin => "SIN",
        Rom::TanhSmall | Rom::TanhLarge => "TANH",
    }
}

/// Returns positive numbers from 2⁻⁹ to 2⁶, evenly spread over each binade.
fn operands() -> impl Iterator<Item = u32> {
    (118_u32 << 23..133 << 23).step_by(2053)
}

/// Returns the operands that use each row of a table.
fn by_row(rom: Rom) -> BTreeMap<usize, Vec<u32>> {
    let mut rows: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for x in operands() {
        READ.set(None);
        results(Probe, user(rom), &[x]);
        if let Some((read, row)) = READ.get()
            && read == rom
        {
            rows.entry(row).or_default().push(x);
        }
    }
    rows
}

/// Returns the percentage of operands at which a fault shows.
fn shown(fault: Fault, operation: &str, operands: &[u32]) -> usize {
    let wrong = results(Planted::new(Default::default(), Some(fault)), operation, operands);
    let right = results(Shipping, operation, operands);
    100 * wrong.iter().zip(right).filter(|(wrong, right)| **wrong != *right).count() / operands.len()
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
        // If the logarithm is near an integer, the addition of the exponent hides most of the
        // table's error.
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
