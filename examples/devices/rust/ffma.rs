//! A device under test in Rust: FFMA by `f32::mul_add`, as a process.
//!
//! ```sh
//! cargo build --release -p assay-device --example ffma
//! assay dut check exec:target/release/examples/ffma
//! assay fuzz --subject exec:target/release/examples/ffma --cases 20000000
//! ```
//!
//! A function of your own takes the place of `compute`. `MODES` lists what the device implements:
//! `assay` sends no batch of another mode, and judges each batch of these.

use std::io;

use assay_device::protocol::{Framing, Ftz, Hello, HelloReply, PROTOCOL};
use assay_device::serve::serve;
use assay_isa::effect::Lanes;
use assay_isa::{Answer, BackendError, Batch, Effects, EncodingTable, Operand, Source, Subject, codec};

/// FFMA without `.FTZ` and `.SAT`, rounded to nearest.
const MODES: [&str; 6] = ["FFMA", "!FFMA*.FTZ*", "!FFMA*.SAT*", "!FFMA*.RM*", "!FFMA*.RP*", "!FFMA*.RZ*"];

/// The only NaN that the instruction writes.
const NAN: u32 = 0x7fff_ffff;

/// Returns `a * b + c`, rounded once.
fn compute(a: f32, b: f32, c: f32) -> f32 {
    a.mul_add(b, c)
}

/// The device. It keeps nothing from one batch to the next.
struct Ffma;

impl Subject for Ffma {
    fn name(&self) -> &str {
        "ffma-in-rust"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        effects.reset(batch.len());
        let instruction = codec::decode(batch.word(), EncodingTable::provisional())?;
        let operands: Vec<Operand> = instruction.inputs().collect();
        let guard = instruction.guard();
        let executes = (0..batch.len()).map(|lane| (bits(guard, batch, lane) != 0) != guard.not);
        let written = Lanes::Some(executes.collect());
        // RZ holds nothing, so a result for RZ is written nowhere.
        let Some(location) = instruction.outputs().find_map(|output| output.source.location()) else {
            return Ok(Answer::Known);
        };
        for (lane, result) in effects.write(location, written).iter_mut().enumerate() {
            let value = |nth: usize| float(operands[nth], batch, lane);
            let number = compute(value(0), value(1), value(2));
            *result = if number.is_nan() { NAN } else { number.to_bits() };
        }
        Ok(Answer::Known)
    }
}

/// The bits of an operand in a lane, without its prefixes. RZ reads as 0, and PT as true.
fn bits(operand: Operand, batch: &Batch, lane: usize) -> u32 {
    match (operand.source, operand.source.location()) {
        (Source::Imm(bits), _) => bits,
        (source, None) => u32::from(source.is_predicate()),
        (_, Some(location)) => batch.column(location).map_or(0, |column| column[lane]),
    }
}

/// The number that an operand stands for in a lane: the absolute value comes before the sign.
fn float(operand: Operand, batch: &Batch, lane: usize) -> f32 {
    let number = f32::from_bits(bits(operand, batch, lane));
    let number = if operand.abs { number.abs() } else { number };
    if operand.neg { -number } else { number }
}

/// Describes the device to the host. The reference encoding is the only one that it decodes: a host
/// with another one (`--numbers`) sends words that `execute` refuses or misreads.
fn open(_: &Hello) -> Result<(HelloReply, Box<dyn Subject>), String> {
    let reply = HelloReply {
        protocol: PROTOCOL,
        name: Ffma.name().to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        optypes: Vec::new(),
        modes: MODES.map(str::to_owned).to_vec(),
        profile: None,
        ftz: Some(Ftz::Modifier),
        framing: Framing::Json,
    };
    Ok((reply, Box::new(Ffma)))
}

fn main() -> io::Result<()> {
    serve(open, io::stdin().lock(), io::stdout().lock())
}
