//! Constructs operands whose exact sum or product hits a bin.
//!
//! Operands that probably hit the bin are proposed at random. The arithmetic that marks bins then
//! checks them.

use assay_isa::format::F32;
use assay_isa::hints::Operation;
use assay_isa::legalize::legalize;
use assay_isa::{Batch, Instruction, Source};

use super::exact::{Arithmetic, LaneBins, REACH};
use super::topic::Topic;
use crate::generate::splitmix::Random;
use crate::generate::{hard_to_round, relations};

/// A bin of exact numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exact {
    /// The topic of the bin.
    pub topic: Topic,
    /// Index of the bin within its topic.
    pub bin: usize,
}

/// Maximum number of proposals for the target bin of a batch. [`LANE_TRIES`] is the maximum for the
/// bin of a lane.
const LEAD_TRIES: usize = 2000;
const LANE_TRIES: usize = 16;

impl Exact {
    /// Returns operands that hit the bin, for a whole batch. The literals of the batch are taken
    /// from these operands, so more proposals are tried than for a lane.
    pub fn lead(self, instruction: &Instruction, random: &mut Random) -> Option<[u32; 3]> {
        self.construct(instruction, random, LEAD_TRIES)
    }

    /// Returns operands that hit the bin, for one lane.
    pub fn lane(self, instruction: &Instruction, random: &mut Random) -> Option<[u32; 3]> {
        self.construct(instruction, random, LANE_TRIES)
    }

    /// Returns the first of `tries` proposals that hits the bin. The operands are the values after
    /// the prefixes are applied.
    fn construct(self, instruction: &Instruction, random: &mut Random, tries: usize) -> Option<[u32; 3]> {
        let arithmetic = Arithmetic::of(instruction)?;
        let operation = instruction.form().optype.hints.operation()?;
        (0..tries).find_map(|_| {
            let operands = self.propose(operation, random);
            (self.of(arithmetic.bins(operands)) == Some(self.bin)).then_some(operands)
        })
    }

    fn of(self, found: LaneBins) -> Option<usize> {
        match self.topic {
            Topic::Distance => found.distance,
            Topic::Cancellation => found.cancellation,
            Topic::Rounding => found.rounding,
            Topic::Edge => found.edge,
            _ => found.range,
        }
    }

    /// Clears the prefixes of an instruction, and sets its literal to an operand that hits the bin.
    pub fn place(self, instruction: &mut Instruction, random: &mut Random) {
        for (position, field) in instruction.form().fields.iter().enumerate() {
            if matches!(field.attribute(), Some("neg" | "abs")) {
                instruction.set_at(position, 0);
            }
        }
        let Some(operands) = self.lead(instruction, random) else { return };
        let names: Vec<&str> = instruction.form().inputs().collect();
        for (name, bits) in names.into_iter().zip(operands) {
            if let (Source::Imm(_), Some(position)) =
                (instruction.operand(name).source, instruction.form().position(name))
            {
                let bits = legalize(instruction, position, bits);
                instruction.set_at(position, bits);
            }
        }
    }

    /// Puts operands into a lane.
    pub fn store(self, instruction: &Instruction, operands: [u32; 3], batch: &mut Batch, lane: usize) {
        for (operand, bits) in instruction.inputs().zip(operands) {
            let column = operand.source.location();
            if let Some(index) = column.and_then(|c| batch.locations().iter().position(|l| *l == c)) {
                batch.column_mut(index)[lane] = bits;
            }
        }
    }

    fn propose(self, operation: Operation, random: &mut Random) -> [u32; 3] {
        let signs = random.next();
        let operands = match (self.topic, random.below(4)) {
            (Topic::Distance, _) => self.distant(operation, random),
            (Topic::Cancellation, _) => cancelling(operation, random),
            (Topic::Edge, _) => relations::at_edge(operation, anywhere(random), random.next()),
            (Topic::Range, 2) => relations::reaching(operation, anywhere(random), random.next()),
            (_, 0) => listed(operation, random),
            (_, 1) => beside(operation, random),
            (Topic::Rounding, _) => product(random),
            (_, _) => extreme(operation, random),
        };
        match self.topic {
            Topic::Cancellation => operands,
            Topic::Edge | Topic::Range if random.next() & 1 == 0 => operands,
            _ => [0, 1, 2].map(|i| operands[i] ^ ((signs >> i & 1) as u32 * F32.sign_mask())),
        }
    }

