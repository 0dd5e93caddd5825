//! Instructions of the uniform datapath (document `003`). Optypes with an XU counterpart are in
//! `integer`, UMOV and USEL in `moves`, and ULDC, GETUGPR and SETUGPR in `memory`.
//!
//! | module | optypes |
//! |---|---|
//! | `number` | shared: an integer operand, and a carry |
//! | `add` | UIADD (E098 to E100) |
//! | `multiply` | UIMAD UIMAD_WIDE UIMUL (E100 to E118) |
//! | `address` | ULEA (E119 to E127) |
//! | `compare` | UIABS UIMNMX UISETP (E129, E134) |
//! | `logic` | ULOP3 UPLOP3 (E148) |
//! | `shift` | USHF (E151 to E153) |
//! | `permute` | UPRMT (E157 to E160) |
//! | `predicates` | UP2UR UR2UP (E135, E139) |
//! | `convert` | UF2FP (E168) |
//!
//! Integers are computed with unbounded range, and reduced to their width at the end. Bitwise
//! operations process one bit at a time.

pub mod add;
pub mod address;
pub mod compare;
pub mod convert;
pub mod logic;
pub mod multiply;
mod number;
pub mod permute;
pub mod predicates;
pub mod shift;
