//! A device as the user names it: a command or a library, with what all handles of it share.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use crate::coupling::{Coupling, FirstWelcome};
use crate::declaration::Declaration;
use crate::health::{Health, Limits};
use crate::library::Library;
use crate::process::Process;
use crate::protocol::{Hello, Welcome};

/// A device under test.
pub struct Plug {
    name: String,
    kind: Kind,
    limits: OnceLock<Limits>,
    tell: Box<dyn Fn(&str) + Send + Sync>,
    health: Health,
    stated: OnceLock<Stated>,
    /// What each handle must say.
    first: Arc<FirstWelcome>,
    /// Changes of the floating-point environment that were reported.
    changes_told: AtomicUsize,
    /// Handles that nobody uses at the moment, each with the hello that it was opened with.
    idle: Mutex<Vec<Idle>>,
}

/// What a device says of itself when it is opened.
struct Stated {
    welcome: Welcome,
    declaration: Declaration,
}

/// A handle, and the hello that it was opened with.
type Idle = (Arc<Hello>, Box<dyn Coupling>);

/// How a device is coupled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A process: a program and its arguments.
    Exec(Arc<[String]>),
    /// A shared library.
    Lib(PathBuf),
}

/// Text that names no device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownDevice {
    /// Neither of the two kinds.
    #[error("`{0}` is no device; write exec:COMMAND for a process or lib:PATH for a shared library")]
    Kind(String),
    /// The command cannot be split into words.
    #[error("the command of `{0}` cannot be read: {1}")]
    Command(String, String),
    /// Nothing behind the colon.
    #[error("`{0}` names nothing to run; write exec:COMMAND or lib:PATH")]
    Empty(String),
}

impl std::str::FromStr for Kind {
    type Err = UnknownDevice;

    /// `exec:COMMAND`, which is split as a shell does, or `lib:PATH`.
    fn from_str(text: &str) -> Result<Kind, UnknownDevice> {
        let unknown = || UnknownDevice::Kind(text.to_owned());
        let kind = match text.split_once(':').ok_or_else(unknown)? {
            ("exec", command) => {
                let words = shell_words::split(command);
                let words = words.map_err(|e| UnknownDevice::Command(text.to_owned(), e.to_string()))?;
                Some(Kind::Exec(words.into())).filter(|kind| *kind != Kind::Exec([].into()))
            }
            ("lib", path) => (!path.is_empty()).then(|| Kind::Lib(path.into())),
            _ => return Err(unknown()),
        };
        kind.ok_or_else(|| UnknownDevice::Empty(text.to_owned()))
    }
}

impl fmt::Display for Kind {
    /// The device as it can be named again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Exec(words) => write!(f, "exec:{}", shell_words::join(words.iter())),
            Kind::Lib(path) => write!(f, "lib:{}", path.display()),
        }
    }
}

impl Kind {
    /// The files that it names, by what it calls them: the library; or the program, where it is named by a path and not looked
    /// for, and every argument that is a regular file, or has one behind its `=`.
    pub fn files(&self) -> BTreeMap<String, PathBuf> {
        let words = match self {
            Kind::Lib(path) => return BTreeMap::from([(path.display().to_string(), path.clone())]),
            Kind::Exec(words) => words,
        };
        let named = words.iter().enumerate().filter(|(place, word)| *place > 0 || word.contains('/'));
        let texts = named.flat_map(|(_, word)| [Some(&word[..]), word.split_once('=').map(|(_, path)| path)]);
        let files = texts.flatten().map(|text| (text.to_owned(), PathBuf::from(text)));
        files.filter(|(_, path)| path.is_file()).collect()
    }

    /// A handle of its own, without what guards one.
    pub fn couple(
        &self,
        hello: &Arc<Hello>,
        first: &Arc<FirstWelcome>,
        limits: &Limits,
    ) -> Result<Box<dyn Coupling>, String> {
        let (hello, first) = (hello.clone(), first.clone());
        Ok(match self {
            Kind::Exec(command) => Box::new(Process::new(command.clone(), hello, first, limits.deadline)),
            Kind::Lib(path) => Box::new(Library::load(Path::new(path), hello, first)?),
        })
    }
}

impl Plug {
    /// A device, which nobody opens before it is asked. `tell` hears of its first failures.
    pub fn new(kind: Kind, tell: impl Fn(&str) + Send + Sync + 'static) -> Arc<Plug> {
        Arc::new(Plug {
            name: kind.to_string(),
            kind,
            limits: OnceLock::new(),
            tell: Box::new(tell),
            health: Health::default(),
            stated: OnceLock::new(),
            first: Arc::default(),
            changes_told: AtomicUsize::new(0),
            idle: Mutex::default(),
        })
    }

    /// Its name: what the user wrote.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How it is coupled.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// Its health.
    pub fn health(&self) -> &Health {
        &self.health
    }

    /// How much is borne of it.
    pub fn limits(&self) -> &Limits {
        self.limits.get_or_init(Limits::default)
    }

    /// Sets how much is borne of it. That counts before it is first asked; later it stays as it is.
    pub fn bear(&self, limits: Limits) {
        let _ = self.limits.set(limits);
    }

    /// What it says that it is, once it was opened.
    pub fn welcome(&self) -> Option<&Welcome> {
        self.stated.get().map(|stated| &stated.welcome)
    }

    /// The modes that it stated to support, once it was opened.
    pub fn declaration(&self) -> Option<&Declaration> {
        self.stated.get().map(|stated| &stated.declaration)
    }

    /// Takes what it says that it is; the error says what is wrong with that.
    pub(crate) fn is_what(&self, welcome: Welcome) -> Result<(), String> {
        let declaration = Declaration::new(&welcome)?;
        // Two workers may have asked at the same time; the device is the same.
        let _ = self.stated.set(Stated { welcome, declaration });
        Ok(())
    }

    pub(crate) fn tell(&self, words: &str) {
        (self.tell)(words);
    }

    /// Reports the changes of the floating-point environment that calls left since the last report.
    pub(crate) fn tell_changes(&self, coupling: &dyn Coupling) {
        let Some(calls) = coupling.calls() else { return };
        let changes = calls.changes();
        let told = self.changes_told.fetch_max(changes.len(), Ordering::Relaxed);
        for change in changes.iter().skip(told) {
            self.tell(&format!("{change}; every call begins in the default environment all the same"));
        }
    }

    /// An idle handle, or a new one.
    pub(crate) fn take(&self, hello: &Arc<Hello>) -> Result<Box<dyn Coupling>, String> {
        let mut idle = self.idle.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(place) = idle.iter().rposition(|(said, _)| said == hello) {
            return Ok(idle.swap_remove(place).1);
        }
        drop(idle);
        self.open(hello)
    }

    /// A new handle.
    pub(crate) fn open(&self, hello: &Arc<Hello>) -> Result<Box<dyn Coupling>, String> {
        self.kind.couple(hello, &self.first, self.limits())
    }

    /// Takes a handle back. Of many kinds of hello only the latest are kept.
    pub(crate) fn give_back(&self, hello: &Arc<Hello>, coupling: Box<dyn Coupling>) {
        if !coupling.is_fit() {
            return;
        }
        let most = 2 * std::thread::available_parallelism().map_or(1, usize::from);
        let mut idle = self.idle.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        idle.push((hello.clone(), coupling));
        let surplus = if idle.len() > most { Some(idle.remove(0)) } else { None };
        drop(idle);
        // To end a process can take a moment, in which others must not wait.
        drop(surplus);
    }
}

impl fmt::Debug for Plug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plug").field("name", &self.name).finish_non_exhaustive()
    }
}
