//! Hard cases of products of two numbers with an addend.

use assay_isa::format::F32;

use super::number::{BITS, GREATEST, LEAST, Product, around, congruent, exactly, odd_factors, pattern};
use super::product::{missed, tied};
use super::sum::TRACES;
use super::{HardCase, HardClass, Promise, near_tie, product, promise, sum};

/// The exponent of the unit of a product of two significands, if the product is near 1.
const EXPONENT: i32 = 1 - 2 * BITS as i32;

/// Every hard case of FFMA: the cases of FADD with a factor of 1, the cases of FMUL with an addend
/// of 0, and the cases of this module.
pub fn cases() -> Vec<HardCase> {
    let mut list: Vec<HardCase> = sum::cases().into_iter().flat_map(from_sum).collect();
    list.extend(product::cases().into_iter().filter(|case| case.scale == 0).flat_map(from_product));
    list.extend(traces());
    list.extend(nearly_cancelled_offset());
    list.extend(beside_addends());
    list.extend(cancelled());
    list.extend(renormalized());
    list.extend(overflow());
    list.extend(below_the_grid());
    list
}

/// `a · 1 + b` and `1 · b + a`.
fn from_sum(case: HardCase) -> [HardCase; 2] {
    let ([a, b, _], one) = (case.operands, F32.one());
    [[a, one, b], [one, b, a]].map(|operands| HardCase { operands, ..case })
}

/// `a · b + 0` and `a · b - 0`.
fn from_product(case: HardCase) -> [HardCase; 2] {
    let [a, b, _] = case.operands;
    [0, F32.sign_mask()].map(|zero| HardCase { operands: [a, b, zero], ..case })
}

/// Returns the operands of a product and of the addend ±`significand · 2^exponent`. `None` if F32
/// lacks one of them.
fn with(product: Product, negative: bool, significand: u32, exponent: i32) -> Option<[u32; 3]> {
    let [a, b] = product.operands().next()?;
    let addend = pattern(significand, exponent)?;
    Some([a, b, if negative { addend | F32.sign_mask() } else { addend }])
}

/// The product is exactly a tie or a number of F32, and the addend is far below the last place.
fn traces() -> impl Iterator<Item = HardCase> {
    let ties = tied(EXPONENT).step_by(3).map(|product| (product, true));
    let numbers = odd_factors([12, 13], BITS).take(6);
    let numbers = numbers.map(|factors| (Product { factors, exponent: EXPONENT + BITS as i32 }, false));
    let traces = TRACES.into_iter().skip(1);
    let with_traces = ties.chain(numbers).flat_map(move |on| traces.clone().map(move |below| (on, below)));
    let signed = with_traces.flat_map(|(on, below)| [(on, below, false), (on, below, true)]);
    signed.filter_map(|((product, is_tie), below, negative)| {
        let unit = product.exponent + i32::from(is_tie);
        let even = product.integer() >> 1 & 1 == 0;
        let rounded = if below > LOST { 53 } else { 25 };
        let class = if is_tie { near_tie(even, !negative, rounded) } else { HardClass::Sticky };
        let near = if is_tie { Promise::NearTie } else { Promise::NearNumber };
        Some(HardCase::new(class, near(below as u32), with(product, negative, 1, unit - below)?))
    })
}

/// A trace more than this many bits below the last place of F32 is less than half a unit of an f64.
const LOST: i32 = f64::MANTISSA_DIGITS as i32 - BITS as i32 + 1;

/// The product is a few units away from a tie or a number. The addend cancels this offset, or all
/// but 2^-23 of it.
fn nearly_cancelled_offset() -> impl Iterator<Item = HardCase> {
    let places = [BITS - 1, BITS].into_iter().flat_map(|below| [false, true].map(|is_tie| (below, is_tie)));
    let offs = places.flat_map(|(below, is_tie)| [-5, -1, 1, 3].map(|off: i32| (below, is_tie, off)));
    let products = offs.flat_map(|(below, is_tie, off)| {
        missed(is_tie, off, below, EXPONENT).take(4).map(move |product| (product, below, is_tie, off))
    });
    products.flat_map(|(product, below, is_tie, off)| {
        let size = off.unsigned_abs();
        let shift = BITS - 1 - size.ilog2();
        let [whole, rest] = [promise(is_tie, 0, below), promise(is_tie, 1, below + shift)];
        let addends =
            [(whole, size, 0), (rest, (size << shift) - 1, shift), (rest, (size << shift) + 1, shift)];
        addends.into_iter().filter_map(move |(promise, significand, shift)| {
            let operands = with(product, off > 0, significand, product.exponent - shift as i32)?;
            Some(HardCase::new(HardClass::Mended, promise, operands))
        })
    })
}

