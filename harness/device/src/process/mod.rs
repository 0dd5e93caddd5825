//! A handle of a device in another process. Starts the process, sends requests with deadlines, and
//! starts the process again after a failure.
//!
//! This module needs Unix, and for libraries Linux: it polls pipes, and the process leads its own
//! process group. So the child processes of the process end with it. They also end with this
//! program, however this program ends. A descendant that leaves the group is not ended.
//!
//! | module | contents |
//! |---|---|
//! | `wire` | the two streams of a handle |
//! | `served` | a process: its end, its standard error, its running calls |
//! | `messages` | requests and answers in shared memory |
//! | `library` | the processes that load a library |

mod library;
mod messages;
mod served;
mod unresolved;
mod wire;

use std::collections::VecDeque;
use std::num::NonZeroU64;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use assay_isa::effect::Failure;
use assay_isa::{Answer, Batch, Effects};

use crate::error::{DeviceError, SHOWN, excerpt};
use crate::frame::json::write_line;
use crate::group::ProcessExit;
use crate::memory::SharedMemory;
use crate::protocol::{Framing, Hello, HelloRefusal, HelloReply};
use library::{Connection, LibraryProcesses};
use messages::{AnsweredRequest, SharedMessages};
pub(crate) use served::{AFTER, GRACE, bad_end};
use served::{ServedProcess, Tell};
use unresolved::{LateGroup, UnresolvedFailure};
use wire::Wire;

/// Number of consecutive failed starts after which a device is no longer used.
const STARTS: u32 = 5;
/// The first pause before a device is started again. Each following pause is twice as long as the
/// pause before.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_millis(250);
/// Maximum size of a hello reply in bytes.
const WELCOME: usize = 1 << 20;

/// The description of a device from its first opening. Every later description must be the same.
#[derive(Debug, Default)]
pub struct FirstHello(OnceLock<HelloReply>);

impl FirstHello {
    /// Compares the current description with the first. The error names the difference.
    pub fn check(&self, now: &HelloReply) -> Result<(), DeviceError> {
        let first = self.0.get_or_init(|| now.clone());
        let parts = [
            ("name", first.name == now.name),
            ("version", first.version == now.version),
            ("protocol version", first.protocol == now.protocol),
            ("list of what it supports", first.optypes == now.optypes && first.modes == now.modes),
        ];
        match parts.iter().find(|(_, is_same)| !is_same) {
            None => Ok(()),
            Some((part, _)) => {
                Err(DeviceError::unfit(format!("opened again, it states another {part} than before"))
                    .at_start())
            }
        }
    }
}

/// Starts the processes for the handles of a device. Clones of the launcher of a library share its
/// process.
#[derive(Clone)]
pub struct Launcher(Launch);

#[derive(Clone)]
enum Launch {
    /// A program and its arguments, one process for each handle.
    Command(Arc<[String]>),
    Library(Arc<LibraryProcesses>),
}

impl Launcher {
    /// Returns a launcher that starts a command for each handle: a program and its arguments.
    pub fn command(words: Arc<[String]>) -> Launcher {
        Launcher(Launch::Command(words))
    }

    /// Returns a launcher for a library. It starts this program again, as a process that serves the
    /// handles of the library: see [`crate::library`]. `tell` receives the output of the library.
    pub fn library(path: &Path, tell: impl Fn(&str) + Send + Sync + 'static) -> Launcher {
        let tell: Tell = Arc::new(tell);
        Launcher(Launch::Library(Arc::new(LibraryProcesses::new(path, tell))))
    }

    /// Returns a handle, which is opened on first use. `start` is the time limit for opening it.
    pub fn handle(&self, hello: Arc<Hello>, first: Arc<FirstHello>, start: Duration) -> DeviceHandle {
        let launch = self.0.clone();
        DeviceHandle {
            launch,
            hello,
            first,
            start,
            running: None,
            barren: 0,
            unresolved: None,
            answered: VecDeque::new(),
            waiting: None,
        }
    }
}

