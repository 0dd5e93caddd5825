//! The operators: names, widths and circuits.

use crate::graph::{Bit, Graph};
use crate::word::Word;

/// An operator of the whitelist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Not,
    Inc,
    Dec,
    Neg,
    RedAnd,
    RedOr,
    RedXor,
    And,
    Nand,
    Or,
    Nor,
    Xor,
    Xnor,
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Smod,
    Sll,
    Srl,
    Sra,
    Implies,
    Eq,
    Neq,
    Ult,
    Ulte,
    Ugt,
    Ugte,
    Slt,
    Slte,
    Sgt,
    Sgte,
    Concat,
    Ite,
    /// With the least significant bit.
    Slice(usize),
    Uext,
    Sext,
}

/// How the widths of operands and result are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Widths {
    /// Some operands, all as wide as the result.
    Same(usize),
    /// Two operands of one width, a result of one bit.
    Compare,
    /// One operand, a result of one bit.
    Reduce,
    /// Two operands and a result of one bit.
    Boolean,
    /// The result is as wide as both operands together.
    Concat,
    /// A condition of one bit, and two operands as wide as the result.
    Choice,
    /// One operand and two numbers: the slice's most and least significant bit.
    Slice,
    /// One operand and a number: by how many bits the result is wider.
    Extend,
}

impl Operator {
    /// Returns the operator with a name, and its widths.
    pub fn named(name: &str) -> Option<(Operator, Widths)> {
        use Operator as O;
        let one = Widths::Same(1);
        let two = Widths::Same(2);
        Some(match name {
            "not" => (O::Not, one),
            "inc" => (O::Inc, one),
            "dec" => (O::Dec, one),
            "neg" => (O::Neg, one),
            "redand" => (O::RedAnd, Widths::Reduce),
            "redor" => (O::RedOr, Widths::Reduce),
            "redxor" => (O::RedXor, Widths::Reduce),
            "and" => (O::And, two),
            "nand" => (O::Nand, two),
            "or" => (O::Or, two),
            "nor" => (O::Nor, two),
            "xor" => (O::Xor, two),
            "xnor" => (O::Xnor, two),
            "add" => (O::Add, two),
            "sub" => (O::Sub, two),
            "mul" => (O::Mul, two),
            "udiv" => (O::Udiv, two),
            "urem" => (O::Urem, two),
            "sdiv" => (O::Sdiv, two),
            "srem" => (O::Srem, two),
            "smod" => (O::Smod, two),
            "sll" => (O::Sll, two),
            "srl" => (O::Srl, two),
            "sra" => (O::Sra, two),
            "implies" => (O::Implies, Widths::Boolean),
            "iff" => (O::Xnor, Widths::Boolean),
            "eq" => (O::Eq, Widths::Compare),
            "neq" => (O::Neq, Widths::Compare),
            "ult" => (O::Ult, Widths::Compare),
            "ulte" => (O::Ulte, Widths::Compare),
            "ugt" => (O::Ugt, Widths::Compare),
            "ugte" => (O::Ugte, Widths::Compare),
            "slt" => (O::Slt, Widths::Compare),
            "slte" => (O::Slte, Widths::Compare),
            "sgt" => (O::Sgt, Widths::Compare),
            "sgte" => (O::Sgte, Widths::Compare),
            "concat" => (O::Concat, Widths::Concat),
            "ite" => (O::Ite, Widths::Choice),
            "slice" => (O::Slice(0), Widths::Slice),
            "uext" => (O::Uext, Widths::Extend),
            "sext" => (O::Sext, Widths::Extend),
            _ => return None,
        })
    }

    /// Returns an upper bound of the gates for a largest width among operands and result.
    pub fn cost(self, width: usize) -> u64 {
        let width = width as u64;
        match self {
            Operator::Mul => 12 * width * width,
            Operator::Udiv | Operator::Urem => 24 * width * width + 24 * width,
            Operator::Sdiv | Operator::Srem | Operator::Smod => 24 * width * width + 100 * width,
            // One stage for each bit of the amount.
            Operator::Sll | Operator::Srl | Operator::Sra => 3 * width * width,
            _ => 16 * width,
        }
    }

