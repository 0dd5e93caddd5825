//! Kernels around bodies: each thread loads its inputs, runs the body and stores the outputs.

use std::fmt::Write;

use super::Lowering;

/// The version of PTX: the first with the predicates of `lop3`.
pub const VERSION: &str = "8.2";

/// Begins a comment about bits that are replaced.
pub(super) const REPLACED: &str = "// replaced: ";
/// Begins a comment with a statement that the machine code stands for once they are.
const EXECUTED: &str = "// executed: ";
/// Begins a comment with the number of lines after it that are executed so.
const INSTEAD: &str = "// lines that this is instead of: ";

/// Where a kernel takes its inputs from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feed {
    /// Parameters `(.u64 inputs, .u64 outputs, .u32 count)`: thread t, if below count, reads input j at
    /// `inputs + 4 (j count + t)` and writes output k at `outputs + 4 (k count + t)`.
    Columns,
    /// Parameters `(.u64 firsts, .u64 outputs, .u32 count, .u32 lanes)`, for a body of one input: that of thread t is
    /// `firsts[t / lanes] + t mod lanes`, so consecutive values are never sent. Outputs are columns.
    Slices,
}

/// A module of entries for a target such as `sm_90`.
pub fn module(target: &str, entries: &[String]) -> String {
    format!(".version {VERSION}\n.target {target}\n.address_size 64\n\n{}", entries.join("\n"))
}

/// An entry that runs the body of a lowering in each thread of a grid of one dimension.
///
/// Loads are volatile, for else a select of two loads becomes a load that is guarded.
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

/// What is replaced in the machine code, and what that does then, in comments: the text of a kernel has all of it.
fn replacements(lowering: &Lowering) -> String {
    if lowering.patches.is_empty() {
        return String::new();
    }
    let replaced = lowering.patches.iter().map(|patch| format!("    {REPLACED}{patch}\n"));
    let executed = lowering.executed.lines().map(|line| format!("    {EXECUTED}{line}\n"));
    let body = lowering.body.lines().count();
    replaced.chain(executed).chain([format!("    {INSTEAD}{body}\n")]).collect()
}

/// Registers of the body, with as many temporaries as any of them uses, and those around it.
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

/// The number of the thread, and the addresses of its first input and output. `mul.wide` makes 64 bits of each index.
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

/// The one input of a slice.
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
