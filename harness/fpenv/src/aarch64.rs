//! FPCR, and the status flags in FPSR.

use std::arch::asm;
use std::fmt;

/// Bits of FPCR that differ from the default if they are set, with their effects.
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
/// Where the rounding is.
const ROUNDING: u32 = 22;
/// The names of the roundings, by their codes.
const ROUNDINGS: [&str; 4] = ["to nearest", "up (RP)", "down (RM)", "toward zero (RZ)"];

/// The control bits of the floating-point unit, without its status flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Environment {
    fpcr: u64,
}

impl Environment {
    /// Rounding to nearest, subnormal numbers honoured, every exception masked.
    pub const DEFAULT: Environment = Environment { fpcr: 0 };

    /// The environment of this thread.
    #[inline]
    pub fn current() -> Environment {
        let fpcr: u64;
        // SAFETY: the block reads a control register.
        unsafe { asm!("mrs {fpcr}, fpcr", fpcr = out(reg) fpcr, options(nostack, preserves_flags)) };
        Environment { fpcr }
    }

    /// Whether it is the default.
    #[inline]
    pub fn is_default(self) -> bool {
        self == Environment::DEFAULT
    }

    /// Puts this thread into this environment. A bit that the machine does not have stays 0.
    ///
    /// # Safety
    /// The compiler takes the default environment for granted: until that is set again, what Rust computes with floats
    /// is unspecified, and traps may end the program.
    pub unsafe fn set(self) {
        // SAFETY: the block writes a control register; the caller is responsible for the effect.
        unsafe { asm!("msr fpcr, {fpcr}", fpcr = in(reg) self.fpcr, options(nostack, preserves_flags)) };
    }

    /// Environments that are not the default and that every machine has, with their names. For tests.
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

    /// What differs from the default, in words.
    fn differences(self) -> Vec<String> {
        let code = (self.fpcr >> ROUNDING & 3) as usize;
        let rounding = (code != 0).then(|| format!("rounding {}", ROUNDINGS[code]));
        let set = BITS.iter().filter(|(bit, _)| self.fpcr >> bit & 1 != 0);
        rounding.into_iter().chain(set.map(|(_, words)| (*words).to_owned())).collect()
    }
}

impl fmt::Display for Environment {
    /// What differs from the default, and the register.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let differences = self.differences();
        let words =
            if differences.is_empty() { "no known difference".to_owned() } else { differences.join(", ") };
        write!(f, "{words} (FPCR 0x{:08x})", self.fpcr)
    }
}

/// The environment with its status flags, as it can be put back.
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

    /// The environment that a call left.
    pub fn left() -> Environment {
        Environment::current()
    }

    /// Sets the default environment with no status flag set.
    pub fn set_default() {
        State::reset();
    }

    /// The same.
    pub fn reset() {
        // SAFETY: the block restores the state that the compiler assumes.
        unsafe { asm!("msr fpcr, xzr", "msr fpsr, xzr", options(nostack, preserves_flags)) };
    }

    /// Puts the environment back as it was saved.
    ///
    /// # Safety
    /// The next code on this thread expects that environment.
    pub unsafe fn restore(&self) {
        // SAFETY: both were read by `save`, so the registers take them.
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
