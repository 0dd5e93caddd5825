//! The independent device as a subject, without a shared library.

use assay_independent::{Device, Fault};
use assay_isa::effect::Lanes;
use assay_isa::{Answer, BackendError, Batch, Effects, EncodingTable, Location, Subject, codec};

/// The device as a subject.
pub struct IndependentSubject {
    device: Device,
    numbers: EncodingTable,
}

impl IndependentSubject {
    /// Creates the subject, with a fault if one is given. `numbers` is the encoding table of the
    /// batches that the subject gets.
    pub fn new(fault: Option<Fault>, numbers: EncodingTable) -> IndependentSubject {
        IndependentSubject { device: Device::new(fault), numbers }
    }
}

/// Converts a location to the numbers of the C interface. `None` for a location that the device
/// does not know.
fn to_device(location: Location) -> Option<assay_independent::Location> {
    use assay_independent::Location as Theirs;
    Some(match location {
        Location::R(number) => Theirs::r(number.into()),
        Location::UR(number) => Theirs::ur(number.into()),
        Location::P(number) => Theirs::p(number.into()),
        Location::UP(number) => Theirs::up(number.into()),
        Location::C { bank, offset } => Theirs::constant(bank.into(), offset),
        _ => return None,
    })
}

fn from_device(location: assay_independent::Location) -> Location {
    use assay_independent::Location as Theirs;
    let number = location.index as u8;
    match location.space {
        Theirs::R => Location::R(number),
        Theirs::UR => Location::UR(number),
        Theirs::P => Location::P(number),
        Theirs::UP => Location::UP(number),
        space => unreachable!("the device writes to space {space}"),
    }
}

impl Subject for IndependentSubject {
    fn name(&self) -> &str {
        "independent"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        effects.reset(batch.len());
        // The device knows only the provisional encoding table, so the word is encoded again.
        let Ok(instruction) = codec::decode(batch.word(), &self.numbers) else {
            return Ok(Answer::Unsupported);
        };
        let Some(locations) = batch.locations().iter().map(|l| to_device(*l)).collect::<Option<Vec<_>>>()
        else {
            return Ok(Answer::Unsupported);
        };
        let theirs = assay_independent::Batch {
            word: codec::encode(&instruction, EncodingTable::provisional()),
            lanes: batch.len(),
            locations: &locations,
            values: batch.values(),
        };
        let Some(columns) = self.device.run(&theirs) else { return Ok(Answer::Unsupported) };
        for column in columns {
            let written = match column.written {
                None => Lanes::All,
                Some(written) => Lanes::Some(written.iter().map(|written| *written != 0).collect()),
            };
            effects.write(from_device(column.location), written).copy_from_slice(&column.values);
        }
        Ok(Answer::Known)
    }
}
