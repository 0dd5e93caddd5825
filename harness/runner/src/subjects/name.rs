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

use super::built_in::BuiltIn;
use super::device;
use super::trace_file::{PREFIX, TraceFile};
use crate::error::RunError;

/// A subject by name. It has no `FromStr`: only [`SubjectName::from_command_line`] makes one of a text, and a program calls
/// that for its options alone. A name in a data file is a [`BuiltIn`].
#[derive(Clone, Debug)]
pub enum SubjectName {
    /// One that is part of this program.
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

    /// Whether it executes under whatever readings it is asked to. A foreign implementation has readings of its own.
    pub fn follows_readings(&self) -> bool {
        !matches!(self, SubjectName::Cuda(_) | SubjectName::Trace(_) | SubjectName::Device(_))
    }

    /// Whether it runs the PTX that stands for an instruction.
    pub fn runs_lowerings(&self) -> bool {
        matches!(self, SubjectName::Cuda(_) | SubjectName::BuiltIn(BuiltIn::Ptx))
    }

    /// The subject itself.
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

    /// A device. Its first failures are reported as they happen.
    fn device(kind: TransportKind, tell: fn(&str)) -> SubjectName {
        let name = kind.to_string();
        SubjectName::Device(DevicePool::new(kind, move |words| {
            tell(&shown::line(&format!("{name}: {words}")))
        }))
    }

    /// Starts the shrinking of findings: from now on failures of a device are expected.
    pub fn begin_triage(&self) {
        if let SubjectName::Device(pool) = self {
            pool.health().begin_triage();
        }
    }

    /// How often it failed, if it is a device.
    pub fn failures(&self) -> Option<u32> {
        match self {
            SubjectName::Device(pool) => Some(pool.health().failures()),
            _ => None,
        }
    }

    /// Whether it is a trace: it answers for the recorded cases alone.
    pub fn is_trace(&self) -> bool {
        matches!(self, SubjectName::Trace(_))
    }

    /// Whether it is a device whose list of optypes or modes covers an instruction. A device lists them when it is
    /// started.
    pub fn lists(&self, instruction: &Instruction) -> bool {
        match self {
            SubjectName::Device(pool) => pool.declaration().is_some_and(|list| list.covers(instruction)),
            _ => false,
        }
    }

    /// The identity of a device, as it reported it when it was opened; `None` for another subject.
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

    /// The name in records. A GPU's name has its model, because another GPU is another subject, and the target that its
    /// kernels were checked for if that differs. A trace has the name of the recorded device.
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

    /// The implementation that a subject is compared with: the oracle unless another subject is named, and the model
    /// where a contract of the profile demands its bits.
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
    /// The subject that a user names: a command, a library, a GPU or a file are possible. `tell` receives the first
    /// failures of a device.
    pub fn from_command_line(text: &str, tell: fn(&str)) -> Result<SubjectName, String> {
        match text.split_once(':') {
            // In records the device follows in parentheses.
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

/// Reads an implementation that can execute new cases from a command line.
pub fn for_new_cases(text: &str, tell: fn(&str)) -> Result<SubjectName, String> {
    match SubjectName::from_command_line(text, tell)? {
        SubjectName::Trace(recording) => Err(format!(
            "a trace answers for the cases in it alone; `assay trace check {}` judges them all",
            recording.path().display()
        )),
        implementation => Ok(implementation),
    }
}

/// The reason why a recorded subject is not a device: it was an implementation of this program.
pub fn own_implementation(header: &Header) -> Option<String> {
    // The device of the driver's stand-in has the name of the program that it runs, and details in parentheses.
    let name = header.device.split(" (").next().unwrap_or_default();
    let implementation = name.parse::<BuiltIn>().ok()?;
    Some(format!(
        "the recorded subject is `{implementation}`, an implementation of this program and no device"
    ))
}

/// The cross-checks under some readings. The cross-check by PTX has those of the silicon profile.
pub fn crosschecks(numbers: &EncodingTable, readings: Readings) -> Vec<Box<dyn Subject>> {
    // Read once: a command in bulk mode asks for the implementations again and again.
    static SILICON: LazyLock<Readings> =
        LazyLock::new(|| Profile::load("sm90").expect("a profile that is built in can be loaded").readings);
    let mut all = assay_crosscheck::all(numbers, readings);
    all.push(Box::new(PtxOpinion::new(numbers.clone(), readings, *SILICON)));
    all
}

/// The text before the first blank.
fn number(text: &str) -> &str {
    text.split_once(' ').map_or(text, |(number, _)| number)
}
