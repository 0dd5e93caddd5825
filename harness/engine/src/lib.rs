//! Generate, execute, judge, shrink, record: the harness between the voices.
//!
//! | room | what happens there |
//! |---|---|
//! | [`generate`] | one `Arbitrary` builds every instruction and case; three drivers feed it |
//! | [`kinds`] | what operands stand for, and the classes of their values |
//! | [`judge`] | the one place where a verdict is formed |
//! | [`accuracy`], `extreme` | the errors of a function, summed up, and the most extreme of them |
//! | [`baseline`] | these errors held against those of an earlier run |
//! | [`tally`], `counts`, `finding` | results that merge in any order: counts, integer sums, maxima, first findings |
//! | [`divergences`], [`observation`] | divergences counted by raw key, each with its first case and what was seen of it |
//! | [`judged`] | whether enough of what was drawn was judged, form by form |
//! | [`coverage`] | which bins of the tables a run has hit |
//! | [`steer`] | generation that aims at bins that were not hit |
//! | [`dissect`] | how sums and products were rounded, cancelled, flushed and clamped |
//! | [`campaign`] | batches over threads, shards, epochs, checkpoints |
//! | [`canary`] | checks of the harness while it runs: spoiled lanes, and lanes that the slow path judges again |
//! | [`checkpoint`] | progress on disk, for whatever ends a run |
//! | [`devices`] | which devices took part in a run |
//! | [`result`], [`record`], [`mod@merge`] | what a run counted, how it came about, and shards that become one result |
//! | `consistency` | whether a result agrees with itself |
//! | [`sweep`], [`domain`] | every input of a unary function, every combination of listed operands |
//! | [`recorded`], `agreement`, [`playback`] | what a device once did, held against the oracle with the model as a witness; a subject that does it again |
//! | [`survey`] | what such a sweep tells of neighbours, mirror images, binades and special rows |
//! | [`hard`] | operands that are hard to round, constructed |
//! | [`mod@derive`] | a small suite of cases that hits every coverage bin |
//! | [`triage`] | divergences made small, explained, and told apart: what makes two of them the same bug |
//! | `splitmix` | numbers as good as random, from an index or a seed |
//! | [`hunt`] | planted faults: which check catches each, and how soon |
//! | [`miscode`] | faults of encoder, printer and parser, and the words that catch them |
//! | [`fuzzing`] | the properties that the libFuzzer targets hold, and their inputs |
//!
//! The engine knows the traits of `assay_isa::voice` and no voice: whoever calls it brings them.

pub mod accuracy;
mod agreement;
pub mod baseline;
pub mod campaign;
pub mod canary;
mod candidate;
pub mod cells;
pub mod checkpoint;
mod consistency;
mod counts;
pub mod coverage;
pub mod derive;
pub mod devices;
pub mod dissect;
pub mod divergences;
pub mod domain;
mod extreme;
mod finding;
pub mod fuzzing;
pub mod generate;
pub mod hard;
pub mod hunt;
pub mod judge;
pub mod judged;
pub mod kinds;
pub mod merge;
pub mod miscode;
pub mod observation;
pub mod playback;
pub mod record;
pub mod recorded;
pub mod result;
pub mod sizes;
mod splitmix;
pub mod steer;
pub mod survey;
pub mod sweep;
pub mod tally;
pub mod triage;
pub mod versus;
