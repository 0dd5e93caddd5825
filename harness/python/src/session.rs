//! Runs the model, the oracle and the judge on columns of values.

use std::ops::Range;

use assay_engine::compare::judge::rules::{nearest, number, value};
use assay_isa::effect::{Lanes, UnknownEvent};
use assay_isa::format::Format;
use assay_isa::truth::{Real, Truth, TruthValues, Truths};
use assay_isa::{Effects, Erratum, Event, Location};
use assay_session::Expected;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};

use crate::columns::{Columns, doubles, pieces, slices, words};
use crate::failure::{Failure, Slot, refused, run};
use crate::instruction::Instruction;
use crate::interval;
use crate::verdicts::VerdictColumns;

/// Bytes that Python turns into an array.
type Bytes<'py> = Bound<'py, PyByteArray>;

/// Values and flags of written lanes for each output, the erratum of each undefined lane (0 for
/// others), and events with their lanes.
type Executed<'py> = (Vec<Bytes<'py>>, Vec<Bytes<'py>>, Bytes<'py>, Vec<(usize, String)>);

/// For each output: nearest value, ends of the enclosure, and state. Then the events with their
/// lanes.
type TruthColumns<'py> = (Vec<[Bytes<'py>; 4]>, Vec<(usize, String)>);

/// The codes of verdicts, the errors in ulp, the index of each lane's reason, and the reasons.
type Judged<'py> = (Bytes<'py>, Bytes<'py>, Bytes<'py>, Vec<String>);

/// The states of a true result.
mod truth_state {
    pub const EXACT: u8 = 0;
    pub const REAL: u8 = 1;
    pub const UNDEFINED: u8 = 2;
    pub const NOT_WRITTEN: u8 = 3;
}

/// A session: the model, the oracle and the judge under a profile.
#[pyclass(frozen, module = "assay._native")]
pub struct Session {
    profile: String,
    readings: String,
    slot: Slot<assay_session::Session>,
}

#[pymethods]
impl Session {
    #[new]
    fn new(py: Python<'_>, profile: String, readings: String) -> PyResult<Session> {
        let session = run(py, || Ok(assay_session::Session::open(&profile, &readings)?))?;
        Ok(Session { profile, readings, slot: Slot::new(session) })
    }

    /// Assembles an instruction into its word.
    fn assemble(&self, py: Python<'_>, text: &str) -> PyResult<u128> {
        self.run(py, |session| Ok(session.assemble(text)?))
    }

    /// Returns the assembler text of a word.
    fn disassemble(&self, py: Python<'_>, word: u128) -> PyResult<String> {
        self.run(py, |session| Ok(session.disassemble(word)?))
    }

