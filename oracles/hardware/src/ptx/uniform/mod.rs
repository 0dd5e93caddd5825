//! Runs instructions of the uniform datapath on the unit that they are for.
//!
//! PTX has no instructions for the uniform datapath. So a kernel has a chain of IMAD instructions,
//! each with a different number as the addend. R2UR moves an input to the unit, and UISETP converts
//! a word to a predicate. Then comes the instruction itself. USEL converts an output predicate to a
//! word, and MOV moves a result back to the lane. The chain keeps their order. All lanes of a warp
//! share the unit, so such a kernel has one thread per block.
//!
//! `encode` derives the bits of an instruction from its SASS.

mod encode;

use assay_isa::tables::types::{LOHI, PRMTMode};
use assay_isa::{Instruction, Operand};

use self::encode::{Guard, Places, UPT, bits};
use super::machine::{Bits, NONE, Patch};
use super::{Inexpressible, Input, Lowering, unsaid};

/// Returns whether the uniform datapath of compute capability 9.0 has the instruction. It lacks
/// UIABS, UIMNMX, UF2FP, UIMAD.HI and UIMUL.HI. UPRMT has only one mode (`IDX`): the disassembler
/// knows no others, and a device treats every mode as this one.
pub(super) fn executes(instruction: &Instruction) -> bool {
    match instruction.optype() {
        "UIADD" | "UIMAD_WIDE" | "ULEA" | "UISETP" | "UPOPC" | "UFLO" | "UBREV" | "UBMSK" | "USGXT"
        | "USEL" | "ULOP3" | "USHF" | "UMOV" | "UPLOP3" | "UP2UR" | "UR2UP" => true,
        "UIMAD" | "UIMUL" => instruction.modifier("lohi") != Some(LOHI::HI),
        "UPRMT" => instruction.modifier("mode") == Some(PRMTMode::IDX),
        _ => false,
    }
}

/// The addend of the first IMAD. The addend of each further IMAD is 1 greater.
const MARKER: u128 = 0x5a55_0000;
/// The bits that identify an IMAD of two registers and a number, without a carry.
const IMAD: Bits = NONE.field(0, 12, 0x424).field(72, 33, 0x07_8e02);
/// Number of cycles after which the unit's results can be read. `ptxas` uses this number after
/// UPRMT.
const STALL: u128 = 12;
/// A temporary word of the executed statements. Every lowering has fewer words, so none uses this
/// one.
const WORD: &str = "%t39";

/// A chain of IMAD that is being built.
#[derive(Default)]
struct Chain {
    body: String,
    patches: Vec<Patch>,
    last: Option<String>,
}

impl Chain {
    /// Appends an IMAD to the kernel, and a patch that replaces its machine code by `instruction`.
    /// The IMAD reads `input` if given, and writes the output `written` if given, or else a
    /// temporary. Bits that `instruction` does not define keep their values, which name the IMAD's
    /// registers.
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

/// Converts the lowering of an instruction's counterpart in the lanes to a lowering that runs the
/// instruction on the uniform datapath, with its guard.
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

/// Adds an input with the old value of each result of a guarded instruction. A word is used
/// unchanged. A predicate is the sign bit of its word. Returns the positions of these inputs.
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
