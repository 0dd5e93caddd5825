//! `assay gen` and `assay ver`: cases out, answers in, for simulators that speak text. `docs/pipes.md` describes the forms.
//!
//! | room | what is there |
//! |---|---|
//! | [`mod@write`] | `assay gen`: cases of the one generator, with what the oracle expects |
//! | [`verify`] | `assay ver`: answers before the one judge |
//! | [`judged`] | batches of answers, and what came of all of them |
//! | [`lines`] | what a device sent, in pieces that fit into memory |
//! | [`head`] | what a stream says of itself, so that one that ends early or was made under other rules is noticed |
//! | [`forms`] | the forms by name |
//! | [`dialect`] | what every form writes and reads |
//! | [`jsonl`], [`yaml`], [`testfloat`], [`readmemh`] | the forms |
//! | [`columns`] | what the two forms share that have one instruction a file |

mod columns;
mod dialect;
mod forms;
mod head;
mod jsonl;
mod judged;
mod lines;
mod readmemh;
mod testfloat;
mod verify;
mod write;
mod yaml;

pub use verify::Ver;
pub use write::Gen;
