//! Code-aware tokens: an identifier counts whole and in its parts, words count by their stem.
//!
//! `HandlerStack`, `handler_stack` and `handlerStack` all give `handlerstack`, `handler`, `stack`; `routes` and `routing`
//! give `rout`. Whole identifiers are joined without underscores so that a spelling convention of one language
//! finds the name in another. Runs longer than [`MAX_TOKEN_BYTES`] are data (hashes, base64), not words: left out.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::stem::stem;

/// Longest run of letters and digits, in bytes, that counts as a word or identifier.
pub const MAX_TOKEN_BYTES: usize = 64;

/// A token and the bytes it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// Lower case, stemmed.
    pub text: &'a str,
    /// First byte in the text that was tokenised.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Part of a longer identifier, which came as a token of its own before.
    pub is_part: bool,
}

/// Gives every token of `text` to `emit`, in order: an identifier first, then its parts. Linear in `text`.
pub fn for_each_token(text: &str, mut emit: impl FnMut(Token<'_>)) {
    let mut parts = PartBuffer::default();
    for (start, run) in identifiers(text) {
        parts.split(run);
        emit_run(run, start, &mut parts, &mut emit);
    }
}

/// The identifiers and words of `text`, whole, with where they start: what [`for_each_token`] takes apart.
fn identifiers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    Runs { text, at: 0 }
        .filter(|run| run.end - run.start <= MAX_TOKEN_BYTES)
        .filter_map(|run| Some((run.start, text.get(run.start..run.end)?)))
}

/// The same with a hash of each (FNV-1a over characters), computed while searching for its end.
pub(crate) fn hashed_identifiers(text: &str) -> impl Iterator<Item = (u64, &str)> {
    Runs { text, at: 0 }
        .filter(|run| run.end - run.start <= MAX_TOKEN_BYTES)
        .filter_map(|run| Some((run.hash, text.get(run.start..run.end)?)))
}

/// The tokens of one of [`identifiers`].
pub(crate) fn for_each_token_of(identifier: &str, mut emit: impl FnMut(Token<'_>)) {
    let mut parts = PartBuffer::default();
    parts.split(identifier);
    emit_run(identifier, 0, &mut parts, &mut emit);
}

/// The tokens of `text` as strings. For queries, tests and the `bm25` crate's `Tokenizer`; indexing uses [`for_each_token`].
#[must_use]
pub fn tokenize(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for_each_token(text, |token| tokens.push(token.text.to_owned()));
    tokens
}

/// The parts of an identifier as byte ranges: split at underscores, at case changes and between letters and digits.
#[must_use]
pub fn split_identifier(identifier: &str) -> Vec<&str> {
    let mut parts = PartBuffer::default();
    parts.split(identifier);
    parts
        .ranges
        .iter()
        .map(|&(start, end)| &identifier[start..end])
        .collect()
}

/// The whole identifier as it is indexed: lower case, without underscores, not stemmed.
#[must_use]
pub fn normalize_identifier(identifier: &str) -> String {
    let mut joined = String::with_capacity(identifier.len());
    push_lower(&mut joined, identifier);
    joined
}

fn emit_run(run: &str, start: usize, parts: &mut PartBuffer, emit: &mut impl FnMut(Token<'_>)) {
    let PartBuffer { ranges, word } = parts;
    word.clear();
    push_lower(word, run);
    if counts(word) {
        stem(word);
        emit(Token {
            text: word,
            start,
            end: start + run.len(),
            is_part: false,
        });
    }
    if ranges.len() < 2 {
        return;
    }
    for &(from, to) in ranges.iter() {
        word.clear();
        push_lower(word, &run[from..to]);
        if counts(word) {
            stem(word);
            emit(Token {
                text: word,
                start: start + from,
                end: start + to,
                is_part: true,
            });
        }
    }
}

/// Single ASCII characters (`i`, `T`, `0`) are everywhere and say nothing.
fn counts(word: &str) -> bool {
    word.len() > 1
}

fn push_lower(into: &mut String, text: &str) {
    if text.is_ascii() {
        into.extend(
            text.bytes()
                .filter(|&byte| byte != b'_')
                .map(|byte| byte.to_ascii_lowercase() as char),
        );
    } else {
        into.extend(
            text.chars()
                .filter(|&c| c != '_')
                .flat_map(char::to_lowercase),
        );
    }
}

/// Runs of letters, digits and underscores.
struct Runs<'a> {
    text: &'a str,
    at: usize,
}

/// A run, in bytes of the text.
struct Run {
    start: usize,
    end: usize,
    hash: u64,
}

/// Offset basis and prime of 64-bit FNV-1a, for the hash of a run.
const FNV: (u64, u64) = (0xcbf2_9ce4_8422_2325, 0x0100_0000_01b3);

impl Iterator for Runs<'_> {
    type Item = Run;

    fn next(&mut self) -> Option<Run> {
        let bytes = self.text.as_bytes();
        let (mut at, mut start, mut hash) = (self.at, None, FNV.0);
        while let Some(&byte) = bytes.get(at) {
            let (code, width) = match byte {
                0..0x80 => (u32::from(byte), 1),
                _ => wide(bytes, at, byte),
            };
            let is_word = match IS_WORD.get(code as usize) {
                Some(is_word) => *is_word,
                None => is_letter(code),
            };
            if is_word {
                start.get_or_insert(at);
                hash = (hash ^ u64::from(code)).wrapping_mul(FNV.1);
            } else if start.is_some() {
                break;
            }
            at += width;
        }
        self.at = at;
        let start = start?;
        Some(Run {
            start,
            end: at,
            hash,
        })
    }
}

