//! The voices by name: what `--subject` and `--against` can say.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::{Arc, LazyLock, OnceLock};

use assay_device::protocol::PROTOCOL;
use assay_device::{Framing, Hello, Kind, Limits, Plug, UnknownDevice};
use assay_engine::versus::{ByContract, SubjectAsOracle};
use assay_hardware::cuda::{CudaSubject, Device, Identity};
use assay_hardware::interpreted::{PtxOpinion, PtxSubject};
use assay_isa::{Numbers, Oracle, Readings, Subject};
use assay_model::Fault;
use assay_mpfr::MpfrOracle;
use assay_vectors::Profile;
use assay_voices::{ApFloat, CoreMath, HostCpu};

use crate::commands::trace::PREFIX;
use crate::recording::Recording;

/// Name of the oracle, as results record it.
pub const ORACLE: &str = "mpfr";

/// How much is borne of a device: the options that every command has, set once before any voice is asked.
pub static DEVICE_LIMITS: OnceLock<Limits> = OnceLock::new();

/// A subject by name.
#[derive(Clone, Debug)]
pub enum Voice {
    /// The reference model.
    Model,
    /// The reference model with a fault planted.
    Mutant(Fault),
    /// LLVM's software floats.
    ApFloat,
    /// This machine's own float unit.
    Host,
    /// Correctly rounded functions.
    CoreMath,
    /// The PTX that stands for an instruction, interpreted.
    Ptx,
    /// An NVIDIA GPU, by its number.
    Cuda(usize),
    /// What a device once did, in a trace.
    Trace(Arc<Recording>),
    /// A device under test: a process or a library.
    Device(Arc<Plug>),
}

impl Voice {
    /// The subject itself.
    pub fn subject(&self, numbers: &Numbers, profile: &Profile) -> Box<dyn Subject> {
        let (numbers, readings) = (numbers.clone(), profile.readings);
        match *self {
            Voice::Model => assay_model::model(numbers, readings),
            Voice::Mutant(fault) => assay_model::mutant(numbers, readings, fault),
            Voice::ApFloat => Box::new(ApFloat::new(numbers, readings)),
            Voice::Host => Box::new(HostCpu::new(numbers, readings)),
            Voice::CoreMath => Box::new(CoreMath::new(numbers, readings)),
            Voice::Ptx => Box::new(PtxSubject::interpreted(numbers)),
            Voice::Cuda(ordinal) => Box::new(CudaSubject::new(ordinal, numbers)),
            Voice::Trace(ref recording) => recording.subject(&numbers),
            Voice::Device(ref plug) => {
                plug.bear(DEVICE_LIMITS.get().copied().unwrap_or_default());
                Box::new(plug.subject(hello(&numbers, profile), numbers))
            }
        }
    }

    /// A device, whose first failures are told as they happen.
    fn device(kind: Kind) -> Voice {
        let name = kind.to_string();
        Voice::Device(Plug::new(kind, move |words| crate::say(format_args!("{name}: {words}"))))
    }

    /// From now on findings are shrunk: a device that fails does what is expected of it.
    pub fn begin_triage(&self) {
        if let Voice::Device(plug) = self {
            plug.health().begin_triage();
        }
    }

    /// How often it failed, if it is a device.
    pub fn failures(&self) -> Option<u32> {
        match self {
            Voice::Device(plug) => Some(plug.health().failures()),
            _ => None,
        }
    }

    /// The name in records: of a GPU also which one it is, for another is another subject, and what its kernels were
    /// checked for if that is another; of a trace who was recorded.
    pub fn identity(&self) -> String {
        if let Voice::Trace(recording) = self {
            return recording.identity();
        }
        let Voice::Cuda(ordinal) = self else { return self.to_string() };
        let Ok(device) = Device::get(*ordinal) else { return self.to_string() };
        let Identity { name, compute_capability, driver } = &device.identity;
        let unchecked = if compute_capability == "9.0" { "" } else { ", lowerings checked for 9.0 only" };
        format!("{self} ({name}, {compute_capability}, driver {driver}{unchecked})")
    }

