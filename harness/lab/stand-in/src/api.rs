//! The functions of the CUDA Driver API that `assay` calls, with the same names and types. A
//! program that needs any other function fails, because its symbol is missing.

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::{LazyLock, Mutex, PoisonError};

use assay_ptx::Parameter;
use cudarc::driver::sys::{CUdevice_attribute, CUjitInputType, CUresult};

use crate::driver::{CONTEXT, Driver};
use crate::link::Link;
use crate::result::CallResult;
use crate::stream::{Source, Work};
use crate::{NAME, image};

static DRIVER: LazyLock<Mutex<Driver>> = LazyLock::new(Mutex::default);

thread_local! {
    /// The current context of this thread. 0 means none.
    static CURRENT: Cell<usize> = const { Cell::new(0) };
}

/// CUDA 12.2, the oldest version that assembles the PTX of the kernels.
const VERSION: c_int = 12_020;
/// The compute capability of the device, for which kernels are assembled.
const CAPABILITY: (c_int, c_int) = (9, 0);

/// Runs a call that needs no context.
fn without_context(call: impl FnOnce(&mut Driver) -> CallResult) -> CUresult {
    let mut driver = DRIVER.lock().unwrap_or_else(PoisonError::into_inner);
    let done = driver.faults().map(|_| ()).and_then(|()| call(&mut driver));
    done.err().unwrap_or(CUresult::CUDA_SUCCESS)
}

/// Runs a call on the device. This thread must have a context, and the device must not be lost.
fn on_device(call: impl FnOnce(&mut Driver) -> CallResult) -> CUresult {
    without_context(|driver| {
        driver.context(CURRENT.get())?;
        driver.alive()?;
        call(driver)
    })
}

/// Writes a result to the caller's memory.
///
/// # Safety
/// The pointer is null, or can be written.
unsafe fn put<T>(place: *mut T, value: T) -> CallResult {
    if place.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the pointer is not null, so it can be written.
    unsafe { place.write(value) };
    Ok(())
}

/// Declares functions of the C interface. Each function is a call on the driver, and writes its
/// outputs by [`put`].
macro_rules! functions {
    ($($(#[$doc:meta])* $through:ident fn $name:ident($($argument:ident: $ty:ty),* $(,)?) |$driver:ident| $body:block)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// As in the CUDA Driver API: each pointer is null, or points to memory that the function
        /// reads or writes.
        #[allow(non_snake_case)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $ty),*) -> CUresult {
            $through(|$driver: &mut Driver| $body)
        }
    )*};
}

/// Starts the driver.
///
/// # Safety
/// None is needed.
#[allow(non_snake_case)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuInit(_flags: c_uint) -> CUresult {
    let started = DRIVER.lock().unwrap_or_else(PoisonError::into_inner).start();
    started.err().unwrap_or(CUresult::CUDA_SUCCESS)
}

