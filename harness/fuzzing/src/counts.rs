//! How many inputs a fuzz target took, and how many of them reached the judge. The target writes the counts after every
//! input, so that they are right however its process ends. The parent process reads them.

use std::fs::File;
use std::io;
use std::path::Path;

/// Environment variable with the folder in which each process has a file; without it nothing is written.
pub const VARIABLE: &str = "ASSAY_LIBFUZZER_COUNTS";

/// The inputs of a process, or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Those that reached the judge.
    pub judged: u64,
    /// All of them.
    pub inputs: u64,
    /// Greatest memory in kilobytes; of several processes that of the largest.
    pub peak_rss_kb: u64,
}

impl Counts {
    /// Counts an input.
    pub fn add(&mut self, judged: bool) {
        self.judged += u64::from(judged);
        self.inputs += 1;
    }

    /// Creates the file of this process.
    ///
    /// # Errors
    ///
    /// The folder is not there, or cannot be written.
    pub fn create(folder: &Path) -> io::Result<File> {
        let process = std::process::id();
        // In a long run the number of a process can come again.
        for nth in 1u64.. {
            match File::create_new(folder.join(format!("{process}-{nth}"))) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made,
            }
        }
        unreachable!("there is always a next number")
    }

    /// Writes them over those that the file holds.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn write(&self, file: &File) -> io::Result<()> {
        let words = [self.judged, self.inputs, self.peak_rss_kb].map(u64::to_le_bytes);
        std::os::unix::fs::FileExt::write_all_at(file, &words.concat(), 0)
    }

    /// Adds up the files of a folder. Nothing was counted where there is none yet, or a process has just begun its own.
    pub fn read(folder: &Path) -> Counts {
        let mut sum = Counts::default();
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let bytes = std::fs::read(entry.path()).unwrap_or_default();
            if let (&[judged, inputs, peak], []) = bytes.as_chunks() {
                sum.judged += u64::from_le_bytes(judged);
                sum.inputs += u64::from_le_bytes(inputs);
                sum.peak_rss_kb = sum.peak_rss_kb.max(u64::from_le_bytes(peak));
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_processes_write_is_read_and_added_up() {
        let folder = tempfile::tempdir().unwrap();
        let file = Counts::create(folder.path()).unwrap();
        assert_eq!(Counts::read(folder.path()), Counts::default());
        let mut counts = Counts { peak_rss_kb: 70, ..Counts::default() };
        for judged in [true, false, true] {
            counts.add(judged);
            counts.write(&file).unwrap();
            assert_eq!(Counts::read(folder.path()), counts);
        }
        assert_eq!(counts, Counts { judged: 2, inputs: 3, peak_rss_kb: 70 });
        let other = Counts { judged: 5, inputs: 7, peak_rss_kb: 60 };
        other.write(&Counts::create(folder.path()).unwrap()).unwrap();
        assert_eq!(Counts::read(folder.path()), Counts { judged: 7, inputs: 10, peak_rss_kb: 70 });
        assert_eq!(Counts::read(Path::new("/nonexistent")), Counts::default());
    }
}
