//! Value lists of the enumerated field types, in the order of the syntax lines (E002).
//!
//! In the list of a flag, the value for the absence of the flag comes first, as in the documents'
//! list for `FLOSH`.

use super::list::optypes;
use crate::enumeration::enumerations;

/// Declares the enumerated type of the operation code. It has the names of all optypes except those
/// of vISA, which has a separate encoding space.
macro_rules! names {
    (
        { $($(#[$first_doc:meta])* $first:ident in $($first_unit:ident)::+,)+ }
        { $($(#[$other_doc:meta])* $other:ident in $($other_unit:ident)::+,)+ }
        { $($(#[$last_doc:meta])* $last:ident in $($last_unit:ident)::+,)+ }
    ) => {
        enumerations! {
            /// Operation code, in the order of the documents (E001).
            Optype: 8 {
                $($(#[$first_doc])* $first,)+
                $($(#[$last_doc])* $last,)+
            }
        }
    };
}

optypes!(names);

enumerations! {
    /// Source type: the kinds of a form's sources, in the order in which erratum E005 lists them.
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
        /// Not applied.
        False, /// Applied.
        True,
    }

    /// Negation of a predicate.
    PModi: 1 {
        /// Not negated.
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

    /// Comparison. If an operand is a NaN, the first six are false and the six with U are true, in
    /// the intended readings (E186).
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

    /// The operation that combines a comparison with the input predicate.
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

    /// Whether FMNMX returns a NaN if one operand is a NaN.
    NAN: 1 {
        /// The result is the other operand.
        NoNAN, /// The result is a NaN.
        NAN,
    }

    /// Integer type.
    IType: 1 {
        /// Signed.
        S32, /// Unsigned.
        U32,
    }

    /// What FLO returns.
    FLOSH: 1 {
        /// The position of the leading one.
        NoSH, /// The left shift that moves the leading one to bit 31.
        SH,
    }

    /// How an amount beyond the width is reduced. The width is 32, or 64 for a 64-bit USHF. The
    /// documents call the default C (E021).
    CWMode: 1 {
        /// To the width.
        CLAMP, /// Modulo the width.
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

    /// Source type of the uniform datapath: the kinds of a form's sources, in the order of their
    /// first use.
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

    /// The value that ULDC loads. The documents' prose has .S16 and .U16. Their syntax has .S1 and
    /// .U1 instead (E092).
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

    /// Whether an operation continues a longer addition, comparison or address.
    IExt: 1 {
        /// Without a carry in.
        NoX, /// With a carry in.
        X,
    }

    /// The half of a product or of a shifted value that is the result.
    LOHI: 1 {
        /// Low.
        LO, /// High.
        HI,
    }

    /// Whether ULEA sign-extends its first operand instead of reading the operand's high word.
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

    /// The operation that combines an integer comparison with the input predicate.
    BoolOp: 2 {
        /// And.
        AND, /// Or.
        OR, /// Exclusive or.
        XOR,
    }

    /// The operation that combines ULOP3's result with the input predicate.
    EXBool: 2 {
        /// And.
        PAND, /// Or.
        POR,
    }

    /// The type of the value that USHF shifts.
    SHFDType: 2 {
        /// 32 bits. Copies of the sign move in.
        S32, /// 32 bits. Zeros move in.
        U32, /// 64 bits. Copies of the sign move in.
        S64, /// 64 bits. Zeros move in.
        U64,
    }

    /// The direction in which USHF shifts.
    SHFDir: 1 {
        /// Left.
        L, /// Right.
        R,
    }

    /// How UPRMT selects bytes.
    PRMTMode: 3 {
        /// Each byte by its own selector nibble.
        IDX, /// Four bytes upwards from the selected one.
        F4E, /// Four bytes downwards from the selected one.
        B4E, /// The selected byte, four times.
        RC8, /// Clamped from the left.
        ECL, /// Clamped to the right.
        ECR, /// The selected half, twice.
        RC16,
    }

    /// Width of UMOV.
    MOVW: 1 {
        /// One word.
        B32 = "32", /// Two words.
        B64 = "64",
    }

    /// Opcode of vISA, a separate encoding space (E091).
    VisaOpcode: 8 {
        /// Boolean function of three inputs.
        BFN,
    }

    /// Number of elements of a vISA instruction. Codes 6 and 7 are reserved (E082).
    ExecSize: 3 {
        /// One.
        E1 = "1", /// Two.
        E2 = "2", /// Four.
        E4 = "4", /// Eight.
        E8 = "8", /// Sixteen.
        E16 = "16", /// Thirty-two.
        E32 = "32",
    }

    /// The first channel that a vISA instruction may write. With `_NM` the instruction also writes
    /// channels that were not dispatched (E085).
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
    /// Returns the first channel, 4·(k − 1) for Mk, and whether dispatch is ignored (`_NM`).
    pub fn first_channel(self) -> (u32, bool) {
        (self as u32 % 8 * 4, self as u32 >= ChannelMask::M1_NM as u32)
    }
}
