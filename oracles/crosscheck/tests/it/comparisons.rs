//! Tests FMNMX, FSETP, FSET, FSEL and FCHK: witnesses, special values, and APFloat against the
//! host's compares.

use crate::support::{
    EDGES, answers, departing, everything, holds, instruction, lanes_of, operand, values_of, written,
};
use assay_crosscheck::{ApFloat, HostCpu};
use assay_isa::tables::types::FCMPOp;
use assay_isa::{Answer, Effects, EncodingTable, Erratum, Instruction, Location, Readings, Subject};
use proptest::prelude::*;

const ONE: u32 = 0x3f80_0000;
const INF: u32 = 0x7f80_0000;
const NAN: u32 = 0x7fc0_0000;
const QNAN: u32 = 0x7fff_ffff;
const NEG: u32 = 0x8000_0000;
const TINY: u32 = 0x0000_0001;

const R0: Location = Location::R(0);
const R1: Location = Location::R(1);
const R2: Location = Location::R(2);

fn soft() -> ApFloat {
    ApFloat::new(EncodingTable::provisional().clone(), Readings::INTENDED)
}

fn hard() -> HostCpu {
    HostCpu::new(EncodingTable::provisional().clone(), Readings::INTENDED)
}

type Names = &'static [(&'static str, &'static str)];

/// Returns R0 after an instruction on R1 and R2, with PT or `!PT` as the predicate. Both
/// implementations must agree.
fn on_both(form: &str, fields: &[(&str, u32)], names: Names, [a, b]: [u32; 2], truth: bool) -> u32 {
    let mut fields = fields.to_vec();
    fields.extend([("pp", 7), ("pp.not", u32::from(!truth))]);
    let instruction = instruction(form, &fields, names);
    let implementations: [&mut dyn Subject; 2] = [&mut soft(), &mut hard()];
    let results = implementations
        .map(|implementation| written(implementation, &instruction, &[(R1, a), (R2, b)]).unwrap());
    assert_eq!(results[0], results[1], "{form} {names:?} {a:08x} {b:08x}");
    let [(R0, value)] = results[0][..] else { panic!("{form} writes {:?}", results[0]) };
    value
}

#[test]
fn minimum_and_maximum() {
    const FTZ: Names = &[("ftz", "FTZ")];
    const PASS: Names = &[("nan", "NAN")];
    // The modifiers, the operands, the minimum and the maximum.
    let rows: &[(Names, [u32; 2], u32, u32)] = &[
        (&[], [ONE, 0x4000_0000], ONE, 0x4000_0000),
        (&[], [NEG | ONE, ONE], NEG | ONE, ONE),
        (&[], [INF, NEG | INF], NEG | INF, INF),
        (&[], [NEG | TINY, TINY], NEG | TINY, TINY),
        // E184: -0 is less than +0, in either order.
        (&[], [NEG, 0], NEG, 0),
        (&[], [0, NEG], NEG, 0),
        (FTZ, [TINY, NEG | TINY], NEG, 0),
        (FTZ, [TINY, 0x0080_0000], 0, 0x0080_0000),
        // E183: an operand that is selected over a NaN is flushed too.
        (FTZ, [NAN, TINY], 0, 0),
        (FTZ, [NEG | TINY, NEG | NAN], NEG, NEG),
        (&[], [NAN, TINY], TINY, TINY),
        (&[], [0xff80_0001, NEG | INF], NEG | INF, NEG | INF),
        (&[], [NAN, 0xffff_ffff], QNAN, QNAN),
        (PASS, [NAN, ONE], QNAN, QNAN),
        (PASS, [ONE, 0x7f80_0001], QNAN, QNAN),
        (PASS, [ONE, INF], ONE, INF),
    ];
    for (names, operands, least, greatest) in rows {
        for (truth, expected) in [(true, *least), (false, *greatest)] {
            let result = on_both("FMNMX_RR", &[], names, *operands, truth);
            assert_eq!(result, expected, "{names:?} {operands:08x?} {truth}");
        }
    }
    // Only the operand's own prefixes apply to the result.
    assert_eq!(on_both("FMNMX_RR", &[("ra.neg", 1)], &[], [ONE, NAN], true), NEG | ONE);
}

