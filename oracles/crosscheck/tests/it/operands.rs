//! Tests where operands come from and where results go: every source, prefixes, RZ, PT, guards, and
//! shared registers.

use crate::support::{batch, instruction, run};
use assay_crosscheck::ApFloat;
use assay_isa::{BackendError, Batch, Effects, EncodingTable, Location, Readings, Subject};

const ONE: u32 = 0x3f80_0000;
const TWO: u32 = 0x4000_0000;
const THREE: u32 = 0x4040_0000;
const NEG: u32 = 0x8000_0000;

fn implementation() -> ApFloat {
    ApFloat::new(EncodingTable::provisional().clone(), Readings::INTENDED)
}

/// The form, its fields, its inputs, and the value of R0 afterwards.
type Row = (&'static str, &'static [(&'static str, u32)], &'static [(Location, u32)], Option<u32>);

#[test]
fn every_source_reaches_its_operand() {
    const C: Location = Location::C { bank: 3, offset: 0x160 };
    const CMEM: u32 = 3 << 17 | 0x160;
    const R1: Location = Location::R(1);
    const R2: Location = Location::R(2);
    const R3: Location = Location::R(3);
    const UR4: Location = Location::UR(4);
    let rows: &[Row] = &[
        ("FADD_RR", &[], &[(R1, ONE), (R2, TWO)], Some(THREE)),
        ("FADD_RU", &[("urb", 4)], &[(R1, ONE), (UR4, TWO)], Some(THREE)),
        ("FADD_RI", &[("vb", TWO)], &[(R1, ONE)], Some(THREE)),
        ("FADD_RC", &[("vb", CMEM)], &[(R1, ONE), (C, TWO)], Some(THREE)),
        ("FMUL_RC", &[("vb", CMEM), ("vb.neg", 1)], &[(R1, ONE), (C, TWO)], Some(TWO | NEG)),
        // a·b + c with 2, 1 and 1: the result is 3 only if each operand is in its place.
        ("FFMA_RRI", &[("vc", ONE)], &[(R1, ONE), (R2, TWO)], Some(THREE)),
        ("FFMA_RIR", &[("vb", TWO)], &[(R1, ONE), (R3, ONE)], Some(THREE)),
        ("FFMA_RRU", &[("urc", 4), ("urc.neg", 1)], &[(R1, ONE), (R2, TWO), (UR4, ONE)], Some(ONE)),
        ("FFMA_RUR", &[("urb", 4), ("urb.neg", 1)], &[(R1, ONE), (UR4, TWO), (R3, THREE)], Some(ONE)),
        ("FFMA_RRC", &[("vc", CMEM), ("rb.neg", 1)], &[(R1, ONE), (R2, TWO), (C, THREE)], Some(ONE)),
        ("FFMA_RCR", &[("vb", CMEM), ("rc", 1)], &[(R1, ONE), (C, TWO)], Some(THREE)),
        // The absolute value is applied first (E175). Both prefixes act on zeros too, and on RZ and
        // URZ.
        ("FMUL_RI", &[("vb", ONE), ("ra.neg", 1), ("ra.abs", 1)], &[(R1, ONE | NEG)], Some(ONE | NEG)),
        ("FMUL_RI", &[("vb", ONE), ("ra.abs", 1)], &[(R1, TWO | NEG)], Some(TWO)),
        ("FADD_RR", &[("ra", 255), ("rb", 255)], &[], Some(0)),
        ("FADD_RR", &[("ra", 255), ("rb", 255), ("ra.neg", 1), ("rb.neg", 1)], &[], Some(NEG)),
        ("FADD_RU", &[("urb", 63), ("urb.neg", 1)], &[(R1, NEG)], Some(NEG)),
        // One register is the source of both operands and the destination.
        ("FADD_RR", &[("ra", 0), ("rb", 0)], &[(Location::R(0), ONE)], Some(TWO)),
    ];
    for (form, fields, inputs, expected) in rows {
        let result = run(&mut implementation(), &instruction(form, fields, &[]), inputs);
        assert_eq!(result, Ok(*expected), "{form} {fields:?}");
    }
}

#[test]
fn the_guard_decides_lane_by_lane() {
    let columns = [(Location::P(2), vec![0, 1, 0, 1]), (Location::R(1), vec![ONE, ONE, TWO, TWO])];
    for (not, expected) in [(0, [None, Some(ONE), None, Some(TWO)]), (1, [Some(ONE), None, Some(TWO), None])]
    {
        let instruction = instruction("FADD_RI", &[("pg", 2), ("pg.not", not), ("vb", NEG)], &[]);
        let mut effects = Effects::default();
        implementation().execute(&batch(&instruction, &columns), &mut effects).unwrap();
        assert_eq!([0, 1, 2, 3].map(|lane| effects.value(Location::R(0), lane)), expected);
    }
    let never = instruction("FADD_RI", &[("pg.not", 1), ("vb", ONE)], &[]);
    assert_eq!(run(&mut implementation(), &never, &[(Location::R(1), ONE)]), Ok(None));
}

#[test]
fn a_result_for_rz_goes_nowhere() {
    let instruction = instruction("FADD_RI", &[("rd", 255), ("vb", ONE)], &[]);
    let mut effects = Effects::default();
    implementation().execute(&batch(&instruction, &[(Location::R(1), vec![ONE])]), &mut effects).unwrap();
    assert!(effects.columns().is_empty() && effects.len() == 1);
}

#[test]
fn a_bad_batch_is_an_error_of_the_voice() {
    let instruction = instruction("FADD_RR", &[], &[]);
    let short = batch(&instruction, &[(Location::R(1), vec![ONE])]);
    let missing = implementation().execute(&short, &mut Effects::default());
    assert!(matches!(missing, Err(BackendError::MissingLocation(Location::R(2)))));
    for mut implementation in assay_crosscheck::all(EncodingTable::provisional(), Readings::INTENDED) {
        let illegal = implementation.execute(&Batch::new(u128::MAX, &[], 1), &mut Effects::default());
        assert!(matches!(illegal, Err(BackendError::Decode(_))), "{}", implementation.name());
    }
}
