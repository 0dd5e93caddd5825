//! The floating-point environment of a thread.
//!
//! Certified filters, the judge of columns and the generator compute in `f32` and `f64`. These
//! computations are right only in the *default* environment: rounding to nearest, subnormal numbers
//! neither flushed nor read as zero, every exception masked. Foreign code on the same thread can
//! change the environment. This crate sets and checks it:
//!
//! | what | when |
//! |---|---|
//! | [`set_default`] | when a thread starts |
//! | [`DefaultEnvironment`] | when a host calls us: the call ends with the host's own environment |
//! | [`Foreign::call`] | when we call a library: its changes are undone and recorded |
//! | [`check`], [`checked`] | once a batch, before results are used |
//!
//! A new thread inherits the environment of the thread that starts it. So a thread starts in the
//! default environment if the thread that starts it is in the default environment.
//!
//! Supports x86_64 (MXCSR and the x87 unit) and AArch64 (FPCR). The crate compiles on no other
//! machine, because results there could not be trusted.
//!
//! ```
//! use assay_fpenv::{Environment, Foreign, checked};
//!
//! let library = Foreign::library("lib:./device.so");
//! let sum = library.call("execute", String::new, || 1.0 + 2.0);
//! assert_eq!(sum, 3.0);
//! assert!(library.changes().is_empty());
//! assert!(Environment::current().is_default());
//! assert_eq!(checked(|| 0.5 * 0.5), Ok(0.25));
//! ```

#[cfg(target_arch = "aarch64")]
#[path = "aarch64.rs"]
mod machine;
#[cfg(target_arch = "x86_64")]
#[path = "x86_64.rs"]
mod machine;

#[cfg(not(any(target_arch = "aarch64", target_arch = "x86_64")))]
compile_error!(
    "the floating-point environment of this machine is not known: x86_64 and AArch64 are supported"
);

mod foreign;
#[cfg(test)]
mod tests;

use std::marker::PhantomData;

pub use foreign::{Change, Foreign};
pub use machine::Environment;
use machine::State;

/// The environment of this thread is not the default, so its computed values cannot be trusted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the floating-point environment of this thread was changed: {found}. Nothing that is computed in it can be trusted. \
     The cause is likely {suspect}"
)]
pub struct WrongEnvironment {
    /// The environment found.
    pub found: Environment,
    /// The probable cause.
    pub suspect: String,
}

/// Sets the default environment on this thread and clears its status flags.
pub fn set_default() {
    State::set_default();
}

/// Checks that this thread is in the default environment.
///
/// If it is not, sets the default before returning the error, so that the error can be reported.
#[inline]
pub fn check() -> Result<(), WrongEnvironment> {
    match Environment::current() {
        found if found.is_default() => Ok(()),
        found => Err(wrong(found)),
    }
}

#[cold]
fn wrong(found: Environment) -> WrongEnvironment {
    set_default();
    WrongEnvironment { found, suspect: foreign::suspect() }
}

/// Runs a function between two checks of the environment.
///
/// If an exception is unmasked, the first check fails and the function does not run, so the
/// function cannot trap. The second check finds changes that happened during the function.
#[inline]
pub fn checked<T>(run: impl FnOnce() -> T) -> Result<T, WrongEnvironment> {
    check()?;
    let value = run();
    check()?;
    Ok(value)
}

/// Keeps this thread in the default environment while alive. Dropping it restores the environment
/// that the thread had before, status flags included.
pub struct DefaultEnvironment {
    found: State,
    /// Prevents a move to another thread: the environment belongs to one thread.
    _thread: PhantomData<*const ()>,
}

impl DefaultEnvironment {
    /// Saves the environment of this thread and sets the default.
    pub fn enter() -> DefaultEnvironment {
        let found = State::save();
        set_default();
        DefaultEnvironment { found, _thread: PhantomData }
    }
}

impl Drop for DefaultEnvironment {
    fn drop(&mut self) {
        // SAFETY: the caller was in this environment and expects it back.
        unsafe { self.found.restore() };
    }
}
