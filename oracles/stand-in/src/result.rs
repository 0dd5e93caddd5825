//! What a call to the driver comes to.

use cudarc::driver::sys::CUresult;

/// What a call comes to.
pub type CallResult<T = ()> = Result<T, CUresult>;
