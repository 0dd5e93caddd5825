//! The functions of a sweep by name, with the inputs of each.

use std::collections::BTreeSet;

use assay_engine::compare::comparator::{Comparator, Setup};
use assay_engine::generate::Scope;
use assay_engine::generate::domain::{self, Domain, swept};
use assay_engine::operands::operand_kinds::OperandKind;
use assay_engine::run::sweep::Function;
use assay_engine::stats::rounding_stats;
use assay_isa::hints::Operation;
use assay_isa::legalize::legalize;
use assay_isa::row::{Field, FieldType};
use assay_isa::{Instruction, asm, catalog, legality, shown};

use crate::error::RunError;
use crate::selection::{select, unknown_optype};

/// How many of the inputs a sweep executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Every 255th input of a unary function (16.8 million) and the ends of every class of values.
    /// A function of floats also gets the ends of every binade and table segment, and the inputs
    /// that are hardest to round. Sums and products of floats get few operands.
    Quick,
    /// Every input of a unary function, and more operands of sums and products of floats.
    Standard,
    /// The inputs of `Standard`, but about sixty times as many inputs of sums and products of
    /// floats.
    Deep,
}

impl Tier {
    /// Returns the distance between neighbouring inputs of a unary function: 255, or 1 for every
    /// input.
    pub fn stride(self) -> u64 {
        match self {
            Tier::Quick => 255,
            Tier::Standard | Tier::Deep => 1,
        }
    }
}

impl Tier {
    /// Returns the number of exponents and the number of significands from which the operands of a
    /// sum or a product are combined.
    fn classes(self, operation: Operation) -> (usize, usize) {
        let [quick, standard, deep] = match operation {
            Operation::Sum => [(24, 12), (64, 30), (192, 80)],
            Operation::Product => [(12, 10), (32, 24), (96, 64)],
            Operation::Fused => [(6, 4), (12, 6), (28, 11)],
        };
        match self {
            Tier::Quick => quick,
            Tier::Standard => standard,
            Tier::Deep => deep,
        }
    }
}

/// Returns the requested functions, each once. They are in the order of the request, and within a
/// requested name in the order of the tables. Also returns the names of the functions with modes
/// that an implementation lacks.
pub fn functions(
    setup: &Setup<'_>,
    names: &[String],
    tier: Tier,
) -> Result<(Vec<Function>, Vec<String>), RunError> {
    let mut functions: Vec<Function> = Vec::new();
    let mut lacking: BTreeSet<String> = BTreeSet::new();
    for name in names {
        let (modes, unsupported) = modes(setup, &name.to_uppercase())?;
        lacking.extend(unsupported);
        let variants: Vec<Instruction> = modes.iter().flat_map(variants).collect();
        let each = (domain::LARGEST / variants.len() as u64 * modes.len() as u64).max(1);
        let arithmetic = modes[0].form().optype.hints.operation().map(|operation| {
            let (exponents, significands) = tier.classes(operation);
            Domain::arithmetic(operation, exponents, significands)
        });
        for instruction in variants {
            if functions.iter().all(|f| f.instruction != instruction) {
                let of = || Domain::of(&instruction, tier.stride(), each);
                let domain = arithmetic.clone().unwrap_or_else(of);
                functions.push(Function { instruction, domain });
            }
        }
    }
    Ok((functions, lacking.into_iter().collect()))
}

/// Returns the modes that a name selects, on the first form of its optype. The operands of this
/// form are all registers. Also returns the names of the functions with modes that an
/// implementation lacks.
fn modes(setup: &Setup<'_>, name: &str) -> Result<(Vec<Instruction>, Vec<String>), RunError> {
    if let Some((head, _)) = name.split_once(['*', '?', '[', '{']) {
        let whole = head.split(['.', '_']).next().filter(|whole| !whole.is_empty());
        let remedy = whole.map_or_else(String::new, |whole| {
            format!(", or `sweep {}` for all functions of the optype", whole.to_lowercase())
        });
        return Err(RunError::input(format!(
            "`{}` is a pattern, and sweep takes none; write a function such as mufu.rcp.f32{remedy}",
            name.to_lowercase()
        )));
    }
    let mut written = name.split('.');
    let mnemonic = written.next().unwrap_or(name);
    let modifiers: Vec<&str> = written.collect();
    let optype = catalog().optype(mnemonic, |modifier| modifiers.contains(&modifier));
    let Some(form) = catalog().forms_of(optype.map_or(mnemonic, |o| o.name)).next() else {
        return Err(unknown_optype(mnemonic));
    };
    if name.contains('.') && form.field("opcode").is_some() {
        return Err(RunError::input(format!(
            "{mnemonic} is swept as a whole; write `sweep {}`",
            mnemonic.to_lowercase()
        )));
    }
    if name.contains('.') && name != form.optype.mnemonic() {
        let operands = asm::print(&swept(&Instruction::new(form)));
        let operands = operands.split_once(' ').map_or("", |(_, operands)| operands);
        let text = format!("{name} {operands}");
        // A 16-bit function names a half of its operand, so `.H0` is tried here. The sweep takes
        // both halves.
        let parsed = asm::parse(&text).or_else(|error| asm::parse(&format!("{text}.H0")).map_err(|_| error));
        let mode = parsed.map_err(|error| RunError::asm(&text, error))?;
        return Ok((supported(setup, vec![mode], name)?, Vec::new()));
    }
    let selection = select(setup, &[form.name.to_owned()])?;
    let modes = supported(setup, selection.scope.modes().cloned().collect(), name)?;
    Ok((modes, selection.unsupported))
}

