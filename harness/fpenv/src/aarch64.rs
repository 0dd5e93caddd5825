//! The environment on AArch64: FPCR, and the status flags in FPSR.

use std::arch::asm;
use std::fmt;

/// Bits of FPCR that are 0 by default, with their effects.
const BITS: [(u32, &str); 12] = [
    (24, "subnormal numbers flushed to zero (FZ)"),
    (0, "subnormal operands read as zero (FIZ)"),
    (19, "subnormal numbers of 16 bits flushed to zero (FZ16)"),
    (1, "alternate handling of floats (AH)"),
    (25, "default NaNs (DN)"),
    (26, "alternative half precision (AHP)"),
    (8, "traps on invalid operations"),
    (9, "traps on divisions by zero"),
    (10, "traps on overflow"),
    (11, "traps on underflow"),
    (12, "traps on inexact results"),
    (15, "traps on subnormal operands"),
];
/// Position of the rounding field in FPCR.
const ROUNDING: u32 = 22;
/// Names of the rounding modes, by code.
const ROUNDINGS: [&str; 4] = ["to nearest", "up (RP)", "down (RM)", "toward zero (RZ)"];

/// The control bits of the floating-point unit, without its status flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Environment {
    fpcr: u64,
}

impl Environment {
    /// Rounding to nearest, subnormal numbers honoured, every exception masked.
    pub const DEFAULT: Environment = Environment { fpcr: 0 };

    /// Returns the environment of this thread.
    #[inline]
    pub fn current() -> Environment {
        let fpcr: u64;
        // SAFETY: the block reads a control register.
        unsafe { asm!("mrs {fpcr}, fpcr", fpcr = out(reg) fpcr, options(nostack, preserves_flags)) };
        Environment { fpcr }
    }

    /// Whether this is the default environment.
    #[inline]
    pub fn is_default(self) -> bool {
        self == Environment::DEFAULT
    }

    /// Sets this environment on this thread. Bits that the machine lacks stay 0.
    ///
    /// # Safety
    /// The compiler assumes the default environment. Until the default is set again, Rust's
    /// floating-point results are unspecified, and traps may end the program.
    pub unsafe fn set(self) {
        // SAFETY: the block writes a control register; the caller is responsible for the effect.
        unsafe { asm!("msr fpcr, {fpcr}", fpcr = in(reg) self.fpcr, options(nostack, preserves_flags)) };
    }

    /// Returns named environments that differ from the default and that every machine supports. For
    /// tests.
    pub fn others() -> Vec<(&'static str, Environment)> {
        let bits = [
            ("RP", 1 << ROUNDING),
            ("RM", 2 << ROUNDING),
            ("RZ", 3 << ROUNDING),
            ("FZ", 1 << 24),
            ("DN", 1 << 25),
            ("AHP", 1 << 26),
        ];
        bits.into_iter().map(|(name, fpcr)| (name, Environment { fpcr })).collect()
    }

    /// Returns the differences from the default, in words.
    fn differences(self) -> Vec<String> {
        let code = (self.fpcr >> ROUNDING & 3) as usize;
        let rounding = (code != 0).then(|| format!("rounding {}", ROUNDINGS[code]));
        let set = BITS.iter().filter(|(bit, _)| self.fpcr >> bit & 1 != 0);
        rounding.into_iter().chain(set.map(|(_, words)| (*words).to_owned())).collect()
    }
}

impl fmt::Display for Environment {
    /// Writes the differences from the default, and the register.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let differences = self.differences();
        let words =
            if differences.is_empty() { "no known difference".to_owned() } else { differences.join(", ") };
        write!(f, "{words} (FPCR 0x{:08x})", self.fpcr)
    }
}

/// A saved environment with its status flags, which can be restored.
pub struct State {
    fpcr: u64,
    fpsr: u64,
}

impl State {
    /// Saves the environment.
    pub fn save() -> State {
        let (fpcr, fpsr): (u64, u64);
        // SAFETY: the block reads two registers.
        unsafe {
            asm!(
                "mrs {fpcr}, fpcr",
                "mrs {fpsr}, fpsr",
                fpcr = out(reg) fpcr,
                fpsr = out(reg) fpsr,
                options(nostack, preserves_flags),
            );
        }
        State { fpcr, fpsr }
    }

    /// Returns the environment after a call.
    pub fn left() -> Environment {
        Environment::current()
    }

    /// Sets the default environment with no status flag set.
    pub fn set_default() {
        State::reset();
    }

    /// Sets the default environment with no status flag set.
    pub fn reset() {
        // SAFETY: the block restores the state that the compiler assumes.
        unsafe { asm!("msr fpcr, xzr", "msr fpsr, xzr", options(nostack, preserves_flags)) };
    }

    /// Restores the saved environment.
    ///
    /// # Safety
    /// The next code on this thread expects that environment.
    pub unsafe fn restore(&self) {
        // SAFETY: `save` read both values, so the registers can hold them.
        unsafe {
            asm!(
                "msr fpsr, {fpsr}",
                "msr fpcr, {fpcr}",
                fpcr = in(reg) self.fpcr,
                fpsr = in(reg) self.fpsr,
                options(nostack, preserves_flags),
            );
        }
    }
}
