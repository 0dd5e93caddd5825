//! Prints every lowering that the tables allow for, one JSON object a line, for `scripts/check_lowering.py` to hold
//! against the vendor's assembler. First come the target and the head of a module; then each lowering with its kernels,
//! body and expected SASS, and each reason why there is none, with an example and the number of instructions it is for.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{self, BufWriter, Write};

use assay_hardware::ptx::{Feed, Inexpressible, Lowering, kernel, lower, module, variants};
use assay_isa::{Instruction, asm, catalog};
use serde_json::{Value, json};

/// The device that the kernels are for.
const TARGET: &str = "sm_90";

/// Optypes whose mandatory modifiers name functions.
const FUNCTIONS: [&str; 2] = ["MUFU", "USHF"];

/// What becomes of some instructions: those that have a body in common, or a reason.
struct Fate {
    optype: &'static str,
    /// The optype, or the function where one has many.
    family: String,
    example: String,
    count: u64,
    lowering: Result<Lowering, Inexpressible>,
}

fn main() -> io::Result<()> {
    let mut fates: BTreeMap<(usize, String), Fate> = BTreeMap::new();
    for (number, optype) in catalog().optypes().into_iter().enumerate() {
        for form in catalog().forms_of(optype.name) {
            variants(form).for_each(|instruction| add(&mut fates, number, &instruction));
        }
    }
    let mut out = BufWriter::new(io::stdout().lock());
    writeln!(out, "{}", json!({"target": TARGET, "header": module(TARGET, &[])}))?;
    for (index, fate) in fates.values().enumerate() {
        writeln!(out, "{}", describe(index, fate))?;
    }
    out.flush()
}

fn add(fates: &mut BTreeMap<(usize, String), Fate>, number: usize, instruction: &Instruction) {
    let lowering = lower(instruction);
    let key = match &lowering {
        Ok(lowering) => format!("{}\n{}", lowering.sass.join("\n"), lowering.body),
        Err(why) => why.to_string(),
    };
    match fates.entry((number, key)) {
        Entry::Occupied(mut known) => known.get_mut().count += 1,
        Entry::Vacant(place) => {
            let (optype, example) = (instruction.optype(), asm::print(instruction));
            let family = if FUNCTIONS.contains(&optype) { instruction.function() } else { optype.to_owned() };
            place.insert(Fate { optype, family, example, count: 1, lowering });
        }
    }
}

fn describe(index: usize, fate: &Fate) -> Value {
    let Fate { optype, family, example, count, lowering } = fate;
    match lowering {
        Ok(lowering) => json!({
            "name": format!("k{index}"), "optype": optype, "family": family, "example": example, "count": count,
            "ptx": kernel(&format!("k{index}"), lowering, Feed::Columns),
            "slices": (lowering.inputs.len() == 1).then(|| kernel(&format!("s{index}"), lowering, Feed::Slices)),
            "body": lowering.body.lines().collect::<Vec<_>>(), "sass": lowering.sass,
            "inputs": lowering.inputs.len(), "outputs": lowering.outputs.len(),
            "patch": lowering.patch.map(|patch| [patch.from, patch.to]),
        }),
        Err(why) => json!({"optype": optype, "example": example, "count": count, "why": why.to_string()}),
    }
}