/// Returns the swept instructions of a mode: one for each combination of values of certain fields.
/// These fields are literals such as truth tables, special registers, halves of an operand, and
/// prefixes of float arithmetic.
fn variants(mode: &Instruction) -> Vec<Instruction> {
    let plain = swept(mode);
    let mut list = vec![plain.clone()];
    for (position, field) in plain.form().fields.iter().enumerate() {
        let values = listed(&plain, position, field);
        let of = |instruction: &Instruction, value: u32| {
            let mut instruction = instruction.clone();
            instruction.set_at(position, value);
            instruction
        };
        if !values.is_empty() {
            list = list.iter().flat_map(|i| values.iter().map(move |value| of(i, *value))).collect();
        }
    }
    list
}

/// Returns the values of a field that a sweep executes. Empty if the sweep leaves the field
/// unchanged.
fn listed(instruction: &Instruction, position: usize, field: &Field) -> Vec<u32> {
    let is_select = field.attribute() == Some("hsel") && legality::permits(instruction, field.name);
    let is_prefix =
        matches!(field.attribute(), Some("neg" | "abs")) && rounding_stats::applies_to(instruction);
    match field.ty {
        FieldType::Enum(_) if is_select || is_prefix => vec![0, 1],
        FieldType::UImm(width @ ..=8) => (0..1 << width).collect(),
        FieldType::UImm(32) => domain::values(OperandKind::Bits),
        FieldType::UImm(width) => domain::values(OperandKind::Narrow(width)),
        FieldType::SImm7 => (0..1 << field.width).collect(),
        FieldType::SReg => {
            let legal: BTreeSet<u32> =
                (0..1 << field.width).map(|bits| legalize(instruction, position, bits)).collect();
            legal.into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the modes that both implementations implement. Fails if there are none.
fn supported(setup: &Setup<'_>, modes: Vec<Instruction>, name: &str) -> Result<Vec<Instruction>, RunError> {
    let mut comparator = Comparator::new(setup);
    let mut list = Vec::new();
    for mode in modes {
        if comparator.supports_some(&mode, setup.numbers)? {
            list.push(mode);
        }
    }
    if list.is_empty() {
        return Err(RunError::input(format!(
            "{name} cannot be swept: {}",
            what_is_there(setup, &mut comparator)?
        )));
    }
    Ok(list)
}

/// Number of functions that an error names.
const NAMED: usize = 6;

/// Returns a phrase that names up to [`NAMED`] functions that both implementations implement.
fn what_is_there(setup: &Setup<'_>, comparator: &mut Comparator) -> Result<String, RunError> {
    let mut functions: Vec<String> = Vec::new();
    for mode in Scope::filtered(|_| true).modes() {
        let function = mode.function();
        if functions.len() <= NAMED
            && !functions.contains(&function)
            && comparator.supports_some(mode, setup.numbers)?
        {
            functions.push(function);
        }
    }
    let names = [(setup.subject)().name().to_owned(), (setup.oracle)().name().to_owned()].join(" and ");
    let more = if functions.len() > NAMED { " and more" } else { "" };
    functions.truncate(NAMED);
    Ok(match functions.len() {
        0 => format!("{} implement nothing in common", shown::line(&names)),
        _ => format!(
            "of {} both implement {}{more} only; declare it in the device, or sweep one of these",
            shown::line(&names),
            functions.join(", ")
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_has_every_combination_of_prefixes() {
        for (text, count) in
            [("FADD.RZ R0, R0, R0", 16), ("FFMA R0, R0, R0, R0", 64), ("FSEL R0, R0, R0, P0", 1)]
        {
            let variants = variants(&asm::parse(text).expect("a legal instruction"));
            let texts: BTreeSet<String> = variants.iter().map(asm::print).collect();
            assert_eq!((variants.len(), texts.len()), (count, count), "{text}");
        }
    }
}
