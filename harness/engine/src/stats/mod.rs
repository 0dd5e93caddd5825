//! The counts of a run. The result of merging them does not depend on the order.
//!
//! | file | what it holds |
//! |---|---|
//! | [`tally`] | all that a run counts |
//! | [`accuracy`], [`extreme`] | the errors of a function, summed up, and the most extreme of them |
//! | [`baseline`] | the errors of a run, compared with those of an earlier run |
//! | [`divergences`], [`finding`] | divergences counted by raw key, each with its first case |
//! | `features` | what distinguishes two divergences |
//! | [`rounding_stats`] | how often sums and products were rounded, cancelled, flushed and clamped |
//! | [`judged`] | whether enough of the drawn lanes were judged, form by form |
//! | [`exhaustive`] | a sweep over every input: neighbours, mirror images, binades and special rows |
//! | [`agreement`] | how often a recorded trace, the model and the oracle agree |

pub mod accuracy;
pub mod agreement;
pub mod baseline;
pub mod divergences;
pub mod exhaustive;
pub mod extreme;
pub(crate) mod features;
pub mod finding;
pub mod judged;
pub mod rounding_stats;
pub mod tally;
