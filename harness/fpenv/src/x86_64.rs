//! The environment on x86_64: MXCSR for SSE and AVX, and the x87 unit's control word, status flags
//! and tags.

use std::arch::asm;
use std::fmt;

/// Mask of the six status flags.
const FLAGS: u32 = 0x3f;
/// MXCSR: subnormal operands are read as zero.
const DAZ: u32 = 1 << 6;
/// MXCSR: subnormal results are flushed to zero.
const FTZ: u32 = 1 << 15;
/// Position of the exception masks in MXCSR.
const MASKS: u32 = 7;
/// Position of the rounding field in MXCSR.
const ROUNDING: u32 = 13;
/// Positions of the precision and rounding fields in the x87 control word.
const X87_PRECISION: u16 = 8;
const X87_ROUNDING: u16 = 10;
/// The bits of the x87 control word that have a meaning: masks, precision, rounding.
const X87_BITS: u16 = 0x0f3f;
/// The bit of the x87 control word that is always 1.
const X87_ONE: u16 = 1 << 6;
/// The tag word if all eight x87 registers are empty.
const EMPTY: u16 = 0xffff;

/// The exceptions that bits 0 to 5 stand for, in the flags and in the masks.
const EXCEPTIONS: [&str; 6] = [
    "invalid operations",
    "subnormal operands",
    "divisions by zero",
    "overflow",
    "underflow",
    "inexact results",
];
/// Names of the rounding modes, by code.
const ROUNDINGS: [&str; 4] = ["to nearest", "down (RM)", "up (RP)", "toward zero (RZ)"];

/// The control bits of the floating-point units, without their status flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Environment {
    mxcsr: u32,
    x87: u16,
    /// Whether x87 registers are in use, as after MMX instructions without EMMS.
    x87_in_use: bool,
}

impl Environment {
    /// Rounding to nearest, subnormal numbers honoured, every exception masked, x87 precision of 64
    /// bits.
    pub const DEFAULT: Environment = Environment { mxcsr: 0x1f80, x87: 0x033f, x87_in_use: false };

    /// Returns the environment of this thread, without checking for x87 registers in use.
    #[inline]
    pub fn current() -> Environment {
        let (mut mxcsr, mut control) = (0_u32, 0_u16);
        // SAFETY: the block stores two control registers to local variables.
        unsafe {
            asm!(
                "stmxcsr [{mxcsr}]",
                "fnstcw [{control}]",
                mxcsr = in(reg) &mut mxcsr,
                control = in(reg) &mut control,
                options(nostack, preserves_flags),
            );
        }
        Environment::of(mxcsr, control, EMPTY)
    }

    fn of(mxcsr: u32, control: u16, tags: u16) -> Environment {
        Environment { mxcsr: mxcsr & !FLAGS, x87: control & X87_BITS, x87_in_use: tags != EMPTY }
    }

    /// Whether this is the default environment.
    #[inline]
    pub fn is_default(self) -> bool {
        self == Environment::DEFAULT
    }

    /// Sets this environment on this thread, and clears pending x87 exceptions.
    ///
    /// # Safety
    /// The compiler assumes the default environment. Until the default is set again, Rust's
    /// floating-point results are unspecified, and traps may end the program.
    pub unsafe fn set(self) {
        let (mxcsr, control) = (self.mxcsr, self.x87 | X87_ONE);
        // SAFETY: the block reads local variables. Every value of this type has only bits that the
        // registers have.
        unsafe {
            asm!(
                "fnclex",
                "fldcw [{control}]",
                "ldmxcsr [{mxcsr}]",
                mxcsr = in(reg) &mxcsr,
                control = in(reg) &control,
                options(nostack, preserves_flags, readonly),
            );
        }
    }

    /// Returns named environments that differ from the default in rounding, flushing, precision or
    /// traps. For tests.
    pub fn others() -> Vec<(&'static str, Environment)> {
        let default = Environment::DEFAULT;
        let mxcsr = |bits: u32| Environment { mxcsr: default.mxcsr ^ bits, ..default };
        let x87 = |bits: u16| Environment { x87: default.x87 ^ bits, ..default };
        vec![
            ("RM", mxcsr(1 << ROUNDING)),
            ("RP", mxcsr(2 << ROUNDING)),
            ("RZ", mxcsr(3 << ROUNDING)),
            ("FTZ", mxcsr(FTZ)),
            ("DAZ", mxcsr(DAZ)),
            ("FTZ and DAZ", mxcsr(FTZ | DAZ)),
            ("a trap on inexact results", mxcsr(1 << (MASKS + 5))),
            ("all traps", mxcsr(FLAGS << MASKS)),
            ("x87 RZ", x87(3 << X87_ROUNDING)),
            ("x87 with 53 bits", x87(1 << X87_PRECISION)),
            ("all x87 traps", x87(FLAGS as u16)),
        ]
    }

    /// Returns the differences from the default, in words.
    fn differences(self) -> Vec<String> {
        let traps = |masks: u32, of: &str| {
            let open = EXCEPTIONS.iter().enumerate().filter(|(bit, _)| masks >> bit & 1 == 0);
            let open: Vec<&str> = open.map(|(_, name)| *name).collect();
            (!open.is_empty()).then(|| format!("{of}traps on {}", open.join(", ")))
        };
        let rounding =
            |code: usize, of: &str| (code != 0).then(|| format!("{of}rounding {}", ROUNDINGS[code]));
        let is_set = |bit: u32, words: &str| (self.mxcsr & bit != 0).then(|| words.to_owned());
        let x87 = usize::from(self.x87);
        let precision = match x87 >> X87_PRECISION & 3 {
            3 => None,
            code => Some(format!("x87 precision of {} bits", [24, 0, 53][code])),
        };
        let list = [
            rounding(self.mxcsr as usize >> ROUNDING & 3, ""),
            is_set(FTZ, "subnormal results flushed to zero (FTZ)"),
            is_set(DAZ, "subnormal operands read as zero (DAZ)"),
            traps(self.mxcsr >> MASKS, ""),
            rounding(x87 >> X87_ROUNDING & 3, "x87 "),
            precision,
            traps(x87 as u32, "x87 "),
            self.x87_in_use.then(|| "x87 registers left in use (EMMS is missing)".to_owned()),
        ];
        list.into_iter().flatten().collect()
    }
}

