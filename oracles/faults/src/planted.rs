//! Knobs that plant faults in the model.
//!
//! A [fault](crate::Fault) belongs to one optype. The fault may lie in code that several optypes
//! share, such as the rounder. [`Knobs::enter`] gets the instruction, and activates only the faults
//! of its optype.

use assay_isa::effect::Lanes;
use assay_isa::tables::types::MUFUOp;
use assay_isa::{EncodingTable, Event, Instruction, Location, Operand, Reading, Readings};

use assay_model::{COLUMNS, Computed, Knobs, Site};
use assay_model::{Class, Rom, SpecialResult, SpecialTable};

use super::awake::{ActiveFaults, MAX_FAULTS};
use super::rom::with_wrong_bit;
use super::site::site;
use super::{Bug, Fault, FaultInfo, OperandFault, edges, rows, unit};

/// Knobs with any readings, and with at most [`MAX_FAULTS`] faults.
#[derive(Clone, Copy, Debug, Default)]
pub struct Planted {
    readings: Readings,
    planted: [Option<&'static FaultInfo>; MAX_FAULTS],
    awake: ActiveFaults,
    /// The settings of the readings that the active faults change.
    changed: [Option<(Reading, u8)>; MAX_FAULTS],
}

impl Planted {
    /// Creates knobs that follow `readings`, with a fault planted if one is given.
    pub fn new(readings: Readings, fault: Option<Fault>) -> Planted {
        Planted::with_faults(readings, [fault, None])
    }

    /// Creates knobs that follow `readings`, with these faults planted. If two faults change the
    /// same value, only the first fault acts.
    pub fn with_faults(readings: Readings, faults: [Option<Fault>; MAX_FAULTS]) -> Planted {
        let planted = faults.map(|fault| fault.map(Fault::info));
        Planted { readings, planted, ..Planted::default() }
    }
}

/// Returns whether a fault that changes a reading is about another function of MUFU than the
/// instruction's.
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
    fn wrong(&self, asked: Site) -> bool {
        self.awake.faults().any(|fault| site(fault) == Some(asked))
    }

    #[inline]
    fn special(&self, table: SpecialTable, class: Class, right: SpecialResult) -> SpecialResult {
        if self.awake.has(Fault::Row(table, class)) { rows::wrong(table, class) } else { right }
    }

    #[inline]
    fn row(&self, rom: Rom, table: &[[u32; 3]], segment: usize) -> [u32; 3] {
        let spoiled = self.awake.faults().find_map(|fault| match fault {
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
        let awake = self.planted.map(|info| info.filter(is_of).map(FaultInfo::planted_as));
        self.awake = ActiveFaults::new(awake);
        self.changed = awake.map(|fault| fault.and_then(unit::setting));
    }

    fn misread(&self, instruction: &Instruction, word: u128, numbers: &EncodingTable) -> Option<u128> {
        self.awake.faults().find_map(|fault| match fault {
            Fault::Field(fault) => fault.misread(instruction, word, numbers),
            _ => None,
        })
    }

    #[inline]
    fn may_read_unset(&self) -> bool {
        self.awake.faults().next().is_some()
    }

    fn instead(&self, mut instruction: Instruction) -> Instruction {
        self.awake.faults().for_each(|fault| unit::instead(fault, &mut instruction));
        instruction
    }

    fn guard(&self, guard: Operand) -> Option<Operand> {
        edges::guard(self.awake, guard)
    }

    fn operands(&self, operands: Vec<Operand>) -> Vec<Operand> {
        edges::operands(self.awake, operands)
    }

    fn flushes(&self, position: usize, flushed: bool) -> bool {
        edges::flushes(self.awake, position, flushed)
    }

    fn word(&self, position: usize, operand: Operand, word: u8) -> u8 {
        match self.awake.misuse(position) {
            Some(OperandFault::WordsSwapped) => operand.words - 1 - word,
            _ => word,
        }
    }

    fn read(&self, position: usize, word: u8, flushed: bool, values: &mut [u32]) {
        edges::read(self.awake, position, word, flushed, values);
    }

    fn before(&self, instruction: &Instruction, columns: &mut [Vec<u32>; COLUMNS]) {
        self.awake.faults().for_each(|fault| unit::before(fault, instruction, columns));
    }

    fn output(&self, second: bool, words: Vec<Option<Location>>) -> Vec<Option<Location>> {
        edges::output(self.awake, second, words)
    }

    fn written(&self, executed: &Lanes) -> Lanes {
        if self.awake.has_bug(Bug::FalseGuardZero) { Lanes::All } else { executed.clone() }
    }

    fn after(&self, computed: &Computed<'_>, results: &mut [u32]) {
        self.awake.faults().for_each(|fault| unit::after(fault, computed, results));
    }

    fn results(&self, executed: &Lanes, location: Location, results: &mut [u32]) {
        edges::results(self.awake, executed, location, results);
    }

    fn event(&self, event: Event) -> Option<Event> {
        self.awake.faults().try_fold(event, |event, fault| unit::event(fault, event))
    }

    fn written_besides(&self) -> Option<Location> {
        self.awake.has_bug(Bug::EventWrites).then_some(Location::R(0))
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
        assert!(!knobs.awake.has(Fault::FmulZeroTimesInfinity));
        enter(&mut knobs, "FMUL R0, R1, R2");
        assert!(knobs.awake.has(Fault::FmulZeroTimesInfinity) && !knobs.awake.has(Fault::FmulZeroSign));
        assert!(knobs.awake.has_any(&[Fault::FaddTieToOdd, Fault::FmulZeroTimesInfinity]));
        enter(&mut knobs, "FADD R0, R1, R2");
        assert!(!knobs.awake.has(Fault::FmulZeroTimesInfinity));
    }

    #[test]
    fn two_faults_are_awake_together() {
        let both = [Fault::FmulZeroTimesInfinity, Fault::FmulZeroSign];
        let mut knobs = Planted::with_faults(Readings::INTENDED, both.map(Some));
        enter(&mut knobs, "FMUL R0, R1, R2");
        assert!(both.iter().all(|fault| knobs.awake.has(*fault)) && !knobs.awake.has(Fault::FaddTieToOdd));
        enter(&mut knobs, "FADD R0, R1, R2");
        assert!(!knobs.awake.has_any(&both));
    }
}
