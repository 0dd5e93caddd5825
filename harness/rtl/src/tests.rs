//! Tests of wrong maps, of the modes that maps cover, and of the generated source.

use assay_isa::EncodingTable;

use crate::map::PortMap;
use crate::operations::{Change, Operations};
use crate::ports::{self, Port};
use crate::{RtlError, source};

/// A correct map. Tests replace some lines of this map.
const POPCOUNT: &str = "\
version: 1
top: popcount
clock: clk
latency: 2
operations:
- modes: [POPC_R]
  operands: {a: 0}
  result: {port: y}
";

const FLOATS: &str = "\
version: 1
name: floats
clock: clk
reset: {port: rst_n, active: low}
handshake:
  input: {valid: in_valid, ready: in_ready}
  output: {valid: out_valid}
set: {tag: 3}
operations:
- modes: [FADD_RR, '!*.SAT*', '!FADD*.R[PZ]']
  operands: {operands__i: [null, 0, 1]}
  set: {operation: 2}
  when: {FTZ: {flush: 1}, RM: {rounding: 2}}
  result: {port: y, bits: '32:1'}
- modes: [FSETP_RR.LT.AND]
  operands: {operands__i: [0, 1]}
  set: {operation: 8}
  result: [{port: less, bits: 0}, {port: greater}]
";

fn parse(text: &str) -> Result<PortMap, RtlError> {
    PortMap::parse(text, "ports.yaml".as_ref())
}

fn expand(text: &str) -> Result<Operations, RtlError> {
    let path = "ports.yaml".as_ref();
    Operations::new(&parse(text)?, EncodingTable::provisional()).map_err(|problem| problem.of(text, path))
}

fn port(name: &str, is_input: bool, width: u32) -> Port {
    Port { name: name.to_owned(), is_input, width }
}

/// Checks that a map is accepted, and that each changed map is refused with an error that contains
/// certain words.
fn refused(map: &str, table: &[(&str, &str, &str)], check: impl Fn(&str) -> Result<(), RtlError>) {
    assert!(check(map).is_ok(), "{:?}", check(map));
    for (from, to, words) in table {
        assert!(map.contains(from), "{from}");
        let error = check(&map.replacen(from, to, 1)).expect_err(words);
        assert!(error.is_input() && error.to_string().contains(words), "{from} -> {to}: {error}");
    }
}

#[test]
fn a_wrong_map_is_refused_with_its_line_and_key() {
    let table = [
        ("version: 1", "version: 2", "ports.yaml: line 1: `version` is 2, and this program reads 1"),
        ("version: 1\n", "", "missing field `version`"),
        ("clock: clk", "clocks: clk", "line 3: unknown field `clocks`"),
        ("clock: clk\n", "", "the map names no `clock`"),
        ("latency: 2\n", "", "the map states neither `latency` nor `handshake`"),
        ("latency: 2", "latency: -2", "latency: invalid type: integer `-2`"),
        ("latency: 2", "latency: 200000", "line 4: `latency` is 200000"),
        (
            "latency: 2",
            "latency: 2\nhandshake: {input: {valid: v}, output: {valid: w}}",
            "remove one of them",
        ),
        ("latency: 2", "latency: 2\nreset: {port: rst, cycles: 0}", "line 5: `reset.cycles` is 0"),
        ("latency: 2", "latency: 2\nreset: {port: rst, active: up}", "unknown variant `up`"),
        (
            "latency: 2",
            "handshake: {input: {valid: v}, output: {valid: w}, stalls: 91}",
            "`handshake.stalls` is 91",
        ),
        (
            "latency: 2",
            "handshake: {input: {valid: v}, output: {valid: w}, limit: 0}",
            "`handshake.limit` is 0",
        ),
        ("latency: 2", "handshake: {input: {valid: v}, output: {valid: 'w;'}}", "no Verilog identifier"),
        (
            "top: popcount",
            "top: pop count",
            "line 2: `top` names `pop count`, which is no Verilog identifier",
        ),
        ("top: popcount", "name: \"a\\\"b\"", "`name` has other characters"),
        ("top: popcount", "parameters: {W: '8); $system'}", "`parameters.W` is `8); $system`"),
        ("top: popcount", "parameters: {W: [8]}", "a number or a word"),
        ("top: popcount", "ignore: [-O3]", "`ignore` names `-O3`, which is no warning of Verilator"),
        ("top: popcount", "defines: {'-x': 1}", "`defines.-x` names `-x`"),
        ("[POPC_R]", "POPC_R", "operations[0].modes: invalid type"),
        ("{a: 0}", "{}", "line 7: `operations[0].operands` is empty"),
        ("{a: 0}", "{a: x}", "the number of an operand, or a list of such numbers and null"),
        ("{a: 0}", "{a: []}", "`operations[0].operands.a` is an empty list"),
        ("{port: y}", "{}", "a map with `port` and `bits`, or a list of such maps"),
        ("{port: y}", "[]", "`operations[0].result` is empty"),
        ("{a: 0}", "{a: 0}\n  set: {'a b': 1}", "names `a b`"),
        ("operations:", "operations: []\nothers:", "unknown field `others`"),
        ("version: 1", "version: [", "line 2, column 1"),
    ];
    refused(POPCOUNT, &table, |text| parse(text).map(|_| ()));
    assert!(parse("{version: 1, latency: 0, operations: []}").unwrap_err().to_string().contains("is empty"));
}

