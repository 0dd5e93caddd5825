//! A small process that kills the supervised processes if this program cannot, for example after
//! `kill -9`.
//!
//! It is a shell that reads a pipe. A line `+ GROUP` adds a process group to its list, and `-
//! GROUP` removes a group. The pipe closes when this program ends in any way. Then the shell kills
//! the listed groups. A process adds itself between fork and exec, so it never runs without being
//! listed.

use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};

use rustix::process::Pid;

/// The script of the shell. It ignores the signals with which a terminal ends programs, because it
/// must outlive this program.
const SCRIPT: &str = r#"
trap '' HUP INT QUIT TERM
groups=' '
while read -r change group; do
    case $change in
        +) groups="$groups$group " ;;
        -) case $groups in *" $group "*) groups="${groups%%" $group "*} ${groups#*" $group "}" ;; esac ;;
    esac
done
for group in $groups; do
    kill -s KILL -- "-$group"
done
"#;

/// The watchdog of this program. `None` until a process is started.
static RUNNING: Mutex<Option<Watchdog>> = Mutex::new(None);

struct Watchdog {
    shell: Child,
    pipe: Arc<ChildStdin>,
}

impl Watchdog {
    fn start() -> io::Result<Watchdog> {
        let mut shell = Command::new("/bin/sh")
            .args(["-c", SCRIPT])
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // A signal to the group of this program, such as Ctrl-C, must not reach the shell.
            .process_group(0)
            .spawn()
            .map_err(|e| {
                io::Error::new(e.kind(), format!("/bin/sh, which ends it when assay is killed: {e}"))
            })?;
        let pipe = shell.stdin.take().expect("it is piped");
        Ok(Watchdog { shell, pipe: Arc::new(pipe) })
    }
}

/// Makes a command add its process group to the watchdog's list when it is started as the leader of
/// a group. Starts a watchdog if none runs. `living` returns the groups that a new watchdog must
/// list.
pub(crate) fn watch(command: &mut Command, living: impl FnOnce() -> Vec<Pid>) -> io::Result<()> {
    let mut running = RUNNING.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let is_running = match &mut *running {
        Some(watchdog) => watchdog.shell.try_wait()?.is_none(),
        None => false,
    };
    if !is_running {
        let watchdog = Watchdog::start()?;
        living().into_iter().try_for_each(|group| tell(&watchdog.pipe, '+', group))?;
        *running = Some(watchdog);
    }
    let pipe = running.as_ref().expect("it was just started").pipe.clone();
    // SAFETY: the closure makes two system calls, formats into its stack and allocates nothing, so that it may run
    // between fork and exec.
    unsafe { command.pre_exec(move || tell(&pipe, '+', rustix::process::getpid())) };
    Ok(())
}

/// Removes a group from the list. Its leader must not be reaped yet, because afterwards another
/// group can get its id.
pub(crate) fn release(group: Pid) {
    if let Some(watchdog) = &*RUNNING.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) {
        // An error is ignored: a watchdog that has ended has no list.
        let _ = tell(&watchdog.pipe, '-', group);
    }
}

/// Writes a line in a single write. A pipe does not interleave writes as short as this.
fn tell(pipe: &ChildStdin, change: char, group: Pid) -> io::Result<()> {
    let mut line = [0; 24];
    let mut rest = &mut line[..];
    writeln!(rest, "{change} {}", group.as_raw_nonzero())?;
    let left = rest.len();
    rustix::io::write(pipe, &line[..24 - left])?;
    Ok(())
}
