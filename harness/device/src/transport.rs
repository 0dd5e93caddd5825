//! What a handle of a device can do, whether it is a process or a library.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use assay_fpenv::Foreign;
use assay_isa::{Answer, Batch, Effects};

use crate::error::DeviceError;
use crate::protocol::HelloReply;

/// What a device said of itself when it was first opened. Whenever it is opened again it must say the same.
#[derive(Debug, Default)]
pub struct FirstHello(OnceLock<HelloReply>);

impl FirstHello {
    /// Takes what the device says now; the error names what differs from before.
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
    /// Opens the device, unless it is open, and says what it is.
    fn connect(&mut self) -> Result<&HelloReply, DeviceError>;

    /// Has the device execute a batch of an instruction, whose text is given as well, within the deadline. After a failure
    /// it is opened again for the next batch.
    fn attempt(
        &mut self,
        text: &str,
        batch: &Batch,
        deadline: Duration,
        effects: &mut Effects,
    ) -> Result<Answer, DeviceError>;

    /// Whether the handle is open and can be used again.
    fn is_usable(&self) -> bool;

    /// The record of calls into this process; none of a device that runs in another.
    fn calls(&self) -> Option<&Arc<Foreign>> {
        None
    }
}
