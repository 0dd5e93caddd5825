//! Every mutant there is, and how some of them are chosen.

use assay_engine::fuzzing::miscode::{self, CodecFault};
use assay_faults::{FAULTS, Family, Fault};

use super::Selection;
use super::harness::{self, Defect};
use super::lanes::{self, LaneFault};
use crate::commands::selection::globs;
use crate::failure::Failure;

/// A fault that can be planted.
pub struct Mutant {
    /// Name on the command line.
    pub name: String,
    /// The optype in which it shows.
    pub optype: &'static str,
    /// The part of the work that it spoils.
    pub layer: Layer,
    /// What it is counted under.
    pub family: &'static str,
    /// What is wrong, in a sentence.
    pub about: String,
    /// Why nothing can tell it from what is sound, if that is so.
    pub equivalent: Option<&'static str>,
    /// Where it is planted.
    pub plant: Plant,
}

/// Where a fault is planted.
#[derive(Clone, Copy)]
pub enum Plant {
    /// In the model, behind the interface of a subject.
    Model(Fault),
    /// In the encoder, the printer or the parser.
    Codec(CodecFault),
    /// Around the sound model, whose lanes and batches it mixes up.
    Lanes(LaneFault),
    /// In the harness itself.
    Harness(&'static Defect),
}

/// The part of the work that a fault spoils. Reports keep them apart, for the codec has many times the faults of the
/// others, and each is as easily made as the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// What an instruction computes.
    Semantics,
    /// How a subject goes through the lanes of its batches.
    Batches,
    /// Judging, counting, generating and shrinking.
    Harness,
    /// Words and their text.
    Codec,
}

impl Layer {
    /// Every layer, in the order of the report.
    pub const ALL: [Layer; 4] = [Layer::Semantics, Layer::Batches, Layer::Harness, Layer::Codec];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Semantics => "semantics",
            Layer::Batches => "batches",
            Layer::Harness => "harness",
            Layer::Codec => "codec",
        }
    }
}

/// The families besides those of the model.
const FAMILIES: [&str; 3] = [harness::FAMILY, miscode::ENCODER, miscode::ASSEMBLER];

/// Every family by name, in the order of the report.
pub fn families() -> impl Iterator<Item = &'static str> {
    Family::ALL.iter().map(|family| family.name()).chain([lanes::FAMILY]).chain(FAMILIES)
}

/// Every mutant.
fn all() -> Vec<Mutant> {
    let of_model = FAULTS.iter().map(|info| Mutant {
        name: info.name.to_owned(),
        optype: info.optype,
        // A decoder is part of the codec, whatever the field is about that it misreads.
        layer: if matches!(info.fault, Fault::Field(_)) { Layer::Codec } else { Layer::Semantics },
        family: info.family.name(),
        about: info.about.to_owned(),
        equivalent: info.equivalent(),
        plant: Plant::Model(info.fault),
    });
    let of_codec = miscode::faults().map(|fault| Mutant {
        name: fault.name(),
        optype: fault.optype(),
        layer: Layer::Codec,
        family: fault.family(),
        about: fault.about(),
        equivalent: None,
        plant: Plant::Codec(fault),
    });
    let of_lanes = LaneFault::all().into_iter().map(|fault| Mutant {
        name: fault.name(),
        optype: lanes::OPTYPE,
        layer: Layer::Batches,
        family: lanes::FAMILY,
        about: fault.about(),
        equivalent: None,
        plant: Plant::Lanes(fault),
    });
    let of_harness = Defect::ALL.iter().map(|defect| Mutant {
        name: defect.name.to_owned(),
        optype: "",
        layer: Layer::Harness,
        family: harness::FAMILY,
        about: defect.about.to_owned(),
        equivalent: None,
        plant: Plant::Harness(defect),
    });
    of_model.chain(of_lanes).chain(of_harness).chain(of_codec).collect()
}

impl Selection {
    /// The mutants that are meant. A pattern or a family that selects nothing is a mistake of the user.
    pub fn mutants(&self) -> Result<Vec<Mutant>, Failure> {
        let mut mutants = all();
        let see = || "see `assay mutants list`".to_owned();
        let names = globs(&self.names, mutants.iter().map(|m| m.name.clone()), see)?;
        let optypes = globs(&self.only, mutants.iter().map(|m| m.optype.to_owned()), see)?;
        if let Some(unknown) = self.family.iter().find(|name| !families().any(|family| family == **name)) {
            let known = families().collect::<Vec<_>>().join(" ");
            return Err(Failure::input(format!("--family {unknown} is none; families are {known}")));
        }
        mutants.retain(|mutant| {
            (self.names.is_empty() || names.is_match(&mutant.name))
                && (self.only.is_empty() || optypes.is_match(mutant.optype))
                && (self.family.is_empty() || self.family.iter().any(|family| family == mutant.family))
        });
        match mutants.is_empty() {
            true => Err(Failure::input("the selection leaves no fault; see `assay mutants list`".to_owned())),
            false => Ok(mutants),
        }
    }
}
