//! The native half of the Python package `assay`. The other half, in `python/assay`, has the documented interface.
//!
//! * `failure`: errors as Python exceptions, and calls without the interpreter's lock;
//! * `columns`: columns of 32-bit values from Python's bytes, and back;
//! * `instruction`: an instruction, and what its operands hold;
//! * `session`: model, truth and judge, on columns of values;
//! * `verdicts`: verdicts as columns;
//! * `interval`: an enclosure as two doubles;
//! * `sweep`: the errors of a function of one operand.
//!
//! Values cross the border as columns of 32-bit words. What they stand for, and in which shape, is decided in Python.
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

/// The native half of the package `assay`.
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
