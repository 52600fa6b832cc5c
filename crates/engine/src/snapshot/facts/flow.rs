//! Two directions of one walk: values flow into columns, or out of them.

use rustc_hash::FxHashMap;

use super::super::columns::{Fault, Reader, Writer};
use super::super::planes::{unzigzag32, zigzag32};
use super::habits::{Habits, Words, is_word};

/// Columns of a block. Each field has one, so that what is alike lies together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Column {
    File,
    Count,
    SymbolNumber,
    SymbolText,
    SymbolLength,
    ParameterText,
    ParameterLength,
    TypeText,
    TypeLength,
    ReferenceStart,
    ReferenceAhead,
    ReferenceEnd,
    ReferenceForm,
    ReferenceName,
    ReferenceNameLength,
    Receiver,
    ReceiverText,
    ReceiverLength,
    ReferenceEnclosing,
    Arguments,
    InMacro,
    ImportNumber,
    ImportText,
    ImportLength,
    BindingNumber,
    BindingStart,
    BindingAhead,
    BindingEnd,
    BindingEnclosing,
    BindingText,
    BindingLength,
    ArgumentPlace,
    ArgumentCallee,
    ChunkLength,
    ChunkSymbol,
    ChunkDefines,
    ChunkKind,
    ChunkChars,
    Line,
    Word,
}

const N_COLUMNS: usize = Column::Word as usize + 1;

/// A place that is told by its distance.
const ELSEWHERE: u32 = 0;
/// A place that is that of the one before.
const SAME: u32 = 1;
/// Words are counted from here on.
const N_PLACES: u32 = 2;

/// How far ahead a string is looked for in the text.
const NEAR: usize = 1_000;

/// Strings of a block that do not stand where they are expected.
#[derive(Default)]
struct Strings {
    text: String,
    ends: Vec<u32>,
    known: FxHashMap<String, u32>,
}

/// One direction of a walk. `value` is what is written; where values are read it is disregarded, and the result counts.
pub(super) trait Flow {
    /// A number, as its difference from what is expected.
    fn number(&mut self, column: Column, value: u32, expected: u32) -> Result<u32, Fault>;

    /// What is learnt on the way.
    fn habits(&mut self) -> &mut Habits;

    /// Where a word begins, most likely behind the last one, which begins at `last`.
    fn place(
        &mut self,
        columns: [Column; 2],
        words: fn(&mut Habits) -> &mut Words,
        value: u32,
        text: &str,
        last: Option<u32>,
    ) -> Result<u32, Fault>;

    /// A string from the strings of the block.
    fn word(&mut self, column: Column, value: &str) -> Result<String, Fault>;

    /// A string that is likely to stand in `text` at or after `cursor`, which moves behind it.
    fn near(
        &mut self,
        columns: [Column; 2],
        value: &str,
        text: &str,
        cursor: &mut usize,
    ) -> Result<String, Fault>;

    /// A string that is likely to stand right before `end`, perhaps with a separator between.
    fn before(
        &mut self,
        columns: [Column; 3],
        value: &str,
        text: &str,
        end: usize,
    ) -> Result<String, Fault>;

    /// A string that is likely to be `expected`, else near.
    fn usual(
        &mut self,
        columns: [Column; 2],
        value: &str,
        expected: &str,
        text: &str,
        cursor: &mut usize,
    ) -> Result<String, Fault>;
}

/// Where words begin that have not been passed by.
fn behind(text: &str, last: Option<u32>) -> usize {
    last.map_or(0, |last| {
        last as usize + word_at(text, last as usize) as usize
    })
}

/// Length of the identifier that starts at a byte.
pub(super) fn word_at(text: &str, start: usize) -> u32 {
    let bytes = text.as_bytes().get(start..).unwrap_or_default();
    let end = bytes.iter().position(|byte| !is_word(*byte));
    end.unwrap_or(bytes.len()) as u32
}

/// Length of the identifier that ends at a byte.
fn word_before(text: &str, end: usize) -> u32 {
    let bytes = text.as_bytes().get(..end).unwrap_or_default();
    let start = bytes.iter().rposition(|byte| !is_word(*byte));
    start.map_or(bytes.len(), |at| bytes.len() - at - 1) as u32
}

