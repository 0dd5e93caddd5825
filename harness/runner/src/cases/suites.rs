//! Suites of cases, carried by the program or read from files. Each suite keeps the folder that the
//! command line named. A profile file that the suite names must lie in that folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use assay_isa::Erratum;
use assay_vectors::{Case, Profile, Suite, discover, read_suite};

use crate::context::{Context, DEFAULT_PROFILE};
use crate::error::RunError;

/// A suite and where it was read.
pub struct SuiteFile {
    /// The file.
    pub path: PathBuf,
    /// Its contents.
    pub suite: Suite,
    /// The folder that the user named, or the folder of the file that the user named.
    tree: PathBuf,
}

impl SuiteFile {
    /// Reads the file of a suite.
    pub fn read(path: &Path) -> Result<SuiteFile, RunError> {
        Ok(SuiteFile { path: path.to_owned(), suite: read_suite(path)?, tree: folder_of(path) })
    }

    /// Returns every suite that the program carries.
    pub fn carried() -> Result<Vec<SuiteFile>, RunError> {
        Ok(of_program(assay_vectors::carried()?))
    }

    /// Returns the suites of witnesses that the program carries.
    pub fn carried_witnesses() -> Result<Vec<SuiteFile>, RunError> {
        Ok(of_program(assay_vectors::carried_witnesses()?))
    }

    /// Reads every suite in a folder.
    pub fn discover(tree: &Path) -> Result<Vec<SuiteFile>, RunError> {
        let with_tree = |(path, suite)| SuiteFile { path, suite, tree: tree.to_owned() };
        Ok(discover(tree)?.into_iter().map(with_tree).collect())
    }

    /// Returns the profile for the cases of the suite: that of the command line, else that of the
    /// suite, else the current profile.
    pub fn profile(&self, context: &Context) -> Result<Profile, RunError> {
        match &self.suite.profile {
            Some(name) if !context.profile_is_given && *name != context.profile_name => self.load(name),
            _ => Ok(context.profile.clone()),
        }
    }

    /// Returns the profile for which the suite's expectations were written, without the readings of
    /// the command line.
    pub fn own_profile(&self, context: &Context) -> Result<Profile, RunError> {
        let name = self.suite.profile.as_deref().unwrap_or(DEFAULT_PROFILE);
        // If the command line sets readings, the current profile includes them, so the suite's
        // profile is loaded anew.
        if context.overrides.is_empty() && name == context.profile_name {
            Ok(context.profile.clone())
        } else {
            self.load(name)
        }
    }

    /// Loads a profile that the suite names. A profile file must lie in the folder that the user
    /// named.
    fn load(&self, name: &str) -> Result<Profile, RunError> {
        let load = Profile::load_within(name, &folder_of(&self.path), &self.tree);
        Ok(load.map_err(|error| error.in_file(self.path.display()))?)
    }
}

/// Reads the suites of files and folders. Without paths, returns the suites that the program
/// carries.
pub fn suites(paths: &[PathBuf]) -> Result<Vec<SuiteFile>, RunError> {
    if paths.is_empty() {
        return SuiteFile::carried();
    }
    let mut suites = Vec::new();
    for path in paths {
        if path.is_dir() {
            suites.extend(SuiteFile::discover(path)?)
        } else {
            suites.push(SuiteFile::read(path)?)
        }
    }
    Ok(suites)
}

/// Counts the YAML files in each folder that are left out because they are not suites.
///
/// # Errors
///
/// A file or a folder cannot be read.
pub fn not_suites(paths: &[PathBuf]) -> Result<BTreeMap<String, u64>, RunError> {
    let mut left_out = BTreeMap::new();
    for path in paths.iter().filter(|path| path.is_dir()) {
        for file in assay_vectors::not_suites(path)? {
            *left_out.entry(folder_of(&file).display().to_string()).or_default() += 1;
        }
    }
    Ok(left_out)
}

/// Wraps suites that the program carries. They name no profile file.
fn of_program(suites: Vec<(PathBuf, Suite)>) -> Vec<SuiteFile> {
    suites.into_iter().map(|(path, suite)| SuiteFile { path, suite, tree: PathBuf::new() }).collect()
}

/// Returns the profile of a case. Starts from the suite's profile, sets the readings of the case,
/// and then the readings of the command line.
pub fn case_profile(context: &Context, suite: &Profile, case: &Case) -> Result<Profile, RunError> {
    with_readings(suite.clone(), case.readings.iter().chain(context.overrides.iter()))
}

/// Returns the profile with these readings set.
pub fn with_readings<'a>(
    mut profile: Profile,
    readings: impl Iterator<Item = (&'a Erratum, &'a u8)>,
) -> Result<Profile, RunError> {
    for (erratum, setting) in readings {
        profile.set_reading(&format!("{erratum}={setting}"))?;
    }
    Ok(profile)
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).to_owned()
}
