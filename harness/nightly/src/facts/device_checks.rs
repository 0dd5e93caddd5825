//! The facts about a stage that executes `dut check`.

use std::collections::BTreeMap;

use assay_device::check::WrongInstruction;
use assay_isa::shown::{line, plural, quoted};

use super::{CHECK, SeenSignature, StageFacts, one_way};
use crate::known_issues::in_lanes;
use crate::printed::DeviceCheck;

/// Maximum number of wrong instructions that the failure of an optype describes.
const QUOTED: usize = 3;

impl StageFacts {
    /// Takes the output of `dut check`. Each failed check becomes a signature with the name of the
    /// check. The check of values becomes a signature for each optype with a wrong result.
    pub(super) fn take_checks(&mut self, checks: Vec<DeviceCheck>) {
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
                    self.seen.extend(wrong_optypes(&signature, &wrong));
                    // Older lists of known issues have one signature for all optypes.
                    self.passed.insert(signature);
                }
                "ok" => drop(self.passed.insert(signature)),
                _ => {}
            }
        }
    }
}

/// Returns the signature of the check of values for an optype.
fn of_optype(check: &str, optype: &str) -> String {
    format!("{check}, {optype}")
}

/// Returns a signature for each optype with wrong results. Each kind of error of an instruction is a
/// way of its own.
fn wrong_optypes(check: &str, wrong: &[WrongInstruction]) -> Vec<SeenSignature> {
    let mut optypes: BTreeMap<&str, Vec<&WrongInstruction>> = BTreeMap::new();
    wrong.iter().for_each(|one| optypes.entry(&one.optype).or_default().push(one));
    let of = |(optype, wrong): (&str, Vec<&WrongInstruction>)| {
        let ways = wrong.iter().flat_map(|one| {
            let way = |kind: &str, mask: &str| in_lanes(&format!("{}, {kind}", one.instruction), mask);
            one.kinds.iter().map(move |(kind, mask)| (way(kind, mask), None))
        });
        let texts: Vec<String> = wrong.iter().take(QUOTED).map(|one| line(&text(one)).into_owned()).collect();
        let more = match wrong.len().saturating_sub(QUOTED) {
            0 => String::new(),
            more => format!("; and {}", plural(more, "other instruction", "other instructions")),
        };
        SeenSignature {
            detail: Some(format!("wrong results: {}{more}", texts.join("; "))),
            ways: ways.collect(),
            ..SeenSignature::named(of_optype(check, optype))
        }
    };
    optypes.into_iter().map(of).collect()
}

fn text(wrong: &WrongInstruction) -> String {
    let WrongInstruction { instruction, lanes, first, .. } = wrong;
    format!("{instruction}, {}, first {first}", plural(*lanes, "lane", "lanes"))
}
