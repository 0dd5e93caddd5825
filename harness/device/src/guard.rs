//! A device as a subject. Every batch ends in limited time, even if the device crashes or hangs,
//! and the failing cases are identified.
//!
//! When a batch fails, its halves are executed separately, and so on recursively, until single
//! lanes fail alone. These lanes get [`Event::Failed`]. No expected result has this event, so these
//! lanes diverge like any other wrong result. The other lanes get the effects from the execution of
//! their part of the batch.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use assay_isa::effect::Failure;
use assay_isa::{Answer, BackendError, Batch, Effects, EncodingTable, Event, Location, Subject, asm, codec};

use crate::declaration::Declaration;
use crate::error::DeviceError;
use crate::frame::{write_column, written};
use crate::pool::{DevicePool, TransportKind};
use crate::process::DeviceHandle;
use crate::protocol::{Framing, Hello};

/// Maximum number of batches that are sent at once to a device with shared memory. In a
/// group of this size, the notification through the pipe takes only a small part of the time.
const MOST_AHEAD: usize = 64;
/// Two times that control the number of batches in a group. If the device answers a group faster
/// than the first time, the number doubles. If it takes longer than the second time, the number is
/// halved, because a group has only one deadline.
const SOON: [Duration; 2] = [Duration::from_millis(50), Duration::from_millis(500)];

/// A device as a subject for one worker. It holds a handle of the device.
pub struct Guarded {
    pool: Arc<DevicePool>,
    hello: Arc<Hello>,
    numbers: EncodingTable,
    handle: Option<DeviceHandle>,
    /// Whether the next handle must be a new one.
    needs_new: bool,
    /// Number of batches that are sent at once, if the device shares memory.
    ahead: usize,
}

impl DevicePool {
    /// Returns the device as a subject for a worker. When the subject is dropped, its handle can be
    /// used again with the same hello.
    pub fn subject(self: &Arc<DevicePool>, hello: Hello, numbers: EncodingTable) -> Guarded {
        let (pool, hello) = (self.clone(), Arc::new(hello));
        let ahead = pool.ahead();
        Guarded { pool, hello, numbers, handle: None, needs_new: false, ahead }
    }
}

impl Guarded {
    fn failed(&self, problem: String) -> BackendError {
        BackendError::Failed { implementation: self.pool.name().to_owned(), problem }
    }

    /// Takes a handle, and stores the description of the device if there is none yet. A device that
    /// does not start is an error, not a finding.
    fn connect(&mut self) -> Result<(), BackendError> {
        let (pool, hello) = (&self.pool, &self.hello);
        let needs_new = std::mem::take(&mut self.needs_new);
        let handle =
            self.handle.get_or_insert_with(|| if needs_new { pool.open(hello) } else { pool.take(hello) });
        if self.pool.hello_reply().is_none() {
            let reply = handle.connect().cloned();
            let stated = reply.map_err(|trouble| trouble.words).and_then(|reply| self.pool.is_what(reply));
            stated.map_err(|words| self.failed(format!("the device cannot be started: {words}")))?;
        }
        Ok(())
    }

    /// Gives the handle back to the pool.
    fn release(&mut self) {
        if let Some(handle) = self.handle.take() {
            self.pool.give_back(&self.hello, handle);
        }
    }

    /// Adjusts the number of batches that are sent at once, by the time that the last group took.
    /// Later workers begin with the adjusted number.
    fn learn(&mut self, waited: Duration) {
        self.ahead = match waited {
            waited if waited < SOON[0] => (2 * self.ahead).min(MOST_AHEAD),
            waited if waited > SOON[1] => (self.ahead / 2).max(1),
            _ => self.ahead,
        };
        self.pool.keep_ahead(self.ahead);
    }

    fn declaration(&self) -> &Declaration {
        self.pool.declaration().expect("it is connected")
    }

