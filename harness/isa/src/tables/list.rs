//! The optypes in document order, each with the module of its row.

/// Passes the list of optypes to a macro, in three groups. The second group has the vISA optypes,
/// which have a separate encoding space. The others precede or follow them in document order.
macro_rules! optypes {
    ($use_list:ident) => {
        $use_list! {
            {
                /// Special functions.
                MUFU in xu,
                /// Population count.
                POPC in xu,
                /// Find leading one.
                FLO in xu,
                /// Bit reversal by its name, but complement by its description (E056).
                BREV in xu,
                /// Bit mask.
                BMSK in xu,
                /// Sign extend.
                SGXT in xu,
                /// Special register to register.
                S2R in misc,
                /// Special register to register pair.
                CS2R in misc,
                /// Special register to uniform register.
                S2UR in misc,
                /// Performance monitor trigger.
                PMTRIG in misc,
                /// Write a special register by address.
                SETREG in misc,
                /// Read a special register by address.
                GETREG in misc,
                /// Scheduling hint.
                SWITCH in misc,
                /// No operation.
                NOP in misc,
                /// Instruction buffer barrier.
                IBBAR in misc,
                /// Dependency barrier.
                DEPBAR in misc,
            }
            // A separate encoding space (E091).
            {
                /// Boolean function of three inputs.
                BFN in visa,
            }
            {
                /// Load uniform constant.
                ULDC in udp::moves,
                /// Uniform add.
                UIADD in udp::arithmetic,
                /// Uniform multiply-add.
                UIMAD in udp::arithmetic,
                /// Uniform wide multiply-add.
                UIMAD_WIDE in udp::arithmetic,
                /// Uniform multiply.
                UIMUL in udp::arithmetic,
                /// Uniform shift and add.
                ULEA in udp::arithmetic,
                /// Uniform absolute value.
                UIABS in udp::arithmetic,
                /// Uniform minimum or maximum.
                UIMNMX in udp::arithmetic,
                /// Uniform predicates to uniform register.
                UP2UR in udp::moves,
                /// Uniform register to uniform predicates.
                UR2UP in udp::moves,
                /// Uniform compare.
                UISETP in udp::arithmetic,
                /// Uniform select.
                USEL in udp::moves,
                /// Uniform three-input logic.
                ULOP3 in udp::bits,
                /// Uniform predicate three-input logic.
                UPLOP3 in udp::bits,
                /// Uniform funnel shift.
                USHF in udp::bits,
                /// Uniform move.
                UMOV in udp::moves,
                /// Uniform byte permute.
                UPRMT in udp::bits,
                /// Uniform population count.
                UPOPC in udp::bits,
                /// Uniform find leading one.
                UFLO in udp::bits,
                /// Uniform bit reversal.
                UBREV in udp::bits,
                /// Uniform bit mask.
                UBMSK in udp::bits,
                /// Uniform sign extend.
                USGXT in udp::bits,
                /// Write an indexed uniform register.
                SETUGPR in udp::moves,
                /// Read an indexed uniform register.
                GETUGPR in udp::moves,
                /// Uniform float pack.
                UF2FP in udp::moves,
                /// Float add.
                FADD in falu,
                /// Float multiply.
                FMUL in falu,
                /// Float fused multiply-add.
                FFMA in falu,
                /// Float minimum or maximum.
                FMNMX in falu,
                /// Float compare to predicate.
                FSETP in falu,
                /// Float compare to register.
                FSET in falu,
                /// Float select.
                FSEL in falu,
                /// Float division check.
                FCHK in falu,
            }
        }
    };
}
pub(crate) use optypes;
