//! The operands of a sweep: every input of a unary function, otherwise a product of value lists. Float arithmetic also
//! gets hard-to-round operands.
//!
//! A list has every value at which the behaviour may change for the kind of operand: each amount
//! from 0 to 65, each exponent, the ends of each class of floats. The product has every pair or
//! triple of listed values in every mode. If it is too large, its lists are thinned out.

use std::iter;
use std::sync::Arc;

use arbitrary::Unstructured;
use assay_isa::catalog::parts;
use assay_isa::format::{F32, Format};
use assay_isa::hints::Operation;
use assay_isa::row::FieldType;
use assay_isa::{Batch, EncodingTable, Instruction, codec, legality};

use crate::generate;
use crate::generate::{edges, hard_to_round};
use crate::operands::operand_kinds::OperandKind;
use crate::operands::operand_words::{OperandWord, operand_words};

mod classes;

/// Inputs of a 32-bit operand.
pub const ALL_INPUTS: u64 = 1 << 32;

/// The usual maximum number of inputs of a product.
pub const LARGEST: u64 = 1 << 24;

/// Maximum number of inputs of a drawn domain.
pub const DRAWN: u64 = 1 << 18;

/// Number of inputs of a 16-bit half of an operand.
pub const ALL_OF_A_HALF: u64 = 1 << 16;

/// Returns the value of the other half: a permutation of 16 bits that separates neighbours and
/// special values.
fn elsewhere(half: u32) -> u32 {
    (half.wrapping_mul(0x9e37) ^ 0x3c5a) & 0xffff
}

/// The inputs of a swept instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Every `stride`-th pattern of the only operand, from 0 on. If the stride is not 1, further
    /// inputs follow: the listed values of the operand's kind, the ends of the binades and of the
    /// function's segments ([`edges`]), and the arguments that are hard to round. An odd stride
    /// reaches every exponent.
    Line {
        /// Distance between neighbouring inputs: 1 is exhaustive.
        stride: u64,
        /// The additional inputs. Empty if the stride is 1.
        listed: Vec<u32>,
    },
    /// Every pattern of 16 bits in one half of the only operand. The other half has a different
    /// pattern, which depends on the first.
    Half {
        /// Whether it is the high half.
        high: bool,
    },
    /// Every pattern of 16 bits in each half of the only operand, both halves at once.
    Halves,
    /// Every combination of listed values, with one list for each column of the batch. Literals
    /// keep their values.
    Product(Vec<Vec<u32>>),
    /// The hard cases of FADD, FMUL or FFMA, then every combination of `values`. All operands have
    /// the same list.
    Arithmetic {
        /// The hard cases, shared by all modes.
        hard: Arc<[[u32; 3]]>,
        /// The values that are combined, shared by all modes.
        values: Arc<[u32]>,
        /// Number of operands.
        operands: u32,
    },
    /// Random cases, as in a campaign. For instructions in which a value decides the read location,
    /// because listed values would rarely be addresses of the batch. Also for products that are too
    /// large.
    Drawn(u64),
}

/// Returns the instruction that a sweep executes for a mode: with all operands in different
/// registers.
pub fn swept(mode: &Instruction) -> Instruction {
    let mut instruction = mode.clone();
    let form = instruction.form();
    let mut next = [0_u32, 0];
    for name in form.order.iter().filter(|name| legality::has(mode, name)) {
        for part in parts(name) {
            let Some(position) = form.position(part) else { continue };
            let ty = form.fields[position].ty;
            if ty.is_literal() {
                continue;
            }
            // All channels of a variable have one number.
            let words = match ty {
                FieldType::Variable | FieldType::VecOperand => 1,
                _ => u32::from(mode.operand(name).words),
            };
            let counter = &mut next[usize::from(ty.is_predicate())];
            *counter = counter.next_multiple_of(words);
            // The address of a constant is a multiple of 4. The special register is one that every
            // instruction that reads one can read.
            let value = match ty {
                FieldType::CMem => 4 * *counter,
                FieldType::SReg => CLOCK_LOW,
                _ => *counter,
            };
            *counter += words;
            instruction.set_at(position, value);
        }
    }
    instruction
}

