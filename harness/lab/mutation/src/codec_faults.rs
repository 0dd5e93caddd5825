//! Faults of the encoder, the printer and the parser: mutants of the codec, and the words that
//! catch them.
//!
//! A model with a faulty decoder can run as a subject. These faults cannot, so they are planted
//! through [`Codec`]. The round-trip property of words and texts, [`hold_word`], must catch each
//! fault. The faults of a field are all those that some legal instruction shows.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use arbitrary::Unstructured;
use assay_engine::generate::{Scope, stream};
use assay_fuzzing::{Codec, Violation, hold_word};
use assay_isa::catalog::Form;
use assay_isa::legalize::legalize;
use assay_isa::row::{Field, FieldType};
use assay_isa::{EncodingTable, Instruction, asm, catalog, codec, legality};

use crate::outcome::{Detection, MutantOutcome};

/// Name of the family of encoder faults.
pub const ENCODER: &str = "encoder";
/// Name of the family of printer and parser faults.
pub const ASSEMBLER: &str = "assembler";

/// Number of random bytes from which an instruction is drawn.
const DRAWN: usize = 256;
/// Number of drawn words of a form. The words show which fields can vary.
const SAMPLE: u64 = 256;
/// Maximum number of words of a form on which faults are tested.
const WORDS: u64 = 1 << 14;

