//! MUFU (document `000`): so far the reciprocal, of binary32 and of the high word of a binary64.
//!
//! The special rows of the document's tables are here, the numeric path is [`rcp`].

#[allow(dead_code, reason = "the functions are yet to be called")]
mod ex2;
#[allow(dead_code, reason = "the functions are yet to be called")]
mod interpolate;
#[allow(dead_code, reason = "the functions are yet to be called")]
mod lg2;
#[allow(dead_code, reason = "the functions are yet to be called")]
mod number;
mod rcp;
pub mod rom;
#[allow(dead_code, reason = "the functions are yet to be called")]
mod rsq;
#[allow(dead_code, reason = "the functions are yet to be called")]
mod sqrt;
#[allow(dead_code, reason = "the functions are yet to be called")]
mod tanh;
#[allow(dead_code, reason = "the functions are yet to be called")]
mod trig;

use assay_isa::format::{F64_HIGH, Format};
use assay_isa::tables::types::{FPSat, MUFUDType, MUFUOp};
use assay_isa::{Instruction, Reading};

use crate::faults::Fault;
use crate::float::{self, INFINITY, NAN, QUIET, SIGN};
use crate::knobs::Knobs;

/// A function of one operand.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Function {
    /// `.RCP.F32`
    RcpF32 {
        /// `.SAT`
        sat: bool,
    },
    /// `.RCP.F64`
    RcpF64,
}

impl Function {
    /// The function of an instruction, if the model has it.
    pub(crate) fn of(instruction: &Instruction) -> Option<Function> {
        match (instruction.modifier("mufuop")?, instruction.modifier("dtype")?) {
            (MUFUOp::RCP, MUFUDType::F32) => {
                Some(Function::RcpF32 { sat: instruction.modifier("sat") == Some(FPSat::SAT) })
            }
            (MUFUOp::RCP, MUFUDType::F64) => Some(Function::RcpF64),
            _ => None,
        }
    }
}

/// 1/x of a binary32.
#[inline]
pub(crate) fn rcp_f32<K: Knobs>(k: &K, sat: bool, x: u32) -> u32 {
    // E042 = 2 treats both ends as FTZ does.
    let flush = |bits| if k.reading(Reading::E042) == 2 { float::flush(bits) } else { bits };
    let x = flush(x);
    let magnitude = x & !SIGN;
    let result = if magnitude > INFINITY {
        nan(k, x)
    } else if magnitude == INFINITY {
        infinity(k, x, INFINITY)
    } else if magnitude == 0 {
        zero(k, x, INFINITY)
    } else {
        flush(rcp::rcp_f32(k, x))
    };
    if sat && !k.fault(Fault::RcpSaturationIgnored) { saturate(k, result) } else { result }
}

/// The quiet NaN of F32 (E036).
fn nan<K: Knobs>(k: &K, x: u32) -> u32 {
    if k.fault(Fault::RcpNanPayload) {
        x | QUIET
    } else if k.reading(Reading::E036) == 1 {
        u32::MAX
    } else {
        NAN
    }
}

/// Row ±Inf: a zero of that sign.
fn infinity<K: Knobs>(k: &K, x: u32, infinity: u32) -> u32 {
    let sign = x & SIGN;
    if k.fault(Fault::RcpInfinityRow) { sign | infinity } else { sign }
}

/// Row ±0: an infinity of that sign.
fn zero<K: Knobs>(k: &K, x: u32, infinity: u32) -> u32 {
    let sign = if k.fault(Fault::RcpZeroSign) { 0 } else { x & SIGN };
    sign | infinity
}

/// [+0, 1], NaN to +0. The document has no code for it that could let -0 through, as E170 has.
fn saturate<K: Knobs>(k: &K, bits: u32) -> u32 {
    let nan = bits & !SIGN > INFINITY;
    if nan && k.fault(Fault::RcpSaturationNan) {
        bits
    } else if nan || bits & SIGN != 0 {
        0
    } else {
        bits.min(float::ONE)
    }
}

/// Whether an operand of `.RCP.F64` is a number that no row of special values covers.
pub(crate) fn is_f64_number(x: u32) -> bool {
    (1 << F64_HIGH.fraction_bits..F64_HIGH.infinity()).contains(&(x & !SIGN))
}

/// The high word of 1/x for the high word of x, which stands for the binary64 x:00000000 (E040).
///
/// Subnormals are flushed on both ends, whatever E042 says about F32.
#[inline]
pub(crate) fn rcp_f64<K: Knobs>(k: &K, x: u32) -> u32 {
    const F64: Format = F64_HIGH;
    let magnitude = x & !SIGN;
    let least = if k.fault(Fault::RcpF64SubnormalInput) { 1 } else { 1 << F64.fraction_bits };
    let row = if magnitude > F64.infinity() {
        if k.fault(Fault::RcpNanPayload) { x | QUIET } else { NAN }
    } else if magnitude == F64.infinity() {
        infinity(k, if k.fault(Fault::RcpF64InfinitySign) { magnitude } else { x }, F64.infinity())
    } else if magnitude < least {
        zero(k, x, F64.infinity())
    } else {
        return rcp::rcp_f64_high(k, x).unwrap_or(x & SIGN);
    };
    // The low word of every special value of 64 bits is 0.
    if k.reading(Reading::E040) == 1 { 0 } else { row }
}
