//! Statistics of how names are used, gathered while the facts of a block are walked.
//!
//! Both directions of a walk see the same text and the same facts in the same order, so both learn the same statistics. These predict
//! the values that follow, and a value that equals its prediction costs next to nothing. A wrong prediction costs bytes, never correctness.

use syntax::facts::{Span, Symbol};

/// How far ahead the next use is looked for, in bytes.
const NEAR: usize = 2_048;
/// A longer word is not looked at to its end.
const LONG_WORD: usize = 256;
/// How far arguments are counted, in bytes.
const LONG_CALL: usize = 512;
/// Definitions around a place beyond these are not looked at.
const MAX_DEPTH: usize = 32;
/// Entries of a table, a power of two.
const N_SLOTS: usize = 1 << 13;

const WORD: [bool; 256] = word_bytes();

const fn word_bytes() -> [bool; 256] {
    let mut all = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let own = byte as u8;
        all[byte] = own.is_ascii_alphanumeric() || own == b'_' || own == b'$' || own >= 0x80;
        byte += 1;
    }
    all
}

/// Whether a byte can be part of an identifier.
pub(super) fn is_word(byte: u8) -> bool {
    WORD[usize::from(byte)]
}

/// All that is learnt in a block.
pub(super) struct Habits {
    /// Which words are uses.
    pub references: Words,
    /// Which words are given a value.
    pub bindings: Words,
    /// Form of the last use between such bytes.
    forms: Box<[u8]>,
    /// Whether something stood before the last use with such bytes before it.
    receivers: Box<[u8]>,
    /// Whether uses of a form have arguments.
    takes: [bool; 256],
    /// Whether definitions of a kind are skipped in the search for the one around a place.
    passed: [bool; 256],
}

impl Default for Habits {
    fn default() -> Self {
        Self {
            references: Words::default(),
            bindings: Words::default(),
            forms: vec![0; N_SLOTS].into(),
            receivers: vec![0; N_SLOTS].into(),
            takes: [true; 256],
            passed: [false; 256],
        }
    }
}

impl Habits {
    /// The form of the last use that looked like this one.
    pub fn form(&mut self, text: &str, span: [u32; 2]) -> &mut u8 {
        let bytes = text.as_bytes();
        let [start, end] = span.map(|at| (at as usize).min(bytes.len()));
        let is_ink = |byte: &&u8| !byte.is_ascii_whitespace();
        let before = bytes[..start].iter().rev().take(16).find(is_ink);
        let behind = bytes.get(end..).unwrap_or_default().iter().take(16);
        let behind = behind.clone().find(is_ink);
        let is_upper = bytes.get(start).is_some_and(u8::is_ascii_uppercase);
        let slot = slot_of(before, behind) ^ usize::from(is_upper) << 12;
        &mut self.forms[slot % N_SLOTS]
    }

    /// Whether the last name before which these bytes stood, next to it and before the separator, had a receiver.
    pub fn receiver(&mut self, text: &str, end: usize, at: usize) -> &mut u8 {
        let before = |end: usize| text.as_bytes().get(end.checked_sub(1)?);
        &mut self.receivers[slot_of(before(end), before(at))]
    }

    /// How many arguments a use of this form is likely to have.
    pub fn arguments(&self, form: u8, text: &str, end: u32) -> Option<u32> {
        let counted = arguments_at(text.as_bytes(), end as usize);
        counted.filter(|_| self.takes[usize::from(form)])
    }

    /// A use of this form had arguments or had none, where parentheses stood.
    pub fn learn_arguments(&mut self, form: u8, text: &str, end: u32, has_any: bool) {
        if text.as_bytes().get(end as usize) == Some(&b'(') {
            self.takes[usize::from(form)] = has_any;
        }
    }

    /// The definition that a place whose innermost definition is `inner` is likely to count for.
    pub fn around(&self, outline: &Outline, inner: Option<u32>) -> Option<u32> {
        let is_passed = |symbol: &u32| self.passed[usize::from(outline.kind(*symbol))];
        outline.upwards(inner).find(|symbol| !is_passed(symbol))
    }

    /// It counted for this one.
    pub fn learn_around(&mut self, outline: &Outline, inner: Option<u32>, actual: Option<u32>) {
        let is_other = |symbol: &u32| Some(*symbol) != actual;
        let found = outline.upwards(inner).find(|symbol| !is_other(symbol));
        if actual.is_some() && found.is_none() {
            return;
        }
        for symbol in outline.upwards(inner).take_while(is_other) {
            self.passed[usize::from(outline.kind(symbol))] = true;
        }
        if let Some(symbol) = found {
            self.passed[usize::from(outline.kind(symbol))] = false;
        }
    }
}

