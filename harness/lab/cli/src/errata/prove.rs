//! `assay-lab errata prove`: proves with the witnesses that no two settings of a switch are
//! equivalent.

use assay_isa::readings::Switch;
use assay_records::commands::errata::{ProofOutput, ProveOutput};
use assay_runner::errata::prove::{Proof, prove};
use clap::Args;

use crate::schema::print_output;
use assay_cli::commands::errata::Source;
use assay_cli::context::Context;
use assay_cli::failure::{ExitStatus, Failure};
use assay_cli::output;

/// Prove that the witnesses distinguish all settings of each switch.
///
/// The model and the oracle must both give the results that each witness expects. For each pair of
/// settings of a switch, two witnesses with the same instruction, inputs and other readings must
/// expect different results.
///
/// Exit status 1 means that an erratum is not proved. The output gives the first reason for each
/// such erratum, and --format json gives all reasons. Witnesses are written for the profile that
/// their file names. Under another --profile, some witnesses may fail.
#[derive(Args)]
pub struct Prove {
    /// Errata such as E053, and conventions such as C001. The default is all that have a switch.
    errata: Vec<String>,
    #[command(flatten)]
    source: Source,
}

impl Prove {
    /// Runs the command.
    pub(crate) fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let witnesses = self.source.witnesses(context)?;
        let proofs = prove(context, &self.errata, &witnesses)?;
        if context.json {
            print_output(&prove_output(&proofs))?
        } else {
            output::print(&proofs_page(&proofs))?
        }
        Ok(ExitStatus::of(proofs.iter().all(Proof::holds)))
    }
}

fn proof_output(proof: &Proof) -> ProofOutput {
    ProofOutput {
        erratum: proof.switch.erratum.to_string(),
        settings: proof.settings(),
        witnesses: proof.witnesses,
        proved: proof.holds(),
        failures: proof.gaps.clone(),
    }
}

/// Returns one line about a proof. If the proof has gaps, the line describes the first gap.
fn line(proof: &Proof) -> String {
    let Proof { switch: Switch { erratum, .. }, witnesses, gaps } = proof;
    match &gaps[..] {
        [] => format!("{erratum}  proved      {} settings, {witnesses} witnesses\n", proof.settings()),
        [gap] => format!("{erratum}  NOT PROVED  {gap}\n"),
        [gap, more @ ..] => format!("{erratum}  NOT PROVED  {gap}; and {} more\n", more.len()),
    }
}

/// Returns the numbers of switches, of settings, of witnesses, and of proofs that hold.
fn totals(proofs: &[Proof]) -> [usize; 4] {
    let settings = proofs.iter().map(Proof::settings).sum();
    let witnesses = proofs.iter().map(|p| p.witnesses).sum();
    [proofs.len(), settings, witnesses, proofs.iter().filter(|p| p.holds()).count()]
}

fn prove_output(proofs: &[Proof]) -> ProveOutput {
    let [switches, settings, witnesses, proved] = totals(proofs);
    let failures =
        |p: &Proof| p.gaps.iter().map(|gap| format!("{} {gap}", p.switch.erratum)).collect::<Vec<_>>();
    ProveOutput {
        switches,
        settings,
        witnesses,
        proved,
        failures: proofs.iter().flat_map(failures).collect(),
        errata: proofs.iter().map(proof_output).collect(),
    }
}

fn proofs_page(proofs: &[Proof]) -> String {
    let [switches, settings, witnesses, proved] = totals(proofs);
    let lines: String = proofs.iter().map(line).collect();
    format!("{lines}{switches} switches, {settings} settings, {witnesses} witnesses: {proved} proved\n")
}
