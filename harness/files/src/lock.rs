//! A lock on an open file or folder.

use std::fs::{File, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two attempts to take a lock.
const PAUSE: Duration = Duration::from_millis(10);

/// A lock on an open file or folder. The lock is released when dropped, or when the process ends in
/// any way.
///
/// Dropping unlocks explicitly. Closing the file would not be enough: a child process that another
/// thread has just forked holds a copy of the descriptor. That copy would keep the lock until the
/// child executes its program.
#[derive(Debug)]
pub struct Lock(File);

impl Lock {
    /// Takes an exclusive lock. Tries at least once, and repeats until `patience` has elapsed.
    ///
    /// # Errors
    ///
    /// [`TryLockError::WouldBlock`] if another lock was held at every attempt.
    /// [`TryLockError::Error`] if the file system has no locks or fails.
    pub fn exclusive(file: File, patience: Duration) -> Result<Lock, TryLockError> {
        let began = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Lock(file)),
                Err(TryLockError::WouldBlock) if began.elapsed() < patience => thread::sleep(PAUSE),
                Err(e) => return Err(e),
            }
        }
    }

    /// Takes a shared lock. Tries once.
    ///
    /// # Errors
    ///
    /// As [`Lock::exclusive`].
    pub fn shared(file: File) -> Result<Lock, TryLockError> {
        file.try_lock_shared().map(|()| Lock(file))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // If this fails, closing the file releases the lock.
        let _ = self.0.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_alone_or_several_beside_each_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = || File::open(folder.path()).expect("it is there");
        let alone = Lock::exclusive(open(), Duration::ZERO).expect("it is free");
        assert!(matches!(Lock::exclusive(open(), Duration::ZERO), Err(TryLockError::WouldBlock)));
        assert!(matches!(Lock::shared(open()), Err(TryLockError::WouldBlock)));
        drop(alone);
        let shared = [Lock::shared(open()), Lock::shared(open())];
        assert!(shared.iter().all(Result::is_ok));
        assert!(matches!(Lock::exclusive(open(), PAUSE), Err(TryLockError::WouldBlock)));
        drop(shared);
        Lock::exclusive(open(), Duration::ZERO).expect("it is free again");
    }

    #[test]
    fn a_copy_of_the_descriptor_does_not_keep_it() {
        let named = tempfile::NamedTempFile::new().expect("a file");
        let file = named.reopen().expect("it is there");
        // The descriptor of a forked child.
        let _copy = file.try_clone().expect("a copy");
        drop(Lock::exclusive(file, Duration::ZERO).expect("it is free"));
        let again = named.reopen().expect("it is there");
        Lock::exclusive(again, Duration::ZERO).expect("the copy does not hold it");
    }
}
