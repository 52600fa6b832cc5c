//! Two directions of one walk: values flow into columns, or out of them.

mod read;
mod write;

use rustc_hash::FxHashMap;

use super::habits::{Habits, Words, is_word};
use crate::columns::Fault;
pub(super) use read::Reading;
pub(super) use write::Writing;

/// Columns of a block. Each field has one, so that similar values are next to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub(in crate::facts) enum Column {
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
    ReceiverEnd,
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

/// A place that is stored as a distance.
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

/// One direction of a walk. `value` is written; a reading walk disregards it and returns the value that it read.
pub(in crate::facts) trait Flow {
    /// Whether values are read.
    const READS: bool;

    /// A number, as its difference from the prediction.
    fn number(&mut self, column: Column, value: u32, expected: u32) -> Result<u32, Fault>;

    /// Returns the statistics that were gathered on the way.
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

    /// The place of an expression that is likely to end right before a name, perhaps with a separator between.
    fn before(
        &mut self,
        columns: [Column; 3],
        value: Option<[u32; 2]>,
        text: &str,
        name: u32,
    ) -> Result<Option<[u32; 2]>, Fault>;

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
pub(in crate::facts) fn word_at(text: &str, start: usize) -> u32 {
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

/// Returns the end of the text before a name: at its separator.
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
