//! Makes a divergence small: the simplest instruction and the simplest values that still show it.
//!
//! A list of passes, each proposing simpler cases; a proposal is kept if it diverges in the same way.
//! The budget is counted in evaluations, not seconds, so the outcome is the same everywhere.

use assay_isa::location::PT;
use assay_isa::row::FieldType;
use assay_isa::{Batch, Instruction, Location, VoiceError, catalog, codec, legality};

use crate::cells::{Cell, Place, cells};
use crate::judge::{self, Divergence};
use crate::kinds::Kind;
use crate::versus::{Bench, Outcome, Parties};

/// Evaluations spent on one divergence at most.
pub const BUDGET: usize = 3000;

/// A case as the passes see it: an instruction and a value for each of its [cells](crate::cells).
#[derive(Clone, Debug, PartialEq)]
struct Candidate {
    instruction: Instruction,
    values: Vec<u32>,
    /// Value of the guard predicate's location, if it has one.
    guard: u32,
    /// The places that a value decides about, as far as the case has them.
    reached: Vec<(Location, u32)>,
}

/// A divergence after shrinking.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The instruction.
    pub instruction: Instruction,
    /// Its single lane of inputs.
    pub batch: Batch,
    /// How it diverges.
    pub divergence: Divergence,
    /// Evaluations spent.
    pub evaluations: usize,
}

struct Shrinker<'a, 'b> {
    parties: &'a Parties<'a>,
    bench: &'b mut Bench,
    kind: judge::Kind,
    evaluations: usize,
}

/// Shrinks a case that diverges; nothing if it does not.
pub fn shrink(
    parties: &Parties<'_>,
    bench: &mut Bench,
    instruction: &Instruction,
    batch: &Batch,
) -> Result<Option<Shrunk>, VoiceError> {
    let Some(first) = evaluate(parties, bench, instruction, batch)? else { return Ok(None) };
    let mut shrinker = Shrinker { parties, bench, kind: first.kind, evaluations: 1 };
    let mut best = Candidate::of(instruction, batch);
    // A case whose aliased locations cannot be told apart by operand is kept as it is.
    if shrinker.diverges(&best)?.is_none() {
        let (instruction, batch) = (instruction.clone(), batch.clone());
        return Ok(Some(Shrunk { instruction, batch, divergence: first, evaluations: shrinker.evaluations }));
    }
    loop {
        let before = best.clone();
        for pass in PASSES {
            shrinker.apply(*pass, &mut best)?;
        }
        if best == before || shrinker.evaluations >= BUDGET {
            break;
        }
    }
    let batch = best.batch(parties);
    let divergence = evaluate(parties, shrinker.bench, &best.instruction, &batch)?.unwrap_or(first);
    Ok(Some(Shrunk { instruction: best.instruction, batch, divergence, evaluations: shrinker.evaluations }))
}

/// How a single-lane case diverges.
pub fn evaluate(
    parties: &Parties<'_>,
    bench: &mut Bench,
    instruction: &Instruction,
    batch: &Batch,
) -> Result<Option<Divergence>, VoiceError> {
    let contract = parties.profile.contract_for(instruction);
    Ok(match bench.run(&contract, instruction, batch)? {
        Outcome::Judged => bench.verdicts.diverged.first().map(|(_, divergence)| *divergence),
        Outcome::Unsupported => None,
    })
}

impl Candidate {
    fn of(instruction: &Instruction, batch: &Batch) -> Candidate {
        let value = |location: Option<Location>| location.and_then(|l| batch.column(l)).map_or(0, |c| c[0]);
        let values = cells(instruction).map(|cell| value(cell.place.location())).collect();
        let guard = value(instruction.guard().source.location());
        let reads = instruction.reads();
        let reached = batch.lane(0).filter(|(location, _)| !reads.contains(location)).collect();
        Candidate { instruction: instruction.clone(), values, guard, reached }
    }