/// Returns a mode with several choices of operands, because a device may support only some of them.
/// The first choice is the mode itself, the second has each operand in a place of its own. The next
/// choices also have literals of 1, and predicates that are all true or all false. The last choices
/// also have the zero register as one operand. Each choice is made on demand, because most
/// implementations support the first.
pub fn with_operands(mode: &Instruction) -> impl Iterator<Item = Instruction> {
    let own = iter::once_with(|| swept(mode));
    let steady = || [0, 1].into_iter().map(|not| steady(mode, not));
    let zeroed = move || {
        let registers = mode.form().fields.iter().enumerate().filter(|(_, field)| !field.ty.is_predicate());
        let idle = registers.filter_map(|(position, field)| Some((position, field.ty.idle()?.1)));
        steady().flat_map(move |one| {
            idle.clone().map(move |(position, number)| {
                let mut one = one.clone();
                one.set_at(position, number);
                one
            })
        })
    };
    iter::once(mode.clone()).chain(own).chain(steady()).chain(iter::once_with(zeroed).flatten())
}

/// Returns a mode with each operand in a place of its own, all predicates the constant true or its
/// negation, the guard true, and literals of 1.
fn steady(mode: &Instruction, not: u32) -> Instruction {
    let (mut one, form) = (swept(mode), mode.form());
    for (position, field) in form.fields.iter().enumerate() {
        match field.ty {
            ty if ty.is_literal() => one.set_at(position, 1),
            // A field that the mode lacks keeps its default, because another value would not be
            // legal.
            _ if !legality::has(mode, field.operand()) => {}
            ty if ty.is_predicate() => ty.idle().iter().for_each(|(_, number)| one.set_at(position, *number)),
            _ if field.attribute() == Some("not") && field.operand() != form.guard() => {
                one.set_at(position, not)
            }
            _ => {}
        }
    }
    one
}

/// Code of the special register SR_CLOCKLO. This register is one of a pair, and has the same value
/// in every thread of a warp.
const CLOCK_LOW: u32 = 0x24;

impl Domain {
    /// Returns the inputs of an instruction. `stride` is the distance between the inputs of a line,
    /// and `largest` limits the inputs of a product.
    pub fn of(instruction: &Instruction, stride: u64, largest: u64) -> Domain {
        if instruction.access().is_some() {
            return Domain::drawn(largest);
        }
        let words: Vec<OperandWord> = operand_words(instruction).collect();
        let read = words.iter().filter(|cell| cell.place.location().is_some());
        match (&words[..], read.count()) {
            ([OperandWord { kind: OperandKind::Half { high, .. }, .. }], 1) => Domain::Half { high: *high },
            ([OperandWord { kind: OperandKind::Pair(_), .. }], 1) => Domain::Halves,
            ([OperandWord { kind, .. }], 1) if *kind != OperandKind::Predicate => {
                let listed = if stride == 1 { Vec::new() } else { listed(instruction, *kind) };
                Domain::Line { stride, listed }
            }
            (words, _) => match product(words, largest) {
                // Even the thinned lists have too many combinations.
                Domain::Product(lists) if size(lists.iter().map(Vec::len)) > 256.0 * largest as f64 => {
                    Domain::drawn(largest)
                }
                product => product,
            },
        }
    }

    /// Returns the hard cases of a sum or a product, and every combination of floats. The floats
    /// have both signs, the first `exponents` listed exponents and the first `significands` listed
    /// significands.
    pub fn arithmetic(operation: Operation, exponents: usize, significands: usize) -> Domain {
        let list = classes::floats(exponents, significands);
        let operands = if operation == Operation::Fused { 3 } else { 2 };
        let hard = hard_to_round::cases(operation).map(|case| case.operands);
        Domain::Arithmetic { hard: hard.collect(), values: list.into(), operands }
    }

    /// Returns a domain of random cases: one for every 64 inputs of `largest`, at most [`DRAWN`].
    fn drawn(largest: u64) -> Domain {
        Domain::Drawn((largest / 64).clamp(1, DRAWN))
    }

    /// Number of inputs.
    pub fn len(&self) -> u64 {
        match self {
            Domain::Line { stride, listed } => ALL_INPUTS.div_ceil(*stride) + listed.len() as u64,
            Domain::Half { .. } | Domain::Halves => ALL_OF_A_HALF,
            Domain::Product(lists) => lists.iter().map(|list| list.len() as u64).product(),
            Domain::Arithmetic { hard, values, operands } => {
                hard.len() as u64 + (values.len() as u64).pow(*operands)
            }
            Domain::Drawn(inputs) => *inputs,
        }
    }

