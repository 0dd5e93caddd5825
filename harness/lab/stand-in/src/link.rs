//! A link state: the assembled image, and the caller's buffers for messages. The driver keeps the
//! caller's pointers until the link state is destroyed.

use cudarc::driver::sys::{CUjit_option, CUresult};

use crate::image;
use crate::result::CallResult;

/// The contents of a link state.
#[derive(Default)]
pub struct Link {
    image: Vec<u8>,
    /// Address of the caller's error log. `room` is its capacity in bytes.
    log: usize,
    room: usize,
    /// Address of an option value. The value is the capacity in bytes, which the driver replaces by
    /// the number of bytes used.
    used: usize,
}

impl Link {
    /// Sets an option: its number, its value, and the address of the value. Only options of the
    /// error log are supported.
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

    /// Assembles PTX. A link state accepts one text. The log receives the problem, cut to its
    /// capacity, and a zero.
    ///
    /// # Safety
    /// The caller's log, and the option value with its capacity, can be written.
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
            // SAFETY: the caller promises the capacity.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.log as *mut u8, bytes.len()) };
        }
        if self.used != 0 {
            // SAFETY: the caller promises that the option value is still there.
            unsafe { (self.used as *mut usize).write(bytes.len()) };
        }
        done
    }

    /// Returns the assembled image. Empty if no text was added.
    pub fn image(&self) -> &[u8] {
        &self.image
    }
}
