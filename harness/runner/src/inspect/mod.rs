//! Inspects one case: the answer of every implementation, the blame, and the circumstances in which
//! the case diverges.

mod again;
pub mod blame;
pub mod command;
pub mod explained;
pub mod finding;
pub mod inspector;
pub mod output;
pub mod participants;
pub mod pose;
pub mod replay;
pub mod values;
pub mod written;
