//! The options that allow exceptions by name, and the text about judged shares.

use assay_engine::stats::judged::JudgedShare;
use assay_isa::shown::plural;
use clap::Args;

pub use assay_runner::shares::Shares;

/// The options that allow too few judged lanes.
#[derive(Args, Clone, Default)]
pub struct Allow {
    /// Optypes, forms or (in a sweep) functions of which few lanes or none need to be judged, such
    /// as 'POPC_*'. Repeatable.
    #[arg(long, value_name = "GLOB")]
    allow_unjudged: Vec<String>,
    /// Optypes, forms or (in a sweep) functions that a device of protocol version 1 may leave
    /// unsupported without having declared so, and that --only may name although nothing of them is
    /// drawn. Repeatable.
    #[arg(long, value_name = "GLOB")]
    allow_undeclared: Vec<String>,
}

impl Allow {
    /// What the options allow.
    pub fn lowered(&self) -> assay_runner::shares::Allow {
        assay_runner::shares::Allow {
            unjudged: self.allow_unjudged.clone(),
            undeclared: self.allow_undeclared.clone(),
        }
    }
}

/// A line for people: the lowest shares of forms with a demand, and the forms without one.
pub fn text(shares: &Shares) -> String {
    let (lanes, judged) = shares.0.iter().fold((0, 0), |(l, j), one| (l + one.lanes, j + one.judged));
    let percent = |judged: u64, lanes: u64| 100.0 * judged as f64 / lanes.max(1) as f64;
    let mut text = format!("judged: {:.2} % of {}", percent(judged, lanes), plural(lanes, "lane", "lanes"));
    let mut asked: Vec<&JudgedShare> = shares.0.iter().filter(|one| one.least > 0).collect();
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
    let unsupported: u64 = shares.0.iter().map(|one| one.unsupported).sum();
    if unsupported > 0 {
        text += &format!(
            "\n  shares are of supported lanes: {unsupported} have operands that an implementation does not support"
        );
    }
    let names = |which: &dyn Fn(&JudgedShare) -> bool| {
        let names: Vec<&str> =
            shares.0.iter().filter(|one| which(one)).map(|one| one.name.as_str()).collect();
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

/// Shares that are shown.
const LOWEST: usize = 3;
