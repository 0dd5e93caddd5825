//! The random bits that a relation bends a lane by.

/// What a lane is bent by: two numbers of 32 random bits.
#[derive(Clone, Copy)]
pub(super) struct BendBits {
    pub first: u32,
    pub second: u32,
}

impl BendBits {
    #[inline(always)]
    pub fn of(random: u64) -> BendBits {
        BendBits { first: random as u32, second: (random >> 32) as u32 }
    }

    /// A number below another, of the leading bits of the first.
    #[inline(always)]
    pub fn below(self, number: u32) -> u32 {
        below(self.first, number)
    }

    /// The number give or take two, by the trailing bits of the first.
    #[inline(always)]
    pub fn near(self, number: u32) -> u32 {
        number.wrapping_add(below(self.first << 16, 5)).wrapping_sub(2)
    }

    /// Either sign, by the last bit of the first, which [`BendBits::below`] hardly depends on.
    #[inline(always)]
    pub fn sign(self) -> u32 {
        self.first << 31
    }
}

/// A number below another: the leading bits of a random one decide.
#[inline(always)]
pub(super) fn below(random: u32, number: u32) -> u32 {
    ((u64::from(random) * u64::from(number)) >> 32) as u32
}

/// A value for each lane, from its place and its random bits.
#[inline(always)]
pub(super) fn each<const N: usize>(random: &[u64; N], value: impl Fn(usize, BendBits) -> u32) -> [u32; N] {
    let mut values = [0; N];
    for (lane, (drawn, random)) in values.iter_mut().zip(random).enumerate() {
        *drawn = value(lane, BendBits::of(*random));
    }
    values
}