/// Binary logarithm of the product of two significands of 2^23.
const HALF: u32 = 2 * BITS - 2;

/// The product is half a unit of the addend, nearly half a unit, or a trace. Either sign of the
/// addend occurs.
fn beside_addends() -> impl Iterator<Item = HardCase> {
    let shares = [1].into_iter().chain(TRACES).flat_map(|below| {
        around(1 << HALF, -(HALF as i32) - below).into_iter().map(move |(product, off)| (below, product, off))
    });
    let shares: Vec<(i32, Product, u64)> = shares.collect();
    let addends =
        [LEAST + 1, LEAST + 2, 0xaa_aaab, GREATEST - 1].into_iter().flat_map(|a| [(a, false), (a, true)]);
    addends.flat_map(move |(addend, negative)| {
        let case = move |(below, product, off): (i32, Product, u64)| {
            let beyond = product.integer() > 1 << HALF;
            let (class, promise) = match (below, off) {
                (1, 0) => (HardClass::Tie, Promise::Tie),
                (1, _) => (near_tie(addend.is_multiple_of(2), beyond, 53), promise(true, off, HALF + 1)),
                _ => (HardClass::Sticky, Promise::NearNumber(below as u32 - u32::from(beyond))),
            };
            Some(HardCase::new(class, promise, with(product, negative, addend, 0)?))
        };
        shares.clone().into_iter().filter_map(case)
    })
}

/// Products minus their upper bits. The remainder has 1 to 24 bits and either sign, or is zero.
fn cancelled() -> impl Iterator<Item = HardCase> {
    let left = (1..=BITS).flat_map(|bits| [(bits, u32::MAX >> (32 - bits)), (bits, 1 << (bits - 1) | 1)]);
    let signed = left.flat_map(|(bits, left)| [(bits, left as i32), (bits, -(left as i32))]);
    let some = signed.flat_map(|(bits, left)| {
        let low = left as u32 & u32::MAX >> (32 - BITS);
        let products = congruent(low, BITS).map(|factors| Product { factors, exponent: EXPONENT });
        let upper = products.filter_map(move |product| {
            let upper = product.integer().checked_add_signed(-i64::from(left))? >> BITS;
            let operands = with(product, true, u32::try_from(upper).ok()?, EXPONENT + BITS as i32)?;
            Some(HardCase::new(HardClass::Cancellation, Promise::Leaves(bits), operands))
        });
        upper.take(3)
    });
    let numbers = odd_factors([12, 12], BITS).chain(odd_factors([5, 20], BITS)).take(8);
    let none = numbers.filter_map(|factors| {
        let product = Product { factors, exponent: EXPONENT + BITS as i32 };
        let operands = with(product, true, product.integer() as u32, product.exponent)?;
        Some(HardCase::new(HardClass::Zero, Promise::Number, operands))
    });
    let zeros = [[0, F32.one(), 0], [0, F32.one(), F32.sign_mask()]];
    some.chain(none).chain(zeros.map(|operands| HardCase::new(HardClass::Zero, Promise::Number, operands)))
}

/// The addend cancels the upper bits of a product, and the remainder has more than 24 bits. It is a
/// tie at the remainder's last place, or a unit away from one.
fn renormalized() -> impl Iterator<Item = HardCase> {
    let left = (BITS + 2..2 * BITS - 1).flat_map(|bits| [-1, 0, 1].map(|off: i32| (bits, off)));
    left.flat_map(|(bits, off)| {
        let below = bits - BITS;
        let low = (1_u32 << (below - 1)).wrapping_add_signed(off);
        let products = congruent(low, below).map(|factors| Product { factors, exponent: EXPONENT });
        let of_length = products.filter(move |product| product.integer() >> (bits - 1) & 1 == 1);
        let cases = of_length.filter_map(move |product| {
            let upper = (product.integer() >> bits) as u32;
            let operands = with(product, true, upper, EXPONENT + bits as i32)?;
            Some(HardCase::new(
                HardClass::Renormalized,
                promise(true, off.unsigned_abs().into(), below),
                operands,
            ))
        });
        cases.take(3)
    })
}