// Devices and contexts.
functions! {
    /// Returns the CUDA version of the driver.
    without_context fn cuDriverGetVersion(version: *mut c_int) |driver| {
        let known = driver.faults()?.cuda.map_or(VERSION, |number| number as c_int);
        // SAFETY: by the function's contract, the pointer is null or can be written.
        unsafe { put(version, known) }
    }

    /// Returns the number of devices.
    without_context fn cuDeviceGetCount(count: *mut c_int) |driver| {
        let devices = driver.devices()?;
        // SAFETY: by the function's contract, the pointer is null or can be written.
        unsafe { put(count, devices) }
    }

    /// Returns the device with an ordinal number.
    without_context fn cuDeviceGet(device: *mut c_int, ordinal: c_int) |driver| {
        driver.device(ordinal)?;
        // SAFETY: by the function's contract, the pointer is null or can be written.
        unsafe { put(device, ordinal) }
    }

    /// Returns the name of a device, with a zero at its end.
    without_context fn cuDeviceGetName(name: *mut c_char, room: c_int, device: c_int) |driver| {
        driver.device(device)?;
        let room = usize::try_from(room).map_err(|_| CUresult::CUDA_ERROR_INVALID_VALUE)?;
        for (place, byte) in NAME.bytes().take(room.saturating_sub(1)).chain([0]).enumerate().take(room) {
            // SAFETY: by the function's contract, there is space for `room` bytes.
            unsafe { put(name.wrapping_add(place), byte as c_char) }?;
        }
        Ok(())
    }

    /// Returns an attribute of a device.
    without_context fn cuDeviceGetAttribute(value: *mut c_int, attribute: c_uint, device: c_int) |driver| {
        driver.device(device)?;
        use CUdevice_attribute as A;
        let known = [
            (A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, CAPABILITY.0),
            (A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, CAPABILITY.1),
            (A::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 1),
        ];
        let found = known.into_iter().find(|(known, _)| *known as c_uint == attribute);
        let (_, number) = found.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
        // SAFETY: by the function's contract, the pointer is null or can be written.
        unsafe { put(value, number) }
    }

    /// Retains the primary context of a device.
    without_context fn cuDevicePrimaryCtxRetain(context: *mut usize, device: c_int) |driver| {
        driver.device(device)?;
        driver.retain();
        // SAFETY: by the function's contract, the pointer is null or can be written.
        unsafe { put(context, CONTEXT) }
    }

    /// Releases the primary context of a device.
    without_context fn cuDevicePrimaryCtxRelease_v2(device: c_int) |driver| {
        driver.device(device)?;
        driver.release()
    }

    /// Sets the context of this thread, or none.
    without_context fn cuCtxSetCurrent(context: usize) |driver| {
        if context != 0 {
            driver.context(context)?;
        }
        CURRENT.set(context);
        Ok(())
    }

    /// Returns the context of this thread.
    without_context fn cuCtxGetCurrent(context: *mut usize) |_driver| {
        // SAFETY: by the function's contract, the pointer is null or can be written.
        unsafe { put(context, CURRENT.get()) }
    }

    /// Waits for all work.
    on_device fn cuCtxSynchronize() |driver| { driver.finish_all() }
}

// Streams and events.
functions! {
    /// Creates a stream.
    on_device fn cuStreamCreate(stream: *mut usize, _flags: c_uint) |driver| {
        // SAFETY: by the function's contract, the pointer is null or can be written.
        unsafe { put(stream, driver.new_stream()) }
    }

    /// Destroys a stream.
    on_device fn cuStreamDestroy_v2(stream: usize) |driver| { driver.destroy_stream(stream) }

    /// Waits for the work of a stream.
    on_device fn cuStreamSynchronize(stream: usize) |driver| { driver.finish_stream(stream) }

    /// Makes a stream wait for an event.
    on_device fn cuStreamWaitEvent(stream: usize, event: usize, _flags: c_uint) |driver| { driver.wait(stream, event) }

    /// Creates an event.
    on_device fn cuEventCreate(event: *mut usize, _flags: c_uint) |driver| {
        // SAFETY: by the function's contract, the pointer is null or can be written.
        unsafe { put(event, driver.new_event()) }
    }

    /// Destroys an event.
    on_device fn cuEventDestroy_v2(event: usize) |driver| { driver.destroy_event(event) }

    /// Records an event: it occurs after the current work of a stream.
    on_device fn cuEventRecord(event: usize, stream: usize) |driver| { driver.record(event, stream) }

    /// Waits for an event.
    on_device fn cuEventSynchronize(event: usize) |driver| { driver.finish_event(event) }
}

