//! Generation directed at uncovered bins.
//!
//! A campaign that runs until it is covered inspects its coverage after each epoch, and directs the batches of the next
//! one. Each batch has a target: a group with missed bins, and an instruction in a context of the group. Most lanes
//! receive operands of the classes of the missed bins, or operands constructed for bins about exact numbers. A lane
//! still depends only on the seed, the batch and complete epochs. So the number of threads changes nothing, and shards
//! do not use this.

use std::cell::Cell;

use arbitrary::{Result, Unstructured};
use assay_isa::{BackendError, Batch, EncodingTable, Instruction, Source, legality};

use crate::compare::comparator::{BatchOutcome, Comparator, Setup};
use crate::coverage::members::Members;
use crate::coverage::recipe::{BinRecipe, Target};
use crate::coverage::{Bins, Coverage};
use crate::generate::splitmix::Random;
use crate::generate::{self, BLOCK, LANES, Scope};
use crate::operands::operand_kinds::OperandKind;
use crate::operands::operand_words::{WordPlace, places};

/// What the batches of an epoch aim at.
pub struct DirectedGeneration<'a> {
    scope: &'a Scope,
    members: Members,
    targets: Vec<Target<'a>>,
}

/// The choice of a batch: a target, the first of its missed bins to try, and the seed of its random numbers.
#[derive(Clone, Copy, Debug)]
struct Choice {
    target: usize,
    lead: usize,
    seed: u64,
}

impl<'a> DirectedGeneration<'a> {
    /// Aims at the bins of a scope that were not hit; at none where all are.
    pub fn new(bins: &'a Bins, scope: &'a Scope, coverage: &Coverage) -> DirectedGeneration<'a> {
        let targets = bins.targets(scope, bins.missed_places(coverage));
        DirectedGeneration { scope, members: Members::of(scope), targets }
    }

    /// Aims at one bin.
    pub fn at(bins: &'a Bins, scope: &'a Scope, place: usize) -> DirectedGeneration<'a> {
        let targets = bins.targets(scope, std::iter::once(place));
        DirectedGeneration { scope, members: Members::of(scope), targets }
    }

    /// Draws an instruction and a batch of `lanes` lanes from the bytes of a seed and a batch index, as
    /// [`generate::from_stream`] does, directed at the missed bins.
    pub fn draw(
        &self,
        (seed, index): (u64, u64),
        numbers: &EncodingTable,
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

    /// Draws an instruction that can hit a missed bin, with the target; any instruction if no bin is missed.
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

    /// Gives three blocks of lanes in four the operands of missed bins.
    fn bend(&self, choice: Choice, instruction: &Instruction, batch: &mut Batch) {
        // The batch offers the values that decide about places: other addresses would lead nowhere.
        if instruction.access().is_some() {
            return;
        }
        let aims = &self.targets[choice.target].aims;
        let mut random = Random(choice.seed);
        let has_literal = instruction.inputs().any(|operand| matches!(operand.source, Source::Imm(_)));
        // Constructed from the same seed as the literals were.
        let lead = match &aims[choice.lead] {
            BinRecipe::Exact(exact) => exact.lead(instruction, &mut Random(choice.seed)),
            _ => None,
        };
        for lane in (0..batch.len()).filter(|lane| lane / BLOCK % 4 != 3) {
            // The literals of an instruction fit the first aim, and often others.
            let aim = match lane % 2 {
                0 => choice.lead,
                _ => (choice.lead + lane) % aims.len(),
            };
            match &aims[aim] {
                BinRecipe::Classes { wanted, .. } => {
                    for (operand, class) in wanted {
                        class_into(instruction, (operand, *class), (batch, lane), &self.members, &mut random);
                    }
                }
                BinRecipe::Exact(exact) => {
                    let operands = match (lane < BLOCK, has_literal) {
                        (true, _) => lead,
                        // Operands other than the literal hit the bin only by chance.
                        (false, true) => None,
                        (false, false) => exact.lane(instruction, &mut random),
                    };
                    if let Some(operands) = operands {
                        exact.store(instruction, operands, batch, lane);
                    }
                }
                BinRecipe::End { .. } | BinRecipe::Anything => return,
            }
        }
    }
}

/// A case of one lane that hits the bin at a place: the first in a number of batches directed at it. `None` if they
/// have none, or if an implementation does not implement the instruction.
pub fn find(
    setup: &Setup<'_>,
    scope: &Scope,
    bins: &Bins,
    place: usize,
    batches: u64,
) -> std::result::Result<Option<(Instruction, Batch)>, BackendError> {
    let steering = DirectedGeneration::at(bins, scope, place);
    let mut comparator = Comparator::new(setup);
    let mut hits = |instruction: &Instruction, batch: &Batch| {
        let contract = setup.profile.contract_for(instruction);
        let mut coverage = Coverage::default();
        if comparator.run(&contract, instruction, batch)? == BatchOutcome::Judged {
            bins.mark(instruction, batch, comparator.truths(), &mut coverage);
        }
        Ok::<_, BackendError>(coverage.contains(place))
    };
    let (mut bytes, mut batch) = (Vec::new(), Batch::default());
    for index in 0..batches {
        let drawn = steering.draw((0, index), setup.numbers, LANES, &mut bytes, &mut batch);
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
    let Some(WordPlace::At(location)) = places.get(random.below(places.len())) else { return };
    let Some(index) = batch.locations().iter().position(|l| l == location) else { return };
    if let Some(value) = members.draw(OperandKind::of(instruction, operand), class, random) {
        batch.column_mut(index)[lane] = value;
    }
}
