//! Checks whether the description of a device is true, and whether it follows the protocol.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use assay_isa::{Answer, catalog};

use super::batches::{LANES, texts};
use super::{CheckResult, DeviceUnderCheck, ExecutedBatch, ask, only, open};
use crate::error::DeviceError;
use crate::frame::{reports, written};
use crate::group::ProcessExit;
use crate::pool::TransportKind;
use crate::process::{AFTER, DeviceHandle};
use crate::protocol::{Framing, Hello};

/// Duration of a measurement of the throughput.
const MEASURED: Duration = Duration::from_millis(500);
/// Time in which a process must end after its input has ended. If the deadline is shorter, the
/// deadline applies.
const INPUT_ENDS: Duration = Duration::from_secs(5);

type ProtocolFault = Result<String, DeviceError>;

impl DeviceUnderCheck<'_> {
    pub(super) fn known(&mut self) -> ProtocolFault {
        let optypes = self.declaration.optypes();
        match &optypes[..] {
            [] => Err(DeviceError::unfit("it supports no mode: its last patterns take all of them away")),
            optypes => Ok(format!("{} optypes: {}", optypes.len(), optypes.join(" "))),
        }
    }

    pub(super) fn capable(&mut self) -> ProtocolFault {
        if self.declaration.is_binding() {
            return self.answers_all();
        }
        let mut idle = Vec::new();
        for optype in self.declaration.optypes() {
            if !self.executes_some(optype)? {
                idle.push(optype);
            }
        }
        match &idle[..] {
            [] => Ok("it executes something of each optype".to_owned()),
            idle => {
                Err(DeviceError::unfit(format!("it declares {}, and does not implement it", idle.join(", "))))
            }
        }
    }

    /// Whether a process ends by itself when its input ends.
    pub(super) fn ends(&mut self) -> Result<CheckResult, DeviceError> {
        if matches!(self.kind, TransportKind::Lib(_)) {
            return self.ends_as_library();
        }
        let (mut handle, _) = open(&self.launcher, self.same_framing(), self.limits)?;
        self.use_once(&mut handle)?;
        let time = self.limits.deadline.min(INPUT_ENDS);
        match handle.close(time) {
            Some(ProcessExit::Status(0)) => Ok(CheckResult::Held("it ended with status 0".to_owned())),
            Some(end) => Err(DeviceError::unfit(format!("it ended with {end}, and not with status 0"))),
            None => Err(DeviceError::unfit(format!(
                "it did not end within {} s after the end of its standard input",
                time.as_secs_f64()
            ))),
        }
    }

    /// Executes a batch first, because a device may end in another way after it has executed one.
    fn use_once(&mut self, handle: &mut DeviceHandle) -> Result<(), DeviceError> {
        if let Some(text) = self.picked()?.first() {
            ask(handle, self.limits, &self.batch(text, LANES)?)?;
        }
        Ok(())
    }

    /// Whether the process of a library ends by itself after its last handle is closed.
    fn ends_as_library(&mut self) -> Result<CheckResult, DeviceError> {
        let told: Arc<Mutex<Vec<String>>> = Arc::default();
        let launcher = self.kind.launcher({
            let told = told.clone();
            move |words| told.lock().unwrap_or_else(PoisonError::into_inner).push(words.to_owned())
        });
        let (mut handle, _) = open(&launcher, self.same_framing(), self.limits)?;
        self.use_once(&mut handle)?;
        drop(handle);
        drop(launcher);
        let told = std::mem::take(&mut *told.lock().unwrap_or_else(PoisonError::into_inner));
        match told.into_iter().find(|words| words.ends_with(AFTER)) {
            Some(words) => Err(DeviceError::unfit(words)),
            None => Ok(CheckResult::Held("its process ended with status 0".to_owned())),
        }
    }

    fn executes_some(&mut self, optype: &str) -> Result<bool, DeviceError> {
        for text in self.samples.modes(optype) {
            if self.execute(&self.batch(&text, 4)?)?.0 == Answer::Known {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Checks that the device executes some instructions of every declared mode.
    fn answers_all(&mut self) -> ProtocolFault {
        let mut declared = Vec::new();
        for optype in self.declaration.optypes() {
            for text in self.samples.modes(optype) {
                if !self.declares(&text) {
                    continue;
                }
                if self.execute(&self.batch(&text, 4)?)?.0 == Answer::Unsupported {
                    let problem = format!("it declares the mode of `{text}`, and does not execute it");
                    self.note_failure(&text, "not executed", 0, problem);
                }
                declared.push(text);
            }
        }
        let count = declared.len();
        let held = format!("it executes all of {count} instructions of the modes that it declares");
        self.conclude(declared, held)
    }

    pub(super) fn incapable(&mut self) -> Result<CheckResult, DeviceError> {
        if self.declaration.is_binding() {
            return Ok(CheckResult::Idle("a batch of a mode that it does not declare is never sent"));
        }
        let claimed = self.declaration.optypes();
        let all = catalog().optypes().into_iter().map(|optype| optype.name);
        let others: Vec<&str> = all.filter(|name| !claimed.contains(name)).collect();
        for optype in &others {
            let Some(text) = self.samples.modes(optype).into_iter().next() else { continue };
            if self.execute(&self.batch(&text, 2)?)?.0 != Answer::Unsupported {
                return Err(DeviceError::unfit(format!("it answers for {text}, which it does not claim")));
            }
        }
        Ok(match others.len() {
            0 => CheckResult::Idle("it claims every optype"),
            count => CheckResult::Held(format!("{count} optypes")),
        })
    }

    pub(super) fn empty(&mut self) -> ProtocolFault {
        let executed = texts(&self.executed(0)?);
        let held = format!("{} instructions", executed.len());
        self.conclude(executed, held)
    }

    pub(super) fn guarded(&mut self) -> Result<CheckResult, DeviceError> {
        let mut guarded = Vec::new();
        for optype in self.declaration.optypes() {
            let Some((text, guard)) = self.guarded_mode(optype) else { continue };
            let (text, mut batch) = self.batch(&text, 8)?;
            if let Some(place) = batch.locations().iter().position(|read| *read == guard) {
                batch.column_mut(place).fill(0);
            }
            let (answer, effects) = self.execute(&(text.clone(), batch))?;
            if answer == Answer::Known {
                let wrote =
                    written(&effects).into_iter().any(|(_, values)| values.iter().any(Option::is_some));
                if wrote || reports(&effects).next().is_some() {
                    let problem = format!("{text} does something though its guard is false");
                    self.note_failure(&text, "with a false guard", 0, problem);
                }
                guarded.push(text);
            } else if self.declaration.is_binding() {
                let problem = format!("{text}: declared, and unsupported");
                self.note_failure(&text, "unsupported with a guard", 0, problem);
                guarded.push(text);
            }
        }
        match guarded.len() {
            0 => Ok(CheckResult::Idle("no mode that it executes can have a guard")),
            count => self.conclude(guarded, format!("{count} optypes")).map(CheckResult::Held),
        }
    }

    pub(super) fn framings(&mut self) -> Result<CheckResult, DeviceError> {
        if matches!(self.kind, TransportKind::Lib(_)) {
            return Ok(CheckResult::Idle("a library has one framing"));
        }
        if self.reply.framing == Framing::Json {
            return Ok(CheckResult::Idle("the device speaks JSON alone"));
        }
        let binary = self.executed(100)?;
        let (mut json, _) = open(&self.launcher, only(self.hello, Framing::Json), self.limits)?;
        std::mem::swap(&mut self.handle, &mut json);
        let executed = binary.iter().try_for_each(|ExecutedBatch { sample, effects }| {
            if let Some(other) = self.execute_known(sample)? {
                self.compare(&sample.0, "JSON and binary", effects, &other);
            }
            Ok::<(), DeviceError>(())
        });
        std::mem::swap(&mut self.handle, &mut json);
        executed?;
        self.conclude(texts(&binary), format!("{} instructions", binary.len())).map(CheckResult::Held)
    }

    pub(super) fn throughput(&mut self) -> ProtocolFault {
        let mut lines = vec![self.measure(self.hello.clone())?];
        if self.reply.framing != Framing::Json && matches!(self.kind, TransportKind::Exec(_)) {
            lines.push(self.measure(only(self.hello, Framing::Json))?);
        }
        Ok(lines.join(", "))
    }

    /// Measures the throughput of the first picked instruction in batches of 1024 lanes. Returns a
    /// text with the cases per second.
    fn measure(&mut self, hello: Hello) -> ProtocolFault {
        let (handle, reply) = open(&self.launcher, hello, self.limits)?;
        self.handle = handle;
        let Some(text) = self.picked()?.into_iter().next() else { return Ok("nothing to measure".into()) };
        let sample = self.batch(&text, 1024)?;
        let (began, mut cases) = (Instant::now(), 0);
        while began.elapsed() < MEASURED {
            self.execute(&sample)?;
            cases += sample.1.len();
        }
        let rate = cases as f64 / began.elapsed().as_secs_f64() / 1e6;
        let framing = match self.kind {
            TransportKind::Lib(_) => "as a library".to_owned(),
            TransportKind::Exec(_) => format!("in {}", format!("{:?}", reply.framing).to_lowercase()),
        };
        Ok(format!("{rate:.3} million cases a second {framing}"))
    }
}
