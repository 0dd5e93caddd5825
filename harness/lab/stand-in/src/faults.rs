//! Faults injected by environment variables, to test the effect of a failing device on a campaign.

use std::str::FromStr;

/// The environment variable that selects faults.
pub const VARIABLE: &str = "ASSAY_STAND_IN";

/// Faults, by words such as `lost=100 wrong=7`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// `nodevice`: a driver without a device.
    pub no_device: bool,
    /// `cuda=N`: a driver of another CUDA, such as 12000 for 12.0.
    pub cuda: Option<u64>,
    /// `lost=N`: the kernel with this number, from 1, ends with the device.
    pub lost: Option<u64>,
    /// `wrong=N`: of every Nth kernel the lowest bit of the first word it writes is the opposite.
    pub wrong: Option<u64>,
}

impl FromStr for Faults {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut faults = Faults::default();
        for word in text.split_whitespace() {
            let number = |value: &str| match value.parse() {
                Ok(number) if number > 0 => Ok(Some(number)),
                _ => Err(format!("{VARIABLE}: `{word}` has no number above 0")),
            };
            match word.split_once('=') {
                None if word == "nodevice" => faults.no_device = true,
                Some(("cuda", value)) => faults.cuda = number(value)?,
                Some(("lost", value)) => faults.lost = number(value)?,
                Some(("wrong", value)) => faults.wrong = number(value)?,
                _ => {
                    return Err(format!(
                        "{VARIABLE}: `{word}` is none of nodevice, cuda=N, lost=N and wrong=N"
                    ));
                }
            }
        }
        Ok(faults)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_words() {
        let expected = Faults { no_device: true, cuda: Some(12_000), lost: Some(100), wrong: Some(7) };
        assert_eq!("nodevice cuda=12000 lost=100 wrong=7".parse(), Ok(expected));
        assert_eq!("".parse(), Ok(Faults::default()));
        for text in ["lost", "wrong=0", "lost=x", "nodevice=1", "late=3"] {
            let error = text.parse::<Faults>().unwrap_err();
            assert!(error.contains(text), "{error}");
        }
    }
}
