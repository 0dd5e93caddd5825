//! Lowerings over all of the tables, and what kernels look like.

use std::collections::BTreeMap;
use std::fmt::Write;

use assay_isa::{Instruction, asm, catalog};

use super::{Feed, Input, Lowering, kernel, lower, module, variants};

fn lowering(text: &str) -> Lowering {
    lower(&parse(text)).unwrap_or_else(|why| panic!("{text}: {why}"))
}

fn parse(text: &str) -> Instruction {
    asm::parse(text).unwrap_or_else(|why| panic!("{text}: {why:?}"))
}

/// Holds a lowering to the instruction's footprint and to the registers that a kernel declares.
fn examine(instruction: &Instruction, lowering: &Lowering) {
    let text = asm::print(instruction);
    let mut written = instruction.writes();
    let mut outputs = lowering.outputs.clone();
    written.sort();
    outputs.sort();
    assert_eq!(outputs, written, "{text}");
    let reads = instruction.reads();
    for input in &lowering.inputs {
        if let Input::Location(place) = input {
            assert!(reads.contains(place), "{text} does not read {place}");
        }
    }
    for output in 0..outputs.len() {
        assert!(lowering.body.contains(&format!("%o{output}")), "{text} leaves nothing in %o{output}");
        assert!(lowering.sass.iter().any(|line| line.contains(&format!("%o{output}"))), "{text}");
    }
    let declared = kernel("k", lowering, Feed::Columns);
    for word in lowering.body.split(|c: char| !c.is_ascii_alphanumeric() && c != '%') {
        let Some(name) = word.strip_prefix('%') else { continue };
        let (kind, number) = name.split_at(1);
        let count = declared.split_once(&format!("%{kind}<")).and_then(|(_, rest)| rest.split_once('>'));
        let (count, _) = count.unwrap_or_else(|| panic!("{text} uses {word}, which no kernel declares"));
        assert!(
            number.parse::<u32>().expect(word) < count.parse::<u32>().expect(count),
            "{text} uses {word}"
        );
    }
}

#[test]
fn every_instruction_is_lowered_or_it_says_why_not() {
    let mut counts: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
    for form in &catalog().forms {
        for instruction in variants(form) {
            let fate = lower(&instruction);
            counts.entry(form.optype.name).or_default()[usize::from(fate.is_err())] += 1;
            match fate {
                Ok(lowering) => examine(&instruction, &lowering),
                Err(why) => assert!(
                    !why.to_string().contains("not written yet"),
                    "{}: {why}; add a lowering or a reason in oracles/hardware/src/ptx/mod.rs",
                    form.name
                ),
            }
        }
    }
    assert_eq!(counts.len(), catalog().optypes().len());
    let mut table = String::new();
    for (optype, [lowered, not]) in counts {
        writeln!(table, "{optype}: {lowered} lowered, {not} not").expect("a string takes all text");
    }
    insta::assert_snapshot!(table);
}

#[test]
fn kernels() {
    let columns =
        ["FADD.FTZ.RM R0, -|R1|, R2", "FSETP.LT.AND P0, R1, 1.0, !P2", "UIADD.X UR0, UP1, UR2, ~UR3, UP2"];
    let mut entries: Vec<String> = columns
        .iter()
        .enumerate()
        .map(|(number, text)| kernel(&format!("columns{number}"), &lowering(text), Feed::Columns))
        .collect();
    entries.push(kernel("slices", &lowering("MUFU.SIN.F32 R0, R1"), Feed::Slices));
    insta::assert_snapshot!(module("sm_90", &entries));
}