/// The character of two to four bytes at `at` and how many it has. The text is UTF-8, so what follows `first` is there.
fn wide(bytes: &[u8], at: usize, first: u8) -> (u32, usize) {
    let next = |n: usize| u32::from(bytes.get(at + n).copied().unwrap_or_default() & 0x3f);
    let first = u32::from(first);
    match first {
        0..0xe0 => ((first & 0x1f) << 6 | next(1), 2),
        0xe0..0xf0 => ((first & 0x0f) << 12 | next(1) << 6 | next(2), 3),
        _ => (
            (first & 0x07) << 18 | next(1) << 12 | next(2) << 6 | next(3),
            4,
        ),
    }
}

/// Characters below 128 that are letters, digits or underscores.
const IS_WORD: [bool; 128] = {
    let mut table = [false; 128];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    table
};

/// `char::is_alphanumeric` by a table with a bit for each character of the basic plane: text in Cyrillic or Chinese asks for every
/// character. Sixty-four are looked up when one of them is asked for first.
fn is_letter(code: u32) -> bool {
    static LETTERS: [AtomicU64; 1024] = [const { AtomicU64::new(0) }; 1024];
    static KNOWN: [AtomicU64; 16] = [const { AtomicU64::new(0) }; 16];
    let slow = |code: u32| char::from_u32(code).is_some_and(char::is_alphanumeric);
    let row = code as usize / 64;
    let (Some(letters), Some(known)) = (LETTERS.get(row), KNOWN.get(row / 64)) else {
        return slow(code);
    };
    let bit = 1 << (row % 64);
    if known.load(Ordering::Acquire) & bit == 0 {
        let first = row as u32 * 64;
        let bits = (0..64).fold(0, |bits, n| bits | u64::from(slow(first + n)) << n);
        letters.store(bits, Ordering::Relaxed);
        known.fetch_or(bit, Ordering::Release);
    }
    letters.load(Ordering::Relaxed) >> (code % 64) & 1 == 1
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CharClass {
    Lower,
    Upper,
    Digit,
    Underscore,
}

fn class_of(c: char) -> CharClass {
    if c == '_' {
        CharClass::Underscore
    } else if c.is_numeric() {
        CharClass::Digit
    } else if c.is_uppercase() {
        CharClass::Upper
    } else {
        CharClass::Lower
    }
}

#[derive(Default)]
struct PartBuffer {
    ranges: Vec<(usize, usize)>,
    word: String,
}

impl PartBuffer {
    /// `getHTTPResponse2` → `get`, `HTTP`, `Response`, `2`: a capital starts a part; of a row of capitals before a small
    /// letter the last one does.
    fn split(&mut self, run: &str) {
        self.ranges.clear();
        let mut start = 0;
        let mut before = CharClass::Underscore;
        let mut last_at = 0;
        for (at, c) in run.char_indices() {
            let class = class_of(c);
            match (before, class) {
                (CharClass::Upper, CharClass::Lower) if last_at > start => {
                    self.close(start, last_at);
                    start = last_at;
                }
                (CharClass::Upper, CharClass::Lower) => {}
                (CharClass::Underscore, _) => start = at,
                (_, CharClass::Underscore) => self.close(start, at),
                (one, other) if one != other => {
                    self.close(start, at);
                    start = at;
                }
                _ => {}
            }
            before = class;
            last_at = at;
        }
        if before != CharClass::Underscore {
            self.close(start, run.len());
        }
    }

    fn close(&mut self, start: usize, end: usize) {
        if start < end {
            self.ranges.push((start, end));
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&tokenize(text).join(" "));
    }

    #[test]
    fn identifiers_count_whole_and_in_parts() {
        check("HandlerStack", expect!["handlerstack handl stack"]);
        check("handler_stack", expect!["handlerstack handl stack"]);
        check(
            "getHTTPResponse2",
            expect!["gethttpresponse2 get http responz"],
        );
        check("XMLHttpRequest", expect!["xmlhttprequest xml http request"]);
        check("__init__", expect!["init"]);
        check("utf8 i18n x T", expect!["utf8 utf i18n 18"]);
        check(
            "größe ЗдравствуйМир",
            expect!["größe здравствуймир здравствуй мир"],
        );
        check("std::fmt::Display", expect!["std fmt display"]);
        check("", expect![""]);
    }

    #[test]
    fn words_count_by_their_stem() {
        check(
            "routes routing routed route",
            expect!["rout rout rout rout"],
        );
        check("parse parsed parsing", expect!["parz parz parz"]);
    }

    #[test]
    fn data_is_left_out() {
        check(&"A".repeat(MAX_TOKEN_BYTES + 1), expect![""]);
    }

    #[test]
    fn the_table_of_letters_is_that_of_the_standard_library() {
        assert!(
            (0..=char::MAX as u32)
                .filter_map(char::from_u32)
                .all(|c| is_letter(c as u32) == c.is_alphanumeric())
        );
    }

    proptest! {
        #[test]
        fn a_token_is_its_own_first_token(text in "[a-zA-Z0-9_ .:]{0,80}|\\PC{0,40}") {
            for token in tokenize(&text) {
                let again = tokenize(&token);
                prop_assert_eq!(again.first(), Some(&token));
            }
        }

        #[test]
        fn ranges_lie_within_the_text_and_on_characters(text in "\\PC{0,60}") {
            for_each_token(&text, |token| assert!(text.get(token.start..token.end).is_some()));
        }
    }
}
