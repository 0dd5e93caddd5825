//! SSE2 and FMA3 scalar instructions, each with its own rounding mode, and POPCNT, LZCNT and BMI2
//! for integers.
//!
//! The compiler assumes that MXCSR does not change. So changing MXCSR is undefined behaviour unless
//! it is restored when the `asm!` block ends. Each block saves MXCSR, sets the mode, executes one
//! instruction and restores MXCSR, including the sticky exception flags. The compiler can move
//! nothing into or out of such a block. The integer instructions are written in assembly too: for a
//! generic `x86_64`, the compiler would replace them by arithmetic.

use std::arch::asm;

use assay_isa::tables::types::FPRound;

use crate::arithmetic::{Arithmetic, Operation};
use crate::computation::Computation;
use crate::integers::{Integer, Machine};

/// The extensions of this machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    fma: bool,
    popcnt: bool,
    lzcnt: bool,
    bmi2: bool,
}

/// Sets the rounding mode in MXCSR, executes one instruction, and restores MXCSR.
macro_rules! rounded {
    ($instruction:literal, $round:expr, $($operands:tt)+) => {
        asm!(
            "stmxcsr [{saved}]",
            "ldmxcsr [{mode}]",
            $instruction,
            "ldmxcsr [{saved}]",
            saved = in(reg) &mut 0u32,
            mode = in(reg) &mxcsr($round),
            $($operands)+,
            options(nostack),
        )
    };
}

impl Unit {
    /// Detects the extensions of this machine.
    pub(super) fn detect() -> Unit {
        Unit {
            fma: is_x86_feature_detected!("fma"),
            popcnt: is_x86_feature_detected!("popcnt"),
            lzcnt: is_x86_feature_detected!("lzcnt"),
            bmi2: is_x86_feature_detected!("bmi2"),
        }
    }

    /// Returns the name of the machine with its extensions.
    pub(super) fn name(self) -> String {
        let extensions =
            [(self.fma, " FMA3"), (self.popcnt, " POPCNT"), (self.lzcnt, " LZCNT"), (self.bmi2, " BMI2")];
        let present = extensions.into_iter().filter(|(present, _)| *present);
        present.fold("x86_64 SSE2".to_owned(), |name, (_, extension)| name + extension)
    }

    /// Returns the rounding modes, as the assembler spells them.
    pub(super) fn roundings(self) -> Vec<&'static str> {
        vec!["RN", "RP", "RM", "RZ"]
    }

    /// Returns why the machine cannot execute a computation, `None` if it can.
    pub(super) fn gap(self, computation: &Computation) -> Option<&'static str> {
        let needs = |present: bool, why| (!present).then_some(why);
        match computation {
            Computation::Arithmetic(Arithmetic { operation: Operation::Fma, .. }) => {
                needs(self.fma, "this CPU has no FMA3")
            }
            Computation::Integer(Integer::Count) => needs(self.popcnt, "this CPU has no POPCNT"),
            Computation::Integer(Integer::Leading { .. }) => needs(self.lzcnt, "this CPU has no LZCNT"),
            Computation::Integer(Integer::Mask { .. } | Integer::Extend { .. }) => {
                needs(self.bmi2, "this CPU has no BMI2")
            }
            _ => None,
        }
    }

    /// Returns a + b.
    pub(super) fn add(self, mut a: f32, b: f32, round: FPRound) -> f32 {
        // SAFETY: SSE is part of x86_64. The block writes only the local that it is given and `a`.
        // It leaves MXCSR as it was, and masks every exception in between.
        unsafe { rounded!("addss {a}, {b}", round, a = inout(xmm_reg) a, b = in(xmm_reg) b) };
        a
    }

    /// Returns a·b.
    pub(super) fn mul(self, mut a: f32, b: f32, round: FPRound) -> f32 {
        // SAFETY: as for `add`.
        unsafe { rounded!("mulss {a}, {b}", round, a = inout(xmm_reg) a, b = in(xmm_reg) b) };
        a
    }

    /// Returns a·b + c, rounded once. The machine must have FMA3.
    pub(super) fn fma(self, mut a: f32, b: f32, c: f32, round: FPRound) -> f32 {
        assert!(self.fma, "this CPU has no FMA3");
        // SAFETY: as for `add`, and the CPU has the instruction: `fma` is set by detection alone.
        unsafe {
            rounded!(
                "vfmadd213ss {a}, {b}, {c}",
                round,
                a = inout(xmm_reg) a,
                b = in(xmm_reg) b,
                c = in(xmm_reg) c
            );
        }
        a
    }

    /// Rounds a double to F32.
    pub(super) fn narrow(self, wide: f64, round: FPRound) -> f32 {
        let narrow: f32;
        // SAFETY: as for `add`, SSE2 being part of x86_64 too.
        unsafe {
            rounded!(
                "cvtsd2ss {narrow}, {wide}",
                round,
                narrow = inlateout(xmm_reg) 0f32 => narrow,
                wide = in(xmm_reg) wide
            );
        }
        narrow
    }
}