    /// Runs the reference model. Returns its effects.
    fn execute<'py>(
        &self,
        py: Python<'py>,
        instruction: &Instruction,
        lanes: usize,
        inputs: Vec<Bound<'py, PyBytes>>,
    ) -> PyResult<Executed<'py>> {
        let inputs = slices(&inputs);
        let mut written = ModelColumns::new(instruction, lanes);
        self.each_piece(py, instruction, lanes, &inputs, |session, lanes, values| {
            let effects = session.execute(lanes.len(), &values)?;
            written.add(lanes, effects.ok_or_else(|| not_implemented("model", instruction))?)
        })?;
        let values = written.values.iter().map(|column| words(py, column)).collect::<PyResult<_>>()?;
        let flags = written.flags.iter().map(|column| PyByteArray::new(py, column)).collect();
        Ok((values, flags, words(py, &written.undefined)?, written.events))
    }

    /// Finds the true results.
    fn truth<'py>(
        &self,
        py: Python<'py>,
        instruction: &Instruction,
        lanes: usize,
        inputs: Vec<Bound<'py, PyBytes>>,
    ) -> PyResult<TruthColumns<'py>> {
        let inputs = slices(&inputs);
        let (mut columns, mut events) = (TruthColumn::of(instruction), Vec::new());
        self.each_piece(py, instruction, lanes, &inputs, |session, lanes, values| {
            if !session.truth(lanes.len(), &values)? {
                return Err(not_implemented("oracle", instruction));
            }
            let truths = session.last_judged().truths;
            columns.iter_mut().for_each(|column| column.add(truths));
            events.extend(texts(truths.events(), &lanes));
            Ok(())
        })?;
        let arrays = columns.iter().map(|column| column.arrays(py)).collect::<PyResult<_>>()?;
        Ok((arrays, events))
    }

    /// Returns the values that the profile allows: for each output the least value, the greatest
    /// value, and the state.
    fn allowed<'py>(
        &self,
        py: Python<'py>,
        instruction: &Instruction,
        lanes: usize,
        inputs: Vec<Bound<'py, PyBytes>>,
    ) -> PyResult<Vec<[Bytes<'py>; 3]>> {
        let inputs = slices(&inputs);
        let outputs = instruction.output_places();
        let mut columns = vec![AllowedColumn::default(); outputs.len()];
        self.each_piece(py, instruction, lanes, &inputs, |session, lanes, values| {
            if !session.truth(lanes.len(), &values)? {
                return Err(not_implemented("oracle", instruction));
            }
            for lane in 0..lanes.len() {
                let (expected, _) = session.expected(lane)?;
                columns.iter_mut().zip(expected).for_each(|(column, expected)| column.push(expected));
            }
            Ok(())
        })?;
        let arrays = |column: &AllowedColumn| {
            Ok([words(py, &column.low)?, words(py, &column.high)?, PyByteArray::new(py, &column.states)])
        };
        columns.iter().map(arrays).collect()
    }

    /// Judges results. `written` has a byte for each lane of each output. `events` has effects
    /// other than writes.
    #[allow(clippy::too_many_arguments)]
    fn judge<'py>(
        &self,
        py: Python<'py>,
        instruction: &Instruction,
        lanes: usize,
        inputs: Vec<Bound<'py, PyBytes>>,
        results: Vec<Bound<'py, PyBytes>>,
        written: Vec<Bound<'py, PyBytes>>,
        events: Vec<(usize, String)>,
    ) -> PyResult<Judged<'py>> {
        let (inputs, results, written) = (slices(&inputs), slices(&results), slices(&written));
        let outputs = instruction.output_places();
        let results = Columns::new(&results, outputs.len(), lanes)?;
        if written.len() != outputs.len() || written.iter().any(|column| column.len() != lanes) {
            return Err(refused(format!("`written` needs a column of {lanes} lanes for each result")).into());
        }
        let (mut judged, mut did) = (VerdictColumns::new(lanes), Effects::default());
        let formats = instruction.output_formats();
        let format = if let [only] = formats[..] { only } else { None };
        self.each_piece(py, instruction, lanes, &inputs, |session, lanes, values| {
            did.reset(lanes.len());
            for (place, location) in outputs.iter().enumerate() {
                let mask: Vec<bool> = written[place][lanes.clone()].iter().map(|byte| *byte != 0).collect();
                let column = did.write(*location, Lanes::from(mask));
                column.iter_mut().zip(results.column(place, lanes.clone())).for_each(|(to, from)| *to = from);
            }
            for (lane, text) in events.iter().filter(|(lane, _)| lanes.contains(lane)) {
                did.event(
                    lane - lanes.start,
                    text.parse().map_err(|error: UnknownEvent| refused(error.to_string()))?,
                );
            }
            if !session.judge(lanes.len(), &values, &did)? {
                return Err(not_implemented("oracle", instruction));
            }
            judged.add(lanes.start, session.last_judged().verdicts);
            judged.measure(lanes.start, session, format, &did)
        })?;
        let reasons = judged.reason_names;
        Ok((
            PyByteArray::new(py, &judged.codes),
            doubles(py, &judged.ulps)?,
            words(py, &judged.reasons)?,
            reasons,
        ))
    }
}

impl Session {
    /// Runs code on the session.
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut assay_session::Session) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        self.slot.run(py, || Ok(assay_session::Session::open(&self.profile, &self.readings)?), work)
    }

    /// Runs code on the lanes, piece by piece. Ctrl-C stops the call between two pieces.
    fn each_piece(
        &self,
        py: Python<'_>,
        instruction: &Instruction,
        lanes: usize,
        inputs: &[&[u8]],
        mut work: impl FnMut(&mut assay_session::Session, Range<usize>, Vec<u32>) -> Result<(), Failure> + Send,
    ) -> PyResult<()> {
        let inputs = Columns::new(inputs, instruction.input_places().len(), lanes)?;
        for piece in pieces(lanes) {
            self.run(py, |session| {
                instruction.select(session)?;
                work(session, piece.clone(), inputs.values(piece))
            })?;
            py.check_signals()?;
        }
        Ok(())
    }
}

/// Returns the error for an instruction that the model or the oracle does not implement.
fn not_implemented(implementation: &str, instruction: &Instruction) -> Failure {
    let mode = instruction.mode();
    Failure::NotImplemented(format!("the {implementation} does not implement `{mode}` under this profile"))
}

/// Returns the events of a piece as texts. Lanes are numbered as in the whole call.
fn texts(events: &[(usize, Event)], lanes: &Range<usize>) -> Vec<(usize, String)> {
    events.iter().map(|(lane, event)| (lanes.start + lane, event.to_string())).collect()
}

/// The effects of the model.
struct ModelColumns {
    outputs: Vec<Location>,
    values: Vec<Vec<u32>>,
    flags: Vec<Vec<u8>>,
    undefined: Vec<u32>,
    events: Vec<(usize, String)>,
}

impl ModelColumns {
    fn new(instruction: &Instruction, lanes: usize) -> ModelColumns {
        let outputs = instruction.output_places().to_vec();
        let values = vec![Vec::with_capacity(lanes); outputs.len()];
        let flags = vec![Vec::with_capacity(lanes); outputs.len()];
        ModelColumns { outputs, values, flags, undefined: vec![0; lanes], events: Vec::new() }
    }

