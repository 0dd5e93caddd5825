//! Executes the documents: the text as it stands, or with the patches and rules of a reading.
//!
//! The evaluator is an independent implementation of the instruction set. It knows the documents'
//! code, tables and facts, and no row of the instruction tables. Integers have no bound, and real
//! numbers are exact until the text rounds them. Text that cannot be executed stops with its place
//! and the reason, as data. The evaluation of any document ends, in bounded time and memory.
//!
//! ```text
//! texts --Specification--> routines, tables, facts --Edition--> patched by a reading
//!       --Evaluator::prepare--> a program for one instruction word --run--> writes of each lane
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `specification`, `head`, `tables` | what is read from the documents |
//! | `rules`, `patch`, `facts`, `edition` | a reading: settings, and the patches that they select |
//! | `bind`, `vector`, `registers`, `codes`, `width` | names of the text as operands of a word |
//! | `compile`, `expression`, `number`, `program` | a routine as a program |
//! | `machine`, `evaluate`, `assign`, `operand`, `memory`, `builtin` | execution of a lane |
//! | `integer`, `real`, `value`, `stop` | values, and reasons to stop |
//! | `special` | tables of special values (MUFU) |
//! | `evaluator`, `status`, `subject` | what users of this module call |
//!
//! ```
//! use std::sync::Arc;
//!
//! use assay_documents::eval::{Codes, Edition, Evaluator, Patches, Rules, Specification};
//!
//! let text = "__DefGroup G : [ALL]\n  __Encoding\n    field<12, 3> Pred pg = PT;\n\
//!     __DefOptype ADD : [G]\n  __Encoding\n    field<16, 8> Reg rd;\n    field<24, 8> Reg ra;\n\
//!     \x20 __Semantics\n```\nADD Rd, Ra:\n    Rd = Ra + 1;\n```\n\
//!     __DefOpcode ADD_R : [ADD]\n  __OperandInfo\n    OutList<rd>;\n    Order<pg, rd, ra>;\n";
//! let specification = Arc::new(Specification::read([("add.txt", text)]));
//! let codes = Codes::new(&specification, []);
//! let edition = Edition::unpatched(specification, Rules::new([])?);
//! let prepared = Evaluator::new(edition, codes).prepare(0x0201_7000)?;
//! assert_eq!(prepared.optype(), "ADD");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assign;
mod bind;
mod builtin;
mod codes;
mod compile;
mod edition;
mod evaluate;
mod evaluator;
mod expression;
mod facts;
mod head;
mod integer;
mod machine;
mod memory;
mod number;
mod operand;
mod patch;
mod program;
mod real;
mod registers;
mod rules;
mod special;
mod specification;
mod status;
mod stop;
mod subject;
mod tables;
mod value;
mod vector;
mod width;

pub use codes::Codes;
pub use edition::{Edition, EditionError, Patches};
pub use evaluator::{Evaluator, PrepareError, Prepared};
pub use facts::{FactChange, FactPatch, FactPatchError};
pub use memory::LaneInputs;
pub use patch::{Edit, Patch, PatchError, PatchProblem};
pub use rules::{Rules, UnsupportedSetting};
pub use specification::Specification;
pub use status::{PseudoOutput, RoutineState, RoutineStatus, statuses};
pub use stop::{Halt, Reason, Stop};
pub use subject::{DocumentSubject, SubjectError, codes, rules};
pub use vector::{StreamOperands, StreamSource};