/// One handle of a device, used by one thread at a time. After a failure the handle is opened again
/// for the next batch.
pub struct DeviceHandle {
    launch: Launch,
    hello: Arc<Hello>,
    first: Arc<FirstHello>,
    /// Time limit for the start. It is separate from the deadline of a batch, which can be too
    /// short for a slow start during a search for failing cases.
    start: Duration,
    running: Option<Running>,
    /// Number of consecutive processes that ended without a good answer.
    barren: u32,
    unresolved: Option<UnresolvedFailure>,
    /// The requests that were sent ahead and are answered, but whose answers are not used yet.
    answered: VecDeque<AnsweredRequest>,
    /// The number of the first answered request when the last batches were to be sent ahead, if its
    /// answer was not used yet.
    waiting: Option<u64>,
}

/// An open handle. Dropping it closes it.
struct Running {
    connection: Connection,
    reply: HelloReply,
    /// The messages, if the device shares memory.
    messages: Option<SharedMessages>,
    /// When the requests in memory were sent, and the deadline for the answers. `None` if no answers
    /// are awaited.
    awaited: Option<(Instant, Instant)>,
    /// Number of the last request.
    id: u64,
}

impl DeviceHandle {
    /// Returns the id of the process, while it runs.
    pub fn id(&self) -> Option<u32> {
        self.running.as_ref().map(|running| running.connection.process.id())
    }

    /// Opens the device, unless it is open, and returns its description.
    pub fn connect(&mut self) -> Result<&HelloReply, DeviceError> {
        self.start().map(|running| &running.reply)
    }

    /// Closes the standard input of a process that serves one handle. Returns how the process ends.
    /// `None` if the handle is not open, or if the process does not end within `time`: then it is
    /// killed.
    pub(crate) fn close(&mut self, time: Duration) -> Option<ProcessExit> {
        let mut running = self.running.take()?;
        running.connection.wire.close();
        let process = &running.connection.process;
        let end = process.end(time);
        if end.is_none() {
            process.kill();
        }
        end
    }

    /// Returns whether the handle is open.
    pub fn is_usable(&self) -> bool {
        self.running.is_some()
    }

    /// Returns whether the device has already executed this batch, which was sent ahead. Then the
    /// next attempt takes that result.
    pub fn is_ahead(&mut self, batch: &Batch) -> bool {
        if self.answered.is_empty() {
            self.await_answers();
        }
        self.answered.front().is_some_and(|answered| answered.is_of(batch))
    }