#[test]
fn selection() {
    const FTZ: Names = &[("ftz", "FTZ")];
    // E185: FSEL returns a NaN bit for bit, with its prefixes applied.
    assert_eq!(on_both("FSEL_RR", &[], FTZ, [0xffc1_2345, 0], true), 0xffc1_2345);
    assert_eq!(on_both("FSEL_RR", &[("rb.abs", 1)], &[], [0, 0xff80_0001], false), 0x7f80_0001);
    assert_eq!(on_both("FSEL_RR", &[], FTZ, [0x807f_ffff, ONE], true), NEG);
    assert_eq!(on_both("FSEL_RR", &[], FTZ, [0x0080_0000, ONE], true), 0x0080_0000);
    assert_eq!(on_both("FSEL_RR", &[], &[], [TINY, NEG | TINY], false), NEG | TINY);
}

/// Returns the row of the specification's table: the comparison for less, equal, greater and
/// unordered operands.
fn table(cmp: FCMPOp) -> [bool; 4] {
    let bits = match cmp {
        FCMPOp::EQ => 0b0100,
        FCMPOp::NE => 0b1010,
        FCMPOp::LT => 0b1000,
        FCMPOp::LE => 0b1100,
        FCMPOp::GT => 0b0010,
        FCMPOp::GE => 0b0110,
        FCMPOp::EQU => 0b0101,
        FCMPOp::NEU => 0b1011,
        FCMPOp::LTU => 0b1001,
        FCMPOp::LEU => 0b1101,
        FCMPOp::GTU => 0b0011,
        FCMPOp::GEU => 0b0111,
        FCMPOp::NAN => 0b0001,
        FCMPOp::NUM => 0b1110,
    };
    [8, 4, 2, 1].map(|bit| bits & bit != 0)
}

/// Pairs of operands: less, equal, greater, and unordered.
const PAIRS: [&[[u32; 2]]; 4] = [
    &[[NEG | ONE, 0], [0, TINY], [NEG | INF, NEG | 0x7f7f_ffff], [ONE, ONE + 1]],
    &[[0, NEG], [NEG, 0], [INF, INF], [TINY, TINY]],
    &[[0, NEG | TINY], [ONE, NEG | ONE], [INF, 0x7f7f_ffff]],
    &[[NAN, NAN], [NAN, 0], [INF, 0xff80_0001], [0, QNAN]],
];

#[test]
fn every_relation_in_every_combination() {
    for cmp in values_of::<FCMPOp>() {
        let expected = table(instruction("FSET_RR", &[], &[("cmp", cmp)]).modifier("cmp").unwrap());
        for (pairs, relation) in PAIRS.iter().zip(expected) {
            for (pair, lop, pp) in pairs.iter().flat_map(|pair| {
                ["AND", "OR", "XOR"].into_iter().flat_map(move |lop| [(*pair, lop, 0), (*pair, lop, 1)])
            }) {
                let combine = |t: bool| match lop {
                    "AND" => t & (pp == 1),
                    "OR" => t | (pp == 1),
                    _ => t ^ (pp == 1),
                };
                let names = [("cmp", cmp), ("lop", lop)];
                let inputs = [(Location::P(3), pp), (R1, pair[0]), (R2, pair[1])];
                let [setp, mask, float] = [
                    instruction("FSETP_RR", &[("pu", 0), ("pv", 1), ("pp", 3)], &names),
                    instruction("FSET_RR", &[("pp", 3)], &names),
                    instruction("FSET_RR", &[("pp", 3)], &[names[0], names[1], ("bval", "BF")]),
                ];
                let [u, v] = [combine(relation), combine(!relation)].map(u32::from);
                for implementation in [&mut soft() as &mut dyn Subject, &mut hard()] {
                    let case = format!("{} {names:?} {pair:08x?} {pp}", implementation.name());
                    let both = Ok(vec![(Location::P(0), u), (Location::P(1), v)]);
                    assert_eq!(written(implementation, &setp, &inputs), both, "{case}");
                    let ones = u.wrapping_neg();
                    assert_eq!(written(implementation, &mask, &inputs), Ok(vec![(R0, ones)]), "{case}");
                    assert_eq!(written(implementation, &float, &inputs), Ok(vec![(R0, u * ONE)]), "{case}");
                }
            }
        }
    }
}

