//! Tests locations that each lane selects itself: which columns the lanes need, and which columns
//! they write.

use assay_isa::effect::{Fault, Lanes};
use assay_isa::truth::TruthValues;
use assay_isa::{BackendError, Batch, Event, Location, Oracle, Readings, Truths};

use super::batch;
use super::text::assembled;
use crate::MpfrOracle;
use Location::{G, P, R, UP, UR};

fn truths(text: &str, batch: &Batch) -> Result<Truths, BackendError> {
    let mut truths = Truths::default();
    MpfrOracle::new(Readings::INTENDED).truth(&assembled(text), batch, 64, &mut truths)?;
    Ok(truths)
}

/// Returns the location whose column the instruction reports as missing.
fn missing(text: &str, columns: &[(Location, &[u32])]) -> Location {
    match truths(text, &batch(columns)) {
        Err(BackendError::MissingLocation(location)) => location,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn a_lane_needs_what_it_reaches() {
    let word = |offset| Location::C { bank: 2, offset };
    let bases = (UR(1), &[0x10, 0x20, 0x40000][..]);
    let load = "@UP0 ULDC UR0, c[0x2][UR1]";
    let columns = [bases, (word(0x10), &[7, 8, 9]), (UP(0), &[1, 1, 1])];
    assert_eq!(missing(load, &columns), word(0x20));
    // A lane that does not execute, or that faults, needs no column.
    let truths = truths(load, &batch(&[columns[0], columns[1], (UP(0), &[1, 0, 1])])).unwrap();
    let [column] = truths.columns() else { panic!("{truths:?}") };
    assert_eq!(column.written, Lanes::Some(vec![true, false, false]));
    assert_eq!(truths.events(), [(2, Event::Fault(Fault::BeyondBank))]);
    // A wide load also needs the columns of its other words.
    let one = [(UR(1), &[0x10][..]), (word(0x10), &[7])];
    assert_eq!(missing("ULDC.64 UR[2:3], c[0x2][UR1]", &one), word(0x14));
    assert_eq!(missing("GETREG R0, R1", &[(R(1), &[5, 6]), (G(5), &[0, 0])]), G(6));
    assert_eq!(missing("GETUGPR UR0, UR[UR1]", &[(UR(1), &[1, 63, 9])]), UR(9));
    assert_eq!(missing("GETUGPR UR0, UR[UR1]", &[]), UR(1));
}

#[test]
fn a_discarded_load_needs_nothing_and_faults_all_the_same() {
    let truths = truths("ULDC URZ, c[0x2][UR1]", &batch(&[(UR(1), &[0x10, 0x11])])).unwrap();
    assert!(truths.columns().is_empty());
    assert_eq!(truths.events(), [(1, Event::Fault(Fault::Misaligned))]);
}

/// Returns the columns: the location, and the index and value of each lane that writes it.
fn written(truths: &Truths) -> Vec<(Location, Vec<(usize, u32)>)> {
    let lanes = |written: &Lanes, values: &[u32]| {
        values.iter().copied().enumerate().filter(|(lane, _)| written.contains(*lane)).collect()
    };
    truths
        .columns()
        .iter()
        .map(|column| match &column.values {
            TruthValues::Bits(values) => (column.location, lanes(&column.written, values)),
            TruthValues::Reals { .. } => panic!("{truths:?}"),
        })
        .collect()
}

#[test]
fn lanes_write_to_places_of_their_own() {
    let indices = (UR(1), &[3, 5, 3, 63, 64][..]);
    let values = (UR(2), &[10, 11, 12, 13, 14][..]);
    let actual = truths("SETUGPR UR[UR1], UR2", &batch(&[indices, values])).unwrap();
    assert_eq!(written(&actual), [(UR(3), vec![(0, 10), (2, 12)]), (UR(5), vec![(1, 11)])]);
    assert_eq!(actual.events(), [(4, Event::Fault(Fault::RegisterIndex))]);
    let columns = [(R(1), &[8, 8, 0][..]), (R(2), &[1, 2, 3]), (P(0), &[0, 1, 1])];
    let actual = truths("@P0 SETREG R1, R2", &batch(&columns)).unwrap();
    assert_eq!(written(&actual), [(G(0), vec![(2, 3)]), (G(8), vec![(1, 2)])]);
    let actual = truths("SETREG 0x8, R2", &batch(&columns[1..])).unwrap();
    assert_eq!(written(&actual), [(G(8), vec![(0, 1), (1, 2), (2, 3)])]);
    assert_eq!(actual.columns()[0].written, Lanes::All);
}

#[test]
fn only_lanes_that_execute_have_an_event() {
    let actual = truths("@!P0 SWITCH R1", &batch(&[(R(1), &[8, 9]), (P(0), &[1, 0])])).unwrap();
    assert_eq!(actual.events().len(), 1);
    assert_eq!(actual.event_of(1), Some(&Event::Executed(assay_isa::effect::Action::Switch(9))));
}
