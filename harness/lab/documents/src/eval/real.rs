//! Exact real numbers, and binary32 numbers. A sum or product of binary32 numbers is exact until
//! the text rounds it.

use std::cmp::Ordering;

use super::integer::Int;

/// A real number, or a special value of IEEE 754.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Real {
    /// Not a number.
    Nan,
    /// An infinity.
    Infinite {
        /// Whether the infinity is below 0.
        negative: bool,
    },
    /// Zero. Its sign is `None` if it is the exact sum of two numbers of unlike sign: then the
    /// rounding direction decides (E172).
    Zero {
        /// Whether the sign is set.
        negative: Option<bool>,
        /// Whether the zero is the sum of two numbers.
        is_sum: bool,
    },
    /// `significand` times two to the power `exponent`. The significand is not 0.
    Finite {
        /// The signed significand.
        significand: Int,
        /// The exponent of the lowest bit.
        exponent: i64,
    },
}

/// How a real number becomes a binary32 number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest number. Of two nearest ones, the one with an even significand.
    TiesToEven,
    /// To the nearest number. Of two nearest ones, the one further from zero.
    TiesAway,
    /// Toward positive infinity.
    Up,
    /// Toward negative infinity.
    Down,
    /// Toward zero.
    ToZero,
}

/// The pattern of a number that is not one. The documents name it in several places.
pub const CANONICAL_NAN: u32 = 0x7fff_ffff;
/// The pattern of the sign.
pub const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7f80_0000;
const FRACTION: u32 = 0x007f_ffff;
/// Exponent of the lowest bit of a subnormal number.
const LEAST: i64 = -149;
/// Number of bits of a significand.
const PRECISION: i64 = 24;
/// Exponent of the lowest bit of the largest finite number.
const GREATEST: i64 = 104;

/// Whether a binary32 pattern is no number.
pub fn is_nan(bits: u32) -> bool {
    bits & !SIGN > INFINITY
}

/// Whether a binary32 pattern is a subnormal number.
pub fn is_subnormal(bits: u32) -> bool {
    bits & INFINITY == 0 && bits & FRACTION != 0
}

impl Real {
    /// Returns the value of a binary32 pattern.
    pub fn of_binary32(bits: u32) -> Real {
        let negative = bits & SIGN != 0;
        let (field, fraction) = (i64::from((bits & INFINITY) >> 23), i128::from(bits & FRACTION));
        let significand = match (field, fraction) {
            (0xff, 0) => return Real::Infinite { negative },
            (0xff, _) => return Real::Nan,
            (0, 0) => return Real::Zero { negative: Some(negative), is_sum: false },
            (0, _) => fraction,
            _ => fraction | i128::from(FRACTION + 1),
        };
        let significand = Int::Small(if negative { -significand } else { significand });
        Real::Finite { significand, exponent: LEAST + (field - 1).max(0) }
    }

    /// Returns the value of an integer.
    pub fn of_integer(value: &Int) -> Real {
        if value.is_zero() {
            return Real::Zero { negative: Some(false), is_sum: false };
        }
        Real::Finite { significand: value.clone(), exponent: 0 }
    }

    /// Whether the sign is set. False for a zero without a sign, and for no number.
    pub fn is_negative(&self) -> bool {
        match self {
            Real::Nan => false,
            Real::Infinite { negative } => *negative,
            Real::Zero { negative, .. } => *negative == Some(true),
            Real::Finite { significand, .. } => significand.is_negative(),
        }
    }

    /// Returns the value with the other sign.
    pub fn negated(&self) -> Real {
        match self {
            Real::Nan => Real::Nan,
            Real::Infinite { negative } => Real::Infinite { negative: !negative },
            Real::Zero { negative, is_sum } => {
                Real::Zero { negative: negative.map(|negative| !negative), is_sum: *is_sum }
            }
            Real::Finite { significand, exponent } => {
                Real::Finite { significand: significand.negated(), exponent: *exponent }
            }
        }
    }

    /// Returns the exact sum. `None` if the exponents are too far apart.
    pub fn plus(&self, other: &Real) -> Option<Real> {
        Some(match (self, other) {
            (Real::Nan, _) | (_, Real::Nan) => Real::Nan,
            (Real::Infinite { negative: a }, Real::Infinite { negative: b }) if a != b => Real::Nan,
            (Real::Infinite { negative }, _) | (_, Real::Infinite { negative }) => {
                Real::Infinite { negative: *negative }
            }
            (Real::Zero { negative: a, .. }, Real::Zero { negative: b, .. }) => {
                Real::Zero { negative: if a == b { *a } else { None }, is_sum: true }
            }
            (Real::Zero { .. }, value) | (value, Real::Zero { .. }) => value.clone(),
            (
                Real::Finite { significand: a, exponent: at_a },
                Real::Finite { significand: b, exponent: at_b },
            ) => {
                let exponent = *at_a.min(at_b);
                let shifted = |value: &Int, at: i64| value.shift_left((at - exponent).unsigned_abs());
                let significand = shifted(a, *at_a)?.plus(&shifted(b, *at_b)?);
                if significand.is_zero() {
                    return Some(Real::Zero { negative: None, is_sum: true });
                }
                Real::Finite { significand, exponent }
            }
        })
    }

