//! Which inputs of a corpus add to its coverage: what libFuzzer's merge says, and whether it can be believed.
//!
//! The merge runs its work in a process of its own, by way of a shell, goes on where that fails, and ends with status 0
//! whatever it could not read or write. So all that it leaves is held against the corpus, and it decides which inputs stay
//! without any of its files taking the place of one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use assay_files::digest;

use super::files::{inputs, read};
use crate::failure::Failure;

/// What a merge left.
pub struct Merged<'a> {
    /// The folder of the corpus.
    pub corpus: &'a Path,
    /// The folder with a copy of what adds to the coverage.
    pub kept: &'a Path,
    /// Where libFuzzer notes what it has run.
    pub control: &'a Path,
    /// What it said.
    pub log: &'a str,
    /// Bytes of an input that it reads.
    pub longest: usize,
}

/// The inputs of a corpus, told apart.
#[derive(Debug, Default)]
pub struct Sorted {
    /// Those that add to the coverage, with their sizes, the shortest first.
    pub kept: Vec<(u64, PathBuf)>,
    /// Those that were run and add nothing.
    pub spare: Vec<PathBuf>,
}

impl Merged<'_> {
    /// Tells the inputs apart, if all that the merge left fits together.
    pub fn sorted(&self) -> Result<Sorted, Failure> {
        let refused = |problem: &str| {
            Failure::harness(format!(
                "{}: the merge of this corpus cannot be believed, and nothing was removed: {problem}; check the memory and the \
                 room on the disk, then minimise again",
                self.corpus.display()
            ))
        };
        let attempts =
            number(self.log, "MERGE-OUTER: successful in ").ok_or_else(|| refused("it did not succeed"))?;
        let added =
            number(self.log, "MERGE-OUTER: ").ok_or_else(|| refused("it does not say what it has added"))?;
        let control = read(self.control)?;
        let control = String::from_utf8_lossy(&control);
        let run = run(&control, attempts).ok_or_else(|| refused("its notes are cut"))?;
        let copies = self.copies()?;
        if added == 0 || copies.len() != added {
            return Err(refused(&format!("it adds {added} inputs, and {} are there", copies.len())));
        }
        let mut sorted = Sorted::default();
        let mut missing: BTreeSet<String> = copies.into_keys().collect();
        let all = missing.clone();
        for (bytes, path) in inputs(self.corpus)? {
            let digest = self.digest(&path)?;
            if missing.remove(&digest) {
                sorted.kept.push((bytes, path));
            } else if all.contains(&digest) || path.to_str().is_some_and(|path| run.contains(path)) {
                sorted.spare.push(path);
            }
        }
        match missing.len() {
            0 => Ok(sorted),
            n => Err(refused(&format!("{n} of its inputs are not those of the corpus"))),
        }
    }

    /// The inputs that were copied.
    fn copies(&self) -> Result<BTreeMap<String, PathBuf>, Failure> {
        inputs(self.kept)?.into_iter().map(|(_, path)| Ok((self.digest(&path)?, path))).collect()
    }

    /// Of as much of an input as libFuzzer reads.
    fn digest(&self, path: &Path) -> Result<String, Failure> {
        let data = read(path)?;
        Ok(digest::sha256(&data[..data.len().min(self.longest)]))
    }
}

/// The number behind the beginning of a line.
fn number(log: &str, beginning: &str) -> Option<usize> {
    log.lines().rev().find_map(|line| line.strip_prefix(beginning)?.split(' ').next()?.parse().ok())
}

/// The inputs that were run to their end, from the notes of the merge: the number of all inputs, a number that tells
/// nothing here, the inputs, and for each that was begun a line `STARTED`, and if it came to its end `FT` and `COV`. Each
/// attempt but the last ended at an input. None if the notes are not whole.
fn run(control: &str, attempts: usize) -> Option<BTreeSet<&str>> {
    let lines: Vec<&str> = control.strip_suffix('\n')?.split('\n').collect();
    let all: usize = lines.first()?.parse().ok()?;
    let names = lines.get(2..2 + all)?;
    let ended =
        lines[2 + all..].iter().filter_map(|line| line.strip_prefix("COV ")?.split(' ').next()?.parse().ok());
    let run: BTreeSet<&str> = ended.map(|place: usize| names.get(place).copied()).collect::<Option<_>>()?;
    (run.len() + attempts == all + 1).then_some(run)
}

