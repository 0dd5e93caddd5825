//! Equivalent faults: no case can show them. Each has a proof. `assay-lab mutants run` fails if a
//! case shows one of them.

use super::FaultInfo;

/// A proof that faults are equivalent, and the names of these faults.
struct Proof {
    /// The beginnings of the faults' names.
    begin: &'static [&'static str],
    /// The rest of the name must contain one of these texts.
    within: &'static [&'static str],
    because: &'static str,
}

const PROOFS: &[Proof] = &[
    Proof {
        begin: &["fadd", "fmul", "ffma", "fmnmx", "uiadd", "uimad", "uimad-wide", "uimnmx", "uimul"],
        within: &["-input-1-exchanged"],
        because: "The first two inputs commute with their prefixes: the only NaN is canonical, and FMNMX orders zeros by sign.",
    },
    Proof {
        begin: &[
            "uimad-uuu-field-",
            "uimad-uui-field-",
            "uimad-uuc-field-",
            "uimad-wide-uuu-field-",
            "uimad-wide-uuc-field-",
        ],
        within: &["ura-for-urb"],
        because: "A product commutes, and neither factor has a prefix.",
    },
    Proof {
        begin: &["fchk-"],
        within: &["-neg-", "-abs-", "-vb-bit-31-lost", "-vb-bit-0-set"],
        because: "FCHK looks at exponents alone: neither a sign nor the lowest bit of a fraction decides.",
    },
    Proof {
        begin: &["fchk-input-"],
        within: &["-idle-set"],
        because: "FCHK is true for a zero and for a NaN, in either input.",
    },
    Proof {
        begin: &["fset-input-", "fsetp-input-"],
        within: &["-flush-sign"],
        because: "A comparison does not distinguish -0 from +0.",
    },
    Proof {
        begin: &["fadd-tiny-", "fadd-fmul-denormal-truncated"],
        within: &[""],
        because: "A sum of two binary32 numbers that is below the normal ones is a multiple of the least subnormal, so that nothing is rounded.",
    },
    Proof {
        begin: &["popc-", "upopc-"],
        within: &["literal-swapped", "vb-halves-swapped"],
        because: "A count of bits does not depend on their order.",
    },
    Proof {
        begin: &["uf2fp-"],
        within: &["input-3-", "field-urc-"],
        because: "UF2FP does not use its third operand (E168).",
    },
    Proof {
        begin: &["uimad-uu", "uimad-ui", "uimad-uc", "ulea-"],
        within: &["field-lohi-shifted", "field-lohi-for-ext"],
        because: "`.HI` and `.X` are legal only together, and the fields lie side by side.",
    },
    Proof { begin: &["ulea-input-2-neg-ignored"], within: &[""], because: "No legal ULEA negates its base." },
    Proof {
        begin: &["s2ur-i-field-pg-bit-0-set", "s2ur-i-field-pg-0-as-pt", "s2ur-i-field-pg-not-bit-0-lost"],
        within: &[""],
        because: "The guard of S2UR must be PT, which these faults do not change.",
    },
    Proof {
        begin: &["umov-i-field-width-shifted"],
        within: &[""],
        because: "UMOV of a literal is never 64 bits wide, and the bit above the field is 0.",
    },
    Proof {
        begin: &["mufu-r-field-optype-shifted", "mufu-c-field-optype-shifted"],
        within: &[""],
        because: "The code of MUFU is 0 in the project's encoding table, and so is the bit above it in these forms.",
    },
    Proof {
        begin: &["uimad-wide-uuc-field-vc-bit-2-lost"],
        within: &[""],
        because: "The constant has 64 bits and lies at a multiple of 8.",
    },
    Proof {
        begin: &["up2ur-input-3-bit-"],
        within: &["8-", "15-", "16-", "31-"],
        because: "Eight bits are inserted: no other bit of the mask counts.",
    },
    Proof {
        begin: &["ur2up-input-1-bit-"],
        within: &["7-", "15-", "31-"],
        because: "There are seven uniform predicates: the highest bit of the selected byte is unused.",
    },
    Proof {
        begin: &["ur2up-input-2-bit-"],
        within: &["7-", "8-", "15-", "16-", "31-"],
        because: "There are seven uniform predicates: no other bit of the mask counts.",
    },
    Proof {
        begin: &["up2ur-ui-field-vb-bit-31-lost", "ur2up-ui-field-vb-bit-31-lost"],
        within: &[""],
        because: "Only eight bits of a mask count.",
    },
    Proof { begin: &["uprmt-uui-field-vc-bit-31-lost"], within: &[""], because: "Selectors have 16 bits." },
    Proof {
        begin: &["bfn-field-type-uw-as-w"],
        within: &[""],
        because: "Bitwise functions of 16 bits do not depend on a sign: higher bits are cut off.",
    },
];

impl FaultInfo {
    /// Returns the reason why no case can show the fault. Returns `None` if no proof is listed.
    pub fn equivalent(&self) -> Option<&'static str> {
        PROOFS.iter().find(|proof| proof.is_of(self.name)).map(|proof| proof.because)
    }
}

impl Proof {
    fn is_of(&self, name: &str) -> bool {
        let rests = self.begin.iter().filter_map(|begin| name.strip_prefix(begin));
        rests.into_iter().any(|rest| self.within.iter().any(|part| rest.contains(part)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FAULTS;

    #[test]
    fn every_proof_is_of_a_fault() {
        for proof in PROOFS {
            for begin in proof.begin {
                let of = |info: &FaultInfo| info.name.starts_with(begin) && proof.is_of(info.name);
                assert!(FAULTS.iter().any(of), "{begin}: {}", proof.because);
            }
            assert!(proof.because.ends_with('.'));
        }
    }
}
