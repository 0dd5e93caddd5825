//! Executes one lane: computes the value of each output from the values of the operands.

use crate::arith::{self, prefixed};
use crate::bits;
use crate::codes::Optype;
use crate::compare;
use crate::fault::{Active, Fault};
use crate::instruction::{Instruction, ResultPart};
use crate::integer::{self, Integers};
use crate::logic;
use crate::mufu;
use crate::small;

/// The operand values of a lane. The `!` of predicates is already applied, but all other prefixes
/// are not.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lane {
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) b_high: u32,
    pub(crate) c: u32,
    pub(crate) c_high: u32,
    pub(crate) p: bool,
    pub(crate) q: bool,
    pub(crate) r: bool,
    /// UP0 to UP6, as bits 0 to 6.
    pub(crate) predicates: u32,
}

/// The results of a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LaneOutcome {
    value: u64,
    first: bool,
    second: bool,
    predicates: u32,
}

impl LaneOutcome {
    /// Returns the bits of one output.
    pub(crate) fn part(&self, part: ResultPart) -> u32 {
        match part {
            ResultPart::Low => self.value as u32,
            ResultPart::High => (self.value >> 32) as u32,
            ResultPart::First => self.first.into(),
            ResultPart::Second => self.second.into(),
            ResultPart::Bit(bit) => (self.predicates >> bit) & 1,
        }
    }

    fn value(value: u32) -> LaneOutcome {
        LaneOutcome { value: value.into(), ..LaneOutcome::default() }
    }

    fn truths(first: bool, second: bool) -> LaneOutcome {
        LaneOutcome { first, second, ..LaneOutcome::default() }
    }
}

/// Computes a lane.
pub(crate) fn lane(i: &Instruction, lane: &Lane, active: Active) -> LaneOutcome {
    let x = confused(i, *lane, active);
    match i.info.optype {
        Optype::Fadd | Optype::Fmul | Optype::Ffma => {
            LaneOutcome::value(arith::run(i.info.optype, &i.m, floats(i, &x, active), active))
        }
        Optype::Fmnmx | Optype::Fsetp | Optype::Fset | Optype::Fsel | Optype::Fchk => {
            comparison(i, &x, active)
        }
        Optype::Mufu => LaneOutcome::value(mufu::run(&i.m, &i.b, x.b, active)),
        Optype::Popc | Optype::Upopc => LaneOutcome::value(bits::count(inverted(i, &x), active)),
        Optype::Flo | Optype::Uflo => LaneOutcome::value(bits::leading_one(&i.m, inverted(i, &x), active)),
        Optype::Brev | Optype::Ubrev => LaneOutcome::value(bits::complemented(x.b, i.info.uniform, active)),
        Optype::Bmsk | Optype::Ubmsk => LaneOutcome::value(bits::mask(&i.m, x.a, x.b, i.b.literal, active)),
        Optype::Sgxt | Optype::Usgxt => LaneOutcome::value(bits::extended(&i.m, x.a, x.b, active)),
        Optype::Uf2fp => LaneOutcome::value(small::pack(x.a, x.b, active)),
        Optype::Umov => {
            let value = u64::from(x.b) | (u64::from(x.b_high) << 32);
            LaneOutcome { value, ..LaneOutcome::default() }
        }
        Optype::Usel => LaneOutcome::value(if x.p { x.a } else { x.b }),
        Optype::Up2ur | Optype::Ur2up => bytes(i, &x, active),
        Optype::Uisetp | Optype::Ulop3 | Optype::Uplop3 | Optype::Ushf | Optype::Uprmt => {
            logical(i, &x, active)
        }
        _ => integers(i, &x, active),
    }
}

/// Swaps or replaces operands, as a fault demands. A sound device changes nothing.
fn confused(i: &Instruction, x: Lane, active: Active) -> Lane {
    let optype = i.info.optype;
    match i.form {
        "RUR" if active.has(Fault::AddendDropped) => Lane { c: 0, ..x },
        "UUC" if active.has(Fault::ShiftOperandsSwapped) && optype == Optype::Ushf => {
            Lane { b: x.c, c: x.b, ..x }
        }
        "UCU" if active.has(Fault::PermuteOperandsSwapped) && optype == Optype::Uprmt => {
            Lane { a: x.b, b: x.a, ..x }
        }
        "RRR" if active.has(Fault::SharedRegisterMisread) && i.a.source == i.c.source => Lane { c: x.b, ..x },
        "RCR" if active.has(Fault::FirstReadTwice) => Lane { c: x.a, ..x },
        "UU" if active.has(Fault::SelectFirstTwice) && optype == Optype::Usel => Lane { b: x.a, ..x },
        _ => x,
    }
}

