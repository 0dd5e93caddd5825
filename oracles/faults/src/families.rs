//! Families of faults, independent of the optype. Reports of a mutation run are grouped by family.

macro_rules! families {
    ($($family:ident $name:literal $about:literal;)+) => {
        /// A kind of mistake that many optypes can have.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Family { $(#[doc = $about] $family,)+ }

        impl Family {
            /// Every family, in the order of the reports.
            pub const ALL: &[Family] = &[$(Family::$family),+];

            /// Returns the family's name in reports and filters.
            pub fn name(self) -> &'static str {
                match self { $(Family::$family => $name),+ }
            }

            /// Describes the family's mistakes in a few words.
            pub fn about(self) -> &'static str {
                match self { $(Family::$family => $about),+ }
            }
        }
    };
}

families! {
    Rounding "rounding" "a rounding mode, ties, guard and sticky bits, rounding twice";
    Overflow "overflow" "the result beyond the greatest number";
    Flush "flush" "`.FTZ`, on each input and on the output";
    Tininess "tininess" "what counts as a subnormal result, before or after rounding";
    Subnormal "subnormal" "subnormal operands and results";
    Saturation "saturation" "`.SAT` of NaN, -0, negative numbers and those beyond 1";
    Nan "nan" "which operations give NaN, and which NaN";
    ZeroSign "zero-sign" "the sign of a zero";
    Fusion "fusion" "a product that is rounded before the addition";
    Scale "scale" "scaling, by how much and when";
    Comparison "comparison" "comparisons: of NaN, of zeros, their conditions and bounds";
    Prefix "prefix" "`-`, `|`, `~` of each operand: left out, added, or in the wrong order";
    OperandOrder "operand-order" "operands exchanged";
    OperandBit "operand-bit" "a bit of an operand is not connected";
    Carry "carry" "carries in and out";
    Borrow "borrow" "the borrow of zero";
    Halves "halves" "`.HI` and `.LO`";
    Signedness "signedness" "signed and unsigned integers";
    Product "product" "the width of a product and of its addend";
    Shift "shift" "shift amounts: clamped, wrapped (62 for 63, 31 for 32), cut";
    Funnel "funnel" "the pair that is shifted: direction, sign bit, halves";
    Lut "lut" "truth tables: order of inputs, single entries, 255";
    Selector "selector" "selectors of a permutation";
    SignReplication "sign-replication" "the sign of a byte, replicated";
    ByteOrder "byte-order" "the order of bytes";
    Mask "mask" "masks, off by one";
    Width "width" "widths of 0 and 32, and the sign at the width";
    LeadingOne "leading-one" "the leading one, of 0 and -1 too";
    Bits "bits" "bits of a result that are lost, kept or counted wrongly";
    Predicate "predicate" "predicates: merged, selecting, complemented, as a byte";
    Guard "guard" "the guard";
    Constant "constant" "bank, offset, bounds and alignment of constants";
    Address "address" "locations that depend on a value";
    Register "register" "RZ, URZ, PT and UPT, and the number of a register";
    Pair "pair" "the words of a wide operand";
    Lane "lane" "packed lanes and channels";
    HalfSelect "half-select" "the selected half or byte";
    Immediate "immediate" "literals";
    Modifier "modifier" "a modifier's value mistaken for another";
    Event "event" "events besides writes";
    SpecialRow "special-row" "special arguments of MUFU";
    Rom "rom" "a bit of a row in MUFU's tables";
    Exponent "exponent" "exponents of MUFU's results, and their parity";
    Interpolation "interpolation" "terms of MUFU's interpolation";
    Reduction "reduction" "the reduction of MUFU's argument, and which function it is";
    Decoder "decoder" "a field of the word read from other bits";
}
