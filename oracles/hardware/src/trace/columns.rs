//! The decoded columns of one row group. Texts are stored as runs, and lists as flat values.

use parquet::column::page::PageReader;
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type};
use parquet::schema::types::{ColumnDescPtr, Type};

/// Number of texts that are decoded in one step. The texts are merged into runs before the next
/// step.
const TEXTS_AT_ONCE: usize = 4096;

/// A text or a null, and the number of consecutive rows that have it.
pub type TextRun = (Option<ByteArray>, usize);

fn problem(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn open<T: DataType>(descriptor: ColumnDescPtr, pages: Box<dyn PageReader>) -> ColumnReaderImpl<T> {
    ColumnReaderImpl::<T>::new(descriptor, pages)
}

/// Decodes a column of texts into runs.
pub fn texts(
    descriptor: ColumnDescPtr,
    pages: Box<dyn PageReader>,
    rows: usize,
) -> Result<Vec<TextRun>, String> {
    let present = descriptor.max_def_level();
    let mut reader = open::<ByteArrayType>(descriptor, pages);
    let (mut values, mut levels) = (Vec::with_capacity(TEXTS_AT_ONCE), Vec::new());
    let mut runs: Vec<TextRun> = Vec::new();
    let mut left = rows;
    while left > 0 {
        values.clear();
        levels.clear();
        let wanted = left.min(TEXTS_AT_ONCE);
        let (read, ..) =
            reader.read_records(wanted, Some(&mut levels), None, &mut values).map_err(problem)?;
        if read == 0 {
            return Err(format!("it ends {left} rows early"));
        }
        left -= read;
        match present {
            0 => values.drain(..).for_each(|text| extend(&mut runs, Some(text))),
            _ => {
                let mut values = values.drain(..);
                levels.iter().for_each(|level| {
                    extend(&mut runs, values.by_ref().take(usize::from(*level == present)).next())
                });
            }
        }
    }
    Ok(runs)
}

/// Adds a row to the runs. Rows of one run mostly share the memory of a dictionary entry, so
/// comparing their texts is rarely needed.
fn extend(runs: &mut Vec<TextRun>, text: Option<ByteArray>) {
    match runs.last_mut() {
        Some((last, rows)) if same(last.as_ref(), text.as_ref()) => *rows += 1,
        _ => runs.push((text, 1)),
    }
}

fn same(a: Option<&ByteArray>, b: Option<&ByteArray>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => std::ptr::eq(a.data(), b.data()) || a.data() == b.data(),
        (None, None) => true,
        _ => false,
    }
}

/// A column of lists of words.
pub struct ListColumn {
    values: Vec<i32>,
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
    levels: Levels,
}

/// The definition levels of a column of lists. The levels depend on which parts may be null.
struct Levels {
    /// The level of an empty list. A null list has the level below.
    empty: i16,
    /// The level of a null element. If elements cannot be null, this is the level of a value.
    element: i16,
    /// The level of a value.
    value: i16,
}

/// A place in a column of lists.
#[derive(Clone, Copy, Default)]
pub struct Cursor {
    level: usize,
    value: usize,
}

impl ListColumn {
    /// Decodes a column. `root` is the group that contains the lists.
    pub fn read(
        descriptor: ColumnDescPtr,
        root: &Type,
        pages: Box<dyn PageReader>,
        rows: usize,
    ) -> Result<ListColumn, String> {
        let empty = i16::from(root.is_optional());
        let levels = Levels { empty, element: empty + 1, value: descriptor.max_def_level() };
        let mut reader = open::<Int32Type>(descriptor, pages);
        let (mut values, mut definitions, mut repetitions) = (Vec::new(), Vec::new(), Vec::new());
        let mut left = rows;
        while left > 0 {
            let (levels, into) = (Some(&mut definitions), &mut values);
            let (read, ..) =
                reader.read_records(left, levels, Some(&mut repetitions), into).map_err(problem)?;
            if read == 0 {
                return Err(format!("it ends {left} rows early"));
            }
            left -= read;
        }
        if definitions.len() == repetitions.len() {
            Ok(ListColumn { values, definitions, repetitions, levels })
        } else {
            Err("its levels do not fit together".to_owned())
        }
    }