    /// Returns the exact product. `None` if it has too many bits.
    pub fn times(&self, other: &Real) -> Option<Real> {
        let negative = self.is_negative() != other.is_negative();
        Some(match (self, other) {
            (Real::Nan, _) | (_, Real::Nan) => Real::Nan,
            (Real::Infinite { .. }, Real::Zero { .. }) | (Real::Zero { .. }, Real::Infinite { .. }) => {
                Real::Nan
            }
            (Real::Infinite { .. }, _) | (_, Real::Infinite { .. }) => Real::Infinite { negative },
            (Real::Zero { .. }, _) | (_, Real::Zero { .. }) => {
                Real::Zero { negative: Some(negative), is_sum: false }
            }
            (
                Real::Finite { significand: a, exponent: at_a },
                Real::Finite { significand: b, exponent: at_b },
            ) => Real::Finite { significand: a.times(b)?, exponent: at_a + at_b },
        })
    }

    /// Returns the value times two to the power `by`.
    pub fn scaled(&self, by: i64) -> Real {
        match self {
            Real::Finite { significand, exponent } => {
                Real::Finite { significand: significand.clone(), exponent: exponent + by }
            }
            value => value.clone(),
        }
    }

    /// Compares two values. `None` if one of them is no number. Zeros are equal.
    pub fn compare(&self, other: &Real) -> Option<Ordering> {
        let rank = |value: &Real| match value {
            Real::Nan => None,
            Real::Zero { .. } => Some(0),
            Real::Infinite { negative } => Some(if *negative { -2 } else { 2 }),
            Real::Finite { significand, .. } => Some(if significand.is_negative() { -1 } else { 1 }),
        };
        let order = rank(self)?.cmp(&rank(other)?);
        let both = (self, other);
        let (Real::Finite { .. }, Real::Finite { .. }, Ordering::Equal) = (both.0, both.1, order) else {
            return Some(order);
        };
        let difference = self.plus(&other.negated())?;
        Some(match difference {
            Real::Zero { .. } => Ordering::Equal,
            _ if difference.is_negative() => Ordering::Less,
            _ => Ordering::Greater,
        })
    }

    /// Returns the binary32 pattern of the value, rounded. A zero without a sign is negative if the
    /// direction is down.
    pub fn round(&self, rounding: Rounding) -> u32 {
        let sign = |negative: bool| if negative { SIGN } else { 0 };
        match self {
            Real::Nan => CANONICAL_NAN,
            Real::Infinite { negative } => sign(*negative) | INFINITY,
            Real::Zero { negative, .. } => sign(negative.unwrap_or(rounding == Rounding::Down)),
            Real::Finite { significand, exponent } => {
                let negative = significand.is_negative();
                let magnitude = if negative { significand.negated() } else { significand.clone() };
                sign(negative) | round_magnitude(&magnitude, *exponent, rounding.of_magnitude(negative))
            }
        }
    }
}

/// A rounding direction of a magnitude.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Even,
    Away,
    Outward,
    Inward,
}

impl Rounding {
    fn of_magnitude(self, negative: bool) -> Direction {
        match self {
            Rounding::TiesToEven => Direction::Even,
            Rounding::TiesAway => Direction::Away,
            Rounding::ToZero => Direction::Inward,
            Rounding::Up if negative => Direction::Inward,
            Rounding::Down if !negative => Direction::Inward,
            Rounding::Up | Rounding::Down => Direction::Outward,
        }
    }
}

/// Returns the pattern of a positive number, rounded to 24 bits and to the grid of subnormals.
fn round_magnitude(magnitude: &Int, exponent: i64, direction: Direction) -> u32 {
    let top = exponent + magnitude.bits() as i64;
    let unit = (top - PRECISION).max(LEAST);
    let overflow = || match direction {
        Direction::Inward => INFINITY - 1,
        _ => INFINITY,
    };
    if unit > GREATEST {
        return overflow();
    }
    let (mut kept, rest) = split(magnitude, unit - exponent);
    let up = match (direction, rest) {
        (_, Rest::None) | (Direction::Inward, _) => false,
        (Direction::Outward, _) | (_, Rest::AboveHalf) => true,
        (Direction::Even, Rest::Half) => kept & 1 == 1,
        (Direction::Away, Rest::Half) => true,
        (_, Rest::BelowHalf) => false,
    };
    kept += u32::from(up);
    // The leading bit of a normal number adds one to the exponent field, and so does a carry.
    let bits = (((unit - LEAST) as u32) << 23) + kept;
    if bits >= INFINITY { overflow() } else { bits }
}

