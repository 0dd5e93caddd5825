//! Locations: places that hold a value. Their texts are `R1`, `UR4`, `P0`, `UP2`, `c[0][0x160]`,
//! `SR_LANEID`, `G[0x10]`, `V0.chan3`, `F0` and `EM`.
//!
//! RZ, URZ, PT and UPT are not locations, because they have no storage. Each implementation knows
//! their constant values.

use std::fmt;
use std::str::FromStr;

use crate::shown::quoted;

/// Register number of RZ (E010).
pub const RZ: u8 = 255;
/// Register number of URZ (E010).
pub const URZ: u8 = 63;
/// Predicate number of PT and UPT (E010).
pub const PT: u8 = 7;
/// Number of vISA variables that an operand can name.
pub const VARIABLES: u8 = 32;
/// Number of channels of a vISA variable: the largest execution size.
pub const CHANNELS: u8 = 32;
/// Number that means no predicate in vISA.
pub const NO_FLAGS: u8 = 15;
/// Number of constant banks. A bank number has 5 bits (E015).
pub const BANKS: u32 = 1 << 5;
/// Size of a constant bank in bytes. An offset has 17 bits (E015).
pub const BANK_BYTES: u32 = 1 << 17;

/// A place that holds 32 bits, or one bit for a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Location {
    /// General register 0..=254.
    R(u8),
    /// Uniform register 0..=62.
    UR(u8),
    /// Predicate 0..=6.
    P(u8),
    /// Uniform predicate 0..=6.
    UP(u8),
    /// A word of constant memory.
    C {
        /// Bank, 0..32.
        bank: u8,
        /// Byte offset of the word, a multiple of 4 below 2^17.
        offset: u32,
    },
    /// Special register by its code.
    Sr(u8),
    /// A word of the address space of GETREG and SETREG.
    G(u32),
    /// A channel of a vISA variable. Variables and channels are 0..=31.
    Var {
        /// The variable.
        variable: u8,
        /// The channel.
        channel: u8,
    },
    /// A vISA predicate 0..=14, with a bit for each channel.
    Flags(u8),
    /// The channels that vISA dispatched, one bit for each channel.
    DispatchMask,
}

impl Location {
    /// Returns the location `index` places after this one: for `UR4` and 1, `UR5`. `None` if there
    /// is no such location.
    pub fn behind(self, index: u8) -> Option<Location> {
        let next = |n: u8, end: u8| n.checked_add(index).filter(|n| *n < end);
        match self {
            Location::R(n) => next(n, RZ).map(Location::R),
            Location::UR(n) => next(n, URZ).map(Location::UR),
            Location::P(n) => next(n, PT).map(Location::P),
            Location::UP(n) => next(n, PT).map(Location::UP),
            Location::C { bank, offset } => {
                let offset = offset + 4 * u32::from(index);
                (offset < BANK_BYTES).then_some(Location::C { bank, offset })
            }
            Location::Var { variable, channel } => {
                let channel = channel.checked_add(index).filter(|channel| *channel < CHANNELS)?;
                Some(Location::Var { variable, channel })
            }
            Location::Sr(code) if index == 1 => high_special(code).map(Location::Sr),
            place => (index == 0).then_some(place),
        }
    }

    /// Returns the location as two numbers: a space, and an index in the space. Binary interfaces
    /// use these numbers, which never change.
    ///
    /// | space | | index |
    /// |---|---|---|
    /// | 0, 1, 2, 3 | R, UR, P, UP | the register |
    /// | 4 | constant memory | the bank times 2^17, plus the byte offset |
    /// | 5 | special registers | the code |
    /// | 6 | G | the address |
    /// | 7 | vISA variables | the variable times 32, plus the channel |
    /// | 8 | vISA predicates | the predicate |
    /// | 9 | the dispatched channels | 0 |
    pub fn number(self) -> (u32, u32) {
        match self {
            Location::R(n) => (0, n.into()),
            Location::UR(n) => (1, n.into()),
            Location::P(n) => (2, n.into()),
            Location::UP(n) => (3, n.into()),
            Location::C { bank, offset } => (4, u32::from(bank) * BANK_BYTES + offset),
            Location::Sr(code) => (5, code.into()),
            Location::G(address) => (6, address),
            Location::Var { variable, channel } => {
                (7, u32::from(variable) * u32::from(CHANNELS) + u32::from(channel))
            }
            Location::Flags(n) => (8, n.into()),
            Location::DispatchMask => (9, 0),
        }
    }

