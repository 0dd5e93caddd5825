//! Contracts: what a result must satisfy.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use assay_isa::shown::quoted;
use serde::Deserialize;

use crate::clauses::{Clauses, Relations, Signs};
use crate::limit::{Interval, Limit};
use crate::text::Parsed;

/// The unit in which the distance between a result and the true value is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// The difference in units in the last place (ulp) of the true value.
    Ulp,
    /// The difference itself, without a scale.
    Absolute,
    /// The difference divided by the true value's magnitude. A difference of half the distance
    /// between subnormals is always allowed.
    Relative,
}

impl Metric {
    /// Returns the name used in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Ulp => "ulp",
            Metric::Absolute => "absolute",
            Metric::Relative => "relative",
        }
    }
}

/// The largest allowed distance from the true value, for arguments in an interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The arguments to which the bound applies. `None` means all arguments.
    pub interval: Option<Interval>,
    /// The unit of the distance.
    pub metric: Metric,
    /// The limit.
    pub limit: Limit,
    /// Whether a distance equal to the limit is refused.
    pub is_strict: bool,
    /// The limit as the profile writes it.
    pub written: String,
}

impl Bound {
    /// Whether the bound applies to an argument.
    pub fn covers(&self, argument: f64) -> bool {
        self.interval.as_ref().is_none_or(|interval| interval.contains(argument))
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.metric {
            Metric::Ulp => write!(f, "{} ulp", self.written)?,
            metric => write!(f, "{} {}", metric.name(), self.written)?,
        }
        self.interval.as_ref().map_or(Ok(()), |interval| write!(f, " on {interval}"))
    }
}

/// Reads the text that [`Display`](fmt::Display) writes. Reports parse the bounds in a result with
/// it.
impl FromStr for Bound {
    type Err = String;

    fn from_str(text: &str) -> Result<Bound, String> {
        let (head, interval) = text.split_once(" on ").map_or((text, None), |(head, on)| (head, Some(on)));
        let problem = || {
            format!("`{}` is no bound; it looks like `1 ulp` or `absolute 2^-22 on (0.5, 2)`", quoted(text))
        };
        let (metric, written) = match head.split_once(' ').ok_or_else(problem)? {
            ("absolute", written) => (Metric::Absolute, written),
            ("relative", written) => (Metric::Relative, written),
            (written, "ulp") => (Metric::Ulp, written),
            _ => return Err(problem()),
        };
        let interval = interval.map(Interval::parsed).transpose()?;
        let (limit, is_strict) = parse_limit(written)?;
        Ok(Bound { interval, metric, limit, is_strict, written: written.to_owned() })
    }
}

/// Reads a limit. The flag is true if a `<` excludes the limit itself.
pub(crate) fn parse_limit(text: &str) -> Result<(Limit, bool), String> {
    match text.strip_prefix('<') {
        Some(limit) => Ok((Limit::parsed(limit)?, true)),
        None => Ok((Limit::parsed(text)?, false)),
    }
}

/// What a result must satisfy.
#[derive(Clone, Debug, PartialEq)]
pub enum Contract {
    /// The exact bits. If the oracle gives a real number and not bits, the bits are that number
    /// rounded to nearest, ties to even.
    BitExact,
    /// The bits that the reference model returns.
    Model,
    /// Any value close enough to the true value.
    Bounded {
        /// At least one bound. The first bound that covers the argument applies. If none covers it,
        /// the error is only measured. The result is then refused only if the function can never
        /// have that value.
        bounds: Arc<[Bound]>,
        /// The demands besides the bounds.
        clauses: Clauses,
    },
}

impl fmt::Display for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contract::BitExact => f.write_str("correctly rounded"),
            Contract::Model => f.write_str("the bits of the model"),
            Contract::Bounded { bounds, clauses } => {
                let mut texts: Vec<_> = bounds.iter().map(Bound::to_string).collect();
                if clauses.signs != Signs::default() {
                    texts.push("signs free".to_owned());
                }
                if clauses.relations != Relations::default() {
                    texts.push(format!("relations {}", clauses.relations));
                }
                f.write_str(&texts.join("; "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_read_back() {
        for text in
            ["1 ulp", "<1 ulp", "3/4 ulp on [1, 2]", "relative 2^-22.9", "absolute 2^-20.5 on [-2pi, 2pi]"]
        {
            assert_eq!(text.parse::<Bound>().unwrap().to_string(), text);
        }
        for text in ["", "no bound", "<< ulp", "< ulp", "1", "ulp", "about 2^-22", "absolute 2^-22 on 1"] {
            assert!(text.parse::<Bound>().is_err(), "{text}");
        }
    }
}
