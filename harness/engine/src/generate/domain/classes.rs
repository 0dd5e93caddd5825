//! Floats that are combined from an exponent and a significand. The values that find the most
//! faults come first, and each tier takes a number of first values. So the list of a larger tier
//! contains the list of a smaller tier. J. Hauser's TestFloat combines its operands in this way.

use assay_isa::format::F32;

/// Exponent fields at which the behaviour may change: the field of 1, the ends of the range, their
/// counterparts in a product or a sum of 24 bits, and the neighbours of all these fields.
const EXPONENTS: [u32; 40] = [
    127, 0, 254, 1, 255, 126, 128, 253, 2, 150, 104, 151, 103, 149, 102, 125, 129, 24, 23, 25, 231, 230, 229,
    64, 63, 191, 190, 189, 65, 152, 101, 148, 105, 3, 252, 22, 26, 130, 124, 228,
];

/// Fractions at which the behaviour may change: the ends, half, their neighbours, and alternating
/// bits.
const FRACTIONS: [u32; 14] = [
    0, 0x7f_ffff, 1, 0x40_0000, 0x7f_fffe, 0x3f_ffff, 0x40_0001, 0x55_5555, 0x2a_aaaa, 0x20_0000, 0x60_0000,
    2, 0x00_0fff, 0x7f_f000,
];

/// Returns the floats of both signs with the first `exponents` exponents and the first
/// `significands` significands, each once.
pub fn floats(exponents: usize, significands: usize) -> Vec<u32> {
    let exponents = first(EXPONENTS.into_iter().chain(0..256), exponents);
    let fractions = first(FRACTIONS.into_iter().chain(patterns()), significands);
    let magnitudes = exponents
        .iter()
        .flat_map(|exponent| fractions.iter().map(move |fraction| exponent << F32.fraction_bits | fraction));
    magnitudes.flat_map(|magnitude| [magnitude, magnitude | F32.sign_mask()]).collect()
}

/// Returns fractions with one bit set, with all bits but one, and with runs of every length from
/// either end.
fn patterns() -> impl Iterator<Item = u32> {
    let mask = F32.fraction_mask();
    (0..F32.fraction_bits).flat_map(move |n| {
        let (bit, low) = (1 << n, (1 << n) - 1);
        [bit, mask - bit, low, mask - low]
    })
}

/// Returns the first `count` distinct values, or all if there are fewer.
fn first(values: impl Iterator<Item = u32>, count: usize) -> Vec<u32> {
    let mut list = Vec::new();
    for value in values {
        if list.len() < count && !list.contains(&value) {
            list.push(value);
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operands::operand_kinds::OperandKind;
    use std::collections::BTreeSet;

    #[test]
    fn lists_are_nested_and_meet_every_class() {
        let kind = OperandKind::Float(F32);
        let sizes = [(6, 4), (12, 6), (24, 12), (32, 24), (64, 30), (96, 64), (192, 80)];
        let mut smaller = BTreeSet::new();
        for (exponents, significands) in sizes {
            let list = floats(exponents, significands);
            assert_eq!(list.len(), 2 * exponents * significands);
            let set: BTreeSet<u32> = list.iter().copied().collect();
            assert_eq!(set.len(), list.len());
            assert!(smaller.is_subset(&set));
            smaller = set;
            assert_eq!(kind.class_set(&list).count_ones() as usize, kind.classes().len());
        }
    }
}