    fn attempt(
        &mut self,
        text: &str,
        batch: &Batch,
        deadline: Duration,
        effects: &mut Effects,
    ) -> Result<Answer, DeviceError> {
        let began = Instant::now();
        let handle = self.handle.as_mut().expect("it is connected");
        let outcome = handle.attempt(text, batch, deadline, effects);
        match &outcome {
            Ok(_) => self.pool.health().answered(began.elapsed()),
            Err(trouble) => self.pool.health().note(batch, trouble.failure, began.elapsed()),
        }
        if let Err(trouble) = &outcome
            && trouble.at_start
        {
            let words = format!("it cannot be started again: {}", trouble.words);
            if trouble.is_ours {
                self.pool.health().give_up(words)
            } else {
                self.pool.health().declare_dead(words)
            }
        }
        match outcome? {
            Answer::Unsupported if self.declaration().is_binding() => {
                effects.reset(batch.len());
                (0..batch.len()).for_each(|lane| effects.event(lane, Event::Failed(Failure::Declined)));
                Ok(Answer::Known)
            }
            answer => Ok(answer),
        }
    }
}

impl Guarded {
    /// Finds the lanes that made a batch fail. Afterwards `effects` has the effects of all lanes
    /// that were executed again or blamed.
    fn find_cause(
        &mut self,
        text: &str,
        batch: &Batch,
        trouble: &DeviceError,
        effects: &mut Effects,
    ) -> Result<Answer, BackendError> {
        let mut search = Search { guarded: self, text, batch, lanes: Assembled::of(batch.len()) };
        search.narrow(0..batch.len(), trouble);
        let lanes = search.lanes;
        lanes.fill(effects);
        // If the device was given up during the search, the caller gets the error, and `effects`
        // has the settled lanes.
        if lanes.done < batch.len() {
            self.pool.health().check(self.pool.name())?;
        }
        Ok(Answer::Known)
    }
}

impl Subject for Guarded {
    fn name(&self) -> &str {
        self.pool.name()
    }

    fn declares_modes(&self) -> bool {
        self.pool.declaration().is_none_or(Declaration::is_binding)
    }

    fn start_fresh(&mut self) {
        self.release();
        self.needs_new = true;
    }

    fn batches_ahead(&self) -> usize {
        let is_shared = match self.pool.kind() {
            TransportKind::Lib(_) => true,
            TransportKind::Exec(_) => {
                self.pool.hello_reply().is_some_and(|reply| reply.framing == Framing::Shared)
            }
        };
        if is_shared { self.ahead } else { 1 }
    }

    fn execute_ahead(&mut self, batches: &mut dyn Iterator<Item = &Batch>) -> Result<(), BackendError> {
        let health = self.pool.health();
        if health.is_triage() || health.is_dead() {
            return Ok(());
        }
        self.connect()?;
        let mut requests = Vec::new();
        for batch in batches {
            let instruction = codec::decode(batch.word(), &self.numbers)?;
            if self.declaration().covers(&instruction) && !batch.is_empty() {
                requests.push((asm::print(&instruction), batch));
            }
        }
        let began = Instant::now();
        let deadline = self.pool.limits().deadline;
        let requests = requests.iter().map(|(text, batch)| (&**text, *batch));
        self.handle.as_mut().expect("it is connected").execute_ahead(requests, deadline);
        let waited = began.elapsed();
        self.pool.health().answered(waited);
        self.learn(waited);
        Ok(())
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        effects.reset(0);
        if let Some(failure) = self.pool.health().known(batch) {
            effects.reset(1);
            effects.event(0, Event::Failed(failure));
            return Ok(Answer::Known);
        }
        self.pool.health().check(self.pool.name())?;
        self.connect()?;
        // The declaration need not be checked here, because only batches of declared modes are sent
        // ahead.
        if self.handle.as_mut().is_some_and(|handle| handle.is_ahead(batch)) {
            let outcome = self.attempt("", batch, Duration::ZERO, effects);
            return outcome.or_else(|trouble| {
                let instruction = codec::decode(batch.word(), &self.numbers)?;
                self.find_cause(&asm::print(&instruction), batch, &trouble, effects)
            });
        }
        let instruction = codec::decode(batch.word(), &self.numbers)?;
        let is_declared = self.declaration().covers(&instruction);
        // An undeclared mode is never sent. An empty batch is not sent either. If its mode is
        // declared, it is known and has no effects.
        if !is_declared || batch.is_empty() && self.declaration().is_binding() {
            effects.reset(batch.len());
            return Ok(if is_declared { Answer::Known } else { Answer::Unsupported });
        }
        let text = asm::print(&instruction);
        let deadline = if self.pool.health().is_triage() {
            self.pool.health().search_deadline(self.pool.limits())
        } else {
            self.pool.limits().deadline_of(batch.len())
        };
        match self.attempt(&text, batch, deadline, effects) {
            Ok(answer) => Ok(answer),
            Err(trouble) => self.find_cause(&text, batch, &trouble, effects),
        }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        self.release();
    }
}