    /// Sends batches ahead, without waiting for their answers. The next attempts at these batches
    /// take the results, in order, and report a failure. Unused results of batches that were sent
    /// earlier can be lost. Does nothing if the device shares no memory, or if results of earlier
    /// batches still wait for their attempts: a second execution could hide what the first one did.
    pub fn execute_ahead<'a>(
        &mut self,
        batches: impl Iterator<Item = (&'a str, &'a Batch)>,
        deadline: Duration,
    ) {
        if self.unresolved.is_some() {
            return;
        }
        let waiting = self.answered.front().map(AnsweredRequest::id);
        if waiting.is_some() && waiting != self.waiting {
            self.waiting = waiting;
            return;
        }
        // Results that waited for the last batches, too, belong to batches that are never attempted.
        self.answered.clear();
        self.waiting = None;
        self.await_answers();
        if let Some(running) = &mut self.running {
            running.send(batches, deadline);
        }
    }

    /// Waits for the answers to the requests that were sent ahead.
    fn await_answers(&mut self) {
        let Some(running) = &mut self.running else { return };
        let sent = running.awaited.map_or_else(Instant::now, |(sent, _)| sent);
        if let Err(trouble) = running.await_answers(&mut self.answered) {
            let left = running.messages.as_ref().map_or_else(Vec::new, SharedMessages::begun_seals);
            let is_late = trouble.failure == Failure::Hung;
            self.unresolved = self.end_running(trouble, left);
            // The requests had one deadline together. Repeating each with its own deadline shows
            // which call is too slow.
            if let Some(unresolved) = self.unresolved.as_mut().filter(|_| is_late) {
                unresolved.is_certain = false;
                unresolved.late = Some(LateGroup { waited: sent.elapsed(), repeated: Duration::ZERO });
            }
        }
    }

    /// Executes a batch of an instruction on the device, within the deadline. The device also
    /// receives the text of the instruction.
    pub fn attempt(
        &mut self,
        text: &str,
        batch: &Batch,
        deadline: Duration,
        effects: &mut Effects,
    ) -> Result<Answer, DeviceError> {
        let mut began = Instant::now();
        let outcome = match self.answered.pop_front_if(|answered| answered.is_of(batch)) {
            Some(answered) => match (answered.read(effects), &self.running) {
                (Ok(answer), _) => {
                    self.barren = 0;
                    return Ok(answer);
                }
                (Err(trouble), Some(running)) => Err(running.connection.process.explain(trouble, None)),
                (Err(trouble), None) => Err(trouble),
            },
            None => {
                self.await_answers();
                self.start_again().and_then(|running| {
                    // The start of the device does not count as time of the call.
                    began = Instant::now();
                    running.ask(text, batch, deadline, effects)
                })
            }
        };
        match outcome {
            // A failure that the device reports by the protocol does not end the process.
            Err(trouble) if trouble.failure != Failure::Reported && !trouble.at_start => {
                let Some(unresolved) = self.end_running(trouble.clone(), vec![batch.sealed()]) else {
                    return Err(trouble);
                };
                match self.unresolved.take() {
                    Some(before) => before.process.calls.blame(),
                    // Repeating the call in a separate process shows whether it is the cause.
                    None if !unresolved.is_certain => {
                        self.unresolved = Some(unresolved);
                        return self.attempt(text, batch, deadline, effects);
                    }
                    None => {}
                }
                Err(trouble)
            }
            outcome => {
                self.barren = 0;
                let seal = batch.sealed();
                let cleared =
                    self.unresolved.take_if(|unresolved| unresolved.is_repeated(seal, began.elapsed()));
                match cleared.filter(UnresolvedFailure::is_cause) {
                    Some(unresolved) => Err(unresolved.trouble),
                    None => outcome,
                }
            }
        }
    }

    /// Ends the process, which failed during calls of this handle. `left` has the seals of their
    /// batches. Returns the failure with these calls.
    fn end_running(
        &mut self,
        trouble: DeviceError,
        left: Vec<Option<NonZeroU64>>,
    ) -> Option<UnresolvedFailure> {
        let running = self.running.take()?;
        self.barren += 1;
        let Connection { process, is_shared, .. } = &running.connection;
        // If a shared process ended without a fault record of this handle, another handle may be
        // the cause.
        let is_certain = !is_shared || trouble.failure != Failure::Crashed || running.has_record();
        if is_certain {
            process.calls.blame();
        }
        if let Launch::Library(processes) = &self.launch {
            processes.retire(process);
        }
        Some(UnresolvedFailure { process: process.clone(), trouble, is_certain, left, late: None })
    }

    /// Opens the handle, unless it is open.
    fn start(&mut self) -> Result<&mut Running, DeviceError> {
        if self.running.is_none() {
            let connection = self.launch.connect().map_err(DeviceError::at_start)?;
            let running = shake_hands(connection, &self.hello, self.start).map_err(DeviceError::at_start)?;
            self.first.check(&running.reply)?;
            self.running = Some(running);
        }
        Ok(self.running.as_mut().expect("it was just started"))
    }

    /// Opens the handle again, unless it is open. The pause before it grows with each process that
    /// gave no good answer.
    fn start_again(&mut self) -> Result<&mut Running, DeviceError> {
        let mut failed = 0;
        while self.running.is_none() {
            if self.barren > 0 {
                let pause = FIRST_PAUSE * (1 << (self.barren - 1).min(16));
                std::thread::sleep(pause.min(LONGEST_PAUSE));
            }
            if let Err(trouble) = self.start() {
                self.barren += 1;
                failed += 1;
                if failed >= STARTS {
                    return Err(trouble);
                }
            }
        }
        self.start()
    }
}

