//! Bugs that many optypes can have.

use super::families::Family;

macro_rules! bugs {
    ($($bug:ident $family:ident $about:literal;)+) => {
        /// A bug that many optypes can have.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Bug { $(#[doc = $about] $bug,)+ }

        impl Bug {
            /// Every bug.
            pub(crate) const ALL: &[Bug] = &[$(Bug::$bug),+];

            /// Returns a sentence that describes the bug.
            pub(crate) fn about(self) -> &'static str {
                match self { $(Bug::$bug => $about),+ }
            }

            pub(crate) fn family(self) -> Family {
                match self { $(Bug::$bug => Family::$family),+ }
            }
        }
    };
}

bugs! {
    GuardIgnored Guard "The instruction executes although its guard is false.";
    GuardNotInverted Guard "The ! of the guard has no effect.";
    NeverExecutes Guard "A guard of !PT lets the instruction execute.";
    FalseGuardZero Guard "Where the guard is false, 0 is written.";
    DestinationNext Register "The register behind the destination is written.";
    SecondOutputMissing Predicate "The second output is not written.";
    WordsSwapped Pair "The words of the result are in reverse order.";
    HighWordMissing Pair "Only the low word of the result is written.";
    OperandsSwapped OperandOrder "The first two operands are exchanged.";
    PrefixIgnored Prefix "The - or ~ before an operand has no effect.";
    NotIgnored Predicate "The ! of an input predicate has no effect.";
    ImmediateSwapped Immediate "The halves of an immediate are swapped.";
    ImmediateShort Immediate "An immediate has 16 bits and a sign.";
    ZeroRegister Register "The zero register reads all ones, as an uninitialised register.";
    CarryExact Carry "There is no carry where the sum is exactly the modulus, 2^32 or 2^64.";
    CarryInIgnored Carry "The carry in is ignored.";
    CarryInForgotten Carry "The carry in is ignored in the carry out.";
    TopBitLost Bits "The highest bit of the result is 0.";
    HighHalfLost Bits "The high half of the result is 0.";
    LowHalfSigned Bits "The high half of the result is the sign of the low half.";
    HalvesSwapped Bits "The halves of the result are exchanged.";
    BytesSwapped ByteOrder "The bytes of the result are in reverse order.";
    LowestBitLost Bits "The lowest bit of the result is 0.";
    EventMissing Event "No event is reported.";
    EventFault Event "A fault is reported.";
    EventWrites Event "R0 is written with 0.";
}
