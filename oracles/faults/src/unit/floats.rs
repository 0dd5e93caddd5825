//! Faults that change a result of MUFU, FMNMX, FSETP, FSET, FSEL or FCHK.

use assay_isa::format::{F32, F64_HIGH, Format};
use assay_isa::tables::types::{FPSat, HSel, MUFUDType, MUFUOp};

use assay_model::Computed;

use super::lanes::each;
use super::outputs::outputs;
use super::{half_format, halves};
use crate::Fault;
use crate::binary32::{INFINITY, ONE, QUIET, SIGN, flush, is_nan, saturate};

/// Changes the results of an output as a fault does.
pub(super) fn after(fault: Fault, computed: &Computed<'_>, results: &mut [u32]) {
    match computed.instruction.optype() {
        "MUFU" => mufu(fault, computed, results),
        "FMNMX" => extreme(fault, computed, results),
        "FCHK" => check(fault, computed, results),
        "FSETP" => outputs(fault, computed, results),
        _ => select(fault, computed, results),
    }
}

/// Applies faults of FSET and FSEL.
fn select(fault: Fault, computed: &Computed<'_>, results: &mut [u32]) {
    match fault {
        Fault::FsetFloatAsInteger => each(computed, results, |x, []| if x == ONE { 1 } else { x }),
        Fault::FsetMaskOne => each(computed, results, |x, []| if x == !0 { 1 } else { x }),
        Fault::FselNanQuieted => each(computed, results, |x, []| if is_nan(x) { x | QUIET } else { x }),
        Fault::FselNanSign => each(computed, results, |x, []| if is_nan(x) { x & !SIGN } else { x }),
        _ => {}
    }
}

/// Applies faults of FMNMX.
fn extreme(fault: Fault, computed: &Computed<'_>, results: &mut [u32]) {
    let propagates = computed.instruction.flag("nan");
    each(computed, results, |result, [a, b, pp]| {
        let (nan_a, nan_b) = (is_nan(a), is_nan(b));
        match fault {
            Fault::FmnmxIntegerOrder if !nan_a && !nan_b => {
                if ((a as i32) < b as i32) == (pp != 0) {
                    a
                } else {
                    b
                }
            }
            Fault::FmnmxNanPassed if nan_b && !propagates => b | QUIET,
            Fault::FmnmxNanPayload if nan_a && (propagates || nan_b) => a | QUIET,
            _ => result,
        }
    });
}

/// Applies faults of FCHK, in its bounds for the two exponents and their difference.
fn check(fault: Fault, computed: &Computed<'_>, results: &mut [u32]) {
    let exponent = |bits: u32| ((bits & INFINITY) >> 23) as i32 - 127;
    let off = |wrong: Fault| i32::from(fault == wrong);
    let is_own = matches!(
        fault,
        Fault::FchkDifferenceReversed
            | Fault::FchkDifferenceWraps
            | Fault::FchkFirstHigh
            | Fault::FchkInfinityUnseen
            | Fault::FchkFirstLow
            | Fault::FchkSecondLow
            | Fault::FchkSecondHigh
            | Fault::FchkDifferenceLow
            | Fault::FchkDifferenceHigh
    );
    if !is_own {
        return;
    }
    each(computed, results, |_, [a, b]| {
        let (ea, eb) = (exponent(a), exponent(b));
        let difference = match fault {
            Fault::FchkDifferenceReversed => eb - ea,
            Fault::FchkDifferenceWraps => i32::from((ea - eb) as i8),
            _ => ea - eb,
        };
        let first = ea <= -103 - off(Fault::FchkFirstLow)
            || ea >= 128 - off(Fault::FchkFirstHigh) && fault != Fault::FchkInfinityUnseen;
        let second = eb <= -126 - off(Fault::FchkSecondLow) || eb >= 125 + off(Fault::FchkSecondHigh);
        let apart = difference <= -125 - off(Fault::FchkDifferenceLow)
            || difference >= 127 + off(Fault::FchkDifferenceHigh);
        u32::from(first || second || apart)
    });
}

