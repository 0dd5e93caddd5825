//! Reads the output of a device in pieces of limited size, even if the output has no line ends.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use assay_runner::RunError;
use assay_vectors::{Case, Suite, read_suite_str};

use crate::forms::Form;
use crate::head::Head;

/// Greatest length of a line in bytes.
const LONGEST: usize = 1 << 20;
/// Greatest number of lines or cases in a piece.
const PIECE: usize = 1 << 14;
/// Maximum size of a piece in bytes. The last line of a piece may exceed it.
const PIECE_BYTES: usize = 16 << 20;
/// Approximate number of bytes of a block of lines.
const BLOCK: usize = 1 << 20;
/// Greatest size of a suite in bytes. A suite is read as a whole.
const SUITE_BYTES: u64 = assay_files::yaml::BYTES;
/// Maximum number of bytes that are skipped to find the end of a line. A longer line shows that the
/// stream is not a list of cases.
const HOPELESS: usize = 64 << 20;

/// One unparsed line or case, with its number.
pub struct Piece {
    /// The number, counted from 1.
    pub number: u64,
    /// The unparsed answer. For a line that is not text, the reason.
    pub raw: Result<RawAnswer, String>,
}

/// An answer before parsing.
pub enum RawAnswer {
    /// A line, without its end.
    Line(String),
    /// A case of a suite.
    Case(Box<Case>),
}

/// The result of one read from a source.
pub enum Input {
    /// A block of lines, to read by columns.
    Block(Block),
    /// Lines or cases one by one.
    Pieces(Vec<Piece>),
}

/// A block of unparsed lines.
pub struct Block {
    /// The number of the first line, counted from 1.
    pub first: u64,
    bytes: Vec<u8>,
    /// The end of each line, as an index into `bytes`.
    ends: Vec<usize>,
}

impl Block {
    /// Returns the lines in `bytes`. `first` is the number of the first line.
    pub fn new(first: u64, bytes: Vec<u8>) -> Block {
        let text = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
        let ends = memchr::memchr_iter(b'\n', text).chain([text.len()]).collect();
        Block { first, bytes, ends }
    }

    /// Returns the lines without their ends.
    pub fn lines(&self) -> Vec<&[u8]> {
        let mut start = 0;
        let line = |end: &usize| {
            let line = &self.bytes[start..*end];
            start = end + 1;
            line.strip_suffix(b"\r").unwrap_or(line)
        };
        self.ends.iter().map(line).collect()
    }
}

/// Returns a line as text.
pub fn text(line: &[u8]) -> Result<&str, String> {
    if line.len() > LONGEST {
        return Err(format!("longer than {LONGEST} bytes"));
    }
    std::str::from_utf8(line).map_err(|e| format!("not text in UTF-8: {e}"))
}

/// A source of answers.
pub struct Source {
    name: String,
    content: Content,
    number: u64,
    /// The bytes after the last complete line that was returned.
    rest: Vec<u8>,
}

enum Content {
    Lines(Box<dyn BufRead>),
    Cases(std::vec::IntoIter<Case>),
}

impl Source {
    /// Opens a file. No path and `-` mean standard input. For a suite, also returns the suite
    /// without its cases, and the heads in its comments.
    pub fn open(path: Option<&Path>, form: Form) -> Result<(Source, Option<Suite>, Vec<Head>), RunError> {
        let path = path.filter(|path| *path != Path::new("-"));
        let name = path.map_or("standard input".into(), |path| path.display().to_string());
        let reader: Box<dyn BufRead> = match path {
            None => Box::new(io::stdin().lock()),
            Some(path) => {
                let file = File::open(path).map_err(|e| RunError::input(format!("{name}: {e}")))?;
                Box::new(BufReader::with_capacity(1 << 16, file))
            }
        };
        if form != Form::Yaml {
            return Ok((
                Source { name, content: Content::Lines(reader), number: 0, rest: Vec::new() },
                None,
                Vec::new(),
            ));
        }
        let text = whole(reader).map_err(|e| RunError::input(format!("{name}: {e}")))?;
        let heads = text.lines().filter_map(|line| Head::in_comment(line, "#"));
        let heads =
            heads.collect::<Result<Vec<_>, _>>().map_err(|e| RunError::input(format!("{name}: {e}")))?;
        let mut suite = read_suite_str(&name, &text)?;
        let cases = std::mem::take(&mut suite.cases).into_iter();
        Ok((Source { name, content: Content::Cases(cases), number: 0, rest: Vec::new() }, Some(suite), heads))
    }

    /// Returns the next block of lines; `None` at the end. A line that is too long is returned
    /// separately.
    pub fn next_block(&mut self) -> Result<Option<Input>, RunError> {
        let Content::Lines(reader) = &mut self.content else { return Ok(None) };
        let first = self.number + 1;
        let bytes = block(reader, &mut self.rest);
        let Some(bytes) = bytes.map_err(|e| RunError::input(format!("{}: {e}", self.name)))? else {
            return Ok(None);
        };
        if bytes.len() > LONGEST && !bytes.contains(&b'\n') {
            self.number = first;
            let raw = Err(format!("longer than {LONGEST} bytes"));
            return Ok(Some(Input::Pieces(vec![Piece { number: first, raw }])));
        }
        let block = Block::new(first, bytes);
        self.number += block.ends.len() as u64;
        Ok(Some(Input::Block(block)))
    }

