//! Cases around a case, on which suppositions are tried: other values, and instructions that differ in form, registers,
//! modifiers and guard.
//!
//! Every probe also has values for places that would be read if a number were misread. So the
//! results show whether a subject reads an operand from such a place.

use assay_isa::format::F32;
use assay_isa::row::{Field, FieldType};
use assay_isa::{
    BackendError, Batch, Effects, EncodingTable, Instruction, Location, Truths, catalog, codec, legality,
};

use crate::compare::comparator::{Comparator, Setup};
use crate::compare::judge::{DivergenceKind, Verdict, rules};
use crate::generate::{from_stream, undrawn};
use crate::operands::candidate::Candidate;
use crate::operands::operand_words::operand_words;
use crate::triage::signature::Symptom;

/// Number of instructions that differ from the case. [`VARIANT_LANES`] is the number of lanes of
/// each.
const VARIANTS: usize = 64;
const VARIANT_LANES: usize = 24;
/// Maximum number of tries to find a legal instruction.
const TRIES: usize = 24;

/// An instruction with values, and the effects of the subject.
pub struct Probe {
    /// The instruction.
    pub instruction: Instruction,
    /// The input values.
    pub batch: Batch,
    /// What the subject did.
    pub effects: Effects,
    /// The right effects.
    pub truths: Truths,
    /// The verdict on each lane.
    pub verdicts: Vec<Verdict>,
}

impl Probe {
    /// Executes a batch on the subject, with values also for places that would be read if a number
    /// were misread. `None` if the right effect is unknown.
    pub fn new(
        setup: &Setup<'_>,
        comparator: &mut Comparator,
        instruction: &Instruction,
        batch: &Batch,
    ) -> Result<Option<Probe>, BackendError> {
        let batch = with_decoys(instruction, batch);
        let contract = setup.profile.contract_for(instruction);
        let outcome = match comparator.run(&contract, instruction, &batch) {
            Err(BackendError::MissingLocation(_)) => return Ok(None),
            outcome => outcome?,
        };
        let Some(judged) = outcome.judged() else { return Ok(None) };
        let verdicts = (0..batch.len()).map(|lane| judged.verdicts.of(lane)).collect();
        let (effects, truths) = (judged.effects.clone(), judged.truths.clone());
        Ok(Some(Probe { instruction: instruction.clone(), batch, effects, truths, verdicts }))
    }
}

impl Probe {
    /// Returns the probe with the effects of a correct subject. Real results are rounded to
    /// nearest.
    pub(super) fn with_right_effects(&self) -> Probe {
        let Probe { instruction, batch, truths, .. } = self;
        let mut effects = Effects::default();
        effects.reset(batch.len());
        for truth in truths.columns() {
            effects.write(truth.location, truth.written.clone()).copy_from_slice(&rules::nearest(truth));
        }
        truths.events().iter().for_each(|(lane, event)| effects.event(*lane, *event));
        let (instruction, batch, truths) = (instruction.clone(), batch.clone(), truths.clone());
        Probe { verdicts: vec![Verdict::Exact; batch.len()], instruction, batch, effects, truths }
    }

    /// Returns whether a lane diverges with an error of the kind `name`. For `one unit off`, true
    /// for every wrong result next to the right one.
    pub fn shows(&self, lane: usize, error: &str) -> bool {
        let Verdict::Diverged(divergence) = &self.verdicts[lane] else { return false };
        if error != DivergenceKind::OneUnit.name() {
            return Symptom::of(&self.instruction, divergence).error == error;
        }
        let truth = self.truths.columns().iter().find(|truth| Some(truth.location) == divergence.location);
        let right = truth.map(|truth| rules::nearest(truth)[lane]);
        let written = divergence.location.and_then(|location| self.effects.value(location, lane));
        // Under .FTZ, 0 and the least normal number are neighbours.
        let least = if self.instruction.flag("ftz") { 1 << F32.fraction_bits } else { 1 };
        let is_next = |right: u32, written: u32| {
            let [right_magnitude, magnitude] = [right, written].map(|bits| bits & !F32.sign_mask());
            right.abs_diff(written) == 1
                || right_magnitude.min(magnitude) == 0 && right_magnitude.max(magnitude) == least
        };
        divergence.kind == DivergenceKind::OneUnit
            || right.zip(written).is_some_and(|(right, written)| is_next(right, written))
    }
}

