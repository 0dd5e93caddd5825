//! The voices by name: what `--subject` and `--against` can say.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

use assay_crosscheck::{ApFloat, CoreMath, HostCpu};
use assay_device::protocol::{OLDEST, PROTOCOL};
use assay_device::{Framing, Hello, Kind, Limits, Plug, UnknownDevice, Welcome};
use assay_engine::compare::versus::{ByContract, SubjectAsOracle};
use assay_engine::result::devices::{DeviceIdentity, Role};
use assay_faults::Fault;
use assay_files::digest;
use assay_hardware::cuda::{CudaSubject, Device, Identity};
use assay_hardware::interpreted::{PtxOpinion, PtxSubject};
use assay_hardware::trace::Header;
use assay_isa::{Erratum, Numbers, Oracle, Readings, Subject, shown};
use assay_mpfr::MpfrOracle;
use assay_vectors::Profile;
use clap::builder::{TypedValueParser, ValueParserFactory};

use crate::failure::Failure;
use crate::interrupt;
use crate::output;
use crate::recording::{PREFIX, Recording};

/// Name of the oracle, as results record it.
pub const ORACLE: &str = "mpfr";

/// How much is borne of a device: the options that every command has, set once before any voice is asked.
pub static DEVICE_LIMITS: OnceLock<Limits> = OnceLock::new();
/// Time that a run has for its own end after a signal, beyond the deadline of its device.
pub const DEVICE_GRACE: Duration = Duration::from_millis(1500);

/// A subject that is part of this program: all that a name in a data file can stand for.
///
/// It starts no command, loads no library or driver, and opens no file. A [`Voice`] that does is named on the command
/// line alone, so a file that somebody sends runs nothing.
#[derive(Clone, Copy, Debug)]
pub enum BuiltIn {
    /// The reference model.
    Model,
    /// The reference model with a fault planted.
    Mutant(Fault),
    /// The reference model with two faults planted.
    DoubleMutant([Fault; 2]),
    /// LLVM's software floats.
    ApFloat,
    /// This machine's own float unit.
    Host,
    /// Correctly rounded functions.
    CoreMath,
    /// The PTX that stands for an instruction, interpreted.
    Ptx,
}

impl FromStr for BuiltIn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "model" => BuiltIn::Model,
            "apfloat" => BuiltIn::ApFloat,
            "host" => BuiltIn::Host,
            "core-math" => BuiltIn::CoreMath,
            "ptx" => BuiltIn::Ptx,
            _ => match text.strip_prefix("mutant:") {
                Some(faults) => mutant(faults).map_err(|e| e.to_string())?,
                None => return Err("write model, mutant:FAULT, apfloat, host, core-math or ptx".into()),
            },
        })
    }
}

/// A mutant by the name of its fault, or those of two with `+` between them.
fn mutant(faults: &str) -> Result<BuiltIn, assay_faults::UnknownFault> {
    match faults.split_once('+') {
        None => Ok(BuiltIn::Mutant(faults.parse()?)),
        Some((one, other)) => Ok(BuiltIn::DoubleMutant([one.parse()?, other.parse()?])),
    }
}

impl From<BuiltIn> for Voice {
    fn from(subject: BuiltIn) -> Voice {
        match subject {
            BuiltIn::Model => Voice::Model,
            BuiltIn::Mutant(fault) => Voice::Mutant(fault),
            BuiltIn::DoubleMutant(faults) => Voice::DoubleMutant(faults),
            BuiltIn::ApFloat => Voice::ApFloat,
            BuiltIn::Host => Voice::Host,
            BuiltIn::CoreMath => Voice::CoreMath,
            BuiltIn::Ptx => Voice::Ptx,
        }
    }
}

/// A subject by name. It has no `FromStr`: only [`Voice::from_command_line`] makes one of a text, and clap calls that for
/// an option of this type. A name in a data file is a [`BuiltIn`].
#[derive(Clone, Debug)]
pub enum Voice {
    /// The reference model.
    Model,
    /// The reference model with a fault planted.
    Mutant(Fault),
    /// The reference model with two faults planted: a bug beside a bug.
    DoubleMutant([Fault; 2]),
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
    /// Whether it executes under whatever readings it is asked to. What somebody else made has readings of its own.
    pub fn follows_readings(&self) -> bool {
        !matches!(self, Voice::Cuda(_) | Voice::Trace(_) | Voice::Device(_))
    }

    /// The subject itself.
    pub fn subject(&self, numbers: &Numbers, profile: &Profile) -> Box<dyn Subject> {
        let (numbers, readings) = (numbers.clone(), profile.readings);
        match *self {
            Voice::Model => assay_model::model(numbers, readings),
            Voice::Mutant(fault) => assay_faults::mutant(numbers, readings, fault),
            Voice::DoubleMutant(faults) => assay_faults::double_mutant(numbers, readings, faults),
            Voice::ApFloat => Box::new(ApFloat::new(numbers, readings)),
            Voice::Host => Box::new(HostCpu::new(numbers, readings)),
            Voice::CoreMath => Box::new(CoreMath::new(numbers, readings)),
            Voice::Ptx => Box::new(PtxSubject::interpreted(numbers)),
            Voice::Cuda(ordinal) => Box::new(CudaSubject::new(ordinal, numbers)),
            Voice::Trace(ref recording) => recording.subject(&numbers),
            Voice::Device(ref plug) => {
                let limits = DEVICE_LIMITS.get().copied().unwrap_or_default();
                // After a signal a device that hangs delays the end by its deadline, and not by one for each case.
                interrupt::end_within(limits.deadline + DEVICE_GRACE);
                plug.bear(limits);
                Box::new(plug.subject(hello(&numbers, profile), numbers))
            }
        }
    }

