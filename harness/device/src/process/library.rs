//! The host's side of a library in a separate process. The other side, in that process, is
//! [`crate::library`].
//!
//! At first one process serves all handles, so that faults from state that handles share can occur.
//! After this process has ended, each handle gets its own process. Then the failing case can be
//! found as with any other device.

use std::os::fd::OwnedFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use assay_isa::effect::Failure;

use super::served::{ServedProcess, Tell};
use super::wire::Wire;
use crate::error::DeviceError;
use crate::library::ARGUMENTS;

/// Path of the running program. It stays valid if the file of the program is replaced.
const THIS_PROGRAM: &str = "/proc/self/exe";

/// The processes of a library.
pub(super) struct LibraryProcesses {
    path: PathBuf,
    tell: Tell,
    shared: Mutex<SharedProcess>,
}

/// The process that serves all handles.
enum SharedProcess {
    NotStarted,
    Running(Arc<Listening>),
    /// The shared process has ended. Each handle gets its own process.
    Ended,
}

/// A process that accepts connections.
struct Listening {
    process: Arc<ServedProcess>,
    address: SocketAddr,
}

/// A handle's connection to a process.
pub(super) struct Connection {
    // The wire must be dropped first. The process ends when all of its connections are closed, and
    // dropping `process` waits for its end.
    pub(super) wire: Wire,
    pub(super) process: Arc<ServedProcess>,
    /// Whether the process serves a library.
    pub(super) is_library: bool,
    /// Whether the process serves all handles.
    pub(super) is_shared: bool,
}

impl LibraryProcesses {
    pub(super) fn new(path: &Path, tell: Tell) -> LibraryProcesses {
        // The system searches its library folders for a name without a folder, so the path is made
        // absolute.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        LibraryProcesses { path, tell, shared: Mutex::new(SharedProcess::NotStarted) }
    }

    fn shared(&self) -> MutexGuard<'_, SharedProcess> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Connects a handle to the shared process, or to its own process if the shared process has
    /// ended.
    pub(super) fn connect(&self) -> Result<Connection, DeviceError> {
        let (listening, is_shared) = {
            let mut shared = self.shared();
            match &*shared {
                SharedProcess::Running(listening) => (listening.clone(), true),
                SharedProcess::NotStarted => {
                    let listening = Arc::new(self.start()?);
                    *shared = SharedProcess::Running(listening.clone());
                    (listening, true)
                }
                SharedProcess::Ended => {
                    drop(shared);
                    (Arc::new(self.start()?), false)
                }
            }
        };
        let stream = UnixStream::connect_addr(&listening.address).and_then(|to| Ok((to.try_clone()?, to)));
        let wire = stream.map_err(|error| {
            // The process may have just ended.
            DeviceError::new(Failure::Crashed, format!("it accepts no connection: {error}"))
        });
        let wire = wire.and_then(|(to, from)| {
            Wire::new(["connection"; 2], to, from)
                .map_err(|error| DeviceError::of_system("a connection", &error.into()))
        });
        let process = listening.process.clone();
        match wire {
            Ok(wire) => Ok(Connection { process, wire, is_library: true, is_shared }),
            Err(trouble) => {
                self.retire(&process);
                Err(process.explain(trouble, None))
            }
        }
    }

    /// Ends a failed process. If it was the shared process, each handle gets its own process from
    /// now on.
    pub(super) fn retire(&self, process: &Arc<ServedProcess>) {
        let mut shared = self.shared();
        if let SharedProcess::Running(listening) = &*shared
            && Arc::ptr_eq(&listening.process, process)
        {
            *shared = SharedProcess::Ended;
        }
        drop(shared);
        process.kill();
    }

    /// Starts a process. The host keeps the first connection to the process open as long as it
    /// needs the process.
    fn start(&self) -> Result<Listening, DeviceError> {
        let failed = |error: std::io::Error| DeviceError::of_system("a socket for the library", &error);
        let address = address().map_err(failed)?;
        let listener = UnixListener::bind_addr(&address).map_err(failed)?;
        let life = UnixStream::connect_addr(&address).map_err(failed)?;
        let mut command = Command::new(THIS_PROGRAM);
        command.arg0("assay").args(ARGUMENTS).arg(&self.path);
        command.stdin(OwnedFd::from(listener)).stdout(Stdio::null()).stderr(Stdio::piped());
        let (process, _) = ServedProcess::start(&mut command, Some(life), Some(self.tell.clone()))?;
        Ok(Listening { process: Arc::new(process), address })
    }
}

/// Returns an abstract socket address. It has no file, and no other socket of this machine has it.
fn address() -> std::io::Result<SocketAddr> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let nth = NEXT.fetch_add(1, Ordering::Relaxed);
    SocketAddr::from_abstract_name(format!("assay-device-{}-{nth}", std::process::id()))
}
