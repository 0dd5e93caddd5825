//! The options that set the required share of judged lanes, and the text about these shares.

use assay_engine::stats::judged::JudgedShare;
use assay_isa::shown::plural;
use assay_records::RunDemands;
use clap::Args;

/// The options that let named optypes, forms or functions pass although too few lanes were judged.
#[derive(Args, Clone, Default)]
pub struct Allow {
    /// Optypes, forms or (in a sweep) functions that pass with few or no judged lanes, such as
    /// 'POPC_*'. Repeatable.
    #[arg(long, value_name = "GLOB")]
    allow_unjudged: Vec<String>,
    /// Optypes, forms or (in a sweep) functions that the subject may lack. A device of protocol
    /// version 1 may list them and answer `unsupported`. --only may name them even if no case of
    /// them is drawn. Repeatable.
    #[arg(long, value_name = "GLOB")]
    allow_undeclared: Vec<String>,
}

impl Allow {
    /// Returns the demands of a run, with the exceptions that these options list.
    pub fn lowered(&self) -> RunDemands {
        RunDemands {
            allow_unjudged: self.allow_unjudged.iter().cloned().collect(),
            allow_undeclared: self.allow_undeclared.iter().cloned().collect(),
            ..RunDemands::default()
        }
    }
}

/// The options that set the required share of judged lanes of a run, and the exceptions from it.
#[derive(Args, Clone, Default)]
pub struct RequiredShares {
    #[command(flatten)]
    allow: Allow,
    /// Fail if less than this percentage of a form or of a function was judged, such as 99%. SIN and
    /// COS have no bound beyond 100 pi in the profiles intended and literal, and are not judged there.
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent)]
    require_judged: Option<u8>,
}

impl RequiredShares {
    /// Returns the demands of a run, with the required share and the exceptions.
    pub fn lowered(&self) -> RunDemands {
        RunDemands { require_judged: self.require_judged, ..self.allow.lowered() }
    }
}

/// Reads a percentage such as `99%`, with or without the sign.
fn parse_percent(text: &str) -> Result<u8, String> {
    let digits = text.strip_suffix('%').unwrap_or(text).trim_end();
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    let percent = digits.parse().ok().filter(|percent| is_number && *percent <= 100);
    percent.ok_or_else(|| "write a whole percentage from 0% to 100%, such as 99%".to_owned())
}

/// Returns text about the judged shares. It names the lowest shares below 100 %, and the forms that
/// were allowed to be unjudged.
pub fn text(shares: &[JudgedShare]) -> String {
    let (lanes, judged) = shares.iter().fold((0, 0), |(l, j), one| (l + one.lanes, j + one.judged));
    let percent = |judged: u64, lanes: u64| 100.0 * judged as f64 / lanes.max(1) as f64;
    let mut text = format!("judged: {:.2} % of {}", percent(judged, lanes), plural(lanes, "lane", "lanes"));
    let mut asked: Vec<&JudgedShare> = shares.iter().filter(|one| one.least > 0).collect();
    asked.sort_by(|a, b| a.share().total_cmp(&b.share()));
    let low: Vec<String> = asked
        .iter()
        .filter(|one| one.judged < one.asked())
        .take(LOWEST)
        .map(|one| {
            format!("{} {:.2} % (at least {} %)", one.name, percent(one.judged, one.asked()), one.least)
        })
        .collect();
    if !low.is_empty() {
        text += &format!("; lowest {}", low.join(", "));
    }
    let unsupported: u64 = shares.iter().map(|one| one.unsupported).sum();
    if unsupported > 0 {
        text += &format!(
            "\n  shares are of supported lanes: {unsupported} have operands that an implementation does not support"
        );
    }
    let names = |which: &dyn Fn(&JudgedShare) -> bool| {
        let names: Vec<&str> = shares.iter().filter(|one| which(one)).map(|one| one.name.as_str()).collect();
        names.join(" ")
    };
    let idle = names(&|one| one.least == 0 && one.judged == 0);
    if !idle.is_empty() {
        text += &format!("\n  allowed to be unjudged, and so they are: {idle}");
    }
    let nothing = names(&|one| one.unsupported > 0 && one.asked() == 0);
    if !nothing.is_empty() {
        text += &format!("\n  drawn, and no lane of them is supported: {nothing}");
    }
    text + "\n"
}

/// Number of low shares that the text names.
const LOWEST: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_is_whole_and_at_most_a_hundred() {
        for (text, expected) in [
            ("99%", Some(99)),
            ("99", Some(99)),
            ("99 %", Some(99)),
            ("0%", Some(0)),
            ("100%", Some(100)),
            ("101%", None),
            ("99.5%", None),
            ("-1", None),
            ("+5", None),
            ("%", None),
            ("", None),
            ("300", None),
        ] {
            assert_eq!(parse_percent(text).ok(), expected, "{text}");
        }
    }
}
