//! Instructions of the uniform datapath on their own unit.
//!
//! PTX cannot ask for one. So a kernel has a chain of IMAD, each with a number of its own for an addend, and the machine code of
//! each is replaced by one instruction: R2UR brings an input to the unit, UISETP makes a predicate of it, the instruction itself
//! follows, and MOV brings its results back. The chain keeps their order. What the warp has in common is what its one thread
//! has: such a kernel runs with one thread a block.
//! `encode` has the bits of an instruction, from its SASS.

mod encode;

use assay_isa::tables::types::{LOHI, PRMTMode};
use assay_isa::{Instruction, Operand};

use self::encode::{Guard, Places, UPT, bits};
use super::machine::{Bits, NONE, Patch};
use super::{Inexpressible, Input, Lowering, unsaid};

/// Whether the unit of compute capability 9.0 has the instruction. It has no UIABS, UIMNMX and UF2FP, no UIMAD.HI, and UPRMT
/// has one mode: the disassembler knows no others, and a device runs each of them as that one.
pub(super) fn executes(instruction: &Instruction) -> bool {
    match instruction.optype() {
        "UIADD" | "UIMAD_WIDE" | "ULEA" | "UISETP" | "UPOPC" | "UFLO" | "UBREV" | "UBMSK" | "USGXT"
        | "USEL" | "ULOP3" | "USHF" | "UMOV" | "UPLOP3" | "UP2UR" | "UR2UP" => true,
        "UIMAD" | "UIMUL" => instruction.modifier("lohi") != Some(LOHI::HI),
        "UPRMT" => instruction.modifier("mode") == Some(PRMTMode::IDX),
        _ => false,
    }
}

/// The addend of the first IMAD; each other one has the next number.
const MARKER: u128 = 0x5a55_0000;
/// IMAD of two registers and a number, without a carry.
const IMAD: Bits = NONE.field(0, 12, 0x424).field(72, 33, 0x07_8e02);
/// The cycles after which the results of the unit can be read, as `ptxas` has them: behind UPRMT.
const STALL: u128 = 12;
/// A word of what is executed. No lowering has as many of its own.
const WORD: &str = "%t39";

/// A chain in the making.
#[derive(Default)]
struct Chain {
    body: String,
    patches: Vec<Patch>,
    last: Option<String>,
}

impl Chain {
    /// Adds a link that writes a register, and reads an input if one is given; its machine code becomes an instruction, which
    /// keeps some registers of the IMAD.
    fn link(&mut self, input: Option<usize>, written: Option<usize>, instruction: Bits) {
        let number = self.patches.len();
        let last = self.last.clone();
        let input = input.map(|input| format!("%i{input}"));
        let first = input.clone().or_else(|| last.clone()).expect("a chain begins with an input");
        let second = last.unwrap_or_else(|| first.clone());
        let d = written.map_or_else(|| format!("%t{number}"), |output| format!("%o{output}"));
        let marker = MARKER + number as u128;
        self.body += &format!("mad.lo.u32 {d}, {first}, {second}, {marker:#x};\n");
        self.last = Some(d);
        let scheduled = instruction.field(105, 4, STALL).field(109, 1, 0).field(122, 4, 0);
        self.patches.push(Patch { name: "IMAD", found: IMAD.field(32, 32, marker), replaced: scheduled });
    }
}

/// Makes a lowering of the counterpart in the lanes one of the unit's own instruction, with its guard.
pub(super) fn finish(mut lowering: Lowering, guard: Option<Operand>) -> Result<Lowering, Inexpressible> {
    let [sass] = &lowering.sass[..] else {
        return unsaid("this instruction on the unit", "its counterpart is more than one instruction");
    };
    let sass = if sass.starts_with('U') { sass.clone() } else { format!("U{sass}") };
    let mut places = Places::of(&lowering);
    let main = bits(&sass, &mut places);
    let (mut lines, mut befores) = (Vec::new(), Vec::new());
    let main = match guard {
        None => {
            lines.push(sass);
            main.field(12, 4, UPT)
        }
        Some(guard) => {
            let guard = Guard::new(&guard, &mut lowering, &mut places);
            befores = hold_before(&mut lowering, &guard, &mut lines);
            lines.push(format!("@{} {sass}", guard.sass));
            guard.put_in(main)
        }
    };
    let mut chain = Chain::default();
    for input in 0..lowering.inputs.len() {
        chain.link(Some(input), None, places.arrival(input, &befores));
    }
    for instruction in places.conversions(&befores) {
        chain.link(None, None, instruction);
    }
    chain.link(None, None, main);
    let is_predicate: Vec<bool> = lowering.outputs.iter().map(|location| location.is_predicate()).collect();
    for (output, _) in is_predicate.iter().enumerate().filter(|(_, is_predicate)| **is_predicate) {
        chain.link(None, None, places.word_of_predicate(output));
    }
    for output in 0..is_predicate.len() {
        chain.link(None, Some(output), places.departure(output));
    }
    Ok(Lowering { body: chain.body, patches: chain.patches, sass: lines, is_uniform: true, ..lowering })
}

/// What the results of a guarded instruction hold before, as inputs: a word as it is, and a predicate by the word's sign.
fn hold_before(lowering: &mut Lowering, guard: &Guard, sass: &mut Vec<String>) -> Vec<usize> {
    let mut befores = Vec::new();
    for output in 0..lowering.outputs.len() {
        let input = lowering.inputs.len();
        befores.push(input);
        lowering.inputs.push(Input::Before);
        let before = if lowering.outputs[output].is_predicate() {
            sass.push(format!("UISETP.LT.AND %o{output}, PT, %i{input}, RZ, PT"));
            lowering.executed += &format!("shr.u32 {WORD}, %i{input}, 31;\n");
            WORD.to_owned()
        } else {
            sass.push(format!("MOV %o{output}, %i{input}"));
            format!("%i{input}")
        };
        lowering.executed += &format!("selp.b32 %o{output}, %o{output}, {before}, {};\n", guard.executed);
    }
    befores
}
