//! FMNMX, FSETP, FSET, FSEL and FCHK on binary32 (document `004`). These instructions order, select
//! and check floats without rounding.
//!
//! Prefixes and flushing are already applied to the operands. A comparison has four outcomes. The
//! results of FSETP and FSET for all outcomes and input predicates fit into a byte, a
//! [`RelationTable`]. The table is computed once for each instruction, from its modifiers, the
//! readings and faults. Each lane compares, then looks up its result.

use assay_isa::tables::types::{BVal, FCMPOp, LOPOp};
use assay_isa::{Instruction, Operand, Reading};

use crate::columns::ternary;
use crate::float::{self, INFINITY, NAN, ONE, SIGN, flush, is_nan, is_signalling};
use crate::knobs::Knobs;
use crate::semantics::Semantics;

/// Defines FMNMX.
pub(crate) fn minimum_or_maximum<K: Knobs>(k: &K, instruction: &Instruction, _: &[Operand]) -> Semantics<K> {
    let m = MinMax::of(k, instruction);
    let semantics = Semantics::ternary(move |k, a, b, pp| fmnmx(k, m, a, b, pp));
    let flushed = move |_: &K, x, [a, b]: [u32; 2]| Some(flush(x)).filter(|y| m.flushes(a, b) && *y != x);
    Semantics { flushes_late: winner_stays(k), ..semantics.assigns(flushed) }
}

/// Defines FSETP.
pub(crate) fn to_predicates<K: Knobs>(k: &K, instruction: &Instruction, _: &[Operand]) -> Semantics<K> {
    let tables = fsetp_tables(k, instruction);
    Semantics::columns(move |_, [a, b, pp, ..], output, results| {
        let table = tables[output];
        ternary(results, a, b, pp, |a, b, pp| fsetp(table, a, b, pp));
    })
}

/// Defines FSET.
pub(crate) fn to_register<K: Knobs>(k: &K, instruction: &Instruction, _: &[Operand]) -> Semantics<K> {
    let (table, yes) = fset_table(k, instruction);
    Semantics::ternary(move |_, a, b, pp| fset(table, yes, a, b, pp))
}

/// Defines FSEL.
pub(crate) fn select<K: Knobs>(_: &K, _: &Instruction, _: &[Operand]) -> Semantics<K> {
    Semantics::ternary(fsel)
}

/// Defines FCHK.
pub(crate) fn check_division<K: Knobs>(_: &K, _: &Instruction, _: &[Operand]) -> Semantics<K> {
    Semantics::binary(fchk)
}

/// Returns the rank of a float on the number line. −0 is just below +0. Meaningless for a NaN.
#[inline(always)]
fn place(bits: u32) -> i32 {
    let negative = bits as i32 >> 31;
    (bits & !SIGN) as i32 ^ negative
}

/// Like [`place`], but both zeros have the same rank.
#[inline(always)]
fn value(bits: u32) -> i32 {
    place(bits).wrapping_add((bits >> 31) as i32)
}

/// FMNMX's modifiers and readings.
#[derive(Clone, Copy, Debug)]
struct MinMax {
    /// `.NAN`
    nan: bool,
    /// Whether a signalling NaN makes the result NaN (C004).
    signals: bool,
    /// Whether `.FTZ` acts after NaNs are handled (E183 = 1), instead of when operands are read.
    late_flush: bool,
}

impl MinMax {
    /// Decodes an instruction.
    fn of<K: Knobs>(k: &K, instruction: &Instruction) -> MinMax {
        MinMax {
            nan: instruction.flag("nan"),
            signals: k.reading(Reading::C004) == 2,
            late_flush: instruction.flag("ftz") && winner_stays(k),
        }
    }

    /// Returns whether both operands must still be flushed.
    fn flushes(self, a: u32, b: u32) -> bool {
        self.late_flush && !is_nan(a) && !is_nan(b)
    }
}

