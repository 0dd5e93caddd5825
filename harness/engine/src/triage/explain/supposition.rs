//! The possible behaviours of a faulty subject. Each supposition is a rule that predicts the subject's result in any
//! case.
//!
//! Most faults of a decoder, and many of an execution unit, are simple. For example, .RP is
//! executed as .RZ, a sign is not changed, a register number loses bits, an operand is read as 0,
//! or a zero has the wrong sign. The oracle can compute the result of such a fault, so a
//! supposition can be tried on any number of cases.

use std::fmt;

use assay_isa::hints::Computes;
use assay_isa::readings::{SWITCHES, Switch};
use assay_isa::row::{Field, FieldType};
use assay_isa::{EncodingTable, Erratum, Instruction, Readings};

use crate::triage::explain::misread::{Change, LITERAL_SLIPS, Misread, MisreadOperands};
use crate::triage::explain::value_slip::{FLOAT_INPUT, INPUT, RESULT, ValueSlip};

/// A possible behaviour of a faulty subject.
#[derive(Clone, Debug, PartialEq)]
pub enum Supposition {
    /// The subject executes another instruction.
    Change(Change),
    /// The subject follows another setting of an erratum.
    Reading(Erratum, u8),
    /// The subject reads another value for an operand.
    Input(&'static str, ValueSlip),
    /// The subject reads another value for every operand.
    EveryInput(ValueSlip),
    /// The subject reads another value for the upper word of a two-word operand.
    UpperWord(&'static str, UpperWord),
    /// The subject writes another value for a result.
    Result(&'static str, ValueSlip),
    /// If the right result is a zero or an overflow, the subject rounds in another mode.
    Rounds(RoundedResults, &'static str),
    /// If the result before saturation is a NaN, the subject writes another value.
    Nan(NanResult),
    /// If an invalid operation makes the result NaN, the subject writes another value. No operand
    /// is a NaN in such a case.
    Invalid(NanResult),
    /// The subject writes one output as another, or as the negation of another.
    Follows {
        /// The written output.
        output: &'static str,
        /// The output that it equals.
        other: &'static str,
        /// Whether the other output is negated.
        negated: bool,
    },
    /// Under .FTZ the subject flushes only some operands, or flushes the result in another way.
    Flushes {
        /// The operands that are flushed.
        inputs: Flushed,
        /// The value that replaces a subnormal result.
        result: FlushedResult,
    },
    /// If an operand of a minimum or maximum is a NaN, the result is one of the operands.
    BesideNan {
        /// The operand.
        operand: ChosenOperand,
        /// Whether the operand is written bit by bit. So it is not flushed, and not replaced by the
        /// default NaN.
        is_raw: bool,
    },
    /// .SAT does not change some results.
    Unsaturated(Unsaturated),
}

/// The operand that is the result beside a NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChosenOperand {
    /// The first operand.
    First,
    /// The second operand.
    Second,
    /// The operand that is not a NaN. If both are NaNs, no operand is chosen.
    Number,
}

/// Results that .SAT should change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsaturated {
    /// A NaN.
    Nan,
    /// -0.
    MinusZero,
    /// A negative number.
    Negative,
    /// A number above 1.
    Large,
}

/// The value that replaces a subnormal result under .FTZ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlushedResult {
    /// A zero of its sign.
    Zero,
    /// +0.
    PlusZero,
    /// The result stays subnormal.
    Kept,
}

/// The value that is read in place of the upper word of a two-word operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpperWord {
    /// 0.
    Zero,
    /// The lower word.
    Lower,
}

impl fmt::Display for UpperWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UpperWord::Zero => "reads as 0",
            UpperWord::Lower => "reads as the lower word",
        })
    }
}

/// Operands that are flushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flushed {
    /// All operands.
    All,
    /// No operand.
    None,
    /// One operand.
    Only(&'static str),
    /// All operands but one.
    AllBut(&'static str),
    /// All operands, to +0.
    ToPlus,
}

impl Flushed {
    /// Whether an operand is flushed.
    pub fn has(self, name: &str) -> bool {
        match self {
            Flushed::All | Flushed::ToPlus => true,
            Flushed::None => false,
            Flushed::Only(one) => one == name,
            Flushed::AllBut(one) => one != name,
        }
    }
}

/// Results that depend on the rounding mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundedResults {
    /// The sign of a zero.
    Zero,
    /// An overflow: a result that rounding to nearest makes infinite. The mode decides between
    /// infinity and the largest number.
    Overflow,
    /// An overflow whose exact result has at least the magnitude of the power of two above the
    /// largest number.
    Beyond,
}

/// The written value in place of a NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NanResult {
    /// A pattern.
    Bits(u32),
    /// The nth operand as it was read.
    Operand(usize),
    /// The first operand that is a NaN, made quiet or left as it is.
    FirstNan {
        /// Whether the NaN is made quiet.
        quiet: bool,
    },
}

