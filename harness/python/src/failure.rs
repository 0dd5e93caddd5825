//! Converts errors to Python exceptions, and runs calls without the interpreter's lock.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use assay_fpenv::DefaultEnvironment;
use assay_isa::BackendError;
use assay_session::Refusal;
use pyo3::exceptions::{PyNotImplementedError, PyRuntimeError, PyValueError};
use pyo3::{PyErr, PyResult, Python};

/// Why a call failed.
pub enum Failure {
    /// The arguments are refused.
    Refused(Refusal),
    /// The named implementation does not implement the instruction.
    NotImplemented(String),
    /// A panic, which is a defect of this package.
    Defect(String),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Failure::Refused(refusal)
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        match failure {
            Failure::Refused(Refusal::Backend(error)) => match *error {
                BackendError::MissingLocation(place) => PyValueError::new_err(format!(
                    "a value leads it to {place} too: name it in `reads` of `assay.instruction`"
                )),
                error => PyRuntimeError::new_err(error.to_string()),
            },
            Failure::Refused(refusal) => PyValueError::new_err(refusal.to_string()),
            Failure::NotImplemented(text) => PyNotImplementedError::new_err(text),
            Failure::Defect(text) => {
                PyRuntimeError::new_err(format!("this is a defect of assay; please report it: {text}"))
            }
        }
    }
}

/// Returns the error for arguments that are refused, with the reason.
pub fn refused(text: impl Into<String>) -> Failure {
    Failure::Refused(Refusal::Call(text.into()))
}

/// Returns the message of a panic.
fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}

/// Runs code in the default floating-point environment, without the interpreter's lock. A panic
/// becomes an error.
pub fn run<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, Failure> + Send) -> PyResult<T> {
    let outcome = py.detach(|| {
        let _default = DefaultEnvironment::enter();
        catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(Failure::Defect(text_of(&*panic))))
    });
    Ok(outcome?)
}

/// A value that only one thread at a time uses. After a panic, the next use creates the value again
/// or fails.
pub struct Slot<T>(Mutex<Option<T>>);

impl<T: Send> Slot<T> {
    /// Creates a slot with a value.
    pub fn new(value: T) -> Slot<T> {
        Slot(Mutex::new(Some(value)))
    }

    /// Runs code on the value, as [`run`] does.
    pub fn run<R: Send>(
        &self,
        py: Python<'_>,
        make: impl FnOnce() -> Result<T, Failure> + Send,
        work: impl FnOnce(&mut T) -> Result<R, Failure> + Send,
    ) -> PyResult<R> {
        run(py, || {
            let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            // While the code runs, the slot is empty. So after a panic, no later call gets a
            // damaged value.
            let mut value = slot.take().map_or_else(make, Ok)?;
            let outcome = work(&mut value);
            *slot = Some(value);
            outcome
        })
    }
}
