//! UIADD, UIMAD, UIMAD.WIDE, UIMUL, ULEA, UIABS and UIMNMX.
//!
//! Source: document 003. Carries by E098, E102, E112 and E119; prefixes by E099, E103, E105, E126
//! and E127.

use core::cmp::Ordering;

use crate::codes::Optype;
use crate::fault::{Active, Fault};
use crate::instruction::Modifiers;

/// Operands of an integer instruction, before prefixes are applied.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Integers {
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) c: u64,
    pub(crate) negate_a: bool,
    pub(crate) negate_b: bool,
    pub(crate) negate_c: bool,
    /// The carry in, after its `!`.
    pub(crate) carry: bool,
}

/// Computes the result and the carry out.
pub(crate) fn run(optype: Optype, m: &Modifiers, x: &Integers, active: Active) -> (u64, bool) {
    let unit = IntegerUnit { m, active };
    match optype {
        Optype::Uiadd => unit.add(x),
        Optype::Uimad if m.extended => unit.multiply_add_high(x),
        Optype::Uimad => unit.multiply_add(x),
        Optype::UimadWide => unit.multiply_add_wide(x),
        Optype::Uimul => (unit.multiply(x), false),
        Optype::Ulea => unit.scaled_address(x),
        Optype::Uiabs => (unit.magnitude(x.b).into(), false),
        _ => (unit.minmax(x).into(), false),
    }
}

struct IntegerUnit<'a> {
    m: &'a Modifiers,
    active: Active,
}

