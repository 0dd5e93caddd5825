//! `assay dut serve`: any subject as a device, on standard input and output.

use std::io::{BufReader, BufWriter};

use assay_device::protocol::{Ftz, Hello, OLDEST, PROTOCOL, Welcome};
use assay_device::{Framing, declaration, serve};
use assay_engine::generate::Scope;
use assay_engine::generate::domain;
use assay_isa::{Answer, Batch, Effects, Form, Instruction, Subject, codec, legality};
use assay_vectors::Profile;
use clap::Args;

use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::voices::{Voice, fingerprint, parse_voice};

/// Speak the protocol of a device for a subject, on standard input and output.
///
/// So another version of assay can be a device: --against 'exec:old/assay dut serve model'. And a library that might
/// crash can have a process of its own: --subject 'exec:assay dut serve lib:./device.so'.
///
/// The subject follows the readings of who asks. A --reading given here stands above them, so that a device which follows
/// another one can be tried out.
#[derive(Args)]
pub struct Serve {
    /// Who answers: model, lib:PATH, mutant:FAULT, apfloat, host or core-math.
    #[arg(value_parser = parse_voice)]
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

    /// The subject under the readings of the host and those of the command line, and what it is.
    fn open(&self, context: &Context, hello: &Hello) -> Result<(Welcome, Box<dyn Subject>), String> {
        let own = fingerprint(&context.numbers);
        if hello.numbers != own {
            return Err(format!("the host's table of numbers is {}, this one is {own}", hello.numbers));
        }
        let mut profile = Profile { name: hello.profile.clone(), ..context.profile.clone() };
        for (erratum, setting) in &hello.readings {
            profile.set_reading(&format!("{erratum}={setting}")).map_err(|e| e.to_string())?;
        }
        for (erratum, setting) in context.overrides.iter() {
            profile.set_reading(&format!("{erratum}={setting}")).map_err(|e| e.to_string())?;
        }
        let mut subject = self.subject.subject(&context.numbers, &profile);
        let stated = self.stated(context, subject.as_mut())?;
        let (protocol, optypes, modes) = match (hello.protocols.contains(&PROTOCOL), stated) {
            (true, Stated::Modes(modes)) => (PROTOCOL, Vec::new(), modes.list()),
            (false, Stated::Modes(modes)) => (OLDEST, modes.optypes(), Vec::new()),
            (_, Stated::Optypes(optypes)) => (OLDEST, optypes, Vec::new()),
        };
        let welcome = Welcome {
            protocol,
            name: subject.name().to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            optypes,
            modes,
            profile: Some(profile.name),
            ftz: Some(Ftz::Modifier),
            framing: Framing::Json,
        };
        Ok((welcome, subject))
    }

    /// What the subject states to support. A device behind it that declares no modes has none declared in its place, and
    /// neither has a voice of `assay` that supports a mode with some operands only: a mode is declared for all of them.
    fn stated(&self, context: &Context, subject: &mut dyn Subject) -> Result<Stated, String> {
        let supported = Modes::of(context, subject)?;
        Ok(match &self.subject {
            Voice::Device(plug) => match plug.welcome() {
                Some(welcome) if welcome.protocol == OLDEST => Stated::Optypes(welcome.optypes.clone()),
                _ => Stated::Modes(supported),
            },
            _ if supported.depends_on_operands => Stated::Optypes(supported.optypes()),
            _ => Stated::Modes(supported),
        })
    }
}

/// What a subject states to support.
enum Stated {
    Modes(Modes),
    Optypes(Vec<String>),
}

/// What a subject supports.
struct Modes {
    /// The modes of each form: those that it does not support with every choice of operands that is tried, and those that
    /// it does.
    forms: Vec<(&'static Form, [Vec<String>; 2])>,
    /// The optypes of which it supports a mode with some operands.
    optypes: Vec<&'static str>,
    /// Whether it supports a mode with some operands and not with others.
    depends_on_operands: bool,
}

impl Modes {
    /// Asks a subject with batches without lanes.
    fn of(context: &Context, subject: &mut dyn Subject) -> Result<Modes, String> {
        let mut modes = Modes { forms: Vec::new(), optypes: Vec::new(), depends_on_operands: false };
        let mut effects = Effects::default();
        for mode in Scope::everything().modes() {
            let legal = |one: &Instruction| legality::check(one).is_ok();
            let (mut all, mut any) = (true, false);
            for instruction in domain::with_operands(mode).filter(legal) {
                let word = codec::encode(&instruction, &context.numbers);
                let batch = Batch::new(word, &instruction.reads(), 0);
                let answer = subject.execute(&batch, &mut effects).map_err(|e| e.to_string())?;
                all &= answer == Answer::Known;
                any |= answer == Answer::Known;
            }
            modes.depends_on_operands |= any && !all;
            let optype = mode.form().optype.name;
            if any && modes.optypes.last() != Some(&optype) {
                modes.optypes.push(optype);
            }
            let forms = &mut modes.forms;
            if forms.last().is_none_or(|(form, _)| form.name != mode.form().name) {
                forms.push((mode.form(), Default::default()));
            }
            let [.., of_form, _] = declaration::names(mode);
            forms.last_mut().expect("it was just pushed").1[usize::from(all)].push(of_form);
        }
        Ok(modes)
    }

    /// The patterns that cover them, and nothing else.
    fn list(&self) -> Vec<String> {
        let mut list = Vec::new();
        for forms in self.forms.chunk_by(|(a, _), (b, _)| a.optype.name == b.optype.name) {
            if forms.iter().all(|(_, [without, _])| without.is_empty()) {
                list.push(forms[0].0.optype.name.to_owned());
                continue;
            }
            for (form, [without, with]) in forms {
                match (without.len(), with.len()) {
                    (0, _) => list.push(form.name.to_owned()),
                    (without_count, with_count) if without_count < with_count => {
                        list.push(form.name.to_owned());
                        list.extend(without.iter().map(|mode| format!("!{mode}")));
                    }
                    _ => list.extend(with.iter().cloned()),
                }
            }
        }
        list
    }

    /// The optypes of which a mode is supported with some operands.
    fn optypes(&self) -> Vec<String> {
        self.optypes.iter().map(|name| (*name).to_owned()).collect()
    }
}
