//! Code-aware tokens: an identifier counts whole and in its parts, words count by their stem.
//!
//! `HandlerStack`, `handler_stack` and `handlerStack` all give `handlerstack`, `handler`, `stack`; `routes` and `routing`
//! give `rout`. Whole identifiers are joined without underscores so that a spelling convention of one language
//! finds the name in another. Runs longer than [`MAX_TOKEN_BYTES`] are data (hashes, base64), not words: left out.

use std::sync::OnceLock;

use crate::stem::stem;

/// Longest run of letters and digits, in bytes, that is taken for a word or identifier.
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
pub(crate) fn identifiers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    Runs::new(text)
        .filter(|(start, end)| end - start <= MAX_TOKEN_BYTES)
        .filter_map(|(start, end)| Some((start, text.get(start..end)?)))
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

/// Runs of letters, digits and underscores, as byte ranges.
struct Runs<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Runs<'a> {
    fn new(text: &'a str) -> Runs<'a> {
        Runs { text, at: 0 }
    }

    /// The end of the stretch from `from` whose characters all give `wanted`.
    fn end_of(&self, from: usize, wanted: bool) -> usize {
        let bytes = self.text.as_bytes();
        let mut at = from;
        while let Some(&byte) = bytes.get(at) {
            if byte.is_ascii() {
                if IS_WORD[byte as usize] != wanted {
                    return at;
                }
                at += 1;
            } else {
                let Some(c) = self.text.get(at..).and_then(|rest| rest.chars().next()) else {
                    return at;
                };
                if is_alphanumeric(c) != wanted {
                    return at;
                }
                at += c.len_utf8();
            }
        }
        at
    }
}

/// Which bytes below 128 are letters, digits or underscores.
const IS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    table
};

/// `char::is_alphanumeric` by a table: text in Cyrillic or Chinese asks for every character. The table has a bit for each
/// character of the basic plane and takes a millisecond to make.
fn is_alphanumeric(c: char) -> bool {
    static TABLE: OnceLock<Vec<u64>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let is_word = |code: u32| char::from_u32(code).is_some_and(char::is_alphanumeric);
        let word = |at: u32| {
            (0..64).fold(0, |bits, bit| {
                bits | u64::from(is_word(at * 64 + bit)) << bit
            })
        };
        (0..1024).map(word).collect()
    });
    match table.get(c as usize / 64) {
        Some(bits) => bits >> (c as usize % 64) & 1 == 1,
        None => c.is_alphanumeric(),
    }
}

impl Iterator for Runs<'_> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        let start = self.end_of(self.at, false);
        if start >= self.text.len() {
            return None;
        }
        self.at = self.end_of(start, true);
        Some((start, self.at))
    }
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
                .all(|c| is_alphanumeric(c) == c.is_alphanumeric())
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