    /// Reads the lists of the next rows into a table. Each list must have `length` elements. An
    /// error has the index of the row.
    pub fn take(
        &self,
        cursor: &mut Cursor,
        rows: usize,
        length: usize,
        table: &mut ListTable,
    ) -> Result<(), (usize, String)> {
        let step = length.max(1);
        let end = (cursor.level + rows * step).min(self.definitions.len());
        let (definitions, repetitions) =
            (&self.definitions[cursor.level..end], &self.repetitions[cursor.level..end]);
        // If all lists have the right length, a list begins every `step` levels, and the next list
        // begins after the last of these levels.
        let begins = |row: &[i16]| row[0] == 0 && row[1..].iter().all(|repetition| *repetition != 0);
        let is_filled = |level: &i16| {
            if length == 0 { *level == self.levels.empty } else { *level >= self.levels.element }
        };
        let whole = repetitions.len() == rows * step
            && repetitions.chunks_exact(step).all(begins)
            && self.repetitions.get(end).is_none_or(|next| *next == 0)
            && definitions.iter().all(is_filled);
        if !whole {
            return Err(self.misfit(cursor.level, length));
        }
        table.fill(definitions, self.levels.value, length, &self.values, &mut cursor.value);
        cursor.level = end;
        Ok(())
    }

    /// Returns the row of the first list from `level` on that does not have `length` elements, and
    /// its problem.
    fn misfit(&self, mut level: usize, length: usize) -> (usize, String) {
        let Levels { empty, element, .. } = self.levels;
        for row in 0.. {
            let Some(first) = self.definitions.get(level) else { break };
            let end = self.repetitions[level + 1..].iter().position(|repetition| *repetition == 0);
            let levels = end.map_or(self.definitions.len() - level, |end| end + 1);
            let found = if *first >= element { levels } else { 0 };
            if *first < empty {
                return (row, "the list is null".to_owned());
            }
            if found != length {
                return (row, format!("the list has {found} elements where {length} belong"));
            }
            level += levels;
        }
        (0, "the lists make no sense".to_owned())
    }
}

/// Lists of one length, in row order.
#[derive(Default)]
pub struct ListTable {
    length: usize,
    values: Vec<u32>,
    /// Whether each value is present, i.e. not null. Not filled in if no value is null.
    present: Vec<bool>,
    is_whole: bool,
}

impl ListTable {
    fn fill(&mut self, definitions: &[i16], value: i16, length: usize, values: &[i32], next: &mut usize) {
        self.length = length;
        self.values.clear();
        self.present.clear();
        let elements = if length == 0 { &[] } else { definitions };
        self.is_whole = elements.iter().all(|level| *level == value);
        if self.is_whole {
            self.values.extend(values[*next..][..elements.len()].iter().map(|value| value.cast_unsigned()));
            *next += elements.len();
            return;
        }
        for level in elements {
            let is_present = *level == value;
            self.present.push(is_present);
            self.values.push(if is_present { values[*next].cast_unsigned() } else { 0 });
            *next += usize::from(is_present);
        }
    }

    /// Returns whether no element is null.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Returns the list of a row. A null is 0.
    #[inline]
    pub fn row(&self, row: usize) -> &[u32] {
        &self.values[row * self.length..][..self.length]
    }

    /// Returns the elements of a row's list, with `None` for a null.
    #[inline]
    pub fn nullable(&self, row: usize) -> impl Iterator<Item = Option<u32>> {
        let first = row * self.length;
        (first..first + self.length).map(|at| (self.is_whole || self.present[at]).then(|| self.values[at]))
    }

    /// Returns the elements at one index of the lists of all rows. A null is 0.
    pub fn column(&self, place: usize) -> impl Iterator<Item = u32> {
        self.values.chunks_exact(self.length).map(move |row| row[place])
    }

    /// Returns whether each row's element at one index is not null.
    pub fn present(&self, place: usize) -> Vec<bool> {
        if self.is_whole {
            vec![true; self.values.len() / self.length]
        } else {
            self.present.chunks_exact(self.length).map(|row| row[place]).collect()
        }
    }
}
