//! The arguments at the ends of binades and of table segments of a function.
//!
//! A wrong row of a table, a wrong exponent, or a power of two that is taken for its neighbour may
//! show only at these arguments. Sweeps of every n-th argument and random arguments usually miss
//! them.

use std::f64::consts::PI;

use assay_isa::format::{F32, Format};
use assay_isa::hints::Segments;
use assay_isa::{Instruction, Readings};

use crate::operands::operand_kinds::OperandKind;

/// Number of listed multiples at which segments of equal length begin, for each sign.
const MULTIPLES: u32 = 512;
/// Number of these multiples in a small suite. It exceeds the number of rows of the longest table.
const FEW_MULTIPLES: usize = 288;

/// The segments of the tables of an instruction's function.
pub fn segments(instruction: &Instruction) -> impl Iterator<Item = Segments> {
    let segments = instruction.form().optype.hints.segments.iter();
    // Only modifiers decide which table is used.
    segments.filter(|(when, _)| when.holds(instruction, &Readings::INTENDED)).map(|(_, segments)| *segments)
}

/// The ends of each binade of a format and of each segment of a function's table, of both signs, ascending. Empty for an
/// operand of another kind than a float.
pub fn arguments(instruction: &Instruction, kind: OperandKind) -> Vec<u32> {
    let OperandKind::Float(format) = kind else { return Vec::new() };
    let of_segments = segments(instruction).flat_map(|segments| ends(format, segments));
    let magnitudes: Vec<u32> = binades(format).chain(of_segments).collect();
    let mut list: Vec<u32> =
        magnitudes.iter().flat_map(|magnitude| [*magnitude, magnitude | format.sign_mask()]).collect();
    list.sort_unstable();
    list.dedup();
    list
}

/// Returns the arguments at ends that a small suite has for an operand, ascending. Empty for an
/// operand of another kind than a float.
///
/// Every operand has the ends of the binades around 1 and at the ends of the range, with both
/// signs. A function of F32 with tables also has positive arguments: each power of two, and the
/// ends of each segment in two adjacent binades. If the segments of the table have equal length,
/// the last argument of each of the first 288 segments replaces these ends of segments.
pub fn few_arguments(instruction: &Instruction, kind: OperandKind) -> Vec<u32> {
    let OperandKind::Float(format) = kind else { return Vec::new() };
    let (one, last) = (format.one() >> format.fraction_bits, format.infinity() >> format.fraction_bits);
    let of_binades =
        [0, 1, one - 1, one, one + 1, last - 1].into_iter().flat_map(|field| of_binade(format, field));
    let of_binades = of_binades.flat_map(|magnitude| [magnitude, magnitude | format.sign_mask()]);
    let mut list: Vec<u32> = of_binades.collect();
    if format == F32 {
        for segments in segments(instruction) {
            list.extend((1..last).map(|field| field << format.fraction_bits));
            list.extend(match segments {
                Segments::Fraction(bits) => of_fractions(format, bits, &[one - 1, one]),
                Segments::Multiples(exponent) => {
                    multiples(2_f64.powi(exponent)).take(FEW_MULTIPLES).map(before).collect()
                }
                Segments::Angles(exponent) => {
                    multiples(PI * 2_f64.powi(exponent)).take(FEW_MULTIPLES).map(before).collect()
                }
            });
        }
    }
    list.sort_unstable();
    list.dedup();
    list
}

/// Fractions at the ends of a binade: 0, 1, 2, all ones but one, all ones.
fn fractions(format: Format) -> [u32; 5] {
    [0, 1, 2, format.fraction_mask() - 1, format.fraction_mask()]
}

/// Magnitudes at the ends of every binade. The subnormal numbers, infinity and the NaNs are
/// included.
fn binades(format: Format) -> impl Iterator<Item = u32> {
    let fields = 0..=format.infinity() >> format.fraction_bits;
    fields.flat_map(move |field| of_binade(format, field))
}

/// Returns magnitudes at both ends of the binade that has the given exponent field.
fn of_binade(format: Format, field: u32) -> [u32; 5] {
    fractions(format).map(|fraction| field << format.fraction_bits | fraction)
}

/// Magnitudes at the ends of segments.
fn ends(format: Format, segments: Segments) -> Vec<u32> {
    match segments {
        Segments::Fraction(bits) => {
            let (one, last) =
                (format.one() >> format.fraction_bits, format.infinity() >> format.fraction_bits);
            of_fractions(format, bits, &[1, one - 1, one, one + 1, last - 1])
        }
        // Only functions of F32 have segments of equal length.
        _ if format != F32 => Vec::new(),
        Segments::Multiples(exponent) => of_multiples(2_f64.powi(exponent)),
        Segments::Angles(exponent) => of_multiples(PI * 2_f64.powi(exponent)),
    }
}

