//! A result held against the truth: the one place where a verdict is formed.
//!
//! | file | what it holds |
//! |---|---|
//! | [`canary`] | checks of the harness while it runs: spoiled lanes, and lanes that the slow path judges again |
//! | [`counts`] | verdicts, counted |
//! | [`judge`] | forms the verdict of each lane |
//! | [`observation`] | what was seen of a divergence |
//! | [`versus`] | asks a subject and an oracle about a batch; a subject in the place of the oracle |

pub mod canary;
pub mod counts;
pub mod judge;
pub mod observation;
pub mod versus;
