//! Restricts paths in data files to the folder that the user named.

use std::path::{Path, PathBuf};

use assay_isa::shown::quoted;

use crate::error::{ErrorKind, VectorError};

/// Resolves `path`, which a data file in the folder `base` names. Returns the path with symbolic
/// links resolved.
///
/// Refuses a file outside the folder `tree`, whether `..`, an absolute path or a link leads there.
/// A file that does not exist is an error too.
pub fn within(base: &Path, path: &Path, tree: &Path) -> Result<PathBuf, VectorError> {
    let read = |path: &Path| {
        let failed = |e| VectorError::from(ErrorKind::Read(e)).in_file(quoted(&path.display().to_string()));
        path.canonicalize().map_err(failed)
    };
    // `tree` is empty if it is the parent of a bare file name. It then means the current folder.
    let tree = if tree.as_os_str().is_empty() { Path::new(".") } else { tree };
    let (file, root) = (read(&base.join(path))?, read(tree)?);
    if file.starts_with(&root) {
        Ok(file)
    } else {
        let path = quoted(&path.display().to_string());
        Err(ErrorKind::Outside { path, tree: tree.display().to_string() }.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_below_the_folder_is_found() {
        let root = tempfile::tempdir().expect("a folder");
        let (tree, outside) = (root.path().join("tree"), root.path().join("outside"));
        std::fs::create_dir_all(tree.join("inner")).expect("a folder");
        for file in [&tree.join("a"), &tree.join("inner/b"), &outside] {
            std::fs::write(file, "").expect("a file");
        }
        std::os::unix::fs::symlink("a", tree.join("link")).expect("a link");
        std::os::unix::fs::symlink(&outside, tree.join("out")).expect("a link");
        std::os::unix::fs::symlink("..", tree.join("inner/up")).expect("a link");
        let absolute = [tree.join("a"), outside.clone()].map(|path| path.display().to_string());
        let inner = tree.join("inner");
        let cases = [
            ("b", true),
            ("../a", true),
            ("../link", true),
            ("up/a", true),
            (&absolute[0], true),
            (&absolute[1], false),
            ("../../outside", false),
            ("../out", false),
            ("up/../outside", false),
            ("../nothing", false),
        ];
        for (path, is_inside) in cases {
            let found = within(&inner, Path::new(path), &tree);
            assert_eq!(found.is_ok(), is_inside, "{path}: {found:?}");
        }
    }
}