    /// Returns the location with a space and an index. `None` if it does not exist.
    pub fn from_number(space: u32, index: u32) -> Option<Location> {
        let below = |end: u8| u8::try_from(index).ok().filter(|n| *n < end);
        match space {
            0 => below(RZ).map(Location::R),
            1 => below(URZ).map(Location::UR),
            2 => below(PT).map(Location::P),
            3 => below(PT).map(Location::UP),
            4 => {
                let (bank, offset) = (index / BANK_BYTES, index % BANK_BYTES);
                (bank < BANKS && offset % 4 == 0).then_some(Location::C { bank: bank as u8, offset })
            }
            5 => u8::try_from(index).ok().map(Location::Sr),
            6 => Some(Location::G(index)),
            7 => {
                let (variable, channel) = (index / u32::from(CHANNELS), index % u32::from(CHANNELS));
                let exists = variable < u32::from(VARIABLES);
                exists.then_some(Location::Var { variable: variable as u8, channel: channel as u8 })
            }
            8 => below(NO_FLAGS).map(Location::Flags),
            9 => (index == 0).then_some(Location::DispatchMask),
            _ => None,
        }
    }

    /// Whether the location holds one bit, written `true` or `false`.
    pub fn is_predicate(self) -> bool {
        matches!(self, Location::P(_) | Location::UP(_))
    }
}

/// Code of SRZ, the special register without storage.
pub const SRZ: u8 = 0xff;

/// Names of special registers in the order of the documents' list. Their codes count up from 0
/// (E003).
const SPECIAL: [&str; 43] = [
    "LANEID",
    "EQMASK",
    "LTMASK",
    "LEMASK",
    "GTMASK",
    "GEMASK",
    "WARPID",
    "TEID",
    "TCID",
    "PHYTCID",
    "PHYWARPID",
    "CTAID.X",
    "CTAID.Y",
    "CTAID.Z",
    "PM0",
    "PM1",
    "PM2",
    "PM3",
    "PM4",
    "PM5",
    "PM6",
    "PM7",
    "PM_HI0",
    "PM_HI1",
    "PM_HI2",
    "PM_HI3",
    "PM_HI4",
    "PM_HI5",
    "PM_HI6",
    "PM_HI7",
    "LWINHI",
    "LWINLO",
    "LWINSZ",
    "SWINHI",
    "SWINLO",
    "SMEMSZ",
    "CLOCKLO",
    "CLOCKHI",
    "GLOBALTIMELO",
    "GLOBALTIMEHI",
    "REGALLOC",
    "GLOBALERRORSTATUS",
    "WARPERRORSTATUS",
];

/// Returns the names of the special registers, without `SR_`. The index is the code. SRZ is not
/// included.
pub fn special_registers() -> &'static [&'static str] {
    &SPECIAL
}

/// Returns the code of the special register with the high word of a pair. `code` is the register
/// with the low word: `CLOCKHI` for `CLOCKLO`, `PM_HI3` for `PM3` (E066).
pub fn high_special(code: u8) -> Option<u8> {
    let name = SPECIAL.get(usize::from(code))?;
    let high = match (name.strip_suffix("LO"), name.strip_prefix("PM")) {
        (Some(stem), _) => format!("{stem}HI"),
        (None, Some(number)) => format!("PM_HI{number}"),
        _ => return None,
    };
    SPECIAL.iter().position(|s| *s == high).map(|code| code as u8)
}

/// Whether a special register can differ between the threads of a warp: the lane number and the
/// masks derived from it (E070).
pub fn differs_in_warp(code: u8) -> bool {
    SPECIAL.get(usize::from(code)).is_some_and(|name| *name == "LANEID" || name.ends_with("MASK"))
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Location::R(n) => write!(f, "R{n}"),
            Location::UR(n) => write!(f, "UR{n}"),
            Location::P(n) => write!(f, "P{n}"),
            Location::UP(n) => write!(f, "UP{n}"),
            Location::C { bank, offset } => write!(f, "c[{bank}][{offset:#x}]"),
            Location::Sr(code) => match SPECIAL.get(usize::from(code)) {
                Some(name) => write!(f, "SR_{name}"),
                None => write!(f, "SR_{code:#04x}"),
            },
            Location::G(address) => write!(f, "G[{address:#x}]"),
            Location::Var { variable, channel } => write!(f, "V{variable}.chan{channel}"),
            Location::Flags(n) => write!(f, "F{n}"),
            Location::DispatchMask => write!(f, "EM"),
        }
    }
}

/// The error of a text that is not a location.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{}` is no location; write R0..R254, UR0..UR62, P0..P6, UP0..UP6, c[0][0x160] (a multiple of 4), \
     SR_LANEID, G[0x10], V0.chan0..V31.chan31, F0..F14 or EM",
    quoted(.0)
)]
pub struct UnknownLocation(pub String);

