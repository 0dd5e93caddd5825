//! Tests lowerings of all instructions in the tables, and the text of kernels.

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

/// Checks that a lowering has the instruction's inputs and outputs, and uses only registers that a
/// kernel declares.
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
fn each_optype_has_as_many_lowerings_as_listed() {
    let mut counts: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
    for form in &catalog().forms {
        for instruction in variants(form) {
            let lowered = lower(&instruction);
            counts.entry(form.optype.name).or_default()[usize::from(lowered.is_err())] += 1;
            if let Ok(lowering) = lowered {
                examine(&instruction, &lowering);
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
        ("MUFU.SIN.F32 R0, R1", "sin.turns.ftz.f32 %o0, %i0;", &["FMUL.RZ: "][..]),
        ("MUFU.COS.F32 R0, -|R1|", "cos.turns.ftz.f32 %o0, %t1;", &["FMUL.RZ: "]),
        ("MUFU.RCP.F64 R0, -R1", "neg.f32 %t1, %i0;", &["MUFU.RCP64H: "]),
        ("FMUL.FTZ.SAT.RZ.D8 R0, R1, R2", "mul.rz.ftz.sat.d8.f32 %o0, %i0, %i1;", &["FMUL: "]),
        ("FMUL R0, -R1, R2", "neg.f32 %t0, %i0;", &["FMUL: "]),
        ("FSEL.FTZ R0, R1, R2, P0", "selp.ftz.f32 %o0, %i0, %i1, %p0;", &["FSEL: "]),
        ("FCHK P0, R1, R2", "fchk.f32 %p0, %i0, %i1;", &["FSETP.GEU.AND: ", "SEL: "]),
        ("FSETP.LT.OR P0, P1, R1, R2, P2", "setp.geu.or.f32 %p2, %i0, %i1, %p0;", &["FSETP: ", "LOP3: "]),
        ("ULEA UR0, -UR1, UR2, 0x3", "sub.u32 %o0, %i1, %t0;", &["IMAD: "; 4]),
        ("FMUL R0, R1, R2", "mul.rn.f32 %o0, %i0, %i1;", &[]),
        ("FSEL R0, R1, R2, P0", "selp.f32 %o0, %i0, %i1, %p0;", &[]),
    ] {
        let lowering = lowering(text);
        assert!(lowering.executed.contains(executed), "{text}: {}", lowering.executed);
        assert_eq!(lowering.executed == lowering.body, bits.is_empty(), "{text}");
        let record = lowering.text();
        let replaced: Vec<&str> =
            record.lines().filter_map(|line| line.strip_prefix("// replaced: ")).collect();
        assert_eq!(replaced.len(), bits.len(), "{text}: {record}");
        assert!(replaced.iter().zip(bits).all(|(line, start)| line.starts_with(start)), "{text}: {record}");
    }
}

#[test]
fn a_guarded_result_holds_something_before() {
    for (text, guarded, sass) in [
        ("@P3 FADD R0, R1, R2", "@%p0 add.rn.f32 %o0, %i1, %i2;", "@%i0 FADD %o0, %i1, %i2"),
        ("@!PT POPC R0, ~R1", "@!%p0 popc.b32 %o0, %i1;", "@!%i0 POPC %o0, ~%i1"),
    ] {
        let lowering = lowering(text);
        let place = lowering.inputs.iter().position(|input| *input == Input::Before).expect(text);
        assert!(lowering.body.contains(&format!("mov.b32 %o0, %i{place};")), "{text}: {}", lowering.body);
        assert!(lowering.body.contains(guarded), "{text}: {}", lowering.body);
        assert_eq!(lowering.sass, [format!("MOV %o0, %i{place}"), sass.to_owned()], "{text}");
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
        ("@P0 FSETP.LT.AND P0, PT, R1, R2, P1", "a guard"),
        ("MUFU.RCP.F32.SAT R0, R1", "MUFU.SAT"),
        ("UIMUL UR0, UR1, -UR2", "negated operand"),
        ("FCHK PT, R1, R2", "without a result"),
        ("FADD RZ, R1, R2", "without a result"),
        ("@UP0 UR2UP UPR, UR2, UR4", "all predicates"),
        ("UMOV.64 UR[0:1], UR[2:3]", "copies one register"),
    ] {
        let why = lower(&parse(text)).expect_err(text).to_string();
        assert!(why.contains(reason), "{text}: {why}");
    }
}

#[test]
fn the_unit_of_the_uniform_datapath_runs_its_own_instructions() {
    for (text, sass, replaced) in [
        ("UIADD UR0, UR2, -UR4", &["UIADD3 %o0, %i0, -%i1, RZ"][..], 4),
        ("UISETP.LT.AND UP0, UP1, UR4, UR6, !UP4", &["UISETP.LT.AND %o0, %o1, %i0, %i1, !%i2"], 9),
        ("@!UP3 UMOV UR0, UR2", &["MOV %o0, %i2", "@!%i1 UMOV %o0, %i0"], 6),
        (
            "@UP2 UPLOP3 UP0, UP1, UP2, UP3, 0x80",
            &["UISETP.LT.AND %o0, PT, %i3, RZ, PT", "@%i1 UPLOP3.LUT %o0, PT, %i0, %i1, %i2, 0x80, 0x0"],
            11,
        ),
        ("@!UPT USEL UR0, UR2, UR4, UP3", &["MOV %o0, %i3", "@!PT USEL %o0, %i0, %i1, %i2"], 7),
    ] {
        let lowering = lowering(text);
        assert_eq!(
            (&lowering.sass[..], lowering.is_uniform),
            (&sass.iter().map(|line| line.to_string()).collect::<Vec<_>>()[..], true)
        );
        assert_eq!(lowering.patches.len(), replaced, "{text}: {}", lowering.body);
        assert_eq!(lowering.body.lines().count(), replaced, "{text}");
    }
    for text in ["UIABS UR0, UR2", "UPRMT.F4E UR0, UR2, UR4, UR6", "FADD R0, R1, R2"] {
        assert!(!lowering(text).is_uniform, "{text}");
    }
}
