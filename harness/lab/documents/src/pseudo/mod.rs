//! The pseudo-code of `__Semantics`, parsed but not executed.

mod expr;
mod parse;
pub mod token;
mod tree;

pub use expr::binding;
pub use parse::Code;
pub use tree::{Expr, ExprKind, Routine, Statement, StatementKind, TypeName};

#[cfg(test)]
mod tests;