/// A fault of the codec at one field of one form.
#[derive(Clone, Copy, Debug)]
pub struct CodecFault {
    form: usize,
    field: usize,
    kind: CodecFaultKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CodecFaultKind {
    /// The encoder writes the field one bit higher.
    WrittenShifted,
    /// The encoder leaves out the highest bit of the field.
    WrittenTruncated,
    /// The encoder swaps the field with another field of the same width.
    WrittenFor(usize),
    /// The printer prints the next legal value.
    PrintedNext,
    /// The printer prints the initial value of the field.
    PrintedInitial,
    /// The printer swaps the operand with another operand of the same type.
    PrintedFor(usize),
    /// The parser takes the next legal value after the written one.
    ParsedNext,
    /// The parser ignores a written modifier, and takes the initial value of the field.
    ParsedInitial,
}

/// Returns the faults of every field. Leaves out faults that no legal instruction shows.
pub fn faults() -> impl Iterator<Item = CodecFault> {
    catalog().forms.iter().flat_map(|form| {
        let sample = sample(form);
        (0..form.fields.len()).flat_map(move |field| {
            let fault = move |kind| CodecFault { form: form.index, field, kind };
            kinds(form, field, &sample).into_iter().map(fault)
        })
    })
}

/// Returns words of a form. A bit that is equal in all of them is equal in all legal words.
///
/// The generator draws some of the words. The others follow from the rules of legality alone.
/// Without these words, a field that the generator never varies would have no fault, and no report
/// would show that.
fn sample(form: &'static Form) -> Vec<u128> {
    let scope = Scope::everything().narrowed(|mode| mode.form().index == form.index);
    let mut bytes = Vec::new();
    let draw = |index| {
        stream::fill(0, index, DRAWN, &mut bytes);
        scope.instruction(&mut Unstructured::new(&bytes)).ok()
    };
    let mut sample: Vec<Instruction> = (0..SAMPLE).filter_map(draw).collect();
    sample.extend(by_rules(form));
    sample.iter().map(|instruction| codec::encode(instruction, EncodingTable::provisional())).collect()
}

/// Returns legal instructions that differ from the initial one in a field, or in some modifiers and
/// a field. Intermediate instructions may be illegal, because some modifiers occur only together. A
/// third field is changed only if it has its initial value in all instructions with one or two
/// changes.
fn by_rules(form: &'static Form) -> Vec<Instruction> {
    let is_modifier = |field: &Field| matches!(field.ty, FieldType::Enum(_));
    let is_legal = |instruction: &Instruction| legality::check(instruction).is_ok();
    let plain = Instruction::new(form);
    let one = neighbours(&plain, is_modifier);
    let two: Vec<Instruction> = one.iter().flat_map(|i| neighbours(i, is_modifier)).collect();
    let modified = [&plain].into_iter().chain(one.iter().filter(|i| is_legal(i)));
    let mut all: Vec<Instruction> = modified.flat_map(|i| neighbours(i, |_| true)).filter(is_legal).collect();
    all.extend(two.iter().filter(|i| is_legal(i)).cloned());
    let is_alike = |field: &Field| all.iter().all(|i| i.get(field.name) == plain.get(field.name));
    let alike: BTreeSet<&str> = form.fields.iter().filter(|f| is_alike(f)).map(|f| f.name).collect();
    let three =
        two.iter().flat_map(|i| neighbours(i, |field| is_modifier(field) && alike.contains(field.name)));
    all.extend(three.filter(is_legal).collect::<Vec<_>>());
    all
}

/// Returns instructions that differ from the given one in exactly one field, for which `in_field`
/// holds.
fn neighbours(instruction: &Instruction, in_field: impl Fn(&Field) -> bool) -> Vec<Instruction> {
    let mut neighbours = Vec::new();
    let fields = instruction.form().fields.iter().enumerate();
    for (place, field) in fields.filter(|(_, field)| field.constraint.is_none() && in_field(field)) {
        let most = u32::MAX >> (32 - field.width.min(32));
        let values: Vec<u32> = match field.ty {
            FieldType::Enum(e) => (0..e.values.len() as u32).collect(),
            _ => vec![0, 1, most ^ most >> 1, most],
        };
        for value in values.into_iter().filter(|value| *value != instruction.values()[place]) {
            let mut other = instruction.clone();
            other.set_at(place, value);
            neighbours.push(other);
        }
    }
    neighbours
}

fn bits(word: u128, field: &Field) -> u128 {
    (word & field.mask()) >> field.lo
}

fn kinds(form: &Form, place: usize, sample: &[u128]) -> Vec<CodecFaultKind> {
    let field = form.fields[place];
    let some = |holds: &dyn Fn(u128) -> bool| sample.iter().any(|word| holds(*word));
    let behind = |alike: &dyn Fn(&Field) -> bool| {
        let apart = |other: &Field| some(&|word| bits(word, other) != bits(word, field));
        let mut others = form.fields.iter().enumerate().skip(place + 1);
        others.find(|(_, other)| alike(other) && apart(other)).map(|(other, _)| other)
    };
    let mut kinds = Vec::new();
    kinds.extend(some(&|word| bits(word, field) != 0).then_some(CodecFaultKind::WrittenShifted));
    let top = 1 << (field.lo + field.width - 1);
    kinds.extend(some(&|word| word & top != 0).then_some(CodecFaultKind::WrittenTruncated));
    kinds.extend(behind(&|other| other.width == field.width).map(CodecFaultKind::WrittenFor));
    if some(&|word| bits(word, field) != bits(sample[0], field)) {
        kinds.extend([
            CodecFaultKind::PrintedNext,
            CodecFaultKind::PrintedInitial,
            CodecFaultKind::ParsedNext,
            CodecFaultKind::ParsedInitial,
        ]);
        kinds.extend(
            behind(&|other| other.ty == field.ty && other.constraint.is_none())
                .map(CodecFaultKind::PrintedFor),
        );
    }
    kinds
}

impl CodecFault {
    /// Returns the form that has the fault.
    pub fn form(&self) -> &'static Form {
        &catalog().forms[self.form]
    }

