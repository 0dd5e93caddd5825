//! Hard cases of products of two numbers.

use assay_isa::format::F32;

use super::number::{BITS, Product, around, congruent, odd_factors};
use super::{HardCase, HardClass, Promise, near_tie, promise};

/// Exponents of the unit of a product of two significands: results near 2^100, 1 and 2^-100.
const EXPONENTS: [i32; 3] = [100 - 47, -47, -100 - 47];

/// Products of two significands have 47 bits below 2^`END`, and 48 bits from there on.
const END: u32 = 2 * BITS - 1;

/// Every case of FMUL; the third operand is unused.
pub fn cases() -> Vec<HardCase> {
    let mut list: Vec<HardCase> =
        EXPONENTS.into_iter().flat_map(|exponent| ties(exponent).chain(near(exponent))).collect();
    list.extend(EXPONENTS.into_iter().flat_map(carries));
    list.extend(overflow());
    list.extend(tininess());
    list.extend(underflow());
    list
}

/// Returns a case for each pair of operands with this product.
fn of(class: HardClass, promise: Promise, product: Product) -> impl Iterator<Item = HardCase> {
    product.operands().map(move |[a, b]| HardCase::new(class, promise, [a, b, 0]))
}

/// Returns ties: products of 25 bits of two odd factors, for every division of the bits between the
/// factors.
pub fn tied(exponent: i32) -> impl Iterator<Item = Product> {
    let pairs = (2..BITS).flat_map(|bits| odd_factors([bits, BITS + 2 - bits], BITS + 1).take(4));
    pairs.map(move |factors| Product { factors, exponent: exponent + BITS as i32 - 2 })
}

fn ties(exponent: i32) -> impl Iterator<Item = HardCase> {
    tied(exponent).flat_map(|product| of(HardClass::Tie, Promise::Tie, product))
}

/// Returns products with `below` bits below the last place, at the distance `off` from a tie, or
/// from a number.
pub fn missed(is_tie: bool, off: i32, below: u32, exponent: i32) -> impl Iterator<Item = Product> {
    let half = if is_tie { 1_u32 << (below - 1) } else { 0 };
    let pairs = congruent(half.wrapping_add_signed(off), below);
    let products = pairs.map(move |factors| Product { factors, exponent });
    products.filter(move |product| product.integer().ilog2() + 1 == BITS + below)
}

/// Cases one or three units of the product off a number or a tie.
fn near(exponent: i32) -> impl Iterator<Item = HardCase> {
    let places = [BITS - 1, BITS].into_iter().flat_map(|below| [false, true].map(|is_tie| (below, is_tie)));
    let offs = places.flat_map(|(below, is_tie)| [-3, -1, 1, 3].map(|off: i32| (below, is_tie, off)));
    offs.flat_map(move |(below, is_tie, off)| {
        let promise = promise(is_tie, off.unsigned_abs().into(), below);
        missed(is_tie, off, below, exponent).take(8).flat_map(move |product| {
            let even = product.integer() >> below & 1 == 0;
            of(if is_tie { near_tie(even, off > 0, 25) } else { HardClass::Sticky }, promise, product)
        })
    })
}

/// The boundaries just below and at 2^47, each with whether it is a tie. The unit in the last place
/// below 2^47 is 2^23.
pub const BEFORE_THE_END: [(u64, bool); 3] =
    [((1 << END) - (1 << (BITS - 1)), false), ((1 << END) - (1 << (BITS - 2)), true), (1 << END, false)];

/// Cases around a boundary.
fn at(
    class: HardClass,
    (target, is_tie): (u64, bool),
    exponent: i32,
    ulp: u32,
) -> impl Iterator<Item = HardCase> {
    let products = around(target, exponent).into_iter();
    products.flat_map(move |(product, off)| of(class, promise(is_tie, off, ulp), product))
}

fn carries(exponent: i32) -> impl Iterator<Item = HardCase> {
    BEFORE_THE_END.into_iter().flat_map(move |boundary| at(HardClass::Carry, boundary, exponent, BITS - 1))
}

/// Cases around the greatest number, 2^128 and the tie between them, with each scale.
fn overflow() -> impl Iterator<Item = HardCase> {
    const EXPONENT: i32 = F32.bias() + 1 - END as i32;
    scaled(EXPONENT, &BEFORE_THE_END, HardClass::Overflow)
}

/// Cases around the least normal number, the last subnormal number and the ties between them, with
/// each scale. The ties are those of the subnormal grid and of the finer grid. The unit is that of
/// the finer grid.
fn tininess() -> impl Iterator<Item = HardCase> {
    const EXPONENT: i32 = F32.emin() - END as i32;
    const LAST_SUBNORMAL: (u64, bool) = ((1 << END) - (1 << BITS), false);
    let coarser = scaled(EXPONENT, &[LAST_SUBNORMAL], HardClass::Tininess);
    coarser.chain(scaled(EXPONENT, &BEFORE_THE_END, HardClass::Tininess))
}

fn scaled(
    exponent: i32,
    boundaries: &'static [(u64, bool)],
    class: HardClass,
) -> impl Iterator<Item = HardCase> {
    let scales = boundaries.iter().copied().flat_map(|boundary| (-3..=3).map(move |scale| (boundary, scale)));
    scales.flat_map(move |(boundary, scale)| {
        at(class, boundary, exponent - scale, BITS - 1).map(move |case| HardCase { scale, ..case })
    })
}

/// Cases around multiples of half the least subnormal number: the first multiples, and one of each
/// bit length up to the least normal number. Also cases far below.
fn underflow() -> impl Iterator<Item = HardCase> {
    let lengths = (2..=BITS).filter_map(|bits| {
        let factors = odd_factors([bits.div_ceil(2), bits / 2 + 1], bits).next()?;
        Some(Product { factors, exponent: 0 }.integer())
    });
    let around = (1..=8).chain(lengths).flat_map(|halves| {
        let places = END - 1 - halves.ilog2();
        at(
            HardClass::Underflow,
            (halves << places, halves % 2 == 1),
            F32.grid() - 1 - places as i32,
            places + 1,
        )
    });
    let least = [[1, 1], [F32.fraction_mask(), 1], [F32.fraction_mask() + 1, F32.fraction_mask()]];
    let nothing =
        least.map(|[a, b]| HardCase::new(HardClass::Underflow, Promise::NearNumber(100), [a, b, 0]));
    around.chain(nothing)
}