#[test]
fn predicates_are_words_outside() {
    let lowering = lowering("FSETP.LT.AND P0, R1, 1.0, !P2");
    let [Input::Location(_), Input::Literal(0x3f80_0000), Input::Location(p)] = lowering.inputs[..] else {
        panic!("{:?}", lowering.inputs)
    };
    assert!(p.is_predicate() && lowering.outputs[0].is_predicate());
    assert!(lowering.body.starts_with("setp.ne.u32 %p0, %i2, 0;"), "{}", lowering.body);
    assert!(lowering.body.contains(", !%p0;") && lowering.body.ends_with("selp.u32 %o0, 1, 0, %p1;\n"));
    assert_eq!(lowering.sass, ["FSETP.LT.AND %o0, PT, %i0, %i1, !%i2"]);
}

#[test]
fn names_without_storage_are_literals() {
    assert_eq!(lowering("FADD R0, RZ, R1").inputs[0], Input::Literal(0));
    assert_eq!(lowering("USEL UR0, UR1, UR2, UPT").inputs[2], Input::Literal(1));
}

#[test]
fn what_ptx_lacks_is_replaced_in_the_machine_code() {
    for (text, executed, bits) in [
        (
            "MUFU.SIN.F32 R0, R1",
            "sin.turns.ftz.f32 %o0, %i0;",
            &["FMUL.RZ: bits 0x7fffffff00000000 replaced by 0x3f80000000000000"][..],
        ),
        (
            "MUFU.COS.F32 R0, -|R1|",
            "cos.turns.ftz.f32 %o0, %t1;",
            &["FMUL.RZ: bits 0x7fffffff00000000 replaced by 0x3f80000000000000"],
        ),
        (
            "FMUL.FTZ.SAT.RZ.D8 R0, R1, R2",
            "mul.rz.ftz.sat.d8.f32 %o0, %i0, %i1;",
            &["FMUL: bits 0x7000000000000000000000 replaced by 0x1000000000000000000000"],
        ),
        (
            "FSEL.FTZ R0, R1, R2, P0",
            "selp.ftz.f32 %o0, %i0, %i1, %p0;",
            &["FSEL: bits 0x100000000000000000000 replaced by 0x100000000000000000000"],
        ),
        ("FCHK P0, R1, R2", "fchk.f32 %p0, %i0, %i1;", &["FSETP.GEU.AND: bits", "SEL: bits"]),
        ("FMUL R0, R1, R2", "mul.rn.f32 %o0, %i0, %i1;", &[]),
        ("FSEL R0, R1, R2, P0", "selp.f32 %o0, %i0, %i1, %p0;", &[]),
    ] {
        let lowering = lowering(text);
        assert!(lowering.executed.contains(executed), "{text}: {}", lowering.executed);
        assert_eq!(lowering.executed == lowering.body, bits.is_empty(), "{text}");
        let record = lowering.text();
        let replaced: Vec<&str> = record.lines().filter_map(|line| line.strip_prefix("// ")).collect();
        assert_eq!(replaced.len(), bits.len(), "{text}: {record}");
        assert!(replaced.iter().zip(bits).all(|(line, start)| line.starts_with(start)), "{text}: {record}");
    }
}

#[test]
fn scales_are_told_apart() {
    let numbers = ["D8", "D4", "D2", "M2", "M4", "M8"].map(|scale| {
        let patches = lowering(&format!("FMUL.{scale} R0, R1, R2")).patches;
        assert_eq!(patches.len(), 1, "{scale}");
        patches[0].replaced.value >> 84
    });
    assert_eq!(numbers, [1, 2, 3, 5, 6, 7]);
}

#[test]
fn what_cannot_be_said_has_a_reason() {
    for (text, reason) in [
        ("@P0 FADD R0, R1, R2", "a guard"),
        ("MUFU.RCP.F32.SAT R0, R1", "MUFU.SAT"),
        ("FMUL.D2 R0, -R1, R2", "negated first operand"),
        ("FCHK PT, R1, R2", "without a result"),
        ("FADD RZ, R1, R2", "without a result"),
    ] {
        let why = lower(&parse(text)).expect_err(text).to_string();
        assert!(why.contains(reason), "{text}: {why}");
    }
}
