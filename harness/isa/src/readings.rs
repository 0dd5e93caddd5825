//! Readings: the setting of each erratum and convention that the model and the oracle follow.
//!
//! A defective sentence of the documents can be understood in several ways, called readings. If the
//! choice changes a result, the sentence has a switch, with the number of its erratum. Where the
//! documents are clear but IEEE 754 leaves a choice, implementations may differ: such a choice is a
//! convention. A convention has a switch too, numbered `C001` and up. The first setting of a
//! convention follows the documents. A profile has a setting for every switch.

use std::fmt;
use std::str::FromStr;

use crate::shown::quoted;

/// A numbered question about the right result: a defect of the documents (`E001` and up) or a
/// convention (`C001` and up).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Erratum(pub u16);

impl Erratum {
    /// The offset of conventions: `C001` is stored as 1001. Errata have three digits.
    const CONVENTIONS: u16 = 1000;

    /// Returns the convention with a number, 1 and up.
    pub const fn convention(number: u16) -> Erratum {
        Erratum(Erratum::CONVENTIONS + number)
    }

    /// Whether the question is a convention: the documents are clear, but implementations differ.
    pub fn is_convention(self) -> bool {
        self.0 > Erratum::CONVENTIONS
    }

    /// Returns the noun for the question: "convention", or "reading" for an erratum.
    pub fn noun(self) -> &'static str {
        if self.is_convention() { "convention" } else { "reading" }
    }
}

impl fmt::Display for Erratum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_convention() {
            write!(f, "C{:03}", self.0 - Erratum::CONVENTIONS)
        } else {
            write!(f, "E{:03}", self.0)
        }
    }
}

impl FromStr for Erratum {
    type Err = ReadingError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let three = |d: &&str| d.len() == 3 && d.bytes().all(|b| b.is_ascii_digit());
        let after = |letter| text.strip_prefix(letter).filter(three).and_then(|d| d.parse().ok());
        let convention = after('C').filter(|number| *number > 0).map(Erratum::convention);
        let found = after('E').map(Erratum).or(convention);
        found.ok_or_else(|| ReadingError::NotAnErratum(text.to_owned()))
    }
}

/// One switch: an erratum or a convention, its settings, and the optypes that it affects.
#[derive(Debug)]
pub struct Switch {
    /// The erratum, or the convention.
    pub erratum: Erratum,
    /// The affected optypes.
    pub optypes: Touched,
    /// The question.
    pub question: &'static str,
    /// The settings, the first one numbered 1.
    pub settings: &'static [&'static str],
    /// The setting of the profile `intended`.
    pub intended: u8,
}

impl Switch {
    /// Returns the switch of an erratum or a convention, if there is one.
    pub fn of(erratum: Erratum) -> Option<&'static Switch> {
        SWITCHES.iter().find(|switch| switch.erratum == erratum)
    }

    /// Returns the meaning of a setting. The first setting is 1. Empty if the setting does not
    /// exist.
    pub fn meaning(&self, setting: u8) -> &'static str {
        usize::from(setting).checked_sub(1).and_then(|i| self.settings.get(i)).copied().unwrap_or_default()
    }
}

/// The optypes that a switch affects. Dereferences to their names.
#[derive(Clone, Copy, Debug)]
pub enum Touched {
    /// These optypes.
    Listed(&'static [&'static str]),
    /// All optypes whose guard decides whether the instruction executes.
    Guarded,
}