    fn field(&self) -> &'static Field {
        self.form().fields[self.field]
    }

    /// Returns the optype of the form.
    pub fn optype(&self) -> &'static str {
        self.form().optype.name
    }

    /// Returns the family of the fault.
    pub fn family(&self) -> &'static str {
        match self.kind {
            CodecFaultKind::WrittenShifted
            | CodecFaultKind::WrittenTruncated
            | CodecFaultKind::WrittenFor(_) => ENCODER,
            _ => ASSEMBLER,
        }
    }

    /// Returns the name of the fault on the command line.
    pub fn name(&self) -> String {
        let other = |place: usize| self.form().fields[place].name;
        let kind = match self.kind {
            CodecFaultKind::WrittenShifted => "written-shifted".to_owned(),
            CodecFaultKind::WrittenTruncated => "written-truncated".into(),
            CodecFaultKind::WrittenFor(place) => format!("written-for-{}", other(place)),
            CodecFaultKind::PrintedNext => "printed-next".into(),
            CodecFaultKind::PrintedInitial => "printed-initial".into(),
            CodecFaultKind::PrintedFor(place) => format!("printed-for-{}", other(place)),
            CodecFaultKind::ParsedNext => "parsed-next".into(),
            CodecFaultKind::ParsedInitial => "parsed-initial".into(),
        };
        format!("{}-{}-{kind}", self.form().name, self.field().name).to_lowercase().replace(['_', '.'], "-")
    }

    /// Returns a sentence that describes the fault.
    pub fn about(&self) -> String {
        let other = |place: usize| self.form().fields[place].name;
        let what = match self.kind {
            CodecFaultKind::WrittenShifted => "is written one bit higher".to_owned(),
            CodecFaultKind::WrittenTruncated => "is written without its highest bit".into(),
            CodecFaultKind::WrittenFor(place) => {
                format!("and {} are written in each other's place", other(place))
            }
            CodecFaultKind::PrintedNext => "is printed as the value behind its own".into(),
            CodecFaultKind::PrintedInitial => "is printed as its initial value".into(),
            CodecFaultKind::PrintedFor(place) => {
                format!("and {} are printed in each other's place", other(place))
            }
            CodecFaultKind::ParsedNext => "is parsed as the value behind the one written".into(),
            CodecFaultKind::ParsedInitial => "is parsed as its initial value".into(),
        };
        format!("{}: the field {} {what}.", self.form().name, self.field().name)
    }

    /// Encodes an instruction as the faulty encoder does.
    fn encode(&self, instruction: &Instruction, numbers: &EncodingTable) -> u128 {
        let word = codec::encode(instruction, numbers);
        let field = self.field();
        if instruction.form().index != self.form {
            return word;
        }
        match self.kind {
            CodecFaultKind::WrittenShifted => word & !field.mask() | bits(word, field) << (field.lo + 1),
            CodecFaultKind::WrittenTruncated => word & !(1 << (field.lo + field.width - 1)),
            CodecFaultKind::WrittenFor(place) => {
                let other = self.form().fields[place];
                word & !field.mask() & !other.mask()
                    | bits(word, field) << other.lo
                    | bits(word, other) << field.lo
            }
            _ => word,
        }
    }

    /// Returns the instruction that is printed or parsed in place of the given one.
    fn mistaken(&self, instruction: &Instruction) -> Instruction {
        let mut mistaken = instruction.clone();
        if instruction.form().index != self.form {
            return mistaken;
        }
        let value = instruction.values()[self.field];
        // The next legal value may be several steps away, because wide operands and constants are
        // aligned.
        let behind = |step: u32| legalize(instruction, self.field, value.wrapping_add(1 << step));
        let next = (0..5).map(behind).find(|next| *next != value).unwrap_or(value);
        let mut set = |place: usize, value: u32| mistaken.set_at(place, legalize(instruction, place, value));
        match self.kind {
            CodecFaultKind::PrintedNext | CodecFaultKind::ParsedNext => set(self.field, next),
            CodecFaultKind::PrintedInitial | CodecFaultKind::ParsedInitial => {
                set(self.field, Instruction::new(self.form()).values()[self.field]);
            }
            CodecFaultKind::PrintedFor(place) => {
                set(self.field, instruction.values()[place]);
                set(place, value);
            }
            _ => {}
        }
        mistaken
    }

    /// Checks the round-trip property of a word with the faulty codec.
    fn hold(&self, word: u128) -> Result<(), Violation> {
        let held = match self.kind {
            CodecFaultKind::WrittenShifted
            | CodecFaultKind::WrittenTruncated
            | CodecFaultKind::WrittenFor(_) => {
                let encode =
                    |instruction: &Instruction, numbers: &EncodingTable| self.encode(instruction, numbers);
                hold_word(word, &Codec { encode: &encode, ..Codec::ISA })
            }
            CodecFaultKind::PrintedNext | CodecFaultKind::PrintedInitial | CodecFaultKind::PrintedFor(_) => {
                let print = |instruction: &Instruction| asm::print(&self.mistaken(instruction));
                hold_word(word, &Codec { print: &print, ..Codec::ISA })
            }
            CodecFaultKind::ParsedNext | CodecFaultKind::ParsedInitial => {
                let parse = |text: &str| asm::parse(text).map(|instruction| self.mistaken(&instruction));
                hold_word(word, &Codec { parse: &parse, ..Codec::ISA })
            }
        };
        held.map(|_| ())
    }
}