    /// Returns the next pieces; `None` at the end.
    pub fn next_pieces(&mut self) -> Result<Option<Input>, RunError> {
        let (mut pieces, mut bytes) = (Vec::new(), 0);
        while pieces.len() < PIECE && bytes < PIECE_BYTES {
            let raw = match &mut self.content {
                Content::Cases(cases) => cases.next().map(|case| Ok(RawAnswer::Case(Box::new(case)))),
                Content::Lines(reader) => {
                    let line = line(reader);
                    let line = line.map_err(|e| RunError::input(format!("{}: {e}", self.name)))?;
                    line.map(|line| line.map(RawAnswer::Line))
                }
            };
            let Some(raw) = raw else { break };
            if let Ok(RawAnswer::Line(line)) = &raw {
                bytes += line.len();
            }
            self.number += 1;
            pieces.push(Piece { number: self.number, raw });
        }
        Ok((!pieces.is_empty()).then_some(Input::Pieces(pieces)))
    }
}

/// Returns whole lines of about [`BLOCK`] bytes, or the beginning of a line that is too long.
/// `None` at the end of the input. `rest` holds the bytes that were read but not yet returned.
fn block(reader: &mut dyn BufRead, rest: &mut Vec<u8>) -> io::Result<Option<Vec<u8>>> {
    loop {
        let bytes = reader.fill_buf()?;
        let read = bytes.len();
        rest.extend_from_slice(bytes);
        reader.consume(read);
        if read == 0 {
            return Ok((!rest.is_empty()).then(|| std::mem::take(rest)));
        }
        if rest.len() < BLOCK {
            continue;
        }
        if let Some(end) = memchr::memrchr(b'\n', rest) {
            let behind = rest.split_off(end + 1);
            return Ok(Some(std::mem::replace(rest, behind)));
        }
        if rest.len() > LONGEST {
            skip_line(reader)?;
            return Ok(Some(std::mem::take(rest)));
        }
    }
}

/// Returns a line without its end, or the reason why it cannot be read. `None` at the end of the
/// input.
fn line(reader: &mut dyn BufRead) -> io::Result<Option<Result<String, String>>> {
    let mut bytes = Vec::new();
    if reader.take(LONGEST as u64 + 1).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    } else if bytes.len() > LONGEST {
        skip_line(reader)?;
        return Ok(Some(Err(format!("longer than {LONGEST} bytes"))));
    }
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    Ok(Some(String::from_utf8(bytes).map_err(|e| format!("not text in UTF-8: {e}"))))
}

/// Skips the rest of a line.
fn skip_line(reader: &mut dyn BufRead) -> io::Result<()> {
    let mut skipped = 0;
    while skipped <= HOPELESS {
        let bytes = reader.fill_buf()?;
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let (length, is_end) = (end.map_or(bytes.len(), |end| end + 1), end.is_some() || bytes.is_empty());
        reader.consume(length);
        skipped += length;
        if is_end {
            return Ok(());
        }
    }
    Err(io::Error::other(format!("a line has more than {HOPELESS} bytes: this is no list of cases")))
}

fn whole(reader: Box<dyn BufRead>) -> io::Result<String> {
    let mut text = String::new();
    let read = reader.take(SUITE_BYTES + 1).read_to_string(&mut text)? as u64;
    if read > SUITE_BYTES {
        let message = format!("longer than the {SUITE_BYTES} bytes that a suite may have; use --as jsonl");
        return Err(io::Error::other(message));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_off_where_memory_would_be() {
        let mut text = b"one\r\n".to_vec();
        text.extend(std::iter::repeat_n(b'x', 3 * LONGEST));
        text.extend(b"\n\xff\n\nlast");
        let mut reader = &text[..];
        let mut read = || line(&mut reader).unwrap();
        assert_eq!(read(), Some(Ok("one".into())));
        assert!(read().unwrap().unwrap_err().contains("longer"));
        assert!(read().unwrap().unwrap_err().contains("UTF-8"));
        assert_eq!(read(), Some(Ok(String::new())));
        assert_eq!((read(), read()), (Some(Ok("last".into())), None));
    }

    #[test]
    fn blocks_have_the_lines_of_the_stream() {
        let mut text = vec![b'x'; 3 * LONGEST];
        text.extend(b"\n");
        let many = (0..300_000).map(|n| format!("line {n}\r\n")).collect::<String>();
        text.extend(many.as_bytes());
        text.extend(b"\nlast");
        let content = Content::Lines(Box::new(BufReader::with_capacity(1 << 16, io::Cursor::new(text))));
        let mut source = Source { name: "made up".into(), content, number: 0, rest: Vec::new() };
        let Ok(Some(Input::Pieces(pieces))) = source.next_block() else {
            panic!("the first line is too long")
        };
        let [Piece { number: 1, raw: Err(problem) }] = &pieces[..] else { panic!("it is one problem") };
        assert!(problem.contains("longer"));
        let (mut lines, mut blocks) = (Vec::new(), 0);
        while let Some(block) = source.next_block().expect("it can be read") {
            let Input::Block(block) = block else { panic!("no other line is too long") };
            assert_eq!(block.first, 2 + lines.len() as u64);
            lines.extend(block.lines().into_iter().map(text_of));
            blocks += 1;
        }
        assert!(blocks > 2);
        assert_eq!(lines.len(), 300_002);
        assert_eq!((&lines[0][..], &lines[299_999][..], &lines[300_000][..]), ("line 0", "line 299999", ""));
        assert_eq!(lines[300_001], "last");
    }

    fn text_of(line: &[u8]) -> String {
        super::text(line).expect("text").to_owned()
    }

    #[test]
    fn a_line_of_the_greatest_length_is_whole() {
        let mut text = vec![b'x'; LONGEST];
        text.extend(b"\nnext");
        let mut reader = &text[..];
        assert_eq!(line(&mut reader).unwrap().unwrap().unwrap().len(), LONGEST);
        assert_eq!(line(&mut reader).unwrap(), Some(Ok("next".into())));
    }
}