/// The product is at least 2^128. With the addend, the sum is below 2^128 or not. Also the product
/// that is the tie below 2^128, with a trace as addend.
fn overflow() -> impl Iterator<Item = HardCase> {
    const LAST: i32 = F32.bias() + 1 - BITS as i32;
    let power = |exponent: i32| Product { factors: [1, 1], exponent };
    let half = 1 << (BITS - 1);
    let brought_back = [
        (1, LAST, Promise::Number),
        (1, LAST - 1, Promise::Tie),
        (1, LAST - 2, Promise::NearNumber(2)),
        (half - 1, LAST - BITS as i32, Promise::NearTie(BITS)),
        (half + 1, LAST - BITS as i32, Promise::NearTie(BITS)),
        (1, F32.grid(), Promise::NearNumber(200)),
    ];
    let beyond = brought_back.into_iter().filter_map(move |(significand, exponent, promise)| {
        Some((promise, with(power(F32.bias() + 1), true, significand, exponent)?))
    });
    let far_beyond =
        with(power(200), true, GREATEST, LAST).map(|operands| (Promise::NearNumber(48), operands));
    let tie = exactly(product::BEFORE_THE_END[1].0, LAST - BITS as i32 + 1);
    let traces = TRACES.into_iter().skip(1).flat_map(|below| [(below, false), (below, true)]);
    let beside = tie.into_iter().flat_map(move |tie| {
        let with_trace = move |(below, negative)| {
            Some((Promise::NearTie(below as u32), with(tie, negative, 1, LAST - below)?))
        };
        traces.clone().filter_map(with_trace)
    });
    let all = beyond.chain(far_beyond).chain(beside);
    all.map(|(promise, operands)| HardCase::new(HardClass::Overflow, promise, operands))
}

/// The product is near a fraction of the least subnormal number. The addend is the least normal
/// number or a subnormal number.
fn below_the_grid() -> impl Iterator<Item = HardCase> {
    // The products are near the least subnormal number divided by 2^`shift`. The unit in the last
    // place of the result is 2^`ulp` units of the subnormal grid.
    let beside = |shift: i32,
                  significand: u32,
                  exponent: i32,
                  negative: bool,
                  is_tie: bool,
                  ulp: i32,
                  class: HardClass| {
        let products = around(1 << HALF, F32.grid() - shift - HALF as i32).into_iter();
        products.filter_map(move |(product, off)| {
            let operands = with(product, negative, significand, exponent)?;
            Some(HardCase::new(class, promise(is_tie, off, (HALF as i32 + shift + ulp) as u32), operands))
        })
    };
    // The least normal number minus a product, on the finer grid of tininess.
    let shares = [(0, false), (1, false), (2, true)];
    let tiny = shares
        .into_iter()
        .flat_map(move |(shift, is_tie)| beside(shift, 1, F32.emin(), true, is_tie, -1, HardClass::Tininess));
    let above = beside(1, 1, F32.emin(), false, true, 0, HardClass::Tininess);
    let subnormal = [1, 2, 3, (1 << 22) + 1, (1 << 23) - 2].into_iter().flat_map(move |significand| {
        [false, true].into_iter().flat_map(move |negative| {
            beside(1, significand, F32.grid(), negative, true, 0, HardClass::Underflow)
        })
    });
    let least = Product { factors: [1, 1], exponent: 2 * F32.grid() };
    let nothing = [1, 2, 1 << 23].into_iter().flat_map(move |significand| {
        [false, true].into_iter().filter_map(move |negative| {
            let operands = with(least, negative, significand, F32.grid())?;
            Some(HardCase::new(HardClass::Underflow, Promise::NearNumber(148), operands))
        })
    });
    tiny.chain(above).chain(subnormal).chain(nothing)
}
