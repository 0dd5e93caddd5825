//! The uniform datapath (document `003`): integers, logic and bytes.
//!
//! | module | contents |
//! |---|---|
//! | `adder` | sums, and the carry of every sum |
//! | `multiplier` | products, with an addend and without |
//! | `address` | a scaled index and a base |
//! | `compare` | integers by size |
//! | `logic` | words and predicates bit by bit |
//! | `shift` | the funnel shifter |
//! | `permute` | bytes out of a pair of words |
//! | `pack` | floats of 16 bits |
//!
//! Parts that other units share are in [`crate::bits`], [`crate::memory`] and [`crate::moves`].

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

/// Returns whether integers are signed: the default.
fn is_signed(instruction: &Instruction) -> bool {
    instruction.modifier("itype") == Some(IType::S32)
}
