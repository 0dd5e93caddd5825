//! A device for tests of `gen` and `ver`. It reads each format that `gen` writes, and answers as
//! the model or a mutant does.

use assay_isa::{Batch, Effects, EncodingTable, Instruction, Location, Readings, Subject};
use assay_vectors::{Actual, Case, parse_line, read_suite_str, suite_to_string};

/// A device that is the model, or a mutant of it.
pub struct Device(pub Box<dyn Subject>);

impl Device {
    pub fn model() -> Device {
        Device(assay_model::model(EncodingTable::provisional().clone(), Readings::INTENDED))
    }

    pub fn mutant(fault: &str) -> Device {
        let fault = fault.parse().expect("the fault is known");
        Device(assay_faults::mutant(EncodingTable::provisional().clone(), Readings::INTENDED, fault))
    }

    fn does(&mut self, batch: &Batch) -> Actual {
        let mut effects = Effects::default();
        self.0.execute(batch, &mut effects).expect("the model executes it");
        Actual::of_lane(&effects, 0)
    }

    fn answer(&mut self, case: Case) -> Case {
        let (_, batch) = case.batch(EncodingTable::provisional()).expect("the case is whole");
        Case { actual: Some(self.does(&batch)), ..case }
    }

    /// Answers JSON lines. A header is passed on.
    pub fn lines(&mut self, text: &str) -> String {
        let answer = |line: &str| {
            if line.starts_with("{\"assay-gen\"") {
                line.to_owned() + "\n"
            } else {
                self.answer(parse_line(line).unwrap_or_else(|e| panic!("{e}: {line}"))).to_line() + "\n"
            }
        };
        text.lines().map(answer).collect()
    }

    pub fn suite(&mut self, text: &str) -> String {
        let mut suite = read_suite_str("generated", text).unwrap_or_else(|e| panic!("{e}"));
        suite.cases = suite.cases.into_iter().map(|case| self.answer(case)).collect();
        let head = text.lines().next().filter(|line| line.starts_with('#')).expect("there is a head");
        format!("{head}\n{}", suite_to_string(&suite).unwrap())
    }

    /// Returns the value of each output for the inputs, which are hexadecimal digits. `None` if
    /// nothing is written.
    fn outputs(&mut self, instruction: &Instruction, inputs: &[&str]) -> Vec<(Location, Option<u32>)> {
        let reads = instruction.reads();
        let word = assay_isa::codec::encode(instruction, EncodingTable::provisional());
        let mut batch = Batch::new(word, &reads, 1);
        for (place, text) in inputs.iter().enumerate() {
            batch.column_mut(place)[0] = u32::from_str_radix(text, 16).expect("inputs are hexadecimal");
        }
        let Actual::Did { writes, .. } = self.does(&batch) else { panic!("the model executes it") };
        instruction.writes().into_iter().map(|l| (l, writes.get(&l).copied())).collect()
    }

    pub fn columns(&mut self, instruction: &Instruction, text: &str) -> String {
        let inputs = instruction.reads().len();
        let answer = |line: &str| {
            let cells: Vec<&str> = line.split(' ').filter(|cell| !cell.is_empty()).collect();
            let outputs = self.outputs(instruction, &cells[..inputs]).into_iter();
            let outputs = outputs.map(|(place, value)| match value {
                None => " -".to_owned(),
                Some(bits) if place.is_predicate() => format!(" {bits}"),
                Some(bits) => format!(" {bits:08X}"),
            });
            format!("{}{} 00\n", cells[..inputs].join(" "), outputs.collect::<String>())
        };
        text.lines().map(answer).collect()
    }

    pub fn image(&mut self, instruction: &Instruction, text: &str) -> String {
        let inputs = instruction.reads().len();
        let answer = |line: &str| {
            if line.starts_with("//") {
                return line.to_owned() + "\n";
            }
            let cells: Vec<&str> = line.split('_').collect();
            let outputs = self.outputs(instruction, &cells[..inputs]).into_iter();
            let outputs = outputs.map(|(place, value)| {
                let (digit, bits) = (if value.is_some() { 9 } else { 8 }, value.unwrap_or(0));
                if place.is_predicate() { format!("{digit}{bits}") } else { format!("{digit}{bits:08x}") }
            });
            format!("{}{}\n", cells[..inputs].concat(), outputs.collect::<String>())
        };
        text.lines().map(answer).collect()
    }
}
