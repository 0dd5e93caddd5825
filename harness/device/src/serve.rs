//! Any subject as a device: the other side of the protocol.

use std::io::{self, BufRead, Read, Write};

use assay_isa::{Answer, Effects, Subject};

use crate::error::DeviceError;
use crate::frame::json::write_line;
use crate::frame::{ReceivedRequest, Reply};
use crate::protocol::{Framing, Hello, HelloReply, OLDEST};

/// The most bytes of a request.
const MOST: usize = 1 << 28;

/// Serves a subject until the input ends. `open` makes and describes it after the host's hello. The framing of the
/// reply is set here, to the fastest of the offered ones.
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
    let framing = match hello.framings.contains(&Framing::Binary) {
        true => Framing::Binary,
        false => Framing::Json,
    };
    let (reply, mut subject) = open(&hello).map_err(bad)?;
    let mut out = Vec::new();
    write_line(&HelloReply { framing, ..reply }, &mut out);
    output.write_all(&out)?;
    output.flush()?;
    let (mut message, mut effects) = (Vec::new(), Effects::default());
    while read_message(framing, &mut input, &mut message)? {
        let range = framing.message(&message, MOST).map_err(unread)?;
        let (range, _) = range.ok_or_else(|| bad("a request ends early".into()))?;
        let ReceivedRequest { id, batch } = framing.read_request(&message[range]).map_err(unread)?;
        let answer = subject.execute(&batch, &mut effects);
        out.clear();
        let problem = answer.as_ref().err().map(ToString::to_string).unwrap_or_default();
        let reply = match answer {
            Ok(Answer::Known) => Reply::Known(&effects),
            Ok(Answer::Unsupported) => Reply::Unsupported,
            Err(_) => Reply::Failed(&problem),
        };
        framing.write_answer(id, &reply, &mut out);
        output.write_all(&out)?;
        output.flush()?;
    }
    Ok(())
}

/// Reads a message with all that belongs to it; false at the end of the input.
fn read_message(framing: Framing, input: &mut impl BufRead, message: &mut Vec<u8>) -> io::Result<bool> {
    message.clear();
    match framing {
        Framing::Json => Ok(input.take(MOST as u64).read_until(b'\n', message)? > 0),
        Framing::Binary => {
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
