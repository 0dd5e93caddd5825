//! Tests writes to sources (E012), and reads after a write (E011).

use assay_isa::{Instruction, Location, Oracle, Readings, Truths};

use super::{batch, instruction, readings, written};
use crate::MpfrOracle;
use Location::{P, R, UR};

const ONE: u32 = 0x3f80_0000;
const TWO: u32 = 0x4000_0000;
const MINUS_ZERO: u32 = 0x8000_0000;
const TINY: u32 = 1;
const NAN: u32 = 0x7fc0_0000;

/// Returns an instruction with some fields set.
fn with(text: &str, fields: &[(&str, u32)]) -> Instruction {
    let mut instruction = instruction(text);
    fields.iter().for_each(|(field, value)| instruction.set(field, *value));
    instruction
}

/// Returns the truth of one lane with these values.
fn truths(readings: &Readings, instruction: &Instruction, values: &[(Location, u32)]) -> Truths {
    let columns: Vec<(Location, &[u32])> =
        values.iter().map(|(location, value)| (*location, std::slice::from_ref(value))).collect();
    let mut truths = Truths::default();
    MpfrOracle::new(*readings).truth(instruction, &batch(&columns), 64, &mut truths).unwrap();
    truths
}

/// The instruction, its fields, the values that it reads, and all values that it writes.
type Row<'a> = (&'a str, &'a [(&'a str, u32)], &'a [(Location, u32)], &'a [(Location, u32)]);

fn check(settings: &[&str], rows: &[Row]) {
    for (text, fields, values, expected) in rows {
        let truths = truths(&readings(settings), &with(text, fields), values);
        let actual: Vec<(Location, u32)> = truths
            .columns()
            .iter()
            .filter_map(|column| Some((column.location, written(&truths, column.location, 0)?)))
            .collect();
        assert_eq!(actual, *expected, "{text} {fields:?} {values:x?} under {settings:?}");
    }
}

#[test]
fn e012_flushed_sources() {
    let rows: &[Row] = &[
        ("FADD_RR.FTZ", &[], &[(R(1), TINY), (R(2), ONE)], &[(R(0), ONE), (R(1), 0)]),
        ("FADD_RR.FTZ", &[], &[(R(1), ONE), (R(2), ONE)], &[(R(0), TWO)]),
        ("FADD_RR", &[], &[(R(1), TINY), (R(2), ONE)], &[(R(0), ONE)]),
        // The assigned value includes the prefixes.
        ("FADD_RR.FTZ", &[("ra.neg", 1)], &[(R(1), TINY), (R(2), ONE)], &[(R(0), ONE), (R(1), MINUS_ZERO)]),
        // Only general and uniform registers are overwritten.
        ("FADD_RU.FTZ", &[], &[(R(1), ONE), (UR(2), TINY)], &[(R(0), ONE), (UR(2), 0)]),
        ("FADD_RI.FTZ", &[("vb", TINY)], &[(R(1), ONE)], &[(R(0), ONE)]),
        (
            "FADD_RC.FTZ",
            &[("vb", 8)],
            &[(R(1), ONE), (Location::C { bank: 0, offset: 8 }, TINY)],
            &[(R(0), ONE)],
        ),
        // If two operands are the same register, the value for the last one counts. If an operand
        // is also the destination, the result counts.
        ("FADD_RR.FTZ", &[("rb", 1), ("ra.neg", 1)], &[(R(1), TINY)], &[(R(0), 0), (R(1), 0)]),
        ("FADD_RR.FTZ", &[("rb", 1), ("rb.neg", 1)], &[(R(1), TINY)], &[(R(0), 0), (R(1), MINUS_ZERO)]),
        ("FADD_RR.FTZ", &[("rd", 1)], &[(R(1), TINY), (R(2), TINY)], &[(R(1), 0), (R(2), 0)]),
        // If the result is discarded, the sources are overwritten nevertheless.
        ("FADD_RR.FTZ", &[("rd", 255)], &[(R(1), TINY), (R(2), ONE)], &[(R(1), 0)]),
        ("FMUL_RR.FTZ.D8", &[], &[(R(1), 0x0080_0000), (R(2), ONE)], &[(R(0), 0)]),
        (
            "FFMA_RRR.FTZ",
            &[],
            &[(R(1), TINY), (R(2), TINY), (R(3), ONE)],
            &[(R(0), ONE), (R(1), 0), (R(2), 0)],
        ),
        ("FSETP_RR.FTZ.EQ.AND", &[], &[(R(1), TINY), (R(2), 0), (P(3), 1)], &[(P(0), 1), (R(1), 0)]),
        ("FSET_RR.FTZ.EQ.AND", &[], &[(R(1), 0), (R(2), TINY), (P(3), 1)], &[(R(0), u32::MAX), (R(2), 0)]),
        ("FSEL_RR.FTZ", &[], &[(R(1), TINY), (R(2), TINY), (P(3), 1)], &[(R(0), 0), (R(1), 0), (R(2), 0)]),
        ("FMNMX_RR.FTZ", &[], &[(R(1), TINY), (R(2), ONE), (P(3), 1)], &[(R(0), 0), (R(1), 0)]),
        ("FMNMX_RR.FTZ", &[], &[(R(1), TINY), (R(2), NAN), (P(3), 1)], &[(R(0), 0), (R(1), 0)]),
        ("FCHK_RR", &[], &[(R(1), TINY), (R(2), ONE)], &[(P(0), 1)]),
        // A lane whose guard is false writes nothing.
        ("FADD_RR.FTZ", &[("pg", 4)], &[(R(1), TINY), (R(2), ONE), (P(4), 0)], &[]),
    ];
    check(&["E012=1"], rows);
    let destinations = |row: &Row| -> Vec<(Location, u32)> {
        let writes = with(row.0, row.1).writes();
        row.3.iter().filter(|(location, _)| writes.contains(location)).copied().collect()
    };
    for row in rows {
        check(&["E012=2"], &[(row.0, row.1, row.2, &destinations(row))]);
    }
}

