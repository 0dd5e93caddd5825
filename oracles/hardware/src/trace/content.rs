//! The hash over the contents of all rows, in order. The hash does not depend on the row groups,
//! encodings and compression of the file.
//!
//! The hash is SHA-256 of a stream of bytes. Numbers have 32 bits, lowest byte first.
//!
//! Before the first row, and before each row in which one of the five texts (`instruction`, `word`,
//! `ptx`, `reads`, `writes`) changes, the stream has a byte 1 and all five texts. A text is written
//! as its length and its bytes. The length of a null is `0xffffffff`.
//!
//! Each row is written as a byte 0, then its inputs of 4 bytes each. Then come its outputs, each as
//! a byte 0 for a null, or a byte 1 and 4 bytes. Last comes its event, as a byte 0 for a null, or a
//! byte 1, its length and its bytes.
//!
//! The header ends the stream, as JSON with an empty hash, because the recorded device is a part of
//! the trace too.

use assay_files::digest;

use super::Header;

/// The five texts that the rows of a run share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texts<'a> {
    /// The instruction as assembler text.
    pub instruction: &'a str,
    /// The instruction word in hexadecimal.
    pub word: &'a str,
    /// The PTX by which the instruction was executed.
    pub ptx: Option<&'a str>,
    /// The locations of the inputs.
    pub reads: &'a str,
    /// The locations of the outputs.
    pub writes: &'a str,
}

impl<'a> Texts<'a> {
    /// Returns the texts in the order of the columns.
    pub fn list(&self) -> [Option<&'a str>; 5] {
        [Some(self.instruction), Some(self.word), self.ptx, Some(self.reads), Some(self.writes)]
    }

    fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![1];
        for text in self.list() {
            let length = text.map_or(u32::MAX, |text| text.len() as u32);
            bytes.extend(length.to_le_bytes());
            bytes.extend(text.unwrap_or_default().as_bytes());
        }
        bytes
    }
}

/// Consecutive rows, as bytes for the hash.
#[derive(Clone, Debug, Default)]
pub struct Content {
    /// The texts of the first row. They are hashed unless the row before the first one has the same
    /// texts.
    first: Vec<u8>,
    /// All bytes after them.
    rest: Vec<u8>,
    /// The texts of the last row.
    last: Vec<u8>,
}

impl Content {
    /// Sets the texts of the following rows.
    pub fn texts(&mut self, texts: &Texts<'_>) {
        let bytes = texts.encode();
        if self.first.is_empty() {
            self.first.clone_from(&bytes);
        } else if bytes != self.last {
            self.rest.extend(&bytes);
        }
        self.last = bytes;
    }

    /// Adds a row with the current texts.
    #[inline]
    pub fn row(
        &mut self,
        inputs: impl Iterator<Item = u32>,
        outputs: impl Iterator<Item = Option<u32>>,
        event: Option<&str>,
    ) {
        self.rest.push(0);
        inputs.for_each(|value| self.rest.extend_from_slice(&value.to_le_bytes()));
        for output in outputs {
            match output {
                None => self.rest.push(0),
                Some(value) => {
                    let [a, b, c, d] = value.to_le_bytes();
                    self.rest.extend_from_slice(&[1, a, b, c, d]);
                }
            }
        }
        match event {
            None => self.rest.push(0),
            Some(text) => {
                self.rest.push(1);
                self.rest.extend_from_slice(&(text.len() as u32).to_le_bytes());
                self.rest.extend_from_slice(text.as_bytes());
            }
        }
    }

    /// Reserves memory for `bytes` more bytes.
    pub fn reserve(&mut self, bytes: usize) {
        self.rest.reserve(bytes);
    }

    /// Removes all rows, and keeps the memory.
    pub fn clear(&mut self) {
        self.first.clear();
        self.rest.clear();
        self.last.clear();
    }
}

/// The hash of the rows that were added so far.
#[derive(Clone, Default)]
pub struct Digest {
    sha: digest::Digest,
    last: Vec<u8>,
}

impl Digest {
    /// Adds the next rows.
    pub fn add(&mut self, content: &Content) {
        if content.first != self.last {
            self.sha.add(&content.first);
        }
        self.sha.add(&content.rest);
        if !content.last.is_empty() {
            self.last.clone_from(&content.last);
        }
    }

    /// Returns the hash of the rows and of the header, in hexadecimal.
    pub fn finish(mut self, header: &Header) -> String {
        let header = Header { hash: String::new(), ..header.clone() };
        // Serialising cannot fail: the header has only texts and numbers.
        self.sha.add(serde_json::to_vec(&header).unwrap_or_default());
        self.sha.finish()
    }
}
