//! Files of cases, each with the folder that the command line named: what the file names must lie in it.

use std::path::{Path, PathBuf};

use assay_vectors::{Case, Profile, Suite, discover, read_suite};

use crate::context::Context;
use crate::failure::Failure;

/// A suite and where it was read.
pub struct SuiteFile {
    /// The file.
    pub path: PathBuf,
    /// What it holds.
    pub suite: Suite,
    /// The folder that the user named, or that of the file that the user named.
    tree: PathBuf,
}

impl SuiteFile {
    /// Reads the file of a suite.
    pub fn read(path: &Path) -> Result<SuiteFile, Failure> {
        Ok(SuiteFile { path: path.to_owned(), suite: read_suite(path)?, tree: folder_of(path) })
    }

    /// Reads every suite in a folder.
    pub fn discover(tree: &Path) -> Result<Vec<SuiteFile>, Failure> {
        let with_tree = |(path, suite)| SuiteFile { path, suite, tree: tree.to_owned() };
        Ok(discover(tree)?.into_iter().map(with_tree).collect())
    }

    /// The profile of its cases: the one that the command line names, else the suite's own.
    ///
    /// A file that the suite names must lie in the folder of the suite, unless the command line names it too.
    pub fn profile(&self, context: &Context) -> Result<Profile, Failure> {
        match &self.suite.profile {
            Some(name) if !context.profile_is_given && *name != context.profile_name => {
                let load = Profile::load_within(name, &folder_of(&self.path), &self.tree);
                Ok(load.map_err(|error| error.in_file(self.path.display()))?)
            }
            _ => Ok(context.profile.clone()),
        }
    }
}

/// The suites of files and folders.
pub fn suites(paths: &[PathBuf]) -> Result<Vec<SuiteFile>, Failure> {
    let mut suites = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => suites.extend(SuiteFile::discover(path)?),
            false => suites.push(SuiteFile::read(path)?),
        }
    }
    Ok(suites)
}

/// The profile of a case: its suite's, with the case's own readings on top and those of the command line
/// above all.
pub fn case_profile(context: &Context, suite: &Profile, case: &Case) -> Result<Profile, Failure> {
    let mut profile = suite.clone();
    for (erratum, setting) in case.readings.iter().chain(context.overrides.iter()) {
        profile.set_reading(&format!("{erratum}={setting}"))?;
    }
    Ok(profile)
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).to_owned()
}