    /// Adds the effects of one piece.
    fn add(&mut self, lanes: Range<usize>, effects: &Effects) -> Result<(), Failure> {
        let is_listed = |location: &Location| self.outputs.contains(location);
        if let Some(stray) = effects.columns().iter().find(|column| !is_listed(&column.location)) {
            let place = stray.location;
            return Err(refused(format!(
                "a value leads it to {place} too: name it in `writes` of `assay.instruction`"
            )));
        }
        for (nth, place) in self.outputs.iter().enumerate() {
            let mut columns = effects.columns().iter().filter(|column| column.location == *place);
            match (columns.next(), columns.next()) {
                (Some(column), None) if column.written == Lanes::All => {
                    self.values[nth].extend_from_slice(&column.values);
                    self.flags[nth].resize(lanes.end, 1);
                }
                _ => {
                    let values = || (0..lanes.len()).map(|lane| effects.value(*place, lane));
                    self.values[nth].extend(values().map(Option::unwrap_or_default));
                    self.flags[nth].extend(values().map(|value| u8::from(value.is_some())));
                }
            }
        }
        for (lane, Erratum(number)) in effects.undefined() {
            self.undefined[lanes.start + lane] = u32::from(*number);
        }
        self.events.extend(texts(effects.events(), &lanes));
        Ok(())
    }
}

/// The true values of one output.
struct TruthColumn {
    location: Location,
    format: Option<Format>,
    nearest: Vec<u32>,
    ends: [Vec<f64>; 2],
    states: Vec<u8>,
}

impl TruthColumn {
    /// Returns an empty column for each output of an instruction.
    fn of(instruction: &Instruction) -> Vec<TruthColumn> {
        let formats = instruction.output_formats();
        let column = |(location, format): (&Location, _)| TruthColumn {
            location: *location,
            format,
            nearest: Vec::new(),
            ends: [Vec::new(), Vec::new()],
            states: Vec::new(),
        };
        instruction.output_places().iter().zip(formats).map(column).collect()
    }

    /// Adds the true values of one piece.
    fn add(&mut self, truths: &Truths) {
        let first = self.states.len();
        match truths.columns().iter().find(|truth| truth.location == self.location) {
            Some(truth) => self.add_lanes(truth, truths.len()),
            None => {
                self.nearest.resize(first + truths.len(), 0);
                self.ends.iter_mut().for_each(|ends| ends.resize(first + truths.len(), f64::NAN));
                self.states.resize(first + truths.len(), truth_state::NOT_WRITTEN);
            }
        }
        for (lane, _) in truths.undefined() {
            self.nearest[first + lane] = 0;
            self.ends.iter_mut().for_each(|ends| ends[first + lane] = f64::NAN);
            self.states[first + lane] = truth_state::UNDEFINED;
        }
    }

    fn add_lanes(&mut self, truth: &Truth, lanes: usize) {
        let nearest = nearest(truth);
        for (lane, bits) in nearest.iter().enumerate().take(lanes) {
            let (ends, state) = match (truth.written.contains(lane), &truth.values) {
                (false, _) => ([f64::NAN; 2], truth_state::NOT_WRITTEN),
                (true, TruthValues::Bits(_)) => (self.number(*bits), truth_state::EXACT),
                (true, TruthValues::Reals { packed: 1, values, .. }) => self.real(&values[lane]),
                (true, TruthValues::Reals { .. }) => ([f64::NAN; 2], truth_state::REAL),
            };
            self.ends.iter_mut().zip(ends).for_each(|(column, end)| column.push(end));
            self.states.push(state);
        }
        self.nearest.extend(nearest);
    }

    /// Returns the value of a bit pattern twice, as the two ends of an enclosure.
    fn number(&self, bits: u32) -> [f64; 2] {
        [self.format.map_or(f64::NAN, |format| value(format, bits & format.mask())); 2]
    }

    /// Returns the ends of an enclosure, and the state.
    fn real(&self, real: &Real) -> ([f64; 2], u8) {
        match (real, number(real)) {
            (Real::Bits(bits), _) => (self.number(*bits), truth_state::EXACT),
            (Real::Near(y), _) => (interval::doubles(y), truth_state::REAL),
            _ => ([0.0; 2], truth_state::REAL),
        }
    }

    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<[Bytes<'py>; 4]> {
        let [below, above] = &self.ends;
        Ok([
            words(py, &self.nearest)?,
            doubles(py, below)?,
            doubles(py, above)?,
            PyByteArray::new(py, &self.states),
        ])
    }
}

/// The values that are allowed in one output.
#[derive(Clone, Default)]
struct AllowedColumn {
    low: Vec<u32>,
    high: Vec<u32>,
    states: Vec<u8>,
}

impl AllowedColumn {
    /// Adds a lane. The state codes are those of libassay (`ASSAY_TRUTH_…`).
    fn push(&mut self, expected: Expected) {
        let (state, low, high) = match expected {
            Expected::NotWritten => (0, 0, 0),
            Expected::Span(low, high) => (1, low, high),
            Expected::Spans(low, high) => (2, low, high),
            Expected::Undefined => (3, 0, 0),
            Expected::Unlisted => (4, 0, 0),
        };
        self.states.push(state);
        self.low.push(low);
        self.high.push(high);
    }
}