impl Launch {
    fn connect(&self) -> Result<Connection, DeviceError> {
        let words = match self {
            Launch::Library(processes) => return processes.connect(),
            Launch::Command(words) => words,
        };
        let (program, arguments) = words.split_first().expect("a command has a program");
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (process, pipes) = ServedProcess::start(&mut command, None, None)?;
        let (Some(to), Some(from)) = pipes else { unreachable!("both are piped") };
        let wire = Wire::new(["standard input", "standard output"], to, from)
            .map_err(|e| DeviceError::of_system(program, &e.into()))?;
        Ok(Connection { process: Arc::new(process), wire, is_library: false, is_shared: false })
    }
}

impl Running {
    fn ask(
        &mut self,
        text: &str,
        batch: &Batch,
        deadline: Duration,
        effects: &mut Effects,
    ) -> Result<Answer, DeviceError> {
        if self.messages.is_none() {
            return self.ask_through_pipe(text, batch, deadline, effects);
        }
        if !self.send(std::iter::once((text, batch)), deadline) {
            let words = format!("{} lanes of {text} are more than shared memory holds", batch.len());
            return Err(DeviceError { is_ours: true, ..DeviceError::new(Failure::Crashed, words) });
        }
        let mut answered = VecDeque::new();
        self.await_answers(&mut answered)?;
        let answered = answered.pop_front().expect("each request has an answer or an error");
        answered.read(effects).map_err(|trouble| self.connection.process.explain(trouble, None))
    }

    /// Sends as many of these batches as fit into memory, without waiting for the answers. Returns
    /// whether any fits.
    fn send<'a>(&mut self, batches: impl Iterator<Item = (&'a str, &'a Batch)>, deadline: Duration) -> bool {
        let Some(messages) = &mut self.messages else { return false };
        messages.begin();
        for (text, batch) in batches {
            if !messages.push(self.id + 1, text, batch) {
                break;
            }
            self.id += 1;
        }
        let count = messages.len() as u32;
        if count > 0 {
            let Connection { process, wire, .. } = &mut self.connection;
            process.calls.begin();
            wire.prepare(|out| out.extend(count.to_le_bytes()));
            wire.send();
            let now = Instant::now();
            self.awaited = Some((now, now + deadline));
        }
        count > 0
    }

    /// Waits until the device has answered all sent requests, and copies the answers. Does nothing
    /// if no answers are awaited.
    fn await_answers(&mut self, answered: &mut VecDeque<AnsweredRequest>) -> Result<(), DeviceError> {
        let (Some((_, until)), Some(messages)) = (self.awaited.take(), &mut self.messages) else {
            return Ok(());
        };
        let count = messages.len() as u32;
        let Connection { process, wire, is_library, .. } = &mut self.connection;
        let whole = |buffer: &[u8]| Ok((buffer.len() >= 4).then_some((0..4, 4)));
        let read = |message: &[u8]| {
            if message == count.to_le_bytes() {
                Ok(())
            } else {
                Err(DeviceError::unfit(format!("it counts {message:?} as answers, not {count}")))
            }
        };
        // Another handle may have noticed that the process ended. Even then, a call of this handle
        // can be the cause.
        let has_failed = |()| {
            if process.is_broken() {
                Err(DeviceError::new(Failure::Crashed, "it ended".to_owned()))
            } else {
                Ok(())
            }
        };
        match wire.receive(process, until, whole, read).and_then(has_failed) {
            Ok(()) => {
                process.calls.end();
                messages.take_answers(answered);
                Ok(())
            }
            Err(trouble) => {
                let call = self.id - (messages.len() - messages.begun()) as u64;
                let trouble = process.explain(trouble, is_library.then_some(call));
                let is_crash = trouble.failure == Failure::Crashed;
                Err(is_crash.then(|| messages.fault(&trouble)).flatten().unwrap_or(trouble))
            }
        }
    }

    fn ask_through_pipe(
        &mut self,
        text: &str,
        batch: &Batch,
        deadline: Duration,
        effects: &mut Effects,
    ) -> Result<Answer, DeviceError> {
        let framing = self.reply.framing;
        self.id += 1;
        let (id, lanes) = (self.id, batch.len());
        let Connection { process, wire, .. } = &mut self.connection;
        wire.prepare(|out| framing.write_request(id, text, batch, out));
        let bound = framing.bound(lanes);
        let read = |message: &[u8]| framing.read_answer(message, id, lanes, effects);
        let message = |buffer: &[u8]| framing.message(buffer, bound);
        let outcome = wire.receive(process, Instant::now() + deadline, message, read);
        outcome.map_err(|trouble| process.explain(trouble, None))
    }

    /// Returns whether the process recorded that a call of this handle ended it.
    fn has_record(&self) -> bool {
        self.messages.as_ref().is_some_and(SharedMessages::has_record)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let Connection { process, wire, is_library, .. } = &mut self.connection;
        // A process with one handle ends when its input ends, and may write until then.
        wire.close();
        if !*is_library {
            process.finish();
        }
    }
}

