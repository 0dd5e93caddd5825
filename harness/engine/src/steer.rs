//! Generation that aims at what is not covered yet.
//!
//! Where a campaign runs until it is covered, it looks at its coverage after each epoch, and the batches of the next
//! one aim: each takes a group of bins of which some are missed, an instruction in a context of the group, and
//! gives most of its lanes operands of the classes that the missed bins ask for, or operands constructed for them
//! where they are about exact numbers. What a lane draws still depends on seed and batch alone, and on epochs that are
//! complete: threads change nothing, and shards do not steer.

use std::cell::Cell;

use arbitrary::{Result, Unstructured};
use assay_isa::fit::fit;
use assay_isa::{Batch, Instruction, Numbers, Source, VoiceError, legality};

use crate::cells::{Place, places};
use crate::coverage::aim::{Aim, Target};
use crate::coverage::{Bins, Coverage};
use crate::domain::values;
use crate::generate::classes::Drawn;
use crate::generate::{self, BLOCK, LANES, Scope};
use crate::kinds::Kind;
use crate::versus::{Bench, Outcome, Parties};

/// What the batches of an epoch aim at.
pub struct Steering<'a> {
    scope: &'a Scope,
    members: Members,
    targets: Vec<Target<'a>>,
}

/// What a batch aims at: a target, the first of its missed bins to try, and the seed of what it draws.
#[derive(Clone, Copy, Debug)]
struct Choice {
    target: usize,
    lead: usize,
    seed: u64,
}

impl<'a> Steering<'a> {
    /// Aims at the bins of a scope that were not hit; at none where all are.
    pub fn new(bins: &'a Bins, scope: &'a Scope, coverage: &Coverage) -> Steering<'a> {
        let targets = bins.targets(scope, bins.missed_places(coverage));
        Steering { scope, members: Members::of(scope), targets }
    }

    /// Aims at one bin.
    pub fn at(bins: &'a Bins, scope: &'a Scope, place: usize) -> Steering<'a> {
        let targets = bins.targets(scope, std::iter::once(place));
        Steering { scope, members: Members::of(scope), targets }
    }

    /// Draws an instruction and a batch of so many lanes from the bytes of a seed and a batch index, as
    /// [`generate::from_stream`] does, aimed at what was missed.
    pub fn draw(
        &self,
        (seed, index): (u64, u64),
        numbers: &Numbers,
        lanes: usize,
        bytes: &mut Vec<u8>,
        batch: &mut Batch,
    ) -> Result<Instruction> {
        let choice = Cell::new(None);
        let pick = |u: &mut Unstructured<'_>| {
            let (instruction, chosen) = self.instruction(u)?;
            choice.set(chosen);
            Ok(instruction)
        };
        let instruction = generate::from_stream((seed, index), numbers, lanes, bytes, batch, pick)?;
        if let Some(choice) = choice.get() {
            self.bend(choice, &instruction, batch);
        }
        Ok(instruction)
    }

    /// Draws an instruction that can hit a missed bin, and what it aims at; any instruction where nothing is missed.
    fn instruction(&self, u: &mut Unstructured<'_>) -> Result<(Instruction, Option<Choice>)> {
        if self.targets.is_empty() {
            return Ok((self.scope.instruction(u)?, None));
        }
        let target = u.choose_index(self.targets.len())?;
        let aimed = &self.targets[target];
        let mode = aimed.modes[u.choose_index(aimed.modes.len())?];
        let choice = Choice { target, lead: u.choose_index(aimed.aims.len())?, seed: u.arbitrary()? };
        let drawn = self.scope.with_operands(mode, u)?;
        let mut instruction = drawn.clone();
        aimed.aims[choice.lead].place(&mut instruction, &self.members, &mut Random(choice.seed));
        let legal = legality::check(&instruction).is_ok();
        Ok((if legal { instruction } else { drawn }, Some(choice)))
    }

    /// Gives three blocks of lanes in four the operands that missed bins ask for.
    fn bend(&self, choice: Choice, instruction: &Instruction, batch: &mut Batch) {
        // What a value decides about is offered by the batch: other addresses would lead nowhere.
        if instruction.access().is_some() {
            return;
        }
        let aims = &self.targets[choice.target].aims;
        let mut random = Random(choice.seed);
        let has_literal = instruction.inputs().any(|operand| matches!(operand.source, Source::Imm(_)));
        // Constructed from the same seed as the literals were.
        let lead = match &aims[choice.lead] {
            Aim::Exact(exact) => exact.lead(instruction, &mut Random(choice.seed)),
            _ => None,
        };
        for lane in (0..batch.len()).filter(|lane| lane / BLOCK % 4 != 3) {
            // The literals of an instruction fit the first aim, and often others.
            let aim = match lane % 2 {
                0 => choice.lead,
                _ => (choice.lead + lane) % aims.len(),
            };
            match &aims[aim] {
                Aim::Classes { wanted, .. } => {
                    for (operand, class) in wanted {
                        class_into(instruction, (operand, *class), (batch, lane), &self.members, &mut random);
                    }
                }
                Aim::Exact(exact) => {
                    let operands = match (lane < BLOCK, has_literal) {
                        (true, _) => lead,
                        // Other operands than those of the literal meet it by chance alone.
                        (false, true) => None,
                        (false, false) => exact.lane(instruction, &mut random),
                    };
                    if let Some(operands) = operands {
                        exact.store(instruction, operands, batch, lane);
                    }
                }
                Aim::End { .. } | Aim::Anything => return,
            }
        }
    }
}