#[test]
fn e012_with_other_readings() {
    let ffma: &[_] = &[(R(1), ONE), (R(2), ONE), (R(3), TINY)];
    check(&["E012=1", "E179=1"], &[("FFMA_RRR.FTZ", &[], ffma, &[(R(0), ONE)])]);
    check(&["E012=1", "E179=2"], &[("FFMA_RRR.FTZ", &[], ffma, &[(R(0), ONE), (R(3), 0)])]);
    // The result is undefined, but the source is overwritten nevertheless.
    check(&["E012=1", "E177=1"], &[("FFMA_RRR.FTZ", &[], ffma, &[(R(3), 0)])]);
    let beside_nan: &[_] = &[(R(1), TINY), (R(2), NAN), (P(3), 1)];
    check(&["E012=1", "E183=1"], &[("FMNMX_RR.FTZ", &[], beside_nan, &[(R(0), TINY)])]);
    check(
        &["E012=1", "E008=2"],
        &[("FADD_RR.FTZ", &[("pg", 4)], &[(R(1), TINY), (R(2), ONE), (P(4), 0)], &[(R(0), ONE), (R(1), 0)])],
    );
}

#[test]
fn e012_complement_of_flo() {
    let negative: &[_] = &[(R(1), 0xffff_fff0)];
    let row = |expected| -> Vec<Row> { vec![("FLO_R.S32", &[], negative, expected)] };
    check(&["E012=1"], &row(&[(R(0), 3), (R(1), 0xf)]));
    check(&["E012=2"], &row(&[(R(0), 3)]));
    check(&["E012=1", "E052=1"], &row(&[(R(0), 4)]));
    let rows: &[Row] = &[
        ("FLO_R.U32", &[], negative, &[(R(0), 31)]),
        ("FLO_R.S32", &[], &[(R(1), 0xf)], &[(R(0), 3)]),
        ("FLO_R.S32", &[("rb.bitnot", 1)], &[(R(1), 0xf)], &[(R(0), 3), (R(1), 0xf)]),
        ("FLO_R.S32", &[("rb", 0)], &[(R(0), 0xffff_fff0)], &[(R(0), 3)]),
        ("FLO_U.S32", &[], &[(UR(1), 0xffff_fff0)], &[(R(0), 3), (UR(1), 0xf)]),
    ];
    check(&["E012=1"], rows);
    let zero: &[Row] = &[("FLO_R.S32", &[], &[(R(1), 0)], &[(R(0), 31), (R(1), u32::MAX)])];
    check(&["E012=1", "E050=1", "E051=1"], zero);
    check(&["E012=1", "E050=2", "E051=1"], &[("FLO_R.S32", &[], &[(R(1), 0)], &[(R(0), u32::MAX)])]);
}

