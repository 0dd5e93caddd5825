//! Plants the faults of one optype in others that share its code in the model.

use assay_isa::enumeration::Modifier;
use assay_isa::tables::types;

use super::listed::{Fault, FaultInfo, LISTED};

/// Optypes of XU with a sibling in the uniform datapath, whose name begins with U.
const SIBLINGS: [&str; 5] = ["POPC", "FLO", "BREV", "BMSK", "SGXT"];

/// Optypes that share code, and listed faults of one of them. The other optypes can have these
/// faults too.
const TOGETHER: &[(&[&str], &[Fault])] = &[
    (
        &["FADD", "FMUL", "FFMA"],
        &[
            Fault::FaddTieToOdd,
            Fault::FaddTieAway,
            Fault::FaddDownTruncates,
            Fault::FfmaUpTruncates,
            Fault::FaddOverflowToGreatest,
            Fault::FmulOverflowToInfinity,
            Fault::FaddTinyBeforeRounding,
            Fault::FaddTinyUnbounded,
            Fault::FmulDenormalTruncated,
            Fault::FmulSubnormalExponent,
            Fault::FaddOutputFlushed,
            Fault::FmulOutputNotFlushed,
            Fault::FmulFlushSign,
            Fault::FaddSaturationNan,
            Fault::FaddSaturationNegative,
            Fault::FaddSaturationAbove,
            Fault::FmulSaturationNegativeZero,
            Fault::FfmaSaturationInfinity,
        ],
    ),
    (
        &["FADD", "FFMA"],
        &[
            Fault::FaddStickyDropped,
            Fault::FaddGuardBitLost,
            Fault::FaddCancellationSign,
            Fault::FfmaCancellationSign,
            Fault::FaddInfinityMinusInfinity,
            Fault::FaddNanPayload,
        ],
    ),
    (
        &["FMUL", "FFMA"],
        &[
            Fault::FmulStickyDropped,
            Fault::FfmaProductStickyLost,
            Fault::FmulZeroTimesInfinity,
            Fault::FmulInfinitySign,
        ],
    ),
    (
        &["FSETP", "FSET"],
        &[
            Fault::FsetpNotEqualOfNan,
            Fault::FsetpSecondNanUnseen,
            Fault::FsetpIntegerOrder,
            Fault::FsetpXorAsOr,
            Fault::FsetNanNumSwapped,
            Fault::FsetSignallingUnseen,
            Fault::FsetEqualityLost,
            Fault::FsetAndForgotten,
        ],
    ),
];

/// Returns the faults that optypes get from others: each sibling in the uniform datapath from its
/// XU optype, and optypes that share code from each other.
pub(super) fn shared() -> impl Iterator<Item = FaultInfo> {
    let siblings = LISTED.iter().filter(|info| SIBLINGS.contains(&info.optype)).map(|info| {
        let optype = optype(&format!("U{}", info.optype));
        planted(info, optype, format!("u{}", info.name))
    });
    let others = TOGETHER.iter().flat_map(|(optypes, faults)| {
        faults.iter().flat_map(move |fault| {
            let info = LISTED.iter().find(|info| info.fault == *fault).expect("it is listed");
            let others = optypes.iter().filter(|name| **name != info.optype);
            others.map(move |name| {
                planted(info, optype(name), format!("{}-{}", name.to_lowercase(), info.name))
            })
        })
    });
    siblings.chain(others)
}

/// Returns whether an optype gets its faults from a sibling.
pub(super) fn is_sibling(optype: &str) -> bool {
    optype.strip_prefix('U').is_some_and(|name| SIBLINGS.contains(&name))
}

fn optype(name: &str) -> u32 {
    types::Optype::ENUM.index_of(name).expect("an optype of the list")
}

fn planted(info: &'static FaultInfo, optype: u32, name: String) -> FaultInfo {
    let place = LISTED.iter().position(|listed| listed.fault == info.fault).expect("it is listed");
    FaultInfo {
        fault: Fault::Shared(place as u16, types::Optype::from_index(optype)),
        name: name.leak(),
        optype: types::Optype::ENUM.values[optype as usize],
        ..*info
    }
}
