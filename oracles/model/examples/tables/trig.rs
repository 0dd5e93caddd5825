//! Computes the coefficients of sine and cosine: 64 quadratics for sin(r·π/2) / r on 0 ≤ r < 1,
//! where r is a fraction of a quadrant. Also computes the bits of 2/π, which convert radians to
//! quadrants.

use crate::fit::{DatapathShape, Demand, Run};
use crate::{print, real};

const SHAPE: DatapathShape =
    DatapathShape { offset: 26, square: 16, shifts: [22, 0, 8], cut: 16, falling: true, concave: true };
const WIDTHS: [u32; 3] = [26, 15, 11];

/// A number below 16, as big-endian words of a fixed-point number. The first word is the integer
/// part.
type Big = [u32; 12];

/// Returns a + b, or a − b unless `add`.
fn combine(a: Big, b: Big, add: bool) -> Big {
    let (mut sum, mut carry) = (a, i64::from(!add));
    for n in (0..a.len()).rev() {
        carry += i64::from(a[n]) + i64::from(if add { b[n] } else { !b[n] });
        sum[n] = carry as u32;
        carry >>= 32;
    }
    sum
}

/// Returns a / b.
fn divide(a: Big, b: u64) -> Big {
    let mut rest = 0;
    a.map(|word| {
        let part = rest << 32 | u64::from(word);
        rest = part % b;
        (part / b) as u32
    })
}

/// Returns n · arctan(1/m) = n · Σ (−1)ᵏ / ((2k + 1) · m²ᵏ⁺¹).
fn arctan(n: u32, m: u64) -> Big {
    let mut power = [0; 12];
    power[0] = n;
    power = divide(power, m);
    let (mut sum, mut k) = (power, 0);
    while power != [0; 12] {
        k += 1;
        power = divide(power, m * m);
        sum = combine(sum, divide(power, 2 * k + 1), k % 2 == 0);
    }
    sum
}

/// Returns π by Machin's formula, with about 340 correct bits after the point.
fn pi() -> Big {
    combine(arctan(16, 5), arctan(4, 239), false)
}

/// Returns the first 256 bits after the point of 2/π, by long division.
fn two_over_pi() -> [u64; 4] {
    let pi = pi();
    let mut rest = [0; 12];
    rest[0] = 2;
    let mut words = [0; 4];
    for n in 0..256 {
        rest = combine(rest, rest, true);
        let bit = rest >= pi;
        if bit {
            rest = combine(rest, pi, false);
        }
        words[n / 64] = words[n / 64] << 1 | u64::from(bit);
    }
    words
}

/// Returns the Rust source of the tables.
pub fn source() -> String {
    let [integer, high, low, ..] = pi();
    let quarter = (i64::from(integer) << 59) + (i64::from(high) << 27) + i64::from(low >> 5); // π/2
    let run = Run {
        shape: SHAPE,
        widths: WIDTHS,
        fraction: 31,
        segments: 64,
        truth: &|segment, t| {
            let r = ((segment << 26) + t) << (real::FRACTION - 32);
            real::mul(quarter, real::sin_over(real::mul(quarter, r)))
        },
        joined: false,
        // The result at the end of the quadrant must be near 1.
        demands: &[Demand {
            segment: 63,
            t: (1 << 26) - 1,
            results: (1 << 31) - (1 << 5)..=(1 << 31) + (1 << 5),
        }],
    };
    let doc = "For each segment of 2⁻⁶ from 0 to 1 the row C0, C1, C2 of sin(r·π/2) / r ≈ C0 − C1·T − C2·T², T being\n\
               a fraction of the segment: unsigned, of 26, 15 and 11 bits, in units of 2⁻²⁵, 2⁻²¹ and 2⁻²³.";
    let mut text = print::head("The table of sine and cosine, and 2/π.", "trig");
    text += &print::table("", doc, SHAPE, WIDTHS, &run.fit());
    let words = two_over_pi().map(|word| format!("{word:#018x}")).join(", ");
    text + "\n/// 128 zeros and the first 256 bits after the point of 2/π.\n\
            pub(super) const TWO_OVER_PI: [u64; 6] =\n    [0x0, 0x0, "
        + &words
        + "];\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with published digits of π and 2/π.
    #[test]
    fn known_digits() {
        assert_eq!(pi()[..5], [3, 0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344]);
        assert_eq!(two_over_pi()[..2], [0xa2f9_836e_4e44_1529, 0xfc27_57d1_f534_ddc0]);
    }
}
