//! Devices under test: connecting to a device, and handling its failures.
//!
//! | module | contents |
//! |---|---|
//! | [`abi`] | the types of the C interface, from which `include/assay_device.h` is generated |
//! | [`library`] | the process that loads a shared library and serves its handles |
//! | [`memory`] | the memory that host and device share |
//! | [`protocol`] | the messages that a process exchanges, and their schema |
//! | [`declaration`] | the modes that a device states to support |
//! | [`frame`] | writes and reads the messages: as lines of JSON, or in binary |
//! | [`group`] | starts a process as the leader of a group that ends with this program |
//! | [`process`] | a handle of a device in another process, with deadlines and restarts |
//! | [`error`](mod@error), [`health`] | failures of a device, and limits on them |
//! | [`guard`] | a device as a subject: finds the cases that made a batch fail |
//! | [`pool`] | a device as the user names it, and its open handles |
//! | [`serve`] | the device's side of the protocol: serves any subject as a device |
//! | [`check`] | checks whether a device is ready for a campaign |
//!
//! ```
//! use assay_device::TransportKind;
//!
//! let kind: TransportKind = "lib:./device.so".parse()?;
//! assert_eq!(kind.to_string(), "lib:./device.so");
//! assert!("device.so".parse::<TransportKind>().is_err());
//! # Ok::<(), assay_device::UnknownDevice>(())
//! ```

pub mod abi;
pub mod check;
pub mod declaration;
pub mod error;
pub mod frame;
pub mod group;
pub mod guard;
pub mod health;
pub mod library;
pub mod memory;
pub mod pool;
pub mod process;
pub mod protocol;
pub mod serve;

pub use declaration::Declaration;
pub use health::{Health, Limits};
pub use pool::{DevicePool, TransportKind, UnknownDevice};
pub use protocol::{Framing, Hello, HelloReply};
