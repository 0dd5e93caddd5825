//! Calls of foreign code. The callee starts in the default environment. Changes that the callee
//! makes to the environment are recorded and undone.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::machine::State;
use crate::{Environment, set_default};

/// Every library that [`Foreign::library`] has returned so far, in the order of the first requests.
static LIBRARIES: Mutex<Vec<Arc<Foreign>>> = Mutex::new(Vec::new());
/// 1 + the index in `LIBRARIES` of the library called last. 0 if none was called.
static LAST: AtomicUsize = AtomicUsize::new(0);
/// Maximum number of changes recorded for a library.
const MOST: usize = 16;
/// Maximum number of characters shown of a foreign name.
const SHOWN: usize = 80;

/// A foreign library, and the changes that it made to the environment.
pub struct Foreign {
    name: String,
    place: usize,
    changes: Mutex<Vec<Change>>,
}

/// A change: a call after which the environment was not the default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The function that was called.
    pub call: &'static str,
    /// The purpose of the call. May be empty.
    pub detail: String,
    /// The environment after the call.
    pub left: Environment,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.call)?;
        if !self.detail.is_empty() {
            write!(f, " of `{}`", self.detail)?;
        }
        write!(f, " left {}", self.left)
    }
}

impl Foreign {
    /// Returns the library with this name. Every call with a name returns the same object.
    pub fn library(name: &str) -> Arc<Foreign> {
        let mut libraries = LIBRARIES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = libraries.iter().find(|library| library.name == name) {
            return known.clone();
        }
        let place = libraries.len();
        let library = Arc::new(Foreign { name: name.to_owned(), place, changes: Mutex::default() });
        libraries.push(library.clone());
        library
    }

    /// Calls the library in the default environment, with clear status flags. Undoes the library's
    /// changes to the environment, also when `run` panics. Records a change under the name of the
    /// call, with the purpose of the call from `detail`.
    pub fn call<T>(&self, call: &'static str, detail: impl FnOnce() -> String, run: impl FnOnce() -> T) -> T {
        LAST.store(self.place + 1, Ordering::Relaxed);
        set_default();
        let _leave = Leave { library: self, call, detail: Some(detail) };
        run()
    }

    /// Returns the recorded changes of the library: the first 16. A second change with the same
    /// call and environment is not recorded.
    pub fn changes(&self) -> Vec<Change> {
        self.recorded().clone()
    }

    fn recorded(&self) -> MutexGuard<'_, Vec<Change>> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cold]
    pub(crate) fn record(&self, call: &'static str, left: Environment, detail: impl FnOnce() -> String) {
        let mut changes = self.recorded();
        let is_new = changes.iter().all(|change| (change.call, change.left) != (call, left));
        if is_new && changes.len() < MOST {
            changes.push(Change { call, detail: detail(), left });
        }
    }
}

/// Ends a call when dropped: undoes and records a change of the environment.
struct Leave<'a, D: FnOnce() -> String> {
    library: &'a Foreign,
    call: &'static str,
    detail: Option<D>,
}

impl<D: FnOnce() -> String> Drop for Leave<'_, D> {
    fn drop(&mut self) {
        let left = State::left();
        if left.is_default() {
            return;
        }
        State::reset();
        if let Some(detail) = self.detail.take() {
            self.library.record(self.call, left, detail);
        }
    }
}

/// Returns the probable cause of a change of the environment outside of [`Foreign::call`].
pub(crate) fn suspect() -> String {
    let last = LAST.load(Ordering::Relaxed).checked_sub(1);
    let libraries = LIBRARIES.lock().unwrap_or_else(PoisonError::into_inner);
    let last = last.and_then(|place| libraries.get(place)).map(|library| shown(&library.name));
    let preloaded = std::env::var_os("LD_PRELOAD").filter(|list| !list.is_empty());
    let preloaded = preloaded.map(|list| shown(&list.to_string_lossy()));
    match (last, preloaded) {
        (Some(last), None) => format!("{last}, the library that was called last"),
        (None, Some(list)) => format!("a library that is preloaded into this process (LD_PRELOAD={list})"),
        (Some(last), Some(list)) => format!(
            "{last}, the library that was called last, or one that is preloaded into this process (LD_PRELOAD={list})"
        ),
        (None, None) => {
            "a library that is preloaded into this process, or the program that calls this one".to_owned()
        }
    }
}

/// Returns a name in backticks, escaped and cut to `SHOWN` characters.
fn shown(name: &str) -> String {
    format!("`{}`", name.chars().take(SHOWN).flat_map(char::escape_debug).collect::<String>())
}
