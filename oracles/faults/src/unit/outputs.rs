//! Faults in the relation between the two outputs of a comparison.

use assay_model::Computed;

use crate::Fault;

/// Changes the results of one of the two outputs. The second output belongs to the complementary
/// comparison.
pub(super) fn outputs(fault: Fault, computed: &Computed<'_>, results: &mut [u32]) {
    let other = 1 - computed.position;
    match fault {
        Fault::UisetpNotComplemented | Fault::FsetpNotComplemented if computed.position == 1 => {
            computed.again(0, computed.columns, results);
        }
        Fault::UisetpComplementedLate | Fault::FsetpComplementedLate if computed.position == 1 => {
            computed.again(0, computed.columns, results);
            results.iter_mut().for_each(|bit| *bit ^= 1);
        }
        Fault::UisetpOutputsSwapped | Fault::FsetpOutputsSwapped => {
            computed.again(other, computed.columns, results);
        }
        _ => {}
    }
}
