//! Faults that follow another reading of the documents.

use assay_isa::Reading;
use assay_isa::tables::types::Optype;

use crate::{Bug, Fault};

/// Returns the reading that a fault changes, with the new setting.
pub(crate) fn setting(fault: Fault) -> Option<(Reading, u8)> {
    Some(match fault {
        Fault::FmulScaleRounded => (Reading::E176, 2),
        Fault::FmulScaleFlushed => (Reading::E176, 3),
        Fault::FfmaProductRounded => (Reading::E180, 1),
        Fault::FaddTieAway => (Reading::E169, 1),
        Fault::FaddNanPayload | Fault::FmulNanPayload => (Reading::C001, 2),
        Fault::FaddTinyBeforeRounding => (Reading::C003, 2),
        Fault::FaddTinyUnbounded => (Reading::E173, 2),
        Fault::FmulSaturationNegativeZero => (Reading::E170, 1),
        Fault::FfmaAddendNotFlushed => (Reading::E179, 1),
        Fault::FmnmxWinnerNotFlushed => (Reading::E183, 1),
        Fault::FmnmxZeroOrder => (Reading::E184, 1),
        Fault::FselNanCanonical => (Reading::E185, 2),
        Fault::FchkSignInExponent => (Reading::E189, 1),
        Fault::MufuNanSpoilsBoth => (Reading::E037, 1),
        Fault::CosTurns | Fault::SinTurns => (Reading::E035, 2),
        Fault::FloPositiveComplemented => (Reading::E051, 1),
        Fault::FloAbsoluteValue => (Reading::E052, 1),
        Fault::BmskImmediateSigned => (Reading::E023, 2),
        Fault::BmskOneTooMany => (Reading::E057, 1),
        Fault::SgxtWrapKeepsFull => (Reading::E062, 1),
        Fault::UiaddComplementNegates => (Reading::E099, 1),
        Fault::UimadComplementNegates | Fault::WideComplementNegates => (Reading::E105, 1),
        Fault::UimadBorrowOfZero | Fault::WideBorrowOfZero => (Reading::E103, 2),
        Fault::UimulProductNegated => (Reading::E118, 2),
        Fault::UleaComplementNegates => (Reading::E126, 1),
        Fault::UleaBorrowOfZero => (Reading::E127, 1),
        Fault::UiabsSaturates => (Reading::E129, 2),
        Fault::Up2urOthersCleared => (Reading::E135, 3),
        Fault::Ur2upOthersCleared => (Reading::E139, 1),
        Fault::Ulop3OrderReversed | Fault::Uplop3OrderReversed => (Reading::E148, 2),
        Fault::UshfSignOfLow => (Reading::E152, 2),
        Fault::UshfFullWidth => (Reading::E153, 1),
        Fault::UprmtSignIgnored => (Reading::E157, 1),
        Fault::Uf2fpNanQuiet => (Reading::C006, 2),
        Fault::UldcAlignmentIgnored => (Reading::E096, 1),
        Fault::BfnPredicateIgnored => (Reading::E084, 2),
        Fault::BfnImmediateUnsigned => (Reading::E087, 1),
        Fault::BfnImmediateSigned => (Reading::E087, 2),
        Fault::Common(Bug::CarryExact, optype) => (carry(optype)?, 1),
        _ => return None,
    })
}

/// Returns the reading for the carry out of an optype.
fn carry(optype: Optype) -> Option<Reading> {
    Some(match optype {
        Optype::UIADD => Reading::E098,
        Optype::UIMAD => Reading::E102,
        Optype::UIMAD_WIDE => Reading::E112,
        Optype::ULEA => Reading::E119,
        _ => return None,
    })
}