/// Returns a batch with the case in lane 0, and other lanes that share some values with the case.
pub fn around(
    setup: &Setup<'_>,
    instruction: &Instruction,
    case: &Batch,
    lanes: usize,
) -> Result<Batch, BackendError> {
    let seed = (case.word() ^ case.word() >> 64) as u64;
    let (mut bytes, mut drawn) = (Vec::new(), Batch::default());
    let pick = |_: &mut arbitrary::Unstructured<'_>| Ok(instruction.clone());
    from_stream((seed, 0), setup.numbers, lanes, &mut bytes, &mut drawn, pick)
        .map_err(|error| undrawn(0, error))?;
    let mut batch = Batch::new(case.word(), case.locations(), lanes);
    // If a value decides the accessed location, another value would select a location without a
    // value in the case.
    let steady = if instruction.access().is_some() { instruction.reads() } else { Vec::new() };
    for (place, (location, value)) in case.lane(0).enumerate() {
        let other = drawn.column(location).filter(|_| !steady.contains(&location));
        for (lane, slot) in batch.column_mut(place).iter_mut().enumerate() {
            let keeps = lane == 0 || lane >> (place % 8) & 1 == 1 && lane % 4 != 0;
            *slot = other.filter(|_| !keeps).map_or(value, |column| column[lane]);
        }
    }
    Ok(batch)
}

/// Returns variants of the instruction of a case, each with values around those of the case. Empty
/// if a value decides the accessed location.
pub fn variants(
    setup: &Setup<'_>,
    instruction: &Instruction,
    case: &Batch,
) -> Result<Vec<(Instruction, Batch)>, BackendError> {
    some_variants(setup, instruction, case, VARIANTS, |_, _| {})
}

/// Returns at most `number` variants. `change` is called with the index of each variant and may
/// change the variant.
pub fn some_variants(
    setup: &Setup<'_>,
    instruction: &Instruction,
    case: &Batch,
    number: usize,
    change: impl Fn(usize, &mut Instruction),
) -> Result<Vec<(Instruction, Batch)>, BackendError> {
    let mut variants = Vec::new();
    if instruction.access().is_some() {
        return Ok(variants);
    }
    let mut bits = Bits((case.word() ^ case.word() >> 64) as u64);
    for nth in 0..number {
        let Some(mut other) = vary(instruction, &mut bits) else { continue };
        change(nth, &mut other);
        let one = with_values_of(&other, instruction, case, setup.numbers);
        variants.push((other.clone(), around(setup, &other, &one, VARIANT_LANES)?));
    }
    Ok(variants)
}

/// SplitMix64, so that the variants are the same on every machine.
struct Bits(u64);

impl Bits {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// Whether to vary an aspect: true for one of three.
    fn varies(&mut self) -> bool {
        self.below(3) == 0
    }
}

/// Returns a legal instruction of the optype in which about a third of the variable parts differ.
fn vary(instruction: &Instruction, bits: &mut Bits) -> Option<Instruction> {
    for _ in 0..TRIES {
        let mut other = instruction.clone();
        if bits.varies() {
            let forms: Vec<_> = catalog().forms_of(instruction.optype()).collect();
            other = in_form(instruction, Instruction::new(forms[bits.below(forms.len())]), bits);
        }
        let form = other.form();
        for (place, field) in form.fields.iter().enumerate() {
            if field.constraint.is_none() && bits.varies() {
                other.set_at(place, draw(field, bits));
            }
        }
        if bits.below(4) == 0 {
            share(&mut other, bits);
        }
        if other != *instruction && legality::check(&other).is_ok() {
            return Some(other);
        }
    }
    None
}