macro_rules! switches {
    (@number E $number:literal) => { Erratum($number) };
    (@number C $number:literal) => { Erratum::convention($number) };
    (@optypes guarded) => { Touched::Guarded };
    (@optypes $($optype:literal),+) => { Touched::Listed(&[$($optype),+]) };
    ($($name:ident $kind:ident $number:literal [$($optypes:tt)+] $question:literal: $($setting:literal),+ => $intended:literal;)+) => {
        /// The switches, by erratum number.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(usize)]
        pub enum Reading { $(#[doc = $question] $name),+ }

        /// The table of switches, in the order of [`Reading`].
        pub static SWITCHES: &[Switch] = &[$(Switch {
            erratum: switches!(@number $kind $number),
            optypes: switches!(@optypes $($optypes)+),
            question: $question,
            settings: &[$($setting),+],
            intended: $intended,
        }),+];

        const INTENDED: [u8; SWITCHES.len()] = [$($intended),+];
    };
}

switches! {
    E008 E 8 [guarded] "What a false guard does":
        "no trace of the instruction is left", "nothing: the instruction executes all the same" => 1;
    E011 E 11 ["FLO", "UIADD", "UIMAD", "UIMAD_WIDE", "UISETP", "UFLO", "FSETP"] "A source that is also a destination written before its last use":
        "read again after the write", "read once, before any write" => 2;
    E012 E 12 ["FLO", "UFLO", "FADD", "FMUL", "FFMA", "FMNMX", "FSETP", "FSET", "FSEL"] "A source that the code assigns to":
        "its register is overwritten", "a local copy changes" => 2;
    E013 E 13 ["ULOP3", "UPLOP3", "UPRMT"] "What the documents that are missing define":
        "nothing: the instruction is undefined", "what the PTX ISA defines" => 2;
    E023 E 23 ["BMSK", "UBMSK"] "The immediate amount":
        "unsigned", "signed, so that one with the top bit set is not beyond 31" => 1;
    E033 E 33 ["MUFU"] "The functions that .COS and .SIN name":
        "sine and cosine, as the table labels them", "cosine and sine" => 2;
    E034 E 34 ["MUFU"] "The cosine of a zero":
        "that zero, as the table it shares with the sine has it", "1" => 2;
    E035 E 35 ["MUFU"] "The unit of the argument of .COS and .SIN":
        "radians", "turns" => 1;
    E036 E 36 ["MUFU"] "The quiet NaN of F32, printed with nine hex digits":
        "cut to 32 bits: 0xFFFFFFFF", "0x7FFFFFFF" => 2;
    E037 E 37 ["MUFU"] "What a NaN in one half of a packed operand spoils":
        "both halves", "its own half" => 2;
    E040 E 40 ["MUFU"] "The half of a 64-bit special value that RCP.F64 and RSQ.F64 write":
        "the low word", "the high word" => 2;
    E041 E 41 ["MUFU"] "RSQ.F64 of a negative number":
        "undefined", "the quiet NaN" => 2;
    E042 E 42 ["MUFU"] "Subnormal inputs and results of MUFU.F32":
        "honoured, a negative subnormal being a negative number", "flushed to a zero of their sign, TANH excepted",
        "flushed likewise, and those of EX2.BF16 with them" => 1;
    E049 E 49 ["POPC", "UPOPC"] "The loop, which shifts an undefined name":
        "never ends unless the operand is 0", "shifts the operand" => 2;
    E050 E 50 ["FLO", "UFLO"] "What follows the special case of zero":
        "the general case, which overwrites the result", "nothing" => 2;
    E051 E 51 ["FLO", "UFLO"] "Which signed operands are complemented":
        "all", "the negative ones" => 2;
    E052 E 52 ["FLO", "UFLO"] "What a signed operand becomes":
        "its absolute value", "its one's complement" => 2;
    E053 E 53 ["FLO", "UFLO"] ".SH where no bit is found":
        "31 minus 0xFFFFFFFF, which is 32", "0xFFFFFFFF" => 2;
    E056 E 56 ["BREV", "UBREV"] "What BREV and UBREV do":
        "complements every bit", "reverses the order of the bits" => 1;
    E057 E 57 ["BMSK", "UBMSK"] "The number of ones":
        "the amount and one more, as the range in the prose has it", "the amount, as the code has it" => 2;
    E058 E 58 ["BMSK", "UBMSK"] "The name of the second register in the code":
        "the second source whatever its kind", "undefined for an immediate and for a constant" => 1;
    E062 E 62 ["SGXT", "USGXT"] "The width that .WRAP makes of 32":
        "32, as the prose has it", "0, as the code has it" => 2;
    E063 E 63 ["SGXT", "USGXT"] "The shift by 32 in the code for .S32":
        "by 0, as a 32-bit machine does, so that the result is 0", "in wide arithmetic" => 2;
    E066 E 66 ["CS2R"] "The special registers of 64 bits, of which the list has none":
        "undefined", "the one that holds the low half stands for both halves" => 2;
    E071 E 71 ["SETREG", "GETREG"] "What an address of GETREG and SETREG reaches":
        "a space of its own", "undefined" => 1;
    E075 E 75 ["PMTRIG"] "PMTRIG, which has no text":
        "its number is recorded and nothing else happens", "undefined" => 1;
    E076 E 76 ["SWITCH"] "SWITCH, which has no text":
        "its hint is recorded and nothing else happens", "undefined" => 1;
    E077 E 77 ["NOP", "IBBAR"] "NOP and IBBAR, which have no text":
        "they are recorded and nothing else happens", "undefined" => 1;
    E078 E 78 ["DEPBAR"] "DEPBAR, which has no text":
        "its scoreboard and count are recorded and nothing else happens", "undefined" => 1;
    E081 E 81 ["BFN"] "How often BFN's loop runs":
        "as often as the encoded byte says", "once for each element" => 2;
    E084 E 84 ["BFN"] "Which channels BFN writes":
        "those of the mask that the predicate lets pass", "those of the mask" => 1;
    E085 E 85 ["BFN"] "The first channel of an execution mask Mk":
        "4(k - 1)", "k - 1 times the execution size" => 1;
    E087 E 87 ["BFN"] "A 16-bit immediate where the type has 32 bits":
        "zero extended", "sign extended", "extended by the type: D by its sign, UD by zeros" => 3;
    E092 E 92 ["ULDC"] "The two types that the prose and the syntax name differently":
        "one bit, extended", "16 bits, extended" => 2;
    E093 E 93 ["ULDC"] "The width of .128":
        "32 bits, as the formula has it", "128 bits" => 2;
    E096 E 96 ["ULDC"] "An address that is no multiple of the size":
        "reads the bytes from there on", "faults", "loses its low bits" => 2;
    E098 E 98 ["UIADD"] "When .X carries":
        "when the sum exceeds 2^32", "when the sum reaches 2^32" => 2;
    E099 E 99 ["UIADD"] "A prefix with .X":
        "negates", "complements" => 2;
    E100 E 100 ["UIADD", "UIMAD"] "An immediate addend in the carry":
        "counts as a signed integer", "counts as its 32-bit pattern" => 2;
    E102 E 102 ["UIMAD"] "When UIMAD carries":
        "when the sum exceeds 2^32", "when the sum reaches 2^32" => 2;
    E103 E 103 ["UIMAD", "UIMAD_WIDE"] "The carry of a negated addend without .X":
        "that of the integer difference: none", "that of the two's complement pattern", "that of the complement and 1" => 3;
    E104 E 104 ["UIMAD"] "The shift in the description of .HI.X":
        "by 32, the addend and the carry in, as C binds it", "by 32, before the addition" => 2;
    E105 E 105 ["UIMAD", "UIMAD_WIDE"] "A prefix with .X":
        "negates", "complements" => 2;
    E111 E 111 ["UIMAD_WIDE"] "The width of a constant addend, and of the result beside it":
        "32 bits", "64 bits" => 2;
    E112 E 112 ["UIMAD_WIDE"] "When UIMAD.WIDE carries":
        "when the sum exceeds 2^64", "when the sum reaches 2^64" => 2;
    E113 E 113 ["UIMAD_WIDE"] "A negative product in the carry":
        "counts as a negative integer", "counts as its 64-bit pattern" => 2;
    E114 E 114 ["UIMAD_WIDE"] "The modulus that is written as 1 shifted by 64":
        "1, as a 64-bit machine has it", "2^64" => 2;
    E118 E 118 ["UIMUL"] "The negation of the second factor":
        "in 32 bits, before the product", "of the product" => 1;
    E119 E 119 ["ULEA"] "When ULEA carries":
        "when the sum exceeds 2^32", "when the sum reaches 2^32" => 2;
    E120 E 120 ["ULEA"] "The mask in front of the addition":
        "is added to first, as C binds it", "is applied first" => 2;
    E126 E 126 ["ULEA"] "A prefix with .X":
        "negates", "complements" => 2;
    E127 E 127 ["ULEA"] "The carry of a negated first operand without .X":
        "that of the two's complement pattern, shifted", "that of the shifted operand's complement and 1" => 2;
    E129 E 129 ["UIABS"] "The absolute value of the least integer":
        "0x80000000", "0x7FFFFFFF" => 1;
    E134 E 134 ["UIMNMX"] "The order in which minimum and maximum are taken":
        "none is given: undefined where it matters", "that of the type" => 2;
    E135 E 135 ["UP2UR"] "The bytes that are not selected":
        "keep the destination's old bits", "come from the first operand", "are 0" => 2;
    E139 E 139 ["UR2UP"] "The predicates that are not selected":
        "become false", "stay as they are" => 2;
    E148 E 148 ["ULOP3", "UPLOP3"] "The bit of the table that three inputs select":
        "the first input counts 4, as in the PTX ISA", "the first input counts 1, as in BFN" => 1;
    E149 E 149 ["USHF"] "The amount, which the code gives by no expression":
        "undefined", "limited or taken modulo the width, as the prose has it" => 2;
    E151 E 151 ["USHF"] "What .WRAP makes of an amount equal to the width":
        "the width, as the prose has it", "0, as the code has it" => 2;
    E152 E 152 ["USHF"] "The sign that .R.S32 shifts in":
        "bit 63 of the pair", "bit 31, the pair being the first operand extended" => 1;
    E153 E 153 ["USHF"] "A shift to the left by 64":
        "by 0, as a 64-bit machine does", "leaves 0" => 2;
    E157 E 157 ["UPRMT"] "Bit 3 of a selector":
        "is ignored", "replicates the sign of the byte" => 2;
    E158 E 158 ["UPRMT"] "What the modes with one selector make of it":
        "the same byte four times", "a byte for each position" => 2;
    E159 E 159 ["UPRMT"] "The pair of the operands":
        "the first operand's sign overlays the second", "the first operand below the second" => 2;
    E160 E 160 ["UPRMT"] "The operand that selects":
        "the third", "the second" => 1;
    E165 E 165 ["SETUGPR", "GETUGPR"] "An index beyond the registers":
        "faults", "is taken modulo 64" => 1;
    E168 E 168 ["UF2FP"] "UF2FP, whose section is empty":
        "two F32 packed to F16, the first in the high half", "undefined" => 1;
    E169 E 169 ["FADD", "FMUL", "FFMA"] "How .RN rounds a tie":
        "away from zero", "to even" => 2;
    E170 E 170 ["FADD", "FMUL", "FFMA"] "What .SAT makes of -0":
        "-0 stays", "+0" => 2;
    E172 E 172 ["FADD", "FFMA"] "The sign of an exact sum of zero":
        "always positive", "as IEEE 754: negative toward -Inf and for two negative zeros" => 2;
    E173 E 173 ["FADD", "FMUL", "FFMA"] "Which results .FTZ flushes":
        "those subnormal after rounding", "those tiny after rounding with an unbounded exponent" => 1;
    E176 E 176 ["FMUL"] "The scaled first operand":
        "exact", "rounded to F32, which can overflow", "rounded to F32 and flushed under .FTZ" => 1;
    E177 E 177 ["FFMA"] "The undefined name in the product":
        "undefined", "the first operand" => 2;
    E178 E 178 ["FFMA"] "The rounding that the code leaves out":
        "always to nearest, whatever the modifier says", "once, as the modifier says" => 2;
    E179 E 179 ["FFMA"] "The addend under .FTZ":
        "kept", "flushed like the other inputs" => 2;
    E180 E 180 ["FFMA"] "The product before the addition":
        "rounded to F32", "exact" => 2;
    E183 E 183 ["FMNMX"] "The operand that wins over a NaN under .FTZ":
        "as it is", "flushed" => 2;
    E184 E 184 ["FMNMX"] "Zeros of both signs":
        "equal: the second operand wins", "+0 is greater than -0" => 2;
    E185 E 185 ["FSEL"] "A NaN that is selected":
        "passed on bit for bit", "0x7FFFFFFF" => 1;
    E186 E 186 ["FSETP", "FSET"] "Comparisons of a NaN":
        "as the operators of C: all false but not equal", "false if ordered, true if unordered" => 2;
    E189 E 189 ["FCHK"] "The bits of the exponent":
        "31 to 24", "30 to 23" => 2;
    C001 C 1 ["FADD", "FMUL", "FFMA", "FMNMX"] "What NaN operands make of a result that is NaN":
        "the pattern of C002",
        "the first NaN operand, quieted",
        "the first signalling NaN operand, else the first NaN operand, quieted, the addend of FFMA being the first operand; but the pattern of C002 where a quiet NaN is added to infinity times zero" => 1;
    C002 C 2 ["FADD", "FMUL", "FFMA", "FMNMX"] "The pattern of a NaN result that comes from no operand":
        "0x7FFFFFFF", "0x7FC00000", "0xFFC00000" => 1;
    C003 C 3 ["FMUL", "FFMA"] "When .FTZ takes a result to be tiny":
        "as E173 has it", "before rounding" => 1;
    C004 C 4 ["FMNMX"] "A signalling NaN beside a number":
        "the number wins", "the result is NaN, as of the minNum of IEEE 754-2008" => 1;
    C005 C 5 ["FMNMX"] "Which of two zeros of unlike sign FMNMX takes":
        "as E184 has it", "the first operand" => 1;
    C006 C 6 ["UF2FP"] "What UF2FP makes of a NaN":
        "0x7FFF", "0x7E00", "its sign and its leading bits, quieted" => 1;
    C007 C 7 ["MUFU"] "The sign of a zero of .SIN and .COS in turns (E035 = 2)":
        "of the sine that of the argument, of the cosine either",
        "that of the values next to it, further from zero" => 1;
    C008 C 8 ["UP2UR"] "Bit 7 of all uniform predicates":
        "that of UPT, 1", "0" => 1;
    C009 C 9 ["FMNMX"] "What FMNMX writes where an operand is a NaN, without .NAN":
        "the number beside it",
        "NaN, as with .NAN",
        "the first operand",
        "the second operand",
        "by the comparison a < b, which is false: the second operand for the minimum, the first for the maximum" => 1;
    C010 C 10 ["FADD", "FMUL", "FFMA"] "What .FTZ flushes":
        "operands and results", "operands alone", "results alone" => 1;
    C011 C 11 ["FADD", "FMUL", "FFMA"] "What .FTZ makes of a result that it flushes":
        "a zero of its sign", "+0" => 1;
}

impl Reading {
    /// Returns the switch.
    pub fn switch(self) -> &'static Switch {
        &SWITCHES[self as usize]
    }
}

/// A setting for every switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Readings([u8; SWITCHES.len()]);

impl Readings {
    /// The settings of the profile `intended`.
    pub const INTENDED: Readings = Readings(INTENDED);

    /// Returns the setting of a switch, 1 and up.
    #[inline]
    pub const fn get(&self, reading: Reading) -> u8 {
        self.0[reading as usize]
    }

    /// Returns the setting of an erratum, if it has a switch.
    pub fn setting(&self, erratum: Erratum) -> Option<u8> {
        self.iter().find(|(switch, _)| *switch == erratum).map(|(_, setting)| setting)
    }

    /// Sets the switch of an erratum.
    pub fn set(&mut self, erratum: Erratum, setting: u8) -> Result<(), ReadingError> {
        let index = position(erratum, setting)?;
        self.0[index] = setting;
        Ok(())
    }

    /// Sets a switch from text such as `E173=2`; returns the switch and the setting.
    pub fn set_from_text(&mut self, text: &str) -> Result<(Erratum, u8), ReadingError> {
        let (erratum, setting) = Readings::setting_from_text(text)?;
        self.set(erratum, setting)?;
        Ok((erratum, setting))
    }

    /// Parses a setting from text such as `E173=2`. Returns the switch and the number of the
    /// setting.
    pub fn setting_from_text(text: &str) -> Result<(Erratum, u8), ReadingError> {
        let malformed = || ReadingError::Malformed(text.to_owned());
        let (erratum, setting) = text.split_once('=').ok_or_else(malformed)?;
        let (erratum, setting) = (erratum.trim().parse()?, setting.trim().parse().map_err(|_| malformed())?);
        position(erratum, setting)?;
        Ok((erratum, setting))
    }

    /// Returns every switch with its setting.
    pub fn iter(&self) -> impl Iterator<Item = (Erratum, u8)> + '_ {
        SWITCHES.iter().zip(self.0).map(|(switch, setting)| (switch.erratum, setting))
    }
}

