//! `assay dut serve`: any subject as a device, on standard input and output.

use std::io::{BufReader, BufWriter};

use assay_device::protocol::{Ftz, Hello, PROTOCOL, Welcome};
use assay_device::{Framing, serve};
use assay_isa::{Answer, Batch, Effects, Subject, codec};
use assay_vectors::Profile;
use clap::Args;

use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::voices::{Voice, fingerprint};

/// Speak the protocol of a device for a subject, on standard input and output.
///
/// So another version of assay can be a device: --against 'exec:old/assay dut serve model'. And a library that might
/// crash can have a process of its own: --subject 'exec:assay dut serve lib:./device.so'.
#[derive(Args)]
pub struct Serve {
    /// Who answers: model, lib:PATH, mutant:FAULT, apfloat, host or core-math.
    subject: Voice,
}

impl Serve {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        let open = |hello: &Hello| self.open(context, hello);
        let (input, output) = (BufReader::with_capacity(1 << 16, std::io::stdin()), std::io::stdout());
        serve::serve(open, input, BufWriter::with_capacity(1 << 16, output))
            .map_err(|e| Failure::input(format!("the protocol on standard input: {e}")))?;
        Ok(Status::Held)
    }

    /// The subject under the readings of the host, and what it is.
    fn open(&self, context: &Context, hello: &Hello) -> Result<(Welcome, Box<dyn Subject>), String> {
        let own = fingerprint(&context.numbers);
        if hello.numbers != own {
            return Err(format!("the host's table of numbers is {}, this one is {own}", hello.numbers));
        }
        let mut profile = Profile { name: hello.profile.clone(), ..context.profile.clone() };
        for (erratum, setting) in &hello.readings {
            profile.set_reading(&format!("{erratum}={setting}")).map_err(|e| e.to_string())?;
        }
        let mut subject = self.subject.subject(&context.numbers, &profile);
        let welcome = Welcome {
            protocol: PROTOCOL,
            name: subject.name().to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            optypes: optypes(context, subject.as_mut())?,
            profile: Some(profile.name),
            ftz: Some(Ftz::Modifier),
            framing: Framing::Json,
        };
        Ok((welcome, subject))
    }
}

/// The optypes of which the subject implements something, asked with batches without lanes.
fn optypes(context: &Context, subject: &mut dyn Subject) -> Result<Vec<String>, String> {
    let mut list: Vec<String> = Vec::new();
    let mut effects = Effects::default();
    for mode in assay_engine::generate::Scope::everything().modes() {
        if list.last().is_some_and(|last| last == mode.optype()) {
            continue;
        }
        let legal = |one: &assay_isa::Instruction| assay_isa::legality::check(one).is_ok();
        for instruction in assay_engine::domain::with_operands(mode).filter(legal) {
            let batch = Batch::new(codec::encode(&instruction, &context.numbers), &instruction.reads(), 0);
            if subject.execute(&batch, &mut effects).map_err(|e| e.to_string())? == Answer::Known {
                list.push(mode.optype().to_owned());
                break;
            }
        }
    }
    list.dedup();
    Ok(list)
}