/// Returns the first and the last argument of each segment, in the binades with these exponent
/// fields. A segment has one value of the leading `bits` bits of the fraction. Callers pass binades
/// near 1, with even and odd exponents, and binades at the ends of the range.
fn of_fractions(format: Format, bits: u32, fields: &[u32]) -> Vec<u32> {
    let length = 1 << (format.fraction_bits - bits);
    let first = fields.iter().flat_map(move |field| {
        (0..1 << bits).map(move |leading| field << format.fraction_bits | (leading * length))
    });
    first.flat_map(|first| [first, first + length - 1]).collect()
}

/// Returns the first multiples of a unit, and both neighbours of each.
fn of_multiples(unit: f64) -> Vec<u32> {
    multiples(unit).flat_map(|bits| [bits - 1, bits, bits + 1]).collect()
}

/// The first multiples of a unit, each to the nearest number.
fn multiples(unit: f64) -> impl Iterator<Item = u32> {
    (1..=MULTIPLES).map(move |multiple| ((f64::from(multiple) * unit) as f32).to_bits())
}

/// The number below a positive number.
fn before(bits: u32) -> u32 {
    bits - 1
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use assay_isa::asm;
    use assay_isa::format::F64_HIGH;

    use super::*;
    use crate::generate::domain::Domain;

    fn of(text: &str, format: Format) -> BTreeSet<u32> {
        arguments(&asm::parse(text).expect(text), OperandKind::Float(format)).into_iter().collect()
    }

    #[test]
    fn every_binade_of_both_signs_has_its_ends() {
        for (text, format) in
            [("MUFU.TANH.F32 R0, R1", F32), ("MUFU.RCP.F32 R0, R1", F32), ("MUFU.RCP.F64 R0, R1", F64_HIGH)]
        {
            let list = of(text, format);
            let number = 2 << format.exponent_bits;
            assert!((5 * number..60_000).contains(&list.len()), "{text}: {} arguments", list.len());
            for field in 0..number as u32 {
                for fraction in fractions(format) {
                    let bits = field << format.fraction_bits | fraction;
                    assert!(list.contains(&bits), "{text}: {bits:#010x}");
                }
            }
        }
        assert!(arguments(&asm::parse("POPC R0, R1").unwrap(), OperandKind::Bits).is_empty());
    }

    #[test]
    fn every_segment_of_a_table_has_its_ends() {
        // Each number is the first argument of a segment. The number before it is the last argument
        // of the segment before.
        for (text, numbers) in [
            ("MUFU.RCP.F32 R0, R1", &[1.0_f32, 1.5, 1.0 + 127.0 / 128.0, 0.5 + 3.0 / 256.0][..]),
            ("MUFU.RSQ.F32 R0, R1", &[1.0 + 63.0 / 64.0, 2.0 + 5.0 / 32.0]),
            ("MUFU.EX2.F32 R0, R1", &[1.0 / 64.0, -63.0 / 64.0, 7.0 + 1.0 / 64.0]),
            ("MUFU.TANH.F32 R0, R1", &[0.25, 3.0 / 128.0, 0.5 + 1.0 / 128.0]),
            ("MUFU.SIN.F32 R0, R1", &[1.0 / 256.0, 0.25, std::f32::consts::FRAC_PI_2, -0.049_087_387]),
        ] {
            let list = of(text, F32);
            for number in numbers {
                let bits = number.to_bits();
                assert!(list.contains(&bits) && list.contains(&(bits - 1)), "{text}: {number}");
            }
        }
    }

    #[test]
    fn a_small_suite_has_few_ends_and_each_of_them_is_one() {
        for (text, format, numbers) in [
            ("FADD R0, R1, R2", F32, 60..61),
            ("MUFU.RCP.F64 R0, R1", F64_HIGH, 60..61),
            ("MUFU.RCP.F32 R0, R1", F32, 800..900),
            ("MUFU.TANH.F32 R0, R1", F32, 500..900),
        ] {
            let instruction = asm::parse(text).expect(text);
            let few = few_arguments(&instruction, OperandKind::Float(format));
            assert!(few.is_sorted() && numbers.contains(&few.len()), "{text}: {}", few.len());
            assert!(of(text, format).is_superset(&few.into_iter().collect()), "{text}");
        }
        assert!(few_arguments(&asm::parse("POPC R0, R1").unwrap(), OperandKind::Bits).is_empty());
    }

    #[test]
    fn a_thinned_line_has_them_and_one_of_every_input_needs_none() {
        let instruction = asm::parse("MUFU.EX2.F32 R0, R1").unwrap();
        let Domain::Line { listed, .. } = Domain::of(&instruction, 255, 1) else { panic!("a line") };
        assert!(of("MUFU.EX2.F32 R0, R1", F32).is_subset(&listed.iter().copied().collect()));
        assert_eq!(listed.iter().collect::<BTreeSet<_>>().len(), listed.len(), "each once");
        assert_eq!(Domain::of(&instruction, 1, 1), Domain::Line { stride: 1, listed: Vec::new() });
    }
}