impl Default for Readings {
    fn default() -> Self {
        Readings::INTENDED
    }
}

/// Returns the index of a switch in the table. An error if the switch or the setting does not
/// exist.
fn position(erratum: Erratum, setting: u8) -> Result<usize, ReadingError> {
    let found = SWITCHES.iter().position(|s| s.erratum == erratum);
    let index = found.ok_or_else(|| ReadingError::NoSwitch(erratum, listing()))?;
    let count = SWITCHES[index].settings.len() as u8;
    if (1..=count).contains(&setting) {
        Ok(index)
    } else {
        Err(ReadingError::NoSetting { erratum, setting, count })
    }
}

fn listing() -> String {
    SWITCHES.iter().map(|s| s.erratum.to_string()).collect::<Vec<_>>().join(" ")
}

/// Why a reading could not be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadingError {
    /// The text does not have the form `E173=2`.
    #[error("`{}` is no reading; write an erratum or a convention and a setting, such as E173=2 or C001=2", quoted(.0))]
    Malformed(String),
    /// The text has neither the form `E173` nor `C001`.
    #[error(
        "`{}` is no erratum; write E and three digits, such as E173, or C and three digits for a convention", quoted(.0)
    )]
    NotAnErratum(String),
    /// The erratum has no switch, or does not exist.
    #[error("{0} has no switch; those that have one: {1}")]
    NoSwitch(Erratum, String),
    /// The switch does not have this setting.
    #[error("{erratum} has the settings 1 to {count}, not {setting}")]
    NoSetting {
        /// The erratum.
        erratum: Erratum,
        /// The requested setting.
        setting: u8,
        /// The number of settings.
        count: u8,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_its_defaults_exist() {
        for pair in SWITCHES.windows(2) {
            assert!(pair[0].erratum < pair[1].erratum);
        }
        for switch in SWITCHES {
            assert!((1..=switch.settings.len() as u8).contains(&switch.intended), "{}", switch.erratum);
            assert!(switch.settings.len() > 1, "{} cannot be switched", switch.erratum);
        }
        assert_eq!(Reading::E173.switch().erratum, Erratum(173));
        assert_eq!(Reading::C001.switch().erratum, Erratum::convention(1));
    }

    #[test]
    fn a_convention_is_named_apart_and_starts_with_what_the_documents_say() {
        for switch in SWITCHES {
            let id = switch.erratum;
            assert_eq!(id.to_string().parse(), Ok(id));
            assert_eq!(id.to_string().starts_with('C'), id.is_convention());
            assert!(!id.is_convention() || switch.intended == 1, "{id}");
        }
    }

    #[test]
    fn settings_are_read_and_refused() {
        let mut readings = Readings::default();
        readings.set_from_text("E173=2").unwrap();
        assert_eq!(readings.get(Reading::E173), 2);
        for text in [
            "E173=3", "E173=0", "E173", "E1=1", "E001=1", "173=1", "E173=x", "E173=256", "E+36=1", "C000=1",
            "C1=1", "D001=1", "C001=4",
        ] {
            assert!(readings.set_from_text(text).is_err(), "{text}");
        }
        assert_eq!(readings.get(Reading::E173), 2);
    }
}
