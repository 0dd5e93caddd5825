//! An interpreter of PTX kernels on the CPU.
//!
//! The interpreter was written only from NVIDIA's public *PTX ISA* (version 8.2 and later), and no
//! result was taken from another part of this project. So the interpreter is independent, with two
//! exceptions: the statements for machine instructions in the table below, and the points at the
//! end, which the ISA leaves open. For these exceptions, this crate is no independent evidence of
//! PTX. The interpreter runs the kernels that stand for single machine instructions, with or
//! without a GPU. It supports the PTX that occurs in these kernels. All other PTX is refused with
//! the line number when a module is parsed.
//!
//! PTX has no statement for some machine instructions. [`Module::parse_machine`] accepts five more
//! statements for them:
//!
//! | statement | machine instruction |
//! |---|---|
//! | `mul.rnd{.ftz}{.sat}.scale.f32 d, a, b`, where `.scale` is one of `.d2 .d4 .d8 .m2 .m4 .m8` | FMUL with a scale |
//! | `selp.ftz.f32 d, a, b, p` | FSEL.FTZ |
//! | `fchk.f32 p, a, b` | FCHK |
//! | `sin.turns.ftz.f32 d, a` and `cos.turns.ftz.f32 d, a` | MUFU.SIN and MUFU.COS, of turns |
//!
//! The first three statements follow the document of the instruction set, with one reading each of
//! E176, E185 and E189.
//!
//! ```
//! # let text = "
//! .version 8.2
//! .target sm_90
//! .address_size 64
//! .visible .entry twice(.param .u64 place) {
//!     .reg .b64 %place;
//!     .reg .b32 %x;
//!     ld.param.u64 %place, [place];
//!     ld.global.b32 %x, [%place];
//!     add.rn.f32 %x, %x, %x;
//!     st.global.b32 [%place], %x;
//!     ret;
//! }
//! # ";
//! struct Word(u32);
//! impl assay_ptx::Memory for Word {
//!     fn load(&self, address: u64) -> Option<u32> {
//!         (address == 0x1000).then_some(self.0)
//!     }
//!     fn store(&mut self, address: u64, word: u32) -> Option<()> {
//!         (address == 0x1000).then(|| self.0 = word)
//!     }
//! }
//! let module = assay_ptx::Module::parse(text)?;
//! let mut word = Word(1.5_f32.to_bits());
//! let launch = assay_ptx::Launch { blocks: 1, threads: 1 };
//! module.kernel("twice").unwrap().run(&launch, &[0x1000], &mut word)?;
//! assert_eq!(f32::from_bits(word.0), 3.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Files
//!
//! | file | contents |
//! |---|---|
//! | `token`, `parse`, `operand`, `form`, `decode`, `types`, `body` | from text to columns and steps |
//! | `error` | the problem of a text, and its line |
//! | `check` | checks that no step reads an unwritten column, and that every path returns |
//! | `column`, `step` | a parsed kernel: columns, and steps over them |
//! | `execute` | runs a kernel, up to 256 threads together |
//! | `lanes` | the values of these threads, and functions applied to all of them |
//! | `integer`, `logic`, `compare` | integers and bits (ISA 9.7.1, 9.7.2, 9.7.7), comparison and selection (9.7.5) |
//! | `float` | `add`, `mul`, `fma`, `min` and `max` of `.f32` (9.7.3) |
//! | `approx`, `format` | the `.approx` instructions, rounded correctly (9.7.3, 9.7.4) |
//! | `machine` | FSEL.FTZ and FCHK, which PTX lacks |
//!
//! # What the ISA leaves open, and where this crate is not independent
//!
//! * *Errors of `.approx`.* The ISA only bounds them. Here every result is the exact value, rounded
//!   to nearest.
//! * *Carry after a subtraction.* In the ISA, `sub.cc` writes the "borrow-out" to `CC.CF`, and
//!   `addc` adds this bit. The ISA does not state whether the bit is 0 or 1 for a borrow. By public
//!   reports (`add.cc r, 0, 0` followed by `subc r, 0, 0` gives −1), NVIDIA's assembler subtracts
//!   by adding the complement. `CC.CF` is then the carry of that addition, which is 1 if there is
//!   no borrow. This crate does the same: after `sub.cc.u32 t, 0, x`, an `addc` adds 1 if and only
//!   if `x` is 0. *No independent evidence*: this behaviour was chosen because the kernels need it.
//! * *NaN in `abs.f32` and `neg.f32`.* The result is "an unspecified NaN". The ISA names a possible
//!   future implementation, which preserves the payload and changes only the sign. This crate does
//!   that.
//! * *Subnormal results with `.ftz`.* Subnormal results "are flushed to sign-preserving zero", but
//!   the ISA does not define when a result is subnormal. NVIDIA's assembler evaluates 0x3f7fffff ×
//!   0x00800000 to zero, and 0x20000001 × 0x1ffffffe to the least normal number. So here a result
//!   is subnormal if it is below the least normal number when rounded to 24 bits with an unbounded
//!   exponent (E173). *No independent evidence*: the first version of this crate, which followed
//!   only the ISA, tested for a subnormal after rounding.
//! * *`.sat` of −0* gives +0: results are clamped to \[+0.0, 1.0\].
//! * *`sin` and `cos`.* NVIDIA's assembler multiplies by 1/2π first, and so does this crate:
//!   [`TURN`]. *No independent evidence*: the assembler rounds the product towards zero and
//!   includes a negation, and so does this crate. A zero result has the sign of the value just
//!   beyond the magnitude of the argument, as measured on an NVIDIA H200.
//! * *Division by zero* yields "an unspecified, machine-specific value". Here the quotient is all
//!   ones, and the remainder is the dividend.
//! * *`{!}` before a predicate.* The ISA has the `!` only in the syntax of `setp` and `set`, but
//!   existing kernels also have it in `selp` and `lop3`. This crate allows it before every
//!   predicate that is read.

