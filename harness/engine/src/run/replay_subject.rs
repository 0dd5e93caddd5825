//! A subject that repeats recorded effects.
//!
//! It knows only its recorded cases. If a batch has any other case, even one that differs in one
//! bit of its word or inputs, the answer is `unsupported`. Every run counts this answer.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use assay_isa::{Answer, BackendError, Batch, Effects, Event, Location, Subject};

/// Cases that share an instruction, and their recorded effects.
#[derive(Clone, Debug)]
pub struct RecordedCases {
    /// The inputs.
    pub batch: Batch,
    /// The recorded effects.
    pub effects: Effects,
}

impl RecordedCases {
    /// Returns the record of one lane.
    pub fn of_lane(batch: &Batch, effects: &Effects, lane: usize) -> RecordedCases {
        let mut one = Effects::default();
        gather(&[(effects, lane)], &mut one);
        RecordedCases { batch: batch.single(lane), effects: one }
    }
}

/// The place of a recorded case: the index of its record, and its lane.
type RecordedPlace = (usize, usize);

/// The recorded cases of one instruction with the same set of input locations.
#[derive(Clone, Debug)]
struct CaseShape {
    locations: Vec<Location>,
    places: HashMap<Box<[u32]>, RecordedPlace>,
}

impl CaseShape {
    /// Whether a batch has values for exactly these locations.
    fn fits(&self, batch: &Batch) -> bool {
        self.locations.len() == batch.locations().len()
            && self.locations.iter().all(|location| batch.locations().contains(location))
    }

    /// The values of a lane in the order of the locations. The batch must have exactly these
    /// locations.
    fn key(&self, batch: &Batch, lane: usize) -> Box<[u32]> {
        let columns = self.locations.iter().filter_map(|location| batch.column(*location));
        columns.map(|column| column[lane]).collect()
    }
}

/// Recorded cases, indexed by word and inputs.
#[derive(Clone, Debug, Default)]
struct RecordIndex {
    records: Vec<RecordedCases>,
    shapes: HashMap<u128, Vec<CaseShape>>,
    contradiction: Option<Contradiction>,
}

/// A case that was recorded twice, with different results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The word of the instruction.
    pub word: u128,
    /// The inputs.
    pub inputs: Vec<(Location, u32)>,
}

impl RecordIndex {
    fn add(&mut self, record: RecordedCases) {
        let RecordedCases { batch, effects } = &record;
        let shapes = self.shapes.entry(batch.word()).or_default();
        let known = shapes.iter().position(|shape| shape.fits(batch));
        let shape = known.unwrap_or_else(|| {
            shapes.push(CaseShape { locations: batch.locations().to_vec(), places: HashMap::new() });
            shapes.len() - 1
        });
        for lane in 0..batch.len() {
            let key = shapes[shape].key(batch, lane);
            match shapes[shape].places.entry(key) {
                Entry::Vacant(place) => {
                    place.insert((self.records.len(), lane));
                }
                Entry::Occupied(known) => {
                    let (other, there) = *known.get();
                    let other = self.records.get(other).map_or(effects, |record| &record.effects);
                    if self.contradiction.is_none() && !is_same((other, there), (effects, lane)) {
                        let inputs = batch.lane(lane).collect();
                        self.contradiction = Some(Contradiction { word: batch.word(), inputs });
                    }
                }
            }
        }
        self.records.push(record);
    }

    /// Returns the record of each lane of a batch. `None` unless all lanes are recorded.
    fn find(&self, batch: &Batch) -> Option<Vec<(&Effects, usize)>> {
        let shape = self.shapes.get(&batch.word())?.iter().find(|shape| shape.fits(batch))?;
        let lane = |lane| {
            let (record, there) = shape.places.get(&shape.key(batch, lane))?;
            Some((&self.records[*record].effects, *there))
        };
        (0..batch.len()).map(lane).collect()
    }
}

/// A subject that repeats the recorded effects of these cases and knows no others. If a case was recorded twice, the
/// first record counts. Clones share the records.
#[derive(Clone, Debug)]
pub struct ReplaySubject {
    name: String,
    records: Arc<RecordIndex>,
}

impl ReplaySubject {
    /// A subject with these records, and its name in reports.
    pub fn new(name: String, all: impl IntoIterator<Item = RecordedCases>) -> ReplaySubject {
        let mut records = RecordIndex::default();
        all.into_iter().for_each(|record| records.add(record));
        ReplaySubject { name, records: Arc::new(records) }
    }

    /// The first case that was recorded again with another result, if there is one.
    pub fn contradiction(&self) -> Option<&Contradiction> {
        self.records.contradiction.as_ref()
    }
}

impl Subject for ReplaySubject {
    fn name(&self) -> &str {
        &self.name
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        let Some(found) = self.records.find(batch).filter(|found| !found.is_empty()) else {
            effects.reset(batch.len());
            return Ok(Answer::Unsupported);
        };
        gather(&found, effects);
        Ok(Answer::Known)
    }
}

/// Whether two lanes have the same effects.
fn is_same(a: (&Effects, usize), b: (&Effects, usize)) -> bool {
    let one = |place| {
        let mut one = Effects::default();
        gather(&[place], &mut one);
        let mut writes: Vec<_> = one.lane(0).collect();
        writes.sort_unstable();
        (writes, one.events().to_vec(), one.undefined().to_vec())
    };
    one(a) == one(b)
}