/// Where what stands before a name ends: at its separator.
fn separated(text: &str, end: usize) -> usize {
    let bytes = text.as_bytes().get(..end).unwrap_or_default();
    let is_between = |byte: &u8| {
        matches!(
            byte,
            b'.' | b':' | b'?' | b'-' | b'>' | b'!' | b' ' | b'\n' | b'\t'
        )
    };
    bytes
        .iter()
        .rposition(|byte| !is_between(byte))
        .map_or(0, |at| at + 1)
}

/// Values into columns.
pub(super) struct Writing {
    columns: Vec<Vec<u32>>,
    words: Strings,
    habits: Habits,
}

impl Default for Writing {
    fn default() -> Self {
        Self {
            columns: vec![Vec::new(); N_COLUMNS],
            words: Strings::default(),
            habits: Habits::default(),
        }
    }
}

impl Writing {
    /// The block, packed.
    pub fn finish(self) -> Vec<u8> {
        let mut writer = Writer::default();
        for column in &self.columns {
            writer.numbers(column.iter().copied());
        }
        writer.numbers(self.words.ends.iter().copied());
        writer.bytes(self.words.text.as_bytes());
        writer.pack()
    }

    fn push(&mut self, column: Column, value: u32) {
        self.columns[column as usize].push(value);
    }
}

impl Flow for Writing {
    fn number(&mut self, column: Column, value: u32, expected: u32) -> Result<u32, Fault> {
        self.push(column, zigzag32(value.wrapping_sub(expected)));
        Ok(value)
    }

    fn habits(&mut self) -> &mut Habits {
        &mut self.habits
    }

    fn place(
        &mut self,
        columns: [Column; 2],
        words: fn(&mut Habits) -> &mut Words,
        value: u32,
        text: &str,
        last: Option<u32>,
    ) -> Result<u32, Fault> {
        if last == Some(value) {
            self.push(columns[0], SAME);
            return Ok(value);
        }
        let words = words(&mut self.habits);
        match words.code(text, behind(text, last), value as usize) {
            Some(code) => {
                self.push(columns[0], code + N_PLACES);
                Ok(value)
            }
            None => {
                self.push(columns[0], ELSEWHERE);
                self.number(columns[1], value, last.unwrap_or_default())
            }
        }
    }

    fn word(&mut self, column: Column, value: &str) -> Result<String, Fault> {
        if value.is_empty() {
            self.push(column, 0);
            return Ok(String::new());
        }
        let words = &mut self.words;
        let next = words.ends.len() as u32;
        let code = match words.known.get(value) {
            Some(&known) => next - known + 1,
            None => {
                words.text.push_str(value);
                words.ends.push(words.text.len() as u32);
                words.known.insert(value.to_owned(), next);
                1
            }
        };
        self.push(column, code);
        Ok(String::new())
    }

    fn near(
        &mut self,
        columns: [Column; 2],
        value: &str,
        text: &str,
        cursor: &mut usize,
    ) -> Result<String, Fault> {
        if value.is_empty() {
            self.push(columns[0], 0);
            return Ok(String::new());
        }
        let bytes = text.as_bytes();
        let to = (*cursor + NEAR).min(bytes.len());
        let window = bytes.get(*cursor..to).unwrap_or_default();
        let Some(ahead) = memchr::memmem::find(window, value.as_bytes()) else {
            self.push(columns[0], 1);
            return self.word(Column::Word, value);
        };
        let start = *cursor + ahead;
        self.push(columns[0], ahead as u32 + 2);
        self.number(columns[1], value.len() as u32, word_at(text, start))?;
        *cursor = start + value.len();
        Ok(String::new())
    }

    fn before(
        &mut self,
        columns: [Column; 3],
        value: &str,
        text: &str,
        end: usize,
    ) -> Result<String, Fault> {
        let at = separated(text, end);
        let usual = self.habits.receiver(text, end, at);
        let before = text.as_bytes().get(..at).unwrap_or_default();
        let is_there = !value.is_empty() && before.ends_with(value.as_bytes());
        if !is_there && !value.is_empty() {
            self.push(columns[0], 2);
            return self.word(columns[1], value);
        }
        let coded = u8::from(is_there) ^ *usual;
        *usual = u8::from(is_there);
        self.push(columns[0], u32::from(coded));
        if is_there {
            self.number(columns[2], value.len() as u32, word_before(text, at))?;
        }
        Ok(String::new())
    }

    fn usual(
        &mut self,
        columns: [Column; 2],
        value: &str,
        expected: &str,
        text: &str,
        cursor: &mut usize,
    ) -> Result<String, Fault> {
        if value == expected {
            self.push(columns[0], 0);
            return Ok(String::new());
        }
        self.push(columns[0], 1);
        self.near(columns, value, text, cursor)
    }
}

