//! FMNMX, FSETP, FSET, FSEL and FCHK (document `004`) with the readings E183 to E189.
//!
//! MPFR compares two floats as real numbers. A comparison is defined by the outcomes that make it
//! true: a set of less, equal, greater and unordered.

use std::cmp::Ordering;

use assay_isa::format::F32;
use assay_isa::instruction::Source;
use assay_isa::readings::{Reading, Readings};
use assay_isa::tables::types::{BVal, FCMPOp, LOPOp};
use assay_isa::{BackendError, Location, Truths};

use crate::float::{QUIET_NAN, flush, flushed};
use crate::nan::{NanRule, is_signalling};
use crate::question::Question;
use crate::register::Register;

/// Two MPFR numbers for comparing operands, reused for every lane.
#[derive(Debug)]
struct Pair([Register; 2]);

impl Pair {
    fn new() -> Pair {
        Pair([Register::new(F32.precision()), Register::new(F32.precision())])
    }

    /// Returns the order of two operands, `None` if one is NaN. Zeros of both signs are equal.
    #[inline]
    fn compare(&mut self, a: u32, b: u32) -> Option<Ordering> {
        let [x, y] = &mut self.0;
        x.load(a, F32, 0);
        y.load(b, F32, 0);
        x.partial_cmp(&**y)
    }
}

/// The outcomes of a comparison that make it true.
#[derive(Clone, Copy, Debug)]
struct Condition {
    less: bool,
    equal: bool,
    greater: bool,
    unordered: bool,
}

impl Condition {
    /// Returns the outcomes that make a comparison true. `as_in_c`: with the C operators' outcomes
    /// (E186 = 1).
    fn new(comparison: FCMPOp, as_in_c: bool) -> Condition {
        use FCMPOp::*;
        let (less, equal, greater) = match comparison {
            EQ | EQU => (false, true, false),
            NE | NEU => (true, false, true),
            LT | LTU => (true, false, false),
            LE | LEU => (true, true, false),
            GT | GTU => (false, false, true),
            GE | GEU => (false, true, true),
            NAN => (false, false, false),
            NUM => (true, true, true),
        };
        let unordered = match comparison {
            NAN => true,
            NUM => false,
            NE | NEU if as_in_c => true,
            _ if as_in_c => false,
            EQU | NEU | LTU | LEU | GTU | GEU => true,
            EQ | NE | LT | LE | GT | GE => false,
        };
        Condition { less, equal, greater, unordered }
    }

    #[inline]
    fn holds(self, outcome: Option<Ordering>) -> bool {
        match outcome {
            Some(Ordering::Less) => self.less,
            Some(Ordering::Equal) => self.equal,
            Some(Ordering::Greater) => self.greater,
            None => self.unordered,
        }
    }
}

#[inline]
fn combine(logic: LOPOp, a: bool, b: bool) -> bool {
    match logic {
        LOPOp::AND => a && b,
        LOPOp::OR => a || b,
        LOPOp::XOR => a != b,
    }
}

/// The operand that FMNMX returns if an operand is NaN (C009).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unordered {
    Number,
    Neither,
    /// The operand at the first index for the maximum, and at the second index for the minimum.
    At([usize; 2]),
}

impl Unordered {
    fn new(readings: &Readings) -> Unordered {
        match readings.get(Reading::C009) {
            1 => Unordered::Number,
            2 => Unordered::Neither,
            3 => Unordered::At([0, 0]),
            4 => Unordered::At([1, 1]),
            _ => Unordered::At([0, 1]),
        }
    }

    /// Returns the chosen operand. `None`: the result is NaN.
    #[inline]
    fn choose(self, is_minimum: bool, operands: [u32; 2]) -> Option<u32> {
        match self {
            Unordered::Number => operands.into_iter().find(|bits| !F32.is_nan(*bits)),
            Unordered::Neither => None,
            Unordered::At(places) => Some(operands[places[usize::from(is_minimum)]]),
        }
    }
}

/// FMNMX: returns the lesser operand where the predicate is true, the greater where it is false.
pub fn minimum_or_maximum(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [a, b, minimum] = question.inputs()?;
    let ftz = question.instruction.flag("ftz");
    let nan_wins = question.instruction.flag("nan");
    let flush_beside_nan = question.reads(Reading::E183, 2);
    let zeros_are_equal = question.reads(Reading::E184, 1);
    let first_zero = question.reads(Reading::C005, 2);
    let signals = question.reads(Reading::C004, 2);
    let rule = NanRule::new(question.readings());
    let unordered = Unordered::new(question.readings());
    let flushes = |a, b| ftz && (flush_beside_nan || !(F32.is_nan(a) || F32.is_nan(b)));
    let mut pair = Pair::new();
    question.answer(truths, |lane| {
        let (a, b) = (a.get(lane), b.get(lane));
        let (a, b) = if flushes(a, b) { (flush(a), flush(b)) } else { (a, b) };
        let Some(order) = pair.compare(a, b) else {
            let nan_wins = nan_wins || signals && (is_signalling(a) || is_signalling(b));
            let chosen = if nan_wins { None } else { unordered.choose(minimum.is_true(lane), [a, b]) };
            return chosen.unwrap_or_else(|| rule.of(&[a, b]));
        };
        if order.is_eq() && first_zero {
            return a;
        }
        let order = match order {
            // Equal numbers that are not zeros have equal signs.
            Ordering::Equal if !zeros_are_equal => F32.is_negative(b).cmp(&F32.is_negative(a)),
            order => order,
        };
        let first = if minimum.is_true(lane) { order.is_lt() } else { order.is_gt() };
        if first { a } else { b }
    });
    question.overwrite(&[a, b], truths, |place, lane| {
        let (a, b) = (a.get(lane), b.get(lane));
        flushed([a, b][place]).filter(|_| flushes(a, b))
    });
    Ok(())
}

