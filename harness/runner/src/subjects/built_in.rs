//! The subjects that are part of this program, by name.

use std::str::FromStr;

use assay_faults::Fault;

/// A subject that is part of this program: all that a name in a data file can stand for.
///
/// It starts no command, loads no library or driver, and opens no file. A [`Voice`](super::Voice) that does is named on the command
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