/// What rounding cuts off.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    None,
    BelowHalf,
    Half,
    AboveHalf,
}

/// Returns the magnitude divided by two to the power `by`, and what is cut off. The quotient fits
/// 24 bits.
fn split(magnitude: &Int, by: i64) -> (u32, Rest) {
    let Ok(by) = u64::try_from(by) else {
        let kept = magnitude.shift_left(by.unsigned_abs()).unwrap_or(Int::ZERO);
        return (kept.word(0), Rest::None);
    };
    let kept = magnitude.shift_right(by).word(0);
    if by == 0 {
        return (kept, Rest::None);
    }
    let cut = magnitude.low_bits(by.min(super::integer::BITS));
    if cut.is_zero() {
        return (kept, Rest::None);
    }
    let half = Int::Small(1).shift_left(by - 1);
    let rest = match half.map_or(Ordering::Less, |half| cut.cmp(&half)) {
        Ordering::Less => Rest::BelowHalf,
        Ordering::Equal => Rest::Half,
        Ordering::Greater => Rest::AboveHalf,
    };
    (kept, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Patterns of which many are close to a border of the format.
    fn pattern() -> impl Strategy<Value = u32> {
        let edges = prop::sample::select(vec![
            0,
            1,
            FRACTION,
            FRACTION + 1,
            0x3f80_0000,
            0x3f7f_ffff,
            0x7f7f_ffff,
            INFINITY,
            INFINITY + 1,
            0x3380_0000,
        ]);
        (prop_oneof![any::<u32>(), edges], any::<bool>())
            .prop_map(|(bits, negative)| if negative { bits | SIGN } else { bits })
    }

    fn same(found: u32, host: f32) -> bool {
        found == host.to_bits() || (host.is_nan() && found == CANONICAL_NAN)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn results_equal_those_of_the_host(a in pattern(), b in pattern(), c in pattern()) {
            let [x, y, z] = [a, b, c].map(Real::of_binary32);
            let [f, g, h] = [a, b, c].map(f32::from_bits);
            let nearest = Rounding::TiesToEven;
            prop_assert!(same(x.round(nearest), f));
            prop_assert!(same(x.plus(&y).unwrap().round(nearest), f + g));
            prop_assert!(same(x.times(&y).unwrap().round(nearest), f * g));
            prop_assert!(same(x.times(&y).unwrap().plus(&z).unwrap().round(nearest), f.mul_add(g, h)));
            prop_assert_eq!(x.compare(&y), f.partial_cmp(&g));
        }

        /// The directed results enclose the exact sum, and are equal or neighbours.
        #[test]
        fn directed_results_enclose_the_exact_value(a in pattern(), b in pattern()) {
            let exact = Real::of_binary32(a).times(&Real::of_binary32(b)).unwrap();
            if exact == Real::Nan {
                return Ok(());
            }
            let [up, down, inward] = [Rounding::Up, Rounding::Down, Rounding::ToZero].map(|r| exact.round(r));
            let order = |bits: u32| exact.compare(&Real::of_binary32(bits)).unwrap();
            prop_assert!(order(up) != Ordering::Greater && order(down) != Ordering::Less);
            prop_assert_eq!(inward, if exact.is_negative() { up } else { down });
            let is_exact = order(up) == Ordering::Equal;
            prop_assert_eq!(up == down, is_exact);
            prop_assert!(is_exact || up.abs_diff(down) == 1 || (up | down) & !SIGN == 1);
        }
    }

    #[test]
    fn ties_and_zeros_follow_the_rounding() {
        let tie = Real::Finite { significand: Int::Small((1 << 25) + 2), exponent: -25 };
        for (rounding, bits) in [
            (Rounding::TiesToEven, 0x3f80_0000),
            (Rounding::TiesAway, 0x3f80_0001),
            (Rounding::Up, 0x3f80_0001),
            (Rounding::Down, 0x3f80_0000),
            (Rounding::ToZero, 0x3f80_0000),
        ] {
            assert_eq!(tie.round(rounding), bits, "{rounding:?}");
            let zero = Real::of_binary32(0x3f80_0000).plus(&Real::of_binary32(0xbf80_0000)).unwrap();
            assert_eq!(zero.round(rounding), if rounding == Rounding::Down { SIGN } else { 0 });
        }
        let huge = Real::Finite { significand: Int::Small(1), exponent: 4000 };
        assert_eq!([huge.round(Rounding::Up), huge.round(Rounding::ToZero)], [INFINITY, INFINITY - 1]);
        let tiny = Real::Finite { significand: Int::Small(-1), exponent: -4000 };
        assert_eq!([tiny.round(Rounding::Down), tiny.round(Rounding::TiesAway)], [SIGN | 1, SIGN]);
    }
}