/// FSETP: combines the comparison with a predicate, and its complement with the predicate. Writes
/// both to predicates.
pub fn to_predicates(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let compared = compare(question)?;
    let [_, _, predicate] = question.inputs()?;
    let logic = logic(question);
    let direct = |lane| combine(logic, compared[lane], predicate.is_true(lane));
    let [pu, pv] = outputs(question);
    // E011 = 1: the second statement reads the predicate after the first statement wrote it.
    let read_again = question.reads(Reading::E011, 1) && pu.is_some() && pu == predicate.source.location();
    let contrary = |lane| {
        let predicate =
            if read_again { predicate.prefixed(direct(lane).into()) != 0 } else { predicate.is_true(lane) };
        combine(logic, !compared[lane], predicate)
    };
    // If both outputs are the same predicate, only the second write counts.
    if let Some(pu) = pu.filter(|_| pu != pv) {
        question.answer_at(pu, truths, |lane| direct(lane).into());
    }
    if let Some(pv) = pv {
        question.answer_at(pv, truths, |lane| contrary(lane).into());
    }
    overwrite_flushed(question, truths)
}

fn outputs(question: &Question) -> [Option<Location>; 2] {
    ["pu", "pv"].map(|name| question.instruction.operand(name).source).map(Source::location)
}

/// FSET: combines the comparison with a predicate. Writes the outcome as a mask or as a float.
pub fn to_register(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let compared = compare(question)?;
    let [_, _, predicate] = question.inputs()?;
    let logic = logic(question);
    let yes = match question.instruction.modifier("bval") {
        Some(BVal::BF) => F32.one(),
        _ => u32::MAX,
    };
    question.answer(
        truths,
        |lane| {
            if combine(logic, compared[lane], predicate.is_true(lane)) { yes } else { 0 }
        },
    );
    overwrite_flushed(question, truths)
}

fn logic(question: &Question) -> LOPOp {
    question.instruction.modifier("lop").expect("a comparison names its logic")
}

/// Evaluates the comparison of FSETP and FSET, lane by lane.
fn compare(question: &Question) -> Result<Vec<bool>, BackendError> {
    let [a, b, _] = question.inputs()?;
    let ftz = question.instruction.flag("ftz");
    let input = |bits| if ftz { flush(bits) } else { bits };
    let comparison = question.instruction.modifier("cmp").expect("a comparison has a kind");
    let condition = Condition::new(comparison, question.reads(Reading::E186, 1));
    let mut pair = Pair::new();
    let mut holds = |lane| condition.holds(pair.compare(input(a.get(lane)), input(b.get(lane))));
    Ok((0..question.len()).map(&mut holds).collect())
}

/// FSEL: selects the first operand where the predicate is true, the second where it is false.
pub fn select(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [a, b, first] = question.inputs()?;
    let ftz = question.instruction.flag("ftz");
    let canonical = question.reads(Reading::E185, 2);
    question.answer(truths, |lane| {
        let selected = if first.is_true(lane) { a.get(lane) } else { b.get(lane) };
        match selected {
            nan if canonical && F32.is_nan(nan) => QUIET_NAN,
            bits if ftz => flush(bits),
            bits => bits,
        }
    });
    overwrite_flushed(question, truths)
}

/// Overwrites the sources if E012 = 1. `.FTZ` flushes both sources, whichever is selected.
fn overwrite_flushed(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [a, b, _] = question.inputs()?;
    if question.instruction.flag("ftz") {
        question.overwrite(&[a, b], truths, |place, lane| flushed([a, b][place].get(lane)));
    }
    Ok(())
}

/// FCHK: determines from the exponents of dividend and divisor whether a division needs the slow
/// path.
pub fn check_division(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [a, b] = question.inputs()?;
    let from_the_top = question.reads(Reading::E189, 1);
    let exponent = |bits: u32| {
        let field = if from_the_top { bits >> 24 } else { F32.exponent_field(bits) };
        field as i32 - F32.bias()
    };
    let (emin, emax, fraction_bits) = (F32.emin(), F32.bias(), F32.fraction_bits as i32);
    question.answer(truths, |lane| {
        let (ea, eb) = (exponent(a.get(lane)), exponent(b.get(lane)));
        let numerator = ea <= emin + fraction_bits || ea > emax;
        let divisor = eb <= emin || eb >= emax - 2;
        let quotient = ea - eb <= emin + 1 || ea - eb >= emax;
        u32::from(numerator || divisor || quotient)
    });
    Ok(())
}