    /// Returns terms whose exponents differ by the distance of the bin, or by one less.
    fn distant(self, operation: Operation, random: &mut Random) -> [u32; 3] {
        let number = (2 * REACH + 3) as usize;
        let wanted = (self.bin % number) as i32 - REACH - 1;
        let wanted =
            if wanted.abs() > REACH { wanted + wanted.signum() * random.below(8) as i32 } else { wanted };
        let addend = random.below(16) as i32 - 8;
        let first = addend + wanted - random.below(2) as i32;
        match operation {
            Operation::Fused => {
                let part = random.below(16) as i32 - 8;
                [float(first - part, random), float(part, random), float(addend, random)]
            }
            _ => [float(first, random), float(addend, random), 0],
        }
    }
}

/// Returns a number of positive sign with an exponent. The significand is random, or lies at an end
/// of the binade.
fn float(exponent: i32, random: &mut Random) -> u32 {
    let bits = random.next();
    let fraction = match bits >> 60 {
        0..4 => 0,
        4 => 1,
        5 => F32.fraction_mask(),
        6 => F32.fraction_mask() - 1,
        _ => bits as u32 & F32.fraction_mask(),
    };
    let field = (exponent + F32.bias()).clamp(0, 254) as u32;
    field << F32.fraction_bits | fraction
}

/// Returns three numbers of positive sign with random exponents.
fn anywhere(random: &mut Random) -> [u32; 3] {
    [0; 3].map(|_| float(random.below(254) as i32 - 126, random))
}

/// Returns a random odd integer of 24 bits.
fn odd(random: &mut Random) -> u64 {
    1 << 23 | random.next() & F32.fraction_mask() as u64 | 1
}

/// Returns an integer of at most 24 bits times a power of two, or 0 if F32 cannot represent the
/// product.
fn dyadic(integer: u64, exponent: i32) -> u32 {
    if integer == 0 {
        return 0;
    }
    let shift = integer.leading_zeros() as i32 - 40;
    let (m, e) = ((integer << shift) as u32, exponent - shift);
    match e - F32.grid() {
        above @ 0..=253 => ((above as u32) << F32.fraction_bits) + m,
        below @ -24..0 if m.trailing_zeros() as i32 >= -below => m >> -below,
        _ => 0,
    }
}

/// Returns the inverse of an odd integer modulo 2^64.
fn inverse(odd: u64) -> u64 {
    (0..6).fold(odd, |x, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x))))
}

/// Returns a listed hard case. In half of the draws, the exponent of the first operand changes by
/// up to 3.
fn listed(operation: Operation, random: &mut Random) -> [u32; 3] {
    use std::sync::LazyLock;
    static CASES: LazyLock<[Vec<[u32; 3]>; 3]> = LazyLock::new(|| {
        [Operation::Sum, Operation::Product, Operation::Fused]
            .map(|operation| hard_to_round::cases(operation).map(|case| case.operands).collect())
    });
    let cases = &CASES[operation as usize];
    let mut operands = cases[random.below(cases.len())];
    if random.next() & 1 == 0 {
        let by = random.below(7) as i32 - 3;
        operands[0] = operands[0].wrapping_add_signed(by << F32.fraction_bits);
    }
    operands
}

/// Returns two numbers. The second is 20 to 51 binades lower, so it is near or below the last bit
/// of the first.
fn beside(operation: Operation, random: &mut Random) -> [u32; 3] {
    let exponent = match random.below(4) {
        0 => 127,
        1 => random.below(40) as i32 - F32.bias(),
        _ => random.below(100) as i32 - 20,
    };
    let (large, distance) = (float(exponent, random), 20 + random.below(32) as i32);
    let small = float(exponent - distance, random);
    match operation {
        Operation::Fused => [large, F32.one(), small],
        _ => [large, small, 0],
    }
}

