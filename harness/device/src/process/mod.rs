//! A device that is a process: started, asked, watched, and started again when it failed.
//!
//! Linux and other Unix systems only: pipes are polled, and the process leads a group of its own. So its child
//! processes end with it, and with this program however that ends. A descendant that leaves the group is beyond our
//! reach.

mod child;

use std::sync::Arc;
use std::time::{Duration, Instant};

use assay_isa::effect::Failure;
use assay_isa::{Answer, Batch, Effects};

use crate::error::DeviceError;
use crate::frame::json::write_line;
use crate::protocol::{Framing, Hello, HelloReply};
use crate::transport::{FirstHello, Transport};
use child::Child;

/// Failures to start, one after the other, after which a device that ran before is given up.
const STARTS: u32 = 5;
/// The first pause before a device is started again; each further one in a row is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_millis(250);
/// The most bytes of a reply.
const WELCOME: usize = 1 << 20;

/// A process that speaks the protocol.
pub struct Process {
    command: Arc<[String]>,
    hello: Arc<Hello>,
    first: Arc<FirstHello>,
    /// Time that it has to start: what starts slowly must not be held to the short deadline of a search.
    start: Duration,
    running: Option<Running>,
    /// Lives that ended without a good answer, one after the other.
    barren: u32,
}

struct Running {
    child: Child,
    reply: HelloReply,
    /// Number of the last request.
    id: u64,
}

impl Process {
    /// A device that will be started when it is first asked, and has that long for it. The command is a program and its
    /// arguments.
    pub fn new(
        command: Arc<[String]>,
        hello: Arc<Hello>,
        first: Arc<FirstHello>,
        start: Duration,
    ) -> Process {
        Process { command, hello, first, start, running: None, barren: 0 }
    }

    /// Number of the process, while it runs.
    pub fn id(&self) -> Option<u32> {
        self.running.as_ref().map(|running| running.child.id())
    }

    /// Starts the process, unless it runs, and shakes hands.
    fn start(&mut self) -> Result<&mut Running, DeviceError> {
        if self.running.is_none() {
            let running =
                shake_hands(&self.command, &self.hello, self.start).map_err(DeviceError::at_start)?;
            self.first.check(&running.reply)?;
            self.running = Some(running);
        }
        Ok(self.running.as_mut().expect("it was just started"))
    }

    /// Starts the process again, after a pause that grows while nothing good comes of it.
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

impl Transport for Process {
    fn connect(&mut self) -> Result<&HelloReply, DeviceError> {
        self.start().map(|running| &running.reply)
    }

    fn attempt(
        &mut self,
        text: &str,
        batch: &Batch,
        deadline: Duration,
        effects: &mut Effects,
    ) -> Result<Answer, DeviceError> {
        let outcome = self.start_again()?.ask(text, batch, deadline, effects);
        match &outcome {
            Ok(_) => self.barren = 0,
            // A failure that the device reports properly is in order.
            Err(trouble) if trouble.failure == Failure::Reported => {}
            Err(_) => {
                self.running = None;
                self.barren += 1;
            }
        }
        outcome
    }

    fn is_usable(&self) -> bool {
        self.running.is_some()
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
        let framing = self.reply.framing;
        self.id += 1;
        let (id, lanes) = (self.id, batch.len());
        self.child.prepare(|out| framing.write_request(id, text, batch, out));
        let until = Instant::now() + deadline;
        let bound = framing.bound(lanes);
        let read = |message: &[u8]| framing.read_answer(message, id, lanes, effects);
        self.child.receive(until, |buffer| framing.message(buffer, bound), read)
    }
}

/// Starts the process and exchanges the first two lines with it.
fn shake_hands(command: &[String], hello: &Hello, deadline: Duration) -> Result<Running, DeviceError> {
    let mut child = Child::start(command)?;
    child.prepare(|out| write_line(hello, out));
    let line = |buffer: &[u8]| Framing::Json.message(buffer, WELCOME);
    let read = |message: &[u8]| {
        let text = || String::from_utf8_lossy(&message[..message.len().min(80)]).escape_debug().to_string();
        serde_json::from_slice::<HelloReply>(message)
            .map_err(|e| DeviceError::unreadable(format!("its reply is `{}`: {e}", text())))
    };
    let reply = child.receive(Instant::now() + deadline, line, read)?;
    if !hello.protocols.contains(&reply.protocol) {
        let (has, offered) = (reply.protocol, &hello.protocols);
        return Err(DeviceError::unfit(format!(
            "it speaks version {has} of the protocol, and {offered:?} are offered"
        )));
    }
    if !hello.framings.contains(&reply.framing) {
        return Err(DeviceError::unfit(format!(
            "it chose the framing {:?}, which was not offered",
            reply.framing
        )));
    }
    Ok(Running { child, reply, id: 0 })
}
