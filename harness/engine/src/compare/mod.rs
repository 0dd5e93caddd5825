//! A result held against the truth: the one place where a verdict is formed.
//!
//! | file | what it holds |
//! |---|---|
//! | [`judge`] | forms the verdict of each lane |
//! | [`observation`] | what was seen of a divergence |
//! | [`versus`] | asks a subject and an oracle about a batch; a subject in the place of the oracle |

pub mod judge;
pub mod observation;
pub mod versus;
