//! An interpreter of PTX kernels on the CPU.
//!
//! It was written from NVIDIA's public *PTX ISA* (version 8.2 and later) alone, so it is independent: no result was
//! taken from another part of this project. Two things are exceptions: the statements of machine instructions in the table
//! below, and the points at the end, which the ISA leaves open. There this crate is no independent evidence of PTX. It runs
//! the kernels that stand for single machine instructions, whether or not there is a GPU, and supports the PTX that occurs
//! in them. All other PTX is refused when a module is parsed, with the line number.
//!
//! PTX has no statement for some machine instructions. [`Module::parse_machine`] reads five more for them:
//!
//! | statement | machine instruction |
//! |---|---|
//! | `mul.rnd{.ftz}{.sat}.scale.f32 d, a, b`, where `.scale` is one of `.d2 .d4 .d8 .m2 .m4 .m8` | FMUL with a scale |
//! | `selp.ftz.f32 d, a, b, p` | FSEL.FTZ |
//! | `fchk.f32 p, a, b` | FCHK |
//! | `sin.turns.ftz.f32 d, a` and `cos.turns.ftz.f32 d, a` | MUFU.SIN and MUFU.COS, of turns |
//!
//! The first three follow the document of the instruction set, as read by E176, E185 and E189.
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
//! # Where to find what
//!
//! | file | holds |
//! |---|---|
//! | `token`, `parse`, `operand`, `form`, `decode`, `types`, `body` | from text to columns and steps |
//! | `error` | what is wrong with the text, and on which line |
//! | `check` | that no step reads what was never written, and that every path returns |
//! | `column`, `step` | what a kernel is once parsed: columns, and steps over them |
//! | `execute` | how up to 256 threads run a kernel together |
//! | `lanes` | the values of these threads, and functions applied to all of them |
//! | `integer`, `logic`, `compare` | integers and bits (ISA 9.7.1, 9.7.2, 9.7.7), comparison and selection (9.7.5) |
//! | `float` | `add`, `mul`, `fma`, `min` and `max` of `.f32` (9.7.3) |
//! | `approx`, `format` | the `.approx` instructions, rounded correctly (9.7.3, 9.7.4) |
//! | `machine` | machine instructions that PTX lacks |
//!
//! # What the ISA leaves open, and what is no opinion of its own
//!
//! * *Errors of `.approx`.* The ISA only bounds them. Here every result is the exact one, rounded to nearest.
//! * *Carry after a subtraction.* In the ISA `sub.cc` writes the "borrow-out" to `CC.CF`, without the value of the bit
//!   for a borrow, and `addc` adds that bit. By public reports (`add.cc r, 0, 0` followed by `subc r, 0, 0` gives −1),
//!   NVIDIA's assembler subtracts by adding the complement, and `CC.CF` is the carry of that addition: 1 without a
//!   borrow. So it is here: after `sub.cc.u32 t, 0, x`, an `addc` adds 1 if and only if `x` is 0. *No independent
//!   evidence*: the kernels need it.
//! * *NaN in `abs.f32` and `neg.f32`* gives "an unspecified NaN"; the ISA names preserving the payload and changing
//!   only the sign as a possible future implementation. This crate does that.
//! * *Subnormal results with `.ftz`* "are flushed to sign-preserving zero"; the ISA does not define when a result is
//!   subnormal. NVIDIA's assembler folds 0x3f7fffff × 0x00800000 to zero and 0x20000001 × 0x1ffffffe to the least
//!   normal number. So the result rounded to 24 bits without a bound on the exponent decides (E173). *No independent
//!   evidence*: the first version, from the ISA alone, decided after rounding.
//! * *`.sat` of −0* gives +0: the clamp is to \[+0.0, 1.0\].
//! * *`sin` and `cos`.* NVIDIA's assembler multiplies by 1/2π first, and so does this crate: [`TURN`]. *No independent
//!   evidence*: the assembler rounds the product towards zero and includes a negation, and so does this crate. A result
//!   of zero has the sign of the values next to it, further from zero: so it was measured on an NVIDIA H200.
//! * *Division by zero* yields "an unspecified, machine-specific value": all ones, and the dividend as remainder.
//! * *`{!}` before a predicate* is in the syntax of `setp` and `set` only, but kernels in use have it in `selp`
//!   and `lop3` as well. Here it may stand before every predicate that is read.

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

/// The `.f32` nearest to 1/2π, by which `sin.approx` and `cos.approx` multiply first.
pub const TURN: u32 = 0x3e22_f983;

/// A module of kernels.
#[derive(Clone, Debug)]
pub struct Module {
    target: String,
    kernels: Vec<Kernel>,
    by_name: HashMap<String, usize>,
}

impl Module {
    /// Reads the text of a module: its header and any number of kernels.
    ///
    /// # Errors
    ///
    /// At the first thing that is not PTX or is not supported.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        parse::module(text, Language::Ptx)
    }

    /// Reads a module that may also have the statements of machine instructions that PTX lacks (see the head of the
    /// crate). It says what machine code does after some of its bits were replaced.
    ///
    /// # Errors
    ///
    /// As [`Module::parse`].
    pub fn parse_machine(text: &str) -> Result<Self, ParseError> {
        parse::module(text, Language::Machine)
    }

    /// The kernel of that name.
    #[must_use]
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.by_name.get(name).map(|&index| &self.kernels[index])
    }

    /// All kernels in the order of the text.
    pub fn kernels(&self) -> impl Iterator<Item = &Kernel> {
        self.kernels.iter()
    }

    /// What the module was written for, as `sm_90`.
    #[must_use]
    pub fn target(&self) -> &str {
        &self.target
    }
}

/// One kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    name: String,
    parameters: Vec<Parameter>,
    columns: Vec<Initial>,
    steps: Vec<Step>,
}

impl Kernel {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The types of its parameters.
    #[must_use]
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Runs it to its end in every thread of the launch.
    ///
    /// Threads run together in groups of up to 256 of one block, group after group; within a group, all threads
    /// finish an instruction before any of them begins the next.
    ///
    /// # Errors
    ///
    /// When the arguments do not fit the parameters, or a thread loads or stores where there is no word.
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

/// The number of threads of a kernel: a grid of one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Blocks in the grid.
    pub blocks: u32,
    /// Threads in each block.
    pub threads: u32,
}

/// Global memory. Every address is a multiple of four: another one traps before memory is asked.
pub trait Memory {
    /// The word at an address; `None` if there is none.
    fn load(&self, address: u64) -> Option<u32>;

    /// Stores a word; `None` if there is none at that address.
    fn store(&mut self, address: u64, word: u32) -> Option<()>;
}

/// Why a kernel did not run to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trap {
    /// A thread loaded from where there is no word.
    #[error("line {line}: block {block}, thread {thread} loads from {address:#x}, where there is no word")]
    Load {
        /// Where it loaded from.
        address: u64,
        /// The line of the instruction.
        line: usize,
        /// The block.
        block: u32,
        /// The thread within the block.
        thread: u32,
    },
    /// A thread stored to where there is no word.
    #[error("line {line}: block {block}, thread {thread} stores to {address:#x}, where there is no word")]
    Store {
        /// Where it stored to.
        address: u64,
        /// The line of the instruction.
        line: usize,
        /// The block.
        block: u32,
        /// The thread within the block.
        thread: u32,
    },
    /// The arguments do not fit the parameters.
    #[error("arguments {arguments:x?} do not fit parameters {parameters:?}")]
    Arguments {
        /// What the kernel takes.
        parameters: Vec<Parameter>,
        /// The given arguments.
        arguments: Vec<u64>,
    },
}
