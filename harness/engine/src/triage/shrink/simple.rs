//! Simple values, which are easy to read.

use assay_isa::format::{F32, Format};

use crate::operands::operand_kinds::OperandKind;

/// Returns the simple values of a kind, the simplest first.
pub(in crate::triage) fn simple(kind: OperandKind) -> Vec<u32> {
    let of_format = |format: Format| {
        let (one, least) = (format.one(), 1 << format.fraction_bits);
        let sign = format.sign_mask();
        let quiet = format.infinity() | 1 << (format.fraction_bits - 1);
        let greatest = format.infinity() - 1;
        let plain = [0, one, one + least, format.infinity(), quiet, 1, least, one + 1, greatest];
        plain.into_iter().chain([sign, sign | one, sign | format.infinity()]).collect()
    };
    match kind {
        OperandKind::Float(format) => of_format(format),
        OperandKind::Exponent => of_format(F32),
        OperandKind::Half { format, high } => {
            of_format(format).into_iter().map(|half| half << (16 * u32::from(high))).collect()
        }
        OperandKind::Pair(format) => {
            let halves: Vec<u32> = of_format(format);
            halves.iter().map(|half| half | half << 16).chain(halves.iter().copied()).collect()
        }
        OperandKind::Predicate => vec![0, 1],
        _ => vec![0, 1, 2, u32::MAX, 1 << 31, u32::MAX >> 1, 0xffff],
    }
}
