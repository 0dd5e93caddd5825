//! A decoded word: what its lanes have in common, decided before the first of them.

use assay_isa::{Instruction, Location, Operand, Reading, Source};

use crate::bfn::Channels;
use crate::bits::{self, Extend, Find, Mask};
use crate::compare::{self, MinMax, Table};
use crate::float::Modifiers;
use crate::gap::Gap;
use crate::knobs::Knobs;
use crate::memory::Access;
use crate::mufu::Function;
use crate::operand::{Input, Minus};
use crate::system::Signal;
use crate::uniform::{self, Uniform};

/// A decoded word. Sweeps send the same one many times over.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The word itself.
    pub word: u128,
    /// The instruction that it decodes to.
    pub instruction: Instruction,
    /// What the lanes do; `None` if the model does not know.
    pub operation: Option<Operation>,
    /// The guard.
    pub guard: Operand,
    /// The words of the operands read, and behind them what else counts: of what a value decides about that value, and
    /// the old value of a destination that can keep some of it.
    pub inputs: Vec<Input>,
    /// Where the words of the results go, in the order in which they are written; what goes to RZ or PT is discarded
    /// (E010).
    pub outputs: Vec<Option<Location>>,
    /// The lanes that the reading at hand leaves without a value.
    pub gap: Option<Gap>,
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
    /// S2R, CS2R, S2UR and UMOV: the words as they are
    Copy,
    /// The uniform datapath
    Uniform(Uniform),
    /// What reaches memory
    Access(Access),
    /// What reports an event
    Signal(Signal),
    /// BFN
    Channels(Channels),
}

impl Operation {
    fn of<K: Knobs>(
        k: &K,
        instruction: &Instruction,
        inputs: &[Operand],
        modifiers: Modifiers,
    ) -> Option<Operation> {
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
            "POPC" | "UPOPC" => Operation::CountOnes,
            "FLO" | "UFLO" => Operation::FindLeadingOne(Find::of(k, instruction)),
            "BREV" | "UBREV" => Operation::Complement,
            "BMSK" | "UBMSK" => Operation::Mask(Mask::of(k, instruction)),
            "SGXT" | "USGXT" => Operation::Extend(Extend::of(instruction)),
            "S2R" | "CS2R" | "S2UR" | "UMOV" => Operation::Copy,
            _ => {
                let uniform = || Uniform::of(k, instruction, inputs).map(Operation::Uniform);
                let access = || Access::of(k, instruction).map(Operation::Access);
                let signal = || Signal::of(instruction).map(Operation::Signal);
                let channels = || Channels::of(k, instruction).map(Operation::Channels);
                return uniform().or_else(access).or_else(signal).or_else(channels);
            }
        })
    }
}

impl Plan {
    /// What to do about an instruction.
    pub(crate) fn of<K: Knobs>(k: &K, word: u128, decoded: Instruction) -> Plan {
        let instruction = &k.instead(decoded.clone());
        let modifiers = Modifiers::of(instruction);
        let operands = k.operands(instruction.inputs().collect());
        let operation = Operation::of(k, instruction, &operands, modifiers);
        let late = matches!(operation, Some(Operation::MinMax(_))) && compare::winner_stays(k);
        let flushed = |position| k.flushes(position, modifiers.flushes(k, position) && !late);
        Plan {
            word,
            operation,
            guard: instruction.guard(),
            inputs: match operation {
                // BFN reads its channels itself.
                Some(Operation::Channels(_)) => Vec::new(),
                _ => inputs(k, instruction, operands, flushed),
            },
            outputs: outputs(k, instruction, operation),
            gap: operation.and_then(|operation| gap(k, instruction, operation)),
            instruction: decoded,
        }
    }
}

/// A column for each word that an operation reads.
fn inputs<K: Knobs>(
    k: &K,
    instruction: &Instruction,
    mut operands: Vec<Operand>,
    flushed: impl Fn(usize) -> bool,
) -> Vec<Input> {
    operands.extend(instruction.outputs().filter(|o| matches!(o.source, Source::URegAt { .. })));
    let old = instruction.form().optype.extra.old;
    operands.extend(old.iter().map(|name| instruction.operand(name)));
    let minus = Minus::of(k, instruction);
    let words = |(position, operand): (usize, Operand)| {
        let flushed = flushed(position);
        let words = if operand.source == Source::AllPredicates { 1 } else { operand.words };
        let input = move |word| {
            let word = k.word(position, operand, word);
            Input { operand, position: position as u8, word, minus, flushed }
        };
        (0..words).map(input)
    };
    operands.into_iter().enumerate().flat_map(words).collect()
}

/// A location for each word that is written, none where the reading at hand says that it is not.
fn outputs<K: Knobs>(
    k: &K,
    instruction: &Instruction,
    operation: Option<Operation>,
) -> Vec<Option<Location>> {
    let written = match operation {
        Some(Operation::Access(access)) => access.words(),
        Some(Operation::Uniform(Uniform::MultiplyAddWide(m))) => m.words(),
        _ => u8::MAX,
    };
    let location = |output: Operand, word| if word < written { output.word(word) } else { None };
    let words = |output: Operand| (0..output.words).map(move |word| location(output, word)).collect();
    let numbered = instruction.outputs().enumerate();
    numbered.flat_map(|(number, output)| k.output(number > 0, words(output))).collect()
}

/// The lanes of an instruction that the reading at hand leaves without a value.
fn gap<K: Knobs>(k: &K, instruction: &Instruction, operation: Operation) -> Option<Gap> {
    Some(match operation {
        // Nothing says what the name in the product's code stands for.
        Operation::MultiplyAdd(_) if k.reading(Reading::E177) == 1 => Gap::new(177, |_, _| true),
        Operation::Special(function) => function.gap(k)?,
        // The loop shifts a name that nothing defines, and ends only if it need not begin.
        Operation::CountOnes if k.reading(Reading::E049) == 1 => Gap::new(49, |x, _| x != 0),
        Operation::Mask(_) if bits::bmsk_is_undefined(k, instruction) => Gap::new(58, |_, _| true),
        Operation::Uniform(Uniform::Extreme(_)) if k.reading(Reading::E134) == 1 => {
            Gap::new(134, uniform::order_depends_on_type)
        }
        Operation::Channels(channels) => Gap::new(channels.gap(k)?, |_, _| true),
        _ => Gap::new(nowhere_defined(k, instruction.optype())?, |_, _| true),
    })
}

/// The erratum that leaves an optype without any definition, in the setting that says so.
fn nowhere_defined<K: Knobs>(k: &K, optype: &str) -> Option<u16> {
    let (erratum, reading, setting) = match optype {
        "ULOP3" | "UPLOP3" | "UPRMT" => (13, Reading::E013, 1),
        "CS2R" => (66, Reading::E066, 1),
        "SETREG" | "GETREG" => (71, Reading::E071, 2),
        "PMTRIG" => (75, Reading::E075, 2),
        "SWITCH" => (76, Reading::E076, 2),
        "NOP" | "IBBAR" => (77, Reading::E077, 2),
        "DEPBAR" => (78, Reading::E078, 2),
        "USHF" => (149, Reading::E149, 1),
        "UF2FP" => (168, Reading::E168, 2),
        _ => return None,
    };
    (k.reading(reading) == setting).then_some(erratum)
}