/// The possible written values in place of a NaN.
const NANS: [NanResult; 13] = [
    NanResult::Bits(0),
    NanResult::Bits(0x7f80_0000),
    NanResult::Bits(0xff80_0000),
    NanResult::Bits(0x3f80_0000),
    NanResult::Bits(0x7fff_ffff),
    NanResult::Bits(0x7fc0_0000),
    NanResult::Bits(0xffc0_0000),
    NanResult::Bits(0xffff_ffff),
    NanResult::FirstNan { quiet: true },
    NanResult::FirstNan { quiet: false },
    NanResult::Operand(0),
    NanResult::Operand(1),
    NanResult::Operand(2),
];

impl fmt::Display for Supposition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Supposition::Change(change) => change.fmt(f),
            Supposition::Reading(erratum, setting) => write!(f, "acts under {erratum}={setting}"),
            Supposition::Input(name, slip) | Supposition::Result(name, slip) => write!(f, "{name} {slip}"),
            Supposition::EveryInput(slip) => write!(f, "every operand {slip}"),
            Supposition::UpperWord(name, word) => write!(f, "the upper word of {name} {word}"),
            Supposition::Rounds(RoundedResults::Zero, mode) => {
                write!(f, "a zero has its sign as in mode {mode}")
            }
            Supposition::Rounds(RoundedResults::Overflow, mode) => {
                write!(f, "an overflow is rounded as in mode {mode}")
            }
            Supposition::Rounds(RoundedResults::Beyond, mode) => {
                write!(f, "a result beyond 2^128 is rounded as in mode {mode}")
            }
            Supposition::Flushes { inputs, result } => {
                match inputs {
                    Flushed::All => {}
                    Flushed::ToPlus => write!(f, "ftz FTZ flushes an operand to +0")?,
                    Flushed::None => write!(f, "ftz FTZ flushes no operand")?,
                    Flushed::Only(name) => write!(f, "ftz FTZ flushes {name} alone")?,
                    Flushed::AllBut(name) => write!(f, "ftz FTZ does not flush {name}")?,
                }
                match (inputs, result) {
                    (_, FlushedResult::Zero) => Ok(()),
                    (Flushed::All, FlushedResult::PlusZero) => write!(f, "ftz FTZ flushes a result to +0"),
                    (_, FlushedResult::PlusZero) => write!(f, ", and a result to +0"),
                    (Flushed::All, FlushedResult::Kept) => write!(f, "ftz FTZ does not flush the result"),
                    (_, FlushedResult::Kept) => write!(f, ", and not the result"),
                }
            }
            Supposition::BesideNan { operand, is_raw } => {
                let bits = if *is_raw { ", bit for bit" } else { "" };
                let operand = match operand {
                    ChosenOperand::First => "operand 1",
                    ChosenOperand::Second => "operand 2",
                    ChosenOperand::Number => "the operand that is a number",
                };
                write!(f, "beside a NaN the result is {operand}{bits}")
            }
            Supposition::Unsaturated(results) => write!(
                f,
                "sat SAT leaves {} alone",
                match results {
                    Unsaturated::Nan => "a NaN",
                    Unsaturated::MinusZero => "-0",
                    Unsaturated::Negative => "a negative result",
                    Unsaturated::Large => "a result above 1",
                }
            ),
            Supposition::Nan(written) => write!(f, "a NaN is written as {written}"),
            Supposition::Invalid(written) => {
                write!(f, "the NaN of an invalid operation is written as {written}")
            }
            Supposition::Follows { output, other, negated } => {
                write!(f, "{output} is {}{other}", if *negated { "the negation of " } else { "" })
            }
        }
    }
}

impl fmt::Display for NanResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NanResult::Bits(bits) => write!(f, "{bits:#010x}"),
            NanResult::Operand(nth) => write!(f, "operand {}", nth + 1),
            NanResult::FirstNan { quiet: true } => write!(f, "the first operand that is one, made quiet"),
            NanResult::FirstNan { quiet: false } => write!(f, "the first operand that is one"),
        }
    }
}

impl Supposition {
    /// Returns the words that findings of one cause have in common.
    pub fn theme(&self) -> String {
        match self {
            Supposition::Change(change) => change.theme(),
            // Optypes may have separate switches for one convention, such as when a sum carries. A
            // device may implement such a convention once for all optypes.
            Supposition::Reading(erratum, setting) => {
                let meaning = Switch::of(*erratum).map_or("", |switch| switch.meaning(*setting));
                format!("acts under a reading: {meaning}")
            }
            Supposition::Rounds(..)
            | Supposition::Nan(_)
            | Supposition::Invalid(_)
            | Supposition::BesideNan { .. }
            | Supposition::Unsaturated(_)
            | Supposition::Flushes { .. } => self.to_string(),
            Supposition::Follows { negated: true, .. } => "an output is the negation of another".to_owned(),
            Supposition::Follows { negated: false, .. } => "an output is another".to_owned(),
            Supposition::Input(_, slip) | Supposition::EveryInput(slip) => format!("an operand {slip}"),
            Supposition::UpperWord(_, word) => format!("an upper word {word}"),
            Supposition::Result(_, slip) => format!("the result {slip}"),
        }
    }
}