/// Returns whether `.FTZ` leaves an operand unflushed if the other operand is a NaN (E183 = 1).
fn winner_stays<K: Knobs>(k: &K) -> bool {
    k.reading(Reading::E183) == 1
}

/// Returns the lesser of a and b if pp is 1, else the greater.
#[inline(always)]
fn fmnmx<K: Knobs>(k: &K, m: MinMax, a: u32, b: u32, pp: u32) -> u32 {
    let (a, b) = if m.flushes(a, b) { (flush(a), flush(b)) } else { (a, b) };
    let least = pp != 0;
    // In C both zeros are equal, and the second of two equal operands is the result (E184 = 1).
    let zeros = (a | b) & !SIGN == 0;
    let first = if zeros && k.reading(Reading::C005) == 2 {
        true
    } else if k.reading(Reading::E184) == 1 {
        let (a, b) = (value(a), value(b));
        if least { a < b } else { a > b }
    } else {
        (place(a) < place(b)) == least
    };
    let number = if first { a } else { b };
    if !is_nan(a) && !is_nan(b) {
        number
    } else if m.nan || m.signals && (is_signalling(a) || is_signalling(b)) {
        float::nan(k, a, b)
    } else {
        unordered_extreme(k, least, a, b)
    }
}

/// Returns the result if an operand is a NaN, but neither `.NAN` nor C004 makes the result a NaN
/// (C009).
#[inline(always)]
fn unordered_extreme<K: Knobs>(k: &K, least: bool, a: u32, b: u32) -> u32 {
    match k.reading(Reading::C009) {
        1 if is_nan(a) && is_nan(b) => float::nan(k, a, b),
        1 if is_nan(a) => b,
        1 => a,
        2 => float::nan(k, a, b),
        3 => a,
        4 => b,
        // The other settings model a unit that only computes a < b, which is false for a NaN. For
        // the maximum, it swaps the inputs of its multiplexer.
        _ if least => b,
        _ => a,
    }
}

const LESS: u32 = 0;
const EQUAL: u32 = 1;
const UNORDERED: u32 = 3;

/// Returns how two operands compare: [`LESS`], [`EQUAL`], 2 for greater, or [`UNORDERED`].
#[inline(always)]
fn relation(a: u32, b: u32) -> u32 {
    let unordered = is_nan(a) | is_nan(b);
    let (a, b) = (value(a), value(b));
    let ordered = EQUAL + u32::from(a > b) - u32::from(a < b);
    if unordered { UNORDERED } else { ordered }
}

/// Returns whether a comparison is true for operands with this relation.
fn holds<K: Knobs>(k: &K, comparison: FCMPOp, relation: u32) -> bool {
    use FCMPOp::*;
    let (less, equal) = (relation == LESS, relation == EQUAL);
    let unordered = relation == UNORDERED;
    let greater = !less && !equal && !unordered;
    match comparison {
        NAN => unordered,
        NUM => !unordered,
        _ if unordered => true_of_nan(k, comparison),
        EQ | EQU => equal,
        NE | NEU => !equal,
        LT | LTU => less,
        LE | LEU => less || equal,
        GT | GTU => greater,
        GE | GEU => greater || equal,
    }
}

/// Returns whether a comparison is true if an operand is a NaN. Under E186 = 1 only `!=` is true,
/// as in C, and `U` changes nothing.
fn true_of_nan<K: Knobs>(k: &K, comparison: FCMPOp) -> bool {
    use FCMPOp::*;
    let inequality = matches!(comparison, NE | NEU);
    let with_u = matches!(comparison, EQU | NEU | LTU | LEU | GTU | GEU);
    if k.reading(Reading::E186) == 1 { inequality } else { with_u }
}

/// Combines two truth values.
fn combined(operation: LOPOp, t: bool, pp: bool) -> bool {
    match operation {
        LOPOp::AND => t && pp,
        LOPOp::OR => t || pp,
        LOPOp::XOR => t != pp,
    }
}

