//! Finds the files of a device that globs name.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use assay_engine::stats::judged::glob;
use globset::GlobBuilder;

/// Characters that begin a pattern in a path.
const PATTERN: [char; 4] = ['*', '?', '[', '{'];
/// Maximum number of files of a device. More files indicate a mistake in a glob, such as the root
/// of a file system.
const MOST_FILES: usize = 10_000;

/// Returns the files that globs name, such as `src/**/*.py`. `*` and `?` match no `/`. Links to
/// folders are followed.
///
/// # Errors
///
/// A glob is not valid or matches no file, a folder cannot be read, or there are too many files.
/// The error names the glob.
pub fn find(globs: &[String]) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for text in globs {
        // This call also checks the length of the glob.
        glob(text)?;
        let pattern = GlobBuilder::new(text).literal_separator(true).build();
        let pattern = pattern.map_err(|error| format!("`{text}`: {}", error.kind()))?.compile_matcher();
        let fixed = text.split('/').take_while(|part| !part.contains(PATTERN));
        let fixed = PathBuf::from_iter(text.starts_with('/').then_some("/").into_iter().chain(fixed));
        let before = files.len();
        let mut search = Search { is_wanted: &|path| pattern.is_match(path), folders: BTreeSet::new() };
        search.collect(&fixed, &mut files).map_err(|error| format!("{text}: {error}"))?;
        if files.len() == before {
            return Err(format!("{text} matches no file; name the files that belong to the device"));
        }
    }
    files.sort();
    files.dedup();
    Ok(files)
}

/// A search below a folder.
struct Search<'a> {
    is_wanted: &'a dyn Fn(&Path) -> bool,
    /// The folders above the current folder, with links resolved. A link to one of them is not
    /// followed, because the search would not end.
    folders: BTreeSet<PathBuf>,
}

impl Search<'_> {
    /// Adds the wanted regular files at or below a path.
    fn collect(&mut self, path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
        let place = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        if place.is_file() {
            if (self.is_wanted)(path) {
                files.push(path.to_owned());
            }
            return if files.len() > MOST_FILES {
                Err(std::io::Error::other(format!("more than {MOST_FILES} files match")))
            } else {
                Ok(())
            };
        }
        if !place.is_dir() {
            return Ok(());
        }
        let folder = place.canonicalize()?;
        if !self.folders.insert(folder.clone()) {
            return Ok(());
        }
        for entry in fs::read_dir(place)? {
            self.collect(&path.join(entry?.file_name()), files)?;
        }
        self.folders.remove(&folder);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_behind_a_linked_folder_are_found_and_a_circle_ends() {
        let root = tempfile::tempdir().expect("a folder");
        let path = |name: &str| root.path().join(name);
        for folder in ["src", "elsewhere"] {
            fs::create_dir(path(folder)).expect("a folder");
        }
        for file in ["src/a.py", "src/a.txt", "elsewhere/b.py"] {
            fs::write(path(file), "").expect("a file");
        }
        std::os::unix::fs::symlink(path("elsewhere"), path("src/sub")).expect("a link");
        std::os::unix::fs::symlink(path("src"), path("elsewhere/back")).expect("a link");
        let found = find(&[path("src/**/*.py").display().to_string()]).expect("files");
        assert_eq!(found, [path("src/a.py"), path("src/sub/b.py")]);
        let none = find(&[path("src/*.c").display().to_string()]).expect_err("there is none");
        assert!(none.contains("matches no file"), "{none}");
    }
}
