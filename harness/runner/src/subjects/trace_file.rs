//! A trace as a subject. It repeats the recorded effect of each recorded case.

use std::path::Path;
use std::sync::OnceLock;

use assay_engine::run::replay_subject::{Contradiction, RecordedCases, ReplaySubject};
use assay_hardware::trace::{Header, Reader, Run, TraceError};
use assay_isa::{Answer, BackendError, Batch, Effects, EncodingTable, Subject, asm, codec};

/// The prefix of a subject's name that marks a trace.
pub const PREFIX: &str = "trace:";

/// A trace file whose header was read. Its rows are read on first use and kept in memory, with a
/// few hundred bytes for each case.
#[derive(Debug)]
pub struct TraceFile {
    reader: Reader,
    rows: OnceLock<Result<ReplaySubject, String>>,
}

impl TraceFile {
    /// Opens a file that `assay trace capture` wrote.
    pub fn open(path: &Path) -> Result<TraceFile, TraceError> {
        Ok(TraceFile { reader: Reader::open(path)?, rows: OnceLock::new() })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        self.reader.path()
    }

    /// Returns the header. It names the recorded device, the time of the recording and the
    /// recording program.
    pub fn header(&self) -> &Header {
        self.reader.header()
    }

    /// Returns a name with the recorded device and the hash of the trace. The name does not depend
    /// on the file's path.
    pub fn identity(&self) -> String {
        let Header { device, hash, .. } = self.header();
        format!("{PREFIX}{device} ({hash})")
    }

    /// Returns a subject that repeats the recorded effects. If the rows cannot be read, the subject
    /// fails with the reason when it runs.
    pub fn subject(&self, numbers: &EncodingTable) -> Box<dyn Subject> {
        match self.rows.get_or_init(|| self.read(numbers)) {
            Ok(rows) => Box::new(rows.clone()),
            Err(problem) => Box::new(Unusable { implementation: self.identity(), problem: problem.clone() }),
        }
    }

    fn read(&self, numbers: &EncodingTable) -> Result<ReplaySubject, String> {
        let mut records = Vec::new();
        let keep = |run: Run| RecordedCases { batch: run.batch, effects: run.effects };
        let read = self.reader.read(numbers, |runs| -> Result<(), TraceError> {
            records.extend(runs.into_iter().map(keep));
            Ok(())
        });
        read.map_err(|error| error.to_string())?;
        let recorded = ReplaySubject::new(self.identity(), records);
        match recorded.contradiction() {
            Some(case) => Err(format!("{}: {}", self.path().display(), contradicts(case, numbers))),
            None => Ok(recorded),
        }
    }
}

/// Returns the recorded device, with its driver if it has a driver.
pub fn device(Header { device, driver, .. }: &Header) -> String {
    match driver {
        Some(version) => format!("{device}, driver {version}"),
        None => device.clone(),
    }
}

fn contradicts(Contradiction { word, inputs }: &Contradiction, numbers: &EncodingTable) -> String {
    let text = codec::decode(*word, numbers).map_or_else(|_| format!("{word:#034x}"), |i| asm::print(&i));
    let inputs: Vec<String> =
        inputs.iter().map(|(location, value)| format!("{location}={value:#010x}")).collect();
    format!(
        "`{text}` of {} was recorded more than once, with different results; such a trace answers no question, and \
         `assay trace check` judges its rows one by one",
        inputs.join(" ")
    )
}

/// A subject that cannot execute.
struct Unusable {
    implementation: String,
    problem: String,
}

impl Subject for Unusable {
    fn name(&self) -> &str {
        &self.implementation
    }

    fn execute(&mut self, _: &Batch, _: &mut Effects) -> Result<Answer, BackendError> {
        Err(BackendError::Unusable {
            implementation: self.implementation.clone(),
            problem: self.problem.clone(),
        })
    }
}
