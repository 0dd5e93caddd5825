//! Prints every lowering that the tables allow for, as one JSON object per line.
//! `scripts/check_lowering.py` compares the lowerings with the output of the vendor's assembler.
//! The first line has the target and the head of a module. Then come the lowerings, each with its
//! kernels, body and expected SASS. Instructions without a lowering are grouped by reason, each
//! with an example and the number of instructions.

use std::io::{self, BufWriter, Write};

use assay_hardware::ptx::{Bits, CatalogueEntry, Patch, catalogue, kernels, module};
use serde_json::{Value, json};

/// The GPU architecture that the kernels are for.
const TARGET: &str = "sm_90";

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    writeln!(out, "{}", json!({"target": TARGET, "header": module(TARGET, &[])}))?;
    for (index, entry) in catalogue().iter().enumerate() {
        writeln!(out, "{}", describe(index, entry))?;
    }
    out.flush()
}

fn describe(index: usize, entry: &CatalogueEntry) -> Value {
    let CatalogueEntry { optype, family, example, count, lowering } = entry;
    match lowering {
        Ok(lowering) => {
            let mut kernels = kernels(index, lowering).into_iter();
            let columns = kernels.next();
            json!({
                "name": columns.as_ref().map(|(name, _)| name), "optype": optype, "family": family, "example": example,
                "count": count, "ptx": columns.as_ref().map(|(_, text)| text),
                "slices": kernels.next().map(|(_, text)| text),
                "body": lowering.body.lines().collect::<Vec<_>>(), "sass": lowering.sass,
                "inputs": lowering.inputs.len(), "outputs": lowering.outputs.len(),
                "uniform": lowering.is_uniform, "patches": lowering.patches.iter().map(replacement).collect::<Vec<_>>(),
            })
        }
        Err(why) => json!({"optype": optype, "example": example, "count": count, "why": why.to_string()}),
    }
}

/// Returns a replacement. The bits of a replacement are in hexadecimal, since JSON has no integers
/// of 128 bits.
fn replacement(patch: &Patch) -> Value {
    let bits = |Bits { mask, value }: Bits| json!([format!("{mask:#x}"), format!("{value:#x}")]);
    json!({"name": patch.name, "found": bits(patch.found), "replaced": bits(patch.replaced)})
}
