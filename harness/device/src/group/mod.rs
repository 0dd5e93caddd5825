//! Processes that are supervised: devices under test, stages of a nightly run.
//!
//! Each process leads a group of its own, so that its child processes end with it. It also ends with this program, even
//! after `kill -9`. A descendant that leaves the group is out of reach.
//!
//! | module | what it does |
//! |---|---|
//! | [`leader`] | starts a process, asks it to end, ends it, tells how it ended |
//! | `watchdog` | a shell that ends the groups when this program is gone |
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
