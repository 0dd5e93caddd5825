//! Numbers of F32 from integers, and products of two 24-bit integers that equal or nearly equal a
//! given integer.

use assay_isa::format::F32;

/// Bits of a significand.
pub const BITS: u32 = F32.precision();
/// The least significand of a normal number.
pub const LEAST: u32 = 1 << (BITS - 1);
/// The greatest significand of a normal number.
pub const GREATEST: u32 = 2 * LEAST - 1;

/// Number of first factors that are tried for a product.
const TRIED: u32 = 4096;

/// Returns the pattern of `significand · 2^exponent`, if F32 has that number.
pub fn pattern(significand: u32, exponent: i32) -> Option<u32> {
    if significand == 0 {
        return Some(0);
    }
    let exponent = exponent + significand.trailing_zeros() as i32;
    let significand = significand >> significand.trailing_zeros();
    let bits = significand.ilog2() + 1;
    let leading = exponent + bits as i32 - 1;
    if bits > BITS || leading > F32.bias() || exponent < F32.grid() {
        None
    } else if leading < F32.emin() {
        Some(significand << (exponent - F32.grid()))
    } else {
        let field = (leading + F32.bias()) as u32;
        Some((field << F32.fraction_bits) + (significand << (BITS - bits)) - LEAST)
    }
}

/// Returns the inverse of an odd number modulo 2^32: a · a is 1 modulo 8, and each of Newton's
/// steps doubles the correct bits.
fn inverse(odd: u32) -> u32 {
    (0..4).fold(odd, |x, _| x.wrapping_mul(2_u32.wrapping_sub(odd.wrapping_mul(x))))
}

/// Returns pairs of significands whose product is congruent to `low` modulo 2^`bits`: b = low ·
/// a⁻¹, for odd a. `bits` is at most 24.
pub fn congruent(low: u32, bits: u32) -> impl Iterator<Item = [u32; 2]> {
    let mask = u32::MAX >> (32 - bits);
    let with_second = move |a: u32| [a, low.wrapping_mul(inverse(a)) & mask | (LEAST | a >> 1) & !mask];
    (0..TRIED).map(move |i| with_second(odd(BITS, i))).filter(|[_, b]| *b >= LEAST)
}

/// Returns an odd number of `bits` bits. The numbers of successive indices are in no particular
/// order.
fn odd(bits: u32, index: u32) -> u32 {
    let leading = 1 << (bits - 1);
    leading | (index.wrapping_mul(0x9e_3779) % leading) | 1
}

/// An exact product: `a · b · 2^exponent`.
#[derive(Clone, Copy, Debug)]
pub struct Product {
    /// The factors, of 24 bits at most.
    pub factors: [u32; 2],
    /// The exponent of the product's unit.
    pub exponent: i32,
}

impl Product {
    /// Returns the product of the factors.
    pub fn integer(self) -> u64 {
        product(self.factors)
    }

    /// Returns pairs of patterns with this product. The exponents of a pair are nearly equal or far
    /// apart, or the first factor is next to or below the least normal number. Omits pairs that F32
    /// does not have.
    pub fn operands(self) -> impl Iterator<Item = [u32; 2]> {
        let middle = self.exponent.div_euclid(2);
        let first = [middle, middle + 40, middle - 40, F32.grid()].into_iter();
        first.filter_map(move |first| self.split(first))
    }

    fn split(self, first: i32) -> Option<[u32; 2]> {
        let [a, b] = self.factors;
        Some([pattern(a, first)?, pattern(b, self.exponent - first)?])
    }
}

fn product([a, b]: [u32; 2]) -> u64 {
    u64::from(a) * u64::from(b)
}

/// Returns pairs of odd factors that have these numbers of bits, and whose product has `of_product`
/// bits.
pub fn odd_factors(bits: [u32; 2], of_product: u32) -> impl Iterator<Item = [u32; 2]> {
    let pairs = (0..TRIED).map(move |i| [odd(bits[0], i), odd(bits[1], i / 2)]);
    pairs.filter(move |pair| product(*pair).ilog2() + 1 == of_product)
}

/// Returns products around `target · 2^exponent`, for a target between 2^46 and 2^48. These are the
/// nearest product below, the nearest product above, and the target itself if it has factors of 24
/// bits. Each product is returned with its distance from the target in units of 2^`exponent`. The
/// second factor is a quotient, so the remainder is practically random. Of thousands of remainders,
/// some are close to zero.
pub fn around(target: u64, exponent: i32) -> Vec<(Product, u64)> {
    let first = target.isqrt() as u32;
    let quotients = (first..=GREATEST).take(TRIED as usize).map(|a| [a, (target / u64::from(a)) as u32]);
    let off = |pair: &[u32; 2]| product(*pair).abs_diff(target);
    let below = quotients.clone().filter(|pair| off(pair) != 0).min_by_key(off);
    let above = quotients.map(|[a, b]| [a, b + 1]).min_by_key(off);
    let nearest =
        below.into_iter().chain(above).map(|pair| (Product { factors: pair, exponent }, off(&pair)));
    nearest.chain(exactly(target, exponent).map(|product| (product, 0))).collect()
}

/// Returns `target · 2^exponent` as a product, if the odd part of the target has factors of 24
/// bits.
pub fn exactly(target: u64, exponent: i32) -> Option<Product> {
    let twos = target.trailing_zeros();
    let odd_part = target >> twos;
    let divisor = (1..=odd_part.isqrt()).rev().find(|divisor| odd_part.is_multiple_of(*divisor))?;
    let factors =
        [u32::try_from(odd_part / divisor).ok().filter(|cofactor| *cofactor <= GREATEST)?, divisor as u32];
    Some(Product { factors, exponent: exponent + twos as i32 })
}
