//! A device as the user names it, a command or a library, and the state that all of its handles
//! share.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use crate::declaration::Declaration;
use crate::health::{Health, Limits};
use crate::process::{DeviceHandle, FirstHello, GRACE, Launcher, bad_end};
use crate::protocol::{Hello, HelloReply};

/// Number of batches that the first workers of a device with shared memory send at once.
const FIRST_AHEAD: usize = 4;

/// A device under test.
pub struct DevicePool {
    name: String,
    kind: TransportKind,
    launcher: Launcher,
    limits: OnceLock<Limits>,
    tell: Arc<dyn Fn(&str) + Send + Sync>,
    health: Health,
    stated: OnceLock<DeviceStatement>,
    /// The first hello reply. The reply of each later handle must agree with it.
    first: Arc<FirstHello>,
    /// Number of batches that a new worker sends to the device at once. The workers adjust it.
    ahead: AtomicUsize,
    /// Maximum number of idle handles that are kept.
    most_idle: usize,
    /// Idle handles, each with the hello that opened it.
    idle: Mutex<Vec<Idle>>,
}

/// The description that a device gave when it was first opened.
struct DeviceStatement {
    reply: HelloReply,
    declaration: Declaration,
}

/// A handle, with the hello that opened it.
type Idle = (Arc<Hello>, DeviceHandle);

/// How a device is connected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransportKind {
    /// A process: a program and its arguments.
    Exec(Arc<[String]>),
    /// A shared library.
    Lib(PathBuf),
}

/// The error for a text that names no device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownDevice {
    /// The text begins with neither `exec:` nor `lib:`.
    #[error("`{0}` is no device; write exec:COMMAND for a process or lib:PATH for a shared library")]
    Kind(String),
    /// The command cannot be split into words.
    #[error("the command of `{0}` cannot be read: {1}")]
    Command(String, String),
    /// The command is a shared library.
    #[error("`{0}` is a shared library and no command; write lib:{0}")]
    Library(String),
    /// Nothing follows the colon.
    #[error("`{0}` names nothing to run; write exec:COMMAND or lib:PATH")]
    Empty(String),
}

impl std::str::FromStr for TransportKind {
    type Err = UnknownDevice;

    /// Parses `exec:COMMAND`, which is split as a shell does, or `lib:PATH`.
    fn from_str(text: &str) -> Result<TransportKind, UnknownDevice> {
        let unknown = || UnknownDevice::Kind(text.to_owned());
        let kind = match text.split_once(':').ok_or_else(unknown)? {
            ("exec", command) => {
                let words = shell_words::split(command);
                let words = words.map_err(|e| UnknownDevice::Command(text.to_owned(), e.to_string()))?;
                if let [library] = &words[..]
                    && library.ends_with(".so")
                    && Path::new(library).is_file()
                {
                    return Err(UnknownDevice::Library(library.clone()));
                }
                Some(TransportKind::Exec(words.into())).filter(|kind| *kind != TransportKind::Exec([].into()))
            }
            ("lib", path) => (!path.is_empty()).then(|| TransportKind::Lib(path.into())),
            _ => return Err(unknown()),
        };
        kind.ok_or_else(|| UnknownDevice::Empty(text.to_owned()))
    }
}

impl fmt::Display for TransportKind {
    /// Writes the device in the form that `from_str` parses.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TransportKind::Exec(words) => write!(f, "exec:{}", shell_words::join(words.iter())),
            TransportKind::Lib(path) => write!(f, "lib:{}", path.display()),
        }
    }
}

impl TransportKind {
    /// Returns the files of the device, by name. For a library, that is the library. For a command,
    /// the files are the program if it is given as a path, every argument that is a file, and every
    /// file after the `=` of an argument.
    pub fn files(&self) -> BTreeMap<String, PathBuf> {
        let words = match self {
            TransportKind::Lib(path) => return BTreeMap::from([(path.display().to_string(), path.clone())]),
            TransportKind::Exec(words) => words,
        };
        let named = words.iter().enumerate().filter(|(place, word)| *place > 0 || word.contains('/'));
        let texts = named.flat_map(|(_, word)| [Some(&word[..]), word.split_once('=').map(|(_, path)| path)]);
        let files = texts.flatten().map(|text| (text.to_owned(), PathBuf::from(text)));
        files.filter(|(_, path)| path.is_file()).collect()
    }

    /// Returns the launcher that opens handles of the device. `tell` receives the output of a
    /// library.
    pub fn launcher(&self, tell: impl Fn(&str) + Send + Sync + 'static) -> Launcher {
        match self {
            TransportKind::Exec(command) => Launcher::command(command.clone()),
            TransportKind::Lib(path) => Launcher::library(path, tell),
        }
    }
}

