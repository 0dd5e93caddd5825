//! `assay trace code`: what the driver of a GPU assembles, kept.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use assay_engine::result::write_bytes;
use assay_hardware::cuda::Device;
use assay_hardware::ptx::{catalogue, kernels};
use clap::Args;
use rayon::prelude::*;
use serde_json::json;

use crate::commands::run_record::{self, rounded};
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::interrupt::STOP;
use crate::output;
use crate::progress::Progress;
use crate::voices::{Voice, parse_voice};

/// Kernels of a file.
const CHUNK: usize = 100;

/// Keep the machine code that a GPU's driver makes of every lowering.
///
/// The kernels are those of `just check-lowering`, which holds them to what the vendor's assembler makes of them: that
/// the driver on a machine makes the same is shown by `scripts/check-lowering.sh --code DIR`, anywhere. Needs a GPU.
#[derive(Args)]
pub struct Code {
    /// The GPU: cuda:N.
    #[arg(long, value_name = "SUBJECT", default_value = "cuda:0", value_parser = parse_voice)]
    subject: Voice,
    /// Folder for the machine code, some hundred kernels a file.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl Code {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        let Voice::Cuda(ordinal) = self.subject else {
            let problem = format!("{} assembles no kernels; write cuda:0 for the first GPU", self.subject);
            return Err(Failure::input(problem));
        };
        let device = Device::get(ordinal).map_err(|error| Failure::harness(error.to_string()))?;
        run_record::make_folder(&self.out)?;
        let mut files = std::fs::read_dir(&self.out).map_err(|e| Failure::input(e.to_string()))?;
        if files.next().is_some() {
            let problem = format!("{} holds files that would be taken for this driver's", self.out.display());
            return Err(Failure::input(problem).help("choose an empty --out"));
        }
        let fates = catalogue();
        let lowerings =
            fates.iter().enumerate().filter_map(|(at, fate)| Some((at, fate.lowering.as_ref().ok()?)));
        let all: Vec<String> =
            lowerings.flat_map(|(at, one)| kernels(at, one)).map(|(_, text)| text).collect();
        let (started, done) = (Instant::now(), AtomicU64::new(0));
        let progress = Mutex::new(Progress::new("kernels", Some(all.len() as u64)));
        let assemble = |(number, chunk): (usize, &[String])| -> Result<u64, Failure> {
            if STOP.load(Ordering::Relaxed) {
                return Ok(0);
            }
            let code = device.assemble(chunk).map_err(|error| Failure::harness(error.to_string()))?;
            write_bytes(&self.out.join(format!("{number:04}.cubin")), &code)?;
            let count = chunk.len() as u64;
            let done = done.fetch_add(count, Ordering::Relaxed) + count;
            progress.lock().unwrap_or_else(PoisonError::into_inner).at(done, 0);
            Ok(code.len() as u64)
        };
        let chunks: Vec<(usize, &[String])> = all.chunks(CHUNK).enumerate().collect();
        let sizes = chunks.into_par_iter().map(assemble).collect::<Result<Vec<u64>, _>>()?;
        progress.into_inner().unwrap_or_else(PoisonError::into_inner).finish();
        if STOP.load(Ordering::Relaxed) {
            return Ok(Status::Interrupted);
        }
        let (bytes, seconds) = (sizes.iter().sum::<u64>(), started.elapsed().as_secs_f64());
        let (subject, out) = (self.subject.identity(), self.out.display().to_string());
        match context.json {
            true => output::print_json(&json!({
                "subject": subject, "kernels": all.len(), "bytes": bytes, "out": out, "seconds": rounded(seconds, 3),
            }))?,
            false => output::print(&format!(
                "{} kernels assembled by {subject} in {seconds:.1} s, {bytes} bytes: {out}\n",
                all.len()
            ))?,
        }
        Ok(Status::Held)
    }
}
