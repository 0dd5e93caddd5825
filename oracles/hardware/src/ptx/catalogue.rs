//! Every lowering that the tables allow for, once, and every reason why there is none.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use assay_isa::{Instruction, asm, catalog};

use super::{Feed, Inexpressible, Lowering, kernel, lower, variants};

/// Optypes whose mandatory modifiers name functions.
const FUNCTIONS: [&str; 2] = ["MUFU", "USHF"];

/// What becomes of some instructions: those that have a body in common, or a reason.
pub struct CatalogueEntry {
    /// Their optype.
    pub optype: &'static str,
    /// The optype, or the function where one has many.
    pub family: String,
    /// One of them.
    pub example: String,
    /// Their number, without variants in register numbers, immediates and places in constant memory.
    pub count: u64,
    /// The lowering that they share.
    pub lowering: Result<Lowering, Inexpressible>,
}

/// The fates of all instructions, always in the same order.
pub fn catalogue() -> Vec<CatalogueEntry> {
    let mut fates: BTreeMap<(usize, String), CatalogueEntry> = BTreeMap::new();
    for (number, optype) in catalog().optypes().into_iter().enumerate() {
        for form in catalog().forms_of(optype.name) {
            variants(form).for_each(|instruction| add(&mut fates, number, &instruction));
        }
    }
    fates.into_values().collect()
}

fn add(fates: &mut BTreeMap<(usize, String), CatalogueEntry>, number: usize, instruction: &Instruction) {
    let lowering = lower(instruction);
    let key = match &lowering {
        Ok(lowering) => format!("{}\n{}\n{}", lowering.sass.join("\n"), lowering.text(), lowering.executed),
        Err(why) => why.to_string(),
    };
    match fates.entry((number, key)) {
        Entry::Occupied(mut known) => known.get_mut().count += 1,
        Entry::Vacant(place) => {
            let (optype, example) = (instruction.optype(), asm::print(instruction));
            let family = if FUNCTIONS.contains(&optype) { instruction.function() } else { optype.to_owned() };
            place.insert(CatalogueEntry { optype, family, example, count: 1, lowering });
        }
    }
}

/// The kernels of a lowering that stands at `index` in the catalogue, each with its name: over columns as `k12`, and where it
/// has one input over slices as `s12`.
pub fn kernels(index: usize, lowering: &Lowering) -> Vec<(String, String)> {
    let feeds = [("k", Feed::Columns), ("s", Feed::Slices)];
    let has = |feed: Feed| feed == Feed::Columns || lowering.inputs.len() == 1;
    let one = |(letter, feed): (&str, Feed)| {
        let name = format!("{letter}{index}");
        let text = kernel(&name, lowering, feed);
        (name, text)
    };
    feeds.into_iter().filter(|(_, feed)| has(*feed)).map(one).collect()
}
