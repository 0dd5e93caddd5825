//! Randomly drawn cases of an optype. They can refute an explanation or a condition that all cases
//! around the bug's case satisfy.

use arbitrary::Unstructured;
use assay_isa::{BackendError, Batch, Instruction};

use crate::compare::comparator::{Comparator, Setup};
use crate::generate::{Scope, from_stream};
use crate::triage::probe::{Probe, both_idle};

/// Number of instructions that are drawn to test an explanation. [`DRAWN_AT_LAST`] is the number
/// for the final tests of explanations and conditions.
pub(in crate::triage) const DRAWN: u64 = 64;
const DRAWN_AT_LAST: u64 = 1024;
/// Number of lanes of each drawn instruction. [`SEED`] is the seed of the generator.
const DRAWN_LANES: usize = 48;
const SEED: u64 = 1;
/// If the index of a drawn instruction is a multiple of this number, two of its operands are RZ.
const IDLE: u64 = 16;

/// The drawn cases for final tests of explanations and conditions. They are executed only once if
/// consecutive bugs have the same optype.
#[derive(Default)]
pub(in crate::triage) struct DrawnCases {
    /// The last optype that was requested, with its cases.
    last: Option<(&'static str, Vec<Probe>)>,
    /// Failing inputs of a sweep.
    swept: Vec<(Instruction, Batch)>,
}

impl DrawnCases {
    /// Returns drawn cases to which failing inputs of a sweep are added.
    pub(in crate::triage) fn with_swept(swept: &[(Instruction, Batch)]) -> DrawnCases {
        DrawnCases { last: None, swept: swept.to_vec() }
    }

    /// Returns the drawn cases of an optype.
    ///
    /// # Errors
    ///
    /// An implementation failed.
    pub(in crate::triage) fn of(
        &mut self,
        setup: &Setup<'_>,
        comparator: &mut Comparator,
        optype: &'static str,
    ) -> Result<&[Probe], BackendError> {
        if self.last.as_ref().is_none_or(|(of, _)| *of != optype) {
            let mut probes = drawn(setup, comparator, optype, DRAWN_AT_LAST)?;
            for (instruction, batch) in self.swept.iter().filter(|(it, _)| it.optype() == optype) {
                probes.extend(Probe::new(setup, comparator, instruction, batch)?);
            }
            self.last = Some((optype, probes));
        }
        Ok(self.last.as_ref().map_or(&[], |(_, probes)| probes))
    }
}

/// Draws and executes cases of an optype. They may refute a supposition that all cases around the
/// bug's case satisfy.
pub(in crate::triage) fn drawn(
    setup: &Setup<'_>,
    comparator: &mut Comparator,
    optype: &str,
    number: u64,
) -> Result<Vec<Probe>, BackendError> {
    let scope = Scope::filtered(|mode| mode.optype() == optype);
    let (mut probes, mut bytes, mut batch) = (Vec::new(), Vec::new(), Batch::default());
    for index in 0..number {
        // Two operands are hardly ever both RZ by chance.
        let pick = |u: &mut Unstructured<'_>| {
            let drawn = scope.instruction(u)?;
            let nth = (index / IDLE) as usize;
            Ok(both_idle(&drawn, nth).filter(|_| index % IDLE == 0).unwrap_or(drawn))
        };
        let drawn = from_stream((SEED, index), setup.numbers, DRAWN_LANES, &mut bytes, &mut batch, pick);
        let Ok(instruction) = drawn else { continue };
        probes.extend(Probe::new(setup, comparator, &instruction, &batch)?);
    }
    Ok(probes)
}