/// Applies faults of MUFU.
fn mufu(fault: Fault, computed: &Computed<'_>, results: &mut [u32]) {
    let instruction = computed.instruction;
    let Some(dtype) = instruction.modifier("dtype") else { return };
    match dtype {
        MUFUDType::F32 => single(fault, computed, results),
        MUFUDType::F64 if fault == Fault::MufuNanPayloadHigh => each(computed, results, |y, [x]| {
            if F64_HIGH.is_nan(y) { x | 1 << (F64_HIGH.fraction_bits - 1) } else { y }
        }),
        MUFUDType::F64 if fault == Fault::MufuHighOutputNotFlushed => each(computed, results, |y, [x]| {
            let exact = 1.0 / f64::from_bits(u64::from(x) << 32);
            let of_rcp = instruction.modifier("mufuop") == Some(MUFUOp::RCP);
            if of_rcp && exact.is_subnormal() { (exact.to_bits() >> 32) as u32 } else { y }
        }),
        MUFUDType::F64 => {}
        _ => {
            let Some(format) = half_format(dtype) else { return };
            let is_pair = matches!(dtype, MUFUDType::F16_V2 | MUFUDType::BF16_V2);
            packed(fault, format, is_pair, computed, results);
        }
    }
}

/// Applies faults of MUFU.F32. For faults in `.SAT`, the unit gets the instruction without `.SAT`,
/// so its results are not saturated yet.
fn single(fault: Fault, computed: &Computed<'_>, results: &mut [u32]) {
    let instruction = computed.instruction;
    let saturates = instruction.modifier("sat") == Some(FPSat::SAT);
    let operation = instruction.modifier("mufuop");
    let saturated = |y: u32| if saturates { saturate(y) } else { y };
    each(computed, results, |y, [x]| {
        let passes = match fault {
            Fault::MufuSaturationNan => is_nan(y),
            Fault::MufuSaturationNegative => y > SIGN && !is_nan(y),
            Fault::MufuSaturationNegativeZero => y == SIGN,
            Fault::MufuSaturationInfinity => y == INFINITY,
            Fault::MufuNanPayload => return saturated(if is_nan(y) { x | QUIET } else { y }),
            Fault::MufuOutputFlushed if operation != Some(MUFUOp::TANH) => return flush(y),
            Fault::RcpExponentOffByOne if operation == Some(MUFUOp::RCP) => return halved(y),
            Fault::MufuOverflowToGreatest => {
                let overflows = y & !SIGN == INFINITY && is_positive_normal(x);
                return if overflows { y - 1 } else { y };
            }
            _ => return y,
        };
        if passes { y } else { saturated(y) }
    });
}

/// Returns half of a normal number whose half is normal, and other values unchanged.
fn halved(y: u32) -> u32 {
    if F32.exponent_field(y) > 1 && F32.is_finite(y) { y - (1 << F32.fraction_bits) } else { y }
}

fn is_positive_normal(x: u32) -> bool {
    (F32.exponent_field(1 << 23)..F32.exponent_field(INFINITY)).contains(&F32.exponent_field(x))
        && x & SIGN == 0
}

/// Applies faults of MUFU with 16-bit numbers. The operand has one number in a half, or one in each
/// half.
fn packed(fault: Fault, format: Format, is_pair: bool, computed: &Computed<'_>, results: &mut [u32]) {
    let operand = computed.instruction.inputs().next().expect("MUFU has an operand");
    let shift = if !is_pair && operand.half == Some(HSel::H1) { 16 } else { 0 };
    let by_halves = |y: u32, x: u32, change: &dyn Fn(u32, u32) -> u32| {
        if is_pair {
            change(y >> 16, x >> 16) << 16 | change(y & 0xffff, x & 0xffff)
        } else {
            change(y, x >> shift & 0xffff)
        }
    };
    each(computed, results, |y, [x]| match fault {
        Fault::MufuUpperHalfKept if !is_pair => y | x & !0xffff,
        Fault::MufuHalvesSwapped if is_pair => y.rotate_left(16),
        Fault::MufuNanPayloadHalf => by_halves(y, x, &|y, x| if format.is_nan(y) { x } else { y }),
        Fault::MufuHalfOutputFlushed => {
            halves(y, |half| if format.is_subnormal(half) { half & format.sign_mask() } else { half })
        }
        _ => y,
    });
}