    /// Whether there is no input.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the patterns of `lanes` inputs ascend, from index `first` on.
    pub fn ascends(&self, first: u64, lanes: usize) -> bool {
        let regular = |stride: u64| first + lanes as u64 <= ALL_INPUTS.div_ceil(stride);
        matches!(self, Domain::Line { stride, .. } if regular(*stride))
    }

    /// Shapes a batch for the instruction and fills it with the inputs from index `first` on.
    pub fn fill(
        &self,
        instruction: &Instruction,
        numbers: &EncodingTable,
        first: u64,
        lanes: usize,
        batch: &mut Batch,
    ) {
        batch.reset(codec::encode(instruction, numbers), &instruction.reads(), lanes);
        match self {
            Domain::Drawn(_) => {
                let pick = |_: &mut Unstructured<'_>| Ok(instruction.clone());
                generate::from_stream((0, first), numbers, lanes, &mut Vec::new(), batch, pick)
                    .expect("a full buffer draws a batch");
            }
            Domain::Line { stride, listed } => {
                let regular = ALL_INPUTS.div_ceil(*stride);
                for (lane, value) in (first..).zip(batch.column_mut(0)) {
                    *value = match lane.checked_sub(regular) {
                        None => (lane * stride) as u32,
                        Some(rest) => listed[rest as usize],
                    };
                }
            }
            Domain::Half { high } => {
                for (lane, value) in (first as u32..).zip(batch.column_mut(0)) {
                    *value = if *high { lane << 16 | elsewhere(lane) } else { elsewhere(lane) << 16 | lane };
                }
            }
            Domain::Halves => {
                for (lane, value) in (first as u32..).zip(batch.column_mut(0)) {
                    *value = elsewhere(lane) << 16 | lane;
                }
            }
            Domain::Product(lists) => {
                let mut period = 1;
                for (column, list) in lists.iter().enumerate() {
                    combine(list, &mut period, first, batch.column_mut(column));
                }
            }
            Domain::Arithmetic { hard, values, operands } => {
                let listed = hard.get(first as usize..).unwrap_or_default();
                let listed = &listed[..listed.len().min(lanes)];
                let first = (first + listed.len() as u64).saturating_sub(hard.len() as u64);
                let mut period = 1;
                for place in 0..*operands as usize {
                    let (head, rest) = batch.column_mut(place).split_at_mut(listed.len());
                    head.iter_mut().zip(listed).for_each(|(lane, case)| *lane = case[place]);
                    combine(values, &mut period, first, rest);
                }
            }
        }
    }
}

/// Fills a column with the values of one place of a product, starting at combination `first`. Each
/// value is repeated for `period` combinations, the number of combinations of the previous places.
fn combine(list: &[u32], period: &mut u64, first: u64, column: &mut [u32]) {
    let mut digit = (first / *period % list.len() as u64) as usize;
    let mut left = *period - first % *period;
    for value in column {
        *value = list[digit];
        left -= 1;
        if left == 0 {
            left = *period;
            digit = (digit + 1) % list.len();
        }
    }
    *period *= list.len() as u64;
}

/// Returns the number of ways to take one element of each list, given the lengths of the lists.
fn size(lengths: impl Iterator<Item = usize>) -> f64 {
    lengths.map(|length| length as f64).product()
}

/// Returns a product with a list of values for each place that is read. While the product is larger
/// than `largest`, the longest list of plain bits loses every second value. Lists of other kinds,
/// such as amounts and selectors, are kept whole.
fn product(words: &[OperandWord], largest: u64) -> Domain {
    let read = words.iter().filter(|cell| cell.place.location().is_some());
    let mut lists: Vec<(OperandKind, Vec<u32>)> = read.map(|cell| (cell.kind, values(cell.kind))).collect();
    while size(lists.iter().map(|(_, list)| list.len())) > largest as f64 {
        let thinned = lists.iter_mut().filter(|(kind, list)| *kind == OperandKind::Bits && list.len() > 2);
        let Some((_, longest)) = thinned.max_by_key(|(_, list)| list.len()) else { break };
        *longest = longest.iter().copied().step_by(2).collect();
    }
    Domain::Product(lists.into_iter().map(|(_, list)| list).collect())
}