impl Machine for Unit {
    fn ones(&self, x: u32) -> u32 {
        assert!(self.popcnt, "this CPU has no POPCNT");
        let ones: u32;
        // SAFETY: the CPU has the instruction: the flag is set by detection alone. It touches registers
        // and flags only.
        unsafe {
            asm!("popcnt {ones:e}, {x:e}", ones = lateout(reg) ones, x = in(reg) x, options(pure, nomem, nostack))
        };
        ones
    }

    fn leading_zeros(&self, x: u32) -> u32 {
        assert!(self.lzcnt, "this CPU has no LZCNT");
        let zeros: u32;
        // SAFETY: as for `ones`.
        unsafe {
            asm!("lzcnt {zeros:e}, {x:e}", zeros = lateout(reg) zeros, x = in(reg) x, options(pure, nomem, nostack))
        };
        zeros
    }

    fn low_bits(&self, x: u32, count: u32) -> u32 {
        assert!(self.bmi2, "this CPU has no BMI2");
        let low: u32;
        // SAFETY: as for `ones`.
        unsafe {
            asm!(
                "bzhi {low:e}, {x:e}, {count:e}",
                low = lateout(reg) low,
                x = in(reg) x,
                count = in(reg) count,
                options(pure, nomem, nostack),
            );
        }
        low
    }
}

/// Returns a value for MXCSR: every exception masked, subnormals not flushed, and a rounding mode.
const fn mxcsr(round: FPRound) -> u32 {
    const MASKED: u32 = 0x1f80;
    let control: u32 = match round {
        FPRound::RN => 0,
        FPRound::RM => 1,
        FPRound::RP => 2,
        FPRound::RZ => 3,
    };
    MASKED | control << 13
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control_word() -> u32 {
        let mut word = 0u32;
        // SAFETY: the block stores MXCSR to the local it is given and changes nothing else.
        unsafe { asm!("stmxcsr [{word}]", word = in(reg) &mut word, options(nostack, preserves_flags)) };
        word
    }

    #[test]
    fn the_modes_differ_and_none_outlives_its_operation() {
        let unit = Unit::detect();
        let before = control_word();
        let third = |round| unit.narrow(1.0 / 3.0, round).to_bits();
        let negative = |round| unit.narrow(-1.0 / 3.0, round).to_bits() & 0x7fff_ffff;
        let modes = [FPRound::RN, FPRound::RP, FPRound::RM, FPRound::RZ];
        assert_eq!(modes.map(third), [0x3eaa_aaab, 0x3eaa_aaab, 0x3eaa_aaaa, 0x3eaa_aaaa]);
        assert_eq!(modes.map(negative), [0x3eaa_aaab, 0x3eaa_aaaa, 0x3eaa_aaab, 0x3eaa_aaaa]);
        for round in modes {
            // Overflow, underflow and an invalid operation would each raise a sticky flag.
            unit.mul(f32::MAX, f32::MAX, round);
            unit.mul(f32::MIN_POSITIVE, 0.3, round);
            unit.add(f32::INFINITY, f32::NEG_INFINITY, round);
            if unit.fma {
                unit.fma(f32::MAX, 3.0, 1.0, round);
            }
        }
        assert_eq!(control_word(), before);
    }
}
