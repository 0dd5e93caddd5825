//! Value lists of the enumerated field types, in the order of the syntax lines (E002).
//!
//! A flag lists the absence first, as the documents' own `FLOSH` does.

use super::list::optypes;
use crate::enumeration::enumerations;

/// The names of all optypes but those with an encoding space of its own.
macro_rules! names {
    (
        { $($(#[$first_doc:meta])* $first:ident in $($first_unit:ident)::+,)+ }
        { $($(#[$other_doc:meta])* $other:ident in $($other_unit:ident)::+,)+ }
        { $($(#[$last_doc:meta])* $last:ident in $($last_unit:ident)::+,)+ }
    ) => {
        enumerations! {
            /// Operation code; the order is that of the documents (E001).
            Optype: 8 {
                $($(#[$first_doc])* $first,)+
                $($(#[$last_doc])* $last,)+
            }
        }
    };
}

optypes!(names);

enumerations! {
    /// Kinds of the sources of a form, in the order in which erratum E005 lists them.
    SType: 4 {
        /// One register.
        R, /// One immediate.
        I, /// One constant.
        C, /// One uniform register.
        U, /// None.
        X, /// Two registers.
        RR, /// Register, immediate.
        RI, /// Register, uniform register.
        RU, /// Register, constant.
        RC, /// Three registers.
        RRR, /// Two registers, immediate.
        RRI, /// Register, immediate, register.
        RIR, /// Two registers, uniform register.
        RRU, /// Register, uniform register, register.
        RUR, /// Two registers, constant.
        RRC, /// Register, constant, register.
        RCR,
    }

    /// Negation, absolute value or complement of an operand.
    SignModi: 1 {
        /// As it is.
        False, /// Applied.
        True,
    }

    /// Negation of a predicate.
    PModi: 1 {
        /// As it is.
        False, /// Negated.
        True,
    }

    /// Flush to zero.
    FPFtz: 1 {
        /// Subnormals are honoured.
        NoFTZ, /// Subnormal inputs and results become signed zero.
        FTZ,
    }

    /// Saturation.
    FPSat: 1 {
        /// The result stays as it is.
        NoSAT, /// The result is clamped to [+0, 1], NaN to +0.
        SAT,
    }

    /// Rounding mode.
    FPRound: 2 {
        /// To nearest.
        RN, /// Toward +Inf.
        RP, /// Toward -Inf.
        RM, /// Toward zero.
        RZ,
    }

    /// Scale of FMUL's first operand. Seven codes, the default first (E191).
    FMULScale: 3 {
        /// None.
        NoScale, /// Divided by 2.
        D2, /// Divided by 4.
        D4, /// Divided by 8.
        D8, /// Multiplied by 2.
        M2, /// Multiplied by 4.
        M4, /// Multiplied by 8.
        M8,
    }

    /// Comparison. The first six are false for a NaN, the six with U true.
    FCMPOp: 4 {
        /// Equal.
        EQ, /// Not equal.
        NE, /// Less.
        LT, /// Less or equal.
        LE, /// Greater.
        GT, /// Greater or equal.
        GE, /// Equal or unordered.
        EQU, /// Not equal or unordered.
        NEU, /// Less or unordered.
        LTU, /// Less, equal or unordered.
        LEU, /// Greater or unordered.
        GTU, /// Greater, equal or unordered.
        GEU, /// At least one operand is a NaN.
        NAN, /// Neither operand is a NaN.
        NUM,
    }

    /// What combines a comparison with the input predicate.
    LOPOp: 2 {
        /// And.
        AND, /// Or.
        OR, /// Exclusive or.
        XOR,
    }

    /// How FSET writes a truth value.
    BVal: 1 {
        /// As a mask: all ones or 0.
        BM, /// As a float: 1.0 or 0.
        BF,
    }

    /// Whether FMNMX passes a NaN on.
    NAN: 1 {
        /// The other operand wins over a NaN.
        NoNAN, /// A NaN makes the result NaN.
        NAN,
    }

    /// Integer type.
    IType: 1 {
        /// Signed.
        S32, /// Unsigned.
        U32,
    }

    /// Whether FLO counts from the top.
    FLOSH: 1 {
        /// The position of the bit.
        NoSH, /// The shift that brings it to the top.
        SH,
    }

    /// The meaning of an amount of 32 and more. The documents call the default C (E021).
    CWMode: 1 {
        /// Limited to 32.
        CLAMP, /// Taken modulo 32.
        WRAP,
    }

    /// Special function.
    MUFUOp: 3 {
        /// Cosine.
        COS, /// Sine.
        SIN, /// 2 to the power.
        EX2, /// Logarithm to base 2.
        LG2, /// Reciprocal.
        RCP, /// Reciprocal square root.
        RSQ, /// Square root.
        SQRT, /// Hyperbolic tangent.
        TANH,
    }

    /// Operand type of MUFU.
    MUFUDType: 3 {
        /// Binary32.
        F32, /// High word of a binary64.
        F64, /// Two binary16 lanes.
        F16_V2, /// Two bfloat16 lanes.
        BF16_V2, /// Binary16 in one half.
        F16, /// Bfloat16 in one half.
        BF16,
    }

    /// Half of a register.
    HSel: 1 {
        /// Low 16 bits.
        H0, /// High 16 bits.
        H1,
    }

    /// Kinds of the sources of a form of the uniform datapath, in the order of their first appearance.
    USType: 4 {
        /// One uniform register.
        U, /// Two uniform registers.
        UU, /// Register, immediate.
        UI, /// Register, constant.
        UC, /// Three uniform registers.
        UUU, /// Two registers, immediate.
        UUI, /// Register, immediate, register.
        UIU, /// Two registers, constant.
        UUC, /// Register, constant, register.
        UCU, /// One immediate.
        I, /// One constant.
        C, /// None.
        X,
    }

    /// What ULDC loads. The prose has .S16 and .U16, the syntax .S1 and .U1 in their places (E092).
    MEMDType: 3 {
        /// A byte, sign extended.
        S8, /// A byte, zero extended.
        U8, /// Two bytes, sign extended.
        S16, /// Two bytes, zero extended.
        U16, /// A word.
        B32 = "32", /// Two words.
        B64 = "64", /// Four words.
        B128 = "128",
    }

    /// Part of a longer addition, comparison or address.
    IExt: 1 {
        /// On its own.
        NoX, /// With a carry in.
        X,
    }

    /// Which half of a product or of a shifted value.
    LOHI: 1 {
        /// Low.
        LO, /// High.
        HI,
    }

    /// Whether ULEA extends the sign of its first operand in place of a high word.
    LEASX32: 1 {
        /// No.
        NoSX32, /// Yes.
        SX32,
    }

    /// Byte of a register.
    BSel: 2 {
        /// Bits 7 to 0.
        B0, /// Bits 15 to 8.
        B1, /// Bits 23 to 16.
        B2, /// Bits 31 to 24.
        B3,
    }

    /// Integer comparison.
    CompOp: 3 {
        /// Equal.
        EQ, /// Not equal.
        NE, /// Less.
        LT, /// Less or equal.
        LE, /// Greater.
        GT, /// Greater or equal.
        GE,
    }

    /// What combines an integer comparison with the input predicate.
    BoolOp: 2 {
        /// And.
        AND, /// Or.
        OR, /// Exclusive or.
        XOR,
    }

    /// What combines ULOP3's result with the input predicate.
    EXBool: 2 {
        /// And.
        PAND, /// Or.
        POR,
    }

    /// What USHF shifts.
    SHFDType: 2 {
        /// At most 32 places, the sign moving in.
        S32, /// At most 32 places, zeros moving in.
        U32, /// At most 64 places, the sign moving in.
        S64, /// At most 64 places, zeros moving in.
        U64,
    }

    /// Where USHF shifts to.
    SHFDir: 1 {
        /// Left.
        L, /// Right.
        R,
    }

    /// How UPRMT picks bytes.
    PRMTMode: 3 {
        /// Each by a nibble of its own.
        IDX, /// Four forward from one.
        F4E, /// Four backward from one.
        B4E, /// One, four times.
        RC8, /// Clamped from the left.
        ECL, /// Clamped to the right.
        ECR, /// One half, twice.
        RC16,
    }

    /// Width of UMOV.
    MOVW: 1 {
        /// One word.
        B32 = "32", /// Two words.
        B64 = "64",
    }

    /// Opcode of vISA, an encoding space of its own (E091).
    VisaOpcode: 8 {
        /// Boolean function of three inputs.
        BFN,
    }

    /// Elements of a vISA instruction. Codes 6 and 7 are reserved (E082).
    ExecSize: 3 {
        /// One.
        E1 = "1", /// Two.
        E2 = "2", /// Four.
        E4 = "4", /// Eight.
        E8 = "8", /// Sixteen.
        E16 = "16", /// Thirty-two.
        E32 = "32",
    }

    /// Channels that a vISA instruction may write; `_NM` does not look at those that were dispatched (E085).
    ChannelMask: 4 {
        /// From channel 0.
        M1, /// From channel 4.
        M2, /// From channel 8.
        M3, /// From channel 12.
        M4, /// From channel 16.
        M5, /// From channel 20.
        M6, /// From channel 24.
        M7, /// From channel 28.
        M8, /// From channel 0, dispatched or not.
        M1_NM, /// From channel 4, dispatched or not.
        M2_NM, /// From channel 8, dispatched or not.
        M3_NM, /// From channel 12, dispatched or not.
        M4_NM, /// From channel 16, dispatched or not.
        M5_NM, /// From channel 20, dispatched or not.
        M6_NM, /// From channel 24, dispatched or not.
        M7_NM, /// From channel 28, dispatched or not.
        M8_NM,
    }

    /// Type of BFN's operands.
    VisaType: 2 {
        /// 32 bits, signed.
        D, /// 32 bits, unsigned.
        UD, /// 16 bits, unsigned.
        UW, /// 16 bits, signed.
        W,
    }
}

impl ChannelMask {
    /// The number k of Mk, less 1, times 4; and whether the dispatched channels are not looked at.
    pub fn first_channel(self) -> (u32, bool) {
        (self as u32 % 8 * 4, self as u32 >= ChannelMask::M1_NM as u32)
    }
}
