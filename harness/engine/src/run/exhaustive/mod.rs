//! Sweeps of a unary function of 32 bits. Executes and judges batches of neighbouring inputs, and
//! adds the results to the [statistics](crate::stats::exhaustive) of the function.
//!
//! | module | job |
//! |---|---|
//! | `line` | every input, by slices of neighbours |
//! | `strided` | every n-th input |
//! | `mirror` | the mirror images of inputs that a run does not contain |
//! | `examine` | judges one batch of either, by estimates where they decide |

pub mod examine;
pub mod line;
pub(crate) mod mirror;
pub mod strided;
