//! The properties by which two divergences count as one bug: optype, modifiers that matter,
//! destination, value classes and error class. All of them come from a shrunk case.

use std::borrow::Cow;
use std::fmt;

use assay_isa::hints::Computes;
use assay_isa::{Batch, Instruction, legality};

use crate::compare::judge::{self, Divergence};
use crate::operands::operand_kinds::OperandKind;
use crate::operands::operand_words::{OperandWord, operand_words};
use crate::stats::features::{coarse, is_of_channels, modifiers};

/// The symptom of a wrong result that has no class of its own and is not written elsewhere.
pub const WRONG_VALUE: &str = "wrong value";

/// The errors that are separate classes. If a signature has such a class, all wrong results of the
/// bug must be of this class.
pub(super) const CLASSES: [judge::DivergenceKind; 7] = {
    use judge::DivergenceKind::{Above, Flush, Nan, NotThatNan, OneUnit, Range, ZeroSign};
    [Above, Flush, Nan, NotThatNan, OneUnit, Range, ZeroSign]
};

/// The wrong output and its error class. The class is coarse, because one bug may show in several
/// ways. For example, a lost bit makes a result wrong by one unit or by the whole range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symptom {
    /// The wrong output. `None` for an event, a missing or unexpected write, or a place that is not
    /// an output.
    pub output: Option<&'static str>,
    /// The error class.
    pub error: &'static str,
}

impl Symptom {
    /// Returns the symptom of a divergence.
    pub fn of(instruction: &Instruction, divergence: &Divergence) -> Symptom {
        let is_here = |name: &&str| {
            instruction.operand(name).locations().any(|location| Some(location) == divergence.location)
        };
        let output = instruction.form().optype.outs.iter().copied().find(is_here);
        use judge::DivergenceKind::{Bound, Infinity, NotWritten, OneUnit, Sign, Unexpected, Value};
        let error = match divergence.kind {
            OneUnit | Value | Infinity | Sign | Bound => WRONG_VALUE,
            NotWritten | Unexpected => {
                return Symptom { output: None, error: "not written, or unexpectedly" };
            }
            other => other.name(),
        };
        Symptom { output, error }
    }

    /// Whether two symptoms are of the same output. An output of the uniform datapath is the same as
    /// the one of general registers, because a finding may cover an optype and its twin there.
    pub fn is_of_same_output(&self, other: &Symptom) -> bool {
        let [one, other] = [self, other].map(|symptom| symptom.output.map(in_general));
        one == other
    }
}

/// Returns the name that an output has outside of the uniform datapath.
fn in_general(output: &str) -> &str {
    output.strip_prefix('u').filter(|rest| rest.starts_with(['r', 'p'])).unwrap_or(output)
}

impl fmt::Display for Symptom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.output {
            Some(output) => write!(f, "{output}: {}", self.error),
            None => f.write_str(self.error),
        }
    }
}

/// Returns the signature of a shrunk divergence, such as
/// `FFMA.FTZ rb.neg | normal, subnormal, -zero | rd: flush`.
pub fn signature(instruction: &Instruction, batch: &Batch, divergence: &Divergence) -> String {
    let symptom = Symptom::of(instruction, divergence);
    if let Some(meeting) = meeting(instruction) {
        return match symptom.output {
            Some(output) => format!("{} | {meeting} | {output}", instruction.optype()),
            None if meeting.ends_with(DISCARDED) => {
                format!("{} | {A_RESULT_IS_DISCARDED} | elsewhere", instruction.optype())
            }
            None => format!("{} | {meeting} | elsewhere", instruction.optype()),
        };
    }
    // A bitwise operation is a separate case for each bit of the operands.
    let is_of_bits = instruction.form().optype.hints.computes == Computes::Logic;
    let classes = if is_of_bits || is_of_channels(instruction) {
        String::new()
    } else {
        format!("{} | ", classes(instruction, batch).join(", "))
    };
    format!("{} | {classes}{symptom}", modifiers(instruction))
}

/// The text of the signature for a result that is discarded.
const DISCARDED: &str = "is discarded";
/// The text of the signature if a result is discarded and the symptom names no output.
pub(super) const A_RESULT_IS_DISCARDED: &str = "a result is discarded";

/// Returns the text for operands that share a register, or have no storage, in a shrunk case. The
/// shrinker could not give them separate registers, so the divergence needs this.
pub(super) fn meeting(instruction: &Instruction) -> Option<String> {
    let form = instruction.form();
    let outs = form.optype.outs;
    let places = |name: &str| instruction.operand(name).locations().collect::<Vec<_>>();
    for (nth, one) in form.order.iter().enumerate() {
        for other in &form.order[nth + 1..] {
            if places(one).iter().any(|place| places(other).contains(place)) {
                return Some(meet(one, other));
            }
        }
    }
    let is_idle = |name: &&str| {
        let operand = instruction.operand(name);
        form.field(name).is_some_and(|field| field.ty.idle().is_some()) && operand.source.location().is_none()
    };
    let idle = form.order.iter().find(|name| is_idle(name) && legality::has(instruction, name))?;
    match form.field(idle).and_then(|field| field.ty.idle()) {
        _ if outs.contains(idle) => Some(format!("{idle} {DISCARDED}")),
        Some((constant, _)) => Some(is_read(constant)),
        None => None,
    }
}

/// Returns the text of the signature for two operands that are one register.
pub(super) fn meet(one: &str, other: &str) -> String {
    format!("{one} and {other} meet")
}

/// Returns the text of the signature for an input without storage. URZ and UPT are named RZ and PT.
pub(super) fn is_read(constant: &str) -> String {
    format!("{} is read", constant.trim_start_matches('U'))
}

/// Returns the classes of each operand's words. If several words of an operand have the same class,
/// it is listed once.
fn classes(instruction: &Instruction, batch: &Batch) -> Vec<String> {
    let mut operands: Vec<(&str, Vec<Cow<'static, str>>)> = Vec::new();
    for cell in operand_words(instruction) {
        let class = class(&cell, batch);
        match operands.last_mut().filter(|(name, _)| *name == cell.operand) {
            Some((_, seen)) if seen.contains(&class) => {}
            Some((_, seen)) => seen.push(class),
            None => operands.push((cell.operand, vec![class])),
        }
    }
    operands.into_iter().map(|(_, classes)| classes.join("/")).collect()
}

/// Returns the class of a value, for a signature.
fn class(cell: &OperandWord, batch: &Batch) -> Cow<'static, str> {
    match cell.place.value(batch, 0) {
        Some(bits) => coarse(cell.kind, bits),
        None if cell.kind == OperandKind::Predicate => "PT".into(),
        None => "zero register".into(),
    }
}
