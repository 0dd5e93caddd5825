//! The PTX that stands for an instruction, and the SASS that the vendor's assembler makes of it.
//!
//! A kernel tests an execution unit, so every operand comes from a register, whatever its source.
//! An instruction of the uniform datapath is tested on its own unit. If the unit of compute
//! capability 9.0 lacks the instruction, the counterpart in the lanes is tested, which computes the
//! same result. An instruction is [`Inexpressible`], with a reason, if PTX cannot express it or
//! `ptxas` compiles it to other instructions. `just check-lowering` compares every lowering with
//! the output of `ptxas` for `sm_90`. `docs/lowering.md` has the results.
//!
//! Some instructions that PTX lacks differ by only a few bits from an instruction that PTX has.
//! The lowering of such an instruction has the PTX of the other instruction, and a [`Patch`] of its
//! machine code.
//!
//! | file | contents |
//! |---|---|
//! | `write` | the body of a lowering, operand by operand |
//! | `float` | FADD FMUL FFMA FMNMX FSETP FSET FSEL FCHK, UF2FP |
//! | `mufu` | MUFU |
//! | `bits` | counts, masks, logic, shifts, permutes, selections |
//! | `integer` | sums, products, addresses, extremes and comparisons of integers |
//! | `machine` | bits of machine code, and how they are replaced |
//! | `replaced` | the bits to find and to replace, for each such instruction |
//! | `alone` | UMOV UPLOP3 UP2UR UR2UP, which have no counterpart in the lanes |
//! | `uniform` | instructions of the uniform datapath on their own unit |
//! | `kernel` | kernels and modules around bodies |
//! | `variants` | the instructions that can have different lowerings |
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

/// PTX that has the effect of an instruction, in some cases only after bits of its machine code are
/// replaced. The operands of the instruction are inputs of the body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lowering {
    /// The contents of the body's registers `%i0`, `%i1` …, with 32 bits each. A predicate is 0
    /// or 1.
    pub inputs: Vec<Input>,
    /// The locations of the values that the body leaves in `%o0`, `%o1` …, with 32 bits each.
    pub outputs: Vec<Location>,
    /// The statements, one per line. The statements use the inputs, the outputs, and the registers
    /// that [`kernel`] declares.
    pub body: String,
    /// The statements that describe the machine code after the replacements. They equal the body,
    /// except that replaced instructions are written as statements that only [`assay_ptx`] accepts.
    pub executed: String,
    /// The SASS that the assembler makes of the body, after the replacements: mnemonics with
    /// modifiers and prefixes, in order. A register has the name of the input or output that it
    /// holds. A predicate has the name of the word that it is converted from or to.
    pub sass: Vec<String>,
    /// The replacements in the machine code. Each one changes one instruction.
    pub patches: Vec<Patch>,
    /// Whether the kernel runs on the uniform datapath. If it does, each block has one thread.
    pub is_uniform: bool,
}

impl Lowering {
    /// Returns the body and the replacements in its machine code, as traces record them.
    pub fn text(&self) -> String {
        let replaced = |patch: &Patch| format!("\n{REPLACED}{patch}");
        self.body.trim_end().to_owned() + &self.patches.iter().map(replaced).collect::<String>()
    }

    /// Returns the lowering for an interpreter, which cannot replace machine code. Its body is
    /// [`Lowering::executed`].
    pub fn as_executed(&self) -> Lowering {
        Lowering { body: self.executed.clone(), patches: Vec::new(), ..self.clone() }
    }
}

/// The source of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// The value of a location.
    Location(Location),
    /// One value for all lanes: an immediate, or a name without storage such as RZ.
    Literal(u32),
    /// Any value. A guarded instruction must leave this value in its result where the guard is
    /// false.
    Before,
}

/// Readings that no test on a device can distinguish, because every lowering determines their
/// outcome. Sources and destinations are separate registers, so no register is both (E011), and an
/// assignment to a source has no visible effect (E012). Immediates and constants are passed in
/// registers too (E023, E058, E100, E111). Two halves become two MUFU (E037).
pub const DECIDED: [Reading; 7] =
    [Reading::E011, Reading::E012, Reading::E023, Reading::E037, Reading::E058, Reading::E100, Reading::E111];

/// The reason why an instruction has no lowering.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Inexpressible {
    /// PTX has no such instruction, or no such modifier.
    #[error("PTX cannot say {what}: {why}")]
    Unsaid {
        /// The optype, modifier or operand.
        what: &'static str,
        /// The reason.
        why: &'static str,
    },
    /// PTX can express the instruction, but `ptxas` compiles it to other instructions.
    #[error("ptxas does not make {what}: {why}")]
    Rewritten {
        /// The optype, modifier or operand.
        what: &'static str,
        /// The instructions that `ptxas` emits instead.
        why: &'static str,
    },
}

/// A function that lowers the instructions of an optype.
type Lower = fn(&Instruction) -> Result<Lowering, Inexpressible>;

/// Returns the error [`Inexpressible::Unsaid`]: PTX cannot express `what`.
fn unsaid<T>(what: &'static str, why: &'static str) -> Result<T, Inexpressible> {
    Err(Inexpressible::Unsaid { what, why })
}

/// Returns the error [`Inexpressible::Rewritten`]: the assembler makes other instructions of
/// `what`.
fn rewritten<T>(what: &'static str, why: &'static str) -> Result<T, Inexpressible> {
    Err(Inexpressible::Rewritten { what, why })
}

/// Returns the lowering of an instruction.
pub fn lower(instruction: &Instruction) -> Result<Lowering, Inexpressible> {
    lower_optype(instruction.optype())?(instruction)
}

/// Returns the function that lowers the instructions of an optype.
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

/// Returns the reason why no instruction of an optype has a lowering.
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
