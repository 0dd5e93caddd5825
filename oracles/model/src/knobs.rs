//! Knobs: the readings a model follows and the fault planted in it, through one mechanism.
//!
//! Every place where the documents can be read in several ways asks [`Knobs::reading`], every place where
//! a fault can be planted asks [`Knobs::fault`]. For [`Shipping`] both are constants, so nothing of either
//! is left in the compiled code; [`Planted`] decides at run time.
//!
//! A [fault](crate::faults) belongs to one optype. Its site may lie in code that several share, as the rounder does:
//! [`Knobs::enter`] tells the knobs what is executed, and a fault of another optype stays asleep.

use assay_isa::{Instruction, Numbers, Reading, Readings};

use crate::faults::{Bug, Fault, FaultInfo, Misuse};
use crate::mufu::{Rom, with_wrong_bit};

/// What a model asks at each site.
pub trait Knobs: Send {
    /// Whether they are the `intended` readings without a fault, and nobody looks on: lanes that are alike may
    /// be computed together.
    const FIXED: bool = false;

    /// The setting to follow.
    #[inline]
    fn reading(&self, reading: Reading) -> u8 {
        Readings::INTENDED.get(reading)
    }

    /// Whether this fault is planted in the optype at hand.
    fn fault(&self, fault: Fault) -> bool;

    /// Whether one of these faults is planted: those of several optypes at a site that they share.
    #[inline]
    fn any(&self, faults: &[Fault]) -> bool {
        faults.iter().any(|fault| self.fault(*fault))
    }

    /// Whether this bug is planted in the optype at hand.
    #[inline]
    fn bug(&self, _bug: Bug) -> bool {
        false
    }

    /// What is wrong with the operand read at a position, in the optype at hand.
    #[inline]
    fn misuse(&self, _position: u8) -> Option<Misuse> {
        None
    }

    /// The word as a faulty decoder reads it, if it does not read it as the instruction that it is.
    #[inline]
    fn misread(&self, _instruction: &Instruction, _word: u128, _numbers: &Numbers) -> Option<u128> {
        None
    }

    /// Whether a planted fault may lead to a place of which nobody gave the value. It reads 0 there.
    #[inline]
    fn strays(&self) -> bool {
        false
    }

    /// A row of a table of MUFU's function unit.
    #[inline]
    fn row(&self, _rom: Rom, table: &[[u32; 3]], segment: usize) -> [u32; 3] {
        table[segment]
    }

    /// Tells that an instruction of `optype` is about to be executed.
    #[inline]
    fn enter(&mut self, _optype: &str) {}
}

/// The sound model under the `intended` readings, fixed at compile time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shipping;

impl Knobs for Shipping {
    const FIXED: bool = true;

    #[inline]
    fn fault(&self, _fault: Fault) -> bool {
        false
    }
}

/// Any readings, and at most one fault.
#[derive(Clone, Copy, Debug, Default)]
pub struct Planted {
    readings: Readings,
    planted: Option<&'static FaultInfo>,
    awake: Option<Fault>,
}

impl Planted {
    /// Follows `readings`, with `fault` planted if there is one.
    pub fn new(readings: Readings, fault: Option<Fault>) -> Planted {
        Planted { readings, planted: fault.map(Fault::info), awake: None }
    }
}

impl Knobs for Planted {
    #[inline]
    fn reading(&self, reading: Reading) -> u8 {
        self.readings.get(reading)
    }

    #[inline]
    fn fault(&self, fault: Fault) -> bool {
        self.awake == Some(fault)
    }

    #[inline]
    fn bug(&self, bug: Bug) -> bool {
        matches!(self.awake, Some(Fault::Common(planted, _)) if planted == bug)
    }

    #[inline]
    fn misuse(&self, position: u8) -> Option<Misuse> {
        match self.awake {
            Some(Fault::Operand(_, spoiled, misuse)) if spoiled == position => Some(misuse),
            _ => None,
        }
    }

    fn misread(&self, instruction: &Instruction, word: u128, numbers: &Numbers) -> Option<u128> {
        match self.awake {
            Some(Fault::Field(fault)) => fault.misread(instruction, word, numbers),
            _ => None,
        }
    }

    #[inline]
    fn strays(&self) -> bool {
        self.awake.is_some()
    }

    #[inline]
    fn row(&self, rom: Rom, table: &[[u32; 3]], segment: usize) -> [u32; 3] {
        match self.awake {
            Some(Fault::RomBit(r, s)) if r == rom && usize::from(s) == segment => {
                with_wrong_bit(table, segment)
            }
            Some(Fault::SquareDropped(r)) if r == rom => [table[segment][0], table[segment][1], 0],
            _ => table[segment],
        }
    }

    fn enter(&mut self, optype: &str) {
        self.awake = self.planted.filter(|info| info.optype == optype).map(|info| info.site());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_sleeps_outside_its_optype() {
        let mut knobs = Planted::new(Readings::INTENDED, Some(Fault::FmulZeroTimesInfinity));
        assert!(!knobs.fault(Fault::FmulZeroTimesInfinity));
        knobs.enter("FMUL");
        assert!(knobs.fault(Fault::FmulZeroTimesInfinity) && !knobs.fault(Fault::FmulZeroSign));
        assert!(knobs.any(&[Fault::FaddTieToOdd, Fault::FmulZeroTimesInfinity]));
        knobs.enter("FADD");
        assert!(!knobs.fault(Fault::FmulZeroTimesInfinity));
    }
}
