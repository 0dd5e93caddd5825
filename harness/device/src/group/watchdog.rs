//! A small process that ends ours when this program cannot, as after `kill -9`.
//!
//! It is a shell that reads a pipe. A line `+ GROUP` adds a process group, `- GROUP` removes one. The pipe closes when
//! this program is gone, however it went, and then the shell kills the groups that are left. A process adds itself
//! between fork and exec, so there is no moment at which it runs and is not listed.

use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};

use rustix::process::Pid;

/// The shell's program. The signals that end a terminal's programs do not end it: it must outlive this one.
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

/// The watchdog of this program, once a process was started.
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
            // A signal to our group, as of Ctrl-C, is not for it.
            .process_group(0)
            .spawn()
            .map_err(|e| {
                io::Error::new(e.kind(), format!("/bin/sh, which ends it when assay is killed: {e}"))
            })?;
        let pipe = shell.stdin.take().expect("it is piped");
        Ok(Watchdog { shell, pipe: Arc::new(pipe) })
    }
}

/// Makes a command add its process group to the watchdog's list as soon as it is started as the leader of one. `living`
/// are the groups for a new watchdog, if the one before is gone.
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

/// Takes a group off the list. Its leader must not be reaped yet, for afterwards its number can be another's.
pub(crate) fn release(group: Pid) {
    if let Some(watchdog) = &*RUNNING.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) {
        // A watchdog that is gone has no list.
        let _ = tell(&watchdog.pipe, '-', group);
    }
}

/// Writes a line in one piece: a pipe does not mix pieces as short as this.
fn tell(pipe: &ChildStdin, change: char, group: Pid) -> io::Result<()> {
    let mut line = [0; 24];
    let mut rest = &mut line[..];
    writeln!(rest, "{change} {}", group.as_raw_nonzero())?;
    let left = rest.len();
    rustix::io::write(pipe, &line[..24 - left])?;
    Ok(())
}