#[test]
fn bits_are_a_number_or_a_range_of_at_most_32() {
    for (bits, range) in [
        ("'31:0'", Some((0, 32))),
        ("5", Some((5, 1))),
        ("'95:64'", Some((64, 32))),
        ("'32:0'", None),
        ("'0:5'", None),
        ("x", None),
        ("''", None),
        ("-1", None),
    ] {
        let text = POPCOUNT.replace("{port: y}", &format!("{{port: y, bits: {bits}}}"));
        let read = parse(&text).ok().and_then(|map| map.operations[0].result.ports()[0].bits);
        assert_eq!(read.map(|bits| (bits.low, bits.width)), range, "{bits}");
    }
}

#[test]
fn modes_that_the_harness_cannot_execute_are_refused() {
    let table = [
        ("[POPC_R]", "[POPCC]", "line 6: `operations[0].modes` lists `POPCC`, which names no optype"),
        ("[POPC_R]", "[POPC_R, '!POPC']", "cover no mode"),
        ("[POPC_R]", "[]", "supports nothing"),
        ("[POPC_R]", "[UIMAD.WIDE]", "which has an operand of more than 32 bits; exclude it with `!`"),
        ("[POPC_R]", "[MUFU.EX2.F16]", "which selects a half or a byte of an operand"),
        ("[POPC_R]", "[GETREG]", "where values decide"),
        ("[POPC_R]", "[S2R]", "is no register, predicate, constant or literal"),
        ("{a: 0}", "{a: 1}", "`operations[0].operands.a` is operand 1, and `POPC_R` has: 0 is rb"),
        ("{port: y}", "[{port: y}, {port: z}]", "`operations[0].result` has 2, and `POPC_R` writes 1: rd"),
        ("{a: 0}", "{a: 0}\n  when: {FTZ: {f: 1}}", "is a modifier that no mode of the operation has"),
        (
            "  result: {port: y}",
            "  result: {port: y}\n- {modes: [POPC], operands: {a: 0}, result: {port: y}}",
            "`operations[1].modes` cover `POPC_R`, which operations[0] covers too",
        ),
    ];
    refused(POPCOUNT, &table, |text| expand(text).map(|_| ()));
}

#[test]
fn the_declaration_covers_exactly_the_modes() {
    // The exclusion in the second operation would also exclude modes of the first.
    let text = "{version: 1, clock: clk, latency: 1, operations: [{modes: [FADD_RR.RM], operands: {a: 0, b: 1}, \
                result: {port: y}}, {modes: [FMUL_RR, '!F*.R*', '!*.[DM][248]'], operands: {a: 0, b: 1}, result: \
                {port: y}}]}";
    let operations = expand(text).expect("a map");
    assert!(operations.patterns.contains(&"FADD_RR.RM".to_owned()), "{:?}", operations.patterns);
    assert!(operations.patterns.contains(&"!FMUL_RR.RZ".to_owned()), "{:?}", operations.patterns);
    assert_eq!(operations.selection(), ["FADD", "FMUL"]);
    let plain = expand(POPCOUNT).expect("a map");
    assert_eq!((plain.patterns, plain.modes.len()), (vec!["POPC_R".to_owned()], 1));
}

