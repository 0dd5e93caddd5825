//! The kinds of operands, and the classes of their values.
//!
//! | file | what it holds |
//! |---|---|
//! | [`operand_kinds`] | what an operand stands for (float, pattern, amount, …) and the classes of its values |
//! | [`operand_words`] | the words that an instruction reads, one by one |
//! | [`prefixes`] | what the prefixes of an operand do to the bits of a word |
//! | [`candidate`] | a case by operands: what shrinking makes simple |

pub mod candidate;
pub mod operand_kinds;
pub mod operand_words;
pub mod prefixes;
