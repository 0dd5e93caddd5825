//! Which PTX stands for an instruction, and which SASS the vendor's assembler makes of it.
//!
//! A kernel tests an execution unit, so every operand comes from a register, whatever its source. An instruction of the
//! uniform datapath is tested on its own unit, and where a device has it not, on its counterpart, which computes the same
//! in each lane. Instructions that PTX cannot express, or that `ptxas` compiles to others, are [`Inexpressible`], with the
//! reason. `just check-lowering` compares every lowering with the output of `ptxas` for `sm_90`; `docs/lowering.md` has its
//! findings.
//!
//! Some instructions have no PTX, and differ from one that has by a few bits. Their lowering has the PTX of that one, and
//! a [`Patch`] of its machine code.
//!
//! | file | what is in it |
//! |---|---|
//! | `write` | the body of a lowering, operand by operand |
//! | `float` | FADD FMUL FFMA FMNMX FSETP FSET FSEL FCHK, UF2FP |
//! | `mufu` | MUFU |
//! | `bits` | counts, masks, logic, shifts, permutes, selections |
//! | `integer` | sums, products, addresses, extremes and comparisons of integers |
//! | `machine` | bits of machine code, and how they are replaced |
//! | `replaced` | which bits are, for which instruction |
//! | `alone` | UMOV UPLOP3 UP2UR UR2UP, which have no counterpart in the lanes |
//! | `uniform` | instructions of the uniform datapath on their own unit |
//! | `kernel` | kernels and modules around bodies |
//! | `variants` | the instructions that can differ in what PTX stands for them |
//! | `catalogue` | every lowering once, and every reason why there is none |

mod alone;
mod bits;
mod catalogue;
mod float;
mod integer;
mod kernel;
mod machine;
mod mufu;
mod replaced;
#[cfg(test)]
mod tests;
mod uniform;
mod variants;
mod write;

use assay_isa::readings::Reading;
use assay_isa::{Instruction, Location};

pub use catalogue::{CatalogueEntry, catalogue, kernels};
use kernel::REPLACED;
pub use kernel::{Feed, VERSION, kernel, module};
pub use machine::{Bits, Patch};
pub use variants::variants;

/// PTX with the effect of an instruction: inputs in place of its operands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lowering {
    /// What the registers `%i0`, `%i1` … of the body hold, 32 bits each; a predicate is 0 or 1 there.
    pub inputs: Vec<Input>,
    /// Where the values belong that the body leaves in `%o0`, `%o1` …, 32 bits each.
    pub outputs: Vec<Location>,
    /// The statements, a line each. Besides inputs and outputs they use the registers that [`kernel`] declares.
    pub body: String,
    /// What the machine code does after the replacements: the body, in which the statements of [`assay_ptx`] that are not
    /// PTX stand for replaced instructions.
    pub executed: String,
    /// What the assembler makes of the body, after the replacements, by mnemonic with modifiers and prefixes, in order. A
    /// register is named by the input or output it holds; a predicate goes by the name of the word that it is converted
    /// from or to.
    pub sass: Vec<String>,
    /// The replacements in the machine code, each in one instruction.
    pub patches: Vec<Patch>,
    /// The unit of the uniform datapath runs it: a block has one thread.
    pub is_uniform: bool,
}

impl Lowering {
    /// The body, and the replacements in its machine code, as records have it.
    pub fn text(&self) -> String {
        let replaced = |patch: &Patch| format!("\n{REPLACED}{patch}");
        self.body.trim_end().to_owned() + &self.patches.iter().map(replaced).collect::<String>()
    }

    /// The lowering with what its machine code does for its body, for an interpreter, which replaces nothing.
    pub fn as_executed(&self) -> Lowering {
        Lowering { body: self.executed.clone(), patches: Vec::new(), ..self.clone() }
    }
}

/// Where an input comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// The value of a location.
    Location(Location),
    /// The same in every lane: an immediate, or a name without storage such as RZ.
    Literal(u32),
    /// Anything: what a guarded instruction must leave in its result where the guard is false.
    Before,
}