/// Returns factors whose product has chosen low bits: within 8 of zero, or within 8 of half. The
/// product is normal or subnormal.
fn product(random: &mut Random) -> [u32; 3] {
    let dropped = 23 + random.below(6) as u32;
    let near: u64 = [0, 1 << (dropped - 1)][random.below(2)];
    let off = (random.below(17) as u64).wrapping_sub(8);
    let a = odd(random);
    let b = inverse(a).wrapping_mul(near.wrapping_add(off)) & ((1 << dropped) - 1);
    if b >> 24 != 0 {
        return [0; 3];
    }
    // Either the exponent puts `dropped` bits of the product below the least subnormal number, or
    // the exponent is random.
    let sum = match random.below(2) {
        0 => F32.grid() - dropped as i32,
        _ => random.below(120) as i32 - 100,
    };
    let part = -20 - random.below(40) as i32;
    [dyadic(a, part), dyadic(b, sum - part), 0]
}

/// Returns operands near an end of the range. For a product, the product is near the end. For a
/// sum, the first term is.
fn extreme(operation: Operation, random: &mut Random) -> [u32; 3] {
    if operation == Operation::Sum {
        let exponent = [127, 126, -126, -127][random.below(4)];
        return [float(exponent, random), float(exponent - random.below(30) as i32, random), 0];
    }
    // The instruction's scale can change the exponent by -3 to 3.
    let scale = if operation == Operation::Product { random.below(7) as i32 - 3 } else { 0 };
    let (a, part) = (odd(random), -20);
    match random.below(3) {
        // The product of the integers has 47 bits, and at least the first 22 are ones.
        0 => {
            let b = ((1 << 47) - 1 - (random.next() & ((1 << (22 + random.below(2))) - 1))) / a;
            let sum = [F32.bias() - 46, F32.emin() - 47, F32.emin() - 46][random.below(3)] + scale;
            [dyadic(a, part), dyadic(b, sum - part), 0]
        }
        // The midpoint above the greatest number is 2^25 - 1 times a power of two, and 2^25 - 1 =
        // 18,631 · 1,801.
        1 => {
            let factors = [18_631, 1_801];
            let first = random.below(2);
            let part = 30 + random.below(40) as i32;
            let other = F32.bias() - F32.fraction_bits as i32 - 1 + scale - part;
            [dyadic(factors[first], part), dyadic(factors[1 - first], other), 0]
        }
        _ => {
            let (least, emin, emax) = (F32.grid(), F32.emin(), F32.bias());
            let wanted = [least - 1, least - 3, emin, emin - 1, emax + 1][random.below(5)] + scale;
            let first = random.below(60) as i32 - 30;
            [float(first, random), float(wanted - first, random), 0]
        }
    }
}

/// Returns terms of opposite signs and nearly equal magnitudes.
fn cancelling(operation: Operation, random: &mut Random) -> [u32; 3] {
    let minus = F32.sign_mask();
    let noise = random.next() & ((1 << random.below(26)) - 1);
    if operation != Operation::Fused {
        let a = float(random.below(100) as i32 - 50, random);
        return [a, minus | a.wrapping_sub(noise as u32), 0];
    }
    if random.next() & 1 == 0 {
        let (a, b) = (float(random.below(40) as i32, random), float(-(random.below(40) as i32), random));
        let product = (f32::from_bits(a) * f32::from_bits(b)).to_bits();
        return [a, b, minus ^ product.wrapping_sub(noise as u32)];
    }
    // Only the low 24 bits of the product remain in the sum.
    let a = odd(random);
    let left = noise & ((1 << 24) - 1);
    let b = inverse(a).wrapping_mul(left) & ((1 << 24) - 1);
    let part = -20 + random.below(20) as i32;
    [dyadic(a, part), dyadic(b, part), minus | dyadic((a * b) >> 24, 2 * part + 24)]
}