/// Returns an instruction of another form. Copies the modifiers and operands of `instruction` that
/// fit the form. The others are drawn.
fn in_form(instruction: &Instruction, mut other: Instruction, bits: &mut Bits) -> Instruction {
    let (old, form) = (instruction.form(), other.form());
    for (place, field) in form.fields.iter().enumerate() {
        if field.constraint.is_some() {
            continue;
        }
        let same = old.field(field.name).filter(|was| was.ty == field.ty);
        let value = same.and_then(|_| instruction.get(field.name));
        other.set_at(place, value.unwrap_or_else(|| draw(field, bits)));
    }
    other
}

/// Draws a value of a field. Register and predicate numbers are often the zero register or PT, or
/// the last number below it: even draws rarely give these.
fn draw(field: &Field, bits: &mut Bits) -> u32 {
    let any = bits.next();
    match field.ty {
        FieldType::Enum(list) => bits.below(list.values.len()) as u32,
        FieldType::CMem => (any as u32 & 0x3f_ffff) & !7,
        ty if ty.idle().is_some() => {
            let idle = ty.idle().map_or(0, |(_, idle)| idle);
            match any % 8 {
                0 => idle,
                1 => idle - 1,
                // Pairs begin at even numbers.
                2..5 => ((any >> 8) as u32 % idle) & !1,
                _ => (any >> 8) as u32 % idle,
            }
        }
        _ => (any >> 8) as u32 & (u32::MAX >> (32 - u32::from(field.width.clamp(1, 32)))),
    }
}

/// Makes two operands of one type the same register, or both RZ or PT.
fn share(other: &mut Instruction, bits: &mut Bits) {
    let form = other.form();
    let registers: Vec<&str> = form
        .order
        .iter()
        .copied()
        .filter(|name| form.field(name).is_some_and(|field| field.ty.idle().is_some()))
        .collect();
    if registers.len() > 1 {
        let place = bits.below(registers.len());
        let other_place = (place + 1 + bits.below(registers.len() - 1)) % registers.len();
        let (one, second) = (registers[place], registers[other_place]);
        let [ty, its] = [one, second].map(|name| form.field(name).map(|field| field.ty));
        if ty == its
            && let Some(number) = other.get(second)
        {
            let idle = ty.and_then(FieldType::idle).filter(|_| bits.below(2) == 0);
            let number = idle.map_or(number, |(_, idle)| idle);
            [one, second].into_iter().for_each(|name| other.set(name, number));
        }
    }
}

/// Returns the instruction with RZ as two of its inputs: the nth pair of those that can be RZ.
/// Returns `None` if that is not legal.
pub fn both_idle(instruction: &Instruction, nth: usize) -> Option<Instruction> {
    let form = instruction.form();
    let ty = |name: &str| form.field(name).map(|field| field.ty);
    let is_register = |name: &&str| matches!(ty(name), Some(FieldType::Reg | FieldType::UReg));
    let names: Vec<&str> = form.inputs().filter(is_register).collect();
    let pairs = names.iter().enumerate().flat_map(|(place, one)| {
        names[place + 1..].iter().filter(|other| ty(one) == ty(other)).map(move |other| [*one, *other])
    });
    let pairs: Vec<[&str; 2]> = pairs.collect();
    let mut other = instruction.clone();
    for name in *pairs.get(nth % pairs.len().max(1))? {
        other.set(name, ty(name)?.idle()?.1);
    }
    legality::check(&other).is_ok().then_some(other)
}

/// Returns one lane for a variant. Each operand gets the value of the case's operand at the same
/// position in the text.
fn with_values_of(
    variant: &Instruction,
    instruction: &Instruction,
    case: &Batch,
    numbers: &EncodingTable,
) -> Batch {
    let place = |instruction: &Instruction, name: &str| {
        instruction.form().order.iter().position(|operand| *operand == name)
    };
    let values: Vec<_> = operand_words(instruction)
        .map(|cell| (place(instruction, cell.operand), cell.place.value(case, 0).unwrap_or_default()))
        .collect();
    let mut used = vec![false; values.len()];
    let mut take = |at: Option<usize>| {
        let nth = values.iter().enumerate().position(|(nth, (its, _))| *its == at && !used[nth])?;
        used[nth] = true;
        Some(values[nth].1)
    };
    let values =
        operand_words(variant).map(|cell| take(place(variant, cell.operand)).unwrap_or_default()).collect();
    let candidate = Candidate { instruction: variant.clone(), values, guard: 1, reached: Vec::new() };
    candidate.batch(numbers)
}

