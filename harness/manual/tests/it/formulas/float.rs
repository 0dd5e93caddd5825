//! F32 arithmetic in f64. The exact result is a sum of two f64. This sum is rounded to odd, and
//! then once to the format.

/// A float format: significand bits, least exponent of a normal number, greatest exponent.
#[derive(Clone, Copy)]
pub struct Format {
    bits: i32,
    emin: i32,
    emax: i32,
}

pub const F32: Format = Format { bits: 24, emin: -126, emax: 127 };
pub const F16: Format = Format { bits: 11, emin: -14, emax: 15 };

/// A result. `tiny`: below the normal range when rounded with an unbounded exponent. `below`: below
/// the normal range before rounding.
#[derive(Clone, Copy)]
pub struct Rounded {
    pub bits: u32,
    pub tiny: bool,
    pub below: bool,
}

/// Returns a result that is not tiny.
const fn plain(bits: u32) -> Rounded {
    Rounded { bits, tiny: false, below: false }
}

const NAN: Rounded = plain(0x7fff_ffff);
const QUIET: u32 = 1 << 22;

/// Whether a pattern is a signalling NaN.
pub fn signals(bits: u32) -> bool {
    number(bits).is_nan() && bits & QUIET == 0
}

/// Returns the NaN result for some operands, by C001 and C002.
pub fn nan_of([c001, c002]: [u8; 2], operands: &[u32]) -> u32 {
    let pattern = [0x7fff_ffff, 0x7fc0_0000, 0xffc0_0000][usize::from(c002) - 1];
    let mut order = operands.to_vec();
    if let (3, [a, b, c]) = (c001, operands) {
        if (number(*a) * number(*b)).is_nan() && !number(*a).is_nan() && !number(*b).is_nan() && !signals(*c)
        {
            return pattern;
        }
        order = vec![*c, *a, *b];
    }
    let first = order.iter().find(|bits| number(**bits).is_nan());
    let signalling = order.iter().find(|bits| signals(**bits)).filter(|_| c001 == 3);
    match signalling.or(first).filter(|_| c001 != 1) {
        Some(bits) => bits | QUIET,
        None => pattern,
    }
}

/// Returns the F16 NaN for an F32 NaN, by C006.
pub fn half_of_nan(c006: u8, bits: u32) -> u32 {
    match c006 {
        1 => 0x7fff,
        2 => 0x7e00,
        _ => bits >> 31 << 15 | 0x7e00 | bits >> 13 & 0x3ff,
    }
}

fn number(bits: u32) -> f64 {
    f64::from(f32::from_bits(bits))
}

pub fn add(a: u32, b: u32, mode: &str) -> Rounded {
    fma(a, 1f32.to_bits(), b, 0, mode)
}

pub fn multiply(a: u32, b: u32, scale: i32, mode: &str) -> Rounded {
    let product = number(a) * number(b) * 2f64.powi(scale);
    if product.is_nan() {
        return NAN;
    }
    round(product, 0.0, F32, mode)
}

pub fn fma(a: u32, b: u32, c: u32, scale: i32, mode: &str) -> Rounded {
    let (product, c) = (number(a) * number(b) * 2f64.powi(scale), number(c));
    let sum = product + c;
    if sum.is_nan() {
        return NAN;
    }
    if sum.is_infinite() {
        return round(sum, 0.0, F32, mode);
    }
    if sum == 0.0 {
        // IEEE 754: the sum of two zeros with one sign has that sign. Any other zero sum is
        // negative only if rounded toward -Inf.
        let negative = if product.is_sign_negative() == c.is_sign_negative() {
            c.is_sign_negative()
        } else {
            mode == "RM"
        };
        return plain(u32::from(negative) << 31);
    }
    // The rounding error of a sum of two doubles is a double (Knuth).
    let part = sum - product;
    let error = (product - (sum - part)) + (c - part);
    round(sum, error, F32, mode)
}

pub fn half(bits: u32) -> u32 {
    round(number(bits), 0.0, F16, "RN").bits
}

/// Rounds the sum of two numbers to a format. The magnitude of the second number is at most half a
/// unit in the last place of the first.
fn round(sum: f64, error: f64, format: Format, mode: &str) -> Rounded {
    let Format { bits: precision, emin, emax } = format;
    let negative = sum.is_sign_negative();
    let fraction_bits = precision - 1;
    let width = if precision == 24 { 32 } else { 16 };
    let sign = u32::from(negative) << (width - 1);
    let infinity = ((2 * emax + 1) as u32) << fraction_bits;
    if sum.is_infinite() {
        return plain(sign | infinity);
    }
    if sum == 0.0 {
        return plain(sign);
    }
    let mut pattern = sum.to_bits();
    if error != 0.0 && pattern & 1 == 0 {
        pattern = if (error < 0.0) == negative { pattern + 1 } else { pattern - 1 };
    }
    // Every number here is a normal f64.
    let exponent = (pattern >> 52 & 0x7ff) as i32 - 1023;
    let significand = i128::from(pattern & ((1 << 52) - 1) | 1 << 52);
    let away = |rest: i128, half: i128, kept: i128| match mode {
        "RP" => rest > 0 && !negative,
        "RM" => rest > 0 && negative,
        "RZ" => false,
        "AWAY" => rest >= half,
        _ => rest > half || rest == half && kept & 1 == 1,
    };
    let rounded = |last: i32| {
        // The result is in units of 2^last. The significand is in units of 2^(exponent - 52).
        let drop = last - (exponent - 52);
        if drop <= 0 {
            return significand << -drop;
        }
        let drop = drop.min(100);
        let (kept, rest) = (significand >> drop, significand & ((1 << drop) - 1));
        kept + i128::from(away(rest, 1 << (drop - 1), kept))
    };
    let unbounded = rounded(exponent - fraction_bits);
    let is_least_normal = exponent == emin - 1 && unbounded == 1 << precision;
    let tiny = exponent < emin && !is_least_normal;
    let last = (exponent - fraction_bits).max(emin - fraction_bits);
    let value = rounded(last);
    // The addition also handles a carry of the significand, and a subnormal significand.
    let field = (last + fraction_bits - emin) as i128;
    let magnitude = (field << fraction_bits) + value;
    if magnitude >= i128::from(infinity) {
        let finite = match mode {
            "RZ" => true,
            "RP" => negative,
            "RM" => !negative,
            _ => false,
        };
        return plain(sign | if finite { infinity - 1 } else { infinity });
    }
    Rounded { bits: sign | magnitude as u32, tiny, below: exponent < emin }
}

/// Returns a key that orders F32 patterns, with -0 below +0.
pub fn order(bits: u32) -> i128 {
    let magnitude = i128::from(bits & 0x7fff_ffff);
    if bits >> 31 == 1 { -magnitude - 1 } else { magnitude }
}