#[test]
fn predicates_in_and_out() {
    let names = &[("cmp", "LT"), ("lop", "AND")];
    let case = |fields: &[(&str, u32)], pp: u32| {
        let mut fields = fields.to_vec();
        fields.extend([("ra", 255), ("vb", ONE)]);
        let instruction = instruction("FSETP_RI", &fields, names);
        let results = [&mut soft() as &mut dyn Subject, &mut hard()]
            .map(|implementation| written(implementation, &instruction, &[(Location::P(3), pp)]).unwrap());
        assert_eq!(results[0], results[1]);
        results[0].clone()
    };
    let (p0, p1, p3) = (Location::P(0), Location::P(1), Location::P(3));
    // 0 < 1, so pu is pp and pv is false.
    assert_eq!(case(&[("pu", 0), ("pp", 3)], 1), [(p0, 1)]);
    assert_eq!(case(&[("pu", 0), ("pp", 3), ("pp.not", 1)], 1), [(p0, 0)]);
    assert_eq!(case(&[("pu", 7), ("pv", 1), ("pp", 3)], 1), [(p1, 0)]);
    assert_eq!(case(&[("pu", 7), ("pv", 7), ("pp", 3)], 1), []);
    assert_eq!(case(&[("pu", 0), ("pp", 7)], 0), [(p0, 1)]);
    // E011: sources are read once. If both outputs are the same predicate, the second write is for
    // pv.
    assert_eq!(case(&[("pu", 3), ("pv", 1), ("pp", 3)], 0), [(p3, 0), (p1, 0)]);
    assert_eq!(case(&[("pu", 0), ("pv", 0), ("pp", 3)], 1), [(p0, 1), (p0, 0)]);
}

#[test]
fn the_guard_decides_about_both_predicates() {
    let fields = [("pg", 3), ("pg.not", 1), ("pu", 0), ("pv", 1), ("ra", 255), ("vb", ONE)];
    let instruction = instruction("FSETP_RI", &fields, &[("cmp", "LT")]);
    for implementation in [&mut soft() as &mut dyn Subject, &mut hard()] {
        assert_eq!(written(implementation, &instruction, &[(Location::P(3), 1)]), Ok(vec![]));
        let both = Ok(vec![(Location::P(0), 1), (Location::P(1), 0)]);
        assert_eq!(written(implementation, &instruction, &[(Location::P(3), 0)]), both);
    }
}

/// Returns FCHK's result from the exponent fields, without APFloat.
fn check_by_field(a: u32, b: u32) -> u32 {
    let [ea, eb] = [a, b].map(|x| (x >> 23 & 0xff) as i32 - 127);
    let limits = ea <= -103 || ea >= 128 || eb <= -126 || eb >= 125 || ea - eb <= -125 || ea - eb >= 127;
    limits.into()
}

#[test]
fn check_looks_at_exponents() {
    let check = instruction("FCHK_RR", &[("pu", 0)], &[]);
    let mut implementation = soft();
    let mut p0 = |a, b| written(&mut implementation, &check, &[(R1, a), (R2, b)]).unwrap();
    // E189.
    assert_eq!(p0(ONE, NEG | ONE), [(Location::P(0), 0)]);
    assert_eq!(p0(ONE, 0x7e80_0000), [(Location::P(0), 1)]);
    for a in (0..512u32).map(|high| high << 23) {
        for b in (0..512u32).map(|high| high << 23) {
            for (a, b) in [(a, b), (a | 1, b), (a, b | 0x007f_ffff)] {
                assert_eq!(p0(a, b), [(Location::P(0), check_by_field(a, b))], "{a:08x} {b:08x}");
            }
        }
    }
    assert_eq!(written(&mut hard(), &check, &[(R1, 0), (R2, 0)]), Err(Answer::Unsupported));
}