#[test]
fn prefixes_change_operands_as_the_row_has_them() {
    let one = "{port: y}";
    let two = "[{port: y}, {port: c}]";
    for (modes, result, changes) in [
        ("[POPC_R]", one, &[Change::Inverted][..]),
        ("[FADD_RR, '!FADD_RR.*']", one, &[Change::Absolute, Change::Negative]),
        ("[UIADD_UU, '!UIADD_UU.X']", two, &[Change::Complement2]),
        ("[UIADD_UU.X]", two, &[Change::Inverted]),
    ] {
        let text = POPCOUNT.replace("[POPC_R]", modes).replace(one, result);
        let operations = expand(&text).unwrap_or_else(|e| panic!("{modes}: {e}"));
        let prefixes = &operations.forms[0].inputs[0].prefixes;
        assert_eq!(prefixes.iter().map(|prefix| prefix.change).collect::<Vec<_>>(), changes, "{modes}");
    }
}

#[test]
fn ports_are_read_from_the_header_of_the_unit() {
    let header = "class Vunit {\n    VL_IN8(&clk,0,0);\n    VL_OUT16(&y,8,0);\n    VL_INW(&operands___05Fi,95,0,3);\n    \
                  VL_IN64(&wide,63,0);\n    VL_INOUT8(&bus,7,0);\n    CData/*0:0*/ internal;\n";
    let expected =
        [port("clk", true, 1), port("y", false, 9), port("operands__i", true, 96), port("wide", true, 64)];
    assert_eq!(ports::parse(header), expected);
}

fn float_ports() -> Vec<Port> {
    let inputs = [
        ("clk", 1),
        ("rst_n", 1),
        ("in_valid", 1),
        ("tag", 2),
        ("operands__i", 96),
        ("operation", 4),
        ("flush", 1),
        ("rounding", 3),
    ];
    let outputs = [("in_ready", 1), ("out_valid", 1), ("y", 33), ("less", 1), ("greater", 1)];
    let inputs = inputs.map(|(name, width)| port(name, true, width));
    inputs.into_iter().chain(outputs.map(|(name, width)| port(name, false, width))).collect()
}

#[test]
fn a_map_that_does_not_fit_the_ports_is_refused() {
    let table = [
        (
            "clock: clk",
            "clock: clock",
            "line 3: `clock` names `clock`, which is no port of the unit; its inputs are clk, rst_n",
        ),
        ("clock: clk", "clock: out_valid", "which is an output of the unit and no input"),
        ("port: rst_n", "port: clk", "`reset.port` is `clk`, which another key of the map drives"),
        ("ready: in_ready", "ready: in_red", "`handshake.input.ready` names `in_red`"),
        ("set: {tag: 3}", "set: {tag: 4}", "`set.tag` is 0x4, and the port has 2 bits"),
        ("set: {tag: 3}", "set: {tug: 3}", "`set.tug` names `tug`"),
        ("set: {tag: 3}\n", "", "no value for the input `tag` of 2 bits; write `set: {tag: 0}`"),
        (
            "set: {operation: 2}",
            "set: {operation: 2, in_valid: 1}",
            "`operations[0].set.in_valid` is driven by the clock, the reset or the handshake too",
        ),
        (
            "set: {operation: 2}",
            "set: {operation: 2, operands__i: 1}",
            "`operations[0].set.operands__i` has an operand too",
        ),
        ("[null, 0, 1]", "[null, 0, 1, 1]", "has 4 operands, and the port has 96 bits"),
        ("FTZ: {flush: 1}", "FTZ: {flush: 2}", "`operations[0].when.FTZ.flush` is 0x2"),
        ("bits: '32:1'", "bits: '33:2'", "reach beyond `y`, which has 33 bits"),
        ("{port: y, bits: '32:1'}", "{port: y}", "is `y`, which has 33 bits; name its `bits`"),
        ("{port: greater}", "{port: tag}", "which is an input of the unit and no output"),
    ];
    refused(FLOATS, &table, |text| {
        let (map, operations) = (parse(text)?, expand(text)?);
        ports::check(&map, &operations, &float_ports())
            .map_err(|problem| problem.of(text, "ports.yaml".as_ref()))
    });
}

#[test]
fn the_generated_source_is_as_before() {
    let (map, operations) = (parse(FLOATS).expect("a map"), expand(FLOATS).expect("modes"));
    let digest = "0123456789abcdef";
    insta::assert_snapshot!(source::unit("floats", &map, &operations, &float_ports(), digest));
}