// Memory.
functions! {
    /// Allocates memory on the device.
    on_device fn cuMemAllocAsync(address: *mut u64, bytes: usize, stream: usize) |driver| {
        let allocated = driver.allocate(bytes, stream)?;
        // SAFETY: by the function's contract, the pointer is null or can be written.
        unsafe { put(address, allocated) }
    }

    /// Frees device memory after the current work of a stream.
    on_device fn cuMemFreeAsync(address: u64, stream: usize) |driver| { driver.put_off(stream, Work::Free(address)) }

    /// Fills device memory with one byte.
    on_device fn cuMemsetD8Async(to: u64, byte: u8, bytes: usize, stream: usize) |driver| {
        if bytes == 0 { Ok(()) } else { driver.put_off(stream, Work::Fill { to, byte, bytes }) }
    }

    /// Copies from the host to the device.
    on_device fn cuMemcpyHtoDAsync_v2(to: u64, from: *const u8, bytes: usize, stream: usize) |driver| {
        if bytes == 0 {
            return Ok(());
        }
        let from = if driver.is_pinned(from as usize) {
            Source::Pinned(from as usize)
        } else {
            // SAFETY: by the function's contract, `from` points to `bytes` bytes.
            Source::Staged(unsafe { std::slice::from_raw_parts(from, bytes) }.to_vec())
        };
        driver.put_off(stream, Work::Upload { from, to, bytes })
    }

    /// Copies from the device to the host.
    on_device fn cuMemcpyDtoHAsync_v2(to: usize, from: u64, bytes: usize, stream: usize) |driver| {
        if bytes == 0 { Ok(()) } else { driver.put_off(stream, Work::Download { from, to, bytes }) }
    }

    /// Allocates pinned host memory, which the device can access.
    on_device fn cuMemHostAlloc(place: *mut usize, bytes: usize, _flags: c_uint) |driver| {
        // SAFETY: by the function's contract, the pointer is null or can be written.
        unsafe { put(place, driver.allocate_host(bytes)) }
    }

    /// Frees pinned host memory.
    on_device fn cuMemFreeHost(place: usize) |driver| { driver.free_host(place) }
}

/// Returns a C text.
///
/// # Safety
/// The pointer is null, or points to a text with a zero at its end.
unsafe fn text<'a>(place: *const c_char) -> CallResult<&'a str> {
    if place.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the pointer is not null, so it points to a text.
    unsafe { CStr::from_ptr(place) }.to_str().map_err(|_| CUresult::CUDA_ERROR_INVALID_VALUE)
}