    /// Builds the operator. The widths were checked by [`Widths`]; `width` is that of the result.
    pub fn apply(self, graph: &mut Graph, operands: &[Word], width: usize) -> Word {
        use Operator as O;
        let a = &operands[0];
        let last = &operands[operands.len() - 1];
        match self {
            O::Not => !a,
            O::Inc => graph.increment(a, Bit::TRUE),
            O::Dec => graph.add(a, &Word::repeated(Bit::TRUE, a.width())),
            O::Neg => graph.negate(a),
            O::And => graph.and_words(a, last),
            O::Nand => !&graph.and_words(a, last),
            O::Or => graph.or_words(a, last),
            O::Nor => !&graph.or_words(a, last),
            O::Xor => graph.xor_words(a, last),
            O::Xnor => !&graph.xor_words(a, last),
            O::Add => graph.add(a, last),
            O::Sub => graph.sub(a, last),
            O::Mul => graph.multiply(a, last).slice(0, width),
            O::Udiv => graph.divide(a, last).0,
            O::Urem => graph.divide(a, last).1,
            O::Sdiv | O::Srem | O::Smod => divide_signed(graph, self, a, last),
            O::Sll => graph.shift_left(a, last),
            O::Srl => graph.shift_right(a, last, Bit::FALSE),
            O::Sra => graph.shift_right(a, last, a.sign()),
            // BTOR2 names the more significant operand first.
            O::Concat => last.below(a),
            O::Ite => graph.select(a.bit(0), &operands[1], last),
            O::Slice(low) => a.slice(low, width),
            O::Uext => a.zero_extend(width),
            O::Sext => a.sign_extend(width),
            _ => Word::from_bits([self.decide(graph, a, last)]),
        }
    }

    /// Builds an operator whose result is one bit.
    fn decide(self, graph: &mut Graph, a: &Word, b: &Word) -> Bit {
        use Operator as O;
        match self {
            O::RedAnd => graph.all_bits(a),
            O::RedOr => graph.any_bit(a),
            O::RedXor => graph.parity(a),
            O::Implies => graph.or(!a.bit(0), b.bit(0)),
            O::Eq => graph.equal(a, b),
            O::Neq => !graph.equal(a, b),
            O::Ult => graph.less(a, b),
            O::Ulte => !graph.less(b, a),
            O::Ugt => graph.less(b, a),
            O::Ugte => !graph.less(a, b),
            O::Slt => graph.less_signed(a, b),
            O::Slte => !graph.less_signed(b, a),
            O::Sgt => graph.less_signed(b, a),
            O::Sgte => !graph.less_signed(a, b),
            _ => unreachable!("{self:?} has a word as its result"),
        }
    }
}