impl DevicePool {
    /// Returns a device that is opened on first use. `tell` receives the messages about its first
    /// failures, and the output of a library.
    pub fn new(kind: TransportKind, tell: impl Fn(&str) + Send + Sync + 'static) -> Arc<DevicePool> {
        let tell = Arc::new(tell);
        let launcher = kind.launcher({
            let tell = tell.clone();
            move |words: &str| tell(words)
        });
        Arc::new(DevicePool {
            name: kind.to_string(),
            kind,
            launcher,
            limits: OnceLock::new(),
            tell,
            health: Health::default(),
            stated: OnceLock::new(),
            first: Arc::default(),
            ahead: AtomicUsize::new(FIRST_AHEAD),
            most_idle: 2 * std::thread::available_parallelism().map_or(1, usize::from),
            idle: Mutex::default(),
        })
    }

    /// Returns the name of the device, such as `exec:COMMAND`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns how the device is connected.
    pub fn kind(&self) -> &TransportKind {
        &self.kind
    }

    /// Returns the health of the device.
    pub fn health(&self) -> &Health {
        &self.health
    }

    /// Returns the limits on the failures of the device.
    pub fn limits(&self) -> &Limits {
        self.limits.get_or_init(Limits::default)
    }

    /// Sets the limits on the failures of the device. A call after the first use of the limits has
    /// no effect.
    pub fn set_limits(&self, limits: Limits) {
        let _ = self.limits.set(limits);
    }

    /// Returns the description of the device. `None` until the device was opened.
    pub fn hello_reply(&self) -> Option<&HelloReply> {
        self.stated.get().map(|stated| &stated.reply)
    }

    /// Returns the modes that the device declared. `None` until the device was opened.
    pub fn declaration(&self) -> Option<&Declaration> {
        self.stated.get().map(|stated| &stated.declaration)
    }

    /// Returns the number of batches that a new worker sends at once, if the device shares memory.
    pub(crate) fn ahead(&self) -> usize {
        self.ahead.load(Ordering::Relaxed)
    }

    /// Stores the number of batches that new workers send at once.
    pub(crate) fn keep_ahead(&self, batches: usize) {
        // At least 2, because a worker that sends single batches cannot learn a better number.
        self.ahead.store(batches.max(2), Ordering::Relaxed);
    }

    /// Stores the description of the device. The error names a problem of the description.
    pub(crate) fn is_what(&self, reply: HelloReply) -> Result<(), String> {
        let declaration = Declaration::new(&reply)?;
        // Another worker may already have stored the description of this device.
        let _ = self.stated.set(DeviceStatement { reply, declaration });
        Ok(())
    }

    pub(crate) fn tell(&self, words: &str) {
        (self.tell)(words);
    }

    /// Returns an idle handle that was opened with this hello, or else a new handle.
    pub(crate) fn take(&self, hello: &Arc<Hello>) -> DeviceHandle {
        let mut idle = self.idle.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(place) = idle.iter().rposition(|(said, _)| said == hello) {
            return idle.swap_remove(place).1;
        }
        drop(idle);
        self.open(hello)
    }

    /// Returns a new handle.
    pub(crate) fn open(&self, hello: &Arc<Hello>) -> DeviceHandle {
        self.launcher.handle(hello.clone(), self.first.clone(), self.limits().deadline)
    }

    /// Takes a handle back. If too many handles are idle, closes the handle that has been idle
    /// longest.
    pub(crate) fn give_back(&self, hello: &Arc<Hello>, handle: DeviceHandle) {
        if !handle.is_usable() {
            return;
        }
        let mut idle = self.idle.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        idle.push((hello.clone(), handle));
        let surplus = if idle.len() > self.most_idle { Some(idle.remove(0)) } else { None };
        drop(idle);
        // Ending a process takes time. The lock is released before, so that other threads need not
        // wait.
        drop(surplus);
    }
}

impl Drop for DevicePool {
    /// Ends the idle processes, and shows the first bad end. No case is the cause of such an end,
    /// so no verdict shows it. For a library, the process that its handles share reports its own
    /// end.
    fn drop(&mut self) {
        if matches!(self.kind, TransportKind::Lib(_)) {
            return;
        }
        let idle = std::mem::take(self.idle.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner()));
        let ends = idle.into_iter().filter_map(|(_, mut handle)| bad_end(handle.close(GRACE)));
        if let Some(words) = ends.reduce(|first, _| first) {
            self.tell(&words);
        }
    }
}

impl fmt::Debug for DevicePool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DevicePool").field("name", &self.name).finish_non_exhaustive()
    }
}
