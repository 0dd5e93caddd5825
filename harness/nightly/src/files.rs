//! The files that a plan names: files of devices, files that its globs match, profiles and encoding
//! tables.
//!
//! A nightly run must not mix results of two devices or under two profiles. So it compares the
//! digests of these files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use assay_device::TransportKind;
use assay_files::digest;
use assay_records::device_files;
use assay_vectors::profile_files;

use crate::plan::NightPlan;
use crate::words;

/// Stands for the digest of a file that cannot be read or is not regular. A pipe would never end.
const UNREADABLE: &str = "unreadable";

/// Returns the SHA-256 of each file that a plan names, by path. A name that is not a file, such as
/// the name of a built-in profile, is left out.
pub(crate) fn digests(plan: &NightPlan) -> BTreeMap<String, String> {
    let mut devices = vec![plan.subject.clone()];
    for stage in &plan.stages {
        let run = shell_words::split(&stage.run).unwrap_or_default();
        devices.extend(words::subject(&run));
        devices.extend(words::values(&run, "--against"));
    }
    let mut files: BTreeMap<String, PathBuf> =
        devices.iter().flat_map(|device| device_files(device)).collect();
    files.extend(rule_files(plan).into_iter().map(|name| (name.clone(), PathBuf::from(name))));
    let mut digests: BTreeMap<String, String> = BTreeMap::new();
    for glob in &plan.files {
        match device_files::find(std::slice::from_ref(glob)) {
            Ok(found) => files.extend(found.into_iter().map(|path| (path.display().to_string(), path))),
            Err(_) => drop(digests.insert(glob.clone(), UNREADABLE.to_owned())),
        }
    }
    digests.extend(files.into_iter().map(|(name, path)| (name, digest_of(&path))));
    digests
}

/// Returns the profiles and encoding tables of a plan that are files, and the files of the profiles
/// that these extend.
pub(crate) fn rule_files(plan: &NightPlan) -> Vec<String> {
    let mut paths: Vec<PathBuf> =
        plan.profile.iter().map(PathBuf::from).chain(plan.numbers.clone()).collect();
    for stage in &plan.stages {
        let run = shell_words::split(&stage.run).unwrap_or_default();
        let named = ["--profile", "--numbers"].map(|option| words::values(&run, option));
        paths.extend(named.into_iter().flatten().map(PathBuf::from));
    }
    let files = paths.into_iter().filter(|path| path.is_file()).flat_map(|path| profile_files(&path));
    files.map(|path| path.display().to_string()).collect()
}

/// Returns the names of the files whose digests differ, or that only one of two lists has.
pub(crate) fn changed(before: &BTreeMap<String, String>, now: &BTreeMap<String, String>) -> Vec<String> {
    let names = before.keys().chain(now.keys().filter(|name| !before.contains_key(*name)));
    names.filter(|name| before.get(*name) != now.get(*name)).cloned().collect()
}

fn device_files(device: &str) -> BTreeMap<String, PathBuf> {
    device.parse::<TransportKind>().map(|kind| kind.files()).unwrap_or_default()
}

/// Returns the SHA-256 of a file, or a word that says that it cannot be read.
pub(crate) fn digest_of(path: &Path) -> String {
    let digest = if path.is_file() { digest::sha256_of_file(path).ok() } else { None };
    digest.unwrap_or_else(|| UNREADABLE.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_plan_are_those_of_its_devices_profiles_and_tables() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name).display().to_string();
        for name in ["subject.so", "module.py", "other.sh", "profile.yaml", "table.json"] {
            std::fs::write(path(name), name).expect("a file");
        }
        let text = format!(
            "version: 1\nname: test\nsubject: lib:{}\nfiles: ['{}']\nprofile: intended\nstages:\n- {{name: one, run: \"fuzz --against 'exec:sh \
             {}' --profile {} --numbers={}\", time: 5m}}\n",
            path("subject.so"),
            path("*.py"),
            path("other.sh"),
            path("profile.yaml"),
            path("table.json")
        );
        let plan = NightPlan::parse(&text, Path::new("plan.yaml")).expect("a plan");
        let before = digests(&plan);
        let names: Vec<&String> = before.keys().collect();
        assert_eq!(
            names,
            [
                &path("module.py"),
                &path("other.sh"),
                &path("profile.yaml"),
                &path("subject.so"),
                &path("table.json")
            ]
        );
        assert_eq!(changed(&before, &digests(&plan)), Vec::<String>::new());
        std::fs::write(path("profile.yaml"), "another").expect("a file");
        assert_eq!(changed(&before, &digests(&plan)), [path("profile.yaml")]);
        std::fs::remove_file(path("subject.so")).expect("removed");
        assert_eq!(changed(&before, &digests(&plan)), [path("profile.yaml"), path("subject.so")]);
    }
}
