//! The faults that lie inside a unit of the model.

use assay_model::Site;

use super::Fault;

macro_rules! sites {
    ($($name:ident)+) => {
        /// Returns the place inside a unit where a fault is planted. Returns `None` if the fault is
        /// planted around the unit.
        pub(crate) fn site(fault: Fault) -> Option<Site> {
            Some(match fault {
                $(Fault::$name => Site::$name,)+
                Fault::OffsetTruncated(rom) => Site::OffsetTruncated(rom),
                _ => return None,
            })
        }

        /// Returns the fault of a place. The match fails to compile if a place has no fault, since
        /// such a place could never be used.
        #[cfg(test)]
        fn fault(site: Site) -> Fault {
            match site {
                $(Site::$name => Fault::$name,)+
                Site::OffsetTruncated(rom) => Fault::OffsetTruncated(rom),
            }
        }
    };
}

sites! {
    TrigQuadrantOffByOne
    FaddStickyDropped
    FaddGuardBitLost
    FaddTieToOdd
    FmulStickyDropped
    FmulDenormalTruncated
    FfmaProductStickyLost
    FfmaFarAddendDropped
    BfnMaskIgnored
    BfnPredicateFromZero
    BfnMaskFromZero
    BfnLastElementMissing
    BfnDisabledZero
    BfnSourceScalar
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FAULTS;

    #[test]
    fn the_fault_of_a_site_lies_there_and_is_listed() {
        let sites: Vec<Site> = FAULTS.iter().filter_map(|info| site(info.fault)).collect();
        for own in sites {
            assert_eq!(site(fault(own)), Some(own));
        }
    }
}