/// Exchanges the first two lines with a device: hello and reply.
fn shake_hands(
    mut connection: Connection,
    hello: &Hello,
    deadline: Duration,
) -> Result<Running, DeviceError> {
    let shares = connection.is_library || hello.framings.contains(&Framing::Shared);
    let memory = if shares { Some(SharedMemory::new()) } else { None };
    let memory = memory.transpose().map_err(|e| DeviceError::of_system("shared memory", &e))?;
    // `framings` must not list the framing "shared", which older devices do not know. The framing
    // "shared" is offered by `memory` together with "binary".
    let named = |framing: &Framing| if *framing == Framing::Shared { Framing::Binary } else { *framing };
    let mut framings: Vec<Framing> = hello.framings.iter().map(named).collect();
    framings.dedup();
    let hello = Hello { framings, memory: memory.as_ref().map(SharedMemory::offer), ..hello.clone() };
    let Connection { process, wire, .. } = &mut connection;
    wire.prepare(|out| write_line(&hello, out));
    let line = |buffer: &[u8]| Framing::Json.message(buffer, WELCOME);
    let reply = wire.receive(process, Instant::now() + deadline, line, read_reply);
    let reply = reply.map_err(|trouble| process.explain(trouble, None))?;
    for (what, text) in [("name", &reply.name), ("version", &reply.version)] {
        if text.chars().count() > SHOWN {
            let words = format!("its {what} has more than {SHOWN} characters: `{}`", excerpt(text));
            return Err(DeviceError::unfit(words));
        }
    }
    if !hello.protocols.contains(&reply.protocol) {
        let (has, offered) = (reply.protocol, &hello.protocols);
        return Err(DeviceError::unfit(format!(
            "it speaks version {has} of the protocol, and {offered:?} are offered"
        )));
    }
    let is_offered = match reply.framing {
        Framing::Shared => memory.is_some(),
        framing => hello.framings.contains(&framing),
    };
    if !is_offered {
        return Err(DeviceError::unfit(format!(
            "it chose the framing {:?}, which was not offered",
            reply.framing
        )));
    }
    let messages = memory.filter(|_| reply.framing == Framing::Shared).map(SharedMessages::new);
    Ok(Running { connection, reply, messages, awaited: None, id: 0 })
}

/// Reads the hello reply of a device.
fn read_reply(message: &[u8]) -> Result<HelloReply, DeviceError> {
    if let Ok(HelloRefusal { error }) = serde_json::from_slice(message) {
        return Err(DeviceError::new(Failure::Reported, excerpt(&error)));
    }
    serde_json::from_slice::<HelloReply>(message).map_err(|e| {
        let text = excerpt(&String::from_utf8_lossy(message));
        DeviceError::unreadable(format!("its reply is `{text}`: {}", in_words(&e)))
    })
}

/// Returns the message of a JSON error, without names of Rust types.
fn in_words(error: &serde_json::Error) -> String {
    if error.is_data() {
        error.to_string().replace("expected u32", "expected a whole number")
    } else {
        format!("this is no JSON object on one line: {error}")
    }
}
