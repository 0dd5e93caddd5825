//! Serves any subject as a device, on standard input and output.

use std::io::{BufRead, Write};

use assay_device::protocol::{Ftz, Hello, HelloReply, OLDEST, PROTOCOL};
use assay_device::{Framing, declaration};
use assay_engine::generate::Scope;
use assay_engine::generate::domain;
use assay_isa::{Answer, Batch, Effects, Form, Instruction, Subject, codec, legality};
use assay_vectors::Profile;

use crate::context::Context;
use crate::error::RunError;
use crate::subjects::SubjectName;

/// Serves a subject as a device, by the device protocol.
///
/// The subject follows the readings that the host sends. Readings that the command line sets take
/// precedence.
pub fn serve(
    context: &Context,
    subject: &SubjectName,
    input: impl BufRead,
    output: impl Write,
) -> Result<(), RunError> {
    let server = Server { implementation: subject, context };
    assay_device::serve::serve(|hello| server.open(hello), input, output)
        .map_err(|e| RunError::input(format!("the protocol on standard input: {e}")))
}

/// A subject that is served as a device.
struct Server<'a> {
    implementation: &'a SubjectName,
    context: &'a Context,
}

impl Server<'_> {
    /// Returns the subject under the readings of the host and of the command line, with its reply
    /// to the hello.
    fn open(&self, hello: &Hello) -> Result<(HelloReply, Box<dyn Subject>), String> {
        let context = self.context;
        let own = context.numbers.fingerprint();
        if hello.numbers != own {
            return Err(format!("the host's encoding table is {}, this one is {own}", hello.numbers));
        }
        let mut profile = Profile { name: hello.profile.clone(), ..context.profile.clone() };
        for (erratum, setting) in &hello.readings {
            profile.set_reading(&format!("{erratum}={setting}")).map_err(|e| e.to_string())?;
        }
        for (erratum, setting) in context.overrides.iter() {
            profile.set_reading(&format!("{erratum}={setting}")).map_err(|e| e.to_string())?;
        }
        let mut subject = self.implementation.subject(&context.numbers, &profile);
        let stated = self.stated(subject.as_mut())?;
        let (protocol, optypes, modes) = match (hello.protocols.contains(&PROTOCOL), stated) {
            (true, Stated::Modes(modes)) => (PROTOCOL, Vec::new(), modes.list()),
            (false, Stated::Modes(modes)) => (OLDEST, modes.optypes(), Vec::new()),
            (_, Stated::Optypes(optypes)) => (OLDEST, optypes, Vec::new()),
        };
        let reply = HelloReply {
            protocol,
            name: subject.name().to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            optypes,
            modes,
            profile: Some(profile.name),
            ftz: Some(Ftz::Modifier),
            framing: Framing::Json,
        };
        Ok((reply, subject))
    }

    /// Returns the declaration for the subject: modes or optypes. A declared mode must be supported
    /// with all operands. So only optypes are declared if the subject is a device that declares no
    /// modes, or if it supports some mode with some operands only.
    fn stated(&self, subject: &mut dyn Subject) -> Result<Stated, String> {
        let supported = Modes::of(self.context, subject)?;
        Ok(match self.implementation {
            SubjectName::Device(pool) => match pool.hello_reply() {
                Some(reply) if reply.protocol == OLDEST => Stated::Optypes(reply.optypes.clone()),
                _ => Stated::Modes(supported),
            },
            _ if supported.depends_on_operands => Stated::Optypes(supported.optypes()),
            _ => Stated::Modes(supported),
        })
    }
}

/// What a subject declares to support.
enum Stated {
    Modes(Modes),
    Optypes(Vec<String>),
}

/// The modes that a subject supports.
struct Modes {
    /// The modes of each form in two lists. The first has the modes that are unsupported with at
    /// least one of the tried operands. The second has the modes that are supported with all tried
    /// operands.
    forms: Vec<(&'static Form, [Vec<String>; 2])>,
    /// The optypes with a mode that is supported with at least one of the tried operands.
    optypes: Vec<&'static str>,
    /// Whether some mode is supported with some operands and not with others.
    depends_on_operands: bool,
}

impl Modes {
    /// Finds the modes that a subject supports. Executes batches without lanes.
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

    /// Returns patterns that cover exactly the modes that are supported with all tried operands.
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

    /// Returns the optypes with a mode that is supported with at least one of the tried operands.
    fn optypes(&self) -> Vec<String> {
        self.optypes.iter().map(|name| (*name).to_owned()).collect()
    }
}