mod approx;
mod body;
mod check;
mod column;
mod compare;
mod decode;
mod error;
mod execute;
mod float;
mod form;
mod format;
mod integer;
mod lanes;
mod logic;
mod machine;
mod operand;
mod parse;
mod step;
mod token;
mod types;

use std::collections::HashMap;

use column::Initial;
use decode::Language;
pub use error::ParseError;
use step::Step;

/// The `.f32` nearest to 1/2π. `sin.approx` and `cos.approx` first multiply the operand by it.
pub const TURN: u32 = 0x3e22_f983;

/// A module of kernels.
#[derive(Clone, Debug)]
pub struct Module {
    target: String,
    kernels: Vec<Kernel>,
    by_name: HashMap<String, usize>,
}

impl Module {
    /// Parses the text of a module: its header and any number of kernels.
    ///
    /// # Errors
    ///
    /// Returns an error for the first text that is not PTX or is not supported.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        parse::module(text, Language::Ptx)
    }

    /// Parses a module that may also have the statements for machine instructions that PTX lacks
    /// (see the head of the crate). Such a module describes machine code in which some bits were
    /// replaced.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Module::parse`].
    pub fn parse_machine(text: &str) -> Result<Self, ParseError> {
        parse::module(text, Language::Machine)
    }

    /// Returns the kernel with this name.
    #[must_use]
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.by_name.get(name).map(|&index| &self.kernels[index])
    }

    /// Returns all kernels, in the order of the text.
    pub fn kernels(&self) -> impl Iterator<Item = &Kernel> {
        self.kernels.iter()
    }

    /// Returns the target of the module, such as `sm_90`.
    #[must_use]
    pub fn target(&self) -> &str {
        &self.target
    }
}

/// A parsed kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    name: String,
    parameters: Vec<Parameter>,
    columns: Vec<Initial>,
    steps: Vec<Step>,
}

impl Kernel {
    /// Returns the kernel's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the types of the kernel's parameters.
    #[must_use]
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Runs the kernel to its end in every thread of the launch.
    ///
    /// Up to 256 threads of one block run together as a group. The groups run one after the other.
    /// Within a group, all threads finish an instruction before any of them begins the next.
    ///
    /// # Errors
    ///
    /// Returns an error if the arguments do not fit the parameters, or if a thread accesses an
    /// address where there is no word.
    pub fn run(&self, launch: &Launch, arguments: &[u64], memory: &mut dyn Memory) -> Result<(), Trap> {
        execute::run(self, launch, arguments, memory)
    }
}

/// The type of a kernel's parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// `.u32`
    U32,
    /// `.u64`
    U64,
}

/// The number of threads of a launch. The grid has one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Number of blocks in the grid.
    pub blocks: u32,
    /// Number of threads in each block.
    pub threads: u32,
}

/// Global memory. Addresses are multiples of four: an access to any other address traps without a
/// call of these functions.
pub trait Memory {
    /// Returns the word at an address. `None`: there is no word.
    fn load(&self, address: u64) -> Option<u32>;

    /// Stores a word at an address. `None`: there is no word.
    fn store(&mut self, address: u64, word: u32) -> Option<()>;
}

/// The reason why a kernel did not run to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trap {
    /// A thread loaded from an address where there is no word.
    #[error("line {line}: block {block}, thread {thread} loads from {address:#x}, where there is no word")]
    Load {
        /// The address.
        address: u64,
        /// The line of the instruction.
        line: usize,
        /// The number of the block.
        block: u32,
        /// The number of the thread in its block.
        thread: u32,
    },
    /// A thread stored to an address where there is no word.
    #[error("line {line}: block {block}, thread {thread} stores to {address:#x}, where there is no word")]
    Store {
        /// The address.
        address: u64,
        /// The line of the instruction.
        line: usize,
        /// The number of the block.
        block: u32,
        /// The number of the thread in its block.
        thread: u32,
    },
    /// The arguments do not fit the parameters.
    #[error("arguments {arguments:x?} do not fit parameters {parameters:?}")]
    Arguments {
        /// The types of the kernel's parameters.
        parameters: Vec<Parameter>,
        /// The given arguments.
        arguments: Vec<u64>,
    },
}
