//! Compiles PTX to machine code with the driver's assembler, and replaces bits in the machine code.

use std::ffi::{CString, c_void};
use std::ptr::null_mut;

use cudarc::driver::sys;

use super::CudaError;
use crate::ptx::Patch;

/// Number of bytes for the assembler's messages.
const LOG_BYTES: usize = 8192;

/// Returns the machine code of a PTX module, for the device of the current context.
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
    /// Creates a linker. The buffers behind `values` must outlive the linker, since the driver may
    /// write the log as long as the linker exists.
    fn new(options: &mut [sys::CUjit_option; 2], values: &mut [*mut c_void; 2]) -> Result<Linker, CudaError> {
        let mut state = null_mut();
        // SAFETY: both arrays have the given length, and the driver writes one pointer.
        let created = unsafe {
            sys::cuLinkCreate_v2(options.len() as u32, options.as_mut_ptr(), values.as_mut_ptr(), &mut state)
        };
        created.result().map_err(CudaError::at("start its assembler"))?;
        Ok(Linker(state))
    }

    fn run(&self, text: &CString) -> Result<Vec<u8>, cudarc::driver::DriverError> {
        let bytes = text.as_bytes_with_nul();
        // SAFETY: the driver reads the given number of bytes, which includes the final zero, and no
        // options.
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
        // SAFETY: the image belongs to the linker, has this size, and lives as long as the linker.
        // The image is copied before the linker is dropped.
        Ok(unsafe { std::slice::from_raw_parts(image.cast::<u8>(), size) }.to_vec())
    }
}

impl Drop for Linker {
    fn drop(&mut self) {
        // SAFETY: the state was created by the driver, and it is not used again. The call can fail
        // only for an invalid state.
        let _ = unsafe { sys::cuLinkDestroy(self.0) };
    }
}

/// Number of bytes of an instruction.
const INSTRUCTION: usize = 16;

/// Replaces bits of the only instruction that matches the patch. Fails if there is no such
/// instruction, or more than one. Sections are aligned to whole instructions.
pub fn patch(code: &mut [u8], patch: &Patch) -> Result<(), CudaError> {
    let (instructions, _) = code.as_chunks_mut::<INSTRUCTION>();
    let is_found = |bytes: &&mut [u8; INSTRUCTION]| patch.found.are_in(u128::from_le_bytes(**bytes));
    let mut places: Vec<_> = instructions.iter_mut().filter(is_found).collect();
    match places.as_mut_slice() {
        [place] => {
            **place = patch.replaced.put_in(u128::from_le_bytes(**place)).to_le_bytes();
            Ok(())
        }
        others => Err(CudaError::Patch { name: patch.name, found: others.len() }),
    }
}

#[cfg(test)]
mod tests {
    use assay_isa::asm;

    use super::*;
    use crate::ptx::lower;

    fn patches(text: &str) -> Vec<Patch> {
        lower(&asm::parse(text).unwrap()).unwrap().patches
    }

    /// Returns machine code that has an instruction at these byte offsets.
    fn code(instruction: u128, places: &[usize]) -> Vec<u8> {
        let mut code = vec![0x5a; 84];
        for place in places {
            code[*place..place + INSTRUCTION].copy_from_slice(&instruction.to_le_bytes());
        }
        code
    }