fn lanes() -> impl Strategy<Value = Vec<[u32; 3]>> {
    let near = (operand(), -1i32..=1, any::<bool>());
    let near = near
        .prop_map(|(a, step, not)| [a, a.wrapping_add_signed(step) ^ u32::from(not) << 31, u32::from(not)]);
    let free = (operand(), operand(), 0..2u32).prop_map(|(a, b, p)| [a, b, p]);
    let lane = prop_oneof![free, near];
    proptest::collection::vec(lane, 48)
}

/// Checks that both implementations write the same values to each location.
fn agree(instruction: &Instruction, lanes: &[[u32; 3]]) -> Result<(), String> {
    let mut instruction = instruction.clone();
    let batch = lanes_of(&mut instruction, lanes);
    let (mut first, mut second) = (Effects::default(), Effects::default());
    assert_eq!(soft().execute(&batch, &mut first).unwrap(), Answer::Known);
    assert_eq!(hard().execute(&batch, &mut second).unwrap(), Answer::Known);
    assert_eq!(first.columns().len(), instruction.writes().len());
    let differs = (0..lanes.len()).find(|lane| !first.lane(*lane).eq(second.lane(*lane)));
    differs.map_or(Ok(()), |lane| Err(format!("{instruction:?} {:08x?}", lanes[lane])))
}

#[test]
fn the_voices_agree_in_every_form() {
    // The number of instructions is the number of modifier sets times that of forms and prefixes. A
    // form has 16 combinations of signs and bars on two operands, times 2 for `!`. A form with an
    // immediate has 4 combinations of sign and bars, times 2 for `!`.
    let forms = 3 * 16 * 2 + 4 * 2;
    for (optype, modes) in [("FMNMX", 4), ("FSETP", 2 * 14 * 3), ("FSET", 2 * 14 * 3 * 2), ("FSEL", 2)] {
        let all = everything(optype);
        assert_eq!(all.len(), modes * forms, "{optype}");
        holds(3, lanes(), |lanes| all.iter().try_for_each(|i| agree(i, &lanes)));
    }
}

#[test]
fn the_voices_agree_on_every_pair_of_edges() {
    let signed: Vec<u32> = EDGES.iter().flat_map(|e| [*e, e | NEG]).collect();
    let pairs = signed.iter().flat_map(|a| signed.iter().map(|b| [*a, *b]));
    let lanes: Vec<_> = pairs.flat_map(|[a, b]| [[a, b, 0], [a, b, 1]]).collect();
    for optype in ["FMNMX", "FSETP", "FSET", "FSEL"] {
        let all = everything(optype);
        let plain = all.iter().filter(|i| i.form().stype == "RR" && i.inputs().all(|o| !o.neg && !o.abs));
        plain.filter(|i| !i.flag("pp.not")).for_each(|i| agree(i, &lanes).unwrap());
    }
}

#[test]
fn check_in_every_form() {
    let all = everything("FCHK");
    assert_eq!(all.len(), 3 * 16 + 4);
    holds(64, lanes(), |lanes| {
        all.iter().try_for_each(|instruction| {
            let mut instruction = instruction.clone();
            let batch = lanes_of(&mut instruction, &lanes);
            let mut effects = Effects::default();
            soft().execute(&batch, &mut effects).unwrap();
            (0..lanes.len()).try_for_each(|lane| {
                let immediate = instruction.form().stype == "RI";
                let [a, b] = [lanes[lane][0], lanes[if immediate { 0 } else { lane }][1]];
                let expected = check_by_field(a, b);
                let result = effects.value(Location::P(0), lane);
                (result == Some(expected)).then_some(()).ok_or(format!("{instruction:?} {a:08x} {b:08x}"))
            })
        })
    });
}

