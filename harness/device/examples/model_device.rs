//! The reference model as a process with the device protocol, for tests and measurements. Users can
//! run `assay dut serve model` instead.

use std::io::{BufReader, BufWriter, stdin, stdout};

use assay_device::protocol::{Framing, Ftz, Hello, HelloReply, PROTOCOL};
use assay_device::serve::serve;
use assay_isa::{EncodingTable, Readings, Subject};

fn main() -> std::io::Result<()> {
    let open = |hello: &Hello| {
        let mut readings = Readings::default();
        for (erratum, setting) in &hello.readings {
            readings.set_from_text(&format!("{erratum}={setting}")).map_err(|e| e.to_string())?;
        }
        let subject: Box<dyn Subject> = assay_model::model(EncodingTable::provisional().clone(), readings);
        let reply = HelloReply {
            protocol: PROTOCOL,
            name: "model".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            optypes: Vec::new(),
            modes: vec!["*".into()],
            profile: Some(hello.profile.clone()),
            ftz: Some(Ftz::Modifier),
            framing: Framing::Json,
        };
        Ok((reply, subject))
    };
    serve(open, BufReader::with_capacity(1 << 16, stdin()), BufWriter::with_capacity(1 << 16, stdout()))
}