impl IntegerUnit<'_> {
    fn has(&self, fault: Fault) -> bool {
        self.active.has(fault)
    }

    /// Returns the low word of a sum, and its carry: whether the sum reaches 2^32.
    fn carried(&self, sum: u64) -> (u64, bool) {
        let carry = if self.has(Fault::CarryMustExceed) { sum > 1 << 32 } else { sum >= 1 << 32 };
        (sum & 0xffff_ffff, carry)
    }

    /// Applies the prefix `-`, which means `~` under `.X` (E099).
    fn prefixed(&self, bits: u32, negate: bool) -> u32 {
        match negate {
            false => bits,
            true if self.m.extended && self.has(Fault::ExtendedPrefixNegates) => bits.wrapping_neg(),
            true if self.m.extended || self.has(Fault::NegationWithoutOne) => !bits,
            true => bits.wrapping_neg(),
        }
    }

    fn add(&self, x: &Integers) -> (u64, bool) {
        let a = self.prefixed(x.a, x.negate_a);
        let b = self.prefixed(x.b, x.negate_b);
        let mut carry = u64::from(x.carry && self.m.extended);
        if self.has(Fault::CarryInLostAtAllOnes) && a == u32::MAX {
            carry = 0;
        }
        let (low, carried) = self.carried(u64::from(a) + u64::from(b) + carry);
        if self.has(Fault::CarryFromSigns) {
            return (low, (a >> 31) & (b >> 31) == 1);
        }
        let lost = self.has(Fault::EqualOperandsLoseCarry) && a == b;
        (low, carried && !lost)
    }

    /// Returns the 64-bit product of signed or unsigned factors.
    fn product(&self, a: u32, b: u32) -> u64 {
        if self.has(Fault::AllOnesSquareWrong) && a == u32::MAX && b == u32::MAX && self.m.unsigned {
            return 0xffff_ffff_0000_0001;
        }
        if self.m.unsigned {
            return u64::from(a) * u64::from(b);
        }
        let a_value = i64::from(a as i32);
        let b_value = if self.has(Fault::SecondFactorUnsigned) { i64::from(b) } else { i64::from(b as i32) };
        if self.has(Fault::SquareOfMinimum) && a == b && a == 0x8000_0000 {
            return 0xc000_0000_0000_0000;
        }
        a_value.wrapping_mul(b_value) as u64
    }

    fn multiply_add(&self, x: &Integers) -> (u64, bool) {
        let low = self.product(x.a, x.b) & 0xffff_ffff;
        let c = x.c & 0xffff_ffff;
        let sum = match x.negate_c {
            false => low + c,
            // The two's complement of 0 is 0 and gives no carry. The chain needs ~0 + 1 (E103).
            true if self.has(Fault::NegatedZeroDoesNotCarry) => low + u64::from((c as u32).wrapping_neg()),
            true => low + u64::from(!(c as u32)) + 1,
        };
        let (low, carry) = self.carried(sum);
        (low, carry && !self.has(Fault::LowProductNeverCarries))
    }

    fn multiply_add_high(&self, x: &Integers) -> (u64, bool) {
        let product = if self.has(Fault::HighProductUnsigned) {
            u64::from(x.a) * u64::from(x.b)
        } else {
            self.product(x.a, x.b)
        };
        let c = self.prefixed(x.c as u32, x.negate_c);
        let carry = x.carry && !self.has(Fault::HighProductLosesCarryIn);
        self.carried((product >> 32) + u64::from(c) + u64::from(carry))
    }

    fn multiply_add_wide(&self, x: &Integers) -> (u64, bool) {
        let product = if self.has(Fault::WideProductUnsigned) {
            u64::from(x.a) * u64::from(x.b)
        } else {
            self.product(x.a, x.b)
        };
        let complement = x.negate_c;
        let c = if complement { !x.c } else { x.c };
        let one = if self.m.extended { x.carry && !self.has(Fault::WideLosesCarryIn) } else { complement };
        if self.has(Fault::WideCarryBetweenWordsLost) {
            let low = (product & 0xffff_ffff) + (c & 0xffff_ffff) + u64::from(one);
            let high = (product >> 32) + (c >> 32);
            return ((low & 0xffff_ffff) | (high << 32), high >> 32 != 0);
        }
        let sum = u128::from(product) + u128::from(c) + u128::from(one);
        let carry = if self.has(Fault::WideCarryMustExceed) { sum > 1 << 64 } else { sum >= 1 << 64 };
        (sum as u64, carry && !(self.has(Fault::WideSignedNeverCarries) && (product >> 63) == 1))
    }

    fn multiply(&self, x: &Integers) -> u64 {
        let b = if x.negate_b { x.b.wrapping_neg() } else { x.b };
        let product = if x.negate_b && self.has(Fault::ProductNegatedAfterwards) {
            self.product(x.a, x.b).wrapping_neg()
        } else {
            self.product(x.a, b)
        };
        let product = if x.a == 0x0001_0001 && self.has(Fault::MultiplierRecodesPattern) {
            product ^ (1 << 32)
        } else {
            product
        };
        if self.m.high { product >> 32 } else { product & 0xffff_ffff }
    }

    fn scaled_address(&self, x: &Integers) -> (u64, bool) {
        let base = u64::from(x.b);
        let shift = self.m.shift;
        if !self.m.high {
            let low = ((u64::from(x.a) << shift) & 0xffff_ffff) as u32;
            return match x.negate_a {
                true if self.has(Fault::NegatedScaledZero) => {
                    self.carried(u64::from(low.wrapping_neg()) + base)
                }
                // The complement plus 1 carries if the scaled value is 0 (E127).
                true => self.carried(u64::from(!low) + base + 1),
                false => self.carried(u64::from(low) + base),
            };
        }
        let flip = if x.negate_a { u64::MAX } else { 0 };
        let high = if self.m.sign_extended && !self.has(Fault::AddressZeroExtended) {
            let pair = i64::from(x.a as i32) ^ flip as i64;
            (pair >> (32 - shift)) as u32
        } else if self.m.sign_extended {
            (u64::from(x.a ^ flip as u32) >> (32 - shift)) as u32
        } else {
            let upper = x.c as u32 ^ if self.has(Fault::ComplementMissesUpperWord) { 0 } else { flip as u32 };
            let pair = (u64::from(upper) << 32) | u64::from(x.a ^ flip as u32);
            (pair >> (32 - shift)) as u32
        };
        let high =
            if shift == 0 && self.has(Fault::ScaleByOneShiftsNothing) { x.a ^ flip as u32 } else { high };
        self.carried(u64::from(high) + base + u64::from(x.carry))
    }

    fn magnitude(&self, bits: u32) -> u32 {
        match bits {
            0x8000_0000 if self.has(Fault::MinimumMagnitudeSaturates) => 0x7fff_ffff,
            _ => (bits as i32).wrapping_abs() as u32,
        }
    }

    /// UIMNMX: returns the minimum if the predicate is true, and else the maximum (E134).
    fn minmax(&self, x: &Integers) -> u32 {
        let a = if x.negate_a { x.a.wrapping_neg() } else { x.a };
        let b = if x.negate_b { x.b.wrapping_neg() } else { x.b };
        let unsigned = self.m.unsigned && !self.has(Fault::MinmaxAlwaysSigned);
        let order = order(a, b, unsigned);
        if (order == Ordering::Less) == x.carry { a } else { b }
    }
}

/// Compares two words as unsigned or signed numbers.
pub(crate) fn order(a: u32, b: u32, unsigned: bool) -> Ordering {
    if unsigned { a.cmp(&b) } else { (a as i32).cmp(&(b as i32)) }
}
