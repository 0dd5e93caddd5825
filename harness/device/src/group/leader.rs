//! A process that leads its own process group. Its child processes end with it, and the group does
//! not outlive this program.

use std::fmt;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};

use super::watchdog;

/// The processes that are not reaped yet, for [`kill_all`].
static LIVING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

fn living() -> MutexGuard<'static, Vec<Pid>> {
    LIVING.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Kills the groups of all processes. A program calls it if it exits without dropping its values.
pub fn kill_all() {
    for group in living().iter() {
        let _ = kill_process_group(*group, Signal::KILL);
    }
}

/// A process that leads a group. Dropping it kills the whole group, and reaps the process.
pub struct GroupLeader {
    process: std::process::Child,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessExit {
    /// The process exited with this status.
    Status(i32),
    /// This signal ended the process.
    Signal(i32),
}

impl fmt::Display for ProcessExit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProcessExit::Status(code) => write!(f, "status {code}"),
            ProcessExit::Signal(signal) => write!(f, "signal {signal}"),
        }
    }
}

impl GroupLeader {
    /// Starts a process as the leader of a new group. The group is killed when this program ends,
    /// even by `kill -9`.
    pub fn start(command: &mut Command) -> io::Result<GroupLeader> {
        watchdog::watch(command, || living().clone())?;
        let process = command.process_group(0).spawn()?;
        living().push(Pid::from_child(&process));
        Ok(GroupLeader { process })
    }

    /// Returns the process id, which is also the id of the group.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Takes this program's ends of the pipes: standard input, output and error. `None` for a
    /// stream that is not piped.
    pub fn pipes(&mut self) -> (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>) {
        (self.process.stdin.take(), self.process.stdout.take(), self.process.stderr.take())
    }

    /// Asks the process to end, like Ctrl-C.
    pub fn interrupt(&self) {
        // An error means that the process has ended, so it needs no signal.
        let _ = kill_process(Pid::from_child(&self.process), Signal::INT);
    }

    /// Asks every process of the group to end, like Ctrl-C.
    pub fn interrupt_group(&self) {
        // An error means that the group has ended, so it needs no signal.
        let _ = kill_process_group(Pid::from_child(&self.process), Signal::INT);
    }

    /// Kills the process and everything in its group.
    pub fn kill(&self) {
        let _ = kill_process_group(Pid::from_child(&self.process), Signal::KILL);
    }

    /// Waits up to `time` for the end of the process. Returns how the process ended, or `None` if
    /// it still runs. The process is not reaped, so that the system cannot reuse its id, which is
    /// also the id of the group.
    pub fn ended(&self, time: Duration) -> Option<ProcessExit> {
        let until = Instant::now() + time;
        let id = WaitId::Pid(Pid::from_child(&self.process));
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        loop {
            match waitid(id.clone(), options) {
                Ok(Some(status)) => {
                    let signal = || status.terminating_signal().map(ProcessExit::Signal);
                    return status.exit_status().map(ProcessExit::Status).or_else(signal);
                }
                Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(1)),
                _ => return None,
            }
        }
    }
}

impl Drop for GroupLeader {
    fn drop(&mut self) {
        // The process is not reaped yet, so no other group can have its id.
        let group = Pid::from_child(&self.process);
        let _ = kill_process_group(group, Signal::KILL);
        watchdog::release(group);
        living().retain(|living| *living != group);
        // An error is ignored, because nothing more can be done about a process that cannot be
        // reaped.
        let _ = self.process.wait();
    }
}
