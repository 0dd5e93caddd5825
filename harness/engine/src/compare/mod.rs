//! Compares results with the truth. Verdicts are formed here and nowhere else.
//!
//! | file | what it holds |
//! |---|---|
//! | [`canary`] | checks of the harness while it runs: corrupted lanes, and lanes that the slow path judges again |
//! | [`counts`] | verdicts, counted |
//! | [`judge`] | forms the verdict of each lane |
//! | [`observation`] | the effects of a lane that diverged |
//! | [`shown_value`] | the value of a location as people read it |
//! | [`comparator`] | runs a batch on a subject and an oracle |
//! | [`mod@reference`] | a subject used as an oracle |

pub mod canary;
pub mod comparator;
pub mod counts;
pub mod judge;
pub mod observation;
pub mod reference;
pub mod shown_value;
#[cfg(test)]
mod tests;