impl FromStr for Location {
    type Err = UnknownLocation;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text).ok_or_else(|| UnknownLocation(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Location> {
    if let Some(inner) = text.strip_prefix("c[") {
        let (bank, offset) = inner.strip_suffix(']')?.split_once("][")?;
        let (bank, offset) = (integer(bank)?, integer(offset)?);
        let fits = bank < BANKS && offset < BANK_BYTES && offset % 4 == 0;
        return fits.then_some(Location::C { bank: bank as u8, offset });
    }
    if let Some(inner) = text.strip_prefix("G[") {
        return Some(Location::G(integer(inner.strip_suffix(']')?)?));
    }
    if let Some(name) = text.strip_prefix("SR_") {
        let listed = SPECIAL.iter().position(|s| *s == name).map(|code| code as u8);
        let numbered = || {
            integer(name.starts_with("0x").then_some(name)?)
                .and_then(|n| u8::try_from(n).ok())
                .filter(|n| usize::from(*n) >= SPECIAL.len())
        };
        return listed.or_else(numbered).map(Location::Sr);
    }
    if text == "EM" {
        return Some(Location::DispatchMask);
    }
    if let Some((variable, channel)) = text.strip_prefix('V').and_then(|rest| rest.split_once(".chan")) {
        let (variable, channel) = (decimal(variable)?, decimal(channel)?);
        return (variable < VARIABLES && channel < CHANNELS).then_some(Location::Var { variable, channel });
    }
    let digits = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let number = decimal(digits)?;
    match &text[..text.len() - digits.len()] {
        "R" if number < RZ => Some(Location::R(number)),
        "UR" if number < URZ => Some(Location::UR(number)),
        "P" if number < PT => Some(Location::P(number)),
        "UP" if number < PT => Some(Location::UP(number)),
        "F" if number < NO_FLAGS => Some(Location::Flags(number)),
        _ => None,
    }
}

/// Parses a register number: decimal digits without a sign or a leading zero, so that each location
/// has one name.
fn decimal(digits: &str) -> Option<u8> {
    let canonical = digits == "0" || !digits.starts_with(['0', '+']);
    canonical.then(|| digits.parse().ok()).flatten()
}

fn integer(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(hex) if hex.bytes().all(|b| b.is_ascii_hexdigit()) => u32::from_str_radix(hex, 16).ok(),
        Some(_) => None,
        None if text.bytes().all(|b| b.is_ascii_digit()) => text.parse().ok(),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns every location of the small spaces, and some locations of the large ones.
    fn all() -> Vec<Location> {
        let mut all: Vec<Location> = (0..RZ).map(Location::R).collect();
        all.extend((0..URZ).map(Location::UR));
        all.extend((0..PT).flat_map(|n| [Location::P(n), Location::UP(n)]));
        all.extend((0..=255).map(Location::Sr));
        all.extend([0, 1, 0xffff_ffff].map(Location::G));
        all.extend((0..32).map(|n| Location::Var { variable: n, channel: 31 - n }));
        all.extend((0..NO_FLAGS).map(Location::Flags).chain([Location::DispatchMask]));
        all.extend(
            [(0, 0), (0, 0x160), (31, BANK_BYTES - 4)].map(|(bank, offset)| Location::C { bank, offset }),
        );
        all
    }

    #[test]
    fn every_location_reads_back() {
        for location in all() {
            assert_eq!(location.to_string().parse(), Ok(location), "{location}");
            let (space, index) = location.number();
            assert_eq!(Location::from_number(space, index), Some(location), "{location}");
        }
    }

    #[test]
    fn every_number_is_one_location_or_none() {
        let ends = [BANK_BYTES * BANKS, BANK_BYTES * BANKS - 4, 1 << 31, u32::MAX];
        let known: usize = (0..=11)
            .flat_map(|space| (0..5000).chain(ends).map(move |index| (space, index)))
            .filter_map(|(space, index)| Some(((space, index), Location::from_number(space, index)?)))
            .map(|(number, location)| assert_eq!(location.number(), number, "{location}"))
            .count();
        // R, UR, P, UP, every fourth constant offset and one end, SR, G with its ends, variables,
        // predicates, the mask.
        assert_eq!(known, 255 + 63 + 7 + 7 + 1250 + 1 + 256 + 5004 + 1024 + 15 + 1);
    }

    #[test]
    fn names_without_storage_are_refused() {
        for text in [
            "RZ",
            "R255",
            "UR63",
            "P7",
            "PT",
            "UP7",
            "R",
            "R01",
            "R+1",
            "c[0][0x2]",
            "c[32][0x0]",
            "c[0][0x20000]",
            "V32.chan0",
            "V0.chan32",
            "V0",
            "F15",
            "SR_NOSUCH",
            "G[",
            "",
            "c[0][",
        ] {
            assert!(text.parse::<Location>().is_err(), "{text}");
        }
    }
}
