//! Devices under test: checked for a campaign, and any subject as a device.

pub mod check;
pub mod serve;
