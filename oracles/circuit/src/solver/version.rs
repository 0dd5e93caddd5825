//! The version of a solver.

use std::fmt;

/// A version of CaDiCaL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// The first number.
    pub major: u32,
    /// The second number.
    pub minor: u32,
    /// The third number.
    pub patch: u32,
}

/// The first version with the option `--lrat`.
pub const OLDEST: Version = Version { major: 1, minor: 7, patch: 0 };

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl Version {
    /// Parses `1.9.5`. What follows the third number is ignored, as in `2.1.0-rc1`.
    pub(super) fn parse(text: &str) -> Option<Version> {
        let mut numbers = text.trim().splitn(3, '.');
        let mut next = || {
            let text = numbers.next()?;
            let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
            text[..end].parse().ok()
        };
        Some(Version { major: next()?, minor: next()?, patch: next()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_parsed_and_ordered() {
        let version = |text: &str| Version::parse(text);
        let some = |major, minor, patch| Some(Version { major, minor, patch });
        assert_eq!(version("1.9.5\n"), some(1, 9, 5));
        assert_eq!(version("2.1.0-rc1"), some(2, 1, 0));
        for text in ["", "cadical", "1.9", "1.x.3", ".1.2", "-1.2.3"] {
            assert_eq!(version(text), None, "{text}");
        }
        assert!(version("1.5.3") < Some(OLDEST) && version("1.7.0") == Some(OLDEST));
        assert!(version("1.10.0") > version("1.9.5") && version("3.0.1") > version("1.10.0"));
    }
}
