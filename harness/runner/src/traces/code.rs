//! Writes the machine code that the driver of a GPU assembles to files.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use assay_hardware::cuda::Device;
use assay_hardware::ptx::{catalogue, kernels};
use assay_records::write_bytes;
use rayon::prelude::*;

use crate::context::Context;
use crate::error::RunError;
use crate::folder::make_folder;
use crate::subjects::SubjectName;

/// Number of kernels in a file.
const CHUNK: usize = 100;

/// A summary of the assembled machine code.
pub struct Assembled {
    /// The GPU, as records name it.
    pub subject: String,
    /// Number of kernels.
    pub kernels: usize,
    /// Size of the machine code in bytes.
    pub bytes: u64,
    /// Duration in seconds.
    pub seconds: f64,
}

/// Makes a GPU's driver assemble every lowering, and writes the machine code to an empty folder.
/// Returns `None` if the user stopped the work.
pub fn keep_code(
    context: &Context,
    subject: &SubjectName,
    out: &Path,
) -> Result<Option<Assembled>, RunError> {
    let SubjectName::Cuda(ordinal) = *subject else {
        let problem = format!("{} assembles no kernels; write cuda:0 for the first GPU", subject);
        return Err(RunError::input(problem));
    };
    let device = Device::get(ordinal).map_err(|error| RunError::harness(error.to_string()))?;
    make_folder(out)?;
    let mut files = std::fs::read_dir(out).map_err(|e| RunError::input(e.to_string()))?;
    if files.next().is_some() {
        let problem = format!("{} holds files that look like this driver's", out.display());
        return Err(RunError::input(problem).help("choose an empty --out"));
    }
    let catalogued = catalogue();
    let lowerings =
        catalogued.iter().enumerate().filter_map(|(at, entry)| Some((at, entry.lowering.as_ref().ok()?)));
    let all: Vec<String> = lowerings.flat_map(|(at, one)| kernels(at, one)).map(|(_, text)| text).collect();
    let (started, done) = (Instant::now(), AtomicU64::new(0));
    let progress = Mutex::new(context.reporter.begin("kernels", Some(all.len() as u64)));
    let assemble = |(number, chunk): (usize, &[String])| -> Result<u64, RunError> {
        if context.reporter.is_stopped() {
            return Ok(0);
        }
        let code = device.assemble(chunk).map_err(|error| RunError::harness(error.to_string()))?;
        write_bytes(&out.join(format!("{number:04}.cubin")), &code)?;
        let count = chunk.len() as u64;
        let done = done.fetch_add(count, Ordering::Relaxed) + count;
        progress.lock().unwrap_or_else(PoisonError::into_inner).at(done, 0);
        Ok(code.len() as u64)
    };
    let chunks: Vec<(usize, &[String])> = all.chunks(CHUNK).enumerate().collect();
    let sizes = chunks.into_par_iter().map(assemble).collect::<Result<Vec<u64>, _>>()?;
    drop(progress);
    if context.reporter.is_stopped() {
        return Ok(None);
    }
    let (bytes, seconds) = (sizes.iter().sum::<u64>(), started.elapsed().as_secs_f64());
    Ok(Some(Assembled { subject: subject.identity(), kernels: all.len(), bytes, seconds }))
}
