//! The result of a call to the driver.

use cudarc::driver::sys::CUresult;

/// The result of a call.
pub type CallResult<T = ()> = Result<T, CUresult>;