/// Readings that a lowering decides, so that no device can show them. Sources and destinations are registers of their own, so
/// nothing can be learnt about one that is both (E011) or that the code assigns to (E012). Immediates and constants are
/// registers too (E023, E058, E100, E111). Two halves become two MUFU (E037).
pub const DECIDED: [Reading; 7] =
    [Reading::E011, Reading::E012, Reading::E023, Reading::E037, Reading::E058, Reading::E100, Reading::E111];

/// Why no PTX stands for an instruction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Inexpressible {
    /// PTX has no instruction, or no modifier, for it.
    #[error("PTX cannot say {what}: {why}")]
    Unsaid {
        /// Optype, modifier or operand.
        what: &'static str,
        /// Why.
        why: &'static str,
    },
    /// PTX can express it, and `ptxas` compiles it to other instructions.
    #[error("ptxas does not make {what}: {why}")]
    Rewritten {
        /// Optype, modifier or operand.
        what: &'static str,
        /// The instructions that it makes instead.
        why: &'static str,
    },
}

/// What lowers an instruction.
type Lower = fn(&Instruction) -> Result<Lowering, Inexpressible>;

/// PTX cannot express it.
fn unsaid<T>(what: &'static str, why: &'static str) -> Result<T, Inexpressible> {
    Err(Inexpressible::Unsaid { what, why })
}

/// The assembler makes something else of it.
fn rewritten<T>(what: &'static str, why: &'static str) -> Result<T, Inexpressible> {
    Err(Inexpressible::Rewritten { what, why })
}

/// The PTX that stands for an instruction.
pub fn lower(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    lower_optype(instruction.optype())?(instruction)
}

/// What lowers the instructions of an optype, if there can be such a thing.
fn lower_optype(optype: &'static str) -> Result<Lower, Inexpressible> {
    Ok(match optype {
        "FADD" => float::fadd,
        "FMUL" => float::fmul,
        "FFMA" => float::ffma,
        "FMNMX" => float::fmnmx,
        "FSETP" => float::fsetp,
        "FSET" => float::fset,
        "FSEL" => float::fsel,
        "FCHK" => float::fchk,
        "UF2FP" => float::uf2fp,
        "MUFU" => mufu::mufu,
        "POPC" | "UPOPC" => bits::popc,
        "FLO" | "UFLO" => bits::flo,
        "BREV" | "UBREV" => bits::brev,
        "BMSK" | "UBMSK" => bits::bmsk,
        "SGXT" | "USGXT" => bits::sgxt,
        "USEL" => bits::usel,
        "ULOP3" => bits::ulop3,
        "USHF" => bits::ushf,
        "UPRMT" => bits::uprmt,
        "UIADD" => integer::uiadd,
        "UIMAD" => integer::uimad,
        "UIMAD_WIDE" => integer::uimad_wide,
        "UIMUL" => integer::uimul,
        "ULEA" => integer::ulea,
        "UIABS" => integer::uiabs,
        "UIMNMX" => integer::uimnmx,
        "UISETP" => integer::uisetp,
        "UMOV" => alone::umov,
        "UPLOP3" => alone::uplop3,
        "UP2UR" => alone::up2ur,
        "UR2UP" => alone::ur2up,
        _ => return without_lowering(optype),
    })
}

/// Why no instruction of an optype has a lowering.
fn without_lowering<T>(optype: &'static str) -> Result<T, Inexpressible> {
    match optype {
        "ULDC" => unsaid(optype, "no kernel chooses the bank or what lies in it"),
        "SETUGPR" | "GETUGPR" => {
            unsaid(optype, "it is about the registers of a warp, which PTX does not show")
        }
        "S2R" | "CS2R" | "S2UR" => {
            unsaid(optype, "what a special register holds is no input that could be given")
        }
        "SETREG" | "GETREG" => unsaid(optype, "the space of special registers has no address in PTX"),
        "PMTRIG" | "SWITCH" | "NOP" | "IBBAR" | "DEPBAR" => unsaid(optype, "it leaves no value to store"),
        "BFN" => unsaid(optype, "it belongs to another architecture"),
        _ => unsaid(optype, "its lowering is not written yet"),
    }
}
