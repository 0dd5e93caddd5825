//! The uniform datapath (document `003`): integers, logic and bytes.
//!
//! | module | what is in it |
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
//! What the unit shares with others is in [`crate::bits`], [`crate::memory`] and [`crate::moves`].

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

/// Whether integers have a sign: they do unless the instruction says otherwise.
fn is_signed(instruction: &Instruction) -> bool {
    instruction.modifier("itype") == Some(IType::S32)
}
