//! The facts about a stage that executes `dut check`.

use std::collections::{BTreeMap, BTreeSet};

use assay_device::check::WrongInstruction;
use assay_isa::shown::{argument, line, plural, quoted};

use super::{CHECK, SeenSignature, StageFacts, one_way};
use crate::known_issues::in_lanes;
use crate::printed::DeviceCheck;

/// The outcome of a check that was not executed, because an earlier check failed.
const UNTRIED: &str = "untried";
/// Maximum number of wrong instructions that the failure of an optype describes.
const QUOTED: usize = 3;

impl StageFacts {
    /// Takes the output of `dut check`. Each failed check becomes a signature with the name of the
    /// check. A check that lists instructions becomes a signature for each optype.
    pub(super) fn take_checks(&mut self, checks: Vec<DeviceCheck>, subject: &str) {
        let untried = checks.iter().filter(|check| check.outcome == UNTRIED);
        let untried: Vec<&str> = untried.map(|check| check.check.as_str()).collect();
        let signature = format!("{CHECK}checks are not tried");
        if untried.is_empty() {
            self.passed.insert(signature);
        } else {
            let detail = untried.join("; ");
            let ways = one_way(&signature, &detail);
            self.seen.push(SeenSignature { detail: Some(detail), ways, ..SeenSignature::named(signature) });
        }
        for DeviceCheck { check, outcome, detail, wrong, right } in checks {
            let signature = format!("{CHECK}{check}");
            self.passed.extend(right.iter().map(|optype| of_optype(&signature, optype)));
            match outcome.as_str() {
                "failed" if wrong.is_empty() => {
                    let ways = one_way(&signature, &detail);
                    let detail = Some(quoted(&detail));
                    self.seen.push(SeenSignature { detail, ways, ..SeenSignature::named(signature) });
                }
                "failed" => {
                    let options = self.options_of_eval(subject);
                    self.seen.extend(wrong_optypes(&signature, &wrong, &options));
                    // Older lists of known issues have one signature for all optypes.
                    self.passed.insert(signature);
                }
                "ok" => drop(self.passed.insert(signature)),
                _ => {}
            }
        }
    }

    /// Returns the options with which `assay eval` judges as the stage did.
    fn options_of_eval(&self, subject: &str) -> String {
        let setting = &self.setting;
        let mut options = format!(" --subject {}", argument(self.subject(subject)));
        options.extend(setting.profile.iter().map(|name| format!(" --profile {}", argument(name))));
        options.extend(setting.readings.iter().map(|(erratum, n)| format!(" --reading {erratum}={n}")));
        options
    }
}

/// Returns the description of a failure that some instructions share.
pub(crate) fn wrong_results<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    // All kinds of error of one instruction share a text.
    let texts: BTreeSet<&str> = texts.collect();
    let more = match texts.len().saturating_sub(QUOTED) {
        0 => String::new(),
        more => format!("\nand {}", plural(more, "other instruction", "other instructions")),
    };
    let shown: String = texts.iter().take(QUOTED).map(|text| format!("\n{text}")).collect();
    format!("wrong results:{shown}{more}")
}

/// Returns the signature of a check for an optype.
fn of_optype(check: &str, optype: &str) -> String {
    format!("{check}, {optype}")
}

/// Returns a signature for each optype with failing instructions. In it, each kind of error of each
/// instruction is a separate way. `options` are added to the command that evaluates a case again.
fn wrong_optypes(check: &str, wrong: &[WrongInstruction], options: &str) -> Vec<SeenSignature> {
    let mut optypes: BTreeMap<&str, Vec<&WrongInstruction>> = BTreeMap::new();
    wrong.iter().for_each(|one| optypes.entry(&one.optype).or_default().push(one));
    let of = |(optype, wrong): (&str, Vec<&WrongInstruction>)| {
        let of_each = wrong.iter().flat_map(|one| {
            let way = |kind: &str, mask: &str| in_lanes(&format!("{}, {kind}", one.instruction), mask);
            one.kinds.iter().map(move |(kind, mask)| (way(kind, mask), text(one, options)))
        });
        let details: BTreeMap<String, String> = of_each.collect();
        SeenSignature {
            detail: Some(wrong_results(details.values().map(String::as_str))),
            ways: details.keys().map(|way| (way.clone(), None)).collect(),
            details,
            ..SeenSignature::named(of_optype(check, optype))
        }
    };
    optypes.into_iter().map(of).collect()
}

fn text(wrong: &WrongInstruction, options: &str) -> String {
    let WrongInstruction { instruction, lanes, first, eval, .. } = wrong;
    if eval.is_empty() {
        return line(first).into_owned();
    }
    let lanes = plural(*lanes, "lane", "lanes");
    let text = format!("{instruction}, {lanes}, first {first}");
    format!("{}\n  {eval}{options}", line(&text))
}