fn slot_of(one: Option<&u8>, other: Option<&u8>) -> usize {
    let [one, other] = [one, other].map(|byte| usize::from(byte.copied().unwrap_or_default()));
    (one << 5 ^ other) % N_SLOTS
}

/// The number of arguments in the parentheses that begin at a byte; none where there are none, or they are long.
fn arguments_at(bytes: &[u8], start: usize) -> Option<u32> {
    let to = (start + LONG_CALL).min(bytes.len());
    let (b'(', inside) = bytes.get(start..to)?.split_first()? else {
        return None;
    };
    let (mut depth, mut n_commas, mut quote) = (0_u32, 0, None);
    let mut last = b'(';
    let mut inside = inside.iter();
    while let Some(&byte) = inside.next() {
        match (quote, byte) {
            (Some(_), b'\\') => {
                inside.next();
            }
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'' | b'`') => quote = Some(byte),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') if depth > 0 => depth -= 1,
            (None, b')') => {
                let is_open = matches!(last, b'(' | b',');
                return Some(n_commas + u32::from(!is_open));
            }
            (None, b',') if depth == 0 => n_commas += 1,
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            last = if byte == b'(' { b'x' } else { byte };
        }
    }
    None
}

/// Predicts which words of a text are meant, from those before.
pub(super) struct Words {
    /// For each word by its hash: 0 unknown, 1 and 2 rather not, 3 and 4 rather.
    known: Box<[u8]>,
    /// The same of unknown words by the bytes beside them: 4 and more is rather.
    beside: Box<[u8]>,
}

impl Default for Words {
    fn default() -> Self {
        Self {
            known: vec![0; N_SLOTS].into(),
            beside: vec![3; N_SLOTS].into(),
        }
    }
}

impl Words {
    /// The code of the word that begins at `target`, given that all before `from` is known; none if it needs another code.
    pub fn code(&mut self, text: &str, from: usize, target: usize) -> Option<u32> {
        let bytes = text.as_bytes();
        let is_start = target >= from
            && target - from < NEAR
            && bytes
                .get(target)
                .is_some_and(|byte| is_word(*byte) && !byte.is_ascii_digit())
            && target
                .checked_sub(1)
                .is_none_or(|before| !is_word(bytes[before]));
        if !is_start {
            return None;
        }
        let mut passed = [0_u32; 2];
        let mut next = from;
        while let Some(word) = Word::after(bytes, &mut next, from) {
            let is_meant = self.meet(&word, |_| word.start == target);
            if word.start == target {
                return Some(passed[usize::from(is_meant)] << 1 | u32::from(!is_meant));
            }
            passed[usize::from(is_meant)] += 1;
        }
        None
    }

    /// The reverse of [`Words::code`]: where the word begins.
    pub fn place(&mut self, text: &str, from: usize, code: u32) -> Option<usize> {
        let is_usual = code & 1 == 0;
        let mut left = code >> 1;
        let mut next = from;
        while let Some(word) = Word::after(text.as_bytes(), &mut next, from) {
            let is_one = |is_meant: bool| is_meant == is_usual && left == 0;
            let is_meant = self.meet(&word, is_one);
            if is_one(is_meant) {
                return Some(word.start);
            }
            left -= u32::from(is_meant == is_usual);
        }
        None
    }

    /// Whether a word is likely to be meant; learns whether it was.
    fn meet(&mut self, word: &Word, is_target: impl Fn(bool) -> bool) -> bool {
        let (known, beside) = (&mut self.known[word.own], &mut self.beside[word.beside]);
        let is_likely = match *known {
            0 => *beside >= 4,
            state => state >= 3,
        };
        if is_target(is_likely) {
            *known = if *known == 0 { 3 } else { (*known + 1).min(4) };
            *beside = (*beside + 1).min(7);
        } else {
            *known = if *known == 0 { 2 } else { (*known - 1).max(1) };
            *beside = beside.saturating_sub(1);
        }
        is_likely
    }
}

/// A word of a text, and the slots of its statistics.
struct Word {
    start: usize,
    own: usize,
    beside: usize,
}

