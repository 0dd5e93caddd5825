//! Generation directed at uncovered bins.
//!
//! If a campaign is limited by coverage, it inspects its coverage after each epoch and directs the
//! batches of the next epoch at missed bins. Each batch has a target: a group with missed bins, and
//! an instruction in a context of the group. Most lanes receive operands of the classes of the
//! missed bins, or operands constructed for bins about exact numbers. The values of a lane still
//! depend only on the seed, the batch and the complete epochs before. So the number of threads
//! changes no result. Shards do not use directed generation.

use std::cell::Cell;

use arbitrary::{Result, Unstructured};
use assay_isa::{BackendError, Batch, EncodingTable, Instruction, Source, legality};

use crate::compare::comparator::{Comparator, Setup};
use crate::coverage::members::Members;
use crate::coverage::recipe::{BinRecipe, Target};
use crate::coverage::{Bins, Coverage};
use crate::generate::splitmix::Random;
use crate::generate::{self, BLOCK, LANES, Scope};
use crate::operands::operand_kinds::OperandKind;
use crate::operands::operand_words::{WordPlace, places};

/// The targets of an epoch's batches.
pub struct DirectedGeneration<'a> {
    scope: &'a Scope,
    members: Members,
    targets: Vec<Target<'a>>,
}

/// The choices for a batch: a target, the missed bin that leads, and the seed of the random
/// numbers.
#[derive(Clone, Copy, Debug)]
struct Choice {
    target: usize,
    lead: usize,
    seed: u64,
}

impl<'a> DirectedGeneration<'a> {
    /// Targets the reachable bins of a scope that were not hit. Without such bins there are no
    /// targets.
    pub fn new(bins: &'a Bins, scope: &'a Scope, coverage: &Coverage) -> DirectedGeneration<'a> {
        let targets = bins.targets(scope, bins.missed_places(coverage));
        DirectedGeneration { scope, members: Members::of(scope), targets }
    }

    /// Targets one bin.
    pub fn at(bins: &'a Bins, scope: &'a Scope, place: usize) -> DirectedGeneration<'a> {
        let targets = bins.targets(scope, std::iter::once(place));
        DirectedGeneration { scope, members: Members::of(scope), targets }
    }

    /// Draws an instruction and a batch of `lanes` lanes from the bytes of a seed and a batch
    /// index. Like [`generate::from_stream`], but directed at the missed bins.
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

    /// Draws an instruction that can hit a missed bin, and returns its target, too. Draws any
    /// instruction if no bin is missed.
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

    /// Writes operands for missed bins into three of every four blocks of lanes.
    fn bend(&self, choice: Choice, instruction: &Instruction, batch: &mut Batch) {
        // If a value decides the accessed location, the values stay: another address would reach no
        // location of the batch.
        if instruction.access().is_some() {
            return;
        }
        let aims = &self.targets[choice.target].aims;
        let mut random = Random(choice.seed);
        let has_literal = instruction.inputs().any(|operand| matches!(operand.source, Source::Imm(_)));
        // These operands are drawn from the same seed as the literals, so they match the literals.
        let lead = match &aims[choice.lead] {
            BinRecipe::Exact(exact) => exact.lead(instruction, &mut Random(choice.seed)),
            _ => None,
        };
        for lane in (0..batch.len()).filter(|lane| lane / BLOCK % 4 != 3) {
            // The literals of the instruction fit the `lead` recipe, and often other recipes, too.
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
                        // The literal was drawn with other operands, so new operands would hit the
                        // bin only by chance.
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

/// Returns a one-lane case that hits the bin at `place`: the first such case in `batches` batches
/// directed at the bin. `None` if no case hits the bin, for example because an implementation does
/// not support the instruction.
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
        if let Some(judged) = comparator.run(&contract, instruction, batch)?.judged() {
            bins.mark(instruction, batch, judged.truths, &mut coverage);
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

/// Writes a member of a class into a random word of an operand, in one lane.
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
