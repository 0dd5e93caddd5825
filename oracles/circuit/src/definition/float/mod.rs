//! Floats: FALU and UF2FP.
//!
//! A finite number is an integer times a power of two ([`Exact`]). Sums and products of such
//! numbers are exact, and one rounding makes a float of the result.
//!
//! * `format`: the fields of a float, and its value;
//! * [`exact`]: exact sums and products;
//! * [`round`]: the rounding;
//! * `arithmetic`: FADD, FMUL, FFMA; `finish`: what follows the rounding: NaN, `.SAT`, `.FTZ`;
//! * `extreme`: FMNMX; `compare`: FSETP, FSET, FSEL, FCHK; `convert`: UF2FP.

mod arithmetic;
mod compare;
mod convert;
pub mod exact;
mod extreme;
mod finish;
mod format;
pub mod round;

use assay_isa::tables::types::FPFtz;
use assay_isa::{Operand, Reading, Source};

use super::context::Context;
use crate::graph::Bit;
use crate::word::Word;
pub use exact::{Exact, exact_product, exact_sum};
pub use format::{Float, Format};

/// Defines an instruction. `None` if there is no definition.
pub(super) fn define(context: &mut Context) -> Option<()> {
    match context.optype() {
        "FADD" => arithmetic::add(context),
        "FMUL" => arithmetic::multiply(context),
        "FFMA" => arithmetic::multiply_add(context),
        "FMNMX" => extreme::extreme(context),
        "FSETP" => compare::set_predicates(context),
        "FSET" => compare::set_register(context),
        "FSEL" => compare::select(context),
        "FCHK" => compare::check_division(context),
        "UF2FP" => convert::pack_halves(context),
        _ => return None,
    }
    Some(())
}

/// Returns a source, its absolute value and then its sign applied.
fn prefixed(context: &Context, operand: Operand) -> Word {
    let word = context.raw(operand);
    let sign = if operand.abs { Bit::FALSE } else { word.sign() };
    word.slice(0, 31).below(&Word::from_bits([sign.complement_if(operand.neg)]))
}

/// Whether the instruction has `.FTZ`.
fn flushes(context: &Context) -> bool {
    context.modifier::<FPFtz>("ftz") == FPFtz::FTZ
}

/// Returns a float, or its signed zero if it is subnormal and `condition` holds. Under E012 = 1 the
/// zero is also written to the source register.
fn flushed(context: &mut Context, operand: Operand, word: &Word, condition: Bit) -> Word {
    let subnormal = Float::new(context.graph, Format::BINARY32, word).is_subnormal(context.graph);
    let flush = context.graph.and(subnormal, condition);
    let zero = Word::constant(31, 0).below(&Word::from_bits([word.sign()]));
    if context.reads(Reading::E012, 1) && matches!(operand.source, Source::Reg(_) | Source::UReg(_)) {
        context.write_if(flush, operand, &zero);
    }
    context.graph.select(flush, &zero, word)
}
