//! The page of a night: what is new, what is gone, what got worse, how fast it was, and whether it passed.
//!
//! `facts` makes the tables that Markdown and HTML share; `markdown`, `html` and `junit` are the renderings. The JSON is the
//! [`Morning`](assay_nightly::morning::Morning) itself.

mod facts;
mod html;
mod junit;
mod markdown;

pub use html::html;
pub use junit::junit;
pub use markdown::markdown;

#[cfg(test)]
mod tests;
