//! The table of faults: typical bugs, each in one optype. Faults are planted in the reference model
//! through its [knobs](assay_model::Knobs).
//!
//! A campaign that does not find a planted fault has a gap, unless no case can show the fault.
//! Hand-written faults come first in the table. Generated faults follow: from MUFU's tables, from
//! faults of optypes that share code, from bugs of many optypes, from every operand, and from every
//! field of the instruction word.
//!
//! ```
//! use assay_faults::Fault;
//! use assay_isa::{EncodingTable, Readings};
//!
//! let fault: Fault = "fadd-tie-to-odd".parse()?;
//! let subject = assay_faults::mutant(EncodingTable::provisional().clone(), Readings::INTENDED, fault);
//! // Its name is the model's: it differs from the model in the fault only.
//! assert_eq!(subject.name(), "model");
//! # Ok::<(), assay_faults::UnknownFault>(())
//! ```

mod awake;
mod binary32;
mod bug;
mod common;
mod edges;
mod equivalent;
mod families;
mod field_fault;
mod fields;
mod listed;
mod operand_fault;
mod operands;
mod planted;
mod rom;
mod rows;
mod shared;
mod site;
mod unit;

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::LazyLock;

use assay_isa::similar::did_you_mean;
use assay_isa::{EncodingTable, Readings, Subject};
use assay_model::Model;

pub use assay_model::{Class, Rom, SpecialTable};
pub use awake::MAX_FAULTS;
pub use bug::Bug;
use common::{common, interpolators, special_rows};
pub use families::Family;
pub use field_fault::FieldFault;
use listed::LISTED;
pub use listed::{Fault, FaultInfo};
pub use operand_fault::OperandFault;
pub use planted::Planted;

/// Returns the model with a fault planted.
pub fn mutant(numbers: EncodingTable, readings: Readings, fault: Fault) -> Box<dyn Subject> {
    Box::new(Model::new(numbers, Planted::new(readings, Some(fault))))
}

/// Returns the model with two faults planted at once.
pub fn double_mutant(numbers: EncodingTable, readings: Readings, faults: [Fault; 2]) -> Box<dyn Subject> {
    Box::new(Model::new(numbers, Planted::with_faults(readings, faults.map(Some))))
}

/// Every fault, in the order of the table.
pub static FAULTS: LazyLock<Vec<FaultInfo>> = LazyLock::new(|| {
    let listed = LISTED.iter().copied();
    let of_mufu = special_rows().chain(Rom::ALL.into_iter().flat_map(interpolators));
    let crossed = shared::shared().chain(common());
    let generated = operands::operands().chain(fields::fields());
    listed.chain(of_mufu).chain(crossed).chain(generated).collect()
});

/// The position of each fault in [`FAULTS`].
static PLACES: LazyLock<HashMap<Fault, usize>> =
    LazyLock::new(|| FAULTS.iter().enumerate().map(|(place, info)| (info.fault, place)).collect());

impl FaultInfo {
    /// Returns the name patterns of the functions in which the fault can show. These are the
    /// functions that use the fault's table, form, or optype.
    pub fn functions(&'static self) -> &'static [&'static str] {
        match &self.fault {
            Fault::OffsetTruncated(rom) | Fault::SquareDropped(rom) | Fault::RomBit(rom, _) => {
                rom.functions()
            }
            Fault::Field(fault) => std::slice::from_ref(&fault.form().name),
            _ => std::slice::from_ref(&self.optype),
        }
    }

    /// Returns the fault to plant. For a shared fault, returns the listed fault of the other
    /// optype.
    pub(crate) fn planted_as(&self) -> Fault {
        match self.fault {
            Fault::Shared(place, _) => LISTED[usize::from(place)].fault,
            fault => fault,
        }
    }
}

impl Fault {
    /// Returns the fault's entry in [`FAULTS`].
    pub fn info(self) -> &'static FaultInfo {
        &FAULTS[PLACES[&self]]
    }
}

/// The error for a text that is not the name of a fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a fault; {remedy}", remedy = self.remedy())]
pub struct UnknownFault(pub String);

impl UnknownFault {
    fn remedy(&self) -> String {
        let otherwise = "`assay-lab mutants list` prints the names, such as `fadd-sticky-dropped`";
        did_you_mean(&self.0, FAULTS.iter().map(|info| info.name), otherwise)
    }
}

impl FromStr for Fault {
    type Err = UnknownFault;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let info = FAULTS.iter().find(|info| info.name == name);
        info.map(|info| info.fault).ok_or_else(|| UnknownFault(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use assay_isa::row::FieldType;
    use assay_isa::{EncodingTable, Instruction, catalog, codec};

    use super::fields::is_never;
    use super::*;

    #[test]
    fn names_lead_back_to_their_fault() {
        for info in FAULTS.iter() {
            assert_eq!(info.name.parse(), Ok(info.fault));
            assert_eq!(info.fault.info().name, info.name);
            assert!(info.about.ends_with('.'), "{}", info.name);
        }
        assert!("fadd".parse::<Fault>().is_err());
    }

    #[test]
    fn names_are_unique() {
        let names: HashSet<&str> = FAULTS.iter().map(|info| info.name).collect();
        assert_eq!(names.len(), FAULTS.len());
        assert_eq!(PLACES.len(), FAULTS.len());
    }

    #[test]
    fn every_optype_and_every_family_has_its_share() {
        for optype in catalog().optypes() {
            let share = FAULTS.iter().filter(|info| info.optype == optype.name).count();
            assert!(share >= 8, "{}: {share}", optype.name);
        }
        for family in Family::ALL {
            assert!(FAULTS.iter().any(|info| info.family == *family), "{}", family.name());
        }
    }

    /// Every field of every form has a fault, including every operand. Every value of every
    /// modifier is taken for another value by some fault.
    #[test]
    fn every_field_and_every_value_has_a_fault() {
        let of_fields: HashSet<FieldFault> = FAULTS
            .iter()
            .filter_map(|info| match info.fault {
                Fault::Field(fault) => Some(fault),
                _ => None,
            })
            .collect();
        for form in &catalog().forms {
            let instruction = Instruction::new(form);
            for (place, field) in form.fields.iter().enumerate() {
                let of_field = || of_fields.iter().filter(|fault| fault.is_of(form, place));
                assert!(of_field().count() >= 1, "{} {}", form.name, field.name);
                let FieldType::Enum(e) = field.ty else { continue };
                let legal = |value: &u32| !is_never(form, field, e.values[*value as usize]);
                for value in (0..e.values.len() as u32).filter(legal).filter(|_| field.constraint.is_none()) {
                    let word = codec::encode(&with(&instruction, place, value), EncodingTable::provisional());
                    let spoils = |fault: &FieldFault| {
                        fault.misread(&instruction, word, EncodingTable::provisional()) != Some(word)
                    };
                    assert!(
                        of_field().any(spoils),
                        "{} {} {}",
                        form.name,
                        field.name,
                        e.values[value as usize]
                    );
                }
            }
        }
    }

    fn with(instruction: &Instruction, place: usize, value: u32) -> Instruction {
        let mut instruction = instruction.clone();
        instruction.set_at(place, value);
        instruction
    }
}
