//! The values that the lanes of a batch read: one feed for each source of the instruction.

use crate::batch::Batch;
use crate::execute::Lane;
use crate::instruction::{Instruction, Operand, Predicate, Source};
use crate::location::Location;

/// The values of a source for each lane. A location without a column reads 0.
#[derive(Clone, Copy, Debug)]
enum Feed<'a> {
    Same(u32),
    Column(&'a [u32]),
}

impl<'a> Feed<'a> {
    fn new(source: Source, batch: &Batch<'a>) -> Feed<'a> {
        match source {
            Source::Value(bits) => Feed::Same(bits),
            Source::Place(place) => batch
                .locations
                .iter()
                .position(|location| *location == place)
                .and_then(|column| batch.values.get(column * batch.lanes..(column + 1) * batch.lanes))
                .map_or(Feed::Same(0), Feed::Column),
        }
    }

    fn get(&self, lane: usize) -> u32 {
        match self {
            Feed::Same(bits) => *bits,
            Feed::Column(values) => values.get(lane).copied().unwrap_or(0),
        }
    }
}

/// The values of all sources of an instruction.
#[derive(Debug)]
pub(crate) struct Feeds<'a> {
    words: [Feed<'a>; 5],
    truths: [(Feed<'a>, bool); 4],
    predicates: Vec<Feed<'a>>,
}

impl<'a> Feeds<'a> {
    pub(crate) fn new(i: &Instruction, batch: &Batch<'a>) -> Feeds<'a> {
        let low = |operand: &Operand| Feed::new(operand.source, batch);
        let high = |operand: &Operand| operand.high.map_or(Feed::Same(0), |source| Feed::new(source, batch));
        let truth = |predicate: &Predicate| (Feed::new(predicate.source, batch), predicate.not);
        let packed = if i.packs { 7 } else { 0 };
        Feeds {
            words: [low(&i.a), low(&i.b), high(&i.b), low(&i.c), high(&i.c)],
            truths: [truth(&i.guard), truth(&i.p), truth(&i.q), truth(&i.r)],
            predicates: (0..packed).map(|n| Feed::new(Source::Place(Location::up(n)), batch)).collect(),
        }
    }

    fn truth(&self, which: usize, lane: usize) -> bool {
        self.truths.get(which).is_some_and(|(feed, not)| (feed.get(lane) & 1 == 1) != *not)
    }

    /// Whether a lane executes.
    pub(crate) fn guard(&self, lane: usize) -> bool {
        self.truth(0, lane)
    }

    /// Returns the operands of a lane.
    pub(crate) fn lane(&self, lane: usize) -> Lane {
        let [a, b, b_high, c, c_high] = self.words.each_ref().map(|feed| feed.get(lane));
        let bit = |(n, feed): (usize, &Feed)| (feed.get(lane) & 1) << n;
        Lane {
            a,
            b,
            b_high,
            c,
            c_high,
            p: self.truth(1, lane),
            q: self.truth(2, lane),
            r: self.truth(3, lane),
            predicates: self.predicates.iter().enumerate().map(bit).sum(),
        }
    }
}