/// Copies the effects of lanes of several batches to the lanes of one batch.
fn gather(lanes: &[(&Effects, usize)], to: &mut Effects) {
    to.reset(lanes.len());
    let mut locations: Vec<Location> = Vec::new();
    for (location, _) in lanes.iter().flat_map(|(effects, lane)| effects.lane(*lane)) {
        if !locations.contains(&location) {
            locations.push(location);
        }
    }
    for location in locations {
        let values: Vec<_> = lanes.iter().map(|(effects, lane)| effects.value(location, *lane)).collect();
        let written: Vec<bool> = values.iter().map(Option::is_some).collect();
        let column = to.write(location, written.into());
        column.iter_mut().zip(values).for_each(|(to, value)| *to = value.unwrap_or_default());
    }
    for (into, (effects, lane)) in lanes.iter().enumerate() {
        let events: Vec<Event> =
            effects.events().iter().filter(|(of, _)| of == lane).map(|(_, event)| *event).collect();
        events.into_iter().for_each(|event| to.event(into, event));
        let undefined = effects.undefined().iter().filter(|(of, _)| of == lane);
        undefined.for_each(|(_, erratum)| to.undefine(into, *erratum));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_isa::effect::{Action, Lanes};
    use proptest::prelude::*;

    const PLACES: [Location; 2] = [Location::R(1), Location::R(2)];

    /// Three cases, of which the second writes nothing and the third has an event.
    fn record(inputs: [u32; 3]) -> RecordedCases {
        let mut batch = Batch::new(5, &PLACES, 3);
        batch.column_mut(0).copy_from_slice(&inputs);
        batch.column_mut(1).copy_from_slice(&[7, 8, 9]);
        let mut effects = Effects::default();
        effects.reset(3);
        let written = Lanes::Some(vec![true, false, true]);
        effects.write(Location::R(0), written).copy_from_slice(&[100, 0, 300]);
        effects.event(2, Event::Executed(Action::Nop));
        RecordedCases { batch, effects }
    }

    fn answer(subject: &mut ReplaySubject, batch: &Batch) -> (Answer, Effects) {
        let mut effects = Effects::default();
        (subject.execute(batch, &mut effects).unwrap(), effects)
    }

    #[test]
    fn records_answer_for_themselves_alone() {
        let known = record([10, 20, 30]);
        let mut subject = ReplaySubject::new("trace:x".into(), [known.clone()]);
        assert_eq!(subject.contradiction(), None);
        let (said, effects) = answer(&mut subject, &known.batch);
        assert_eq!((said, effects), (Answer::Known, known.effects.clone()));
        let other = |change: &dyn Fn(&mut Batch)| {
            let mut batch = known.batch.clone();
            change(&mut batch);
            batch
        };
        let word = known.batch.with_word(6);
        let value = other(&|batch| batch.column_mut(1)[2] = 10);
        let mut more = Batch::new(5, &[PLACES[0], PLACES[1], Location::R(3)], 3);
        (0..2).for_each(|place| {
            let column = known.batch.column(PLACES[place]).unwrap().to_vec();
            more.column_mut(place).copy_from_slice(&column);
        });
        let mut fewer = Batch::new(5, &PLACES[..1], 3);
        fewer.column_mut(0).copy_from_slice(&[10, 20, 30]);
        for batch in [word, value, more, fewer] {
            let (said, effects) = answer(&mut subject, &batch);
            assert_eq!((said, effects.columns().len()), (Answer::Unsupported, 0), "{batch:?}");
        }
    }

    #[test]
    fn a_case_may_come_again_with_the_same_result_only() {
        let again = [record([10, 20, 30]), record([30, 20, 10]), record([10, 20, 30])];
        // The third lane of the second record has the same R1 as the first lane of the first
        // record, and another R2.
        assert_eq!(ReplaySubject::new("x".into(), again).contradiction(), None);
        let mut other = record([40, 20, 50]);
        other.effects.event(1, Event::Executed(Action::Nop));
        let subject = ReplaySubject::new("x".into(), [record([10, 20, 30]), other]);
        let inputs = vec![(PLACES[0], 20), (PLACES[1], 8)];
        assert_eq!(subject.contradiction(), Some(&Contradiction { word: 5, inputs }));
        // Within a record, too.
        let mut twice = record([10, 20, 10]);
        twice.batch.column_mut(1)[2] = 7;
        assert!(ReplaySubject::new("x".into(), [twice]).contradiction().is_some());
    }

    proptest! {
        #[test]
        fn any_selection_of_lanes_does_what_was_recorded(
            picks in prop::collection::vec((0..2usize, 0..3usize), 1..9),
            swapped in any::<bool>(),
        ) {
            let records = [record([10, 20, 30]), record([11, 21, 31])];
            let mut subject = ReplaySubject::new("trace:x".into(), records.clone());
            let places = if swapped { [PLACES[1], PLACES[0]] } else { PLACES };
            let mut batch = Batch::new(5, &places, picks.len());
            for (place, location) in places.iter().enumerate() {
                let of = |(record, lane): &(usize, usize)| records[*record].batch.column(*location).unwrap()[*lane];
                let values: Vec<u32> = picks.iter().map(of).collect();
                batch.column_mut(place).copy_from_slice(&values);
            }
            let (said, effects) = answer(&mut subject, &batch);
            prop_assert_eq!(said, Answer::Known);
            for (lane, (record, there)) in picks.iter().enumerate() {
                prop_assert!(is_same((&effects, lane), (&records[*record].effects, *there)));
            }
        }
    }
}