/// Tests where a setting other than `intended` makes both implementations unsupported.
#[test]
fn departures() {
    type Case = (u16, &'static str, &'static [(&'static str, u32)], Names, bool);
    const FTZ: (&str, &str) = ("ftz", "FTZ");
    const PASS: (&str, &str) = ("nan", "NAN");
    const C009: u16 = Erratum::convention(9).0;
    const SAME: &[(&str, u32)] = &[("pu", 0), ("pv", 1), ("pp", 0)];
    const DISCARDED: &[(&str, u32)] = &[("pu", 0), ("pp", 0)];
    const LATER: &[(&str, u32)] = &[("pu", 0), ("pv", 1), ("pp", 1)];
    const NOTHING: &[(&str, u32)] = &[("pu", 7), ("pv", 1), ("pp", 7)];
    let cases: &[Case] = &[
        (8, "FSEL_RI", &[], &[], true),
        (8, "FSEL_RI", &[("pg", 2)], &[], false),
        (8, "FMNMX_RI", &[("pg.not", 1)], &[], false),
        (11, "FSETP_RI", SAME, &[], false),
        (11, "FSETP_RI", DISCARDED, &[], true),
        (11, "FSETP_RI", LATER, &[], true),
        (11, "FSETP_RI", NOTHING, &[], true),
        (12, "FSEL_RI", &[], &[], true),
        (12, "FSEL_RI", &[], &[FTZ], false),
        (12, "FSEL_RI", &[("ra", 255)], &[FTZ], true),
        (12, "FSETP_RU", &[("ra", 255), ("urb", 4)], &[FTZ], false),
        (12, "FSET_RC", &[("ra", 255), ("vb", 0x160)], &[FTZ], true),
        (183, "FMNMX_RI", &[], &[FTZ], false),
        (183, "FMNMX_RI", &[], &[], true),
        (183, "FMNMX_RI", &[], &[FTZ, PASS], true),
        (184, "FMNMX_RI", &[], &[], false),
        (184, "FSEL_RI", &[], &[], true),
        (185, "FSEL_RI", &[], &[], false),
        (185, "FMNMX_RI", &[], &[], true),
        (186, "FSEL_RI", &[], &[], true),
        (C009, "FMNMX_RI", &[], &[], false),
        (C009, "FMNMX_RI", &[], &[PASS], true),
        (C009, "FSEL_RI", &[], &[], true),
    ];
    for (erratum, form, fields, names, answers) in cases {
        let instruction = instruction(form, fields, names);
        assert_eq!(both_answer(*erratum, &instruction), *answers, "E{erratum:03} {instruction:?}");
    }
    let mut apfloat = ApFloat::new(EncodingTable::provisional().clone(), departing(189));
    assert!(!answers(&mut apfloat, &instruction("FCHK_RI", &[], &[])));
    for cmp in values_of::<FCMPOp>() {
        let [.., unordered] = table(instruction("FSET_RI", &[], &[("cmp", cmp)]).modifier("cmp").unwrap());
        let in_c = ["NE", "NEU", "NAN"].contains(&cmp);
        for form in ["FSET_RI", "FSETP_RI"] {
            let instruction = instruction(form, &[], &[("cmp", cmp)]);
            assert_eq!(both_answer(186, &instruction), unordered == in_c, "{form} {cmp}");
        }
    }
}

/// Returns whether the implementations answer under another setting of an erratum. Both must behave
/// alike.
fn both_answer(erratum: u16, instruction: &Instruction) -> bool {
    let (numbers, readings) = (EncodingTable::provisional(), departing(erratum));
    let first = answers(&mut ApFloat::new(numbers.clone(), readings), instruction);
    let second = answers(&mut HostCpu::new(numbers.clone(), readings), instruction);
    assert_eq!(first, second, "E{erratum:03} {instruction:?}");
    first
}
