//! Which PTX stands for an instruction, and which SASS the vendor's assembler makes of it.

use assay_isa::Location;

/// PTX that does to its inputs what an instruction does to its operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lowering {
    /// What the registers `%i0`, `%i1` … of the body hold, 32 bits each; a predicate is 0 or 1 there.
    pub inputs: Vec<Input>,
    /// Where the values belong that the body leaves in `%o0`, `%o1` …, 32 bits each.
    pub outputs: Vec<Location>,
    /// The statements, a line each.
    pub body: String,
    /// What the assembler makes of the body, by mnemonic with modifiers and prefixes, in order.
    pub sass: Vec<String>,
    /// An immediate that the assembler adds, and by what it is to be replaced in the machine code.
    pub patch: Option<Patch>,
}

/// Where an input comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// The value of a location.
    Location(Location),
    /// The same in every lane: an immediate, or a name without storage such as RZ.
    Literal(u32),
}

/// A word of the machine code, such as the 1/2π that multiplies the argument of a sine, and another in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patch {
    /// What stands there.
    pub from: u32,
    /// What is put there.
    pub to: u32,
}
