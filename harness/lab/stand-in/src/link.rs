//! The text being assembled, and the buffers for messages: the driver keeps the caller's pointers until the state is
//! gone.

use cudarc::driver::sys::{CUjit_option, CUresult};

use crate::image;
use crate::result::CallResult;

/// The contents of a link state.
#[derive(Default)]
pub struct Link {
    image: Vec<u8>,
    /// The error log and its capacity.
    log: usize,
    room: usize,
    /// Where the caller wrote the capacity, and where the used length goes.
    used: usize,
}

impl Link {
    /// One option: its number, its value, and the address of the value. Options other than those of the error log are
    /// refused.
    pub fn option(&mut self, option: u32, value: usize, place: usize) -> CallResult {
        if option == CUjit_option::CU_JIT_ERROR_LOG_BUFFER as u32 {
            self.log = value;
        } else if option == CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES as u32 {
            (self.room, self.used) = (value, place);
        } else {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        Ok(())
    }

    /// Assembles PTX, once. The log receives the problem, cut to its size, and a zero.
    ///
    /// # Safety
    /// The log and the place of its size are those of the options, and can be written.
    pub unsafe fn add(&mut self, ptx: &str) -> CallResult {
        if !self.image.is_empty() {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        let (said, done) = match image::assemble(ptx) {
            Ok(image) => {
                self.image = image;
                (String::new(), Ok(()))
            }
            Err(image::Refused::Newer(problem)) => {
                (problem, Err(CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION))
            }
            Err(image::Refused::Invalid(problem)) => (problem, Err(CUresult::CUDA_ERROR_INVALID_PTX)),
        };
        let bytes: Vec<u8> =
            said.bytes().take(self.room.saturating_sub(1)).chain([0]).take(self.room).collect();
        if self.log != 0 {
            // SAFETY: the caller promises the room.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.log as *mut u8, bytes.len()) };
        }
        if self.used != 0 {
            // SAFETY: likewise that the value of the option still stands there.
            unsafe { (self.used as *mut usize).write(bytes.len()) };
        }
        done
    }

    /// The assembled image; empty if nothing was added.
    pub fn image(&self) -> &[u8] {
        &self.image
    }
}
