//! Faults injected by an environment variable, to test how a failing device affects a campaign.

use std::str::FromStr;

/// The environment variable that selects faults.
pub const VARIABLE: &str = "ASSAY_STAND_IN";

/// The selected faults, from words such as `lost=100 wrong=7`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// `nodevice`: the driver has no device.
    pub no_device: bool,
    /// `cuda=N`: the driver reports another CUDA version, such as 12000 for 12.0.
    pub cuda: Option<u64>,
    /// `lost=N`: the Nth kernel, counted from 1, fails and loses the device.
    pub lost: Option<u64>,
    /// `wrong=N`: after every Nth kernel, the lowest bit of its first output word is flipped.
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
