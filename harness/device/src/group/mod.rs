//! Supervised processes: devices under test and stages of a nightly run.
//!
//! Each process leads its own process group, so that its child processes end with it. The group
//! also ends with this program, even after `kill -9`. A descendant that leaves the group is not
//! ended.
//!
//! | module | what it does |
//! |---|---|
//! | [`leader`] | starts a process, interrupts or kills it, and returns how it ended |
//! | `watchdog` | a shell that kills the groups after this program has ended |
//!
//! ```
//! use assay_device::group::{GroupLeader, ProcessExit};
//! use std::process::Command;
//! use std::time::Duration;
//!
//! let leader = GroupLeader::start(Command::new("sh").args(["-c", "exit 3"]))?;
//! assert_eq!(leader.ended(Duration::from_secs(60)), Some(ProcessExit::Status(3)));
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod leader;
mod watchdog;

pub use leader::{GroupLeader, ProcessExit, kill_all};
