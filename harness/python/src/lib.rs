//! The native part of the Python package `assay`. The other part, in `python/assay`, has the
//! documented interface.
//!
//! * `failure`: converts errors to Python exceptions, and runs calls without the interpreter's
//!   lock;
//! * `columns`: converts columns of 32-bit values from and to Python's bytes;
//! * `instruction`: an instruction, and the types of its operands;
//! * `session`: model, truth and judge, on columns of values;
//! * `verdicts`: verdicts as columns;
//! * `interval`: converts an enclosure to two doubles;
//! * `sweep`: the errors of a function of one operand.
//!
//! Rust and Python exchange columns of 32-bit words. Python decides the types and shapes of the
//! values.
//!
//! ```python
//! import assay, numpy
//! assay.eval("FFMA.FTZ", numpy.float32(1.5), numpy.float32(2), numpy.float32(0.25))  # 3.25
//! ```

mod columns;
mod failure;
mod instruction;
mod interval;
mod session;
mod sweep;
mod verdicts;

/// The native part of the package `assay`.
#[pyo3::pymodule]
mod _native {
    /// The version of the package.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use crate::instruction::{Instruction, Operand, optypes};
    #[pymodule_export]
    use crate::session::Session;
    #[pymodule_export]
    use crate::sweep::Sweep;
}
