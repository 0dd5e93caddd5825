//! Plants known faults, one at a time, and shows which check catches each fault.
//!
//! If a harness finds nothing, either the subject is sound, or the harness misses faults. A
//! [`MutationRun`] shows which faults the harness misses. A fault that no check catches fails the
//! run, unless the fault is proved equivalent.
//!
//! | module | what it holds |
//! |---|---|
//! | [`mutant`] | every mutant by name: of the model, its lanes, the codec; [`Selection`] of some |
//! | [`codec_faults`] | faults of the encoder, the printer and the parser, and the words that catch them |
//! | [`lane_faults`] | faults of one lane, of state kept between batches, of the environment |
//! | [`independent`] | the independent device, with a fault that its author chose |
//! | [`subject_group`] | mutants of a subject that share work: which check catches each, and when |
//! | [`mod@run`] | runs all groups on several threads |
//! | [`outcome`] | the outcome of one mutant |
//! | [`report`] | the outcomes of all mutants, by layer and family |
//!
//! Faults of the model itself are in `assay-faults`. Defects of the harness (its judge, comparator,
//! generator, oracle) are not in the library: the tests of this crate plant them.
//!
//! ```
//! use assay_mutation::Selection;
//!
//! let names = ["fadd-tie-to-odd".to_owned()];
//! let selection = Selection { names: &names, families: &[], optypes: &[] };
//! assert_eq!(selection.mutants()?.len(), 1);
//! # Ok::<(), assay_mutation::SelectionError>(())
//! ```

pub mod codec_faults;
pub mod independent;
pub mod lane_faults;
pub mod mutant;
pub mod outcome;
pub mod report;
pub mod run;
pub mod subject_group;

pub use mutant::{Layer, Mutant, Plant, Selection, SelectionError};
pub use outcome::{Detection, MutantOutcome};
pub use report::sum_up;
pub use run::{MutationError, MutationRun};