impl fmt::Display for Environment {
    /// Writes the differences from the default, and the registers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let differences = self.differences();
        let words =
            if differences.is_empty() { "no known difference".to_owned() } else { differences.join(", ") };
        write!(f, "{words} (MXCSR 0x{:04x}, x87 control 0x{:04x})", self.mxcsr, self.x87 | X87_ONE)
    }
}

/// A saved environment with its status flags, which can be restored.
pub struct State {
    mxcsr: u32,
    /// The seven words that FNSTENV stores. Control, status and tags are in the low halves of the
    /// first three. Usually `None`: control and status are as after FNINIT. `None` avoids FNSTENV
    /// and FLDENV, which are slow.
    x87: Option<[u32; 7]>,
}

/// The control word of the x87 unit after FNINIT.
const X87_DEFAULT: u16 = Environment::DEFAULT.x87 | X87_ONE;

/// Whether control and status of the x87 unit are as after FNINIT. Does not wait for pending
/// exceptions.
#[inline]
fn x87_is_default() -> bool {
    let (mut control, mut status) = (0_u16, 0_u16);
    // SAFETY: the block stores two registers to local variables.
    unsafe {
        asm!(
            "fnstcw [{control}]",
            "fnstsw [{status}]",
            control = in(reg) &mut control,
            status = in(reg) &mut status,
            options(nostack, preserves_flags),
        );
    }
    (control, status) == (X87_DEFAULT, 0)
}

/// Resets the x87 unit. FNINIT does not wait for pending exceptions, so no pending exception can
/// trap.
fn reset_x87() {
    // SAFETY: the block restores the state that the compiler assumes, and leaves the registers
    // empty.
    unsafe {
        asm!(
            "fninit",
            out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
            out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
            options(nostack, preserves_flags),
        );
    }
}

/// Stores the state of the x87 unit. Afterwards, all exceptions of the x87 unit are masked. Nothing
/// else changes.
fn store_x87() -> [u32; 7] {
    let mut x87 = [0; 7];
    // SAFETY: the block stores 28 bytes to a local variable. It also masks exceptions, as the
    // compiler assumes.
    unsafe { asm!("fnstenv [{x87}]", x87 = in(reg) &mut x87, options(nostack, preserves_flags)) };
    x87
}

fn store_mxcsr() -> u32 {
    let mut mxcsr = 0;
    // SAFETY: the block stores a register to a local variable.
    unsafe { asm!("stmxcsr [{mxcsr}]", mxcsr = in(reg) &mut mxcsr, options(nostack, preserves_flags)) };
    mxcsr
}

/// # Safety
/// The register can hold the value, and the next code on this thread expects it.
unsafe fn load_mxcsr(mxcsr: u32) {
    // SAFETY: the caller meets the condition.
    unsafe { asm!("ldmxcsr [{mxcsr}]", mxcsr = in(reg) &mxcsr, options(nostack, preserves_flags, readonly)) };
}

impl State {
    /// Saves the environment. Afterwards, the x87 exceptions may be masked.
    pub fn save() -> State {
        State { mxcsr: store_mxcsr(), x87: (!x87_is_default()).then(store_x87) }
    }

    /// Returns the current environment, for use after a call. Includes whether x87 registers are in
    /// use. Masks the x87 exceptions.
    pub fn left() -> Environment {
        let x87 = store_x87();
        Environment::of(store_mxcsr(), x87[0] as u16, x87[2] as u16)
    }

    /// Sets the default environment with no status flag set. Leaves the x87 unit unchanged if its
    /// control and status are as after FNINIT. No pending exception can trap.
    pub fn set_default() {
        if x87_is_default() {
            // SAFETY: the compiler assumes the default.
            unsafe { load_mxcsr(Environment::DEFAULT.mxcsr) }
        } else {
            State::reset()
        }
    }

    /// Sets the default environment with no status flag set, and empties the x87 registers.
    pub fn reset() {
        reset_x87();
        // SAFETY: the compiler assumes the default.
        unsafe { load_mxcsr(Environment::DEFAULT.mxcsr) };
    }

    /// Restores the saved environment, pending exceptions included.
    ///
    /// # Safety
    /// The next code on this thread expects that environment.
    pub unsafe fn restore(&self) {
        match &self.x87 {
            // SAFETY: FNSTENV stored it, and FLDENV itself raises no exception.
            Some(x87) => unsafe {
                asm!("fldenv [{x87}]", x87 = in(reg) x87, options(nostack, preserves_flags, readonly));
            },
            None if x87_is_default() => {}
            None => reset_x87(),
        }
        // SAFETY: `save` stored the value, and the caller ensures the rest.
        unsafe { load_mxcsr(self.mxcsr) };
    }

    /// Returns the status flags of MXCSR.
    #[cfg(test)]
    pub fn flags(&self) -> u32 {
        self.mxcsr & FLAGS
    }
}
