//! Knobs with faults planted.
//!
//! A [fault](crate::faults) belongs to one optype. Its site may lie in code that several share, as the rounder does:
//! [`Knobs::enter`] tells what is executed, and a fault of another optype stays asleep.

use assay_isa::effect::Lanes;
use assay_isa::tables::types::MUFUOp;
use assay_isa::{Event, Instruction, Location, Numbers, Operand, Reading, Readings};

use super::{Bug, Fault, FaultInfo, Misuse, spoil, unit};
use crate::knobs::{Computed, Knobs};
use crate::mufu::{Rom, with_wrong_bit};
use crate::plan::COLUMNS;

/// Faults that a model can have at once.
pub const MAX_FAULTS: usize = 2;

/// Any readings, and at most [`MAX_FAULTS`] faults.
#[derive(Clone, Copy, Debug, Default)]
pub struct Planted {
    readings: Readings,
    planted: [Option<&'static FaultInfo>; MAX_FAULTS],
    awake: [Option<Fault>; MAX_FAULTS],
    /// The readings that the faults awake change.
    changed: [Option<(Reading, u8)>; MAX_FAULTS],
}

impl Planted {
    /// Follows `readings`, with one fault planted if there is one.
    pub fn new(readings: Readings, fault: Option<Fault>) -> Planted {
        Planted::with_faults(readings, [fault, None])
    }

    /// Follows `readings`, with these faults planted. Where two ask for another value of the same thing, the first counts.
    pub fn with_faults(readings: Readings, faults: [Option<Fault>; MAX_FAULTS]) -> Planted {
        let planted = faults.map(|fault| fault.map(Fault::info));
        Planted { readings, planted, ..Planted::default() }
    }

    fn awake(&self) -> impl Iterator<Item = Fault> {
        self.awake.into_iter().flatten()
    }

    pub(super) fn has(&self, bug: Bug) -> bool {
        self.awake().any(|fault| matches!(fault, Fault::Common(planted, _) if planted == bug))
    }

    pub(super) fn has_any(&self, faults: &[Fault]) -> bool {
        self.awake().any(|fault| faults.contains(&fault))
    }

    /// What is wrong with the operand read at a position, in the optype at hand.
    pub(super) fn misuse(&self, position: usize) -> Option<Misuse> {
        self.awake().find_map(|fault| match fault {
            Fault::Operand(_, spoiled, misuse) if usize::from(spoiled) == position => Some(misuse),
            _ => None,
        })
    }
}

/// Whether a fault that changes a reading is about a function of MUFU other than this one.
fn is_of_other_function(fault: Fault, instruction: &Instruction) -> bool {
    let function = match fault {
        Fault::CosTurns => MUFUOp::COS,
        Fault::SinTurns => MUFUOp::SIN,
        _ => return false,
    };
    instruction.modifier("mufuop") != Some(function)
}

impl Knobs for Planted {
    #[inline]
    fn reading(&self, reading: Reading) -> u8 {
        let mut changed = self.changed.iter().flatten();
        changed.find(|(own, _)| *own == reading).map_or_else(|| self.readings.get(reading), |(_, set)| *set)
    }

    #[inline]
    fn fault(&self, fault: Fault) -> bool {
        self.awake.contains(&Some(fault))
    }

    #[inline]
    fn row(&self, rom: Rom, table: &[[u32; 3]], segment: usize) -> [u32; 3] {
        let spoiled = self.awake().find_map(|fault| match fault {
            Fault::RomBit(r, s) if r == rom && usize::from(s) == segment => {
                Some(with_wrong_bit(table, segment))
            }
            Fault::SquareDropped(r) if r == rom => Some([table[segment][0], table[segment][1], 0]),
            _ => None,
        });
        spoiled.unwrap_or(table[segment])
    }

    fn enter(&mut self, instruction: &Instruction) {
        let is_of = |info: &&FaultInfo| {
            info.optype == instruction.optype() && !is_of_other_function(info.fault, instruction)
        };
        self.awake = self.planted.map(|info| info.filter(is_of).map(FaultInfo::site));
        self.changed = self.awake.map(|fault| fault.and_then(unit::setting));
    }

