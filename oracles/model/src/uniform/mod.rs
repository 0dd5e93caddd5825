//! The uniform datapath (document `003`): integers, logic and bytes.
//!
//! | module | contents |
//! |---|---|
//! | `adder` | sums, and the carry of every sum |
//! | `multiplier` | products, with or without an addend |
//! | `address` | the sum of a scaled index and a base |
//! | `compare` | absolute value, comparison and selection of integers |
//! | `logic` | words and predicates bit by bit |
//! | `shift` | the funnel shifter |
//! | `permute` | the selection of bytes from a pair of words |
//! | `pack` | the conversion to 16-bit floats |
//!
//! Other uniform instructions are in [`crate::bits`], [`crate::memory`] and [`crate::moves`], with
//! those of other units.

pub(crate) mod adder;
pub(crate) mod address;
pub(crate) mod compare;
pub(crate) mod logic;
pub(crate) mod multiplier;
pub(crate) mod pack;
pub(crate) mod permute;
pub(crate) mod shift;

use assay_isa::Instruction;
use assay_isa::tables::types::IType;

/// Returns whether the instruction's integers are signed.
fn is_signed(instruction: &Instruction) -> bool {
    instruction.modifier("itype") == Some(IType::S32)
}
