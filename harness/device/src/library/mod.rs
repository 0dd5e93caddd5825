//! A shared library as a device. This is the process that loads the library and serves its handles
//! to the host.
//!
//! The host is `crate::process::library`. It starts this program again with [`ARGUMENTS`]. Standard
//! input is a listening socket. The process ends when the first connection is closed. Each further
//! connection is a handle, with its own thread. Hello and reply are lines of JSON. The messages
//! after them have the framing "shared".
//!
//! | module | contents |
//! |---|---|
//! | `load` | loads the library and opens handles of it |
//! | `call` | a call of `execute`, from the request in shared memory to the answer there |
//! | `fault` | the record of the fault that ended the process |

mod call;
pub(crate) mod fault;
mod load;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::thread;

use call::{AnswerMemory, ColumnBuffers};
use load::{Library, OpenHandle};

use crate::frame::json::write_line;
use crate::memory::{self, DeviceMemory};
use crate::protocol::{Hello, HelloRefusal};

/// The first arguments of a program that serves a library. The path of the library follows.
pub const ARGUMENTS: [&str; 3] = ["dut", "serve", "--handles"];

/// Stack size of a thread that serves a handle, in bytes. It is the usual size for a main thread.
const STACK: usize = 8 << 20;

/// Serves a library if the arguments of this program begin with [`ARGUMENTS`]. Then returns the
/// exit status. Otherwise returns `None`.
///
/// Call this function first in `main`, before anything else is started.
pub fn serve_if_asked() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    let is_asked = ARGUMENTS.iter().all(|expected| arguments.next().is_some_and(|word| word == *expected));
    let path = arguments.next().filter(|_| is_asked)?;
    Some(match serve(Path::new(&path)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("the handles of a library cannot be served: {error}");
            ExitCode::from(3)
        }
    })
}

/// Serves handles until the host closes the first connection. Then waits until all handles are
/// closed, and ends the process.
fn serve(path: &Path) -> io::Result<()> {
    let listener = take_listener()?;
    fault::install();
    let (mut host, _) = listener.accept()?;
    let handles = Mutex::new(Vec::new());
    thread::scope(|scope| {
        let handles = &handles;
        scope.spawn(move || {
            // Accepts connections until the process exits.
            while let Ok((connection, _)) = listener.accept() {
                let thread = thread::Builder::new().stack_size(STACK).spawn({
                    let path = path.to_owned();
                    move || serve_handle(&path, connection)
                });
                if let Ok(thread) = thread {
                    handles.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
                }
            }
        });
        // The host sends nothing on this connection. So the read returns when the host closes the
        // connection.
        let _ = host.read(&mut [0]);
        for thread in std::mem::take(&mut *handles.lock().unwrap_or_else(PoisonError::into_inner)) {
            // Errors are ignored, because the host already knows how each handle ended.
            let _ = thread.join();
        }
        // Ends the thread that accepts connections, and runs the exit functions that the library
        // registered.
        std::process::exit(0)
    })
}

/// Takes the listening socket from standard input. Afterwards standard input is empty, and standard
/// output goes to standard error.
fn take_listener() -> io::Result<UnixListener> {
    let listener: OwnedFd = rustix::io::fcntl_dupfd_cloexec(io::stdin(), 3)?;
    rustix::stdio::dup2_stdin(std::fs::File::open("/dev/null")?)?;
    rustix::stdio::dup2_stdout(io::stderr())?;
    Ok(UnixListener::from(listener))
}

/// Serves a handle until its connection ends.
fn serve_handle(path: &Path, connection: UnixStream) {
    assay_fpenv::set_default();
    let mut reader = BufReader::new(&connection);
    let outcome = match open(path, &mut reader) {
        Ok((device, memory)) => send_line(&connection, device.reply())
            .and_then(|()| serve_requests(&device, &memory, &mut reader, &connection)),
        Err(error) => send_line(&connection, &HelloRefusal { error: error.to_string() }),
    };
    if let Err(error) = outcome {
        eprintln!("{error}");
    }
}

/// Reads the host's first line, loads the library and opens a handle.
fn open(path: &Path, reader: &mut impl BufRead) -> io::Result<(OpenHandle, DeviceMemory)> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let hello: Hello = serde_json::from_str(&line)?;
    let offer = hello.memory.as_ref().ok_or_else(|| io::Error::other("the host offers no shared memory"))?;
    let memory = DeviceMemory::open(offer)?;
    fault::record_here(memory.answers().0.cast(), memory.requests());
    let device = Library::load(path).and_then(|library| library.open(&hello)).map_err(io::Error::other)?;
    Ok((device, memory))
}

/// Executes requests. Each number that the host sends is the number of requests in memory.
fn serve_requests(
    device: &OpenHandle,
    memory: &DeviceMemory,
    reader: &mut impl Read,
    mut connection: &UnixStream,
) -> io::Result<()> {
    let (mut count, mut buffers) = ([0; 4], ColumnBuffers::default());
    loop {
        match reader.read_exact(&mut count) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            Err(error) => return Err(error),
        }
        let requests = memory.requests();
        let (start, bytes) = memory.answers();
        let (mut asked, mut answered) = (memory::FIRST, memory::FIRST);
        for nth in 1..=u32::from_le_bytes(count) {
            let request = crate::frame::binary::message(&requests[asked..], requests.len() - asked);
            let request = request.map_err(|trouble| io::Error::other(trouble.words))?;
            let (range, end) = request.ok_or_else(|| io::Error::other("a request ends early"))?;
            // SAFETY: the answers before this one end inside of the memory.
            let place = AnswerMemory { start: unsafe { start.add(answered) }, bytes: bytes - answered };
            let request = &requests[asked + range.start..asked + range.end];
            memory.begin_call(nth);
            let length = call::execute(device, request, place, &mut buffers).map_err(io::Error::other)?;
            (asked, answered) = (memory::next(asked + end), memory::next(answered + length));
        }
        connection.write_all(&count)?;
    }
}

fn send_line(mut connection: &UnixStream, value: &impl serde::Serialize) -> io::Result<()> {
    let mut line = Vec::new();
    write_line(value, &mut line);
    connection.write_all(&line)
}