/// Tests faults until all are caught, the words are used up, or `stop` is set. All faults and the
/// scope have the same form.
pub fn run(
    scope: &Scope,
    faults: &[CodecFault],
    seed: u64,
    words: u64,
    stop: &AtomicBool,
) -> Vec<MutantOutcome> {
    let mut outcomes = vec![MutantOutcome::default(); faults.len()];
    let mut seconds = vec![0.0; faults.len()];
    let mut bytes = Vec::new();
    for index in 0..words.min(WORDS) {
        if stop.load(Ordering::Relaxed) || outcomes.iter().all(|outcome| outcome.contract.is_some()) {
            break;
        }
        stream::fill(seed, index, DRAWN, &mut bytes);
        let Ok(instruction) = scope.instruction(&mut Unstructured::new(&bytes)) else { continue };
        let word = codec::encode(&instruction, EncodingTable::provisional());
        for ((fault, outcome), seconds) in faults.iter().zip(&mut outcomes).zip(&mut seconds) {
            if outcome.contract.is_some() {
                continue;
            }
            let started = Instant::now();
            let violation = fault.hold(word).err();
            *seconds += started.elapsed().as_secs_f64();
            let detected =
                |violation: Violation| Detection { check: violation.check(), case: index, seconds: *seconds };
            *outcome = MutantOutcome::both(violation.map(detected), index + 1);
        }
    }
    outcomes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survivors(scope: &Scope, faults: &[CodecFault]) -> Vec<String> {
        let outcomes = run(scope, faults, 1, 512, &AtomicBool::new(false));
        let survivors = faults.iter().zip(outcomes).filter(|(_, outcome)| outcome.contract.is_none());
        survivors.map(|(fault, _)| fault.name()).collect()
    }

    #[test]
    fn a_field_that_is_never_drawn_lets_its_faults_survive() {
        let whole = Scope::everything().narrowed(|mode| mode.form().name == "FFMA_RRR");
        let faults: Vec<CodecFault> = faults().filter(|fault| fault.form().name == "FFMA_RRR").collect();
        assert_eq!(survivors(&whole, &faults), [] as [String; 0]);
        let without = whole.narrowed(|mode| mode.get("ftz") == Some(0));
        let survivors = survivors(&without, &faults);
        assert!(survivors.iter().any(|name| name == "ffma-rrr-ftz-written-truncated"), "{survivors:?}");
        assert!(survivors.iter().all(|name| name.contains("ftz")), "{survivors:?}");
    }

    /// Without the generator, the rules give every value of every modifier.
    #[test]
    fn the_rules_alone_give_every_value_of_every_modifier() {
        let values = |instruction: &Instruction| {
            let form = instruction.form();
            let of_modifiers = |(field, value): (&&Field, &u32)| match field.ty {
                FieldType::Enum(_) => Some((form.name, field.name, *value)),
                _ => None,
            };
            form.fields.iter().zip(instruction.values()).filter_map(of_modifiers).collect::<Vec<_>>()
        };
        let known: BTreeSet<_> = catalog().forms.iter().flat_map(by_rules).flat_map(|i| values(&i)).collect();
        let all: BTreeSet<_> = Scope::everything().modes().flat_map(values).collect();
        let missing: Vec<_> = all.difference(&known).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
