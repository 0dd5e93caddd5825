//! Devices under test: how one is plugged in, and what is done when it fails.
//!
//! | room | what happens there |
//! |---|---|
//! | [`abi`] | the types of the C interface, from which `include/assay_device.h` is generated |
//! | [`protocol`] | the messages that a process exchanges, and their schema |
//! | [`declaration`] | the modes that a device states to support |
//! | [`frame`] | how these are written: lines of JSON, or binary |
//! | [`coupling`] | what a handle of a device can do, whichever way it is coupled |
//! | [`process`] | a child process, with deadlines, started again when it failed |
//! | [`library`] | a shared library |
//! | [`trouble`], [`health`] | how a device failed, and how often it may |
//! | [`guard`] | a device as a subject: finds the case that a batch failed for, and goes on |
//! | [`plug`] | a device as the user names it |
//! | [`serve`] | the other side: any subject as a device |
//! | [`check`] | whether a device keeps to the protocol |

pub mod abi;
pub mod check;
pub mod coupling;
pub mod declaration;
pub mod frame;
pub mod guard;
pub mod health;
pub mod library;
pub mod plug;
pub mod process;
pub mod protocol;
pub mod serve;
pub mod trouble;

pub use declaration::Declaration;
pub use health::{Health, Limits};
pub use plug::{Kind, Plug, UnknownDevice};
pub use protocol::{Framing, Hello, Welcome};
