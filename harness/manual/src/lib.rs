//! The instruction manual: one page for each optype, under a profile.
//!
//! A page explains the operation of an instruction, its operands, modifiers, rules, faults and
//! encoding, and the readings that affect it. Operands, modifiers, rules and encoding come from the
//! table rows. Readings and accuracy come from the profile. Special values and results of examples
//! come from an oracle that the caller passes. Only the texts in `data/` are written by hand.
//!
//! * [`mod@semantics`]: the hand-written texts, and which of their lines are in force;
//! * [`page`]: a page as data. `operands`, `encoding` and `rules` read the rows, and `special` uses
//!   the oracle;
//! * [`examples`]: worked examples, executed by the oracle;
//! * `layout`: the arrangement of a page. The crate `assay-pages` renders it as Markdown and as
//!   plain text;
//! * [`library`]: all pages of `docs/instructions`.
//!
//! ```
//! use assay_isa::EncodingTable;
//! use assay_manual::{Page, Setting};
//! use assay_mpfr::MpfrOracle;
//! use assay_vectors::Profile;
//!
//! let profile = Profile::load("intended").unwrap();
//! let setting = Setting { profile: &profile, numbers: EncodingTable::provisional() };
//! let mut oracle = MpfrOracle::new(profile.readings);
//! let page = Page::of("BMSK", &setting, &mut oracle).unwrap();
//! assert_eq!(page.examples.len(), 3);
//! assert!(page.markdown().starts_with("# BMSK: make a mask"));
//! ```

mod encoding;
pub mod examples;
mod layout;
pub mod library;
mod operands;
pub mod page;
mod rules;
pub mod semantics;
mod setting;
mod special;

pub use page::Page;
pub use setting::Setting;

/// Why a page cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ManualError {
    /// A file of texts is malformed.
    #[error("{file}: {problem}")]
    Malformed {
        /// The file.
        file: String,
        /// The problem.
        problem: String,
    },
    /// No optype or form has this name.
    #[error("no optype and no form is called `{}`", assay_isa::shown::quoted(.0))]
    Unknown(String),
    /// An optype has no texts.
    #[error("{0} has no texts in harness/manual/data")]
    Missing(&'static str),
    /// An example cannot be executed.
    #[error("example `{asm}` of {optype}: {problem}")]
    Example {
        /// The optype.
        optype: &'static str,
        /// The assembler text.
        asm: String,
        /// The problem.
        problem: String,
    },
    /// The oracle failed.
    #[error(transparent)]
    Oracle(#[from] assay_isa::BackendError),
}
