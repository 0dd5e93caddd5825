//! Formats which implementation is to blame for a divergence.

use assay_isa::readings::Switch;
use assay_isa::shown::plural;
use assay_runner::inspect::blame::Blame;

/// Returns a few lines that say which implementation is to blame, and why.
pub fn text(blame: &Blame) -> String {
    let mut text = String::new();
    if let Some(who) = &blame.who {
        text += &format!("blame: {who}\n");
    }
    if let Some(stage) = blame.stage {
        text += &format!("fault in: {stage}\n");
    }
    if let Some(explanation) = &blame.instead {
        let evidence = explanation.evidence;
        let diverged = evidence.explained + evidence.unexplained;
        text += &format!(
            "does instead: {explanation}, in {} of {} around this one",
            evidence.explained,
            plural(diverged, "case", "cases")
        );
        text += &match evidence.elsewhere {
            0 => "\n".to_owned(),
            n => format!("; {n} more diverge where that changes nothing\n"),
        };
    }
    for (erratum, setting) in &blame.right_under {
        text += &format!(
            "right under {erratum}={setting}: {}\n",
            Switch::of(*erratum).map_or("", |switch| switch.meaning(*setting))
        );
    }
    text
}
