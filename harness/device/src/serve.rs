//! Serves any subject as a device. This is the device's side of the protocol.

use std::io::{self, BufRead, Read, Write};

use assay_isa::{Answer, Effects, Subject};

use crate::error::DeviceError;
use crate::frame::json::write_line;
use crate::frame::{ReceivedRequest, Reply};
use crate::memory::{self, DeviceMemory};
use crate::protocol::{Framing, Hello, HelloReply, OLDEST};

/// Maximum size of a request in bytes.
const MOST: usize = 1 << 28;

/// Serves a subject until the input ends. After the host's hello, `open` creates the subject and
/// its description. This function overwrites the framing of the reply with the fastest offered
/// framing.
pub fn serve(
    open: impl FnOnce(&Hello) -> Result<(HelloReply, Box<dyn Subject>), String>,
    mut input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    let mut line = String::new();
    input.read_line(&mut line)?;
    let hello: Hello =
        serde_json::from_str(&line).map_err(|e| bad(format!("the hello cannot be read: {e}")))?;
    if hello.protocol != OLDEST {
        return Err(bad(format!(
            "the host begins with version {} of the protocol, not {OLDEST}",
            hello.protocol
        )));
    }
    // Only offered framings are used: a program between host and device may pass on only JSON, and
    // then offers only JSON. Shared memory has binary messages, so it needs the offer of "binary".
    let is_binary = hello.framings.contains(&Framing::Binary);
    let offer = hello.memory.as_ref().filter(|_| is_binary);
    // Memory that cannot be opened is not used: the host may be on another machine.
    let memory = offer.and_then(|offer| DeviceMemory::open(offer).ok());
    let framing = match &memory {
        Some(_) => Framing::Shared,
        None if is_binary => Framing::Binary,
        None => Framing::Json,
    };
    let (reply, subject) = open(&hello).map_err(bad)?;
    let mut server = Server { framing, subject, effects: Effects::default(), out: Vec::new() };
    write_line(&HelloReply { framing, ..reply }, &mut server.out);
    output.write_all(&server.out)?;
    output.flush()?;
    match memory {
        Some(memory) => server.serve_memory(memory, input, output),
        None => server.serve_pipe(input, output),
    }
}

/// A subject with buffers for its answers.
struct Server {
    framing: Framing,
    subject: Box<dyn Subject>,
    effects: Effects,
    /// The last answer.
    out: Vec<u8>,
}

impl Server {
    fn serve_pipe(&mut self, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        let mut message = Vec::new();
        while read_message(self.framing, &mut input, &mut message)? {
            self.answer(&message)?;
            output.write_all(&self.out)?;
            output.flush()?;
        }
        Ok(())
    }

    /// Answers requests in memory. Each number that arrives is the number of requests in memory.
    fn serve_memory(
        &mut self,
        mut memory: DeviceMemory,
        mut input: impl BufRead,
        mut output: impl Write,
    ) -> io::Result<()> {
        let mut count = [0; 4];
        while !input.fill_buf()?.is_empty() {
            input.read_exact(&mut count)?;
            let (mut asked, mut answered) = (memory::FIRST, memory::FIRST);
            for nth in 1..=u32::from_le_bytes(count) {
                memory.begin_call(nth);
                asked += self.answer(&memory.requests()[asked..])?;
                asked = memory::next(asked);
                let next = memory.write_answer(answered, &self.out);
                answered = next.ok_or_else(|| bad("the answers do not fit into shared memory".into()))?;
            }
            output.write_all(&count)?;
            output.flush()?;
        }
        Ok(())
    }

    /// Executes the first request in `bytes`, and stores the answer in `out`. Returns the length of
    /// the request.
    fn answer(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Server { framing, subject, effects, out } = self;
        let range = framing.message(bytes, MOST).map_err(unread)?;
        let (range, end) = range.ok_or_else(|| bad("a request ends early".into()))?;
        let ReceivedRequest { id, batch } = framing.read_request(&bytes[range]).map_err(unread)?;
        let answer = subject.execute(&batch, effects);
        out.clear();
        let problem = answer.as_ref().err().map(ToString::to_string).unwrap_or_default();
        let reply = match answer {
            Ok(Answer::Known) => Reply::Known(effects),
            Ok(Answer::Unsupported) => Reply::Unsupported,
            Err(_) => Reply::Failed(&problem),
        };
        framing.write_answer(id, &reply, out);
        Ok(end)
    }
}

/// Reads a message, including its length or its end of line. Returns `false` at the end of the
/// input.
fn read_message(framing: Framing, input: &mut impl BufRead, message: &mut Vec<u8>) -> io::Result<bool> {
    message.clear();
    match framing {
        Framing::Json => Ok(input.take(MOST as u64).read_until(b'\n', message)? > 0),
        Framing::Binary | Framing::Shared => {
            if input.fill_buf()?.is_empty() {
                return Ok(false);
            }
            let mut length = [0; 4];
            input.read_exact(&mut length)?;
            message.extend_from_slice(&length);
            let count = u64::from(u32::from_le_bytes(length)).min(MOST as u64);
            input.take(count).read_to_end(message)?;
            Ok(true)
        }
    }
}

fn bad(problem: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem)
}

fn unread(trouble: DeviceError) -> io::Error {
    bad(trouble.words)
}
