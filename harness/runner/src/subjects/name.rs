//! A subject by name, with the data needed to make one.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use assay_device::{DevicePool, HelloReply, TransportKind, UnknownDevice};
use assay_engine::compare::reference::SubjectAsOracle;
use assay_files::digest;
use assay_hardware::cuda::{CudaSubject, Device, Identity};
use assay_hardware::interpreted::PtxOpinion;
use assay_hardware::trace::Header;
use assay_isa::similar::did_you_mean;
use assay_isa::{EncodingTable, Instruction, Oracle, Readings, Subject, shown};
use assay_records::devices::{DeviceIdentity, Role};
use assay_vectors::Profile;

use super::added::AddedName;
use super::built_in::BuiltIn;
use super::device;
use super::trace_file::{PREFIX, TraceFile};
use crate::error::RunError;

/// A subject by name. It has no `FromStr`. Only [`SubjectName::from_command_line`] reads a subject
/// from text, and a program calls that function only for its options. A name in a data file is a
/// [`BuiltIn`].
#[derive(Clone, Debug)]
pub enum SubjectName {
    /// A subject that is part of this program.
    BuiltIn(BuiltIn),
    /// An NVIDIA GPU, by its number.
    Cuda(usize),
    /// Recorded effects of a device, in a trace.
    Trace(Arc<TraceFile>),
    /// A device under test: a process or a library.
    Device(Arc<DevicePool>),
}

impl SubjectName {
    /// The reference model.
    pub const MODEL: SubjectName = SubjectName::BuiltIn(BuiltIn::Model);

    /// Whether the subject executes under the readings of the current profile. A GPU, a trace, a
    /// device or an added subject has fixed readings.
    pub fn follows_readings(&self) -> bool {
        let is_fixed = |own: &BuiltIn| matches!(own, BuiltIn::Added(_));
        match self {
            SubjectName::BuiltIn(own) => !is_fixed(own),
            SubjectName::Cuda(_) | SubjectName::Trace(_) | SubjectName::Device(_) => false,
        }
    }

    /// Whether the subject executes the PTX to which an instruction is lowered.
    pub fn runs_lowerings(&self) -> bool {
        matches!(self, SubjectName::Cuda(_) | SubjectName::BuiltIn(BuiltIn::Ptx))
    }

    /// Makes the subject.
    pub fn subject(&self, numbers: &EncodingTable, profile: &Profile) -> Box<dyn Subject> {
        let numbers = numbers.clone();
        match *self {
            SubjectName::BuiltIn(own) => own.subject(numbers, profile.readings),
            SubjectName::Cuda(ordinal) => Box::new(CudaSubject::new(ordinal, numbers)),
            SubjectName::Trace(ref recording) => recording.subject(&numbers),
            SubjectName::Device(ref pool) => {
                device::say_opened();
                pool.set_limits(device::limits());
                Box::new(pool.subject(device::hello(&numbers, profile), numbers))
            }
        }
    }

    /// Returns a device as a subject. Its first failures are passed to `tell` as they happen.
    fn device(kind: TransportKind, tell: fn(&str)) -> SubjectName {
        let name = kind.to_string();
        SubjectName::Device(DevicePool::new(kind, move |words| {
            tell(&shown::line(&format!("{name}: {words}")))
        }))
    }

    /// Notes that findings are shrunk from now on. Failures of a device are then expected.
    pub fn begin_triage(&self) {
        if let SubjectName::Device(pool) = self {
            pool.health().begin_triage();
        }
    }

    /// Returns the number of failures, if the subject is a device.
    pub fn failures(&self) -> Option<u32> {
        match self {
            SubjectName::Device(pool) => Some(pool.health().failures()),
            _ => None,
        }
    }

    /// Whether the subject is a trace, which has answers for the recorded cases only.
    pub fn is_trace(&self) -> bool {
        matches!(self, SubjectName::Trace(_))
    }

    /// Whether the subject is a device whose list of optypes or modes covers an instruction. A
    /// device lists its optypes or modes when it is started.
    pub fn lists(&self, instruction: &Instruction) -> bool {
        match self {
            SubjectName::Device(pool) => pool.declaration().is_some_and(|list| list.covers(instruction)),
            _ => false,
        }
    }

    /// Returns the identity that a device reported when it was opened, and digests of the device's
    /// files. `None` for another subject, and for a device that was not opened.
    pub fn device_identity(&self, role: Role) -> Result<Option<DeviceIdentity>, RunError> {
        let SubjectName::Device(pool) = self else { return Ok(None) };
        let Some(reply) = pool.hello_reply().cloned() else { return Ok(None) };
        let digest = |(name, path): (String, PathBuf)| {
            let failed = |error| RunError::input(format!("{}: {error}", path.display()));
            Ok((name, digest::sha256_of_file(&path).map_err(failed)?))
        };
        let named = device::files().iter().filter(|_| role == Role::Subject);
        let named = named.map(|path| (path.display().to_string(), path.clone()));
        let files =
            pool.kind().files().into_iter().chain(named).map(digest).collect::<Result<_, RunError>>()?;
        let HelloReply { name, version, protocol, optypes, modes, .. } = reply;
        let modes = if modes.is_empty() { optypes } else { modes };
        Ok(Some(DeviceIdentity { role, name, version, protocol, modes, files }))
    }

