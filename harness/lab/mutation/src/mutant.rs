//! Every mutant by name, and the selection of mutants.

use assay_engine::stats::judged;
use assay_faults::{FAULTS, Family, Fault};
use assay_isa::similar::did_you_mean;
use globset::GlobSet;
use schemars::JsonSchema;
use serde::Serialize;

use crate::codec_faults::{self, CodecFault};
use crate::lane_faults::{self, LaneFault};

/// A fault that can be planted.
#[derive(Serialize, JsonSchema)]
pub struct Mutant {
    /// Name of the fault.
    pub name: String,
    /// The optype that shows the fault.
    pub optype: &'static str,
    /// The faulty layer.
    pub layer: Layer,
    /// The family of the fault.
    pub family: &'static str,
    /// The fault in one sentence.
    pub about: String,
    /// The proof that no test can detect the fault. Null without such a proof.
    pub equivalent: Option<&'static str>,
    /// Where the fault is planted.
    #[serde(skip)]
    pub plant: Plant,
}

/// Where a fault is planted.
#[derive(Clone, Copy)]
pub enum Plant {
    /// In the model, behind the interface of a subject.
    Model(Fault),
    /// In the encoder, the printer or the parser.
    Codec(CodecFault),
    /// In the lanes and batches of the sound model.
    Lanes(LaneFault),
}

/// The layer of a fault. Reports separate the layers, because the codec has many times more faults
/// than the other layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    /// The operation of an instruction.
    Semantics,
    /// The iteration of a subject over the lanes of a batch.
    Batches,
    /// Instruction words and their text.
    Codec,
}

impl Layer {
    /// Every layer, in the order of the report.
    pub const ALL: [Layer; 3] = [Layer::Semantics, Layer::Batches, Layer::Codec];

    /// Returns the name of the layer in reports.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Semantics => "semantics",
            Layer::Batches => "batches",
            Layer::Codec => "codec",
        }
    }
}

/// The families other than those of the model.
const FAMILIES: [&str; 3] = [lane_faults::FAMILY, codec_faults::ENCODER, codec_faults::ASSEMBLER];

/// Returns the name of every family, in the order of the report.
pub fn families() -> impl Iterator<Item = &'static str> {
    Family::ALL.iter().map(|family| family.name()).chain(FAMILIES)
}

/// Returns every mutant.
fn all() -> Vec<Mutant> {
    let of_model = FAULTS.iter().map(|info| Mutant {
        name: info.name.to_owned(),
        optype: info.optype,
        // A fault of the decoder belongs to the codec, whatever the misread field means.
        layer: if matches!(info.fault, Fault::Field(_)) { Layer::Codec } else { Layer::Semantics },
        family: info.family.name(),
        about: info.about.to_owned(),
        equivalent: info.equivalent(),
        plant: Plant::Model(info.fault),
    });
    let of_codec = codec_faults::faults().map(|fault| Mutant {
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
        optype: lane_faults::OPTYPE,
        layer: Layer::Batches,
        family: lane_faults::FAMILY,
        about: fault.about(),
        equivalent: None,
        plant: Plant::Lanes(fault),
    });
    of_model.chain(of_lanes).chain(of_codec).collect()
}

/// Selects the mutants that match each non-empty list.
#[derive(Clone, Copy, Debug, Default)]
pub struct Selection<'a> {
    /// Names or globs of names.
    pub names: &'a [String],
    /// Families by name.
    pub families: &'a [String],
    /// Optypes or globs of optypes.
    pub optypes: &'a [String],
}

/// Why a selection is refused.
#[derive(Debug, thiserror::Error)]
pub enum SelectionError {
    /// A pattern is no glob, or matches no name.
    #[error("{0}")]
    Pattern(String),
    /// No family has this name.
    #[error("there is no family {family}; {remedy}")]
    Family {
        /// The family that was given.
        family: String,
        /// Families with similar names, or all families.
        remedy: String,
    },
    /// No mutant matches every list.
    #[error("the selection leaves no fault; see `assay-lab mutants list`")]
    Empty,
}

impl Selection<'_> {
    /// Returns the selected mutants.
    ///
    /// # Errors
    ///
    /// A pattern or family that selects nothing is an error. So is a selection without any mutant.
    pub fn mutants(&self) -> Result<Vec<Mutant>, SelectionError> {
        let mut mutants = all();
        let remedy = "see `assay-lab mutants list`";
        let names = globs(self.names, mutants.iter().map(|m| m.name.clone()), remedy)?;
        let optypes = globs(self.optypes, mutants.iter().map(|m| m.optype.to_owned()), remedy)?;
        if let Some(unknown) = self.families.iter().find(|name| !families().any(|family| family == **name)) {
            let all = format!("families are {}", families().collect::<Vec<_>>().join(" "));
            let remedy = did_you_mean(unknown, families(), &all);
            return Err(SelectionError::Family { family: unknown.clone(), remedy });
        }
        mutants.retain(|mutant| {
            (self.names.is_empty() || names.is_match(&mutant.name))
                && (self.optypes.is_empty() || optypes.is_match(mutant.optype))
                && (self.families.is_empty() || self.families.iter().any(|family| family == mutant.family))
        });
        if mutants.is_empty() { Err(SelectionError::Empty) } else { Ok(mutants) }
    }
}

/// Compiles the patterns of `--only`, as [`judged::globs`].
pub(crate) fn globs(
    patterns: &[String],
    names: impl Iterator<Item = String>,
    remedy: &str,
) -> Result<GlobSet, SelectionError> {
    judged::globs("--only", patterns, names, remedy).map_err(SelectionError::Pattern)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_selection_has_what_matches_every_list() {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let (names, families, optypes) = (texts(&["batch-*"]), texts(&["lane-and-state"]), texts(&["FF*"]));
        let selection = Selection { names: &names, families: &families, optypes: &optypes };
        let mutants = selection.mutants().unwrap();
        assert_eq!(mutants.len(), LaneFault::all().len());
        assert!(mutants.iter().all(|mutant| mutant.layer == Layer::Batches));
        let problem = |selection: Selection<'_>| selection.mutants().map(|_| ()).unwrap_err().to_string();
        let of_name = |name: &str| problem(Selection { names: &texts(&[name]), ..Selection::default() });
        assert_eq!(of_name("nosuch"), "--only nosuch selects nothing; see `assay-lab mutants list`");
        assert!(of_name("[").starts_with("--only `[`: "));
        let empty = problem(Selection { families: &texts(&["rom"]), ..selection });
        assert_eq!(empty, "the selection leaves no fault; see `assay-lab mutants list`");
        let unknown = problem(Selection { families: &texts(&["harness"]), ..Selection::default() });
        assert!(unknown.starts_with("there is no family harness; families are "), "{unknown}");
        assert!(unknown.ends_with(" lane-and-state encoder assembler"), "{unknown}");
    }

    #[test]
    fn every_mutant_has_a_name_of_its_own_and_a_known_family() {
        let mutants = all();
        let names: BTreeSet<&str> = mutants.iter().map(|mutant| mutant.name.as_str()).collect();
        assert_eq!(names.len(), mutants.len());
        assert!(mutants.iter().all(|mutant| families().any(|family| family == mutant.family)));
    }
}