/// Returns the additional inputs of a thinned line: the listed values of the operand's kind, the
/// ends of the binades and of the function's segments, and the arguments that are hard to round.
/// Each once, in ascending order.
fn listed(instruction: &Instruction, kind: OperandKind) -> Vec<u32> {
    let mut list =
        [values(kind), edges::arguments(instruction, kind), hard_to_round::functions::arguments(instruction)]
            .concat();
    list.sort_unstable();
    list.dedup();
    list
}

/// The listed values of a kind, ascending.
pub fn values(kind: OperandKind) -> Vec<u32> {
    let mut list: Vec<u32> = match kind {
        OperandKind::Float(format) => signed(format, floats(format)),
        OperandKind::Half { format, high } => {
            let place =
                |half: u32| if high { half << 16 | elsewhere(half) } else { elsewhere(half) << 16 | half };
            signed(format, floats(format)).into_iter().map(place).collect()
        }
        OperandKind::Pair(format) => {
            let list = signed(format, floats(format));
            let other = |i: usize| list[(7 * i + 3) % list.len()];
            list.iter().enumerate().map(|(i, low)| other(i) << 16 | low).collect()
        }
        OperandKind::Exponent => {
            let fractions = [0, 1, F32.fraction_mask()];
            let of = |exponent: u32| fractions.map(|fraction| exponent << F32.fraction_bits | fraction);
            signed(F32, (0..=255).flat_map(of))
        }
        OperandKind::Amount => (0..=65)
            .chain([66, 95, 96, 97, 127, 128, 129, 255, 256])
            .chain([0x7fff_ffff, 0x8000_0000, 0x8000_001f, 0x8000_0020, 0xffff_ffe0, 0xffff_ffff])
            .collect(),
        OperandKind::Bits
        | OperandKind::Address
        | OperandKind::Channels
        | OperandKind::Index
        | OperandKind::Mask => {
            let runs = (0..32).flat_map(|n| [1 << n, !(1 << n), (1 << n) - 1, !((1 << n) - 1)]);
            let bytes = [0x8080_8080, 0x7f7f_7f7f, 0x5555_5555, 0xaaaa_aaaa, 0x1234_5678, 0xfedc_ba98];
            (0..=65).chain(runs).chain(bytes).collect()
        }
        OperandKind::Narrow(width) => {
            let bits = (0..width)
                .flat_map(|n| [1 << n, (1 << width) - 1 - (1 << n), 0xff << n & ((1 << width) - 1)]);
            (0..1 << width.min(8)).chain(bits).chain([(1 << width) - 1]).collect()
        }
        OperandKind::Selector => (0..=0xffff).chain([0x1_3210, 0xffff_7654]).collect(),
        OperandKind::Predicate => vec![0, 1],
    };
    list.sort_unstable();
    list.dedup();
    list
}

/// Returns the magnitudes of the listed floats: the ends of every class, 1 and its neighbours,
/// powers of two, and an integer n for which 2^-n is a subnormal number.
fn floats(format: Format) -> [u32; 23] {
    let (one, lsb, fraction) = (format.one(), 1 << format.fraction_bits, format.fraction_mask());
    let infinity = format.infinity();
    let quiet = infinity | lsb >> 1;
    [
        0,
        1,
        2,
        fraction / 3,
        fraction,
        lsb,
        lsb + 1,
        2 * lsb - 1,
        one - lsb,
        one - 1,
        one,
        one + 1,
        one + fraction,
        one + lsb,
        one + lsb / 2,
        whole(format, format.bias() as u32 + 3),
        infinity - lsb,
        infinity - 1,
        infinity,
        infinity + 1,
        quiet - 1,
        quiet,
        quiet | fraction,
    ]
}

/// Returns the pattern of a whole number that the format has.
fn whole(format: Format, number: u32) -> u32 {
    let exponent = number.ilog2();
    format.one()
        + (exponent << format.fraction_bits)
        + ((number - (1 << exponent)) << (format.fraction_bits - exponent))
}

