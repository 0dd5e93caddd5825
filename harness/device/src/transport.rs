//! The operations on a handle of a device, whether it is a process or a library.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use assay_fpenv::Foreign;
use assay_isa::{Answer, Batch, Effects};

use crate::error::DeviceError;
use crate::protocol::HelloReply;

/// The description of a device when it was first opened. Every later description must be the same.
#[derive(Debug, Default)]
pub struct FirstHello(OnceLock<HelloReply>);

impl FirstHello {
    /// Compares the current description with the first one; the error names the difference.
    pub fn check(&self, now: &HelloReply) -> Result<(), DeviceError> {
        let first = self.0.get_or_init(|| now.clone());
        let parts = [
            ("name", first.name == now.name),
            ("version", first.version == now.version),
            ("protocol version", first.protocol == now.protocol),
            ("list of what it supports", first.optypes == now.optypes && first.modes == now.modes),
        ];
        match parts.iter().find(|(_, is_same)| !is_same) {
            None => Ok(()),
            Some((part, _)) => {
                Err(DeviceError::unfit(format!("opened again, it states another {part} than before"))
                    .at_start())
            }
        }
    }
}

/// One handle of a device: used by one thread at a time.
pub trait Transport: Send {
    /// Opens the device, unless it is open, and returns its description.
    fn connect(&mut self) -> Result<&HelloReply, DeviceError>;

    /// Executes a batch of an instruction on the device, within the deadline; the device also receives the
    /// instruction's text. After a failure it is opened again for the next batch.
    fn attempt(
        &mut self,
        text: &str,
        batch: &Batch,
        deadline: Duration,
        effects: &mut Effects,
    ) -> Result<Answer, DeviceError>;

    /// Whether the handle is open and can be used again.
    fn is_usable(&self) -> bool;

    /// The record of calls into this process; `None` for a device that runs in another process.
    fn calls(&self) -> Option<&Arc<Foreign>> {
        None
    }
}
