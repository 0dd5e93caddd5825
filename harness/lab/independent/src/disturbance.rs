//! Faults that depend on the lane, the batch, or earlier batches. A sound device has none.

use core::sync::atomic::{AtomicU32, Ordering};

use crate::batch::Batch;
use crate::codes::Optype;
use crate::execute::{Lane, LaneOutcome};
use crate::fault::{Active, Fault};
use crate::feeds::Feeds;
use crate::float::Rounding;
use crate::instruction::{Instruction, Operand, Source};
use crate::location::Location;

/// The rounding mode that all devices share under [`Fault::ThreadsShareRounding`].
static SHARED_ROUNDING: AtomicU32 = AtomicU32::new(0);

/// Twice the number of the handle that ran last, plus 1 if its instruction had `.SAT`
/// ([`Fault::HandlesShareSat`]).
static SHARED_SAT: AtomicU32 = AtomicU32::new(0);

/// The number of the next handle.
static HANDLES: AtomicU32 = AtomicU32::new(1);

/// The state that a faulty device keeps between batches.
#[derive(Debug)]
pub(crate) struct Disturbance {
    active: Active,
    handle: u32,
    batches: u64,
    last_rounding: Rounding,
    rounding_before: Rounding,
    flushed_before: bool,
    saturated_before: bool,
    optype_before: Option<Optype>,
    /// A constant that an earlier batch read, and its value in lane 0.
    cached: Option<(Location, u32)>,
}

impl Disturbance {
    pub(crate) fn new(active: Active) -> Disturbance {
        Disturbance {
            active,
            handle: HANDLES.fetch_add(1, Ordering::Relaxed),
            batches: 0,
            last_rounding: Rounding::Nearest,
            rounding_before: Rounding::Nearest,
            flushed_before: false,
            saturated_before: false,
            optype_before: None,
            cached: None,
        }
    }

    fn has(&self, fault: Fault) -> bool {
        self.active.has(fault)
    }

    /// Records a batch, and changes modifiers as a fault demands for the whole batch.
    pub(crate) fn begin(&mut self, i: &mut Instruction, batch: &Batch) {
        self.batches += 1;
        let (ftz, sat, rounding) = (i.m.ftz, i.m.sat, i.m.rounding);
        if is_arithmetic(i.info.optype) {
            i.m.ftz |= (self.has(Fault::LargeBatchFlushes) && batch.lanes > 512)
                || (self.has(Fault::FtzLeaks) && self.flushed_before)
                || (self.has(Fault::LateBatchesFlush) && self.batches > 10_000);
            i.m.ftz &= !(self.has(Fault::SingleLaneIgnoresFtz) && batch.lanes == 1);
            let changed = self.optype_before.is_some_and(|optype| optype != i.info.optype);
            i.m.sat |= self.has(Fault::OptypeChangeKeepsSat) && changed && self.saturated_before;
            if self.has(Fault::HandlesShareSat) {
                let own = self.handle * 2 + u32::from(sat);
                let last = SHARED_SAT.swap(own, Ordering::SeqCst);
                i.m.sat |= last / 2 != self.handle && last & 1 == 1;
            }
            if self.has(Fault::ThousandthBatchTruncates) && self.batches.is_multiple_of(1000) {
                i.m.rounding = Rounding::Zero;
            }
            if self.has(Fault::ThreadsShareRounding) {
                SHARED_ROUNDING.store(rounding as u32, Ordering::SeqCst);
            }
        }
        self.rounding_before = self.last_rounding;
        self.last_rounding = rounding;
        self.flushed_before = ftz;
        self.saturated_before = sat;
        self.optype_before = Some(i.info.optype);
    }

    /// Returns the lane from which a lane takes its operands.
    pub(crate) fn source_lane(&self, lane: usize, lanes: usize) -> usize {
        match lane {
            _ if self.has(Fault::LastLaneRepeats) && lanes > 1 && lane + 1 == lanes => lane - 1,
            _ if self.has(Fault::WarpEndRepeats) && lane % 32 == 31 => lane - 1,
            _ => lane,
        }
    }

    /// Returns the lane from which a lane takes its guard.
    pub(crate) fn guard_lane(&self, i: &Instruction, lane: usize) -> usize {
        match lane {
            _ if self.has(Fault::GuardMaskSixtyFour) => lane % 64,
            _ if self.has(Fault::UniformGuardOfFirstLane) && i.info.uniform => 0,
            _ => lane,
        }
    }

    /// Changes the operands of a lane as a fault demands.
    pub(crate) fn operands(&self, i: &Instruction, values: &mut Lane, feeds: &Feeds, lane: usize) {
        if self.has(Fault::LanesFrom1024Wrap) && lane >= 1024 {
            values.b = feeds.lane(lane - 1024).b;
        }
        if self.has(Fault::UniformOfFirstLane) && !i.info.uniform && is_uniform(&i.b) {
            values.b = feeds.lane(0).b;
        }
        if let (true, 0, Some((place, bits))) = (self.has(Fault::ConstantCacheStale), lane, self.cached)
            && i.b.source == Source::Place(place)
        {
            values.b = bits;
        }
    }

    /// Returns the fault and the rounding mode of a lane.
    pub(crate) fn arithmetic(&self, i: &Instruction, lane: usize, lanes: usize) -> (Active, Rounding) {
        let own = i.m.rounding;
        if self.has(Fault::TailLanesTieAway) && lane >= lanes / 4 * 4 {
            return (Active::of(Some(Fault::TiesAway)), own);
        }
        let rounding = match own {
            _ if self.has(Fault::RoundingLeaks) && lane == 0 => self.rounding_before,
            _ if self.has(Fault::ThreadsShareRounding) => {
                Rounding::of(SHARED_ROUNDING.load(Ordering::SeqCst))
            }
            own => own,
        };
        (self.active, if is_arithmetic(i.info.optype) { rounding } else { own })
    }

    /// Changes the results of a lane as a fault demands.
    pub(crate) fn outcome(
        &self,
        before: &[LaneOutcome],
        feeds: &Feeds,
        lane: usize,
        own: LaneOutcome,
    ) -> LaneOutcome {
        match before.last() {
            Some(last)
                if self.has(Fault::EqualNeighbourShares) && feeds.lane(lane - 1).a == feeds.lane(lane).a =>
            {
                *last
            }
            Some(last) if self.has(Fault::LaneSeventeenTakesNeighbour) && lane % 64 == 17 => *last,
            _ => own,
        }
    }

    /// Whether the carry of a lane is lost: the fault loses the carries of a last warp with fewer
    /// than 32 lanes.
    pub(crate) fn loses_carry(&self, lane: usize, lanes: usize) -> bool {
        self.has(Fault::PartialWarpLosesCarry) && lane >= lanes / 32 * 32
    }

    /// Records the end of a batch, and changes which lanes write.
    pub(crate) fn end(&mut self, i: &Instruction, feeds: &Feeds, enabled: &mut [u8]) {
        if self.has(Fault::LastLaneNotWritten)
            && enabled.len() > 1
            && let Some(last) = enabled.last_mut()
        {
            *last = 0;
        }
        self.cached = match i.b.source {
            Source::Place(place) if place.space == Location::CONSTANT && !enabled.is_empty() => {
                Some((place, feeds.lane(0).b))
            }
            _ => self.cached,
        };
    }
}

fn is_arithmetic(optype: Optype) -> bool {
    matches!(optype, Optype::Fadd | Optype::Fmul | Optype::Ffma)
}

fn is_uniform(operand: &Operand) -> bool {
    matches!(operand.source, Source::Place(place) if place.space == Location::UR)
}