    /// Assembler text of an instruction, machine code from `ptxas`, and the same code after the
    /// replacement.
    const REPLACED: [(&str, u128, u128); 18] = [
        // FMUL.RZ R9, R4, -0.15915493667125701904; then the factor is -1.
        (
            "MUFU.SIN.F32 R0, -R1",
            0x004f_cc00_0040_c000_be22_f983_0409_7820,
            0x004f_cc00_0040_c000_bf80_0000_0409_7820,
        ),
        // FMUL.FTZ.RZ.SAT R9, |R4|, -R7; then with .D8.
        (
            "FMUL.FTZ.SAT.RZ.D8 R0, |R1|, -R2",
            0x004f_ca00_0041_e200_8000_0007_0409_7220,
            0x004f_ca00_0011_e200_8000_0007_0409_7220,
        ),
        // FMUL.RM R9, R4, -|R7|; then with .M4.
        (
            "FMUL.RM.M4 R0, R1, -|R2|",
            0x004f_ca00_0040_4000_c000_0007_0409_7220,
            0x004f_ca00_0060_4000_c000_0007_0409_7220,
        ),
        // FSEL R11, -|R4|, R7, !P0; then with .FTZ.
        (
            "FSEL.FTZ R0, -|R1|, R2, !P0",
            0x004f_ca00_0400_0300_0000_0007_040b_7208,
            0x004f_ca00_0401_0300_0000_0007_040b_7208,
        ),
        // FSETP.GEU.AND P0, PT, |R4|, -R7, PT; then FCHK P0, |R4|, -R7, which waits for barrier 2
        // and sets barrier 5.
        (
            "FCHK P0, |R1|, -R2",
            0x004f_c800_03f0_e200_8000_0007_0400_720b,
            0x004f_6800_0000_0200_8000_0007_0400_7302,
        ),
        // SEL R9, RZ, 0x1, !P0; then it waits for barrier 5.
        (
            "FCHK P0, |R1|, -R2",
            0x000f_ca00_0400_0000_0000_0001_ff09_7807,
            0x020f_ca00_0400_0000_0000_0001_ff09_7807,
        ),
        // SEL R9, RZ, 0x1, P0; then it is inverted and waits for barrier 5.
        (
            "FCHK P0, |R1|, -R2",
            0x000f_ca00_0000_0000_0000_0001_ff09_7807,
            0x020f_ca00_0400_0000_0000_0001_ff09_7807,
        ),
        // MUFU.RCP64H R9, R4; then of -R4.
        (
            "MUFU.RCP.F64 R0, -R1",
            0x004e_2800_0000_1800_0000_0004_0009_7308,
            0x004e_2800_0000_1800_8000_0004_0009_7308,
        ),
        // MUFU.RSQ64H R9, R4; then of |R4|.
        (
            "MUFU.RSQ.F64 R0, |R1|",
            0x004e_2800_0000_1c00_0000_0004_0009_7308,
            0x004e_2800_0000_1c00_4000_0004_0009_7308,
        ),
        // POPC R9, R4; then of ~R4.
        (
            "POPC R0, ~R1",
            0x004e_2800_0000_0000_0000_0004_0009_7309,
            0x004e_2800_0000_0000_8000_0004_0009_7309,
        ),
        // @P0 SEL R17, R6, R9, P1; then @P0 VIMNMX.
        (
            "@UP0 UIMNMX UR0, UR2, UR4, UP3",
            0x008f_ca00_0080_0000_0000_0009_0611_0207,
            0x008f_ca00_00fe_0100_0000_0009_0611_0248,
        ),
        // FSETP.EQ.AND P0, PT, R4, R7, !P0; then it writes only P5.
        (
            "FSETP.EQ.AND PT, P1, R4, R6, !P4",
            0x004f_c800_0470_2000_0000_0007_0400_720b,
            0x004f_c800_045e_2000_0000_0007_0400_720b,
        ),
        // FMUL R9, R4, R7; then of -R4.
        (
            "FMUL R0, -R2, R4",
            0x004f_ca00_0040_0000_0000_0007_0409_7220,
            0x004f_ca00_0040_0100_0000_0007_0409_7220,
        ),
        // SEL R11, R4, R7, !P0; then FMNMX.FTZ.NAN of -|R4| and -R7.
        (
            "FMNMX.FTZ.NAN R0, -|R2|, -R4, !P3",
            0x004f_ca00_0400_0000_0000_0007_040b_7207,
            0x004f_ca00_0403_0300_8000_0007_040b_7209,
        ),
        // FSET.BF.EQ.AND R11, R4, R7, !P0; then with .FTZ.
        (
            "FSET.FTZ.EQ.AND.BF R0, R2, R4, !P3",
            0x004f_ca00_0400_2000_0000_0007_040b_720a,
            0x004f_ca00_0401_2000_0000_0007_040b_720a,
        ),
        // IMAD R9, R0, R0, 0x5a550000; then R2UR UR20, R0.
        (
            "UIADD UR0, UR2, -UR4",
            0x004f_c800_078e_0200_5a55_0000_0009_7424,
            0x004f_d800_000e_0000_0000_0000_0014_72ca,
        ),
        // IMAD R6, R7, R6, 0x5a550002; then UIADD3 UR40, UR20, -UR21, URZ.
        (
            "UIADD UR0, UR2, -UR4",
            0x010f_c800_078e_0206_5a55_0002_0706_7424,
            0x010f_d800_0fff_e03f_8000_0015_1428_7290,
        ),
        // IMAD R9, R7, R7, 0x5a550003; then MOV R9, UR40.
        (
            "UIADD UR0, UR2, -UR4",
            0x000f_e200_078e_0207_5a55_0003_0709_7424,
            0x000f_d800_0800_0f00_0000_0028_0009_7c02,
        ),
    ];

    #[test]
    fn bits_of_one_instruction_are_replaced() {
        for (text, assembled, replaced) in REPLACED {
            let mut patched = code(assembled, &[32]);
            let found = patches(text).iter().filter(|one| patch(&mut patched, one).is_ok()).count();
            assert_eq!((found, patched), (1, code(replaced, &[32])), "{text}");
        }
    }

    #[test]
    fn none_and_two_are_refused() {
        for (text, assembled, _) in REPLACED {
            let is_meant = |patch: &&Patch| patch.found.are_in(assembled);
            let meant = patches(text).into_iter().find(|one| is_meant(&one)).unwrap();
            // The offset 40 is not the start of an instruction.
            for (places, found) in [(&[][..], 0), (&[40], 0), (&[0, 64], 2)] {
                let error = patch(&mut code(assembled, places), &meant).unwrap_err();
                assert_eq!(error, CudaError::Patch { name: meant.name, found }, "{text}");
            }
        }
    }

    #[test]
    fn an_instruction_with_another_modifier_is_not_found() {
        for (text, assembled, _) in REPLACED {
            for patch in patches(text).iter().filter(|patch| patch.found.are_in(assembled)) {
                let bits = (0..128).filter(|bit| patch.found.mask >> bit & 1 == 1);
                assert!(bits.clone().all(|bit| !patch.found.are_in(assembled ^ 1 << bit)), "{text}");
                // The other bits may differ: registers, prefixes, modifiers that the patch does not
                // check, and scheduling.
                assert!(bits.count() >= 55, "{text}");
                assert!(
                    patch.found.are_in(assembled ^ 0x07 << 16 & !patch.found.mask ^ 0x7f << 105),
                    "{text}"
                );
            }
        }
    }
}
