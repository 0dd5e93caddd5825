//! Converts a case that names its batch into the batches to execute.

use assay_isa::{Batch, EncodingTable, Instruction};

use crate::case::Case;
use crate::error::{ErrorKind, VectorError};
use crate::in_batch::{Earlier, InBatch, Rerun, uniform};
use crate::values::Values;

impl Case {
    /// Returns the batches to execute for a case that names its batch. `None` if the case is
    /// executed alone.
    ///
    /// # Errors
    ///
    /// The errors of [`Case::batch`]. They also apply to the contents of other lanes and earlier
    /// batches.
    pub fn rerun(&self, numbers: &EncodingTable) -> Result<Option<Rerun>, VectorError> {
        let Some(InBatch { lanes, lane, others, before }) = &self.batch else { return Ok(None) };
        let (_, own) = self.batch(numbers)?;
        let mut batch = uniform(&own, *lanes as usize);
        for (other, values) in others {
            fill(&mut batch, *other as usize, &self.with(values).batch(numbers)?.1, self)?;
        }
        let before = before.iter().map(|earlier| self.earlier(earlier, numbers)).collect::<Result<_, _>>()?;
        Ok(Some(Rerun { before, batch, lane: *lane as usize }))
    }

    /// Returns a case with the same instruction, with other inputs, and without an expectation.
    fn with(&self, values: &Values) -> Case {
        let (asm, word) = (self.asm.clone(), self.word);
        Case { name: self.name.clone(), asm, word, inputs: values.clone(), ..Case::default() }
    }

    fn earlier(&self, earlier: &Earlier, numbers: &EncodingTable) -> Result<Batch, VectorError> {
        let lane = |values: &Values| -> Result<(Instruction, Batch), VectorError> {
            let case = Case { asm: Some(earlier.asm.clone()), word: None, ..self.with(values) };
            case.batch(numbers)
        };
        let first = lane(&earlier.lanes[0])?.1;
        let mut batch = uniform(&first, earlier.lanes.len());
        for (place, values) in earlier.lanes.iter().enumerate().skip(1) {
            fill(&mut batch, place, &lane(values)?.1, self)?;
        }
        Ok(batch)
    }
}

/// Copies the batch `one`, which has one lane, into a lane of `batch`.
fn fill(batch: &mut Batch, lane: usize, one: &Batch, case: &Case) -> Result<(), VectorError> {
    if batch.locations() != one.locations() {
        let problem = format!("`batch`: lane {lane} has values for other locations than lane 0");
        return Err(VectorError::from(ErrorKind::Shape(problem)).in_case(&case.name));
    }
    for (place, (_, value)) in one.lane(0).enumerate() {
        batch.column_mut(place)[lane] = value;
    }
    Ok(())
}