// Modules and kernels.
functions! {
    /// Loads an image. The image states its own length.
    on_device fn cuModuleLoadData(module: *mut usize, begin: *const u8) |driver| {
        if begin.is_null() {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        // SAFETY: an image starts with a head. PTX text in its place would be longer.
        let head = unsafe { begin.cast::<[u8; image::HEAD]>().read() };
        let length = image::length(&head).ok_or(CUresult::CUDA_ERROR_INVALID_IMAGE)?;
        // SAFETY: `begin` points to an image of this length.
        let handle = driver.load(unsafe { std::slice::from_raw_parts(begin, length) })?;
        // SAFETY: by the function's contract, the pointer is null or can be written.
        unsafe { put(module, handle) }
    }

    /// Unloads a module.
    on_device fn cuModuleUnload(module: usize) |driver| { driver.unload(module) }

    /// Returns the kernel with a name.
    on_device fn cuModuleGetFunction(function: *mut usize, module: usize, name: *const c_char) |driver| {
        // SAFETY: by the function's contract, `name` is null or points to a text.
        let handle = driver.function(module, unsafe { text(name) }?)?;
        // SAFETY: by the function's contract, the pointer is null or can be written.
        unsafe { put(function, handle) }
    }

    /// Launches a kernel over a one-dimensional grid, without shared memory. The array `arguments`
    /// has a pointer to each argument.
    on_device fn cuLaunchKernel(
        function: usize, blocks: c_uint, blocks_y: c_uint, blocks_z: c_uint, threads: c_uint, threads_y: c_uint,
        threads_z: c_uint, shared: c_uint, stream: usize, arguments: *const *const c_void, extra: *const c_void,
    ) |driver| {
        if [blocks_y, blocks_z, threads_y, threads_z] != [1; 4] || shared != 0 || !extra.is_null() || arguments.is_null() {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        let parameters = driver.parameters(function)?;
        let value = |(place, parameter): (usize, &Parameter)| {
            // SAFETY: there are as many arguments as the kernel has parameters, each of the
            // parameter's type.
            unsafe {
                let argument = arguments.add(place).read();
                match parameter {
                    Parameter::U32 => u64::from(argument.cast::<u32>().read()),
                    Parameter::U64 => argument.cast::<u64>().read(),
                }
            }
        };
        let values = parameters.iter().enumerate().map(value).collect();
        driver.launch(function, (blocks, threads), values, stream)
    }
}

/// Returns the link state of a handle.
fn link(driver: &mut Driver, state: usize) -> CallResult<&mut Link> {
    driver.links.get_mut(&state).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
}

// The assembler.
functions! {
    /// Creates a link state. Only the options of the error log are supported.
    on_device fn cuLinkCreate_v2(
        count: c_uint, options: *const c_uint, values: *const usize, state: *mut usize,
    ) |driver| {
        let mut link = Link::default();
        for place in 0..count as usize {
            // SAFETY: by the function's contract, there are `count` options and `count` values.
            let (option, value) = unsafe { (options.add(place).read(), values.add(place)) };
            // SAFETY: as above.
            link.option(option, unsafe { value.read() }, value as usize)?;
        }
        let handle = driver.handle();
        driver.links.insert(handle, link);
        // SAFETY: by the function's contract, the pointer is null or can be written.
        unsafe { put(state, handle) }
    }

    /// Assembles PTX.
    on_device fn cuLinkAddData_v2(
        state: usize, kind: c_uint, data: *const c_char, bytes: usize, _name: *const c_char, more: c_uint,
        _of_these: *const c_uint, _values: *const *mut c_void,
    ) |driver| {
        // SAFETY: by the function's contract, `data` is null or points to a text.
        let ptx = unsafe { text(data) }?;
        let is_ptx = kind == CUjitInputType::CU_JIT_INPUT_PTX as c_uint && more == 0;
        if !is_ptx || bytes != ptx.len() + 1 {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        // SAFETY: by the function's contract, the buffers of the options outlive the state.
        unsafe { link(driver, state)?.add(ptx) }
    }

    /// Returns the assembled image, which lives as long as the link state.
    on_device fn cuLinkComplete(state: usize, begin: *mut *const u8, length: *mut usize) |driver| {
        let image = link(driver, state)?.image();
        // SAFETY: by the function's contract, the pointer is null or can be written.
        unsafe { put(begin, image.as_ptr()) }?;
        // SAFETY: by the function's contract, the pointer is null or can be written.
        unsafe { put(length, image.len()) }
    }

    /// Destroys a link state.
    on_device fn cuLinkDestroy(state: usize) |driver| {
        driver.links.remove(&state).map(|_| ()).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
    }
}

/// Returns a description of an error. Only the errors that this driver returns have a description.
///
/// # Safety
/// The pointer is null, or can be written.
#[allow(non_snake_case)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorString(error: c_uint, words: *mut *const c_char) -> CUresult {
    let meaning = match error {
        e if e == CUresult::CUDA_ERROR_LAUNCH_FAILED as c_uint => c"unspecified launch failure",
        e if e == CUresult::CUDA_ERROR_ILLEGAL_ADDRESS as c_uint => {
            c"an illegal memory access was encountered"
        }
        e if e == CUresult::CUDA_ERROR_INVALID_PTX as c_uint => c"a PTX JIT compilation failed",
        e if e == CUresult::CUDA_ERROR_INVALID_CONTEXT as c_uint => c"invalid device context",
        _ => c"an error of the stand-in",
    };
    // SAFETY: by the function's contract, the pointer is null or can be written.
    let put = unsafe { put(words, meaning.as_ptr()) };
    put.err().unwrap_or(CUresult::CUDA_SUCCESS)
}
