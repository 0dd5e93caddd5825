//! `assay-lab certify`: measures the error of the oracle's double-precision filter against MPFR at
//! every argument. With `--check`, tests that the filter of this build gives the certified results.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use assay_mpfr::Function;
use assay_mpfr::filter::certificate::{Certificate, Verification, committed};
use assay_records::commands::certify::{
    CertificateCheck, CertificateOutput, CertifyCheckOutput, CertifyOutput,
};
use assay_runner::certify::{CertifyRequest, compare, functions};
use clap::Args;

use crate::schema::print_output;
use assay_cli::context::Context;
use assay_cli::failure::{ExitStatus, Failure};
use assay_cli::interrupt;
use assay_cli::output;
use assay_cli::program::RunCommand;
use assay_cli::progress::Terminal;

/// Time that the command may take to end after a signal.
const SAVE_WITHIN: Duration = Duration::from_millis(1500);

/// Prove the error bounds of the oracle's double-precision filter.
///
/// MPFR computes the result of a function for every argument once. The certificate records the
/// greatest difference between the results of the filter and of MPFR. The proof of all functions
/// takes hours.
///
/// With --check, the command runs only the filter, not MPFR. It compares digests of the filter's
/// results for all arguments with the digests in the committed certificates. It also makes the
/// checks after which a run trusts a certificate. The check of all functions takes about a minute.
#[derive(Args)]
pub struct Certify {
    /// Functions: rcp, sqrt, rsq, ex2, lg2, tanh, sin, cos, sin-turns, cos-turns. The default is
    /// all of them.
    functions: Vec<String>,
    /// Compare the results of this build on this CPU with the committed certificates.
    #[arg(long, conflicts_with = "out")]
    check: bool,
    /// Folder for the certificates. If the folder has an unfinished proof, the command continues
    /// it.
    #[arg(long, value_name = "DIR", default_value = "certificates")]
    out: PathBuf,
    /// Continue a proof that another build of assay began.
    #[arg(long, conflicts_with = "check")]
    other_build: bool,
}

impl RunCommand for Certify {
    const SAVES: bool = true;

    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let functions = functions(&self.functions)?;
        interrupt::end_within(SAVE_WITHIN);
        if self.check {
            return check(context, &functions);
        }
        let started = Instant::now();
        let request = CertifyRequest { out: self.out.clone(), other_build: self.other_build };
        let Some(list) = request.certify(&functions, &Terminal)? else {
            return Ok(ExitStatus::Interrupted);
        };
        show(context, &list, started.elapsed().as_secs_f64())?;
        Ok(ExitStatus::of(list.iter().all(Certificate::holds)))
    }
}

/// Compares the filter of this build with the certificates that the build contains.
fn check(context: &Context, functions: &[(&'static str, Function)]) -> Result<ExitStatus, Failure> {
    let started = Instant::now();
    let mut entries = Vec::new();
    let mut page = String::new();
    let mut differing = 0;
    for (name, function) in functions {
        let Some(certificate) = committed(name) else {
            page += &format!("{name:10} has no certificate: MPFR does all of it\n");
            entries.push(CertificateCheck {
                function: (*name).to_owned(),
                certified: false,
                blocks: None,
                differing: None,
                refused: None,
            });
            continue;
        };
        let (all, others) = compare(certificate, *function, &Terminal);
        differing += others.len();
        page += &match others.first() {
            None => {
                format!("{name:10} {all} blocks of 2^{} arguments as certified\n", certificate.block_bits)
            }
            Some(first) => {
                let count = others.len();
                format!("{name:10} {count} of {all} blocks are NOT as certified, the first from {first} on\n")
            }
        };
        let refused = match certificate.verify(*function) {
            Verification::Verified(_) => None,
            Verification::Refused(reason) => Some(reason),
        };
        if let Some(reason) = &refused {
            differing += 1;
            page += &format!("{name:10} a run does NOT trust it: {reason}\n");
        }
        entries.push(CertificateCheck {
            function: (*name).to_owned(),
            certified: true,
            blocks: Some(all),
            differing: Some(others),
            refused,
        });
    }
    let seconds = started.elapsed().as_secs_f64();
    if context.json {
        print_output(&CertifyCheckOutput { functions: entries, differing, seconds })?;
    } else {
        output::print(&format!("{page}{seconds:.1} s\n"))?;
    }
    Ok(ExitStatus::of(differing == 0))
}

fn show(context: &Context, list: &[Certificate], seconds: f64) -> Result<(), Failure> {
    if context.json {
        let certificates = list.iter().map(entry).collect();
        return print_output(&CertifyOutput { certificates, seconds });
    }
    let mut page = format!(
        "{:10} {:>7} {:>9} {:>7} {:>14} {:>10}\n",
        "function", "bound", "measured", "margin", "arguments", "undecided"
    );
    for one in list {
        let Certificate { function, bound, worst, arguments, undecided, .. } = one;
        page += &format!(
            "{function:10} {bound:6} u {worst:7.3} u {:7.2} {arguments:14} {undecided:10}{}\n",
            one.margin(),
            if one.holds() { "" } else { "  NOT within its bound" }
        );
    }
    page += &format!("u = 2^-53; {seconds:.1} s\n");
    output::print(&page)
}

fn entry(one: &Certificate) -> CertificateOutput {
    CertificateOutput {
        function: one.function.clone(),
        bound: one.bound,
        measured: one.worst,
        at: one.worst_argument.clone(),
        margin: one.margin(),
        arguments: one.arguments,
        undecided: one.undecided,
        holds: one.holds(),
    }
}
