//! The subjects that are part of this program, by name.

use std::fmt;
use std::str::FromStr;

use assay_crosscheck::{ApFloat, CoreMath, H200, HostCpu};
use assay_faults::Fault;
use assay_hardware::interpreted::PtxSubject;
use assay_isa::{EncodingTable, Readings, Subject};

use super::added::AddedName;

/// A subject that is part of this program. A name in a data file can refer only to such a subject.
///
/// It starts no command, loads no library or driver, and opens no file. A
/// [`SubjectName`](super::SubjectName) may do all this, but only the command line can give one. So
/// a data file from another source cannot run anything.
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
    /// The correctly rounded functions of CORE-MATH.
    CoreMath,
    /// MUFU as an NVIDIA H200 computes it, bit for bit.
    H200,
    /// An interpreter of the PTX to which an instruction is lowered.
    Ptx,
    /// A subject that this program adds.
    Added(AddedName),
}

impl BuiltIn {
    /// Makes the subject.
    pub fn subject(self, numbers: EncodingTable, readings: Readings) -> Box<dyn Subject> {
        match self {
            BuiltIn::Model => assay_session::backends::model(&numbers, readings),
            BuiltIn::Mutant(fault) => assay_faults::mutant(numbers, readings, fault),
            BuiltIn::DoubleMutant(faults) => assay_faults::double_mutant(numbers, readings, faults),
            BuiltIn::ApFloat => Box::new(ApFloat::new(numbers, readings)),
            BuiltIn::Host => Box::new(HostCpu::new(numbers, readings)),
            BuiltIn::CoreMath => Box::new(CoreMath::new(numbers, readings)),
            BuiltIn::H200 => Box::new(H200::new(numbers, readings)),
            BuiltIn::Ptx => Box::new(PtxSubject::interpreted(numbers)),
            BuiltIn::Added(added) => added.subject(numbers),
        }
    }
}

impl fmt::Display for BuiltIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuiltIn::Model => f.write_str("model"),
            BuiltIn::Mutant(fault) => write!(f, "mutant:{}", fault.info().name),
            BuiltIn::DoubleMutant([one, other]) => {
                write!(f, "mutant:{}+{}", one.info().name, other.info().name)
            }
            BuiltIn::ApFloat => f.write_str("apfloat"),
            BuiltIn::Host => f.write_str("host"),
            BuiltIn::CoreMath => f.write_str("core-math"),
            BuiltIn::H200 => f.write_str("h200"),
            BuiltIn::Ptx => f.write_str("ptx"),
            BuiltIn::Added(added) => added.fmt(f),
        }
    }
}

impl FromStr for BuiltIn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "model" => BuiltIn::Model,
            "apfloat" => BuiltIn::ApFloat,
            "host" => BuiltIn::Host,
            "core-math" => BuiltIn::CoreMath,
            "h200" => BuiltIn::H200,
            "ptx" => BuiltIn::Ptx,
            _ => match (text.strip_prefix("mutant:"), AddedName::parse(text)) {
                (Some(faults), _) => mutant(faults).map_err(|e| e.to_string())?,
                (None, Some(added)) => BuiltIn::Added(added?),
                (None, None) => {
                    return Err("write model, mutant:FAULT, apfloat, host, core-math, h200 or ptx".into());
                }
            },
        })
    }
}

/// Reads a mutant: the name of its fault, or two names with `+` between them.
fn mutant(faults: &str) -> Result<BuiltIn, assay_faults::UnknownFault> {
    match faults.split_once('+') {
        None => Ok(BuiltIn::Mutant(faults.parse()?)),
        Some((one, other)) => Ok(BuiltIn::DoubleMutant([one.parse()?, other.parse()?])),
    }
}