#[test]
fn e011_flo_searches_its_own_destination() {
    /// The instruction, its fields, and the register's value. Then come the result if the register
    /// is read again after the write, and the result if it is read once.
    type Case<'a> = (&'a str, &'a [(&'a str, u32)], u32, u32, u32);
    let cases: [Case; 8] = [
        ("FLO_R.U32", &[("rb", 1)], 1, 31, 0),
        ("FLO_R.U32.SH", &[("rb", 1)], 1, 0, 31),
        ("FLO_R.U32", &[("rb", 1), ("rb.bitnot", 1)], 1, u32::MAX, 31),
        ("FLO_R.S32", &[("rb", 1)], 0xffff_fff0, 31, 3),
        // The test for zero uses the old value of the register.
        ("FLO_R.U32", &[("rb", 1)], 0, u32::MAX, u32::MAX),
        ("FLO_R.U32", &[("rb", 1), ("rb.bitnot", 1)], u32::MAX, u32::MAX, u32::MAX),
        // RZ as a source never counts as the destination RZ.
        ("FLO_R.U32", &[("rb", 255)], 0, u32::MAX, u32::MAX),
        ("FLO_R.S32", &[("rb", 1)], 7, 31, 2),
    ];
    for (text, fields, register, again, once) in cases {
        let fields: Vec<_> = [&[("rd", 1)], fields].concat();
        for (setting, expected) in [("E011=1", again), ("E011=2", once)] {
            check(&[setting], &[(text, &fields, &[(R(1), register)], &[(R(1), expected)])]);
        }
    }
    check(&["E011=1", "E050=1"], &[("FLO_R.U32", &[("rd", 1)], &[(R(1), 0)], &[(R(1), 31)])]);
    let complemented: &[_] = &[("rd", 1), ("rb.bitnot", 1)];
    check(&["E011=1", "E053=1"], &[("FLO_R.U32.SH", complemented, &[(R(1), 1)], &[(R(1), 32)])]);
    check(&["E011=1"], &[("FLO_U.U32", &[("rd", 1)], &[(UR(1), 1)], &[(R(1), 0)])]);
    check(&["E011=1"], &[("FLO_R.U32", &[("rd", 255), ("rb", 255)], &[], &[])]);
}

#[test]
fn e011_fsetp_reads_its_first_output() {
    let operands = |p: u32| [(R(1), ONE), (R(2), 0), (P(0), p), (P(1), p)];
    // 1.0 < 0.0 is false, so pu gets false AND pp, and pv gets true AND pp.
    /// The fields, and the old value of the predicates. Then come the writes if the predicates are
    /// read again, and the writes if they are read once.
    type Case<'a> = (&'a [(&'a str, u32)], u32, &'a [(Location, u32)], &'a [(Location, u32)]);
    let rows: &[Case] = &[
        (&[("pp", 0), ("pv", 1)], 1, &[(P(0), 0), (P(1), 0)], &[(P(0), 0), (P(1), 1)]),
        (&[("pp", 0), ("pv", 1), ("pp.not", 1)], 0, &[(P(0), 0), (P(1), 1)], &[(P(0), 0), (P(1), 1)]),
        (&[("pp", 0), ("pv", 1), ("pp.not", 1)], 1, &[(P(0), 0), (P(1), 1)], &[(P(0), 0), (P(1), 0)]),
        // E011 has no effect if `pp` is another predicate or PT.
        (&[("pp", 1), ("pv", 1)], 1, &[(P(0), 0), (P(1), 1)], &[(P(0), 0), (P(1), 1)]),
        (&[("pp", 7), ("pu", 7), ("pv", 1)], 0, &[(P(1), 1)], &[(P(1), 1)]),
        // If both outputs are the same predicate, the second one is written last.
        (&[("pp", 0), ("pu", 0), ("pv", 0)], 1, &[(P(0), 0)], &[(P(0), 1)]),
        (&[("pp", 7), ("pu", 0), ("pv", 0)], 0, &[(P(0), 1)], &[(P(0), 1)]),
    ];
    for (fields, p, again, once) in rows {
        for (setting, expected) in [("E011=1", again), ("E011=2", once)] {
            check(&[setting], &[("FSETP_RR.LT.AND", fields, &operands(*p), expected)]);
        }
    }
}