    /// The same values for another instruction of the form, whose operands may have more or fewer words.
    fn with(&self, instruction: Instruction) -> Candidate {
        let word = |(place, cell): (usize, Cell), cells: &[Cell]| {
            (cell.operand, cells[..place].iter().filter(|earlier| earlier.operand == cell.operand).count())
        };
        let list = |instruction: &Instruction| -> Vec<(&'static str, usize)> {
            let cells: Vec<Cell> = cells(instruction).collect();
            cells.iter().copied().enumerate().map(|at| word(at, &cells)).collect()
        };
        let old = list(&self.instruction);
        let value =
            |cell: &(&'static str, usize)| old.iter().position(|o| o == cell).map_or(0, |i| self.values[i]);
        let values = list(&instruction).iter().map(value).collect();
        Candidate { instruction, values, guard: self.guard, reached: self.reached.clone() }
    }

    /// The batch of the case. Of two operands in one location the later value counts.
    fn batch(&self, parties: &Parties<'_>) -> Batch {
        let mut locations = self.instruction.reads();
        let fixed = locations.len();
        let reached = self.reached.iter().filter(|(location, _)| !locations[..fixed].contains(location));
        let reached: Vec<_> = reached.copied().collect();
        locations.extend(reached.iter().map(|(location, _)| *location));
        let word = codec::encode(&self.instruction, parties.numbers);
        let mut batch = Batch::new(word, &locations, 1);
        let mut set = |location: Option<Location>, value: u32| {
            if let Some(index) = location.and_then(|l| locations.iter().position(|x| *x == l)) {
                batch.column_mut(index)[0] = value;
            }
        };
        set(self.instruction.guard().source.location(), self.guard);
        for (cell, value) in cells(&self.instruction).zip(&self.values) {
            set(cell.place.location(), *value);
        }
        for (location, value) in reached {
            set(Some(location), value);
        }
        batch
    }
}

impl Shrinker<'_, '_> {
    fn diverges(&mut self, candidate: &Candidate) -> Result<Option<Divergence>, VoiceError> {
        self.evaluations += 1;
        let batch = candidate.batch(self.parties);
        match evaluate(self.parties, self.bench, &candidate.instruction, &batch) {
            Ok(divergence) => Ok(divergence.filter(|d| d.kind == self.kind)),
            // A simpler address led to a place for which the case has no value.
            Err(VoiceError::MissingLocation(_)) => Ok(None),
            // The device is given up: what was found so far stays.
            Err(VoiceError::Gone { .. }) => {
                self.evaluations = BUDGET;
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Tries the proposals of a pass one after the other, each on top of those kept so far.
    fn apply(&mut self, pass: Pass, best: &mut Candidate) -> Result<(), VoiceError> {
        let mut nth = 0;
        while let Some(proposal) = pass(best, nth) {
            nth += 1;
            if self.evaluations >= BUDGET {
                return Ok(());
            }
            let legal = legality::check(&proposal.instruction).is_ok();
            if legal && proposal != *best && self.diverges(&proposal)?.is_some() {
                *best = proposal;
            }
        }
        Ok(())
    }
}

/// The nth simpler case that a pass proposes; nothing when it has no more.
type Pass = fn(&Candidate, usize) -> Option<Candidate>;

const PASSES: &[Pass] =
    &[unschedule, unreach, unguard, to_registers, reset_field, number_registers, simple_values, clear_bits];

fn unschedule(case: &Candidate, nth: usize) -> Option<Candidate> {
    (nth == 0).then(|| {
        let mut case = case.clone();
        case.instruction.schedule = 0;
        case
    })
}

/// Without the nth of the places that a value decides about: most cases need one of those offered.
fn unreach(case: &Candidate, nth: usize) -> Option<Candidate> {
    let mut case = case.clone();
    let last = case.reached.len().checked_sub(nth + 1)?;
    case.reached.remove(last);
    Some(case)
}

fn unguard(case: &Candidate, nth: usize) -> Option<Candidate> {
    (nth == 0).then(|| {
        let mut case = case.clone();
        let form = case.instruction.form();
        if form.field(form.guard()).is_some() {
            case.instruction.set(form.guard(), u32::from(PT));
            case.instruction.set(&format!("{}.not", form.guard()), 0);
        }
        case
    })
}

/// The same modifiers and values on the optype's first form, all of whose operands are registers.
fn to_registers(case: &Candidate, nth: usize) -> Option<Candidate> {
    let old = case.instruction.form();
    let form = catalog().forms_of(old.optype.name).next()?;
    let alike = form.order.len() == old.order.len() && case.instruction.access().is_none();
    if nth > 0 || form.index == old.index || !alike {
        return None;
    }
    let mut instruction = Instruction::new(form);
    instruction.schedule = case.instruction.schedule;
    for (field, value) in old.fields.iter().zip(case.instruction.values()) {
        if field.constraint.is_none() && !old.is_operand(field) && form.field(field.name).is_some() {
            instruction.set(field.name, *value);
        }
    }
    let mut number = 0;
    for (name, was) in form.order.iter().zip(old.order) {
        let operand = case.instruction.operand(was);
        let Some(position) = form.position(name) else { continue };
        let kept = old.data(was).is_none() || form.fields[position].ty.is_literal();
        if kept || !legality::has(&case.instruction, was) {
            copy_operand(&case.instruction, was, &mut instruction, name);
            continue;
        }
        let words = u32::from(operand.words);
        number = u32::next_multiple_of(number, words);
        instruction.set_at(position, number);
        number += words;
        for (attribute, on) in [("neg", operand.neg), ("abs", operand.abs), ("bitnot", operand.bitnot)] {
            if on {
                instruction.set(&format!("{name}.{attribute}"), 1);
            }
        }
    }
    // The words keep their order: a literal becomes the value of a register.
    let mut case = case.clone();
    for (cell, value) in cells(&case.instruction).zip(&mut case.values) {
        if let Place::Literal(bits) = cell.place {
            *value = bits;
        }
    }
    (cells(&instruction).count() == case.values.len()).then_some(())?;
    case.instruction = instruction;
    Some(case)
}

/// Gives an operand and its `!` to another form.
fn copy_operand(from: &Instruction, was: &str, to: &mut Instruction, name: &str) {
    for (old, new) in [(was.to_owned(), name.to_owned()), (format!("{was}.not"), format!("{name}.not"))] {
        if let (Some(value), true) = (from.get(&old), to.form().position(&new).is_some()) {
            to.set(&new, value);
        }
    }
}

/// The nth enumerated field at its default.
fn reset_field(case: &Candidate, nth: usize) -> Option<Candidate> {
    let form = case.instruction.form();
    let plain = Instruction::new(form);
    let resettable = |f: &&assay_isa::row::Field| {
        matches!(f.ty, FieldType::Enum(_)) && f.constraint.is_none() && f.default.is_some()
    };
    let field = form.fields.iter().copied().filter(resettable).nth(nth)?;
    let mut instruction = case.instruction.clone();
    instruction.set(field.name, plain.get(field.name).unwrap_or(0));
    Some(case.with(instruction))
}

/// The nth register operand with the number of its place in the text, or with the zero register kept.
fn number_registers(case: &Candidate, nth: usize) -> Option<Candidate> {
    let form = case.instruction.form();
    let (place, name) = form.order.iter().enumerate().nth(nth)?;
    let mut case = case.clone();
    let Some(position) = form.position(name) else { return Some(case) };
    let is_register = matches!(form.fields[position].ty, FieldType::Reg | FieldType::UReg);
    if is_register && case.instruction.operand(name).source.location().is_some() {
        // Room for two words each: a wide operand begins at an even number.
        let spread = if form.optype.extra.wide.is_empty() { place } else { 4 * place };
        case.instruction.set_at(position, spread as u32);
    }
    Some(case)
}

/// Values that are easy on the eye, simplest first.
const SIMPLE: [u32; 12] = [
    0,
    0x3f80_0000,
    0x4000_0000,
    0x7f80_0000,
    0x7fc0_0000,
    1,
    0x0080_0000,
    0x3f80_0001,
    0x7f7f_ffff,
    0x8000_0000,
    0xbf80_0000,
    0xff80_0000,
];

fn simple_values(case: &Candidate, nth: usize) -> Option<Candidate> {
    let (operand, choice) = (nth / SIMPLE.len(), nth % SIMPLE.len());
    let current = *case.values.get(operand)?;
    let mut case = case.clone();
    let is_predicate = cells(&case.instruction).nth(operand).is_some_and(|c| c.kind == Kind::Predicate);
    if is_predicate && SIMPLE[choice] > 1 {
        return Some(case);
    }
    // Never away from a value that is simpler already.
    if SIMPLE.iter().position(|v| *v == current).is_none_or(|rank| choice < rank) {
        set_value(&mut case, operand, SIMPLE[choice]);
    }
    Some(case)
}

/// Clears one bit after the other, from the lowest.
fn clear_bits(case: &Candidate, nth: usize) -> Option<Candidate> {
    let (operand, bit) = (nth / 32, nth % 32);
    let current = *case.values.get(operand)?;
    let mut case = case.clone();
    if !SIMPLE.contains(&current) {
        set_value(&mut case, operand, current & !(1 << bit));
    }
    Some(case)
}

/// Sets an input, in every operand that shares its location.
fn set_value(case: &mut Candidate, operand: usize, value: u32) {
    let locations: Vec<_> = cells(&case.instruction).map(|cell| cell.place.location()).collect();
    for (i, location) in locations.iter().enumerate() {
        if i == operand || location.is_some() && *location == locations[operand] {
            case.values[i] = value;
        }
    }
}