/// Refuses a path that libFuzzer would hand to a shell, where the shell would take it for something else.
pub fn bear_a_shell(path: &Path) -> Result<(), Failure> {
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-+,=@:%".contains(letter);
    let text = path.to_str().unwrap_or("\u{fffd}");
    let bad = match text.starts_with('-') {
        true => Some('-'),
        false => text.chars().find(|letter| !is_plain(*letter)),
    };
    match bad {
        None => Ok(()),
        Some(letter) => Err(Failure::input(format!(
            "{}: libFuzzer merges corpora by way of a shell, which takes {letter:?} in this path for something else; choose a \
             path of letters, digits and ._-+,=@:% alone",
            path.display()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const LOG: &str = "MERGE-OUTER: attempt 1\nMERGE-OUTER: successful in 1 attempt(s)\n\
        MERGE-OUTER: the control file has 80 bytes\n\
        MERGE-OUTER: 2 new files with 7 new features added; 5 new coverage edges\n";

    /// A corpus of `a`, `bb`, `bb` and `spare`, merged into the copies that are given.
    fn sorted(log: &str, copies: &[(&str, &str)], cut: usize) -> Result<[Vec<String>; 2], Failure> {
        let folder = tempfile::tempdir().unwrap();
        let [corpus, kept, control] = ["corpus", "kept", "control"].map(|name| folder.path().join(name));
        fs::create_dir(&corpus).unwrap();
        fs::create_dir(&kept).unwrap();
        let mut notes = "4\n0\n".to_owned();
        let inputs = [("1", "a"), ("2", "bb"), ("3", "bb"), ("4", "spare")];
        for (name, text) in inputs {
            fs::write(corpus.join(name), text).unwrap();
            notes += &format!("{}\n", corpus.join(name).display());
        }
        for n in 0..4 {
            notes += &format!("STARTED {n} 1\nFT {n} 1 2\nCOV {n} 3\n");
        }
        // What comes in while libFuzzer merges is none of its business.
        fs::write(corpus.join("5"), "later").unwrap();
        fs::write(&control, &notes[..notes.len() - cut]).unwrap();
        for (name, text) in copies {
            fs::write(kept.join(name), text).unwrap();
        }
        let merged = Merged { corpus: &corpus, kept: &kept, control: &control, log, longest: 9 };
        let Sorted { kept, spare } = merged.sorted()?;
        let name = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        Ok([kept.into_iter().map(|(_, path)| name(path)).collect(), spare.into_iter().map(name).collect()])
    }

    #[test]
    fn a_merge_tells_which_inputs_stay() {
        let [kept, spare] = sorted(LOG, &[("sha-a", "a"), ("sha-b", "bb")], 0).unwrap();
        assert_eq!((kept, spare), (vec!["1".into(), "2".into()], vec!["3".into(), "4".to_owned()]));
    }

    #[test]
    fn a_merge_that_did_not_run_or_was_cut_is_not_believed() {
        let sound: &[(&str, &str)] = &[("a", "a"), ("b", "bb")];
        for (log, copies, cut, problem) in [
            ("MERGE-OUTER: 0 new files with 0 new features added", &[][..], 0, "did not succeed"),
            (&LOG.replace("2 new", "0 new"), &[], 0, "it adds 0 inputs"),
            (LOG, &sound[..1], 0, "it adds 2 inputs, and 1"),
            (LOG, &[("a", "a"), ("b", "b")], 0, "1 of its inputs are not those"),
            (LOG, &[("a", "a"), ("b", "")], 0, "1 of its inputs are not those"),
            (LOG, sound, 1, "its notes are cut"),
            (LOG, sound, "COV 3 3\n".len(), "its notes are cut"),
            (&LOG.replace("in 1", "in 3"), sound, 0, "its notes are cut"),
        ] {
            let failure = sorted(log, copies, cut).unwrap_err();
            assert!(failure.message().contains(problem), "{log}: {}", failure.message());
        }
    }

    #[test]
    fn an_input_that_ended_the_program_is_not_spare() {
        let control = "2\n0\nx\ny\nSTARTED 0 1\nSTARTED 1 1\nFT 1 4\nCOV 1\n";
        assert_eq!(run(control, 2), Some(BTreeSet::from(["y"])));
        assert_eq!(run(control, 1), None);
    }

    #[test]
    fn a_path_that_a_shell_would_read_is_refused() {
        assert!(bear_a_shell(Path::new("/a/b-c_1.2")).is_ok());
        for path in ["a b", "a;b", "$HOME", "a'b", "x(1)", "-x", "~/x", "a\nb", "a*"] {
            assert!(bear_a_shell(Path::new(path)).is_err(), "{path}");
        }
    }
}