    /// A device, whose first failures are told as they happen.
    fn device(kind: Kind) -> Voice {
        let name = kind.to_string();
        Voice::Device(Plug::new(kind, move |words| output::say(shown::line(&format!("{name}: {words}")))))
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

    /// Which device it is, if it is one, as it said when it was opened.
    pub fn device_identity(&self, role: Role) -> Result<Option<DeviceIdentity>, Failure> {
        let Voice::Device(plug) = self else { return Ok(None) };
        let Some(welcome) = plug.welcome().cloned() else { return Ok(None) };
        let digest = |(name, path): (String, PathBuf)| {
            let failed = |error| Failure::input(format!("{}: {error}", path.display()));
            Ok((name, digest::sha256_of_file(&path).map_err(failed)?))
        };
        let files = plug.kind().files().into_iter().map(digest).collect::<Result<_, Failure>>()?;
        let Welcome { name, version, protocol, optypes, modes, .. } = welcome;
        let modes = if modes.is_empty() { optypes } else { modes };
        Ok(Some(DeviceIdentity { role, name, version, protocol, modes, files }))
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
            Voice::DoubleMutant([one, other]) => {
                write!(f, "mutant:{}+{}", one.info().name, other.info().name)
            }
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

impl Voice {
    /// The subject that a user names, which may be a command, a library, a GPU or a file.
    pub fn from_command_line(text: &str) -> Result<Voice, String> {
        match text.split_once(':') {
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
            Some(("mutant", _)) => text.parse::<BuiltIn>().map(Voice::from),
            _ => text.parse::<BuiltIn>().map(Voice::from).map_err(|_| {
                "write model, exec:COMMAND or lib:PATH for a device, cuda:N for a GPU, trace:FILE for what one did, \
                 ptx for what one is told, mutant:FAULT (see `assay mutants list`), apfloat, host or core-math"
                    .into()
            }),
        }
    }
}

/// The option of a command line whose type is [`Voice`].
#[derive(Clone, Debug)]
pub struct VoiceParser;

impl TypedValueParser for VoiceParser {
    type Value = Voice;

    fn parse_ref(
        &self,
        command: &clap::Command,
        option: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Voice, clap::Error> {
        Voice::from_command_line.parse_ref(command, option, value)
    }
}

impl ValueParserFactory for Voice {
    type Parser = VoiceParser;

    fn value_parser() -> VoiceParser {
        VoiceParser
    }
}

/// A voice that can answer for cases that nobody has seen before, as a command line names it.
pub fn for_new_cases(text: &str) -> Result<Voice, String> {
    match Voice::from_command_line(text)? {
        Voice::Trace(recording) => Err(format!(
            "a trace answers for the cases in it alone; `assay trace check {}` judges them all",
            recording.path().display()
        )),
        voice => Ok(voice),
    }
}

/// Why what was recorded is no device: one of the voices of this program was.
pub fn own_voice(header: &Header) -> Option<String> {
    // The device of the driver's stand-in goes by the name of what it runs, and says more in parentheses.
    let name = header.device.split(" (").next().unwrap_or_default();
    let voice = Voice::from(name.parse::<BuiltIn>().ok()?);
    Some(format!("what was recorded is `{voice}`, a voice of this program and no device"))
}

/// The third opinions under some readings. That of PTX is what the profile of silicon follows.
pub fn third(numbers: &Numbers, readings: Readings) -> Vec<Box<dyn Subject>> {
    // Read once: a command in bulk asks for a panel of voices again and again.
    static SILICON: LazyLock<Readings> =
        LazyLock::new(|| Profile::load("sm90").expect("a profile that is built in can be loaded").readings);
    let mut all = assay_crosscheck::all(numbers, readings);
    all.push(Box::new(PtxOpinion::new(numbers.clone(), readings, *SILICON)));
    all
}

/// Who we are, as a device is told.
pub fn hello(numbers: &Numbers, profile: &Profile) -> Hello {
    // A convention that is as the documents have it is not told: devices of before there were any know all of the others.
    let told = |(erratum, setting): &(Erratum, u8)| !erratum.is_convention() || *setting != 1;
    let readings = profile.readings.iter().filter(told);
    Hello {
        protocol: OLDEST,
        protocols: (OLDEST..=PROTOCOL).collect(),
        numbers: fingerprint(numbers),
        profile: profile.name.clone(),
        readings: readings.map(|(erratum, setting)| (erratum.to_string(), setting)).collect(),
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