impl Word {
    /// The first that begins at `next` or behind, which moves behind it, near `from`. Numbers are no words.
    fn after(bytes: &[u8], next: &mut usize, from: usize) -> Option<Self> {
        let to = from.saturating_add(NEAR + LONG_WORD).min(bytes.len());
        let bytes = bytes.get(..to)?;
        loop {
            let rest = bytes.get(*next..)?;
            let start = *next + rest.iter().position(|byte| is_word(*byte))?;
            if start - from >= NEAR {
                return None;
            }
            let mut hash = 0_u32;
            let mut end = start;
            while let Some(byte) = bytes.get(end).filter(|byte| is_word(**byte)) {
                hash = (hash ^ u32::from(*byte)).wrapping_mul(0x9e37_79b1);
                end += 1;
            }
            *next = end;
            if bytes[start].is_ascii_digit() {
                continue;
            }
            let before = start.checked_sub(1).and_then(|before| bytes.get(before));
            let behind = bytes.get(end);
            let is_member = u32::from(before == Some(&b'.'));
            let is_call = u32::from(behind == Some(&b'('));
            let hash = (hash ^ is_member ^ is_call << 1).wrapping_mul(0x85eb_ca6b);
            return Some(Self {
                start,
                own: (hash >> 19) as usize % N_SLOTS,
                beside: slot_of(before, behind),
            });
        }
    }
}

/// Where the definitions of a file are.
#[derive(Default)]
pub(super) struct Outline(Vec<(Span, u8, Option<u32>)>);

impl Outline {
    /// Of definitions in the order of their starts.
    pub fn of(symbols: &[Symbol]) -> Self {
        let symbols = symbols.iter();
        Self(
            symbols
                .map(|symbol| (symbol.span, symbol.kind as u8, symbol.parent))
                .collect(),
        )
    }

    fn kind(&self, symbol: u32) -> u8 {
        self.0.get(symbol as usize).map_or(0, |symbol| symbol.1)
    }

    /// A definition and those around it.
    fn upwards(&self, inner: Option<u32>) -> impl Iterator<Item = u32> + '_ {
        let around = |symbol: &u32| {
            let parent = self.0.get(*symbol as usize)?.2;
            parent.filter(|parent| parent < symbol)
        };
        std::iter::successors(inner, around).take(MAX_DEPTH)
    }
}

/// Goes through a file and knows which definitions are around.
#[derive(Default)]
pub(super) struct Descent {
    next: usize,
    around: Vec<u32>,
}

impl Descent {
    /// The innermost definition around a byte, if bytes are asked for in rising order.
    pub fn to(&mut self, outline: &Outline, offset: u32) -> Option<u32> {
        while let Some((span, ..)) = outline
            .0
            .get(self.next)
            .filter(|next| next.0.start <= offset)
        {
            if offset < span.end {
                self.around.push(self.next as u32);
            }
            self.next += 1;
        }
        let end = |symbol: &u32| {
            outline
                .0
                .get(*symbol as usize)
                .map_or(0, |symbol| symbol.0.end)
        };
        while self.around.last().is_some_and(|inner| end(inner) <= offset) {
            self.around.pop();
        }
        self.around.last().copied()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn arguments_are_counted_as_people_count_them() {
        let count = |text: &str| arguments_at(text.as_bytes(), 0);
        assert_eq!(count("()"), Some(0));
        assert_eq!(count("( )"), Some(0));
        assert_eq!(count("(a)"), Some(1));
        assert_eq!(count("(a, [b, c], f(d, e))"), Some(3));
        assert_eq!(count("(\n  a,\n  'b, c',\n)"), Some(2));
        assert_eq!(count("(())"), Some(1));
        assert_eq!(count("a"), None);
        assert_eq!(count("(a"), None);
    }

    proptest! {
        #[test]
        fn words_that_are_told_are_found(text in "[a-c$é1 .(]{0,80}", picks in prop::collection::vec(0_usize..80, 0..12)) {
            let mut picks = picks;
            picks.sort_unstable();
            let [mut telling, mut finding] = [Words::default(), Words::default()];
            let mut from = 0;
            for target in picks {
                if let Some(code) = telling.code(&text, from, target) {
                    prop_assert_eq!(finding.place(&text, from, code), Some(target));
                    from = target;
                    while text.as_bytes().get(from).is_some_and(|byte| is_word(*byte)) {
                        from += 1;
                    }
                }
            }
        }

        #[test]
        fn any_code_is_found_or_not(text in ".{0,60}", from in 0_usize..80, code in any::<u32>()) {
            let _ = Words::default().place(&text, from, code);
        }
    }
}