/// A case that hits the bin at a place, of one lane: the first one among so many batches that aim at it. None where
/// they hold none, or a voice does not implement what would hit it.
pub fn find(
    parties: &Parties<'_>,
    scope: &Scope,
    bins: &Bins,
    place: usize,
    batches: u64,
) -> std::result::Result<Option<(Instruction, Batch)>, VoiceError> {
    let steering = Steering::at(bins, scope, place);
    let mut bench = Bench::new(parties);
    let mut hits = |instruction: &Instruction, batch: &Batch| {
        let contract = parties.profile.contract_for(instruction);
        let mut coverage = Coverage::default();
        if bench.run(&contract, instruction, batch)? == Outcome::Judged {
            bins.mark(instruction, batch, bench.truths(), &mut coverage);
        }
        Ok::<_, VoiceError>(coverage.contains(place))
    };
    let (mut bytes, mut batch) = (Vec::new(), Batch::default());
    for index in 0..batches {
        let drawn = steering.draw((0, index), parties.numbers, LANES, &mut bytes, &mut batch);
        let instruction = drawn.expect("a full buffer draws a batch");
        if hits(&instruction, &batch)? {
            for lane in 0..batch.len() {
                let single = batch.single(lane);
                if hits(&instruction, &single)? {
                    return Ok(Some((instruction, single)));
                }
            }
        }
    }
    Ok(None)
}

/// Puts a member of a class into a place of an operand.
fn class_into(
    instruction: &Instruction,
    (operand, class): (&str, usize),
    (batch, lane): (&mut Batch, usize),
    members: &Members,
    random: &mut Random,
) {
    let read = instruction.operand(operand);
    if matches!(read.source, Source::Imm(_)) || !legality::has(instruction, operand) {
        return;
    }
    let places = places(read);
    let Some(Place::At(location)) = places.get(random.below(places.len())) else { return };
    let Some(index) = batch.locations().iter().position(|l| l == location) else { return };
    if let Some(value) = members.draw(Kind::of(instruction, operand), class, random) {
        batch.column_mut(index)[lane] = value;
    }
}

/// The listed values of kinds, by class.
pub(crate) struct Members(Vec<(Kind, Vec<Vec<u32>>)>);

impl Members {
    /// Those of the kinds of operands in a scope.
    fn of(scope: &Scope) -> Members {
        let mut kinds: Vec<Kind> = Vec::new();
        for kind in scope.modes().flat_map(|mode| mode.form().inputs().map(|name| Kind::of(mode, name))) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        Members(kinds.into_iter().map(|kind| (kind, by_class(kind))).collect())
    }

    /// A member of a class: a listed one, or one as campaigns draw them; none where the kind has no such class.
    pub fn draw(&self, kind: Kind, class: usize, random: &mut Random) -> Option<u32> {
        const TRIES: usize = 8;
        let is_here = |value: u32| kind.class_set([value]) >> class & 1 == 1;
        if random.next() & 1 == 0 && kind != Kind::Predicate {
            let mut drawn = (0..TRIES).map(|_| {
                let bits = random.next();
                let value = Drawn::of(kind).draw_evenly(bits as u8, (bits >> 32) as u32);
                if let Kind::Narrow(width) = kind { value & ((1 << width) - 1) } else { value }
            });
            if let Some(value) = drawn.find(|value| is_here(*value)) {
                return Some(value);
            }
        }
        let (_, classes) = self.0.iter().find(|(known, _)| *known == kind)?;
        let list = classes.get(class).filter(|list| !list.is_empty())?;
        Some(list[random.below(list.len())])
    }
}

/// The listed values of a kind by class; one of a pair is in that of each half.
fn by_class(kind: Kind) -> Vec<Vec<u32>> {
    let mut classes = vec![Vec::new(); kind.classes().len()];
    for value in values(kind) {
        let set = kind.class_set([value]);
        let here = classes.iter_mut().enumerate().filter(|(class, _)| set >> class & 1 == 1);
        here.for_each(|(_, list)| list.push(value));
    }
    classes
}

/// Numbers for what a batch aims with: SplitMix64 from a seed that the batch drew.
#[derive(Clone, Debug)]
pub(crate) struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below another, which is not 0.
    pub fn below(&mut self, number: usize) -> usize {
        (self.next() % number as u64) as usize
    }
}

/// Sets a literal operand to a member of a class.
pub(crate) fn literal_into(
    instruction: &mut Instruction,
    operand: &str,
    class: usize,
    members: &Members,
    random: &mut Random,
) {
    let kind = Kind::of(instruction, operand);
    if let (Some(position), Some(value)) =
        (instruction.form().position(operand), members.draw(kind, class, random))
    {
        let value = fit(instruction, position, value);
        instruction.set_at(position, value);
    }
}