/// The result for each relation and each value of the input predicate: bit 2 · relation + pp.
#[derive(Clone, Copy, Debug)]
struct RelationTable(u8);

impl RelationTable {
    fn of(entry: impl Fn(u32, bool) -> bool) -> RelationTable {
        RelationTable((0..8).fold(0, |bits, i| bits | u8::from(entry(i >> 1, i & 1 != 0)) << i))
    }
}

/// Returns the tables of FSETP's outputs.
fn fsetp_tables<K: Knobs>(k: &K, instruction: &Instruction) -> [RelationTable; 2] {
    let (comparison, operation) = operators(instruction);
    let first = |relation, pp| combined(operation, holds(k, comparison, relation), pp);
    let pp = instruction.operand("pp");
    let reread = k.reading(Reading::E011) == 1
        && pp.source.location().is_some()
        && pp.source == instruction.operand("pu").source;
    let second = |relation, bit| {
        // If pu and pp are the same predicate, the first output has already overwritten the input
        // (E011).
        let bit = if reread { first(relation, bit) != pp.not } else { bit };
        combined(operation, !holds(k, comparison, relation), bit)
    };
    [RelationTable::of(first), RelationTable::of(second)]
}

/// Returns the table of FSET's output, and the value that FSET writes for true. For false it writes
/// 0.
fn fset_table<K: Knobs>(k: &K, instruction: &Instruction) -> (RelationTable, u32) {
    let (comparison, operation) = operators(instruction);
    let yes = match instruction.modifier("bval") {
        Some(BVal::BF) => ONE,
        _ => !0,
    };
    (RelationTable::of(|relation, pp| combined(operation, holds(k, comparison, relation), pp)), yes)
}

fn operators(instruction: &Instruction) -> (FCMPOp, LOPOp) {
    let comparison = instruction.modifier("cmp").expect("a comparison has its operator");
    (comparison, instruction.modifier("lop").expect("a comparison has its operation on truth values"))
}

/// One output of FSETP: 1 or 0.
#[inline(always)]
fn fsetp(table: RelationTable, a: u32, b: u32, pp: u32) -> u32 {
    u32::from(table.0) >> (2 * relation(a, b) + pp) & 1
}

/// FSET: `yes` or 0.
#[inline(always)]
fn fset(table: RelationTable, yes: u32, a: u32, b: u32, pp: u32) -> u32 {
    fsetp(table, a, b, pp).wrapping_neg() & yes
}

/// FSEL: a if pp is 1, else b. A NaN is copied unchanged, except under E185 = 2.
#[inline(always)]
fn fsel<K: Knobs>(k: &K, a: u32, b: u32, pp: u32) -> u32 {
    let selected = if pp != 0 { a } else { b };
    if is_nan(selected) && k.reading(Reading::E185) == 2 { NAN } else { selected }
}

/// FCHK: 1 if a division needs the slow path. The two exponents and their difference decide whether
/// it does.
#[inline(always)]
fn fchk<K: Knobs>(k: &K, a: u32, b: u32) -> u32 {
    let (ea, eb) = (exponent(k, a), exponent(k, b));
    let difference = ea - eb;
    // The operators do not short-circuit, because a branch on random exponents costs more than a
    // comparison.
    let slow =
        (ea <= -103) | (ea >= 128) | (eb <= -126) | (eb >= 125) | (difference <= -125) | (difference >= 127);
    u32::from(slow)
}

/// Returns the unbiased exponent. Under E189 = 1, the exponent field is read one bit too high, as
/// in the code.
#[inline(always)]
fn exponent<K: Knobs>(k: &K, bits: u32) -> i32 {
    let field = if k.reading(Reading::E189) == 1 { bits >> 24 } else { (bits & INFINITY) >> 23 };
    field as i32 - 127
}