/// Returns the batch with additional columns for the places that would be read if a number were
/// misread.
fn with_decoys(instruction: &Instruction, batch: &Batch) -> Batch {
    if instruction.access().is_some() {
        return batch.clone();
    }
    let mut locations = batch.locations().to_vec();
    for decoy in decoys(instruction) {
        if !locations.contains(&decoy) {
            locations.push(decoy);
        }
    }
    let mut wider = Batch::new(batch.word(), &locations, batch.len());
    let mut bits = Bits(batch.word() as u64 ^ 0x5eed);
    for (place, location) in locations.iter().enumerate() {
        let known = batch.column(*location);
        for (lane, slot) in wider.column_mut(place).iter_mut().enumerate() {
            let any = bits.next() as u32;
            let decoy = if location.is_predicate() { any & 1 } else { any };
            *slot = known.map_or(decoy, |column| column[lane]);
        }
    }
    wider
}

/// Returns the places that would be read if an operand's number lost upper bits. Includes the
/// register after each register operand.
fn decoys(instruction: &Instruction) -> Vec<Location> {
    let form = instruction.form();
    let mut decoys = Vec::new();
    let guard = instruction.guard();
    let operands = form.inputs().map(|name| instruction.operand(name)).chain([guard]);
    for (source, words) in operands.map(|operand| (operand.source, operand.words)) {
        use assay_isa::Source::{Const, Pred, Reg, UPred, UReg};
        let cuts = |number: u8, width: u8| (1..=width).map(move |bits| number & ((1u16 << bits) - 1) as u8);
        let all = 0..words.max(1);
        match source {
            Reg(number) => decoys.extend(
                cuts(number, 8)
                    .chain([number.saturating_add(1)])
                    .flat_map(|n| all.clone().map(move |word| n.saturating_add(word)))
                    .filter(|n| *n < assay_isa::location::RZ)
                    .map(Location::R),
            ),
            UReg(number) => {
                let reached = cuts(number, 6)
                    .chain([number.saturating_add(1)])
                    .flat_map(|n| all.clone().map(move |word| n.saturating_add(word)))
                    .filter(|n| *n < assay_isa::location::URZ);
                decoys.extend(reached.map(Location::UR));
                decoys.extend((number < assay_isa::location::URZ).then_some(Location::R(number)));
            }
            Pred(number) => {
                decoys.extend(cuts(number, 3).filter(|n| *n < assay_isa::location::PT).map(Location::P))
            }
            UPred(number) => {
                decoys.extend(cuts(number, 3).filter(|n| *n < assay_isa::location::PT).map(Location::UP))
            }
            Const { bank, offset } => {
                let banks = (1..5).map(|bits| (bank & ((1 << bits) - 1), offset));
                let offsets = (8..17).map(|bits| (bank, offset & ((1 << bits) - 1)));
                let places = banks.chain(offsets).flat_map(|(bank, offset)| {
                    all.clone().map(move |word| (bank, offset + 4 * u32::from(word)))
                });
                decoys.extend(
                    places
                        .filter(|(_, offset)| *offset < 1 << 17)
                        .map(|(bank, offset)| Location::C { bank, offset }),
                );
            }
            _ => {}
        }
    }
    decoys
}

/// Returns the batch of a probe for another instruction, which is executed in place of the probe's
/// instruction. Returns `None` if the instruction reads a place that has no value.
pub fn instead(batch: &Batch, other: &Instruction, numbers: &EncodingTable) -> Option<Batch> {
    let is_there = |location: &Location| batch.locations().contains(location);
    other.reads().iter().all(is_there).then(|| batch.with_word(codec::encode(other, numbers)))
}