/// Values out of columns.
pub(super) struct Reading<'a> {
    columns: Vec<std::vec::IntoIter<u32>>,
    ends: Vec<u32>,
    text: &'a str,
    /// Strings met so far.
    n_words: u32,
    habits: Habits,
}

const SHORT: Fault = "a column ends too early";

impl<'a> Reading<'a> {
    pub fn new(bytes: &'a [u8]) -> Result<Self, Fault> {
        let mut reader = Reader::new(bytes);
        let mut columns = Vec::with_capacity(N_COLUMNS);
        for _ in 0..N_COLUMNS {
            columns.push(reader.numbers()?.into_iter());
        }
        Ok(Self {
            columns,
            ends: reader.numbers()?,
            text: reader.text()?,
            n_words: 0,
            habits: Habits::default(),
        })
    }

    fn next(&mut self, column: Column) -> Result<u32, Fault> {
        self.columns[column as usize].next().ok_or(SHORT)
    }
}

impl Flow for Reading<'_> {
    fn number(&mut self, column: Column, _: u32, expected: u32) -> Result<u32, Fault> {
        let coded = self.next(column)?;
        Ok(expected.wrapping_add(unzigzag32(coded)))
    }

    fn habits(&mut self) -> &mut Habits {
        &mut self.habits
    }

    fn place(
        &mut self,
        columns: [Column; 2],
        words: fn(&mut Habits) -> &mut Words,
        _: u32,
        text: &str,
        last: Option<u32>,
    ) -> Result<u32, Fault> {
        match self.next(columns[0])? {
            ELSEWHERE => self.number(columns[1], 0, last.unwrap_or_default()),
            SAME => last.ok_or("the first place cannot be that of another"),
            code => {
                let words = words(&mut self.habits);
                let place = words.place(text, behind(text, last), code - N_PLACES);
                let place = place.ok_or("a word is not where it should stand")?;
                Ok(place as u32)
            }
        }
    }

    fn word(&mut self, column: Column, _: &str) -> Result<String, Fault> {
        let idx = match self.next(column)? {
            0 => return Ok(String::new()),
            1 => {
                self.n_words += 1;
                self.n_words - 1
            }
            back => (self.n_words + 1).checked_sub(back).ok_or(SHORT)?,
        } as usize;
        let end = *self.ends.get(idx).ok_or(SHORT)? as usize;
        let start = idx.checked_sub(1).and_then(|idx| self.ends.get(idx));
        let word = self.text.get(start.map_or(0, |start| *start as usize)..end);
        word.map(str::to_owned)
            .ok_or("a word is cut within a character")
    }

    fn near(
        &mut self,
        columns: [Column; 2],
        _: &str,
        text: &str,
        cursor: &mut usize,
    ) -> Result<String, Fault> {
        let start = match self.next(columns[0])? {
            0 => return Ok(String::new()),
            1 => return self.word(Column::Word, ""),
            ahead => cursor.saturating_add(ahead as usize - 2),
        };
        let length = self.number(columns[1], 0, word_at(text, start))?;
        *cursor = start.saturating_add(length as usize);
        let found = text.get(start..*cursor);
        found
            .map(str::to_owned)
            .ok_or("a name is not where it should stand")
    }

    fn before(
        &mut self,
        columns: [Column; 3],
        _: &str,
        text: &str,
        end: usize,
    ) -> Result<String, Fault> {
        let at = separated(text, end);
        let coded @ (0 | 1) = self.next(columns[0])? else {
            return self.word(columns[1], "");
        };
        let usual = self.habits.receiver(text, end, at);
        *usual ^= coded as u8;
        if *usual == 0 {
            return Ok(String::new());
        }
        let length = self.number(columns[2], 0, word_before(text, at))? as usize;
        let found = at.checked_sub(length).and_then(|start| text.get(start..at));
        found
            .map(str::to_owned)
            .ok_or("a receiver is not where it should stand")
    }

    fn usual(
        &mut self,
        columns: [Column; 2],
        _: &str,
        expected: &str,
        text: &str,
        cursor: &mut usize,
    ) -> Result<String, Fault> {
        match self.next(columns[0])? {
            0 => Ok(expected.to_owned()),
            _ => self.near(columns, "", text, cursor),
        }
    }
}
