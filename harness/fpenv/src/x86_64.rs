//! MXCSR for SSE and AVX; the control word, the status flags and the tags of the x87 unit.

use std::arch::asm;
use std::fmt;

/// Six status flags.
const FLAGS: u32 = 0x3f;
/// MXCSR: subnormal operands are read as zero.
const DAZ: u32 = 1 << 6;
/// MXCSR: subnormal results are flushed to zero.
const FTZ: u32 = 1 << 15;
/// Where the exception masks of MXCSR begin.
const MASKS: u32 = 7;
/// Where the rounding of MXCSR is.
const ROUNDING: u32 = 13;
/// Where the precision and the rounding of the x87 control word are.
const X87_PRECISION: u16 = 8;
const X87_ROUNDING: u16 = 10;
/// The bits of the x87 control word that mean something: masks, precision, rounding.
const X87_BITS: u16 = 0x0f3f;
/// The bit of the x87 control word that is always 1.
const X87_ONE: u16 = 1 << 6;
/// Tags of eight x87 registers that hold nothing.
const EMPTY: u16 = 0xffff;

/// What bits 0 to 5 of each register are about.
const EXCEPTIONS: [&str; 6] = [
    "invalid operations",
    "subnormal operands",
    "divisions by zero",
    "overflow",
    "underflow",
    "inexact results",
];
/// The names of the roundings, by their codes.
const ROUNDINGS: [&str; 4] = ["to nearest", "down (RM)", "up (RP)", "toward zero (RZ)"];

/// The control bits of the floating-point units, without their status flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Environment {
    mxcsr: u32,
    x87: u16,
    /// Registers of the x87 unit hold something, as after MMX instructions without EMMS.
    x87_in_use: bool,
}

impl Environment {
    /// Rounding to nearest, subnormal numbers honoured, every exception masked, x87 with 64 bits of precision.
    pub const DEFAULT: Environment = Environment { mxcsr: 0x1f80, x87: 0x033f, x87_in_use: false };

    /// The environment of this thread; x87 registers in use are not looked for.
    #[inline]
    pub fn current() -> Environment {
        let (mut mxcsr, mut control) = (0_u32, 0_u16);
        // SAFETY: the block stores two control registers to the locals that it is given.
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

    /// Whether it is the default.
    #[inline]
    pub fn is_default(self) -> bool {
        self == Environment::DEFAULT
    }

    /// Puts this thread into this environment; pending x87 exceptions are cleared.
    ///
    /// # Safety
    /// The compiler takes the default environment for granted: until that is set again, what Rust computes with floats
    /// is unspecified, and traps may end the program.
    pub unsafe fn set(self) {
        let (mxcsr, control) = (self.mxcsr, self.x87 | X87_ONE);
        // SAFETY: the block reads the locals; every value of this type has only bits that the registers have.
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

    /// Environments that are not the default, one for each thing that can be wrong, with its name. For tests.
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

    /// What differs from the default, in words.
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
    /// What differs from the default, and the registers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let differences = self.differences();
        let words =
            if differences.is_empty() { "no known difference".to_owned() } else { differences.join(", ") };
        write!(f, "{words} (MXCSR 0x{:04x}, x87 control 0x{:04x})", self.mxcsr, self.x87 | X87_ONE)
    }
}

/// The environment with its status flags, as it can be put back.
pub struct State {
    mxcsr: u32,
    /// What FNSTENV stores: control, status and tags in the low halves of the first three. None where control and status
    /// are as after FNINIT, which is the rule, for FNSTENV and FLDENV take long.
    x87: Option<[u32; 7]>,
}

/// The control word of the x87 unit as FNINIT sets it.
const X87_DEFAULT: u16 = Environment::DEFAULT.x87 | X87_ONE;

/// Whether control and status of the x87 unit are as after FNINIT. Waits for no pending exception.
#[inline]
fn x87_is_default() -> bool {
    let (mut control, mut status) = (0_u16, 0_u16);
    // SAFETY: the block stores two registers to the locals that it is given.
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

/// Resets the x87 unit. FNINIT waits for no pending exception, so none can trap.
fn reset_x87() {
    // SAFETY: the block restores the state that the compiler assumes, and leaves the registers empty.
    unsafe {
        asm!(
            "fninit",
            out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
            out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
            options(nostack, preserves_flags),
        );
    }
}

/// Stores the state of the x87 unit. All its exceptions are masked afterwards; all else stays.
fn store_x87() -> [u32; 7] {
    let mut x87 = [0; 7];
    // SAFETY: the block stores 28 bytes to the local. It also masks exceptions, which the compiler assumes.
    unsafe { asm!("fnstenv [{x87}]", x87 = in(reg) &mut x87, options(nostack, preserves_flags)) };
    x87
}

fn store_mxcsr() -> u32 {
    let mut mxcsr = 0;
    // SAFETY: the block stores a register to the local.
    unsafe { asm!("stmxcsr [{mxcsr}]", mxcsr = in(reg) &mut mxcsr, options(nostack, preserves_flags)) };
    mxcsr
}

/// # Safety
/// The value is one that the register can have, and the next code on this thread expects it.
unsafe fn load_mxcsr(mxcsr: u32) {
    // SAFETY: the condition is the caller's.
    unsafe { asm!("ldmxcsr [{mxcsr}]", mxcsr = in(reg) &mxcsr, options(nostack, preserves_flags, readonly)) };
}

impl State {
    /// Saves the environment, which may leave the x87 exceptions masked.
    pub fn save() -> State {
        State { mxcsr: store_mxcsr(), x87: (!x87_is_default()).then(store_x87) }
    }

    /// The environment that a call left, x87 registers in use included. The x87 exceptions are masked afterwards.
    pub fn left() -> Environment {
        let x87 = store_x87();
        Environment::of(store_mxcsr(), x87[0] as u16, x87[2] as u16)
    }

    /// Sets the default environment with no status flag set, unless it is there. No pending exception can trap.
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

    /// Puts the environment back as it was saved, pending exceptions included.
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
        // SAFETY: it was stored by `save`, and the caller answers for the rest.
        unsafe { load_mxcsr(self.mxcsr) };
    }

    /// The status flags of MXCSR.
    #[cfg(test)]
    pub fn flags(&self) -> u32 {
        self.mxcsr & FLAGS
    }
}
