//! The host CPU, as an implementation of FALU (except FCHK) and of XU's integer instructions.
//!
//! The host CPU is hardware that a vendor has verified, and the only cross-check that is not
//! software. It uses the float unit in its rounding modes, its compares, and the integer unit.
//! Which instructions it supports depends on the machine. [`HostCpu::describe`] lists what is
//! missing, so that a caller can report it. The module for `x86_64` has the only unsafe code of the
//! crate. On other machines, only the compares are supported.

#[cfg_attr(target_arch = "x86_64", path = "x86_64.rs")]
#[cfg_attr(not(target_arch = "x86_64"), path = "absent.rs")]
mod unit;

use std::fmt;

use assay_isa::codec::decode;
use assay_isa::tables::types::FCMPOp;
use assay_isa::{
    Answer, BackendError, Batch, Effects, EncodingTable, Erratum, Instruction, Readings, Subject, catalog,
};

use crate::arithmetic::{Arithmetic, Operation};
use crate::comparison::Floats;
use crate::computation::Computation;
use crate::integers::Integer;
use crate::operands::{inputs, write};
use unit::Unit;

/// The current machine, for FADD, FMUL, FFMA, FMNMX, FSETP, FSET, FSEL, POPC, FLO, BREV, BMSK and
/// SGXT.
///
/// Besides the readings `intended`, it follows E056 = 2 (BREV reverses) and E170 = 1 (.SAT keeps
/// -0). It also follows E173 where the setting cannot matter: for FADD, and without .FTZ. Under any
/// other setting that can change the result, the instruction is unsupported.
#[derive(Clone, Debug)]
pub struct HostCpu {
    numbers: EncodingTable,
    readings: Readings,
    unit: Unit,
}

const FOLLOWED: &[Erratum] = &[Erratum(56), Erratum(170)];

/// The abilities of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// The machine with its extensions, e.g. `x86_64 SSE2`.
    pub unit: String,
    /// The optypes that the machine executes.
    pub optypes: Vec<&'static str>,
    /// The rounding modes, as the assembler spells them. Every executed optype with a rounding mode
    /// supports all of them.
    pub roundings: Vec<&'static str>,
    /// The optypes that this implementation supports on other machines but not on this one. Each
    /// optype has the reason.
    pub missing: Vec<(&'static str, &'static str)>,
}

impl fmt::Display for Capabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.unit)?;
        match self.optypes[..] {
            [] => write!(f, "nothing")?,
            _ => write!(f, "{}", self.optypes.join(" "))?,
        }
        if !self.roundings.is_empty() {
            write!(f, ", rounding {}", self.roundings.join(" "))?;
        }
        self.missing.iter().try_for_each(|(optype, why)| write!(f, "; no {optype}: {why}"))
    }
}

impl HostCpu {
    /// Creates the implementation with an encoding table and readings.
    pub fn new(numbers: EncodingTable, readings: Readings) -> HostCpu {
        HostCpu { numbers, readings, unit: Unit::detect() }
    }

    /// Returns what this machine supports. Tries every form of the catalog.
    pub fn describe() -> Capabilities {
        let unit = Unit::detect();
        let (mut optypes, mut missing) = (Vec::new(), Vec::new());
        for form in &catalog().forms {
            let computation = Computation::of(&Instruction::new(form), &Readings::INTENDED);
            let Some(computation) = computation.filter(is_a_machines) else { continue };
            let optype = form.optype.name;
            match unit.gap(&computation) {
                None => optypes.push(optype),
                Some(why) => missing.push((optype, why)),
            }
        }
        // The forms of an optype are adjacent and have the same requirements.
        optypes.dedup();
        missing.dedup();
        Capabilities { unit: unit.name(), optypes, roundings: unit.roundings(), missing }
    }

    fn calculate(
        &self,
        arithmetic: &Arithmetic,
        instruction: &Instruction,
        batch: &Batch,
        effects: &mut Effects,
    ) -> Result<(), BackendError> {
        let (operation, round) = (arithmetic.operation, arithmetic.round);
        let inputs = inputs(instruction, batch)?;
        write(instruction, batch, effects, |_, lane| {
            let operand = |i: usize| inputs.get(i).map_or(0, |input| arithmetic.operand(input.get(lane)));
            let [a, b, c] = [operand(0), operand(1), operand(2)].map(f32::from_bits);
            let rounded = match operation {
                Operation::Add => self.unit.add(a, b, round),
                Operation::Mul { scale: 0 } => self.unit.mul(a, b, round),
                Operation::Mul { scale } => self.unit.narrow(scaled_product(a, b, scale), round),
                Operation::Fma => self.unit.fma(a, b, c, round),
            };
            arithmetic.result(rounded.to_bits(), false)
        })
    }

