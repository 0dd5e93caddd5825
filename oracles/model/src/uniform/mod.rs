//! The uniform datapath (document `003`): integers, logic and bytes.
//!
//! | room | optypes |
//! |---|---|
//! | `adder` | UIADD, and the carry of every sum |
//! | `multiplier` | UIMAD, UIMAD_WIDE, UIMUL |
//! | `address` | ULEA |
//! | `compare` | UIABS, UIMNMX, UISETP, USEL |
//! | `logic` | ULOP3, UPLOP3, UP2UR, UR2UP |
//! | `shift` | USHF |
//! | `permute` | UPRMT |
//! | `pack` | UF2FP |
//!
//! UPOPC, UFLO, UBREV, UBMSK and USGXT are in [`crate::bits`], what reaches memory is in [`crate::memory`], and UMOV
//! copies like S2R.

mod adder;
mod address;
mod compare;
pub(crate) mod logic;
mod multiplier;
mod pack;
mod permute;
mod shift;

use assay_isa::tables::types::IType;
use assay_isa::{Instruction, Operand};

use crate::knobs::Knobs;
use crate::lanes;
pub(crate) use compare::order_depends_on_type;

/// What an instruction of the uniform datapath does in a lane.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Uniform {
    /// UIADD
    Add(adder::Addition),
    /// UIMAD
    MultiplyAdd(multiplier::MultiplyAdd),
    /// UIMAD_WIDE
    MultiplyAddWide(multiplier::Wide),
    /// UIMUL
    Multiply(multiplier::Multiply),
    /// ULEA
    Address(address::Address),
    /// UIABS
    Absolute,
    /// UIMNMX
    Extreme(compare::Extreme),
    /// UISETP, a table for each output
    Compare([compare::Table; 2]),
    /// USEL
    Select,
    /// ULOP3
    Logic(logic::Logic),
    /// UPLOP3
    PredicateLogic(logic::Lut),
    /// UP2UR
    FromPredicates(logic::Byte),
    /// UR2UP
    ToPredicates(logic::Byte),
    /// USHF
    Shift(shift::Shift),
    /// UPRMT
    Permute(permute::Permute),
    /// UF2FP
    PackHalves,
}

impl Uniform {
    /// What an instruction does, of which these are the operands read.
    pub(crate) fn of<K: Knobs>(k: &K, instruction: &Instruction, inputs: &[Operand]) -> Option<Uniform> {
        Some(match instruction.optype() {
            "UIADD" => Uniform::Add(adder::Addition::of(k, instruction, inputs)),
            "UIMAD" => Uniform::MultiplyAdd(multiplier::MultiplyAdd::of(k, instruction, inputs)),
            "UIMAD_WIDE" => Uniform::MultiplyAddWide(multiplier::Wide::of(k, instruction, inputs)),
            "UIMUL" => Uniform::Multiply(multiplier::Multiply::of(k, instruction, inputs)),
            "ULEA" => Uniform::Address(address::Address::of(instruction, inputs)),
            "UIABS" => Uniform::Absolute,
            "UIMNMX" => Uniform::Extreme(compare::Extreme::of(instruction)),
            "UISETP" => Uniform::Compare(compare::tables(k, instruction, inputs)),
            "USEL" => Uniform::Select,
            "ULOP3" => Uniform::Logic(logic::Logic::of(k, instruction)),
            "UPLOP3" => Uniform::PredicateLogic(logic::Lut::of(k, instruction)),
            "UP2UR" => Uniform::FromPredicates(logic::Byte::of(instruction.modifier("bsel"))),
            "UR2UP" => Uniform::ToPredicates(logic::Byte::of(inputs[0].byte)),
            "USHF" => Uniform::Shift(shift::Shift::of(k, instruction)),
            "UPRMT" => Uniform::Permute(permute::Permute::of(instruction)),
            "UF2FP" => Uniform::PackHalves,
            _ => return None,
        })
    }

    /// Computes the output at a position of the plan's outputs: the words of the first, then those of the second.
    pub(crate) fn compute<K: Knobs>(self, k: &K, columns: &[Vec<u32>], position: usize, results: &mut [u32]) {
        match self {
            Uniform::Add(m) => adder::compute(k, m, columns, position, results),
            Uniform::MultiplyAdd(m) => multiplier::compute(k, m, columns, position, results),
            Uniform::MultiplyAddWide(m) => multiplier::compute_wide(k, m, columns, position, results),
            Uniform::Multiply(m) => {
                lanes(results, first(columns), |[a, b]| multiplier::uimul(m, a, b));
            }
            Uniform::Address(m) => address::compute(k, m, columns, position, results),
            Uniform::Absolute => lanes(results, first(columns), |[x]| compare::uiabs(k, x)),
            Uniform::Extreme(m) => {
                lanes(results, first(columns), |[a, b, upp]| compare::uimnmx(m, a, b, upp));
            }
            Uniform::Compare(tables) => compare::compute(tables[position], columns, results),
            Uniform::Select => lanes(results, first(columns), |[a, b, upp]| compare::usel(a, b, upp)),
            Uniform::Logic(m) => logic::compute(m, columns, position, results),
            Uniform::PredicateLogic(lut) => {
                lanes(results, first(columns), |[a, b, c]| lut.look_up(a, b, c) & 1);
            }
            Uniform::FromPredicates(m) => logic::from_predicates(k, m, columns, results),
            Uniform::ToPredicates(m) => logic::to_predicates(k, m, columns, position, results),
            Uniform::Shift(m) => lanes(results, first(columns), |[a, b, c]| shift::ushf(k, m, a, b, c)),
            Uniform::Permute(m) => permute::compute(k, m, columns, results),
            Uniform::PackHalves => lanes(results, first(columns), |[a, b]| pack::uf2fp(k, a, b)),
        }
    }
}

/// The first columns, as many as an operation looks at.
fn first<const N: usize>(columns: &[Vec<u32>]) -> [&[u32]; N] {
    std::array::from_fn(|i| &columns[i][..])
}

/// Whether integers have a sign: they do unless the instruction says otherwise.
fn is_signed(instruction: &Instruction) -> bool {
    instruction.modifier("itype") == Some(IType::S32)
}
