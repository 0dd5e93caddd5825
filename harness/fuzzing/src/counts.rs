//! How many inputs a fuzz target took, and how many of them reached the judge: written by the target after every input,
//! so that the numbers are right however its process ends, and read by whoever started it.

use std::fs::File;
use std::io;
use std::path::Path;

/// Variable of the environment that names the file; without it nothing is written.
pub const VARIABLE: &str = "ASSAY_LIBFUZZER_COUNTS";

/// The inputs of a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Those that reached the judge.
    pub judged: u64,
    /// All of them.
    pub inputs: u64,
}

impl Counts {
    /// Counts an input.
    pub fn add(&mut self, judged: bool) {
        self.judged += u64::from(judged);
        self.inputs += 1;
    }

    /// Writes them over those that the file holds.
    pub fn write(&self, file: &File) -> io::Result<()> {
        let [judged, inputs] = [self.judged, self.inputs].map(u64::to_le_bytes);
        std::os::unix::fs::FileExt::write_all_at(file, &[judged, inputs].concat(), 0)
    }

    /// Reads a file; nothing was counted where there is none yet.
    pub fn read(path: &Path) -> Counts {
        let bytes = std::fs::read(path).unwrap_or_default();
        match bytes.as_chunks() {
            (&[judged, inputs], []) => {
                Counts { judged: u64::from_le_bytes(judged), inputs: u64::from_le_bytes(inputs) }
            }
            _ => Counts::default(),
        }
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.judged += other.judged;
        self.inputs += other.inputs;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(Counts::read(file.path()), Counts::default());
        let mut counts = Counts::default();
        for judged in [true, false, true] {
            counts.add(judged);
            counts.write(file.as_file()).unwrap();
            assert_eq!(Counts::read(file.path()), counts);
        }
        assert_eq!(counts, Counts { judged: 2, inputs: 3 });
        assert_eq!(Counts::read(Path::new("/nonexistent")), Counts::default());
    }
}
