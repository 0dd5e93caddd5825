//! An instruction, and the types of its operands.

use assay_engine::generate::domain::swept;
use assay_engine::operands::operand_kinds::OperandKind;
use assay_isa::format::{BF16, F16, F32, F64_HIGH, Format};
use assay_isa::location::UnknownLocation;
use assay_isa::{Location, asm, catalog};
use assay_session::{Refusal, Session};
use pyo3::prelude::*;

use crate::failure::{Failure, run};

/// An operand: one location, or two locations of a 64-bit number.
#[pyclass(frozen, get_all, module = "assay")]
#[derive(Clone, PartialEq)]
pub struct Operand {
    /// The name of the first location, such as `R1`.
    name: String,
    /// The type of the value: `F32`, `F16`, `BF16`, `F64`, `F16x2`, `BF16x2`, `U32`, `U64` or
    /// `bool`.
    kind: String,
    /// The position of the lowest bit: 16 for the high half of a register, otherwise 0.
    shift: u32,
    /// The number of locations.
    words: usize,
}

#[pymethods]
impl Operand {
    fn __repr__(&self) -> String {
        let half = if self.shift > 0 { " in the high half" } else { "" };
        format!("{}: {}{half}", self.name, self.kind)
    }
}

/// An instruction, with its inputs and outputs in order.
#[pyclass(frozen, module = "assay")]
pub struct Instruction {
    /// The decoded instruction.
    pub decoded: assay_isa::Instruction,
    /// The locations that the caller added: inputs, then outputs.
    added: [Vec<Location>; 2],
    /// All input locations, then all output locations.
    places: [Vec<Location>; 2],
    operands: [Vec<Operand>; 2],
}

#[pymethods]
impl Instruction {
    /// Parses an instruction, or a mode without operands. `reads` and `writes` add locations that
    /// depend on input values.
    #[new]
    #[pyo3(signature = (text, reads=Vec::new(), writes=Vec::new()))]
    fn new(py: Python<'_>, text: &str, reads: Vec<String>, writes: Vec<String>) -> PyResult<Instruction> {
        run(py, || {
            let decoded = parse(text)?;
            let parsed = |names: &[String]| names.iter().map(|name| name.parse()).collect::<Result<_, _>>();
            let unknown = |error: UnknownLocation| Failure::Refused(Refusal::Place(error));
            let added: [Vec<Location>; 2] =
                [parsed(&reads).map_err(unknown)?, parsed(&writes).map_err(unknown)?];
            let with = |mut places: Vec<Location>, more: &[Location]| {
                places.extend(more.iter().filter(|place| !places.contains(place)).collect::<Vec<_>>());
                places
            };
            let places = [with(decoded.reads(), &added[0]), with(decoded.writes(), &added[1])];
            let operands = places.each_ref().map(|places| operands(&decoded, places));
            Ok(Instruction { decoded, added, places, operands })
        })
    }

    /// The canonical assembler text.
    #[getter]
    fn text(&self) -> String {
        asm::print(&self.decoded)
    }

    /// The mnemonic with the modifiers, such as `FFMA.FTZ`.
    #[getter]
    pub fn mode(&self) -> String {
        asm::mnemonic(&self.decoded)
    }

    /// The inputs, in the order of the arguments of `eval` and other functions.
    #[getter]
    fn inputs(&self) -> Vec<Operand> {
        self.operands[0].clone()
    }

    /// The outputs, in the order in which functions return them.
    #[getter]
    fn outputs(&self) -> Vec<Operand> {
        self.operands[1].clone()
    }

    fn __repr__(&self) -> String {
        let list = |operands: &[Operand]| {
            let each: Vec<String> = operands.iter().map(Operand::__repr__).collect();
            if each.is_empty() { "nothing".to_owned() } else { each.join(", ") }
        };
        format!("<{} | {} -> {}>", self.text(), list(&self.operands[0]), list(&self.operands[1]))
    }

    fn __eq__(&self, other: &Instruction) -> bool {
        self.decoded == other.decoded && self.added == other.added
    }
}

impl Instruction {
    /// Returns the locations that the instruction reads.
    pub fn input_places(&self) -> &[Location] {
        &self.places[0]
    }

    /// Returns the locations that the instruction writes.
    pub fn output_places(&self) -> &[Location] {
        &self.places[1]
    }

    /// Returns the input, if there is exactly one.
    pub fn only_input(&self) -> Option<&Operand> {
        if let [only] = &self.operands[0][..] { Some(only) } else { None }
    }

    /// Returns the float format of each written location. `None` for a location without a float.
    pub fn output_formats(&self) -> Vec<Option<Format>> {
        self.operands[1].iter().flat_map(|operand| vec![operand.format(); operand.words]).collect()
    }

    /// Selects the instruction in a session.
    pub fn select(&self, session: &mut Session) -> Result<(), Failure> {
        session.select_instruction(self.decoded.clone());
        for (places, is_output) in self.added.iter().zip([false, true]) {
            for place in places {
                session.add(&place.to_string(), is_output)?;
            }
        }
        Ok(())
    }
}

impl Operand {
    /// Returns the float format. `None` if the operand is not a single float.
    pub fn format(&self) -> Option<Format> {
        [F32, F16, BF16, F64_HIGH].into_iter().find(|format| format.name == self.kind)
    }
}

/// Returns the names of all optypes.
#[pyfunction]
pub fn optypes() -> Vec<&'static str> {
    catalog().optypes().into_iter().map(|optype| optype.mnemonic()).collect()
}

/// Parses an instruction. For a mode without operands, puts each operand in its own register.
fn parse(text: &str) -> Result<assay_isa::Instruction, Failure> {
    let refused = |error| Failure::Refused(Refusal::Asm(Box::new(error)));
    let whole = asm::parse(text);
    if text.trim().contains(char::is_whitespace) || whole.is_ok() {
        whole.map_err(refused)
    } else {
        Ok(swept(&asm::parse_mode(text).map_err(refused)?))
    }
}

/// Groups locations into operands. Two locations of one 64-bit number make one operand.
fn operands(instruction: &assay_isa::Instruction, places: &[Location]) -> Vec<Operand> {
    let mut operands = Vec::new();
    let mut rest = places;
    while let [first, ..] = rest {
        let operand = operand(instruction, rest);
        rest = &rest[operand.words..];
        operands.push(Operand { name: first.to_string(), ..operand });
    }
    operands
}

/// Returns the operand at the start of some locations. The caller sets its name.
fn operand(instruction: &assay_isa::Instruction, places: &[Location]) -> Operand {
    let plain = |kind: &str, shift| Operand { name: String::new(), kind: kind.into(), shift, words: 1 };
    if places[0].is_predicate() {
        return plain("bool", 0);
    }
    for name in instruction.form().order {
        let located = instruction.operand(name);
        if !located.locations().any(|place| place == places[0]) {
            continue;
        }
        if located.words == 2 && places.get(1).is_some_and(|second| located.word(1) == Some(*second)) {
            return Operand { words: 2, ..plain("U64", 0) };
        }
        return match OperandKind::of(instruction, name) {
            OperandKind::Float(format) => plain(format.name, 0),
            OperandKind::Half { format, high } => plain(format.name, if high { 16 } else { 0 }),
            OperandKind::Pair(format) => plain(&format!("{}x2", format.name), 0),
            OperandKind::Exponent => plain(F32.name, 0),
            _ => plain("U32", 0),
        };
    }
    plain("U32", 0)
}
