//! The prefixes of an operand, as operations on the bits of a word.

use assay_isa::Operand;

use super::operand_kinds::OperandKind;

/// The operations of an operand's prefixes on the bits of a word. The negation of an integer is not
/// included.
pub struct Prefixes {
    cleared: u32,
    flipped: u32,
    /// The attributes of these prefixes.
    pub attributes: Vec<&'static str>,
}

impl Prefixes {
    /// Returns the prefixes of an operand, for a word of the given kind.
    pub fn of(operand: &Operand, kind: OperandKind) -> Prefixes {
        let sign = match kind {
            OperandKind::Float(format) => format.sign_mask(),
            OperandKind::Half { format, high } => format.sign_mask() << (16 * u32::from(high)),
            OperandKind::Pair(format) => format.sign_mask() | format.sign_mask() << 16,
            _ => 0,
        };
        let flipped = match (operand.bitnot, operand.not) {
            (true, _) => u32::MAX,
            (_, true) => 1,
            _ if operand.neg => sign,
            _ => 0,
        };
        let is_negated = operand.neg && sign != 0;
        let all =
            [("neg", is_negated), ("abs", operand.abs), ("bitnot", operand.bitnot), ("not", operand.not)];
        let attributes = all.into_iter().filter(|(_, is_there)| *is_there).map(|(name, _)| name).collect();
        Prefixes { cleared: if operand.abs { sign } else { 0 }, flipped, attributes }
    }

    /// Returns a value with the prefixes applied.
    pub fn applied_to(&self, value: u32) -> u32 {
        value & !self.cleared ^ self.flipped
    }
}