    /// Returns the name in records. The name of a GPU includes its model, because another GPU is
    /// another subject. If the kernels were checked for another target, the name includes that
    /// target. The name of a trace includes the recorded device.
    pub fn identity(&self) -> String {
        if let SubjectName::Trace(recording) = self {
            return recording.identity();
        }
        let SubjectName::Cuda(ordinal) = self else { return self.to_string() };
        let Ok(device) = Device::get(*ordinal) else { return self.to_string() };
        let Identity { name, compute_capability, driver } = &device.identity;
        let unchecked = if compute_capability == "9.0" { "" } else { ", lowerings checked for 9.0 only" };
        format!("{self} ({name}, {compute_capability}, driver {driver}{unchecked})")
    }

    /// Returns the implementation that a subject is compared with. It is the oracle, unless another
    /// subject is named. For instructions whose contract demands the bits of the model, the model
    /// takes the place of the oracle.
    pub fn oracle(
        against: Option<&SubjectName>,
        numbers: &EncodingTable,
        profile: &Profile,
    ) -> Box<dyn Oracle> {
        let oracle = assay_session::backends::oracle(numbers, profile);
        match against {
            None => oracle,
            Some(reference) => Box::new(SubjectAsOracle::under(reference.subject(numbers, profile), oracle)),
        }
    }
}

impl fmt::Display for SubjectName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SubjectName::BuiltIn(own) => own.fmt(f),
            SubjectName::Cuda(ordinal) => write!(f, "cuda:{ordinal}"),
            SubjectName::Trace(recording) => write!(f, "{PREFIX}{}", recording.path().display()),
            SubjectName::Device(pool) => f.write_str(pool.name()),
        }
    }
}

impl SubjectName {
    /// Reads the subject that a user names. It may be a command, a library, a GPU or a file. `tell`
    /// receives the first failures of a device.
    pub fn from_command_line(text: &str, tell: fn(&str)) -> Result<SubjectName, String> {
        match text.split_once(':') {
            // In records, the name of the GPU follows in parentheses.
            Some(("cuda", ordinal)) => number(ordinal)
                .parse()
                .map(SubjectName::Cuda)
                .map_err(|_| format!("`{ordinal}` is no number of a GPU; write cuda:0 for the first")),
            Some(("trace", path)) => {
                let recording = TraceFile::open(Path::new(path)).map_err(|error| error.to_string())?;
                Ok(SubjectName::Trace(Arc::new(recording)))
            }
            Some(("exec" | "lib", _)) => {
                text.parse().map(|kind| SubjectName::device(kind, tell)).map_err(|e: UnknownDevice| e.to_string())
            }
            Some(("mutant", _)) => text.parse::<BuiltIn>().map(SubjectName::from),
            _ if let Some(added) = AddedName::parse(text) => added.map(|added| BuiltIn::Added(added).into()),
            _ => text.parse::<BuiltIn>().map(SubjectName::from).map_err(|_| {
                if Path::new(text).is_file() {
                    let kind = if text.contains(".so") { "lib" } else { "exec" };
                    let place = if text.contains('/') { "" } else { "./" };
                    return format!("`{text}` is a file; write {kind}:{place}{text} to test it as a device");
                }
                let all = "write model, exec:COMMAND or lib:PATH for a device, cuda:N for a GPU, trace:FILE for recorded \
                           effects, ptx for interpreted PTX, mutant:FAULT (see `assay-lab mutants list`), apfloat, host, \
                           core-math or h200";
                did_you_mean(text, ["model", "ptx", "apfloat", "host", "core-math", "h200"], all)
            }),
        }
    }
}

impl From<BuiltIn> for SubjectName {
    fn from(subject: BuiltIn) -> SubjectName {
        SubjectName::BuiltIn(subject)
    }
}

/// Reads a subject that a user names on a command line. Refuses a trace, because it cannot execute
/// new cases.
pub fn for_new_cases(text: &str, tell: fn(&str)) -> Result<SubjectName, String> {
    match SubjectName::from_command_line(text, tell)? {
        SubjectName::Trace(recording) => Err(format!(
            "a trace answers for the cases in it alone; `assay trace check {}` judges them all",
            recording.path().display()
        )),
        implementation => Ok(implementation),
    }
}

/// Returns why a recorded subject is not a device, if it is an implementation of this program.
pub fn own_implementation(header: &Header) -> Option<String> {
    // A replacement for the driver names its device after the implementation that it runs, with
    // details in parentheses.
    let name = header.device.split(" (").next().unwrap_or_default();
    let implementation = name.parse::<BuiltIn>().ok()?;
    Some(format!(
        "the recorded subject is `{implementation}`, an implementation of this program and no device"
    ))
}

/// Returns the cross-checks under these readings. The PTX cross-check follows the readings of the
/// profile sm90. It supports an instruction only if the given readings for its optype agree with
/// these.
pub fn crosschecks(numbers: &EncodingTable, readings: Readings) -> Vec<Box<dyn Subject>> {
    // The profile is read only once, because a command in bulk mode creates the implementations
    // many times.
    static SILICON: LazyLock<Readings> =
        LazyLock::new(|| Profile::load("sm90").expect("a profile that is built in can be loaded").readings);
    let mut all = assay_crosscheck::all(numbers, readings);
    all.push(Box::new(PtxOpinion::new(numbers.clone(), readings, *SILICON)));
    all
}

/// Returns the text before the first blank.
fn number(text: &str) -> &str {
    text.split_once(' ').map_or(text, |(number, _)| number)
}
