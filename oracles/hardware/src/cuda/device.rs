//! The device: its identity, and the kernels that were assembled on it.

use std::collections::HashMap;
use std::panic::catch_unwind;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cudarc::driver::{CudaContext, sys};
use cudarc::nvrtc::Ptx;
use serde::Serialize;

use super::assemble::{assemble, patch};
use super::lanes::{DeviceKernel, DeviceLanes};
use super::{CudaError, driver};
use crate::ptx::{Feed, Lowering, kernel, module};

/// The identity of a device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Identity {
    /// The product's name.
    pub name: String,
    /// Major and minor compute capability, as in `9.0`.
    pub compute_capability: String,
    /// The newest CUDA version that the driver supports, as in `12.8`.
    pub driver: String,
}

/// A device that several workers share.
pub struct Device {
    /// The identity of the device.
    pub identity: Identity,
    /// The target for which kernels are assembled, as in `sm_90`.
    target: String,
    context: Arc<CudaContext>,
    /// The loaded kernels, by their text.
    kernels: Mutex<HashMap<String, DeviceKernel>>,
    /// The streams and memory of idle workers. Streams and memory are kept because pinned memory is
    /// expensive to allocate.
    pub(super) idle: Mutex<Vec<DeviceLanes>>,
}

impl Device {
    /// Returns the device with a number. Every call with this number returns the same device.
    pub fn get(ordinal: usize) -> Result<Arc<Device>, CudaError> {
        static OPEN: OnceLock<Mutex<HashMap<usize, Arc<Device>>>> = OnceLock::new();
        let mut open = OPEN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(device) = open.get(&ordinal) {
            return Ok(device.clone());
        }
        let device = Arc::new(driver("open a device", || Device::open(ordinal))?);
        open.insert(ordinal, device.clone());
        Ok(device)
    }

    fn open(ordinal: usize) -> Result<Device, CudaError> {
        // SAFETY: the library is loaded and released again. Loading the driver runs no code of this
        // project.
        if !unsafe { sys::is_culib_present() } {
            return Err(CudaError::NoDriver);
        }
        // If the driver lacks a function, the binding panics.
        let opened = catch_unwind(|| Device::with_driver(ordinal));
        opened.unwrap_or_else(|_| {
            let problem = "it lacks a function of CUDA 12: install a newer one".to_owned();
            Err(CudaError::Driver { doing: "start", problem })
        })
    }

    fn with_driver(ordinal: usize) -> Result<Device, CudaError> {
        let start = CudaError::at("start");
        cudarc::driver::result::init().map_err(&start)?;
        let mut version = 0;
        // SAFETY: the driver writes one number.
        unsafe { sys::cuDriverGetVersion(&mut version) }.result().map_err(&start)?;
        let driver = format!("{}.{}", version / 1000, version % 1000 / 10);
        if version < OLDEST {
            return Err(CudaError::Old { found: driver });
        }
        let count = CudaContext::device_count().map_err(&start)? as usize;
        if ordinal >= count {
            return Err(CudaError::NoDevice { ordinal, count });
        }
        let context = CudaContext::new(ordinal).map_err(CudaError::at("open the device"))?;
        let (major, minor) = context.compute_capability().map_err(&start)?;
        let identity = Identity {
            name: context.name().map_err(&start)?,
            compute_capability: format!("{major}.{minor}"),
            driver,
        };
        let target = format!("sm_{major}{minor}");
        Ok(Device { identity, target, context, kernels: Mutex::default(), idle: Mutex::default() })
    }

    /// Returns the CUDA context of the device.
    pub(super) fn context(&self) -> &Arc<CudaContext> {
        &self.context
    }

    /// Returns the machine code that the driver's assembler makes of a module with these kernels.
    /// No bits are replaced in it yet.
    pub fn assemble(&self, kernels: &[String]) -> Result<Vec<u8>, CudaError> {
        driver("assemble", || {
            self.context.bind_to_thread().map_err(CudaError::at("take up the device"))?;
            assemble(&module(&self.target, kernels))
        })
    }

    /// Returns the kernel of a lowering. The kernel is assembled on first use.
    pub(super) fn kernel(&self, lowering: &Lowering, feed: Feed) -> Result<DeviceKernel, CudaError> {
        // The text includes the replacements in the machine code, so it identifies the kernel.
        let text = kernel(ENTRY, lowering, feed);
        let kernels = || self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(function) = kernels().get(&text) {
            return Ok(function.clone());
        }
        let mut code = self.assemble(std::slice::from_ref(&text))?;
        for replaced in &lowering.patches {
            patch(&mut code, replaced)?;
        }
        let load = || self.context.load_module(Ptx::from_binary(code))?.load_function(ENTRY);
        let function = driver("load", load).map_err(CudaError::at("load a kernel"))?;
        let loaded = DeviceKernel { function, is_uniform: lowering.is_uniform };
        kernels().insert(text, loaded.clone());
        Ok(loaded)
    }
}

/// The oldest driver version that supports the PTX version of the kernels (PTX ISA, "Release
/// Notes").
const OLDEST: i32 = 12_020;
/// The name of the kernel in each module.
const ENTRY: &str = "assay";