    fn misread(&self, instruction: &Instruction, word: u128, numbers: &Numbers) -> Option<u128> {
        self.awake().find_map(|fault| match fault {
            Fault::Field(fault) => fault.misread(instruction, word, numbers),
            _ => None,
        })
    }

    #[inline]
    fn strays(&self) -> bool {
        self.awake().next().is_some()
    }

    fn instead(&self, mut instruction: Instruction) -> Instruction {
        self.awake().for_each(|fault| unit::instead(fault, &mut instruction));
        instruction
    }

    fn guard(&self, guard: Operand) -> Option<Operand> {
        spoil::guard(self, guard)
    }

    fn operands(&self, operands: Vec<Operand>) -> Vec<Operand> {
        spoil::operands(self, operands)
    }

    fn flushes(&self, position: usize, flushed: bool) -> bool {
        spoil::flushes(self, position, flushed)
    }

    fn word(&self, position: usize, operand: Operand, word: u8) -> u8 {
        match self.misuse(position) {
            Some(Misuse::WordsSwapped) => operand.words - 1 - word,
            _ => word,
        }
    }

    fn read(&self, position: usize, word: u8, flushed: bool, values: &mut [u32]) {
        spoil::read(self, position, word, flushed, values);
    }

    fn before(&self, instruction: &Instruction, columns: &mut [Vec<u32>; COLUMNS]) {
        self.awake().for_each(|fault| unit::before(fault, instruction, columns));
    }

    fn output(&self, second: bool, words: Vec<Option<Location>>) -> Vec<Option<Location>> {
        spoil::output(self, second, words)
    }

    fn written(&self, executed: &Lanes) -> Lanes {
        if self.has(Bug::FalseGuardZero) { Lanes::All } else { executed.clone() }
    }

    fn after(&self, computed: &Computed<'_>, results: &mut [u32]) {
        self.awake().for_each(|fault| unit::after(fault, computed, results));
    }

    fn results(&self, executed: &Lanes, location: Location, results: &mut [u32]) {
        spoil::results(self, executed, location, results);
    }

    fn event(&self, event: Event) -> Option<Event> {
        self.awake().try_fold(event, |event, fault| unit::event(fault, event))
    }

    fn written_besides(&self) -> Option<Location> {
        self.has(Bug::EventWrites).then_some(Location::R(0))
    }
}

#[cfg(test)]
mod tests {
    use assay_isa::asm;

    use super::*;

    fn enter(knobs: &mut Planted, text: &str) {
        knobs.enter(&asm::parse(text).expect("an instruction"));
    }

    #[test]
    fn a_fault_sleeps_outside_its_optype() {
        let mut knobs = Planted::new(Readings::INTENDED, Some(Fault::FmulZeroTimesInfinity));
        assert!(!knobs.fault(Fault::FmulZeroTimesInfinity));
        enter(&mut knobs, "FMUL R0, R1, R2");
        assert!(knobs.fault(Fault::FmulZeroTimesInfinity) && !knobs.fault(Fault::FmulZeroSign));
        assert!(knobs.has_any(&[Fault::FaddTieToOdd, Fault::FmulZeroTimesInfinity]));
        enter(&mut knobs, "FADD R0, R1, R2");
        assert!(!knobs.fault(Fault::FmulZeroTimesInfinity));
    }

    #[test]
    fn two_faults_are_awake_together() {
        let both = [Fault::FmulZeroTimesInfinity, Fault::FmulZeroSign];
        let mut knobs = Planted::with_faults(Readings::INTENDED, both.map(Some));
        enter(&mut knobs, "FMUL R0, R1, R2");
        assert!(both.iter().all(|fault| knobs.fault(*fault)) && !knobs.fault(Fault::FaddTieToOdd));
        enter(&mut knobs, "FADD R0, R1, R2");
        assert!(!knobs.has_any(&both));
    }
}
