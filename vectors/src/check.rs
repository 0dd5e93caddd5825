//! Checks cases and suites after parsing. What a case names must exist, and its parts must agree
//! with one another.

use std::cell::RefCell;
use std::collections::HashSet;

use assay_isa::asm;
use assay_isa::codec::{decode, encode};
use assay_isa::readings::Reading;
use assay_isa::{Batch, EncodingTable, Instruction, Location, Readings};

use crate::VERSION;
use crate::case::{Case, Suite};
use crate::error::{ErrorKind, VectorError};
use crate::in_batch::InBatch;

impl Case {
    /// Returns the instruction, which the case gives as text, as a word, or as both.
    pub fn instruction(&self, numbers: &EncodingTable) -> Result<Instruction, VectorError> {
        self.find_instruction(numbers).map_err(|kind| VectorError::from(kind).in_case(&self.name))
    }

    /// Returns the instruction and a batch of one lane. Columns follow the order of
    /// [`Instruction::reads`]. Fails if a location that the instruction reads has no input, or if
    /// the instruction cannot write an expected location.
    pub fn batch(&self, numbers: &EncodingTable) -> Result<(Instruction, Batch), VectorError> {
        let instruction = self.instruction(numbers)?;
        let batch = self.fill_batch(&instruction, numbers);
        batch.map(|b| (instruction, b)).map_err(|kind| VectorError::from(kind).in_case(&self.name))
    }

    fn find_instruction(&self, numbers: &EncodingTable) -> Result<Instruction, ErrorKind> {
        let written = self.asm.as_deref().map(assemble).transpose()?;
        let decoded = self.word.map(|word| decode(word, numbers)).transpose().map_err(ErrorKind::Word)?;
        match (written, decoded) {
            (Some(written), Some(decoded)) if written != decoded => Err(ErrorKind::Disagreement {
                asm: encode(&written, numbers),
                word: encode(&decoded, numbers),
                decoded: asm::print(&decoded),
            }),
            (written, decoded) => written.or(decoded).ok_or(ErrorKind::NoInstruction),
        }
    }

    fn fill_batch(&self, instruction: &Instruction, numbers: &EncodingTable) -> Result<Batch, ErrorKind> {
        let (reads, access) = (instruction.reads(), instruction.access());
        let reaches = |l: &Location| access.is_some_and(|access| access.reaches(*l));
        if let Some(location) = self.inputs.keys().find(|l| !reads.contains(l) && !reaches(l)) {
            return Err(ErrorKind::ExtraInput { location: *location, reads: listing(&reads) });
        }
        let writes = instruction.writes();
        let overwrites = overwrites_sources(instruction);
        let can_write = |l: &Location| {
            writes.contains(l)
                || reaches(l) && access.is_some_and(|access| access.writes)
                || overwrites && reads.contains(l) && matches!(l, Location::R(_) | Location::UR(_))
        };
        if let Some(location) = self.expect.iter().flat_map(|e| e.keys()).find(|l| !can_write(l)) {
            return Err(ErrorKind::NotWritten { location: *location, writes: listing(&writes) });
        }
        let reached = self.inputs.keys().filter(|l| !reads.contains(l));
        let locations: Vec<Location> = reads.iter().chain(reached).copied().collect();
        let mut batch = Batch::new(encode(instruction, numbers), &locations, 1);
        for (index, location) in locations.iter().enumerate() {
            let value = self.inputs.get(location).ok_or(ErrorKind::MissingInput(*location))?;
            batch.column_mut(index)[0] = *value;
        }
        Ok(batch)
    }

    /// Checks the rules that need no encoding table.
    pub(crate) fn check(&self) -> Result<(), ErrorKind> {
        if self.version != VERSION {
            return Err(ErrorKind::Version(self.version));
        }
        if !self.name.is_empty() {
            check_name(&self.name)?;
        }
        match &self.asm {
            Some(text) => assemble(text).map(drop)?,
            None if self.word.is_none() => return Err(ErrorKind::NoInstruction),
            None => {}
        }
        if self.expect.is_some() && self.undefined.is_some() {
            return Err(ErrorKind::Contradiction);
        }
        if self.event.is_some() && self.expect.is_none() {
            return Err(ErrorKind::LooseEvent);
        }
        self.batch.as_ref().map_or(Ok(()), InBatch::check)?;
        self.readings.apply(Readings::default())?;
        Ok(())
    }
}

impl Suite {
    /// Checks the suite and then each case. `locate` adds the place of a case, given its index, to
    /// an error.
    pub(crate) fn check(
        &self,
        locate: impl Fn(usize, VectorError) -> VectorError,
    ) -> Result<(), VectorError> {
        if self.version != VERSION {
            return Err(ErrorKind::Version(self.version).into());
        }
        check_name(&self.suite)?;
        if self.cases.is_empty() {
            return Err(ErrorKind::NoCases.into());
        }
        let mut names = HashSet::new();
        for (index, case) in self.cases.iter().enumerate() {
            let checked = check_name(&case.name).and_then(|()| case.check());
            let checked = checked.and_then(|()| match &case.provenance {
                None => Err(ErrorKind::NoProvenance),
                Some(_) if names.insert(&case.name) => Ok(()),
                Some(_) => Err(ErrorKind::DuplicateCase),
            });
            checked.map_err(|kind| locate(index, kind.into()))?;
        }
        Ok(())
    }
}

/// Whether some setting of E012 makes the instruction overwrite registers that it reads. All
/// settings count, because the profile chooses the setting, and this check does not know the
/// profile.
fn overwrites_sources(instruction: &Instruction) -> bool {
    Reading::E012.switch().optypes.contains(&instruction.form().optype.name)
}

thread_local! {
    /// A cache of one entry: the last assembled text, and its instruction. Consecutive cases of a
    /// stream often have the same instruction, and each case is assembled twice, for the check and
    /// for the execution. Without the cache, most of the time to read a stream would go into the
    /// assembler.
    static LAST: RefCell<Option<(String, Instruction)>> = const { RefCell::new(None) };
}

fn assemble(text: &str) -> Result<Instruction, ErrorKind> {
    LAST.with_borrow_mut(|last| {
        if let Some((_, instruction)) = last.as_ref().filter(|(known, _)| known == text) {
            return Ok(instruction.clone());
        }
        let assembled = asm::parse(text)
            .map_err(|error| ErrorKind::Asm { text: text.to_owned(), error: Box::new(error) })?;
        *last = Some((text.to_owned(), assembled.clone()));
        Ok(assembled)
    })
}

/// Checks the name of a suite or case, which must be usable as an argument of commands and in file
/// names.
pub(crate) fn check_name(name: &str) -> Result<(), ErrorKind> {
    let sound = name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
    if sound { Ok(()) } else { Err(ErrorKind::Name(name.to_owned())) }
}

fn listing(locations: &[Location]) -> String {
    if locations.is_empty() {
        return "nothing".into();
    }
    locations.iter().map(Location::to_string).collect::<Vec<_>>().join(", ")
}