/// The search for the lanes that made a batch fail, from the first lane to the last.
struct Search<'a> {
    guarded: &'a mut Guarded,
    text: &'a str,
    batch: &'a Batch,
    lanes: Assembled,
}

impl Search<'_> {
    /// Executes the halves of a failed part again, or blames its only lane. Ends early if the
    /// device is declared dead or given up.
    fn narrow(&mut self, lanes: Range<usize>, trouble: &DeviceError) {
        match lanes.len() {
            // A device that cannot be started is already dead, and no case is the cause.
            _ if trouble.at_start => {}
            // An empty batch has no case to blame, so the failure is only counted.
            0 => self.count(lanes, trouble),
            1 => self.blame(lanes.start, trouble),
            _ => {
                let middle = lanes.start.midpoint(lanes.end);
                for half in [lanes.start..middle, middle..lanes.end] {
                    if self.guarded.pool.health().is_dead() {
                        return;
                    }
                    self.settle(half);
                }
                if self.lanes.done == self.batch.len() && self.lanes.blamed == 0 {
                    // The batch failed, but none of its parts failed when executed separately. The
                    // failure has no particular lane, so it is assigned to the first lane.
                    self.blame(0, trouble);
                }
            }
        }
    }

    /// Executes a part separately. If the part fails, searches its halves.
    fn settle(&mut self, lanes: Range<usize>) {
        let health = self.guarded.pool.health();
        let limits = *self.guarded.pool.limits();
        let (search, is_triage) = (health.search_deadline(&limits), health.is_triage());
        let part = self.batch.part(lanes.clone());
        let mut outcome = self.run(&part, &lanes, search);
        let hung = matches!(&outcome, Err(trouble) if trouble.failure == Failure::Hung);
        if lanes.len() == 1 && hung && search < limits.deadline && !is_triage {
            // Before a lane is blamed for a timeout, it is executed alone with the full deadline.
            outcome = self.run(&part, &lanes, limits.deadline);
        }
        if let Err(trouble) = outcome {
            self.narrow(lanes, &trouble);
        }
    }

    fn run(&mut self, part: &Batch, lanes: &Range<usize>, deadline: Duration) -> Result<(), DeviceError> {
        let mut effects = Effects::default();
        match self.guarded.attempt(self.text, part, deadline, &mut effects)? {
            Answer::Known => {
                self.lanes.put(lanes, &effects);
                Ok(())
            }
            Answer::Unsupported => {
                Err(DeviceError::unfit("unsupported for a part of a batch, and not for all of it"))
            }
        }
    }

    /// Records that a lane failed.
    fn blame(&mut self, lane: usize, trouble: &DeviceError) {
        self.count(lane..lane + 1, trouble);
        self.lanes.fail(lane, trouble.failure);
    }

    /// Counts a failure, and reports it.
    fn count(&self, lanes: Range<usize>, trouble: &DeviceError) {
        let case = self.batch.part(lanes);
        let inputs = case.locations().iter().zip(case.values());
        let inputs: String = inputs.map(|(location, value)| format!(" {location}={value:#x}")).collect();
        let pool = &self.guarded.pool;
        if let Some(words) = pool.health().failed(trouble, &format!("{}{inputs}", self.text), pool.limits()) {
            pool.tell(&words);
        }
    }
}