/// Returns all suppositions about an instruction, the likeliest first.
pub fn suppositions(
    instruction: &Instruction,
    readings: &Readings,
    numbers: &EncodingTable,
) -> Vec<Supposition> {
    let readings = settings(instruction, readings);
    let mut all: Vec<_> = readings.map(|(erratum, setting)| Supposition::Reading(erratum, setting)).collect();
    let mut changes = values(instruction);
    changes.extend(["neg", "abs", "not", "bitnot"].map(Change::IgnoredOnAll));
    changes.extend([Change::NegatedAbsolute, Change::Ordered, Change::Unguarded]);
    changes.extend(LITERAL_SLIPS.iter().copied().map(Change::Literal));
    changes.extend(registers(instruction));
    changes.extend(misread(instruction));
    changes.extend((1..5).rev().map(Change::Bank));
    changes.extend((8..17).rev().map(Change::Offset));
    changes.extend([Change::General, Change::FalseConstant]);
    changes.extend(bits(instruction));
    // A change that does not affect the case cannot explain its result.
    changes.retain(|change| change.apply(instruction, numbers).is_some_and(|other| other != *instruction));
    all.extend(changes.into_iter().map(Supposition::Change));
    let form = instruction.form();
    for name in form.inputs().filter(|name| instruction.operand(name).words == 2) {
        all.extend([UpperWord::Zero, UpperWord::Lower].map(|word| Supposition::UpperWord(name, word)));
    }
    if form.inputs().nth(1).is_some() {
        all.extend(FLOAT_INPUT.iter().copied().map(Supposition::EveryInput));
    }
    for slip in FLOAT_INPUT.iter().chain(INPUT) {
        all.extend(form.inputs().map(|name| Supposition::Input(name, *slip)));
    }
    if instruction.flag("sat") {
        use Unsaturated::{Large, MinusZero, Nan, Negative};
        all.extend([Nan, MinusZero, Negative, Large].map(Supposition::Unsaturated));
    }
    if let Some(FieldType::Enum(modes)) = form.field("rnd").map(|field| field.ty) {
        // Only .RM changes the sign of a zero. The other modes agree (IEEE 754-2019, 6.3).
        let of_zero = modes.values.iter().filter(|mode| ["RN", "RM"].contains(*mode));
        all.extend(of_zero.map(|mode| Supposition::Rounds(RoundedResults::Zero, mode)));
        // The two kinds of overflow differ only just below 2^128. A unit that inspects only the
        // exponent behaves like `Beyond`.
        for results in [RoundedResults::Beyond, RoundedResults::Overflow] {
            all.extend(modes.values.iter().map(|mode| Supposition::Rounds(results, mode)));
        }
        all.extend(NANS.map(Supposition::Nan));
        all.extend(NANS.map(Supposition::Invalid));
    }
    if instruction.flag("ftz") {
        let each = form.inputs().flat_map(|name| [Flushed::Only(name), Flushed::AllBut(name)]);
        for inputs in [Flushed::All, Flushed::None, Flushed::ToPlus].into_iter().chain(each) {
            let results = [FlushedResult::Zero, FlushedResult::Kept, FlushedResult::PlusZero].into_iter();
            let results = results.filter(|result| (inputs, *result) != (Flushed::All, FlushedResult::Zero));
            all.extend(results.map(|result| Supposition::Flushes { inputs, result }));
        }
    }
    if form.optype.hints.computes == Computes::Extreme {
        let each = [ChosenOperand::First, ChosenOperand::Second, ChosenOperand::Number].into_iter();
        let each = each.flat_map(|operand| [false, true].map(|is_raw| (operand, is_raw)));
        all.extend(each.map(|(operand, is_raw)| Supposition::BesideNan { operand, is_raw }));
    }
    if let [one, second] = form.optype.outs {
        for (output, other) in [(*second, *one), (*one, *second)] {
            all.extend([false, true].map(|negated| Supposition::Follows { output, other, negated }));
        }
    }
    for slip in RESULT {
        all.extend(form.optype.outs.iter().map(|name| Supposition::Result(name, *slip)));
    }
    all
}

