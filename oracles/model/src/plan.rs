//! A decoded word: what its lanes have in common, decided before the first of them.

use assay_isa::effect::Lanes;
use assay_isa::{Effects, Erratum, Instruction, Location, Operand, Reading};

use crate::bits::{self, Extend, Find, Mask};
use crate::compare::{self, MinMax, Table};
use crate::float::Modifiers;
use crate::knobs::Knobs;
use crate::mufu::Function;

/// A decoded word. Sweeps send the same one many times over.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The word itself.
    pub word: u128,
    /// What the lanes do; `None` if the model does not know.
    pub operation: Option<Operation>,
    /// The guard.
    pub guard: Operand,
    /// The operands read.
    pub inputs: Vec<Input>,
    /// Where the results go, in the order in which they are written; what goes to RZ or PT is discarded
    /// (E010).
    pub outputs: Vec<Option<Location>>,
    /// The lanes that the reading at hand leaves without a value.
    pub gap: Option<Gap>,
}

/// An operand read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    /// The operand.
    pub operand: Operand,
    /// Whether FTZ flushes it as it is read.
    pub flushed: bool,
}

/// What lanes do, with everything decided that they share.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation {
    /// FADD
    Add(Modifiers),
    /// FMUL
    Multiply(Modifiers),
    /// FFMA
    MultiplyAdd(Modifiers),
    /// FMNMX
    MinMax(MinMax),
    /// FSETP, a table for each output
    ComparePredicates([Table; 2]),
    /// FSET
    CompareMask {
        /// When it is true.
        table: Table,
        /// What true is.
        yes: u32,
    },
    /// FSEL
    Select,
    /// FCHK
    CheckDivision,
    /// MUFU
    Special(Function),
    /// POPC
    CountOnes,
    /// FLO
    FindLeadingOne(Find),
    /// BREV
    Complement,
    /// BMSK
    Mask(Mask),
    /// SGXT
    Extend(Extend),
}

impl Operation {
    fn of<K: Knobs>(k: &K, instruction: &Instruction, modifiers: Modifiers) -> Option<Operation> {
        Some(match instruction.optype() {
            "FADD" => Operation::Add(modifiers),
            "FMUL" => Operation::Multiply(modifiers),
            "FFMA" => Operation::MultiplyAdd(modifiers),
            "FMNMX" => Operation::MinMax(MinMax::of(k, instruction)),
            "FSETP" => Operation::ComparePredicates(compare::fsetp_tables(k, instruction)),
            "FSET" => {
                let (table, yes) = compare::fset_table(k, instruction);
                Operation::CompareMask { table, yes }
            }
            "FSEL" => Operation::Select,
            "FCHK" => Operation::CheckDivision,
            "MUFU" => Operation::Special(Function::of(k, instruction)?),
            "POPC" => Operation::CountOnes,
            "FLO" => Operation::FindLeadingOne(Find::of(k, instruction)),
            "BREV" => Operation::Complement,
            "BMSK" => Operation::Mask(Mask::of(k, instruction)),
            "SGXT" => Operation::Extend(Extend::of(k, instruction)),
            _ => return None,
        })
    }
}

impl Plan {
    /// What to do about an instruction.
    pub(crate) fn of<K: Knobs>(k: &K, word: u128, instruction: &Instruction) -> Plan {
        let modifiers = Modifiers::of(k, instruction);
        let operation = Operation::of(k, instruction, modifiers);
        let late = matches!(operation, Some(Operation::MinMax(_))) && compare::winner_stays(k);
        let inputs = instruction.inputs().enumerate();
        Plan {
            word,
            operation,
            guard: instruction.guard(),
            inputs: inputs
                .map(|(position, operand)| Input {
                    operand,
                    flushed: modifiers.flushes(k, position) && !late,
                })
                .collect(),
            outputs: instruction.outputs().map(|output| output.source.location()).collect(),
            gap: operation.and_then(|operation| Gap::of(k, instruction, operation)),
        }
    }
}

/// Lanes that the specification, in the reading at hand, gives no value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    erratum: Erratum,
    /// By the first operand, prefixes applied.
    covers: fn(u32) -> bool,
}

impl Gap {
    /// The operands that `covers` tells have no value, because of an erratum.
    pub(crate) fn new(erratum: u16, covers: fn(u32) -> bool) -> Gap {
        Gap { erratum: Erratum(erratum), covers }
    }

    fn of<K: Knobs>(k: &K, instruction: &Instruction, operation: Operation) -> Option<Gap> {
        Some(match operation {
            // Nothing says what the name in the product's code stands for.
            Operation::MultiplyAdd(_) if k.reading(Reading::E177) == 1 => Gap::new(177, |_| true),
            Operation::Special(function) => function.gap(k)?,
            // The loop shifts a name that nothing defines, and ends only if it need not begin.
            Operation::CountOnes if k.reading(Reading::E049) == 1 => Gap::new(49, |x| x != 0),
            Operation::Mask(_) if bits::bmsk_is_undefined(k, instruction) => Gap::new(58, |_| true),
            _ => return None,
        })
    }

    /// Reports the undefined lanes among those that execute, and returns the rest.
    pub(crate) fn report(self, operand: &[u32], executed: &Lanes, effects: &mut Effects) -> Lanes {
        let mut defined = Vec::with_capacity(operand.len());
        for (lane, x) in operand.iter().enumerate() {
            let undefined = executed.contains(lane) && (self.covers)(*x);
            if undefined {
                effects.undefine(lane, self.erratum);
            }
            defined.push(executed.contains(lane) && !undefined);
        }
        Lanes::Some(defined)
    }
}
