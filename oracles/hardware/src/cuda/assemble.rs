//! PTX to machine code by the driver's assembler, and an immediate replaced in it.

use std::ffi::{CString, c_void};
use std::ptr::null_mut;

use cudarc::driver::sys;

use super::CudaError;
use crate::ptx::Patch;

/// Bytes for the assembler's messages.
const LOG_BYTES: usize = 8192;

/// Machine code for the device of the current context.
pub fn assemble(ptx: &str) -> Result<Vec<u8>, CudaError> {
    let text = CString::new(ptx).map_err(|_| CudaError::Driver {
        doing: "take a kernel",
        problem: "its text holds a zero byte".to_owned(),
    })?;
    let mut log = vec![0_u8; LOG_BYTES];
    let mut options =
        [sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER, sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
    let mut values = [log.as_mut_ptr().cast::<c_void>(), LOG_BYTES as *mut c_void];
    let linker = Linker::new(&mut options, &mut values)?;
    let assembled = linker.run(&text);
    assembled.map_err(|error| {
        let said = log.split(|byte| *byte == 0).next().unwrap_or_default();
        let log = format!("{error}: {}", String::from_utf8_lossy(said).trim());
        CudaError::Assembler { log, ptx: ptx.to_owned() }
    })
}

/// The driver's linker, which assembles the given PTX.
struct Linker(sys::CUlinkState);

impl Linker {
    /// The options' values must outlive it: the log is written until it is gone.
    fn new(options: &mut [sys::CUjit_option; 2], values: &mut [*mut c_void; 2]) -> Result<Linker, CudaError> {
        let mut state = null_mut();
        // SAFETY: both arrays have the length that is given, and the driver writes one pointer.
        let created = unsafe {
            sys::cuLinkCreate_v2(options.len() as u32, options.as_mut_ptr(), values.as_mut_ptr(), &mut state)
        };
        created.result().map_err(CudaError::at("start its assembler"))?;
        Ok(Linker(state))
    }

    fn run(&self, text: &CString) -> Result<Vec<u8>, cudarc::driver::DriverError> {
        let bytes = text.as_bytes_with_nul();
        // SAFETY: the driver reads as many bytes as stated, ends included, and no options.
        let added = unsafe {
            sys::cuLinkAddData_v2(
                self.0,
                sys::CUjitInputType::CU_JIT_INPUT_PTX,
                bytes.as_ptr().cast_mut().cast(),
                bytes.len(),
                c"kernel".as_ptr(),
                0,
                null_mut(),
                null_mut(),
            )
        };
        added.result()?;
        let (mut image, mut size) = (null_mut(), 0);
        // SAFETY: the driver writes a pointer and a size.
        unsafe { sys::cuLinkComplete(self.0, &mut image, &mut size) }.result()?;
        // SAFETY: the image is the linker's, of that size, and lives as long as it does; it is copied before.
        Ok(unsafe { std::slice::from_raw_parts(image.cast::<u8>(), size) }.to_vec())
    }
}

impl Drop for Linker {
    fn drop(&mut self) {
        // SAFETY: the state is one that was created, and it is no longer used. It can only fail if it is none.
        let _ = unsafe { sys::cuLinkDestroy(self.0) };
    }
}

/// Bytes of an instruction, and where its immediate stands.
const INSTRUCTION: usize = 16;
const IMMEDIATE: std::ops::Range<usize> = 4..8;

/// Replaces the immediate of the one instruction that holds it. Sections are aligned to whole instructions.
pub fn patch(code: &mut [u8], patch: Patch) -> Result<(), CudaError> {
    let holds = |instruction: &&mut [u8]| instruction[IMMEDIATE] == patch.from.to_le_bytes();
    let mut places: Vec<&mut [u8]> = code.chunks_exact_mut(INSTRUCTION).filter(holds).collect();
    match places.as_mut_slice() {
        [place] => {
            place[IMMEDIATE].copy_from_slice(&patch.to.to_le_bytes());
            Ok(())
        }
        others => Err(CudaError::Patch { from: patch.from, found: others.len() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: Patch = Patch { from: 0x3e22_f983, to: 0x3f80_0000 };

    fn code(places: &[usize]) -> Vec<u8> {
        let mut code = vec![0x5a; 80];
        for place in places {
            code[*place..place + 4].copy_from_slice(&PATCH.from.to_le_bytes());
        }
        code
    }

    #[test]
    fn one_immediate_is_replaced() {
        let mut patched = code(&[36]);
        patch(&mut patched, PATCH).unwrap();
        let mut expected = code(&[]);
        expected[36..40].copy_from_slice(&PATCH.to.to_le_bytes());
        assert_eq!(patched, expected);
    }

    #[test]
    fn none_and_two_are_refused() {
        // Where no immediate stands it is none.
        for (places, found) in [(&[][..], 0), (&[40], 0), (&[4, 68], 2)] {
            let error = patch(&mut code(places), PATCH).unwrap_err();
            assert_eq!(error, CudaError::Patch { from: PATCH.from, found });
        }
    }
}