/// Divides magnitudes and sets the sign, as SMT-LIB defines `bvsdiv`, `bvsrem` and `bvsmod`.
fn divide_signed(graph: &mut Graph, operator: Operator, a: &Word, b: &Word) -> Word {
    let magnitudes = (graph.negate_if(a, a.sign()), graph.negate_if(b, b.sign()));
    let (quotient, rest) = graph.divide(&magnitudes.0, &magnitudes.1);
    let unlike = graph.xor(a.sign(), b.sign());
    match operator {
        Operator::Sdiv => graph.negate_if(&quotient, unlike),
        Operator::Srem => graph.negate_if(&rest, a.sign()),
        _ => {
            // The remainder gets the sign of the divisor.
            let signed = graph.negate_if(&rest, a.sign());
            let inexact = graph.any_bit(&rest);
            let other_side = graph.and(unlike, inexact);
            let correction = graph.mask(b, other_side);
            graph.add(&signed, &correction)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::word::testing::{all_pairs, check_pairs};

    /// The operators of two words, by arithmetic on numbers of 4 bits.
    fn expected(name: &str, a: u64, b: u64) -> u64 {
        let signed = |value: u64| (value as i64) << 60 >> 60;
        let (x, y) = (signed(a), signed(b));
        let shift = b.min(63);
        let value = match name {
            "and" => a & b,
            "nand" => !(a & b),
            "or" => a | b,
            "nor" => !(a | b),
            "xor" => a ^ b,
            "xnor" => !(a ^ b),
            "add" => a + b,
            "sub" => a.wrapping_sub(b),
            "mul" => a * b,
            "udiv" => a.checked_div(b).unwrap_or(15),
            "urem" => a.checked_rem(b).unwrap_or(a),
            "sdiv" => x.checked_div(y).unwrap_or(if x < 0 { 1 } else { -1 }) as u64,
            "srem" => x.checked_rem(y).unwrap_or(x) as u64,
            "smod" => x.checked_rem(y).map_or(x, |_| x - y * (x as f64 / y as f64).floor() as i64) as u64,
            "sll" => a << shift,
            "srl" => a >> shift,
            "sra" => (x >> shift) as u64,
            "eq" => (a == b).into(),
            "neq" => (a != b).into(),
            "ult" => (a < b).into(),
            "ulte" => (a <= b).into(),
            "ugt" => (a > b).into(),
            "ugte" => (a >= b).into(),
            "slt" => (x < y).into(),
            "slte" => (x <= y).into(),
            "sgt" => (x > y).into(),
            "sgte" => (x >= y).into(),
            "concat" => return a << 4 | b,
            _ => panic!("no expectation of {name}"),
        };
        value & 15
    }

    #[test]
    fn each_operator_of_two_words_is_as_smt_lib_defines_it() {
        for name in [
            "and", "nand", "or", "nor", "xor", "xnor", "add", "sub", "mul", "udiv", "urem", "sdiv", "srem",
            "smod", "sll", "srl", "sra", "eq", "neq", "ult", "ulte", "ugt", "ugte", "slt", "slte", "sgt",
            "sgte", "concat",
        ] {
            let (operator, widths) = Operator::named(name).unwrap();
            let width = match widths {
                Widths::Same(2) => 4,
                Widths::Compare => 1,
                Widths::Concat => 8,
                _ => panic!("{name} has two operands"),
            };
            let make =
                |graph: &mut Graph, a: &Word, b: &Word| operator.apply(graph, &[a.clone(), b.clone()], width);
            check_pairs((4, 4), &all_pairs((4, 4)), make, |a, b| expected(name, a, b));
        }
    }

    #[test]
    fn each_operator_of_one_word_is_as_smt_lib_defines_it() {
        type Function = fn(u64) -> u64;
        let table: [(&str, usize, Function); 7] = [
            ("not", 4, |a| !a & 15),
            ("inc", 4, |a| (a + 1) & 15),
            ("dec", 4, |a| a.wrapping_sub(1) & 15),
            ("neg", 4, |a| a.wrapping_neg() & 15),
            ("redand", 1, |a| u64::from(a == 15)),
            ("redor", 1, |a| u64::from(a != 0)),
            ("redxor", 1, |a| u64::from(a.count_ones() % 2)),
        ];
        for (name, width, function) in table {
            let (operator, _) = Operator::named(name).unwrap();
            let make = |graph: &mut Graph, a: &Word, _: &Word| {
                let before = graph.len();
                let made = operator.apply(graph, std::slice::from_ref(a), width);
                assert!((graph.len() - before) as u64 <= operator.cost(4), "{name}");
                made
            };
            check_pairs((4, 1), &all_pairs((4, 1)), make, |a, _| function(a));
        }
    }

    #[test]
    fn no_operator_costs_more_gates_than_stated() {
        for name in ["mul", "udiv", "urem", "sdiv", "srem", "smod", "sll", "sra", "add", "sub", "sgte", "eq"]
        {
            for width in [1, 2, 7, 33, 64] {
                let (operator, _) = Operator::named(name).unwrap();
                let mut graph = Graph::default();
                let operands = [graph.input_word(width), graph.input_word(width)];
                let before = graph.len();
                operator.apply(&mut graph, &operands, width);
                let gates = (graph.len() - before) as u64;
                assert!(gates <= operator.cost(width), "{name} of {width} bits has {gates} gates");
            }
        }
    }
}
