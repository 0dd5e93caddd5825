//! Prints every lowering that the tables allow for, one JSON object a line, for `scripts/check_lowering.py` to hold
//! against the vendor's assembler: `{"name", "optype", "family", "example", "count", "ptx", "body", "sass", "inputs", "outputs", "patch"}`,
//! and for what no PTX stands for `{"name", "optype", "family", "example", "count", "why"}`.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{self, BufWriter, Write};

use assay_hardware::ptx::{Feed, Inexpressible, Lowering, kernel, lower};
use assay_isa::catalog::{catalog, parts};
use assay_isa::row::FieldType;
use assay_isa::{Form, Instruction, asm, legality, lint};
use serde_json::{Value, json};

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
            for instruction in lint::combinations(form).flat_map(variants) {
                if legality::check(&instruction).is_ok() {
                    add(&mut fates, number, &instruction);
                }
            }
        }
    }
    let mut out = BufWriter::new(io::stdout().lock());
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
            "body": lowering.body.lines().collect::<Vec<_>>(), "sass": lowering.sass,
            "inputs": lowering.inputs.len(), "outputs": lowering.outputs.len(),
            "patch": lowering.patch.map(|patch| [patch.from, patch.to]),
        }),
        Err(why) => json!({"optype": optype, "example": example, "count": count, "why": why.to_string()}),
    }
}

/// The mode with every combination of prefixes and suffixes, every truth table and shift amount, a guard, and with
/// each operand in a register of its own and, but for the immediates, in none.
fn variants(mode: Instruction) -> Vec<Instruction> {
    let form = mode.form();
    let mut all = vec![mode];
    for (position, field) in form.fields.iter().enumerate() {
        let values: Vec<u32> = match field.ty {
            FieldType::Enum(e) if form.is_operand(field) && field.operand() != form.guard() => {
                (0..e.values.len() as u32).collect()
            }
            FieldType::UImm(width @ (5 | 8)) => (0..1 << width).collect(),
            ty => match (ty.idle(), is_operand(form, field.name)) {
                (Some((_, idle)), true) => vec![register(form, field.name), idle],
                _ => continue,
            },
        };
        all = all.iter().flat_map(|one| values.iter().map(|value| with(one, position, *value))).collect();
    }
    if let Some(guard) = form.position(form.guard()) {
        all.push(with(&all[0], guard, 0));
    }
    all
}

/// Whether a field is an operand, or a register of one, and not its prefix.
fn is_operand(form: &Form, field: &str) -> bool {
    form.order.iter().any(|operand| parts(operand).any(|part| part == field))
}

/// A register of its own for an operand: an even one, where a pair can begin.
fn register(form: &Form, field: &str) -> u32 {
    let place =
        form.order.iter().position(|operand| parts(operand).any(|part| part == field)).unwrap_or_default();
    if form.field(field).is_some_and(|field| field.ty.is_predicate()) {
        place as u32
    } else {
        2 * place as u32
    }
}

fn with(instruction: &Instruction, position: usize, value: u32) -> Instruction {
    let mut instruction = instruction.clone();
    instruction.set_at(position, value);
    instruction
}
