//! Kernels around the bodies of lowerings. Each thread loads its inputs, runs the body, and stores
//! its outputs.

use std::fmt::Write;

use super::Lowering;

/// The PTX version of the kernels. Version 8.2 is the first in which `lop3` writes predicates.
pub const VERSION: &str = "8.2";

/// The beginning of a comment about bits that are replaced in the machine code.
pub(super) const REPLACED: &str = "// replaced: ";
/// The beginning of a comment with a statement that describes the machine code after the
/// replacements.
const EXECUTED: &str = "// executed: ";
/// The beginning of a comment with the number of following lines that the `executed` statements
/// replace.
const INSTEAD: &str = "// lines that this is instead of: ";

/// How a kernel gets its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feed {
    /// Parameters `(.u64 inputs, .u64 outputs, .u32 count)`. Each thread t below count reads input
    /// j at `inputs + 4 (j count + t)`, and writes output k at `outputs + 4 (k count + t)`.
    Columns,
    /// Parameters `(.u64 firsts, .u64 outputs, .u32 count, .u32 lanes)`, for a body of one input.
    /// The input of thread t is `firsts[t / lanes] + t mod lanes`, so the host need not send
    /// consecutive values. Outputs are columns.
    Slices,
}

/// Returns a module with these entries for a target such as `sm_90`.
pub fn module(target: &str, entries: &[String]) -> String {
    format!(".version {VERSION}\n.target {target}\n.address_size 64\n\n{}", entries.join("\n"))
}

/// Returns an entry that runs the body of a lowering in each thread of a one-dimensional grid.
///
/// Loads are volatile. If they were not, the assembler would turn a selection between two loads
/// into a guarded load.
pub fn kernel(name: &str, lowering: &Lowering, feed: Feed) -> String {
    let mut text = String::new();
    let lanes = if feed == Feed::Slices { ", .param .u32 lanes" } else { "" };
    writeln!(
        text,
        ".visible .entry {name}(.param .u64 inputs, .param .u64 outputs, .param .u32 count{lanes})\n{{"
    )
    .expect("a string takes all text");
    declare(&mut text, lowering);
    text += THREAD;
    match feed {
        Feed::Columns => load(&mut text, lowering.inputs.len()),
        Feed::Slices => {
            assert_eq!(lowering.inputs.len(), 1, "{name} counts up one input");
            text += COUNT_UP;
        }
    }
    text += &replacements(lowering);
    for line in lowering.body.lines() {
        text += &format!("    {line}\n");
    }
    store(&mut text, lowering.outputs.len());
    text + "DONE:\n    ret;\n}\n"
}

/// Returns comments with the replaced bits, and with statements for the effect of the machine code
/// after the replacements. With these comments, the text of a kernel identifies its machine code.
fn replacements(lowering: &Lowering) -> String {
    if lowering.patches.is_empty() {
        return String::new();
    }
    let replaced = lowering.patches.iter().map(|patch| format!("    {REPLACED}{patch}\n"));
    let executed = lowering.executed.lines().map(|line| format!("    {EXECUTED}{line}\n"));
    let body = lowering.body.lines().count();
    replaced.chain(executed).chain([format!("    {INSTEAD}{body}\n")]).collect()
}

/// Declares the registers of the body and of the code around it. The number of temporaries suffices
/// for every lowering.
fn declare(text: &mut String, lowering: &Lowering) {
    for (name, count) in [("i", lowering.inputs.len()), ("o", lowering.outputs.len()), ("t", 40)] {
        if count > 0 {
            *text += &format!("    .reg .b32 %{name}<{count}>;\n");
        }
    }
    *text += "    .reg .pred %p<5>;
    .reg .b16 %h<3>;
    .reg .b64 %d<2>;
    .reg .f64 %e<2>;
    .reg .b32 %thread, %count, %block, %threads, %slice, %lane, %lanes;
    .reg .b64 %from, %to, %column, %place;
    .reg .pred %beyond;
";
}

/// Computes the thread's number, and the addresses of its first input and output. `mul.wide`
/// extends each index to 64 bits.
const THREAD: &str = "    ld.param.u64 %from, [inputs];
    ld.param.u64 %to, [outputs];
    ld.param.u32 %count, [count];
    mov.u32 %block, %ctaid.x;
    mov.u32 %threads, %ntid.x;
    mov.u32 %lane, %tid.x;
    mad.lo.u32 %thread, %block, %threads, %lane;
    setp.ge.u32 %beyond, %thread, %count;
    @%beyond bra DONE;
    cvta.to.global.u64 %from, %from;
    cvta.to.global.u64 %to, %to;
    mul.wide.u32 %column, %count, 4;
    mul.wide.u32 %place, %thread, 4;
    add.u64 %to, %to, %place;
";

/// Computes the single input of a thread from its slice.
const COUNT_UP: &str = "    ld.param.u32 %lanes, [lanes];
    div.u32 %slice, %thread, %lanes;
    rem.u32 %lane, %thread, %lanes;
    mul.wide.u32 %place, %slice, 4;
    add.u64 %from, %from, %place;
    ld.global.b32 %i0, [%from];
    add.u32 %i0, %i0, %lane;
";

fn load(text: &mut String, inputs: usize) {
    *text += "    add.u64 %from, %from, %place;\n";
    for input in 0..inputs {
        *text +=
            &format!("    ld.volatile.global.b32 %i{input}, [%from];\n    add.u64 %from, %from, %column;\n");
    }
}

fn store(text: &mut String, outputs: usize) {
    for output in 0..outputs {
        *text += &format!("    st.volatile.global.b32 [%to], %o{output};\n    add.u64 %to, %to, %column;\n");
    }
}