fn inverted(i: &Instruction, x: &Lane) -> u32 {
    if i.b.invert { !x.b } else { x.b }
}

/// Returns the float operands with their prefixes applied.
fn floats(i: &Instruction, x: &Lane, active: Active) -> [u32; 3] {
    let shared = active.has(Fault::SharedRegisterSharesPrefixes) && i.a.source == i.b.source;
    let b = if shared { &i.a } else { &i.b };
    [prefixed(x.a, &i.a, active), prefixed(x.b, b, active), prefixed(x.c, &i.c, active)]
}

fn comparison(i: &Instruction, x: &Lane, active: Active) -> LaneOutcome {
    let [a, b, _] = floats(i, x, active);
    match i.info.optype {
        Optype::Fmnmx => LaneOutcome::value(compare::minmax(&i.m, a, b, x.p, active)),
        Optype::Fsel => LaneOutcome::value(compare::select(&i.m, a, b, x.p, active)),
        Optype::Fchk => LaneOutcome::truths(compare::check(a, b, active), false),
        Optype::Fset => {
            let test = compare::float_test(&i.m, a, b, active);
            let truth = compare::combined(i.m.boolean, test, x.p, active);
            LaneOutcome::value(compare::set(&i.m, truth, active))
        }
        _ => {
            let (first, second) =
                compare::outputs(&i.m, compare::float_test(&i.m, a, b, active), x.p, active);
            LaneOutcome::truths(first, second)
        }
    }
}

fn logical(i: &Instruction, x: &Lane, active: Active) -> LaneOutcome {
    match i.info.optype {
        Optype::Uisetp => {
            let test = logic::integer_test(&i.m, x.a, x.b, x.q, active);
            let (first, second) = compare::outputs(&i.m, test, x.p, active);
            LaneOutcome::truths(first, second)
        }
        Optype::Ulop3 => {
            let result = logic::table(&i.m, x.a, x.b, x.c, active);
            let first = logic::table_predicate(&i.m, result, x.p, active);
            LaneOutcome { first, ..LaneOutcome::value(result) }
        }
        Optype::Uplop3 => LaneOutcome::truths(logic::table_of_truths(&i.m, [x.p, x.q, x.r], active), false),
        Optype::Ushf => LaneOutcome::value(logic::shifted(&i.m, x.a, x.b, x.c, active)),
        _ => LaneOutcome::value(logic::permuted(&i.m, x.a, x.b, x.c, active)),
    }
}

fn bytes(i: &Instruction, x: &Lane, active: Active) -> LaneOutcome {
    match i.info.optype {
        Optype::Up2ur => LaneOutcome::value(logic::packed(&i.m, x.predicates, x.a, x.b, active)),
        _ => {
            let predicates = logic::unpacked(&i.m, x.predicates, x.a, x.b, active);
            LaneOutcome { predicates, ..LaneOutcome::default() }
        }
    }
}

fn integers(i: &Instruction, x: &Lane, active: Active) -> LaneOutcome {
    let mut operands = Integers {
        a: x.a,
        b: x.b,
        c: u64::from(x.c) | (u64::from(x.c_high) << 32),
        negate_a: i.a.negate,
        negate_b: i.b.negate,
        negate_c: i.c.negate,
        carry: x.p,
    };
    let optype = i.info.optype;
    let (mut value, mut carry) = integer::run(optype, &i.m, &operands, active);
    let destination = i.outputs.iter().find(|output| output.1 == ResultPart::Low).map(|output| output.0);
    let over_a = destination.is_some_and(|place| i.a.source == crate::instruction::Source::Place(place));
    if over_a && optype == Optype::Uiadd && active.has(Fault::CarryAfterWrite) {
        operands.a = value as u32;
        carry = integer::run(optype, &i.m, &operands, active).1;
    }
    if over_a && optype == Optype::UimadWide && active.has(Fault::HighWordAfterLow) {
        operands.a = value as u32;
        let again = integer::run(optype, &i.m, &operands, active).0;
        value = (value & 0xffff_ffff) | (again & !0xffff_ffff);
    }
    LaneOutcome { value, first: carry, ..LaneOutcome::default() }
}
