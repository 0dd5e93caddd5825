//! The definitions as a subject: their circuits, evaluated on numbers.

use assay_isa::effect::Lanes;
use assay_isa::{Answer, BackendError, Batch, EncodingTable, Readings, Subject, codec};
use assay_isa::{Effects, Erratum};

use super::{Definition, define, width};
use crate::graph::{Bit, Evaluation, Graph, LANES};

/// Executes instructions by evaluating their definitions. Instructions without a definition are
/// unsupported.
pub struct Circuits {
    numbers: EncodingTable,
    readings: Readings,
    /// The instruction that was executed last, because batches of one instruction follow each
    /// other.
    last: Option<(u128, Option<Circuit>)>,
    evaluation: Evaluation,
}

/// A definition in a graph of its own.
struct Circuit {
    graph: Graph,
    definition: Definition,
}

/// What one evaluation of 64 lanes found: for each signal, a column of words.
struct Columns {
    written: Vec<Vec<bool>>,
    values: Vec<Vec<u32>>,
    undefined: Vec<(usize, Erratum)>,
}

impl Circuits {
    /// Returns the definitions under some readings.
    pub fn new(numbers: EncodingTable, readings: Readings) -> Circuits {
        Circuits { numbers, readings, last: None, evaluation: Evaluation::default() }
    }

    fn prepare(&mut self, word: u128) -> Result<(), BackendError> {
        if self.last.as_ref().is_some_and(|(last, _)| *last == word) {
            return Ok(());
        }
        let instruction = codec::decode(word, &self.numbers)?;
        let mut graph = Graph::default();
        let definition = define(&mut graph, &instruction, &self.readings, |graph, location| {
            graph.input_word(width(location))
        });
        self.last = Some((word, definition.map(|definition| Circuit { graph, definition })));
        Ok(())
    }
}

impl Subject for Circuits {
    fn name(&self) -> &str {
        "circuit"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        effects.reset(batch.len());
        self.prepare(batch.word())?;
        let Some((_, Some(circuit))) = &self.last else { return Ok(Answer::Unsupported) };
        let columns = circuit.run(batch, &mut self.evaluation)?;
        let outputs = circuit.definition.outputs.iter();
        for ((output, written), values) in outputs.zip(columns.written).zip(columns.values) {
            // A location that no lane writes gets no column.
            if written.contains(&true) {
                effects.write(output.location, Lanes::from(written)).copy_from_slice(&values);
            }
        }
        for (lane, erratum) in columns.undefined {
            effects.undefine(lane, erratum);
        }
        Ok(Answer::Known)
    }
}

impl Circuit {
    /// Evaluates all lanes of a batch.
    fn run(&self, batch: &Batch, evaluation: &mut Evaluation) -> Result<Columns, BackendError> {
        let inputs = self
            .definition
            .inputs
            .iter()
            .map(|(location, _)| batch.column(*location).ok_or(BackendError::MissingLocation(*location)));
        let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
        let count = self.definition.outputs.len();
        let mut columns = Columns {
            written: vec![Vec::new(); count],
            values: vec![Vec::new(); count],
            undefined: Vec::new(),
        };
        let mut bits = Vec::with_capacity(self.graph.inputs());
        for first in (0..batch.len()).step_by(LANES) {
            let lanes = LANES.min(batch.len() - first);
            bits.clear();
            for ((location, _), column) in self.definition.inputs.iter().zip(&inputs) {
                transpose(&column[first..first + lanes], width(*location), &mut bits);
            }
            evaluation.run(&self.graph, &bits);
            self.collect(evaluation, first, lanes, &mut columns);
        }
        Ok(columns)
    }

    fn collect(&self, evaluation: &Evaluation, first: usize, lanes: usize, columns: &mut Columns) {
        let is_one = |bit: Bit, lane: usize| evaluation.bit(bit) >> lane & 1 == 1;
        for (place, output) in self.definition.outputs.iter().enumerate() {
            columns.written[place].extend((0..lanes).map(|lane| is_one(output.written, lane)));
            columns.values[place].extend((0..lanes).map(|lane| output.value.value(evaluation, lane) as u32));
        }
        for lane in 0..lanes {
            // One erratum is enough to know that nothing is demanded.
            let found = self.definition.undefined.iter().find(|(_, bit)| is_one(*bit, lane));
            columns.undefined.extend(found.map(|(erratum, _)| (first + lane, *erratum)));
        }
    }
}

/// Appends the bits of a column of up to 64 values: one word for each of `width` places.
fn transpose(column: &[u32], width: usize, bits: &mut Vec<u64>) {
    for place in 0..width {
        let lanes = column.iter().enumerate();
        bits.push(lanes.map(|(lane, value)| u64::from(value >> place & 1) << lane).sum());
    }
}
