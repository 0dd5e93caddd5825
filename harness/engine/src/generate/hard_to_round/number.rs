//! Numbers of F32 by their integers, and products of two 24-bit integers that are, or nearly are, a given one.

use assay_isa::format::F32;

/// Bits of a significand.
pub const BITS: u32 = F32.precision();
/// The least significand of a normal number.
pub const LEAST: u32 = 1 << (BITS - 1);
/// The greatest.
pub const GREATEST: u32 = 2 * LEAST - 1;

/// First factors that are tried for a product.
const TRIED: u32 = 4096;

/// The pattern of `significand · 2^exponent`, if F32 has that number.
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

/// The inverse of an odd number modulo 2^32: a · a is 1 modulo 8, and each of Newton's steps doubles the bits.
fn inverse(odd: u32) -> u32 {
    (0..4).fold(odd, |x, _| x.wrapping_mul(2_u32.wrapping_sub(odd.wrapping_mul(x))))
}

/// Significands whose product is congruent to `low` modulo 2^`bits`, for at most 24 bits: b = low · a⁻¹ for every odd
/// a.
pub fn congruent(low: u32, bits: u32) -> impl Iterator<Item = [u32; 2]> {
    let mask = u32::MAX >> (32 - bits);
    let with_second = move |a: u32| [a, low.wrapping_mul(inverse(a)) & mask | (LEAST | a >> 1) & !mask];
    (0..TRIED).map(move |i| with_second(odd(BITS, i))).filter(|[_, b]| *b >= LEAST)
}

/// An odd number of so many bits, one in no order for each index.
fn odd(bits: u32, index: u32) -> u32 {
    let leading = 1 << (bits - 1);
    leading | (index.wrapping_mul(0x9e_3779) % leading) | 1
}

/// A product that nothing has rounded: `a · b · 2^exponent`.
#[derive(Clone, Copy, Debug)]
pub struct Product {
    /// The factors, of 24 bits at most.
    pub factors: [u32; 2],
    /// The exponent of their unit.
    pub exponent: i32,
}

impl Product {
    /// Its integer.
    pub fn integer(self) -> u64 {
        product(self.factors)
    }

    /// Both factors as patterns: of about the same exponent, far apart, and the first one next to or below the least
    /// normal number; as far as F32 has them.
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

/// Odd factors of these numbers of bits whose product has `of_product` bits.
pub fn odd_factors(bits: [u32; 2], of_product: u32) -> impl Iterator<Item = [u32; 2]> {
    let pairs = (0..TRIED).map(move |i| [odd(bits[0], i), odd(bits[1], i / 2)]);
    pairs.filter(move |pair| product(*pair).ilog2() + 1 == of_product)
}

/// Products around `target · 2^exponent`, with a target between 2^46 and 2^48: the nearest one below, the nearest one
/// above, and the number itself if it has such factors; each with its distance in units of 2^`exponent`. The second
/// factor is a quotient, so the remainder is as good as random, and among thousands some are close to zero.
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

/// `target · 2^exponent` as a product, if the odd part of the target has factors of 24 bits.
pub fn exactly(target: u64, exponent: i32) -> Option<Product> {
    let twos = target.trailing_zeros();
    let odd_part = target >> twos;
    let divisor = (1..=odd_part.isqrt()).rev().find(|divisor| odd_part.is_multiple_of(*divisor))?;
    let factors =
        [u32::try_from(odd_part / divisor).ok().filter(|cofactor| *cofactor <= GREATEST)?, divisor as u32];
    Some(Product { factors, exponent: exponent + twos as i32 })
}
