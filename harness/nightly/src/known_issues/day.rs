//! A date: the last day on which a status holds.

use assay_isa::shown::quoted;
use chrono::NaiveDate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A date, as `YYYY-MM-DD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Day(NaiveDate);

impl Day {
    /// Returns today's date in UTC, by the clock of the machine.
    pub fn today() -> Day {
        Day(chrono::DateTime::<chrono::Utc>::from(std::time::SystemTime::now()).date_naive())
    }
}

impl std::str::FromStr for Day {
    type Err = String;

    fn from_str(text: &str) -> Result<Day, String> {
        let day = NaiveDate::parse_from_str(text, "%Y-%m-%d");
        day.map(Day).map_err(|_| format!("`{}` is no day; write one such as 2027-01-31", quoted(text)))
    }
}

impl TryFrom<String> for Day {
    type Error = String;

    fn try_from(text: String) -> Result<Day, String> {
        text.parse()
    }
}

impl std::fmt::Display for Day {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0.format("%Y-%m-%d"))
    }
}

impl From<Day> for String {
    fn from(day: Day) -> String {
        day.to_string()
    }
}