/// Returns each magnitude with both signs.
fn signed(format: Format, magnitudes: impl IntoIterator<Item = u32>) -> Vec<u32> {
    magnitudes.into_iter().flat_map(|magnitude| [magnitude, magnitude | format.sign_mask()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_isa::asm;
    use assay_isa::format::{BF16, F16};
    use std::collections::BTreeSet;

    #[test]
    fn what_is_swept_is_legal() {
        for mode in crate::generate::Scope::everything().modes() {
            let instruction = swept(mode);
            assert_eq!(legality::check(&instruction), Ok(()), "{}", assay_isa::asm::print(&instruction));
        }
    }

    #[test]
    fn every_class_of_every_kind_is_listed() {
        let halves = [false, true].map(|high| OperandKind::Half { format: F16, high });
        let plain = [
            OperandKind::Float(F32),
            OperandKind::Exponent,
            OperandKind::Bits,
            OperandKind::Amount,
            OperandKind::Predicate,
        ];
        for kind in plain.into_iter().chain(halves).chain([F16, BF16].map(OperandKind::Pair)) {
            let classes = kind.class_set(&values(kind));
            assert_eq!(classes.count_ones() as usize, kind.classes().len(), "{kind:?}");
        }
    }

    #[test]
    fn a_product_meets_every_combination_once() {
        let mode = asm::parse("FSETP.LT.AND P0, R0, R0").unwrap();
        let instruction = swept(&mode);
        assert_eq!(asm::print(&instruction), "FSETP.LT.AND P0, P1, R0, R1, P2");
        let domain = Domain::of(&instruction, 1, LARGEST);
        let listed = values(OperandKind::Float(F32)).len() as u64;
        assert_eq!(domain.len(), listed * listed * 2);
        let mut batch = Batch::default();
        domain.fill(&instruction, EncodingTable::provisional(), 0, domain.len() as usize, &mut batch);
        let lanes = (0..batch.len()).map(|lane| batch.lane(lane).map(|(_, v)| v).collect::<Vec<_>>());
        assert_eq!(lanes.collect::<BTreeSet<_>>().len() as u64, domain.len());
    }

    #[test]
    fn arithmetic_meets_hard_cases_and_then_a_product_wherever_a_batch_begins() {
        let instruction = swept(&asm::parse("FFMA R0, R0, R0, R0").unwrap());
        let domain = Domain::arithmetic(Operation::Fused, 2, 2);
        let hard: Vec<[u32; 3]> = hard_to_round::cases(Operation::Fused).map(|case| case.operands).collect();
        assert_eq!(domain.len(), hard.len() as u64 + 8 * 8 * 8);
        let mut batch = Batch::default();
        let mut lanes = Vec::new();
        for first in (0..domain.len()).step_by(100) {
            let count = (domain.len() - first).min(100) as usize;
            domain.fill(&instruction, EncodingTable::provisional(), first, count, &mut batch);
            lanes.extend((0..count).map(|lane| batch.lane(lane).map(|(_, value)| value).collect::<Vec<_>>()));
        }
        let (listed, product) = lanes.split_at(hard.len());
        assert!(listed.iter().eq(&hard));
        assert_eq!(product.iter().collect::<BTreeSet<_>>().len(), product.len());
    }

    #[test]
    fn a_line_wraps_and_ends() {
        let instruction = swept(&asm::parse("FLO.SH R0, R0").unwrap());
        let domain = Domain::of(&instruction, 257, LARGEST);
        let (regular, listed) = (ALL_INPUTS.div_ceil(257), values(OperandKind::Bits));
        assert_eq!(domain.len(), regular + listed.len() as u64);
        let mut batch = Batch::default();
        domain.fill(&instruction, EncodingTable::provisional(), regular - 1, 2, &mut batch);
        let last = (regular - 1) * 257;
        assert_eq!(batch.lane(0).next().unwrap().1, last as u32);
        assert!(last < ALL_INPUTS);
        assert_eq!(batch.lane(1).next().unwrap().1, listed[0]);
        assert_eq!(Domain::of(&instruction, 1, LARGEST).len(), ALL_INPUTS);
    }

    #[test]
    fn halves_go_through_every_pattern() {
        let numbers = EncodingTable::provisional();
        for text in ["MUFU.EX2.F16 R0, R1.H0", "MUFU.EX2.F16 R0, R1.H1", "MUFU.EX2.F16_V2 R0, R1"] {
            let instruction = asm::parse(text).unwrap();
            let domain = Domain::of(&instruction, 255, LARGEST);
            assert_eq!(domain.len(), 1 << 16);
            let mut batch = Batch::default();
            domain.fill(&instruction, numbers, 0, 1 << 16, &mut batch);
            let halves = |shift: u32| {
                let values = (0..1 << 16).map(|lane| batch.lane(lane).next().unwrap().1 >> shift & 0xffff);
                values.collect::<BTreeSet<_>>().len()
            };
            assert_eq!([halves(0), halves(16)], [1 << 16; 2], "{text}");
        }
    }
}