    /// What a subject is held against: the oracle unless another subject is named, and the model where a contract of
    /// the profile asks for its bits.
    pub fn oracle(against: Option<&Voice>, numbers: &Numbers, profile: &Profile) -> Box<dyn Oracle> {
        let truth = Box::new(MpfrOracle::new(profile.readings));
        match against {
            None if profile.asks_for_model() => {
                Box::new(ByContract::new(truth, Voice::Model.subject(numbers, profile), profile.clone()))
            }
            None => truth,
            Some(voice) => Box::new(SubjectAsOracle::new(voice.subject(numbers, profile))),
        }
    }
}

impl fmt::Display for Voice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Voice::Model => f.write_str("model"),
            Voice::Mutant(fault) => write!(f, "mutant:{}", fault.info().name),
            Voice::ApFloat => f.write_str("apfloat"),
            Voice::Host => f.write_str("host"),
            Voice::CoreMath => f.write_str("core-math"),
            Voice::Ptx => f.write_str("ptx"),
            Voice::Cuda(ordinal) => write!(f, "cuda:{ordinal}"),
            Voice::Trace(recording) => write!(f, "{PREFIX}{}", recording.path().display()),
            Voice::Device(plug) => f.write_str(plug.name()),
        }
    }
}

impl FromStr for Voice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "model" => Ok(Voice::Model),
            "apfloat" => Ok(Voice::ApFloat),
            "host" => Ok(Voice::Host),
            "core-math" => Ok(Voice::CoreMath),
            "ptx" => Ok(Voice::Ptx),
            _ => match text.split_once(':') {
                Some(("mutant", fault)) => {
                    fault.parse().map(Voice::Mutant).map_err(|e: assay_model::UnknownFault| e.to_string())
                }
                // In records the device follows in parentheses.
                Some(("cuda", ordinal)) => number(ordinal)
                    .parse()
                    .map(Voice::Cuda)
                    .map_err(|_| format!("`{ordinal}` is no number of a GPU; write cuda:0 for the first")),
                Some(("trace", path)) => {
                    let recording = Recording::open(Path::new(path)).map_err(|error| error.to_string())?;
                    Ok(Voice::Trace(Arc::new(recording)))
                }
                Some(("exec" | "lib", _)) => text.parse().map(Voice::device).map_err(|e: UnknownDevice| e.to_string()),
                _ => Err("write model, exec:COMMAND or lib:PATH for a device, cuda:N for a GPU, trace:FILE for what one did, \
                          ptx for what one is told, mutant:FAULT (see `assay mutants list`), apfloat, host or core-math"
                    .into()),
            },
        }
    }
}

/// A voice that can answer for cases that nobody has seen before, as a command line names it.
pub fn for_new_cases(text: &str) -> Result<Voice, String> {
    match text.parse()? {
        Voice::Trace(recording) => Err(format!(
            "a trace answers for the cases in it alone; `assay trace check {}` judges them all",
            recording.path().display()
        )),
        voice => Ok(voice),
    }
}

/// The third opinions under some readings. That of PTX is what the profile of silicon follows.
pub fn third(numbers: &Numbers, readings: Readings) -> Vec<Box<dyn Subject>> {
    // Read once: a command in bulk asks for a panel of voices again and again.
    static SILICON: LazyLock<Readings> =
        LazyLock::new(|| Profile::load("sm90").expect("a profile that is built in can be loaded").readings);
    let mut all = assay_voices::all(numbers, readings);
    all.push(Box::new(PtxOpinion::new(numbers.clone(), readings, *SILICON)));
    all
}

/// Who we are, as a device is told.
pub fn hello(numbers: &Numbers, profile: &Profile) -> Hello {
    Hello {
        protocol: PROTOCOL,
        numbers: fingerprint(numbers),
        profile: profile.name.clone(),
        readings: profile.readings.iter().map(|(erratum, setting)| (erratum.to_string(), setting)).collect(),
        framings: vec![Framing::Binary, Framing::Json],
    }
}

/// What stands before a blank.
fn number(text: &str) -> &str {
    text.split_once(' ').map_or(text, |(number, _)| number)
}

/// A short digest of a table of numbers: FNV-1a over every type, value and code.
pub fn fingerprint(numbers: &Numbers) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for ty in assay_isa::numbers::enumerated_types() {
        for (index, value) in ty.values.iter().enumerate() {
            let line = format!("{}.{value}={}\n", ty.name, numbers.code(ty, index as u32));
            for byte in line.bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
    }
    format!("{hash:016x}")
}