/// Returns the changes of each enumerated field, for each value `done` other than the current one.
/// Every value acts as `done`, or only the current value does, or the two are exchanged. For a
/// flag, it is ignored or always set.
fn values(instruction: &Instruction) -> Vec<Change> {
    let fields = instruction.form().fields.iter().zip(instruction.values());
    let mut changes = Vec::new();
    for (field, value) in fields.filter(|(field, _)| field.constraint.is_none()) {
        let FieldType::Enum(list) = field.ty else { continue };
        let said = *value as usize;
        let others = (0..list.values.len()).filter(|other| *other != said);
        others.for_each(|done| changes.extend(taken(field, list.values, said, done)));
    }
    changes
}

fn taken(field: &Field, values: &[&'static str], said: usize, done: usize) -> Vec<Change> {
    // An exchange has the same name for both values.
    let [first, second] = [said.min(done), said.max(done)].map(|value| values[value]);
    let (name, said, done, is_set) = (field.name, values[said], values[done], said > 0);
    let is_flag = field.attribute().is_some() && values.len() == 2 && field.attribute() != Some("hsel");
    match (is_flag, is_set) {
        (true, false) => vec![Change::Assumed(name)],
        (true, true) => vec![Change::Ignored(name)],
        (false, _) => vec![
            Change::Always { field: name, done },
            Change::Swapped { field: name, one: first, other: second },
            Change::Value { field: name, said, done },
        ],
    }
}

/// Returns the operands that are registers or predicates: name, type and number.
fn operands(instruction: &Instruction) -> Vec<(&'static str, FieldType, u32)> {
    let form = instruction.form();
    let names = form.order.iter().copied().chain([form.guard()]);
    let operands = names.filter_map(|name| Some((name, form.field(name)?.ty, instruction.get(name)?)));
    operands.filter(|(_, ty, _)| ty.idle().is_some()).collect()
}

/// Returns changes that read a register operand in place of another of its type, exchange the two,
/// or read the next register.
fn registers(instruction: &Instruction) -> Vec<Change> {
    let guard = instruction.form().guard();
    let operands: Vec<_> = operands(instruction).into_iter().filter(|(name, ..)| *name != guard).collect();
    let mut changes = Vec::new();
    for (place, (name, ty, _)) in operands.iter().enumerate() {
        for (other, ..) in operands[..place].iter().filter(|(_, its, _)| its == ty) {
            changes.push(Change::Exchanged(other, name));
            changes.push(Change::TakenFor(name, other));
            changes.push(Change::TakenFor(other, name));
        }
        changes.push(Change::Next(name));
    }
    changes
}

/// Returns changes in which the upper bits of a field are lost or always set. In other forms, the
/// same bits of the word change, whatever they mean there. A one-bit field may also be read from
/// another bit.
fn bits(instruction: &Instruction) -> Vec<Change> {
    let mut changes = Vec::new();
    let open = instruction.form().fields.iter().filter(|field| field.constraint.is_none());
    for field in open {
        let (lo, hi) = (field.lo, field.lo + field.width - 1);
        let firsts = (lo..=hi).rev().take(if field.width > 8 { 12 } else { 8 });
        changes.extend(firsts.map(|lo| Change::Bits { lo, hi, set: false }));
        changes.push(Change::Bits { lo: hi, hi, set: true });
        if field.width == 1 {
            let others = (64..112).filter(|from| *from != lo);
            changes.extend(others.map(|from| Change::Moved { bit: lo, from }));
        }
    }
    changes
}

/// Returns changes that misread the number of a register operand, or the numbers of all operands of
/// its type.
fn misread(instruction: &Instruction) -> Vec<Change> {
    let mut changes = Vec::new();
    for (name, ty, number) in operands(instruction) {
        let width = ty.width();
        let cuts = (1..width).rev().flat_map(|bits| [Misread::Cut(bits), Misread::CutAll(bits)]);
        for misread in
            cuts.chain([Misread::Idle(number), Misread::AlwaysIdle]).chain((1..width).map(Misread::From))
        {
            let place = instruction.form().field(name).map_or(0, |field| field.lo);
            let whose =
                [MisreadOperands::Operand(name), MisreadOperands::At(place), MisreadOperands::Sources];
            for whose in whose.into_iter().chain([MisreadOperands::Inputs, MisreadOperands::All]) {
                let change = Change::Number { whose, ty, misread };
                if !changes.contains(&change) {
                    changes.push(change);
                }
            }
        }
    }
    changes
}

/// Returns each other setting of each erratum that affects the optype.
pub fn settings<'a>(
    instruction: &'a Instruction,
    readings: &'a Readings,
) -> impl Iterator<Item = (Erratum, u8)> + use<'a> {
    let touching = SWITCHES.iter().filter(|switch| switch.optypes.contains(&instruction.optype()));
    touching.flat_map(move |switch| {
        let now = readings.setting(switch.erratum);
        let others = (1..=switch.settings.len() as u8).filter(move |setting| Some(*setting) != now);
        others.map(|setting| (switch.erratum, setting))
    })
}
