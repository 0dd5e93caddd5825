//! The random bits by which a relation bends a lane.

/// The random bits by which a lane is bent: two numbers of 32 bits.
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

    /// Returns a number below `number`, by the leading bits of `first`.
    #[inline(always)]
    pub fn below(self, number: u32) -> u32 {
        below(self.first, number)
    }

    /// Returns a number at most 2 from `number`, by the trailing bits of `first`.
    #[inline(always)]
    pub fn near(self, number: u32) -> u32 {
        number.wrapping_add(below(self.first << 16, 5)).wrapping_sub(2)
    }

    /// Returns a random sign bit: the last bit of `first`. [`BendBits::below`] hardly depends on
    /// this bit.
    #[inline(always)]
    pub fn sign(self) -> u32 {
        self.first << 31
    }
}

/// Returns a number below `number`, by the leading bits of `random`.
#[inline(always)]
pub(super) fn below(random: u32, number: u32) -> u32 {
    ((u64::from(random) * u64::from(number)) >> 32) as u32
}

/// Computes a value for each lane, from its index and its random bits.
#[inline(always)]
pub(super) fn each<const N: usize>(random: &[u64; N], value: impl Fn(usize, BendBits) -> u32) -> [u32; N] {
    let mut values = [0; N];
    for (lane, (drawn, random)) in values.iter_mut().zip(random).enumerate() {
        *drawn = value(lane, BendBits::of(*random));
    }
    values
}