    fn count(
        &self,
        integer: &Integer,
        instruction: &Instruction,
        batch: &Batch,
        effects: &mut Effects,
    ) -> Result<(), BackendError> {
        let inputs = inputs(instruction, batch)?;
        write(instruction, batch, effects, |_, lane| {
            let operand = |i: usize| inputs.get(i).map_or(0, |input| input.get(lane));
            integer.result(&self.unit, [operand(0), operand(1)])
        })
    }
}

/// Returns whether some machine has instructions for a computation: true except for FCHK.
fn is_a_machines(computation: &Computation) -> bool {
    !matches!(computation, Computation::Check)
}

impl Subject for HostCpu {
    fn name(&self) -> &str {
        "host"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        effects.reset(batch.len());
        let instruction = decode(batch.word(), &self.numbers)?;
        let Some(computation) = Computation::of(&instruction, &self.readings) else {
            return Ok(Answer::Unsupported);
        };
        if self.unit.gap(&computation).is_some()
            || !computation.is_settled(&instruction, &self.readings, FOLLOWED)
        {
            return Ok(Answer::Unsupported);
        }
        match computation {
            Computation::Arithmetic(arithmetic) => {
                self.calculate(&arithmetic, &instruction, batch, effects)?;
            }
            Computation::Comparison(comparison) => {
                comparison.write::<Compares>(&instruction, batch, effects)?;
            }
            Computation::Integer(integer) => self.count(&integer, &instruction, batch, effects)?,
            Computation::Check => return Ok(Answer::Unsupported),
        }
        Ok(Answer::Known)
    }
}

/// Returns a·2^scale·b exactly. The product has 48 bits and lies between 2^-301 and 2^259 in
/// magnitude.
fn scaled_product(a: f32, b: f32, scale: i32) -> f64 {
    f64::from(a) * f64::from(b) * 2f64.powi(scale)
}

/// The machine's compares of floats. Rust's operators compile to them (`ucomiss`, `cmpss`).
struct Compares;

impl Floats for Compares {
    fn is_nan(x: u32) -> bool {
        f32::from_bits(x).is_nan()
    }

    fn is_subnormal(x: u32) -> bool {
        let magnitude = f32::from_bits(x).abs();
        0.0 < magnitude && magnitude < f32::MIN_POSITIVE
    }

    #[expect(
        clippy::neg_cmp_op_on_partial_ord,
        clippy::double_comparisons,
        reason = "with a NaN these are not what they would simplify to"
    )]
    fn holds(cmp: FCMPOp, a: u32, b: u32) -> bool {
        let (a, b) = (f32::from_bits(a), f32::from_bits(b));
        match cmp {
            FCMPOp::EQ => a == b,
            FCMPOp::NE => a < b || a > b,
            FCMPOp::LT => a < b,
            FCMPOp::LE => a <= b,
            FCMPOp::GT => a > b,
            FCMPOp::GE => a >= b,
            FCMPOp::EQU => !(a < b || a > b),
            FCMPOp::NEU => a != b,
            FCMPOp::LTU => !(a >= b),
            FCMPOp::LEU => !(a > b),
            FCMPOp::GTU => !(a <= b),
            FCMPOp::GEU => !(a < b),
            FCMPOp::NAN => a.is_nan() || b.is_nan(),
            FCMPOp::NUM => !a.is_nan() && !b.is_nan(),
        }
    }

    // Equal numbers differ at most in the sign of zero. `|` gives -0 and `&` gives +0.

    fn minimum(a: u32, b: u32) -> u32 {
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        match (x < y, y < x) {
            (true, _) => a,
            (_, true) => b,
            _ => a | b,
        }
    }

    fn maximum(a: u32, b: u32) -> u32 {
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        match (x > y, y > x) {
            (true, _) => a,
            (_, true) => b,
            _ => a & b,
        }
    }
}
