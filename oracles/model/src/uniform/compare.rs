//! UIABS, UIMNMX, UISETP and USEL: absolute value, comparison and selection of integers.

use assay_isa::tables::types::{BoolOp, CompOp, IExt};
use assay_isa::{Instruction, Operand, Reading};

use super::is_signed;
use crate::columns::{Columns, first, lanes};
use crate::float::SIGN;
use crate::gap::Gap;
use crate::knobs::Knobs;
use crate::semantics::{Minus, Semantics};

/// Defines UIABS.
pub(crate) fn absolute<K: Knobs>(_: &K, _: &Instruction, _: &[Operand]) -> Semantics<K> {
    Semantics::unary(uiabs)
}

/// Defines UIMNMX: the minimum if `upp` is 1, else the maximum. The signedness may be unspecified
/// (E134).
pub(crate) fn minimum_or_maximum<K: Knobs>(k: &K, instruction: &Instruction, _: &[Operand]) -> Semantics<K> {
    let signed = is_signed(instruction);
    let unsaid = k.reading(Reading::E134) == 1;
    Semantics::columns(move |_, columns, _, results| {
        lanes(results, first(columns), |[a, b, upp]| uimnmx(signed, a, b, upp));
    })
    .minus(Minus::Negative)
    .gap(unsaid.then(|| Gap::new(Reading::E134, order_depends_on_type)))
}

/// Defines UISETP.
pub(crate) fn to_predicates<K: Knobs>(k: &K, instruction: &Instruction, inputs: &[Operand]) -> Semantics<K> {
    let tables = tables(k, instruction, inputs);
    Semantics::columns(move |_, columns, output, results| uisetp(tables[output], columns, results))
}

/// Defines USEL: a if `upp` is 1, else b.
pub(crate) fn select<K: Knobs>(_: &K, _: &Instruction, _: &[Operand]) -> Semantics<K> {
    Semantics::columns(|_, columns, _, results| {
        lanes(results, first(columns), |[a, b, upp]| if upp != 0 { a } else { b });
    })
}

/// UIABS: the absolute value. The least integer has none in 32 bits (E129).
#[inline(always)]
fn uiabs<K: Knobs>(k: &K, x: u32) -> u32 {
    let magnitude = (x as i32).unsigned_abs();
    if k.reading(Reading::E129) == 2 && magnitude == SIGN { !SIGN } else { magnitude }
}

/// Maps integers to unsigned integers with the same order.
#[inline(always)]
fn ordered(signed: bool, x: u32) -> u32 {
    if signed { x ^ SIGN } else { x }
}

#[inline(always)]
fn uimnmx(signed: bool, a: u32, b: u32, upp: u32) -> u32 {
    let less = ordered(signed, a) < ordered(signed, b);
    if less == (upp != 0) { a } else { b }
}

/// Returns whether the order of two operands depends on their signedness (E134).
fn order_depends_on_type(a: u32, b: u32) -> bool {
    (a ^ b) & SIGN != 0
}

const LESS: u32 = 0;
const EQUAL: u32 = 1;
const GREATER: u32 = 2;

/// The result for each relation of two operands and each value of the input predicates: bit 4 ·
/// relation + 2 · upq + upp.
#[derive(Clone, Copy, Debug)]
struct OrderTable {
    bits: u16,
    signed: bool,
}

impl OrderTable {
    fn of(signed: bool, entry: impl Fn(u32, bool, bool) -> bool) -> OrderTable {
        let bit = |i: u32| u16::from(entry(i >> 2, i & 1 != 0, i & 2 != 0)) << i;
        OrderTable { bits: (0..12).map(bit).sum(), signed }
    }
}

/// Returns the tables of UISETP's outputs.
fn tables<K: Knobs>(k: &K, instruction: &Instruction, inputs: &[Operand]) -> [OrderTable; 2] {
    let comparison = instruction.modifier("compop").expect("UISETP has its comparison");
    let operation = instruction.modifier("boolop").expect("UISETP has its operation on truth values");
    let extended = instruction.modifier("ext") == Some(IExt::X);
    // With `.X` upq is the result of comparing the lower words.
    let holds = |relation, upq| if extended && relation == EQUAL { upq } else { holds(comparison, relation) };
    let first = |relation, upp, upq| combined(operation, holds(relation, upq), upp);
    let upu = instruction.operand("upu").source;
    let again = |read: Operand, before, after| {
        let same = read.source == upu && upu.location().is_some();
        if k.reading(Reading::E011) == 1 && same { after != read.not } else { before }
    };
    let second = |relation, upp, upq| {
        let written = first(relation, upp, upq);
        let (upp, upq) = (again(inputs[2], upp, written), again(inputs[3], upq, written));
        combined(operation, !holds(relation, upq), upp)
    };
    let signed = is_signed(instruction);
    [OrderTable::of(signed, first), OrderTable::of(signed, second)]
}

fn holds(comparison: CompOp, relation: u32) -> bool {
    match comparison {
        CompOp::EQ => relation == EQUAL,
        CompOp::NE => relation != EQUAL,
        CompOp::LT => relation == LESS,
        CompOp::LE => relation != GREATER,
        CompOp::GT => relation == GREATER,
        CompOp::GE => relation != LESS,
    }
}

fn combined(operation: BoolOp, t: bool, upp: bool) -> bool {
    match operation {
        BoolOp::AND => t && upp,
        BoolOp::OR => t || upp,
        BoolOp::XOR => t != upp,
    }
}

/// Computes one output of UISETP: 1 or 0 in each lane.
fn uisetp(table: OrderTable, columns: &Columns, results: &mut [u32]) {
    lanes(results, first(columns), |[a, b, upp, upq]| {
        let (a, b) = (ordered(table.signed, a), ordered(table.signed, b));
        let relation = EQUAL + u32::from(a > b) - u32::from(a < b);
        u32::from(table.bits) >> (4 * relation + 2 * upq + upp) & 1
    });
}
