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

/// Faults that a model can have at once.
pub const MAX_FAULTS: usize = 2;

/// Any readings, and at most [`MAX_FAULTS`] faults.
#[derive(Clone, Copy, Debug, Default)]
pub struct Planted {
    readings: Readings,
    planted: [Option<&'static FaultInfo>; MAX_FAULTS],
    awake: [Option<Fault>; MAX_FAULTS],
}

impl Planted {
    /// Follows `readings`, with one fault planted if there is one.
    pub fn new(readings: Readings, fault: Option<Fault>) -> Planted {
        Planted::with_faults(readings, [fault, None])
    }

    /// Follows `readings`, with these faults planted. Where two ask for another value of the same thing, the first counts.
    pub fn with_faults(readings: Readings, faults: [Option<Fault>; MAX_FAULTS]) -> Planted {
        Planted { readings, planted: faults.map(|fault| fault.map(Fault::info)), awake: [None; MAX_FAULTS] }
    }

    fn awake(&self) -> impl Iterator<Item = Fault> {
        self.awake.into_iter().flatten()
    }
}

impl Knobs for Planted {
    #[inline]
    fn reading(&self, reading: Reading) -> u8 {
        self.readings.get(reading)
    }

    #[inline]
    fn fault(&self, fault: Fault) -> bool {
        self.awake.contains(&Some(fault))
    }

    #[inline]
    fn bug(&self, bug: Bug) -> bool {
        self.awake().any(|fault| matches!(fault, Fault::Common(planted, _) if planted == bug))
    }

    #[inline]
    fn misuse(&self, position: u8) -> Option<Misuse> {
        self.awake().find_map(|fault| match fault {
            Fault::Operand(_, spoiled, misuse) if spoiled == position => Some(misuse),
            _ => None,
        })
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

    fn enter(&mut self, optype: &str) {
        self.awake =
            self.planted.map(|info| Some(info?).filter(|info| info.optype == optype).map(FaultInfo::site));
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

    #[test]
    fn two_faults_are_awake_together() {
        let both = [Fault::FmulZeroTimesInfinity, Fault::FmulZeroSign];
        let mut knobs = Planted::with_faults(Readings::INTENDED, both.map(Some));
        knobs.enter("FMUL");
        assert!(both.iter().all(|fault| knobs.fault(*fault)) && !knobs.fault(Fault::FaddTieToOdd));
        knobs.enter("FADD");
        assert!(!knobs.any(&both));
    }
}
