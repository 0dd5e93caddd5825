//! Readings: which setting of each erratum model and oracle follow.
//!
//! A defective sentence of the documents allows several executable readings. Each that changes a result
//! is a switch, numbered as in the errata; a profile is nothing but a setting for every switch.

use std::fmt;
use std::str::FromStr;

/// A numbered defect of the documents, `E001` and up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Erratum(pub u16);

impl fmt::Display for Erratum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "E{:03}", self.0)
    }
}

impl FromStr for Erratum {
    type Err = ReadingError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let three = |d: &&str| d.len() == 3 && d.bytes().all(|b| b.is_ascii_digit());
        let number = text.strip_prefix('E').filter(three).and_then(|d| d.parse().ok());
        number.map(Erratum).ok_or_else(|| ReadingError::NotAnErratum(text.to_owned()))
    }
}

/// One switch: an erratum, the settings it has, and who it touches.
#[derive(Debug)]
pub struct Switch {
    /// The erratum.
    pub erratum: Erratum,
    /// Optypes it touches.
    pub optypes: &'static [&'static str],
    /// What is in question.
    pub question: &'static str,
    /// The settings, the first one numbered 1.
    pub settings: &'static [&'static str],
    /// The setting of the profile `intended`.
    pub intended: u8,
}

macro_rules! switches {
    ($($name:ident $number:literal [$($optype:literal),+] $question:literal: $($setting:literal),+ => $intended:literal;)+) => {
        /// The switches, by erratum number.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(usize)]
        pub enum Reading { $(#[doc = $question] $name),+ }

        /// The table of switches, in the order of [`Reading`].
        pub static SWITCHES: &[Switch] = &[$(Switch {
            erratum: Erratum($number),
            optypes: &[$($optype),+],
            question: $question,
            settings: &[$($setting),+],
            intended: $intended,
        }),+];

        const INTENDED: [u8; SWITCHES.len()] = [$($intended),+];
    };
}

switches! {
    E008 8 ["MUFU", "POPC", "FLO", "BREV", "BMSK", "SGXT", "FADD", "FMUL", "FFMA", "FMNMX", "FSETP", "FSET", "FSEL", "FCHK"] "What a false guard does":
        "no trace of the instruction is left", "nothing: the instruction executes all the same" => 1;
    E011 11 ["FLO", "FSETP"] "A source that is also a destination written before its last use":
        "read again after the write", "read once, before any write" => 2;
    E012 12 ["FLO", "FADD", "FMUL", "FFMA", "FMNMX", "FSETP", "FSET", "FSEL"] "A source that the code assigns to":
        "its register is overwritten", "a local copy changes" => 2;
    E023 23 ["BMSK"] "The immediate amount":
        "unsigned", "signed, so that one with the top bit set is not beyond 31" => 1;
    E033 33 ["MUFU"] "The functions that .COS and .SIN name":
        "sine and cosine, as the table labels them", "cosine and sine" => 2;
    E034 34 ["MUFU"] "The cosine of a zero":
        "that zero, as the table it shares with the sine has it", "1" => 2;
    E035 35 ["MUFU"] "The unit of the argument of .COS and .SIN":
        "radians", "turns" => 1;
    E036 36 ["MUFU"] "The quiet NaN of F32, printed with nine hex digits":
        "cut to 32 bits: 0xFFFFFFFF", "0x7FFFFFFF" => 2;
    E037 37 ["MUFU"] "What a NaN in one half of a packed operand spoils":
        "both halves", "its own half" => 2;
    E040 40 ["MUFU"] "The half of a 64-bit special value that RCP.F64 and RSQ.F64 write":
        "the low word", "the high word" => 2;
    E041 41 ["MUFU"] "RSQ.F64 of a negative number":
        "undefined", "the quiet NaN" => 2;
    E042 42 ["MUFU"] "Subnormal inputs and results of MUFU.F32":
        "honoured, a negative subnormal being a negative number", "flushed to a zero of their sign, TANH excepted" => 1;
    E049 49 ["POPC"] "The loop, which shifts an undefined name":
        "never ends unless the operand is 0", "shifts the operand" => 2;
    E050 50 ["FLO"] "What follows the special case of zero":
        "the general case, which overwrites the result", "nothing" => 2;
    E051 51 ["FLO"] "Which signed operands are complemented":
        "all", "the negative ones" => 2;
    E052 52 ["FLO"] "What a signed operand becomes":
        "its absolute value", "its one's complement" => 2;
    E053 53 ["FLO"] ".SH where no bit is found":
        "31 minus 0xFFFFFFFF, which is 32", "0xFFFFFFFF" => 2;
    E056 56 ["BREV"] "What BREV does":
        "complements every bit", "reverses the order of the bits" => 1;
    E057 57 ["BMSK"] "The number of ones":
        "the amount and one more, as the range in the prose has it", "the amount, as the code has it" => 2;
    E058 58 ["BMSK"] "The name of the second register in the code":
        "the second source whatever its kind", "undefined for an immediate and for a constant" => 1;
    E062 62 ["SGXT"] "The width that .WRAP makes of 32":
        "32, as the prose has it", "0, as the code has it" => 2;
    E063 63 ["SGXT"] "The shift by 32 in the code for .S32":
        "by 0, as a 32-bit machine does, so that the result is 0", "in wide arithmetic" => 2;
    E169 169 ["FADD", "FMUL", "FFMA"] "How .RN rounds a tie":
        "away from zero", "to even" => 2;
    E170 170 ["FADD", "FMUL", "FFMA"] "What .SAT makes of -0":
        "-0 stays", "+0" => 2;
    E172 172 ["FADD", "FFMA"] "The sign of an exact sum of zero":
        "always positive", "as IEEE 754: negative toward -Inf and for two negative zeros" => 2;
    E173 173 ["FADD", "FMUL", "FFMA"] "Which results .FTZ flushes":
        "those subnormal after rounding", "those tiny after rounding with an unbounded exponent" => 1;
    E176 176 ["FMUL"] "The scaled first operand":
        "exact", "rounded to F32, which can overflow", "rounded to F32 and flushed under .FTZ" => 1;
    E177 177 ["FFMA"] "The undefined name in the product":
        "undefined", "the first operand" => 2;
    E178 178 ["FFMA"] "The rounding that the code leaves out":
        "always to nearest, whatever the modifier says", "once, as the modifier says" => 2;
    E179 179 ["FFMA"] "The addend under .FTZ":
        "kept", "flushed like the other inputs" => 2;
    E180 180 ["FFMA"] "The product before the addition":
        "rounded to F32", "exact" => 2;
    E183 183 ["FMNMX"] "The operand that wins over a NaN under .FTZ":
        "as it is", "flushed" => 2;
    E184 184 ["FMNMX"] "Zeros of both signs":
        "equal: the second operand wins", "+0 is greater than -0" => 2;
    E185 185 ["FSEL"] "A NaN that is selected":
        "passed on bit for bit", "0x7FFFFFFF" => 1;
    E186 186 ["FSETP", "FSET"] "Comparisons of a NaN":
        "as the operators of C: all false but not equal", "false if ordered, true if unordered" => 2;
    E189 189 ["FCHK"] "The bits of the exponent":
        "31 to 24", "30 to 23" => 2;
}

impl Reading {
    /// The switch itself.
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

    /// The setting of a switch, 1 and up.
    #[inline]
    pub const fn get(&self, reading: Reading) -> u8 {
        self.0[reading as usize]
    }

    /// Sets a switch by the number of its erratum.
    pub fn set(&mut self, erratum: Erratum, setting: u8) -> Result<(), ReadingError> {
        let index = position(erratum, setting)?;
        self.0[index] = setting;
        Ok(())
    }

    /// Sets a switch from text such as `E173=2`, and says which it was, and to what.
    pub fn set_from_text(&mut self, text: &str) -> Result<(Erratum, u8), ReadingError> {
        let (erratum, setting) = Readings::setting_from_text(text)?;
        self.set(erratum, setting)?;
        Ok((erratum, setting))
    }

    /// Reads a switch and one of its settings from text such as `E173=2`.
    pub fn setting_from_text(text: &str) -> Result<(Erratum, u8), ReadingError> {
        let malformed = || ReadingError::Malformed(text.to_owned());
        let (erratum, setting) = text.split_once('=').ok_or_else(malformed)?;
        let (erratum, setting) = (erratum.trim().parse()?, setting.trim().parse().map_err(|_| malformed())?);
        position(erratum, setting)?;
        Ok((erratum, setting))
    }

    /// Every switch with its setting.
    pub fn iter(&self) -> impl Iterator<Item = (Erratum, u8)> + '_ {
        SWITCHES.iter().zip(self.0).map(|(switch, setting)| (switch.erratum, setting))
    }
}

impl Default for Readings {
    fn default() -> Self {
        Readings::INTENDED
    }
}

/// Where a switch is in the table, if it is there and has that setting.
fn position(erratum: Erratum, setting: u8) -> Result<usize, ReadingError> {
    let found = SWITCHES.iter().position(|s| s.erratum == erratum);
    let index = found.ok_or_else(|| ReadingError::NoSwitch(erratum, listing()))?;
    let count = SWITCHES[index].settings.len() as u8;
    match (1..=count).contains(&setting) {
        true => Ok(index),
        false => Err(ReadingError::NoSetting { erratum, setting, count }),
    }
}

fn listing() -> String {
    SWITCHES.iter().map(|s| s.erratum.to_string()).collect::<Vec<_>>().join(" ")
}

/// Why a reading could not be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadingError {
    /// Not of the form `E173=2`.
    #[error("`{0}` is no reading; write an erratum and a setting, such as E173=2")]
    Malformed(String),
    /// Not of the form `E173`.
    #[error("`{0}` is no erratum; write E and three digits, such as E173")]
    NotAnErratum(String),
    /// The erratum exists or not, but no switch hangs on it.
    #[error("{0} has no switch; those that have one: {1}")]
    NoSwitch(Erratum, String),
    /// The switch has fewer settings.
    #[error("{erratum} has the settings 1 to {count}, not {setting}")]
    NoSetting {
        /// The erratum.
        erratum: Erratum,
        /// What was asked for.
        setting: u8,
        /// How many settings there are.
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
    }

    #[test]
    fn settings_are_read_and_refused() {
        let mut readings = Readings::default();
        readings.set_from_text("E173=2").unwrap();
        assert_eq!(readings.get(Reading::E173), 2);
        for text in ["E173=3", "E173=0", "E173", "E1=1", "E001=1", "173=1", "E173=x", "E173=256", "E+36=1"] {
            assert!(readings.set_from_text(text).is_err(), "{text}");
        }
        assert_eq!(readings.get(Reading::E173), 2);
    }
}
