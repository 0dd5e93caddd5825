//! The options of a run that saves its progress in a folder.

use std::path::PathBuf;
use std::time::Duration;

use assay_records::{MOST_SHARDS, Shard};
use clap::Args;

use crate::time::parse_seconds;

pub use assay_runner::folder::{ExistingFolder, INTERRUPTED};

/// The options of a run that saves its progress.
#[derive(Args)]
pub struct RunFolderOptions {
    /// Folder for results and findings. The default is the first free runs/NAME-N.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Continue the unfinished run in --out.
    #[arg(long, requires = "out", conflicts_with = "overwrite")]
    pub resume: bool,
    /// Replace the result in --out.
    #[arg(long, requires = "out")]
    pub overwrite: bool,
    /// With --resume, also continue a run that another build of assay began. run.json names both
    /// builds.
    #[arg(long, requires = "resume")]
    pub other_build: bool,
    /// With --resume, also continue a run if the device's name, version, declaration or files have
    /// changed since its start. result.json lists both devices.
    #[arg(long, requires = "resume")]
    pub same_device: bool,
    /// Minimum time between two checkpoints in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0, value_parser = parse_seconds)]
    pub checkpoint_every: f64,
}

impl RunFolderOptions {
    /// Returns the resolved options.
    pub fn lowered(&self) -> assay_runner::folder::KeepOptions {
        assay_runner::folder::KeepOptions {
            out: self.out.clone(),
            again: if self.resume { ExistingFolder::Resume } else { ExistingFolder::of(self.overwrite) },
            other_build: self.other_build,
            same_device: self.same_device,
            every: Duration::from_secs_f64(self.checkpoint_every),
        }
    }
}

/// Reads `i/n` as a shard.
pub fn parse_shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    match parts {
        Some((index, of)) if index < of && of <= MOST_SHARDS => Ok(Shard { index, of }),
        _ => Err(format!("write i/n with i from 0 to n-1 and n up to {MOST_SHARDS}, such as 0/4")),
    }
}
