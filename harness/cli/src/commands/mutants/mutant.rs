//! Every mutant there is, and how some of them are chosen.

use assay_engine::miscode::{self, CodecFault};
use assay_model::{FAULTS, Family, Fault};

use super::Selection;
use super::harness::{self, Defect};
use super::rows::{self, RowFault};
use crate::commands::fuzz::globs;
use crate::failure::Failure;

/// A fault that can be planted.
pub struct Mutant {
    /// Name on the command line.
    pub name: String,
    /// The optype in which it shows.
    pub optype: &'static str,
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
    /// In a row of the tables, so that encoder and decoder agree.
    Row(RowFault),
    /// In the harness itself.
    Harness(&'static Defect),
}

/// The families besides those of the model, with what they hold.
pub const FAMILIES: [(&str, &str); 4] = [
    (miscode::ENCODER, "a field written to other bits of the word"),
    (miscode::ASSEMBLER, "a field printed or parsed as another value, defaults among them"),
    (rows::FAMILY, "a row of the tables that misplaces or misnames a field"),
    (harness::FAMILY, "a defect of the harness itself: judging, counting, generating, shrinking"),
];

/// Every family by name, in the order of the report.
pub fn families() -> impl Iterator<Item = &'static str> {
    Family::ALL.iter().map(|family| family.name()).chain(FAMILIES.map(|(name, _)| name))
}

/// Every mutant.
fn all() -> Vec<Mutant> {
    let of_model = FAULTS.iter().map(|info| Mutant {
        name: info.name.to_owned(),
        optype: info.optype,
        family: info.family.name(),
        about: info.about.to_owned(),
        equivalent: info.equivalent(),
        plant: Plant::Model(info.fault),
    });
    let of_codec = miscode::faults().map(|fault| Mutant {
        name: fault.name(),
        optype: fault.optype(),
        family: fault.family(),
        about: fault.about(),
        equivalent: None,
        plant: Plant::Codec(fault),
    });
    let of_rows = rows::faults().map(|fault| Mutant {
        name: fault.name(),
        optype: fault.optype(),
        family: rows::FAMILY,
        about: fault.about(),
        equivalent: None,
        plant: Plant::Row(fault),
    });
    let of_harness = Defect::ALL.iter().map(|defect| Mutant {
        name: defect.name.to_owned(),
        optype: "",
        family: harness::FAMILY,
        about: defect.about.to_owned(),
        equivalent: None,
        plant: Plant::Harness(defect),
    });
    of_model.chain(of_codec).chain(of_rows).chain(of_harness).collect()
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
