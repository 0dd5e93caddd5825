//! The catalogue: every lowering that the tables allow for, once, and every reason why there is
//! none.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use assay_isa::{Instruction, asm, catalog};

use super::{Feed, Inexpressible, Lowering, kernel, lower, variants};

/// Optypes whose mandatory modifiers name different functions.
const FUNCTIONS: [&str; 2] = ["MUFU", "USHF"];

/// Instructions of one optype that share a lowering, or a reason why they have none.
pub struct CatalogueEntry {
    /// The optype of the instructions.
    pub optype: &'static str,
    /// The optype, or the function for optypes with several functions (MUFU and USHF).
    pub family: String,
    /// One of the instructions, as assembler text.
    pub example: String,
    /// The number of the instructions. Variants that differ only in register numbers, immediates or
    /// places in constant memory count once.
    pub count: u64,
    /// The shared lowering, or the shared reason.
    pub lowering: Result<Lowering, Inexpressible>,
}

/// Returns the catalogue of all instructions, always in the same order.
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

/// Returns the kernels of a lowering, each with its name. `index` is the position in the catalogue.
/// A kernel over columns is called `k12`, for example. A lowering with one input also has a kernel
/// over slices, called `s12`.
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