/// The effects of a batch, assembled from the effects of its parts.
struct Assembled {
    columns: Vec<(Location, Vec<Option<u32>>)>,
    /// The events and undefined results of all lanes. Their writes are in `columns`.
    rest: Effects,
    /// Number of settled lanes, counted from the first lane.
    done: usize,
    /// Number of failed lanes.
    blamed: usize,
}

impl Assembled {
    fn of(lanes: usize) -> Assembled {
        let mut rest = Effects::default();
        rest.reset(lanes);
        Assembled { columns: Vec::new(), rest, done: 0, blamed: 0 }
    }

    fn put(&mut self, lanes: &Range<usize>, effects: &Effects) {
        for (location, values) in written(effects) {
            let place = self.columns.iter().position(|(l, _)| *l == location).unwrap_or_else(|| {
                self.columns.push((location, vec![None; self.rest.len()]));
                self.columns.len() - 1
            });
            self.columns[place].1[lanes.clone()].copy_from_slice(&values);
        }
        effects.events().iter().for_each(|(lane, event)| self.rest.event(lanes.start + lane, *event));
        effects.undefined().iter().for_each(|(lane, e)| self.rest.undefine(lanes.start + lane, *e));
        self.done = lanes.end;
    }

    fn fail(&mut self, lane: usize, failure: Failure) {
        self.rest.event(lane, Event::Failed(failure));
        self.done = self.done.max(lane + 1);
        self.blamed += 1;
    }

    /// Writes the effects of the settled lanes.
    fn fill(&self, effects: &mut Effects) {
        effects.reset(self.done);
        for (location, values) in &self.columns {
            let values = &values[..self.done];
            if values.iter().any(Option::is_some) {
                write_column(*location, values, effects);
            }
        }
        let settled = |lane: &usize| *lane < self.done;
        let events = self.rest.events().iter().filter(|(lane, _)| settled(lane));
        events.for_each(|(lane, event)| effects.event(*lane, *event));
        let undefined = self.rest.undefined().iter().filter(|(lane, _)| settled(lane));
        undefined.for_each(|(lane, erratum)| effects.undefine(*lane, *erratum));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::OLDEST;

    /// Each epoch has new workers. They begin with the number of batches that earlier workers
    /// learned.
    #[test]
    fn a_worker_begins_with_as_many_batches_as_the_last_one_gave() {
        let kind = "lib:none.so".parse().expect("a library");
        let pool = DevicePool::new(kind, |_| {});
        let hello = Hello {
            protocol: OLDEST,
            protocols: vec![OLDEST],
            numbers: String::new(),
            profile: String::new(),
            readings: Default::default(),
            framings: vec![Framing::Json],
            memory: None,
        };
        let worker = || pool.subject(hello.clone(), EncodingTable::provisional().clone());
        let mut first = worker();
        assert_eq!(first.batches_ahead(), 4);
        (0..3).for_each(|_| first.learn(Duration::ZERO));
        drop(first);
        assert_eq!(worker().batches_ahead(), 32);
        // A worker that executed nothing does not change the number.
        let mut idle = worker();
        idle.ahead = 4;
        drop(idle);
        assert_eq!(worker().batches_ahead(), 32);
        // A worker that sends single batches sends none ahead, so it could never raise the number.
        // Therefore the next worker begins with 2.
        let mut slow = worker();
        (0..6).for_each(|_| slow.learn(2 * SOON[1]));
        assert_eq!(slow.batches_ahead(), 1);
        drop(slow);
        assert_eq!(worker().batches_ahead(), 2);
    }
}
